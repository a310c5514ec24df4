"""Whether a game's rules hold what every result rests on, tried on every position that play can reach."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from zermelo.solver.blame import described, files_of
from zermelo.solver.compiled.engine import is_compiled
from zermelo.solver.errors import GameError
from zermelo.solver.game import Game
from zermelo.solver.games import load
from zermelo.solver.progress import Progress

AnyGame = Game[Any, Any]
_Successors = dict[Any, list[Any] | None]
"""What the actions of each position lead to; None where the rules fail."""
_REPORT_EVERY = 256

RULES = {
    "notation": "positions and moves read back as they were written",
    "actions": "an unfinished position has actions, all different, and a finished one has none",
    "turns": "the player to move is one of the players",
    "results": "asking twice gives the same answer",
    "utilities": "utilities are whole numbers within the bounds, and those of two players add up to 0",
    "evaluation": "a guess lies strictly between the bounds",
    "symmetries": "symmetries are a group, and keep the turn, the moves, the end and the utilities",
    "compiled": "compiled verbs say what plain ones do",
}
"""What is tried, by name; the last only of games that are compiled, and where they can be."""


class Failure(NamedTuple):
    """A rule that does not hold."""

    rule: str
    position: str
    """The first position where it shows."""
    reason: str
    times: int
    """How often it shows."""


class Verdict(NamedTuple):
    """What was tried, and what went wrong."""

    positions: int
    finished: int
    complete: bool
    """Whether every position that play can reach was tried."""
    failures: list[Failure]
    comes_back: str | None = None
    """The first position found that play can come back to, which is no fault; None where there was none."""


class _Failures:
    """Collects what goes wrong: the first position of each rule, and how many there are."""

    def __init__(self, game: AnyGame) -> None:
        self._format = game.format
        self._files = files_of(game)
        self._first: dict[str, tuple[str, str]] = {}
        self._times: Counter[str] = Counter()

    def note(self, rule: str, state: Any, reason: str) -> None:
        self._times[rule] += 1
        if rule not in self._first:
            self._first[rule] = self.named(state), reason

    def named(self, state: Any) -> str:
        """The position in the game's notation, as far as that works."""
        try:
            return str(self._format(state))
        except Exception:
            return repr(state)

    def collect(self, rule: str, state: Any, reasons: Iterable[str]) -> None:
        """Note every reason, and an error of the game's own among them."""
        try:
            for reason in reasons:
                self.note(rule, state, reason)
        except Exception as error:
            self.error(rule, state, error)

    def error(self, rule: str, state: Any, error: Exception) -> None:
        self.note(rule, state, f"raises {described(error, self._files)}")

    def all(self) -> list[Failure]:
        return [Failure(rule, *self._first[rule], self._times[rule]) for rule in RULES if rule in self._first]


def check_game(game: str | AnyGame, limit: int = 100_000, progress: Progress | None = None) -> Verdict:
    """Walk the positions of `game`, `limit` of them at the most, and try every rule on each.

    >>> check_game("nim:1,2")
    Verdict(positions=8, finished=2, complete=True, failures=[], comes_back=None)
    """
    game = load(game)
    failures = _Failures(game)
    successors, complete, again = _walk(game, limit, failures)
    if again and game.bounds and not game.bounds[0] <= game.endless <= game.bounds[1]:
        failures.note(
            "utilities", again[0], f"is where endless play is worth {game.endless}, outside the bounds {game.bounds}"
        )
    for done, (state, below) in enumerate(successors.items()):
        if progress and not done % _REPORT_EVERY:
            progress(done, len(successors))
        failures.collect("notation", state, _notation(game, state))
        failures.collect("actions", state, _actions(game, state))
        failures.collect("turns", state, _turns(game, state))
        failures.collect("results", state, _results(game, state))
        if below:
            failures.collect("evaluation", state, _evaluation(game, state))
        elif below is not None:
            failures.collect("utilities", state, _utilities(game, state))
        failures.collect("symmetries", state, _symmetries(game, state, successors if complete else None))
    if is_compiled(game) and not failures.all():
        _hold_compiled(game, list(successors), failures)
    finished = sum(below == [] for below in successors.values())
    return Verdict(len(successors), finished, complete, failures.all(), failures.named(again[0]) if again else None)


def _hold_compiled(game: AnyGame, states: list[Any], failures: _Failures) -> None:
    """Note where a compiled verb says something else than the plain one does."""
    from zermelo.solver.compiled.agreement import disagreements
    from zermelo.solver.compiled.engine import expander_of

    try:
        for state, verb, reason in disagreements(expander_of(game), states):
            failures.note("compiled", state, f"has {verb} that {reason}")
    except GameError as error:
        failures.note("compiled", game.initial, f"is where it begins, but {error}")


