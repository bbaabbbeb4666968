"""SSSOM/TSV files of mappings: a table with its metadata above it, in YAML lines that begin with #.

Source: SSSOM 1.0 (https://mapping-commons.github.io/sssom/). Of the metadata, what the standard has is read: scalars,
lists, and the curie_map. Columns and metadata that ontocrawl has no use for are kept when a file is read and written.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import dedent

from ontology.errors import OntocrawlError
from ontology.files import read_text, tab_cells, write_atomically
from ontology.mapping.mappings import NOT, TOOL, MappingSet, TermMapping
from ontology.owl.vocabulary import SKOS, Namespace, local_part, namespace_of

_SEMAPV = Namespace("https://w3id.org/semapv/vocab/")
_KNOWN = {
    "skos": SKOS.iri, "semapv": _SEMAPV.iri, "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
}  # fmt: skip
_REQUIRED = ("subject_id", "predicate_id", "object_id", "mapping_justification")
_COLUMNS = (
    "subject_id", "subject_label", "predicate_id", "predicate_modifier", "object_id", "object_label",
    "mapping_justification", "confidence", "subject_match_field", "object_match_field", "match_string", "comment",
)  # fmt: skip
_METADATA = {
    "mapping_set_id": "id", "license": "licence", "subject_source": "subject_source", "object_source": "object_source",
    "mapping_date": "date", "mapping_tool_version": "tool_version",
}  # fmt: skip
"""Slot of SSSOM -> attribute of MappingSet."""
_LOCAL = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_PLAIN = re.compile(r"[A-Za-z0-9][\w.+:/#%?=&~ -]*")
_ENTRY = re.compile(r"(?P<key>[^\s:#][^:]*):(?:\s+(?P<value>.*))?$")


class MappingError(OntocrawlError, ValueError):
    """A file that is no table of mappings; the message names the line, what was expected and what was found."""


def write(mapping_set: MappingSet, path: str | Path) -> None:
    """Write mappings as an SSSOM/TSV file, atomically.

    Args:
        mapping_set: the mappings; `id` and `licence` are required by the standard.
        path: the file, by convention NAME.sssom.tsv.

    Raises:
        OSError: the file cannot be written.
    """
    write_atomically(Path(path), text(mapping_set).encode())


def text(mapping_set: MappingSet) -> str:
    """Return mappings as the text of an SSSOM/TSV file; equal sets give equal texts."""
    rows = [_row(m) for m in mapping_set.mappings]
    entities = [row[c] for row in rows for c in ("subject_id", "object_id")]
    prefixes = _prefixes(entities)
    for row in rows:
        for column in ("subject_id", "object_id"):
            row[column] = _curie(row[column], prefixes)
    extra = dict.fromkeys(name for m in mapping_set.mappings for name, _ in m.others)
    used = [c for c in (*_COLUMNS, *extra) if c in _REQUIRED or any(row.get(c) for row in rows)]
    table = ["\t".join(used), *("\t".join(row.get(c, "") for c in used) for row in rows)]
    return "\n".join([*_header(mapping_set, prefixes), *table]) + "\n"


def _row(m: TermMapping) -> dict[str, str]:
    values = (
        m.subject, m.subject_label, m.predicate, NOT if m.negated else "", m.object, m.object_label, m.justification,
        "" if m.confidence is None else f"{m.confidence:g}", m.subject_field, m.object_field, m.match_string, m.comment,
    )  # fmt: skip
    row = dict(zip(_COLUMNS, values, strict=True)) | dict(m.others)
    return {column: _cell(" ".join(value.split())) for column, value in row.items()}


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text


def _header(mapping_set: MappingSet, prefixes: Mapping[str, str]) -> Iterator[str]:
    yield "#curie_map:"
    for prefix, iri in sorted((p, i) for i, p in prefixes.items()):
        yield f"#  {prefix}: {_scalar(iri)}"
    for slot, attribute in _METADATA.items():
        if getattr(mapping_set, attribute):
            yield f"#{slot}: {_scalar(getattr(mapping_set, attribute))}"
    others = dict(mapping_set.others)
    yield f"#mapping_tool: {_scalar(others.pop('mapping_tool', TOOL))}"
    for slot, value in others.items():
        if "\n" in value:
            yield f"#{slot}:"
            yield from (f"#  - {_scalar(item)}" for item in value.split("\n"))
        else:
            yield f"#{slot}: {_scalar(value)}"


def _scalar(value: str) -> str:
    """Return a text as a scalar of YAML; quoted (as in JSON) where it could be read as something else."""
    special = value != value.strip() or ": " in value or " #" in value or value.endswith(":")
    return value if _PLAIN.fullmatch(value) and not special else json.dumps(value, ensure_ascii=False)


def _prefixes(iris: Iterable[str]) -> dict[str, str]:
    """Return namespace -> prefix for the IRIs that can be written as a CURIE, named after the end of the namespace."""
    prefixes: dict[str, str] = {iri: prefix for prefix, iri in _KNOWN.items()}
    for space, _ in sorted(Counter(namespace_of(iri) for iri in iris).items()):
        name = re.sub(r"[^A-Za-z0-9_]+", "_", local_part(space.rstrip("#/"))).strip("_") or "ns"
        name = name if name[0].isalpha() else f"ns{name}"
        taken = set(prefixes.values())
        if space and space not in prefixes:
            prefixes[space] = next(p for p in (name, *(f"{name}{n}" for n in range(2, 10_000))) if p not in taken)
    return prefixes


def _curie(iri: str, prefixes: Mapping[str, str]) -> str:
    space, local = namespace_of(iri), local_part(iri)
    return f"{prefixes[space]}:{local}" if space in prefixes and _LOCAL.fullmatch(local) else iri


def load(path: str | Path) -> MappingSet:
    """Read an SSSOM/TSV file, also one that a person or another program has written or changed.

    Args:
        path: the file.

    Returns:
        The mappings, with IRIs in place of CURIEs of the file's curie_map, and the metadata.

    Raises:
        MappingError: no such file, a missing column, or a value that the standard does not allow; with file and line.
    """
    lines = read_text(path, MappingError).removeprefix("\ufeff").splitlines()
    comments = [line.startswith("#") for line in lines]
    first = comments.index(False) if False in comments else len(lines)
    slots, curies = _metadata([line[1:] for line in lines[:first]], str(path))
    header = tab_cells(lines[first]) if first < len(lines) else []
    missing = [c for c in _REQUIRED if c not in header]
    if missing:
        raise MappingError(
            "mapping.line_expected_header_columns",
            path=path,
            first=first + 1,
            required=", ".join(_REQUIRED),
            missing=", ".join(missing),
        )
    numbered = [(n, line) for n, line in enumerate(lines[first + 1 :], first + 2) if line.strip()]
    rows = tuple(_mapping(header, line, {**_KNOWN, **curies}, f"{path}, line {n}") for n, line in numbered)
    others = tuple((k, v) for k, v in slots.items() if k not in _METADATA)
    return MappingSet(rows, **{name: slots.get(slot, "") for slot, name in _METADATA.items()}, others=others)


def _mapping(header: Sequence[str], line: str, curies: Mapping[str, str], where: str) -> TermMapping:
    cells = tab_cells(line)
    if len(cells) > len(header):
        raise MappingError("mapping.expected_cells_tabs_between", where=where, n_header=len(header), n_cells=len(cells))
    row = dict(zip(header, cells, strict=False))
    for column in _REQUIRED:
        if not row.get(column):
            raise MappingError("mapping.expected_value_column_found", where=where, column=column)
    if row.get("predicate_modifier", "") not in ("", NOT):
        raise MappingError(
            "mapping.predicate_modifier_expected_nothing",
            where=where,
            not_=NOT,
            predicate_modifier=row["predicate_modifier"],
        )
    return TermMapping(
        _expanded(row["subject_id"], curies),
        row.get("subject_label", ""),
        _short(row["predicate_id"], curies),
        _expanded(row["object_id"], curies),
        row.get("object_label", ""),
        _short(row["mapping_justification"], curies),
        _confidence(row.get("confidence", ""), where),
        row.get("match_string", ""),
        row.get("subject_match_field", ""),
        row.get("object_match_field", ""),
        row.get("comment", ""),
        negated=row.get("predicate_modifier", "") == NOT,
        others=tuple((k, v) for k, v in row.items() if k not in _COLUMNS and v),
        where=where,
    )


def _short(identifier: str, curies: Mapping[str, str]) -> str:
    """Return an IRI of SKOS or of another known vocabulary as its CURIE, whatever prefix the file gives it.

    >>> _short("http://www.w3.org/2004/02/skos/core#exactMatch", _KNOWN), _short("s:exactMatch", {"s": SKOS.iri})
    ('skos:exactMatch', 'skos:exactMatch')
    """
    iri = _expanded(identifier, curies)
    prefix = next((prefix for prefix, space in _KNOWN.items() if iri.startswith(space)), "")
    return f"{prefix}:{iri.removeprefix(_KNOWN[prefix])}" if prefix else identifier


def _confidence(cell: str, where: str) -> float | None:
    try:
        value = float(cell) if cell else None
    except ValueError:
        value = -1.0
    if value is not None and not 0 <= value <= 1:
        raise MappingError("mapping.confidence_expected_number_nothing", where=where, cell=cell)
    return value


def _expanded(curie: str, curies: Mapping[str, str]) -> str:
    prefix, _, local = curie.partition(":")
    return curies[prefix] + local if prefix in curies and not local.startswith("//") else curie


def _metadata(lines: Sequence[str], name: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return slot -> value, the items of a list joined by line feeds, and the curie_map."""
    slots: dict[str, str] = {}
    curies: dict[str, str] = {}
    slot = item = ""
    for number, line in enumerate(dedent("\n".join(lines)).split("\n"), 1):
        inner = line.strip()
        if not inner or inner.startswith("#"):
            continue
        entry = _ENTRY.match(inner)
        if line.startswith((" ", "-")) and slot and inner.startswith("- "):
            item = line.partition("-")[0]
            slots[slot] = "\n".join(filter(None, (slots.get(slot, ""), _value(inner[2:]))))
        elif slot == "curie_map" and line.startswith(" ") and entry:
            curies[_value(entry["key"])] = _value(entry["value"] or "")
        elif slot in slots and line.startswith(item + " "):  # further values of an item, as in extension_definitions
            slots[slot] += f", {inner}"
        elif not line.startswith(" ") and entry:
            slot = entry["key"].strip()
            if entry["value"]:
                slots[slot], slot = _value(entry["value"]), ""
        else:
            raise MappingError("mapping.line_expected_metadata_slot", name=name, number=number, inner=inner)
    return slots, curies


def _value(text: str) -> str:
    """Return a scalar of YAML as text, without its quotes."""
    inner = text.strip()
    if len(inner) > 1 and inner[0] == inner[-1] == '"':
        try:
            return str(json.loads(inner))
        except ValueError:
            return inner[1:-1]
    return inner[1:-1].replace("''", "'") if len(inner) > 1 and inner[0] == inner[-1] == "'" else inner
