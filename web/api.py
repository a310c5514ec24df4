"""The read-only JSON API over one database, and the files of the page."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from itertools import chain
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Path, Query, Request
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse

from zermelo.db.answers import Answer, comes_back
from zermelo.db.query import Solution
from zermelo.db.stats import Statistics, statistics
from zermelo.solver.errors import ZermeloError
from zermelo.solver.game import Game
from zermelo.web.describe import look_at
from zermelo.web.guard import MOST_BYTES, Compressed, Guard, Hosting, failure, too_large
from zermelo.web.page import page_files
from zermelo.web.replies import VERSION, cached, etag_of, handle_errors, has, known_parameters, status_and_reason
from zermelo.web.shapes import Failure, Games, Health, Line, Look, Positions, Refused, Wanted, model_of
from zermelo.web.shelf import Shelf

MOST_POSITIONS = 10_000
_BODY_SECONDS = 8
_AT_ONCE = 512
"""Positions that are answered together: no more of the thousands that may be asked for are ever in memory."""

Spec = Annotated[str, Path(description="A game in the database, such as mnk:3,3,3.")]
Place = Annotated[str | None, Query(description="Rows from the top, such as XO./.X./..O; the start where left out.")]
_ASKED_WRONGLY = {400: "The request is wrong.", 404: "There is no such game or position."}
_ALWAYS = {431: "The headers are too large.", 503: "The database cannot be asked now, or too many ask at once."}


def create_app(db: str, hosting: Hosting | None = None, own: Iterable[Game[Any, Any]] = ()) -> FastAPI:
    """The application that answers from the database `db`, a path or a SQLAlchemy URL; `own` are rules that it may need."""
    hosting = hosting or Hosting()
    shelf = Shelf(db, own)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        shelf.close()

    app = FastAPI(
        title="Zermelo",
        version=VERSION,
        description="Solved games, read-only. Values are the first player's: +1 X wins, 0 draw, -1 O wins.",
        servers=[{"url": hosting.root_path or "/"}],
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(known_parameters)],
    )
    app.add_middleware(Compressed)
    if hosting.cors:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=hosting.cors,
            allow_methods=["GET", "HEAD", "POST"],
            allow_headers=["Content-Type", "If-None-Match"],
            expose_headers=["ETag"],
        )
    app.add_middleware(Guard, hosting=hosting)
    handle_errors(app)

    def answer(request: Request, game: str, ask: Callable[[Solution], object]) -> Response:
        with shelf.solution(game) as solution:
            etag = etag_of(solution.source.facts["digest"], request)
            if has(request, etag):
                return Response(status_code=304, headers=cached(etag))
            found = ask(solution)
            # A look-up may have found that the solution was replaced.
            etag = etag_of(solution.source.facts["digest"], request)
        return JSONResponse(found, headers=cached(etag))

    @app.get("/api/games", response_model=model_of(Games), responses=_responses(304))
    def games(request: Request) -> Response:
        """The games that the database holds, solved."""
        found = shelf.games()
        etag = etag_of(hashlib.sha256(json.dumps(found).encode()).hexdigest(), request)
        if has(request, etag):
            return Response(status_code=304, headers=cached(etag))
        return JSONResponse(Games(games=found), headers=cached(etag))

    @app.get("/api/games/{game:path}/position", response_model=model_of(Answer), responses=_responses(304, 400, 404))
    def position(request: Request, game: Spec, position: Place = None) -> Response:
        """A position's value, best move and every other move, best first."""
        return answer(request, game, lambda solution: solution.answer(_place(solution, position), traps=True).as_dict())

    @app.post(
        "/api/games/{game:path}/positions",
        response_model=model_of(Positions),
        responses=_responses(400, 404, 408, 413),
        openapi_extra={
            "requestBody": {"required": True, "content": {"application/json": {"schema": Wanted.model_json_schema()}}}
        },
    )
    async def positions(request: Request, game: Spec) -> Response:
        """Many positions at once, ten thousand at the most, in the order asked; a text that is not a position gets the reason why."""
        body = await _body(request)
        if body is None:
            return too_large()
        wanted = _wanted(body)
        if len(wanted) > MOST_POSITIONS:
            return failure(413, f"there are {len(wanted):,} positions: ask {MOST_POSITIONS:,} at a time")
        answers = _answers(shelf, game, wanted)
        first = await asyncio.to_thread(next, answers)
        if len(wanted) <= _AT_ONCE:
            whole = first + b"".join(answers)
            return Response(whole, media_type="application/json", headers={"Cache-Control": "no-store"})
        rest = chain([first], answers)
        return StreamingResponse(rest, media_type="application/json", headers={"Cache-Control": "no-store"})

    @app.get("/api/games/{game:path}/line", response_model=model_of(Line), responses=_responses(304, 400, 404))
    def line(request: Request, game: Spec, position: Place = None) -> Response:
        """The moves from a position to the end, or until a position comes back, when both sides play the best."""

        def ask(solution: Solution) -> dict[str, Any]:
            start = solution.answer(_place(solution, position))
            moves = solution.line(start.position)
            return {
                "game": start.game,
                "position": start.position,
                "value": start.value,
                "plies": start.plies,
                "moves": [move.as_dict() for move in moves],
                "comes_back": comes_back(moves),
            }

        return answer(request, game, ask)

    @app.get("/api/games/{game:path}/picture", response_model=model_of(Look), responses=_responses(304, 400, 404))
    def picture(request: Request, game: Spec, position: Place = None) -> Response:
        """How a position looks, as plain data to draw: its cells and marks, and which to click for each move."""
        return answer(request, game, lambda solution: look_at(solution.game, _place(solution, position)))

    @app.get("/api/games/{game:path}/stats", response_model=model_of(Statistics), responses=_responses(304, 404))
    def stats(request: Request, game: Spec) -> Response:
        """Counts of positions and classes, by ply and outcome."""
        return answer(request, game, statistics)

    @app.get("/healthz", response_model=model_of(Health), responses=_responses())
    def healthz() -> Response:
        """Whether the database can be asked, for whoever watches the server."""
        usable = sum("error" not in game for game in shelf.games())
        return JSONResponse(Health(status="ok", games=usable), headers={"Cache-Control": "no-store"})

    for file in page_files():
        etag = f'W/"{hashlib.sha256(file.content).hexdigest()[:32]}"'

        def serve(request: Request, file: Any = file, etag: str = etag) -> Response:
            headers = {"ETag": etag, "Cache-Control": "no-cache"}
            if has(request, etag):
                return Response(status_code=304, headers=headers)
            return Response(file.content, media_type=file.media_type, headers=headers)

        for path in file.paths:
            app.add_route(path, serve, methods=["GET"], include_in_schema=False)
    description = _description(app)
    app.openapi = lambda: description  # type: ignore[method-assign]
    return app


