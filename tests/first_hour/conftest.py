"""A shell in a folder with the tic-tac-toe database: what is typed is run, in this process because that starts faster."""

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zermelo import cli
from zermelo.solver import blame

Typed = Callable[[str], "subprocess.CompletedProcess[str]"]


@pytest.fixture
def typed(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Iterator[Typed]:
    """Runs a line as it would be typed."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(blame, "_used", {})  # as in a process of its own
    before = set(sys.modules)

    def run(line: str) -> "subprocess.CompletedProcess[str]":
        program, *arguments = shlex.split(line)
        assert program == "zermelo"
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return subprocess.CompletedProcess(line, ended.value.code, out, err)

    yield run
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
            del sys.modules[name]
