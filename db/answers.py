"""Answers to positions: what each is worth and where its moves lead, many positions from one look."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from zermelo.db.source import Source, agreed_entry, endless_of, expanded, lacks, look_up
from zermelo.solver.errors import UnknownPositionError, ZermeloError
from zermelo.solver.game import Game
from zermelo.solver.preference import is_best, preference
from zermelo.solver.shown import repr_html

_AT_ONCE = 512
"""Positions that are looked up together: with all replies to all moves they are some ten thousand."""


class Move(NamedTuple):
    """A legal move, the position after it, and what that is worth to MAX."""

    move: str
    position: str
    value: int
    plies: int | None
    optimal: bool
    """Whether no other move leads to a better value, or to the same one in better time."""
    traps: int | None = None
    """How many of the opponent's replies would be mistakes: worse for the opponent than the position was. None if not asked for."""
    replies: int | None = None
    """How many replies the opponent has; 0 where the game is over or the same side moves again. None if not asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The move as plain values, without what was not asked for."""
        plain = self._asdict()
        if self.traps is None:
            del plain["traps"], plain["replies"]
        return plain


class Answer(NamedTuple):
    """Everything about a position. The value is MAX's; `moves` is best first for the side to move."""

    game: str
    position: str
    ply: int
    to_move: str | None
    terminal: bool
    value: int
    plies: int | None
    best_move: str | None
    moves: list[Move]
    line: list[str] | None = None
    """The best moves to the end of the game, or until a position comes back, where they were asked for."""
    comes_back: bool | None = None
    """Whether the line stops because a position has come back, where it was asked for."""

    def as_dict(self) -> dict[str, Any]:
        """The answer as plain values, ready for JSON."""
        plain = {**self._asdict(), "moves": [move.as_dict() for move in self.moves]}
        if self.line is None:
            del plain["line"], plain["comes_back"]
        return plain

    def by_traps(self) -> "Answer":
        """The same with those moves first, among equally good ones, that ask most of the opponent; asked for with traps."""
        first: dict[tuple[int, int | None], int] = {}
        for place, move in enumerate(self.moves):
            first.setdefault((move.value, move.plies), place)
        return self._replace(
            moves=sorted(self.moves, key=lambda move: (first[move.value, move.plies], *_asks_most(move)))
        )

    def trickiest(self) -> list[Move]:
        """Of the best moves those that ask most of the opponent, in the game's order; asked for with traps."""
        best = [move for move in self.moves if move.optimal]
        most = min(map(_asks_most, best), default=None)
        return [move for move in best if _asks_most(move) == most]

    def _repr_html_(self) -> str | None:
        return repr_html(self)


def _asks_most(move: Move) -> tuple[float, int]:
    """A key that sorts moves, the greatest share of mistakes among the replies first, then the most mistakes."""
    traps, replies = move.traps or 0, move.replies or 0
    return -traps / replies if replies else 0.0, -traps


def comes_back(line: Sequence[Move]) -> bool:
    """Whether a line of `Solution.line` stops because a position has come back, and not because the game is over."""
    return bool(line) and line[-1].plies != 0


def unknown(game: Game[Any, Any], state: Any) -> UnknownPositionError:
    """The error to raise where the solution has no such position."""
    board = game.format(state)
    return UnknownPositionError(
        f"position {board!r} is not in the solution of {game.spec}", game=game.spec, position=board
    )


def answer_each(
    source: Source, game: Game[Any, Any], texts: Iterable[str], *, line: bool, traps: bool
) -> Iterator[Answer | ZermeloError]:
    """The answers to positions in their order, many from one look; for what cannot be answered the reason why."""
    texts = iter(texts)
    while some := list(islice(texts, _AT_ONCE)):
        try:
            found = answer_some(source, game, some, line=line, traps=traps)
        except Exception:  # which one it is, and what those before it are, only shows one by one
            for text in some:
                try:
                    yield answer_some(source, game, [text], line=line, traps=traps)[0]
                except ZermeloError as error:
                    yield error
        else:
            yield from found


