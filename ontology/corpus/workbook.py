"""Excel workbooks: .xlsx by openpyxl, row by row; .xls by xlrd, whose sheets have 65,536 rows at most.

The header of a sheet is within its first rows. Formulas have the values that were saved with them.
"""

from __future__ import annotations

import datetime
import io
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any

from ontology.corpus import columns
from ontology.corpus.encoding import open_bytes
from ontology.corpus.records import CorpusError, Parsed, problem
from ontology.errors import Message
from ontology.extras import MissingExtra, require

XLSX = "xlsx"
XLS = "xls"
_MAGIC = {b"PK\x03\x04": XLSX, b"\xd0\xcf\x11\xe0": XLS}
_HEADER_ROWS = 20
_SHOWN = 60
_TITLES = "题名, Title"
_LARGEST = 4 << 30
"""Maximum bytes of an unpacked workbook."""
Sheet = tuple[str, Iterator[Sequence[Any]], bool]
"""Name and rows of a sheet, and whether it is hidden."""


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
    for title, rows, hidden in sheets(path, name):
        if hidden:
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
            yield from _documents(ahead[number:], rows, known, f"{file}-{title}" if title != "Sheet1" else file)
        elif first := next((row for _, row in ahead if any(row)), None):
            found = columns.shown(list(map(cell_text, first)))
            yield problem(file, 1, "corpus.sheet_unnamed", title=title, names=_TITLES, found=found)
    if not any_header:
        what = Message("corpus.workbook_empty") if empty else Message("corpus.workbook_unnamed", names=_TITLES)
        raise CorpusError("corpus.export_records_again", path=path, what=what)


def _documents(
    ahead: Iterable[tuple[int, Sequence[Any]]], rows: Iterator[Sequence[Any]], known: columns.Columns, file: str
) -> Parsed:
    said = set[int]()
    for number, row in chain(ahead, enumerate(rows, start=_HEADER_ROWS + 1)):
        cells = list(map(cell_text, row))
        document = columns.document(cells, known, file, number)
        if document is not None:
            yield document
        for unnamed in set(known.unnamed(cells)) - said:
            said.add(unnamed)
            yield problem(file, number, "corpus.column_unnamed", number=unnamed)


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
    """Yield name and rows of each sheet, and whether it is hidden; errors of the libraries become a CorpusError.

    Args:
        path: the workbook.
        name: ``xlsx`` or ``xls``.

    Raises:
        CorpusError: it is no workbook, or a damaged one.
        MissingExtra: the library that reads it is not installed.
    """
    opened = _xlsx(path) if name == XLSX else _xls(path)
    try:
        for title, rows, hidden in opened:
            yield title, _checked(rows, path), hidden
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
            book = openpyxl.load_workbook(source, read_only=True, data_only=True)
        try:
            for sheet in book.worksheets:
                sheet.reset_dimensions()  # some writers give a wrong size
                yield sheet.title, sheet.iter_rows(values_only=True), sheet.sheet_state != "visible"
        finally:
            book.close()


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
        for title in book.sheet_names():
            sheet = book.sheet_by_name(title)
            yield title, (_xls_row(sheet.row(n), book, xlrd) for n in range(sheet.nrows)), bool(sheet.visibility)
            book.unload_sheet(title)


def _xls_row(cells: Sequence[Any], book: Any, xlrd: Any) -> list[Any]:
    return [
        xlrd.xldate_as_datetime(cell.value, book.datemode) if cell.ctype == xlrd.XL_CELL_DATE and cell.value >= 61
        else None if cell.ctype == xlrd.XL_CELL_ERROR else cell.value
        for cell in cells
    ]  # fmt: skip
