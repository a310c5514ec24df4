"""A game that people play against a stored solution, or against each other."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from zermelo.db.answers import Answer
from zermelo.db.query import Solution
from zermelo.solver.errors import ActionError
from zermelo.solver.play import step
from zermelo.views.answer import answer_lines
from zermelo.views.words import outcome_text, verdict

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
        self._answers = [solution.answer(start, traps=True)]

    @property
    def answer(self) -> Answer:
        """Everything about the position that the game has come to."""
        return self._answers[-1]

    @property
    def repeated(self) -> bool:
        """Whether the position has come up for the third time, which ends the game: it could go on for ever."""
        return [answer.position for answer in self._answers].count(self.answer.position) >= 3

    @property
    def drawing(self) -> str:
        return self.game.draw(self.game.parse(self.answer.position))

    def play(self, text: str) -> None:
        """Make the move that `text` names, or raise `ActionError` with the reason why not."""
        state: Any = self.game.parse(self.answer.position)
        after = step(self.game, state, text)
        self._answers.append(self._solution.answer(self.game.format(after), traps=True))

    def reply(self) -> str:
        """Make a move that nothing is better than: with `random` one of those that ask most, else the one that is stored."""
        move = self._random.choice(self.answer.trickiest()) if self._random else self.answer.moves[0]
        self._answers.append(self._solution.answer(move.position, traps=True))
        return move.move

    def undo(self) -> None:
        """Go back to before the last move that a person made."""
        turns = [i for i, answer in enumerate(self._answers[:-1]) if answer.to_move in self.people]
        if not turns:
            raise ActionError("there is no move of yours to undo")
        del self._answers[turns[-1] + 1 :]


def introduction(match: Match) -> str:
    """Who plays, and what can be typed."""
    who = f"You play {match.people[0]}." if len(match.people) == 1 else f"{' and '.join(match.people)} take turns."
    actions = match.game.actions(match.game.parse(match.answer.position))
    example = f", such as {match.game.format_action(actions[0])}" if actions else ""
    return f"{who} Type a move{example}, hint to see what every move leads to, undo to take a move back, or quit."


def converse(match: Match, ask: Callable[[str], str | None], tell: Callable[[str], object]) -> None:
    """Play the match: `ask` shows a prompt and gives a line, None when there are no more; `tell` shows lines."""
    tell(f"{introduction(match)}\n\n{match.drawing}")
    while not (match.answer.terminal or match.repeated):
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
                tell("\n".join(answer_lines(match.game, match.answer)))
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
    if match.answer.terminal:
        tell(f"\n{verdict(match.game, match.answer)}")
    else:
        words = outcome_text(match.game, match.game.endless, 0)
        tell(f"\nThe game is over: the same position has come up for the third time, {words}.")
