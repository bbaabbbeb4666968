"""N-grams and their figures, by brute force."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.terms.ngrams import NGrams, ngrams
from ontology.terms.token_stream import TokenStream

WORDS = ("", "甲", "乙", "丙", "的")
TAGS = ("", "n", "n", "vn", "uj")
CLOSED = {"", "的"}

corpora = st.lists(st.lists(st.sampled_from(WORDS[1:]), max_size=12), min_size=1, max_size=5)


def stream_of(documents: list[list[str]]) -> TokenStream:
    """A stream of documents that have an abstract and no title."""
    ids, records = [0], [0]
    for at, words in enumerate(documents):
        ids += [WORDS.index(w) for w in words] + [0]
        records += [at] * (len(words) + 1)
    return TokenStream(
        WORDS, TAGS, np.array(ids, np.int32), np.array(records, np.int32), np.zeros(len(ids), bool), len(documents)
    )


def brute(documents: list[list[str]], most: int = 4) -> list[tuple[int, tuple[str, ...], str, str]]:
    """(document, n-gram, word before, word after) of every occurrence."""
    found = []
    for at, words in enumerate(documents):
        padded = ["", *words, ""]
        for i in range(1, len(padded) - 1):
            for j in range(i + 1, min(i + most, len(padded) - 1) + 1):
                gram = tuple(padded[i:j])
                if not CLOSED & set(gram):
                    found.append((at, gram, padded[i - 1], padded[j]))
    return found


def by_words(grams: NGrams) -> dict[tuple[str, ...], int]:
    return {tuple(grams.stream.words[i] for i in grams.word_ids(t)): t for t in range(grams.size)}


def entropy(counts: Counter[str]) -> float:
    total = sum(counts.values())
    return -sum(n / total * math.log(n / total) for n in counts.values())


def inside(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    return len(short) < len(long) and any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


@pytest.mark.slow
@given(corpora)
@settings(max_examples=150, deadline=None)
def test_figures_are_those_of_brute_force(documents: list[list[str]]) -> None:
    grams, seen = ngrams(stream_of(documents)), brute(documents)
    types = by_words(grams)
    frequency = Counter(gram for _, gram, _, _ in seen)
    assert {g: int(grams.frequency[t]) for g, t in types.items()} == dict(frequency)
    tokens = sum(w not in CLOSED or w == "的" for d in documents for w in d)
    for gram, t in types.items():
        mine = [row for row in seen if row[1] == gram]
        assert grams.length[t] == len(gram)
        assert grams.document_frequency[t] == len({row[0] for row in mine})
        assert set(grams.records([t]).tolist()) == {row[0] for row in mine}
        assert grams.left_entropy[t] == pytest.approx(entropy(Counter(row[2] for row in mine)), abs=1e-9)
        assert grams.right_entropy[t] == pytest.approx(entropy(Counter(row[3] for row in mine)), abs=1e-9)
        longer = [n for g, n in frequency.items() if n > 1 and inside(gram, g)]
        alone = frequency[gram] - (sum(longer) / len(longer) if longer else 0)
        assert grams.c_value[t] == pytest.approx(math.log2(1 + len(gram)) * alone)
        splits = [
            math.log(frequency[gram] * tokens / (frequency[gram[:i]] * frequency[gram[i:]]))
            for i in range(1, len(gram))
        ]
        assert grams.cohesion[t] == pytest.approx(min(splits, default=0.0))


def test_an_n_gram_may_hold_itself_more_than_once() -> None:
    grams = ngrams(stream_of([["甲", "甲", "甲"], ["甲", "甲"]]))
    types = by_words(grams)
    count, total = grams.nested
    assert count[types["甲",]] == 1  # of 甲甲 (three times); 甲甲甲 is there once
    assert total[types["甲",]] == 3


def test_no_tokens_no_n_grams() -> None:
    grams = ngrams(stream_of([[], ["的"]]))
    assert grams.size == 0
    assert grams.c_value.size == grams.left_entropy.size == grams.document_frequency.size == 0
    assert grams.records([]).size == 0


def test_words_across_documents_are_not_neighbours() -> None:
    assert set(by_words(ngrams(stream_of([["甲"], ["乙"]])))) == {("甲",), ("乙",)}
