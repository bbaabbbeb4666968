"""The tables of a world in a lab's report: what each system found, by labels and judge, at equal requests and DP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontocrawl.lab import measuring, statistics
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Grid
from ontocrawl.lab.measuring import AT_DP, MEASURES
from ontocrawl.lab.references import is_reference, title_of
from ontocrawl.lab.results import Comparison, Measured, baseline_of, compare, label_of, order
from ontocrawl.lab.running import Outcome
from ontocrawl.lab.statistics import Floats
from ontocrawl.lab.trace import Trace

FOUND = {"relevant_by_label": "label", "relevant_by_judge": "judge"}
"""Measures that stand side by side -> who says that a page is relevant."""
PAPERS = {"ar": "AR", "sd": "SD", "recall": "RC"}
"""The papers' measures -> their names in print."""
OTHERS = (
    "precision", "accuracy", "area", "area_by_judge", "first_hit", "cost", "tunnel_mean", "tunnel_max", "choice_us",
)  # fmt: skip
NONE = "–"


@dataclass(frozen=True)
class Means:
    """Mean measures of the systems on one world, in the order of its tables."""

    world: str
    systems: tuple[str, ...]
    values: Mapping[str, Sequence[Mapping[tuple[str, int], float | None]]]
    """System -> the values of its crawls."""

    @classmethod
    def of(cls, lab: Lab, cells: Sequence[Measured], last: Comparison) -> Means:
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


def found(lab: Lab, cells: Sequence[Measured], world: str, metric: str) -> Grid:
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


def side_by_side(lab: Lab, means: Means, measures: Mapping[str, str], title: str, basis: str = "") -> Grid:
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


def both_bases(lab: Lab, means: Means) -> list[Grid]:
    """Return the relevant pages by label and by judge, and the papers' AR, SD and RC, at equal requests and DP."""
    return [
        side_by_side(lab, means, FOUND, "Relevant pages by the labels and by the judge, at equal requests."),
        side_by_side(lab, means, FOUND, "The same at equal numbers of pages (DP), the papers' count.", AT_DP),
        side_by_side(lab, means, PAPERS, "Mean relevance by the judge (AR), its standard deviation (SD), and recall of "
                     "the labelled pages (RC), at equal requests."),
        side_by_side(lab, means, PAPERS, "The same at equal DP.", AT_DP),
    ]  # fmt: skip


def others(lab: Lab, means: Means) -> Grid:
    """Return the table of the other measures at the end of the crawls."""
    last = lab.fetches_of(means.world)
    names = [name for name in OTHERS if means.known(name, last)]
    rows = [(system, *(means.mean(system, name, last) for name in names)) for system in means.systems]
    return Grid(
        ("system", *(name.replace("_", " ") for name in names)), tuple(rows),
        f"Other measures after {last:,} requests, means of the seeds that have a value.",
    )  # fmt: skip


def superposition(lab: Lab, outcomes: Sequence[Outcome], last: Comparison) -> Grid:
    """Return the superposition ratio of each two systems, means over the seeds; the best system first."""
    systems, at = [last.systems[i] for i in order(last)], lab.fetches_of(last.world)
    by_seed: dict[int, dict[str, Trace]] = {}
    for one in outcomes:
        if one.trace is not None and one.cell.world == last.world and not is_reference(one.cell.strategy):
            by_seed.setdefault(one.cell.seed, {})[label_of(lab, one.cell)] = one.trace
    ratios = np.mean(
        [
            measuring.superposition([of[name] for name in systems], lab.fetches_of(last.world))
            for of in by_seed.values()
        ],
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
