"""Tablebases, verify, find and what asks first, through the real program."""

import contextlib
import csv
import io
import json
import os
import re
import sqlite3
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from zermelo.cli import main

ROOT = Path(__file__).parent.parent


class TestTablebase:
    """Every command that reads a database reads a tablebase."""

    def test_the_same_answers(self, folder: Path, zermelo: Zermelo) -> None:
        """query, stats and verify print what they print of the database; list names it."""
        assert zermelo("export", "-o", "t.ztb").returncode == 0
        for command in (
            ("query", "XO./.X./..O"),
            ("query", "--moves", "b2 a1", "--format", "json"),
            ("stats",),
            ("stats", "--format", "json"),
            ("find", "--trickiest", "--limit", "3"),
        ):
            from_file, from_database = zermelo(*command, "--db", "t.ztb"), zermelo(*command)
            assert (from_file.returncode, from_file.stderr) == (0, "")
            assert from_file.stdout == from_database.stdout
        verified = zermelo("verify", "--db", "t.ztb")
        assert (verified.returncode, verified.stderr) == (0, "")
        assert verified.stdout == zermelo("verify").stdout.replace("zermelo.db", "t.ztb")
        (row,) = csv.DictReader(io.StringIO(zermelo("list", "--db", "t.ztb", "--format", "csv").stdout))
        assert (row["game"], row["layout"], row["positions"]) == ("mnk:3,3,3", "tablebase", "5478")

    def test_its_game_is_its_own(self, folder: Path, zermelo: Zermelo) -> None:
        """Nothing need be said of the game, and nothing wrong may be."""
        assert zermelo("build", "-g", "mnk:4,2,2").returncode == 0
        assert zermelo("export", "-g", "mnk:4,2,2", "-o", "small.ztb").returncode == 0
        assert "X to move" in zermelo("query", "--db", "small.ztb").stdout
        assert zermelo("query", "--db", "small.ztb", "-g", "mnk:4,2,2").returncode == 0
        done = zermelo("query", "--db", "small.ztb", "-g", "tictactoe")
        assert done.returncode == 2
        assert "holds mnk:4,2,2, not mnk:3,3,3" in done.stderr
        assert done.stderr.count("\n") == 1

    def test_a_users_own_game(self, folder: Path, zermelo: Zermelo) -> None:
        """Named as a module and an attribute, built, exported, proved and asked, with nothing said twice."""
        (folder / "mine.py").write_text(
            "from tests.games import Piles\n"
            "class Mine(Piles):\n"
            '    """Two piles of four."""\n'
            "game = Mine(4, 4)\n"
            "game.spec = 'mine:game'\n"
        )
        assert zermelo("build", "-g", "mine:game").returncode == 0
        assert zermelo("export", "-g", "mine:game", "-o", "mine.ztb").returncode == 0
        own = ("--db", "mine.ztb", "-g", "mine:game")  # a file does not bring rules
        verified = zermelo("verify", *own)
        assert (verified.returncode, verified.stderr) == (0, "")
        assert verified.stdout.startswith("all positions of mine:game in mine.ztb are right:\n")
        request = ("query", "Bo: 3 | 2", "--format", "json")
        assert zermelo(*request, *own).stdout == zermelo(*request, "-g", "mine:game").stdout
        assert zermelo("export", *own).stdout == zermelo("export", "-g", "mine:game").stdout

    def test_damage_is_told(self, folder: Path, zermelo: Zermelo) -> None:
        """By every command, in one line, exit 1."""
        assert zermelo("export", "-o", "t.ztb").returncode == 0
        data = bytearray((folder / "t.ztb").read_bytes())
        data[200] ^= 1
        (folder / "t.ztb").write_bytes(data)
        for command in (("query", "XO./.X./..O"), ("verify",), ("find",), ("export",)):
            done = zermelo(*command, "--db", "t.ztb")
            assert done.returncode == 1
            assert "'t.ztb' is damaged" in done.stderr
            assert done.stderr.count("\n") == 1

    def test_building_into_one_is_refused(self, folder: Path, zermelo: Zermelo) -> None:
        """It is only to be read."""
        assert zermelo("export", "-o", "t.ztb").returncode == 0
        before = (folder / "t.ztb").read_bytes()
        done = zermelo("build", "--db", "t.ztb", "--force")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert (folder / "t.ztb").read_bytes() == before


