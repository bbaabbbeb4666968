"""Excel workbooks: .xlsx by openpyxl, row by row; .xls by xlrd, whose sheets have 65,536 rows at most.

The header of a sheet is within its first rows. Formulas have the values that were saved with them.
"""

from __future__ import annotations

import datetime
import io
import re
import struct
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from ontology.corpus import columns
from ontology.corpus.encoding import open_bytes
from ontology.corpus.records import CorpusError, Parsed, problem
from ontology.errors import Message
from ontology.extras import MissingExtra, require
from ontology.model import Document, Problem

XLSX = "xlsx"
XLS = "xls"
_MAGIC = {b"PK\x03\x04": XLSX, b"\xd0\xcf\x11\xe0": XLS}
_HEADER_ROWS = 20
_SHOWN = 60
_TITLES = "题名, Title"
_LARGEST = 4 << 30
"""Maximum bytes of an unpacked workbook."""
_PIECE = 1 << 20
_ROW = re.compile(rb"<(?:\w+:)?row\b([^<>]*)>")
_NUMBER, _HIDDEN = re.compile(rb"\br=[\"'](\d+)"), re.compile(rb"\bhidden=[\"'](?:1|true)")
_BEGIN, _END, _ROW_RECORD, _NO_HEIGHT = 0x0809, 0x000A, 0x0208, 0x20
"""Records of an .xls file: the begin and end of a sheet or a chart in it, and a row, with its flag of a hidden one."""


class Sheet(NamedTuple):
    """One sheet of a workbook."""

    title: str
    rows: Iterator[Sequence[Any]]
    is_hidden: bool
    hidden_rows: Callable[[], frozenset[int]]
    """Finds the numbers of its hidden rows, as those that a filter leaves out of what is seen."""


def kind(head: bytes) -> str:
    """Return ``xlsx``, ``xls``, or "" for bytes that are neither a ZIP archive nor an OLE file."""
    return _MAGIC.get(head[:4], "")


def parse(path: Path, name: str, file: str, say: Callable[[str], None]) -> Parsed:
    """Yield one document or problem for each row below a header.

    Args:
        path: the workbook.
        name: ``xlsx`` or ``xls``.
        file: name of the file, for messages and ids.
        say: receives, for each sheet, which columns are read and which are left out.

    Raises:
        CorpusError: it is no workbook or has no header.
    """
    any_header = False
    empty = True
    for title, rows, is_hidden, hidden_rows in sheets(path, name):
        if is_hidden:
            yield problem(file, 0, "corpus.sheet_hidden", title=title)
            continue
        ahead = list(enumerate(islice(rows, _HEADER_ROWS), start=1))
        empty = empty and not any(any(row) for _, row in ahead)
        heads = ((n, columns.header(list(map(cell_text, row)))) for n, row in ahead)
        number, known = next(((n, c) for n, c in heads if c is not None), (0, None))
        if known is not None:
            any_header = True
            above = " ".join(cell_text(value) for _, row in ahead[: number - 1] for value in row).strip()
            left = Message("corpus.above_names", text=above[:_SHOWN]) if above else ""
            say(Message("corpus.layout_sheet", title=title, columns=known.described(), above=left))
            for n, row in ahead[: number - 1]:
                if sum(bool(cell_text(value).strip()) for value in row) > 1:
                    yield problem(file, n, "corpus.sheet_row_above", title=title)
            own = f"{file}-{title}" if title != "Sheet1" else file
            hidden, read = hidden_rows(), 0
            for line, record in _documents(ahead[number:], rows, known, own):
                yield record
                read += line in hidden and isinstance(record, Document)
            if read:
                yield problem(file, min(hidden), "corpus.rows_hidden", title=title, rows=read)
        elif first := next((row for _, row in ahead if any(row)), None):
            found = columns.shown(list(map(cell_text, first)))
            yield problem(file, 1, "corpus.sheet_unnamed", title=title, names=_TITLES, found=found)
    if not any_header:
        what = Message("corpus.workbook_empty") if empty else Message("corpus.workbook_unnamed", names=_TITLES)
        raise CorpusError("corpus.export_records_again", path=path, what=what)


def _documents(
    ahead: Iterable[tuple[int, Sequence[Any]]], rows: Iterator[Sequence[Any]], known: columns.Columns, file: str
) -> Iterator[tuple[int, Document | Problem]]:
    said = set[int]()
    for number, row in chain(ahead, enumerate(rows, start=_HEADER_ROWS + 1)):
        cells = list(map(cell_text, row))
        document = columns.document(cells, known, file, number)
        if document is not None:
            yield number, document
        for unnamed in set(known.unnamed(cells)) - said:
            said.add(unnamed)
            yield number, problem(file, number, "corpus.column_unnamed", number=unnamed)


