"""Boards solved on a cluster: real schedulers, real workers, some of them killed; the digest is that of one machine."""

import contextlib
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest
from sqlalchemy import create_engine, text

from tests.conftest import heed_interrupts
from tests.db.test_postgresql import server  # noqa: F401
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.verify import verify_sample
from zermelo.solver.errors import ClusterError, GameError
from zermelo.solver.games import load
from zermelo.solver.packed.groups import Groups

pytestmark = pytest.mark.slow
LONG = 240
"""Seconds that are waited for anything: the machine may be busy."""


def until(is_so: Callable[[], object], what: str) -> None:
    deadline = time.monotonic() + LONG
    while not is_so():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def start(*arguments: str, **options: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload, no-any-return]


def start_build(db: str, spec: str, cluster: str, **options: object) -> "subprocess.Popen[str]":
    command = ("zermelo", "build", "-g", spec, "--db", db, "--cluster", cluster, "--no-progress")
    return start(*command, preexec_fn=heed_interrupts, **options)


def stored_in(path: Path) -> set[int]:
    """The numbers of the groups that are stored."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=0)) as connection:
            return {-1 - number for (number,) in connection.execute("select occupancy from blocks where occupancy < 0")}
    except sqlite3.Error:
        return set()


def groups_in(path: Path) -> int:
    return len(stored_in(path))


def workers_of(process: "subprocess.Popen[str]") -> list[psutil.Process]:
    """The processes of the workers that a build has started: they are forked from one that it has started."""
    return [
        worker
        for child in psutil.Process(process.pid).children()
        if "forkserver" in " ".join(child.cmdline())
        for worker in child.children()
    ]


@contextlib.contextmanager
def scheduler(folder: Path) -> "Iterator[tuple[str, subprocess.Popen[str]]]":
    """A scheduler on a free port: its address, and its process."""
    file = folder / "scheduler.json"
    file.unlink(missing_ok=True)
    process = start(
        "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    )  # fmt: skip
    try:
        until(lambda: file.exists() and file.read_text().rstrip().endswith("}"), "the scheduler starts")
        yield json.loads(file.read_text())["address"], process
    finally:
        process.kill()
        process.communicate()


@contextlib.contextmanager
def worker(address: str, **environment: str) -> Iterator[None]:
    """A worker of a scheduler, once the scheduler knows it."""
    from distributed import Client

    process = start(
        "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny",
        env={**os.environ, **environment},
    )  # fmt: skip
    try:
        with Client(address, timeout=LONG, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(1, timeout=LONG)
        yield
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def digest(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What one machine makes of 5x4."""
    return build(tmp_path_factory.mktemp("whole") / "zermelo.db", "mnk:5,4,4").digest


def test_a_killed_worker(tmp_path: Path, digest: str) -> None:
    """One of three workers is killed midway: the build ends by itself, with the same digest."""
    path = tmp_path / "zermelo.db"
    process = start_build(str(path), "mnk:5,4,4", "local:3")
    until(lambda: groups_in(path) >= 5, "the first groups are stored")
    workers_of(process)[0].kill()
    _, stderr = process.communicate(timeout=2 * LONG)
    assert process.returncode == 0, stderr
    with open_solution(str(path), "mnk:5,4,4") as solution:
        assert solution.source.facts["digest"] == digest
        assert not verify_sample(solution, 300, seed=1).faults


def test_a_killed_worker_with_a_server(server: str, digest: str) -> None:  # noqa: F811
    """The same where the workers store into a server's database themselves."""
    engine = create_engine(server)

    def stored() -> int:
        with contextlib.suppress(Exception), engine.begin() as connection:
            return int(connection.execute(text("select count(*) from blocks where occupancy < 0")).scalar() or 0)
        return 0

    process = start_build(server, "mnk:5,4,4", "local:3")
    until(lambda: stored() >= 5, "the first groups are stored")
    workers_of(process)[0].kill()
    _, stderr = process.communicate(timeout=2 * LONG)
    engine.dispose()
    assert process.returncode == 0, stderr
    with open_solution(server, "mnk:5,4,4") as solution:
        assert solution.source.facts["digest"] == digest


@pytest.mark.parametrize("spec", ["mnk:5,4,4", "connect:6,4,4"])
def test_an_interrupt_in_a_terminal(tmp_path: Path, spec: str) -> None:
    """Ctrl-C reaches the workers too: one line all the same, nobody is left behind, and threads can go on from what is stored."""
    path = tmp_path / "zermelo.db"
    process = start_build(str(path), spec, "local:2", start_new_session=True)
    until(lambda: groups_in(path) >= 20, "the first groups are stored")
    started = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, stderr = process.communicate(timeout=LONG)
    estimate, line = stderr.splitlines()
    assert "places to fill" in estimate and line.startswith("zermelo: interrupted: what is finished is kept")
    until(lambda: not any(child.is_running() for child in started), "all processes end")
    groups, stored = Groups(load(spec)), stored_in(path)  # type: ignore[arg-type]
    assert 20 <= len(stored) < len(groups)
    # With gravity, what can occur in a group is found from those above it, all of which are still to be solved.
    assert all(child in stored for number in stored for _, child in groups.children(number))
    assert build(path, spec).digest == build(tmp_path / "whole.db", spec).digest


