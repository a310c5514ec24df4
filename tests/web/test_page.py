"""The explorer in a real browser: played by mouse and by keyboard, shared, undone, on a phone and in the dark."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import expect_position, opened
from tests.web.conftest import Server
from zermelo.db.answers import Answer, Move
from zermelo.db.query import Solution, open_solution
from zermelo.solver.games import load

LINE = ("b2", "b1", "a1", "c3", "c2", "a2", "a3", "c1", "b3")
"""A whole game, move by move; X lets a win slip on the way."""


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with opened(browser, server.address) as page:
        page.goto(server.address)
        expect_position(page, ".../.../...")
        yield page


@pytest.fixture(scope="module")
def solution(web_db: Path) -> Iterator[Solution]:
    with open_solution(str(web_db)) as solution:
        yield solution


def in_words(value: int, plies: int | None) -> str:
    """What the page says of a value of X's, in words of this test's own."""
    words = {1: "X wins", 0: "draw", -1: "O wins"}[value]
    return words if plies == 0 else f"{words} in {plies} {'ply' if plies == 1 else 'plies'}"


def mistakes(move: Move) -> str:
    """What the page says of the replies to a move."""
    return f", {move.traps} of {move.replies} replies are mistakes" if move.replies else ""


def check_screen(page: Page, answer: Answer) -> None:
    """Everything on the screen is what the database says: turn, value, stones, and what each move leads to."""
    expect_position(page, answer.position)
    value = in_words(answer.value, answer.plies)
    expect(page.locator("#value")).to_have_text(f"{value[0].upper()}{value[1:]}.")
    turn = "The game is over." if answer.terminal else f"{answer.to_move} to move."
    expect(page.locator("#turn")).to_have_text(re.compile(rf"(^|\. ){re.escape(turn)}$"))
    cells = page.locator(".cell").evaluate_all(
        "cells => cells.map(cell => [cell.dataset.cell, cell.innerText.split(/\\s+/).join(' ').trim(),"
        " cell.getAttribute('aria-label'), cell.classList.contains('best'), !!cell.querySelector('svg')])"
    )
    moves = {move.move: move for move in answer.moves}
    stones = answer.position.replace("/", "")
    for (name, text, label, best, drawn), stone in zip(cells, stones, strict=True):
        if move := moves.get(name):
            gain = move.value if answer.to_move == "X" else -move.value
            symbol, word = {1: ("▲", "win"), 0: ("=", "draw"), -1: ("▼", "loss")}[gain]
            traps = f" {move.traps}/{move.replies}" if move.replies else ""
            assert text == f"{symbol} {word} {f'in {move.plies}' if move.plies else 'at once'}{traps}"
            after = in_words(move.value, move.plies) + ("" if move.plies else " at once")
            told = f"{after}{', best' if move.optimal else ''}{mistakes(move)}"
            assert label == f"{name}, empty. {answer.to_move} plays: {told}"
            assert best == move.optimal
        else:
            assert (text, drawn) == ("", stone != ".")
            assert label.startswith(f"{name}, {'empty' if stone == '.' else stone}")


def position_after(solution: Solution, moves: tuple[str, ...]) -> str:
    from zermelo.solver.play import play

    return solution.game.format(play(solution.game, moves))


def test_a_whole_game_by_mouse(page: Page, solution: Solution) -> None:
    """Two people, to the end, with every value compared at every ply."""
    check_screen(page, solution.answer(".../.../...", traps=True))
    for ply, move in enumerate(LINE, 1):
        page.click(f"[data-cell={move}]")
        expect(page.locator("#history li")).to_have_count(ply + 1)
        check_screen(page, solution.answer(position_after(solution, LINE[:ply]), traps=True))
    expect(page.locator("#turn")).to_have_text("The game is over.")
    expect(page.locator("#best")).to_be_disabled()
    # O's b1 gave the game away; X's c2 gave it back.
    mistakes = page.locator("#history li", has_text="mistake")
    assert [text.split("\n")[0] for text in mistakes.all_inner_texts()] == ["O b1", "X c2"]
    expect(page.locator("#strip svg circle")).to_have_count(10)
    assert page.locator("#strip svg").get_attribute("aria-label") == (
        "Value ply by ply: start draw, move 1 draw, move 2 X wins, move 3 X wins, move 4 X wins, move 5 draw,"
        " move 6 draw, move 7 draw, move 8 draw, move 9 draw"
    )


@pytest.mark.slow
def test_a_whole_game_by_keyboard(page: Page, solution: Solution) -> None:
    """Tab into the board, arrows between cells, Enter to play; u and r, Ctrl+Z and Ctrl+Y."""
    page.locator("#hints").focus()
    page.keyboard.press("Tab")
    played = ("a1", "b1", "b2", "a2", "b3")
    for keys, move in zip(("Up", "Right", "Down", "Left Left", "Down Right"), played, strict=True):
        for key in keys.split():
            page.keyboard.press(f"Arrow{key}")  # which stop at the edge
        page.keyboard.press("Enter")
        expect(page.locator(f"[data-cell={move}] svg")).to_be_visible()
    check_screen(page, solution.answer(position_after(solution, played), traps=True))
    page.keyboard.press("ArrowRight")  # c3
    page.keyboard.press("ArrowUp")  # c2
    page.keyboard.press("ArrowUp")  # c1
    page.keyboard.press("Space")
    check_screen(page, solution.answer(position_after(solution, (*played, "c1")), traps=True))
    for keys, plies in (("u", 5), ("Control+z", 4), ("r", 5), ("Control+y", 6), ("h", 6)):
        page.keyboard.press(keys)
        expect(page.locator("#history [aria-current]")).to_have_text(re.compile(rf"^[XO] {(*played, 'c1')[plies - 1]}"))
    expect(page.locator("#hints")).not_to_be_checked()
    page.keyboard.press("h")
    page.keyboard.press("Enter")  # c1 is taken: nothing happens
    for key in ("ArrowDown", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#turn")).to_have_text("The game is over.")
    check_screen(page, solution.answer("XOO/OX./.XX", traps=True))
    assert page.locator(".cell.line").evaluate_all("cells => cells.map(cell => cell.dataset.cell)") == [
        "a1",
        "b2",
        "c3",
    ]


@pytest.mark.slow
def test_undo_redo_jump_and_the_back_button(page: Page, solution: Solution) -> None:
    """Each shows the position of that moment, and what was undone can be redone until another move is made."""
    for move in LINE[:4]:
        page.click(f"[data-cell={move}]")
        expect(page.locator(f"[data-cell={move}] svg")).to_be_visible()

    def at(plies: int) -> None:
        check_screen(page, solution.answer(position_after(solution, LINE[:plies]), traps=True))

    page.click("#undo")
    at(3)
    page.click("#undo")
    at(2)
    page.click("#redo")
    at(3)
    page.click("#history li:first-child button")
    at(0)
    expect(page.locator("#history li")).to_have_count(5)
    page.reload()  # what was undone is still there to redo
    at(0)
    page.click("#redo")
    at(1)
    page.go_back()
    at(0)
    page.go_back()
    at(3)
    page.go_forward()
    at(0)
    page.click("[data-cell=c3]")
    expect(page.locator("#history li")).to_have_count(2)
    expect(page.locator("#redo")).to_be_disabled()
    page.click("#new")
    at(0)


@pytest.mark.slow
def test_a_shared_link(browser: Browser, server: Server, page: Page, solution: Solution) -> None:
    """The address of one window shows the same in another; one that is wrong says why and shows what can be shown."""
    for move in LINE[:3]:
        page.click(f"[data-cell={move}]")
        expect(page.locator(f"[data-cell={move}] svg")).to_be_visible()
    expect(page).to_have_url(f"{server.address}#game=mnk:3,3,3&moves=b2+b1+a1")
    with opened(browser, server.address) as other:
        other.goto(page.url)
        check_screen(other, solution.answer(position_after(solution, LINE[:3]), traps=True))
        expect(other.locator("#history li")).to_have_count(4)
        other.goto(f"{server.address}#game=mnk:3,3,3&from=XO./.X./..O&moves=a2")
        check_screen(other, solution.answer("XO./XX./..O", traps=True))
        other.goto(f"{server.address}#game=mnk:9,9,9")
        expect(other.locator("#problem")).to_have_text("There is no game mnk:9,9,9 in this database.")
        other.goto(f"{server.address}#game=mnk:3,3,3&moves=b2+b2")
        expect(other.locator("#problem")).to_have_text("The move b2 is not possible in .../.X./....")
        check_screen(other, solution.answer(".../.X./...", traps=True))


@pytest.mark.slow
def test_a_link_to_no_position(browser: Browser, server: Server) -> None:
    """The server's reason is shown. The browser itself notes the 400 on the console, so that is not looked at here."""
    page = browser.new_page()
    page.goto(f"{server.address}#game=mnk:3,3,3&from=XXX/OOO/...")
    expect(page.locator("#problem")).to_contain_text("X has a line, so O could not have moved after it")
    expect(page.locator("#turn")).to_have_text("X to move.")
    page.close()


