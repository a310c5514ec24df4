"""The pages of results say what the kept figures say, the published facts among them, and can be made again."""

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.results import __main__ as program
from bench.results import manifest, pages, solving
from zermelo.db.query import open_solution
from zermelo.db.store import build
from zermelo.solver.games import load

FAMILIES = [family for family in manifest.families() if pages.kept(family.name)]
EVERY = {game: known for family in FAMILIES for game, known in pages.kept(family.name).items()}
FACTS = [  # of shared facts: game, positions, classes, value, plies
    ("mnk:3,3,3", 5478, 765, 0, 9),
    ("mnk:4,3,3", 111_973, 28_275, 1, 7),
    ("mnk:5,3,4", 3_414_564, None, 0, 15),
    ("mnk:4,4,4", 9_722_011, 1_217_977, 0, 16),
    ("mnk:4,3,3,misere", 111_973, None, -1, 11),
    ("connect:4,4,4", 161_029, None, 0, 16),
    ("connect:5,4,4", 3_945_711, None, 0, 20),
    ("connect:3,3,3", 694, None, 0, 9),
    ("connect:4,4,4,misere", 161_029, None, -1, 13),
    ("morris:three", 5390, None, 1, 9),
    ("dodgem:3", 1963, None, 1, 19),
    ("dodgem:4", 393_900, None, 0, None),
    ("fox-and-hounds:4", 83, None, -1, 8),
    ("hexapawn:3,3", 135, None, -1, 6),
]
OEIS = {  # A317573, A317574 and A317576: classes by ply that X wins, that O wins, that are finished
    ("mnk:3,3,3", "x_wins_classes"): [0, 0, 7, 9, 85, 67, 139, 70, 23, 12],
    ("mnk:3,3,3", "o_wins_classes"): [0, 0, 0, 8, 5, 72, 38, 56, 23, 0],
    ("mnk:3,3,3", "terminal_classes"): [0, 0, 0, 0, 0, 21, 21, 58, 23, 15],
    ("mnk:4,4,4", "x_wins_classes"):
        [0, 0, 0, 0, 0, 0, 1100, 280, 26771, 11535, 91567, 36362, 78138, 26146, 12900, 3774, 0],
    ("mnk:4,4,4", "o_wins_classes"):
        [0, 0, 0, 0, 0, 0, 0, 2476, 642, 31841, 11251, 66364, 21718, 29258, 8496, 1335, 371],
    ("mnk:4,4,4", "terminal_classes"):
        [0, 0, 0, 0, 0, 0, 0, 280, 642, 4942, 6770, 20286, 16042, 20998, 7970, 3774, 1059],
}  # fmt: skip
VALUES = {  # where nothing else is published of the start
    "mnk:5,4,4": 0, "mnk:5,5,4": 0, "mnk:3,3,3,misere": 0, "morris:achi": 1, "morris:nine-holes": 0, "morris:six": 0, "dodgem:5": 0,
    "quixo:3": 1, "vanishing:3,3,3,3": 1, "hare-and-hounds": 1, "fox-and-hounds:6": 1, "notakto:1": 1, "chomp:1,1": -1,
    "chomp:4,3": 1, "chomp:5,5": 1, "kalah:4,3": 8, "kalah:6,1": 2,
}  # fmt: skip
POSITIONS = {"morris:six": 42_372_745, "dodgem:5": 164_308_067}
MOVERS = {  # positions that the side to move wins, loses and draws
    "mnk:3,3,3": (2836, 1574, 1068), "morris:three": (2997, 1185, 1208), "dodgem:3": (1123, 840, 0),
}  # fmt: skip
CENTRE, CORNERS, EDGES = {"b2"}, {"a1", "a3", "c1", "c3"}, {"a2", "b1", "b3", "c2"}
OPENINGS = {  # which openings have each value
    "mnk:3,3,3": {0: CENTRE | CORNERS | EDGES},
    "mnk:3,3,3,misere": {0: CENTRE, -1: CORNERS | EDGES},
    "morris:three": {1: CENTRE, 0: CORNERS, -1: EDGES},
    "notakto:1": {1: CENTRE, -1: CORNERS | EDGES},
}
SMALL = (
    "mnk:3,3,3", "mnk:3,3,3,misere", "connect:3,3,3", "vanishing:3,3,3,3", "morris:achi", "dodgem:3", "quixo:3", "kalah:2,2",
    "notakto:1",
)  # fmt: skip


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_the_pages_are_made_of_what_was_kept(family: manifest.Family) -> None:
    """Nobody has changed a number by hand."""
    for name, text in pages.pages(family, pages.kept(family.name)).items():
        assert (pages.FOLDER / name).read_text() == text, name


