"""The commands `search`, `trace`, `tree` and `check`, and games of the user's own in all of them."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import Zermelo
from zermelo import cli

OWN = """
from zermelo.solver.game import Game

class Countdown(Game):
    initial = (7, "MAX")
    def to_move(self, state): return state[1]
    def actions(self, state): return [take for take in (1, 2) if take <= state[0]]
    def result(self, state, action): return state[0] - action, "MIN" if state[1] == "MAX" else "MAX"
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1

class Endless(Countdown):
    def is_terminal(self, state): return False
    def actions(self, state): return [7]
    def result(self, state, action): return state
"""


@pytest.fixture
def zermelo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Callable[..., "subprocess.CompletedProcess[str]"]]:
    """The program in this process, which starts faster, in an empty folder with a game of the user's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "own.py").write_text(OWN)
    before = set(sys.modules)

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        with pytest.raises(SystemExit) as ended:
            cli.main(arguments)
        sys.stdout.flush()
        out, err = capfd.readouterr()
        assert isinstance(ended.value.code, int)
        return subprocess.CompletedProcess(arguments, ended.value.code, out, err)

    yield run
    for module in {"own", "broken"} - before:
        sys.modules.pop(module, None)


def test_search_shows_every_move(zermelo: Zermelo) -> None:
    """The tutorial's position: c2 draws, a3 and c3 lose."""
    done = zermelo("search", "XOX/OO./.X.")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[5:9] == ["X to move: value 0 for X. Move: c2.", "  c2   0  *", "  a3  -1", "  c3  -1"]
    assert lines[9].startswith("minimax: 14 nodes, 6 leaves, 0 cutoffs, 0 table hits, depth 3, exact, ")


def test_search_options(zermelo: Zermelo) -> None:
    """Each algorithm through the program, as JSON."""
    runs = {
        "alphabeta": ["--ordering", "evaluation", "--table"],
        "limited": ["--depth", "2", "--quiescence"],
        "deepening": ["--time-limit", "600"],
        "multiplayer": [],
    }
    for algorithm, options in runs.items():
        done = zermelo("search", "XO./.X./..O", "--algorithm", algorithm, *options, "--format", "json")
        row = json.loads(done.stdout)
        assert (row["algorithm"], row["position"]) == (algorithm, "XO./.X./..O")
        assert row["value"] == ([1, -1] if algorithm == "multiplayer" else 1)
    assert row["values"]["c1"] == [0, 0]


def test_compare_prints_all_side_by_side(zermelo: Zermelo) -> None:
    """A line each, all of the same value."""
    done = zermelo("search", "XOX/OO./.X.", "--compare")
    head, plain, *others = done.stdout.splitlines()
    assert head.startswith("algorithm ")
    assert head.split()[1:6] == ["value", "move", "nodes", "leaves", "cutoffs"]
    assert plain.split()[:7] == ["minimax", "0", "c2", "14", "6", "0", "0"]
    names = [line.split("  ")[0] for line in others]
    assert names == [
        "alphabeta", "alphabeta table", "alphabeta ordering", "alphabeta ordering table", "limited depth 4",
        "deepening", "multiplayer",
    ]  # fmt: skip


def test_deepening_answers_on_a_board_nobody_can_search(zermelo: Zermelo) -> None:
    """Within its limit, with a move."""
    done = zermelo("search", "-g", "mnk:5,5,4", "--algorithm", "deepening", "--time-limit", "1", "--format", "json")
    row = json.loads(done.stdout)
    assert row["move"]
    assert row["depth"] >= 1
    assert not row["exact"]


def test_a_position_may_begin_with_a_dash(zermelo: Zermelo) -> None:
    """A dash is an empty cell; an option that does not exist is still told."""
    assert "Move: c2." in zermelo("search", "XOX/OO-/-X-").stdout
    assert json.loads(zermelo("search", "-OX/-OX/XXO", "--format", "json").stdout)["position"] == ".OX/.OX/XXO"
    wrong = zermelo("search", "--dept", "3")
    assert (wrong.returncode, wrong.stderr) == (2, "zermelo: No such option '--dept'. Did you mean '--depth'?\n")


def test_trace(zermelo: Zermelo, tmp_path: Path) -> None:
    """To the terminal and to a file."""
    done = zermelo("trace", "XOX/OO./.X.", "--numbering", "columns")
    assert done.stdout.startswith(
        "0 3 6\n1 4 7\n2 5 8\ns1 = XOX/OO./.X., X to move\nMINIMAX-SEARCH(s1)\nMAX-VALUE(s1)\n"
    )
    assert done.stdout.endswith("\nMINIMAX-SEARCH returns 7: value 0 for X\n")
    written = zermelo("trace", "-g", "figure:two-ply", "--algorithm", "alphabeta", "--depth", "2", "-o", "trace.txt")
    assert written.stdout == ""
    assert "cut off {c2, c3}" in (tmp_path / "trace.txt").read_text()


