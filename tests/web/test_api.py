"""The API through a real server: what each address answers, and whom it refuses."""

import contextlib
import json
import os
import socket
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.conftest import Zermelo
from tests.web.conftest import GAMES, ODD, Server, running
from zermelo.db.query import open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK

TICTACTOE = "/api/games/mnk:3,3,3"


def test_the_games_of_the_database(client: httpx.Client) -> None:
    """All that the page needs to draw a board and to offer a choice."""
    games = {game["game"]: game for game in client.get("/api/games").json()["games"]}
    assert set(games) == set(GAMES)
    wide = games["mnk:4,3,3"]
    assert (wide["players"], wide["start"], wide["value"], wide["plies"]) == (["X", "O"], "..../..../....", 1, 7)
    assert (wide["title"], wide["kind"]) == ("3 in a row on 4x3", "board")
    assert (wide["board"]["width"], wide["board"]["height"]) == (4, 3)
    assert ["b1", "c2", "d3"] in wide["board"]["lines"]


def test_a_position_is_the_same_object_as_query_prints(client: httpx.Client, zermelo: Zermelo, web_db: Path) -> None:
    """One shape for everybody, down to the order of the fields."""
    for position in ("XO./.X./..O", "XXX/OO./...", "xo_-x---o"):
        asked = zermelo("query", "--db", str(web_db), "--format", "json", position)
        found = client.get(f"{TICTACTOE}/position", params={"position": position})
        assert (found.status_code, found.headers["content-type"]) == (200, "application/json")
        assert list(found.json().items()) == list(json.loads(asked.stdout).items())
    assert client.get(f"{TICTACTOE}/position").json()["position"] == ".../.../..."


def test_the_best_line(client: httpx.Client) -> None:
    """From a position to the end; from a finished one there is none."""
    line = client.get("/api/games/mnk:4,3,3/line", params={"position": "..../.X../...."}).json()
    assert (line["value"], line["plies"], len(line["moves"])) == (1, 6, 6)
    assert [move["plies"] for move in line["moves"]] == [5, 4, 3, 2, 1, 0]
    assert all(move["value"] == 1 and move["optimal"] for move in line["moves"])
    assert client.get(f"{TICTACTOE}/line", params={"position": "XXX/OO./..."}).json()["moves"] == []


def test_stats_are_those_of_the_command(client: httpx.Client, web_db: Path) -> None:
    """The same figures by another way."""
    with open_solution(str(web_db)) as solution:
        assert client.get(f"{TICTACTOE}/stats").json() == statistics(solution)


def test_many_positions(client: httpx.Client, web_db: Path) -> None:
    """In the order asked, and one that is none says why without spoiling the rest."""
    asked = ["XO./.X./..O", "XXX/OOO/...", "\ud800", "..."] + [".../.../..."] * 300
    found = client.post(f"{TICTACTOE}/positions", content=json.dumps({"positions": asked})).json()["positions"]
    assert len(found) == len(asked)
    with open_solution(str(web_db)) as solution:
        assert found[0] == solution.answer(asked[0], traps=True).as_dict()
    assert found[1]["error"].endswith("X has a line, so O could not have moved after it")
    assert [list(one) for one in found[1:4]] == [["position", "error"]] * 3
    assert all(one["plies"] == 9 for one in found[4:])
    assert client.post(f"{TICTACTOE}/positions", json={"positions": []}).json() == {"positions": []}


def test_ten_thousand_positions_and_not_one_more(client: httpx.Client) -> None:
    """The limit is where it is said to be."""
    found = client.post(f"{TICTACTOE}/positions", json={"positions": ["XO./.X./..O"] * 10_000})
    assert found.status_code == 200
    assert len(found.json()["positions"]) == 10_000
    refused = client.post(f"{TICTACTOE}/positions", json={"positions": ["XO./.X./..O"] * 10_001})
    assert (refused.status_code, refused.json()["error"]) == (413, "there are 10,001 positions: ask 10,000 at a time")


