"""What is kept of a finished crawl of a lab: its measures where crawls are compared, points of its curves, and pages.

A trace has a row for each page; all that a report shows of it is computed once, when the crawl has ended. A file of
finished cells has one line for each, so that a lab that takes days grows over several sittings and machines.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crawler import metrics
from ontocrawl.errors import UsageError
from ontocrawl.lab.trace import Trace
from ontology import files

_WITHOUT_LINKS = ("frontier_empty", "strategy_finished")
"""Stop reasons of a crawl that ended because it chose no link any more."""
POINTS = 60
"""Numbers of pages, and of requests, at which a summary has points of the curves."""
SAMPLE = 300
"""About as many pages of each crawl are kept in a file of finished cells."""


class Count(NamedTuple):
    """Pages that count as relevant in place of those that the crawl's judge accepts: those whose R reaches a value."""

    threshold: float
    """In [0, 1]."""
    strict: bool
    """Whether R must be greater than it."""


OWN = None
"""The pages that the judge of the crawl accepts, in the place of a count."""
Values = Mapping[tuple[str, int], float | None]
"""(measure, number of requests or of pages) -> value; None where there is none."""


@dataclass(frozen=True, eq=False)
class Summary:
    """A finished crawl.

    Attributes:
        facts: those of its trace.
        pages: number of fetched pages (DP).
        values: its measures at the milestones of its world, by what counts as relevant; `OWN` has all measures, others
            those that differ.
        curves: measure of `CURVES` -> its value at the pages `places(last milestone)`; of `HARVESTS` -> the number of
            relevant pages at the same numbers of requests.
        hashes: upper 32 bits of the hash of each page that is kept, shape (m,).
        requests: requests that had been made when it was read, shape (m,).
        share: share of the pages that are kept, those with the least hashes, in (0, 1].
    """

    facts: Mapping[str, Any]
    pages: int
    values: Mapping[Count | None, Values]
    curves: Mapping[str, NDArray[np.float64]]
    hashes: NDArray[np.uint64]
    requests: NDArray[np.int64]
    share: float = 1.0

    @property
    def without_links(self) -> bool:
        """Whether the crawl ended because it chose no link any more."""
        return self.facts.get("stop") in _WITHOUT_LINKS


def summary(trace: Trace, milestones: Sequence[int], counts: Collection[Count] = ()) -> Summary:
    """Summarise a crawl.

    Args:
        trace: the crawl.
        milestones: numbers of requests and of pages at which it is compared, ascending.
        counts: what else counts as relevant, beside its own judge.
    """
    values: dict[Count | None, Values] = {OWN: _values(trace, milestones)}
    for count in counts:
        printed = None if trace.printed is None else _judged_again(trace.printed, count)
        again = _values(replace(_judged_again(trace, count), printed=printed), milestones)
        values[count] = {name: value for name, value in again.items() if value is not None}
    return Summary(
        trace.facts, len(trace), values, _curves(trace, milestones[-1]),
        trace.pages >> np.uint64(32), trace.requests,
    )  # fmt: skip


def _values(trace: Trace, milestones: Sequence[int]) -> Values:
    values: dict[tuple[str, int], float | None] = {}
    for at in milestones:
        values |= {(name, at): value for name, value in _measures(trace, at).items()}
        at_dp = _measures(trace, at, at_dp=True)
        at_printed_dp = at_dp if trace.facts["counts"] == "fetched" else _printed_measures(trace, at)
        for ending, found in ((AT_DP, at_dp), (AT_PRINTED_DP, at_printed_dp)):
            values |= {(name + ending, at): value for name, value in found.items() if name not in _TIMES}
    return values


def _judged_again(trace: Trace, count: Count) -> Trace:
    """Return a trace with other decisions, without labels. The crawl stays as it is: only mixtures read decisions."""
    judged = (np.greater if count.strict else np.greater_equal)(trace.R, count.threshold)
    return replace(trace, judged=judged, labelled=None)


# ---- curves


