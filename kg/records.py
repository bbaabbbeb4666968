"""Frozen value types of kg's interface. The crawler converts to and from them; kg does not import the crawler."""

from __future__ import annotations

from dataclasses import dataclass

from ontology.model import Factors

TITLE = 500
"""Characters of a page's title in the graph; `kg.project` leaves out the rest, also of the texts below."""
ANCHOR = 500
"""Characters of a link's anchor text in the graph."""
SNIPPET = 160
"""Characters of a page's main text in the graph."""
SENTENCE = 500
"""Characters of a sentence in the graph."""


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A topic word derived from an ontology in the graph: Sem(root, concept), paper 000, Eqs. (1) to (3).

    ``weight`` is the weight in the topic vector: Sem, or a weight by particularity to the topic (kg.key_weights).
    """

    iri: str
    """IRI in its ontology."""
    word: str
    """The newest Chinese label of the concept, or else its English one."""
    forms: tuple[tuple[str, str], ...]
    """Surface forms as (language, form); languages are "zh" and "en"."""
    weight: float
    factors: Factors[float]
    path: tuple[str, ...]
    """Words along one best path from the root to the concept, both included."""
    ontology: str
    """Key of the ontology that the weight is computed in: its IRI, or the version IRI of a learned ontology."""
    series: str = ""
    """IRI of the ontology, whatever its version."""
    version: str = ""
    class_: str = ""
    """Smallest IRI among the concepts that are equivalent to this one, itself included."""
    scheme: str = "sem"
    """Kind of the weight: "sem", "key" or "sem_key" (kg.key_weights)."""
    sem: float | None = None
    """Sem(root, concept)."""
    key: float | None = None
    """Particularity of the concept to the papers, 0 or more; None if it was not requested."""
    documents: int | None = None
    """Papers that contain the concept."""
    pages: int | None = None
    """Relevant pages that showed it, where no paper contains it and a person accepted it from pages."""
    background: int | None = None
    """Documents of the background that contain it."""
    sources: tuple[str, ...] = ()
    """Keys of the ontologies that have the concept, if several were joined."""
    node: str = ""
    """IRI of the concept in the graph, if it is one with a concept of another ontology (kg.joined)."""


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One run of the crawler."""

    id: str
    strategy: str
    topic: str
    world: str
    started: str
    """ISO-8601, UTC."""
    stop_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept that a page names."""

    iri: str
    count: int
    weight: float


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """The outcome of one fetch."""

    step: int
    url: str
    host: str
    status: int | None
    """HTTP status; None without a response."""
    final_url: str
    title: str
    published: str | None
    """ISO-8601 date; None if the page has none."""
    content_hash: str | None
    snippet: str
    relevance: float | None
    """R of the run's judge, in [0, 1]; None for a failed fetch."""
    relevant: bool | None
    """Decision of the run's judge; None for a failed fetch, and for a near-duplicate, which counts once."""
    label: bool | None
    """True label, if it is known; never passed to a strategy."""
    priority: float | None
    failure: str | None
    evidence: str
    """Why the page was chosen: the strategy's move as JSON."""
    mentions: tuple[Mention, ...] = ()
    text: str = ""
    """Main text, a paragraph a line; empty if the page may not be used or was not read."""
    near_duplicate_of: str | None = None
    """URL of the first page of the crawl with nearly the same text; then ``relevant`` is None."""
    partial: str | None = None
    """What was wrong with a body that was kept all the same; None for a sound one."""
    kind: str | None = None
    """``document`` for a PDF or Word file; None for any other page."""
    page_starts: tuple[int, ...] = ()
    """Where in the main text each page of a document begins; empty where that is unknown, and for other pages."""
    first_seen: str | None = None
    """Time at which the page was read first, as ISO-8601 in UTC; None where it never was."""
    last_seen: str | None = None
    """Time at which a visit of the page found it there last."""
    changed: str | None = None
    """Time of the last visit that found it changed; None for none."""
    gone: str | None = None
    """Time of the first visit that found no page there any more; None where it is there."""
    found_at_revisit: int | None = None
    """Number of the revisit that found the page; None for a page that the crawl fetched."""


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A hyperlink seen on a fetched page; parallel links of one page are folded into one row."""

    source: str
    target: str
    target_host: str
    anchor: str
    relevance: float | None
    """R of the anchor text, Eq. (10), in [0, 1]; None where it was not computed."""
    kind: str | None = None
    """How the page leads there, where it is no hyperlink: frame, refresh, script .."""


@dataclass(frozen=True, slots=True)
class KnownRow:
    """A page that is known and not fetched, with the reason."""

    url: str
    host: str
    priority: float | None
    reason: str
