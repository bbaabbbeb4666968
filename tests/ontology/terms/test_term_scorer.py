"""The scorer of candidates: its features, its parts, and that it sees no keyword."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ontology.corpus import read
from ontology.model import Document
from ontology.terms import document_terms
from ontology.terms.keyness import general
from ontology.terms.ngrams import ngrams
from ontology.terms.term_features import _OF_TYPE, FAMILIES, IN_DOCUMENT, NAMES, CandidateFeatures
from ontology.terms.term_figures import _fitted, _Scorer
from ontology.terms.token_stream import token_stream

SAMPLE = Path(__file__).parents[3] / "ontocrawl" / "sample" / "abstracts.txt"


@pytest.fixture(scope="module")
def documents() -> tuple[Document, ...]:
    return read(SAMPLE).documents


def test_no_keyword_reaches_the_scorer(documents: tuple[Document, ...]) -> None:
    other = [replace(d, keywords=("双偏振雷达", "无关词"), keywords_en=("leak",)) for d in documents]
    bare = [replace(d, keywords=(), keywords_en=()) for d in documents]
    assert document_terms(documents) == document_terms(other) == document_terms(bare)


def test_the_best_candidates_are_often_the_authors_keywords(documents: tuple[Document, ...]) -> None:
    found = document_terms(documents, 5)
    hits = [len({t.text for t in best} & set(d.keywords)) for best, d in zip(found, documents, strict=True)]
    assert all(len(best) == 5 for best in found)
    assert sum(hits) / len(documents) > 1.5
    for best in found:
        chances = [t.probability for t in best]
        assert chances == sorted(chances, reverse=True)
        assert all(0 < p < 1 for p in chances)


def test_features_of_one_candidate_by_hand() -> None:
    corpus = [Document("a", "城市内涝", "内涝、暴雨的城市内涝"), Document("b", "暴雨", "暴雨")]
    grams = ngrams(token_stream(corpus))
    (rows,) = CandidateFeatures(grams, general()).blocks()
    texts = [(int(r), grams.text(int(t))) for r, t in zip(rows.records, rows.types, strict=True)]
    row = dict(zip(NAMES, rows.values[texts.index((0, "内涝"))].tolist(), strict=True))
    assert np.isfinite(rows.values).all()
    assert row["in_title"] == row["in_both"] == row["one_word"] == row["two_characters"] == 1
    assert row["log_frequency"] == pytest.approx(np.log(3))
    assert row["log_first"] == pytest.approx(np.log1p(2))  # after the break and 城市
    assert row["enumerated"] == pytest.approx(1 / 3)
    assert row["free_left"] == pytest.approx(1 / 3)
    assert row["free_right"] == 1
    assert row["longer_left"] == pytest.approx(2 / 3)  # of its three occurrences two are in 城市内涝
    assert row["longer_right"] == 0
    assert row["title_share"] == 1
    assert row["one_document"] == 1
    assert row["least_entropy"] > 0
    assert row["least_entropy x one_word"] == pytest.approx(row["least_entropy"])
    assert [name for name, v in row.items() if name.startswith("last_") and v == 1] == ["last_n"]


def test_blocks_of_some_types_and_documents_are_the_same_rows(documents: tuple[Document, ...]) -> None:
    grams = ngrams(token_stream(documents))
    features = CandidateFeatures(grams, general())
    (whole,) = features.blocks()
    wanted = grams.document_frequency >= 5
    among = np.arange(len(documents)) % 2 == 0
    (part,) = features.blocks(wanted, among)
    mine = wanted[whole.types] & among[whole.records]
    assert (part.types == whole.types[mine]).all()
    assert (part.records == whole.records[mine]).all()
    assert (part.values == whole.values[mine]).all()


def test_the_parts_add_up_to_the_score(documents: tuple[Document, ...]) -> None:
    scorer = _fitted()
    grams = ngrams(token_stream(documents[:5]))
    (rows,) = CandidateFeatures(grams, general()).blocks()
    odds = scorer.log_odds(rows)
    for at in (0, len(odds) // 2, len(odds) - 1):
        parts = scorer.parts(rows.values[at])
        assert sum(v for _, v in parts) + scorer.intercept == pytest.approx(odds[at], abs=0.02)
        assert {name for name, _ in parts} <= {*FAMILIES, "shape"}


def test_families_name_features() -> None:
    named = [name for names in FAMILIES.values() for name in names]
    assert len(named) == len(set(named))
    assert set(named) <= set(IN_DOCUMENT) | set(_OF_TYPE)
    assert len(set(NAMES)) == len(NAMES)


def test_the_bundled_weights_fit_the_features() -> None:
    scorer = _fitted()
    assert scorer.weights.shape == scorer.centres.shape == (len(NAMES),)
    assert np.count_nonzero(scorer.weights) > len(NAMES) / 2
    flat = _Scorer(np.zeros(len(NAMES)), np.zeros(len(NAMES)), 0.0)
    grams = ngrams(token_stream([Document("a", "城市内涝")]))
    (rows,) = CandidateFeatures(grams, general()).blocks()
    assert (flat.probabilities(rows) == 0.5).all()


def test_documents_without_a_candidate() -> None:
    assert document_terms([]) == []
    assert document_terms([Document("a", "的"), Document("b", "")]) == [(), ()]
    found = document_terms([Document("a", ""), Document("b", "暴雨")])
    assert found[0] == ()
    assert [t.text for t in found[1]] == ["暴雨"]
