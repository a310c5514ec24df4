"""A real browser for the tests of the page: Debian's Chromium, driven by Playwright."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = shutil.which("chromium")
expect.set_options(timeout=30_000)  # a busy machine is no fault of the page
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def expect_position(page: Page, position: str) -> None:
    """Wait until the page shows a position: its title, which is the last thing that changes, names it.

    Whatever is read or clicked before may still be the position before.
    """
    expect(page).to_have_title(re.compile(rf": {re.escape(position)} - Zermelo$"))


@contextmanager
def launched() -> Iterator[Browser]:
    """The browser, or a skipped test where there is none."""
    if CHROMIUM is None:
        pytest.skip("there is no chromium on the PATH: install Debian's package `chromium`")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, allowed: str, width: int = 1200, height: int = 800, dark: bool = False) -> Iterator[Page]:
    """A page that must end without an error on its console, and ask nothing that does not begin with `allowed`."""
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(30_000)
    complaints: list[str] = []
    page.on(
        "console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    context.on("request", lambda request: None if request.url.startswith(allowed) else complaints.append(request.url))
    yield page
    context.close()
    assert complaints == []
