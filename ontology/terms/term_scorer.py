"""Probability that an author gives a candidate of a document as a keyword: logistic regression on named features.

The weights (data/term_weights.json) were fitted once (docs/evidence.md) on one half of 18,751 Chinese abstracts and
evaluated on the other half (docs/benchmarks/terms.md). A score is a sum, so that explanations can print its parts.
Terms of English records are ranked by candidates_en.py instead.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ontology.model import Document
from ontology.terms.keyness import Background, general
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.ngrams import NGrams, ngrams
from ontology.terms.term_features import FAMILIES, NAMES, CandidateFeatures, Rows
from ontology.terms.token_stream import token_stream

WEIGHTS = "term_weights.json"
_FAMILY = {name: family for family, names in FAMILIES.items() for name in names}


@dataclass(frozen=True)
class Scorer:
    """A linear scorer.

    Attributes:
        weights: weight of each feature of NAMES.
        centres: mean of each feature over the candidates that the weights were fitted on.
        intercept: log odds of a candidate that has the mean in every feature.
    """

    weights: NDArray[np.float64]
    centres: NDArray[np.float64]
    intercept: float

    def log_odds(self, rows: Rows) -> NDArray[np.float64]:
        """Return the log odds that each row is a keyword of its document, (r,)."""
        weights = self.weights.astype(np.float32)
        return (rows.values @ weights).astype(np.float64) + (self.intercept - float(self.weights @ self.centres))

    def probabilities(self, rows: Rows) -> NDArray[np.float64]:
        """Return the probability that each row is a keyword of its document, in (0, 1), (r,)."""
        return 1 / (1 + np.exp(-np.clip(self.log_odds(rows), -40, 40)))

    def parts(self, values: NDArray[np.float32]) -> tuple[tuple[str, float], ...]:
        """Return the contribution of each family of features to the log odds of a mean candidate, the largest first.

        The parts and the intercept add up to the log odds.
        """
        by_family: defaultdict[str, float] = defaultdict(float)
        for name, part in zip(NAMES, self.weights * (values - self.centres), strict=True):
            factors = name.split(" x ")
            for factor in factors:
                by_family[_FAMILY.get(factor, "shape")] += float(part) / len(factors)
        return tuple(
            sorted(((f, round(v, 3)) for f, v in by_family.items()), key=lambda pair: (-abs(pair[1]), pair[0]))
        )


@lru_cache(maxsize=1)
def fitted() -> Scorer:
    """Return the scorer with the bundled weights."""
    stored = json.loads((files("ontology") / "data" / WEIGHTS).read_text(encoding="utf-8"))
    rows = stored["features"]
    return Scorer(
        np.array([rows[name]["weight"] if name in rows else 0.0 for name in NAMES]),
        np.array([rows[name]["mean"] if name in rows else 0.0 for name in NAMES]),
        float(stored["intercept"]),
    )


@dataclass(frozen=True, slots=True)
class DocumentTerm:
    """A candidate of one document with the probability, in (0, 1), that its author would give it as a keyword."""

    text: str
    probability: float


def document_terms(
    documents: Sequence[Document], top: int = 10, lexicon: Lexicon = EMPTY, background: Background | None = None
) -> list[tuple[DocumentTerm, ...]]:
    """Return the best candidates of each document, best first; the documents' keywords are not read.

    Args:
        documents: scored together: the frequency of a candidate in all of them counts.
        top: number of candidates of each document.
        lexicon: its words are not cut apart.
        background: word frequencies for keyness; jieba's dictionary if None.
    """
    if not documents:
        return []
    grams = ngrams(token_stream(documents, lexicon))
    best: list[tuple[DocumentTerm, ...]] = [()] * len(documents)
    for rows, chances in scored(grams, background or general()):
        order = np.lexsort((rows.types, -chances, rows.records))
        edges = np.flatnonzero(np.diff(rows.records[order])) + 1
        for part in np.split(order, edges):
            best[int(rows.records[part[0]])] = tuple(
                DocumentTerm(grams.text(int(rows.types[i])), float(chances[i])) for i in part[:top]
            )
    return best


def scored(
    grams: NGrams, background: Background, scorer: Scorer | None = None
) -> Iterator[tuple[Rows, NDArray[np.float64]]]:
    """Yield every candidate of every document with its probability, block by block.

    Args:
        grams: the n-grams of the corpus.
        background: word frequencies for keyness.
        scorer: a fitted scorer; the bundled one if None.
    """
    scorer = scorer or fitted()
    for rows in CandidateFeatures(grams, background).blocks():
        yield rows, scorer.probabilities(rows)
