"""RIS, the tagged text of reference managers: ``TY  - `` opens a record, ``ER  - `` ends it.

Peculiarities of real files: one blank before the hyphen, none behind it, fields of a record before its ``TY``, a
missing ``ER`` at the end of a truncated file, keywords of one record on one line, repeated tags, ``N2`` beside ``AB``
with the abstract in the other language. The package rispy, which stops a file at its first unknown line, serves the
tests as a second opinion.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from ontology.corpus import tagged
from ontology.corpus.records import (
    Line,
    Parsed,
    clean_abstract,
    document_of,
    in_two_languages,
    mostly_chinese,
    peeked,
    split_list,
)
from ontology.errors import Message
from ontology.model import Document

_READ = tagged.tags(
    title="TI T1",
    title_en="TT",
    abstract="AB N2",
    keywords="KW",
    authors="AU A1",
    source="JO JF T2 JA J2 BT PB",
    year="PY Y1 DA",
    doi="DO UR L1",
)
_LEFT = tagged.names(
    "TY ER A2 A3 A4 A5 AD AN AV C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DB DP ED EP ET ID IP IS J1 K1 L2 L3 L4 LA"
    " LB LK M1 M2 M3 N1 NO NV OP PP RI RN RP SE SN SP SR SO ST T3 TA U1 U2 U3 U4 U5 UI VL VO Y2 DI WT WV OA CR N3"
    " OT ZZ"
)
LAYOUT = tagged.Layout("ris", _READ, _LEFT, "tag TI or T1", "TY", "TY  - ", closes="ER", once=frozenset({"TI", "T1"}))
NAME = LAYOUT.name
_TAG = re.compile(r"^[ \t]{0,2}([A-Z][A-Z0-9])([ \t]{0,2})-(?:([ \t])(.*)|(.*))$")
_RARE = 0.2
"""Share of the lines with tags below which a form of them (one blank, none behind the hyphen) is none of the file."""
_TEXTS = {"AB", "N2", "N1", "TI", "T1"}


def matches(head: str) -> bool:
    """Return True if a line opens a record and another has a tag."""
    tags = {pair[0] for pair in map(split, head.splitlines()) if pair}
    return "TY" in tags and len(tags) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    head, everything = peeked(lines)
    return tagged.parse(everything, file, LAYOUT, _Split(head), _document, _opens)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``TAG  - value`` as (tag, value), None for another line; only known tags may lack their blanks.

    >>> split("TI  - Dikes"), split("TI  -Dikes"), split("CO2 - a gas"), split("VII -x")
    (('TI', 'Dikes'), ('TI', 'Dikes'), None, None)
    """
    match = _TAG.match(text)
    return _pair(match) if match else None


def _pair(match: re.Match[str]) -> tuple[str, str] | None:
    tag, before, behind, value, glued = match.groups()
    exact = before and (behind or not glued)
    return (tag, value or glued or "") if exact or tag in _KNOWN else None


_KNOWN = LAYOUT.known


def _form(match: re.Match[str]) -> tuple[bool, bool]:
    """Return the form of a line: whether two blanks are before its hyphen, and whether one is behind it."""
    return match.group(2) == "  ", bool(match.group(3) or not match.group(5))


class _Split:
    """Splits the lines of a file; within a text, one with a tag in a form that is rare in the file is no tag."""

    def __init__(self, head: str) -> None:
        forms = Counter(map(_form, filter(None, map(_TAG.match, head.splitlines()))))
        self._rare = {form for form, count in forms.items() if count < _RARE * sum(forms.values())}
        self._tag = ""
        self._last = (True, True)

    def __call__(self, text: str) -> tuple[str, str] | None:
        match = _TAG.match(text)
        pair = _pair(match) if match else None
        if match is None or pair is None:
            return None
        if self._rare:
            form = _form(match)
            if self._tag in _TEXTS and form != self._last and form in self._rare and pair[0] != "ER":
                return None
            self._tag, self._last = pair[0], form
        return pair


def _opens(tag: str, raw: tagged.Raw | None, _: bool) -> bool:
    """Return whether a tag opens a record: ``TY``, but where fields of a record without one stand before it."""
    return tag == "TY" and (raw is None or "TY" in raw.fields or not raw.fields.keys() - {tagged.OUTSIDE})


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    title, other_title = in_two_languages(raw.values(*_READ["title"])) if "T1" in raw.fields else (title, "")
    abstract, abstract_en = in_two_languages(_abstracts(raw))
    return document_of(
        fallback_id,
        title,
        abstract=abstract,
        abstract_en=abstract_en,
        keywords=_keyword_lines(raw),
        title_en=raw.text("TT") or other_title,
        authors=tuple(dict.fromkeys(e for a in (*raw.lines("A1"), *raw.lines("AU")) for e in split_list(f"{a};"))),
        source=raw.text(*_READ["source"]),
        years=[raw.text(tag) for tag in _READ["year"]],
        dois=[raw.text(tag) for tag in _READ["doi"]],
    )


def _abstracts(raw: tagged.Raw) -> list[str]:
    """Return the values of AB, and of N2 where it is the abstract in the other language or the only one."""
    if "N2" not in raw.fields:
        return raw.values("AB") if "AB" in raw.again else [raw.text("AB")]
    first, second = raw.values("AB"), raw.values("N2")
    plain, other = clean_abstract(" ".join(first)), clean_abstract(" ".join(second))
    if not plain or not other or other in plain or plain in other or mostly_chinese(plain) != mostly_chinese(other):
        return [*first, *second]
    raw.notes.append(Message("corpus.ris_abstract"))
    return first


def _keyword_lines(raw: tagged.Raw) -> Sequence[str]:
    values = raw.lines("KW")
    single = len(values) > 1 and not any(re.search(r"[;；]", value) for value in values)
    return [";".join(values)] if single else values
