"""What a measured program says when it fails."""

import subprocess
import sys

import pytest

from bench.measure import cost_of


def test_a_program_that_fails_is_heard() -> None:
    """A build that stops after an hour has said why in one line, and that line is all there is to go by."""
    with pytest.raises(subprocess.CalledProcessError) as caught:
        cost_of(sys.executable, "-c", "import sys; sys.exit('there is no room left')")
    assert caught.value.returncode == 1
    assert caught.value.__notes__ == ["there is no room left\n"]


def test_what_a_program_takes() -> None:
    """At least what it was told to take, and what it says meanwhile goes nowhere."""
    cost = cost_of(
        sys.executable, "-c", "import sys, time; sys.stderr.write('x' * 10**6); b = b'1' * 10**8; time.sleep(0.2)"
    )
    assert cost.seconds >= 0.2
    assert cost.memory >= 10**8