def test_gravity(tmp_path: Path) -> None:
    """What can occur is found by the workers too."""
    whole = build(tmp_path / "whole.db", "connect:4,4,4").digest
    assert build(tmp_path / "cluster.db", "connect:4,4,4", cluster="local:2").digest == whole


def test_a_scheduler_elsewhere(tmp_path: Path) -> None:
    """No workers, workers of another version, an interrupt, a scheduler that goes away: one line each, and it goes on later."""
    path = tmp_path / "zermelo.db"
    whole = build(tmp_path / "whole.db", "mnk:5,4,5").digest

    def build_it(address: str) -> "subprocess.CompletedProcess[str]":
        process = start_build(str(path), "mnk:5,4,5", address)
        stdout, stderr = process.communicate(timeout=LONG)
        return subprocess.CompletedProcess([], process.returncode, stdout, stderr)

    with scheduler(tmp_path) as (address, process):
        lonely = build_it(address)
        assert lonely.returncode == 1
        assert lonely.stderr.splitlines()[-1] == f"zermelo: the cluster {address!r} has no workers: start some there"

        (tmp_path / "sitecustomize.py").write_text(
            "import importlib.metadata as metadata\n"
            "known = metadata.version\n"
            "metadata.version = lambda name: '0.0.1' if name == 'zermelo' else known(name)\n"
        )
        with worker(address, PYTHONPATH=str(tmp_path)):
            other = build_it(address)
        assert other.returncode == 1
        assert re.fullmatch(
            rf"zermelo: worker tcp://\S+ of {address!r} has Zermelo 0.0.1, and here it is \S+: install the same there",
            other.stderr.splitlines()[-1],
        )

        with worker(address):
            builder = start_build(str(path), "mnk:5,4,5", address)
            until(lambda: groups_in(path) >= 2, "the first groups are stored")
            builder.send_signal(signal.SIGINT)
            _, stderr = builder.communicate(timeout=LONG)
            assert stderr.splitlines()[-1].startswith("zermelo: interrupted: what is finished is kept")
            kept = groups_in(path)
            assert kept >= 2

            builder = start_build(str(path), "mnk:5,4,5", address)
            until(lambda: groups_in(path) >= kept + 2, "the build goes on")
            process.kill()
            _, stderr = builder.communicate(timeout=LONG)
            assert builder.returncode == 1
            gone = f"zermelo: the scheduler of {address!r} has gone away: what is stored is kept"
            assert stderr.splitlines()[-1] == gone

    with scheduler(tmp_path) as (address, _), worker(address):
        done = build_it(address)
    assert done.returncode == 0, done.stderr
    assert "going on where an earlier build was stopped" in done.stderr
    with open_solution(str(path), "mnk:5,4,5") as solution:
        assert solution.source.facts["digest"] == whole


def test_what_is_no_cluster(tmp_path: Path) -> None:
    """One line that says what would be right, and nothing is written."""
    path = tmp_path / "zermelo.db"
    for cluster in ("hello", "local:0", "local:two", "local:257", "local:" + "9" * 5000):
        with pytest.raises(GameError, match=r"not '(hello|local:)"):
            build(path, load("mnk:4,4,4"), cluster=cluster)
    with pytest.raises(GameError, match="cannot be solved on a cluster"):
        build(path, load("mnk:3,3,3"), cluster="local:2")
    with pytest.raises(ClusterError, match=r"no scheduler answers at 'tcp://127\.0\.0\.1:9': start one there"):
        build(path, load("mnk:4,4,4"), cluster="tcp://127.0.0.1:9")
    assert not path.exists()


def test_a_script_that_starts_itself_again(tmp_path: Path) -> None:
    """Workers begin with the script that starts them: without a guard it is told what it lacks."""
    script = tmp_path / "script.py"
    script.write_text("import zermelo\nzermelo.build('mnk:4,4,4', db='zermelo.db', cluster='local:1')\n")
    run = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=LONG)
    line = run.stderr.splitlines()[-1]
    assert (
        "ClusterError: the workers of 'local:1' do not start: a script builds on a cluster under `if __name__" in line
    )
    assert not (tmp_path / "zermelo.db").exists()
