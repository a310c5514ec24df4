"""The files of the explorer page; only these are ever served."""

from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
_ALSO = {"index.html": "/", "docs.html": "/docs"}


class File(NamedTuple):
    paths: list[str]
    content: bytes
    media_type: str


def page_files() -> list[File]:
    """Every file of the page, read once: what is not in this list has no address."""
    files = []
    for path in sorted(FOLDER.iterdir()):
        if path.suffix in _TYPES:
            also = [_ALSO[path.name]] if path.name in _ALSO else []
            files.append(File([f"/{path.name}", *also], path.read_bytes(), _TYPES[path.suffix]))
    return files
