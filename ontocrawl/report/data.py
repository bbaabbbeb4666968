"""The values shown in the report of a demo. They are text and numbers, not HTML, and may come from the web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crawler.metrics import CrawlMeasures, Metrics
from ontology.errors import OntocrawlError

FIGURES = ("documents", "terms", "formal_concepts", "lattice_edges", "classes")
FACTORS = ("distance", "density", "depth", "coincidence", "relation")
WEIGHT_COLUMNS = ("word", "weight", *FACTORS, "path")
PAGE_COLUMNS = ("url", "title", "pagerank", "relevance")
PROPOSAL_KEYS = ("term", "score", "pages", "under_label", "sentence", "page")


class ReportError(OntocrawlError, ValueError):
    """Invalid values for a report; the message names the part."""


@dataclass(frozen=True, slots=True)
class WeightTable:
    """The weights of an ontology, in display order."""

    ontology: str
    """Label or IRI of the ontology."""
    rows: Sequence[Sequence[Any]]
    """Rows of WEIGHT_COLUMNS: word, Sem(root, word) and its five factors in [0, 1] (paper 000, Eqs. 1 to 3), path."""


@dataclass(frozen=True, slots=True)
class CrawlCurve(CrawlMeasures):
    """A crawl. Entry i of a curve is the number of relevant pages among the first i + 1 fetched pages."""

    curve_by_label: Sequence[int] | None
    curve_by_judge: Sequence[int] | None
    ontology: str | None = None
    """Ontology that steered the crawl, "learned" or "curated"; None if the strategy uses none."""

    @property
    def name(self) -> str:
        """Display name: strategy and ontology."""
        return f"{self.strategy}, {self.ontology}" if self.ontology else self.strategy

    def measures(self) -> list[Metrics]:
        """Return the measures at the milestones and at the end; a milestone that is the end comes once."""
        return [m for name, m in self.milestones.items() if name != str(self.milestones["end"].fetched)]


@dataclass(frozen=True, slots=True)
class QueryAnswer:
    """A Cypher query with its result; each row has one value per column."""

    name: str
    title: str
    cypher: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Any]]

    def numeric(self) -> list[int]:
        """Return the indices of the columns that have numbers only."""
        columns = list(zip(*self.rows, strict=True))
        return [i for i, cells in enumerate(columns) if all(type(cell) in {int, float} for cell in cells)]


@dataclass(frozen=True, slots=True)
class Round:
    """One round from a crawl to the next version of its ontology, and the crawl by that version."""

    rule: str
    """How proposals were accepted, in a sentence."""
    accepted: Sequence[tuple[str, str | None, int]]
    """Term, parent (None for none) and number of relevant pages of each accepted proposal."""
    crawls: Sequence[CrawlCurve]
    """The crawl before and the crawl after."""


@dataclass(frozen=True)
class ReportData:
    """The content of the page, in its order. Empty parts are left out."""

    title: str
    created: str
    """Time in UTC, ISO 8601."""
    command: str
    figures: Mapping[str, Any]
    """At least the counts of FIGURES; other keys are not shown."""
    lattice_svg: str
    hierarchy_svg: str
    weights: Sequence[WeightTable] = ()
    crawls: Sequence[CrawlCurve] = ()
    pagerank_top: Sequence[Sequence[Any]] = ()
    """Rows of PAGE_COLUMNS, best first."""
    queries: Sequence[QueryAnswer] = ()
    proposals: Sequence[Mapping[str, Any]] = ()
    """Proposals with at least PROPOSAL_KEYS; ``page`` is a URL."""
    round: Round | None = None
    notes: Sequence[str] = ()
