"""Contrast with a background."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.terms.keyness import Background, BackgroundError, general, load_background

SMALL = Background({"暴雨": 10, "的": 1000}, 10_000, "test")


def test_log_ratio_by_hand() -> None:
    assert SMALL.log_ratio("暴雨", 20, 1000) == pytest.approx(math.log(20.5 / 1000) - math.log(10.5 / 10_000))
    assert SMALL.log_ratio("的", 50, 1000) < 0 < SMALL.log_ratio("没有", 1, 1000)
    assert SMALL.log_ratio("wrf", 50, 1000) == 0.0


def test_log_likelihood_by_hand() -> None:
    expected, general_expected = 1000 * 30 / 11_000, 10_000 * 30 / 11_000
    by_hand = 2 * (20 * math.log(20 / expected) + 10 * math.log(10 / general_expected))
    assert SMALL.log_likelihood("暴雨", 20, 1000) == pytest.approx(by_hand)
    assert SMALL.log_likelihood("的", 10, 1000) < 0


@given(st.integers(0, 500), st.integers(500, 5000))
def test_log_likelihood_has_the_sign_of_the_difference(count: int, tokens: int) -> None:
    g2 = SMALL.log_likelihood("暴雨", count, tokens)
    assert (g2 > 0) == (count / tokens > 10 / 10_000) or abs(g2) < 1e-9


def test_the_dictionary_is_a_background() -> None:
    known = general()
    assert known.frequency["我们"] > known.frequency["暴雨"] > 0
    assert known.total > 50_000_000


def test_own_background(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("暴雨\t3\n\n的\t97\n", encoding="utf-8-sig")
    assert load_background(path) == Background({"暴雨": 3, "的": 97}, 100, str(path))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("暴雨\t3\n的 97\n", "line 2"),
        ("暴雨\tviel\n", "line 1"),
        ("暴雨\t-3\n", "line 1"),
        ("", "no word"),
        ("暴雨\t0\n", "no word"),
    ],
)
def test_a_broken_background_names_the_line(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "own.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BackgroundError, match=says):
        load_background(path)


def test_an_absent_background(tmp_path: Path) -> None:
    with pytest.raises(BackgroundError, match="could not be read"):
        load_background(tmp_path / "none.tsv")
