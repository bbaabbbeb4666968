"""The terms of the strategy evidence_sum as functions: evidence that a link leads to a page of the topic.

Source: docs/decisions/0023-strategies-may-read-tokens.md, where each symbol is explained. y is the verdict about a
fetched page as a probability, w_t the topic weight of a token t, b_t its rate in the fetched pages, D their number, and

    P = sum y, N = sum (1 - y), pos_t = sum of y over the pages with t, neg_t = that of 1 - y.

A page that a person liked or disliked counts as several pages in all of these.

A token that was never seen in what a formula counts is no evidence, unless it is of the topic. No constant was fitted
to a web.
"""

from __future__ import annotations

import numpy as np

from crawler.model import Floats, Ids

AROUND = 15
"""Tokens on either side of an occurrence."""
FULL = 1.5
"""Topic weight around an occurrence, or in a context, that counts in full."""
_RATE = 1e-12
"""Stands for a rate of 0."""
_LEAST = 1e-3
"""Least probability of a verdict, so that a page can be judged by its words after all."""


def log_density(weight: float, tokens: int) -> float:
    """Return ln(density + .003), the density of a page being its topic weight by token.

    >>> round(log_density(3.0, 100), 4), round(log_density(0.0, 0), 4)
    (-3.4112, -5.8091)
    """
    return float(np.log(weight / max(tokens, 1) + 0.003))


def windows(topic: Floats) -> Floats:
    """Return win, the topic weight within 15 tokens either side of each token, itself included, over 1.5, at most 1.

    Args:
        topic: topic weight of each token of a page, shape (n,).

    >>> windows(np.array([0.6] + 16 * [0.0])).round(2).tolist() == 16 * [0.4] + [0.0]
    True
    """
    n, total = len(topic), np.concatenate(([0.0], np.cumsum(topic)))
    at = np.arange(n)
    near = total[np.minimum(at + AROUND + 1, n)] - total[np.maximum(at - AROUND, 0)]
    return np.clip(near / FULL, 0.0, 1.0)


def cooccurrence(win: Floats, n: Floats, b: float) -> Floats:
    """Return ln[(sum of win_t + 3 b) / ((n_t + 3) b)] of tokens; 0 where no page has topic words.

    Args:
        win: sum of win over the occurrences of each token.
        n: number of its occurrences.
        b: mean of win over all tokens.

    >>> cooccurrence(np.array([2.0, 0.0]), np.array([2.0, 0.0]), 0.25).round(4).tolist()
    [0.7885, 0.0]
    """
    return np.log((win + 3.0 * b) / ((n + 3.0) * b)) if b > 0.0 else np.zeros(len(n))


def idf(df: Floats, D: int) -> Floats:
    """Return ln(1 + D / (1 + df)), above 0 for every token; ``df`` is the number of fetched pages with each.

    >>> idf(np.array([0.0, 9.0]), 9).round(4).tolist()
    [2.3026, 0.6419]
    """
    return np.log1p(D / (1.0 + df))


def term_log_odds(pos: Floats, P: float, df: Floats, D: float, w: Floats) -> Floats:
    """Return lambda_t = clip(ln[(pos + 3 b + 3 max(.8 w, b)) / (P + 6)] - ln[(neg + 3 b) / (N + 3)], -3, 3).

    A token that no page has is no evidence, 0, unless it is of the topic. The limit for a rate of 0 would favour rare
    words.

    Args:
        pos: sum of the verdicts of the pages with each token; ``df - pos`` is neg.
        P: sum of all verdicts; ``D - P`` is N.
        df: number of pages with each token.
        D: number of pages.
        w: topic weight of each token.

    >>> pos, df = np.array([2.0, 2.0, 0.0]), np.array([4.0, 2.0, 0.0])
    >>> term_log_odds(pos, 2.0, df, 4, np.array([0, 0, 0.5])).round(4).tolist()
    [0.0, 0.734, 3.0]
    """
    b = np.maximum(df / max(D, 1), _RATE)
    relevant = (pos + 3.0 * b + 3.0 * np.maximum(0.8 * w, b)) / (P + 6.0)
    other = (np.maximum(df - pos, 0.0) + 3.0 * b) / (max(D - P, 0.0) + 3.0)
    return np.where((df > 0) | (w > 0), np.clip(np.log(relevant) - np.log(other), -3.0, 3.0), 0.0)


