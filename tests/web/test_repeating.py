"""A game that comes back, through the API, on the page and in the single file: plies that are null."""

from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.browser import opened
from tests.web.conftest import Server
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics
from zermelo.web.single import write

MORRIS = "/api/games/morris:three"
ENDLESS = "X../.../...:O"
"""X has opened in a corner: nobody can force a win."""


def test_the_api(client: httpx.Client, web_db: Path) -> None:
    """Null plies, a line that stops where a position comes back, counts, and which games can repeat."""
    answer = client.get(f"{MORRIS}/position", params={"position": ENDLESS}).json()
    with open_solution(web_db, "morris:three") as solution:
        assert answer == solution.answer(ENDLESS, traps=True).as_dict()
        assert client.get(f"{MORRIS}/stats").json() == statistics(solution)
    assert (answer["value"], answer["plies"], answer["moves"][0]["plies"]) == (0, None, None)
    line = client.get(f"{MORRIS}/line", params={"position": ENDLESS}).json()
    assert (line["plies"], line["comes_back"], line["moves"][-1]["plies"]) == (None, True, None)
    assert client.get(f"{MORRIS}/line").json()["comes_back"] is False
    games = {game["game"]: game for game in client.get("/api/games").json()["games"]}
    assert (games["morris:three"]["can_repeat"], games["mnk:3,3,3"]["can_repeat"]) == (True, False)
    described = client.get("/openapi.json").json()["components"]["schemas"]
    assert described["Answer"]["properties"]["plies"]["anyOf"] == [{"type": "integer"}, {"type": "null"}]


def check_page(page: Page) -> None:
    """The words of the page where play need not end, for the position and for each move."""
    expect(page.locator("#value")).to_have_text("X wins in 9 plies.")
    page.click("[data-cell=a1]")
    expect(page.locator("#value")).to_have_text("Draw: play need not end.")
    move = page.locator("[data-cell=b1]")
    expect(move).to_contain_text("without end")
    expect(move).to_have_attribute(
        "aria-label", "b1, empty. O plays: draw: play need not end, best, 2 of 7 replies are mistakes"
    )
    expect(page.locator("[data-cell=c2]")).to_have_attribute(
        "aria-label", "c2, empty. O plays: X wins in 7 plies, 5 of 7 replies are mistakes"
    )


@pytest.mark.slow
def test_the_page(browser: Browser, server: Server) -> None:
    with opened(browser, server.address) as page:
        page.goto(f"{server.address}#game=morris:three")
        check_page(page)


@pytest.mark.slow
def test_the_single_file(browser: Browser, web_db: Path, tmp_path: Path) -> None:
    path = tmp_path / "morris.html"
    with open_solution(web_db, "morris:three") as solution, open(path, "wb") as stream:
        write(stream, solution)
    with opened(browser, path.as_uri()) as page:
        page.goto(path.as_uri())
        check_page(page)
