"""The keywords of a record with two lists: what the authors chose, and terms of an index (MeSH, Keywords Plus)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ontology.corpus.records import clean_text, has_chinese, one_line, unescaped

_HEADING = re.compile(r"^\*?([^/]+)")


def keyword_line(chosen: Iterable[str], index: Iterable[str] = ()) -> str:
    """Return the keywords as one line, those of the authors first, each once whatever its case.

    Behind Chinese keywords of the authors the English terms of an index are left out: they are no translations.

    Args:
        chosen: keywords of the authors, one an entry.
        index: terms of the index.

    >>> keyword_line(["flood, urban"], ["FLOOD, URBAN", "RISK"]), keyword_line(["内涝"], ["FLOOD"])
    ('flood, urban;RISK;', '内涝;')
    """
    first = [one_line(entry) for entry in chosen]
    further = () if any(map(has_chinese, first)) else map(one_line, index)
    entries: dict[str, str] = {}
    for entry in (*first, *further):
        text = clean_text(entry).replace(";", ",")
        if text:
            entries.setdefault(text.casefold(), text)
    return "".join(f"{entry};" for entry in entries.values())


def parted(text: str) -> list[str]:
    """Return the entries of a list that has semicolons, or else one entry; commas part nothing.

    >>> parted("flood; risk, urban"), parted("Neoplasms, Experimental")
    (['flood', ' risk, urban'], ['Neoplasms, Experimental'])
    """
    return unescaped(text).split(";")


def heading(text: str) -> str:
    """Return a subject heading without its mark of importance and its qualifiers.

    >>> heading("*Neoplasms/genetics/*metabolism")
    'Neoplasms'
    """
    match = _HEADING.match(text.strip())
    return match.group(1).strip() if match else ""
