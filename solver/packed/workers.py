"""The workers of a Dask cluster: those that are elsewhere, and those that are started here."""

import contextlib
import logging
import multiprocessing
import re
import signal
import time
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from zermelo.solver.errors import ClusterError, GameError
from zermelo.solver.packed import require

_CONNECT = 30
"""Seconds to wait for a scheduler to answer, or for a first worker."""
LOOK = 0.5
"""Seconds between looks at which workers there are."""
_MOST = 256
"""Workers that are started here, each a process of its own."""
_FORKED = "forkserver" in multiprocessing.get_all_start_methods()
"""Whether workers that are started here can be forked from a process that has imported what they need."""


def begin(cluster: str, *needed: str) -> None:
    """Begin to start the workers that run here, if any do: what they need is imported for all of them, and meanwhile."""
    if _started_here(cluster) and _FORKED:
        from multiprocessing import forkserver, resource_tracker

        forkserver.set_forkserver_preload(["distributed", "zermelo.solver.packed.tasks", *needed])
        resource_tracker.ensure_running()  # which would let interrupts through again
        # Ctrl-C in a terminal reaches all that run there; they leave it to the build to stop them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            forkserver.ensure_running()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _started_here(cluster: str) -> int:
    """How many workers are to be started here, none where they are elsewhere."""
    kind, _, count = cluster.partition(":")
    if kind == "local":
        if not re.fullmatch("[0-9]{1,4}", count) or not 1 <= int(count) <= _MOST:
            raise GameError(
                f"a cluster here is local:N with N workers from 1 to {_MOST}, such as local:2, not {cluster!r}"
            )
        return int(count)
    if "://" not in cluster:
        raise GameError(f"a cluster is named by its address, such as tcp://HOST:8786, or local:2, not {cluster!r}")
    return 0


def _version() -> str:
    return version("zermelo")


@contextlib.contextmanager
def connected(cluster: str) -> Iterator[Any]:
    """A client of the cluster at an address, or of workers that are started here; they are of this version."""
    require("distributed", extra="cluster")
    import dask
    from distributed import Client, LocalCluster

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    with contextlib.ExitStack() as open_here:
        settings: dict[str, Any] = {
            "distributed.scheduler.allowed-failures": 0,
            "distributed.worker.profile.enabled": False,
        }
        if _FORKED:
            settings["distributed.worker.multiprocessing-method"] = "forkserver"
        open_here.enter_context(dask.config.set(settings))
        address: Any = cluster
        if count := _started_here(cluster):
            try:
                here = LocalCluster(  # type: ignore[no-untyped-call]
                    n_workers=count,
                    threads_per_worker=1,
                    dashboard_address="127.0.0.1:0",  # or another build's would be warned of
                    silence_logs=logging.CRITICAL,
                    memory_limit=None,
                )
            except RuntimeError as error:
                raise ClusterError(
                    f'the workers of {cluster!r} do not start: a script builds on a cluster under `if __name__ == "__main__":`',
                    cluster=cluster,
                ) from error
            address = open_here.enter_context(here)
        try:
            client = Client(address, timeout=_CONNECT, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError) as error:
            raise ClusterError(f"no scheduler answers at {cluster!r}: start one there", cluster=cluster) from error
        open_here.enter_context(client)
        _check_workers(client, cluster)
        yield client


def _check_workers(client: Any, cluster: str) -> None:
    """Refuse a cluster without workers, or with workers of another version."""
    wait_for_workers(client, cluster, _CONNECT)
    ours = _version()
    for worker, theirs in client.run(_version, on_error="return").items():
        if theirs != ours:
            has = f"has Zermelo {theirs}" if isinstance(theirs, str) else f"cannot run Zermelo ({theirs})"
            raise ClusterError(
                f"worker {worker} of {cluster!r} {has}, and here it is {ours}: install the same there", cluster=cluster
            )


def wait_for_workers(client: Any, cluster: str, seconds: float) -> None:
    """Wait until there is a worker, but not for ever."""
    deadline = time.monotonic() + seconds
    while not workers_of(client, cluster):
        if time.monotonic() > deadline:
            raise ClusterError(f"the cluster {cluster!r} has no workers: start some there", cluster=cluster)
        time.sleep(LOOK)


def workers_of(client: Any, cluster: str) -> dict[str, int]:
    """The addresses of the workers that there are now, and how many threads each has."""
    if client.status != "running":
        raise ClusterError(f"the scheduler of {cluster!r} has gone away: what is stored is kept", cluster=cluster)
    there = client.scheduler_info(n_workers=-1)["workers"]
    return {address: worker["nthreads"] for address, worker in there.items()}
