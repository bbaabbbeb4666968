"""CNKI's RefWorks text: two-character tags, ``RT`` opens a record.

What real files do: a blank line between K1 and AB (so a blank line ends nothing), lower-case ``vo``, ``IS`` twice,
``A1`` without a space before the name, English keywords on a line of their own after K1, abstracts of several lines,
files cut in the middle of a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ontology.corpus.records import (
    Line,
    Parsed,
    clean_abstract,
    clean_doi,
    find_year,
    one_line,
    problem,
    split_keywords,
    split_list,
)
from ontology.model import Document

NAME = "cnki_refworks"
_TAGS = "RT|SR|ID|A1|A2|A3|A4|AD|T1|T2|T3|JF|JO|YR|FD|IS|VO|vo|OP|SP|K1|AB|SN|CN|LA|DS|LK|DO|PB|PP|CL|ED|NO|UL|WT"
_TAG = re.compile(rf"^({_TAGS})(?:[ \t]+(.*)|([^\x00-\x7f].*)|)$")


def matches(head: str) -> bool:
    """True if two or more different tags that RefWorks files of CNKI always have start a line."""
    found = {m.group(1) for m in map(_TAG.match, head.splitlines()) if m}
    return len(found & {"RT", "SR", "T1", "K1", "AB", "A1", "DS"}) >= 2


@dataclass
class _Raw:
    """Lines of one record by tag, while it is being read."""

    line: int
    opened: bool
    fields: dict[str, list[str]] = field(default_factory=dict)

    def text(self, tag: str) -> str:
        return " ".join(self.fields.get(tag, ())).strip()


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """One document or problem for each record."""
    for number, raw in enumerate(_records(lines), start=1):
        title = one_line(raw.text("T1"))
        if title:
            yield _document(raw, title, f"{file}-{number}")
        elif raw.opened:
            yield problem(file, raw.line, "record without a title (tag T1)")
        else:
            yield problem(file, raw.line, "the file starts in the middle of a record: no RT line, no title (tag T1)")


def _records(lines: Iterable[Line]) -> Iterator[_Raw]:
    raw: _Raw | None = None
    tag = ""
    for line in lines:
        found = _TAG.match(line.text)
        if found and (raw is None or found.group(1) == "RT"):
            if raw is not None:
                yield raw
            raw = _Raw(line.number, opened=found.group(1) == "RT")
        if found and raw is not None:
            tag = found.group(1)
            raw.fields.setdefault(tag, []).append((found.group(2) or found.group(3) or "").strip())
        elif line.text.strip():
            if raw is None:
                raw, tag = _Raw(line.number, opened=False), "?"
            raw.fields.setdefault(tag, []).append(line.text.strip())
    if raw is not None:
        yield raw


def _document(raw: _Raw, title: str, fallback_id: str) -> Document:
    keywords, keywords_en = split_keywords(raw.fields.get("K1", ()))
    return Document(
        id=fallback_id,
        title=title,
        abstract=clean_abstract(raw.text("AB")),
        keywords=keywords,
        keywords_en=keywords_en,
        authors=split_list(raw.text("A1")),
        source=one_line(raw.text("JF") or raw.text("PB")),
        year=find_year(raw.text("YR"), raw.text("FD")),
        doi=clean_doi(raw.text("DO")),
    )
