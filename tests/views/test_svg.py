"""The parts of pictures: documents that stand alone whatever they are called, and boards that fit their boxes."""

from xml.etree import ElementTree

from zermelo.views.svg import Box, document, grid, stone

SVG = "{http://www.w3.org/2000/svg}"


def test_a_document_is_labelled_and_escaped() -> None:
    """Its ids begin with its name, so that two pictures on one page do not meet."""
    drawing = ElementTree.fromstring(document('tree "A"', (20, 10.5), "a < b", "& more", "", ["<g/>"], unit="mm"))
    title, description = drawing.find(f"{SVG}title"), drawing.find(f"{SVG}desc")
    assert title is not None and description is not None
    assert (title.text, description.text) == ("a < b", "& more")
    assert drawing.get("aria-labelledby") == "tree-title tree-desc"
    assert (drawing.get("class"), drawing.get("width"), drawing.get("viewBox")) == ('tree "A"', "20mm", "0 0 20 10.5")


def test_a_box_within_a_box() -> None:
    """Its middle stays where it was."""
    box = Box(1, 2, 10, 6)
    inner = box.centred(4, 3)
    assert inner == Box(4, 3.5, 4, 3)
    assert inner.centre == box.centre
    assert str(inner) == 'x="4" y="3.5" width="4" height="3"'


def test_lines_lie_between_the_cells() -> None:
    """One fewer than columns and rows each."""
    assert grid(Box(0, 0, 3, 2), [0, 1, 2], [0, 1]) == "M1 0v2M2 0v2M0 1h3"


def test_stones_are_around_their_centre() -> None:
    """As wide as asked for, however small."""
    assert stone("X", 1, 1, 0.5, 'class="x"') == '<path class="x" d="M0.5 0.5l1 1m0 -1l-1 1"/>'
    ring = ElementTree.fromstring(stone("O", 2, 3, 1, 'class="o"'))
    assert (ring.tag, ring.get("cx"), ring.get("cy"), ring.get("r")) == ("circle", "2", "3", "1.07")
