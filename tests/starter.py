"""Starts the program hundreds of times, each time as `python -m zermelo` does, without importing SQLAlchemy as often.

A Python that has imported what others wrote, and nothing of ours, waits for requests. For each it forks: the child takes
over folder, variables and streams, and from there all is as in a process of its own.
"""

import gc
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
IMPORTED = ("click", "sqlalchemy.orm", "sqlalchemy.dialects.sqlite", "alembic.command", "alembic.context", "tqdm")
LONG = 600
"""Seconds that any command may take, however busy the machine is."""


class Starter:
    """The process that waits, and what it is asked through."""

    def __init__(self) -> None:
        self._socket, theirs = socket.socketpair()
        self._socket.settimeout(LONG)
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            )  # fmt: skip

    def run(
        self, arguments: Sequence[str], folder: Path, env: Mapping[str, str], stdin: bytes
    ) -> "subprocess.CompletedProcess[str]":
        """What the program answers in the folder, with these variables."""
        request = json.dumps([list(arguments), str(folder), dict(env)]).encode()
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            socket.send_fds(
                self._socket, [len(request).to_bytes(4, "big")], [given.fileno(), out.fileno(), err.fileno()]
            )
            self._socket.sendall(request)
            code = int.from_bytes(self._socket.recv(4), "big", signed=True)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(arguments, code, out.read().decode(), err.read().decode())

    def close(self) -> None:
        self._socket.close()
        self._process.wait(LONG)


def start_anew(
    arguments: Sequence[str], folder: Path, env: Mapping[str, str], stdin: bytes
) -> "subprocess.CompletedProcess[str]":
    """The same by a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "zermelo", *arguments],
        cwd=folder,
        env=env,
        input=stdin,
        capture_output=True,
        timeout=LONG,
    )
    return subprocess.CompletedProcess(arguments, done.returncode, done.stdout.decode(), done.stderr.decode())


def _forked(requests: socket.socket) -> tuple[list[str], str, dict[str, str]]:
    """Wait for requests; in each child the request, with its streams in place. The parent ends when nobody asks any more."""
    while True:
        length, files, _, _ = socket.recv_fds(requests, 4, 3)
        if not length:
            sys.exit()
        data = b""
        while len(data) < int.from_bytes(length, "big"):
            data += requests.recv(1 << 20)
        child = os.fork()
        if not child:
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            requests.close()
            request: Any = json.loads(data)
            return request[0], request[1], request[2]
        for file in files:
            os.close(file)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        requests.sendall(code.to_bytes(4, "big", signed=True))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever stops the tests stops this, too
    path = sys.path[1:]  # without the folder of this file
    for name in IMPORTED:
        import_module(name)
    gc.freeze()
    arguments, folder, env = _forked(socket.socket(fileno=int(sys.argv[1])))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.argv[:] = ["zermelo", *arguments]
    sys.path[:] = [folder, *env["PYTHONPATH"].split(os.pathsep), *path]
    runpy.run_module("zermelo", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
