"""What the report of a demo shows, as plain values. Nothing here is HTML; page titles and terms may come from the Web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


class ReportError(ValueError):
    """Values that make no report; the message names the part that is wrong."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of the learning half of the flow."""

    documents: int
    terms: int
    formal_concepts: int
    lattice_edges: int
    classes: int


@dataclass(frozen=True, slots=True)
class WeightRow:
    """One topic word: Sem(root, concept) and its five factors (paper 000, Eqs. 1 to 3), each in [0, 1]."""

    word: str
    weight: float
    distance: float
    density: float
    depth: float
    coincidence: float
    relation: float
    path: Sequence[str] = ()
    """Words from the root to this one, both included."""


@dataclass(frozen=True, slots=True)
class WeightTable:
    """The weights over one ontology, in the order in which they are to be shown."""

    ontology: str
    rows: Sequence[WeightRow]


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """One crawl. Entry i of a curve is the number of relevant pages among the first i + 1 fetched ones."""

    strategy: str
    fetched: int
    relevant: int
    accuracy: float | None
    """Share of the fetched pages that the judge calls relevant, in [0, 1]; None where nothing was fetched."""
    stop_reason: str | None
    seconds: float
    relevant_by_label: int | None = None
    curve_by_label: Sequence[int] | None = None
    curve_by_judge: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page with its PageRank and the judge's R."""

    url: str
    title: str
    pagerank: float
    relevance: float | None


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A Cypher query with its rows; each row has one value per column."""

    name: str
    title: str
    cypher: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """A term that the ontology lacks, with the sentence that shows it."""

    term: str
    score: float
    pages: int
    under: str | None
    sentence: str
    url: str


@dataclass(frozen=True)
class ReportData:
    """Everything that the page shows, in its order."""

    title: str
    created: str
    """ISO-8601, UTC."""
    command: str
    figures: Figures
    lattice_svg: str
    hierarchy_svg: str
    weights: Sequence[WeightTable] = ()
    crawls: Sequence[CrawlFigures] = ()
    pagerank_top: Sequence[RankedPage] = ()
    queries: Sequence[QueryAnswer] = ()
    proposals: Sequence[ProposalRow] = ()
    notes: Sequence[str] = field(default=())