def _walk(game: AnyGame, limit: int, failures: _Failures) -> tuple[_Successors, bool, list[Any]]:
    """Every position with what its actions lead to, whether that is all of them, and the first that comes back, if any.

    The walk is depth first, so that a position which comes back is found among those under way.
    """
    again: list[Any] = []
    successors: _Successors = {}
    under_way: dict[Any, None] = {}
    back = object()
    stack: list[Any] = [game.initial]
    complete = True
    while stack:
        state = stack.pop()
        if state is back:
            under_way.popitem()
        elif state in under_way:
            again = again or [state]
        elif state in successors:
            pass
        elif len(successors) == limit:
            complete = False
        else:
            below: list[Any] | None
            try:
                over = game.is_terminal(state)
                below = [] if over else [game.result(state, action) for action in game.actions(state)]
                hash(tuple(below))
            except Exception as error:
                failures.error("results", state, error)
                below, complete = None, False
            successors[state] = below
            under_way[state] = None
            stack.append(back)
            stack += reversed(below or ())
    return successors, complete, again


def _notation(game: AnyGame, state: Any) -> Iterator[str]:
    text = game.format(state)
    if "\n" in text:
        yield f"is written {text!r}, on more than one line"
    if (again := game.parse(text)) != state:
        yield f"is written {text!r}, which reads as {again!r} and not as {state!r}"
    game.draw(state)
    for action in game.actions(state):
        word = game.format_action(action)
        if not word or word.split() != [word]:
            yield f"has the move {action!r} written {word!r}, which is not a word"
        elif (back := game.parse_action(word)) != action:
            yield f"has the move {action!r} written {word!r}, which reads as {back!r}"


def _actions(game: AnyGame, state: Any) -> Iterator[str]:
    actions = game.actions(state)
    if game.is_terminal(state):
        if actions:
            yield f"is finished, but has the action {actions[0]!r}"
    elif not actions:
        yield "is not finished, but has no action"
    if twice := [action for action, times in Counter(actions).items() if times > 1]:
        yield f"has the action {twice[0]!r} twice"
    if None in actions:
        yield "has the action None, which stands for no action"


def _turns(game: AnyGame, state: Any) -> Iterator[str]:
    player = game.to_move(state)
    if player not in game.players:
        yield f"is {player!r}'s turn, who is not one of the players {', '.join(map(repr, game.players))}"


def _results(game: AnyGame, state: Any) -> Iterator[str]:
    asked: list[tuple[str, Callable[[], Any]]] = [
        ("is_terminal", lambda: bool(game.is_terminal(state))),
        ("to_move", lambda: game.to_move(state)),
        ("actions", lambda: list(game.actions(state))),
    ]
    if not game.is_terminal(state):
        asked.append(("result", lambda: [game.result(state, action) for action in game.actions(state)]))
    for verb, answer in asked:
        if answer() != answer():
            yield f"has two answers to {verb}"


def _utilities(game: AnyGame, state: Any) -> Iterator[str]:
    if not game.is_terminal(state):
        return
    utilities = [game.utility(state, player) for player in game.players]
    if utilities != [game.utility(state, player) for player in game.players]:
        yield "has two answers to utility"
    if wrong := [utility for utility in utilities if type(utility) is not int]:
        yield f"has the utility {wrong[0]!r}, which is not a whole number"
    elif len(utilities) == 2 and utilities[0] != -utilities[1]:
        yield f"has the utilities {utilities[0]} and {utilities[1]}, which do not add up to 0"
    if game.bounds and not game.bounds[0] <= utilities[0] <= game.bounds[1]:
        yield f"has the utility {utilities[0]}, outside the bounds {game.bounds}"


def _evaluation(game: AnyGame, state: Any) -> Iterator[str]:
    guess = game.evaluate(state)
    if game.bounds and game.bounds[0] < game.bounds[1] and not game.bounds[0] < guess < game.bounds[1]:
        yield f"is guessed at {guess!r}, which is not strictly between the bounds {game.bounds}"


def _symmetries(game: AnyGame, state: Any, reachable: _Successors | None) -> Iterator[str]:
    images = [symmetry(state) for symmetry in game.symmetries]
    if state not in images:
        yield "is moved by every symmetry: the identity is missing"
    if state == game.initial and any(image != state for image in images):
        yield "is the start, and a symmetry must leave it as it is"
    for symmetry, image in zip(game.symmetries, images, strict=True):
        if reachable is not None and image not in reachable:
            yield f"has the image {image!r}, which play cannot reach"
        elif {other(image) for other in game.symmetries} != set(images):
            yield f"and its image {image!r} have different images: the symmetries are not a group"
        elif game.is_terminal(image) != game.is_terminal(state):
            yield f"and its image {image!r} are not both finished"
        elif game.is_terminal(state):
            if any(game.utility(image, player) != game.utility(state, player) for player in game.players):
                yield f"and its image {image!r} have different utilities"
        elif game.to_move(image) != game.to_move(state):
            yield f"and its image {image!r} are different players' turns"
        else:
            after = Counter(symmetry(game.result(state, action)) for action in game.actions(state))
            if after != Counter(game.result(image, action) for action in game.actions(image)):
                yield f"and its image {image!r} lead to positions that are not each other's images"
