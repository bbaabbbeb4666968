import numpy as np
import pytest

from crawler.scoring.priority import comprehensive_priority

WEIGHTS = (0.3, 0.2, 0.1, 0.4)


def priority(total: float, m: float, parents: str, pagerank: str) -> float:
    R_parents = total if parents == "sum" else total / m
    PR = 1.2 if pagerank == "raw" else 1.2 / 2.4
    return float(comprehensive_priority(*(np.array([x]) for x in (0.5, R_parents, PR, 0.6)), weights=WEIGHTS)[0])


def test_the_printed_sum_grows_without_bound_and_the_mean_does_not() -> None:
    """Trap T2: values (.5, .8, 1.2, .6) for one parent and for ten."""
    assert priority(0.8, 1, "sum", "raw") == pytest.approx(0.67)
    assert priority(8.0, 10, "sum", "raw") == pytest.approx(2.11)
    assert priority(8.0, 10, "mean", "raw") == pytest.approx(0.67)
    assert priority(8.0, 10, "mean", "scaled") == pytest.approx(0.60)


@pytest.mark.parametrize("weights", [(0.3, 0.2, 0.1, 0.3), (1.2, -0.2, 0.0, 0.0), (float("nan"), 0.5, 0.5, 0.0)])
def test_weights_that_are_none(weights: tuple[float, float, float, float]) -> None:
    one = np.ones(1)
    with pytest.raises(ValueError, match="parameters alpha, beta, gamma, theta must be 4 numbers >= 0 of sum 1"):
        comprehensive_priority(one, one, one, one, weights)
