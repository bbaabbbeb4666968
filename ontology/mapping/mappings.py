"""Mappings as values: one row of an SSSOM table, and a set of them with its metadata.

Names follow the SSSOM 1.0 data model (https://w3id.org/sssom). Predicates and justifications are CURIEs of SKOS and of
the Semantic Mapping Vocabulary (https://w3id.org/semapv/vocab/).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ontology.errors import Message

EXACT, CLOSE, BROAD = "skos:exactMatch", "skos:closeMatch", "skos:broadMatch"
LEXICAL = "semapv:LexicalMatching"
BACKGROUND = "semapv:BackgroundKnowledgeBasedMatching"
CURATED = "semapv:ManualMappingCuration"
LABEL, SYNONYM = "rdfs:label", "skos:altLabel"
NOT = "Not"
TOOL = "ontocrawl"


@dataclass(frozen=True, slots=True)
class TermMapping:
    """A mapping from a concept of one ontology to a concept of another; a row of an SSSOM table.

    Attributes:
        subject: IRI of the concept that is mapped.
        subject_label: its preferred label.
        predicate: `EXACT` (both are one concept), `CLOSE` (they share a name, and that does not make them one) or
            `BROAD` (the object is broader than the subject); other SKOS predicates in files of others.
        object: IRI of the concept in the other ontology.
        object_label: its preferred label.
        justification: `LEXICAL` for labels, synonyms and heads, `BACKGROUND` for a lexicon, `CURATED` for a person.
        confidence: estimated probability that the row is right, in [0, 1] (ontology/mapping/alignment.py); None if
        unknown.
        match_string: the name that both share, as it is compared; the head, for a mapping by head.
        subject_field: where the subject has it, `LABEL` or `SYNONYM`.
        object_field: where the object has it.
        comment: why, in words.
        negated: the row says that the mapping does not hold (predicate_modifier "Not").
        others: columns of SSSOM beside these, as (name, value); kept for files.
        where: file and line that the row was read from; no part of its content.
    """

    subject: str
    subject_label: str
    predicate: str
    object: str
    object_label: str
    justification: str = LEXICAL
    confidence: float | None = None
    match_string: str = ""
    subject_field: str = ""
    object_field: str = ""
    comment: str = ""
    negated: bool = False
    others: tuple[tuple[str, str], ...] = ()
    where: str = field(default="", compare=False)

    @property
    def joins(self) -> bool:
        """Whether the row says that subject and object are one concept."""
        return self.predicate == EXACT and not self.negated


@dataclass(frozen=True)
class MappingSet:
    """Mappings from one ontology to another, with the metadata of an SSSOM file.

    Attributes:
        mappings: the rows.
        id: IRI of the set.
        licence: its licence, an IRI.
        subject_source: IRI of the ontology of the subjects; empty for several.
        object_source: IRI of the ontology of the objects; empty for several.
        date: day on which the mappings were made, YYYY-MM-DD; empty if unknown.
        tool_version: version of ontocrawl.
        others: metadata beside these, as (name, value).
    """

    mappings: tuple[TermMapping, ...]
    id: str = ""
    licence: str = ""
    subject_source: str = ""
    object_source: str = ""
    date: str = ""
    tool_version: str = ""
    others: tuple[tuple[str, str], ...] = field(default=())

    def counts(self) -> dict[tuple[str, str, str], int]:
        """Return (predicate, justification, reason) -> number of rows, in descending order of numbers."""
        counted = Counter((m.predicate, m.justification, m.comment) for m in self.mappings)
        return dict(sorted(counted.items(), key=lambda pair: (-pair[1], pair[0])))


def joined_pairs(mappings: Iterable[TermMapping]) -> Iterator[TermMapping]:
    """Yield the rows that make one concept of two: exact, and not denied by another row.

    A row of a person takes precedence: one with the modifier Not denies every row about the same pair.
    """
    rows = list(mappings)
    denied = {frozenset((m.subject, m.object)) for m in rows if m.negated}
    return (m for m in rows if m.joins and frozenset((m.subject, m.object)) not in denied)


def idle(mappings: Sequence[TermMapping], nodes: Mapping[str, str]) -> Iterator[tuple[TermMapping, str]]:
    """Yield the rows that join nothing, each with the reason.

    Args:
        mappings: the rows.
        nodes: IRI of each class, in any ontology, -> IRI of the concept that it is.

    >>> flood, storm = (TermMapping(f"a:{n}", "", EXACT, f"b:{n}", "") for n in ("flood", "storm"))
    >>> [why for _, why in idle([flood, storm], {"a:flood": "b:flood", "b:flood": "b:flood"})]
    ['the prefix a of a:storm is not in the curie_map']
    """
    denied = {frozenset((m.subject, m.object)): m.where for m in mappings if m.negated}
    for row in mappings:
        pair = frozenset((row.subject, row.object))
        unknown = [iri for iri in (row.subject, row.object) if iri not in nodes]
        if unknown:
            prefix = unknown[0].partition(":")[0]
            is_iri = prefix in ("http", "https", "urn") or ":" not in unknown[0]
            undeclared = f"the prefix {prefix} of {unknown[0]} is not in the curie_map"
            yield row, Message("mapping.none_concept", unknown=unknown[0]) if is_iri else undeclared
        elif row.negated:
            continue
        elif row.subject == row.object:
            yield row, "it maps a class to itself"
        elif row.predicate != EXACT:
            yield row, f"{row.predicate} joins nothing; {EXACT} does"
        elif pair in denied:
            yield row, f"it is denied by {denied[pair] or 'another row'}"
        elif nodes[row.subject] != nodes[row.object]:
            yield row, "it would make two classes of one topic one, or one of them was joined with another class before"


_INVERSE = {BROAD: "skos:narrowMatch", "skos:narrowMatch": BROAD}


def turned(mapping: TermMapping) -> TermMapping:
    """Return a mapping with subject and object exchanged.

    >>> turned(TermMapping("a:1", "flood warning", BROAD, "b:1", "warning")).predicate
    'skos:narrowMatch'
    """
    return replace(
        mapping,
        subject=mapping.object,
        subject_label=mapping.object_label,
        predicate=_INVERSE.get(mapping.predicate, mapping.predicate),
        object=mapping.subject,
        object_label=mapping.subject_label,
        subject_field=mapping.object_field,
        object_field=mapping.subject_field,
    )
