"""Triples to a ROBOT template (robot.obolibrary.org/template): a tab-separated table with a row for each class.

The first row names the columns, the second has ROBOT's template strings. Labels, other names and definitions have one
column for each language and scope, relations one for each property. ROBOT makes an OWL file of it; it is not read here.
A class with several equivalent classes has several rows, because ROBOT would join those of one row by "and".

Left out: the header, which a template has no place for, and the evidence of relations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from ontology.owl import obo_text
from ontology.owl.obo_text import DEFINITION, LINE_ENDS, Record, Statement, records, synonym_property
from ontology.owl.triples import Text, Triples, lexical
from ontology.owl.vocabulary import OWL, RDFS, REPLACED_BY

Column = tuple[str, str]
"""Name and template string."""
Row = dict[Column, list[str]]
_ID: Column = ("ID", "ID")
_TYPE: Column = ("Type", "TYPE")
_PARENT: Column = ("Parents", "SC %")
_EQUIVALENT: Column = ("Equivalent class", "EC %")
_DEPRECATED: Column = ("Deprecated", "AT owl:deprecated^^xsd:boolean")
_XREF: Column = ("Cross-references", "A oboInOwl:hasDbXref")
_REPLACED: Column = ("Replaced by", "AI IAO:0100001")
_NAME_REPLACED: Column = ("Replaced by (name)", "A IAO:0100001")
_FIRST = (_ID, _TYPE)
_LAST = (_XREF, _PARENT, _EQUIVALENT)
_ENDS = (_DEPRECATED, _REPLACED, _NAME_REPLACED)
_ONCE = (*_FIRST, _DEPRECATED, _EQUIVALENT)
_TYPES = {OWL.Class: "owl:Class", OWL.ObjectProperty: "owl:ObjectProperty"}
_QUOTED = ("\t", "\n", "\r", '"', "\\")
_TRIMMED = "white space around a text, which ROBOT cuts off"
_HEADER = "statement of the header"
_EVIDENCE = "evidence of a relation"


def serialise(triples: Triples) -> str:
    """Return the template."""
    _, *others = records(triples)
    found = [record for record in others if record.kind in _TYPES]
    names = {record.iri: record.name.value for record in found if record.kind == OWL.ObjectProperty and record.name}
    rows = [row for record in found for row in _rows(record, names)]
    columns = _columns(rows)
    split = _separator(value for row in rows for values in row.values() for value in values)
    templates = [column[1] if _is_single(column) else f"{column[1]} SPLIT={split}" for column in columns]
    lines = [[name for name, _ in columns], templates]
    lines += [[split.join(row.get(column, ())) for column in columns] for row in rows]
    return "".join("\t".join(map(cell, line)) + "\n" for line in lines)


def left_out(triples: Triples) -> dict[str, int]:
    """Count what the template does not hold, by reason."""
    header, *others = (record for record in records(triples) if record.kind in (OWL.Ontology, *_TYPES))
    texts = [value.value for record in others for value in _texts(record)]
    counts = {
        _HEADER: len(header.values),
        _EVIDENCE: sum(bool(s.annotations) for r in others for s in (*r.parents, *r.equivalents)),
        _TRIMMED: sum(text != text.strip() for text in texts),
        LINE_ENDS: sum("\r" in text.strip() for text in texts),
    }
    return obo_text.left_out_of_records(triples) | {reason: count for reason, count in counts.items() if count}


def _texts(record: Record) -> Iterator[Text]:
    statements = (*([record.definition] if record.definition else []), *(s for _, s in record.synonyms), *record.values)
    yield from ([record.name] if record.name else [])
    yield from (s.value for s in statements if isinstance(s.value, Text) and s.value != record.name)
    yield from (xref.value for xref in record.xrefs if isinstance(xref.value, Text))


def _rows(record: Record, names: Mapping[str, str]) -> Iterator[Row]:
    """Yield the rows of a class or an object property.

    Args:
        record: what OBO formats say of it.
        names: IRI -> name of the object properties.
    """
    row: Row = {_ID: [record.iri], _TYPE: [_TYPES[record.kind]]}

    def add(column: Column, value: str) -> None:
        if value not in row.setdefault(column, []):
            row[column].append(value)

    if record.name:
        add(_of_language("Label", "rdfs:label", record.name), record.name.value)
    for scope, synonym in record.synonyms:
        name, property_ = f"{scope.capitalize()} synonyms", f"oboInOwl:{synonym_property(scope)}"
        add(_of_language(name, property_, synonym.value), lexical(synonym.value))
    for statement in (*([record.definition] if record.definition else []), *record.values):
        if statement.property in (DEFINITION, RDFS.label) and isinstance(statement.value, Text):
            label = ("Label", "rdfs:label") if statement.property == RDFS.label else ("Definition", "IAO:0000115")
            add(_of_language(*label, statement.value), statement.value.value)
        elif statement.property == REPLACED_BY[0]:
            add(_NAME_REPLACED, lexical(statement.value))
    for column, values in ((_XREF, [lexical(xref.value) for xref in record.xrefs]), (_REPLACED, record.replaced_by)):
        for value in values:
            add(column, value)
    if record.is_deprecated:
        add(_DEPRECATED, "true")
    for link in record.parents:
        add(_of_relation(link, names), lexical(link.value))
    first, *more = [lexical(link.value) for link in record.equivalents] or [""]
    if first:
        add(_EQUIVALENT, first)
    yield row
    for equivalent in dict.fromkeys(more):
        if equivalent != first:
            yield {_ID: row[_ID], _TYPE: row[_TYPE], _EQUIVALENT: [equivalent]}


def _of_language(name: str, property_: str, value: str | Text) -> Column:
    language = value.language if isinstance(value, Text) else ""
    return (f"{name} ({language})", f"AL {property_}@{language}") if language else (name, f"A {property_}")


def _of_relation(link: Statement, names: Mapping[str, str]) -> Column:
    if link.property == RDFS.subClassOf:
        return _PARENT
    name = names.get(link.property, link.property)
    return name[:1].upper() + name[1:], f"SC ('{link.property}' some '%')"


def _is_single(column: Column) -> bool:
    """Return whether no row has more than one value in a column."""
    return column in _ONCE or column[0].startswith(("Label", "Definition"))


def _columns(rows: list[Row]) -> list[Column]:
    """Return the columns that hold something: labels, synonyms, definitions, then relations."""
    used = {column for row in rows for column in row}
    said = ("Label", "Exact", "Broad", "Narrow", "Related", "Definition")
    texts = [
        column for start in said for column in sorted(used) if column[1][0] == "A" and column[0].startswith(start)
    ]  # fmt: skip
    fixed = {*_FIRST, *texts, *_LAST, *_ENDS}
    ordered = (*_FIRST, *texts, *_LAST, *sorted(used - fixed), *_ENDS)
    return [column for column in ordered if column in used]


def _separator(values: Iterable[str]) -> str:
    """Return a character that is in no value."""
    used = set(chain.from_iterable(values))
    return next(c for c in chain("|¦‖", map(chr, range(0x2500, 0x2600))) if c not in used)


def cell(text: str) -> str:
    """Return a cell as ROBOT's reader takes it: a backslash escapes there."""
    if not any(sign in text for sign in _QUOTED):
        return text
    doubled = text.replace("\\", "\\\\").replace('"', '""')
    return f'"{doubled}"'
