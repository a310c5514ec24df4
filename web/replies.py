"""How the API answers: names for what may be kept, what it says of errors, and which words of a request it knows."""

import hashlib
import logging
import time
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from zermelo.solver.errors import (
    DatabaseError,
    MissingSolutionError,
    OperationError,
    UnknownPositionError,
    ZermeloError,
    quoted,
)
from zermelo.web.guard import failure

VERSION = version("zermelo")
_LOG = logging.getLogger("zermelo.web")
_SECONDS_BETWEEN_LINES = 10


def etag_of(digest: str, request: Request) -> str:
    """A name for what a solution answers to a request: it changes with the solution, the request and the program.

    What is refused is never given one, so that a client who has one has a right answer. It is weak, as the same answer
    has other bytes when it is compressed.
    """
    asked = b" ".join([VERSION.encode(), request.scope["raw_path"], request.scope["query_string"]])
    return f'W/"{digest[:32]}-{hashlib.sha256(asked).hexdigest()[:16]}"'


def has(request: Request, etag: str) -> bool:
    """Whether the client has this very answer already."""
    known = request.headers.get("if-none-match", "")
    return etag.removeprefix("W/") in (name.strip().removeprefix("W/") for name in known.split(","))


def cached(etag: str) -> dict[str, str]:
    return {"ETag": etag, "Cache-Control": "public, max-age=60"}


def known_parameters(request: Request) -> None:
    """Refuse what no address of the API asks for: a misspelt parameter would be answered as if it were left out."""
    route = request.scope["route"]
    known = {parameter.alias for parameter in route.dependant.query_params}
    for name in request.query_params:
        if name not in known:
            wanted = f"there is {', '.join(sorted(known))}" if known else "there are none here"
            raise HTTPException(400, f"there is no parameter {quoted(name)}: {wanted}")
        if len(request.query_params.getlist(name)) > 1:
            raise HTTPException(400, f"parameter {quoted(name)} is given more than once")


def status_and_reason(error: Exception) -> tuple[int, str]:
    """What to tell of an error. Where the database is, and with which password, is nobody's business."""
    if isinstance(error, MissingSolutionError | UnknownPositionError):
        return 404, str(error)
    if isinstance(error, OperationError | DatabaseError):
        return 503, "the database cannot be asked now: try again later"
    return 400, str(error)


def handle_errors(app: FastAPI) -> None:
    """Every error becomes an answer of one shape; what the operator must know is logged."""
    told: dict[str, float] = {}

    def tell(error: Exception) -> None:
        """Log why the database cannot be asked, though not for every request that it could not answer."""
        now, line = time.monotonic(), str(error)
        if now - told.get(line, -_SECONDS_BETWEEN_LINES) >= _SECONDS_BETWEEN_LINES:
            told.clear()
            told[line] = now
            _LOG.error("the database cannot be asked: %s", line)

    @app.exception_handler(ZermeloError)
    def zermelo_error(_request: Request, error: Exception) -> Response:
        status, reason = status_and_reason(error)
        if status == 503:
            tell(error)
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
        return failure(500, "something went wrong here that should not have")  # the server logs the error itself
