"""What was proved of a solution, or its faults, as lines."""

from collections.abc import Iterator

from zermelo.db.verify import Report


def verify_lines(report: Report, where: str) -> Iterator[str]:
    """What was proved of what is found at `where`, or the faults and how many more there are.

    >>> report = Report("mnk:3,3,3")
    >>> report.proved = ["its digest is right"]
    >>> list(verify_lines(report, "zermelo.db"))
    ['zermelo.db is right:', '  its digest is right']
    """
    if not report.faults:
        yield f"{where} is right:"
    yield from (f"  {line}" for line in report.faults or report.proved)
    if report.more:
        yield f"  and {report.more:,} more"
