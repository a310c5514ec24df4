"""A solution that is kept in memory and in no file: what `zermelo.solve` gives."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Any

from zermelo.db.query import Solution
from zermelo.db.source import Entry, Known, Plies, Row, digest_of
from zermelo.solver.census import Category, Tally, take_census
from zermelo.solver.engines import engine_for
from zermelo.solver.errors import RulesError
from zermelo.solver.game import Game
from zermelo.solver.games import load, rules_of
from zermelo.solver.packed.estimate import processors
from zermelo.solver.progress import Progress
from zermelo.solver.zero_sum import utility_for_max


def solve_in_memory(game: str | Game[Any, Any] = "tictactoe", *, progress: Progress | None = None) -> Solution:
    """Solve `game` completely; the solution answers as a stored one does, and lasts as long as the program.

    >>> solution = solve_in_memory("tictactoe")
    >>> solution
    <Solution of mnk:3,3,3: 5,478 positions in memory, value 0 in 9 plies>
    >>> solution["XO./.X./..O"]
    Entry(value=1, plies=3, best_move='a2')
    """
    rules = load(game)
    return Solution(MemorySource(rules, progress), rules)


class MemorySource:
    """Solves a game and answers from what it found; see `Source`."""

    by_class = False

    def __init__(self, game: Game[Any, Any], progress: Progress | None = None) -> None:
        utility = utility_for_max(game)
        [self._entries] = engine_for(game, "rows").groups(game, layout="rows", jobs=processors(), progress=progress)
        census = take_census(game, self._entries)
        for state in census.plies:
            if self._entries[state][2] is None:
                utility(state)  # which refuses what is not zero-sum
        self._game = game
        self._counts = census.counts
        self._plies = {state: census.plies[stands] for state, stands in census.representatives.items()}
        rows = sorted(Row(game.format(state), self._plies[state], *self._entry(state)) for state in self._entries)
        self._rows = {row.board: row for row in rows}
        value, plies, _ = self._entries[game.initial]
        self.facts: dict[str, Any] = {
            "id": None,
            "game": game.spec,
            "layout": "memory",
            "codec": None,
            "can_repeat": census.can_repeat,
            "symmetry": False,
            "status": "complete",
            "value": value,
            "plies": plies,
            "positions": len(self._entries),
            "classes": len(census.plies),
            "games": census.games,
            "tree_nodes": census.tree_nodes,
            "longest": census.longest,
            "mover_wins": census.mover_wins,
            "mover_losses": census.mover_losses,
            "rules_at": rules_of(game),
            "digest": digest_of(rows),
            "zermelo_version": version("zermelo"),
            "started_at": None,
            "finished_at": None,
        }

    def _entry(self, state: Any) -> Entry:
        value, plies, action = self._entries[state]
        return Entry(value, plies, None if action is None else self._game.format_action(action))

    def probe(self, state: Any) -> Entry | None:
        return self._entry(state) if state in self._entries else None

    def find_many(self, texts: Sequence[str]) -> list[Entry | None]:
        """The entries of positions in exactly the notation that answers show, None for any other text."""
        return [Entry(*self._rows[text][2:]) if text in self._rows else None for text in texts]

    def lookup(self, states: Sequence[Any]) -> list[Known | None]:
        return [
            Known(self._plies[state], *self._entries[state][:2]) if state in self._entries else None for state in states
        ]

    def rows(self, plies: Plies = None) -> Iterator[Row]:
        first, last = plies or (0, len(self._rows))
        return (row for row in self._rows.values() if first <= row.ply <= last)

    def counts(self) -> dict[Category, Tally]:
        return self._counts

    def damaged(self, how: str) -> RulesError:
        """What was solved by the same rules can only be wrong where these contradict themselves."""
        return RulesError(f"the rules of {self._game.spec} contradict themselves ({how})")

    def close(self) -> None:
        """There is no file to let go of."""
