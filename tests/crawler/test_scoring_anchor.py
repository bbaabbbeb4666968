import numpy as np
import pytest

from crawler.scoring.relevance import _anchor_relevance, _wang_landau_relevance, _wang_landau_weights, anchor_weights
from crawler.scoring.vsm import cosine

RAINSTORM = np.array([0.8, 0.1, 0.1, 0.5, 0.3])
ANCHOR = np.array([[1, 0, 1, 1, 0]])
N_I = np.array([90, 50, 40, 60, 20])


def test_g7_weights_of_an_anchor() -> None:
    assert anchor_weights(ANCHOR, 100, N_I, base=10)[0] == pytest.approx([0.016550, 0, 0.133225, 0.074816, 0], abs=1e-6)


@pytest.mark.parametrize("base", [2, np.e, 10])
def test_g7_relevance_of_an_anchor_for_every_base(base: float) -> None:
    assert cosine(RAINSTORM, anchor_weights(ANCHOR, 100, N_I, base=base))[0] == pytest.approx(0.416232, abs=1e-6)
    assert _anchor_relevance(ANCHOR, RAINSTORM, 100, N_I)[0] == pytest.approx(0.416232, abs=1e-6)
    assert cosine(RAINSTORM, ANCHOR[0].astype(float)) == pytest.approx(0.8083, abs=1e-4)


def test_the_start_of_a_crawl_divides_by_nothing() -> None:
    """Trap T6."""
    none = np.zeros(5, dtype=np.int64)
    assert np.isfinite(anchor_weights(ANCHOR, 0, none)).all()
    assert _anchor_relevance(ANCHOR, RAINSTORM, 0, none)[0] == pytest.approx(0.8083, abs=1e-4)
    assert _anchor_relevance(np.zeros((2, 5), dtype=np.int64), RAINSTORM, 10, N_I).tolist() == [0.0, 0.0]
    assert _anchor_relevance(np.zeros((0, 5), dtype=np.int64), RAINSTORM, 10, N_I).shape == (0,)


def test_a_one_word_anchor_is_free_of_the_idf() -> None:
    one = np.array([[0, 0, 0, 3, 0]])
    for N in (1, 60, 10_000):
        assert _anchor_relevance(one, RAINSTORM, N, np.minimum(N_I, N))[0] == pytest.approx(0.5)


PAGE = np.array([[4, 0, 1, 2, 1]])


def test_the_printed_idf_of_paper_002_turns_the_first_page_round() -> None:
    """Trap T20."""
    D_i = (PAGE[0] > 0).astype(np.int64)
    assert _wang_landau_relevance(PAGE, RAINSTORM, 1, D_i, reading="printed")[0] == pytest.approx(-0.980723, abs=1e-6)
    assert _wang_landau_relevance(PAGE, RAINSTORM, 1, D_i)[0] == pytest.approx(0.980723, abs=1e-6)


def test_the_printed_idf_of_paper_002_falls_as_the_crawl_gets_better() -> None:
    """Trap T20."""
    early, late = np.array([100, 50, 60, 80, 40]), np.array([900, 300, 400, 700, 200])

    def R(D_i: np.ndarray, reading: str) -> float:
        return float(_wang_landau_relevance(PAGE, RAINSTORM, 1000, D_i, reading=reading)[0])  # type: ignore[arg-type]

    assert R(early, "printed") == pytest.approx(0.982362, abs=1e-5)
    assert R(late, "printed") == pytest.approx(0.623957, abs=1e-5)
    assert R(late, "repaired") == pytest.approx(0.959763, abs=1e-5)
    assert R(np.array([1000, 300, 400, 700, 200]), "printed") == pytest.approx(0.467428, abs=1e-5)


def test_the_repaired_weights_are_positive_exactly_where_words_are() -> None:
    weights = _wang_landau_weights(np.vstack([PAGE, 0 * PAGE]), 10, np.full(5, 10))
    assert np.array_equal(weights > 0, np.vstack([PAGE, 0 * PAGE]) > 0)
