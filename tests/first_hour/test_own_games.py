"""Lines 5 and 6: games of the user's own, their notation and their mistakes."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.first_hour.conftest import Typed
from zermelo.solver.notation import read_action, read_state, write_action, write_state

DOORS = '''
from zermelo import Game

class Doors(Game):
    """Two doors each; whoever goes through the last one wins."""
    initial = "hall"
    ways = {"hall": {"left": "kitchen", "right": "stairs"}, "kitchen": {"out": "garden"}, "stairs": {"up": "attic"}}
    def to_move(self, state): return "MAX" if state == "hall" else "MIN"
    def actions(self, state): return list(self.ways.get(state, {}))
    def result(self, state, action): return self.ways[state][action]
    def is_terminal(self, state): return state not in self.ways
    def utility(self, state, player): return (1 if state == "attic" else -1) * (1 if player == "MAX" else -1)
'''

PILES = """
from zermelo import Game

class Piles(Game):
    "Take (how many from the first, how many from the second), at most two in all; who takes the last wins."
    initial = (3, 2, "MAX")
    def to_move(self, state): return state[2]
    def actions(self, state): return [(a, b) for a in range(3) for b in range(3) if 0 < a + b < 3 and a <= state[0] and b <= state[1]]
    def result(self, state, action): return (state[0] - action[0], state[1] - action[1], "MIN" if state[2] == "MAX" else "MAX")
    def is_terminal(self, state): return state[:2] == (0, 0)
    def utility(self, state, player): return -1 if player == state[2] else 1
"""


def test_text_has_no_quotes(typed: Typed, folder: Path) -> None:
    """States and moves that are texts are typed as they are read."""
    (folder / "doors.py").write_text(DOORS)
    assert typed("zermelo build -g doors:Doors").returncode == 0
    done = typed("zermelo query -g doors:Doors kitchen")
    assert done.stdout.splitlines()[0] == "kitchen"
    assert done.stdout.splitlines()[2:] == [
        "MIN to move: MIN wins in 1 ply. Best move: out.", "  out  MIN wins at once  *"
    ]  # fmt: skip
    assert typed("zermelo query -g doors:Doors --moves 'right up'").stdout.startswith("attic\n")
    assert typed("zermelo check -g doors:Doors").returncode == 0
    wrong = typed("zermelo query -g doors:Doors --moves 'right out'")
    assert (wrong.returncode, wrong.stderr) == (
        2, "zermelo: move 2, 'out', is not possible in stairs: the moves are up\n"
    )  # fmt: skip


def test_tuples_read_back(typed: Typed, folder: Path) -> None:
    """Moves that are tuples, with spaces in them or without, and with commas between them or without."""
    (folder / "piles.py").write_text(PILES)
    assert typed("zermelo build -g piles:Piles").returncode == 0
    for moves in ("(1,1) (2,0)", "(1, 1) (2, 0)", "(1,1), (2,0)", "(1,1),(2,0)"):
        assert typed(f"zermelo query -g piles:Piles --moves '{moves}'").stdout.startswith("(0, 1, 'MAX')\n")
    assert typed("""zermelo query -g piles:Piles "(0,1,'MAX')" """).stdout.startswith("(0, 1, 'MAX')\n")
    wrong = typed("zermelo query -g piles:Piles --moves '(1,1) (2,'")
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "move 2: move '(2,' cannot be read" in wrong.stderr


values = st.recursive(
    st.integers() | st.text() | st.booleans(), lambda inner: st.lists(inner, max_size=3).map(tuple), max_leaves=5
)


@given(values)
def test_the_default_notation_is_exact(value: object) -> None:
    """Whatever is written reads back as itself, of its own type."""
    again = read_state(write_state(value), like=value)
    assert (again, type(again)) == (value, type(value))
    action = read_action(write_action(value))
    if not any(
        sign in repr(value) for sign in (", ", "\\")
    ):  # a space after a comma within a text is not a word anyway
        assert (action, type(action)) == (value, type(value))


BASE = """
from zermelo import Game

