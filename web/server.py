"""Runs the application: the socket, and how patient the server is."""

import asyncio
import contextlib
import socket
from collections.abc import Callable
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from solver.errors import OperationError
from web.api import create_app

_HEADER_SECONDS = 10
_MOST_REQUESTS = 256
"""How many are answered at a time; one more is told to come back later."""
_MOST_CONNECTIONS = 512
"""How many may be open; one more is closed at once, so that the process never runs out of files."""


class PatientToAPoint(H11Protocol):
    """HTTP that closes a connection on which a request was begun and not finished in time, or none was begun."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _MOST_CONNECTIONS:
            transport.close()
        else:
            self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._stop_waiting()
        elif self._waiting is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._waiting = self.loop.call_later(_HEADER_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


def serve(db: str, host: str, port: int, ready: Callable[[str], Any]) -> None:
    """Serve the database `db` until interrupted; `ready` is told the address once there is one."""
    app = create_app(db)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        raise OperationError(
            f"cannot serve on {host} port {port}: {error}; choose others with --host, --port"
        ) from error
    # asyncio does this only for sockets that it made itself; without it, an answer in two parts waits 40 ms in between.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        shown = f"[{host}]" if ":" in host else host
        ready(f"http://{shown}:{listener.getsockname()[1]}/")
        config = uvicorn.Config(
            app,
            http=PatientToAPoint,
            ws="none",
            log_level="error",  # what clients send wrongly is their affair, and must not fill a disk
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=5,
            timeout_graceful_shutdown=3,
            limit_concurrency=_MOST_REQUESTS,
        )
        with contextlib.suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listener])
