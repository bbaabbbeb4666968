"""Latent Dirichlet allocation: topics of a corpus, each a distribution over terms.

Source: Blei, Ng, Jordan 2003, Latent Dirichlet allocation (J. Mach. Learn. Res. 3); estimated by scikit-learn's batch
variational Bayes. phi_kt is the probability of term t in topic k, and with w_k the share of topic k in the corpus

    P(k | t) = w_k phi_kt / sum_j w_j phi_jt.

Two terms are alike as far as their P(. | t) point the same way (cosine) [R]. A document is the multiset of the terms
that it contains, nothing else, so that a topic is made of terms.

As evidence [R]: OLMOACO (Liu, Dong, Liu et al. 2022) finds topic concepts by LDA; with how many topics, and how a topic
gives a concept, was not found. Here topics are found over all candidate terms. The `HEADS` most probable terms of a
topic are its concepts: they are taken as terms whatever their rank, and one that nothing places stays as a group under
the root. Two terms of the same topic are alike, which speaks for an edge between them and makes none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from ontology.evidence.claims import Claim
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.extras import require
from ontology.terms import TermStudy, term_counts

Floats = NDArray[np.float64]

MAX_TOPICS = 10
DOCUMENTS_OF_TOPIC = 10
"""A topic for so many documents, up to `MAX_TOPICS`, and at least 2."""
HEADS = 3
"""Terms that are the concepts of a topic."""
SHOWN_TERMS = 5
"""Terms of a topic that a note shows."""
MIN_SIMILARITY = 0.5
"""From here two terms with the same most probable topic are alike."""

PASSES = 50
"""Passes of variational Bayes over the corpus, at most."""
SEED = 0


class TopicError(ValueError):
    """Topics cannot be found: what was given, and what is needed."""


@dataclass(frozen=True, eq=False)
class Topics:
    """Topics by falling share of the corpus.

    ``phi`` has shape (topics, terms), rows sum to 1; ``weight`` has shape (topics,), sums to 1.
    """

    terms: tuple[str, ...]
    phi: Floats
    weight: Floats

    def top(self, topic: int, count: int) -> tuple[tuple[str, float], ...]:
        """The ``count`` most probable terms of a topic with their phi; ties in code point order."""
        row = self.phi[topic].tolist()
        best = sorted(range(len(row)), key=lambda t: (-row[t], self.terms[t]))[:count]
        return tuple((self.terms[t], row[t]) for t in best)

    @cached_property
    def given_term(self) -> Floats:
        """P(k | t), shape (terms, topics); rows sum to 1."""
        joint = (self.phi * self.weight[:, None]).T
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))

    @cached_property
    def _at(self) -> dict[str, int]:
        return {term: t for t, term in enumerate(self.terms)}

    def topic_of(self, term: str) -> tuple[int, float]:
        """The most probable topic of a term and its P(k | t). Raises KeyError for a term without topics."""
        row = self.given_term[self._at[term]]
        return int(row.argmax()), float(row.max())

    def probability(self, topic: int, term: str) -> float:
        """phi of a term in a topic. Raises KeyError for a term without topics."""
        return float(self.phi[topic, self._at[term]])

    def similarity(self, a: str, b: str) -> float:
        """Cosine of P(. | a) and P(. | b), in [0, 1]. Raises KeyError for a term without topics."""
        u, v = self.given_term[self._at[a]], self.given_term[self._at[b]]
        return min(float(u @ v / np.sqrt((u @ u) * (v @ v))), 1.0)


def find_topics(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int, *, seed: int = SEED) -> Topics:
    """The topics of a corpus. The same input gives the same topics.

    Args:
        terms: distinct names of the columns.
        counts: occurrences, shape (documents, terms), none below 0, sparse or not; documents without a term say
            nothing.
        topics: how many; at least 2.
        seed: of the random start.

    Raises:
        TopicError: a wrong shape, a negative count, fewer than ``topics`` documents or terms with an occurrence.
        MissingExtra: scikit-learn is not installed.
    """
    table = _checked(terms, counts, topics)
    model = require("sklearn.decomposition", "topics", "--evidence lda (topics of terms)").LatentDirichletAllocation(
        n_components=topics, learning_method="batch", max_iter=PASSES, random_state=seed, n_jobs=1
    )
    share = np.asarray(model.fit_transform(table), dtype=np.float64)  # documents x topics, rows sum to 1
    phi = np.asarray(model.components_, dtype=np.float64)
    phi /= phi.sum(axis=1, keepdims=True)
    weight = np.asarray(table.sum(axis=1)).ravel() @ share
    order = np.argsort(-weight, kind="stable")
    return Topics(tuple(terms), phi[order], weight[order] / weight.sum())


def _checked(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int) -> csr_matrix:
    """The rows with an occurrence, as numbers."""
    if counts.ndim != 2 or counts.shape[1] != len(terms):
        raise TopicError(f"counts: expected one column for each of {len(terms)} terms, found shape {counts.shape}")
    table = csr_matrix(counts, dtype=np.float64, copy=True)
    table.eliminate_zeros()
    if (table.data < 0).any():
        raise TopicError(f"counts: expected none below 0, found {table.data.min():g}")
    filled = np.flatnonzero(table.getnnz(axis=1))
    rows, columns = len(filled), len(np.flatnonzero(table.getnnz(axis=0)))
    if topics < 2 or min(rows, columns) < topics:
        raise TopicError(
            f"topics: expected from 2 to the {min(rows, columns)} that {rows} documents with {columns} terms can have, "
            f"found {topics}; give more documents"
        )
    return table[filled]


def corpus_topics(study: TermStudy) -> Topics:
    """Find the topics over all candidate terms that pass the rules. Raises TopicError, MissingExtra."""
    candidates = [term.text for term in study.ranked[0]]
    counts = term_counts(study.documents, candidates, study.lexicon)
    present = {name for row in counts for name in row}
    names = [name for name in candidates if name in present]
    column = {name: j for j, name in enumerate(names)}
    entries = [(i, column[name], n) for i, row in enumerate(counts) for name, n in row.items()]
    at = np.array(entries, dtype=np.int64).reshape(len(entries), 3)
    table = csr_matrix((at[:, 2], (at[:, 0], at[:, 1])), shape=(len(counts), len(names)))
    return find_topics(names, table, min(MAX_TOPICS, max(2, len(counts) // DOCUMENTS_OF_TOPIC)))


def topic_concepts(topics: Topics) -> dict[str, str]:
    """Return the terms that head a topic -> what says so; a term that heads several belongs to the largest."""
    concepts: dict[str, str] = {}
    for k in range(len(topics.weight)):
        for term, phi in topics.top(k, HEADS):
            concepts.setdefault(term, f"lda, heads topic {k + 1}, phi {phi:.3f}")
    return concepts


def topic_claims(claims: Sequence[Claim], topics: Topics) -> tuple[Claim, ...]:
    """Make a claim for each pair of other claims whose terms are of one topic.

    Args:
        claims: the claims of other sources.
        topics: the topics of the corpus.

    Returns:
        One claim a pair, with the similarity of its terms as confidence.
    """
    known, made = set(topics.terms), []
    for narrower, broader in dict.fromkeys((c.narrower, c.broader) for c in claims if c.rule != "synonym"):
        if narrower not in known or broader not in known:
            continue
        k, alike = topics.topic_of(narrower)[0], topics.similarity(narrower, broader)
        if k == topics.topic_of(broader)[0] and alike >= MIN_SIMILARITY:
            evidence = f"lda, both of topic {k + 1}, similarity {alike:.2f}"
            made.append(Claim(narrower, broader, "lda", evidence, confidence=alike))
    return tuple(made)


def topic_notes(topics: Topics) -> tuple[str, ...]:
    """Describe each topic in a line: its share of the corpus and its most probable terms."""
    return tuple(
        f"lda, topic {k + 1} ({weight:.0%} of the corpus): "
        + ", ".join(f"{term} {phi:.2f}" for term, phi in topics.top(k, SHOWN_TERMS))
        for k, weight in enumerate(topics.weight.tolist())
    )


def topic_source(study: TermStudy) -> EvidenceSource:
    """Find the topics of a corpus as a source of evidence. Raises TopicError, MissingExtra."""
    topics = corpus_topics(study)

    def claims(corpus: TermCorpus, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
        return topic_claims(earlier, topics)

    return EvidenceSource("topics", claims, topic_concepts(topics), topic_notes(topics))
