"""What the screen says is what the database says: random positions of many games, own games among them."""

import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.browser import opened
from tests.web.conftest import running
from zermelo.db.answers import Answer
from zermelo.db.query import Solution, open_solution
from zermelo.db.store import build
from zermelo.solver.games import load
from zermelo.solver.games.tree import read_tree

BUILT_IN = ("mnk:3,3,3", "mnk:4,3,3", "mnk:3,3,3,misere", "connect:4,3,3", "nim:3,4,5", "morris:three", "dodgem:3")
COUNT = 300 if os.environ.get("ZERMELO_FUZZ") else 40
"""Positions of each game."""
OWN = """
from zermelo import Game

class Heap(Game):
    '''Take one to three; whoever takes the last gets what is left of ten.'''
    initial = (21, 0)
    def to_move(self, state): return self.players[state[1] % 2]
    def actions(self, state): return [take for take in (1, 2, 3) if take <= state[0]]
    def result(self, state, action): return (state[0] - action, state[1] + 1)
    def is_terminal(self, state): return state[0] == 0
    def utility(self, state, player): return (10 - state[1]) * (-1 if player == self.to_move(state) else 1)
"""


def words(game: Any, value: int, plies: int | None, payoffs: bool) -> str:
    """A value in words of this test's own."""
    first, second = game.players
    known = {1: f"{first} wins", 0: "draw", -1: f"{second} wins"}
    said = f"value {value} for {first}" if payoffs or value not in known else known[value]
    if plies is None:
        return f"{said}: play need not end"
    return said if plies == 0 else f"{said} in {plies} {'ply' if plies == 1 else 'plies'}"


def walk(solution: Solution, count: int) -> list[Answer]:
    """Positions of games played at random."""
    chance = random.Random(300)
    found: dict[str, Answer] = {}
    for _ in range(20 * count):
        answer = solution.answer(solution.game.format(solution.game.initial))
        for _ in range(chance.randrange(24)):
            if answer.moves:
                answer = solution.answer(chance.choice(answer.moves).position)
        found[answer.position] = solution.answer(answer.position, traps=True)
        if len(found) == count:
            break
    return list(found.values())


SHOWN = """async ([game, positions]) => {
    const found = [];
    for (const position of positions) {
        location.hash = '#game=' + encodeURIComponent(game) + '&from=' + encodeURIComponent(position);
        const until = Date.now() + 30000;
        while (!document.title.endsWith(': ' + position + ' - Zermelo') && Date.now() < until) {
            await new Promise((done) => setTimeout(done, 2));
        }
        const labels = (name) => [...document.querySelectorAll(name)].map((one) => one.getAttribute('aria-label'));
        found.push([document.getElementById('value').textContent, labels('.move-button'), labels('.cell')]);
    }
    return found;
}"""
"""Shows one position after the other, and gives what the screen then says."""


def told(buttons: list[str], cells: list[str]) -> dict[str, str]:
    """What each move is said to lead to: by the list where there is one, else by the cells."""
    if buttons:
        pairs = [one.partition(". ") for one in buttons]
        return {name: said.partition(" plays: ")[2] for name, _, said in pairs}
    matches = (re.fullmatch(r"(\S+), .*?\. \S+ plays(?: (\S+))?: (.*)", one) for one in cells)
    return {match[2] or match[1]: match[3] for match in matches if match}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BUILT_IN, "heap:Heap", "tree:book.json"])
def test_random_positions(name: str, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many of each game, or all that there are: the value, and what every move leads to."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "heap.py").write_text(OWN)
    (tmp_path / "book.json").write_text(
        '{"root": {"name": "A", "moves": {"l": {"name": "B", "moves": {"x": 3, "y": -1}}, "r": 1}}}'
    )
    game = read_tree("book.json") if name.startswith("tree") else load(name)
    db = str(tmp_path / "zermelo.db")
    build(db, game)
    payoffs = name in ("heap:Heap", "tree:book.json")
    own = ("-g", name) if payoffs else ()
    with (
        running(Path(db), tmp_path / "server.log", *own) as server,
        opened(browser, server.address) as page,
        open_solution(db, game) as solution,
    ):
        page.goto(server.address)
        answers = walk(solution, COUNT)
        assert len(answers) > 2
        expect(page.locator("#turn")).not_to_be_empty()
        shown = page.evaluate(SHOWN, [name, [answer.position for answer in answers]])
        for answer, (value, buttons, cells) in zip(answers, shown, strict=True):
            said = words(game, answer.value, answer.plies, payoffs)
            assert value == f"{said[0].upper()}{said[1:]}.", answer.position
            right = {
                move.move: words(game, move.value, move.plies, payoffs)
                + (" at once" if move.plies == 0 else "")
                + (", best" if move.optimal else "")
                + (f", {move.traps} of {move.replies} replies are mistakes" if move.replies else "")
                for move in answer.moves
            }
            assert told(buttons, cells) == right, answer.position
