"""What the headers of the server's answers promise, and that nothing but the page's own files is served."""

from collections.abc import Callable
from urllib.parse import quote

import httpx

from tests.web.conftest import GAMES

TICTACTOE = "/api/games/mnk:3,3,3"


def test_answers_can_be_kept(client: httpx.Client) -> None:
    """The solution's digest names the answer; who has it already is told so in a line."""
    for path in ("/api/games", f"{TICTACTOE}/position", f"{TICTACTOE}/line", f"{TICTACTOE}/stats", "/", "/main.js"):
        first = client.get(path)
        etag = first.headers["etag"]
        assert "cache-control" in first.headers
        for known in (etag, f'"other", {etag}', etag.removeprefix("W/")):
            again = client.get(path, headers={"If-None-Match": known})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200
    digests = {game["game"]: game["digest"][:32] for game in client.get("/api/games").json()["games"]}
    for game in GAMES:
        asked = client.get(f"/api/games/{quote(game, safe='')}/position")
        assert digests[game] in asked.headers["etag"]
        # What was asked is in the body, which its address does not tell: such an answer has no name and is not kept.
        posted = client.post(f"/api/games/{quote(game, safe='')}/positions", json={"positions": []})
        assert ("etag" in posted.headers, posted.headers["cache-control"]) == (False, "no-store")
    # What one answer is called says nothing about another, least of all about one that is refused.
    etag = client.get(f"{TICTACTOE}/position").headers["etag"]
    for position, status in (("XO./.X./..O", 200), ("XXX/OOO/...", 400)):
        asked = client.get(f"{TICTACTOE}/position", params={"position": position}, headers={"If-None-Match": etag})
        assert asked.status_code == status


def test_head_is_get_without_the_body(client: httpx.Client) -> None:
    """As the protocol has it."""
    for path in ("/", f"{TICTACTOE}/position"):
        for accepted in ("identity", "gzip"):
            got, headed = (ask(path, headers={"Accept-Encoding": accepted}) for ask in (client.get, client.head))
            assert (headed.status_code, headed.content) == (200, b"")
            assert headed.headers["content-length"] == got.headers["content-length"]


def test_answers_are_compressed_for_those_who_take_it(client: httpx.Client) -> None:
    """From a kilobyte on; the same answer has the same weak name either way, and caches are told what it depends on."""
    many = {"positions": ["XO./.X./..O"] * 2000}
    asks: list[tuple[Callable[[dict[str, str]], httpx.Response], bool]] = [
        (lambda headers: client.get("/api/games", headers=headers), True),
        (lambda headers: client.get("/main.js", headers=headers), True),
        (lambda headers: client.post(f"{TICTACTOE}/positions", json=many, headers=headers), True),
        (lambda headers: client.post(f"{TICTACTOE}/positions", json={"positions": []}, headers=headers), False),
        (lambda headers: client.get(f"{TICTACTOE}/position?position=XXX/OO./...", headers=headers), False),
        (lambda headers: client.get("/nothing", headers=headers), False),
    ]
    for ask, large in asks:
        plain = ask({"Accept-Encoding": "gzip;q=0, identity"})
        packed = ask({"Accept-Encoding": "deflate, gzip;q=0.5"})
        assert plain.content == packed.content
        assert [one.headers.get("content-encoding") for one in (plain, packed)] == [None, "gzip" if large else None]
        assert [one.headers["vary"] for one in (plain, packed)] == ["Accept-Encoding"] * 2
        assert plain.headers.get("etag", 'W/"') == packed.headers.get("etag", 'W/"')
        assert packed.headers.get("etag", 'W/"').startswith('W/"')
        if large and "content-length" in packed.headers:
            assert int(packed.headers["content-length"]) < len(plain.content) / 2
    etag = client.get("/api/games").headers["etag"]
    again = client.get("/api/games", headers={"If-None-Match": etag, "Accept-Encoding": "identity"})
    assert (again.status_code, again.headers["vary"]) == (304, "Accept-Encoding")


def test_every_answer_has_safe_headers(client: httpx.Client) -> None:
    """Pages, data and errors alike."""
    for path in ("/", "/docs", "/openapi.json", "/api/games", "/nothing", "/style.css"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


def test_the_page_has_nothing_inline_and_no_other_host(client: httpx.Client) -> None:
    """What the policy forbids is not there to be missed."""
    for path in ("/", "/docs"):
        page = client.get(path).text
        assert "<style" not in page
        assert "<script>" not in page
        assert " style=" not in page
        assert "://" not in page


def test_only_the_pages_own_files_are_served(client: httpx.Client) -> None:
    """Not its Python, and nothing above or beside it."""
    assert client.get("/main.js").headers["content-type"].startswith("text/javascript")
    for path in ("/__init__.py", "/__pycache__/", "/page/", "/page/main.js", "/../api.py", "/%2e%2e/api.py"):
        assert client.get(path).status_code == 404, path
