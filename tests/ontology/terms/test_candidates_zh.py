"""Which n-grams of Chinese texts are candidates."""

from __future__ import annotations

from ontology.model import Document
from ontology.terms.extraction import _chinese_candidates
from ontology.terms.keyness import general
from ontology.terms.lexicon import EMPTY
from ontology.terms.term_figures import Evidence
from ontology.terms.term_rules import Rules


def found(*texts: str) -> tuple[dict[str, str], dict[str, str]]:
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    return _chinese_candidates(Evidence(documents, EMPTY, general(), 3), Rules(EMPTY), frozenset(), 3)


def test_a_compound_that_stands_by_itself_is_a_candidate() -> None:
    kept, _ = found("研究活性污泥的沉降。", "活性污泥，以及沉降", "对活性污泥进行试验")
    assert "活性污泥" in kept


def test_a_compound_before_nouns_is_a_part_of_phrases() -> None:
    _, refused = found("厌氧污泥设备很多。", "关于厌氧污泥工艺", "厌氧污泥装置的改进", "厌氧污泥费用")
    assert refused["厌氧污泥"].startswith("before a noun in 100%")


def test_a_compound_after_nouns_and_latin_words_is_a_part_of_phrases() -> None:
    _, refused = found("采用HPLC污泥样品，", "用GC污泥样品。", "由AAS污泥样品；", "ICP污泥样品")
    assert refused["污泥样品"].startswith("after a noun in 100%")


def test_a_candidate_is_in_three_documents() -> None:
    assert "活性污泥" not in found("研究活性污泥。", "活性污泥，以及")[0]