class Base(Game):
    initial = (3, "MAX")
    def to_move(self, state): return state[1]
    def actions(self, state): return [1, 2][: state[0]]
    def result(self, state, action):
        if state[0] == 2:
            raise KeyError("two")
        return state[0] - action, "MIN" if state[1] == "MAX" else "MAX"
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return -1 if player == state[1] else 1
"""


@pytest.mark.parametrize("command", ["build", "search", "trace", "tree", "check"])
def test_an_error_in_inherited_rules_has_its_line(command: str, typed: Typed, folder: Path) -> None:
    """The method is in another file than the class that is named."""
    (folder / "base_rules.py").write_text(BASE)
    (folder / "heir.py").write_text("from base_rules import Base\n\nclass Heir(Base):\n    pass\n")
    done = typed(f"zermelo {command} -g heir:Heir")
    place = f"{folder / 'base_rules.py'}:10"
    if command == "check":
        assert (done.returncode, done.stderr) == (1, "")
        assert f"raises KeyError: 'two' (at {place})" in done.stdout
    else:
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1) or command == "trace"
        assert f"zermelo: the rules of 'heir:Heir' failed at {place}, KeyError: 'two'" in done.stderr


WRONG = {
    "nothing": BASE.replace("return [1, 2][: state[0]]", "[1, 2][: state[0]]"),
    "lists": BASE.replace("return state[0] - action, ", "return [state[0] - action] + [").replace(
        '"MAX"\n    def is', '"MAX"]\n    def is'
    ),
}


@pytest.mark.parametrize("command", ["build", "search", "trace", "tree", "check"])
@pytest.mark.parametrize("wrong", WRONG)
def test_rules_that_give_what_cannot_be_used(wrong: str, command: str, typed: Typed, folder: Path) -> None:
    """The error arises in our code: the rules are tried, and the place of the class is named."""
    (folder / f"{wrong}.py").write_text(WRONG[wrong].replace("state[0] == 2", "False"))
    done = typed(f"zermelo {command} -g {wrong}:Base")
    if command == "check":
        assert (done.returncode, done.stderr) == (1, "")
        assert "FAIL" in done.stdout
    elif done.returncode:  # a search need not hash what it looks at
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"{folder / wrong}.py:4" in done.stderr
    else:
        assert (wrong, command) in [("lists", "search"), ("lists", "trace"), ("lists", "tree")]


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        ("x = 1\nclass Broken(:\n", 2, "SyntaxError"),
        ("x = 1\n\ny = z\n", 3, "NameError"),
        (BASE + "1 / 0\n", 14, "ZeroDivisionError"),
    ],
)
def test_a_file_that_does_not_load_names_its_line(
    source: str, line: int, what: str, typed: Typed, folder: Path
) -> None:
    """Before any rule is tried."""
    (folder / "unloadable.py").write_text(source)
    done = typed("zermelo query -g unloadable:Broken")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"{what}: " in done.stderr
    assert f"(at {folder / 'unloadable.py'}:{line})" in done.stderr


CHOMP = """
from zermelo import Game

class Chomp(Game):
    "Bite a square and all right of and below it; whoever takes the poisoned corner loses."
    def __init__(self, width, height):
        self.spec = f"chomp-own:{width},{height}"
        self.initial = ("MAX", (width,) * height)
    def to_move(self, state): return state[0]
    def actions(self, state): return [(row, cell) for row, size in enumerate(state[1]) for cell in range(size)]
    def result(self, state, action):
        rows = tuple(min(size, action[1]) if row >= action[0] else size for row, size in enumerate(state[1]))
        return ("MIN" if state[0] == "MAX" else "MAX", rows)
    def is_terminal(self, state): return not any(state[1])
    def utility(self, state, player): return 1 if player == state[0] else -1
