"""What compiles inner loops works wherever it is installed."""

import pytest


def test_nowhere_to_keep_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba refuses to compile what it was to keep and cannot: then it is compiled for this run alone."""
    caching = pytest.importorskip("numba.core.caching")
    monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    from zermelo.solver.kernel import kernel

    def one_more(number: int) -> int:
        return number + 1

    assert kernel(one_more)(1) == 2
