"""Many positions at once, against what that cannot do without: plain `sqlite3` and `json` for the API, one position for `query`."""

import http.client
import json
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.measure import Line, compare, run_process
from bench.web import free_port, wait_for
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.games.mnk import MNK

_POSITIONS = 10_000
_PIPED = 1_000
_AT_ONCE = 500
_SELECT = "select board, ply, value, plies, best_move from positions where solution_id = 1 and board in ({})"


def lines(rounds: int) -> Iterator[Line]:
    """Ten thousand positions of tic-tac-toe over HTTP, and a thousand through a pipe."""
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "zermelo.db"))
        build(path, MNK(3, 3, 3))
        with open_solution(path) as solution:
            boards = list(solution)
        chance = random.Random(15)
        yield _posted(path, chance.choices(boards, k=_POSITIONS), rounds)
        yield _piped(path, chance.sample(boards, _PIPED), rounds)


def _posted(path: str, boards: list[str], rounds: int) -> Line:
    body = json.dumps({"positions": boards})
    port = free_port()
    command = [sys.executable, "-m", "zermelo", "serve", "--db", path, "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)

            def post() -> bytes:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                connection.request("POST", "/api/games/mnk:3,3,3/positions", body)
                response = connection.getresponse()
                content = response.read()
                connection.close()
                assert response.status == 200
                return content

            answers = json.loads(post())
            rows = _rows_behind(path, boards)
            bare = sqlite3.connect(path, isolation_level=None)
            line = compare(
                f"POST {_POSITIONS:,} positions / sqlite3 and json.dumps for the same rows and bytes",
                15.0,
                post,
                lambda: (_select(bare, rows), json.dumps(answers).encode()),
                rounds,
            )
            bare.close()
            return line
        finally:
            server.terminate()


def _rows_behind(path: str, boards: list[str]) -> list[str]:
    """The rows that the answers rest on: the positions, their successors, and the replies to each move."""
    wanted = set(boards)
    with open_solution(path) as solution:
        for _ in range(2):
            wanted |= {move.position for board in wanted for move in solution.moves(board)}
    return sorted(wanted)


def _select(connection: sqlite3.Connection, boards: list[str]) -> list[Any]:
    found = []
    for first in range(0, len(boards), _AT_ONCE):
        some = boards[first : first + _AT_ONCE]
        found += connection.execute(_SELECT.format(", ".join("?" * len(some))), some).fetchall()
    return found


def _piped(path: str, boards: list[str], rounds: int) -> Line:
    zermelo = str(Path(sys.executable).with_name("zermelo"))

    def query(some: list[str]) -> str:
        return run_process(zermelo, "query", "-", "--format", "json", "--db", path, stdin="\n".join(some))

    assert len(query(boards).splitlines()) == _PIPED
    name = f"{_PIPED:,} positions piped to zermelo query / one"
    return compare(name, 3.0, lambda: query(boards), lambda: query(boards[:1]), rounds)
