"""Measures of a crawl: accuracy, AR, SD, RC, the harvest curve, and what two crawls have in common.

Source: paper 000, section 6.1; paper 002, Eqs. (8) to (12); paper 003, Eqs. (10) to (13); paper 004, section IV;
algorithms.md 1.6. DP is the number of fetched pages, LP that of the relevant ones among them, R their topic relevance.

All functions are pure. A quotient with the denominator 0 is None, never 0 or NaN. Two cautions on reading the measures:
LP = accuracy x DP, so a table that ranks by both counts one thing twice (trap T44); a lower SD is not better, as a
crawl of irrelevant pages only has SD = 0 (trap T45).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from crawler.model import Counts
from ontology.errors import OntocrawlError

MILESTONES = (100, 300, 1000, 5000, 10_000, 15_000)
"""Numbers of fetched pages at which crawls are compared; the papers print 1000, 5000, 10 000 and 15 000."""


class MetricsError(OntocrawlError, ValueError):
    """Error for values that describe no crawl; the message names the value."""


@dataclass(frozen=True, slots=True)
class FetchedPages:
    """The pages that a crawl fetched, in the order of fetching.

    Raises:
        MetricsError: sequences of different lengths, or an R outside [0, 1].
    """

    R: Sequence[float]
    """Topic relevance of each page by the judge, in [0, 1]."""
    relevant: Sequence[bool]
    """The judge's decision on each page."""
    addresses: Sequence[Sequence[str]]
    """URLs of each page: that of its link, and that to which it was redirected."""
    targets: Collection[str] | None = None
    """URLs of all pages that are relevant by label; None where labels are not known."""

    def __post_init__(self) -> None:
        lengths = len(self.R), len(self.relevant), len(self.addresses)
        if len(set(lengths)) > 1:
            raise MetricsError("crawler.each_page_needs_r", lengths=lengths)
        outside = [r for r in self.R if not 0.0 <= r <= 1.0 + 1e-9]  # a cosine of equal vectors may round to above 1
        if outside:
            raise MetricsError("crawler.topic_relevance_lies_not", outside=outside[0])

    @property
    def labelled(self) -> list[bool] | None:
        """Whether each page is relevant by label; None where labels are not known."""
        if self.targets is None:
            return None
        targets = frozenset(self.targets)
        return [not targets.isdisjoint(urls) for urls in self.addresses]

    def first(self, fetched: int) -> FetchedPages:
        """Return the crawl as it was after its first ``fetched`` pages."""
        return FetchedPages(self.R[:fetched], self.relevant[:fetched], self.addresses[:fetched], self.targets)


def agreeing_threshold(R: ArrayLike, labelled: ArrayLike) -> float:
    """Return the threshold of R by which the judge would agree best with the labels, as F1 measures it.

    Args:
        R: topic relevance of each page, in [0, 1], shape (n,), n > 0.
        labelled: whether each page is relevant by label, shape (n,), one of them at least.

    Returns:
        The middle between the smallest R of a page that it would call relevant and the next smaller one, or 0.

    >>> agreeing_threshold([0.9, 0.1, 0.3, 0.2], [True, False, True, False])
    0.25
    """
    R = np.asarray(R, dtype=np.float64)
    order = np.argsort(-R, kind="stable")
    falling, hits = np.append(R[order], 0.0), np.cumsum(np.asarray(labelled)[order])
    F1 = 2 * hits / (np.arange(1, len(order) + 1) + hits[-1])
    best = int(np.argmax(np.where(falling[:-1] > falling[1:], F1, 0.0)))  # equal R are on one side
    return float(falling[best] + falling[best + 1]) / 2


@dataclass(frozen=True, slots=True)
class Metrics:
    """The measures of a crawl, or of its first pages."""

    fetched: int
    """DP."""
    relevant: int
    """LP (paper 003: RP), by the judge."""
    relevant_by_label: int | None
    """None where labels are not known; so is ``rc``."""
    accuracy: float | None
    """LP / DP, in [0, 1] (papers 000 and 002; AC of paper 003)."""
    ar: float | None
    """AR_DP, mean R of the fetched pages (AR of paper 003)."""
    sd: float | None
    """SD_DP, standard deviation of R of the fetched pages (SD of paper 003)."""
    ar_lp: float | None
    """AR_LP, mean R of the relevant pages."""
    sd_lp: float | None
    """SD_LP, standard deviation of R of the relevant pages."""
    rc: float | None
    """Recall: the share of the labelled pages that were fetched."""


