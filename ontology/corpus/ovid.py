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
from ontology.corpus.records import Line, Parsed, document_of, one_line, split_list
from ontology.model import Document

_READ = {
    "title": ("TI", "Title", "BT", "Chapter Title"), "abstract": ("AB", "Abstract"),
    "keywords": ("KW", "KF", "Author Keywords", "Keyword Heading", "Keywords", "ID", "Key Concepts"),
    "index_terms": ("MH", "SH", "MeSH Subject Headings", "Subject Headings"), "authors": ("AU", "Author", "Authors"),
    "source": ("JN", "Journal Name", "JT", "TA", "SO", "Source"),
    "year": ("YR", "Year of Publication", "Publication Year", "DP", "Date of Publication"),
    "doi": ("DO", "DI", "Digital Object Identifier", "DOI Number"),
    "id": ("UI", "Unique Identifier", "AN", "Accession Number"),
}  # fmt: skip
_LEFT = tagged.names(
    "VN|Score|VN|DB|Database|ST|Status|IN|Institution|DS|References|RF|LG|Language|PT|Publication Type|IS|ISSN|IP"
    "|Issue|VO|Volume|PG|Pages|CP|Country|Country of Publication|CO|CODEN|RN|CAS Registry Number|Registry Number"
    "|OT|Original Title|FA|FE|Full Author Name|AD|Address|Author Address|Correspondence Address|EM|E-Mail|EZ"
    "|Entry Date|ED|Entry Week|EW|UP|Update Date|Update Code|DA|Date Created|DC|LR|Last Revision|RO|Record Owner"
    "|SB|Subset|Journal Subset|GI|Grant|Grant Information|PB|Publisher|CR|Copyright|Copyright Information|CI|CC"
    "|Classification Code|TN|Trade Name|MS|Manufacturer|DN|DV|Device Trade Name|Device Manufacturer|AI"
    "|Author NameID|PU|PubMed Identifier|PM|NT|Notes|ES|EI|Electronic ISSN|IB|ISBN|LI"
    "|Link to the Ovid Full Text or citation|Link to the Ovid Full Text|Link to the External Link Resolver|XL|YS"
    "|Emtree Heading|EX|PY|PH|Publication History Status|RS|Record Source|Conference Information|CF"
    "|Summary Language|Number of References|NR|IR|CM|Comments|GS|Gene Symbol|PS|SI|SY"
)
LAYOUT = tagged.Layout(
    "ovid", _READ, _LEFT, "tag TI or label Title", "<", "<1>", required=False, once=frozenset({"TI", "Title"})
)
NAME = LAYOUT.name
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
    return tagged.parse(lines, file, LAYOUT, Split(), _document, _opens, _title)


def _title(raw: tagged.Raw) -> str:
    return _KIND.sub("", one_line(raw.text(*_READ["title"])))


def _opens(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a tag opens a record: a number always; where records have none, the vendor or a repeated tag."""
    if tag == "VN":
        return raw is None or "VN" in raw.fields
    return tag == "<" or (raw is not None and blank and tag in raw.fields and tag in _UNIQUE)


class Split:
    """Splits a line; whether a line at the margin is a label or goes on depends on the record's lines before it."""

    def __init__(self) -> None:
        self._labelled = False

    def __call__(self, text: str) -> tuple[str, str] | None:
        """Return a line as (tag or label, value), None for one that goes on."""
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
    own_id = one_line(raw.text(*_READ["id"])).rstrip(".")
    abstract, abstract_en = raw.languages(*_READ["abstract"])
    return document_of(
        own_id or fallback_id,
        title,
        abstract=abstract,
        abstract_en=abstract_en,
        keywords=[keyword_line(_keywords(raw), _headings(raw))],
        authors=_authors(raw),
        source=raw.text(*_READ["source"][:4]) or (journal.group(1) if journal else source),
        years=(raw.text(*_READ["year"][:3]), raw.text(*_READ["year"][3:]),
               years[-1] if years else ""),
        dois=(raw.text(*_READ["doi"]),),
    )  # fmt: skip


def _keywords(raw: tagged.Raw) -> list[str]:
    for tag in _READ["keywords"][:5]:
        text = _joined(raw, tag).rstrip(". ")
        if text:
            return parted(text)
    concepts = _joined(raw, "ID") or _joined(raw, "Key Concepts")
    return list(split_list(concepts))


def _headings(raw: tagged.Raw) -> list[str]:
    return [heading(entry) for tag in _READ["index_terms"] for entry in parted(_joined(raw, tag))]


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
