"""The report of a lab: what each system found, with intervals and tests, by the labels and by the judge."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import numpy as np

from ontocrawl.lab import own_comparison, paper_report, statistics
from ontocrawl.lab.critical_difference import diagram
from ontocrawl.lab.definition import Lab, LabWorld, Value, describe
from ontocrawl.lab.document import Grid, Paragraph, Picture, Section
from ontocrawl.lab.measuring import AT_DP, MEASURES
from ontocrawl.lab.references import title_of
from ontocrawl.lab.results import Comparison, Measured, compare, label_of
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.trace import Trace
from ontocrawl.report.charts import Curve, harvest_chart

ALPHA = 0.05
CURVES = 6
"""Harvest curves in a chart: the best systems, the baseline, and the worst."""
OTHERS = ("precision", "accuracy", "recall", "area", "first_hit", "cost", "tunnel_mean", "ar", "sd", "choice_us")


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the sections of a lab's report."""
    of_papers = paper_report.sections(lab, outcomes, cells)
    found = [*of_papers[:1], _about(lab), *of_papers[1:], *own_comparison.sections(lab, outcomes, cells)]
    for world in lab.worlds:
        found.append(_world(lab, outcomes, cells, world.name))
    if len(lab.worlds) > 1 and lab.uniform:
        found.append(_all_worlds(lab, cells))
    failed = [one for one in outcomes if one.trace is None]
    if failed:
        found.append(_failed(lab, failed))
    return [*found, _measures()]


def _about(lab: Lab) -> Section:
    versions = ", ".join(f"{name} {version(name)}" for name in ("ontocrawl", "numpy", "scipy"))
    rows = [
        ("requests of each crawl", f"{lab.fetches:,}"),
        ("seeds", f"0 to {lab.seeds - 1}"),
        *_axes(lab.axes),
        *(row for world in lab.worlds for row in _about_world(lab, world)),
        ("versions", f"Python {platform.python_version()}, {versions}"),
    ]
    return Section("about", "What was compared", "比较的内容", (
        *([Paragraph(lab.about)] if lab.about else []),
        Paragraph(
            "All crawls are compared at equal numbers of requests for pages: redirects, failures and pages that were "
            "only looked at ahead are requests, robots.txt is not. A crawl that ended earlier keeps its last value. "
            "Strategies never see the labels. An interval is one of 95 % by bootstrap over the seeds."
        ),
        Grid(("setting", "value"), tuple(rows)),
    ))  # fmt: skip


def _axes(axes: Mapping[str, Sequence[Value]], of: str = "") -> list[tuple[str, str]]:
    return [(f"axis {name}{of}", ", ".join(map(str, values))) for name, values in axes.items()]


def _about_world(lab: Lab, world: LabWorld) -> list[tuple[str, str]]:
    told = [_shown(world.world), f"topic {_shown(world.topic)}"]
    if world.settings:
        told.append(describe(world.settings))
    if world.fetches is not None:
        told.append(f"{world.fetches:,} requests")
    if world.requests_per_page > 1:
        told.append(f"at most {lab.fetches_of(world.name):,} pages with {lab.requests_of(world.name):,} requests")
    return [(f"world {world.name}", ", ".join(told)), *_axes(world.axes, f" of {world.name}")]


def _shown(spec: str) -> str:
    """Return the description of a world or topic without the folders of this machine."""
    kind, colon, place = spec.rpartition(":")
    return f"{kind}{colon}{Path(place).name}" if Path(place).is_absolute() else spec


def _metric(lab: Lab, world: str) -> str:
    return "relevant_by_label" if world in labelled(lab) else "relevant_by_judge"


def _world(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured], world: str) -> Section:
    metric = _metric(lab, world)
    last = compare(lab, cells, metric, lab.fetches_of(world), world)
    if not last.systems:
        return Section(f"world-{world}", world, "", (Paragraph("No system has a value for each seed."),))
    return Section(f"world-{world}", world, "", (
        _found(lab, cells, world, metric),
        *_tests(lab, last),
        *_chart(lab, outcomes, last),
        _others(lab, cells, last),
        *([_at_dp(lab, cells, last)] if _looks_ahead(lab, world) else []),
    ))  # fmt: skip


def _looks_ahead(lab: Lab, world: str) -> bool:
    """Return whether crawls of a world differ in their requests for a page."""
    return "target" in lab.axes_of(world) or lab.world(world).settings.get("target", "predict") != "predict"


def order(last: Comparison) -> list[int]:
    """Return the systems of a comparison, the one with the largest mean first."""
    means = last.values.mean(axis=0)
    return sorted(range(len(last.systems)), key=lambda i: (-means[i], last.systems[i]))


