"""Positions that were found, drawn one below the other or as rows."""

import json
from pathlib import Path

from zermelo.db.positions import Position, Selection, positions
from zermelo.db.query import open_solution
from zermelo.views.find import find_lines


def test_each_position_with_its_moves(tictactoe_db: Path) -> None:
    """Those that hold, those that lose, and neither where the game is over."""
    with open_solution(str(tictactoe_db)) as solution:
        game = solution.game
        every = {position.board: position for position in positions(solution, Selection())}
        found: list[Position] = [every["XOX/OO./.X."], every["XXX/OO./..."]]
        lines = "\n".join(find_lines(game, found, "text")).splitlines()
        assert lines[5:9] == ["X to move: draw in 3 plies. Best move: c2.", "  hold: c2", "  lose: a3 c3", ""]
        assert lines[-1] == "The game is over: X wins."
        row = json.loads(next(find_lines(game, found, "json")))
        assert (row["position"], row["moves"], row["losing_moves"]) == ("XOX/OO./.X.", 3, ["a3", "c3"])
        assert list(find_lines(game, [], "csv")) == []
