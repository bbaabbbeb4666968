"""RIS, the tagged text of reference managers: ``TY  - `` opens a record, ``ER  - `` ends it.

The package rispy parses the tags; it gets one record at a time, so that a file is never held as a whole and a damaged
record does not affect the others. Peculiarities of real files: one blank before the hyphen, no blank after it, a
missing ``ER`` at the end of a truncated file, keywords of one record on one line, repeated tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, one_line, problem, split_list
from ontology.extras import require
from ontology.model import Document

NAME = "ris"
_TAG = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$")


def matches(head: str) -> bool:
    """Return True if a line opens a record and another has a tag."""
    tags = {m.group(1) for m in map(_TAG.match, head.splitlines()) if m}
    return "TY" in tags and len(tags) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    parser = require("rispy", "readers", "reading RIS").RisParser(enforce_list_tags=False)
    for number, raw in enumerate(tagged.records(lines, _split, lambda tag, *_: tag == "TY"), start=1):
        if not raw.opened and set(raw.fields) <= {"?"}:
            yield problem(file, raw.line, "text before the first record (TY  - )")
            continue
        record = parser.parse_lines(iter(_ris_lines(raw)))[0]
        title = one_line(_text(record, "title", "primary_title"))
        if title:
            yield _document(record, title, f"{file}-{number}")
        else:
            yield tagged.untitled(raw, file, "tag TI or T1", "TY")
        if "ER" not in raw.fields:
            yield problem(file, raw.line, "record without its end (ER  - ): the file may have been cut here")


def _split(text: str) -> tuple[str, str] | None:
    match = _TAG.match(text)
    return (match.group(1), match.group(2) or "") if match else None


def _ris_lines(raw: tagged.Raw) -> Iterator[str]:
    """Yield the record as rispy reads it: opened, ended, two blanks before each hyphen; continuation lines separate."""
    yield f"TY  - {raw.text('TY') or 'GEN'}"
    for tag, values in raw.fields.items():
        if tag in {"TY", "ER", "?"}:
            continue
        for value in values:
            yield f"{tag}  - {value}"
    yield "ER  - "


def _document(record: Mapping[str, Any], title: str, fallback_id: str) -> Document:
    return document_of(
        fallback_id,
        title,
        abstract=_text(record, "abstract", "notes_abstract"),
        keywords=_keyword_lines(record),
        title_en=_text(record, "translated_title"),
        authors=tuple(e for a in _values(record, "authors", "first_authors") for e in split_list(f"{a};")),
        source=_text(record, "journal_name", "secondary_title", "alternate_title3", "publisher"),
        years=(_text(record, "year"), _text(record, "publication_year"), _text(record, "date")),
        dois=(_text(record, "doi"), _text(record, "urls", "file_attachments1")),
    )


def _keyword_lines(record: Mapping[str, Any]) -> list[str]:
    values = _values(record, "keywords")
    single = len(values) > 1 and not any(re.search(r"[;；]", value) for value in values)
    return [";".join(values)] if single else values


def _values(record: Mapping[str, Any], *keys: str) -> list[str]:
    """Return the values of the first of these keys that has any; rispy returns a list for repeated tags."""
    for key in keys:
        value = record.get(key)
        if value:
            return [str(v) for v in value] if isinstance(value, list) else [str(value)]
    return []


def _text(record: Mapping[str, Any], *keys: str) -> str:
    return " ".join(_values(record, *keys))
