"""Fit the weights of the judge J on labelled webs, and write them.

    python -m tools.fit_judge [FILE] [--pages 2000]

The webs are those of benchmarks/judged_webs.py: an encyclopaedia, Chinese emergencies, Chinese abstracts, and synthetic
webs. Every web has the same weight, and so has every topic of a web. The figures are standardised for the fit; what is
written are the weights of the plain figures.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from benchmarks.judged_webs import Judged, judged_webs
from crawler.model import Bools, Floats
from crawler.scoring.logistic_relevance import FIGURES
from ontology.files import write_atomically

FILE = Path(__file__).resolve().parent.parent / "crawler" / "scoring" / "logistic_weights.py"
RIDGE = 0.01
"""Weight of the squared coefficients beside the mean loss: the smallest of .0001, .001, .01 and .1 with which no figure
of the topic words counts against a page. The figures are correlated, and with less ridge some of them get weights of
the wrong sign, which cancel on the webs of the fit only."""
DIGITS = 4


@dataclass(frozen=True)
class Fit:
    """A logistic regression: p = sigma(intercept + X @ weights)."""

    intercept: float
    weights: Floats

    def probability(self, X: Floats) -> Floats:
        """Return p of rows of figures, shape (n,)."""
        p: Floats = expit(self.intercept + X @ self.weights)
        return p


def logistic_fit(X: Floats, y: Bools, weight: Floats, ridge: float = RIDGE) -> Fit:
    """Fit a logistic regression by weighted maximum likelihood with a small ridge.

    Args:
        X: figures, shape (n, k).
        y: whether each row is relevant, shape (n,).
        weight: weight of each row, not negative, shape (n,).
        ridge: weight of the squared coefficients of the standardised figures beside the mean loss.

    Returns:
        The coefficients of the figures as they are, the standardisation folded in.
    """
    share = weight / weight.sum()
    m = share @ X
    s = np.sqrt(share @ (X - m) ** 2)
    s[s == 0.0] = 1.0
    Z, sign = np.column_stack((np.ones(len(X)), (X - m) / s)), np.where(y, -1.0, 1.0)

    def loss(b: Floats) -> tuple[float, Floats]:
        z = sign * (Z @ b)
        shrunk = np.concatenate(([0.0], b[1:]))
        value = share @ np.logaddexp(0.0, z) + ridge / 2 * shrunk @ shrunk
        return float(value), Z.T @ (share * sign * expit(z)) + ridge * shrunk

    b = minimize(loss, np.zeros(Z.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 1000, "gtol": 1e-8}).x
    weights = b[1:] / s
    return Fit(float(b[0] - m @ weights), weights)


def fitted(webs: Sequence[Judged]) -> Fit:
    """Fit J on webs: each web has the same weight, in a web each topic, in a topic each page with a topic word."""
    topics = Counter(judged.web for judged in webs)
    rows = [~judged.empty for judged in webs]
    weight = [np.full(int(row.sum()), 1.0 / (row.sum() * topics[j.web])) for j, row in zip(webs, rows, strict=True)]
    X = np.concatenate([judged.X[row] for judged, row in zip(webs, rows, strict=True)])
    y = np.concatenate([judged.label[row] for judged, row in zip(webs, rows, strict=True)])
    return logistic_fit(X, y, np.concatenate(weight))


def module(fit: Fit, webs: Sequence[Judged]) -> str:
    """Return the text of the Python module with the weights and where they come from."""
    of: dict[str, list[str]] = {}
    for judged in webs:
        of.setdefault(judged.web, []).append(judged.topic)
    sources = [f"* {web}: {', '.join(topics)}" for web, topics in of.items()]
    numbers = [f"    {round(b, DIGITS)},  # {name}" for b, name in zip(fit.weights.tolist(), FIGURES, strict=True)]
    return "\n".join([
        '"""The weights of J (crawler.scoring.logistic_relevance), written by `python -m tools.fit_judge`.',
        "", "Fitted on these topics of labelled webs (benchmarks/judged_webs.py); docs/benchmarks/judge.md says how J",
        "ranks the pages of each web when it is fitted on the others.", "", *sources, '"""', "",
        f"INTERCEPT = {round(fit.intercept, DIGITS)}", "WEIGHTS = (", *numbers, ")", "",
    ])  # fmt: skip


def main() -> int:
    """Fit, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=FILE)
    parser.add_argument("--pages", type=int, default=2000, metavar="N", help="of each synthetic web")
    options = parser.parse_args()
    webs = list(judged_webs(options.pages))
    write_atomically(options.file, module(fitted(webs), webs).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
