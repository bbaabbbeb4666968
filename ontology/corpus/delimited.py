"""CSV and TSV: a header row with Chinese or English column names, quoted fields that may hold line breaks.

In real files: semicolons for commas (spreadsheets of some languages), no header at all (addresses and titles), a
quotation mark that never closes: that line is a problem, and reading goes on behind it.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from ontology.corpus import columns
from ontology.corpus.records import Line, Parsed, problem
from ontology.model import Problem

CSV = "csv"
TSV = "tsv"
_LONGEST_ROW = 1_000
"""Maximum lines of one row; a quotation mark that is open for longer is literal."""
_SAMPLE = 50


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: list[str]


def matches(name: str) -> Callable[[str], bool]:
    """Return a test for tables with this separator: a header with a title column, or addresses and titles."""
    return lambda head: any(_columns(head, mark) is not None for mark in _marks(name))


def parser(name: str) -> Callable[[Iterable[Line], str], Parsed]:
    """Return the parser for tables with this separator."""
    return partial(_parse, name)


def _marks(name: str) -> tuple[str, ...]:
    return ("\t",) if name == TSV else (",", ";")


def _columns(head: str, mark: str) -> tuple[columns.Columns, bool] | None:
    """Return the columns and whether the first row names them."""
    if mark not in head:
        return None
    whole = head if head.endswith("\n") else head[: head.rfind("\n") + 1] or head
    lines = (Line(n, text) for n, text in enumerate(whole.splitlines(), start=1) if text.strip())
    rows = [row.cells for row in _first(_rows(lines, mark, "")) if len(row.cells) > 1]
    if not rows:
        return None
    named = columns.header(rows[0])
    if named is not None:
        return named, True
    guessed = columns.without_header(rows)
    return (guessed, False) if guessed is not None else None


def _first(rows: Iterator[_Row | Problem]) -> Iterator[_Row]:
    for _, row in zip(range(_SAMPLE), rows, strict=False):
        if isinstance(row, _Row):
            yield row


def _parse(name: str, lines: Iterable[Line], file: str) -> Parsed:
    head, rest = _peek(lines)
    mark = next(m for m in _marks(name) if _columns(head, m) is not None)
    table = _columns(head, mark)
    assert table is not None  # noqa: S101 - the mark was chosen by it
    known, named = table
    for row in _rows(rest, mark, file):
        if isinstance(row, Problem):
            yield row
        elif named:
            named = not any(cell.strip() for cell in row.cells)
        else:
            document = columns.document(row.cells, known, file, row.line)
            if document is not None:
                yield document


def _peek(lines: Iterable[Line]) -> tuple[str, Iterator[Line]]:
    """Return the first lines as a text of at most 65,536 characters, and all lines."""
    iterator = iter(lines)
    taken: list[Line] = []
    length = 0
    for line in iterator:
        taken.append(line)
        length += len(line.text) + 1
        if length > 1 << 16 or len(taken) > 4 * _SAMPLE:
            break

    def everything() -> Iterator[Line]:
        yield from taken
        yield from iterator

    return "".join(f"{line.text}\n" for line in taken), everything()


def _rows(lines: Iterable[Line], mark: str, file: str) -> Iterator[_Row | Problem]:
    """Yield rows with the number of their first line; for a quotation mark that never closes, a problem of its line.

    A row of several lines whose number of cells differs from the first row was closed at a wrong mark.
    """
    ahead: deque[Line] = deque()
    source = iter(lines)
    width = 0
    _allow_long_fields()
    while (line := ahead.popleft() if ahead else next(source, None)) is not None:
        taken, closed = _row_of(line, ahead, source, mark)
        cells = next(csv.reader(["\n".join(t.text for t in taken)], delimiter=mark), []) if closed else []
        if closed and (len(taken) == 1 or not width or len(cells) == width):
            width = width or len(cells)
            yield _Row(line.number, cells)
        else:
            yield problem(file, line.number, "a quotation mark opens a field here and never closes it")
            ahead.extendleft(reversed(taken[1:]))


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
