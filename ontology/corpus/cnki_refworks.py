"""CNKI's RefWorks text: two-character tags, ``RT`` opens a record.

In real files: a blank line between K1 and AB (so a blank line ends nothing), lower-case ``vo``, ``IS`` twice,
``A1`` without a space before the name, English keywords on a line of their own after K1, abstracts of several lines,
files cut in the middle of a record. A line of an abstract may begin as a tag does (``A1型区域``, ``T1 weighted``): what
such a line is, is judged by the tags of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, peeked, split_list
from ontology.model import Document

_TEXTS = "T1|A1|K1|AB|JF|PB|AD|T2|T3|A2|A3|A4|A5|ED|NO|JO|PP|CL|OT|ST|LK|UL|DO|RT|DB|WT|U[1-9]|AN|AV|CR"
_SHORT = "SR|ID|IS|VO|vo|OP|SP|SN|CN|YR|FD|LA|DS|SF|IP|RD|OL|WV|WP"
_TAG = re.compile(rf"^({_TEXTS}|{_SHORT})(?:[ \t]+(.*)|([^\x00-\x7f].*)|)$")
_FORM = re.compile(r"..(?:\s+[^\s。！？]+){0,3}\s*$")
"""A line of a tag with a number, a date, a language or a database, which is no sentence."""
_READ = tagged.tags(title="T1", abstract="AB", keywords="K1", authors="A1", source="JF PB", year="YR FD", doi="DO LK")
_LEFT = [*re.sub(r"U\[1-9\]", "|".join(f"U{n}" for n in range(1, 10)), f"{_TEXTS}|{_SHORT}").split("|")]
LAYOUT = tagged.Layout(
    "cnki_refworks", _READ, frozenset(_LEFT) - {tag for tags in _READ.values() for tag in tags}, "tag T1", "RT", "RT",
    once=frozenset({"T1"}),
)  # fmt: skip
NAME = LAYOUT.name
_FIRST = {"SR", "A1", "T1", "JF", "AD"}
"""Tags that stand before K1 and AB: behind a blank line they begin a record whose RT line was lost."""
_SHORT_TAGS = frozenset(_SHORT.split("|"))
_SENTENCE = re.compile(r"[。！？]|^[a-z][^;；]*\s[^;；]*[.!?]$|^[a-z]+(?: [a-z]+){3}[^;；]*$")
"""A value that is a sentence, or begins as one that goes on in the next line, and no title, source or list."""
_NOTES = tagged.names("A1 A2 A3 A4 A5 ED AD NO OT AV CR AB")
_ABSTRACT = 20
"""Minimum characters of a second abstract, which is in the other language."""
_BACK = 0.5
"""A tag is in use behind abstracts if that share of the records that have it has it there."""


def matches(head: str) -> bool:
    """Return True if two or more different tags that RefWorks files of CNKI always have start a line.

    ``AB  - `` is a line of another format.
    """
    lines = filter(None, map(_TAG.match, head.splitlines()))
    tags = {m.group(1) for m in lines if not (m.group(2) or "").startswith("- ")}
    return len(tags & {"RT", "SR", "T1", "K1", "AB", "A1", "DS"}) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    head, everything = peeked(lines)
    return tagged.parse(everything, file, LAYOUT, _splitter(_Usage(head)), _document, _opens)


def split(text: str) -> tuple[str, str] | None:
    """Return a line as (tag, value), None for a line without one of the format's tags."""
    match = _TAG.match(text)
    return (match.group(1), match.group(2) or match.group(3) or "") if match else None


def _opens(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    return tag == "RT" or (raw is not None and blank and tag in raw.fields and tag in _FIRST)


class _Usage:
    """How the first records of a file use the tags: with a blank behind them or none, and which behind an abstract."""

    def __init__(self, head: str) -> None:
        self.spaced: Counter[str] = Counter()
        self.glued: Counter[str] = Counter()
        records: Counter[str] = Counter()
        behind: Counter[str] = Counter()
        seen, after = set[str](), set[str]()
        inside = False
        for text in [*head.splitlines(), "RT"]:
            match = _TAG.match(text)
            if match is None:
                continue
            tag = match.group(1)
            if inside and tag not in _NOTES and _SENTENCE.search(match.group(2) or ""):
                continue
            if tag == "RT":
                records.update(seen)
                behind.update(after)
                seen, after, inside = set(), set(), False
            (self.glued if match.group(3) else self.spaced)[tag] += not (inside and match.group(3))
            if inside and not match.group(3):
                after.add(tag)
            seen.add(tag)
            inside = tag == "AB"
        self.behind = {tag for tag, count in records.items() if behind[tag] >= _BACK * count}


def _splitter(usage: _Usage) -> tagged.Split:
    """Return what splits the lines of a file; within an abstract, a line that only looks like a tag continues it."""
    match_of, spaced = _TAG.match, {tag for tag in usage.spaced if usage.spaced[tag] > usage.glued[tag]}
    seen = set[str]()
    last, blank = "", False

    def split_line(text: str) -> tuple[str, str] | None:
        nonlocal last, blank
        match = match_of(text)
        if match is None:
            blank = not text.strip()
            return None
        tag, value, glued = match.groups()
        if glued is not None and (last == "AB" or tag in spaced):
            return None
        if last == "AB" and not blank and _is_text(text, tag, seen, usage):
            return None
        blank = False
        if tag == "RT":
            seen.clear()
        seen.add(tag)
        last = tag
        return tag, value or glued or ""

    return split_line


def _is_text(text: str, tag: str, seen: set[str], usage: _Usage) -> bool:
    """Return whether a line of an abstract that begins as a tag does is a line of the abstract.

    It is where it is a sentence, but for tags of names and notes, and where the record has that tag already.
    """
    value = text[2:].strip()
    sentence = tag not in _NOTES and _SENTENCE.search(value) is not None
    if tag == "RT" or (tag in usage.behind and tag in seen and tag != "AB"):
        return sentence
    if tag in _SHORT_TAGS:
        return not _FORM.match(text)
    if tag == "AB":
        return len(value) < _ABSTRACT or value[0].islower()
    return sentence or tag in seen


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    abstract, abstract_en = raw.languages("AB")
    return document_of(
        fallback_id,
        title,
        abstract=abstract,
        abstract_en=abstract_en,
        keywords=raw.lines("K1"),
        authors=split_list(";".join(raw.lines("A1"))),
        source=raw.text(*_READ["source"]),
        years=(raw.text("YR"), raw.text("FD")),
        dois=(raw.text(*_READ["doi"]),),
    )
