"""What the report of a demo shows, as plain values. None is HTML; page titles and terms may come from the Web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawler.metrics import Metrics

FIGURES = ("documents", "terms", "formal_concepts", "lattice_edges", "classes")
FACTORS = ("distance", "density", "depth", "coincidence", "relation")
WEIGHT_COLUMNS = ("word", "weight", *FACTORS, "path")
PAGE_COLUMNS = ("url", "title", "pagerank", "relevance")
PROPOSAL_KEYS = ("term", "score", "pages", "under_label", "sentence", "page")


class ReportError(ValueError):
    """Values that make no report; the message names the part that is wrong."""


@dataclass(frozen=True, slots=True)
class WeightTable:
    """The weights over one ontology, in the order in which they are to be shown."""

    ontology: str
    """Its label or IRI."""
    rows: Sequence[Sequence[Any]]
    """WEIGHT_COLUMNS each: Sem(root, word), its five factors in [0, 1] (paper 000, Eqs. 1 to 3), the path as text."""


@dataclass(frozen=True, slots=True)
class CrawlCurve:
    """One crawl. Entry i of a curve is the number of relevant pages among the first i + 1 fetched ones."""

    strategy: str
    milestones: Mapping[str, Metrics]
    """The measures after 100, 300 .. pages, and at the "end"."""
    stop_reason: str | None
    seconds: float
    curve_by_label: Sequence[int] | None
    curve_by_judge: Sequence[int] | None
    ontology: str | None = None
    """Which ontology steered the crawl, "learned" or "curated"; None where none did."""

    @property
    def name(self) -> str:
        """The strategy, and the ontology that steered it."""
        return f"{self.strategy}, {self.ontology}" if self.ontology else self.strategy


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A Cypher query with its rows; each row has one value per column."""

    name: str
    title: str
    cypher: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]


@dataclass(frozen=True)
class ReportData:
    """Everything that the page shows, in its order. An empty part is left out of the page."""

    title: str
    created: str
    """ISO-8601, UTC."""
    command: str
    figures: Mapping[str, Any]
    """At least the counts named in FIGURES; other keys are not shown."""
    lattice_svg: str
    hierarchy_svg: str
    weights: Sequence[WeightTable] = ()
    crawls: Sequence[CrawlCurve] = ()
    pagerank_top: Sequence[Sequence[Any]] = ()
    """Rows of PAGE_COLUMNS, best first."""
    queries: Sequence[QueryAnswer] = ()
    proposals: Sequence[Mapping[str, Any]] = ()
    """Each with at least PROPOSAL_KEYS; ``page`` is a URL."""
    notes: Sequence[str] = ()
