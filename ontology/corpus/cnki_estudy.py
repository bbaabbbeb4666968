"""CNKI's E-Study (研学) text: lines ``Name-名称: value``, and ``DataType:`` opens a record.

In real files: no blank line between records, ``Source-刊名`` and ``Organ-机构`` where the self-defined export says
``Source-文献来源`` and ``Organ-单位``, records without author or year.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ontology.corpus import cnki_self_defined, tagged
from ontology.corpus.cnki_self_defined import document
from ontology.corpus.records import Line, Parsed

_OPENER = "DataType"
LAYOUT = replace(cnki_self_defined.LAYOUT, name="cnki_estudy", opener=_OPENER, shown=f"{_OPENER}:")
NAME = LAYOUT.name


def matches(head: str) -> bool:
    """Return True if a line starts with ``DataType:`` and another has a field of the self-defined format."""
    lines = head.splitlines()
    return any(line.startswith(f"{_OPENER}:") for line in lines) and any(map(split, lines))


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return tagged.parse(lines, file, LAYOUT, split, document)


def split(text: str) -> tuple[str, str] | None:
    """Return a line as (tag, value), None for a line without a tag."""
    if text.startswith(f"{_OPENER}:"):
        return _OPENER, text.removeprefix(f"{_OPENER}:")
    return cnki_self_defined.split(text)
