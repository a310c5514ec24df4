"""Faults put into packed solutions, each with right checksums and a digest made anew, so that only a proof can find it."""

import contextlib
import hashlib
import random
import shutil
import sqlite3
import struct
from collections.abc import Callable
from math import comb
from pathlib import Path

import zstandard

from zermelo.db.checksum import opened, sealed
from zermelo.db.digests import digests_of
from zermelo.db.keyed import Keyed
from zermelo.db.query import open_solution
from zermelo.solver.errors import ZermeloError

UNREACHABLE = -128


class Blocks:
    """The blocks of one game in a database, to be changed."""

    def __init__(self, path: Path, spec: str) -> None:
        self.connection = sqlite3.connect(path)
        self.solution, self.codec = self.connection.execute(
            "select id, codec from solutions where game = ?", (spec,)
        ).fetchone()
        self.numbers = [
            number
            for (number,) in self.connection.execute(
                "select occupancy from blocks where solution_id = ? order by occupancy", (self.solution,)
            )
        ]

    def read(self, number: int) -> bytearray:
        """The bytes of a block."""
        (data,) = self.connection.execute(
            "select data from blocks where solution_id = ? and occupancy = ?", (self.solution, number)
        ).fetchone()
        packed = opened(self.solution, number, data)
        assert packed is not None
        return bytearray(zstandard.decompress(packed))

    def write(self, number: int, block: bytes | bytearray) -> None:
        """Let a block have other bytes, with the checksum that they should have."""
        self.connection.execute(
            "update blocks set data = ? where solution_id = ? and occupancy = ?",
            (sealed(self.solution, number, zstandard.compress(bytes(block))), self.solution, number),
        )

    def execute(self, sql: str, *parameters: object) -> None:
        """Change something of this game's: the solution's number is the last parameter."""
        self.connection.execute(sql, (*parameters, self.solution))

    def close(self) -> None:
        """Store the changes; whoever solved wrongly has right checksums."""
        self.execute("update solutions set checksum = null, counts_checksum = null where id = ?")
        self.connection.commit()
        self.connection.close()


Fault = Callable[[Blocks, random.Random], None]


def with_right_digest(path: Path, spec: str) -> None:
    """Let a solution have the digest of what is stored, whatever that is."""
    with open_solution(str(path), spec) as solution:
        source = solution.source
        if isinstance(source, Keyed):
            digest = hashlib.sha256()
            for block in (source._unpacked(number, data) for number, data in source.packed_blocks()):
                for at, state in enumerate(block.states):
                    _, value, plies = block.known(at)
                    digest.update(struct.pack("<qiI", state, value, 0 if plies is None else plies + 1))
            right = digest.hexdigest()
        else:
            source.facts["digest"] = ""
            right = digests_of(solution, [], {})[0]
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("update solutions set digest = ?, checksum = null where game = ?", (right, spec))


def change_board(
    blocks: Blocks, chance: random.Random, wanted: Callable[[int], bool], new: Callable[[int], int]
) -> None:
    """Another byte where there is one that is wanted."""
    while True:
        number = chance.choice(blocks.numbers)
        block = blocks.read(number)
        places = [place for place, byte in enumerate(block) if wanted(signed(byte))]
        if places:
            place = chance.choice(places)
            block[place] = new(signed(block[place])) & 255
            blocks.write(number, block)
            return


def signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte


def another_value(blocks: Blocks, chance: random.Random) -> None:
    """A draw or a loss where there was a win."""
    change_board(blocks, chance, lambda byte: byte not in (0, UNREACHABLE), lambda byte: chance.choice((0, -byte)))


def other_plies(blocks: Blocks, chance: random.Random) -> None:
    """The same winner, sooner or later."""
    change_board(
        blocks, chance, lambda byte: byte not in (0, UNREACHABLE),
        lambda byte: chance.choice([other for other in range(1, 14) if other != abs(byte)]) * (1 if byte > 0 else -1),
    )  # fmt: skip


def no_longer_there(blocks: Blocks, chance: random.Random) -> None:
    """A position that is marked as none."""
    change_board(blocks, chance, lambda byte: byte != UNREACHABLE, lambda _: UNREACHABLE)


def there_now(blocks: Blocks, chance: random.Random) -> None:
    """A position that cannot occur, with a value."""
    change_board(blocks, chance, lambda byte: byte == UNREACHABLE, lambda _: chance.randrange(-12, 13))


def any_byte(blocks: Blocks, chance: random.Random) -> None:
    """A bit of any byte."""
    change_board(blocks, chance, lambda _: True, lambda byte: byte ^ 1 << chance.randrange(8))


