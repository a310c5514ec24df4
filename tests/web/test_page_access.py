"""The page for everyone: axe-core finds no fault in any view, the focus is never lost, and a phone does not jump about."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import opened
from tests.web.conftest import ODD, Server

pytestmark = pytest.mark.slow

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with opened(browser, server.address) as page:
        yield page


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong: the rule and where. It is let in past the page's policy, as an extension would be."""
    found = page.evaluate(
        AXE + ";async (tags) => (await axe.run(document, {runOnly: {type: 'tag', values: tags}})).violations"
        ".flatMap((one) => one.nodes.map((node) => one.id + ': ' + node.target + ' ' + node.failureSummary))",
        RULES,
    )
    return list(found)


VIEWS = {
    "board": "#game=mnk:3,3,3&moves=b2+b1+a1+c3+c2",
    "undone moves": "#game=mnk:3,3,3&moves=b2+b1+a1+c3+c2",
    "finished": "#game=mnk:3,3,3&from=XXX/OO./...",
    "misere": "#game=mnk:3,3,3,misere&from=XXX/OO./...",
    "gravity": "#game=connect:3,3,3&moves=a3",
    "heaps": "#game=nim:1,2,3",
    "tree": "#game=figure:two-ply",
    "hints off": "#game=mnk:3,3,3&moves=b2&hints=off",
    "men": "#game=morris:three&moves=b2+a1+b1+b3+c1",
    "chosen": "#game=dodgem:3",
    "panels": "#game=mnk:3,3,3&from=XO./.X./..O",
    "puzzle": "#game=mnk:3,3,3&from=XO./.X./..O&puzzle=win",
    "keys": "#game=mnk:3,3,3",
    "wrong link": "#game=mnk:3,3,3&moves=b2+b2",
}


FEW = ("undone moves", "panels", "chosen")
"""The views that every run looks at: a look takes about a second."""


@pytest.mark.parametrize(
    ("views", "dark"),
    [(FEW, False), *(pytest.param(tuple(VIEWS), dark, marks=pytest.mark.slow) for dark in (False, True))],
    ids=["few", "light", "dark"],
)
def test_axe_finds_nothing(browser: Browser, server: Server, views: tuple[str, ...], dark: bool) -> None:
    """Every view, in the light and in the dark."""
    with opened(browser, server.address, dark=dark) as page:
        for name in views:
            page.goto(f"{server.address}{VIEWS[name]}")
            page.reload()  # so that nothing is left of the view before
            expect(page.locator("#turn")).not_to_be_empty()
            if name == "undone moves":
                page.click("#undo")
                page.click("#undo")
                expect(page.locator("#history .later")).to_have_count(2)
            if name == "panels":
                page.locator("#share-panel").evaluate(
                    "panel => document.querySelectorAll('.panel').forEach(one => one.open = true)"
                )
                expect(page.locator(".line-move").first).to_be_visible()
                page.locator("#tree details summary").first.click()
                expect(page.locator("#tree .tree li").first).to_be_visible()
            if name == "chosen":
                page.click("[data-cell=a1]")
                expect(page.locator(".chosen")).to_have_count(1)
            if name == "keys":
                page.keyboard.press("?")
                expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
            assert violations(page) == [], name
        page.goto(f"{server.address}docs")
        expect(page.locator("article").first).to_be_visible()
        assert violations(page) == []


