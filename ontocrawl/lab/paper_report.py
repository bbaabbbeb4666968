"""The sections of a report for the papers: the claims first, then each table, grid and figure in their form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from ontocrawl.lab import paper_claims, paper_figures, paper_tables
from ontocrawl.lab.definition import Lab
from ontocrawl.lab.document import Grid, Paragraph, Picture, Section
from ontocrawl.lab.paper_values import Found
from ontocrawl.lab.printed import (
    Item,
    PrintedFigure,
    PrintedGain,
    PrintedGrid,
    PrintedOverlap,
    PrintedRanks,
    PrintedRuns,
    PrintedTable,
    printed,
)
from ontocrawl.lab.results import Measured
from ontocrawl.lab.running import Outcome

Part = Paragraph | Grid | Picture


def sections(lab: Lab, outcomes: Sequence[Outcome], cells: Sequence[Measured]) -> list[Section]:
    """Return the summary of the claims, then a section for each printed item and world; none for other labs."""
    worlds_of: dict[str, list[str]] = {}
    for world in lab.worlds:
        for name in world.printed:
            worlds_of.setdefault(name, []).append(world.name)
    if not worlds_of:
        return []

    @cache
    def counted(world: str, threshold: float | None, strict: bool) -> Found:
        own = [one for one in outcomes if one.cell.world == world]
        return Found(lab, world, own, [one for one in cells if one.cell.world == world], threshold, strict)

    def found_of(world: str, source: paper_claims.Source) -> Found:
        return counted(world, source.threshold, source.strict)

    found = [paper_claims.section(worlds_of, found_of, lab.seeds)]
    for item in sorted(printed().items, key=lambda item: item.id):
        for name in worlds_of.get(item.id, []):
            id_ = re.sub(r"[^a-z0-9]+", "-", f"printed-{name}-{item.id}".lower())
            source = printed().table(item.table) if isinstance(item, PrintedRanks) else item
            of_item = counted(name, getattr(source, "threshold", None), getattr(source, "strict", True))
            found.append(Section(id_, f"Paper {item.id} on {name}", "", tuple(_parts(item, of_item))))
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
        case PrintedFigure():
            yield from paper_figures.of_figure(item, found)