def cell_text(value: Any) -> str:
    """Return the value of a cell as text."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, datetime.datetime | datetime.date):
        return value.isoformat()
    return str(value)


def sheets(path: Path, name: str) -> Iterator[Sheet]:
    """Yield each sheet; errors of the libraries become a CorpusError.

    Args:
        path: the workbook.
        name: ``xlsx`` or ``xls``.

    Raises:
        CorpusError: it is no workbook, or a damaged one.
        MissingExtra: the library that reads it is not installed.
    """
    opened = _xlsx(path) if name == XLSX else _xls(path)
    try:
        for sheet in opened:
            yield sheet._replace(rows=_checked(sheet.rows, path))
    except (CorpusError, MissingExtra):
        raise
    except Exception as error:
        raise _damaged(path, error) from error


def _checked(rows: Iterator[Sequence[Any]], path: Path) -> Iterator[Sequence[Any]]:
    try:
        yield from rows
    except Exception as error:
        raise _damaged(path, error) from error


def _damaged(path: Path, error: Exception) -> CorpusError:
    return CorpusError("corpus.could_not_read_workbook", path=path, name=type(error).__name__, error=error)


def _xlsx(path: Path) -> Iterator[Sheet]:
    openpyxl = require("openpyxl", "readers", Message("corpus.reading", format="XLSX"))
    with open_bytes(path) as stream:
        source = stream if path.suffix.lower() not in {".gz", ".xz"} else io.BytesIO(stream.read())
        _check_archive(path, source)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module="openpyxl")  # missing styles and the like
            reader = openpyxl.reader.excel.ExcelReader(source, read_only=True, data_only=True)
            # A chart sheet has no rows, and one without a chart is an error there.
            reader.read_chartsheet = lambda sheet, rel: None
            reader.read()
        try:
            for sheet in reader.wb.worksheets:
                sheet.reset_dimensions()  # some writers give a wrong size
                hidden = partial(_hidden_rows, reader.archive, sheet._worksheet_path)
                yield Sheet(sheet.title, sheet.iter_rows(values_only=True), sheet.sheet_state != "visible", hidden)
        finally:
            reader.wb.close()


def _hidden_rows(archive: zipfile.ZipFile, name: str) -> frozenset[int]:
    """Return the numbers of the rows of a sheet that are hidden, which openpyxl does not say where it reads by rows."""
    found, number, rest = set[int](), 0, b""
    with archive.open(name) as stream:
        while piece := stream.read(_PIECE):
            text, end = rest + piece, 0
            for row in _ROW.finditer(text):
                said, end = _NUMBER.search(row[1]), row.end()
                number = int(said[1]) if said else number + 1
                if _HIDDEN.search(row[1]):
                    found.add(number)
            rest = text[max(end, text.rfind(b"<")) :]
    return frozenset(found)


def _check_archive(path: Path, source: Any) -> None:
    with zipfile.ZipFile(source) as archive:
        inside = archive.infolist()
    if not any(entry.filename.endswith("workbook.xml") for entry in inside):
        raise CorpusError("corpus.zip_archive_but_no", path=path)
    size = sum(entry.file_size for entry in inside)
    if size > _LARGEST:
        raise CorpusError("corpus.would_unpack_bytes_most", path=path, size=size, largest=_LARGEST)
    source.seek(0)


def _xls(path: Path) -> Iterator[Sheet]:
    xlrd = require("xlrd", "readers", Message("corpus.reading", format="XLS"))
    with open_bytes(path) as stream:
        data = stream.read()
    with xlrd.open_workbook(file_contents=data, on_demand=True, logfile=io.StringIO()) as book:
        for place, title in enumerate(book.sheet_names()):
            sheet = book.sheet_by_name(title)
            rows = (_xls_row(sheet.row(n), book, xlrd) for n in range(sheet.nrows))
            yield Sheet(
                title, rows, bool(sheet.visibility), partial(_xls_hidden_rows, book.mem, book._sh_abs_posn[place])
            )
            book.unload_sheet(title)


def _xls_hidden_rows(data: bytes, at: int) -> frozenset[int]:
    """Return the numbers of the hidden rows of the sheet whose records begin at a place."""
    found, depth = set[int](), 0
    while at + 4 <= len(data):
        kind, size = struct.unpack_from("<HH", data, at)
        depth += (kind == _BEGIN) - (kind == _END)
        if kind == _END and depth <= 0:
            break
        if kind == _ROW_RECORD and size >= 14 and data[at + 16] & _NO_HEIGHT:
            found.add(struct.unpack_from("<H", data, at + 4)[0] + 1)
        at += 4 + size
    return frozenset(found)


def _xls_row(cells: Sequence[Any], book: Any, xlrd: Any) -> list[Any]:
    return [
        xlrd.xldate_as_datetime(cell.value, book.datemode) if cell.ctype == xlrd.XL_CELL_DATE and cell.value >= 61
        else None if cell.ctype == xlrd.XL_CELL_ERROR else cell.value
        for cell in cells
    ]  # fmt: skip
