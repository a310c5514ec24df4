"""The explorer as one file: small, the same page, and working from disk."""

import io
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import Zermelo
from tests.web.browser import opened
from tests.web.test_page import check_screen
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.solver.errors import AmountError
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.web.describe import look_at
from zermelo.web.single import bundle, write


def test_the_file_is_small_and_whole(zermelo: Zermelo, web_db: Path, tmp_path: Path) -> None:
    """At most 100 kB, with no address of anything outside in it."""
    done = zermelo("export", "--db", str(web_db), "-o", "tictactoe.html")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    page = (tmp_path / "tictactoe.html").read_text()
    assert len(page.encode()) <= 100_000
    assert not re.findall(r'(?:src|href)="(?!data:)', page)
    assert "import " not in page.replace("important", "")
    again = zermelo("export", "--db", str(web_db), "--format", "html", "-o", "tictactoe.html")
    assert (again.returncode, "--force" in again.stderr) == (2, True)
    assert zermelo("export", "--db", str(web_db), "--format", "html").stdout == page
    part = zermelo("export", "--db", str(web_db), "--format", "html", "--ply", "2")
    assert (part.returncode, part.stdout) == (2, "")
    assert part.stderr.startswith("zermelo: a page holds every position, not a selection: leave out ")


def test_a_game_too_large_for_a_page(zermelo: Zermelo, web_db: Path) -> None:
    """Refused with the size, and with what to do instead."""
    with open_solution(str(web_db)) as solution:
        solution.source.facts = {**solution.source.facts, "positions": 2_000_001}
        with pytest.raises(
            AmountError, match="mnk:3,3,3 has 2,000,001 positions, and a page holds 2,000,000 at the most"
        ):
            write(io.BytesIO(), solution)


def test_modules_become_one_script() -> None:
    """Each once, what is imported before what imports it."""
    script = bundle("main.js")
    assert "import {" not in script
    assert not re.search(r"^export ", script, re.MULTILINE)
    assert script.count("function outcome(") == 1
    assert script.index("function outcome(") < script.index("function render(")


def test_from_disk(browser: Browser, web_db: Path, tmp_path: Path) -> None:
    """Without a server: every answer is the database's, play works, and the link and the back button too."""
    path = tmp_path / "explorer.html"
    with open_solution(str(web_db)) as solution:
        with open(path, "wb") as stream:
            write(stream, solution)
        with opened(browser, path.as_uri()) as page:
            page.goto(path.as_uri())
            check_screen(page, solution.answer(".../.../...", traps=True))
            page.click("[data-cell=b2]")
            check_screen(page, solution.answer(".../.X./...", traps=True))
            page.goto(f"{path.as_uri()}#game=mnk:3,3,3&from=XO./.X./..O")
            check_screen(page, solution.answer("XO./.X./..O", traps=True))
            page.go_back()
            check_screen(page, solution.answer(".../.X./...", traps=True))
            page.select_option("#opponent", "O")
            page.click("[data-cell=a1]")
            expect(page.locator("#turn")).to_have_text("O played b2. X to move.")  # the only answer that draws


@pytest.mark.slow
def test_every_answer_in_the_file(browser: Browser, web_db: Path, tmp_path: Path) -> None:
    """All 5,478 positions come out of the packed table as they went in."""
    path = tmp_path / "explorer.html"
    with open_solution(str(web_db)) as solution:
        with open(path, "wb") as stream:
            write(stream, solution)
        asked = {".../.../..."}
        unseen = [".../.../..."]
        while unseen:
            after = {move.position for move in solution.moves(unseen.pop())} - asked
            asked |= after
            unseen += after
        assert len(asked) == 5478
        probe = bundle("main.js").replace("\nbegin();", "\nwindow.source = openSource(); begin();")
        bare = re.sub(r"<meta http-equiv[^>]*>", "", path.read_text())
        path.write_text(
            re.sub(r'(<script type="module">).*(</script>)', lambda m: m[1] + probe + m[2], bare, flags=re.S)
        )
        with opened(browser, path.as_uri()) as page:
            page.goto(path.as_uri())
            expect(page.locator(".cell")).to_have_count(9)
            ordered = sorted(asked)
            script = "async (all) => Promise.all(all.map(async (one) => (await window.source).answer(null, one)))"
            found = page.evaluate(script, ordered)
        assert found == [json.loads(json.dumps(solution.answer(text).as_dict())) for text in ordered]


