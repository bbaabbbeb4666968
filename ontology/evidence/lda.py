"""Latent Dirichlet allocation: topics of a corpus, each a distribution over terms.

Source: Blei, Ng, Jordan 2003, Latent Dirichlet allocation (J. Mach. Learn. Res. 3); estimated by scikit-learn's batch
variational Bayes. phi_kt is the probability of term t in topic k, and with w_k the share of topic k in the corpus

    P(k | t) = w_k phi_kt / sum_j w_j phi_jt.

The similarity of two terms is the cosine of their P(. | t) [R]. A document is the multiset of the terms that it
contains, nothing else, so that a topic is a distribution over terms.

As evidence [R]: OLMOACO (Liu, Dong, Liu et al. 2022) finds topic concepts by LDA; the number of topics, and the way
from a topic to a concept, were not found. Here topics are found over all candidate terms. The `HEADS` most probable
terms of a topic are its concepts: they are included whatever their rank, and one without a broader term is kept as a
group under the root. That two terms are of the same topic supports an edge between them and makes none.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from ontology.errors import Message, OntocrawlError
from ontology.evidence.claims import Claim
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.extras import require
from ontology.terms import TermStudy, term_counts

Floats = NDArray[np.float64]

MAX_TOPICS = 10
_DOCUMENTS_OF_TOPIC = 10
"""Number of documents per topic; there are at least 2 topics and at most `MAX_TOPICS`."""
HEADS = 3
"""Number of terms that are the concepts of a topic."""
_SHOWN_TERMS = 5
"""Number of terms of a topic that a note lists."""
_MIN_SIMILARITY = 0.5
"""Smallest similarity of two terms with the same most probable topic that is evidence."""

PASSES = 50
"""Largest number of passes of variational Bayes over the corpus."""
STILL = 5
"""Number of passes in which no topic's heads change that end it sooner: what is used of a topic is settled."""
SEED = 0


class TopicError(OntocrawlError, ValueError):
    """Topics cannot be found; the message names the input and the requirement."""


@dataclass(frozen=True, eq=False)
class Topics:
    """Topics by falling share of the corpus.

    Attributes:
        terms: the terms.
        phi: probabilities of terms in topics, shape (topics, terms), rows sum to 1.
        weight: shares of the topics in the corpus, shape (topics,), sums to 1.

    >>> topics = Topics(("flood", "rain", "crop"), np.array([[0.5, 0.5, 0], [0, 0.2, 0.8]]), np.array([0.6, 0.4]))
    >>> topics.top(1, 2)
    (('crop', 0.8), ('rain', 0.2))
    >>> topics.given_term.round(3).tolist()
    [[1.0, 0.0], [0.789, 0.211], [0.0, 1.0]]
    >>> topics.topic_of("rain")[0], round(topics.similarity("flood", "rain"), 3)
    (0, 0.966)
    """

    terms: tuple[str, ...]
    phi: Floats
    weight: Floats

    def top(self, topic: int, count: int) -> tuple[tuple[str, float], ...]:
        """Return the most probable terms of a topic.

        Args:
            topic: index of the topic.
            count: number of terms.

        Returns:
            Terms with their phi, in descending order; ties in code point order.
        """
        row = self.phi[topic].tolist()
        best = sorted(range(len(row)), key=lambda t: (-row[t], self.terms[t]))[:count]
        return tuple((self.terms[t], row[t]) for t in best)

    @cached_property
    def given_term(self) -> Floats:
        """Conditional probabilities P(k | t), shape (terms, topics); rows sum to 1."""
        joint = (self.phi * self.weight[:, None]).T
        return np.asarray(joint / joint.sum(axis=1, keepdims=True))

    @cached_property
    def _at(self) -> dict[str, int]:
        return {term: t for t, term in enumerate(self.terms)}

    def topic_of(self, term: str) -> tuple[int, float]:
        """Return the most probable topic of a term and its P(k | t). Raises KeyError for a term without topics."""
        row = self.given_term[self._at[term]]
        return int(row.argmax()), float(row.max())

    def similarity(self, a: str, b: str) -> float:
        """Compute the cosine of P(. | a) and P(. | b), in [0, 1]. Raises KeyError for a term without topics.

        Args:
            a: a term.
            b: another term.

        Returns:
            The similarity.
        """
        u, v = self.given_term[self._at[a]], self.given_term[self._at[b]]
        return min(float(u @ v / np.sqrt((u @ u) * (v @ v))), 1.0)


