"""One strategy against the best of all others with the same guide: differences of recall, paired by web and seed.

The webs are the sample: crawls of one web with several seeds are no independent ones. So the mean over its seeds is
taken first, and the bootstrap draws webs (`statistics.cluster_interval`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontocrawl.lab import references, statistics
from ontocrawl.lab.definition import Lab, smaller
from ontocrawl.lab.document import Grid, Paragraph, Section
from ontocrawl.lab.results import Comparison, Measured, compare, label_of
from ontocrawl.lab.running import Outcome

Floats = NDArray[np.float64]
POINTS = 100.0
"""Recall 1 in points; recall is that of the labelled pages that can be reached from the start."""
METRIC = "relevant_by_label"
Block = tuple[str, str, int]
"""World, topic and seed."""


@dataclass(frozen=True, eq=False)
class Against:
    """A strategy and the best of the others, at one number of requests. Values are recall in points, shape (N,).

    Attributes:
        guide: guide of the strategy.
        at: number of requests.
        best: name of the other system with the largest mean over the blocks.
        own: values of the strategy in each block.
        other: values of the best of the others.
        webs: web of each block.
        bounds: name of each reference -> its values.
    """

    guide: str
    at: int
    best: str
    own: Floats
    other: Floats
    webs: tuple[str, ...]
    bounds: dict[str, Floats]

    @property
    def difference(self) -> Floats:
        """What the strategy has more than the best of the others, in each block."""
        return self.own - self.other

    def by_web(self) -> dict[str, float]:
        """Return the mean difference of each web."""
        return {web: float(mean) for web, mean in statistics.cluster_means(self.difference, self.webs).items()}

    def behind(self, name: str) -> float | None:
        """Return how much less than a reference the strategy has in the mean; None without the reference."""
        return float((self.bounds[name] - self.own).mean()) if name in self.bounds else None

    def closed(self) -> float | None:
        """Return the share of the gap between the best of the others and the look-ahead that the strategy closes.

        The look-ahead is that with the strategy's guide. None where there is none, or it is not ahead of the others.
        """
        bound = self.bounds.get(references.look_ahead(self.guide))
        gap = 0.0 if bound is None else float((bound - self.other).mean())
        return float(self.difference.mean()) / gap if gap > 0 else None


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the section of the table [compare] of a lab, or of its tables [[differences]]; none without these."""
    if lab.compare is None:
        return _asked(lab, cells)
    own = lab.compare.own
    heading = f"{own} against the best of the others", "与最佳策略比较"
    at = [compare(lab, cells, METRIC, n) for n in milestones(lab)]
    guides = tuple(dict.fromkeys(str(guide) for world in lab.worlds for guide in lab.axes_of(world.name)["guide"]))
    most = targets(outcomes)
    same = [one for guide in guides for one in _against(lab, own, at, guide, most, any_guide=False)]
    if not same:
        nothing = f"No guide has a recall of {own} and of another strategy for each web and seed: the webs need labels."
        return [Section("own", *heading, (Paragraph(nothing),))]
    parts: list[Paragraph | Grid] = [
        Paragraph(_about(lab, own)),
        _table(same, "the best other one with the same guide"),
    ]
    if len(guides) > 1:
        whole = [one for guide in guides for one in _against(lab, own, at, guide, most, any_guide=True)]
        parts.append(_table(whole, "the best other one with any guide"))
    each = [_each(lab, own, at, guide, most) for guide in guides] if lab.compare.each else []
    return [Section("own", *heading, (*parts, _webs(lab, same), *each))]


def milestones(lab: Lab) -> list[int]:
    """Return the numbers of requests at which crawls of all worlds are compared."""
    return sorted(set.intersection(*(set(lab.milestones_of(world.name)) for world in lab.worlds)))


def targets(outcomes: Sequence[Outcome]) -> dict[Block, int]:
    """Return the number of labelled pages of each web and start: of those that can be reached, where an oracle ran."""
    found: dict[Block, int] = {}
    for one in outcomes:
        facts = {} if one.found is None else one.found.facts
        block = one.cell.world, one.cell.topic, one.cell.seed
        if "reached" in facts:
            found[block] = facts["reached"]
        elif facts.get("targets"):
            found.setdefault(block, facts["targets"])
    return found


