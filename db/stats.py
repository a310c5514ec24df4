"""The counts of a stored solution, arranged for people and programs."""

from typing import Any

from db.query import Solution

_FIGURES = (
    "positions", "classes", "terminal", "terminal_classes",
    "x_wins", "draws", "o_wins", "x_wins_classes", "draws_classes", "o_wins_classes",
)  # fmt: skip


def statistics(solution: Solution) -> dict[str, Any]:
    """Totals, and a row a ply: positions and classes by outcome, finished games included. Values are MAX's."""
    # The counts first: if a rebuild has replaced the solution, the facts are then the new one's.
    by_ply: dict[int, dict[str, int]] = {}
    for (ply, terminal, value), tally in solution.source.counts().items():
        row = by_ply.setdefault(ply, {"ply": ply, **dict.fromkeys(_FIGURES, 0)})
        outcome = "x_wins" if value > 0 else "o_wins" if value < 0 else "draws"
        row["positions"] += tally.positions
        row["classes"] += tally.classes
        row[outcome] += tally.positions
        row[f"{outcome}_classes"] += tally.classes
        if terminal:
            row["terminal"] += tally.positions
            row["terminal_classes"] += tally.classes
    facts = solution.source.facts
    totals = {name: facts[name] for name in ("game", "value", "plies", "positions", "classes")}
    terminal_total = sum(row["terminal"] for row in by_ply.values())
    tree = {"games": facts["games"], "tree_nodes": facts["tree_nodes"]}
    return {**totals, "terminal": terminal_total, **tree, "by_ply": list(by_ply.values())}