def test_what_is_asked_wrongly(client: httpx.Client) -> None:
    """One shape of error, one line that says why."""
    for path, status, reason in (
        ("/api/games/mnk:9,9,9/position", 404, "there is no game 'mnk:9,9,9' here: see /api/games"),
        ("/api/games/os:system/position", 404, "there is no game 'os:system' here: see /api/games"),
        ("/api/games/position", 404, "there is nothing at this address: see /docs"),
        ("/nothing", 404, "there is nothing at this address: see /docs"),
        (f"{TICTACTOE}/position?position=XXX/OOO/...", 400, "X has a line, so O could not have moved after it"),
        (f"{TICTACTOE}/position?position=", 400, "has 0 cells"),
        (f"{TICTACTOE}/line?position=nonsense", 400, "has 'n' at character 1"),
        (f"{TICTACTOE}/position?Position=XO./.X./..O", 400, "there is no parameter 'Position': there is position"),
        (f"{TICTACTOE}/stats?position=XO./.X./..O", 400, "there is no parameter 'position': there are none here"),
        (f"{TICTACTOE}/position?position=...&position=...", 400, "parameter 'position' is given more than once"),
    ):
        refused = client.get(path)
        assert (refused.status_code, refused.json()["status"]) == (status, status), path
        assert reason in refused.json()["error"]
        assert refused.headers["cache-control"] == "no-store"
    assert client.delete("/api/games").status_code == 405
    assert client.post(f"{TICTACTOE}/position").status_code == 405
    for body in (
        b"",
        b"[]",
        b"{}",
        b'{"positions": "XO./.X./..O"}',
        b'{"positions": [1]}',
        b"\xff\xfe",
        b"[" * 100_000,
    ):
        refused = client.post(f"{TICTACTOE}/positions", content=body)
        assert (refused.status_code, "not of the form" in refused.json()["error"]) == (400, True)


def test_bodies_have_a_limit(client: httpx.Client, server: Server) -> None:
    """Whether the size is told before, or only seen while it streams in."""
    assert client.post(f"{TICTACTOE}/positions", content=b" " * 1_000_001).status_code == 413
    chunks = (b" " * 50_000 for _ in range(30))
    assert client.post(f"{TICTACTOE}/positions", content=chunks).status_code == 413
    with socket.create_connection(("127.0.0.1", server.port), timeout=300) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


