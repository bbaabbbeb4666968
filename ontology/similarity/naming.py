"""Look up a concept by its IRI, the end of its IRI, a label or a synonym in any language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ontology.errors import OntocrawlError
from ontology.model import Concept, Ontology
from ontology.terms.wordforms import fold

_NEAR = 0.5
"""Smallest ratio of difflib at which two texts count as similar."""


class UnknownConcept(OntocrawlError, ValueError):  # noqa: N818 - named for what was asked for
    """A name of no concept, or of several; the message lists the closest labels, or the IRIs."""


@dataclass(frozen=True, eq=False)
class Names:
    """Index of the names of an ontology's concepts, built once by ``of`` for many look-ups.

    ``indexes`` are searched in turn: IRIs; labels and ends of IRIs; the same folded; all names folded. Folded means
    that full-width forms, capitals and the script of Chinese do not matter.
    """

    ontology: Ontology
    indexes: tuple[Mapping[str, tuple[Concept, ...]], ...]

    @classmethod
    def of(cls, ontology: Ontology) -> Names:
        """Index the names of an ontology's concepts."""
        labels = [(label, c) for c in ontology.concepts for label in (c.label_zh, c.label_en, _end(c.iri)) if label]
        forms = [(folded_name(form), c) for c in ontology.concepts for _, form in c.forms() if form]
        iris = [(c.iri, c) for c in ontology.concepts]
        tables = (iris, labels, [(folded_name(label), c) for label, c in labels], forms)
        return cls(ontology, tuple(_index(table) for table in tables))

    def find(self, name: str) -> tuple[Concept, ...]:
        """Return the concepts with a name: one, none, or several that match equally well."""
        iris, labels, folded_labels, forms = self.indexes
        folded = folded_name(name)
        for index, key in ((iris, name), (labels, name), (folded_labels, folded), (forms, folded)):
            if key in index:
                return index[key]
        return ()

    def one(self, name: str) -> Concept:
        """Return the only concept with a name. Raises UnknownConcept for none or several."""
        concepts = self.find(name)
        if len(concepts) == 1:
            return concepts[0]
        iri = self.ontology.iri
        if concepts:
            iris = ", ".join(concept.iri for concept in concepts)
            raise UnknownConcept(
                "similarity.ontology_names_concepts_give", iri=iri, name=name, n_concepts=len(concepts), iris=iris
            )
        near = self.nearest(name)
        guess = f"nearest: {', '.join(near)}" if near else "no label is near; `ontology show` lists them"
        raise UnknownConcept("similarity.ontology_no_concept", iri=iri, name=name, guess=guess)

    def nearest(self, name: str, *, n: int = 5) -> list[str]:
        """Find the labels and synonyms most similar to a text.

        A name that contains the text, or is contained in it, counts as similar whatever its length: Chinese terms are
        short.

        Args:
            name: the text.
            n: largest number of names.

        Returns:
            Names by falling similarity (difflib's ratio), names with the same first character first.
        """
        return nearest_names(name, (form for concept in self.ontology.concepts for _, form in concept.forms()), n=n)


def nearest_names(name: str, names: Iterable[str], *, n: int = 5) -> list[str]:
    """Return the names most similar to a text, as `Names.nearest` ranks them.

    >>> nearest_names("滑坡", ["山体滑坡", "泥石流", "塌陷"])
    ['山体滑坡']
    """
    text = folded_name(name)
    rank: dict[str, tuple[float, bool, str]] = {}
    for form in filter(None, names):
        folded = folded_name(form)
        ratio = SequenceMatcher(None, text, folded).ratio()
        if ratio >= _NEAR or (text and (text in folded or folded in text)):
            rank[form] = (-ratio, folded[:1] != text[:1], form)
    return sorted(rank, key=lambda form: rank[form])[:n]


def concept_named(ontology: Ontology, name: str) -> Concept:
    """Return the concept with a name.

    Args:
        ontology: the ontology.
        name: an IRI, the end of an IRI, a label or a synonym.

    Returns:
        The concept.

    Raises:
        UnknownConcept: no concept has the name, or several have.

    >>> flood = Concept("https://example.org/d#FlashFlood", "山洪", "flash flood", alt_zh=("山洪暴发",))
    >>> ontology = Ontology("o", "global", "disasters", "1", flood.iri, (flood,), ())
    >>> concept_named(ontology, "Flash Flood").label, concept_named(ontology, "山洪暴发").label
    ('山洪', '山洪')
    >>> Names.of(ontology).nearest("flash floods")
    ['flash flood']
    """
    return Names.of(ontology).one(name)


def _index(table: Iterable[tuple[str, Concept]]) -> dict[str, tuple[Concept, ...]]:
    index: dict[str, dict[str, Concept]] = {}
    for text, concept in table:
        index.setdefault(text, {})[concept.iri] = concept
    return {text: tuple(concepts.values()) for text, concepts in index.items()}


def _end(iri: str) -> str:
    return iri.rsplit("#", 1)[-1].rsplit("/", 1)[-1]


def folded_name(text: str) -> str:
    """Return a name as names are compared: folded (`ontology.terms.wordforms.fold`), with single blanks."""
    return " ".join(fold(text).split())
