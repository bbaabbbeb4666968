"""CNKI's self-defined (自定义) text: lines ``Name-名称: value``; the user chose which fields and in which order.

In real files: two blanks after the colon, doubled semicolons between keywords, values that go on over several
lines, one or two blank lines between records, records without an abstract. English fields are read from lines of their
own (``EnTitle-英文题名``, ``EnKeyword-英文关键词``, ``EnSummary-英文摘要``) or from an English line after the keywords.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, split_list
from ontology.model import Document

_READ = tagged.tags(
    title="Title", abstract="Summary", keywords="Keyword", title_en="EnTitle", abstract_en="EnSummary",
    keywords_en="EnKeyword", authors="Author", source="Source", year="Year PubTime", doi="DOI Link",
)  # fmt: skip
_LEFT = tagged.names(
    "SrcDatabase Organ FirstDuty Fund PageCount Page CLC Period Roll Volume Url URL DataType ISSN CN ISBN Degree"
    " Teacher Tutor Meeting Meetingplace Remark Abstract EnAuthor EnOrgan EnSource Language Publisher Place"
    " Download Cited Note"
)
LAYOUT = tagged.Layout(
    "cnki_self_defined",
    _READ,
    _LEFT,
    "line Title-题名: ...",
    once=frozenset({"Title", "Author", "Keyword", "Summary", "Source", "Year", "PubTime"}),
)
NAME = LAYOUT.name
_FIELD = re.compile(r"^\ufeff?([A-Za-z]{2,20})-([\u4e00-\u9fff]{1,12})\s*[:：]\s*(.*)$")
_KNOWN = {"SrcDatabase", "Title", "Author", "Organ", "Source", "Keyword", "Summary", "PubTime", "Year"}
_OPENERS = ("SrcDatabase", "Title")


def matches(head: str) -> bool:
    """Return True if two or more of the format's usual names start a line; E-Study, which has them too, comes first."""
    names = {m.group(1) for m in map(_FIELD.match, head.splitlines()) if m}
    return len(names & _KNOWN) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return tagged.parse(lines, file, LAYOUT, split, document, _opens)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``Name-名称: value`` as (Name, value), None for another line.

    >>> split("Title-题名: 暴雨"), split("没有名称")
    (('Title', '暴雨'), None)
    """
    match = _FIELD.match(text)
    return (match.group(1), match.group(3)) if match else None


def _opens(name: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a field opens the next record: an opener always, a repeated field after a blank line."""
    return raw is not None and name in raw.fields and (blank or name in _OPENERS)


def document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    """Return the document of a record with a title.

    Args:
        raw: lines of the record by field.
        title: its title.
        fallback_id: id for a record without one.
    """
    abstract, abstract_en = raw.languages("Summary")
    return document_of(
        fallback_id,
        title,
        abstract=abstract,
        keywords=raw.lines("Keyword"),
        title_en=raw.text("EnTitle"),
        abstract_en=raw.text("EnSummary") or abstract_en,
        keywords_en=split_list(raw.text("EnKeyword"), keywords=True),
        authors=split_list(raw.text("Author")),
        source=raw.text("Source"),
        years=(raw.text("Year"), raw.text("PubTime")),
        dois=(raw.text(*_READ["doi"]),),
    )
