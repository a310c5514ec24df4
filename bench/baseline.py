"""The plainest fast way to do the same work, to measure against: a dict over bitboards, raw sqlite3."""

import sqlite3

LINES = (0b111, 0b111_000, 0b111_000_000, 0b1_001_001, 0b10_010_010, 0b100_100_100, 0b100_010_001, 0b1_010_100)
FULL = 0b111_111_111

Entry = tuple[int, int, int | None]


def solve() -> dict[int, Entry]:
    """Value for X, plies and best cell of all 5,478 positions, by recursion over bitboards: X's, and O's nine bits up.

    >>> len(solve()), solve()[0]
    (5478, (0, 9, 0))
    """
    wins = [any(stones & line == line for line in LINES) for stones in range(FULL + 1)]
    moves = [[cell for cell in range(9) if not taken >> cell & 1] for taken in range(FULL + 1)]
    table: dict[int, Entry] = {}

    def x_to_move(x: int, o: int) -> Entry:
        best = -99
        for cell in moves[x | o]:
            after = x | 1 << cell
            entry = table.get(after | o << 9)
            if entry is None:
                if wins[after]:
                    entry = table[after | o << 9] = 1, 0, None
                elif after | o == FULL:
                    entry = table[after | o << 9] = 0, 0, None
                else:
                    entry = o_to_move(after, o)
            value, plies, _ = entry
            score = 20 * value - plies if value >= 0 else plies - 20
            if score > best:
                best, best_value, best_plies, best_cell = score, value, plies, cell
        table[x | o << 9] = entry = best_value, best_plies + 1, best_cell
        return entry

    def o_to_move(x: int, o: int) -> Entry:
        best = 99
        for cell in moves[x | o]:
            after = o | 1 << cell
            entry = table.get(x | after << 9)
            if entry is None:
                entry = table[x | after << 9] = (-1, 0, None) if wins[after] else x_to_move(x, after)
            value, plies, _ = entry
            score = 20 * value + plies if value <= 0 else 20 - plies
            if score < best:
                best, best_value, best_plies, best_cell = score, value, plies, cell
        table[x | o << 9] = entry = best_value, best_plies + 1, best_cell
        return entry

    x_to_move(0, 0)
    return table


def store(path: str, table: dict[int, Entry]) -> None:
    """Put the table into a new SQLite file, a row a position."""
    rows = [
        ("".join("X" if key >> c & 1 else "O" if key >> 9 + c & 1 else "." for c in range(9)), *entry)
        for key, entry in table.items()
    ]
    connection = sqlite3.connect(path)
    with connection:
        connection.execute(
            "create table positions (board text primary key, value integer, plies integer, best integer) without rowid"
        )
        connection.executemany("insert into positions values (?, ?, ?, ?)", rows)
    connection.close()
