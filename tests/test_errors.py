"""Errors of the library carry facts, and name no option and no command."""

import ast
import inspect
import pickle
import re
from pathlib import Path

import pytest

from zermelo.solver import errors
from zermelo.solver.errors import ZermeloError

ROOT = Path(__file__).parent.parent
FILES = sorted(path for room in ("solver", "db", "views", "web") for path in (ROOT / room).rglob("*.py"))
ERRORS = {
    name: error
    for name, error in vars(errors).items()
    if inspect.isclass(error) and issubclass(error, ZermeloError) and error is not ZermeloError
}


def words_of_the_command_line(source: str) -> list[str]:
    """Texts in a program that name an option or a command, its docstrings aside."""
    tree = ast.parse(source)
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
        if re.search(r"`zermelo|pip install|(?<![\w-])(--[a-z]|-[a-z](?![\w-]))", node.value)
    ]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_library_names_no_option_and_no_command(path: Path) -> None:
    """Whoever calls it from Python has none."""
    assert not words_of_the_command_line(path.read_text())


@pytest.mark.parametrize(
    "message",
    ['"see `zermelo verify`"', 'f"{db!r} is old: see `zermelo list`"', '"add --yes"', '"use -o"', '"pip install zermelo"'],
)  # fmt: skip
def test_such_words_would_be_found(message: str) -> None:
    """In any part of a text, and only where it is not a docstring."""
    assert words_of_the_command_line(f"def f(db):\n    raise GameError('x', {message})\n")
    assert not words_of_the_command_line("def f():\n    'Use -o.'\n    return 'a1-b2 - {-1} -- X'\n")


def facts_of(error: type) -> set[str]:
    """The facts that an error's class lists."""
    return {name for kind in error.__mro__ for name in inspect.get_annotations(kind) if issubclass(kind, ZermeloError)}


def test_every_error_carries_its_facts() -> None:
    """All that its class lists and no others, wherever it is made; and each class is made somewhere."""
    made = set()
    for path in [*FILES, *(ROOT / "commands").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ERRORS:
                given = {keyword.arg for keyword in node.keywords}
                assert given == facts_of(ERRORS[node.func.id]), f"{path}:{node.lineno}"
                made.add(node.func.id)
    assert made == ERRORS.keys()


def test_an_error_is_a_builtin_one_too_and_can_be_pickled() -> None:
    """Whatever the builtin error makes of its arguments, message and facts come back from another process."""
    for error in ERRORS.values():
        facts = dict.fromkeys(facts_of(error), "fact")
        again = pickle.loads(pickle.dumps(error("a message", **facts)))
        assert (type(again), str(again), vars(again)) == (error, "a message", facts)
        assert [kind for kind in error.__mro__ if kind.__module__ == "builtins" and kind not in Exception.__mro__]