def find_topics(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int) -> Topics:
    """Find the topics of a corpus. The same input yields the same topics.

    Args:
        terms: distinct names of the columns.
        counts: occurrences, shape (documents, terms), none below 0, sparse or not; documents without a term are
            ignored.
        topics: number of topics, at least 2.

    Returns:
        The topics.

    Raises:
        TopicError: a wrong shape, a negative count, fewer than ``topics`` documents or terms with an occurrence.
        MissingExtra: scikit-learn is not installed.
    """
    table = _checked(terms, counts, topics)
    model = _until_heads_stay(
        require("sklearn.decomposition", "topics", "the evidence lda (topics of terms)").LatentDirichletAllocation
    )(n_components=topics, learning_method="batch", max_iter=PASSES, random_state=SEED, n_jobs=1)
    with contextlib.suppress(_HeadsStayed):
        model.fit(table)
    share = np.asarray(model.transform(table), dtype=np.float64)  # documents x topics, rows sum to 1
    phi = np.asarray(model.components_, dtype=np.float64)
    phi /= phi.sum(axis=1, keepdims=True)
    weight = np.asarray(table.sum(axis=1)).ravel() @ share
    order = np.argsort(-weight, kind="stable")
    return Topics(tuple(terms), phi[order], weight[order] / weight.sum())


class _HeadsStayed(Exception):  # noqa: N818
    """No topic's heads changed in `STILL` passes."""


def _until_heads_stay(model: type[Any]) -> type[Any]:
    """Return scikit-learn's model with an end of its fit as soon as no topic's heads changed in `STILL` passes."""

    class UntilHeadsStay(model):  # type: ignore[misc]
        heads: NDArray[np.int64] | None = None
        still = 0

        def _em_step(self, *given: Any, **named: Any) -> None:
            super()._em_step(*given, **named)
            heads = np.sort(np.argsort(-self.components_, axis=1, kind="stable")[:, :HEADS], axis=1)
            self.still = self.still + 1 if self.heads is not None and np.array_equal(heads, self.heads) else 0
            self.heads = heads
            if self.still == STILL:
                raise _HeadsStayed

    return UntilHeadsStay


def _checked(terms: Sequence[str], counts: NDArray[Any] | csr_matrix, topics: int) -> csr_matrix:
    """Return the rows with an occurrence, as numbers."""
    if counts.ndim != 2 or counts.shape[1] != len(terms):
        raise TopicError("evidence.counts_expected_column_each", n_terms=len(terms), shape=counts.shape)
    table = csr_matrix(counts, dtype=np.float64, copy=True)
    table.eliminate_zeros()
    if (table.data < 0).any():
        raise TopicError("evidence.counts_expected_none_below", data=table.data.min())
    filled = np.flatnonzero(table.getnnz(axis=1))
    rows, columns = len(filled), len(np.flatnonzero(table.getnnz(axis=0)))
    if topics < 2 or min(rows, columns) < topics:
        raise TopicError(
            "evidence.topics_expected_documents_terms",
            most=min(rows, columns),
            documents=rows,
            columns=columns,
            topics=topics,
        )
    return table[filled]


def _corpus_topics(study: TermStudy) -> Topics:
    """Find the topics over all candidate terms that pass the rules. Raises TopicError, MissingExtra."""
    candidates = [term.text for term in study.ranked[0]]
    counts = term_counts(study.documents, candidates, study.lexicon)
    present = {name for row in counts for name in row}
    names = [name for name in candidates if name in present]
    column = {name: j for j, name in enumerate(names)}
    entries = [(i, column[name], n) for i, row in enumerate(counts) for name, n in row.items()]
    cells = np.array(entries, dtype=np.int64).reshape(len(entries), 3)
    table = csr_matrix((cells[:, 2], (cells[:, 0], cells[:, 1])), shape=(len(counts), len(names)))
    return find_topics(names, table, min(MAX_TOPICS, max(2, len(counts) // _DOCUMENTS_OF_TOPIC)))


def topic_concepts(topics: Topics) -> dict[str, str]:
    """Return the terms that head a topic -> the reason; a term that heads several belongs to the largest."""
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
        One claim per pair, with the similarity of its terms as confidence.
    """
    known, common = set(topics.terms), []
    for narrower, broader in dict.fromkeys((c.narrower, c.broader) for c in claims if c.rule != "synonym"):
        if narrower not in known or broader not in known:
            continue
        k, alike = topics.topic_of(narrower)[0], topics.similarity(narrower, broader)
        if k == topics.topic_of(broader)[0] and alike >= _MIN_SIMILARITY:
            evidence = f"lda, both of topic {k + 1}, similarity {alike:.2f}"
            common.append(Claim(narrower, broader, "lda", evidence, confidence=alike))
    return tuple(common)


def _topic_notes(topics: Topics) -> tuple[str, ...]:
    """Describe each topic in a line: its share of the corpus and its most probable terms."""
    return tuple(
        Message(
            "evidence.note_topic", number=k + 1, weight=weight,
            terms=", ".join(f"{term} {phi:.2f}" for term, phi in topics.top(k, _SHOWN_TERMS)),
        )
        for k, weight in enumerate(topics.weight.tolist())
    )  # fmt: skip


def topic_source(study: TermStudy) -> EvidenceSource:
    """Find the topics of a corpus and return them as a source of evidence. Raises TopicError, MissingExtra."""
    topics = _corpus_topics(study)

    def claims(corpus: TermCorpus, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
        return topic_claims(earlier, topics)

    return EvidenceSource("topics", claims, topic_concepts(topics), _topic_notes(topics))
