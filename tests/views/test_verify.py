"""What a proof says, or the faults that were found instead."""

from zermelo.db.verify import SHOWN, Report
from zermelo.views.verify import verify_lines


def test_faults_take_the_place_of_what_was_proved() -> None:
    """So many are shown, and the others are counted."""
    report = Report("mnk:3,3,3")
    report.proved = ["its digest is right"]
    assert list(verify_lines(report, "a.db")) == ["a.db is right:", "  its digest is right"]
    for number in range(SHOWN + 1234):
        report.fault(f"fault {number}")
    lines = list(verify_lines(report, "a.db"))
    assert (lines[0], lines[-2:], len(lines)) == ("  fault 0", [f"  fault {SHOWN - 1}", "  and 1,234 more"], SHOWN + 1)
