"""What a proof says, or the faults that were found instead."""

from zermelo.db.verify import SHOWN, Report
from zermelo.views.verify import verify_lines


def test_faults_take_the_place_of_what_was_proved() -> None:
    """So many are shown, and the others are counted."""
    report = Report("mnk:3,3,3")
    report.proved = ["its digest is right"]
    assert list(verify_lines(report, "a.db")) == ["all positions of a.db are right:", "  its digest is right"]
    for number in range(SHOWN + 1234):
        report.fault(f"fault {number}")
    lines = list(verify_lines(report, "a.db"))
    assert lines[:2] == ["all positions of a.db were checked, and they have faults:", "  fault 0"]
    assert (lines[-2:], len(lines)) == ([f"  fault {SHOWN - 1}", "  and 1,234 more"], SHOWN + 2)


def test_a_sample_is_called_one() -> None:
    """In the first line, whatever was found."""
    report = Report("mnk:3,3,3", sample=1000)
    report.prove_sample()
    assert next(iter(verify_lines(report, "a.db"))) == "a sample of 1,000 positions of a.db is right:"
    report.fault("one")
    assert (
        next(iter(verify_lines(report, "a.db")))
        == "a sample of 1,000 positions of a.db was checked, and it has faults:"
    )