def answer_some(
    source: Source, game: Game[Any, Any], texts: Iterable[str], *, line: bool, traps: bool
) -> list[Answer | ZermeloError]:
    """The answers to a few positions from one look; for what is no position of the solution the reason why."""
    found: list[Any] = []
    for text in texts:
        try:
            found.append((game.parse(text),))
        except ZermeloError as error:
            found.append(error)
    states = [one[0] for one in found if isinstance(one, tuple)]
    answers = iter(_answers(source, game, states, traps))
    found = [next(answers) if isinstance(one, tuple) else one for one in found]
    if line:
        known = [answer for answer in found if isinstance(answer, Answer)]
        lines = iter(lines_from(source, game, known))
        found = [_with_line(one, next(lines)) if isinstance(one, Answer) else one for one in found]
    return found


def lines_from(source: Source, game: Game[Any, Any], answers: Sequence[Answer]) -> list[list[Move]]:
    """The moves from each answered position to the end when both sides play the best, a look for each ply."""
    lines: list[list[Move]] = [[] for _ in answers]
    seen = [{answer.position} for answer in answers]
    going = {number: answer for number, answer in enumerate(answers) if answer.moves}
    while going:
        for number, answer in going.items():
            lines[number].append(answer.moves[0])
        after = _answers(source, game, [game.parse(answer.moves[0].position) for answer in going.values()], False)
        reached = dict(zip(going, after, strict=True))
        going = {}
        for number, next_answer in reached.items():
            if isinstance(next_answer, ZermeloError):
                raise next_answer
            if next_answer.moves and next_answer.position not in seen[number]:
                seen[number].add(next_answer.position)
                going[number] = next_answer
    return lines


def _with_line(answer: Answer, line: list[Move]) -> Answer:
    return answer._replace(line=[move.move for move in line], comes_back=comes_back(line))


def _answers(
    source: Source, game: Game[Any, Any], states: Sequence[Any], traps: bool
) -> list[Answer | UnknownPositionError]:
    """The answers to states, each worked out once however often it comes up."""
    below = {state: expanded(game, state) for state in states}
    children = dict.fromkeys(chain.from_iterable(after for _, after in below.values()))
    replies = {child: expanded(game, child)[1] for child in children} if traps else {}
    known = look_up(source, chain(below, children, *replies.values()))
    text = {state: game.format(state) for state in chain(below, children)}
    maximiser, endless = game.players[0], endless_of(source, game)

    mistakes: dict[Any, tuple[int, int]] = {}
    for child, after in replies.items():
        own = known[child]
        values = [(known[reply] or _missing(game, child, reply)).value for reply in after]
        # The best of the replies keeps the value: another one is worse for whoever replies.
        mistakes[child] = sum([own is not None and value != own.value for value in values]), len(values)

    found: dict[Any, Answer | UnknownPositionError] = {}
    for state, (actions, after) in below.items():
        own = known[state]
        if own is None:
            found[state] = unknown(game, state)
            continue
        successors = [known[child] for child in after]
        entry = agreed_entry(source, game, state, own, actions, after, successors)
        to_move = game.to_move(state) if actions else None
        moves = []
        for action, child, one in zip(actions, after, successors, strict=True):
            assert one is not None
            _, value, plies = one
            move = Move(
                game.format_action(action), text[child], value, plies, is_best((own.value, own.plies), (value, plies))
            )
            if traps:
                again = bool(mistakes[child][1]) and game.to_move(child) == to_move
                move = Move(*move[:5], *((0, 0) if again else mistakes[child]))
            moves.append(move)
        maximising = to_move == maximiser
        # Sorting keeps the game's own order among equals, so the first is the best move that is stored.
        moves.sort(key=lambda move: preference(move.value, move.plies, maximising, endless))
        found[state] = Answer(game.spec, text[state], own.ply, to_move, not actions, *entry, moves)
    return [found[state] for state in states]


def _missing(game: Game[Any, Any], state: Any, child: Any) -> Any:
    raise lacks(game, state, child)
