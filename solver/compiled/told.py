"""Why a verb does not compile, in a line that a person can use: the verb, the place in the file, what to write instead."""

import os
import re
import types
from typing import Any

from zermelo.solver.compiled.verbs import VERBS, Rules
from zermelo.solver.errors import CompileError

_INSTEAD = (
    (r"a whole number is wanted here, not (?P<name>\S+)", "it gives {name} where a whole number is wanted",
     "states, actions and utilities are whole numbers: // divides, / makes fractions"),
    (r"Unknown attribute '(?P<name>\w+)' of type", "", "{what}"),
    (r"Untyped global name '(?P<name>\w+)'", "", "{what}"),
    (r"(?:NameError: )?name '(?P<name>\w+)' is not defined", "'{name}' is not defined", "define it in the module"),
    (
        r"Cannot unify|Can't unify",
        "something is of one type in one case and of another in another",
        "give whole numbers in every case",
    ),
    (
        r"cannot type infer|cannot infer|untyped list|[Uu]ndecided type|empty list|imprecise type|Type of variable",
        "it cannot be told what this holds",
        "start a list with what goes into it, such as [move for move in ...]",
    ),
    (r"DictType|\bdict\b|reflected set|frozenset", "dictionaries and sets are not compiled", "use a tuple, a list or bits of a number"),
    (r"yield|[Gg]enerator", "generators are not compiled", "make a list"),
    (r"super", "super() is not compiled", "write the verb out, or call a function of the module"),
    (r"static_getitem|getitem.*Tuple|Tuple.*getitem", "a tuple of unlike things has no item by a number that changes",
     "make its items alike, all of them numbers or tuples of one length, or use a NumPy array"),
    (r"\btry\b|SETUP_FINALLY|exception handling|except clause", "errors are not caught in compiled code", "decide with if"),
    (r"format\(|unicode_type|FORMAT_VALUE|f-string", "texts are not made in compiled code", "work with whole numbers, and make texts in format and draw"),
)  # fmt: skip
"""What Numba says, what that means, and what to write instead."""


def explained(error: Exception, rules: Rules) -> CompileError:
    """The error to raise where Numba raised one."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    function, line = _place(text, rules)
    why, instead = _reason(text, rules)
    spec = rules.game.spec
    where = ""
    verb = None
    if function is not None:
        verb = _verb_of(function, rules)
        where = f" {verb}, line {line} of {os.path.basename(function.__code__.co_filename)}:"
    return CompileError(
        f"game {spec!r} cannot be compiled:{where} {why}: {instead}",
        game=spec,
        verb=verb,
        file=None if function is None else function.__code__.co_filename,
        line=line,
    )


def _place(text: str, rules: Rules) -> tuple[types.FunctionType | None, int | None]:
    """The function and the line that the innermost complaint is about."""
    found = [
        (match[1], int(match[2])) for match in re.finditer(r"(?: at |File \")([^\"\n]+?)(?:\", line | \()(\d+)", text)
    ]
    for path, line in found:
        for function in rules.originals:
            code = function.__code__
            if os.path.basename(path) == os.path.basename(code.co_filename) and line in _lines(code):
                return function, line
    return None, None


def _lines(code: types.CodeType) -> set[int]:
    lines = {line for _, _, line in code.co_lines() if line is not None}
    return lines.union(*(_lines(constant) for constant in code.co_consts if isinstance(constant, types.CodeType)))


def _verb_of(function: types.FunctionType, rules: Rules) -> str:
    """What to call a function: the verb that it is, or its own name."""
    return next((verb for verb in VERBS if getattr(type(rules.game), verb, None) is function), function.__name__)


def _reason(text: str, rules: Rules) -> tuple[str, str]:
    for pattern, why, instead in _INSTEAD:
        if match := re.search(pattern, text):
            name = match.groupdict().get("name") or ""
            if instead == "{what}":
                return _unusable(name, rules)
            return why.format(name=name), instead
    first = next((line for line in text.splitlines() if line.strip() and "nopython mode" not in line), text)
    return first.strip(" -"), "write it with whole numbers, tuples, lists and arrays alone"


def _unusable(name: str, rules: Rules) -> tuple[str, str]:
    """About an attribute, or something of the module, that compiled code cannot use."""
    missing: Any = object()
    value = getattr(rules.game, name, missing)
    called = f"self.{name}"
    if value is missing:
        called = name
        value = next((f.__globals__[name] for f in rules.originals if name in f.__globals__), missing)
    if value is missing:
        return f"self.{name} is not there", "set it in __init__"
    kind = type(value).__name__
    if isinstance(value, int):
        return f"{called} is {value}, which does not fit into 64 bits", "use smaller numbers"
    return f"{called} is a {kind}", "compiled verbs use whole numbers, texts, tuples of these, and NumPy arrays"
