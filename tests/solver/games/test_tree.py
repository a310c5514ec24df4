"""Trees from files and from Python: what is read, and every way in which a file can be wrong."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from zermelo.solver.check import check_game
from zermelo.solver.errors import ActionError, GameError, MissingPackageError, PositionError
from zermelo.solver.games import load, tree
from zermelo.solver.games.tree import FIGURES, Tree
from zermelo.solver.search import minimax

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


def test_without_pyyaml_one_line_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """JSON needs nothing."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    (tmp_path / "t.yaml").write_text("root: {moves: {a: 1}}")
    with pytest.raises(MissingPackageError, match="needs the Python package PyYAML, of the extra 'yaml'"):
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
    with pytest.raises(GameError, match=r"the file of game '.*' cannot be read: No such file"):
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


BAD_FILES = {
    "huge-integer.json": ('{"root": {"moves": {"a": ' + "9" * 5000 + "}}}", "is not JSON: Exceeds the limit"),
    "large-integer.json": (
        '{"root": {"moves": {"a": ' + "9" * 400 + "}}}",
        "a leaf is a whole number of at most 1,000,",
    ),
    "surrogate.json": (
        '{"root": {"name": "\\ud800", "moves": {"a": 1}}}',
        r"the name '\\ud800': a name is a text that",
    ),
    "control.json": ('{"root": {"moves": {"a\\u001b[31m": 1}}}', r"has the move 'a\\x1b\[31m': a move is a word"),
    "newline.json": ('{"players": ["A\\nB", "C"], "root": {"moves": {"a": 1}}}', "name two or more"),
    "list-player.json": ('{"root": {"player": [], "moves": {"a": 1}}}', r"is for \[\] to move"),
    "dict-name.json": ('{"root": {"name": {}, "moves": {"a": 1}}}', "has the name {}"),
    "nested.json": ('{"root": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    "nested.yaml": ("root: " + "[" * 1000 + "]" * 1000, "nested too deeply"),
    "list-key.yaml": ("root: {? [a, b] : 1}", "has 'list' for the name of something"),
    "dict-key.yaml": ("{? {a: b} : 1}", "has 'dict' for the name of something"),
    "date.yaml": ("root: {moves: {a: 2024-13-45}}", "is not YAML: month must be in 1..12"),
    "tag.yaml": ("root: !!int abc", "is not YAML: invalid literal for int"),
    "float.yaml": ("root: !!float {}", "is not YAML"),
    "bool.yaml": ("root: !!bool maybe", "is not YAML"),
    "map.yaml": ("root: !!map 3", "is not YAML"),
    "timestamp.yaml": ("root: !!timestamp abc", "is not YAML"),
    "python.yaml": ("root: !!python/object/apply:os.getcwd []", "is not YAML"),
    "control.yaml": ("root: \x00", "is not YAML"),
    "scalar.yaml": ("3", "is not an object with a root"),
    "self.yaml": ("root: &a {moves: {x: *a}}", "is not YAML"),
    "huge-integer.yaml": ("root: {moves: {a: " + "9" * 5000 + "}}", "is not YAML: Exceeds the limit"),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_file_that_is_no_tree(name: str, tmp_path: Path) -> None:
    """Scalars, keys, nesting, numbers and characters that no tree has: one short line, whatever the file holds."""
    text, message = BAD_FILES[name]
    (tmp_path / name).write_text(text)
    with pytest.raises(GameError, match=message) as caught:
        load(f"tree:{tmp_path}/{name}")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600


def test_small_files_that_would_take_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What never ends, what an alias makes large, and what is beyond the limits is refused with the limit."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tree, "MOST_NODES", 10_000)  # so that the test is quick
    os.mkfifo("pipe.json")
    laughs = ", ".join(f"&x{n} [{', '.join([f'*x{n - 1}'] * 9)}]" for n in range(1, 12))
    deep = "".join(f'{{"moves": {{"{"m" * 200}{n}": ' for n in range(20)) + "1" + "}}" * 20
    Path("laughs.yaml").write_text(f"players: [&x0 [1], {laughs}]\nroot: {{moves: {{a: 1}}}}\n")
    doubled = (
        "".join(f"{{moves: {{a: &n{n} " for n in range(20))
        + "1"
        + "".join(f", b: *n{n}}}}}" for n in reversed(range(20)))
    )
    Path("doubled.yaml").write_text(f"root: {doubled}")
    Path("names.json").write_text(f'{{"root": {deep}}}')
    Path("large.json").write_text('{"root": {"moves": {' + ", ".join(f'"m{n}": 1' for n in range(10_001)) + "}}}")
    Path("larger.json").write_text(" " * 10_000_001)
    Path("large.yaml").write_text("#" * 200_001)
    for name, message in (
        ("/dev/zero", "it is no regular file"),
        ("pipe.json", "it is no regular file"),
        ("laughs.yaml", "name two or more"),
        ("doubled.yaml", "has more than 10,000 nodes, which is the limit"),
        ("names.json", "has a name of 1,0.. characters, and 1,000 is the limit: name a node above it"),
        ("large.json", "has more than 10,000 nodes, which is the limit: write its rules in Python"),
        ("larger.json", "is larger than the 10 MB of JSON"),
        ("large.yaml", "is larger than the 200 kB of YAML: a larger one must be JSON"),
        ("a\0b", "cannot be read: "),
    ):
        with pytest.raises(GameError, match=message) as caught:
            load(f"tree:{name}")
        assert len(str(caught.value)) < 400


def test_many_moves_take_no_longer_than_they_must(tmp_path: Path) -> None:
    """Forty thousand from one node: each is looked at once, and a wrong one is told with a few of them."""
    (tmp_path / "wide.json").write_text(
        '{"root": {"name": "A", "moves": {' + ", ".join(f'"m{n}": 1' for n in range(40_000)) + "}}}"
    )
    game = load(f"tree:{tmp_path}/wide.json")
    assert len(game.actions("A")) == 40_000
    with pytest.raises(ActionError, match=r"m19 and 39,980 more$"):
        game.parse_action("none")
