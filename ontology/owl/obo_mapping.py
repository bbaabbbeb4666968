"""The mapping of OBO's statements to OWL, shared by the readers of flat files and of OBO graphs.

OBO has no language tags. A text's language is an annotation of its statement, dcterms:language. The texts that OBO has
tags of its own for (name, definition, synonyms) are Chinese or English without one, as `naming` tells them apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ontology.owl.contents import date_type, is_date
from ontology.owl.naming import language_of
from ontology.owl.triples import Term, Text, Triples, literal
from ontology.owl.vocabulary import (
    AXIOM_ENDS,
    DC,
    DCTERMS,
    DEFINITIONS,
    LANGUAGE,
    OBO,
    OBO_IN_OWL,
    OC,
    OTHER_NAMES,
    OWL,
    RDF,
    RDFS,
    TYPE,
    XSD,
)

Annotation = tuple[str, Term]
"""Property and value of an annotation of a statement."""
WEB = ("http", "https", "urn", "mailto")
SPACES: Mapping[str, str] = {
    "dc": DC.iri,
    "dcterms": DCTERMS.iri,
    "xsd": XSD.iri,
    "rdfs": RDFS.iri,
    "owl": OWL.iri,
    "oboInOwl": OBO_IN_OWL.iri,
}
"""Prefixes that no file has to declare."""
_SLOTS = frozenset({RDFS.label, *OTHER_NAMES, *DEFINITIONS})
"""Properties that OBO has tags of its own for."""
_NUMBERS = {OC.support: XSD.integer, OC.confidence: XSD.double}
_DATES = (DCTERMS.created, DCTERMS.modified)
_FROM_OBO = OBO_IN_OWL.hasOBOFormatVersion
_TAG = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


def iri_of(identifier: str, spaces: Mapping[str, str], ontology: str = "") -> str:
    """Return the IRI of an OBO identifier.

    Args:
        identifier: A:1, an IRI, or a name without a prefix.
        spaces: prefix -> namespace, where it is not that of OBO.
        ontology: name of the ontology, for identifiers without a prefix.

    >>> iri_of("ENVO:01", {}), iri_of("near", {}, "demo")
    ('http://purl.obolibrary.org/obo/ENVO_01', 'http://purl.obolibrary.org/obo/demo#near')
    """
    prefix, colon, local = identifier.partition(":")
    if prefix in WEB or local.startswith("//"):
        return identifier
    if colon and prefix in spaces:
        return spaces[prefix] + local
    return f"{OBO.iri}{prefix}_{local}" if colon else f"{OBO.iri}{ontology or 'unnamed'}#{identifier}"


def with_languages(triples: Triples) -> Triples:
    """Return the triples of an OWL file that another program made of an OBO file, with the languages of its texts."""
    marks: dict[tuple[str | None, str | None, Term], str] = {}
    emptied: set[str] = set()
    for axiom in triples.of_type(OWL.Axiom, OWL.Annotation):
        tags = [tag.value for tag in triples.objects(axiom, LANGUAGE) if isinstance(tag, Text)]
        source, property_ = (triples.node(axiom, end) for end in AXIOM_ENDS[:2])
        for target in triples.objects(axiom, AXIOM_ENDS[2]):
            if tags and isinstance(target, Text) and _TAG.fullmatch(tags[0]):
                marks[source, property_, target] = tags[0]
                if set(triples.predicates(axiom)) == {TYPE, *AXIOM_ENDS, LANGUAGE}:
                    emptied.add(axiom)
    of_obo = any(triples.pairs(OC.kind)) and bool(marks or any(triples.pairs(_FROM_OBO)))
    if not marks and not of_obo:
        return triples
    restored = Triples()
    for subject, predicate, value in triples:
        if subject in emptied:
            continue
        end = subject, predicate
        if predicate == AXIOM_ENDS[2]:
            end = triples.node(subject, AXIOM_ENDS[0]) or "", triples.node(subject, AXIOM_ENDS[1]) or ""
        if isinstance(value, Text) and not value.language and not value.datatype:
            tag = marks.get((*end, value), language_of(value) if of_obo and end[1] in _SLOTS else "")
            restored.add(subject, predicate, literal(value.value, tag, None))
        else:
            restored.add(subject, predicate, value)
    restored.mended.update(triples.mended)
    restored.left.update(triples.left)
    return restored


def _typed(property_: str, value: Term) -> Term:
    """Return a value with the datatype that our vocabulary gives it; OBO keeps few datatypes."""
    if not isinstance(value, Text) or value.language or value.datatype:
        return value
    if property_ in _DATES and is_date(value.value):
        return Text(value.value, "", XSD.iri + date_type(value.value, property_))
    return Text(value.value, "", _NUMBERS.get(property_, ""))


def language_mark(text: Text, *, is_slot: bool) -> list[Annotation]:
    """Return the annotation that tells the language of a text, or none where none is needed.

    Args:
        text: a text.
        is_slot: OBO has a tag of its own for the statement.
    """
    if not text.language or (is_slot and text.language == "en" and language_of(Text(text.value)) == "en"):
        return []
    return [(LANGUAGE, Text(text.language))]


class Builder:
    """Triples while they are made of OBO's statements; blank nodes are numbered."""

    def __init__(self) -> None:
        self.triples = Triples()
        self._blanks = 0

    def blank(self) -> str:
        """Return a new blank node."""
        self._blanks += 1
        return f"_:o{self._blanks}"

    def some(self, property_: str, filler: str) -> str:
        """Return a new node for the things with some values of a property from a class.

        Args:
            property_: IRI of the property.
            filler: IRI of the class.
        """
        node = self.blank()
        self.triples.add(node, TYPE, OWL.Restriction)
        self.triples.add(node, OWL.onProperty, property_)
        self.triples.add(node, OWL.someValuesFrom, filler)
        return node

    def combined(self, subject: str, parts: list[str], by: str = OWL.intersectionOf) -> None:
        """Define a class as the intersection (or union) of parts.

        Args:
            subject: IRI of the class.
            parts: nodes.
            by: IRI of what combines them.
        """
        whole, links = self.blank(), [self.blank() for _ in parts]
        self.triples.add(subject, OWL.equivalentClass, whole)
        self.triples.add(whole, TYPE, OWL.Class)
        self.triples.add(whole, by, links[0])
        for link, part, after in zip(links, parts, [*links[1:], RDF.nil], strict=True):
            self.triples.add(link, RDF.first, part)
            self.triples.add(link, RDF.rest, after)

    def stated(
        self, subject: str, property_: str, value: Term, annotations: Sequence[Annotation], *, is_slot: bool = False
    ) -> None:
        """Add a triple with its annotations, one of which may be the language of the text.

        Args:
            subject: IRI of a class.
            property_: IRI of a property.
            value: object of the triple.
            annotations: of the statement.
            is_slot: OBO has a tag of its own for the statement; a text without language is Chinese or English.
        """
        if isinstance(value, Text) and not value.datatype:
            tags = [
                tag for p, tag in annotations if p == LANGUAGE and isinstance(tag, Text) and _TAG.fullmatch(tag.value)
            ]
            if tags:
                value = literal(value.value, tags[0].value, None)
                annotations = [row for row in annotations if row != (LANGUAGE, tags[0])]
            elif is_slot:
                value = Text(value.value, language_of(value))
        value = _typed(property_, value)
        self.triples.add(subject, property_, value)
        if annotations:
            axiom = self.blank()
            self.triples.add(axiom, TYPE, OWL.Axiom)
            for end, node in zip(AXIOM_ENDS, (subject, property_, value), strict=True):
                self.triples.add(axiom, end, node)
            for property_of_axiom, said in annotations:
                self.triples.add(axiom, property_of_axiom, _typed(property_of_axiom, said))

    def named(self, subject: str, name: str, annotations: Sequence[Annotation] = ()) -> None:
        """Add the name of a term, unless a label repeats it; to be called after all other statements.

        Args:
            subject: IRI of a class.
            name: its name.
            annotations: of the statement.
        """
        labels = (o for o in self.triples.objects(subject, RDFS.label) if isinstance(o, Text))
        if annotations or all(label.value != name for label in labels):
            self.stated(subject, RDFS.label, Text(name), annotations, is_slot=True)