def _responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What an address may answer besides 200."""
    reasons = {
        **_ASKED_WRONGLY,
        304: "The client has this answer already.",
        408: "The body did not arrive in time.",
        413: "The body is too large, or asks for too many positions.",
    }
    described: dict[int | str, dict[str, Any]] = {}
    for status, reason in [*((status, reasons[status]) for status in statuses), (400, reasons[400]), *_ALWAYS.items()]:
        described[status] = {"description": reason} if status == 304 else {"description": reason, "model": Failure}
    return described


def _description(app: FastAPI) -> dict[str, Any]:
    """The API's description, without FastAPI's own answer to what is asked wrongly: here that is always 400."""
    description = app.openapi()
    for operation in (operation for path in description["paths"].values() for operation in path.values()):
        operation["responses"].pop("422", None)
    for name in ("HTTPValidationError", "ValidationError"):
        description["components"]["schemas"].pop(name, None)
    return description


def _place(solution: Solution, position: str | None) -> str:
    return solution.game.format(solution.game.initial) if position is None else position


def _answers(shelf: Shelf, game: str, wanted: list[str]) -> Iterator[bytes]:
    """The answers as JSON, some at a time; raises what there is to raise of a game before the first."""
    before = '{"positions": ['
    for first in range(0, max(len(wanted), 1), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        try:
            with shelf.solution(game) as solution:
                answers = list(solution.answers(some, traps=True))
        except ZermeloError as error:
            if not first:
                raise
            answers = [error] * len(some)  # the answer is under way: what is left of it says why
        told = [
            Refused(position=text, error=status_and_reason(answer)[1])
            if isinstance(answer, ZermeloError)
            else answer.as_dict()
            for text, answer in zip(some, answers, strict=True)
        ]
        yield (before + json.dumps(told)[1:-1]).encode()
        before = ", "
    yield b"]}"


async def _body(request: Request) -> bytes | None:
    """The request's body, None where it is too large: no more of it is read than may be kept."""
    body = bytearray()
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    return None
    except ClientDisconnect:
        raise HTTPException(400, "the body broke off", {"Connection": "close"}) from None  # though nobody may read it
    except TimeoutError:
        raise HTTPException(
            408, f"the body did not arrive in {_BODY_SECONDS} seconds", {"Connection": "close"}
        ) from None
    return bytes(body)


def _wanted(body: bytes) -> list[str]:
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        asked = None
    positions = asked.get("positions") if isinstance(asked, dict) else None
    if not isinstance(positions, list) or not all(isinstance(text, str) for text in positions):
        raise HTTPException(400, 'the body is not of the form {"positions": ["XO./.X./..O", ...]} in JSON')
    return positions
