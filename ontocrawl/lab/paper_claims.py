"""The claims of the papers about the order of crawlers, each with its verdict and the evidence for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ontocrawl.lab.document import Grid, Paragraph, Section
from ontocrawl.lab.paper_tables import (
    AS_PRINTED,
    EVIDENCES,
    HEADS,
    ORDERED,
    Evidence,
    Found,
    PairVerdict,
    counts,
    reversed_pairs,
    together,
)
from ontocrawl.lab.printed import LOWER_IS_BETTER, Claim, PrintedGrid, PrintedTable, Source, printed

ABOUT = (
    "A claim is about pairs of crawlers. It holds if each pair has the claimed order with a 95 % interval of the "
    "difference (bootstrap over the webs, pairs by seed) beyond 0, does not hold if the interval of one pair lies on "
    "the other side, and is undecided otherwise. The papers compare at equal numbers of fetched pages (DP), by the "
    "judge that guides the crawl: that is the first verdict. The others count labels, which no crawler sees, or "
    "requests, which include pages that are only looked at ahead. Printed DP is counted as each paper does: paper 002 "
    "counts admitted links, which only worlds with look-ahead oracle can show. On worlds with oracle in their name a "
    "crawler looks at the target of a link before it decides. Accuracies themselves cannot be compared: the webs of "
    "the papers no longer exist. A verdict in brackets is of another DP than the claim, and says little of it. "
    "A crawl that ran out of links before a DP is in no verdict at it; the tables of the webs name such crawls. "
    "The cause is that of a claim that does not hold: the web, the reading of the paper, or open; or that the compared "
    "crawls are the same."
)
SAME = "the crawls are the same: what parts the crawlers decided nothing here"
_NOT_MEASURED = "not measured"
FEW = 5
"""Numbers of webs below which the bootstrap of a mean has too few different samples."""
SAID = {"holds": "holds", "reversed": "does not hold", "undecided": "undecided"}
_SECTION = "claims"
"""Id of the section of a report that has the claims."""
FoundOf = Callable[[str, Source], Found]
"""Return the crawls of a world, counted as a table counts them."""


def section(worlds_of: dict[str, list[str]], found_of: FoundOf, seeds: int) -> Section:
    """Return the summary: claims with verdicts, then the orders of all tables.

    Args:
        worlds_of: name of a table, grid or figure -> worlds of the lab that are set beside it.
        found_of: returns the crawls of a world.
        seeds: number of webs of each world.
    """
    claims = [row for claim in printed().claims for row in _claim_rows(claim, worlds_of, found_of)]
    own = [row[5] if row[5] != "–" else row[6] for row in claims if row[3] == row[4]]
    told = ", ".join(f"{own.count(said)} {said}" for said in (*SAID.values(), _NOT_MEASURED))
    summary = f"Claims tested at the printed DP: {len(own)}" + (f", of which {told}." if own else ".")
    caution = f" Intervals of {seeds} webs are too narrow: take {FEW} or more." if seeds < FEW else ""
    pairs = [(name, world) for name, worlds in worlds_of.items() for world in worlds]
    tables = [row for name, world in pairs for row in _table_rows(name, world, found_of)]
    evidence = tuple(one.name for one in EVIDENCES)
    return Section(_SECTION, "What holds of the papers", "论文的结论是否成立", (
        Paragraph(ABOUT),
        Paragraph(summary + caution),
        Grid(("claim", "paper", "world", "printed DP", "here DP", *evidence, "pairs that hold", "reversed pairs",
              "cause"),
             tuple(claims), "Claims of the papers."),
        Grid(("table", "world", "DP", "measure", *(f"{one.name}: holds / reversed / undecided" for one in EVIDENCES)),
             tuple(tables), "All pairs of crawlers of each table."),
    ))  # fmt: skip


def claims_in(sections: Iterable[Section]) -> list[dict[str, str]]:
    """Return the rows of the claims in a report, by the heads of their columns; none for other labs."""
    for one in sections:
        if one.id == _SECTION:
            grid = next(part for part in one.parts if isinstance(part, Grid))
            return [dict(zip(grid.columns, row, strict=True)) for row in grid.rows]
    return []


def _claim_rows(claim: Claim, worlds_of: dict[str, list[str]], found_of: FoundOf) -> Iterator[tuple[str, ...]]:
    source = printed().by_id[claim.table]
    for world in worlds_of.get(claim.table, []):
        found = found_of(world, source)
        reached = [(dp, dp) for dp in claim.at if dp in found.lab.milestones_of(world)]
        for dp, at in reached or found.compared_at(claim.at):
            by = {one: _claimed_pairs(claim, source, found, one, dp, at) for one in EVIDENCES}
            number = len(claim.better) * len(_worse(claim, source, dp))
            said = [_said(claim, one, by[one], number, exact=dp == at) for one in EVIDENCES]
            first = by[AS_PRINTED] if by[AS_PRINTED] else by[EVIDENCES[1]]
            yield (
                claim.text, claim.table, world, f"{dp:,}", f"{at:,}", *said,
                f"{counts(first)['holds']} of {number}", reversed_pairs(first, source.names),
                claim.cause if SAID["reversed"] in said[0] else SAME if _are_the_same(first) else "–",
            )  # fmt: skip


def _are_the_same(pairs: list[PairVerdict]) -> bool:
    """Return whether the crawls of all pairs found the same on every web."""
    return bool(pairs) and all(pair.low == pair.high == 0.0 for pair in pairs)


def _said(claim: Claim, evidence: Evidence, pairs: list[PairVerdict], claimed: int, *, exact: bool) -> str:
    """Return the verdict in words; a claim of which some pairs were not measured cannot be said to hold."""
    if evidence.measure(claim.metric) is None:
        return "–"
    if not pairs:
        return _NOT_MEASURED
    verdict = together(pairs)
    said = SAID["undecided" if verdict == "holds" and len(pairs) < claimed else verdict]
    return said if exact else f"({said})"


def _worse(claim: Claim, source: Source, dp: int) -> tuple[str, ...]:
    rows = source.printed_at(dp, claim.metric) if isinstance(source, PrintedGrid) else source.names
    return claim.worse or tuple(name for name in rows if name not in claim.better)


def _claimed_pairs(
    claim: Claim, source: Source, found: Found, evidence: Evidence, dp: int, at: int
) -> list[PairVerdict]:
    """Judge the pairs of a claim; pairs with a crawler that was not measured are left out.

    Args:
        claim: the claim.
        source: the table whose rows it is about.
        found: the crawls of a world.
        evidence: how they are compared.
        dp: printed number of pages; with it a grid leaves out settings that are printed as ended early.
        at: milestone of the world.
    """
    high, low = (0.0, 1.0) if claim.metric in LOWER_IS_BETTER else (1.0, 0.0)
    claimed = {**dict.fromkeys(_worse(claim, source, dp), low), **dict.fromkeys(claim.better, high)}
    return found.orders(claimed, claim.metric, evidence, at)


def _table_rows(name: str, world: str, found_of: FoundOf) -> Iterator[tuple[str, ...]]:
    table = printed().by_id.get(name)
    if not isinstance(table, PrintedTable | PrintedGrid):
        return
    found = found_of(world, table)
    for dp, at in found.compared_at(table.at if isinstance(table, PrintedTable) else (table.at,)):
        for metric in table.metrics:
            if metric in ORDERED:
                cells = []
                for one in EVIDENCES:
                    by = counts(found.orders(table.printed_at(dp, metric), metric, one, at))
                    total = " / ".join(str(by[verdict]) for verdict in ("holds", "reversed", "undecided"))
                    cells.append("–" if one.measure(metric) is None else total)
                yield name, world, f"{dp:,}" if dp == at else f"{dp:,} in print, {at:,} here", HEADS[metric], *cells
