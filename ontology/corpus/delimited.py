"""Tables as text: a row of column names, quoted fields that may hold line breaks, commas, semicolons, tabs or bars.

Separator, row of names and quotation are inferred. In real files: semicolons for commas (spreadsheets of some
languages), lines above the names, no names at all (addresses and titles), a quotation mark that never closes (that line
is a problem, and reading goes on behind it), quotation marks within quoted fields, rows that do not fit their header.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import NamedTuple

from ontology.corpus import columns
from ontology.corpus.records import Line, Parsed, clean_text, peeked, problem
from ontology.errors import Message
from ontology.model import Problem

CSV = "csv"
TSV = "tsv"
MARKS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_LONGEST_ROW = 1_000
"""Maximum lines of one row; a quotation mark that is open for longer is literal."""
_NO_LETTER = re.compile("[\ue000-\uf8ff\ufffd]")
"""Characters without a meaning of their own, and bytes that are none: what another encoding leaves."""
_SAMPLE = 50
_HEADER_ROWS = 20
_SHOWN = 60
_SAME = 0.8
"""Share of the rows of one width from which a text is a table."""


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, and the number of its first line."""

    line: int
    cells: list[str]


class _Table(NamedTuple):
    mark: str
    header: int
    """Number of rows up to the one with the names; 0 for none."""
    known: columns.Columns


def matches(name: str) -> Callable[[str], bool]:
    """Return a test for tables with this separator: a header with a title column, or addresses and titles."""
    return lambda head: _table(head, name) is not None


def parser(name: str) -> Callable[[Iterable[Line], str], Parsed]:
    """Return the parser for tables with this separator."""
    return partial(_parse, name)


def described(name: str) -> Callable[[str], str]:
    """Return what says how the table of a text is read: its separator, and which columns are left out."""

    def describe(head: str) -> str:
        table = _table(head, name)
        if table is None:
            return ""
        above = " ".join(" ".join(row) for row in _sample(head, table.mark)[: max(table.header - 1, 0)])
        left = Message("corpus.above_names", text=clean_text(above)[:_SHOWN]) if above.strip() else ""
        mark = Message(f"corpus.mark_{MARKS[table.mark]}")
        return Message("corpus.layout_parted", mark=mark, columns=table.known.described(), above=left)

    return describe


def untitled(head: str) -> str:
    """Return what a table lacks that has no column of titles, "" for a text that is no table."""
    for mark in MARKS:
        rows = _sample(head, mark)
        widths = Counter(len(row) for row in rows)
        width, count = widths.most_common(1)[0] if widths else (0, 0)
        if width > 1 and count > 1 and count >= _SAME * len(rows) and mark in head:
            garbled = any(map(_NO_LETTER.search, chain.from_iterable(rows)))
            names = columns.shown(rows[0])
            read = Message("corpus.lacks_encoding") if garbled else ""
            return Message("corpus.lacks_titles", latin="Title", chinese="题名", names=names, read=read)
    return ""


def _table(head: str, name: str) -> _Table | None:
    """Return the table of a text with the separator under which most columns have a known name."""
    found = [t for mark in (("\t",) if name == TSV else ",;|") if mark in head and (t := _columns(head, mark))]
    return max(found, key=lambda table: (table.header > 0, len(table.known.at)), default=None)


def _columns(head: str, mark: str) -> _Table | None:
    rows = _sample(head, mark)
    for number, row in enumerate(rows[:_HEADER_ROWS], start=1):
        named = columns.header(row) if len(row) > 1 else None
        if named is not None:
            return _Table(mark, number, named)
    guessed = columns.without_header([row for row in rows if len(row) > 1])
    return _Table(mark, 0, guessed) if guessed is not None else None


def _sample(head: str, mark: str) -> list[list[str]]:
    """Return the first rows of a text."""
    whole = head if head.endswith("\n") else head[: head.rfind("\n") + 1] or head
    lines = (Line(n, text) for n, text in enumerate(whole.splitlines(), start=1))
    return [
        row.cells
        for row in islice(rows_of(lines, mark, ""), _SAMPLE)
        if isinstance(row, Row) and any(map(str.strip, row.cells))
    ]


