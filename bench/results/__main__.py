"""``python -m bench.results [--folder FOLDER] [--family NAME] [--most N] [GAME...]``: solve what is missing, and write the pages.

A game that was put down before is not solved again unless it is named. What is solved is put down at once, so that a run
can be stopped at any time and goes on where it was. Databases are removed once they are checked: their digests are kept.
"""

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from bench import run
from bench.results import pictures
from bench.results.manifest import Family, families, family_of, too_long
from bench.results.pages import FOLDER, Results, kept, outcome, overview, pages, sequences
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
            if game in there or (knows(rules) and places_of(rules) > most):
                continue
            if reason := too_long(rules):
                print(f"{game} is left out: {reason}", file=sys.stderr, flush=True)
            else:
                yield family, game


def put_down(family: Family, results: Results, folder: Path) -> None:
    """Write a family's files and the overview."""
    folder.mkdir(exist_ok=True)
    for name, text in pages(family, results).items():
        (folder / name).write_text(text)
    front = folder / "README.md"
    if front.exists():
        every = {each.name: kept(each.name, folder) for each in families()}
        made = {"overview": overview(every), "sequences": sequences(every["mnk"])}
        front.write_text(_MADE.sub(lambda part: f"{part[1]}\n{made[part[2]]}\n{part[3]}", front.read_text()))


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
    parser.add_argument("--no-pictures", dest="pictures", action="store_false", help="draw nothing")
    options = parser.parse_args(arguments)
    options.folder.mkdir(exist_ok=True)
    for family, game in wanted(options.games, options.family, options.most, options.output):
        known = solved(game, options.folder, keep=options.keep)
        machine = run.machine()
        known["measured"] = {name: machine[name] for name in ("date", "cpu", "processors", "load")}
        put_down(family, {**kept(family.name, options.output), game: known}, options.output)
        print(f"{game}: {outcome(known)}, {known['positions']:,} positions, {known['seconds']:,.1f} s", flush=True)
    if options.pictures:
        draw(options.output)


if __name__ == "__main__":
    main()