@dataclass(frozen=True, slots=True)
class CrawlMeasures:
    """The measures of a crawl by one strategy."""

    strategy: str
    milestones: Mapping[str, Metrics]
    """The measures after 100, 300 .. pages, as far as the crawl went, and at its "end"."""
    stop_reason: str | None
    seconds: float


def _evaluate(pages: FetchedPages) -> Metrics:
    """Compute all measures of a crawl.

    >>> pages = FetchedPages([0.8, 0.2], [True, False], [["http://a.cn/1"], ["http://a.cn/2"]], {"http://a.cn/1"})
    >>> measures = _evaluate(pages)
    >>> measures.relevant, measures.accuracy, measures.ar, measures.ar_lp, measures.rc
    (1, 0.5, 0.5, 0.8, 1.0)
    """
    labelled = pages.labelled
    relevant = sum(map(bool, pages.relevant))
    return Metrics(
        len(pages.R),
        relevant,
        None if labelled is None else sum(labelled),
        relevant / len(pages.R) if pages.R else None,
        *mean_and_deviation(pages.R),
        *mean_and_deviation([R for R, is_relevant in zip(pages.R, pages.relevant, strict=True) if is_relevant]),
        None if pages.targets is None else _recall(pages.targets, set(chain.from_iterable(pages.addresses))),
    )


def milestones(pages: FetchedPages, at: Sequence[int] = MILESTONES) -> dict[str, Metrics]:
    """Compute the measures after given numbers of fetched pages, as the papers' tables print them.

    Args:
        pages: the crawl.
        at: numbers of fetched pages.

    Returns:
        Number of fetched pages, a string for JSON -> measures; only numbers that the crawl reached, and "end" last.

    >>> pages = FetchedPages([1.0, 0.0, 0.0], [True, False, False], [["a"], ["b"], ["c"]])
    >>> {number: measures.accuracy for number, measures in milestones(pages, at=(1, 2, 100)).items()}
    {'1': 1.0, '2': 0.5, 'end': 0.3333333333333333}
    """
    reached = {str(fetched): _evaluate(pages.first(fetched)) for fetched in at if fetched <= len(pages.R)}
    return {**reached, "end": _evaluate(pages)}


def mean_and_deviation(R: Sequence[float]) -> tuple[float | None, float | None]:
    """Compute AR and SD, Eqs. (9) to (12) of paper 002: mean and population standard deviation; None for no pages.

    >>> mean_and_deviation([0.25, 0.75])
    (0.5, 0.25)
    >>> mean_and_deviation([])
    (None, None)
    """
    return (float(np.mean(R)), float(np.std(R))) if R else (None, None)


def _recall(targets: Collection[Hashable], fetched: Collection[Hashable]) -> float | None:
    """Compute RC = |P1 and P2| / |P1|, Eq. (11) of paper 003: the share of the target pages that were fetched.

    Args:
        targets: P1, URLs of the pages that a crawl should find.
        fetched: P2, URLs of the pages that it fetched.

    Returns:
        RC in [0, 1]; None without targets.

    >>> _recall(["a", "b", "c", "d"], ["d", "x"])
    0.25
    """
    P1 = set(targets)
    return len(P1 & set(fetched)) / len(P1) if P1 else None


def superposition(one: Collection[Hashable], other: Collection[Hashable]) -> float | None:
    """Compute the superposition ratio of paper 004, |A and B| / |A or B|, read as Jaccard's index (trap T35).

    Args:
        one: A, URLs of the pages that one crawl fetched.
        other: B, those of another crawl.

    Returns:
        The ratio in [0, 1]; None where neither fetched a page.

    >>> superposition(["a", "b", "c"], ["b", "c", "d"])
    0.5
    """
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else None


def harvest_curve(relevant: ArrayLike) -> Counts:
    """Count the relevant pages after each fetched page.

    Args:
        relevant: whether each page is relevant, by the judge or by its label, shape (DP,).

    Returns:
        Running counts, shape (DP,), non-decreasing.

    >>> harvest_curve([True, False, True]).tolist()
    [1, 1, 2]
    """
    return np.cumsum(np.asarray(relevant, dtype=np.bool_), dtype=np.int64)
