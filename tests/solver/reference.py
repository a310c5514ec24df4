"""A second opinion: minimax written from the rules on strings, sharing nothing with the solver."""

from functools import cache


def solve(width: int, height: int, k: int, *, misere: bool = False) -> dict[str, tuple[int, int, int | None]]:
    """Value for X, plies and the first best cell of every position, keyed by the cells without slashes."""
    runs = []
    for row in range(height):
        for column in range(width):
            for d_row, d_column in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(row + i * d_row, column + i * d_column) for i in range(k)]
                if all(0 <= r < height and 0 <= c < width for r, c in cells):
                    runs.append([r * width + c for r, c in cells])

    solved: dict[str, tuple[int, int, int | None]] = {}

    @cache
    def visit(cells: str) -> tuple[int, int, int | None]:
        for side, won in (("X", 1), ("O", -1)):
            if any(all(cells[c] == side for c in run) for run in runs):
                solved[cells] = (-won if misere else won, 0, None)
                return solved[cells]
        if "." not in cells:
            solved[cells] = (0, 0, None)
            return solved[cells]
        turn = "X" if cells.count("X") == cells.count("O") else "O"
        sign = 1 if turn == "X" else -1
        options = []
        for cell, stone in enumerate(cells):
            if stone == ".":
                value, plies, _ = visit(cells[:cell] + turn + cells[cell + 1 :])
                # Better for the mover first; then soonest unless losing; then the lowest cell.
                options.append((-sign * value, plies if sign * value >= 0 else -plies, cell, value, plies))
        _, _, cell, value, plies = min(options)
        solved[cells] = (value, plies + 1, cell)
        return solved[cells]

    visit("." * (width * height))
    return solved
