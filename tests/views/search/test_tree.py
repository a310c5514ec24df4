"""Trees drawn: which nodes, with which values, what is pruned and folded, and that each format holds them."""

import json
import re
import shutil
import subprocess
from collections import Counter
from xml.etree import ElementTree

import pytest

from zermelo.solver.errors import SearchError
from zermelo.solver.exhaustive import solve
from zermelo.solver.games import load
from zermelo.views.search.diagram import Node, best_line, grow, walk
from zermelo.views.search.formats import draw

SVG = "{http://www.w3.org/2000/svg}"


def tutorial(plies: int = 3, algorithm: str = "minimax") -> Node:
    game = load("tictactoe")
    return grow(game, game.parse("XOX/OO./.X."), plies, algorithm)


def test_values_are_exact_however_few_plies_are_drawn() -> None:
    """What lies deeper is solved."""
    game = load("tictactoe")
    entries = solve(game)
    for plies in (1, 2, 3):
        nodes = list(walk(grow(game, game.parse("X../.O./..X"), plies)))
        assert max(level for _, level in nodes) == plies
        for node, _ in nodes:
            assert node.value == entries[node.state][0]
            assert not node.estimated


def test_estimates_are_marked() -> None:
    """They are the game's guesses, and say so."""
    game = load("mnk:5,5,4")
    root = grow(game, game.initial, 1, estimate=True)
    assert all(child.estimated for child in root.children)
    assert root.children[0].sign == "≈"
    assert "≈" in draw(game, root, "text")


def test_the_best_line_is_one_line() -> None:
    """From the root down, and nowhere else."""
    root = tutorial()
    game = load("tictactoe")
    assert [game.format_action(move) for move in best_line(root)] == ["c2", "c3", "a3"]
    assert Counter(level for node, level in walk(root) if node.best) == {0: 1, 1: 1, 2: 1, 3: 1}


def test_pruned_branches_are_kept_as_pruned() -> None:
    """And what they leave open is a bound, as in the book."""
    root = grow(load("figure:two-ply"), "A", 2, "alphabeta")
    assert [node.state for node, _ in walk(root) if node.pruned] == ["C.c2", "C.c3"]
    assert [(child.sign, child.value) for child in root.children] == [("", 3), ("≤", 2), ("", 2)]
    deeper = {node.state: node.sign for node, _ in walk(grow(load("figure:four-ply"), "A", 4, "alphabeta"))}
    assert (deeper["E"], deeper["F"], deeper["C"], deeper["B"], deeper["A"]) == ("≥", "≤", "≤", "", "")


def test_bounds_are_true() -> None:
    """Against the solved values, on every node of a tree with many cutoffs."""
    game = load("tictactoe")
    entries = solve(game)
    for node, _ in walk(grow(game, game.parse("X../.O./..X"), 3, "alphabeta")):
        if not node.pruned:
            value = entries[node.state][0]
            assert {"": node.value == value, "≤": value <= node.value, "≥": value >= node.value}[node.sign]


def test_folding_keeps_one_of_each_class() -> None:
    """Three openings stand for nine, twelve replies for seventy-two."""
    game = load("tictactoe")
    root = grow(game, game.initial, 2, fold=True)
    assert [(game.format_action(child.move), child.folded) for child in root.children] == [
        ("a1", 3),
        ("b1", 3),
        ("b2", 0),
    ]
    assert sum(len(child.children) for child in root.children) == 12
    assert sum((child.folded + 1) * (reply.folded + 1) for child in root.children for reply in child.children) == 72
    assert "a1: MIN X../.../...: 0 * (and 3 like it)" in draw(game, root, "text")


def test_folding_keeps_the_best_and_what_was_looked_at() -> None:
    """A pruned sibling never stands for one with a value."""
    game = load("tictactoe")
    root = grow(game, game.initial, 2, "alphabeta", fold=True)
    assert len(best_line(root)) == 2
    for node, _ in walk(root):
        assert not (node.best and node.pruned)


def test_many_players() -> None:
    """Vectors at the nodes, and players' names for levels."""
    game = load("figure:three-player")
    text = draw(game, grow(game, "start", 2, "multiplayer"), "text")
    assert text.splitlines()[0] == "A start: (1, 2, 6)"
    assert "│  ├─ b1: C X: (1, 2, 6) * ..." in text


