"""The compiled proof of packed solutions: the same verdicts as position by position, and no fault gets past it."""

import ast
import random
import threading
from pathlib import Path

import pytest

from tests.conftest import Zermelo
from tests.db.packed_faults import (
    BOARD_FAULTS,
    KEYED_FAULTS,
    UNREACHABLE,
    Blocks,
    Fault,
    faulty,
    wrong_count,
    wrong_fact,
)
from tests.fuzz import scaled
from zermelo.db.proof import plain, report
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.db.tablebase import open_tablebase, write_tablebase
from zermelo.db.verify import verify, verify_sample
from zermelo.solver.errors import DamagedError, MemoryLimitError
from zermelo.solver.games import load
from zermelo.solver.games.mnk import MNK
from zermelo.solver.packed.blocks import states_from

BOARDS = ("mnk:3,3,3", "mnk:4,2,3,misere", "connect:3,3,3", "connect:4,3,3,misere")
KEYED = ("dodgem:3", "hexapawn:3,4", "morris:three")


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Boards and games of whole numbers in blocks, in one database."""
    path = tmp_path_factory.mktemp("packed") / "packed.db"
    for spec in (*BOARDS, *KEYED):
        build(str(path), load(spec), layout="packed")
    return path


def is_caught(good: Path, folder: Path, spec: str, fault: Fault, seed: int) -> None:
    """See that a fault is told, in the database and in a tablebase that is made of it."""
    path = faulty(good, folder, spec, fault, seed)
    try:
        with open_solution(str(path), spec) as solution:
            told = verify(solution)
            assert told.faults, (spec, fault, seed)
            ztb = folder / "faulty.ztb"
            with ztb.open("wb") as stream:
                write_tablebase(stream, solution)
        with open_tablebase(str(ztb), spec) as tablebase:
            # It does not keep every count.
            assert fault in (wrong_fact, wrong_count) or verify(tablebase).faults, (spec, fault, seed)
    except DamagedError:
        pass  # which is told too


@pytest.mark.slow
@pytest.mark.parametrize("fault", BOARD_FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_in_a_board_is_caught(fault: Fault, packed: Path, tmp_path: Path) -> None:
    """Of each kind one on every board."""
    for seed, spec in enumerate(BOARDS):
        is_caught(packed, tmp_path, spec, fault, seed)


@pytest.mark.parametrize("kind", KEYED_FAULTS)
def test_a_fault_in_sorted_states_is_caught(kind: str, packed: Path, tmp_path: Path) -> None:
    """Of each kind one in a game that can come back, and one in a game that cannot."""
    for seed, spec in enumerate(KEYED[:2]):
        is_caught(packed, tmp_path, spec, KEYED_FAULTS[kind], seed)


@pytest.mark.slow
def test_many_faults_are_caught(packed: Path, tmp_path: Path) -> None:
    """No single fault gets through: every kind at random, 1,000 of them at full scale."""
    keyed = list(KEYED_FAULTS.values())
    for seed in range(scaled(1000)):
        if seed % 3:
            is_caught(packed, tmp_path, BOARDS[seed % 4], BOARD_FAULTS[seed // 4 % len(BOARD_FAULTS)], seed + 100)
        else:
            is_caught(packed, tmp_path, KEYED[seed // 3 % 3], keyed[seed // 9 % len(keyed)], seed + 100)


@pytest.mark.parametrize(
    "spec",
    [
        "connect:3,3,3",
        "dodgem:3",
        *(pytest.param(spec, marks=pytest.mark.slow) for spec in (*BOARDS[:2], BOARDS[3], *KEYED[1:])),
    ],
)
def test_what_is_right_is_proved(spec: str, packed: Path, tmp_path: Path) -> None:
    """In the database and in a tablebase: all positions, and a sample."""
    with open_solution(str(packed), spec) as solution:
        whole = verify(solution)
        assert (whole.faults, whole.sample) == ([], None)
        assert whole.proved == plain.prove_all(solution).proved
        some = verify_sample(solution, 300, seed=1)
        assert (some.faults, some.sample) == ([], 300)
        with (tmp_path / "right.ztb").open("wb") as stream:
            write_tablebase(stream, solution)
    with open_tablebase(str(tmp_path / "right.ztb"), spec) as tablebase:
        assert verify(tablebase).proved == whole.proved
        assert not verify_sample(tablebase, 300, seed=1).faults


@pytest.mark.slow
@pytest.mark.parametrize("spec", BOARDS)
def test_the_same_verdict_on_every_position(
    spec: str, packed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With many faults at once, the same positions are told as position by position, for the same reason, and no others."""
    compare_verdicts(packed, tmp_path, spec, monkeypatch, seeds=range(2))


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["mnk:4,3,3", "mnk:4,3,4,misere", "connect:4,4,3", "connect:4,3,3,misere"])
def test_the_same_verdict_on_larger_boards(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same on boards with more symmetries, and more than a byte of stones."""
    build(str(tmp_path / "good.db"), load(spec), layout="packed")
    compare_verdicts(tmp_path / "good.db", tmp_path, spec, monkeypatch, seeds=range(3))


def compare_verdicts(good: Path, folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch, seeds: range) -> None:
    """Hold the compiled proof to the plain one where there are no faults and where there are thirty."""
    monkeypatch.setattr(report, "SHOWN", 10**9)
    monkeypatch.setattr("zermelo.db.proof.boards.SHOWN", 10_000)
    game = load(spec)
    assert isinstance(game, MNK)
    for seed in seeds:

        def many(blocks: Blocks, chance: random.Random, seed: int = seed) -> None:
            for _ in range(30 * seed):
                number = chance.choice(blocks.numbers)
                block, states = blocks.read(number), list(states_from(number))
                chosen = chance.choice(states)
                images = {turn(chosen) for turn in game.symmetries}
                byte = chance.choice((UNREACHABLE, 0, chance.randrange(-13, 14)))
                # All images alike, or which of them is the stored one would depend on the way there.
                for place, state in enumerate(states):
                    if state in images:
                        block[place] = byte & 255
                blocks.write(number, block)

        with open_solution(str(faulty(good, folder, spec, many, seed)), spec) as solution:
            both = verify(solution), plain.prove_all(solution)
            compiled, one_by_one = (verdicts(game, told.faults) for told in both)
        assert compiled == one_by_one
        assert bool(compiled) == bool(seed)


def verdicts(game: MNK, faults: list[str]) -> set[tuple[str, str]]:
    """The classes of the positions that are told, and what is wrong with each; its best move is stored nowhere."""
    found = set()
    for fault in faults:
        board, _, why = fault.partition(": ")
        if "/" in board:
            images = [game.format(turn(game.board.parse(board))) for turn in game.symmetries]
            kind = "stored" if why.startswith("stored is ") else why
            found.add((min(images), kind))
    return found


def test_a_sample_comes_by_a_fault(packed: Path, tmp_path: Path) -> None:
    """Every game begins at the start; the same seed looks at the same positions."""
    for spec, start in (("mnk:3,3,3", ".../.../..."), ("dodgem:3", load("dodgem:3").format(load("dodgem:3").initial))):

        def wrong_start(blocks: Blocks, _chance: random.Random, spec: str = spec) -> None:
            if blocks.codec == "board":
                blocks.write(0, bytes([5]))
                return
            from zermelo.solver.compiled.blocks import unpack

            (number,) = blocks.numbers
            block = blocks.read(number)
            states = list(unpack(number, bytes(block)).states)
            block[8 + len(states) * sum(block[4:6]) + states.index(load(spec).initial)] += 1  # its plies
            blocks.write(number, block)

        with open_solution(str(faulty(packed, tmp_path, spec, wrong_start, 1)), spec) as solution:
            told = verify_sample(solution, 200, seed=7).faults
            assert told and all(line.startswith(f"{start}: stored is value ") for line in told)
            assert verify_sample(solution, 200, seed=7).faults == told


def test_a_sample_says_what_is_not_stored(packed: Path, tmp_path: Path) -> None:
    """A position that is marked as none, and whoever leads to it."""

    def no_centre(blocks: Blocks, _chance: random.Random) -> None:
        blocks.write(16, bytes([UNREACHABLE & 255]))

    with open_solution(str(faulty(packed, tmp_path, "mnk:3,3,3", no_centre, 1)), "mnk:3,3,3") as solution:
        assert set(verify_sample(solution, 2000, seed=1).faults) == {
            ".../.../...: a position to which it leads is not stored",
            ".../.X./...: play reaches it, but it is not stored",
        }


@pytest.mark.slow
def test_within_memory(packed: Path, zermelo: Zermelo) -> None:
    """More than it takes is enough; less is refused in one line, before anything is read."""
    for spec in ("mnk:3,3,3", "dodgem:3"):
        with open_solution(str(packed), spec) as solution:
            assert not verify(solution, memory=10**10).faults
            with pytest.raises(MemoryLimitError, match=f"to prove {spec} takes"):
                verify(solution, memory=10**6)
    refused = zermelo("verify", "-g", "mnk:3,3,3", "--db", str(packed), "--memory", "1M")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "--memory" in refused.stderr


def test_the_command_line(packed: Path, zermelo: Zermelo) -> None:
    """The first line says what was looked at."""
    for how, which in ((("--memory", "4G"), "all positions of"), (("--sample", "50"), "a sample of 50 positions of")):
        done = zermelo("verify", "-g", "mnk:3,3,3", "--db", str(packed), *how)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{which} mnk:3,3,3 in ")


@pytest.mark.parametrize("spec", ["connect:4,3,3,misere", "dodgem:3"])
def test_it_can_be_stopped(spec: str, packed: Path) -> None:
    """Whenever it tells how far it is: no thread stays behind."""
    stages: list[str] = []

    def interrupted(_done: int, _total: int | None, stage: str = "") -> None:
        stages.append(stage)
        if stage.endswith(" stones") or stage == "ply 3":
            raise KeyboardInterrupt

    before = threading.active_count()
    with open_solution(str(packed), spec) as solution, pytest.raises(KeyboardInterrupt):
        verify(solution, interrupted)
    assert threading.active_count() == before
    assert stages


def test_how_far_it_is_never_falls(packed: Path) -> None:
    """The bar of each stage fills up."""
    told: list[tuple[int, int | None, str]] = []
    for spec in ("mnk:3,3,3", "hexapawn:3,4"):
        with open_solution(str(packed), spec) as solution:
            verify(solution, lambda done, total, stage="": told.append((done, total, stage)))
        assert all(total is not None and 0 <= done <= total for done, total, _ in told)
        assert told[-1][0] == told[-1][1]


def test_a_row_that_nobody_asks_for(packed: Path, tmp_path: Path) -> None:
    """Of more stones than there are cells, or a part of a block that has no more parts."""
    for spec, number, layer in (("mnk:3,3,3", 5 | 1 << 32, 2), ("mnk:3,3,3", (1 << 12) - 1, 12), ("dodgem:3", -7, 0)):

        def added(blocks: Blocks, _chance: random.Random, number: int = number, layer: int = layer) -> None:
            blocks.connection.execute("insert into blocks values (?, ?, ?, ?)", (blocks.solution, number, layer, b""))

        with open_solution(str(faulty(packed, tmp_path, spec, added, 1)), spec) as solution:
            (told,) = verify(solution).faults
            assert "rows of blocks are stored, and there should be" in told


def test_a_sum_of_games_that_nobody_counted(packed: Path, tmp_path: Path) -> None:
    """A packed solution has none, so one that is there is wrong."""

    def games(blocks: Blocks, _chance: random.Random) -> None:
        blocks.execute("update solutions set games = '255168' where id = ?")

    with open_solution(str(faulty(packed, tmp_path, "mnk:3,3,3", games, 1)), "mnk:3,3,3") as solution:
        assert verify(solution).faults == ["games: 255168 is stored, and it is None"]


SOLVING = ("packed.kernels", "packed.live", "packed.reach", "packed.ends", "packed.cells", "packed.tables", "packed.work",
           "packed.groups", "packed.solve", "packed.many", "compiled.kernels", "compiled.discover",
           "compiled.retrograde", "compiled.tally", "compiled.atomic", "exhaustive", "retrograde", "preference", "census")  # fmt: skip


def test_nothing_that_solves_is_used() -> None:
    """No module of the proof imports one that solves or counts; that of a game of whole numbers takes its rules, compiled."""
    folder = Path(__file__).parents[2] / "db"
    files = [folder / "verify.py", *(folder / "proof").glob("*.py")]
    assert len(files) > 10
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                assert not name.removeprefix("zermelo.solver.").startswith(SOLVING), (file.name, name)
