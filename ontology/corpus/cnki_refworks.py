"""CNKI's RefWorks text: two-character tags, ``RT`` opens a record.

In real files: a blank line between K1 and AB (so a blank line ends nothing), lower-case ``vo``, ``IS`` twice,
``A1`` without a space before the name, English keywords on a line of their own after K1, abstracts of several lines,
files cut in the middle of a record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, split_list
from ontology.model import Document

NAME = "cnki_refworks"
_TAGS = "RT|SR|ID|A1|A2|A3|A4|AD|T1|T2|T3|JF|JO|YR|FD|IS|VO|vo|OP|SP|K1|AB|SN|CN|LA|DS|LK|DO|PB|PP|CL|ED|NO|UL|WT"
_TAG = re.compile(rf"^({_TAGS})(?:[ \t]+(.*)|([^\x00-\x7f].*)|)$")


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
    raws = tagged.records(lines, _split, lambda tag, *_: tag == "RT")
    return tagged.documents(raws, file, "T1", _document, "tag T1", "RT")


def _split(text: str) -> tuple[str, str] | None:
    match = _TAG.match(text)
    return (match.group(1), match.group(2) or match.group(3) or "") if match else None


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    return document_of(
        fallback_id,
        title,
        abstract=raw.text("AB"),
        keywords=raw.lines("K1"),
        authors=split_list(raw.text("A1")),
        source=raw.text("JF", "PB"),
        years=(raw.text("YR"), raw.text("FD")),
        dois=(raw.text("DO", "LK"),),
    )
