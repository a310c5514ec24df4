"""The read-only JSON API over one database, and the files of the page."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from importlib.metadata import version
from typing import Annotated, Any

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response, StreamingResponse

from db.query import Solution
from db.stats import statistics
from solver.errors import (
    DatabaseError,
    MissingSolutionError,
    OperationError,
    UnknownPositionError,
    ZermeloError,
)
from web import shapes
from web.guard import MOST_BYTES, Guard, failure, too_large
from web.page import page_files
from web.shelf import Shelf

MOST_POSITIONS = 10_000
_BODY_SECONDS = 10
_A_CHUNK = 64
_VERSION = version("zermelo")

Spec = Annotated[str, Path(description="A game in the database, such as mnk:3,3,3.")]
Place = Annotated[str | None, Query(description="Rows from the top, such as XO./.X./..O; the start where left out.")]


def create_app(db: str) -> FastAPI:
    """The application that answers from the database `db`, a path or a SQLAlchemy URL."""
    shelf = Shelf(db)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        yield
        shelf.close()

    app = FastAPI(
        title="Zermelo",
        version=_VERSION,
        description="Solved games, read-only. Values are the first player's: +1 X wins, 0 draw, -1 O wins.",
        lifespan=lifespan,
        docs_url=None,  # FastAPI's own pages load scripts from another host
        redoc_url=None,
        redirect_slashes=False,
        responses={status: {"model": shapes.Failure} for status in (400, 404)},
    )
    app.add_middleware(Guard)
    _handle_errors(app)

    def answer(request: Request, game: str, ask: Callable[[Solution], dict[str, Any]]) -> Response:
        with shelf.solution(game) as solution:
            etag = _etag(solution.source.facts["digest"], request)
            if _has(request, etag):
                return Response(status_code=304, headers=_cached(etag))
            found = ask(solution)
            # A look-up may have found that the solution was replaced.
            etag = _etag(solution.source.facts["digest"], request)
        return JSONResponse(found, headers=_cached(etag))

    @app.get("/api/games", response_model=shapes.Games)
    def games(request: Request) -> Response:
        """The games that the database holds, solved."""
        found = shelf.games()
        etag = _etag(hashlib.sha256(json.dumps(found).encode()).hexdigest(), request)
        if _has(request, etag):
            return Response(status_code=304, headers=_cached(etag))
        return JSONResponse({"games": found}, headers=_cached(etag))

    @app.get("/api/games/{game:path}/position", response_model=shapes.Position)
    def position(request: Request, game: Spec, position: Place = None) -> Response:
        """A position's value, best move and every other move, best first."""
        return answer(request, game, lambda solution: solution.answer(_place(solution, position)).as_dict())

    @app.post(
        "/api/games/{game:path}/positions",
        response_model=shapes.Positions,
        responses={413: {"model": shapes.Failure}},
        openapi_extra={"requestBody": {"content": {"application/json": {"schema": shapes.Wanted.model_json_schema()}}}},
    )
    async def positions(request: Request, game: Spec) -> Response:
        """Many positions at once, ten thousand at the most, in the order asked; one that is none says why."""
        body = await _body(request)
        if body is None:
            return too_large()
        wanted = _wanted(body)
        if len(wanted) > MOST_POSITIONS:
            return failure(413, f"there are {len(wanted):,} positions: ask {MOST_POSITIONS:,} at a time")
        digest = await asyncio.to_thread(_digest, shelf, game)
        return StreamingResponse(
            _answers(shelf, game, wanted), media_type="application/json", headers=_cached(_etag(digest, request))
        )

    @app.get("/api/games/{game:path}/line", response_model=shapes.Line)
    def line(request: Request, game: Spec, position: Place = None) -> Response:
        """The moves from a position to the end when both sides play the best move that is stored."""

        def ask(solution: Solution) -> dict[str, Any]:
            start = solution.answer(_place(solution, position))
            known = {"game": start.game, "position": start.position, "value": start.value, "plies": start.plies}
            return {**known, "moves": [move._asdict() for move in solution.line(start.position)]}

        return answer(request, game, ask)

    @app.get("/api/games/{game:path}/stats")
    def stats(request: Request, game: Spec) -> Response:
        """Counts of positions and classes, by ply and outcome."""
        return answer(request, game, statistics)

    for file in page_files():
        etag = f'"{hashlib.sha256(file.content).hexdigest()[:32]}"'

        def serve(request: Request, file: Any = file, etag: str = etag) -> Response:
            headers = {"ETag": etag, "Cache-Control": "no-cache"}
            if _has(request, etag):
                return Response(status_code=304, headers=headers)
            return Response(file.content, media_type=file.media_type, headers=headers)

        for path in file.paths:
            app.add_route(path, serve, methods=["GET"], include_in_schema=False)
    description = _description(app)
    app.openapi = lambda: description  # type: ignore[method-assign]
    return app


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


def _digest(shelf: Shelf, game: str) -> str:
    with shelf.solution(game) as solution:
        return str(solution.source.facts["digest"])


def _answers(shelf: Shelf, game: str, wanted: list[str]) -> Iterator[bytes]:
    """The answers as JSON, a few at a time: the thousands that may be asked for are never in memory together."""
    before = b'{"positions": ['
    for first in range(0, len(wanted), _A_CHUNK):
        answers = []
        for text in wanted[first : first + _A_CHUNK]:
            try:
                with shelf.solution(game) as solution:
                    answers.append(json.dumps(solution.answer(text).as_dict()))
            except ZermeloError as error:
                answers.append(json.dumps({"position": text, "error": _status_and_reason(error)[1]}))
        yield before + ", ".join(answers).encode()
        before = b", "
    yield b"]}" if wanted else before + b"]}"


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


def _etag(digest: str, request: Request) -> str:
    """A name for what a solution answers to a request: it changes with the solution, the request and the program.

    What is refused is never given one, so that a client who has one has a right answer.
    """
    asked = b" ".join([_VERSION.encode(), request.scope["raw_path"], request.scope["query_string"]])
    return f'"{digest[:32]}-{hashlib.sha256(asked).hexdigest()[:16]}"'


def _has(request: Request, etag: str) -> bool:
    """Whether the client has this very answer already."""
    known = request.headers.get("if-none-match", "")
    return etag in (name.strip().removeprefix("W/") for name in known.split(","))


def _cached(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "public, max-age=60"}


def _status_and_reason(error: Exception) -> tuple[int, str]:
    """What to tell of an error. Where the database is, and with which password, is nobody's business."""
    if isinstance(error, MissingSolutionError | UnknownPositionError):
        return 404, str(error)
    if isinstance(error, OperationError | DatabaseError):
        return 503, "the database cannot be asked now: try again later"
    return 400, str(error)


def _handle_errors(app: FastAPI) -> None:
    @app.exception_handler(ZermeloError)
    def zermelo_error(_request: Request, error: Exception) -> Response:
        status, reason = _status_and_reason(error)
        return failure(status, reason, {"Retry-After": "5"} if status == 503 else None)

    @app.exception_handler(HTTPException)
    def http_error(_request: Request, error: HTTPException) -> Response:
        reason = "there is nothing at this address: see /docs" if error.status_code == 404 else str(error.detail)
        return failure(error.status_code, reason, dict(error.headers or {}))

    @app.exception_handler(RequestValidationError)
    def invalid(_request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        return failure(400, f"{'.'.join(map(str, first['loc']))}: {first['msg']}")

    @app.exception_handler(Exception)
    def unexpected(_request: Request, _error: Exception) -> Response:
        return failure(500, "something went wrong here that should not have")
