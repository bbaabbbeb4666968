"""The report of a lab: what each system found, with intervals and tests, by the labels and by the judge."""

from __future__ import annotations

import platform
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np

from ontocrawl.lab import (
    ontology_comparison,
    own_comparison,
    paper_claims,
    paper_figures,
    paper_tables,
    statistics,
)
from ontocrawl.lab.definition import Lab, LabWorld, Value, describe
from ontocrawl.lab.document import Grid, Paragraph, Picture, Section
from ontocrawl.lab.paper_tables import Found
from ontocrawl.lab.plots import harvests, slug
from ontocrawl.lab.printed import (
    Item,
    PrintedFigure,
    PrintedGain,
    PrintedGrid,
    PrintedOverlap,
    PrintedPart,
    PrintedRanks,
    PrintedRuns,
    PrintedTable,
    Source,
    printed,
)
from ontocrawl.lab.references import is_reference, title_of
from ontocrawl.lab.results import (
    Comparison,
    Measured,
    baseline_of,
    compare,
    ended_early,
    label_of,
    main_metric,
    order,
    spread,
    unreached,
)
from ontocrawl.lab.running import Outcome, labelled
from ontocrawl.lab.statistics import Floats, cliques
from ontocrawl.lab.summaries import AT_DP, MEASURES, Count, Summary, superposition
from ontocrawl.report.charts import XMLNS
from ontology.draw.svg import clean

ALPHA = 0.05


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the sections of a lab's report."""
    of_papers = _sections(lab, outcomes, cells)
    found = [*of_papers[:1], _about(lab, outcomes), *of_papers[1:]]
    found += [*own_comparison.sections(lab, outcomes, cells), *ontology_comparison.sections(lab, outcomes, cells)]
    crawled = begun(lab, outcomes)
    for world in lab.worlds:
        if world.name in crawled:
            found.append(_world(lab, outcomes, cells, world.name))
    if len(lab.worlds) > 1 and lab.uniform:
        found.append(_all_worlds(lab, cells))
    failed = [one for one in outcomes if one.failed]
    if failed:
        found.append(_failed(lab, failed))
    return [*found, _measures()]


