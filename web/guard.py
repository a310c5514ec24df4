"""What every request and every answer passes: the way it came, limits, headers that keep browsers safe, and the log."""

import logging
import re
import time
from typing import Any, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000
"""How large a request's body may be: ten thousand positions of the largest board are less than half of it."""
MOST_HEADER_BYTES = 32_000

_ACCESS = logging.getLogger("zermelo.web.access")


class Hosting(NamedTuple):
    """How the server is placed: behind which path, who may ask from other sites, and who may show it in a frame."""

    root_path: str = ""
    """What addresses begin with, such as ``/zermelo``, whether or not a proxy takes it off."""
    cors: tuple[str, ...] = ()
    """The origins whose pages may read the API; ``*`` is all of them."""
    embed: str = "'none'"
    """The origin whose pages may hold this one in a frame; ``*`` is all of them."""
    access_log: bool = False


def safe_headers(embed: str) -> dict[str, str]:
    """What every answer carries."""
    return {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
            f" base-uri 'none'; form-action 'none'; frame-ancestors {embed}"
        ),
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }


def failure(status: int, reason: str, headers: dict[str, str] | None = None) -> JSONResponse:
    """The one shape that every error has."""
    return JSONResponse({"status": status, "error": reason}, status, {"Cache-Control": "no-store", **(headers or {})})


def too_large() -> JSONResponse:
    # What follows on the connection is the rest of the body, which nobody is going to read.
    return failure(413, f"the body is too large: it may have {MOST_BYTES:,} bytes", {"Connection": "close"})


class Guard:
    """Middleware: takes off the root path, refuses what is too large, answers HEAD as GET, adds the safe headers, and logs."""

    def __init__(self, app: ASGIApp, hosting: Hosting) -> None:
        self._app = app
        self._root = hosting.root_path
        self._headers = safe_headers(hosting.embed)
        self._log = hosting.access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.monotonic()
        status = size = 0

        async def send_safely(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                if "accept-encoding" not in headers.get("vary", "").lower():
                    headers.add_vary_header(
                        "Accept-Encoding"
                    )  # which 304 and what is too small to compress depend on too
            size += len(message.get("body", b""))
            await send(message)

        app = self._refusal(scope) or self._app
        path: str = scope["path"]
        if self._root and (path == self._root or path.startswith(f"{self._root}/")):
            path = path.removeprefix(self._root)
            if not path:
                app = RedirectResponse(f"{self._root}/", 307)
        # The server itself leaves out the body of an answer to HEAD.
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        try:
            await app({**scope, "path": path, "method": method}, receive, send_safely)
        finally:
            if self._log:
                _ACCESS.info("%s", _line(scope, status or 500, size, time.monotonic() - started))

    def _refusal(self, scope: Scope) -> Any:
        length = Headers(scope=scope).get("content-length", "0")
        if length.isdigit() and int(length) > MOST_BYTES:
            return too_large()
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            return failure(431, f"the headers are too large: they may have {MOST_HEADER_BYTES:,} bytes")
        return None


class Compressed(GZipMiddleware):
    """Middleware: compresses answers of more than a kilobyte for those who take it."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, minimum_size=1001, compresslevel=5)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not takes_gzip(Headers(scope=scope).get("accept-encoding", "")):
            others = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            scope = {**scope, "headers": others}
        await super().__call__(scope, receive, send)


def takes_gzip(accepted: str) -> bool:
    """Whether a client that sends this `Accept-Encoding` takes what is compressed with gzip.

    >>> takes_gzip("deflate, gzip;q=0.5"), takes_gzip("gzip;q=0, br"), takes_gzip("")
    (True, False, False)
    """
    for coding in accepted.lower().split(","):
        name, _, weight = coding.partition(";")
        if name.strip() == "gzip":
            return not re.fullmatch(r"q=0(\.0*)?", weight.replace(" ", ""))
    return False


def _line(scope: Scope, status: int, size: int, seconds: float) -> str:
    """One request as a line: who, what, status, bytes and milliseconds. What a client sends is escaped, and breaks no line."""
    client = scope["client"][0] if scope.get("client") else "-"
    target = scope["raw_path"] + (b"?" + scope["query_string"] if scope["query_string"] else b"")
    shown = target[:2000].decode("latin-1").encode("unicode_escape").decode()
    return f"{client} {ascii(scope['method'])[1:-1]} {shown} {status} {size} {1000 * seconds:.1f}ms"
