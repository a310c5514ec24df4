"""Every game on the page: its picture, moves made where they are, puzzles, lines, trees, and what can be taken away."""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import expect_position, opened
from tests.web.conftest import Server
from zermelo.db.query import open_solution
from zermelo.solver.games import load

pytestmark = pytest.mark.slow

SIZES = ((320, 640), (375, 667), (768, 1024), (1280, 800), (667, 375))


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with opened(browser, server.address) as page:
        yield page


def test_heaps_are_clicked(page: Page, server: Server) -> None:
    """A click on an object takes it and all above it."""
    page.goto(f"{server.address}#game=nim:1,2,3")
    expect(page.locator(".cell.marked")).to_have_count(6)
    page.click("[data-cell=c2]")
    expect(page.locator("#turn")).to_have_text("MAX played c2. MIN to move.")
    expect(page.locator(".cell.marked")).to_have_count(4)
    page.click("[data-cell=c2]", force=True)  # which is gone
    expect(page.locator("#history li")).to_have_count(2)


def test_from_a_cell_to_a_cell(page: Page, server: Server) -> None:
    """By mouse and by keyboard; what was chosen can be let go, and the list of moves is there for those who want it."""
    page.goto(f"{server.address}#game=dodgem:3")
    page.click("[data-cell=a2]")
    expect(page.locator("[data-cell=a2]")).to_have_class(re.compile("chosen"))
    page.keyboard.press("Escape")
    expect(page.locator(".chosen")).to_have_count(0)
    page.click("[data-cell=a2]")
    page.click("[data-cell=a1]")  # another of one's own is chosen instead
    page.click("[data-cell=b1]")
    expect(page.locator("#turn")).to_have_text("X played a1-b1. O to move.")
    page.locator("[data-cell=b3]").focus()
    for key in ("Enter", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#turn")).to_have_text("O played b3-b2. X to move.")
    assert page.evaluate("document.activeElement.dataset.cell") == "b2"
    page.click("[data-move=b1-c1]")
    expect(page.locator("#turn")).to_have_text("X played b1-c1. O to move.")
    page.click("[data-cell=b2]")
    page.click("[data-cell=a2]", force=True)  # taken: what was chosen is let go
    expect(page.locator(".chosen")).to_have_count(0)
    page.goto(f"{server.address}#game=dodgem:3&from=..X/.../.OO:X")
    expect_position(page, "..X/.../.OO:X")
    page.click("[data-cell=c1]")
    page.click("[data-cell=right]")  # off the board
    expect(page.locator("#turn")).to_have_text("The game is over.")


@pytest.mark.slow
def test_by_touch(browser: Browser, server: Server) -> None:
    """Taps on a phone."""
    context = browser.new_context(viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(f"{server.address}#game=dodgem:3")
    for cell in ("a1", "b1"):
        page.tap(f"[data-cell={cell}]")
    expect(page.locator("#turn")).to_have_text("X played a1-b1. O to move.")
    page.goto(f"{server.address}#game=figure:two-ply")
    page.tap("[data-cell=B]")
    expect(page.locator(".cell.here")).to_have_attribute("data-cell", "B")
    context.close()


def test_a_puzzle(page: Page, server: Server) -> None:
    """Nothing tells; a wrong move is not made and the reason is given; the right one solves it, and the next is harder."""
    page.goto(f"{server.address}#game=mnk:3,3,3&from=XOX/OO./.X.&puzzle=only")
    expect(page.locator("#puzzle")).to_have_text("Puzzle. X to move: find the only move that draws.")
    expect(page.locator("#value")).to_be_empty()
    assert page.locator(".cell:not(.marked)").all_inner_texts() == ["", "", ""]
    page.click("[data-cell=a3]")
    expect(page.locator("#puzzle")).to_contain_text("Not a3: O wins in 1 ply. Try another.")
    expect(page.locator("#history li")).to_have_count(1)
    page.click("[data-cell=c2]")
    expect(page.locator("#puzzle")).to_have_text("Solved: c2. The next one will be harder.")
    expect(page.locator("#value")).to_have_text("Draw in 2 plies.")
    page.click("#puzzle-panel summary")
    page.click("#puzzle-win")
    expect(page.locator("#puzzle")).to_contain_text("How?")
    expect(page).to_have_url(re.compile("puzzle=win"))
    goal = page.locator("#puzzle").inner_text()
    page.reload()  # a link to each
    expect(page.locator("#puzzle")).to_have_text(goal)
    page.goto(f"{server.address}#game=mnk:3,3,3&from=XO./.X./..O&puzzle=win")
    expect_position(page, "XO./.X./..O")
    expect(page.locator("#puzzle")).to_have_text("Puzzle. X to move: X wins in 3 plies. How?")
    page.click("[data-cell=a2]")
    expect(page.locator("#turn")).to_have_text(re.compile(r"^O played .. X to move|^O played ..\. X to move\.$"))
    page.click(f"[data-cell={'c2' if page.locator('[data-cell=a3] svg').count() else 'a3'}]")
    expect(page.locator("#puzzle")).to_contain_text("Solved")


def test_line_and_tree(page: Page, server: Server, web_db: Path) -> None:
    """The best line as buttons that play it, the tree as deep as one opens it, both with the database's values."""
    page.goto(f"{server.address}#game=mnk:3,3,3&from=XO./.X./..O")
    page.click("#line-panel > summary")
    with open_solution(str(web_db)) as solution:
        best = [move.move for move in solution.line("XO./.X./..O")]
        expect(page.locator(".line-move")).to_have_text([f"{'XO'[ply % 2]} {move}" for ply, move in enumerate(best)])
        page.click("#tree-panel > summary")
        expect(page.locator("#tree > li")).to_have_count(5)
        expect(page.locator("#tree > li summary").first).to_have_text("X a2: X wins in 2 plies ★")
        page.locator("#tree > li summary").first.click()
        after = solution.answer("XO./XX./..O")
        below = page.locator("#tree > li").first.locator(".tree > li summary")
        expect(below).to_have_count(len(after.moves))
        expect(below.first).to_contain_text(f"O {after.moves[0].move}: X wins in 1 ply")
        page.locator("#tree > li").first.locator(".tree .go").first.click()
        expect(page.locator("#history li")).to_have_count(3)
        page.click("#new")
        expect_position(page, ".../.../...")
        page.locator(".line-move").nth(4).click()
        expect(page.locator("#history li")).to_have_count(6)


def test_position_link_and_picture(browser: Browser, server: Server, page: Page, tmp_path: Path) -> None:
    """A position typed in any way that the game reads is shown, a wrong one is told; the link and the picture can be taken."""
    page.goto(server.address)
    expect_position(page, ".../.../...")  # which puts it into the field
    page.click("#share-panel summary")
    page.fill("#position", "xo_-x---o")
    page.press("#position", "Enter")
    expect(page.locator("#position")).to_have_value("XO./.X./..O")
    page.click("[data-cell=a2]")
    # The link is that of the position shown: what was copied before the answer came would be the one before.
    expect_position(page, "XO./XX./..O")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#copy")
    expect(page.locator("#shared")).to_have_text("The link is copied.")
    expect(page).to_have_url(page.evaluate("navigator.clipboard.readText()"))
    expect(page).to_have_url(re.compile("a2$"))
    for kind in ("svg", "png"):
        with page.expect_download() as download:
            page.click(f"#save-{kind}")
        assert download.value.suggested_filename == f"mnk_3_3_3-XO._XX._..O.{kind}"
        download.value.save_as(tmp_path / f"board.{kind}")
    drawing = ElementTree.parse(tmp_path / "board.svg").getroot()
    assert drawing.tag == "{http://www.w3.org/2000/svg}svg"
    # Three crosses and two rings.
    assert len(drawing.findall(".//{*}path")) == 3
    assert len(drawing.findall(".//{*}circle")) == 2
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_position_that_cannot_be(browser: Browser, server: Server) -> None:
    """The reason is shown, and the board stays; the browser notes the 400 on its console, so that is not looked at here."""
    page = browser.new_page()
    page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2")
    expect_position(page, ".../.X./...")  # which puts it into the field
    page.click("#share-panel summary")
    page.fill("#position", "XXX/OOO/...")
    page.press("#position", "Enter")
    expect(page.locator("#problem")).to_contain_text("X has a line, so O could not have moved after it")
    expect(page.locator("#turn")).to_have_text("X played b2. O to move.")
    page.close()


def test_keys_and_links(page: Page, server: Server) -> None:
    """Help on ?, a key for each button, and the way to the API."""
    page.goto(server.address)
    expect(page.locator(".cell")).to_have_count(9)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    page.keyboard.press("b")
    expect(page.locator("#history li")).to_have_count(2)
    page.keyboard.press("n")
    expect(page.locator("#history li")).to_have_count(1)
    page.click("#api")
    expect(page.locator("h1")).to_have_text("Zermelo API")


@pytest.mark.parametrize(
    "size",
    [size if size[0] in (320, 667) else pytest.param(size, marks=pytest.mark.slow) for size in SIZES],
    ids=[f"{width}x{height}" for width, height in SIZES],
)
def test_layouts(browser: Browser, server: Server, size: tuple[int, int]) -> None:
    """Nothing is wider than the screen, no cell's text is cut off, and the board of a phone on its side is seen whole."""
    width, height = size
    with opened(browser, server.address, width, height) as page:
        for game in ("mnk:4,3,3", "dodgem:3", "figure:two-ply"):
            page.goto(f"{server.address}#game={game}")
            page.reload()
            expect(page.locator("#turn")).not_to_be_empty()
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            cut = (
                "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).map(cell => cell.dataset.cell)"
            )
            assert page.locator(".cell").evaluate_all(cut) == []
        if height < width < 700:
            page.goto(f"{server.address}#game=mnk:3,3,3")
            expect_position(page, ".../.../...")
            box = page.locator("[data-cell=c3]").bounding_box()
            assert box and box["y"] + box["height"] <= height


@pytest.mark.slow
def test_a_board_eight_wide_on_the_smallest_phone(browser: Browser, server: Server, tmp_path: Path) -> None:
    """All of it fits at 320 pixels."""
    from tests.web.conftest import running
    from zermelo.db.store import build

    build(str(tmp_path / "zermelo.db"), load("mnk:8,1,3"))
    with (
        running(tmp_path / "zermelo.db", tmp_path / "server.log") as own,
        opened(browser, own.address, 320, 640) as page,
    ):
        page.goto(own.address)
        expect(page.locator(".cell")).to_have_count(8)
        assert page.evaluate("document.documentElement.scrollWidth") <= 320
        page.click("[data-cell=h1]")
        expect(page.locator("[data-cell=h1] svg")).to_be_visible()


def test_on_paper(browser: Browser, server: Server) -> None:
    """The board and the moves, dark on white even where the screen is dark; nothing that can only be clicked."""
    with opened(browser, server.address, dark=True) as page:
        page.goto(f"{server.address}#game=mnk:3,3,3&moves=b2")
        expect_position(page, ".../.X./...")
        page.emulate_media(media="print")
        expect(page.locator("#board")).to_be_visible()
        expect(page.locator("#history")).to_be_visible()
        for hidden in ("#new", "#game", "#puzzle-panel", "#api"):
            expect(page.locator(hidden)).to_be_hidden()
        for part in ("#value", "#turn", ".move"):
            colour = page.locator(part).first.evaluate("part => getComputedStyle(part).color")
            assert max(map(int, re.findall(r"\d+", colour)[:3])) < 140, (part, colour)
