"""Pictures in the format that is wanted: SVG as it is drawn, and PNG and PDF that CairoSVG makes of it."""

import io
from collections.abc import Sequence

from zermelo.solver.errors import MissingPackageError, OperationError

PICTURES = ("svg", "png", "pdf")
_PIXELS = 2
"""How many pixels of a PNG one of the drawing takes, along each side."""


def pictured(pages: Sequence[str], format_: str) -> bytes:
    """The bytes of a picture that was drawn as SVG; a PDF may have several pages.

    >>> pictured(["<svg/>"], "svg")
    b'<svg/>\\n'
    """
    if format_ == "svg":
        return "\n".join(page.rstrip("\n") for page in pages).encode() + b"\n"
    try:
        import cairosvg
    except ModuleNotFoundError as error:
        raise MissingPackageError(
            f"a picture in {format_} needs the Python package {error.name}, of the extra 'pictures'",
            package=error.name,
            extra="pictures",
        ) from error
    except OSError as error:
        raise OperationError(
            f"a picture in {format_} needs the library Cairo, which is not installed: {error}"
        ) from error
    if format_ == "png":
        return bytes(cairosvg.svg2png(bytestring=pages[0].encode(), scale=_PIXELS, background_color="white"))
    made = [bytes(cairosvg.svg2pdf(bytestring=page.encode())) for page in pages]
    return made[0] if len(made) == 1 else _bound(made)


def _bound(pages: Sequence[bytes]) -> bytes:
    """One PDF of several."""
    from pypdf import PdfReader, PdfWriter

    writer, stream = PdfWriter(), io.BytesIO()
    for page in pages:
        writer.append(PdfReader(io.BytesIO(page)))
    writer.write(stream)
    return stream.getvalue()
