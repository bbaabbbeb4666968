"""What an ontology is worth in a lab: recall with it less recall by the topic's words alone, by the same crawler.

Differences are paired by web and seed, and their intervals are over webs, as in `own_comparison`. Where the lab has a
strategy of its own ([compare]), that strategy by words alone is set against each crawler that has an ontology.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ontocrawl.lab import own_comparison, statistics
from ontocrawl.lab.definition import Cell, Lab
from ontocrawl.lab.document import Grid, Paragraph, Section
from ontocrawl.lab.lab_ontologies import NONE
from ontocrawl.lab.own_comparison import METRIC, Block, Floats, milestones, recalls, targets
from ontocrawl.lab.results import Comparison, Measured, compare, label_of
from ontocrawl.lab.running import Outcome

ID = "ontology"
"""Id of the section."""


@dataclass(frozen=True, eq=False)
class Gain:
    """One crawler less another one, at one number of requests. Values are recall in points, shape (N,).

    Attributes:
        system: name of the one with an ontology.
        at: number of requests.
        more: values of the first one.
        less: values of the other one.
        webs: web of each value.
    """

    system: str
    at: int
    more: Floats
    less: Floats
    webs: tuple[str, ...]

    @property
    def difference(self) -> Floats:
        """What the first one has more, shape (N,)."""
        return self.more - self.less

    def interval(self) -> tuple[float, float] | None:
        """Return the 95 % interval of the mean difference: over webs, of one web over its seeds; None for one value."""
        return own_comparison.interval(self.difference, self.webs)

    def by_web(self) -> dict[str, float]:
        """Return the mean difference of each web."""
        return statistics.cluster_means(self.difference, self.webs)


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the section about ontologies of a lab; none where no crawler was crawled with and without one."""
    systems = {label_of(lab, cell): cell for cell in lab.cells()}
    at = [compare(lab, cells, METRIC, n) for n in milestones(lab)]
    most = targets(outcomes)
    gains = [one for found in at for one in _with_and_without(found, systems, most)]
    if not gains:
        return []
    own = [] if lab.compare is None else [
        one for found in at for one in _against_words(found, systems, most, lab.compare.own)
    ]  # fmt: skip
    parts: list[Paragraph | Grid] = [
        Paragraph(_about(lab)),
        Paragraph(_counted("With the ontology less by words alone", gains)),
    ]
    if own and lab.compare is not None:
        name = lab.compare.own
        parts.append(Paragraph(_counted(f"{name} by words alone less another strategy with an ontology", own)))
    parts.append(_table(gains, "words alone", "gain", "What the ontology adds, by the same strategy and guide."))
    parts += [_webs(lab, gains, n) for n in milestones(lab)]
    if own and lab.compare is not None:
        told = f"What {lab.compare.own} by words alone has more than each other strategy with an ontology."
        parts.append(_table(own, "recall", f"{lab.compare.own} less it", told))
    return [Section(ID, "With and without an ontology", "有无本体的比较", tuple(parts))]


def _with_and_without(at: Comparison, systems: Mapping[str, Cell], most: Mapping[Block, int]) -> Iterator[Gain]:
    """Yield each system with an ontology less the one without, of the same strategy, guide and settings.

    Args:
        at: labelled pages found by all systems, at one number of requests.
        systems: name of each system -> one of its cells.
        most: labelled pages of each block, as of `targets`.
    """
    recall = recalls(at, most)
    words = {_but_ontology(systems[name]): name for name in recall if systems[name].ontology == NONE}
    for name in recall:
        cell = systems[name]
        if cell.ontology != NONE and _but_ontology(cell) in words:
            yield Gain(name, at.at, recall[name], recall[words[_but_ontology(cell)]], _webs_of(at))


def _against_words(at: Comparison, systems: Mapping[str, Cell], most: Mapping[Block, int], own: str) -> Iterator[Gain]:
    """Yield a strategy by words alone less each other one that has an ontology.

    Both have the same guide; where the strategy was not crawled with a guide, it has its first one.

    Args:
        at: labelled pages found by all systems, at one number of requests.
        systems: name of each system -> one of its cells.
        most: labelled pages of each block, as of `targets`.
        own: the strategy, as written among the axes.
    """
    recall = recalls(at, most)
    mine = {systems[name].guide: name for name in recall if _is_words(systems[name], own)}
    for name in recall if mine else ():
        cell = systems[name]
        if cell.ontology != NONE and cell.strategy != own:
            other = mine.get(cell.guide, next(iter(mine.values())))
            yield Gain(name, at.at, recall[other], recall[name], _webs_of(at))


def _is_words(cell: Cell, strategy: str) -> bool:
    return cell.strategy == strategy and cell.ontology == NONE


def _but_ontology(cell: Cell) -> tuple[object, ...]:
    return cell.strategy, cell.guide, cell.settings


def _webs_of(at: Comparison) -> tuple[str, ...]:
    return tuple(world for world, *_ in at.blocks)


# ---- tables -----------------------------------------------------------------------------------------------------


def _about(lab: Lab) -> str:
    return (
        "Recall of the labelled pages that can be reached, in points, mean over all webs and seeds. Differences are "
        "paired by web and seed; their intervals are of 95 % by bootstrap over the "
        f"{len(lab.worlds)} webs, each with the mean of its {lab.seeds} seeds."
    )


def _counted(what: str, gains: Sequence[Gain]) -> str:
    """Say how many differences have an interval above and below 0, at each number of requests."""
    told = []
    for n in dict.fromkeys(one.at for one in gains):
        here = [one for one in gains if one.at == n]
        bounds = [bound for one in here if (bound := one.interval()) is not None]
        above, below = sum(low > 0 for low, _ in bounds), sum(high < 0 for _, high in bounds)
        mean = float(np.mean([one.difference.mean() for one in here]))
        told.append(f"at {n:,} requests {above} are above 0 and {below} below, and the mean is {mean:+.1f}")
    return f"{what}, {len(gains) // len(told)} differences with their intervals: {'; '.join(told)}."


def _table(gains: Sequence[Gain], base: str, gain: str, title: str) -> Grid:
    """Return differences with intervals: a row for each system, two columns for each number of requests."""
    at = list(dict.fromkeys(one.at for one in gains))
    rows: dict[str, list[str]] = {}
    for one in gains:
        bounds = one.interval()
        told = "" if bounds is None else f" [{bounds[0]:+.1f}, {bounds[1]:+.1f}]"
        rows.setdefault(one.system, []).extend((f"{one.less.mean():.1f}", f"{one.difference.mean():+.1f}{told}"))
    columns = ("system", *(head for n in at for head in (f"{base}, {n:,}", f"{gain}, {n:,}")))
    return Grid(columns, tuple((name, *cells) for name, cells in rows.items()), title)


def _webs(lab: Lab, gains: Sequence[Gain], n: int) -> Grid:
    """Return the differences of each web at one number of requests."""
    rows = [(one.system, one.by_web()) for one in gains if one.at == n]
    webs = [world.name for world in lab.worlds]
    cells = tuple((name, *(f"{means[web]:+.1f}" for web in webs)) for name, means in rows)
    return Grid(("system", *webs), cells, f"The gain on each web at {n:,} requests, mean of its seeds.")
