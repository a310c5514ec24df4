"""The API under the load of many clients, against what it cannot do without: FastAPI alone, and the look-up itself."""

import http.client
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.parse import quote

from bench.measure import Line
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.exhaustive import solve
from zermelo.solver.games.mnk import MNK

_CLIENTS = 16
_EACH = 25
_BARE = """
import sys, uvicorn
from fastapi import FastAPI
app = FastAPI()
@app.get("/")
async def root():
    return {}
uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="error", access_log=False, http="h11")
"""


def lines(rounds: int) -> Iterator[Line]:
    """The median latency of a random position, asked by many clients at once."""
    game = MNK(3, 3, 3)
    positions = [game.format(state) for state in solve(game)]
    with TemporaryDirectory() as folder:
        path = str(Path(folder, "zermelo.db"))
        build(path, game)
        with open_solution(path) as solution:
            probe = median(_timed(lambda: solution.answer(random.choice(positions))) for _ in range(1000))
        ours, bare = free_port(), free_port()
        command = [sys.executable, "-m", "zermelo", "serve", "--db", path, "--port", str(ours)]
        with (
            subprocess.Popen(command, stderr=subprocess.DEVNULL) as server,
            subprocess.Popen([sys.executable, "-c", _BARE, str(bare)]) as baseline,
        ):
            try:
                addresses = [f"/api/games/mnk:3,3,3/position?position={quote(text)}" for text in positions]
                for port in (ours, bare):
                    wait_for(port)
                times: dict[int, list[float]] = {ours: [], bare: []}
                for _ in range(rounds):
                    times[ours] += _load(ours, addresses)
                    times[bare] += _load(bare, ["/"])
            finally:
                server.terminate()
                baseline.terminate()
    yield Line(
        f"a position over HTTP, median of {_CLIENTS} clients / bare FastAPI and the look-up in process",
        median(times[ours]),
        median(times[bare]) + probe,
        10.0,
    )


def _load(port: int, addresses: list[str]) -> list[float]:
    """The seconds that each of many requests took, asked at once by all clients."""

    def client(_number: int) -> list[float]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        seconds = []
        for address in random.choices(addresses, k=_EACH):
            started = time.perf_counter()
            connection.request("GET", address)
            response = connection.getresponse()
            response.read()
            seconds.append(time.perf_counter() - started)
            assert response.status == 200, address
        connection.close()
        return seconds

    with ThreadPoolExecutor(_CLIENTS) as pool:
        return [seconds for times in pool.map(client, range(_CLIENTS)) for seconds in times]


def _timed(run: Callable[[], object]) -> float:
    started = time.perf_counter()
    run()
    return time.perf_counter() - started


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


def wait_for(port: int) -> None:
    """Wait until a server listens on the port."""
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing came up on port {port}")
