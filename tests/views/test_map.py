"""The map of perfect play: complete, true to the stored moves, and large enough to read in print."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.games import Refill
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.solver.board import Board
from zermelo.solver.errors import AmountError
from zermelo.views.map import Node, draw_map, grow
from zermelo.views.paper import PAPERS

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def solution(tictactoe_db: Path) -> Iterator[Solution]:
    with open_solution(str(tictactoe_db)) as solution:
        yield solution


def check(solution: Solution, node: Node, side: str) -> int:
    """Every reply is on the board, answered by the stored move; the number of boards looked at."""
    board = Board(3, 3)
    here = solution.answer(node.stones)
    assert here.to_move != side
    assert set(node.replies) | set(node.endings) == {board.cell_of(move.move) for move in here.moves}
    assert not set(node.replies) & set(node.endings)
    boards = 1
    for move in here.moves:
        after = solution.answer(move.position)
        cell = board.cell_of(move.move)
        if after.terminal:
            assert node.endings[cell] == (here.to_move, "drawn")  # against perfect play nobody wins
            continue
        child = node.replies[cell]
        best = solution.probe(move.position).best_move
        assert best is not None
        assert child.answer == board.cell_of(best)
        assert child.stones == next(one.position for one in after.moves if one.move == best).replace("/", "")
        boards += check(solution, child, side)
    assert (node.result is None) is not here.terminal
    return boards


def test_every_reply_is_answered_by_the_stored_move(solution: Solution) -> None:
    """As deep as the game goes, for both sides."""
    first = grow(solution, Board(3, 3), "X")
    assert (first.stones, first.answer) == ("X........", 0)
    assert check(solution, first, "X") == 91
    second = grow(solution, Board(3, 3), "O")
    assert (second.stones, second.answer, len(second.replies)) == (".........", None, 9)
    assert check(solution, second, "O") == 769


@pytest.mark.parametrize(
    ("side", "least", "result"), [("X", 2.5, "71 won, 2 drawn"), ("O", 0.85, "386 won, 183 drawn")]
)
def test_it_can_be_read_when_printed(solution: Solution, side: str, least: float, result: str) -> None:
    """No stone is smaller than a lower-case letter of 5 point print (0.85 mm), and nothing lies off the page."""
    drawing = ElementTree.fromstring(draw_map(solution, side)[0])
    assert (drawing.get("width"), drawing.get("height")) == (f"{PAPERS['a4'][0]}mm", f"{PAPERS['a4'][1]}mm")
    stones = drawing.findall(f".//{SVG}use")
    assert min(float(stone.get("width", "0")) for stone in stones) >= least
    for box in [*stones, *drawing.findall(f".//{SVG}rect")]:
        x, y, width, height = (float(box.get(name, "0")) for name in ("x", "y", "width", "height"))
        assert x >= 0
        assert y >= 0
        assert x + width <= PAPERS["a4"][0]
        assert y + height <= PAPERS["a4"][1]
    title, description = drawing.find(f"{SVG}title"), drawing.find(f"{SVG}desc")
    assert title is not None
    assert description is not None
    assert title.text == f"Perfect play for {side}: Tic-tac-toe"
    assert f"Games on the map: {result}, 0 lost." in (description.text or "")
    assert drawing.get("role") == "img"
    assert drawing.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"


def test_nothing_is_loaded_from_elsewhere(solution: Solution) -> None:
    """A picture that is whole in itself."""
    drawing = draw_map(solution, "X")[0]
    assert set(re.findall(r"https?://[^\"]*", drawing)) == {"http://www.w3.org/2000/svg"}
    assert set(re.findall(r'href="([^"]*)"', drawing)) == {"#X", "#O"}


def test_a_map_that_would_be_too_large(solution: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before anybody waits for it."""
    monkeypatch.setattr("zermelo.views.map.MOST_BOARDS", 500)
    with pytest.raises(AmountError, match="the map of mnk:3,3,3 for O has more than 500 nested boards"):
        draw_map(solution, "O")[0]
    assert draw_map(solution, "X")[0]


def test_an_answer_that_leads_back(tmp_path: Path) -> None:
    """In a row of four nobody gets a line, and the board is cleared: the first answer comes back, and is not drawn again."""
    game = Refill(4, 1, 4)
    build(str(tmp_path / "zermelo.db"), game)
    with open_solution(str(tmp_path / "zermelo.db"), game) as solution:
        root = grow(solution, Board(4, 1), "X")
        drawing = draw_map(solution, "X")[0]
    assert (root.stones, root.leads_back) == ("X...", False)
    ends = [node for one in root.replies.values() for node in one.replies.values()]
    assert [(node.stones, node.leads_back, node.replies) for node in ends] == 3 * [("X...", True, {})]
    assert "0 won, 0 drawn, 0 lost. 3 lead back to a board around them, and so need not end (↺)." in drawing
    assert drawing.count('<path class="back"') == 3
    ElementTree.fromstring(drawing)
