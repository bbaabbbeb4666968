"""Data classes of a crawl: responses of a world, parsed pages, and what strategies choose and receive.

Terms (docs/glossary.md): a *link* is known but not fetched, a *page* is fetched. Both have one integer id, the number
of their URL in the order of discovery; a link keeps its id when it becomes a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Counts = NDArray[np.int64]
Tokens = NDArray[np.int32]

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
"""Elements with a weight in some published method; a text belongs to its innermost one (algorithms.md 1.2)."""
SLOTS = tuple(f"{tag}{inside}" for tag in TAGS for inside in ("", "/a"))
"""Position of a text: an element of TAGS, and whether it is in an <a> (GAFC weights anchors separately)."""
SLOT = {name: row for row, name in enumerate(SLOTS)}


# ---- worlds -----------------------------------------------------------------------------------------------------


PAGE_STATUSES = frozenset({200, 203})
"""Statuses of responses whose body is the page; 203 is one that a proxy has changed."""


@dataclass(frozen=True, slots=True)
class Response:
    """Response of a world to one request; redirects are not followed. Header names are lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    partial: str = ""
    """What is wrong with a body that is kept all the same, as browsers show it; empty for a sound one.

    ``incomplete_body: SENTENCE`` where it was cut off or damaged, ``bad_framing: SENTENCE`` where it seems whole and
    what was announced of it is wrong.
    """

    @property
    def is_page(self) -> bool:
        """Whether the body is the page."""
        return self.status in PAGE_STATUSES


@dataclass(frozen=True, slots=True)
class Rendering:
    """What came of a page in a browser, and what that cost."""

    why: str
    """``shell`` or ``challenge``, as the page was marked; ``named`` for a page of a host that the user names."""
    failure: str = ""
    """Reason code why the plain response stays the page; empty where the HTML of the browser is the page."""
    detail: str = ""
    limit: str = ""
    """The limit at which the page was taken as it was: time, requests, bytes or scrolls; empty for none."""
    seconds: float = 0.0
    requests: int = 0
    bytes: int = 0
    """Bytes of the bodies of all responses, decoded."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A request without a usable response. ``reason`` is a short code in snake case, ``detail`` a sentence."""

    url: str
    reason: str
    detail: str = ""
    status: int | None = None
    """Status of the response, where there was one and the reason does not name it."""


class World(Protocol):
    """A source of pages: the live web, a synthetic web or a corpus."""

    name: str

    def fetch(self, url: str) -> Response | Failure:
        """Request one URL."""
        ...

    def close(self) -> None:
        """Release connections and files."""
        ...


# ---- pages ------------------------------------------------------------------------------------------------------


NO_PLACE = (-1, -1)


class OutLink(NamedTuple):
    """A hyperlink of a page: canonical absolute URL, anchor, and the text around it.

    The context is the text of its innermost block element within 250 characters on each side (crawler.pages.parse).
    The journal keeps neither division nor place, and links that differ in these only are equal.
    """

    url: str
    anchor: str
    context: str = ""
    block: int = 0
    division: int = 0
    """Index in ``ParsedPage.divisions`` of the content block that contains it."""
    place: tuple[int, int] = NO_PLACE
    """Where its first anchor begins and ends, as numbers of characters of the page's segments before, without blanks;
    NO_PLACE where that is unknown."""
    kind: str = "anchor"
    """How the page leads there (`crawler.pages.ways.KINDS`)."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OutLink) and self[:4] == other[:4] and self.kind == other.kind

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self[:4])


@dataclass(frozen=True, slots=True)
class Division:
    """A content block of paper 003: the text of one <div> without its inner ones (trap T18)."""

    text: str
    innermost: bool
    """Whether it contains no other <div>; the paper uses only such blocks."""


@dataclass(frozen=True, slots=True)
class Pick:
    """The choice of a link."""

    number: int
    """Number of the pick in the crawl, from 1."""
    link: int
    tag: int = -1
    """The strategy's number of the pick; -1 for a link that it did not choose."""
    priority: float = 0.0
    """Priority in the frontier at the time of the choice."""
    move: Mapping[str, Any] = field(default_factory=dict)
    """The strategy's explanation of the choice."""
    seq: int = -1
    """Number of the event of the choice, of a pick from a journal."""


@dataclass(frozen=True, slots=True)
class DocumentFacts:
    """What a page is that is a document: a PDF or Word file."""

    kind: str
    """``pdf`` or ``docx``."""
    language: str = ""
    """The language that it declares, such as zh-CN; empty for none."""
    page_starts: tuple[int, ...] = ()
    """Where in the main text each of its pages begins; empty where that is unknown."""


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A parsed page. ``segments`` are (slot, text) in reading order; each token is in exactly one."""

    title: str
    segments: tuple[tuple[str, str], ...]
    text: str
    """The main text, navigation and scripts removed."""
    links: tuple[OutLink, ...]
    published: str | None = None
    """ISO-8601 date of publication, None if the page has none."""
    canonical: str | None = None
    """The canonical URL that the page declares (rel=canonical), its own or another; None where it declares none."""
    noindex: bool = False
    """Whether the page asks robots not to use its text."""
    skipped: tuple[tuple[str, str], ...] = ()
    """Hyperlinks that cannot be followed, as (raw text, reason code), for the ledger."""
    scripts: int = 0
    """Number of scripts of a page with nearly no text, which a browser may need to make it; 0 for any other page."""
    shell: bool = False
    """Whether scripts make the page in a browser: few words, a root element of a framework, and scripts."""
    encoding: str | None = None
    """Encoding of its bytes, by Python's name; None for a record of a corpus."""
    confidence: float | None = None
    """In the encoding where it is a guess, in [0, 1]; None where it is declared or proven."""
    divisions: tuple[Division, ...] = field(default=(), compare=False)
    """First the text outside of all <div>, then one block for each <div>; empty for a page without markup."""
    document: DocumentFacts | None = None
    """What it is besides a text, where it is a document."""

    @property
    def length(self) -> int:
        """Characters of all segments."""
        return sum([len(text) for _, text in self.segments])