class TestVerify:
    """zermelo verify."""

    def test_what_is_right(self, folder: Path, zermelo: Zermelo) -> None:
        """What was proved, line by line."""
        done = zermelo("verify")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "all positions of mnk:3,3,3 in zermelo.db are right:\n"
            "  its 5,478 positions are exactly those that play can reach\n"
            "  its 958 finished positions have the value that the rules give them\n"
            "  its 4,520 others have the value, plies and best move that follow from their successors\n"
            "  its digest, and all its counts by ply, outcome and class, are right\n"
        )

    def test_faults(self, folder: Path, zermelo: Zermelo) -> None:
        """Each with its position, the first twenty, and how many more; exit 1."""
        with sqlite3.connect(folder / "zermelo.db") as connection:
            connection.execute("update positions set best_move = 'c9' where ply = 2")
        done = zermelo("verify")
        assert done.returncode == 1
        lines = done.stdout.splitlines()
        assert len(lines) == 22
        assert lines[0] == "all positions of mnk:3,3,3 in zermelo.db were checked, and they have faults:"
        assert "best move c9; its successors give" in lines[1]
        assert lines[-1] == "  and 53 more"
        assert done.stderr == "zermelo: mnk:3,3,3 in zermelo.db has 73 faults\n"

    def test_a_sample(self, folder: Path, zermelo: Zermelo) -> None:
        """A quick look says that it was one."""
        done = zermelo("verify", "--sample", "25")
        assert done.returncode == 0
        assert done.stdout.startswith(
            "a sample of 25 positions of mnk:3,3,3 in zermelo.db is right:\n  25 positions that random play came by"
        )
        assert zermelo("verify", "--sample", "0").returncode == 2


class TestFind:
    """zermelo find."""

    def test_a_drawn_board_each(self, folder: Path, zermelo: Zermelo) -> None:
        """The trickiest draw there is: a corner, and only the centre holds."""
        done = zermelo("find", "--trickiest", "--limit", "1")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "  a b c\n"
            "1 . . .\n"
            "2 . . .\n"
            "3 . . X\n"
            "\n"
            "O to move: draw in 8 plies. Best move: b2.\n"
            "  hold: b2\n"
            "  lose: a1 b1 c1 a2 c2 a3 b3\n"
        )

    def test_for_programs(self, folder: Path, zermelo: Zermelo) -> None:
        """JSON has lists, CSV has spaces between."""
        request = ("find", "--only-move", "--ply", "1", "--to-move", "O")
        (line,) = zermelo(*request, "--format", "json").stdout.splitlines()
        found = json.loads(line)
        assert (found["position"], found["best_move"], found["holding_moves"]) == (".../.../..X", "b2", ["b2"])
        (row,) = csv.DictReader(io.StringIO(zermelo(*request, "--format", "csv").stdout))
        assert row["losing_moves"].split() == found["losing_moves"]
        assert len(zermelo(*request, "--every", "--format", "json").stdout.splitlines()) == 4

    def test_the_longest_wins(self, folder: Path, zermelo: Zermelo) -> None:
        """Sorted, and no more than asked for."""
        lines = zermelo("find", "--value", "-1", "--sort", "plies", "--limit", "4", "--format", "json").stdout
        plies = [json.loads(line)["plies"] for line in lines.splitlines()]
        assert len(plies) == 4
        assert plies == sorted(plies, reverse=True)

    def test_lost_positions_and_draws_that_need_no_care(self, folder: Path, zermelo: Zermelo) -> None:
        """In a lost position nothing holds, and a draw in which no move loses is never tricky."""
        done = zermelo("find", "--value", "1", "--to-move", "O", "--sort", "plies")
        assert (done.returncode, done.stderr) == (0, "")
        assert (done.stdout.count("  lose: "), done.stdout.count("  hold: ")) == (10, 0)
        done = zermelo("find", "--trickiest", "--ply", "0")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "no such position was found\n")

    @pytest.mark.slow
    def test_packed_solutions(self, tmp_path: Path, zermelo: Zermelo) -> None:
        """Gone through by compiled code, a board and a game of whole numbers: the same lines as from rows, from a tablebase too."""
        for game in ("connect:4,4,3", "hexapawn:4,4"):
            for layout in ("packed", "rows"):
                assert zermelo("build", "-g", game, "--layout", layout, "--db", str(tmp_path / layout)).returncode == 0
            table = ["--db", str(tmp_path / "packed"), "-g", game, "--force", "-o", str(tmp_path / "packed.ztb")]
            assert zermelo("export", *table).returncode == 0
            for request in (
                ("find", "--sort", "losing", "--limit", "50"),
                ("find", "--only-move", "--sort", "losing", "--every"),
                ("find", "--value", "1", "--sort", "plies", "--ply", "2..7"),
                ("export", "--value", "-1", "--format", "jsonl"),
                ("export", "--classes", "--ply", "3..6"),
            ):
                told = [
                    zermelo(*request, "-g", game, "--db", str(tmp_path / name)).stdout
                    for name in ("rows", "packed", "packed.ztb")
                ]
                if "export" in request:
                    told = ["\n".join(sorted(text.splitlines())) for text in told]
                assert told[0] == told[1] == told[2] != ""

    def test_nothing_found(self, folder: Path, zermelo: Zermelo) -> None:
        """Said on stderr, and not a failure."""
        done = zermelo("find", "--ply", "0", "--value", "1")
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "no such position was found\n")
        done = zermelo("find", "--trickiest", "--value", "1")
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1


