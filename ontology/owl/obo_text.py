"""Triples to an OBO flat file (OBO Flat File Format 1.4), in a fixed order; `obo` reads it.

Texts that the tag of their own cannot hold (blanks at an end, a name without words) are property values. The language
of a text and the evidence of an edge are qualifiers, as `obo_mapping` has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ontology.owl import turtle
from ontology.owl.naming import language_of
from ontology.owl.obo_mapping import SPACES, WEB, Annotation, iri_of, language_mark
from ontology.owl.triples import Axioms, Term, Text, Triples, is_blank, is_iri, lexical
from ontology.owl.turtle import SAFE
from ontology.owl.vocabulary import (
    AXIOM_ENDS,
    BORROWED,
    BORROWED_IF_USED,
    DEFINITIONS,
    EXTRA_PREFIXES,
    OBO,
    OBO_IN_OWL,
    OC,
    OTHER_NAMES,
    OWL,
    PREFIXES,
    PROV,
    RDFS,
    REPLACED_BY,
    SCOPES,
    SKOS,
    TYPE,
    XREF,
    XSD,
    OwlError,
    local_part,
    namespace_of,
)

_BUILT_IN = {OBO_IN_OWL.iri, OWL.iri, RDFS.iri, XSD.iri}
"""Namespaces whose prefixes every reader of OBO knows."""
_NOT_IN_OWL_2 = (XSD.date,)
"""Datatypes that readers by OWL 2 refuse; a text is written instead."""
_STANZAS = {
    OWL.Class: "Term", OWL.ObjectProperty: "Typedef", OWL.AnnotationProperty: "Typedef",
    OWL.NamedIndividual: "Instance",
}  # fmt: skip
_TAGS = {
    RDFS.comment: "comment", OBO_IN_OWL.hasOBONamespace: "namespace", OWL.disjointWith: "disjoint_from",
    OBO_IN_OWL.consider: "consider", TYPE: "instance_of",
}  # fmt: skip
"""Tags of a stanza for properties that have one."""
_TAG_NAME = re.compile(r"[a-z][a-z_-]*")
_OTHER_TAGS = frozenset({
    "id", "name", "def", "comment", "namespace", "xref", "synonym", "is_a", "is_obsolete", "relationship",
    "replaced_by",
    "intersection_of", "union_of", "equivalent_to", "disjoint_from", "consider", "instance_of", "property_value",
    "is_metadata_tag", "ontology", "idspace", "import", "remark", "data", "format",
})  # fmt: skip
"""Tags that mean something else than the property of their name in oboInOwl."""
_QUOTED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\n", "\t": "\\t"}
_PLAIN = {"\\": "\\\\", "!": "\\!", "{": "\\{", "}": "\\}", "\n": "\\n", "\t": "\\t"}
_OBO_LOCAL = re.compile(r"([A-Za-z][A-Za-z0-9]*)_([A-Za-z0-9]+)")
_OBO_FILE = re.compile(re.escape(OBO.iri) + r"([A-Za-z][A-Za-z0-9_-]*)\.owl")
LINE_ENDS = "carriage return in a text, written as a line feed"


def serialise(triples: Triples) -> str:
    """Return a flat file."""
    return "".join(f"{line}\n" for line in _Writer(list(records(triples))).lines())


def left_out(triples: Triples) -> dict[str, int]:
    """Count what the format cannot hold, by reason; it has no sign for a carriage return."""
    count = sum(isinstance(value, Text) and "\r" in value.value for _, _, value in triples)
    return left_out_of_records(triples) | ({LINE_ENDS: count} if count else {})


class _Writer:
    def __init__(self, found: list[Record]) -> None:
        self._header, *self._records = found
        self._declared = self._spaces()
        self._known = dict(SPACES) | self._declared
        self._prefixes = {space: prefix for prefix, space in self._known.items()}

    def lines(self) -> Iterator[str]:
        """Yield the lines of the file. The version stands twice: OWL tools make no owl:versionInfo of data-version."""
        yield "format-version: 1.4"
        version = next((lexical(s.value) for s in self._header.values if s.property == OWL.versionInfo), "")
        if _is_plain(version):
            yield f"data-version: {_plain(version)}"
        for prefix, space in self._declared.items():
            yield f'idspace: {prefix} {space} ""'
        file = _OBO_FILE.fullmatch(self._header.iri)
        yield f"ontology: {file.group(1) if file else self._header.iri}"
        for statement in self._header.values:
            if statement.property == RDFS.comment and _is_bare(statement) and isinstance(statement.value, Text):
                yield f"remark: {_plain(statement.value.value)}"
            elif _is_tag(statement):
                yield f"{local_part(statement.property)}: {_plain(lexical(statement.value))}"
            elif statement.property == OWL.imports and isinstance(statement.value, str):
                yield f"import: {statement.value}"
            elif statement.property != OWL.versionIRI:
                yield self._property(statement)
        for record in self._records:
            yield ""
            yield f"[{_STANZAS[record.kind]}]"
            yield f"id: {self._id(record.iri)}"
            if record.kind == OWL.AnnotationProperty:
                yield "is_metadata_tag: true"
            yield from self._statements(record)

    def _spaces(self) -> dict[str, str]:
        """Return prefix -> namespace of the properties, and of the classes whose IRIs have a plain end."""
        statements = [s for r in (self._header, *self._records) for s in r.statements()]
        properties = {s.property for s in statements} | {p for s in statements for p, _ in s.annotations}
        used = {namespace_of(iri) for iri in properties} - _BUILT_IN
        known = {space: prefix for prefix, space in (*PREFIXES.items(), *EXTRA_PREFIXES.items()) if space != OBO.iri}
        found = {known[space]: space for space in sorted(used & known.keys())}
        counts = Counter(namespace_of(r.iri) for r in self._records if SAFE.fullmatch(local_part(r.iri)))
        for space, _ in sorted(counts.items(), key=lambda row: (-row[1], row[0])):
            if space == OBO.iri or space in found.values() or space in SPACES.values() or ":" not in space:
                continue
            named = re.sub(r"[^A-Za-z0-9]", "", local_part(space.rstrip("/#")))
            prefix = named if re.match("[A-Za-z]", named) else f"ns{named}"
            taken = found.keys() | SPACES.keys() | set(WEB)
            number = 2
            while prefix in taken:
                prefix, number = f"{named or 'ns'}{number}", number + 1
            found[prefix] = space
        return found

    def _id(self, iri: str) -> str:
        """Return an identifier: with a prefix where that gives the IRI again, else the IRI itself."""
        local = local_part(iri)
        prefix = self._prefixes.get(namespace_of(iri))
        obo = _OBO_LOCAL.fullmatch(local) if namespace_of(iri) == OBO.iri else None
        short = f"{obo.group(1)}:{obo.group(2)}" if obo else f"{prefix}:{local}" if prefix else ""
        is_safe = SAFE.fullmatch(local) and iri_of(short, self._known) == iri
        return short if short and is_safe else iri

    def _statements(self, record: Record) -> Iterator[str]:
        if record.name and _is_plain(record.name.value):
            yield f"name: {_plain(record.name.value)}"
        elif record.name:
            marks = language_mark(record.name, is_slot=False)
            yield self._property(Statement(RDFS.label, record.name, marks))
        if record.definition:
            yield f"def: {_quoted(record.definition.value)} {self._sources(record.definition)}"
        for scope, synonym in record.synonyms:
            kind = next((lexical(o) for p, o in synonym.annotations if p == OBO_IN_OWL.hasSynonymType), "")
            word = f" {_word(kind)}" if kind and _is_plain(kind) and kind not in _SCOPE_NAMES else ""
            yield f"synonym: {_quoted(synonym.value)} {scope}{word} {self._sources(synonym, bool(word))}"
        for xref in record.xrefs:
            text = lexical(xref.value)
            if not _is_plain(text):
                yield self._property(xref)
                continue
            said = [o for p, o in xref.annotations if p == RDFS.label and isinstance(o, Text) and _is_untagged(o)][:1]
            rest = [row for row in xref.annotations if row != (RDFS.label, *said)]
            yield f"xref: {_word(text)}" + "".join(f" {_quoted(words)}" for words in said) + self._marks(rest)
        for statement in record.values:
            yield self._tagged(record, statement)
        for link in record.parents:
            is_a = link.property == RDFS.subClassOf
            relation = "is_a:" if is_a else f"relationship: {self._id(link.property)}"
            yield f"{relation} {self._id(lexical(link.value))}{self._marks(link.annotations)}"
        for tag, parts in record.parts:
            for property_, target in parts:
                yield f"{tag}: " + f"{self._id(property_)} " * bool(property_) + self._id(target)
        for link in record.equivalents:
            yield f"equivalent_to: {self._id(lexical(link.value))}{self._marks(link.annotations)}"
        if record.is_deprecated:
            yield "is_obsolete: true"
        for iri in record.replaced_by:
            yield f"replaced_by: {self._id(iri)}"

    def _sources(self, statement: Statement, has_type: bool = False) -> str:
        """Return the sources of a text in brackets, and its other annotations as qualifiers."""
        listed = [o.value for p, o in statement.annotations if p == XREF and isinstance(o, Text) and _is_source(o)]
        taken = {(XREF, Text(text)) for text in listed}
        rest = [
            row for row in statement.annotations
            if row not in taken and not (has_type and row[0] == OBO_IN_OWL.hasSynonymType)
        ]  # fmt: skip
        return f"[{', '.join(map(_source, listed))}]{self._marks(rest)}"

    def _tagged(self, record: Record, statement: Statement) -> str:
        """Return a statement by the tag that OBO has for its property, or else as a property value."""
        property_, value, marks = statement.property, statement.value, self._marks(statement.annotations)
        tag = _TAGS.get(property_, "")
        if property_ == RDFS.subPropertyOf and record.kind == OWL.ObjectProperty and isinstance(value, str):
            return f"is_a: {self._id(value)}{marks}"
        if tag and tag != "instance_of" and isinstance(value, str) == (tag in ("disjoint_from", "consider")):
            if isinstance(value, str):
                return f"{tag}: {self._id(value)}{marks}"
            if _is_bare(statement) and _is_untagged(value):
                return f"{tag}: {_plain(value.value)}{marks}"
        if tag == "instance_of" and record.kind == OWL.NamedIndividual and isinstance(value, str):
            return f"{tag}: {self._id(value)}{marks}"
        if _is_tag(statement):
            return f"{local_part(property_)}: {_plain(lexical(value))}"
        return self._property(statement)

    def _property(self, statement: Statement) -> str:
        value, marks = statement.value, self._marks(statement.annotations)
        if isinstance(value, str):
            return f"property_value: {self._id(statement.property)} {self._id(value)}{marks}"
        type_ = self._id(value.datatype if value.datatype not in ("", *_NOT_IN_OWL_2) else XSD.string)
        return f"property_value: {self._id(statement.property)} {_quoted(value)} {type_}{marks}"

    def _marks(self, annotations: Sequence[Annotation]) -> str:
        rows = ", ".join(f"{self._id(property_)}={_quoted(value)}" for property_, value in annotations)
        return f" {{{rows}}}" if rows else ""


_SCOPE_NAMES = ("EXACT", "BROAD", "NARROW", "RELATED")


def _is_untagged(text: Text) -> bool:
    return not text.language and not text.datatype


def _is_bare(statement: Statement) -> bool:
    """Return whether a text can stand as the value of a tag, without quotation marks."""
    return _is_plain(lexical(statement.value)) and not statement.annotations


def _is_tag(statement: Statement) -> bool:
    """Return whether a statement of oboInOwl can be a tag of its name."""
    name, value = local_part(statement.property), statement.value
    is_name = namespace_of(statement.property) == OBO_IN_OWL.iri and _TAG_NAME.fullmatch(name) is not None
    is_other = name in _OTHER_TAGS or name.startswith("xref_") or name.endswith("synonym")
    return is_name and not is_other and isinstance(value, Text) and _is_untagged(value) and _is_bare(statement)


def _is_source(text: Text) -> bool:
    """Return whether a text can stand in the list of sources."""
    return _is_untagged(text) and _is_plain(text.value) and "\n" not in text.value


def _source(text: str) -> str:
    return "".join(f"\\{c}" if c in '\\,"]{}[' else c for c in text)


def _is_plain(text: str) -> bool:
    """Return whether a value can stand without quotation marks."""
    return bool(text) and text == text.strip() and "\r" not in text


def _escaped(text: str, escapes: Mapping[str, str]) -> str:
    return "".join(escapes.get(character, character) for character in text)


def _plain(text: str) -> str:
    return _escaped(text, _PLAIN)


def _quoted(value: str | Text) -> str:
    return f'"{_escaped(lexical(value), _QUOTED)}"'


def _word(text: str) -> str:
    """Return a value as one word: blanks are escaped."""
    escapes = _PLAIN | {'"': '\\"', "[": "\\[", " ": "\\W"}
    return "".join(escapes.get(c, f"\\{c}" if c.isspace() else c) for c in text)


# ---- what OBO formats say of an ontology, one record for each thing: the inverse of `obo_mapping`, for their writers
#
# A record has the statements that OBO has tags of its own for (its slots: name, definition, synonyms with their
# scope, xrefs, is_obsolete, is_a, relationships, equivalent classes); everything else is a property with a value. One
# label and one definition fill the slot, the English one if there is one; those in other languages are properties.


KINDS = (OWL.Ontology, OWL.ObjectProperty, OWL.Class, OWL.AnnotationProperty, OWL.NamedIndividual)
_OURS = frozenset({*BORROWED, *BORROWED_IF_USED})
DEFINITION = OBO.IAO_0000115
_LANGUAGES = ("en", "zh")
_SLOTS = {
    TYPE, RDFS.label, *OTHER_NAMES, *DEFINITIONS, XREF, OWL.deprecated, RDFS.subClassOf,
    OWL.equivalentClass, *REPLACED_BY,
}  # fmt: skip


_ORIGIN = (PROV.wasGeneratedBy, PROV.wasDerivedFrom)


@dataclass(frozen=True, slots=True)
class Statement:
    """A property and its value, with annotations; the language of a text is one of them."""

    property: str
    value: Term
    annotations: Sequence[Annotation] = ()


@dataclass(slots=True)
class Record:
    """One thing of an ontology; ``kind`` is one of `KINDS`."""

    iri: str
    kind: str
    name: Text | None = None
    definition: Statement | None = None
    synonyms: list[tuple[str, Statement]] = field(default_factory=list)
    """(EXACT, BROAD, NARROW or RELATED, the synonym)."""
    xrefs: list[Statement] = field(default_factory=list)
    is_deprecated: bool = False
    replaced_by: list[str] = field(default_factory=list)
    """IRIs only."""
    values: list[Statement] = field(default_factory=list)
    parents: list[Statement] = field(default_factory=list)
    """rdfs:subClassOf a class, or else a property and the class of its values."""
    equivalents: list[Statement] = field(default_factory=list)
    parts: list[tuple[str, list[tuple[str, str]]]] = field(default_factory=list)
    """intersection_of or union_of, with (property or "", class) of each part; at most one of each."""

    def statements(self) -> Iterator[Statement]:
        """Yield all statements that may have annotations."""
        yield from (s for s in (self.definition, *(synonym for _, synonym in self.synonyms)) if s)
        yield from (*self.xrefs, *self.values, *self.parents, *self.equivalents)
        yield from (Statement(property_, target) for _, parts in self.parts for property_, target in parts if property_)


def records(triples: Triples) -> Iterator[Record]:
    """Yield the header, then properties, classes and individuals by IRI; our annotation properties are left out.

    Args:
        triples: those of `graph.to_triples`.

    Raises:
        OwlError: an IRI cannot be told from an OBO identifier.
    """
    axioms = triples.annotated()
    header = next((subject for subject, _ in triples.pairs(OC.kind)), "")
    for subject in turtle.subjects(triples):
        kind = next((kind for kind in KINDS if kind in triples.objects(subject, TYPE)), "")
        if kind == OWL.Ontology and header and subject != header:
            continue
        if kind == OWL.AnnotationProperty and (subject in _OURS or subject.startswith(OC.iri)):
            continue
        if kind and not is_blank(subject):
            if iri_of(subject, {}) != subject and kind in KINDS[3:]:
                continue
            if iri_of(subject, {}) != subject:
                raise OwlError("owl.would_identifier_prefix_obo", subject=subject)
            yield _record(triples, axioms, subject, kind)


def left_out_of_records(triples: Triples) -> dict[str, int]:
    """Count what no record holds, by reason: the build that axioms are from, and candidates of definitions."""
    counts = {
        "origin of an axiom (PROV-O)": sum(
            any(triples.objects(axiom, p) for p in _ORIGIN) for axiom in triples.of_type(OWL.Axiom)
        ),
        "candidate of a definition": sum(1 for _ in triples.pairs(OC.definitionCandidate)),
    }
    return {reason: count for reason, count in counts.items() if count}


def _record(triples: Triples, axioms: Axioms, iri: str, kind: str) -> Record:
    made = Record(iri, kind)
    _add_label(made, _texts(triples, iri, RDFS.label))
    told = {text: property_ for property_ in DEFINITIONS for text in _texts(triples, iri, property_)}
    _add_definition(made, sorted(told), lambda text: _noted(triples, axioms, iri, DEFINITIONS, text))
    made.synonyms = list(_synonyms(triples, axioms, iri))
    for value in triples.objects(iri, XREF):
        if isinstance(value, Text):
            made.xrefs.append(Statement(XREF, value, _noted(triples, axioms, iri, (XREF,), value)))
    made.xrefs.sort(key=lambda statement: lexical(statement.value))
    made.is_deprecated = bool(triples.objects(iri, OWL.deprecated))
    for value in triples.objects(iri, REPLACED_BY[0]):
        if isinstance(value, Text):
            made.values.append(Statement(REPLACED_BY[0], value))
        else:
            made.replaced_by.append(value)
    for predicate, value in turtle.ordered_statements(triples, iri):
        if predicate in (RDFS.subClassOf, OWL.equivalentClass):
            rows = made.parents if predicate == RDFS.subClassOf else made.equivalents
            for axiom in axioms.get((iri, predicate, str(value)), [""]):
                link = _link(triples, predicate, str(value), axiom)
                rows += [link] if link else []
            _add_parts(made, triples, predicate, value)
        elif is_blank(value) or predicate == OC.definitionCandidate:
            continue
        elif predicate not in _SLOTS or (predicate == XREF and isinstance(value, str)):
            notes = _noted(triples, axioms, iri, (predicate,), value)
            marks = language_mark(value, is_slot=False) if isinstance(value, Text) else []
            made.values.append(Statement(predicate, value, [*marks, *notes]))
        elif predicate == TYPE and kind == OWL.NamedIndividual and value != OWL.NamedIndividual:
            made.values.append(Statement(predicate, value))
    return made


def _noted(triples: Triples, axioms: Axioms, iri: str, predicates: Collection[str], value: Term) -> list[Annotation]:
    """Return the annotations of a statement, whichever of the properties it is made by."""
    found = [
        (p, o) for predicate in predicates for axiom in axioms.get((iri, predicate, value), ())
        for p, o in turtle.ordered_statements(triples, axiom) if p not in (TYPE, *AXIOM_ENDS, *_ORIGIN)
    ]  # fmt: skip
    return list(dict.fromkeys(row for row in found if not is_blank(row[1])))


def _synonyms(triples: Triples, axioms: Axioms, iri: str) -> Iterator[tuple[str, Statement]]:
    scopes: dict[Text, list[str]] = {}
    for scope, property_ in SCOPES.items():
        for text in _texts(triples, iri, property_):
            scopes.setdefault(text, []).append(scope.upper())
    exact = {text for p in (SKOS.altLabel, OBO_IN_OWL.hasExactSynonym) for text in _texts(triples, iri, p)}
    for text in sorted({*exact, *scopes}):
        for name in scopes.get(text, ["EXACT"]):
            property_ = OBO_IN_OWL.iri + synonym_property(name)
            notes = _noted(triples, axioms, iri, (property_, SKOS.altLabel), text)
            yield name, Statement(property_, text, [*language_mark(text, is_slot=True), *notes])


def _add_parts(made: Record, triples: Triples, predicate: str, value: Term) -> None:
    """Fill the slots of a defining intersection or union, if there is none yet and all parts can be named."""
    if predicate != OWL.equivalentClass or not is_blank(value):
        return
    for tag, by in (("intersection_of", OWL.intersectionOf), ("union_of", OWL.unionOf)):
        members = triples.members(triples.node(str(value), by))
        parts = [("", node) if is_iri(node) else _some(triples, node) for node in members]
        if len(parts) > 1 and all(parts) and tag not in dict(made.parts):
            made.parts.append((tag, [part for part in parts if part]))


def _some(triples: Triples, node: str) -> tuple[str, str] | None:
    """Return property and class of a restriction "some values" between names; None for any other expression."""
    said = dict(triples.statements(node))
    property_, target = said.get(OWL.onProperty), said.get(OWL.someValuesFrom)
    if (
        said.keys() == {TYPE, OWL.onProperty, OWL.someValuesFrom}
        and is_iri(property_ or "_:")
        and is_iri(target or "_:")
    ):
        return str(property_), str(target)
    return None


def synonym_property(scope: str) -> str:
    """Return the local part of a synonym property: EXACT is hasExactSynonym."""
    return f"has{scope.capitalize()}Synonym"


def _texts(triples: Triples, iri: str, property_: str) -> list[Text]:
    return sorted(value for value in triples.objects(iri, property_) if isinstance(value, Text))


def _first(texts: list[Text]) -> Text | None:
    rank = {language: i for i, language in enumerate(_LANGUAGES)}
    return min(texts, key=lambda text: (rank.get(text.language, len(rank)), text), default=None)


def _add_label(made: Record, labels: list[Text]) -> None:
    """Fill the slot of the name; a label whose language the name alone does not tell is a property too."""
    made.name = _first(labels)
    twice = {label.value for n, label in enumerate(labels) if label.value in {other.value for other in labels[:n]}}
    for label in labels:
        if label != made.name or label.value in twice or language_of(Text(label.value)) != label.language:
            made.values.append(Statement(RDFS.label, label, language_mark(label, is_slot=False)))


def _add_definition(made: Record, definitions: list[Text], noted: Callable[[Text], list[Annotation]]) -> None:
    chosen = _first(definitions)
    for text in definitions:
        if text == chosen:
            made.definition = Statement(DEFINITION, text, [*language_mark(text, is_slot=True), *noted(text)])
        else:
            made.values.append(Statement(DEFINITION, text, [*language_mark(text, is_slot=False), *noted(text)]))


def _link(triples: Triples, predicate: str, value: str, axiom: str) -> Statement | None:
    annotations = [
        (p, o) for p, o in turtle.ordered_statements(triples, axiom) if p not in (TYPE, *AXIOM_ENDS, *_ORIGIN)
    ] if axiom else []  # fmt: skip
    if is_iri(value):
        return Statement(predicate, value, annotations)
    ends = _some(triples, value) if predicate == RDFS.subClassOf else None
    return Statement(*ends, annotations) if ends else None
