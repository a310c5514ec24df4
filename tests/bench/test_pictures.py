"""The pictures of results show what was kept: every game, and every opening in the colour of its value."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from xml.etree import ElementTree

import pytest

from bench.results import manifest, pages

SVG = "{http://www.w3.org/2000/svg}"
FAMILIES = {family.name: kept for family in manifest.families() if (kept := pages.kept(family.name))}
WINS, DRAWS, LOSSES = "#2166ac", "#d9d9d9", "#b2182b"
"""First wins, draw, second wins."""


def panels(picture: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """The parts of a picture that show something, each with its heading, which is drawn last."""
    for part in ElementTree.parse(pages.FOLDER / picture).iter(f"{SVG}g"):
        texts = list(part.iter(f"{SVG}text"))
        if part.get("id", "").startswith("axes_") and texts:
            yield texts[-1].text or "", part


def fills(part: ElementTree.Element, of: str) -> Counter[str]:
    """How many shapes of a kind have each colour."""
    styles = (shape.get("style", "") for shape in part.iter(f"{SVG}{of}"))
    return Counter(chain.from_iterable(re.findall("fill: (#[0-9a-f]{6})", style) for style in styles))


@pytest.mark.parametrize("family", FAMILIES)
def test_every_opening_is_shown_in_the_colour_of_its_value(family: str) -> None:
    """Each is a shape of its own, which has the name of the game and of the move."""
    colour = {1: WINS, 0: DRAWS, -1: LOSSES}
    expected = {
        f"{game}.{move}": Counter([colour[(value > 0) - (value < 0)]])
        for game, known in FAMILIES[family].items()
        for move, (value, _) in known["openings"].items()
    }
    parts = ElementTree.parse(pages.FOLDER / f"{family}-openings.svg").iter(f"{SVG}g")
    shown = {
        name: fills(part, "path")
        for part in parts
        if (name := part.get("id", "")).partition(".")[0] in FAMILIES[family]
    }
    assert shown == expected


@pytest.mark.parametrize("family", ["mnk", "connect"])
def test_the_shares_of_every_board_of_5x5_are_shown(family: str) -> None:
    assert {game for game, _ in panels(f"{family}-shares.svg")} == {
        game for game in FAMILIES[family] if game.startswith(f"{family}:5,5,")
    }


def test_the_time_of_every_game_is_shown() -> None:
    """A mark each in the colour of its family, and one that says which colour that is."""
    ((_, plot),) = panels("times.svg")
    assert sorted(fills(plot, "use").values()) == sorted(len(kept) + 1 for kept in FAMILIES.values())
