"""When does the inclusion of one term's documents in another's count as evidence? The reading "significant".

Reconstruction; not published by the authors of paper 000, whose reading ("published", hierarchy.py) takes every
inclusion. Trap T11b: co-occurrence is not hyponymy. Three named rules decide about an inclusion ext(u) <= ext(t):

* head rule: u is spelled with t at its end (山洪灾害 "flash flood disaster" ends with 灾害 "disaster"). Compounds of
  Chinese and English nouns have their head on the right (Williams 1981), so u is a kind of t. Accepted, whatever the
  numbers.
* nested modifier rule: t stands inside u, but not at its end (心理台风眼效应 "psychological typhoon eye effect" and
  台风 "typhoon"). Wherever terms are found by their spelling every document with u then has t: the inclusion is a
  tautology, not an observation, and u is not a kind of t. Vetoed, also as a consequence of other edges.
* document rule: all else must be surprising. If the df(u) documents of u were drawn at random from the n of the
  corpus, all of them would contain t with probability p = C(df(t), df(u)) / C(n, df(u)) (hypergeometric). Accepted
  if df(u) is at least `MIN_EVIDENCE` and p passes Benjamini and Hochberg's step-up procedure (1995) at level q over
  all ordered pairs of terms so frequent: of the edges taken by this rule about a share q are chance inclusions.
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
"""Documents below which an inclusion of documents is no evidence."""


def inclusion_p_values(df: Ints, n: int) -> Floats:
    """p[u, t] = C(df(t), df(u)) / C(n, df(u)), shape (k, k): chance that t has all documents of u; 1 if it can't."""
    d = df.astype(np.float64)
    u, t = d[:, None], d[None, :]
    with np.errstate(invalid="ignore"):
        log_p = gammaln(t + 1) - gammaln(np.maximum(t - u, 0) + 1) - gammaln(n + 1.0) + gammaln(n - u + 1)
    return np.where(t >= u, np.exp(np.minimum(log_p, 0)), 1.0)


def benjamini_hochberg(p: Floats, tests: int, q: float) -> float:
    """The largest p-value that is still rejected at false discovery rate q when ``tests`` were made; 0 if none is."""
    ordered = np.sort(p)
    passing = np.flatnonzero(ordered <= q * np.arange(1, len(p) + 1) / max(tests, 1))
    return float(ordered[passing[-1]]) if len(passing) else 0.0


@dataclass(frozen=True, eq=False)
class Judgement:
    """What the three rules say about every ordered pair (u, t) of k terms, as booleans of shape (k, k).

    ``included`` ext(u) <= ext(t); ``head``, ``vetoed``, ``documents`` as in the module's docstring; ``p`` the
    p-values and ``threshold`` the largest accepted one.
    """

    included: Bools
    head: Bools
    vetoed: Bools
    documents: Bools
    p: Floats
    threshold: float


def judge(table: Bools, names: tuple[str, ...], *, min_evidence: int, q: float) -> Judgement:
    """Apply the three rules to an incidence table of shape (documents, terms)."""
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
