"""What every request and every answer passes: a limit on bodies, and headers that keep browsers safe."""

from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1_000_000
"""How large a request's body may be: ten thousand positions of the largest board are less than half of it."""
MOST_HEADER_BYTES = 32_000

SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
        " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
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
    """Middleware: refuses bodies that say they are too large, answers HEAD as GET, and adds the safe headers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE_HEADERS.items():
                    headers[name] = value
            await send(message)

        length = Headers(scope=scope).get("content-length", "0")
        app: Any = self._app
        if length.isdigit() and int(length) > MOST_BYTES:
            app = too_large()
        elif sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADER_BYTES:
            app = failure(431, f"the headers are too large: they may have {MOST_HEADER_BYTES:,} bytes")
        # The server itself leaves out the body of an answer to HEAD.
        method = "GET" if scope["method"] == "HEAD" else scope["method"]
        await app({**scope, "method": method}, receive, send_safely)
