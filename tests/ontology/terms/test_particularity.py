"""How particular terms are to a topic: values by hand, and the ends of the scale."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.terms.particularity import particularity


def test_values_by_hand() -> None:
    key = particularity([9, 9, 1], 9, [0, 99, 99], 99)
    assert key[0] == pytest.approx(math.log(9.5 / 10) - math.log(0.5 / 100))
    assert key[1:].tolist() == [0.0, 0.0]  # 9 of 9 against 99 of 99; rarer than in the background
    assert particularity([2], 3, [1], 9)[0] == pytest.approx(math.log(2.5 / 4) - math.log(1.5 / 10))


def test_a_term_of_no_paper_is_not_particular() -> None:
    """Else it would have ln((B + 1) / (D + 1)), more than most terms that papers do contain."""
    assert particularity([0], 170, [0], 18_000).tolist() == [0.0]


@given(st.integers(1, 500), st.integers(1, 50_000), st.data())
def test_more_papers_are_more_particular_and_more_background_less(D: int, B: int, data: st.DataObject) -> None:
    d, b = data.draw(st.integers(0, D - 1)), data.draw(st.integers(0, B - 1))
    key = particularity([d, d + 1, d], D, [b, b, b + 1], B)
    assert np.isfinite(key).all() and (key >= 0).all()
    assert key[1] >= key[0] >= key[2]