def _found(lab: Lab, cells: Sequence[Measured], world: str, metric: str) -> Grid:
    at = [compare(lab, cells, metric, n, world) for n in lab.milestones_of(world)]
    last = at[-1]
    baseline = _baseline(lab, last)
    compared = _against(last, baseline)
    ranks = statistics.block_ranks(last.values).mean(axis=0) if len(last.systems) > 1 else np.ones(1)
    rows = []
    for i in order(last):
        values = last.values[:, i]
        rows.append((
            last.systems[i], *(_of(one, last.systems[i]) for one in at), _interval(values), f"{ranks[i]:.1f}",
            *(compared.get(i, ("", "")) if baseline is not None else ()),
        ))  # fmt: skip
    for name in last.references:
        best = [f"{one.references[name].mean():,.1f}" if name in one.references else "" for one in at]
        rows.append((title_of(name), *best, "", "", *(("", "") if baseline is not None else ())))
    against = () if baseline is None else (f"difference from {last.systems[baseline]}", "p (Wilcoxon, Holm)")
    columns = ("system", *(f"{n:,}" for n in lab.milestones_of(world)), "interval at the last", "mean rank", *against)
    return Grid(columns, tuple(rows), f"{MEASURES[metric]}, after so many requests: means of {lab.seeds} seeds.")


def _baseline(lab: Lab, last: Comparison) -> int | None:
    """Return the index of the baseline: the first system whose strategy it is, else the first with that name."""
    cells = [cell for cell in lab.cells() if not last.world or cell.world == last.world]
    written = {label_of(lab, cell): cell.strategy for cell in cells}
    for names in (written, {label: strategy.partition("?")[0] for label, strategy in written.items()}):
        for i, label in enumerate(last.systems):
            if names[label] == lab.baseline:
                return i
    return None


def _against(last: Comparison, baseline: int | None) -> dict[int, tuple[str, str]]:
    """Return the difference of each system from the baseline with its interval, and its p-value adjusted by Holm."""
    if baseline is None or len(last.blocks) < 2:
        return {}
    others = [i for i in range(len(last.systems)) if i != baseline]
    apart = [last.values[:, i] - last.values[:, baseline] for i in others]
    p = statistics.holm([statistics.signed_rank(d) for d in apart])
    return {
        i: (f"{d.mean():+,.1f} [{_bounds(d)}]", f"{p_of:.3g}")
        for i, d, p_of in zip(others, apart, p, strict=True)
    }  # fmt: skip


def _of(one: Comparison, system: str) -> str:
    return f"{one.values[:, one.systems.index(system)].mean():,.1f}" if system in one.systems else "–"


def _bounds(values: np.typing.NDArray[np.float64]) -> str:
    low, high = statistics.mean_interval(values)
    return f"{low:,.1f}, {high:,.1f}"


def _interval(values: np.typing.NDArray[np.float64]) -> str:
    return _bounds(values) if len(values) > 1 else ""


def _tests(lab: Lab, last: Comparison) -> Iterator[Paragraph | Picture]:
    """Yield Friedman's test, the critical-difference diagram, and the spread of systems and seeds."""
    k, n = len(last.systems), len(last.blocks)
    if k < 3 or n < 2:
        return
    test = statistics.friedman(last.values)
    of_systems, of_seeds = spread(last)
    yield Paragraph(
        f"Friedman's test over {n} webs: chi-squared {test.chi2:.1f}, p = {test.p:.2g}; Iman and Davenport's F "
        f"{test.F:.1f}, p = {test.F_p:.2g}. Standard deviation of the means of the systems {of_systems:,.1f}, of one "
        f"system over the seeds {of_seeds:,.1f} (mean)."
    )
    if last.left_out:
        yield Paragraph(f"Not in the tests, for want of a value in some web: {', '.join(last.left_out)}.")
    difference = statistics.critical_difference(k, n, ALPHA)
    yield Picture(
        diagram(last.systems, test.ranks.tolist(), difference, id_=f"cd-{last.world or 'all'}"),
        "Mean ranks; a bar joins systems that Nemenyi's test does not tell apart (5 %).",
    )


def spread(last: Comparison) -> tuple[float, float]:
    """Return the standard deviation of the means of the systems, and the mean of those of each system over blocks."""
    between = float(last.values.mean(axis=0).std(ddof=1)) if len(last.systems) > 1 else 0.0
    within = float(last.values.std(axis=0, ddof=1).mean()) if len(last.blocks) > 1 else 0.0
    return between, within


