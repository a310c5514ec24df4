"""What a notebook shows: boards with every move's value, counts by ply, and nothing that a name could smuggle in."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

import zermelo
from tests.games import Piles
from zermelo.db.answers import Answer
from zermelo.db.query import recent_games
from zermelo.solver.games.mnk import MNK


class Page(HTMLParser):
    """The cells of a fragment's tables, its elements and its text; every element must be closed where it should be."""

    def __init__(self, fragment: str | None) -> None:
        super().__init__()
        assert fragment is not None
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(fragment)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        if tag == "br":
            self.handle_data(" ")
            return
        self._open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if {"td", "th"} & set(self._open):
            self.cells[-1] += data


@pytest.fixture(scope="module")
def solution() -> zermelo.Solution:
    return zermelo.solve("tictactoe")


def test_an_answer_shows_its_board_with_every_move(solution: zermelo.Solution) -> None:
    """Stones where they are, values in the cells that can be moved to, the best with a star."""
    page = Page(solution.answer("XO./.X./..O", line=True)._repr_html_())
    assert page.cells == [
        "", "a", "b", "c",
        "1", "X", "O", "0 in 4",
        "2", "+1 ★ in 2", "X", "0 in 4",
        "3", "+1 ★ in 2", "0 in 4", "O",
    ]  # fmt: skip
    assert "X to move: X wins in 3 plies. Best move: a2." in page.text
    assert "Best line: a2 c1 c2" in page.text


def test_a_finished_game_has_no_values(solution: zermelo.Solution) -> None:
    page = Page(solution.answer("XXX/OO./...")._repr_html_())
    assert "The game is over: X wins." in page.text
    assert page.cells.count("") == 5  # four empty cells, and the corner
    assert "★" not in page.text


def test_colours_are_those_of_the_side_to_move(solution: zermelo.Solution) -> None:
    """After X's corner all replies but the centre are X's wins: red for O."""
    shown = solution.answer("X../.../...")._repr_html_()
    assert shown is not None
    assert shown.count("background:rgba(220,60,60,.28)") == 7
    assert shown.count("background:rgba(22,160,90,.32)") == 0


def test_a_solution_shows_its_counts_by_ply(solution: zermelo.Solution) -> None:
    page = Page(solution._repr_html_())
    assert "mnk:3,3,3: draw in 9 plies" in page.text
    assert "5,478 positions in 765 classes, 958 finished; 255,168 games" in page.text
    assert page.cells[:8] == ["ply", "positions", "classes", "finished", "X wins", "draws", "O wins", ""]
    assert page.cells[6 * 8 : 7 * 8] == ["5", "1,260", "174", "120", "456", "264", "540", ""]
    assert len(page.cells) == 8 * 11


def test_any_other_game_shows_its_drawing_and_a_table() -> None:
    """With the players' own names, and values that are more than won or lost."""
    game = Piles(2, 1)
    solution = zermelo.solve(game)
    page = Page(solution.answer(game.initial)._repr_html_())
    assert game.draw(game.initial) in page.text
    moves = solution.moves(game.initial)
    assert [page.cells[4 * i] for i in range(1, len(moves) + 1)] == [move.move for move in moves]
    assert f"Values are for {game.players[0]}" in page.text
    assert "Ann wins" in Page(solution._repr_html_()).cells


class Nasty(Piles):
    """Every text of its own is markup."""

    players = ("<i>Ann</i>", "Bo & Co")

    def __init__(self) -> None:
        super().__init__(2, 1)
        self.spec = "<script>spec</script>"
        self.initial = "<i>Ann</i>: 2 | 1"

    def result(self, state: str, action: str) -> str:
        other = self.players[1] if self.to_move(state) == self.players[0] else self.players[0]
        return f"{other}:{super().result(state, action).partition(':')[2]}"

    def draw(self, state: str) -> str:
        return "<script>draw</script>"

    def format_action(self, action: str) -> str:
        return f"<b>{action}</b>"

    def parse_action(self, text: str) -> str:
        return text[3:-4]


def test_everything_that_a_game_names_is_escaped() -> None:
    game = Nasty()
    solution = zermelo.solve(game)
    for shown in (solution, solution.answer(game.initial, line=True)):
        page = Page(shown._repr_html_())
        assert page.tags <= {"div", "b", "span", "br", "table", "tr", "td", "th", "pre"}
        assert "<script>" in page.text
    tree = zermelo.search(game)._repr_svg_()
    assert tree is not None
    assert "script" not in {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(tree).iter()}
    recent_games.clear()
    unknown = Page(solution.answer(game.initial)._repr_html_())
    assert "script" not in unknown.tags


