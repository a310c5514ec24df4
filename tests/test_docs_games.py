"""docs/games.md shows what the program prints. `python -m tests.test_docs_games` makes its outputs anew."""

import os
import re
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.test_docs import ROOT, without_times
from zermelo import cli
from zermelo.solver.games import GAMES

PAGE = ROOT / "docs" / "games.md"
CONSOLE = re.compile(r"```console\n(.*?)```", re.DOTALL)
BLOCKS = CONSOLE.findall(PAGE.read_text())


def made(block: str) -> str:
    """The block's commands with what they print, run one after the other in the current folder."""
    text = ""
    for command in re.findall(r"^\$ zermelo (.*)\n", block, re.MULTILINE):
        # As the shell does: what is quoted is one word.
        words = [quoted or word for quoted, word in re.findall(r'"([^"]*)"|(\S+)', command)]
        done = CliRunner().invoke(cli.main, words)
        assert done.exit_code == 0, done.output
        text += f"$ zermelo {command}\n" + "".join(f"{line.rstrip()}\n" for line in done.output.splitlines())
    return text


@pytest.mark.parametrize(
    "block",
    [
        pytest.param(
            block, id=block.split()[4], marks=[pytest.mark.slow] if re.search("quixo|vanishing", block) else []
        )
        for block in BLOCKS
    ],
)
def test_the_page_shows_what_is_printed(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """But for how long it took."""
    monkeypatch.chdir(tmp_path)
    assert without_times(made(block)) == without_times(block)


def test_every_family_is_on_the_page() -> None:
    """Those that the front page shows, and trees, are elsewhere."""
    shown = {game for block in BLOCKS for game in re.findall(r"-g ([\w-]+)", block)}
    assert shown == {*GAMES} - {"mnk", "connect", "nim", "figure", "tree"}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        page = PAGE.read_text()
        os.chdir(folder)
        PAGE.write_text(CONSOLE.sub(lambda block: f"```console\n{made(block[1])}```", page))
