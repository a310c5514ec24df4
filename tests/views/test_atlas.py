"""The map as numbered boards: every reply of any game is answered by the stored move, and what leads back is marked."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.solver.errors import AmountError
from zermelo.views.atlas import Atlas, collect, draw_atlas
from zermelo.views.map import draw_map
from zermelo.views.paper import PAPERS

SVG = "{http://www.w3.org/2000/svg}"
GAMES = (
    "morris:three", "dodgem:3", "quixo:2", "hexapawn:3,3", "fox-and-hounds:4", "notakto:1", "chomp:3,2", "kalah:3,2",
    "nim:1,2,3", "vanishing:3,2,2,2", "figure:two-ply", "figure:four-ply",
)  # fmt: skip


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    db = str(tmp_path_factory.mktemp("atlas") / "zermelo.db")
    for game in GAMES:
        build(db, game)
    return db


@pytest.fixture
def morris(database: str) -> Iterator[Solution]:
    with open_solution(database, "morris:three") as solution:
        yield solution


def check(solution: Solution, side: str, atlas: Atlas) -> None:
    """Every move of the opponent is there; what is answered is stored as best; each reply goes where that leads."""
    for entry in atlas.entries:
        here = solution.answer(entry.position)
        assert here.to_move != side
        assert [reply.move for reply in entry.replies] == [move.move for move in here.moves]
        for reply, move in zip(entry.replies, here.moves, strict=True):
            position = move.position
            for answer in reply.answers:
                known = solution.answer(position)
                assert (known.to_move, known.best_move) == (side, answer)
                position = known.moves[0].position
            after = solution.answer(position)
            assert (reply.board is None) == after.terminal
            if reply.board is not None:
                assert atlas.entries[reply.board].position == after.position


def corners(drawing: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """How far to the right and down every cell reaches, in millimetres."""
    for group in drawing.iter(f"{SVG}g"):
        x, y, scale = map(float, re.findall(r"[\d.]+", group.get("transform", "")))
        for cell in group.iter(f"{SVG}rect"):
            left, top, width, height = (float(cell.get(name, "0")) for name in ("x", "y", "width", "height"))
            yield x + scale * (left + width), y + scale * (top + height)
        for point in group.iter(f"{SVG}circle"):
            radius = float(point.get("r", "0"))
            yield (
                x + scale * (float(point.get("cx", "0")) + radius),
                y + scale * (float(point.get("cy", "0")) + radius),
            )


@pytest.mark.parametrize("game", [*GAMES[3:], *(pytest.param(game, marks=pytest.mark.slow) for game in GAMES[:3])])
def test_every_reply_is_answered_by_the_stored_move(game: str, database: str) -> None:
    """In every family, whoever moves first, and where a side moves more than once; and each is drawn within its pages."""
    with open_solution(database, game) as solution:
        for side in solution.game.players:
            check(solution, side, collect(solution, side))
            for page in draw_map(solution, side, pages=True):
                drawing = ElementTree.fromstring(page)
                assert (drawing.get("width"), drawing.get("height")) == tuple(f"{size}mm" for size in PAPERS["a4"])
                for x, y in corners(drawing):
                    assert x <= PAPERS["a4"][0]
                    assert y <= PAPERS["a4"][1]


def test_three_mens_morris(morris: Solution) -> None:
    """The first wins from the centre, whatever the other does, on 25 boards; the second can only lead back."""
    atlas = collect(morris, "X")
    assert (atlas.opening, len(atlas.entries)) == (["b2"], 25)
    replies = [reply for entry in atlas.entries for reply in entry.replies]
    assert not any(reply.leads_back for reply in replies)
    assert {reply.value for reply in replies if reply.board is None} == {1}
    [drawing] = draw_map(morris, "X")
    assert "Perfect play for X: Three men&#x27;s morris" in drawing
    assert "Begin with b2, board 1." in drawing
    assert "Ends on the map: 86 won, 0 drawn, 0 lost." in drawing
    assert ">a1: c2 → 2</text>" in drawing


def test_an_answer_that_leads_back(morris: Solution) -> None:
    """The boards from the marked one on are a circle: following the numbers comes back to it."""
    atlas = collect(morris, "O")
    back = [(here, reply) for here, entry in enumerate(atlas.entries) for reply in entry.replies if reply.leads_back]
    assert back
    for here, reply in back:
        todo, seen = [reply.board], {reply.board}
        while todo:
            board = todo.pop()
            assert board is not None
            for after in (one.board for one in atlas.entries[board].replies):
                if after is not None and after not in seen:
                    seen.add(after)
                    todo.append(after)
        assert here in seen
    drawing = "".join(draw_atlas(morris, "O", "a4", pages=True))
    assert drawing.count('<text class="back"') == len(back)
    assert f"{len(back)} lead back to a board on the way there, and so need not end (↺)." in drawing


def test_too_many_for_one_page(morris: Solution) -> None:
    """Said with what they would take, and drawn on as many."""
    with pytest.raises(
        AmountError, match=r"the map of morris:three for O has \d+ boards, too many to read on one page"
    ):
        draw_map(morris, "O")
    pages = draw_map(morris, "O", pages=True)
    assert len(pages) > 1
    assert f"page 2 of {len(pages)}" in pages[1]


def test_too_many_to_look_at(morris: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused before anybody waits for it."""
    monkeypatch.setattr("zermelo.views.atlas.MOST_BOARDS", 20)
    with pytest.raises(AmountError, match="the map of morris:three for X has more than 20 boards, too many to look at"):
        draw_map(morris, "X")


def test_a_board_by_numbers(tictactoe_db: Path) -> None:
    """Where they are wanted, each board is drawn once: the nested map for O has 769."""
    with open_solution(str(tictactoe_db)) as solution:
        pages = draw_map(solution, "O", pages=True, numbered=True)
        assert len(collect(solution, "O").entries) < 769
    assert "X begins, at board 1." in pages[0]


def test_amounts_and_where_one_is(database: str) -> None:
    """A game about amounts tells them; the node that a figure has come to has a second ring."""
    with open_solution(database, "figure:two-ply") as solution:
        [drawing] = draw_map(solution, "MAX")
    assert ">b1 value 3 for MAX</text>" in drawing
    assert "Ends on the map: 3, from 3 to 12 for MAX." in drawing
    rings = [circle.get("r") for circle in ElementTree.fromstring(drawing).iter(f"{SVG}circle")]
    assert rings.count("2.3") == 1
