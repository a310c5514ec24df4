"""Command lines in process, ten thousand at full scale: no traceback, no hang, no half file, and one line for what is wrong."""

import collections
import io
import os
import random
import signal
import sys
from pathlib import Path

import pytest

from tests.fuzz import scaled
from tests.fuzz.commands import STDIN, command_line
from tests.fuzz.files import damaged, prepare
from zermelo.cli import main

LINES = scaled(1000)
WRITING = {"build", "remove", "upgrade"}
SECONDS = 10
"""Of processor time, so that a busy machine is no failure."""


class Hang(BaseException):
    """A command line took too long."""


def hang(_number: int, _frame: object) -> None:
    raise Hang


def run(words: list[str], stdin: bytes, monkeypatch: pytest.MonkeyPatch) -> tuple[object, str, str]:
    """How a command line ends, and what it prints."""
    out, err = io.BytesIO(), io.BytesIO()
    with monkeypatch.context() as patch:
        streams = io.TextIOWrapper(out, "utf-8"), io.TextIOWrapper(err, "utf-8", "backslashreplace")
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            main(words, prog_name="zermelo")
        except SystemExit as end:
            code: object = end.code
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        for stream in streams:
            stream.flush()
    return code, out.getvalue().decode(errors="replace"), err.getvalue().decode()


@pytest.mark.slow
@pytest.mark.filterwarnings("default::ResourceWarning")
@pytest.mark.parametrize("seed", range(10))
def test_command_lines(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is told with its seed and the words, so that it can be run again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZERMELO_GAME", "nim:1,2")
    monkeypatch.setenv("ZERMELO_GAMES", "own.py:Good own.py:Sized" if seed % 2 else "")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "own", raising=False)
    chance = random.Random(seed)
    prepare(tmp_path)
    files = damaged(chance, tmp_path, 12)
    whole = (tmp_path / "zermelo.db").read_bytes()
    before = signal.signal(signal.SIGPROF, hang)
    faults: list[tuple[int, list[str], str]] = []
    ends: collections.Counter[object] = collections.Counter()
    try:
        for number in range(LINES):
            words, stdin = command_line(chance, files), chance.choice(STDIN)
            try:
                code, _, said = run(words, stdin, monkeypatch)
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                faults.append((number, words, f"{type(error).__name__}: {error}"))
                continue
            if code not in (0, 1, 2) or "mistake in Zermelo" in said or "Traceback" in said:
                faults.append((number, words, f"{code}: {said[-2000:]}"))
            elif code == 2 and not any(line.startswith("zermelo: ") for line in said.splitlines()):
                faults.append((number, words, f"2 without a line that says why: {said[-500:]}"))
            if left := [name for name in os.listdir(tmp_path) if name.endswith(".part")]:
                faults.append((number, words, f"left {left}"))
            if (tmp_path / "zermelo.db").read_bytes() != whole:
                if not WRITING.intersection(words):
                    faults.append((number, words, "changed the database"))
                (tmp_path / "zermelo.db").write_bytes(whole)
            ends[code] += 1
    finally:
        signal.signal(signal.SIGPROF, before)
    print("command lines by exit code", dict(ends))
    assert not faults, "\n".join(map(str, faults))
