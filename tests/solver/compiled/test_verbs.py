"""Verbs that compile, verbs that do not and what is said of them, and where compiled code is kept."""

from pathlib import Path
from typing import Any

import pytest

from tests.solver.compiled.games import Chain, Graph
from zermelo.solver.check import check_game
from zermelo.solver.compiled.cache import cache_file, fingerprint
from zermelo.solver.compiled.expansion import Expander, expand
from zermelo.solver.compiled.verbs import Rules
from zermelo.solver.errors import CompileError


class Halves(Chain):
    """A state that becomes a fraction."""

    def result(self, state: int, action: int) -> int:
        return state / 2 + action  # type: ignore[return-value]


class Outgrown(Chain):
    """A number that outgrows 64 bits, which compiled code does not see."""

    def result(self, state: int, action: int) -> int:
        return (state << 62) % 7 % 2 + (self.left(state) - 1) * 2


def test_a_fraction_is_told_with_what_to_write() -> None:
    with pytest.raises(CompileError, match=r"it gives float64 where a whole number is wanted: .*// divides") as error:
        Expander(Halves(5))
    assert error.value.game == "chain:5"


def test_check_finds_numbers_that_outgrow_64_bits() -> None:
    failures = check_game(Outgrown(9)).failures
    assert [failure.rule for failure in failures] == ["compiled"] and "as plain Python" in failures[0].reason


def test_a_fingerprint_tells_code_constants_and_types_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    wrapper: Any = expand
    seen = {fingerprint(Rules(game), wrapper) for game in (Chain(5), Graph(1), Halves(5))}
    assert len(seen) == 3 and fingerprint(Rules(Chain(6)), wrapper) in seen  # another length is no other code
    monkeypatch.setattr(Chain, "step", (1, 2))
    assert fingerprint(Rules(Chain(5)), wrapper) not in seen


def test_where_nothing_can_be_kept_it_compiles_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder's place is taken by a file; and one that others may write to is not trusted."""
    wrapper: Any = expand
    (tmp_path / "taken").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "taken"))
    assert cache_file(Rules(Chain(5)), wrapper) is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "open"))
    path = cache_file(Rules(Chain(5)), wrapper)
    assert path is not None and Path(path).parent == tmp_path / "open" / "zermelo" / "compiled"
    Path(path).parent.chmod(0o777)
    assert cache_file(Rules(Chain(5)), wrapper) is None