def swapped(blocks: Blocks, chance: random.Random) -> None:
    """Two blocks of the same size that have changed places."""
    while True:
        one, other = (chance.choice(blocks.numbers) for _ in range(2))
        first, second = blocks.read(one), blocks.read(other)
        if (
            first != second
            and len(first) == len(second)
            and (blocks.codec == "keyed" or one.bit_count() == other.bit_count())
        ):
            blocks.write(one, second)
            blocks.write(other, first)
            return


def missing(blocks: Blocks, chance: random.Random) -> None:
    """A block less."""
    number = chance.choice(blocks.numbers)
    blocks.connection.execute("delete from blocks where solution_id = ? and occupancy = ?", (blocks.solution, number))


def extra(blocks: Blocks, chance: random.Random) -> None:
    """A block where none belongs."""
    number = next(
        one for one in iter(lambda: chance.randrange(1, max(blocks.numbers)), None) if one not in blocks.numbers
    )
    stones = number.bit_count()
    blocks.connection.execute(
        "insert into blocks (solution_id, occupancy, layer, data) values (?, ?, ?, ?)",
        (
            blocks.solution,
            number,
            stones,
            sealed(blocks.solution, number, zstandard.compress(b"\x80" * comb(stones, stones // 2))),
        ),
    )


def wrong_count(blocks: Blocks, chance: random.Random) -> None:
    """A count, by ply and outcome or of all."""
    column = chance.choice(("positions", "classes"))
    if chance.random() < 0.5:
        rows = blocks.connection.execute(
            "select ply, terminal, value from counts where solution_id = ?", (blocks.solution,)
        ).fetchall()
        blocks.connection.execute(
            f"update counts set {column} = {column} + ? where ply = ? and terminal = ? and value = ? and solution_id = ?",
            (chance.choice((-1, 1, 7)), *chance.choice(rows), blocks.solution),
        )
    else:
        column = chance.choice((column, "longest", "mover_wins", "mover_losses"))
        blocks.execute(f"update solutions set {column} = {column} + ? where id = ?", chance.choice((-1, 1, 7)))


def wrong_fact(blocks: Blocks, chance: random.Random) -> None:
    """The start's value or plies, whether play can come back, or the digest."""
    blocks.execute(
        "update solutions set "
        + chance.choice(
            (
                "value = case value when 1 then 0 else 1 end",
                "plies = coalesce(plies, 3) + 1",
                "can_repeat = not can_repeat",
                "digest = 'ab' || substr(digest, 3)" if chance.random() < 0.5 else "games = 7",
            )
        )
        + " where id = ?"
    )


def change_item(column: int, new: Callable[[int, random.Random], int]) -> Fault:
    """Another item in a column of a block of states: steps, values, plies and ply, of which each has one byte."""

    def change(blocks: Blocks, chance: random.Random) -> None:
        number = chance.choice(blocks.numbers)
        block = blocks.read(number)
        count, widths = int.from_bytes(block[:4], "little"), block[4:8]
        at = 8 + count * sum(widths[:column]) + chance.randrange(1, count)
        changed = new(block[at], chance)
        assert changed != block[at]
        block[at] = changed
        blocks.write(number, block)

    return change


BOARD_FAULTS = (
    another_value, other_plies, no_longer_there, there_now, any_byte, swapped, missing, extra, wrong_count, wrong_fact,
)  # fmt: skip
KEYED_FAULTS = {
    "another state": change_item(0, lambda step, chance: step ^ 1 << chance.randrange(8)),
    "another value": change_item(1, lambda value, chance: chance.choice([one for one in (0, 1, 2, 5) if one != value])),
    "other plies": change_item(2, lambda left, chance: chance.choice([one for one in range(30) if one != left])),
    "another ply": change_item(3, lambda ply, chance: chance.choice([one for one in range(30) if one != ply])),
    "missing": missing,
    "a count": wrong_count,
    "a fact": wrong_fact,
}


def faulty(good: Path, folder: Path, spec: str, fault: Fault, seed: int) -> Path:
    """A copy of the database with one fault in it."""
    path = folder / "faulty.db"
    shutil.copy(good, path)
    blocks = Blocks(path, spec)
    fault(blocks, random.Random(seed))
    blocks.close()
    if fault not in (wrong_fact, missing, extra):
        with contextlib.suppress(ZermeloError):  # what cannot be unpacked has no digest
            with_right_digest(path, spec)
    return path