@pytest.mark.slow
def test_the_perfect_player(page: Page, solution: Solution) -> None:
    """It answers with a move that nothing is better than, undo takes its move back too, and a good player draws."""
    page.select_option("#opponent", "O")
    expect(page).to_have_url(re.compile("opponent=O"))
    for _ in range(5):
        position = page.title().partition(": ")[2].partition(" - ")[0]
        answer = solution.answer(position, traps=True)
        assert answer.to_move == "X"
        page.click(f"[data-cell={answer.best_move}]")
        expect(page).not_to_have_title(re.compile(re.escape(position)))
        expect(page.locator("#turn")).to_have_text(re.compile("X to move|over"))
    expect(page.locator("#value")).to_have_text("Draw.")
    expect(page.locator("#history li", has_text="mistake")).to_have_count(0)
    page.click("#undo")
    expect(page.locator("#history [aria-current]")).to_contain_text("O ")
    page.select_option("#opponent", "X")  # now the perfect player begins
    # All nine openings draw, and after a corner most replies lose: that is what asks most.
    expect(page.locator("#turn")).to_have_text(re.compile(r"^X played [ac][13]\. O to move\.$"))
    expect(page).to_have_url(re.compile("opponent=X"))
    page.click("#undo")
    expect(page.locator("#best")).to_have_text("Let X reply")
    page.click("#best")
    expect(page.locator("#turn")).to_have_text(re.compile(r"O to move\.$"))


