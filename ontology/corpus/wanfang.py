"""Wanfang's (万方) dialect of NoteExpress: an author or keyword a line, translated title, abstract, keywords."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from ontology.corpus import noteexpress
from ontology.corpus.records import Line, Parsed

LAYOUT = replace(noteexpress.LAYOUT, name="wanfang_noteexpress")
NAME = LAYOUT.name
split = noteexpress.split
_WANFANG = re.compile(r"^\{(?:URL|Database Provider)\}.*(?:wanfangdata|万方)", re.MULTILINE)


def matches(head: str) -> bool:
    """Return True for NoteExpress text that names Wanfang as its provider or links to it."""
    return noteexpress.matches(head) and _WANFANG.search(head) is not None


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record, as NoteExpress does.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return noteexpress.parse(lines, file, LAYOUT)
