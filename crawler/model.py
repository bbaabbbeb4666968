"""The values of a crawl: what a world answers, what a page says, what a strategy is told.

Words (docs/glossary.md): a *link* is known and not fetched, a *page* is fetched. Both have one integer id, the row of
their URL in the order of discovery; a link keeps its id when it becomes a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]

TAGS = (
    "title",
    "meta_keywords",
    "meta_description",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "strong",
    "p",
    "td",
    "li",
    "other",
)
"""The elements that some published page weighting names; a text belongs to its innermost one (algorithms.md 1.2)."""
SLOTS = tuple(f"{tag}{inside}" for tag in TAGS for inside in ("", "/a"))
"""Where a text stands: an element of TAGS, and whether within an <a> (GAFC weighs anchors apart)."""
SLOT = {name: row for row, name in enumerate(SLOTS)}


# ---- what a world answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Response:
    """One answer of a world: one hop, no redirect followed. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Failure:
    """No answer, or none that may be used. ``reason`` is a short code in snake case, ``detail`` a sentence."""

    url: str
    reason: str
    detail: str = ""


class World(Protocol):
    """Where pages come from. Live, synthetic and corpus worlds are peers behind this seam."""

    name: str

    def fetch(self, url: str) -> Response | Failure: ...

    def close(self) -> None: ...


# ---- what a page says -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutLink:
    """A hyperlink as it stands on a page: canonical absolute URL, anchor, and the text around it.

    The context is what its innermost block element has within 250 characters on each side (crawler.pages.links).
    """

    url: str
    anchor: str
    context: str = ""
    block: int = 0
    division: int = field(default=0, compare=False)
    """Row in ``ParsedPage.divisions`` of the content block that it stands in."""


@dataclass(frozen=True, slots=True)
class Division:
    """A content block of paper 003: what stands in one <div> and in none of its inner ones (trap T18)."""

    text: str
    innermost: bool
    """Whether it has no <div> in it; the paper knows no other blocks."""


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page. ``segments`` are (slot, text) in reading order; each text token stands in exactly one."""

    title: str
    segments: tuple[tuple[str, str], ...]
    text: str
    """The main text, navigation and scripts removed."""
    links: tuple[OutLink, ...]
    published: str | None = None
    """ISO-8601 date where the page tells one."""
    canonical: str | None = None
    """The canonical URL that the page claims for itself (rel=canonical), where it does."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Hyperlinks that are no links to follow, as (what stood there, reason code), for the ledger."""
    divisions: tuple[Division, ...] = field(default=(), compare=False)
    """First what stands in no <div>, then one for each of them; empty for a page that has no markup."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """What a page is worth: R in [0, 1] per vocabulary by the strategy's guide, and the judge's verdict."""

    relevance: Mapping[str, float]
    judged: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class GuideScore:
    """What a page is worth to one guide of a crawl that has several: R per vocabulary, and R of its content blocks."""

    relevance: Mapping[str, float]
    block_scores: Floats | None = None
    """As in Outcome."""


# ---- what a strategy decides and is told ------------------------------------------------------------------------


@dataclass(frozen=True)
class Picks:
    """Links chosen to be fetched next, best first. A tag comes back with the outcome; a move explains the choice."""

    link: Ids
    tag: tuple[int, ...] = ()
    move: tuple[Mapping[str, Any], ...] = ()

    def __len__(self) -> int:
        return len(self.link)


NO_PICKS = Picks(np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class Outcome:
    """What became of one pick. ``page_score`` is None exactly when ``failure`` is a reason code."""

    link: int
    page_score: PageScore | None
    out_links: Ids = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    class_: str | None = None
    """Class of the page, where the crawl has a classifier."""
    block_scores: Floats | None = None
    """R under TK of the content block around each of ``out_links``, shape (m,); None for a page without markup."""
    published: str | None = None
    """Day of publication as YYYY-MM-DD."""
    failure: str | None = None
    tag: int = -1
    innermost: Bools | None = None
    """Whether that content block is an innermost one (trap T18), shape (m,); comes with ``block_scores``."""
    segment_dates: Floats | None = None
    """Day that the text around each of ``out_links`` names, as an ordinal, NaN where it names none; shape (m,)."""
    by_guide: Mapping[str, GuideScore] = field(default_factory=dict)
    """What a mixture's guides think of the page, by their names; empty for a strategy with one guide, or a failure."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How far a crawl is: pages fetched (DP) and the asked limit; ``limit`` 0 means none was asked."""

    fetched: int
    limit: int

    @property
    def complete_rate(self) -> float:
        """com-rate of paper 000, section 5.1: DP over its limit, in [0, 1]; 0 where there is no limit."""
        return min(1.0, self.fetched / self.limit) if self.limit > 0 else 0.0


NOTHING: Mapping[str, Any] = MappingProxyType({})
