"""Records of exports with lines ``tag value``: the common parts of their readers.

Every line that is not blank is accounted for: it is in a field that is read, in one that the layout names as left out,
or in a problem. Fields that a layout does not know are problems of their file, one for each tag.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ontology.corpus.records import Line, Parsed, clean_text, in_two_languages, place, problem
from ontology.errors import Message
from ontology.model import Document, Problem

Split = Callable[[str], tuple[str, str] | None]
"""A line as (tag, value), or None for a line that continues the value before it, and for a blank one."""
Opens = Callable[[str, "Raw | None", bool], bool]
"""Whether a tag opens a record, given the record so far and whether a blank line precedes it."""
OUTSIDE = "text outside"
"""Tag of lines that stand before the first tag of a record."""
_FEW = 0.95
"""Share of the lines of a file below which its reader says what it accounts for."""
_NAMED = 8
"""Maximum unknown tags that are problems of their own."""
_SHOWN = 40
_TOGETHER = ("title", "abstract", "keywords", "year")
"""Fields whose lines stand together in a record."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields of a format.

    Attributes:
        name: name of the format.
        read: field of a document -> tags that are read into it, those that count first.
        left: tags that the format has and that are left out.
        title: the line of a title, for messages (`ontology.corpus.records.place`).
        opener: the tag that opens a record; "" where no tag always does.
        shown: the line that opens a record, for messages.
        required: whether a record without its opener has lost its beginning.
        closes: the tag that ends a record; "" for none.
        ends: whether a record without it has lost its end.
        once: tags that a record has once: where one is there again with another value, a record has lost its beginning.
    """

    name: str
    read: Mapping[str, tuple[str, ...]]
    left: frozenset[str]
    title: str
    opener: str = ""
    shown: str = ""
    required: bool = True
    closes: str = ""
    ends: bool = True
    once: frozenset[str] = frozenset()

    @property
    def known(self) -> frozenset[str]:
        """All tags of the format."""
        read = {tag for tags in self.read.values() for tag in tags}
        return self.left | read | {self.opener, self.closes, OUTSIDE}


def tags(**read: str) -> dict[str, tuple[str, ...]]:
    """Return the tags of each field, given as words of a text."""
    return {name: tuple(text.split()) for name, text in read.items()}


def names(text: str) -> frozenset[str]:
    """Return the tags of a text, divided by ``|``, or else by blanks."""
    return frozenset(text.split("|") if "|" in text else text.split())


@dataclass(slots=True)
class Raw:
    """Lines of one record by tag, while it is being read."""

    line: int
    fields: dict[str, list[str]] = field(default_factory=dict)
    again: dict[str, list[int]] = field(default_factory=dict)
    """Tag -> positions at which it is repeated in its lines."""
    notes: list[Message] = field(default_factory=list)
    """What a reader leaves out of the record, each a problem."""

    def repeat(self, tag: str, value: str, apart: int) -> None:
        """Note that the next value of a tag is another one.

        Args:
            tag: the tag.
            value: the value.
            apart: number of its line, if it stands apart from the others of a field whose lines stand together.
        """
        self.again.setdefault(tag, []).append(len(self.fields[tag]))
        if apart and _other(self, tag, value):
            self.notes.append(Message("corpus.field_again", tag=tag, line=apart))

    def text(self, *tags: str) -> str:
        """Return the value of the first of these tags that has one, its different lines joined by spaces."""
        for tag in tags:
            lines = self.fields.get(tag)
            if lines and (value := lines[0] if len(lines) == 1 else " ".join(dict.fromkeys(lines)).strip()):
                return value
        return ""

    def lines(self, tag: str) -> Sequence[str]:
        """Return the tag's values, one for each line."""
        return self.fields.get(tag, ())

    def values(self, *tags: str) -> list[str]:
        """Return the values of these tags, one for each time that a tag is there."""
        found = []
        for tag in tags:
            lines, starts = self.fields.get(tag, []), [0, *self.again.get(tag, ())]
            found += [" ".join(lines[a:b]) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True) if lines]
        return found

    def languages(self, *tags: str) -> tuple[str, str]:
        """Return the text of these tags, and that in English where it is there in Chinese too."""
        several = sum(tag in self.fields for tag in tags) > 1 or any(tag in self.again for tag in tags)
        return in_two_languages(self.values(*tags)) if several else (self.text(*tags), "")


def _opens_at(opener: str) -> Opens:
    """Return whether a tag opens a record where this one always does."""
    return lambda tag, *_: tag == opener