@dataclass(frozen=True, slots=True)
class TextFigures:
    """Figures of a page's text, besides its counts by slot, for the relevance functions that read them."""

    words: int
    """Number of words of the page (crawler.pages.words)."""
    distinct: int
    """Number of different ones."""
    lead_words: int
    """Number of words at the beginning of its main text that are counted in ``lead``."""
    lead: Counts
    """Counts of the topic words in them, shape (n,)."""


@dataclass(frozen=True, slots=True)
class PageScore:
    """Relevance of a page: the guide's score for each vocabulary, in [0, 1], and the judge's score and decision."""

    relevance: Mapping[str, float]
    judged: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class GuideScore:
    """Relevance of a page by one of several guides: R for each vocabulary, and R of its content blocks."""

    relevance: Mapping[str, float]
    block_scores: Floats | None = None
    """As in Outcome."""


# ---- strategies -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TokenRows:
    """Tokens of several texts, as the rows of a sparse array: those of row i are ``ids[indptr[i]:indptr[i + 1]]``."""

    ids: Tokens
    """Hash of each token, at least 0, in the order of the texts; shape (n,)."""
    indptr: Ids
    """Where each row begins, and the last one ends; shape (rows + 1,)."""
    topic: NDArray[np.float32]
    """Topic weight of each token by TK: the weight of a topic word is shared by its tokens; shape (n,). In a crawl by
    turns by the vector of each class, shape (n, classes)."""

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.indptr) - 1

    def rows(self, rows: Ids) -> TokenRows:
        """Return some of the rows, in the order given."""
        m = np.diff(self.indptr)[rows]
        indptr = np.concatenate(([0], np.cumsum(m)))
        places = np.arange(int(indptr[-1])) + np.repeat(self.indptr[rows] - indptr[:-1], m)
        return TokenRows(self.ids[places], indptr, self.topic[places])

    def by(self, number: int) -> TokenRows:
        """Return the same tokens with their topic weights by one of the vectors of a crawl by turns."""
        return TokenRows(self.ids, self.indptr, self.topic[:, number])


@dataclass(frozen=True)
class Picks:
    """Links to fetch next, best first. The outcome of a pick has its tag; a move explains the choice."""

    link: Ids
    tag: tuple[int, ...] = ()
    move: tuple[Mapping[str, Any], ...] = ()

    def __len__(self) -> int:
        return len(self.link)


NO_PICKS = Picks(np.empty(0, dtype=np.int64))


@dataclass(frozen=True)
class Outcome:
    """Result of one pick. ``page_score`` is None exactly if ``failure`` is a reason code."""

    link: int
    page_score: PageScore | None
    out_links: Ids = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    class_: str | None = None
    """Class of the page, None if the crawl has no classifier."""
    block_scores: Floats | None = None
    """R under TK of the content block of each of ``out_links``, shape (m,); None for a page without markup."""
    published: str | None = None
    """Day of publication as YYYY-MM-DD, None if unknown."""
    failure: str | None = None
    tag: int = -1
    innermost: Bools | None = None
    """Whether that content block is an innermost one (trap T18), shape (m,); set together with ``block_scores``."""
    segment_dates: Floats | None = None
    """Day named in the text around each of ``out_links``, as an ordinal, NaN if none; shape (m,)."""
    tokens: TokenRows | None = None
    """Words of the page in reading order, as one row."""
    anchor_tokens: TokenRows | None = None
    """Words of the anchors of each of ``out_links``, as m rows."""
    context_tokens: TokenRows | None = None
    """Words around the first anchor of each of ``out_links``, at most 15 on either side; none for an unknown place."""
    url_tokens: TokenRows | None = None
    """Words of the URL of each of ``out_links``, and last its directory, as one token."""
    by_guide: Mapping[str, GuideScore] = field(default_factory=dict)
    """Scores of a mixture's guides by name; empty for a strategy with one guide, or a failure."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Progress of a crawl: pages fetched (DP), their limit and that of generations; 0 for no limit.

    >>> Budget(fetched=50, limit=200).complete_rate, Budget(fetched=50, limit=0).complete_rate
    (0.25, 0.0)
    """

    fetched: int
    limit: int
    generations: int = 0
    """Generations that a strategy may form (`Strategy.generation`)."""

    @property
    def complete_rate(self) -> float:
        """com-rate of paper 000, section 5.1: DP over its limit, in [0, 1]; 0 without a limit."""
        return min(1.0, self.fetched / self.limit) if self.limit > 0 else 0.0


NOTHING: Mapping[str, Any] = MappingProxyType({})