def test_the_first_page_tells_what_was_kept() -> None:
    every = {family.name: pages.kept(family.name) for family in manifest.families()}
    front = (pages.FOLDER / "README.md").read_text()
    assert pages.overview(every, pages.kept(pages.ESTIMATES)) in front
    assert pages.sequences(pages.kept("mnk")) in front


@pytest.mark.parametrize(("game", "positions", "classes", "value", "plies"), FACTS)
def test_published_facts(game: str, positions: int, classes: int | None, value: int, plies: int | None) -> None:
    known = EVERY[game]
    assert (known["positions"], known["value"], known["plies"]) == (positions, value, plies)
    assert classes in (None, known["classes"])


def test_published_values_and_counts() -> None:
    assert {game: EVERY[game]["value"] for game in VALUES} == VALUES
    assert {game: EVERY[game]["positions"] for game in POSITIONS} == POSITIONS
    names = ("mover_wins", "mover_losses", "mover_draws")
    assert {game: tuple(EVERY[game][name] for name in names) for game in MOVERS} == MOVERS
    winners = Counter[str]()
    for row in EVERY["mnk:3,3,3"]["by_ply"]:
        mover, other = ("x", "o") if row["ply"] % 2 == 0 else ("o", "x")
        winners.update(won=row[f"{mover}_wins_classes"], drawn=row["draws_classes"], lost=row[f"{other}_wins_classes"])
    assert winners == {"won": 390, "drawn": 151, "lost": 224}, "classes, for the side to move"


def test_published_openings() -> None:
    for game, by_value in OPENINGS.items():
        found: dict[int, set[str]] = {}
        for move, (value, _) in EVERY[game]["openings"].items():
            found.setdefault(value, set()).add(move)
        assert found == by_value, game
    assert {value for value, _ in EVERY["mnk:5,5,4"]["openings"].values()} == {0}


def test_what_is_published_of_tic_tac_toe() -> None:
    """Nodes, games, and positions and classes by ply, finished ones apart."""
    known = EVERY["mnk:3,3,3"]
    assert (known["tree_nodes"], known["games"], known["terminal"]) == (549_946, 255_168, 958)
    by_ply = {name: [row[name] for row in known["by_ply"]] for name in known["by_ply"][0]}
    assert by_ply["positions"] == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    assert by_ply["classes"] == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    assert sum(by_ply["terminal_classes"]) == 138


@pytest.mark.parametrize(("game", "column"), OEIS)
def test_published_sequences(game: str, column: str) -> None:
    assert [row[column] for row in EVERY[game]["by_ply"]] == OEIS[game, column]


def test_counts_by_ply_come_to_the_totals() -> None:
    for game, known in EVERY.items():
        for column in ("positions", "classes", "terminal"):
            assert sum(row[column] for row in known["by_ply"]) == known[column], game
        assert known["mover_wins"] + known["mover_losses"] + known["mover_draws"] == known["positions"], game