def test_a_long_trace_streams() -> None:
    """The first lines of half a million nodes are there at once, and whoever reads may stop."""
    root = Path(__file__).parent.parent
    with subprocess.Popen(
        [sys.executable, "-m", "zermelo", "trace"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"s1 = .../.../..., X to move\n"
        process.stdout.close()
        assert process.stderr.read() == b""


def test_tree_formats(zermelo: Zermelo, tmp_path: Path) -> None:
    """Each is what it says."""
    assert zermelo("tree", "XOX/OO./.X.", "--depth", "1").stdout.splitlines() == [
        "MAX XOX/OO./.X.: 0",
        "├─ c2: MIN XOX/OOX/.X.: 0 * ...",
        "├─ a3: MIN XOX/OO./XX.: -1 ...",
        "└─ c3: MIN XOX/OO./.XX: -1 ...",
    ]
    assert zermelo("tree", "--format", "dot").stdout.startswith("digraph tree {")
    assert json.loads(zermelo("tree", "--format", "json", "--fold").stdout)["root"]["children"][0]["folded"] == 3
    assert zermelo("tree", "--fold", "--format", "svg", "-o", "tree.svg").stdout == ""
    assert ElementTree.parse(tmp_path / "tree.svg").getroot().tag.endswith("svg")


def test_check(zermelo: Zermelo) -> None:
    """0 when all is well; 1 and the position when it is not."""
    good = zermelo("check", "-g", "nim:3,4,5")
    assert good.returncode == 0
    assert "FAIL" not in good.stdout
    assert good.stdout.endswith("nim:3,4,5: 232 positions tried, 2 of them finished: every position\n")
    bad = zermelo("check", "-g", "figure:together")
    assert (bad.returncode, bad.stderr) == (1, "")
    assert "'shared.stay' has the utilities 1000 and 1000, which do not add up to 0 (4 in all)" in bad.stdout
    assert json.loads(zermelo("check", "-g", "figure:together", "--format", "json").stdout)["failures"][0]["times"] == 4
    some = zermelo("check", "--limit", "10")
    assert some.stdout.endswith("mnk:3,3,3: 10 positions tried, 1 of them finished: not every position\n")
    assert some.stderr == "raise --limit to try more positions\n"


@pytest.mark.parametrize("game", ["nim:1,2", "figure:two-ply", "own:Countdown"])
def test_every_game_in_every_command(game: str, zermelo: Zermelo) -> None:
    """Built in, a figure, and the user's own from the current directory."""
    for command in ("build", "query", "stats", "search", "trace", "tree", "check"):
        done = zermelo(
            command, "-g", game, *(["--algorithm", "alphabeta", "--depth", "2"] if command == "trace" else [])
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        if command == "query":
            word = "value 3 for MAX in 2 plies" if game == "figure:two-ply" else "MAX wins in "
            assert f"MAX to move: {word}" in done.stdout
    listed = json.loads(zermelo("list", "--format", "json").stdout)
    assert listed["game"] == game


def test_build_refuses_what_it_cannot_solve(zermelo: Zermelo) -> None:
    """Many players, and players not at odds; but not play without end, in which nobody wins."""
    for game, message in {
        "figure:three-player": "has 3 players (A, B, C), not two",
        "figure:together": "is not zero-sum in ",
    }.items():
        done = zermelo("build", "-g", game)
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert message in done.stderr
    assert zermelo("query", "-g", "figure:three-player").returncode == 2
    assert zermelo("build", "-g", "own:Endless").stdout.startswith("own:Endless: draw: play need not end\n1 positions")
    endless = zermelo("search", "-g", "own:Endless")
    assert (endless.returncode, endless.stderr) == (0, "")
    assert "MAX to move: value 0 for MAX. Move: 7." in endless.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "XXX/OO./..."], "position 'XXX/OO./...' is over"),
        (["trace", "XXX/OO./..."], "position 'XXX/OO./...' is over"),
        (["tree", "XXX/OO./..."], "position 'XXX/OO./...' is over"),
        (["search", "--depth", "0"], "depth 0 leaves nothing to search: give 1 or more plies"),
        (["search", "--algorithm", "alphabeta", "--depth", "-1"], "depth -1 leaves nothing to search"),
        (["trace", "--depth", "0"], "depth 0 leaves nothing to search"),
        (["tree", "--depth", "0"], "depth 0 leaves nothing to search"),
        (["search", "--algorithm", "magic"], "'magic' is not one of 'minimax'"),
        (["search", "-g", "tree:bad.json"], "node 'B' has no moves"),
        (["search", "-g", "tree:none.json"], "the file of game 'tree:none.json' cannot be read"),
        (["search", "-g", "broken:game"], "the module 'broken', which cannot be imported: NameError"),
        (["search", "-g", "nowhere:game"], "No module named 'nowhere'"),
        (["search", "-g", "own:Countdown", "(1,)"], "the rules of 'own:Countdown' failed at "),
        (["search", "-g", "figure:three-player"], "has 3 players"),
        (["search", ".../.../...", ".../.../..."], "there are 2 positions"),
        (["search", "--time-limit", "0"], "time limit 0 leaves no time"),
        (["trace", "-g", "nim:1", "--numbering", "rows"], "has no cells to number"),
    ],
)
def test_wrong_input_is_one_clear_line_and_exit_2(
    arguments: list[str], message: str, zermelo: Zermelo, tmp_path: Path
) -> None:
    """And nothing on standard output."""
    (tmp_path / "bad.json").write_text('{"root": {"name": "A", "moves": {"l": 1, "r": {"name": "B", "moves": {}}}}}')
    (tmp_path / "broken.py").write_text("game = undefined")
    done = zermelo(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert message in done.stderr


def test_out_of_time_is_a_failure_not_a_wrong_request(zermelo: Zermelo) -> None:
    """Exit 1."""
    done = zermelo("search", "--time-limit", "0.001")
    assert (done.returncode, done.stdout) == (1, "")
    assert "minimax did not finish in 0.001 s" in done.stderr