def _mean_so_far(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.cumsum(values) / np.arange(1, len(values) + 1)


def _deviation_so_far(trace: Trace) -> NDArray[np.float64]:
    variance = _mean_so_far(trace.R**2) - _mean_so_far(trace.R) ** 2
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _recall(trace: Trace) -> NDArray[np.float64] | None:
    targets = trace.facts["targets"]
    return np.cumsum(trace.labelled) / targets if trace.labelled is not None and targets else None


CURVES: Mapping[str, Callable[[Trace], NDArray[np.float64] | None]] = {
    "lp": lambda trace: np.cumsum(trace.judged).astype(np.float64),
    "accuracy": lambda trace: _mean_so_far(trace.judged.astype(np.float64)),
    "ar": lambda trace: _mean_so_far(trace.R),
    "sd": _deviation_so_far,
    "rc": _recall,
}
"""Measure -> its value after each page, shape (DP,); None where there is none."""
HARVESTS: Mapping[str, Callable[[Trace], NDArray[np.bool_] | None]] = {
    "relevant_by_label": lambda trace: trace.labelled,
    "relevant_by_judge": lambda trace: trace.judged,
}
"""Measure -> whether each page counts, shape (DP,)."""


def places(last: int) -> NDArray[np.int64]:
    """Return the numbers of pages, or of requests, at which curves have points: ascending, ``last`` and its fifths too.

    >>> places(5).tolist()
    [1, 2, 3, 4, 5]
    """
    at = {max(1, round(last * i / POINTS)) for i in range(1, POINTS + 1)} | {last * i // 5 for i in range(1, 6)}
    return np.array(sorted(at - {0}), dtype=np.int64)


def _curves(trace: Trace, last: int) -> dict[str, NDArray[np.float64]]:
    at, found = places(last), dict[str, NDArray[np.float64]]()
    for name, of in CURVES.items():
        curve = of(trace)
        if curve is not None and len(curve):
            found[name] = np.asarray(curve[np.minimum(at, len(curve)) - 1], dtype=np.float64)
    for name, relevant in HARVESTS.items():
        if (counted := relevant(trace)) is not None:
            found[name] = _harvest(trace, counted)[np.searchsorted(trace.requests, at, side="right")]
    return found


def _harvest(trace: Trace, relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the number of relevant pages among the first 0, 1 .. DP, shape (DP + 1,)."""
    return np.concatenate([[0.0], np.cumsum(relevant)])


# ---- the pages of two crawls


def superposition(crawls: Sequence[Summary], n: int) -> NDArray[np.float64]:
    """Compute the superposition ratio (paper 004) of the pages of each two crawls within n requests.

    Where a sample of the pages is kept, the ratio is that of the pages with hashes in both samples: an estimate.

    Args:
        crawls: k crawls of one web.
        n: number of requests.

    Returns:
        Ratios, shape (k, k), 1 on the diagonal; NaN where neither crawl fetched a page.
    """
    bound = np.uint64(int(min((one.share for one in crawls), default=1.0) * 2**32))
    pages = [one.hashes[(one.requests <= n) & (one.hashes <= bound)].tolist() for one in crawls]
    ratios = np.eye(len(crawls))
    for i, j in combinations(range(len(crawls)), 2):
        ratio = metrics.superposition(pages[i], pages[j])
        ratios[i, j] = ratios[j, i] = np.nan if ratio is None else ratio
    return ratios


# ---- a file of finished cells: a line of JSON for each, compressed by xz


@dataclass(frozen=True, eq=False)
class Finished:
    """A line of the file.

    Attributes:
        key: digest of what was crawled: configuration, web, seeds, labels and milestones, without the program.
        cell: names of its world, strategy and seed, for readers.
        program: digest of the program that crawled it.
        summary: what was found.
    """

    key: str
    cell: Mapping[str, Any]
    program: str
    summary: Summary


def read(path: Path) -> dict[str, Finished]:
    """Read a file of finished cells, by their keys; nothing where there is no file.

    Raises:
        UsageError: it is no such file.
    """
    if not path.exists():
        return {}
    try:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            rows = [_finished(json.loads(line)) for line in lines]
    except (lzma.LZMAError, EOFError, ValueError, KeyError, TypeError) as error:
        raise UsageError("lab.no_file_finished_cells", path=path, error=error) from error
    return {row.key: row for row in rows}


def write(path: Path, rows: Iterable[Finished]) -> None:
    """Write a file of finished cells in the order of their names; a file is either whole or absent."""
    ordered = sorted(rows, key=lambda row: (*(str(row.cell[name]) for name in ("world", "strategy")), row.key))
    lines = (json.dumps(_line(row), ensure_ascii=False, separators=(",", ":")) + "\n" for row in ordered)
    path.parent.mkdir(parents=True, exist_ok=True)
    files.write_atomically(path, lzma.compress("".join(lines).encode(), preset=9))


def _line(row: Finished) -> dict[str, Any]:
    one = row.summary
    share = min(one.share, SAMPLE / max(one.pages, 1))
    kept = one.hashes <= np.uint64(int(share * 2**32))
    values = [[count, _by_measure(of)] for count, of in one.values.items()]
    at = list(dict.fromkeys(str(at) for _, at in one.values[OWN]))
    curves = {name: [_short(value) for value in curve.tolist()] for name, curve in one.curves.items()}
    return {
        "key": row.key, "cell": dict(row.cell), "program": row.program, "facts": dict(one.facts), "pages": one.pages,
        "at": at, "values": values, "curves": curves, "share": share,
        "hashes": one.hashes[kept].tolist(), "requests": one.requests[kept].tolist(),
    }  # fmt: skip


def _by_measure(values: Values) -> dict[str, dict[str, float | None]]:
    found = dict[str, dict[str, float | None]]()
    for (name, at), value in values.items():
        found.setdefault(name, {})[str(at)] = value if value is None else _short(value)
    return found


def _short(value: float) -> float:
    """Return a number with seven digits."""
    return value if isinstance(value, int) else float(f"{value:.7g}")


def _finished(line: Mapping[str, Any]) -> Finished:
    values = {
        count and Count(*count): {(name, int(at)): of[at] for at in line["at"] for name, of in by.items() if at in of}
        for count, by in line["values"]
    }
    found = Summary(
        line["facts"], line["pages"], values,
        {name: np.array(curve, dtype=np.float64) for name, curve in line["curves"].items()},
        np.array(line["hashes"], dtype=np.uint64), np.array(line["requests"], dtype=np.int64), line["share"],
    )  # fmt: skip
    return Finished(line["key"], line["cell"], line["program"], found)


# ---- measures of a lab's crawls at equal numbers of requests and at equal DP, by the judge and by the labels
#
# The papers' measures (AR, SD, accuracy, RC) are those of `crawler.metrics`. A crawl that ended before a number has
# there what it had at its end: an early end is a value.


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
"""Ending of measures at equal DP as each strategy's paper counts it (`_printed_measures`)."""
_TIMES = ("choice_us", "seconds")
"""Measures of the machine, which differ from run to run."""


def _measures(trace: Trace, n: int, *, at_dp: bool = False) -> dict[str, float | None]:
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
        "area_by_judge": _area(judged, n),
        "requests": requests,
        **_by_label(trace, dp, requests, n),
        **{name: trace.facts[name] for name in _TIMES},
    }


def _printed_measures(trace: Trace, n: int) -> dict[str, float | None]:
    """Compute all measures of a crawl after a number of pages, counted as the strategy's paper does (trap T22).

    Paper 002 counts links when they are admitted, and all other papers count fetched pages.

    Args:
        trace: the crawl.
        n: number of pages (DP), at least 1.

    Returns:
        As `_measures`; None everywhere for a strategy that counts admitted links, if R of their pages was predicted.
    """
    if trace.facts["counts"] == "fetched":
        return _measures(trace, n, at_dp=True)
    if trace.printed is None:
        return dict.fromkeys(MEASURES)
    return _measures(trace.printed, n, at_dp=True)


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
        "area": _area(labelled, n),
        "first_hit": int(trace.requests[int(np.argmax(labelled))]) if found else None,
        "cost": requests / found if found else None,
        "tunnel_mean": float(ways.mean()) if found else None,
        "tunnel_max": int(ways.max()) if found else None,
    }


def _area(relevant: NDArray[np.bool_], n: int) -> float:
    """Compute the area under a harvest curve up to n pages, as a share of that of relevant pages only.

    Args:
        relevant: whether each page is relevant, shape (DP,) with DP <= n; beyond its end the curve is level.
        n: number of pages, at least 1.

    Returns:
        sum of the relevant pages after 1, 2 .. n pages / (n (n + 1) / 2), in [0, 1].

    >>> _area(np.array([True, False, True]), 4)
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