def test_json_holds_every_node() -> None:
    """Nodes inside nodes, null where nothing is known."""
    game = load("figure:two-ply")
    data = json.loads(draw(game, grow(game, "A", 2, "alphabeta"), "json"))
    assert (data["game"], data["players"]) == ("figure:two-ply", ["MAX", "MIN"])
    second = data["root"]["children"][1]
    assert {name: value for name, value in second.items() if name != "children"} == {
        "move": "a2", "position": "C", "to_move": "MIN", "side": "MIN", "value": 2, "bound": "upper",
        "estimated": False, "repetition": False, "pruned": False, "best": False, "folded": 0, "more": False,
    }  # fmt: skip
    assert [(leaf["value"], leaf["pruned"]) for leaf in second["children"]] == [(2, False), (None, True), (None, True)]


def test_dot_has_a_node_and_an_edge_for_each() -> None:
    """And Graphviz reads it, where it is installed."""
    game = load("figure:two-ply")
    dot = draw(game, grow(game, "A", 2, "alphabeta"), "dot")
    assert len(re.findall(r"^  n\d+ \[", dot, re.MULTILINE)) == 13
    assert len(re.findall(r"^  n\d+ -> n\d+ \[", dot, re.MULTILINE)) == 12
    assert dot.count("style=dashed") == 4
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), check=True, capture_output=True)


@pytest.mark.parametrize(
    ("name", "position", "plies", "algorithm"),
    [
        ("tictactoe", "XOX/OO./.X.", 3, "minimax"),
        ("tictactoe", "X../.O./..X", 3, "alphabeta"),
        ("figure:four-ply", "A", 4, "alphabeta"),
        ("figure:three-player", "start", 3, "multiplayer"),
        ("nim:1,2", "1,2:MAX", 2, "minimax"),
    ],
)
def test_svg_stands_alone(name: str, position: str, plies: int, algorithm: str) -> None:
    """Well-formed, titled and described, every node once, nothing from outside, everything inside the frame."""
    game = load(name)
    root = grow(game, game.parse(position), plies, algorithm)
    svg = ElementTree.fromstring(draw(game, root, "svg"))
    assert svg.get("role") == "img"
    ids = {element.get("id"): element.text for element in svg if element.tag in (f"{SVG}title", f"{SVG}desc")}
    assert [*ids] == (svg.get("aria-labelledby") or "").split()
    title, description = ids.values()
    assert title and game.format(root.state) in title
    assert description and f"Game tree of {len(list(walk(root)))} nodes." in description
    papers = [element for element in svg.iter(f"{SVG}rect") if element.get("class") == "paper"]
    assert len(papers) == len(list(walk(root)))
    _, _, width, height = map(float, (svg.get("viewBox") or "").split())
    boxes = [tuple(float(paper.get(key) or "") for key in ("x", "y", "width", "height")) for paper in papers]
    for x, y, w, h in boxes:
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    # No two nodes lie on each other.
    for i, (x, y, w, h) in enumerate(boxes):
        for x2, y2, _, _ in boxes[:i]:
            assert abs(x - x2) >= w or abs(y - y2) >= h
    assert not any("href" in key for element in svg.iter() for key in element.attrib)
    crossed = [element for element in svg.iter(f"{SVG}path") if element.get("class") == "cut"]
    assert len(crossed) == sum(node.pruned for node, _ in walk(root))


def test_svg_draws_real_boards() -> None:
    """Five X and four O on the last board of the line, and as many in all as the positions have."""
    game = load("tictactoe")
    root = tutorial()
    svg = ElementTree.fromstring(draw(game, root, "svg"))
    stones = Counter("".join(game.format(node.state) for node, _ in walk(root)))
    assert sum(element.get("class") == "x" for element in svg.iter()) == stones["X"]
    assert sum(element.get("class") == "o" for element in svg.iter()) == stones["O"]


def test_names_are_escaped() -> None:
    """A node may be called anything."""
    from zermelo.solver.games.tree import Tree

    game = Tree({"name": '<A & "B">', "moves": {"<": 1, '"': 2}})
    root = grow(game, game.initial, 1)
    ElementTree.fromstring(draw(game, root, "svg"))
    assert r"<A & \"B\">" in draw(game, root, "dot")


def test_what_cannot_be_drawn() -> None:
    """Nothing to look at, or an algorithm without a tree."""
    with pytest.raises(SearchError, match="depth 0 leaves nothing"):
        tutorial(plies=0)
    with pytest.raises(SearchError, match="no tree of 'deepening'"):
        tutorial(algorithm="deepening")
    game = load("tictactoe")
    with pytest.raises(SearchError, match="is over"):
        grow(game, game.parse("XXX/OO./..."), 1)
