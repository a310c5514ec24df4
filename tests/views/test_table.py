"""Tables: aligned for people, exact for programs."""

from zermelo.views.table import table

ROWS = [
    {"game": "mnk:3,3,3", "value": 0, "positions": 5478, "symmetry": False, "digest": None},
    {"game": "nim:1", "value": -1, "positions": 2, "symmetry": True, "digest": "e3b0"},
]


def test_for_people() -> None:
    """Numbers to the right with their thousands marked, words to the left, a dash for what is not known."""
    assert list(table(ROWS, tuple(ROWS[0]), "text")) == [
        "game       value  positions  symmetry  digest",
        "mnk:3,3,3      0      5,478  no        -",
        "nim:1         -1          2  yes       e3b0",
    ]


def test_for_programs() -> None:
    """CSV has the columns that were asked for, JSON all there is."""
    assert list(table(ROWS, ("game", "symmetry", "digest"), "csv")) == [
        "game,symmetry,digest",
        '"mnk:3,3,3",0,',
        "nim:1,1,e3b0",
    ]
    assert next(table(ROWS, (), "json")) == (
        '{"game": "mnk:3,3,3", "value": 0, "positions": 5478, "symmetry": false, "digest": null}'
    )
    assert list(table([{"moves": ["a1", "b2"]}], ("moves",), "csv")) == ["moves", "a1 b2"]


def test_no_rows() -> None:
    """Only CSV has a header then."""
    assert [list(table([], ("game",), format_)) for format_ in ("text", "json", "csv")] == [[], [], ["game"]]