def _chart(lab: Lab, outcomes: Sequence[Outcome], last: Comparison) -> Iterator[Picture]:
    by_label = last.metric == "relevant_by_label"
    shown = order(last)
    baseline = _baseline(lab, last)
    chosen = shown if len(shown) <= CURVES else [*shown[: CURVES - 2], shown[-1]]
    if baseline is not None and baseline not in chosen:
        chosen = [*chosen[:-1], baseline, chosen[-1]]
    traces: dict[str, list[Trace]] = {}
    for one in outcomes:
        if one.trace is not None and one.cell.world == last.world:
            traces.setdefault(label_of(lab, one.cell) if one.cell.guide else "", []).append(one.trace)
    curves = [
        Curve(last.systems[i], mean_curve(traces[last.systems[i]], last.at, by_label=by_label))
        for i in sorted(chosen[:CURVES], key=shown.index)
    ]
    if curves:
        name = "relevant by label 相关页面" if by_label else "relevant by the judge 相关页面"
        svg = harvest_chart(curves, id_=f"harvest-{last.world}", title=f"Harvest on {last.world}", y_name=name)
        yield Picture(svg, "Mean harvest by requests: the best systems, the baseline, the last one.")


def mean_curve(traces: Sequence[Trace], n: int, *, by_label: bool) -> list[int]:
    """Return the mean number of relevant pages after 1, 2 .. n requests, rounded.

    Args:
        traces: crawls, at least one.
        n: number of requests.
        by_label: whether pages count by label, else by the judge.
    """
    total = np.zeros(n)
    for trace in traces:
        relevant = trace.labelled if by_label else trace.judged
        if relevant is not None and len(trace):
            curve = np.concatenate([[0], np.cumsum(relevant)])
            total += curve[np.searchsorted(trace.requests, np.arange(1, n + 1), side="right")]
    return [int(x) for x in np.round(total / len(traces))]


def _others(lab: Lab, cells: Sequence[Measured], last: Comparison) -> Grid:
    names = [name for name in OTHERS if _has_value(cells, name, last.at, last.world)]
    rows = []
    for i in order(last):
        system = last.systems[i]
        rows.append((system, *(_mean(lab, cells, name, last.at, last.world, system) for name in names)))
    return Grid(
        ("system", *(name.replace("_", " ") for name in names)), tuple(rows),
        f"Other measures after {last.at:,} requests, means of the seeds that have a value.",
    )  # fmt: skip


def _at_dp(lab: Lab, cells: Sequence[Measured], last: Comparison) -> Grid:
    rows = []
    for i in order(last):
        system = last.systems[i]
        found = [_mean(lab, cells, last.metric + AT_DP, n, last.world, system) for n in lab.milestones_of(last.world)]
        cost = _mean(lab, cells, "requests" + AT_DP, last.at, last.world, system)
        rows.append((system, *found, cost))
    columns = ("system", *(f"DP {n:,}" for n in lab.milestones_of(last.world)), "requests at the last")
    return Grid(columns, tuple(rows), f"{MEASURES[last.metric]}, at equal DP, the papers' count.")


def _values(lab: Lab, cells: Sequence[Measured], name: str, at: int, world: str, system: str) -> list[float]:
    there = (one for one in cells if one.cell.world == world and one.cell.guide)
    found = (one.values.get((name, at)) for one in there if label_of(lab, one.cell) == system)
    return [value for value in found if value is not None]


def _mean(lab: Lab, cells: Sequence[Measured], name: str, at: int, world: str, system: str) -> str:
    values = _values(lab, cells, name, at, world, system)
    if not values:
        return "–"
    mean = float(np.mean(values))
    return f"{mean:,.3f}" if abs(mean) < 10 else f"{mean:,.1f}"


def _has_value(cells: Sequence[Measured], name: str, at: int, world: str) -> bool:
    return any(one.values.get((name, at)) is not None for one in cells if one.cell.world == world)


def _all_worlds(lab: Lab, cells: Sequence[Measured]) -> Section:
    metric = "relevant_by_label" if len(labelled(lab)) == len(lab.worlds) else "relevant_by_judge"
    last = compare(lab, cells, metric, lab.fetches)
    parts: list[Paragraph | Grid | Picture] = [*_tests(lab, last)]
    return Section("all", "All worlds", "全部网站", tuple(parts or [Paragraph("Too few systems to be tested.")]))


def _failed(lab: Lab, failed: Sequence[Outcome]) -> Section:
    grouped: dict[tuple[str, str, str], list[int]] = {}
    for one in failed:
        cell = one.cell
        name = label_of(lab, cell) if cell.guide else cell.strategy
        settings = describe(dict(cell.settings))
        grouped.setdefault((cell.world, f"{name} {settings}".strip(), one.error), []).append(cell.seed)
    rows = tuple((world, name, ", ".join(map(str, seeds)), why) for (world, name, why), seeds in grouped.items())
    return Section(
        "failed", "Cells that failed", "失败", (Grid(("world", "system", "seeds", "why"), rows),)
    )  # fmt: skip


def _measures() -> Section:
    return Section("measures", "Measures", "指标", (Grid(("measure", "is"), tuple(MEASURES.items())),))
