"""Expected gain: how many of the next pages of a crawl will be relevant, with a predictive interval.

The harvest of a focused crawl falls as the crawl goes on, and relevant pages come in clusters. So the share of relevant
pages is regressed on the number of fetched pages, k, and the interval allows for the clusters:

    logit p(t) = b0 + b1 ln(t / k)                                                          (1)

The verdicts are counted in blocks. The block around page t has the weight t / k, so that the recent half of a crawl
counts most, however long the crawl is. Jeffreys' prior (Firth 1993, Biometrika 80) keeps the estimates finite where no
page, or each, was relevant; b1 has a normal prior of deviation 1, for b1 = -1 is a share that falls as 1 / t. The
dispersion phi (Wedderburn 1974, quasi-likelihood) is the largest over groups of blocks of several lengths, because
verdicts that depend on each other vary more in long groups than in short ones. The number of relevant pages among the
next n is beta-binomial, with the mean and the variance of the regression:

    mean = sum of p(t),  variance = phi (sum of p(t) (1 - p(t)) + J' V J),  k < t <= k + n  (2)

where V is the covariance of b0 and b1, and J the gradient of the mean. docs/evidence.md compares this with other
estimators, and says how often the interval is right.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from crawler.model import Floats

AHEAD = 100
"""Number of pages that an expected gain is about."""
EVERY = 10
"""Pages between two forecasts of a crawl. Fewer looks also make a lucky one rarer."""
BLOCKS = 100
"""Largest number of blocks."""
GROUPS = 4
"""Smallest number of groups of blocks from which a dispersion is estimated."""
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class ExpectedGain:
    """The number of relevant pages that a crawl will find among its next pages."""

    pages: int
    """Number of these pages."""
    mean: float
    low: int
    high: int
    """Ends of the predictive interval of 95 %."""


def expected_gain(relevant: ArrayLike, n: int = AHEAD) -> ExpectedGain | None:
    """Forecast the number of relevant pages among the next ones.

    Args:
        relevant: whether each fetched page is relevant, in the order of fetching, shape (k,).
        n: number of pages ahead, at least EVERY.

    Returns:
        The forecast; None where k < n, for a forecast does not reach further than what was seen.

    >>> expected_gain([True, False] * 200)
    ExpectedGain(pages=100, mean=50.0, low=36, high=64)
    """
    y = np.asarray(relevant, dtype=np.float64)
    k = len(y)
    if k < n:
        return None
    c, m, t = blocks(y)
    w = t / k
    b, V = _regression(c, m, np.log(w), w)
    ahead = np.log(np.arange(k + 1, k + n + 1) / k)
    p = _logistic(b[0] + b[1] * ahead)
    v = p * (1 - p)
    J = np.array([v.sum(), v @ ahead])
    phi = _dispersion(c, m, _logistic(b[0] + b[1] * np.log(w)), w, n)
    mean, variance = float(p.sum()), phi * float(v.sum() + J @ V @ J)
    cumulative = np.cumsum(_beta_binomial(n, mean, variance))
    low, high = np.searchsorted(cumulative, ((1 - LEVEL) / 2, (1 + LEVEL) / 2))
    return ExpectedGain(n, mean, int(low), int(high))


def blocks(y: Floats) -> tuple[Floats, Floats, Floats]:
    """Divide a crawl into blocks of at least EVERY pages, at most BLOCKS of them.

    Returns:
        c, the relevant pages of each block; m, its pages; t, the number of its middle page, all of shape (j,).
    """
    k = len(y)
    ends = np.linspace(0, k, min(BLOCKS, k // EVERY) + 1).round().astype(np.int64)
    return np.add.reduceat(y, ends[:-1]), np.diff(ends).astype(np.float64), (ends[1:] + ends[:-1] + 1) / 2


def _logistic(x: Floats) -> Floats:
    """Return 1 / (1 + exp(-x)), shape (j,)."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.clip(x, -30.0, 30.0))))


