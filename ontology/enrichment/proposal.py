"""A proposal: a new class, another name of a class, or a relation, with the sentences of pages that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self, get_args

from ontology.terms.wordforms import normal

Kind = Literal["concept", "label", "relation"]
"""A term that may be a class; a further name of a class; a relation between two classes."""
Rule = Literal["head", "pattern", "lattice", "mapping", "alias", "cue"]
"""What names the target: the head of the term, a sentence pattern, the lattice of pages and concepts, a mapping to
another ontology, a sentence that gives another name, a cue word between two classes."""
Status = Literal["proposed", "accepted", "rejected"]
"""What persons decided about a proposal; "proposed" where nobody did."""
STATUSES: tuple[Status, ...] = get_args(Status)


@dataclass(frozen=True, slots=True)
class PageSentence:
    """A sentence of a page.

    Attributes:
        text: the sentence.
        url: URL of the page.
        start, end: offsets in the sentence: of the term; of a relation, from its first name to its last.
        fetched: date and time of the fetch, ISO 8601; empty if unknown.
        run: name of the crawl that fetched it.
        page_number: number of the page of a document that it is on; None where that is unknown, and for other pages.
    """

    text: str
    url: str
    start: int = 0
    end: int = 0
    fetched: str = ""
    run: str = ""
    page_number: int | None = None


@dataclass(frozen=True, slots=True)
class Support:
    """What one crawl says for a proposal.

    Attributes:
        score: its score in that crawl.
        pages: number of relevant pages of the crawl that show it.
        rank: its place in the crawl's list, from 1.
        of_pages: number of relevant pages of the crawl that were read; 0 if unknown.
    """

    score: float
    pages: int
    rank: int = 0
    of_pages: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the pages of one crawl, or of several, propose for an ontology. Two that say the same are equal.

    Attributes:
        kind: "concept", "label" or "relation".
        term: the term; of a relation, the label of its source.
        relation: "subclass_of" for a concept, "synonym" for a label, else the kind of the relation.
        target: IRI of the parent, of the class with that name, or of the other end; None for an unplaced concept.
        target_label: its label.
        source: IRI of the class that a relation is about; None for terms.
        rule: what names the target; None for an unplaced concept.
        reason: the same in words, with what was found ("ends with 滑坡").
        score: the higher, the better; comparable within one crawl. Of several crawls the largest one.
        pages: number of relevant pages that show it, in the crawl where most do: crawls may share pages.
        sentences: the best sentences first.
        of_pages: number of relevant pages of that crawl that were read; 0 if unknown.
        id: TOPIC/KEY, unique in the workspace; empty before it is one for a topic.
        crawls: run -> what it says for the proposal.
        status: what was decided about it.
        places: labels of the classes that a term which waits for a place may be below, best first; of others none.
    """

    kind: Kind
    term: str
    relation: str
    target: str | None
    target_label: str | None
    score: float
    pages: int
    sentences: tuple[PageSentence, ...]
    source: str | None = None
    rule: Rule | None = None
    reason: str = ""
    of_pages: int = 0
    id: str = field(default="", compare=False)
    crawls: Mapping[str, Support] = field(default_factory=dict, compare=False)
    status: Status = field(default="proposed", compare=False)
    places: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Self:
        """Return the proposal that `row` wrote. Raises LookupError or TypeError for another row."""
        return cls(**{**row, "sentences": tuple(PageSentence(**sentence) for sentence in row["sentences"])})

    @property
    def row(self) -> dict[str, Any]:
        """What is proposed, as JSON values: the form of the files of a topic."""
        left_out = ("id", "crawls", "status", "places")
        return {name: value for name, value in asdict(self).items() if name not in left_out}

    @property
    def topic(self) -> str:
        """Name of the topic."""
        return self.id.partition("/")[0]

    @property
    def sentence(self) -> str:
        """The best sentence; empty if none is left."""
        return self.sentences[0].text if self.sentences else ""

    @property
    def distinct_sentences(self) -> tuple[PageSentence, ...]:
        """The sentences, one that several crawls have read on a page only once."""
        found: dict[tuple[str, str], PageSentence] = {}
        for sentence in self.sentences:
            found.setdefault((sentence.url, sentence.text), sentence)
        return tuple(found.values())

    @property
    def page(self) -> str:
        """URL of the page with it."""
        return self.sentences[0].url if self.sentences else ""

    @property
    def key(self) -> str:
        """What makes two proposals for one ontology the same: the term, or the relation with both ends, normalised.

        >>> Proposal("concept", "Storm  Surges", "subclass_of", None, None, 1.0, 2, ()).key
        'storm_surges'
        >>> Proposal("relation", "暴雨", "causes", "#W", "内涝", 1.0, 2, (), source="#R").key
        '暴雨:causes:内涝'
        """
        parts = [self.term] if self.kind != "relation" else [self.term, self.relation, self.target_label or ""]
        return ":".join(normal(" ".join(part.split())).replace(" ", "_") for part in parts)
