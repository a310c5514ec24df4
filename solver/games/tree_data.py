"""The data of a tree's file, JSON or YAML: read within limits, so that no small file takes hours or all memory."""

import stat
from pathlib import Path
from typing import Any

from zermelo.solver.errors import GameError, MissingPackageError, quoted, size_text

LARGEST = {"JSON": 10_000_000, "YAML": 200_000}
"""How many bytes a file may have; YAML takes a hundred times as long to read."""


def read_data(path: Path, spec: str) -> Any:
    """What the file of the game `spec` says, as plain data."""
    language, decode = ("YAML", _from_yaml) if path.suffix in (".yaml", ".yml") else ("JSON", _from_json)
    try:
        # Before it is opened: a pipe would be waited for, and a device may never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise GameError(f"the file of game {spec!r} cannot be read: it is no regular file")
        with path.open("rb") as file:
            data = file.read(LARGEST[language] + 1)
        text = data.decode()
    except UnicodeDecodeError as error:
        raise GameError(f"the file of game {spec!r} cannot be read: it is not UTF-8 text") from error
    except (OSError, ValueError) as error:
        if isinstance(error, GameError):
            raise
        raise GameError(
            f"the file of game {spec!r} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
    if len(data) > LARGEST[language]:
        larger = ": a larger one must be JSON" if language == "YAML" else ""
        raise GameError(
            f"the file of game {spec!r} is larger than the {size_text(LARGEST[language])} of {language}{larger}"
        )
    try:
        return decode(text, spec)
    except RecursionError:
        raise GameError(f"game {spec!r} is nested too deeply to be read") from None
    except (GameError, MissingPackageError):
        raise
    except ValueError as error:  # of the syntax, or of a number or date that cannot be
        raise GameError(f"game {spec!r} is not {language}: {' '.join(str(error).split())}") from error


def _object(pairs: list[tuple[Any, Any]], spec: str) -> dict[Any, Any]:
    """What an object holds; JSON and YAML would silently keep the last of two moves of the same name."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if isinstance(key, list | dict | set):
            raise GameError(f"game {spec!r} has {quoted(type(key).__name__)} for the name of something: write a text")
        if key in found:
            raise GameError(f"game {spec!r} has {quoted(str(key))} twice in one node: each needs a name of its own")
        found[key] = value
    return found


def _from_json(text: str, spec: str) -> Any:
    import json

    return json.loads(text, object_pairs_hook=lambda pairs: _object(pairs, spec))


def _from_yaml(text: str, spec: str) -> Any:
    try:
        import yaml
    except ImportError:
        raise MissingPackageError(
            f"game {spec!r} is YAML, not JSON, and needs the Python package PyYAML, of the extra 'yaml'",
            package="PyYAML",
            extra="yaml",
        ) from None

    class Loader(yaml.SafeLoader):
        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
            if not isinstance(node, yaml.MappingNode):
                raise ValueError(f"{node.tag} is not a mapping{node.start_mark}")
            pairs = [
                (self.construct_object(key, deep=True), self.construct_object(value, deep=True))
                for key, value in node.value
            ]
            return _object(pairs, spec)

    try:
        return yaml.load(text, Loader)
    except (yaml.YAMLError, AttributeError, TypeError, LookupError) as error:
        # PyYAML trusts a tag: the value under it need not be what it says.
        raise ValueError(str(error) or "a value is not what its tag says") from error
