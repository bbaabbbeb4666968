"""EndNote's import text (.enw, Refer), as CNKI writes it: lines ``%X value``, ``%0`` opens a record.

In real files: several authors on one ``%A`` line or one a line, a year only within the date ``%8``, lines of
another format in between (``PageCount-页码 0``), abstracts of several lines, records without ``%0`` after a blank line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, split_list
from ontology.model import Document

_FOREIGN_LINE = "a line of CNKI's own form (`PageCount-页码 0`)"
_READ = tagged.tags(
    title="T", abstract="X", keywords="K", title_en="Q", authors="A", source="J B I", year="D 8", doi="R U"
)
LAYOUT = tagged.Layout(
    "endnote", _READ,
    frozenset("012345679CEFGHLMNOPSVWYZ@!#$&()*+<>?^[]|=:~,") | {_FOREIGN_LINE}, "tag %T", "0", "%0", required=False,
    once=frozenset({"T"}),
)  # fmt: skip
NAME = LAYOUT.name
_TAG = re.compile(r"^%([0-9A-Za-z@!#$&()*+<>?^\[\]|=:~,])(?:[ \t]+(.*)|)$")
_FOREIGN = re.compile(r"^[A-Za-z]{2,20}-[\u4e00-\u9fff]{1,12}[ :：]")


def matches(head: str) -> bool:
    """Return True if two or more of the tags that most records have start a line."""
    tags = {m.group(1) for m in map(_TAG.match, head.splitlines()) if m}
    return len(tags & set("0ATDJKXU")) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return tagged.parse(lines, file, LAYOUT, split, _document, _opens)


def split(text: str) -> tuple[str, str] | None:
    """Return a line as (tag, value), None for a line without a tag."""
    match = _TAG.match(text)
    if match:
        return match.group(1), match.group(2) or ""
    return (_FOREIGN_LINE, text) if _FOREIGN.match(text) else None


def _opens(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a tag opens a record: ``%0`` always; after a blank line a repeated tag that is unique."""
    return tag == "0" or (raw is not None and blank and tag in raw.fields and tag in "TJDX")


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    authors = raw.lines("A")
    abstract, abstract_en = raw.languages("X")
    return document_of(
        fallback_id,
        title,
        abstract=abstract,
        abstract_en=abstract_en,
        title_en=raw.text("Q"),
        keywords=raw.lines("K"),
        authors=split_list(";".join(authors)) if len(authors) > 1 else split_list("".join(authors)),
        source=raw.text(*_READ["source"]),
        years=(raw.text("D"), raw.text("8")),
        dois=(raw.text(*_READ["doi"]),),
    )
