"""Where what is written goes: the standard output, or a file that appears whole or not at all."""

import contextlib
import errno
import os
import shutil
import signal
import stat
import sys
import threading
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import IO

from zermelo.solver.blame import raised_by_rules
from zermelo.solver.errors import ClosedOutputError, OperationError, OutputError, OutputExistsError, ZermeloError

_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What ends a process unless it has a mind of its own."""


@contextlib.contextmanager
def output_stream(path: str, *, force: bool = False) -> Iterator[IO[bytes]]:
    """A stream into the file `path`, or to the standard output where that is ``-``."""
    if path != "-":
        with whole_file(path, force=force) as stream:
            yield stream
        return
    if sys.stdout is None:
        raise ClosedOutputError("standard output is closed")
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
def whole_file(path: str | os.PathLike[str], *, force: bool = False) -> Iterator[IO[bytes]]:
    """A stream into a file that takes its name only once everything is written; an old one is replaced with `force`.

    Only a file is ever replaced: no device, no pipe and no database. Where `path` is a link, what it leads to is written.
    """
    path = os.fspath(path)
    _refuse(path, force)
    target = os.path.realpath(path)
    partial = _partial(os.path.dirname(target))
    with _explained(path), _removed_at_the_end(partial):
        with open(partial, "xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if force:
            os.replace(partial, target)
        else:
            # Unlike a rename, a link never takes the place of a file that came into being meanwhile.
            try:
                os.link(partial, target)
            except OSError:
                _refuse(path, force)
                os.replace(partial, target)


def _refuse(path: str, force: bool) -> None:
    """Refuse to write where no file can be, or where one is that may not be replaced."""
    if "\0" in path or not os.path.basename(path):
        raise OutputError(f"{path!r} names no file: name one, such as out.txt", path=path)
    folder = os.path.dirname(os.path.realpath(path))
    if not os.path.isdir(folder):
        raise OutputError(f"the folder of {path!r} does not exist: make {folder!r} first", path=path)
    try:
        mode = os.stat(path).st_mode
    except OSError:  # there is nothing, or a link to nothing
        mode = stat.S_IFREG
    if stat.S_ISDIR(mode):
        raise OutputError(f"{path!r} is a directory: name a file in it", path=path)
    if not stat.S_ISREG(mode):
        kind = "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else "device"
        raise OutputError(f"{path!r} is not a file but a {kind}: name a file, or - for standard output", path=path)
    if not os.path.lexists(path):
        return
    from zermelo.db.engine import is_database  # only what is there already needs it

    if is_database(path):
        raise OutputError(f"{path!r} is a database, which is never overwritten: name another file", path=path)
    if not force:
        raise OutputExistsError(f"{path!r} already exists", path=path)


@contextlib.contextmanager
def whole_folder(path: str | os.PathLike[str], pattern: str, *, force: bool = False) -> Iterator[Path]:
    """A folder that takes its name only once everything is in it.

    With `force` an old one is replaced, as long as it holds nothing but files whose names match `pattern`.
    """
    target = Path(os.path.abspath(path))
    if not target.parent.is_dir():
        raise OutputError(
            f"the folder of {os.fspath(path)!r} does not exist: make {str(target.parent)!r} first", path=path
        )
    if target.exists() and not target.is_dir():
        raise OutputError(f"{os.fspath(path)!r} is a file: name a folder", path=path)
    held = list(target.iterdir()) if target.is_dir() else []
    if strangers := [file.name for file in held if not fnmatch(file.name, pattern)]:
        raise OutputError(f"{os.fspath(path)!r} holds {strangers[0]!r} already: name a new folder", path=path)
    if held and not force:
        raise OutputExistsError(f"{os.fspath(path)!r} already exists", path=path)
    partial = _partial(target.parent)
    with _explained(str(target)), _removed_at_the_end(partial):
        os.mkdir(partial)
        yield Path(partial)
        for file in held:
            file.unlink()
        os.replace(partial, target)  # over an empty folder too


def _partial(folder: str | os.PathLike[str]) -> str:
    """A name in the folder that nothing else has, for what is not whole yet."""
    return os.path.join(folder, f".zermelo-{os.urandom(8).hex()}.part")


@contextlib.contextmanager
def _removed_at_the_end(path: str) -> Iterator[None]:
    """Leave no file or folder of this name behind, however the work ends: also where the process is told to terminate."""
    writer = os.getpid()

    def end(number: int, _frame: object) -> None:
        if os.getpid() == writer:  # a forked process has the handler too, but not the file
            remove()
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def remove() -> None:
        shutil.rmtree(path, ignore_errors=True)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    # Whoever has a handler, or ignores the signal, goes on having it so; and only the main thread can set one.
    main = threading.current_thread() is threading.main_thread()
    numbers = [number for number in _ENDING if main and signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in numbers:
            signal.signal(number, end)
        yield
    finally:
        remove()
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _explained(path: str) -> Iterator[None]:
    """Turn what goes wrong with writing into one line; a reader who went away is left to who called."""
    try:
        yield
    except (BrokenPipeError, ZermeloError):
        raise
    except OSError as error:
        if raised_by_rules(error):  # somebody's own rules read a file
            raise
        if error.errno in (errno.ENOSPC, errno.EFBIG, errno.EDQUOT):
            raise OperationError(f"there is no room left for {path!r}: make some, or write elsewhere") from error
        raise OperationError(f"{path!r} cannot be written: {error.strerror or error}") from error
