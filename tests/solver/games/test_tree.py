"""Trees from files and from Python: what is read, and every way in which a file can be wrong."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from solver.check import check_game
from solver.errors import GameError, PositionError
from solver.games import load
from solver.games.tree import FIGURES, Tree
from solver.search import minimax

TWO_PLY = json.loads((FIGURES / "two-ply.json").read_text())


def test_every_figure_is_a_game() -> None:
    """Those for two that are at odds pass every check; the others all but that."""
    names = sorted(path.stem for path in FIGURES.iterdir())
    assert names == ["four-ply", "three-player", "together", "two-ply"]
    for name in names:
        failures = check_game(load(f"figure:{name}")).failures
        assert [failure.rule for failure in failures] == (["utilities"] if name == "together" else [])


def test_a_file_a_yaml_file_and_python_say_the_same(tmp_path: Path) -> None:
    """The figure, written three ways."""
    (tmp_path / "t.json").write_text(json.dumps(TWO_PLY))
    (tmp_path / "t.yaml").write_text(
        "root:\n  name: A\n  moves:\n"
        "    a1: {name: B, moves: {b1: 3, b2: 12, b3: 8}}\n"
        "    a2: {name: C, moves: {c1: 2, c2: 4, c3: 6}}\n"
        "    a3: {name: D, moves: {d1: 14, d2: 5, d3: 2}}\n"
    )
    games = [load(f"tree:{tmp_path}/t.json"), load(f"tree:{tmp_path}/t.yaml"), Tree(TWO_PLY["root"])]
    assert [minimax(game, "A") for game in games] == [minimax(load("figure:two-ply"), "A")] * 3


def test_without_pyyaml_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON needs nothing."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "t.yaml").write_text("root: {moves: {a: 1}}")
    with pytest.raises(GameError, match=r"needs PyYAML: pip install 'zermelo\[yaml\]'"):
        load(f"tree:{tmp_path}/t.yaml")


@pytest.mark.parametrize(
    ("root", "message"),
    [
        ({"name": "A", "moves": {"l": 1, "r": {"name": "B", "moves": {}}}}, "node 'B' has no moves"),
        ({"name": "A", "moves": {"l": 1, "r": {"name": "B"}}}, "node 'B' has no moves"),
        ({"name": "A", "moves": [1, 2]}, "node 'A' has no moves"),
        ({"name": "A", "moves": {"l": {"name": "A", "moves": {"x": 1}}}}, "two nodes of the name 'A'"),
        ({"name": "A", "moves": {"l": 1, "r": [1, -1, 0]}}, r"leaf 'A.r' is \[1, -1, 0\]: it needs 2 utilities"),
        ({"name": "A", "moves": {"l": "win"}}, "leaf 'A.l' is 'win': a leaf is a whole number"),
        ({"name": "A", "moves": {"l": 1.5}}, "leaf 'A.l' is 1.5"),
        ({"name": "A", "moves": {"l": True}}, "leaf 'A.l' is True"),
        ({"name": "A", "moves": {"l": None}}, "leaf 'A.l' is None"),
        ({"name": "A", "moves": {"go left": 1}}, "node 'A' has the move 'go left': a move is a word"),
        ({"name": "A", "player": "X", "moves": {"l": 1}}, "node 'A' is for 'X' to move: the players are MAX, MIN"),
        ({"name": "A", "move": {"l": 1}}, "node 'A' has 'move': a node has name, player and moves"),
        ({"name": 3, "moves": {"l": 1}}, "node 'root' has the name 3"),
    ],
)
def test_a_wrong_node_is_named(root: Any, message: str, tmp_path: Path) -> None:
    """In one line, with the file."""
    (tmp_path / "t.json").write_text(json.dumps({"root": root}))
    with pytest.raises(GameError, match=message) as caught:
        load(f"tree:{tmp_path}/t.json")
    assert f"tree:{tmp_path}/t.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON: "),
        ("[1, 2]", "is not an object with a root"),
        ('{"root": {"moves": {"a": 1}}, "extra": 1}', "is not an object with a root"),
        ('{"root": {"moves": {"a": 1, "a": 2}}}', "has 'a' twice in one node"),
        ('{"players": "AB", "root": {"moves": {"a": [1, 2]}}}', "has the players 'AB': write a list"),
        ('{"players": ["A"], "root": {"moves": {"a": [1]}}}', "name two or more"),
        ('{"players": ["A", "A"], "root": {"moves": {"a": 1}}}', "each needs a name of its own"),
        ('{"root": ' + '{"moves": {"a": ' * 5000 + "1" + "}}" * 5000 + "}", "nested too deep"),
    ],
)
def test_a_wrong_file(text: str, message: str, tmp_path: Path) -> None:
    """Whatever is wrong with it, it is one line."""
    (tmp_path / "t.json").write_text(text)
    with pytest.raises(GameError, match=message) as caught:
        load(f"tree:{tmp_path}/t.json")
    assert "\n" not in str(caught.value)


def test_no_file_no_yaml_no_node(tmp_path: Path) -> None:
    """And what there is instead."""
    with pytest.raises(GameError, match="no file that can be read: No such file"):
        load(f"tree:{tmp_path}/none.json")
    (tmp_path / "t.yml").write_text("root: [")
    with pytest.raises(GameError, match="is not YAML: "):
        load(f"tree:{tmp_path}/t.yml")
    (tmp_path / "t.yml").write_text("root: {moves: {a: 1, a: 2}}")
    with pytest.raises(GameError, match="has 'a' twice in one node"):
        load(f"tree:{tmp_path}/t.yml")
    with pytest.raises(
        PositionError, match="there is no node 'Z' in figure:two-ply: the nodes with moves are A, B, C, D"
    ):
        load("figure:two-ply").parse("Z")
    with pytest.raises(GameError, match="the figures are four-ply, three-player, together, two-ply"):
        load("figure:nine-ply")