class TestVeryMuch:
    """What is too much to be meant is done only with --yes."""

    @pytest.fixture(autouse=True)
    def little(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that tic-tac-toe is very much."""
        for module in ("zermelo.db.export", "zermelo.db.find", "zermelo.db.verify"):
            monkeypatch.setattr(f"{module}.MOST", 1000)

    @staticmethod
    def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
        """In this process, where the limit is low."""
        code = 0
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            try:
                main([*arguments, "--db", str(folder / "zermelo.db")])
            except SystemExit as end:
                code = int(end.code or 0)
        return code, out.getvalue(), err.getvalue()

    @pytest.mark.parametrize(
        "format_", ["csv", *(pytest.param(other, marks=pytest.mark.slow) for other in ("jsonl", "parquet"))]
    )
    def test_export(self, format_: str, folder: Path) -> None:
        """The line says how many rows and how large, and no file is left; a few plies are not too much."""
        file = str(folder / "out")
        code, out, err = self.run(folder, "export", "--format", format_, "-o", file, "--value", "0")
        assert (code, out) == (2, "")
        said = rf"zermelo: mnk:3,3,3 has 5,478 positions to go through, and {format_} would have 1,068 rows, about \d+ kB: "
        assert re.fullmatch(said + r"choose some with --ply, .*, or add --yes to do it all the same\n", err)
        assert not os.path.exists(file)
        assert self.run(folder, "export", "--format", format_, "-o", file, "--ply", "..3")[0] == 0
        assert self.run(folder, "export", "--format", format_, "-o", file, "--force", "--yes")[0] == 0
        assert self.run(folder, "export", "--format", "ztb", "-o", file, "--force")[0] == 0

    def test_the_size_is_about_right(self, folder: Path) -> None:
        """Told from a few thousand rows."""
        _, _, err = self.run(folder, "export", "--format", "csv")
        self.run(folder, "export", "--format", "csv", "--yes", "-o", str(folder / "out"))
        told = re.search(r"about (\d+) kB", err)
        assert told
        assert float(told[1]) * 1000 == pytest.approx((folder / "out").stat().st_size, rel=0.2)

    def test_find(self, folder: Path) -> None:
        """What is found first needs no going through everything."""
        code, out, err = self.run(folder, "find", "--trickiest")
        assert (code, out) == (2, "")
        assert err.startswith(
            "zermelo: mnk:3,3,3 has 5,478 positions to go through: choose some with --ply, leave out --sort"
        )
        assert err.endswith("or add --yes to do it all the same\n")
        for arguments in (("--trickiest", "--yes"), ("--trickiest", "--ply", "..3"), ("--only-move",)):
            assert self.run(folder, "find", *arguments)[0] == 0

    def test_verify(self, folder: Path) -> None:
        """A sample is no matter."""
        code, out, err = self.run(folder, "verify")
        assert (code, out) == (2, "")
        assert err.startswith(
            "zermelo: mnk:3,3,3 has 5,478 positions, and to prove them all takes about 0 GB of memory: "
        )
        assert self.run(folder, "verify", "--sample", "10")[0] == 0
        assert self.run(folder, "verify", "--yes")[0] == 0