def _against(
    lab: Lab, own: str, at: Sequence[Comparison], guide: str, most: Mapping[Block, int], *, any_guide: bool
) -> Iterator[Against]:
    """Yield a strategy against the best other one, at each number of requests.

    Args:
        lab: the lab.
        own: the strategy, as written among the axes.
        at: labelled pages found by all systems in all webs, by the number of requests.
        guide: guide of the strategy, which has the first ontology of the lab.
        most: labelled pages of each block, as of `targets`.
        any_guide: whether the others may have another guide.
    """
    of = _systems(lab)
    steered = {str(lab.axes_of(world.name)["ontology"][0]) for world in lab.worlds}
    for one in at:
        rows = recalls(one, most)
        mine = [name for name in rows if of[name][:2] == (own, guide) and of[name][2] in steered]
        others = [name for name in rows if of[name][0] != own]
        if not any_guide:
            others = [name for name in others if of[name][1] == guide or _unguided(lab, of[name][0])]
        if len(mine) != 1 or not others:
            continue  # another axis with several values makes several systems of one guide; or there are no labels
        best = max(others, key=lambda name: (rows[name].mean(), name))
        webs = tuple(world for world, *_ in one.blocks)
        bounds = {name: _scale(one, most) * values for name, values in one.references.items()}
        yield Against(guide, one.at, best, rows[mine[0]], rows[best], webs, bounds)


def _differences(
    lab: Lab, own: str, at: Sequence[Comparison], guide: str, most: Mapping[Block, int]
) -> Iterator[tuple[str, list[Against]]]:
    """Yield the name of each other strategy, and the strategy against it at each number of requests.

    Args:
        lab: the lab.
        own: the strategy, as written among the axes.
        at: labelled pages found by all systems in all webs, by the number of requests.
        guide: guide of both.
        most: labelled pages of each block, as of `targets`.
    """
    of = _systems(lab)
    mine = [name for name, system in of.items() if system[:2] == (own, guide)]
    others = [name for name, (strategy, its, _) in of.items() if its == guide or _unguided(lab, strategy)]
    for other in others if len(mine) == 1 else ():
        found = []
        for one in at:
            rows = recalls(one, most)
            if other in mine or {other, *mine} - rows.keys():
                continue
            webs = tuple(world for world, *_ in one.blocks)
            found.append(Against(guide, one.at, other, rows[mine[0]], rows[other], webs, {}))
        if found:
            yield of[other][0], found


def _systems(lab: Lab) -> dict[str, tuple[str, str, str]]:
    """Return strategy, guide and ontology of each system, by its name in a comparison."""
    return {label_of(lab, cell): (cell.strategy, cell.guide, cell.ontology) for cell in lab.cells()}


def recalls(at: Comparison, most: Mapping[Block, int]) -> dict[str, Floats]:
    """Return the recall of each system in points, shape (N,); none where labelled pages of a block are not known.

    Args:
        at: labelled pages found by all systems, at one number of requests.
        most: labelled pages of each block, as of `targets`.
    """
    scale = _scale(at, most)
    known = not np.isnan(scale).any()
    return {name: scale * at.values[:, i] for i, name in enumerate(at.systems) if known}


def _scale(at: Comparison, most: Mapping[Block, int]) -> Floats:
    return POINTS / np.array([most.get(block) or np.nan for block in at.blocks])  # none: there is no share of it


def interval(differences: Floats, webs: Sequence[str]) -> tuple[float, float] | None:
    """Return the 95 % interval of a mean difference: over webs, of one web over its seeds; None for a single value."""
    if len(set(webs)) > 1:
        return statistics.cluster_interval(differences, webs)
    return statistics.mean_interval(differences) if len(differences) > 1 else None


def _unguided(lab: Lab, strategy: str) -> bool:
    return strategy.partition("?")[0] in lab.unguided


def _about(lab: Lab, own: str) -> str:
    return (
        "Recall of the labelled pages that can be reached, in points, mean over all webs and seeds. The best other "
        "strategy is the one with the largest mean at that number of requests, chosen with these results, which "
        f"favours it over {own}.{_by_ontologies(lab, own)} Differences are paired by web and seed; their intervals are "
        f"of 95 % by bootstrap over the {len(lab.worlds)} webs, each with the mean of its {lab.seeds} seeds. Closed is "
        "the share of the gap between the best other one and the look-ahead by the same guide, which knows the guide's "
        "score of each target."
    )


def _by_ontologies(lab: Lab, own: str) -> str:
    ontologies = lab.axes_of(lab.worlds[0].name)["ontology"]
    return f" {own} has the ontology {ontologies[0]}, the others any." if len(ontologies) > 1 else ""


def _table(found: Sequence[Against], other: str) -> Grid:
    rows = []
    for one in found:
        web, least = min(one.by_web().items(), key=lambda item: (item[1], item[0]))
        closed = one.closed()
        rows.append((
            f"{one.guide}, {one.at:,}", f"{one.own.mean():.1f}", one.best, f"{one.other.mean():.1f}",
            f"{one.difference.mean():+.1f}{_interval(one)}", f"{web} {least:+.1f}",
            _gap(one.behind(references.LABEL_ORACLE)), _gap(one.behind(references.ORACLE)),
            "–" if closed is None else f"{closed:.0%}",
        ))  # fmt: skip
    columns = (
        "guide, requests", "own", "best other", "its recall", "difference", "worst web", "behind the label oracle",
        "behind the oracle", "closed",
    )  # fmt: skip
    return Grid(columns, tuple(rows), f"Against {other}.")


