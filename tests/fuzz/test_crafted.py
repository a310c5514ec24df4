"""Tablebases that somebody made up, every checksum right: each is answered from or refused in our words, soon and in little room."""

import collections
import hashlib
import json
import random
import resource
import signal
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz import scaled
from zermelo.db.catalogue import solutions_in
from zermelo.db.query import Solution, open_solution
from zermelo.db.stats import statistics
from zermelo.db.store import build
from zermelo.db.tablebase import write_tablebase
from zermelo.db.tablebase.container import Container
from zermelo.db.verify import check_amount, verify, verify_sample
from zermelo.solver.errors import ZermeloError
from zermelo.solver.games import load

SECONDS = 10
"""More than any of them may take."""
MEGABYTES = 400
"""By how much the process may grow, whatever the files say."""
GAMES = {
    "mnk:3,3,3": {},
    "connect:3,3,3": {},
    "nim:1,2,3": {},
    "nim:2,2": {"symmetry": True},
    "morris:three": {},
    "dodgem:3": {"layout": "packed"},
}
NAMES = ["mnk:3,3,3", "mnk:5,5,4", "mnk:9,9,5", "mnk:1000,1000,3", "mnk:99999999999,1,1", "connect:6,5,4", "mnk:0,0,0",
         "nim:3,4,5", "nim:99999999", "nim:1,1,1,1,1,1,1,1,1,1,1,1", "figure:two-ply", "tree:/dev/zero", "os:abort", "",
         "mnk", "mnk:3,3,3,misere", "kalah:6,4", "dodgem:9", "morris:three", "chomp:9,9", "x" * 5000]  # fmt: skip
ODD: list[Any] = [None, True, -1, 0, 1, 7, 2**31, 2**63, 2**64, 10**30, -(10**30), 1.5, "", "7", "\x1b[2J", "\ud800", [], [[]], {}, {"a": 1},
       [1] * 1000, "mnk:3,3,3", [None], [[1], [2], [3]]]  # fmt: skip


class Parts:
    """A tablebase taken to pieces."""

    def __init__(self, path: Path) -> None:
        with closing(Container(str(path))) as container:
            self.version: int = path.read_bytes()[7]
            self.digest = container.digest
            self.head: dict[str, Any] = json.loads(json.dumps(container.head))
            self.chunks = [container.chunk(number) for number in range(len(container.firsts))]

    def copy(self) -> "Parts":
        other = object.__new__(Parts)
        other.version, other.digest, other.chunks = self.version, self.digest, list(self.chunks)
        other.head = json.loads(json.dumps(self.head))
        return other

    def written(self, change: Callable[[list[Any]], None] | None = None) -> bytes:
        """The file, with the lengths and checksums that belong to what is in it, unless `change` makes others of them."""
        packed = [_deflate(data) for data in self.chunks]
        firsts = self.head["chunks"][0] if isinstance(self.head.get("chunks"), list) and self.head["chunks"] else []
        index: list[Any] = [firsts, [len(data) for data in packed], [zlib.crc32(data) for data in packed]]
        if change:
            change(index)
        head = _deflate(json.dumps({**self.head, "chunks": index}).encode())
        start = b"\x89ZTB\r\n\x1a" + bytes([self.version])
        end = bytes.fromhex(self.digest) + len(head).to_bytes(4, "little")
        return start + b"".join(packed) + head + end + hashlib.sha256(start + head + end).digest()[:16]