def _about(lab: Lab, outcomes: Sequence[Outcome]) -> Section:
    versions = ", ".join(f"{name} {version(name)}" for name in ("ontocrawl", "numpy", "scipy"))
    rows = [
        ("requests of each crawl", f"{lab.fetches:,}"),
        ("seeds", f"0 to {lab.seeds - 1}"),
        *_axes(lab.axes),
        *(row for world in lab.worlds for row in _about_world(lab, world)),
        *_earlier(outcomes),
        *_later(lab, outcomes),
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


def begun(lab: Lab, outcomes: Sequence[Outcome]) -> set[str]:
    """Return the names of the worlds that are shown: those of which no crawl, or not each system's, is left."""
    left = {one.cell.world for one in outcomes if one.is_left}
    ended = Counter((one.cell.world, one.cell.system) for one in outcomes if not one.is_left and one.cell.guide)
    whole = {world for (world, _), count in ended.items() if count == lab.seeds}
    return whole | {one.cell.world for one in outcomes if one.cell.world not in left}


def _later(lab: Lab, outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    """Yield how many crawls another sitting has to make, by world."""
    left = Counter(one.cell.world for one in outcomes if one.is_left)
    every = Counter(one.cell.world for one in outcomes)
    if left:
        names = (world.name for world in lab.worlds if left[world.name])
        yield "crawls for another sitting", ", ".join(f"{left[name]} of {every[name]} on {name}" for name in names)


def _earlier(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, str]]:
    programs = Counter(one.earlier for one in outcomes if one.earlier)
    if programs:
        told = ", ".join(f"{count} by {name[:8]}" for name, count in programs.items())
        yield f"crawls by an earlier program, of {len(outcomes)}", told


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
    means = _Means.of(lab, cells, last)
    return Section(f"world-{slug(world)}", world, "", (
        *(Paragraph(f"{line}.") for line in unreached(outcomes, world)),
        _found(lab, cells, world, metric),
        *_tests(last),
        *_behind(lab, last),
        *harvests(lab, outcomes, last),
        *_both_bases(lab, means),
        _others(lab, means),
        _superposition(lab, outcomes, last),
        *_ended_early(lab, outcomes, world),
    ))  # fmt: skip


def _ended_early(lab: Lab, outcomes: Sequence[Outcome], world: str) -> Iterator[Grid]:
    rows = [(system, seed, f"{pages:,}", why) for _, system, seed, pages, why in ended_early(lab, outcomes, world)]
    if rows:
        yield Grid(
            ("system", "seed", "pages", "why"), tuple(tuple(map(str, row)) for row in rows),
            "Crawls that ended early: no link was left that the crawler would follow.",
        )  # fmt: skip


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
        _diagram(last.systems, test.ranks.tolist(), difference, id_=id_),
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


# ---- the critical-difference diagram of J. Demšar (2006), JMLR 7, section 3.2.4, as an inline SVG
#
# Systems stand on an axis of mean ranks, the best on the left; a bar joins those whose ranks differ by less than the
# critical difference of Nemenyi's test.


WIDTH, SIDE, ROW, TOP = 680, 190, 19, 46
BAR = 7
"""Vertical distance of two bars."""


def _diagram(names: Sequence[str], ranks: Sequence[float], difference: float, *, id_: str) -> str:
    """Draw a diagram.

    Args:
        names: names of the k systems.
        ranks: their mean ranks, in [1, k].
        difference: the critical difference.
        id_: prefix of the ids in the SVG, unique in its page.

    Returns:
        The SVG element, for a page with the report's style sheet.
    """
    k = len(names)
    order = sorted(range(k), key=lambda i: ranks[i])
    left = (k + 1) // 2
    groups = [group for group in cliques(ranks, difference) if len(group) > 1]
    base = TOP + BAR * len(groups) + 12
    height = base + ROW * left + 10

    def x(rank: float) -> float:
        return SIDE + (WIDTH - 2 * SIDE) * (rank - 1) / max(k - 1, 1)

    told = "; ".join(f"{names[i]} {ranks[i]:.2f}" for i in order)
    labelled = f'aria-labelledby="{clean(id_)}-t {clean(id_)}-d"'
    parts = [
        f'<svg class="chart" {XMLNS} viewBox="0 0 {WIDTH} {height:g}" role="img" {labelled}>',
        f'<title id="{clean(id_)}-t">Mean ranks and critical difference</title>',
        f'<desc id="{clean(id_)}-d">{clean(f"Critical difference {difference:.2f}. {told}")}</desc>',
        *_axis(k, x(1), x(k), difference),
    ]
    for row, group in enumerate(groups):
        y = TOP + BAR * (row + 1)
        ends = [x(ranks[i]) for i in group]
        parts.append(f'<line class="line s0" x1="{min(ends) - 3:.1f}" y1="{y}" x2="{max(ends) + 3:.1f}" y2="{y}"/>')
    for place, i in enumerate(order):
        is_left = place < left
        y = base + ROW * (place if is_left else k - 1 - place)
        at, end = x(ranks[i]), SIDE - 8 if is_left else WIDTH - SIDE + 8
        anchor, text_x = ("end", end - 4) if is_left else ("start", end + 4)
        parts.append(f'<path class="axis" fill="none" d="M{at:.1f},{TOP}V{y:g}H{end}"/>')
        parts.append(
            f'<text class="tick" text-anchor="{anchor}" x="{text_x}" y="{y + 4:g}">'
            f"{clean(names[i])} ({ranks[i]:.2f})</text>"
        )
    return "\n".join([*parts, "</svg>"])


def _axis(k: int, low: float, high: float, difference: float) -> list[str]:
    step = (high - low) / max(k - 1, 1)
    parts = [f'<line class="axis" x1="{low:.1f}" y1="{TOP}" x2="{high:.1f}" y2="{TOP}"/>']
    every = max(1, k // 10)
    for rank in range(1, k + 1, every):
        at = low + step * (rank - 1)
        parts.append(f'<line class="axis" x1="{at:.1f}" y1="{TOP - 5}" x2="{at:.1f}" y2="{TOP}"/>')
        parts.append(f'<text class="tick" text-anchor="middle" x="{at:.1f}" y="{TOP - 9}">{rank}</text>')
    end = low + step * difference
    parts.append(f'<line class="line s1" x1="{low:.1f}" y1="14" x2="{end:.1f}" y2="14"/>')
    parts.append(f'<text class="tick" x="{end + 6:.1f}" y="18">CD = {difference:.2f}</text>')
    return parts


# ---- the sections of a report for the papers: the claims first, then each table, grid and figure in their form


Part = Paragraph | Grid | Picture


def _sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the summary of the claims, then a section for each printed item and world; none for other labs."""
    worlds_of: dict[str, list[str]] = {}
    crawled = begun(lab, outcomes)
    for world in lab.worlds:
        for name in world.printed if world.name in crawled else ():
            worlds_of.setdefault(name, []).append(world.name)
    if not worlds_of:
        return []

    @cache
    def counted(world: str, count: Count | None) -> Found:
        own = [one for one in outcomes if one.cell.world == world]
        return Found(lab, world, own, [one for one in cells if one.cell.world == world], count)

    def found_of(world: str, source: Source) -> Found:
        return counted(world, source.count)

    found = [paper_claims.section(worlds_of, found_of, lab.seeds)]
    for item in sorted(printed().items, key=lambda item: item.id):
        for name in worlds_of.get(item.id, []):
            id_ = re.sub(r"[^a-z0-9]+", "-", f"printed-{name}-{item.id}".lower())
            parts = _parts(item, counted(name, item.count))
            found.append(Section(id_, f"Paper {item.id} on {name}", "", tuple(parts)))
    return found


def _parts(item: Item, found: Found) -> Iterator[Part]:
    """Yield the parts of a printed item, with its title first."""
    title = f"Ranks of {item.table}" if isinstance(item, PrintedRanks) else item.title
    yield Paragraph(f"{title}.")
    match item:
        case PrintedTable():
            yield from paper_tables.of_table(item, found)
        case PrintedGrid():
            yield from paper_tables.of_grid(item, found)
        case PrintedRanks():
            yield from paper_tables.of_ranks(item, printed().table(item.table), found)
        case PrintedRuns():
            yield from paper_tables.of_runs(item, found)
        case PrintedGain():
            yield from paper_figures.of_gain(item, found)
        case PrintedOverlap():
            yield from paper_figures.of_overlap(item, found)
        case PrintedPart():
            yield from paper_tables.of_part(item, found)
        case PrintedFigure():
            yield from paper_figures.of_figure(item, found)


# ---- the tables of a world in a lab's report: what each system found, by labels and judge, at equal requests and DP


FOUND = {"relevant_by_label": "label", "relevant_by_judge": "judge"}
"""Measures that stand side by side -> who says that a page is relevant."""
PAPERS = {"ar": "AR", "sd": "SD", "recall": "RC"}
"""The papers' measures -> their names in print."""
OTHERS = (
    "precision", "accuracy", "area", "area_by_judge", "first_hit", "cost", "tunnel_mean", "tunnel_max", "choice_us",
)  # fmt: skip
NONE = "–"


@dataclass(frozen=True)
class _Means:
    """Mean measures of the systems on one world, in the order of its tables."""

    world: str
    systems: tuple[str, ...]
    values: Mapping[str, Sequence[Mapping[tuple[str, int], float | None]]]
    """System -> the values of its crawls."""

    @classmethod
    def of(cls, lab: Lab, cells: Sequence[Measured], last: Comparison) -> _Means:
        """Collect the values of the systems of a comparison, the best one first."""
        values: dict[str, list[Mapping[tuple[str, int], float | None]]] = {}
        for one in cells:
            if one.cell.world == last.world and not is_reference(one.cell.strategy):
                values.setdefault(label_of(lab, one.cell), []).append(one.values)
        return cls(last.world, tuple(last.systems[i] for i in order(last)), values)

    def known(self, name: str, at: int) -> bool:
        """Return whether some crawl has a value of a measure."""
        return any(one.get((name, at)) is not None for values in self.values.values() for one in values)

    def mean(self, system: str, name: str, at: int) -> str:
        """Return the mean of the seeds that have a value, as text."""
        found = [value for one in self.values[system] if (value := one.get((name, at))) is not None]
        if not found:
            return NONE
        mean = float(np.mean(found))
        return f"{mean:,.3f}" if abs(mean) < 10 else f"{mean:,.1f}"


def _found(lab: Lab, cells: Sequence[Measured], world: str, metric: str) -> Grid:
    """Return the main table: relevant pages at the milestones, interval, rank, and the comparison with the baseline."""
    at = [compare(lab, cells, metric, n, world) for n in lab.milestones_of(world)]
    last = at[-1]
    baseline = baseline_of(lab, last)
    compared = _against(last, baseline)
    ranks = statistics.block_ranks(last.values).mean(axis=0) if len(last.systems) > 1 else np.ones(1)
    rows = [
        (
            last.systems[i], *(_of(one, last.systems[i]) for one in at), _interval(last.values[:, i]),
            f"{ranks[i]:.1f}", *(compared.get(i, ("",) * 3) if baseline is not None else ()),
        )
        for i in order(last)
    ]  # fmt: skip
    for name in last.references:
        best = [f"{one.references[name].mean():,.1f}" if name in one.references else "" for one in at]
        rows.append((title_of(name), *best, "", "", *(("",) * 3 if baseline is not None else ())))
    against = () if baseline is None else (f"difference from {last.systems[baseline]}", "effect", "p (Wilcoxon, Holm)")
    columns = ("system", *(f"{n:,}" for n in lab.milestones_of(world)), "interval at the last", "mean rank", *against)
    told = "" if baseline is None else " Effect: rank-biserial correlation of the differences, from -1 to 1."
    return Grid(columns, tuple(rows), f"{MEASURES[metric]}, after so many requests: means of {lab.seeds} seeds.{told}")


def _against(last: Comparison, baseline: int | None) -> dict[int, tuple[str, str, str]]:
    """Return the difference of each system from the baseline with its interval, effect, and p-value by Holm."""
    if baseline is None or len(last.blocks) < 2:
        return {}
    others = [i for i in range(len(last.systems)) if i != baseline]
    apart = [last.values[:, i] - last.values[:, baseline] for i in others]
    p = statistics.holm([statistics.signed_rank(d) for d in apart])
    return {
        i: (f"{d.mean():+,.1f} [{_bounds(d)}]", f"{statistics.rank_biserial(d):+.2f}", f"{p_of:.3g}")
        for i, d, p_of in zip(others, apart, p, strict=True)
    }  # fmt: skip


def _of(one: Comparison, system: str) -> str:
    return f"{one.values[:, one.systems.index(system)].mean():,.1f}" if system in one.systems else NONE


def _bounds(values: Floats) -> str:
    low, high = statistics.mean_interval(values)
    return f"{low:,.1f}, {high:,.1f}"


def _interval(values: Floats) -> str:
    return _bounds(values) if len(values) > 1 else ""


def side_by_side(lab: Lab, means: _Means, measures: Mapping[str, str], title: str, basis: str = "") -> Grid:
    """Return a table of several measures at each milestone.

    Args:
        lab: the lab.
        means: the values.
        measures: measure -> name in the head; those without a value anywhere are left out.
        title: title of the table.
        basis: ending of the measures: ``AT_DP`` for equal DP, nothing for equal requests.
    """
    milestones, last = lab.milestones_of(means.world), lab.fetches_of(means.world)
    known = {name: shown for name, shown in measures.items() if means.known(name + basis, last)}
    spent = ("requests" if basis else "dp") + basis
    rows = tuple(
        (
            system, *(means.mean(system, name + basis, n) for n in milestones for name in known),
            means.mean(system, spent, last),
        )
        for system in means.systems
    )  # fmt: skip
    at = [f"{'DP ' if basis else ''}{n:,}" for n in milestones]
    columns = (
        "system",
        *(f"{n} {shown}" for n in at for shown in known.values()),
        f"{'requests' if basis else 'DP'} at the last",
    )
    return Grid(columns, rows, title)


def _both_bases(lab: Lab, means: _Means) -> list[Grid]:
    """Return the relevant pages by label and by judge, and the papers' AR, SD and RC, at equal requests and DP."""
    return [
        side_by_side(lab, means, FOUND, "Relevant pages by the labels and by the judge, at equal requests."),
        side_by_side(lab, means, FOUND, "The same at equal numbers of pages (DP), the papers' count.", AT_DP),
        side_by_side(lab, means, PAPERS, "Mean relevance by the judge (AR), its standard deviation (SD), and recall of "
                     "the labelled pages (RC), at equal requests."),
        side_by_side(lab, means, PAPERS, "The same at equal DP.", AT_DP),
    ]  # fmt: skip


def _others(lab: Lab, means: _Means) -> Grid:
    """Return the table of the other measures at the end of the crawls."""
    last = lab.fetches_of(means.world)
    names = [name for name in OTHERS if means.known(name, last)]
    rows = [(system, *(means.mean(system, name, last) for name in names)) for system in means.systems]
    return Grid(
        ("system", *(name.replace("_", " ") for name in names)), tuple(rows),
        f"Other measures after {last:,} requests, means of the seeds that have a value.",
    )  # fmt: skip


def _superposition(lab: Lab, outcomes: Sequence[Outcome], last: Comparison) -> Grid:
    """Return the superposition ratio of each two systems, means over the seeds; the best system first."""
    systems, at = [last.systems[i] for i in order(last)], lab.fetches_of(last.world)
    by_seed: dict[int, dict[str, Summary]] = {}
    for one in outcomes:
        if one.found is not None and one.cell.world == last.world and not is_reference(one.cell.strategy):
            by_seed.setdefault(one.cell.seed, {})[label_of(lab, one.cell)] = one.found
    ratios = np.mean(
        [superposition([of[name] for name in systems], lab.fetches_of(last.world)) for of in by_seed.values()],
        axis=0,
    )
    rows = tuple(
        (f"{i + 1} {name}", *(NONE if np.isnan(x) else f"{x:.2f}" for x in ratios[i])) for i, name in enumerate(systems)
    )
    return Grid(
        ("system", *(str(i + 1) for i in range(len(systems)))), rows,
        f"Superposition after {at:,} requests: pages that two systems both fetched, as a share of those that "
        "either of them fetched (paper 004); means of the seeds.",
    )  # fmt: skip
