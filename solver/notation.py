"""How states and actions are written where a game says nothing of it: as Python writes values, but text without quotes."""

from collections.abc import Hashable

_PYTHONS = frozenset("()[]{},'\"\\")
"""Signs that Python writes values with, so that a word with one of them is not simply text."""


def write_state(state: Hashable) -> str:
    """A state as a line of text. Text stands for itself, unless only quotes can show where it begins and ends.

    >>> write_state("start"), write_state((6, "MAX")), write_state(" "), write_state("'tis")
    ('start', "(6, 'MAX')", "' '", '"\\'tis"')
    """
    return state if isinstance(state, str) and _is_plain(state) else repr(state)


def read_state(text: str, like: Hashable) -> Hashable | None:
    """The state that `text` writes out, of the same type as `like`; None where there is none.

    >>> read_state("start", "a text"), read_state("3", "a text"), read_state("(6,'MAX')", (0, "")), read_state("3", (0, ""))
    ('start', '3', (6, 'MAX'), None)
    """
    text = text.strip()
    if isinstance(like, str) and _is_plain(text):
        return text
    state = _literal(text)
    return state if type(state) is type(like) else None


def write_action(action: Hashable) -> str:
    """An action as a word. Text stands for itself, unless it could be taken for another value.

    >>> write_action("left"), write_action("3"), write_action(3), write_action((6, 3))
    ('left', "'3'", '3', '(6,3)')
    """
    if isinstance(action, str):
        return action if read_action(action) == action else repr(action)
    return repr(action).replace(", ", ",")


def read_action(text: str) -> Hashable | None:
    """The action that `text` writes out, None where there is none.

    >>> read_action("left"), read_action("'3'"), read_action("3"), read_action("(6, 3)"), read_action("(6,")
    ('left', '3', 3, (6, 3), None)
    """
    text = text.strip()
    action = _literal(text)
    is_word = _is_plain(text) and not _PYTHONS & set(text) and len(text.split()) == 1
    return text if action is None and is_word and text != "None" else action


def _is_plain(text: str) -> bool:
    """Whether a text reads back as itself without quotes."""
    return text.isprintable() and text == text.strip() and text[:1] not in ("", "'", '"')


def _literal(text: str) -> Hashable | None:
    """The Python value that `text` writes out, None where it writes out nothing that could be a state."""
    from ast import literal_eval  # slow to import, and boards have a notation of their own

    try:
        value: Hashable = literal_eval(text)
        hash(value)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    return value
