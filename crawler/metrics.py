"""What a crawl was worth: accuracy, mean relevance and its spread, recall, harvest curves.

Source: paper 000, section 6.1; paper 002, Eqs. (8) to (12); paper 003 (RC); algorithms.md 1.6. DP are the fetched
pages in the order of fetching, LP the relevant ones among them, R their topic relevance in [0, 1].

All functions are pure. A quotient over nothing is None, never 0 or NaN: a crawl that fetched nothing has no accuracy.
Two cautions on reading them: LP = Accuracy x DP, so a table that ranks by both counts one thing twice (trap T44); a
lower SD is not better, as a crawl of irrelevant pages only has SD_DP = 0 (trap T45).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from crawler.model import Bools, Counts, Floats


class MetricsError(ValueError):
    """Input that is no record of a crawl; the message names the value."""


@dataclass(frozen=True, slots=True)
class Metrics:
    """Results of one crawl under one judgement of relevance."""

    DP: int
    """Fetched pages."""
    LP: int
    """Relevant fetched pages."""
    accuracy: float | None
    """LP / DP, in [0, 1]."""
    AR_LP: float | None
    SD_LP: float | None
    AR_DP: float | None
    SD_DP: float | None
    recall: float | None = None
    """Found over existing relevant pages; None where their number is not known, or 0."""


def evaluate(R: ArrayLike, relevant: ArrayLike, existing: int | None = None) -> Metrics:
    """All metrics of a crawl.

    Args:
        R: topic relevance of the fetched pages in the order of fetching, shape (DP,), each in [0, 1].
        relevant: whether each is relevant, by the judge (R against a threshold) or by its label, shape (DP,).
        existing: number of relevant pages that the world holds, where it is known.

    Raises:
        MetricsError: different lengths, an R outside [0, 1], or fewer existing pages than were found.
    """
    R_DP, LP = _checked(R, relevant)
    AR_LP, SD_LP = moments(R_DP[LP])
    AR_DP, SD_DP = moments(R_DP)
    found = None if existing is None else recall(int(LP.sum()), existing)
    return Metrics(len(R_DP), int(LP.sum()), accuracy(LP), AR_LP, SD_LP, AR_DP, SD_DP, found)


def evaluate_by(
    R: ArrayLike, judged: ArrayLike, labelled: ArrayLike | None = None, existing: int | None = None
) -> dict[str, Metrics]:
    """The metrics by the judge, and by label where there are labels: ``{"judge": .., "label": ..}``.

    ``existing`` counts the labelled pages of the world. Arguments and errors are those of ``evaluate``.
    """
    by = {"judge": evaluate(R, judged)}
    if labelled is not None:
        by["label"] = evaluate(R, labelled, existing)
    return by


def accuracy(relevant: ArrayLike) -> float | None:
    """Accuracy = LP / DP in [0, 1], Eq. (8) of paper 002; None for no pages."""
    LP = np.asarray(relevant, dtype=np.bool_)
    return float(LP.mean()) if len(LP) else None


def moments(R: ArrayLike) -> tuple[float | None, float | None]:
    """AR and SD, Eqs. (9) to (12) of paper 002: mean and population standard deviation; (None, None) for no pages."""
    values = np.asarray(R, dtype=np.float64)
    if not len(values):
        return None, None
    AR = values.mean()
    return float(AR), float(np.sqrt(np.mean((values - AR) ** 2)))


def recall(found: int, existing: int) -> float | None:
    """Found over existing relevant pages, in [0, 1]; None where none exist.

    Raises:
        MetricsError: a negative number, or more found than exist.
    """
    if not 0 <= found <= existing:
        raise MetricsError(f"recall needs 0 <= found <= existing, not {found} found of {existing}")
    return found / existing if existing else None


def overlap(P1: Collection[Hashable], P2: Collection[Hashable]) -> float | None:
    """RC = |P1 and P2| / |P1| of paper 003, in [0, 1]: the share of the first's pages that the second has too.

    None where the first is empty. RC(P1, P2) and RC(P2, P1) differ.
    """
    first = set(P1)
    return len(first & set(P2)) / len(first) if first else None


def superposition(P1: Collection[Hashable], P2: Collection[Hashable]) -> float | None:
    """|P1 and P2| / |P1 or P2|, the superposition ratio of paper 004 read as Jaccard's index (trap T35); symmetric."""
    either = set(P1) | set(P2)
    return len(set(P1) & set(P2)) / len(either) if either else None


def harvest_curve(relevant: ArrayLike) -> Counts:
    """LP after each fetched page, shape (DP,), non-decreasing."""
    return np.cumsum(np.asarray(relevant, dtype=np.bool_), dtype=np.int64)


def accuracy_curve(relevant: ArrayLike) -> Floats:
    """Accuracy after each fetched page, shape (DP,), each in [0, 1]."""
    LP = harvest_curve(relevant)
    return LP / np.arange(1, len(LP) + 1)


def at(
    R: ArrayLike, relevant: ArrayLike, moments_of_crawl: Sequence[int], existing: int | None = None
) -> Mapping[int, Metrics]:
    """The metrics at given numbers of fetched pages, as the papers' tables print them (1000, 5000, 10 000, 15 000).

    Numbers beyond the end of the crawl are left out. Other arguments and errors are those of ``evaluate``.

    Raises:
        MetricsError: also for a number below 1.
    """
    R_DP, LP = _checked(R, relevant)
    if any(DP < 1 for DP in moments_of_crawl):
        raise MetricsError(f"numbers of fetched pages must be at least 1, not {list(moments_of_crawl)}")
    return {DP: evaluate(R_DP[:DP], LP[:DP], existing) for DP in moments_of_crawl if len(R_DP) >= DP}


def _checked(R: ArrayLike, relevant: ArrayLike) -> tuple[Floats, Bools]:
    R_DP, LP = np.asarray(R, dtype=np.float64), np.asarray(relevant, dtype=np.bool_)
    if R_DP.ndim != 1 or R_DP.shape != LP.shape:
        raise MetricsError(f"one R and one judgement for each page are needed, not shapes {R_DP.shape} and {LP.shape}")
    outside = R_DP[~((R_DP >= 0.0) & (R_DP <= 1.0 + 1e-9))]  # a cosine of equal vectors may round to above 1
    if len(outside):
        raise MetricsError(f"topic relevance lies in [0, 1], not at {float(outside[0])!r}")
    return R_DP, LP
