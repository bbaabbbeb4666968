"""Triples to an OBO flat file (OBO Flat File Format 1.4), in a fixed order; `obo` reads it.

Texts that the tag of their own cannot hold (blanks at an end, a name without words) are property values. The language
of a text and the evidence of an edge are qualifiers, as `obo_mapping` has them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ontology.owl import obo_records
from ontology.owl.obo_mapping import SPACES, WEB, Annotation, iri_of, language_mark
from ontology.owl.obo_records import Record, Statement, records
from ontology.owl.triples import Text, Triples, lexical
from ontology.owl.turtle import SAFE
from ontology.owl.vocabulary import (
    EXTRA_PREFIXES,
    OBO,
    OBO_IN_OWL,
    OWL,
    PREFIXES,
    RDFS,
    XREF,
    XSD,
    local_part,
    namespace_of,
)

_BUILT_IN = {OBO_IN_OWL.iri, OWL.iri, RDFS.iri, XSD.iri}
"""Namespaces whose prefixes every reader of OBO knows."""
_NOT_IN_OWL_2 = (XSD.date,)
"""Datatypes that readers by OWL 2 refuse; a text is written instead."""
_STANZAS = {OWL.Class: "Term", OWL.ObjectProperty: "Typedef"}
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
    return obo_records.left_out(triples) | ({LINE_ENDS: count} if count else {})


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
            if statement.property == RDFS.comment and _is_plain(lexical(statement.value)):
                yield f"remark: {_plain(lexical(statement.value))}"
            elif statement.property != OWL.versionIRI:
                yield self._property(statement)
        for record in self._records:
            yield ""
            yield f"[{_STANZAS[record.kind]}]"
            yield f"id: {self._id(record.iri)}"
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
            yield f"def: {_quoted(record.definition.value)} []{self._marks(record.definition.annotations)}"
        for scope, synonym in record.synonyms:
            yield f"synonym: {_quoted(synonym.value)} {scope} []{self._marks(synonym.annotations)}"
        for xref in record.xrefs:
            yield f"xref: {_word(xref)}" if _is_plain(xref) else self._property(Statement(XREF, Text(xref)))
        for statement in record.values:
            yield self._property(statement)
        for link in record.parents:
            is_a = link.property == RDFS.subClassOf
            relation = "is_a:" if is_a else f"relationship: {self._id(link.property)}"
            yield f"{relation} {self._id(lexical(link.value))}{self._marks(link.annotations)}"
        for link in record.equivalents:
            yield f"equivalent_to: {self._id(lexical(link.value))}{self._marks(link.annotations)}"
        if record.is_deprecated:
            yield "is_obsolete: true"
        for iri in record.replaced_by:
            yield f"replaced_by: {self._id(iri)}"

    def _property(self, statement: Statement) -> str:
        value, marks = statement.value, self._marks(statement.annotations)
        if isinstance(value, str):
            return f"property_value: {self._id(statement.property)} {self._id(value)}{marks}"
        type_ = self._id(value.datatype if value.datatype not in ("", *_NOT_IN_OWL_2) else XSD.string)
        return f"property_value: {self._id(statement.property)} {_quoted(value)} {type_}{marks}"

    def _marks(self, annotations: Sequence[Annotation]) -> str:
        rows = ", ".join(f"{self._id(property_)}={_quoted(value)}" for property_, value in annotations)
        return f" {{{rows}}}" if rows else ""


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
