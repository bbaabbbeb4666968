"""The plots of a world in a lab's report: harvest curves with intervals over the seeds, by the labels and the judge."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from ontocrawl.lab import statistics
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Picture
from ontocrawl.lab.references import is_reference
from ontocrawl.lab.results import Comparison, baseline_of, label_of, order
from ontocrawl.lab.running import Outcome
from ontocrawl.lab.summaries import Summary, places
from ontocrawl.report.charts import Band, Curve, harvest_chart

CURVES = 6
"""Harvest curves in a chart: the best systems, the baseline, and the last one."""
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
    crawls: dict[str, list[Summary]] = {}
    for one in outcomes:
        if one.found is not None and one.cell.world == last.world and not is_reference(one.cell.strategy):
            crawls.setdefault(label_of(lab, one.cell), []).append(one.found)
    shown = _shown(lab, last)
    for by, (metric, name) in BY.items():
        if by == "label" and last.metric != metric:
            continue
        curves = [_curve(system, crawls[system], lab.fetches_of(last.world), metric) for system in shown]
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


def _curve(name: str, crawls: Sequence[Summary], n: int, metric: str) -> Curve:
    """Return the mean harvest curve of some crawls up to n requests, with its interval where there are several.

    Args:
        name: name of the system.
        crawls: its crawls, at least one.
        n: number of requests; between the points of the summaries the curve is straight.
        metric: measure of `summaries.HARVESTS`.
    """
    at = places(n)
    harvest = np.array([one.curves[metric] for one in crawls])
    mean = np.round(np.interp(np.arange(1, n + 1), at, harvest.mean(axis=0))).astype(int).tolist()
    if len(crawls) < 2:
        return Curve(name, mean)
    low, high = statistics.mean_band(harvest)
    return Curve(name, mean, Band(at.tolist(), low.tolist(), high.tolist()))
