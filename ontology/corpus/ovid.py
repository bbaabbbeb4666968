"""Ovid's exports of numbered records: tagged (``TI  - ``) and as citations, a line with a label over indented values.

``<1. >`` or ``<1>`` opens a record. In real files: one blank or two before the hyphen, long labels (``Title``,
``Author Keywords``) or short ones (``TI``), blank lines within lists of references, the kind of paper in brackets
behind a title, the journal only within the source, numbers that leap where a selection was exported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus import tagged
from ontology.corpus.index_terms import heading, keyword_line, parted
from ontology.corpus.records import Line, Parsed, document_of, one_line, problem, split_list
from ontology.model import Document

NAME = "ovid"
_NUMBER = re.compile(r"^ ?<\s*(\d+)\s*\.?\s*>\s*$")
_TAG = re.compile(r"^ ?([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$")
_LABEL = re.compile(r"^([A-Z][A-Za-z0-9 &/(),'.-]{1,59}?)\s*$")
_KNOWN = {"Title", "Author", "Authors", "Source", "Abstract", "Accession Number", "Unique Identifier", "Score", "VN",
          "Database", "Status", "Institution", "TI", "AU", "AB", "SO", "UI", "AN", "DB", "ST"}  # fmt: skip
_UNIQUE = {"UI", "AN", "TI"}
_KIND = re.compile(
    r"(?<=\S)\s*\[(?:[A-Z][a-z]+ )?(?:Articles?|Reviews?|References|Miscellaneous|Editorials?|Letters?|Comments?"
    r"|Errat\w+|Reports?|Abstracts?|Notes?)\]\.?\s*$"
)
_JOURNAL = re.compile(r"^(.+?)\.(?:\s+\d|\s*$)")
_YEAR = re.compile(r"(?<!\d)((?:18|19|20)\d\d)(?!\d)")


def matches(head: str) -> bool:
    """Return True if a line numbers a record and the lines below have its tags or labels, or Ovid names itself."""
    lines = head.splitlines()
    if re.search(r"^ ?VN {1,2}- Ovid Technologies", head, re.MULTILINE):
        return True
    starts = [number for number, line in enumerate(lines) if _NUMBER.match(line)]
    below = [line for line in lines[starts[0] + 1 :] if line.strip()][:60] if starts else []
    tags = {m.group(1) for m in map(_TAG.match, below) if m}
    labels = {line.rstrip() for line in below} & _KNOWN
    return "TY" not in tags and max(len(tags & _KNOWN), len(labels)) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    raws = tagged.records(lines, _Split(), _opens)
    for number, raw in enumerate(raws, start=1):
        title = _KIND.sub("", one_line(raw.text("TI", "Title", "BT", "Chapter Title")))
        if set(raw.fields) == {"?"}:
            yield problem(file, raw.line, "text before the first record (<1>)")
        elif title:
            yield _document(raw, title, f"{file}-{number}")
        else:
            yield tagged.untitled(raw, file, "tag TI or label Title", "<1>")


def _opens(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a tag opens a record: a number always; where records have none, the vendor or a repeated tag."""
    if tag == "VN":
        return raw is None or "VN" in raw.fields
    return tag == "<" or (raw is not None and blank and tag in raw.fields and tag in _UNIQUE)


class _Split:
    """Splits a line; whether a line at the margin is a label or goes on depends on the record's lines before it."""

    def __init__(self) -> None:
        self._labelled = False

    def __call__(self, text: str) -> tuple[str, str] | None:
        number = _NUMBER.match(text)
        if number:
            self._labelled = False
            return "<", number.group(1)
        tag = None if self._labelled else _TAG.match(text)
        if tag:
            return tag.group(1), tag.group(2) or ""
        label = _LABEL.match(text)
        if label and (self._labelled or label.group(1) in _KNOWN):
            self._labelled = True
            return label.group(1), ""
        return None


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    source = one_line(raw.text("SO", "Source"))
    years = _YEAR.findall(source)
    journal = _JOURNAL.match(source)
    own_id = one_line(raw.text("UI", "Unique Identifier", "AN", "Accession Number")).rstrip(".")
    return document_of(
        own_id or fallback_id,
        title,
        abstract=raw.text("AB", "Abstract"),
        keywords=[keyword_line(_keywords(raw), _headings(raw))],
        authors=_authors(raw),
        source=raw.text("JN", "Journal Name", "JT", "TA") or (journal.group(1) if journal else source),
        years=(raw.text("YR", "Year of Publication", "Publication Year"), raw.text("DP", "Date of Publication"),
               years[-1] if years else ""),
        dois=(raw.text("DO", "DI", "Digital Object Identifier", "DOI Number"),),
    )  # fmt: skip


def _keywords(raw: tagged.Raw) -> list[str]:
    for tag in ("KW", "KF", "Author Keywords", "Keyword Heading", "Keywords"):
        text = _joined(raw, tag).rstrip(". ")
        if text:
            return parted(text)
    concepts = _joined(raw, "ID") or _joined(raw, "Key Concepts")
    return list(split_list(concepts))


def _headings(raw: tagged.Raw) -> list[str]:
    tags = ("MH", "SH", "MeSH Subject Headings", "Subject Headings")
    return [heading(entry) for tag in tags for entry in parted(_joined(raw, tag))]


def _authors(raw: tagged.Raw) -> tuple[str, ...]:
    lines = raw.lines("AU") or raw.lines("Author") or raw.lines("Authors")
    names = parted(re.sub(r"\[[^\]]*\]", "", ";".join(lines)))
    return tuple(dict.fromkeys(name for name in map(_name, names) if name))


def _name(text: str) -> str:
    """Return a name without the signs of institutions behind it."""
    return re.sub(r"[\s\d*+,]+$", "", one_line(text))


def _joined(raw: tagged.Raw, tag: str) -> str:
    """Return a list whose entries stand on lines of their own, or in one text that may be wrapped."""
    lines = [line for line in raw.lines(tag) if line]
    wrapped = any(";" in line for line in lines)
    return (" " if wrapped else ";").join(lines)
