"""The page when the server is gone, or something else answers in its place: one plain line, and a button to try again."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.web.conftest import Server

pytestmark = pytest.mark.slow

GONE = "The server does not answer. Try again"


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page on whose console the browser notes what failed."""
    page = browser.new_context(reduced_motion="reduce").new_page()
    page.set_default_timeout(30_000)
    yield page
    page.context.close()


def test_the_first_request_fails(page: Page, server: Server) -> None:
    """Nothing can be played, no button makes it worse, and trying again shows the board."""
    page.route("**/api/games", lambda route: route.abort())
    page.goto(server.address)
    expect(page.locator("#problem")).to_have_text(GONE)
    page.unroute("**/api/games")
    page.route("**/position?*", lambda route: route.abort())
    page.click("#again")
    expect(page.locator("#problem")).to_have_text(GONE)
    for button in ("#new", "#undo", "#redo", "#best"):
        page.click(button, force=True)
    expect(page.locator("#problem")).to_have_text(GONE)
    page.unroute("**/position?*")
    page.click("#again")
    expect(page.locator(".cell")).to_have_count(9)
    expect(page.locator("#problem")).to_be_hidden()


def test_the_server_goes_away_during_the_reply(page: Page, server: Server) -> None:
    """The reply is asked for once, the line stays, and trying again lets the opponent move."""
    page.goto(server.address)
    page.select_option("#opponent", "O")
    expect(page).to_have_url(re.compile("opponent=O"))
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.abort()

    page.click("[data-cell=b2]")
    expect(page.locator("#turn")).to_have_text(re.compile("O played"))
    page.route(re.compile(r"/position\?"), refuse)
    page.locator(".cell:not([aria-disabled=true])").first.click()
    expect(page.locator("#problem")).to_have_text(GONE)
    assert len(asked) == 1
    # X's own move is made now, and only the opponent's fails.
    asked.clear()

    def reply_fails(route: Route) -> None:
        if asked:
            refuse(route)
        else:
            asked.append(route.request.url)
            route.continue_()

    page.unroute_all()
    page.route(re.compile(r"/position\?"), reply_fails)
    page.click("#again")
    expect(page.locator("#problem")).to_have_text(GONE)
    page.wait_for_timeout(1500)  # when it would have asked three times a second
    assert len(asked) == 2
    expect(page.locator("#problem")).to_have_text(GONE)
    page.unroute_all()
    page.click("#again")
    expect(page.locator("#turn")).to_have_text(re.compile(r"O played .*X to move\."))
    expect(page.locator("#problem")).to_be_hidden()


def test_an_answer_that_is_not_json(page: Page, server: Server) -> None:
    """A proxy's page is told as what it is: no answer."""
    page.goto(server.address)
    expect(page.locator(".cell")).to_have_count(9)
    page.route("**/position?*", lambda route: route.fulfill(status=502, body="<html>Bad Gateway</html>"))
    page.click("[data-cell=b2]")
    expect(page.locator("#problem")).to_have_text("The server's answer (status 502) cannot be read. Try again")
    page.unroute_all()
    page.click("#again")
    expect(page.locator("[data-cell=b2] svg")).to_be_visible()
