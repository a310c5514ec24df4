"""A game that people play against a stored solution, or against each other."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from db.query import Answer, Solution
from db.show import move_lines, outcome, verdict
from solver.errors import ActionError
from solver.play import step

_HELP = "Type a move, or hint, undo or quit."


class Match:
    """The positions of a game so far; whoever is not among the `people` is played perfectly."""

    def __init__(
        self, solution: Solution, people: Sequence[str], position: str | None = None, random: Random | None = None
    ) -> None:
        self.game = solution.game
        self.people = people
        self._solution = solution
        self._random = random
        start = self.game.format(self.game.initial) if position is None else position
        self._answers = [solution.answer(start)]

    @property
    def answer(self) -> Answer:
        """Everything about the position that the game has come to."""
        return self._answers[-1]

    @property
    def drawing(self) -> str:
        return self.game.draw(self.game.parse(self.answer.position))

    def play(self, text: str) -> None:
        """Make the move that `text` names, or raise `ActionError` with the reason why not."""
        state: Any = self.game.parse(self.answer.position)
        after = step(self.game, state, text)
        self._answers.append(self._solution.answer(self.game.format(after)))

    def reply(self) -> str:
        """Make a move that nothing is better than: any of them with `random`, else the one that is stored."""
        best = [move for move in self.answer.moves if move.optimal]
        move = self._random.choice(best) if self._random else self.answer.moves[0]
        self._answers.append(self._solution.answer(move.position))
        return move.move

    def undo(self) -> None:
        """Go back to before the last move that a person made."""
        turns = [i for i, answer in enumerate(self._answers[:-1]) if answer.to_move in self.people]
        if not turns:
            raise ActionError("there is no move of yours to undo")
        del self._answers[turns[-1] + 1 :]


def converse(match: Match, ask: Callable[[str], str | None], tell: Callable[[str], object]) -> None:
    """Play the match: `ask` shows a prompt and gives a line, None when there are no more; `tell` shows lines."""
    tell(match.drawing)
    while not match.answer.terminal:
        player = match.answer.to_move
        if player not in match.people:
            tell(f"\n{player} plays {match.reply()}.\n{match.drawing}")
            continue
        line = ask(f"{player} to move: ")
        word = "quit" if line is None else line.strip()
        try:
            if word.lower() == "quit":
                tell("The game is left unfinished.")
                return
            if word.lower() == "hint":
                tell("\n".join([verdict(match.game, match.answer), *move_lines(match.game, match.answer)]))
            elif word.lower() in ("", "help", "?"):
                tell(_HELP)
            elif word.lower() == "undo":
                match.undo()
                tell(f"\n{match.drawing}")
            else:
                match.play(word)
                tell(f"\n{match.drawing}")
        except ActionError as error:
            tell(f"{error}. {_HELP}")
    tell(f"\nThe game is over: {outcome(match.game, match.answer.value, 0)}.")
