"""export through the real program: what it prints, what it leaves, how it ends."""

import gzip
import json
import os
import pty
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from tests.conftest import Zermelo

ROOT = Path(__file__).parent.parent


class TestExport:
    """zermelo export."""

    def test_to_standard_output(self, folder: Path, zermelo: Zermelo) -> None:
        """CSV by default, a header and a line a position, and nothing else anywhere."""
        done = zermelo("export")
        assert (done.returncode, done.stderr) == (0, "")
        lines = done.stdout.splitlines()
        assert lines[0] == "position,ply,to_move,terminal,value,plies,best_move,optimal_moves"
        assert len(lines) == 1 + 5478
        assert "XO./.X./..O,4,X,0,1,3,a2,a2 a3" in lines
        assert zermelo("export", "-o", "-", "--format", "csv").stdout == done.stdout

    def test_the_name_of_the_file_says_the_format(self, folder: Path, zermelo: Zermelo) -> None:
        """And --format overrides it."""
        for name, start in (("a.csv", b"position,"), ("a.jsonl", b"{"), ("a.parquet", b"PAR1"), ("a.ztb", b"\x89ZTB")):
            done = zermelo("export", "-o", name)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            assert (folder / name).read_bytes().startswith(start)
        assert zermelo("export", "-o", "b.csv", "--format", "ztb").returncode == 0
        assert (folder / "b.csv").read_bytes() == (folder / "a.ztb").read_bytes()

    @pytest.mark.slow
    def test_compressed_as_it_is_written(self, folder: Path, zermelo: Zermelo) -> None:
        """Unpacked by other programs it is the same file; twice the same; and what is not text is refused."""
        for name in ("a.csv", "a.jsonl"):
            for ending in ("", ".gz", ".ZST"):
                done = zermelo("export", "-o", f"{name}{ending}")
                assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            plain = (folder / name).read_bytes()
            assert gzip.decompress((folder / f"{name}.gz").read_bytes()) == plain
            with zstandard.open(folder / f"{name}.ZST", "rb") as stream:
                assert stream.read() == plain
        assert zermelo("export", "-o", "again.gz", "--format", "csv").returncode == 0
        assert (folder / "again.gz").read_bytes() == (folder / "a.csv.gz").read_bytes()
        for name, told in (
            ("a.parquet.gz", "zermelo: .parquet.gz is not written: compressed are .csv, .jsonl\n"),
            ("a.ztb.zst", "zermelo: .ztb.zst is not written: compressed are .csv, .jsonl\n"),
            ("a.gz", "zermelo: 'a.gz' ends with .gz, which is not written: end it with .csv,"),
            ("a.xlsx.gz", "zermelo: 'a.xlsx' ends with .xlsx, which is not written: end it with .csv,"),
        ):
            done = zermelo("export", "-o", name)
            assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
            assert done.stderr.startswith(told)
            assert not (folder / name).exists()

    def test_an_existing_file_needs_force(self, folder: Path, zermelo: Zermelo) -> None:
        """Nothing is lost by a slip."""
        (folder / "mine.csv").write_text("mine")
        done = zermelo("export", "-o", "mine.csv")
        assert done.returncode == 2
        assert done.stderr == "zermelo: 'mine.csv' already exists: overwrite it with --force, or name another file\n"
        assert (folder / "mine.csv").read_text() == "mine"
        assert zermelo("export", "-o", "mine.csv", "--force").returncode == 0
        assert (folder / "mine.csv").read_text().startswith("position,")

    def test_choosing_rows(self, folder: Path, zermelo: Zermelo) -> None:
        """By ply, value and side, one of each class."""
        done = zermelo("export", "--ply", "2..3", "--value", "1", "--to-move", "X", "--classes", "--format", "jsonl")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(rows) == 7
        assert {(row["ply"], row["value"], row["to_move"]) for row in rows} == {(2, 1, "X")}
        assert len(zermelo("export", "--ply", "..1").stdout.splitlines()) == 1 + 10
        assert len(zermelo("export", "--ply", "9..").stdout.splitlines()) == 1 + 78
        assert len(zermelo("export", "--ply", "9").stdout.splitlines()) == 1 + 78

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (("--ply", "a..b"), "'a..b' is not a range of plies: write 4, 2..5, 6.. or ..3"),
            (("--ply", "5..2"), "'5..2' is a range that ends before it begins: write 2..5"),
            (("--ply", ".."), "'..' is not a range of plies"),
            (("--to-move", "Z"), "has no player 'Z': name X or O"),
            (("-o", "no/where.csv"), "the folder of 'no/where.csv' does not exist: make "),
            (("-o", "x.ztb", "--value", "0"), "a tablebase holds every position"),
            (
                ("--db", "nowhere.ztb"),
                "there is no tablebase 'nowhere.ztb': make it with `zermelo export -o nowhere.ztb`",
            ),
            (("-g", "mnk:4,4,4"), "does not hold mnk:4,4,4"),
        ],
    )
    def test_wrong_requests(self, arguments: tuple[str, ...], told: str, folder: Path, zermelo: Zermelo) -> None:
        """One line, exit 2, and no file."""
        before = set(os.listdir(folder))
        done = zermelo("export", *arguments)
        assert (done.returncode, done.stdout.count("\n") <= 1) == (2, True)
        assert told in done.stderr
        assert done.stderr.count("\n") == 1
        assert set(os.listdir(folder)) == before

    @pytest.mark.parametrize("format_", ["csv", "jsonl", pytest.param("parquet", marks=pytest.mark.slow)])
    def test_no_room(self, format_: str, folder: Path) -> None:
        """A size limit stands for a full disk: one line, exit 1, no half file, the old one unharmed."""
        (folder / "old.out").write_text("old")
        for name, force in (("new.out", ()), ("old.out", ("--force",))):
            done = self.limited(folder, "export", "--format", format_, "-o", name, *force)
            assert done.returncode == 1
            assert done.stderr == f"zermelo: there is no room left for '{name}': make some, or write elsewhere\n"
            assert sorted(os.listdir(folder)) == ["old.out", "zermelo.db"]
        assert (folder / "old.out").read_text() == "old"

    def test_no_room_for_a_tablebase(self, folder: Path) -> None:
        """Under a thousand bytes need a smaller limit."""
        done = self.limited(folder, "export", "-o", "new.ztb", limit=500)
        assert done.returncode == 1
        assert "there is no room left for 'new.ztb'" in done.stderr
        assert os.listdir(folder) == ["zermelo.db"]

    @staticmethod
    def limited(folder: Path, *arguments: str, limit: int = 10_000) -> "subprocess.CompletedProcess[str]":
        def limit_files() -> None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.run(
            [sys.executable, "-B", "-m", "zermelo", *arguments],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            preexec_fn=limit_files,
            capture_output=True,
            text=True,
        )

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
    @pytest.mark.parametrize("format_", ["csv", "jsonl", "ztb", pytest.param("parquet", marks=pytest.mark.slow)])
    def test_a_full_standard_output(self, format_: str, folder: Path) -> None:
        """One line too, and nothing from Python's own end."""
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [sys.executable, "-m", "zermelo", "export", "--format", format_],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
            )
        assert done.returncode == 1
        assert done.stderr == "zermelo: there is no room left for 'standard output': make some, or write elsewhere\n"

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small disk")
    def test_a_disk_that_is_full(self, folder: Path) -> None:
        """A real one of 16 kB, where mounting is allowed."""
        disk = folder / "disk"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True).returncode:
            pytest.skip("mounting is not allowed here")
        try:
            done = subprocess.run(
                [sys.executable, "-m", "zermelo", "export", "-o", "disk/all.csv"],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                text=True,
            )
            assert done.returncode == 1
            assert done.stderr == "zermelo: there is no room left for 'disk/all.csv': make some, or write elsewhere\n"
            assert os.listdir(disk) == []
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_folder_that_cannot_be_written(self, folder: Path, zermelo: Zermelo) -> None:
        """One line that names the file."""
        done = zermelo("export", "-o", "/proc/all.csv")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("zermelo: '/proc/all.csv' cannot be written: ")
        assert done.stderr.count("\n") == 1

    @pytest.mark.parametrize("format_", ["csv", "jsonl", pytest.param("parquet", marks=pytest.mark.slow)])
    def test_a_closed_pipe(self, format_: str, folder: Path) -> None:
        """Who reads has seen enough: a quiet end. The pipe is so small that all of it never fits."""
        program = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "export", "--format", format_],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pipesize=4096,
            bufsize=0,
        )
        assert program.stdout and program.stderr
        program.stdout.read(4)
        program.stdout.close()
        assert program.stderr.read() == b""
        program.stderr.close()
        assert program.wait() == 1

    def test_a_closed_standard_output(self, folder: Path) -> None:
        """One line that says what to do."""
        done = subprocess.run(
            ["sh", "-c", f"exec {sys.executable} -m zermelo export >&-"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert (done.returncode, done.stderr) == (1, "zermelo: standard output is closed: name a file with -o\n")

    def test_a_bar_and_a_terminal(self, folder: Path, zermelo: Zermelo) -> None:
        """A bar when one is wanted, on stderr; and no binary data on a terminal."""
        done = zermelo("export", "-o", "bar.csv", "--progress")
        assert "5.48k/5.48k" in done.stderr
        terminal, inside = pty.openpty()
        refused = subprocess.run(
            [sys.executable, "-m", "zermelo", "export", "--format", "ztb"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=inside,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(inside)
        os.close(terminal)
        assert refused.returncode == 2
        assert refused.stderr == "zermelo: ztb is not for a terminal: name a file with -o, such as -o file.ztb\n"

    def test_a_missing_package_is_named(self, folder: Path) -> None:
        """One line that says what to install, and no file."""
        without = "import sys; sys.modules['pyarrow'] = None; from zermelo import cli; cli.main(['export', '-o', 'a.parquet'])"
        done = subprocess.run(
            [sys.executable, "-c", without],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 2
        assert done.stderr == (
            "zermelo: Parquet needs the Python package pyarrow, of the extra 'parquet':"
            " install it with `pip install 'zermelo[parquet]'`\n"
        )
        assert os.listdir(folder) == ["zermelo.db"]