def test_the_game_picker(page: Page, web_db: Path) -> None:
    """Every game of the database can be chosen, and its own values are shown."""
    titles = page.locator("#game option").all_inner_texts()
    assert titles[0] == "Tic-tac-toe"
    assert {
        "Misère tic-tac-toe",
        "3 in a row on 4x3",
        "3 in a row on 3x3, stones fall",
        "Nim with heaps of 1, 2, 3",
    } <= set(titles)
    page.select_option("#game", "mnk:4,3,3")
    expect(page.locator(".cell")).to_have_count(12)
    with open_solution(str(web_db), load("mnk:4,3,3")) as solution:
        check_screen(page, solution.answer("..../..../....", traps=True))
        page.click("[data-cell=d3]")
        check_screen(page, solution.answer("..../..../...X", traps=True))
    page.go_back()
    page.go_back()
    expect(page.locator(".cell")).to_have_count(9)


@pytest.mark.slow
def test_hints_off(page: Page) -> None:
    """Nothing tells then, to eye or ear: not the cells, the verdict, the graph or the list; the choice is in the link too."""
    page.click("[data-cell=b2]")
    expect_position(page, ".../.X./...")
    page.click("[data-cell=b1]")  # a mistake
    expect(page.locator(".mistake")).to_have_count(1)
    page.uncheck("#hints")
    expect(page.locator("#value")).to_be_empty()
    told = page.locator("main").inner_text()
    assert not [word for word in ("win", "draw", "loss", "mistake", "plies", "★", "▲") if word in told.lower()]
    expect(page.locator("#strip")).to_be_hidden()
    page.click("#new")
    expect_position(page, ".../.../...")
    assert page.locator(".cell").all_inner_texts() == [""] * 9
    expect(page.locator("[data-cell=b2]")).to_have_attribute("aria-label", "b2, empty")
    expect(page).to_have_url(re.compile("hints=off"))
    page.reload()
    expect(page.locator("#hints")).not_to_be_checked()
    page.check("#hints")
    expect(page.locator("[data-cell=b2]")).to_contain_text("draw")


