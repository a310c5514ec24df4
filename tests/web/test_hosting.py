"""The server as others host it: under a path, asked from other sites, in a frame, watched and logged; and the image's steps."""

import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.conftest import Zermelo
from tests.web.browser import opened
from tests.web.conftest import ROOT, Server, running

SITE = "http://site.example"


@pytest.fixture(scope="module")
def hosted(web_db: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with every option of hosting."""
    log = tmp_path_factory.mktemp("hosted") / "server.log"
    with running(web_db, log, "--root-path", "/zermelo", "--cors", SITE, "--embed", SITE, "--access-log") as server:
        yield server


@pytest.fixture(scope="module")
def proxy(hosted: Server) -> Iterator[str]:
    """A proxy that takes the path off, as many do; the address of the explorer behind it."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = httpx.get(
                f"http://127.0.0.1:{hosted.port}{self.path.removeprefix('/zermelo')}", trust_env=False, timeout=300
            )
            self.send_response(found.status_code)
            for name in ("content-type", "content-security-policy", "etag"):
                if name in found.headers:
                    self.send_header(name, found.headers[name])
            self.send_header("content-length", str(len(found.content)))
            self.end_headers()
            self.wfile.write(found.content)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/zermelo/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.slow
def test_under_a_path(browser: Browser, hosted: Server, proxy: str) -> None:
    """Whether the proxy leaves the path on or takes it off, the page and all that it asks for are found."""
    assert hosted.address.endswith("/zermelo/")
    for address in (hosted.address, proxy):
        with opened(browser, address) as page:
            page.goto(f"{address}#game=mnk:3,3,3")
            page.click("[data-cell=b2]")
            expect(page.locator("#turn")).to_have_text("X played b2. O to move.")
            page.click("#api")
            expect(page.locator("article pre").first).to_contain_text(f"{address}api/games")
    base = f"http://127.0.0.1:{hosted.port}"
    moved = httpx.get(f"{base}/zermelo", trust_env=False, timeout=300)
    assert (moved.status_code, moved.headers["location"]) == (307, "/zermelo/")
    assert httpx.get(f"{base}/zermeloapi/games", trust_env=False, timeout=300).status_code == 404
    assert httpx.get(f"{base}/zermelo/openapi.json", trust_env=False, timeout=300).json()["servers"] == [
        {"url": "/zermelo"}
    ]


def test_other_sites(hosted: Server, client: httpx.Client) -> None:
    """The origin that is named may read, also what it must ask leave for; another may not, and by default nobody may."""
    with httpx.Client(base_url=hosted.address, trust_env=False, timeout=300) as asked:
        position = "api/games/mnk:3,3,3/position"
        assert asked.get(position, headers={"Origin": SITE}).headers["access-control-allow-origin"] == SITE
        other = asked.get(position, headers={"Origin": "http://other.example"})
        assert "access-control-allow-origin" not in other.headers
        leave = {
            "Origin": SITE,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        }
        assert asked.options("api/games/mnk:3,3,3/positions", headers=leave).status_code == 200
        assert f"frame-ancestors {SITE}" in asked.get("").headers["content-security-policy"]
    alone = client.get("/api/games", headers={"Origin": SITE})
    assert "access-control-allow-origin" not in alone.headers
    assert "frame-ancestors 'none'" in client.get("/").headers["content-security-policy"]


def test_health_and_log(hosted: Server, web_db: Path, tmp_path: Path) -> None:
    """200 while the database can be read and 503 when not; the reason is for the operator, a line a request on demand."""
    assert httpx.get(f"{hosted.address}healthz", trust_env=False, timeout=300).json() == {"status": "ok", "games": 8}
    with socket.create_connection(("127.0.0.1", hosted.port), timeout=300) as connection:
        connection.sendall(b"GET /zermelo/nothing?a=%0d%0aforged HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        while connection.recv(1000):
            pass
    line = next(line for line in hosted.log.read_text().splitlines() if "nothing" in line)
    assert re.search(r" 127\.0\.0\.1 GET /zermelo/nothing\?a=%0d%0aforged 404 \d+ [\d.]+ms$", line)
    copy = tmp_path / "zermelo.db"
    shutil.copy(web_db, copy)
    with running(copy, tmp_path / "server.log") as server:
        copy.unlink()
        assert [httpx.get(f"{server.address}healthz", trust_env=False, timeout=300).status_code for _ in range(3)] == [
            503
        ] * 3
        log = server.log.read_text()
        assert log.count("the database cannot be asked: ") == 1  # and not once for each request
        assert str(copy) in log
        assert "GET" not in log


def test_what_hosting_refuses(zermelo: Zermelo, web_db: Path) -> None:
    """What would end up in a header or an address is looked at first."""
    for options in (
        ("--root-path", "zermelo"),
        ("--root-path", "/a b"),
        ("--root-path", "/../x"),
        ("--cors", "example.org"),
        ("--cors", "https://example.org/path"),
        ("--embed", "x; script-src *"),
    ):
        refused = zermelo("serve", "--db", str(web_db), *options)
        assert (refused.returncode, refused.stderr.count("\n"), options[1] in refused.stderr) == (2, 1, True), (
            refused.stderr
        )


@pytest.mark.slow
def test_the_steps_of_the_image(tmp_path: Path) -> None:
    """Without Docker: what is copied is enough to install, build and serve, in an environment that has nothing else of ours."""
    lines = (ROOT / "Dockerfile").read_text().splitlines()
    source = tmp_path / "src"
    source.mkdir()
    for line in lines:
        if line.startswith("COPY "):
            *names, to = line.split()[1:]
            for name in names:
                target = source / (name if to == "./" else to)
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / name, target)
    assert "RUN pip install --no-cache-dir '.[web]'" in lines
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    scripts = tmp_path / "venv" / "bin"
    subprocess.run([scripts / "pip", "install", "-q", ".[web]"], cwd=source, check=True, capture_output=True)
    builds = next(line for line in lines if "zermelo build" in line).removeprefix("RUN mkdir /data && ")
    for command in builds.split(" && "):
        words = command.replace("/data", str(tmp_path)).split()
        subprocess.run([scripts / words[0], *words[1:]], check=True, capture_output=True, cwd=tmp_path)
    serve = next(line for line in lines if line.startswith("CMD"))
    words = re.findall(
        r'"([^"]*)"', serve.replace("/data", str(tmp_path)).replace("8000", "0").replace("0.0.0.0", "127.0.0.1")
    )
    with subprocess.Popen([scripts / words[0], *words[1:]], stderr=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stderr is not None
        address = next(word for word in process.stderr.readline().split() if word.startswith("http://"))
        assert httpx.get(f"{address}healthz", trust_env=False, timeout=30).json() == {"status": "ok", "games": 2}
        process.terminate()
