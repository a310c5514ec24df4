"""Runs the application: the socket, and how patient the server is."""

import asyncio
import contextlib
import logging
import socket
from collections.abc import Callable, Iterable
from typing import Any

import h11
import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from zermelo.solver.errors import AddressError
from zermelo.solver.game import Game
from zermelo.web.api import create_app
from zermelo.web.guard import Hosting
from zermelo.web.workers import run_workers

_PATIENCE = 13
"""Seconds that a client has to send a whole request, or to take what it was sent: nobody is waited for longer."""
_FAREWELL = 1
"""Seconds until a connection that was closed, and takes nothing any more, is cut off."""
_MOST_REQUESTS = 256
"""How many are answered at a time; one more is told to come back later."""
_MOST_CONNECTIONS = 512
"""How many may be open; one more is closed at once, so that the process never runs out of files."""
_LOG = logging.getLogger("zermelo.web")


class PatientToAPoint(H11Protocol):
    """HTTP that waits for a client only so long: for the whole of its request, body and all, and for it to take the answer.

    The clock starts when it is the client's turn, and only what the client owes stops it: a byte now and then does not.
    """

    _waiting: asyncio.TimerHandle | None = None
    _parting = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > _MOST_CONNECTIONS:
            transport.close()
        else:
            self._look()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        self._stop_waiting()  # it took the last answer, or begins to take it: a new turn
        super().on_response_complete()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting()
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self._parting = False
        self._stop_waiting()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Start the clock if it is the client's turn, and stop it if it is not."""
        asked = self.conn.their_state not in (h11.IDLE, h11.SEND_BODY)
        answered = self.cycle is None or self.cycle.response_complete
        if asked and not answered and not self.flow.write_paused:
            self._stop_waiting()
        elif self._waiting is None:
            self._waiting = self.loop.call_later(_PATIENCE, self._part)

    def _part(self) -> None:
        """Close the connection; one that does not even take the end of what it was sent is cut off."""
        self.transport.close()
        self._parting = True
        self._waiting = self.loop.call_later(_FAREWELL, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._waiting is not None and not self._parting:
            self._waiting.cancel()
            self._waiting = None


def serve(
    db: str,
    host: str,
    port: int,
    hosting: Hosting,
    ready: Callable[[str], Any],
    own: Iterable[Game[Any, Any]] = (),
    workers: int = 1,
) -> None:
    """Serve the database `db` until interrupted; `ready` is told the address once there is one; see `create_app`.

    More `workers` than one are processes that share the address.
    """
    own = list(own)
    if workers == 1:
        app = create_app(db, hosting, own)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family, backlog=128)
    except (OSError, OverflowError) as error:
        # socket tells the address too, in brackets
        reason = str(getattr(error, "strerror", None) or error).partition(" (")[0]
        raise AddressError(f"cannot serve on {host} port {port} ({reason})", host=host, port=port) from error
    # asyncio does this only for sockets that it made itself; without it, an answer in two parts waits 40 ms in between.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with listener:
        shown = f"[{host}]" if ":" in host else host
        _log_to_stderr()
        ready(f"http://{shown}:{listener.getsockname()[1]}{hosting.root_path}/")
        if workers == 1:
            run(app, listener)
        else:
            run_workers(workers, lambda: run(create_app(db, hosting, own), listener))


def run(app: FastAPI, listener: socket.socket) -> None:
    """Answer what comes to the listener until interrupted."""
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


def _log_to_stderr() -> None:
    """What the operator is to know goes to the standard error, a line each with its time."""
    if not _LOG.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        _LOG.addHandler(handler)
        _LOG.setLevel(logging.INFO)
        _LOG.propagate = False
