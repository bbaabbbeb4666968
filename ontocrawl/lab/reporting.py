"""The report of a lab: what each system found, with intervals and tests, by the labels and by the judge."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from ontocrawl.lab import ontology_comparison, own_comparison, paper_report, statistics, world_tables
from ontocrawl.lab.critical_difference import diagram
from ontocrawl.lab.definition import Lab, LabWorld, Value, describe
from ontocrawl.lab.document import Grid, Paragraph, Picture, Section
from ontocrawl.lab.measuring import MEASURES
from ontocrawl.lab.plots import harvests, slug
from ontocrawl.lab.results import (
    Comparison,
    Measured,
    baseline_of,
    compare,
    label_of,
    main_metric,
    order,
    spread,
    unreached,
)
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.world_tables import Means

ALPHA = 0.05


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the sections of a lab's report."""
    of_papers = paper_report.sections(lab, outcomes, cells)
    found = [*of_papers[:1], _about(lab), *of_papers[1:]]
    found += [*own_comparison.sections(lab, outcomes, cells), *ontology_comparison.sections(lab, outcomes, cells)]
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


def _world(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured], world: str) -> Section:
    metric = main_metric(lab, world)
    last = compare(lab, cells, metric, lab.fetches_of(world), world)
    if not last.systems:
        return Section(f"world-{slug(world)}", world, "", (Paragraph("No system has a value for each seed."),))
    means = Means.of(lab, cells, last)
    return Section(f"world-{slug(world)}", world, "", (
        *(Paragraph(f"{line}.") for line in unreached(outcomes, world)),
        world_tables.found(lab, cells, world, metric),
        *_tests(last),
        *_behind(lab, last),
        *harvests(lab, outcomes, last),
        *world_tables.both_bases(lab, means),
        world_tables.others(lab, means),
        world_tables.superposition(lab, outcomes, last),
    ))  # fmt: skip


def _tests(last: Comparison) -> Iterator[Paragraph | Picture]:
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
    id_ = f"cd-{slug(last.world) or 'all'}"
    yield Picture(
        diagram(last.systems, test.ranks.tolist(), difference, id_=id_),
        "Mean ranks; a bar joins systems that Nemenyi's test does not tell apart (5 %).",
        id_,
    )


def _behind(lab: Lab, last: Comparison) -> Iterator[Paragraph]:
    """Yield how far the baseline is behind the best system."""
    baseline = baseline_of(lab, last)
    if baseline is None or len(last.blocks) < 2:
        return
    best, name, means = order(last)[0], last.systems[baseline], last.values.mean(axis=0)
    if best == baseline:
        yield Paragraph(f"No system has a larger mean than {name}.")
        return
    apart = last.values[:, best] - last.values[:, baseline]
    low, high = statistics.mean_interval(apart)
    share = f", {apart.mean() / means[best]:.1%} of it" if means[best] else ""
    yield Paragraph(
        f"{name} is {apart.mean():,.1f} behind the best, {last.systems[best]}{share} (interval of the difference "
        f"{low:,.1f} to {high:,.1f}; the best is chosen after the fact, which favours it)."
    )


def _all_worlds(lab: Lab, cells: Sequence[Measured]) -> Section:
    metric = "relevant_by_label" if len(labelled(lab)) == len(lab.worlds) else "relevant_by_judge"
    last = compare(lab, cells, metric, lab.fetches)
    parts: list[Paragraph | Grid | Picture] = [*_tests(last), *_behind(lab, last)]
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