def _deflate(data: bytes) -> bytes:
    compressor = zlib.compressobj(6, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


def crafted(good: list[Parts], chance: random.Random) -> bytes:
    """Another file, made from one of the good ones."""
    parts = chance.choice(good).copy()
    change: Callable[[list[Any]], None] | None = None
    for _ in range(chance.choice((1, 1, 2, 3))):
        kind = chance.randrange(9)
        name = chance.choice(sorted(parts.head))
        number = chance.randrange(len(parts.chunks)) if parts.chunks else 0
        if kind == 0:
            parts.head[name] = chance.choice(ODD)
        elif kind == 1:
            parts.head.pop(name, None)
        elif kind == 2:
            parts.head["game"] = chance.choice(NAMES)
        elif kind == 3:
            parts.head["kind"] = chance.choice(["rows", "board", "keyed", "states", "?"])
            parts.version = chance.choice([1, 2, 3])
        elif kind == 4 and isinstance(parts.head.get("counts"), list) and parts.head["counts"]:
            column = chance.choice(parts.head["counts"])
            if isinstance(column, list) and column:
                column[chance.randrange(len(column))] = chance.choice(ODD)
        elif kind == 5 and parts.chunks:
            data = bytearray(parts.chunks[number])
            for _ in range(chance.choice((1, 1, 4, 40))):
                if data:
                    data[chance.randrange(len(data))] = chance.randrange(256)
            parts.chunks[number] = bytes(data)
        elif kind == 6 and parts.chunks:
            cut = chance.randrange(len(parts.chunks[number]) + 1)
            parts.chunks[number] = chance.choice(
                [parts.chunks[number][:cut], b"", b"\xff" * 20, bytes(chance.choice((5000, 3_000_000))), b"\n" * 100]
            )
        elif kind == 7:
            change = _index_changer(chance)
        elif kind == 8:
            parts.head["by_class"] = not parts.head.get("by_class")
    try:
        return parts.written(change)
    except (TypeError, ValueError):
        return parts.written()


def _index_changer(chance: random.Random) -> Callable[[list[Any]], None]:
    column, value, whole = chance.randrange(3), chance.choice(ODD), chance.random() < 0.2

    def change(index: list[Any]) -> None:
        if whole or not index[column]:
            index[column] = value
        else:
            index[column][chance.randrange(len(index[column]))] = value

    return change


def verified(solution: Solution) -> None:
    check_amount(solution)
    verify(solution)


def use(path: Path) -> str:
    """Everything that one does with a tablebase; what came of it."""
    solutions_in(path)
    with open_solution(str(path)) as solution:
        game = solution.game
        start = game.format(game.initial)
        asks: list[Callable[[], Any]] = [
            lambda: solution.answer(start, line=True),
            lambda: solution.probe(start),
            lambda: statistics(solution),
            lambda: list(islice(solution, 300)),
            lambda: [solution.get(board) for board in islice(solution, 30)],
            lambda: solution.source.find_many([start, "nothing", ""]),
            lambda: verify_sample(solution, 20, seed=1),
            lambda: verified(solution),
        ]
        refused = 0
        for ask in asks:
            try:
                ask()
            except ZermeloError:
                refused += 1
    return f"opened, {'some' if refused else 'nothing'} refused"


@contextmanager
def in_time() -> Iterator[None]:
    """Whatever takes longer is an error."""

    def late(*_: object) -> None:
        raise TimeoutError(f"more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.alarm(3 * SECONDS)  # the machine may be busy: a hang is for ever
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def craft_many(number: int, folder: Path, seed: int) -> tuple[collections.Counter[str], list[str], int]:
    """Make and use so many; what came of them, what should not have, and the megabytes that the process grew by."""
    good = []
    for name, options in GAMES.items():
        build(str(folder / "good.db"), load(name), **options)  # type: ignore[arg-type]
        with open_solution(str(folder / "good.db"), name) as solution, (folder / "good.ztb").open("wb") as stream:
            write_tablebase(stream, solution)
        good.append(Parts(folder / "good.ztb"))
        assert use(folder / "good.ztb") == "opened, nothing refused"
        (folder / "plain.ztb").write_bytes(good[-1].written())
        assert use(folder / "plain.ztb") == "opened, nothing refused"
    chance, path = random.Random(seed), folder / "crafted.ztb"
    tally: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    size = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for turn in range(number):
        data = crafted(good, chance)
        path.write_bytes(data)
        try:
            with in_time():
                tally[use(path)] += 1
        except ZermeloError:
            tally["refused"] += 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            tally["wrong"] += 1
            place = error.__traceback__
            while place is not None and place.tb_next is not None:
                place = place.tb_next
            at = "" if place is None else f"{Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}"
            wrong.append(f"file {turn}: {type(error).__name__}: {str(error)[:100]} at {at}")
    return tally, wrong, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - size) // 1024


def test_a_few_crafted_tablebases(tmp_path: Path) -> None:
    """So that every run has some."""
    _, wrong, _ = craft_many(8, tmp_path, seed=5)
    assert wrong == []


@pytest.mark.slow
def test_crafted_tablebases(tmp_path: Path) -> None:
    """5,000 of them at full scale; docs/reliability.md has the figures."""
    tally, wrong, grown = craft_many(scaled(5000), tmp_path, seed=6)
    print(dict(tally), f"{grown} MB")
    assert wrong == []
    assert grown < MEGABYTES
