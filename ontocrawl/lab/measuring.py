"""Measures of a lab's crawls at equal numbers of requests and at equal DP, by the judge and by the labels.

The papers' measures (AR, SD, accuracy, RC) are those of `crawler.metrics`. A crawl that ended before a number has
there what it had at its end: an early end is a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from crawler import metrics
from ontocrawl.lab.trace import Trace

MEASURES: Mapping[str, str] = {
    "dp": "pages fetched (DP)",
    "relevant_by_label": "pages among them that are relevant by label",
    "relevant_by_judge": "pages among them that the judge finds relevant (LP)",
    "precision": "share of the pages that are relevant by label",
    "accuracy": "share of the pages that the judge finds relevant (LP / DP)",
    "recall": "share of the web's labelled pages that were fetched (RC)",
    "ar": "mean relevance of the pages by the judge (AR)",
    "sd": "standard deviation of it (SD)",
    "ar_lp": "mean relevance of the pages that the judge finds relevant",
    "sd_lp": "standard deviation of it",
    "area": "area under the harvest curve by label, as a share of that of a crawl of relevant pages only",
    "area_by_judge": "the same by the judge",
    "first_hit": "requests until the first page that is relevant by label",
    "cost": "requests for each page that is relevant by label",
    "tunnel_mean": "irrelevant pages in a row on the way to a relevant one, by label, mean",
    "tunnel_max": "the longest such way",
    "requests": "requests made",
    "choice_us": "median time of a choice in microseconds",
    "seconds": "seconds of the crawl",
}
"""Measure -> its description. In results.csv the name stands for equal requests; with ``_at_dp`` for equal DP."""
AT_DP = "_at_dp"
AT_PRINTED_DP = "_at_printed_dp"
"""Ending of measures at equal DP as each strategy's paper counts it (`printed_measures`)."""
TIMES = ("choice_us", "seconds")
"""Measures of the machine, which differ from run to run."""


def measures(trace: Trace, n: int, *, at_dp: bool = False) -> dict[str, float | None]:
    """Compute all measures of a crawl after a number of requests.

    Args:
        trace: the crawl.
        n: number of requests; at its end a crawl keeps what it has.
        at_dp: whether ``n`` is a number of fetched pages instead.

    Returns:
        Name of `MEASURES` -> value; None where there is none, as of labels that are not known.
    """
    dp = min(n, len(trace)) if at_dp else trace.pages_within(n)
    requests = min(n, int(trace.facts["requests"])) if not at_dp else int(trace.requests[dp - 1]) if dp else 0
    judged, R = trace.judged[:dp], trace.R[:dp]
    lp = int(judged.sum())
    ar, sd = metrics.mean_and_deviation(R.tolist())
    ar_lp, sd_lp = metrics.mean_and_deviation(R[judged].tolist())
    return {
        "dp": dp,
        "relevant_by_judge": lp,
        "accuracy": lp / dp if dp else None,
        "ar": ar,
        "sd": sd,
        "ar_lp": ar_lp,
        "sd_lp": sd_lp,
        "area_by_judge": area(judged, n),
        "requests": requests,
        **_by_label(trace, dp, requests, n),
        **{name: trace.facts[name] for name in TIMES},
    }


def printed_measures(trace: Trace, n: int) -> dict[str, float | None]:
    """Compute all measures of a crawl after a number of pages, counted as the strategy's paper does (trap T22).

    Paper 002 counts links when they are admitted, and all other papers count fetched pages.

    Args:
        trace: the crawl.
        n: number of pages (DP), at least 1.

    Returns:
        As `measures`; None everywhere for a strategy that counts admitted links, if R of their pages was predicted.
    """
    if trace.facts["counts"] == "fetched":
        return measures(trace, n, at_dp=True)
    if trace.printed is None:
        return dict.fromkeys(MEASURES)
    return measures(trace.printed, n, at_dp=True)


def _by_label(trace: Trace, dp: int, requests: int, n: int) -> dict[str, float | None]:
    names = ("relevant_by_label", "precision", "recall", "area", "first_hit", "cost", "tunnel_mean", "tunnel_max")
    if trace.labelled is None:
        return dict.fromkeys(names)
    labelled, targets = trace.labelled[:dp], trace.facts["targets"]
    found = int(labelled.sum())
    ways = tunnels(trace.parent[:dp], labelled)[labelled]
    return {
        "relevant_by_label": found,
        "precision": found / dp if dp else None,
        "recall": found / targets if targets else None,
        "area": area(labelled, n),
        "first_hit": int(trace.requests[int(np.argmax(labelled))]) if found else None,
        "cost": requests / found if found else None,
        "tunnel_mean": float(ways.mean()) if found else None,
        "tunnel_max": int(ways.max()) if found else None,
    }


def area(relevant: NDArray[np.bool_], n: int) -> float:
    """Compute the area under a harvest curve up to n pages, as a share of that of relevant pages only.

    Args:
        relevant: whether each page is relevant, shape (DP,) with DP <= n; beyond its end the curve is level.
        n: number of pages, at least 1.

    Returns:
        sum of the relevant pages after 1, 2 .. n pages / (n (n + 1) / 2), in [0, 1].

    >>> area(np.array([True, False, True]), 4)
    0.6
    """
    curve = metrics.harvest_curve(relevant)
    end = int(curve[-1]) if len(curve) else 0
    return (int(curve.sum()) + (n - len(curve)) * end) / (n * (n + 1) / 2)


def tunnels(parent: NDArray[np.int64], relevant: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Count the irrelevant pages in a row before each page, on the way of the links by which it was first seen.

    Args:
        parent: page of the first link to each page, shape (n,), always an earlier one; -1 for seeds.
        relevant: whether each page is relevant, shape (n,).

    Returns:
        Counts, shape (n,); 0 for a seed and for a page that a relevant page links to.

    >>> tunnels(np.array([-1, 0, 1, 2]), np.array([True, False, False, True])).tolist()
    [0, 0, 1, 2]
    """
    counts = np.zeros(len(parent), dtype=np.int64)
    for page, before in enumerate(parent.tolist()):
        if before >= 0 and not relevant[before]:
            counts[page] = counts[before] + 1
    return counts


def superposition(traces: Sequence[Trace], n: int) -> NDArray[np.float64]:
    """Compute the superposition ratio (paper 004) of the pages of each two crawls within n requests.

    Args:
        traces: k crawls of one web.
        n: number of requests.

    Returns:
        Ratios, shape (k, k), 1 on the diagonal; NaN where neither crawl fetched a page.
    """
    pages = [trace.pages[: trace.pages_within(n)].tolist() for trace in traces]
    ratios = np.eye(len(traces))
    for i, j in combinations(range(len(traces)), 2):
        ratio = metrics.superposition(pages[i], pages[j])
        ratios[i, j] = ratios[j, i] = np.nan if ratio is None else ratio
    return ratios
