"""Records of exports with lines ``tag value``: common parts of RefWorks, E-Study, NoteExpress, EndNote and CSSCI."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ontology.corpus.records import Line, Parsed, one_line, problem
from ontology.model import Document, Problem

Split = Callable[[str], tuple[str, str] | None]
"""A line as (tag, value), or None for a line that continues the value before it."""
Opens = Callable[[str, "Raw | None", bool], bool]
"""Whether a tag opens a record, given the record so far and whether a blank line precedes it."""


@dataclass(slots=True)
class Raw:
    """Lines of one record by tag, while it is being read; ``opened`` is False for one without its beginning."""

    line: int
    opened: bool
    fields: dict[str, list[str]] = field(default_factory=dict)

    def text(self, *tags: str) -> str:
        """Return the value of the first of these tags that has one, its lines joined by spaces."""
        for tag in tags:
            value = " ".join(self.fields.get(tag, ())).strip()
            if value:
                return value
        return ""

    def lines(self, tag: str) -> Sequence[str]:
        """Return the tag's values, one for each line."""
        return self.fields.get(tag, ())


def records(lines: Iterable[Line], split: Split, opens: Opens) -> Iterator[Raw]:
    """Group lines to records. A blank line ends nothing; lines before the first tag are under the tag ``?``.

    Args:
        lines: lines of a file.
        split: splits a line into tag and value.
        opens: whether a tag opens a record.
    """
    raw: Raw | None = None
    tag = ""
    blank = False
    for line in lines:
        if not line.text.strip():
            blank = True
            continue
        tag_value = split(line.text)
        value = line.text
        if tag_value:
            tag, value = tag_value
            starts = opens(tag, raw, blank)
            if raw is None or starts:
                if raw is not None:
                    yield raw
                raw = Raw(line.number, opened=starts)
        elif raw is None:
            raw, tag = Raw(line.number, opened=False), "?"
        raw.fields.setdefault(tag, []).append(value.strip())
        blank = False
    if raw is not None:
        yield raw


def documents(
    raws: Iterable[Raw], file: str, title_tag: str, document: Callable[[Raw, str, str], Document], title: str,
    opener: str = "",
) -> Parsed:  # fmt: skip
    """Make a document of each record, or a problem of one without a title.

    Args:
        raws: the records of a file.
        file: its name, for messages and ids.
        title_tag: the tag of titles.
        document: makes the document of a record, its title and an id.
        title: the line of a title, for messages.
        opener: the line that opens a record, for messages; empty where no line always does.
    """
    for number, raw in enumerate(raws, start=1):
        text = one_line(raw.text(title_tag))
        yield document(raw, text, f"{file}-{number}") if text else untitled(raw, file, title, opener)


def untitled(raw: Raw, file: str, title: str, opener: str) -> Problem:
    """Return the problem of a record without title.

    Args:
        raw: the record.
        file: name of the file.
        title: the expected line of a title.
        opener: the expected line that opens a record, or "".
    """
    if raw.opened or not opener:
        return problem(file, raw.line, f"record without a title ({title})")
    return problem(file, raw.line, f"the file starts in the middle of a record: no {opener} line, no title ({title})")