@pytest.mark.slow
def test_a_run_puts_down_what_it_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Solved, verified, kept, and not solved a second time."""
    folder, output = tmp_path / "databases", tmp_path / "pages"
    program.main(["--folder", str(folder), "--output", str(output), "--no-pictures", "mnk:2,2,2"])
    assert "mnk:2,2,2: first wins in 3, 29 positions" in capsys.readouterr().out
    mnk = manifest.family_of("mnk:2,2,2")
    assert pages.kept(mnk.name, output)["mnk:2,2,2"]["checked"] == ["all positions verified in 0 s"]
    assert not list(folder.iterdir())
    for name, text in pages.pages(mnk, pages.kept(mnk.name, output)).items():
        assert (output / name).read_text() == text, "a game that was just solved is told as one that was kept"
    assert "mnk:2,2,2" not in [game for _, game in program.wanted([], "mnk", 100, output)]
    assert "mnk:2,1,2" in [game for _, game in program.wanted([], "mnk", 100, output)]


@pytest.mark.slow
def test_a_board_that_takes_too_long_is_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its estimate is put down and told on the first page; a wider one is not even estimated."""
    boards = ("connect:4,3,3", "connect:5,3,3", "connect:6,3,3")
    families = [manifest.Family("mnk", "Without gravity", ()), manifest.Family("connect", "With gravity", boards)]
    for module in (program, pages):
        monkeypatch.setattr(module, "families", lambda: families)
    monkeypatch.setattr(manifest, "HOURS", 1e-6)
    front = tmp_path / "README.md"
    front.write_text("<!-- overview -->\n<!-- end -->\n")
    program.main(["--folder", str(tmp_path / "databases"), "--output", str(tmp_path), "--no-pictures"])
    estimates = pages.kept(pages.ESTIMATES, tmp_path)
    assert estimates["connect:4,3,3"] > 0
    assert (estimates["connect:5,3,3"], estimates["connect:6,3,3"]) == (None, None)
    assert pages.kept("connect", tmp_path) == {}
    told = capsys.readouterr().out.splitlines()
    assert told[1:] == [f"{board}: longer than a narrower one that is left out" for board in boards[1:]]
    assert "hours: `connect:4,3,3` (" in front.read_text()
    (tmp_path / f"{pages.ESTIMATES}.json").write_text(json.dumps({**estimates, "connect:4,3,3": 7200.0}))
    program.main(["--folder", str(tmp_path / "databases"), "--output", str(tmp_path), "--no-pictures"])
    assert capsys.readouterr().out.startswith("connect:4,3,3: 2.0 hours"), "what was put down decides"
    monkeypatch.undo()
    program.main(
        ["--folder", str(tmp_path / "databases"), "--output", str(tmp_path), "--no-pictures", "--plan", "connect:5,3,3"]
    )
    assert pages.kept(pages.ESTIMATES, tmp_path)["connect:5,3,3"] > 0
    assert pages.kept("connect", tmp_path) == {}, "a plan solves nothing"


def test_what_is_solved_anew_is_compared(tmp_path: Path) -> None:
    """A byte that is wrong is seen: the packed solution of one game is compared as if it were that of another."""
    path = str(tmp_path / "zermelo.db")
    for game in ("connect:4,3,3", "connect:4,3,3,misere"):
        build(path, load(game), layout="packed")
    with open_solution(path, "connect:4,3,3") as solution:
        assert solving.solved_anew(solution, 3) > 100
        solution.game = load("connect:4,3,3,misere")
        with pytest.raises(SystemExit, match="is wrong at"):
            solving.solved_anew(solution, 3)


@pytest.mark.slow
@pytest.mark.parametrize("game", SMALL)
def test_a_small_game_comes_out_the_same(game: str, tmp_path: Path) -> None:
    build(str(tmp_path / "zermelo.db"), load(game))
    with open_solution(str(tmp_path / "zermelo.db"), game) as solution:
        known = solving.described(solution)
    assert known == {name: EVERY[game][name] for name in known}