@pytest.mark.slow
def test_edges_can_be_seen(browser: Browser, server: Server) -> None:
    """The borders of cells, buttons and fields, and moves undone: at least 3 to 1, and 4.5 to 1 for text."""
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
        const contrast = (one, other) => {
            const [low, high] = [lightness(one), lightness(other)].sort((a, b) => a - b);
            return (high + 0.05) / (low + 0.05);
        };
        const opacity = (element) => (element ? getComputedStyle(element).opacity * opacity(element.parentElement) : 1);
        const weak = [];
        for (const element of document.querySelectorAll(".cell, select, .buttons button")) {
            const found = contrast(getComputedStyle(element).borderTopColor, behind(element.parentElement));
            if (found < 3) weak.push([element.id || element.className, found]);
        }
        for (const element of document.querySelectorAll("#history .later span")) {
            if (opacity(element) < 1) weak.push(["faded", opacity(element)]);
            const found = contrast(getComputedStyle(element).color, behind(element));
            if (found < 4.5) weak.push([element.className, found]);
        }
        return weak;
    }"""
    for dark in (False, True):
        with opened(browser, server.address, dark=dark) as page:
            page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2+b1+a1")
            expect(page.locator("#history li")).to_have_count(4)
            page.click("#undo")
            page.click("#undo")
            expect(page.locator("#history .later")).to_have_count(2)
            assert page.evaluate(script) == []


def test_a_phone_stays_at_the_board(browser: Browser, server: Server) -> None:
    """Neither loading nor moving scrolls the page."""
    with opened(browser, server.address, 375, 667) as page:
        page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2+b1+a1+c3+c2")
        expect(page.locator("#history li")).to_have_count(6)
        assert page.evaluate("scrollY") == 0
        for ply, move in enumerate(("a2", "a3", "c1", "b3"), 7):
            page.locator(f"[data-cell={move}]").scroll_into_view_if_needed()
            before = page.evaluate("scrollY")
            page.click(f"[data-cell={move}]")
            expect(page.locator("#history li")).to_have_count(ply)
            assert page.evaluate("scrollY") == before


def focused(page: Page) -> str:
    return str(page.evaluate("document.activeElement.id || document.activeElement.closest('[id]')?.id || 'nothing'"))


def test_the_focus_is_never_lost(page: Page, server: Server) -> None:
    """After a move, after a jump in the history, and when a button has no more use."""
    page.goto(f"{server.address}#game=nim:1,2,3")
    page.locator(".cell:not([aria-disabled=true])").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#history li")).to_have_count(2)
    assert focused(page) == "board"
    page.locator("#history button").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#history [aria-current]")).to_have_text(re.compile("^Start"))
    assert focused(page) == "history"
    page.keyboard.press("Tab")
    page.locator("#redo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#redo")).to_be_disabled()
    assert focused(page) == "redo"
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_disabled()
    assert focused(page) == "undo"
    page.keyboard.press("Enter")  # which does nothing now
    expect(page.locator("#history li")).to_have_count(2)


def test_home_and_end(page: Page, server: Server) -> None:
    """The ends of the row, and with Ctrl those of the board."""
    page.goto(f"{server.address}#game=mnk:4,3,3")
    page.locator("[data-cell=b2]").focus()
    for keys, name in (("End", "d2"), ("Home", "a2"), ("Control+End", "d3"), ("Control+Home", "a1")):
        page.keyboard.press(keys)
        assert page.evaluate("document.activeElement.dataset.cell") == name


def test_a_click_anywhere_in_a_column(page: Page, server: Server) -> None:
    """The stone falls, wherever it was let go; a full column takes none."""
    page.goto(f"{server.address}#game=connect:3,3,3")
    for clicked, rests in (("a1", "a3"), ("a3", "a2"), ("a2", "a1"), ("b1", "b3")):
        page.click(f"[data-cell={clicked}]", force=True)
        expect(page.locator(f"[data-cell={rests}] svg")).to_be_visible()
    page.click("[data-cell=a2]", force=True)
    expect(page.locator("#history li")).to_have_count(5)


def test_a_line_that_loses(page: Page, server: Server) -> None:
    """In misere the line is the loser's, and looks it; in the usual game it is the winner's."""
    page.goto(f"{server.address}#game=mnk:3,3,3&from=XXX/OO./...")
    expect(page.locator(".cell.line.win")).to_have_count(3)
    page.goto(f"{server.address}#game=mnk:3,3,3,misere&from=XXX/OO./...")
    expect(page.locator("#value")).to_have_text("O wins.")
    expect(page.locator(".cell.line.loss")).to_have_count(3)
    expect(page.locator(".cell.line.win")).to_have_count(0)


def test_payoffs_are_not_wins(page: Page, server: Server) -> None:
    """Where the game is about amounts, so are the words and the axis, even for an amount of 1."""
    page.goto(f"{server.address}#game={quote(ODD)}")
    expect(page.locator("#value")).to_have_text("Value 1 for MAX in 1 ply.")
    axis = page.locator("#strip .axis").all_text_contents()
    assert not [word for word in axis if "win" in word]
    assert "1 to MAX" in axis
    page.goto(f"{server.address}#game=tictactoe&moves=b2")  # by the name that people know
    expect(page.locator("#turn")).to_have_text("X played b2. O to move.")


def test_a_link_lets_its_opponent_move(page: Page, server: Server) -> None:
    """Whoever opens it need not press anything; who goes back to that moment stays there."""
    page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2&opponent=O")
    expect(page.locator("#turn")).to_have_text(re.compile(r"^O played ..\. X to move\.$"))
    page.goto(f"{server.address}#game=mnk:3,3,3&opponent=X")
    expect(page.locator("#turn")).to_have_text(re.compile(r"^X played ..\. O to move\.$"))
    page.go_back()
    expect(page.locator("#turn")).to_have_text("X to move.")
