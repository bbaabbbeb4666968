"""Tests whether the inclusion of one term's documents in another's is evidence: the reading "significant".

Reconstruction; not published by the authors of paper 000, whose reading ("published", readings.py) takes every
inclusion. Trap T11b: co-occurrence is not hyponymy. Three named rules decide about an inclusion ext(u) <= ext(t):

* head rule: u ends with t (山洪灾害 "flash flood disaster" ends with 灾害 "disaster"). Compounds of Chinese and English
  nouns have their head on the right (Williams 1981), so u is a kind of t. Accepted, whatever the numbers.
* nested modifier rule: t is contained in u, but not at its end (心理台风眼效应 "psychological typhoon eye effect" and
  台风 "typhoon"). Where terms are found by their spelling, every document with u then has t: the inclusion is a
  tautology, not an observation, and u is not a kind of t. Vetoed, also as a consequence of other edges.
* document rule: any other inclusion must be significant. If the df(u) documents of u were drawn at random from the n of
  the corpus, all of them would contain t with probability p = C(df(t), df(u)) / C(n, df(u)) (hypergeometric). Accepted
  if df(u) is at least `MIN_EVIDENCE` and p passes Benjamini and Hochberg's step-up procedure (1995) at level q over
  all ordered pairs of terms so frequent: of the edges accepted by this rule about a share q are chance inclusions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from ontology.context import Bools
from ontology.evidence.spelling import contains, ends_with

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MIN_EVIDENCE = 3
"""Smallest number of documents for which an inclusion is evidence."""


def inclusion_p_values(df: Ints, n: int) -> Floats:
    """Compute p[u, t] = C(df(t), df(u)) / C(n, df(u)), the chance that t has all documents of u.

    Args:
        df: document frequencies of k terms, shape (k,).
        n: number of documents.

    Returns:
        Probabilities, shape (k, k); 1 if df(t) < df(u).

    >>> inclusion_p_values(np.array([2, 5]), 10).round(3).tolist()  # p[0, 1] = C(5, 2) / C(10, 2) = 10/45
    [[0.022, 0.222], [1.0, 0.004]]
    """
    d = df.astype(np.float64)
    u, t = d[:, None], d[None, :]
    with np.errstate(invalid="ignore"):
        log_p = gammaln(t + 1) - gammaln(np.maximum(t - u, 0) + 1) - gammaln(n + 1.0) + gammaln(n - u + 1)
    return np.where(t >= u, np.exp(np.minimum(log_p, 0)), 1.0)


def benjamini_hochberg(p: Floats, tests: int, q: float) -> float:
    """Find the largest p-value that is rejected at a false discovery rate.

    Args:
        p: p-values of the hypotheses that may be rejected.
        tests: number of all hypotheses tested, at least ``len(p)``.
        q: false discovery rate, in (0, 1).

    Returns:
        The largest rejected p-value; 0 if none is rejected.

    >>> benjamini_hochberg(np.array([0.001, 0.02, 0.04, 0.5]), tests=4, q=0.05)
    0.02
    """
    ordered = np.sort(p)
    passing = np.flatnonzero(ordered <= q * np.arange(1, len(p) + 1) / max(tests, 1))
    return float(ordered[passing[-1]]) if len(passing) else 0.0


@dataclass(frozen=True, eq=False)
class Judgement:
    """The decisions of the three rules about every ordered pair (u, t) of k terms.

    Attributes:
        included: ext(u) <= ext(t), shape (k, k).
        head: accepted by the head rule, shape (k, k).
        vetoed: by the nested modifier rule, shape (k, k).
        documents: accepted by the document rule, shape (k, k).
        p: p-values, shape (k, k).
        threshold: the largest accepted p-value.
    """

    included: Bools
    head: Bools
    vetoed: Bools
    documents: Bools
    p: Floats
    threshold: float


def judge(table: Bools, names: tuple[str, ...], *, min_evidence: int, q: float) -> Judgement:
    """Apply the three rules to an incidence table.

    Args:
        table: booleans, shape (documents, terms).
        names: the terms.
        min_evidence: smallest number of documents of a term under the document rule.
        q: false discovery rate of the document rule.

    Returns:
        The decisions.

    >>> table = np.array([[1, 1, 1], [1, 1, 1], [0, 1, 0], [0, 0, 0]], dtype=np.bool_)
    >>> rules = judge(table, ("flash flood", "flood", "flash"), min_evidence=3, q=0.05)
    >>> bool(rules.head[0, 1]), bool(rules.vetoed[0, 2]), bool(rules.documents[2, 1])
    (True, True, False)
    """
    n, k = table.shape
    df = table.sum(axis=0, dtype=np.int64)
    together = table.astype(np.float32).T @ table.astype(np.float32)
    included = (together == df[:, None]) & ~np.eye(k, dtype=np.bool_)
    head, nested = np.zeros((k, k), dtype=np.bool_), np.zeros((k, k), dtype=np.bool_)
    for u, t in zip(*np.nonzero(included), strict=True):
        head[u, t] = ends_with(names[u], names[t])
        nested[u, t] = contains(names[u], names[t]) or contains(names[t], names[u])
    p = inclusion_p_values(df, n)
    frequent = df >= min_evidence
    tested = frequent[:, None] & frequent[None, :] & (df[:, None] <= df[None, :]) & ~np.eye(k, dtype=np.bool_)
    open_question = included & tested & ~nested
    threshold = benjamini_hochberg(p[open_question], int(tested.sum()), q)
    return Judgement(included, head, included & nested & ~head, open_question & (p <= threshold), p, threshold)
