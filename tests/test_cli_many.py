"""Many positions through the command line: a pipe that is answered as it comes, and the order among equal moves."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.conftest import Zermelo
from zermelo.db.query import open_solution

ROOT = Path(__file__).parent.parent


def test_a_pipe_is_answered_as_it_comes(tictactoe_db: Path) -> None:
    """Who writes a line and waits for the answer gets it before the next: no batch waits to be full."""
    command = [sys.executable, "-m", "zermelo", "query", "-", "--db", str(tictactoe_db), "--format", "json"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    ) as process:
        assert process.stdin and process.stdout
        for position in (".../.../...", "XO./.X./..O", "XXX/OO./..."):
            process.stdin.write(f"{position}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["position"] == position
        process.stdin.write(b"X../.../...")  # the last line need not end
        process.stdin.close()
        assert json.loads(process.stdout.readline())["best_move"] == "b2"
        assert process.wait(300) == 0


def test_a_long_pipe(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """Every position, in order, and each wrong line told with its number, however they fall into batches."""
    with open_solution(tictactoe_db) as solution:
        boards = list(solution)
        right = [solution.answer(board, traps=True).as_dict() for board in boards[:300]]
    lines = [*boards[:300], "wrong", "", *boards[300:], "wrong too"]
    asked = zermelo("query", "-", "--db", str(tictactoe_db), "--format", "json", stdin="\n".join(lines))
    answers = [json.loads(line) for line in asked.stdout.splitlines()]
    assert [answer["position"] for answer in answers] == boards
    assert answers[:300] == right
    numbers = [line.split(":")[1] for line in asked.stderr.splitlines()]
    assert (asked.returncode, numbers) == (2, [" line 301", f" line {len(lines)}"])


def test_the_order_among_equals(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """By default the game's own, with --by traps what asks most first; the best move stays the stored one."""

    def moves(*options: str) -> list[tuple[str, int, int]]:
        asked = zermelo("query", "--db", str(tictactoe_db), "--format", "json", *options)
        answer = json.loads(asked.stdout)
        assert answer["best_move"] == "a1"
        return [(move["move"], move["traps"], move["replies"]) for move in answer["moves"]]

    corners = [(name, 7, 8) for name in ("a1", "c1", "a3", "c3")]
    assert moves()[:3] == [("a1", 7, 8), ("b1", 4, 8), ("c1", 7, 8)]
    assert moves("--by", "traps") == corners + [(name, 4, 8) for name in ("b1", "a2", "b2", "c2", "b3")]
    text = zermelo("query", "--db", str(tictactoe_db), "--by", "traps").stdout.splitlines()
    assert text[5:8] == [
        "X to move: draw in 9 plies. Best move: a1.",
        "  a1  draw in 8 plies  traps 7 of 8  *",
        "  c1  draw in 8 plies  traps 7 of 8  *",
    ]
    csv = zermelo("query", "--db", str(tictactoe_db), "--by", "traps", "--format", "csv").stdout
    assert csv.splitlines()[1].endswith(",a1,a1 c1 a3 c3 b1 a2 b2 c2 b3")
    refused = zermelo("query", "--by", "luck")
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)


def test_play_chooses_what_asks_most(zermelo: Zermelo, tictactoe_db: Path) -> None:
    """A corner, whatever the seed; with --stored the move that is stored, every time."""

    def opening(*options: str) -> str:
        said = zermelo("play", "--db", str(tictactoe_db), "--side", "O", *options, stdin="quit\n").stdout
        return next(line for line in said.splitlines() if line.startswith("X plays "))[8:10]

    assert {opening("--seed", str(seed)) for seed in range(8)} <= {"a1", "c1", "a3", "c3"}
    assert opening("--seed", "3") == opening("--seed", "3")
    assert opening("--stored") == "a1"