def outcome_log_odds(u: Floats, U: float, df: Floats, D: float, prior: Floats) -> Floats:
    """Return l_t of the tokens in the contexts and anchors by which fetched pages were found.

    l_t = clip(ln[(u+ + 4 beta e^(lambda/2)) / (U+ + 4)] - ln[(u- + 4 beta e^(-lambda/2)) / (U- + 4)], -3, 3)

    A token that led to no page has beta = 0 and no l_t: it is 0, no evidence; what its lambda says is in other terms.

    Args:
        u: u+, sum of the verdicts of the pages that a context or anchor with each token led to.
        U: U+, sum of the verdicts of all pages that a link led to.
        df: u+ + u-, their number by token; beta is ``df / D``.
        D: U+ + U-, their number.
        prior: lambda of each token.

    >>> outcome_log_odds(np.array([1.0, 0.0]), 1.0, np.array([1.0, 0.0]), 2, np.array([0.0, 1.0])).round(4).tolist()
    [0.4055, 0.0]
    """
    beta = np.maximum(df / max(D, 1), _RATE)  # the log of 0 is never used
    relevant = (u + 4.0 * beta * np.exp(0.5 * prior)) / (U + 4.0)
    other = (np.maximum(df - u, 0.0) + 4.0 * beta * np.exp(-0.5 * prior)) / (max(D - U, 0.0) + 4.0)
    return np.where(df > 0, np.clip(np.log(relevant) - np.log(other), -3.0, 3.0), 0.0)


def url_log_odds(u: Floats, U: float, df: Floats, D: float) -> Floats:
    """Return the log-odds of a verdict for each token of URLs against that of all pages, shrunken by 4 pages.

    Args:
        u: sum of the verdicts of the pages with each token in their URL.
        U: sum of all verdicts.
        df: number of pages with each token in their URL.
        D: number of pages.

    >>> url_log_odds(np.array([2.0, 0.0]), 2.0, np.array([2.0, 0.0]), 4).round(4).tolist()
    [0.6931, 0.0]
    """
    if D == 0:
        return np.zeros(len(u))
    p = min(max(U / D, _LEAST), 1.0 - _LEAST)
    odds = (u + 4.0 * p) / (np.maximum(df - u, 0.0) + 4.0 * (1.0 - p))
    log_odds: Floats = np.log(odds) - np.log(p / (1.0 - p))
    return log_odds


def with_words(y: Floats, z: Floats) -> Floats:
    """Return the verdicts sigma(logit y + .5 z), for z the standardised naive Bayes of the pages.

    >>> with_words(np.array([0.5, 0.5]), np.array([0.0, 2.0])).round(4).tolist()
    [0.5, 0.7311]
    """
    odds = np.clip(y, _LEAST, 1.0 - _LEAST)
    y_words: Floats = 1.0 / (1.0 + np.exp(-(np.log(odds / (1.0 - odds)) + 0.5 * z)))
    return y_words


def context_weight(total: Floats, n: Floats) -> Floats:
    """Return ln[(total + .09) / (n + .3)]; ``total`` sums min(1.5, topic weight) over the n contexts of each link.

    >>> context_weight(np.array([0.0, 1.5]), np.array([0.0, 1.0])).round(4).tolist()
    [-1.204, 0.2014]
    """
    return np.log((total + 0.09) / (n + 0.3))


def row_sums(rows: Ids, values: Floats, n: int) -> Floats:
    """Return the sum of the values of each of n rows, shape (n,), added in their order.

    >>> row_sums(np.array([1, 1]), np.array([0.5, 1.0]), 3).tolist()
    [0.0, 1.5, 0.0]
    """
    return np.bincount(rows, values, n).astype(np.float64, copy=False)


def over_root(values: Floats, rows: Ids, m: Ids) -> Floats:
    """Return the sum of the values of each row over the square root of m, 0 for m = 0.

    Args:
        values: shape (n,).
        rows: row of each value, shape (n,).
        m: shape (rows,).

    >>> over_root(np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])).round(4).tolist()
    [0.0, 2.1213]
    """
    roots: Floats = np.sqrt(np.maximum(m, 1))
    return row_sums(rows, values, len(m)) / roots


def standardised(x: Floats, mean: Floats, deviation: Floats, eps: Floats) -> Floats:
    """Return clip((x - m) / (s + eps), -3, 6), the last axis being the terms.

    >>> standardised(np.array([[1.0], [9.0]]), np.array([0.0]), np.array([0.7]), np.array([0.3])).tolist()
    [[1.0], [6.0]]
    """
    return np.clip((x - mean) / (deviation + eps), -3.0, 6.0)