"""


def test_by_path_with_parameters(typed: Typed, folder: Path) -> None:
    """From a file in any folder; what follows the class is what it is called with."""
    (folder / "games").mkdir()
    (folder / "games" / "chomp_own.py").write_text(CHOMP)
    done = typed("zermelo build -g games/chomp_own.py:Chomp:3,2")
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "chomp-own:3,2: MAX wins in 6 plies")
    assert "MAX to move: MAX wins" in typed("zermelo query -g games/chomp_own.py:Chomp:3,2").stdout
    for name, message in {
        "games/none.py:Chomp": "names the file 'games/none.py', and there is none",
        "games/chomp_own.py:Chop": "'games/chomp_own.py' has no 'Chop'",
        "games/chomp_own.py:Chomp": "cannot be made: TypeError",
        "games/chomp_own.py:Chomp:3,x": "cannot be made: TypeError",
    }.items():
        wrong = typed(f"zermelo search -g {name}")
        assert (wrong.returncode, wrong.stdout, wrong.stderr.count("\n")) == (2, "", 1)
        assert message in wrong.stderr


def test_by_its_own_name_from_what_holds_it(typed: Typed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database and the tablebase say where the rules were; only what the user has listed is loaded from there."""
    (folder / "chomp_own.py").write_text(CHOMP)
    assert typed("zermelo build -g chomp_own.py:Chomp:3,2").returncode == 0
    assert typed("zermelo export -g chomp_own.py:Chomp:3,2 -o chomp.ztb").returncode == 0
    asked = [
        "query -g chomp-own:3,2",
        "verify -g chomp-own:3,2",
        "query --db chomp.ztb",
        "verify --db chomp.ztb -g chomp-own:3,2",
    ]
    for line in asked:
        done = typed(f"zermelo {line}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "(they were found as 'chomp_own.py:Chomp:3,2' when it was built)" in done.stderr
        assert "name them with -g chomp_own.py:Chomp:3,2 or in ZERMELO_GAMES" in done.stderr
    monkeypatch.setenv("ZERMELO_GAMES", f"nimble:Nim {folder / 'chomp_own.py'}:Chomp")
    for line in asked:
        assert typed(f"zermelo {line}").returncode == 0, line


PILE = """
from zermelo import Game

class Pile(Game):
    "Take one, two or three; whoever takes the last wins. A state is twice the pile, and one more where MIN is to move."
    compiled = True
    def __init__(self, size):
        self.spec = f"pile:{size}"
        self.initial = 2 * size
    def to_move(self, state): return "MIN" if state & 1 else "MAX"
    def actions(self, state): return [take for take in (1, 2, 3) if 2 * take <= state]
    def result(self, state, action): return (state ^ 1) - 2 * action
    def is_terminal(self, state): return state < 2
    def utility(self, state, player): return 1 if (state == 1) == (player == "MAX") else -1
"""


def test_a_packed_one_by_its_own_name(typed: Typed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever layout it is stored in: of 21, one is taken to leave the other a multiple of four."""
    (folder / "own_pile.py").write_text(PILE)
    built = typed("zermelo build -g own_pile.py:Pile:21 --layout packed")
    assert (built.returncode, built.stdout.splitlines()[0]) == (0, "pile:21: MAX wins in 11 plies")
    assert typed("zermelo export -g own_pile.py:Pile:21 -o pile.ztb").returncode == 0
    asked = ["query -g pile:21", "verify -g pile:21", "query --db pile.ztb"]
    for line in asked:
        done = typed(f"zermelo {line}")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "name them with -g own_pile.py:Pile:21 or in ZERMELO_GAMES" in done.stderr
    monkeypatch.setenv("ZERMELO_GAMES", f"{folder / 'own_pile.py'}:Pile")
    for line in asked:
        assert typed(f"zermelo {line}").returncode == 0, line
    assert "Best move: 1." in typed("zermelo query -g pile:21").stdout


def test_a_database_names_no_file_to_load(typed: Typed, folder: Path) -> None:
    """Rules that a database alone names are not run, though they lie in the current folder."""
    (folder / "chomp_own.py").write_text(CHOMP)
    assert typed("zermelo build -g chomp_own.py:Chomp:2,2").returncode == 0
    (folder / "chomp_own.py").write_text("raise SystemExit('loaded')")
    assert "whose rules are neither built in nor installed" in typed("zermelo query -g chomp-own:2,2").stderr


def test_the_server_finds_listed_rules(typed: Typed, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the commands do."""
    from zermelo.web.shelf import Shelf

    (folder / "chomp_own.py").write_text(CHOMP)
    assert typed("zermelo build -g chomp_own.py:Chomp:3,2").returncode == 0
    monkeypatch.setenv("ZERMELO_GAMES", "chomp_own.py:Chomp")
    shelf = Shelf("zermelo.db")
    with shelf.solution("chomp-own:3,2") as solution:
        assert solution.answer("('MAX', (3, 3))").value == 1
    shelf.close()