def test_an_answer_is_shown_without_its_rules() -> None:
    """The game may be gone: what the answer itself says is then shown, and no code or file is looked for."""
    answer = zermelo.solve("tictactoe").answer("XO./.X./..O")
    stranger = Answer(**{**answer.as_dict(), "game": "os:system", "moves": answer.moves})
    page = Page(stranger._repr_html_())
    assert "XO./.X./..O" in page.text
    assert page.cells[4:8] == ["a2", "+1 ★", "2", "XO./XX./..O"]


def test_what_cannot_be_drawn_shows_its_repr(tmp_path: Path) -> None:
    zermelo.build("mnk:3,2,2", db=tmp_path / "zermelo.db")
    solution = zermelo.open(tmp_path / "zermelo.db", "mnk:3,2,2")
    assert solution._repr_html_()
    solution.close()
    assert solution._repr_html_() is None


class Sideways(MNK):
    """A board whose moves are not cells."""

    def format_action(self, action: int) -> str:
        return f"cell-{action}"

    def parse_action(self, text: str) -> int:
        return int(text.removeprefix("cell-"))


def test_a_board_whose_moves_are_no_cells_shows_a_table() -> None:
    game = Sideways(2, 2, 2)
    game.spec = "sideways"
    page = Page(zermelo.solve(game).answer("../..")._repr_html_())
    assert page.cells[:5] == ["move", "value", "plies", "leads to", "cell-0"]


def drawn(result: zermelo.SearchResult) -> ElementTree.Element:
    picture = result._repr_svg_()
    assert picture is not None
    return ElementTree.fromstring(picture)


def boxes(picture: ElementTree.Element) -> int:
    return sum(element.get("class") == "paper" for element in picture.iter())


def words(picture: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()) for element in picture.iter() if element.tag.endswith("text"))


def test_a_search_shows_the_tree_that_it_looked_at() -> None:
    """The textbook's figure: 13 nodes, two of them pruned by alpha-beta."""
    result = zermelo.search("figure:two-ply", algorithm="alphabeta")
    picture = drawn(result)
    assert boxes(picture) == 13
    assert sum(element.get("class") == "pruned" for element in picture.iter()) == 2
    assert "≤2" in words(picture)
    assert "MAX to move: value 3 for MAX. Move: a1." in str(result)


def test_a_large_tree_shows_fewer_plies() -> None:
    """All that is kept of tic-tac-toe from its start would fill a wall."""
    result = zermelo.search("tictactoe", algorithm="alphabeta", table=True)
    assert 3 < boxes(drawn(result)) <= 30
    assert result.tree is not None
    assert len(result.tree.children) == 9


def test_deepening_shows_its_last_whole_iteration() -> None:
    """Guesses are marked; where the time was too short for one ply there is no tree, and the repr is shown."""
    result = zermelo.search("mnk:4,4,4", algorithm="deepening", depth=3)
    assert "≈" in words(drawn(result))
    assert result.tree is not None
    assert result.tree.value == result.value
    hasty = zermelo.search("mnk:5,5,4", algorithm="deepening", time_limit=1e-9)
    assert hasty.tree is None
    assert hasty._repr_svg_() is None
    assert re.match(r"SearchResult\(game='mnk:5,5,4', .*, seconds=[\d.e-]+\)$", repr(hasty))


@pytest.mark.parametrize(
    "settings", [{"algorithm": "alphabeta"}, {"algorithm": "deepening"}, {"algorithm": "alphabeta", "table": True}]
)
def test_what_a_tree_says_of_a_position_is_true(settings: dict[str, object], solution: zermelo.Solution) -> None:
    """Each value or bound against the solution, on every node that is kept."""
    result = zermelo.search("tictactoe", "X../.O./...", **settings)  # type: ignore[arg-type]
    assert result.tree is not None
    nodes = [result.tree]
    seen = 0
    while nodes:
        node = nodes.pop()
        nodes += node.children
        if node.pruned:
            continue
        seen += 1
        value = solution[solution.game.format(node.state)].value
        assert not node.estimated
        if node.bound == "upper":
            assert value <= node.value
        elif node.bound == "lower":
            assert value >= node.value
        else:
            assert value == node.value
    assert seen > 30
