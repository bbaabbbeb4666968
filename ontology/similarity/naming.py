"""A concept by what a person calls it: its IRI, the end of its IRI, a label or another name in any language."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ontology.model import Concept, Ontology

_NEAR = 0.5
"""Ratio of difflib from which two texts look alike."""


class UnknownConcept(ValueError):  # noqa: N818 - named for what was asked for
    """A name that no concept has, or that several have; the message names the nearest labels, or the IRIs."""


@dataclass(frozen=True, eq=False)
class Names:
    """What the concepts of an ontology are called. Made once, by ``of``; then many names can be looked up.

    ``indexes`` are asked in turn: IRIs, labels and ends of IRIs, these folded, other names folded. Folded means NFKC
    and case-folded, so that full-width forms and capitals do not matter.
    """

    ontology: Ontology
    indexes: tuple[Mapping[str, tuple[Concept, ...]], ...]

    @classmethod
    def of(cls, ontology: Ontology) -> Names:
        """The names of an ontology's concepts."""
        labels = [(label, c) for c in ontology.concepts for label in (c.label_zh, c.label_en, _end(c.iri)) if label]
        forms = [(_folded(form), c) for c in ontology.concepts for _, form in c.forms() if form]
        iris = [(c.iri, c) for c in ontology.concepts]
        tables = (iris, labels, [(_folded(label), c) for label, c in labels], forms)
        return cls(ontology, tuple(_index(table) for table in tables))

    def find(self, name: str) -> tuple[Concept, ...]:
        """The concepts with a name: one, none, or several of which none has a better claim."""
        iris, labels, folded_labels, forms = self.indexes
        for index, wanted in ((iris, name), (labels, name), (folded_labels, _folded(name)), (forms, _folded(name))):
            if wanted in index:
                return index[wanted]
        return ()

    def one(self, name: str) -> Concept:
        """The one concept with a name. UnknownConcept, with the nearest labels or the IRIs, for none or several."""
        found = self.find(name)
        if len(found) == 1:
            return found[0]
        iri = self.ontology.iri
        if found:
            iris = ", ".join(concept.iri for concept in found)
            raise UnknownConcept(f"ontology {iri}: {name!r} names {len(found)} concepts; give an IRI: {iris}")
        near = self.nearest(name)
        guess = f"nearest: {', '.join(near)}" if near else "no label is near; `ontology show` lists them"
        raise UnknownConcept(f"ontology {iri} has no concept {name!r}; {guess}")

    def nearest(self, name: str, *, n: int = 5) -> list[str]:
        """Up to n labels and other names that look most like a text, best first; then those with the same beginning.

        A name that contains the text, or stands in it, is near however long the rest: Chinese terms are short.
        """
        wanted = _folded(name)
        found: dict[str, tuple[float, bool, str]] = {}
        for form in (form for concept in self.ontology.concepts for _, form in concept.forms() if form):
            folded = _folded(form)
            likeness = SequenceMatcher(None, wanted, folded).ratio()
            if likeness >= _NEAR or (wanted and (wanted in folded or folded in wanted)):
                found[form] = (-likeness, folded[:1] != wanted[:1], form)
        return sorted(found, key=lambda form: found[form])[:n]


def concept_named(ontology: Ontology, name: str) -> Concept:
    """The one concept with an IRI, an IRI's end, a label or another name. Raises UnknownConcept."""
    return Names.of(ontology).one(name)


def _index(table: Iterable[tuple[str, Concept]]) -> dict[str, tuple[Concept, ...]]:
    found: dict[str, dict[str, Concept]] = {}
    for text, concept in table:
        found.setdefault(text, {})[concept.iri] = concept
    return {text: tuple(concepts.values()) for text, concepts in found.items()}


def _end(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
