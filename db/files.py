"""Where exports go: the standard output, or a file that appears whole or not at all."""

import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator
from typing import IO

from solver.errors import DatabaseError, OperationError, OutputExistsError


@contextlib.contextmanager
def output_stream(path: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """A stream into the file `path`, or to the standard output where that is ``-``."""
    if path != "-":
        with whole_file(path, force=force) as stream:
            yield stream
        return
    if sys.stdout is None:
        raise OperationError("standard output is closed: name a file with -o")
    with _explained("standard output"):
        try:
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        except OSError:
            discard_output()
            raise


def discard_output() -> None:
    """Keep Python from trying again at its end to write what could not be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextlib.contextmanager
def whole_file(path: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """A stream into a file that takes its name only once everything is written; an old one is replaced with `force`."""
    folder, name = os.path.split(os.path.abspath(path))
    if os.path.isdir(path):
        raise OutputExistsError(f"{path!r} is a directory: name a file in it")
    if not os.path.isdir(folder):
        raise DatabaseError(f"the file {path!r} has no folder to be in: make {folder!r} first")
    _refuse_existing(path, force)
    with _explained(path):
        descriptor, partial = tempfile.mkstemp(prefix=f".{name}.", suffix=".part", dir=folder)
        try:
            with open(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fchmod(stream.fileno(), 0o666 & ~_umask())
                os.fsync(stream.fileno())
            if force:
                os.replace(partial, path)
            else:
                # Unlike a rename, a link never takes the place of a file that came into being meanwhile.
                try:
                    os.link(partial, path)
                except FileExistsError:
                    _refuse_existing(path, force)
                except OSError:
                    _refuse_existing(path, force)
                    os.replace(partial, path)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial)


def _refuse_existing(path: str, force: bool) -> None:
    if os.path.lexists(path) and not force:
        raise OutputExistsError(f"{path!r} is there already: write over it with --force, or name another file")


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    """Turn what goes wrong with writing into one line; a reader who went away is left to who called."""
    try:
        yield
    except (BrokenPipeError, OperationError, OutputExistsError):
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise OperationError(f"there is no room left for {path!r}: make some, or write elsewhere") from error
        raise OperationError(f"{path!r} cannot be written: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