class _Account:
    """The lines of a file that no field takes."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.known = layout.known
        self.lines = self.outside = 0
        self.unknown: dict[str, list[int]] = {}

    def problems(self, file: str) -> Iterator[Problem]:
        """Yield a problem for each tag that the format does not have, and one where many lines were left out."""
        for tag, numbers in list(self.unknown.items())[:_NAMED]:
            more = Message("corpus.field_unknown_lines", lines=len(numbers) - 1) if len(numbers) > 1 else ""
            of = {"tag": tag[:_SHOWN], "format": self.layout.name, "more": more}
            yield problem(file, numbers[0], "corpus.field_unknown", **of)
        if len(self.unknown) > _NAMED:
            first = min(numbers[0] for numbers in list(self.unknown.values())[_NAMED:])
            yield problem(file, first, "corpus.fields_unknown", fields=len(self.unknown) - _NAMED)
        left = self.outside + sum(map(len, self.unknown.values()))
        if self.lines and 1 - left / self.lines < _FEW:
            share = f"{100 * (self.lines - left) / self.lines:.0f}%"
            counts = {"share": share, "left": left, "lines": self.lines}
            yield problem(file, 0, "corpus.lines_few", format=self.layout.name, **counts)


def parse(
    lines: Iterable[Line], file: str, layout: Layout, split: Split, document: Callable[[Raw, str, str], Document],
    opens: Opens | None = None, title: Callable[[Raw], str] | None = None,
) -> Parsed:  # fmt: skip
    """Yield the document of each record, a problem of one without a title, and what was left out.

    Args:
        lines: lines of a file.
        file: its name, for messages and ids.
        layout: the fields of the format.
        split: splits a line into tag and value.
        document: makes the document of a record, its title and an id.
        opens: whether a tag opens a record; by default the opener of the layout does.
        title: returns the title of a record; by default the text of the layout's tags.
    """
    account = _Account(layout)
    named = layout.read["title"]
    for number, raw in enumerate(_records(lines, layout, split, opens or _opens_at(layout.opener), account), start=1):
        outside = raw.fields.get(OUTSIDE, ())
        account.outside += len(outside)
        if outside and len(raw.fields) == 1:
            code = "corpus.text_before" if number == 1 else "corpus.text_between"
            yield problem(file, raw.line, code, opener=layout.shown or place(layout.title), text=_short(outside))
            continue
        text = clean_text(title(raw) if title else raw.text(*named))
        begun = not (layout.shown and layout.required) or layout.opener in raw.fields
        if not text:
            yield _untitled(raw, file, layout, first=number == 1, begun=begun)
            continue
        yield document(raw, text, f"{file}-{number}")
        if outside:
            yield problem(file, raw.line, "corpus.text_before_field", text=_short(outside))
        elif not begun:
            yield problem(file, raw.line, "corpus.record_beginning", shown=layout.shown)
        if layout.closes and layout.ends and layout.closes not in raw.fields:
            yield problem(file, raw.line, "corpus.record_end", closes=layout.closes)
        for note in raw.notes:
            yield Problem(file, raw.line, note)
    yield from account.problems(file)


def _short(lines: Sequence[str]) -> str:
    text = clean_text(" ".join(lines))
    return f"“{text[:_SHOWN]}”" if len(text) <= _SHOWN else f"“{text[:_SHOWN]} ..”"


def _untitled(raw: Raw, file: str, layout: Layout, *, first: bool, begun: bool) -> Problem:
    where = place(layout.title)
    if begun:
        return problem(file, raw.line, "corpus.untitled", place=where)
    code = "corpus.start_untitled" if first else "corpus.part_untitled"
    return problem(file, raw.line, code, shown=layout.shown, place=where)


def _records(lines: Iterable[Line], layout: Layout, split: Split, opens: Opens, account: _Account) -> Iterator[Raw]:
    """Group lines to records. A blank line ends nothing."""
    raw: Raw | None = None
    tag = before = ""
    values: list[str] = []
    blank = False
    count = 0
    known, once, closes = account.known, layout.once, layout.closes
    together = {tag for name in _TOGETHER for tag in layout.read.get(name, ())}
    for line in lines:
        text = line.text
        pair = split(text)
        if pair is None:
            value = text.strip()
            if not value:
                blank = True
                continue
            if raw is None:
                raw, tag = Raw(line.number), OUTSIDE
                values = raw.fields[tag] = []
        else:
            tag, value = pair[0], pair[1].strip()
            there = None if raw is None else raw.fields.get(tag)
            if raw is None or opens(tag, raw, blank) or (there and tag in once and _other(raw, tag, value)):
                if raw is not None:
                    yield raw
                elif tag == closes:
                    count, blank = count + 1, False
                    continue
                raw, there = Raw(line.number), None
            elif there is not None:
                raw.repeat(tag, value, line.number if tag != before and tag in together else 0)
            if there is None:
                values = raw.fields[tag] = []
            else:
                values = there
            before = tag
        count += 1
        blank = False
        values.append(value)
        if tag not in known:
            account.unknown.setdefault(tag, []).append(line.number)
        elif tag == closes:
            yield raw
            raw = None
    account.lines = count
    if raw is not None:
        yield raw


def _other(raw: Raw, tag: str, value: str) -> bool:
    """Return whether a record has a tag already, with another value."""
    return bool(value) and any(raw.fields.get(tag, ())) and value not in raw.fields[tag]
