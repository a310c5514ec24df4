"""What a notebook shows of an object: a place for what draws, which lies in a room above what is drawn.

`zermelo` itself, which is imported before any of its rooms, puts the drawing of `views` here; the rooms below know only
this place. It is filled whenever anything of Zermelo is imported, so nothing else is imported here.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

draw: "Callable[[object], str | None] | None" = None
"""Makes HTML of an object."""


def repr_html(shown: object) -> str | None:
    """A class says `_repr_html_ = repr_html`, and a notebook shows its objects as `views` draws them."""
    return draw(shown) if draw else None
