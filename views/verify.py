"""What was proved of a solution, or its faults, as lines."""

from collections.abc import Iterator

from zermelo.db.verify import Report


def verify_lines(report: Report, where: str) -> Iterator[str]:
    """What was proved of what is found at `where`, or the faults and how many more there are.

    The first line says whether all positions were looked at, or a sample.

    >>> report = Report("mnk:3,3,3")
    >>> report.proved = ["its digest is right"]
    >>> list(verify_lines(report, "zermelo.db"))
    ['all positions of zermelo.db are right:', '  its digest is right']
    >>> report = Report("mnk:3,3,3", sample=1000)
    >>> report.fault("the digest is another")
    >>> list(verify_lines(report, "zermelo.db"))
    ['a sample of 1,000 positions of zermelo.db was checked, and it has faults:', '  the digest is another']
    """
    which = "all positions of" if report.sample is None else f"a sample of {report.sample:,} positions of"
    are, were, have = ("are", "were", "they have") if report.sample is None else ("is", "was", "it has")
    yield f"{which} {where} " + (f"{were} checked, and {have} faults:" if report.faults else f"{are} right:")
    yield from (f"  {line}" for line in report.faults or report.proved)
    if report.more:
        yield f"  and {report.more:,} more"
