"""JSON lines: one object a line, keys as the fields of ``Document``; unknown keys are ignored.

A record without a title needs an abstract. Also accepted: ``journal`` for ``source``, ``summary`` for ``abstract``,
lists written as one string.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ontology.corpus.records import (
    CorpusError,
    Line,
    Parsed,
    clean_abstract,
    clean_doi,
    clean_text,
    cleaned,
    filled,
    find_year,
    problem,
    split_list,
)
from ontology.errors import Message
from ontology.model import Document, Problem

NAME = "json_lines"
READ = "title, title_en, abstract, abstract_en, keywords, keywords_en, authors, source, year, doi, id"
_SHOWN = 20
_NEXT = re.compile(r'\{\s*"(?:id|title|abstract|year|keywords)"\s*:')


def matches(head: str) -> bool:
    """Return True if the text starts as JSON lines do: an object on the first line that is not blank."""
    first = next((line for line in head.splitlines() if line.strip()), "")
    return re.match(r'\ufeff?\s*\{\s*("|\})', first) is not None


def described(head: str) -> str:
    """Return the keys of the first records that are left out, "" for none."""
    known = {*(f.name for f in dataclasses.fields(Document)), "summary", "journal"}
    left: dict[str, None] = {}
    for line in head.splitlines():
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):  # `parse` reports it
            continue
        left |= dict.fromkeys(key for key in record if key not in known) if isinstance(record, dict) else {}
    return Message("corpus.layout_left", names=", ".join(list(left)[:_SHOWN])) if left else ""


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each line that is not blank.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    for line in lines:
        if not line.text.strip():
            continue
        try:
            record = json.loads(line.text)
            yield _document(record, f"{file}-{line.number}")
        except json.JSONDecodeError as error:
            yield problem(file, line.number, "corpus.json_invalid", error=error.msg, column=error.colno)
            following = _NEXT.search(line.text, 1)  # the end of the line may be lost
            if following:
                yield from parse([Line(line.number, line.text[following.start() :])], file)
        except RecursionError:
            yield problem(file, line.number, "corpus.json_deep")
        except CorpusError as error:
            yield Problem(file, line.number, error.message)
        except ValueError as error:  # a number of too many digits
            yield problem(file, line.number, "corpus.json_unread", error=str(error))


def line_of(document: Document) -> str:
    """Return a document as one line that ``parse`` reads back unchanged; empty fields are omitted."""
    fields = {f.name: getattr(document, f.name) for f in dataclasses.fields(document)}
    return json.dumps(
        {name: value for name, value in fields.items() if value not in ("", (), None)}, ensure_ascii=False
    )


def _document(record: Any, fallback_id: str) -> Document:
    if not isinstance(record, Mapping):
        raise CorpusError("corpus.json_object", found=type(record).__name__)
    title, abstract = clean_text(_text(record, "title")), clean_abstract(_text(record, "abstract", "summary"))
    if not (title or abstract):
        known = Message("corpus.json_keys", keys=", ".join(list(record)[:_SHOWN])) if record else ""
        raise CorpusError("corpus.json_untitled", keys=known)
    return Document(
        id=_text(record, "id") or fallback_id,
        title=title,
        abstract=abstract,
        keywords=_entries(record, "keywords"),
        title_en=filled(clean_text(_text(record, "title_en"))),
        abstract_en=clean_abstract(_text(record, "abstract_en")),
        keywords_en=_entries(record, "keywords_en"),
        authors=_entries(record, "authors"),
        source=filled(clean_text(_text(record, "source", "journal"))),
        year=find_year(_text(record, "year")),
        doi=clean_doi(_text(record, "doi")),
    )


def _text(record: Mapping[str, Any], *keys: str) -> str:
    for key in keys:
        value = record.get(key)
        if value is None:
            continue
        if isinstance(value, bool | list | dict):
            raise CorpusError("corpus.json_text", key=key, found=type(value).__name__)
        return str(value).strip()
    return ""


def _entries(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = record.get(key)
    if value is None:
        return ()
    if isinstance(value, str):
        return split_list(value, keywords=key != "authors")
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise CorpusError("corpus.json_list", key=key, found=json.dumps(value, ensure_ascii=False)[:60])
    return cleaned(value)
