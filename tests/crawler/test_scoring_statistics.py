import numpy as np
import pytest

from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary, Word


def vocabulary(name: str, *forms: str) -> Vocabulary:
    return Vocabulary(name, tuple(Word(form, 0.5, (("zh", form),)) for form in forms))


VOCABULARIES = {"TK": vocabulary("TK", "暴雨", "洪水"), "GTK": vocabulary("GTK", "台风")}


def test_pages_are_counted_once_per_word() -> None:
    statistics = Statistics(VOCABULARIES)
    statistics.add({"TK": np.array([[3, 0], [2, 0]]), "GTK": np.array([[0], [0]])})
    statistics.add({"TK": np.array([1, 1]), "GTK": np.array([5])})
    assert statistics.N == 2
    assert statistics.containing("TK").tolist() == [2, 1]
    assert statistics.containing("GTK").tolist() == [1]


def test_a_restored_state_goes_on_as_if_nothing_had_happened() -> None:
    one, other = Statistics(VOCABULARIES), Statistics(VOCABULARIES)
    page = {"TK": np.array([1, 0]), "GTK": np.array([1])}
    one.add(page)
    saved = one.state()
    one.add(page, words=30)
    other.restore(saved)
    assert saved["N"] == 1
    other.add(page, words=30)
    assert (other.N, other.containing("TK").tolist()) == (one.N, one.containing("TK").tolist()) == (2, [2, 0])
    assert one.mean_words == other.mean_words == 15.0


def test_a_state_of_an_earlier_version_has_no_lengths() -> None:
    statistics = Statistics(VOCABULARIES)
    saved = statistics.state()
    del saved["words"]
    statistics.restore(saved)
    assert statistics.mean_words == 0.0


def test_what_does_not_fit_is_refused() -> None:
    statistics = Statistics(VOCABULARIES)
    with pytest.raises(ValueError, match="GTK"):
        statistics.add({"TK": np.array([1, 0])})
    assert statistics.N == 0
    with pytest.raises(ValueError, match="other vocabularies"):
        statistics.restore({"N": 1, "containing": {"TK": np.zeros(3)}})
