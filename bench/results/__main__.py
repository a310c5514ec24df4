"""``python -m bench.results [--folder FOLDER] [--family NAME] [--most N] [--plan] [GAME...]``: solve what is missing, and write the pages.

A game that was put down before is not solved again unless it is named. What is solved is put down at once, so that a run
can be stopped at any time and goes on where it was. Databases are removed once they are checked: their digests are kept.
So is what the estimate said of boards that are missing: it decides which are left out, on a slow machine and on a fast one, until
``--plan`` estimates them anew, which solves nothing.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bench import run
from bench.results import pictures
from bench.results.manifest import Family, estimated, families, family_of, is_too_long
from bench.results.pages import ESTIMATES, FOLDER, Results, kept, outcome, overview, pages, sequences, told
from bench.results.solving import solved
from zermelo.solver.games import load
from zermelo.solver.packed import knows
from zermelo.solver.packed.estimate import places_of

_MADE = re.compile(r"(<!-- (overview|sequences) -->\n).*?(<!-- end -->\n)", re.DOTALL)
"""The parts of the first page that are made."""


def wanted(games: list[str], only: str | None, most: int, folder: Path) -> Iterator[tuple[Family, str]]:
    """The games that are named, or all that are missing, with at most so many places."""
    for game in games:
        yield family_of(load(game).spec), load(game).spec
    if games:
        return
    for family in families():
        there = kept(family.name, folder)
        for game in family.games if only in (None, family.name) else ():
            rules = load(game)
            if game not in there and not (knows(rules) and places_of(rules) > most):
                yield family, game


def estimate(game: str, folder: Path, *, anew: bool) -> float | None:
    """What the estimate says of a game that is missing: what was put down, or what is made now and put down."""
    every = kept(ESTIMATES, folder)
    if anew or game not in every:
        every[game] = estimated(load(game), every)
        run.write(folder / f"{ESTIMATES}.json", every)
        put_down_overview(folder)
    seconds: float | None = every[game]
    return seconds


def put_down(family: Family, results: Results, folder: Path) -> None:
    """Write a family's files and the overview."""
    for name, text in pages(family, results).items():
        run.write_text(folder / name, text)
    put_down_overview(folder)


def put_down_overview(folder: Path) -> None:
    """Write what the first page tells of all families, where there is such a page."""
    front = folder / "README.md"
    if front.exists():
        every = {each.name: kept(each.name, folder) for each in families()}
        made = {"overview": overview(every, kept(ESTIMATES, folder)), "sequences": sequences(every["mnk"])}
        run.write_text(front, _MADE.sub(lambda part: f"{part[1]}\n{made[part[2]]}\n{part[3]}", front.read_text()))


def draw(folder: Path) -> None:
    """Draw every picture anew, and write the pages that show them."""
    every = {family.name: found for family in families() if (found := kept(family.name, folder))}
    for name, results in every.items():
        pictures.draw(folder, name, results)
        put_down(next(family for family in families() if family.name == name), results, folder)
    pictures.draw_times(folder / "times.svg", every)


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.results", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="what to solve; by default all that is missing")
    parser.add_argument("--folder", type=Path, default=Path("results"), help="where the databases are meanwhile")
    parser.add_argument("--output", type=Path, default=FOLDER, help="where the pages go; docs/results by default")
    parser.add_argument("--family", help="only the games of one family")
    parser.add_argument("--most", type=int, default=sys.maxsize, metavar="PLACES", help="no board with more places")
    parser.add_argument("--keep", action="store_true", help="keep the databases")
    parser.add_argument("--plan", action="store_true", help="estimate anew what is missing, and solve nothing")
    parser.add_argument("--no-pictures", dest="pictures", action="store_false", help="draw nothing")
    options = parser.parse_args(arguments)
    options.folder.mkdir(exist_ok=True)
    options.output.mkdir(exist_ok=True)
    for family, game in wanted(options.games, options.family, options.most, options.output):
        if options.plan or not options.games:
            seconds = estimate(game, options.output, anew=options.plan)
            if options.plan or is_too_long(seconds):
                print(f"{game}: {told(seconds)}", flush=True)
                continue
        known = solved(game, options.folder, keep=options.keep)
        machine = run.machine()
        known["measured"] = {name: machine[name] for name in ("date", "cpu", "processors", "load")}
        put_down(family, {**kept(family.name, options.output), game: known}, options.output)
        print(f"{game}: {outcome(known)}, {known['positions']:,} positions, {known['seconds']:,.1f} s", flush=True)
    if options.pictures:
        draw(options.output)


if __name__ == "__main__":
    main()
