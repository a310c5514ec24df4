"""The explorer as one file: small, the same page, and working from disk."""

import io
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from db import open_solution
from db.store import build
from solver.game import Game
from tests.conftest import Zermelo
from tests.web.browser import launched, opened
from tests.web.test_page import check_screen
from web.single import bundle, write_html


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


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
    assert part.stderr.startswith("zermelo: a page holds every position: leave out ")


def test_a_game_too_large_for_a_page(zermelo: Zermelo, web_db: Path) -> None:
    """Refused with the size, and with what to do instead."""
    refused = zermelo("export", "--db", str(web_db), "-g", "mnk:4,3,3", "--format", "html")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert refused.stderr == (
        "zermelo: mnk:4,3,3 has 111,973 positions, and a page holds 20,000 at the most: explore it with `zermelo serve`\n"
    )


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
            write_html(stream, solution)
        with opened(browser, path.as_uri()) as page:
            page.goto(path.as_uri())
            check_screen(page, solution.answer(".../.../..."))
            page.click("[data-cell=b2]")
            check_screen(page, solution.answer(".../.X./..."))
            page.goto(f"{path.as_uri()}#game=mnk:3,3,3&from=XO./.X./..O")
            check_screen(page, solution.answer("XO./.X./..O"))
            page.go_back()
            check_screen(page, solution.answer(".../.X./..."))
            page.select_option("#opponent", "O")
            page.click("[data-cell=a1]")
            expect(page.locator("#turn")).to_have_text("O played b2. X to move.")  # the only answer that draws


@pytest.mark.slow
def test_every_answer_in_the_file(browser: Browser, web_db: Path, tmp_path: Path) -> None:
    """All 5,478 positions come out of the packed table as they went in."""
    path = tmp_path / "explorer.html"
    with open_solution(str(web_db)) as solution:
        with open(path, "wb") as stream:
            write_html(stream, solution)
        asked = {".../.../..."}
        unseen = [".../.../..."]
        while unseen:
            after = {move.position for move in solution.moves(unseen.pop())} - asked
            asked |= after
            unseen += after
        assert len(asked) == 5478
        probe = bundle("main.js").replace("begin().catch", "window.source = openSource(); begin().catch")
        bare = re.sub(r"<meta http-equiv[^>]*>", "", path.read_text())
        path.write_text(
            re.sub(r'(<script type="module">).*(</script>)', lambda m: m[1] + probe + m[2], bare, flags=re.S)
        )
        with opened(browser, path.as_uri()) as page:
            page.goto(path.as_uri())
            expect(page.locator(".cell")).to_have_count(9)
            ordered = sorted(asked)
            script = "async (all) => Promise.all(all.map(async (one) => (await window.source).position(null, one)))"
            found = page.evaluate(script, ordered)
        assert found == [json.loads(json.dumps(solution.answer(text).as_dict())) for text in ordered]


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


def test_a_game_without_a_board(browser: Browser, tmp_path: Path) -> None:
    """Its moves are a list, best first, and are played the same way."""
    game = Countdown()
    build(str(tmp_path / "zermelo.db"), game)
    page_file = tmp_path / "countdown.html"
    with open_solution(str(tmp_path / "zermelo.db"), game) as solution:
        stream = io.BytesIO()
        write_html(stream, solution)
        page_file.write_bytes(stream.getvalue())
    with opened(browser, page_file.as_uri()) as page:
        page.goto(page_file.as_uri())
        expect(page.locator("#value")).to_have_text("Value +2 for First in 5 plies.")
        assert [text.split() for text in page.locator(".moves .cell").all_inner_texts()] == [
            ["take1", "▲", "+2", "in", "4"],
            ["take2", "▼", "-2", "in", "3"],
        ]
        chance = random.Random(1)
        while page.locator(".moves .cell").count():
            before = page.locator(".position").inner_text()
            page.locator(".moves .cell").nth(chance.randrange(page.locator(".moves .cell").count())).click()
            expect(page.locator(".position")).not_to_have_text(before)
        expect(page.locator("#turn")).to_have_text("The game is over.")
