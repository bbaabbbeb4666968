"""The plots of a world in a lab's report: harvest curves with intervals over the seeds, by the labels and the judge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab import statistics
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Picture
from ontocrawl.lab.references import is_reference
from ontocrawl.lab.results import Comparison, baseline_of, label_of, order
from ontocrawl.lab.running import Outcome
from ontocrawl.lab.trace import Trace
from ontocrawl.report.charts import Band, Curve, harvest_chart

CURVES = 6
"""Harvest curves in a chart: the best systems, the baseline, and the last one."""
PLACES = 60
"""Numbers of requests at which the interval of a curve is computed."""
BY = {
    "label": ("relevant_by_label", "relevant by label 按标注相关"),
    "judge": ("relevant_by_judge", "relevant by the judge 按评判相关"),
}


def harvests(lab: Lab, outcomes: Sequence[Outcome], last: Comparison) -> Iterator[Picture]:
    """Yield the harvest charts of a world, by label where labels are known, and by the judge.

    Args:
        lab: the lab.
        outcomes: the outcomes of its cells.
        last: the comparison at the end of the crawls, by which the systems are ordered.
    """
    traces: dict[str, list[Trace]] = {}
    for one in outcomes:
        if one.trace is not None and one.cell.world == last.world and not is_reference(one.cell.strategy):
            traces.setdefault(label_of(lab, one.cell), []).append(one.trace)
    shown = _shown(lab, last)
    for by, (metric, name) in BY.items():
        if by == "label" and last.metric != metric:
            continue
        curves = [
            _curve(system, traces[system], lab.fetches_of(last.world), by_label=by == "label") for system in shown
        ]
        id_ = f"harvest-{slug(last.world)}-{by}"
        title = f"Harvest on {last.world}, {name}"
        svg = harvest_chart(curves, id_=id_, title=title, y_name=name, x_name="requests 请求数")
        told = f"{title}: means and 95 % intervals over the seeds; the best systems, the baseline, and the last one."
        yield Picture(svg, told, id_)


def slug(name: str) -> str:
    """Return a name as a part of an id and of a file's name.

    >>> slug("my web/1")
    'my-web-1'
    """
    return re.sub(r"[^\w.-]+", "-", name)


def _shown(lab: Lab, last: Comparison) -> list[str]:
    """Return the systems of a chart, the best one first."""
    ranked, baseline = order(last), baseline_of(lab, last)
    chosen = ranked if len(ranked) <= CURVES else [*ranked[: CURVES - 1], ranked[-1]]
    if baseline is not None and baseline not in chosen:
        chosen = [*chosen[: CURVES - 2], baseline, chosen[-1]]
    return [last.systems[i] for i in chosen]


def _curve(name: str, traces: Sequence[Trace], n: int, *, by_label: bool) -> Curve:
    """Return the mean harvest curve of some crawls up to n requests, with its interval where there are several.

    Args:
        name: name of the system.
        traces: its crawls, at least one.
        n: number of requests.
        by_label: whether pages count by label, else by the judge.
    """
    harvest = np.array([counts(trace, n, by_label=by_label) for trace in traces])
    mean = [int(x) for x in np.round(harvest.mean(axis=0))]
    if len(traces) < 2:
        return Curve(name, mean)
    at = np.unique(np.linspace(1, n, min(n, PLACES)).astype(np.int64))
    low, high = statistics.mean_band(harvest[:, at - 1])
    return Curve(name, mean, Band(at.tolist(), low.tolist(), high.tolist()))


def counts(trace: Trace, n: int, *, by_label: bool) -> NDArray[np.int64]:
    """Return the number of relevant pages after 1, 2 .. n requests, shape (n,); level after the end of the crawl."""
    relevant = trace.labelled if by_label else trace.judged
    found = np.concatenate([[0], np.cumsum(relevant if relevant is not None else np.zeros(len(trace)))])
    return np.asarray(found[np.searchsorted(trace.requests, np.arange(1, n + 1), side="right")], dtype=np.int64)
