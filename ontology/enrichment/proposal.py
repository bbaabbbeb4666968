"""A proposal: a new class, another name of a class, or a relation, with the sentences of pages that show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ontology.terms.wordforms import normal

Kind = Literal["concept", "label", "relation"]
"""A term that may be a class; a further name of a class; a relation between two classes."""
Rule = Literal["head", "pattern", "lattice", "mapping", "alias", "cue"]
"""What names the target: the head of the term, a sentence pattern, the lattice of pages and concepts, a mapping to
another ontology, a sentence that gives another name, a cue word between two classes."""


@dataclass(frozen=True, slots=True)
class PageSentence:
    """A sentence of a page.

    Attributes:
        text: the sentence.
        url: URL of the page.
        start, end: offsets in the sentence: of the term; of a relation, from its first name to its last.
        fetched: date and time of the fetch, ISO 8601; empty if unknown.
        run: name of the crawl that fetched it.
    """

    text: str
    url: str
    start: int = 0
    end: int = 0
    fetched: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the pages of one crawl propose for an ontology.

    Attributes:
        kind: "concept", "label" or "relation".
        term: the term; of a relation, the label of its source.
        relation: "subclass_of" for a concept, "synonym" for a label, else the kind of the relation.
        target: IRI of the parent, of the class with that name, or of the other end; None for an unplaced concept.
        target_label: its label.
        source: IRI of the class that a relation is about; None for terms.
        rule: what names the target; None for an unplaced concept.
        reason: the same in words, with what was found ("ends with 滑坡").
        score: the higher, the better; comparable within one crawl.
        pages: number of relevant pages that show it.
        sentences: the best sentences first.
        of_pages: number of relevant pages that were read; 0 if unknown.
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
