"""The API under load, and under fire: many clients at once, good and bad requests mixed, and what is no request at all."""

import contextlib
import http.client
import json
import os
import random
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.web.conftest import Server, running
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics

pytestmark = pytest.mark.slow

CLIENTS = 16
API = "/api/games/mnk:3,3,3"

Request = tuple[str, str, str | None, int, object]
"""Method, path, body, status that is right, and the answer that is right where it is known."""


@pytest.fixture(scope="module")
def busy_server(web_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of one's own, so that what others left in memory does not count."""
    with running(web_db, tmp_path_factory.mktemp("busy") / "server.log") as server:
        yield server


def answers(db: Path) -> dict[str, dict[str, object]]:
    """The right answer to every position, found by walking from the start."""
    with open_solution(str(db)) as solution:
        known: dict[str, dict[str, object]] = {}
        unseen = [".../.../..."]
        while unseen:
            position = unseen.pop()
            if position not in known:
                answer = solution.answer(position, traps=True)
                known[position] = answer.as_dict()
                unseen += [move.position for move in answer.moves]
        return known


def requests(known: dict[str, dict[str, object]], stats: object, chance: random.Random) -> Iterator[Request]:
    """Endless requests, about a third of them wrong in some way."""
    positions = list(known)

    def position() -> Request:
        text = chance.choice(positions)
        return "GET", f"{API}/position?position={quote(text)}", None, 200, known[text]

    def many() -> Request:
        texts = chance.choices(positions, k=chance.randrange(8))
        return (
            "POST",
            f"{API}/positions",
            json.dumps({"positions": texts}),
            200,
            {"positions": [known[text] for text in texts]},
        )

    def nonsense() -> Request:
        text = "".join(chance.choices("XO./?&%#é\0 zZ9", k=chance.randrange(1, 30)))
        return "GET", f"{API}/position?position={quote('?' + text)}", None, 400, None

    kinds: list[tuple[int, Callable[[], Request]]] = [
        (12, position),
        (2, many),
        (1, lambda: ("GET", f"{API}/stats", None, 200, stats)),
        (1, lambda: ("GET", "/", None, 200, None)),
        (3, nonsense),
        (1, lambda: ("GET", f"/api/games/mnk:{chance.randrange(4, 99)},9,3/position", None, 404, None)),
        (1, lambda: ("GET", f"/{chance.randbytes(4).hex()}", None, 404, None)),
        (1, lambda: ("PUT", f"{API}/position", "x", 405, None)),
        (1, lambda: ("POST", f"{API}/positions", chance.choice(["{", "[]", '{"positions": [null]}']), 400, None)),
    ]
    weights = [weight for weight, _ in kinds]
    while True:
        yield chance.choices(kinds, weights)[0][1]()


def resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_clients_at_once(count: int, busy_server: Server, web_db: Path) -> None:
    """No 5xx, every good answer right, and neither files nor memory run away."""
    known = answers(web_db)
    with open_solution(str(web_db)) as solution:
        stats = statistics(solution)

    def run(seed: int, each: int = count // CLIENTS) -> list[str]:
        wrong = []
        connection = http.client.HTTPConnection("127.0.0.1", busy_server.port, timeout=300)
        endless = requests(known, stats, random.Random(seed))
        for _, (method, path, body, status, right) in zip(range(each), endless, strict=False):
            connection.request(method, path, body)
            response = connection.getresponse()
            content = response.read()
            if response.status != status or (right is not None and json.loads(content) != right):
                wrong.append(f"{method} {path}: {response.status} {content[:80]!r}")
        connection.close()
        return wrong

    with ThreadPoolExecutor(CLIENTS) as pool:
        list(pool.map(run, range(CLIENTS), [20] * CLIENTS))  # what is opened once is open now
        before = resident(busy_server.pid)
        assert [wrong for client in pool.map(run, range(CLIENTS)) for wrong in client] == []
    assert len(os.listdir(f"/proc/{busy_server.pid}/fd")) < 40
    assert resident(busy_server.pid) - before < 20_000_000


def malformed(chance: random.Random) -> Iterator[bytes]:
    """Endless requests that deserve 4xx."""
    host = b"Host: x\r\n"
    tricks = [
        "/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/api.py", "//etc/passwd", "/./main.js/..", "//main.js",
        "/page/../../cli.py", "/main.js/", "/%00", "/main.js%00.html", "/..\\..\\api.py", "/__init__.py", "/.git/config",
        "/api/games/../../main.js", "/api//games", "/api/games/", f"{API}/position/", f"{API}/%2e%2e/position?position=",
        "/api/games/tree:..%2f..%2fetc%2fpasswd/position", "/api/games/os:system/stats", "*", "http://other/x", "/~root",
    ]  # fmt: skip
    methods = ["PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "OPTIONS", "BREW", "get", "G\u00e9T", "A" * 50]
    bodies = [
        b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"[" * 50_000, b'{"positions": 1}', b'{"positions": [[]]}',
        b'{"positions": ["' + b"X" * 1_100_000 + b'"]}', b'{"positions": [' + b'"",' * 10_001 + b'""]}', b"9" * 10_000,
    ]  # fmt: skip
    while True:
        kind = chance.randrange(8)
        if kind == 0:  # odd bytes, which begin no method
            yield b"\x00" + chance.randbytes(chance.randrange(1, 400)) + b"\r\n\r\n"
        elif kind == 1:
            yield b"GET " + chance.choice(tricks).encode() + b" HTTP/1.1\r\n" + host + b"\r\n"
        elif kind == 2:
            yield chance.choice(methods).encode() + b" /api/games HTTP/1.1\r\n" + host + b"\r\n"
        elif kind == 3:
            body = chance.choice(bodies)
            yield f"POST {API}/positions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        elif kind == 4:
            length = chance.choice(["-1", "1e3", "", "99999999999999999999", "1_0", "5\r\nContent-Length: 6", "0x10"])
            yield f"POST {API}/positions HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n".encode()
        elif kind == 5:
            chunks = chance.choice([b"zz\r\n", b"-1\r\n", b"FFFFFFFFFFFFFFFFFFFFFFFF\r\n", b"2\r\n{]\r\n0\r\n\r\n"])
            yield f"POST {API}/positions HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode() + chunks
        elif kind == 6:
            position = quote(chance.randbytes(chance.randrange(1, 60))) + "%zz%"
            yield f"GET {API}/position?position={position} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        else:
            odd = chance.choice([b"no colon", b": no name", b"a b: c", b"X: a\x00b", b"X: " + b"a" * 100_000])
            yield b"GET /api/games HTTP/1.1\r\n" + host + odd + b"\r\n\r\n"


def status_of(port: int, request: bytes) -> str:
    """The status line of the answer, or what came instead."""
    with socket.create_connection(("127.0.0.1", port), timeout=300) as connection:
        with contextlib.suppress(ConnectionError):  # it may be refused before all of it was sent
            connection.sendall(request)
        try:
            return connection.recv(4096).partition(b"\r\n")[0].decode(errors="replace")
        except ConnectionResetError:
            return "reset"


def test_a_thousand_malformed_requests(busy_server: Server) -> None:
    """Each gets 4xx at once, and afterwards the server answers as before; its log is checked for tracebacks at the end."""
    requests = malformed(random.Random(6))
    with ThreadPoolExecutor(4) as pool:
        asked = [next(requests) for _ in range(1000)]
        statuses = list(pool.map(lambda request: status_of(busy_server.port, request), asked))
    wrong = [(ask[:100], status) for ask, status in zip(asked, statuses, strict=True) if status[9:10] != "4"]
    assert wrong == []
    odd_host = f"GET {API}/position HTTP/1.1\r\nHost: [\r\n\r\n".encode()  # not wrong enough to be refused
    assert status_of(busy_server.port, odd_host) == "HTTP/1.1 200 OK"
    connection = http.client.HTTPConnection("127.0.0.1", busy_server.port, timeout=300)
    connection.request("GET", f"{API}/position?position=XO./.X./..O")
    assert json.loads(connection.getresponse().read())["best_move"] == "a2"
    connection.close()