def _parse(name: str, lines: Iterable[Line], file: str) -> Parsed:
    head, rest = peeked(lines)
    table = _table(head, name) or _table(head.rstrip("\n"), name)  # the last line may be cut
    assert table is not None  # noqa: S101 - the format was chosen by it
    width, above, said = table.known.width, table.header, set[int]()
    named = len(table.known.names)
    some_unnamed = "" in table.known.names
    for row in rows_of(rest, table.mark, file, len(table.known.names)):
        if isinstance(row, Problem):
            yield row
        elif not any(map(str.strip, row.cells)):
            continue
        elif above:
            above -= 1
            if above and sum(map(bool, map(str.strip, row.cells))) > 1:
                yield problem(file, row.line, "corpus.row_above")
        elif named and "".join(row.cells[named:]).strip():
            yield problem(file, row.line, "corpus.row_unquoted", cells=len(row.cells), columns=named)
        else:
            document = columns.document(row.cells, table.known, file, row.line)
            if document is not None:
                yield document
            if not isinstance(document, Problem) and len(row.cells) < width:
                yield problem(file, row.line, "corpus.row_cut", cells=len(row.cells), columns=width)
            for number in set(table.known.unnamed(row.cells)) - said if some_unnamed else ():
                said.add(number)
                yield problem(file, row.line, "corpus.column_unnamed", number=number)


def rows_of(lines: Iterable[Line], mark: str, file: str, width: int = 0) -> Iterator[Row | Problem]:
    """Yield rows with the number of their first line; for a quotation mark that never closes, a problem of its line.

    A row of several lines whose number of cells differs from the first row was closed at a wrong mark. In a row that
    does not fit, quotation marks that no separator follows are taken as characters.

    Args:
        lines: lines of a table.
        mark: the separator.
        file: name of the file, for messages.
        width: number of columns; by default that of the first row.
    """
    ahead: deque[Line] = deque()
    source = iter(lines)
    _allow_long_fields()
    while (line := ahead.popleft() if ahead else next(source, None)) is not None:
        if '"' not in line.text:
            cells = line.text.split(mark) if line.text else []
            width = width or len(cells)
            yield Row(line.number, cells)
            continue
        taken, closed = _row_of(line, ahead, source, mark)
        text = "\n".join(t.text for t in taken)
        cells = next(csv.reader([text], delimiter=mark), []) if closed else []
        fits = len(cells) >= width and not "".join(cells[width:]).strip()  # rows may end in separators
        if closed and (len(taken) == 1 or not width or fits):
            if width and len(cells) != width and len(lenient := _lenient(text, mark)) == width:
                cells = lenient
            width = width or len(cells)
            yield Row(line.number, cells)
        else:
            ahead.extendleft(reversed(taken[1:]))
            if width and len(lenient := _lenient(line.text, mark)) == width:
                yield Row(line.number, lenient)
            else:
                yield problem(file, line.number, "corpus.quotation_open")


def _lenient(text: str, mark: str) -> list[str]:
    """Return the cells of a row in which a quotation mark closes a field only before a separator or the end.

    There are none where a field that a quotation mark opens has no such end.
    """
    sign = re.escape(mark)
    pattern = re.compile(rf'(?:^|{sign})(?:"((?:[^"]|"(?!{sign}|$))*)"(?={sign}|$)|([^{sign}]*))', re.DOTALL)
    found = pattern.findall(text)
    return [] if any(plain.startswith('"') for _, plain in found) else [(q or p).replace('""', '"') for q, p in found]


def _row_of(first: Line, ahead: deque[Line], source: Iterator[Line], mark: str) -> tuple[list[Line], bool]:
    """Return the lines of a row, and whether the last of them closes it."""
    taken = [first]
    inside = _open_after(first.text, mark, inside=False)
    while inside and len(taken) < _LONGEST_ROW:
        more = ahead.popleft() if ahead else next(source, None)
        if more is None:
            break
        taken.append(more)
        inside = _open_after(more.text, mark, inside=True)
    return taken, not inside


def _allow_long_fields() -> None:
    """Allow fields as long as a line; the csv module's limit of 131,072 characters applies to the process."""
    if csv.field_size_limit() < 1 << 30:
        csv.field_size_limit(1 << 30)


def _open_after(text: str, mark: str, *, inside: bool) -> bool:
    """Return True if a quoted field is still open at the end of the line; a mark opens one only at its start."""
    position = 0
    while True:
        if inside or text.startswith('"', position):
            position = _closing(text, position if inside else position + 1)
            if position < 0:
                return True
            inside = False
        position = text.find(mark, position)
        if position < 0:
            return False
        position += 1


def _closing(text: str, position: int) -> int:
    """Return the position after the quotation mark that closes a field, skipping doubled ones; -1 if there is none."""
    while True:
        position = text.find('"', position)
        if position < 0:
            return -1
        if not text.startswith('""', position):
            return position + 1
        position += 2
