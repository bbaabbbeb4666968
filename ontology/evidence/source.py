"""The common interface of all sources of evidence: documents and terms in, claims out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ontology.context import FormalContext
from ontology.evidence.claims import Claim
from ontology.evidence.compounds import Compounds
from ontology.evidence.heads import MIN_ELSEWHERE, Heads
from ontology.evidence.skeleton import EMPTY_SKELETON, Skeleton
from ontology.model import Document
from ontology.terms.lexicon import EMPTY, Lexicon
from ontology.terms.occurrences import incidence, text_en, text_zh
from ontology.terms.wordforms import fold


@dataclass(frozen=True)
class TermCorpus:
    """A corpus with its terms.

    Args:
        documents: the documents; may be empty: some sources use names only.
        terms: the terms, as found by `ontology.terms`.
        lexicon: synonyms, and English forms of terms.
        upper_classes: the curated classes that terms may be placed under.
        names: every keyword and candidate of the corpus, not only the terms -> the number of its documents
            (`ontology.terms.TermStudy.names`). Heads and suffixes are counted over these.
        black: folded names that are no classes, whatever the evidence.
        heads_elsewhere: head -> number of names of other fields that end with it.
    """

    documents: Sequence[Document]
    terms: Sequence[str]
    lexicon: Lexicon = EMPTY
    upper_classes: Skeleton = EMPTY_SKELETON
    names: Mapping[str, int] = field(default_factory=dict)
    black: Collection[str] = frozenset()
    heads_elsewhere: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def labels(self) -> dict[str, None]:
        """The terms and the labels of the upper classes, each once: the possible subjects of a claim."""
        return dict.fromkeys((*self.terms, *(c.label for c in self.upper_classes.classes)))

    @cached_property
    def context(self) -> FormalContext:
        """The formal context of documents x terms. Raises ContextError for an empty one."""
        pairs = incidence(self.documents, self.terms, self.lexicon)
        return FormalContext.from_pairs(pairs, [d.id for d in self.documents], self.terms)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        return tuple(fold(text_zh(d)) for d in self.documents)

    @cached_property
    def compounds(self) -> Compounds:
        """The names of the corpus, the terms among them, as compounds."""
        keywords = (keyword for document in self.documents for keyword in document.keywords)
        names = dict.fromkeys(self.terms, 1) | dict(self.names)
        return Compounds(names, keywords, self._texts, [text for d in self.documents if (text := text_en(d).strip())])

    @cached_property
    def heads(self) -> Heads:
        """The heads among the names of the corpus."""
        classes = [c.label for c in self.upper_classes.classes]
        return Heads(self.compounds, self.terms, classes, self.lexicon, self.black, self.heads_elsewhere)

    def alone(self, labels: Iterable[str]) -> frozenset[str]:
        """Return the labels that stand for themselves: as a name, twice as a noun without a modifier, or elsewhere."""
        folded = {label: fold(label) for label in labels}
        names, free = self.compounds.names, self.compounds.use.free
        return frozenset(
            label
            for label, word in folded.items()
            if word in names or free[word] > 1 or self.heads_elsewhere.get(word, 0) >= MIN_ELSEWHERE
        )

    def documents_with(self, words: Sequence[str]) -> int:
        """Return the bitset of the documents with one of some Chinese words in title, abstract or keywords."""
        folded = [fold(word) for word in words]
        return sum(1 << i for i, text in enumerate(self._texts) if any(word in text for word in folded))


@dataclass(frozen=True)
class EvidenceSource:
    """One source of evidence.

    Args:
        name: name of the source.
        claims: function of the corpus and the claims of earlier sources (for one that only confirms others); returns
            the claims of this source.
        topic_concepts: terms to include whatever their rank, and to keep without a broader one -> the reason.
        notes: remarks for the user.
    """

    name: str
    claims: Callable[[TermCorpus, Sequence[Claim]], Sequence[Claim]]
    topic_concepts: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
