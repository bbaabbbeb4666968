"""NoteExpress text (.net), as CNKI and others write it: lines ``{Field}: value``, ``{Reference Type}`` opens a record.

In real files: a Chinese colon or no blank behind it, line breaks within ``{Author Address}``, ``(#br)`` for line
breaks in abstracts that start with ``Abstract(#br)``, one list on one line or one entry a line, doubled semicolons.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, split_list
from ontology.model import Document

_OPENER = "Reference Type"
_READ = {
    "title": ("Title",), "abstract": ("Abstract",), "keywords": ("Keywords",), "title_en": ("Translated Title",),
    "abstract_en": ("Translated Abstract",), "keywords_en": ("Translated Keywords",), "authors": ("Author",),
    "source": ("Journal", "Secondary Title", "Publisher"), "year": ("Year", "Date", "TryDate"), "doi": ("DOI", "URL"),
}  # fmt: skip
_LEFT = tagged.names(
    "Author Address|Database Provider|ISBN/ISSN|ISBN|ISSN|Issue|Language|Notes|Pages|Place Published|"
    "SrcDatabase|Subject|Subsidiary Author|Tertiary Author|Tertiary Title|Translated Author|"
    "Translated Journal|Type of Work|Volume|图书印刷版ISBN|Accession Number|Call Number|CN|Custom 1|Custom 2|"
    "Custom 3|Custom 4|Edition|Electronic Resource Number|Label|Link|Number of Volumes|Original Publication|"
    "Short Title|Translated Publisher|Research Notes|Number of Pages|Secondary Author|Alternate Title|"
    "Access Date|Last Modified Date|Reprint Edition|Section|Rating|Price|Tags|Translated Author Address|"
    "Translated Place Published|Author Affiliation|Degree|Tutor|Citation|Cited Count|Fund"
)
LAYOUT = tagged.Layout(
    "noteexpress", _READ, _LEFT, "line {Title}: ...", _OPENER, f"{{{_OPENER}}}", once=frozenset({"Title"})
)
NAME = LAYOUT.name
_FIELD = re.compile(r"^\s?\{([^{}]{2,40})\}\s*[:：]?\s*(.*)$")
_ABSTRACT = re.compile(r"^\s*(?:Abstract|摘要)\s*(?=\(#br\))", re.IGNORECASE)


def matches(head: str) -> bool:
    """Return True if two or more of the format's usual fields start a line."""
    fields = {m.group(1) for m in map(_FIELD.match, head.splitlines()) if m}
    return len(fields & {_OPENER, "Title", "Author", "Year", "Keywords", "Abstract", "Journal"}) >= 2


def parse(lines: Iterable[Line], file: str, layout: tagged.Layout = LAYOUT) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
        layout: the fields, under the name of the dialect.
    """
    return tagged.parse(lines, file, layout, split, _document)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``{Field}: value`` as (Field, value), None for another line."""
    match = _FIELD.match(text)
    return (match.group(1).strip(" ,"), match.group(2)) if match else None


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    abstract, abstract_en = raw.languages("Abstract")
    return document_of(
        fallback_id,
        title,
        abstract=_abstract(abstract),
        keywords=_joined(raw.lines("Keywords")),
        title_en=raw.text("Translated Title"),
        abstract_en=_abstract(raw.text("Translated Abstract") or abstract_en),
        keywords_en=_entries(raw.lines("Translated Keywords")),
        authors=_entries(raw.lines("Author")),
        source=raw.text(*_READ["source"]),
        years=(raw.text("Year"), raw.text("Date"), raw.text("TryDate")),
        dois=(raw.text(*_READ["doi"]),),
    )


def _abstract(text: str) -> str:
    return _ABSTRACT.sub("", text)


def _joined(lines: Sequence[str]) -> Sequence[str]:
    """Return entries on separate lines as one list: a separate line is no other language here."""
    single = len(lines) > 1 and not any(re.search(r"[;；]", line) for line in lines)
    return [";".join(lines)] if single else lines


def _entries(lines: Sequence[str]) -> tuple[str, ...]:
    return split_list(";".join(lines)) if len(lines) > 1 else split_list("".join(lines))
