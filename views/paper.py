"""The paper that maps are drawn on."""

from zermelo.views.svg import Box

PAPERS = {"a4": (210, 279), "a3": (297, 420)}
"""Millimetres. What is called A4 is as wide as A4 and as high as US Letter, so that it prints on both."""


def area_of(paper: str) -> Box:
    """What the boards may take of a page: all but its margins and three lines of text."""
    width, height = PAPERS[paper]
    return Box(6, 27, width - 12, height - 33)