def _regression(c: Floats, m: Floats, x: Floats, w: Floats) -> tuple[Floats, Floats]:
    """Fit equation (1) by Newton's method.

    Args:
        c: relevant pages of each block, shape (j,).
        m: pages of each block.
        x: ln(t / k) of each block.
        w: weight of each block, in (0, 1].

    Returns:
        b, with b0 and b1, shape (2,), and their covariance, shape (2, 2), without the dispersion.
    """
    X = np.stack([np.ones_like(x), x], axis=1)
    prior = np.diag([0.0, 1.0])
    share = (w @ c + 0.5) / (w @ m + 1.0)
    b = np.array([np.log(share / (1.0 - share)), 0.0])
    V: Floats = np.zeros((2, 2))
    for _ in range(50):
        p = _logistic(X @ b)
        v = w * m * p * (1.0 - p)
        V = np.asarray(np.linalg.inv(X.T @ (v[:, None] * X) + prior), dtype=np.float64)
        leverage = v * np.einsum("ji,ik,jk->j", X, V, X)
        step = V @ (X.T @ (w * (c - m * p) + leverage * (0.5 - p)) - prior @ b)
        b = b + step * min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-9))
        if np.abs(step).max() < 1e-6:
            break
    return b, V


def _dispersion(c: Floats, m: Floats, p: Floats, w: Floats, n: int) -> float:
    """Estimate phi: by how much the blocks vary more than independent verdicts would; at least 1.

    Groups have 1, 2, 4 .. blocks, up to those of n pages; the largest of their dispersions counts.

    Args:
        c: relevant pages of each block, shape (j,).
        m: pages of each block.
        p: fitted share of relevant pages of each block.
        w: weight of each block.
        n: number of pages ahead.
    """
    r, v, phi, size = c - m * p, m * p * (1.0 - p), 1.0, 1
    while (count := len(c) // size) >= GROUPS:
        R, S, W = (part[len(c) - count * size :].reshape(count, size).sum(axis=1) for part in (r, v, w))
        phi = max(phi, float(np.average(R**2 / S, weights=W)) * count / (count - 2))  # two parameters were fitted
        if size * m[-1] >= n:
            break
        size *= 2
    return phi


def _beta_binomial(n: int, mean: float, variance: float) -> Floats:
    """Return the probabilities of 0 .. n of a beta-binomial distribution, shape (n + 1,).

    A variance below that of the binomial distribution is that one; a larger one than a beta-binomial distribution can
    have is close to its largest.

    >>> _beta_binomial(2, 1.0, 0.5).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    share = min(max(mean / n, 1e-9), 1.0 - 1e-9)
    correlation = (variance / (n * share * (1.0 - share)) - 1.0) / (n - 1)
    size = 1.0 / min(max(correlation, 1e-9), 1.0 - 1e-9) - 1.0
    a, b, s = share * size, (1.0 - share) * size, np.arange(n)
    steps = np.log((n - s) * (a + s)) - np.log((s + 1.0) * (b + n - s - 1.0))
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    p = np.exp(logs - logs.max())
    return np.asarray(p / p.sum())


class Harvest:
    """The judge's verdicts on the pages that a crawl has fetched, in order, and what is to be expected from them."""

    def __init__(self, verdicts: Iterable[bool] = ()) -> None:
        """Start with the verdicts of an earlier part of the crawl."""
        self.verdicts = bytearray(map(bool, verdicts))
        self.relevant = sum(self.verdicts)
        """Number of relevant pages."""
        self._forecast: tuple[int, ExpectedGain | None] = (0, None)

    def __len__(self) -> int:
        """Number of fetched pages."""
        return len(self.verdicts)

    def add(self, relevant: bool) -> None:
        """Add the verdict on one more page."""
        self.verdicts.append(relevant)
        self.relevant += relevant

    @property
    def gain(self) -> ExpectedGain | None:
        """Expected gain, made every EVERY pages; None for fewer than AHEAD pages."""
        k = len(self) - len(self) % EVERY
        if k != self._forecast[0]:
            self._forecast = k, expected_gain(np.frombuffer(self.verdicts, dtype=np.uint8, count=k))
        return self._forecast[1]