@pytest.mark.slow
def test_phone_width_and_dark_mode(browser: Browser, server: Server) -> None:
    """Nothing wider than the screen, cells large enough for a thumb, and a dark page where that is wanted."""
    with opened(browser, server.address, 360, 740, dark=True) as page:
        for game, columns in (("mnk:3,3,3", 3), ("mnk:4,3,3", 4)):
            page.goto(f"{server.address}#game={game}")
            expect(page.locator(".cell")).to_have_count(columns * 3)
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
            boxes = [cell.bounding_box() for cell in page.locator(".cell").all()]
            assert all(box and box["width"] >= 44 and abs(box["width"] - box["height"]) < 2 for box in boxes)
            overflowing = page.locator(".cell").evaluate_all(
                "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth).length"
            )
            assert overflowing == 0
        background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert sum(map(int, re.findall(r"\d+", background))) < 150


@pytest.mark.slow
def test_contrast_is_enough_to_read(browser: Browser, server: Server) -> None:
    """At least 4.5 to 1 for every text, in the light and in the dark."""
    script = """() => {
        const lightness = (color) => {
            const [r, g, b] = color.match(/[\\d.]+/g).map(Number).slice(0, 3).map((part) => {
                const share = part / 255;
                return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const behind = (element) => {
            const color = getComputedStyle(element).backgroundColor;
            return color === "rgba(0, 0, 0, 0)" ? behind(element.parentElement) : color;
        };
        const weak = [];
        for (const element of document.querySelectorAll("p, label, h1, h2, .cell span, .key, .worth, .mistake, .move")) {
            if (!element.innerText || element.closest(".later")) continue;
            const one = lightness(getComputedStyle(element).color);
            const other = lightness(behind(element));
            const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
            if (contrast < 4.5) weak.push([element.className || element.id, contrast]);
        }
        return weak;
    }"""
    for dark in (False, True):
        with opened(browser, server.address, dark=dark) as page:
            page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2+b1+a1+c3+c2")
            expect(page.locator("#history li")).to_have_count(6)
            page.wait_for_function("document.getAnimations().length === 0")  # colours take a moment to change
            assert page.evaluate(script) == []


def test_what_a_screen_reader_is_told(page: Page) -> None:
    """Turn and value are read out when they change; the board is a grid of named cells, and every control has a name."""
    assert page.locator("#verdict").get_attribute("aria-live") == "polite"
    page.click("[data-cell=b2]")
    expect(page.get_by_role("status")).to_contain_text("X played b2. O to move.")
    expect(page.get_by_role("grid", name="Board").get_by_role("row")).to_have_count(3)
    expect(page.get_by_role("gridcell")).to_have_count(9)
    expect(page.get_by_role("button", name="b2, X, the last move")).to_have_count(1)
    expect(page.get_by_role("button", name="a1, empty. O plays: draw in 7 plies, best")).to_have_count(1)
    for role, name in (("combobox", "Game"), ("combobox", "Opponent"), ("checkbox", "Hints"), ("button", "Undo")):
        expect(page.get_by_role(role, name=name)).to_have_count(1)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_page_of_the_api(browser: Browser, server: Server) -> None:
    """Made of the API's own description, with nothing from another host."""
    with opened(browser, server.address) as page:
        page.goto(f"{server.address}docs")
        expect(page.locator("article h2", has_text="/api/games/{game}/position").first).to_be_visible()
        described = httpx.get(f"{server.address}openapi.json", trust_env=False, timeout=300).json()
        expect(page.locator("article")).to_have_count(len(described["paths"]) + len(described["components"]["schemas"]))