def test_the_description_of_the_api(client: httpx.Client) -> None:
    """Every address is in it, with the shape of its answer."""
    described = client.get("/openapi.json").json()
    assert set(described["paths"]) == {
        "/api/games",
        "/api/games/{game}/position",
        "/api/games/{game}/positions",
        "/api/games/{game}/line",
        "/api/games/{game}/stats",
        "/api/games/{game}/picture",
        "/healthz",
    }
    statuses = {
        (method, path): set(operation["responses"])
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    assert statuses["get", "/api/games/{game}/position"] == {"200", "304", "400", "404", "431", "503"}
    assert statuses["post", "/api/games/{game}/positions"] == {"200", "400", "404", "408", "413", "431", "503"}
    assert described["paths"]["/api/games/{game}/positions"]["post"]["requestBody"]["required"] is True
    shapes = described["components"]["schemas"]

    def shape(path: str) -> Any:
        answers = described["paths"][path]["get"]["responses"]["200"]
        return shapes[answers["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]]

    # Field for field and in their order, each of them always there.
    for path, asked, many, each in (
        ("/api/games", "/api/games", "games", "Description"),
        ("/api/games/{game}/position", f"{TICTACTOE}/position", "moves", "Move"),
        ("/api/games/{game}/line", f"{TICTACTOE}/line", "moves", "Step"),
        ("/api/games/{game}/stats", f"{TICTACTOE}/stats", "by_ply", "PlyCounts"),
    ):
        found = client.get(asked).json()
        assert list(shape(path)["properties"]) == shape(path)["required"] == list(found)
        assert list(shapes[each]["properties"]) == shapes[each]["required"] == list(found[many][0])
    lists = {
        name: [one["$ref"].rpartition("/")[2] for one in shapes[name]["properties"][field]["items"]["anyOf"]]
        for name, field in (("Games", "games"), ("Positions", "positions"))
    }
    assert lists == {"Games": ["Description", "UnusableGame"], "Positions": ["Answer", "Refused"]}
    assert set(shapes) == {
        "Answer", "BoardDescription", "Cell", "Click", "Description", "Failure", "Games", "Health", "Label", "Line", "Look", "Move", "Picture", "PlyCounts", "Positions", "Refused",
        "Statistics", "Step", "UnusableGame",
    }  # fmt: skip
    assert not any(
        "422" in operation["responses"] for path in described["paths"].values() for operation in path.values()
    )


class Elsewhere(MNK):
    """A game of somebody's own, whose rules the server cannot find."""

    def __init__(self) -> None:
        super().__init__(2, 1, 1)
        self.spec = "nowhere:game"


@pytest.mark.slow
def test_databases_change_under_the_server(tmp_path: Path) -> None:
    """Built again, added to, replaced by another file, gone: each is answered as it is at that moment."""
    path = tmp_path / "zermelo.db"
    build(str(path), load("mnk:2,2,2"))
    with (
        running(path, tmp_path / "server.log") as server,
        httpx.Client(base_url=server.address, trust_env=False, timeout=300) as client,
    ):
        small = "/api/games/mnk:2,2,2/position"
        assert client.get(small).json()["plies"] == 3
        build(str(path), load("mnk:2,2,2"), force=True, symmetry=True)
        assert client.get(small).json()["plies"] == 3
        assert client.get(f"{TICTACTOE}/position").status_code == 404

        build(str(path), load("tictactoe"))
        assert client.get(f"{TICTACTOE}/position").json()["plies"] == 9
        build(str(path), Elsewhere())
        unusable = next(game for game in client.get("/api/games").json()["games"] if game["game"] == "nowhere:game")
        assert set(unusable) == {"game", "digest", "error"}
        assert client.get("/api/games/nowhere:game/position").status_code == 404

        build(str(tmp_path / "other.db"), load("mnk:3,2,2"))
        os.replace(tmp_path / "other.db", path)
        assert client.get(small).status_code == 404
        assert client.get("/api/games/mnk:3,2,2/position").json()["position"] == ".../..."

        path.unlink()
        gone = client.get(small)
        assert (gone.status_code, "the database cannot be asked now" in gone.json()["error"]) == (503, True)
        build(str(path), load("mnk:2,2,2"))
        assert client.get(small).json()["plies"] == 3
        assert str(tmp_path) not in gone.text


def test_what_serve_refuses(zermelo: Zermelo, web_db: Path, server: Server) -> None:
    """One line, before anything is served."""
    missing = zermelo("serve", "--db", "missing.db")
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)
    taken = zermelo("serve", "--db", str(web_db), "--port", str(server.port))
    assert taken.returncode == 1
    assert taken.stderr.startswith(f"zermelo: cannot serve on 127.0.0.1 port {server.port} (Address already in use): ")
    assert taken.stderr.count("\n") == 1


def test_without_the_extra(zermelo: Zermelo, web_db: Path, tmp_path: Path) -> None:
    """One line says what to install."""
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['fastapi'] = None\n")
    root = Path(__file__).parent.parent.parent
    refused = zermelo("serve", "--db", str(web_db), env={"PYTHONPATH": f"{tmp_path}:{root}"})
    assert refused.returncode == 2
    assert refused.stderr == (
        "zermelo: serve needs the Python package fastapi, of the extra 'web': install it with `pip install 'zermelo[web]'`\n"
    )


def test_names_of_games(client: httpx.Client) -> None:
    """Tic-tac-toe by either of its names, and a game whose name has what addresses stumble over."""
    short, canonical = (client.get(f"/api/games/{game}/position").json() for game in ("tictactoe", "mnk:3,3,3"))
    assert short == canonical
    games = client.get("/api/games").json()["games"]
    assert (games[0]["game"], games[0]["aliases"]) == ("mnk:3,3,3", ["tictactoe"])
    odd = client.get(f"/api/games/{quote(ODD, safe='')}/position").json()
    assert (odd["game"], odd["value"]) == (ODD, 1)


@pytest.mark.slow
def test_requests_that_never_end(client: httpx.Client, server: Server) -> None:
    """Half a request is dropped after ten seconds, and a crowd of silent connections does not keep others out."""
    with contextlib.ExitStack() as stack:

        def connect() -> socket.socket:
            return stack.enter_context(socket.create_connection(("127.0.0.1", server.port), timeout=300))

        silent = [connect() for _ in range(600)]
        silent[0].sendall(b"GET / HT")
        # Those beyond its limit are closed as soon as the server comes to them.
        until = time.monotonic() + 300
        while len(os.listdir(f"/proc/{server.pid}/fd")) >= 600 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(os.listdir(f"/proc/{server.pid}/fd")) < 600
        started = time.monotonic()
        assert silent[0].recv(100) == b""
        while client.get("/api/games").status_code == 503 and time.monotonic() < started + 300:
            time.sleep(0.2)
        assert client.get("/api/games").status_code == 200
        # A body that nobody reads, and one that nobody takes: a byte a second keeps neither open.
        dripping = [connect() for _ in range(255)]
        for connection in dripping:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n")
        greedy = connect()
        body = json.dumps({"positions": ["XO./.X./..O"] * 10_000}).encode()
        greedy.sendall(
            f"POST {TICTACTOE}/positions HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        )
        greedy.sendall(body)
        started = time.monotonic()
        kept = [*dripping]
        while kept and time.monotonic() < started + 300:
            time.sleep(1)
            for connection in list(kept):
                try:
                    connection.sendall(b"x")
                except OSError:
                    kept.remove(connection)
        assert not kept
        while len(os.listdir(f"/proc/{server.pid}/fd")) > 60 and time.monotonic() < started + 600:
            time.sleep(0.2)
        assert len(os.listdir(f"/proc/{server.pid}/fd")) <= 60
        assert client.get("/api/games").status_code == 200
        late = connect()
        late.sendall(f"POST {TICTACTOE}/positions HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n[".encode())
        assert late.recv(100).startswith(b"HTTP/1.1 408 ")