def positions_of(solution: Solution, count: int) -> list[str]:
    """Positions that games played at random come to, each once."""
    chance = random.Random(16)
    start = solution.game.format(solution.game.initial)
    found: dict[str, None] = {}
    for _ in range(50 * count):
        answer = solution.answer(start)
        for _ in range(chance.randrange(40)):
            if not answer.moves:
                break
            answer = solution.answer(chance.choice(answer.moves).position)
        found[answer.position] = None
        if len(found) == count:
            break
    return list(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "dodgem:3", "connect:3,3,3", "connect:4,4,3", "mnk:4,3,3", "mnk:4,3,3,misere", "mnk:5,5,1", "connect:1,13,3", "morris:three",
        "nim:3,4,5", "kalah:3,2", "figure:four-ply", "quixo:3", "hexapawn:3,3", "notakto:1", "chomp:4,3", "fox-and-hounds:4",
        "hare-and-hounds", "vanishing:3,3,3,3",
    ],
)  # fmt: skip
def test_more_games_in_a_file(name: str, browser: Browser, tmp_path: Path) -> None:
    """Small beside its tablebase; every answer and every picture that it gives is the database's."""
    build(str(tmp_path / "zermelo.db"), load(name))
    path = tmp_path / "game.html"
    with open_solution(str(tmp_path / "zermelo.db"), name) as solution:
        with open(path, "wb") as stream:
            write(stream, solution)
        tablebase = io.BytesIO()
        write_tablebase(tablebase, solution)
        assert path.stat().st_size <= 1.5 * 4 / 3 * len(tablebase.getvalue()) + 100_000
        asked = positions_of(solution, 120)
        page_text = path.read_text()
        path.write_text(
            re.sub(r"<meta http-equiv[^>]*>", "", page_text).replace(
                "\nbegin();", "\nwindow.source = openSource(); begin();"
            )
        )
        with opened(browser, path.as_uri()) as page:
            page.goto(path.as_uri())
            expect(page.locator("#turn")).not_to_be_empty()
            script = "async (all) => Promise.all(all.map(async (one) => (await window.source).position(null, one)))"
            found = page.evaluate(script, asked)
        for text, one in zip(asked, found, strict=True):
            look = one.pop("look")
            assert one == json.loads(json.dumps(solution.answer(text, traps=True).as_dict()))
            right = look_at(solution.game, text)["picture"]
            for picture in (look["picture"], right):
                picture["clicks"].sort(key=lambda way: (way["move"], way["cells"]))
            assert look["picture"] == right


class Countdown(Game[tuple[str, int], int]):
    """Take one or two; whoever takes the last wins two points. No board, and names and values of its own."""

    spec = "tests:countdown"
    players = ("First", "Second")
    initial = ("First", 7)

    def to_move(self, state: tuple[str, int]) -> str:
        return state[0]

    def actions(self, state: tuple[str, int]) -> Sequence[int]:
        return [1, 2] if state[1] > 1 else [1]

    def result(self, state: tuple[str, int], action: int) -> tuple[str, int]:
        return "Second" if state[0] == "First" else "First", state[1] - action

    def is_terminal(self, state: tuple[str, int]) -> bool:
        return state[1] == 0

    def utility(self, state: tuple[str, int], player: str) -> int:
        return -2 if state[0] == player else 2

    def format(self, state: tuple[str, int]) -> str:
        return f"{state[1]} left, {state[0]}"

    def parse(self, text: str) -> tuple[str, int]:
        left, player = text.split(" left, ")
        return player, int(left)

    def format_action(self, action: int) -> str:
        return f"take{action}"

    def parse_action(self, text: str) -> int:
        return int(text.removeprefix("take"))


@pytest.mark.slow
def test_a_game_without_a_board(browser: Browser, tmp_path: Path) -> None:
    """Its moves are a list, best first, and are played the same way."""
    game = Countdown()
    build(str(tmp_path / "zermelo.db"), game)
    page_file = tmp_path / "countdown.html"
    with open_solution(str(tmp_path / "zermelo.db"), game) as solution:
        stream = io.BytesIO()
        write(stream, solution)
        page_file.write_bytes(stream.getvalue())
    with opened(browser, page_file.as_uri()) as page:
        page.goto(page_file.as_uri())
        expect(page.locator("#value")).to_have_text("Value 2 for First in 5 plies.")
        assert [text.split() for text in page.locator(".move-button").all_inner_texts()] == [
            ["take1", "2", "in", "4", "0/2"],
            ["take2", "-2", "in", "3", "1/2"],
        ]
        chance = random.Random(1)
        while page.locator(".move-button").count():
            before = page.locator(".position").inner_text()
            page.locator(".move-button").nth(chance.randrange(page.locator(".move-button").count())).click()
            expect(page.locator(".position")).not_to_have_text(before)
        expect(page.locator("#turn")).to_have_text("The game is over.")