def _interval(one: Against) -> str:
    bounds = interval(one.difference, one.webs) if len(set(one.webs)) > 1 else None
    return "" if bounds is None else f" [{bounds[0]:+.1f}, {bounds[1]:+.1f}]"


def _gap(points: float | None) -> str:
    return "–" if points is None else f"{points:.1f}"


def _webs(lab: Lab, found: Sequence[Against]) -> Grid:
    """Return the differences of each web, for each guide and number of requests."""
    by_web = [one.by_web() for one in found]
    rows = tuple((w.name, *(f"{means[w.name]:+.1f}" for means in by_web)) for w in lab.worlds)
    columns = ("web", *(f"{one.guide} {one.at:,}" for one in found))
    return Grid(columns, rows, "The same difference on each web, mean of its seeds.")


def _each(lab: Lab, own: str, at: Sequence[Comparison], guide: str, most: Mapping[Block, int]) -> Grid:
    """Return the recall of each other strategy, and what the strategy has more, at each number of requests."""
    rows = []
    for name, found in _differences(lab, own, at, guide, most):
        by_at = {one.at: (f"{one.other.mean():.1f}", f"{one.difference.mean():+.1f}{_interval(one)}") for one in found}
        rows.append((name, *(cell for one in at for cell in by_at.get(one.at, ("–", "–")))))
    columns = ("strategy", *(name for one in at for name in (f"recall at {one.at:,}", f"{own} has more")))
    return Grid(columns, tuple(rows), f"{own} against each other strategy with the guide {guide}.")


# ---- recall of all systems, and the differences that a lab asks for ([[differences]])


RECALL_ID = "recall"
"""Id of the section of the tables [[differences]]."""


def _asked(lab: Lab, cells: Sequence[Measured]) -> list[Section]:
    """Return the section of recall and of the differences that a lab asks for, a table of each for each group of webs.

    Webs that were made of one folder of fields are a group; a lab without fields has one group.
    """
    if not lab.differences:
        return []
    groups: dict[str, list[str]] = {}
    for world in lab.worlds:
        groups.setdefault(world.group, []).append(world.name)
    parts: list[Paragraph | Grid] = [Paragraph(
        "Recall is the share of the web's labelled pages that were fetched, the mean over all webs and seeds of a "
        "group; the oracle knows the label of each page that it has a link to. Differences are paired by web and "
        "seed; their intervals are of 95 % by bootstrap over the webs, each with the mean of its seeds."
    )]  # fmt: skip
    for group, webs in groups.items():
        part = smaller(lab, None, None, webs)
        of_group = [one for one in cells if one.cell.world in webs]
        at = [compare(part, of_group, "recall", n) for n in milestones(part)]
        name = f"{group}: " if group else ""
        parts += [_recall(at, f"{name}{', '.join(webs)}"), _asked_differences(lab, at, name)]
    return [Section(RECALL_ID, "Recall and differences", "召回率与差异", tuple(parts))]


def _recall(at: Sequence[Comparison], webs: str) -> Grid:
    rows = []
    for name in dict.fromkeys(name for one in at for name in (*one.systems, *one.references)):
        found = [_recall_of(one, name) for one in at]
        shown = references.title_of(name) if name in at[-1].references else name
        rows.append((shown, *("–" if values is None else f"{values.mean():.3f}" for values in found)))
    return Grid(("system", *(f"recall at {one.at:,}" for one in at)), tuple(rows), f"Recall on {webs}.")


def _asked_differences(lab: Lab, at: Sequence[Comparison], name: str) -> Grid:
    rows = []
    for asked in lab.differences:
        told = []
        for one in at:
            of, less = _recall_of(one, asked.of), _recall_of(one, asked.less)
            if of is None or less is None:
                told.append("–")
                continue
            bounds = interval(of - less, tuple(world for world, *_ in one.blocks))
            shown = "" if bounds is None else f" [{bounds[0]:+.3f}, {bounds[1]:+.3f}]"
            told.append(f"{(of - less).mean():+.3f}{shown}")
        rows.append((f"{asked.of} less {asked.less}", *told))
    columns = ("difference", *(f"at {one.at:,}" for one in at))
    return Grid(columns, tuple(rows), f"{name}differences of recall.".capitalize())


def _recall_of(at: Comparison, name: str) -> Floats | None:
    """Return the recall of a system or a reference in each block; None where some block lacks it."""
    if name in at.references:
        return at.references[name]
    return at.values[:, at.systems.index(name)] if name in at.systems else None
