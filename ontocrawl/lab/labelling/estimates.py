"""Estimates for all pages of a run from labels of a stratified sample: shares, kappa and AUC of the judge.

A labelled page has the weight of its stratum. A share is computed within each decision of the judge, and combined by
the sizes of the two, which are known; so labels of a part of the sample suffice. Intervals of shares are those of
`ontology.shares.stratified`, those of kappa and AUC by bootstrap within each decision (percentiles; B. Efron and
R. Tibshirani 1993, An Introduction to the Bootstrap, chapter 8).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontology.compare.agreement import kappa_of_counts
from ontology.shares import stratified

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate for the pages of a run.

    Attributes:
        value: the estimate; None where the labels do not suffice.
        low: lower bound of its 95 % interval.
        high: upper bound.
        labelled: number of labelled pages that it rests on.
    """

    value: float | None
    low: float | None
    high: float | None
    labelled: int

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON values, rounded to four digits."""
        values = {"value": self.value, "low": self.low, "high": self.high}
        return {k: None if v is None else round(v, 4) for k, v in values.items()} | {"labelled": self.labelled}


@dataclass(frozen=True, eq=False)
class Labelled:
    """The pages of a run with the labels of one person.

    Attributes:
        R: relevance of each page of the run by the judge, in the order of fetching, shape (N,).
        accepted: the judge's decision about each of them, shape (N,).
        at: positions of the labelled pages among them, shape (n,).
        relevant: their labels, shape (n,).
        weight: their weights in the sample, shape (n,).
    """

    R: Floats
    accepted: Flags
    at: NDArray[np.int64]
    relevant: Flags
    weight: Floats

    def share(self, among: Flags | None = None) -> Estimate:
        """Estimate the share of relevant pages.

        Args:
            among: the pages of the run to which the share refers, shape (N,); None for all.
        """
        within = np.ones(len(self.R), dtype=bool) if among is None else among
        chosen = within[self.at]
        strata = []
        for decision in (True, False):
            here = chosen & (self.accepted[self.at] == decision)
            n, weight = int(here.sum()), self.weight[here]
            p = float(weight @ self.relevant[here] / weight.sum()) if n else 0.0
            strata.append((p * n, n, int((within & (self.accepted == decision)).sum())))
        value, low, high = stratified(strata) or (None, None, None)
        return Estimate(value, low, high, int(chosen.sum()))

    def first(self, fetched: int) -> Estimate:
        """Estimate the share of relevant pages among the first that were fetched."""
        return self.share(np.arange(len(self.R)) < fetched)

    def best(self, k: int) -> Estimate:
        """Estimate the precision at k of the judge: the share of relevant pages among the k of the largest R.

        Of equal R, pages that were fetched earlier come first.
        """
        top = np.zeros(len(self.R), dtype=bool)
        top[np.argsort(-self.R, kind="stable")[:k]] = True
        return self.share(top)

    def kappa(self, seed: int = 0) -> Estimate:
        """Estimate Cohen's kappa of the judge and the person over all pages of the run."""
        accepted = self.accepted[self.at]
        return self._bootstrapped(lambda weight: _kappa(accepted, self.relevant, weight), seed)

    def auc(self, seed: int = 0) -> Estimate:
        """Estimate the AUC of the judge's R over all pages of the run."""
        return self._bootstrapped(lambda weight: auc(self.R[self.at], self.relevant, weight), seed)

    def _bootstrapped(self, statistic: Callable[[Floats], float | None], seed: int) -> Estimate:
        """Estimate a function of the weights of the labelled pages."""
        n, weight = len(self.at), self._weights()
        value = None if weight is None else statistic(weight)
        if weight is None or value is None:
            return Estimate(None, None, None, n)
        rng, groups = np.random.default_rng(seed), [np.flatnonzero(g) for g in self._decisions() if g.any()]
        found = []
        for _ in range(RESAMPLES):
            times = np.zeros(n)
            for group in groups:
                times[group] = rng.multinomial(len(group), np.full(len(group), 1 / len(group)))
            found.append(statistic(weight * times))
        low, high = np.quantile([one for one in found if one is not None] or [value], (0.025, 0.975))
        return Estimate(value, float(low), float(high), n)

    def _decisions(self) -> tuple[Flags, Flags]:
        accepted = self.accepted[self.at]
        return accepted, ~accepted

    def _weights(self) -> Floats | None:
        """Return weights by which the labelled pages stand for all; None where a decision has no labelled page."""
        weight = self.weight.astype(np.float64)
        for here, size in zip(self._decisions(), (self.accepted.sum(), (~self.accepted).sum()), strict=True):
            if size and not here.any():
                return None
            weight[here] *= size / max(float(weight[here].sum()), 1e-300)
        return weight


def auc(R: ArrayLike, relevant: ArrayLike, weight: ArrayLike | None = None) -> float | None:
    """Compute the area under the ROC curve: the chance that a relevant page has a larger R; ties count half.

    Args:
        R: relevance of each page by a judge, shape (n,).
        relevant: labels, shape (n,).
        weight: number of pages that each stands for, shape (n,); None for 1.

    Returns:
        The area, in [0, 1]; None where no page or every page is relevant.

    >>> auc([0.9, 0.5, 0.5, 0.1], [True, True, False, False])
    0.875
    >>> auc([0.9, 0.5, 0.1], [True, False, True], [1, 1, 3])
    0.25
    """
    values, label = np.asarray(R, dtype=np.float64), np.asarray(relevant, dtype=bool)
    w = np.ones(len(values)) if weight is None else np.asarray(weight, dtype=np.float64)
    levels, level = np.unique(values, return_inverse=True)
    yes = np.bincount(level[label], w[label], len(levels))
    no = np.bincount(level[~label], w[~label], len(levels))
    pairs = float(yes.sum() * no.sum())
    return float(yes @ (np.cumsum(no) - no / 2)) / pairs if pairs else None


def _kappa(accepted: Flags, relevant: Flags, weight: Floats) -> float | None:
    return kappa_of_counts(
        {(a, b): float(weight[(accepted == a) & (relevant == b)].sum()) for a in (True, False) for b in (True, False)}
    )
