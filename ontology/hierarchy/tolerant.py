"""The reading "tolerant": inclusions that hold up to noise.

Reconstruction; nothing of it is published. In real data a term is missing from documents about it, and occurs in
documents about something else. Then ext(u) <= ext(t) fails by a few documents though every u is a t. Four steps:

1. Candidates: t for u if at least the share `CANDIDATE` of the documents of u has t, and u is not the more frequent.
2. Strays: an occurrence of u counts only in documents that have at least half of the *surest* candidates of u. A stray
   u is one in a document about something else. The surest are the candidates whose share of true documents,
   pi(t) = (conf(u, t) - P(t)) / (1 - P(t)), does not differ significantly from the largest one (two standard errors).
3. Exceptions: of the N(u, t) documents left, E(u, t) lack t. The share of lost incidences rho is estimated from the
   data (median of E / N over likely inclusions, then their pooled share). u <= t is rejected where so many exceptions
   are too many: P(Bin(N, rho) >= E) < `ALPHA`, the one fixed threshold. Without noise rho is 0, any exception is too
   many, and the reading is that of exact inclusion.
4. Significance: u <= t is also rejected if chance explains it, P(Bin(df(u), P(t)) >= both) > `CHANCE`. For a t in
   more than half of all documents a rare u can't pass this test; there the exceptions alone decide.

The edges are the transitive reduction of what remains; of two terms that include each other the one with fewer
exceptions is the narrower.
"""

from __future__ import annotations

import numpy as np

from ontology.context import Bools
from ontology.hierarchy.inclusion import Floats

CANDIDATE = 0.5
ALPHA = 1e-5
CHANCE = 0.05
_LIKELY = 0.25
"""Largest share of exceptions of the inclusions from which the noise is estimated."""
COMMON = 0.8
"""Largest share of all documents of a term that is used to recognise strays."""


def tolerant_inclusions(table: Bools, *, alpha: float = ALPHA) -> Bools:
    """Compute the inclusions that hold up to noise.

    Args:
        table: booleans, shape (documents, k terms).
        alpha: level of step 3, in (0, 1); smaller accepts more.

    Returns:
        above[u, t]: every u is a t up to noise. A strict order (transitive, irreflexive), shape (k, k).

    """
    X = table.astype(np.float32)
    both = (X.T @ X).astype(np.float64)
    df = both.diagonal().copy()
    conf = both / np.maximum(df, 1)[:, None]
    candidate = (conf >= CANDIDATE) & (df[:, None] <= df[None, :]) & ~np.eye(len(df), dtype=np.bool_)
    exact = candidate & (both == df[:, None])
    raw_rate = (1 - conf)[candidate & (1 - conf <= _LIKELY)]
    if len(raw_rate) and np.median(raw_rate) == 0:
        return _order(exact & _significant(both, df, len(table)), conf)
    sure = _surest(conf, df / len(table), df, candidate)
    accepted, rate = candidate, 1 - conf
    for _ in range(2):  # the second time with the accepted inclusions as the surest
        N, E = _exceptions(table, candidate, sure)
        rate = np.where(N > 0, E / np.maximum(N, 1), 1.0)
        accepted = _bearable(candidate & (N > 0), N, E, rate, alpha)
        sure = accepted
    return _order(accepted & _significant(both, df, len(table)), 1 - rate)


def _surest(conf: Floats, P: Floats, df: Floats, candidate: Bools) -> Bools:
    """Return sure[u, t]: the candidates of u whose pi(t) is within two standard errors of the largest (step 2)."""
    sure = np.zeros_like(candidate)
    for u in range(len(P)):
        t = np.flatnonzero(candidate[u] & (P <= COMMON))
        if len(t):
            c, room = conf[u, t], 1 - P[t]
            pi = np.clip((c - P[t]) / room, 0, 1)
            error = np.sqrt(np.maximum(c * (1 - c), 0.25 / df[u]) / df[u]) / room
            sure[u, t] = (pi + 2 * error >= np.max(pi - 2 * error)) & (pi > 0)
    return sure


def _exceptions(table: Bools, candidate: Bools, sure: Bools) -> tuple[Floats, Floats]:
    """Return N and E of step 3, shape (k, k); t itself is not used to decide what is a stray of u for t."""
    k = table.shape[1]
    N, E = np.zeros((k, k)), np.zeros((k, k))
    for u in range(k):
        t, refs = np.flatnonzero(candidate[u]), np.flatnonzero(sure[u])
        if not len(t):
            continue
        documents = table[table[:, u]]
        itself = sure[u, t]
        present = documents[:, refs].sum(axis=1)[:, None] - documents[:, t] * itself[None, :]
        counts = 2 * present >= (len(refs) - itself)[None, :]
        N[u, t] = counts.sum(axis=0)
        E[u, t] = (counts & ~documents[:, t]).sum(axis=0)
    return N, E


def _bearable(candidate: Bools, N: Floats, E: Floats, rate: Floats, alpha: float) -> Bools:
    """Return the inclusions with no more exceptions than the noise explains."""
    likely = candidate & (rate <= _LIKELY)
    rho = float(np.median(rate[likely])) if likely.any() else 0.0
    for _ in range(2):
        accepted = candidate & (_binomial_tail(E, N, rho) >= alpha)
        rho = float(E[accepted].sum() / N[accepted].sum()) if accepted.any() else rho
    return np.asarray(accepted)


def _significant(both: Floats, df: Floats, n: int) -> Bools:
    """Return the pairs that chance does not explain (step 4)."""
    P = df / n
    chance = _binomial_tail(both, df[:, None], P[None, :])
    return np.asarray((chance <= CHANCE) | (P[None, :] > 0.5))


def _binomial_tail(k: Floats, n: Floats, p: Floats | float) -> Floats:
    """Return P(X >= k) for a binomial X of n draws with probability p."""
    from scipy.stats import binom  # here, because its import takes longer than most commands

    return np.asarray(binom.sf(k - 1, n, p))


def _order(accepted: Bools, conf: Floats) -> Bools:
    """Return the transitive closure, built pair by pair, surest first; a pair that would close a cycle is left out.

    >>> accepted = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=np.bool_)
    >>> conf = np.array([[0, 1, 0], [0, 0, 0.9], [0.5, 0, 0]])
    >>> _order(accepted, conf).astype(int).tolist()  # the least sure pair, (2, 0), would close a cycle
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    reach = np.eye(len(accepted), dtype=np.bool_)
    u, t = np.nonzero(accepted)
    first = np.lexsort((t, u, -conf[u, t]))
    for c, p in zip(u[first].tolist(), t[first].tolist(), strict=True):
        if not reach[p, c]:
            reach |= np.outer(reach[:, c], reach[p])
    np.fill_diagonal(reach, val=False)
    return reach
