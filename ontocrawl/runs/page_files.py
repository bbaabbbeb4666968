"""Files of the pages of a run: JSON lines, CSV, plain text, WARC. Rows are streamed, one page in memory at a time."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any

from crawler.journal import Journal, page_export
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import Option, UsageError
from ontocrawl.runs import runs
from ontology.files import open_atomically
from ontology.printable import csv_cell, json_text, one_line, printable

FORMATS = ("jsonl", "csv", "text", "warc")
_SUFFIXES = {".csv": "csv", ".txt": "text", ".warc": "warc"}
_RULE = "=" * 80
Row = Mapping[str, Any]
OnRow = Callable[[int], None]


@dataclass(frozen=True)
class Exported:
    """What was written."""

    rows: int
    unrecorded: int = 0
    """Pages of a recorded crawl whose responses are not in its WARC files: documents made of the journal."""
    recording: str | None = None
    """Folder of these files; None for a crawl without --warc, and for other formats than warc."""


@dataclass(frozen=True)
class Selection:
    """Which rows of a run are written; by default all pages and all failures."""

    relevant: bool = False
    """Only pages that are relevant by the judge."""
    failed: bool = False
    """Only failures."""
    links: bool = False
    """Also a row for each known link that was not fetched."""


def format_of(path: Path) -> str:
    """Return the format for the suffix of a file; JSON lines for other suffixes."""
    if path.name.lower().endswith(".warc.gz"):
        return "warc"
    return _SUFFIXES.get(path.suffix.lower(), "jsonl")


def export(
    space: Workspace, name: str, out: Path | IO[bytes], file_format: str, selection: Selection, on_row: OnRow
) -> Exported:
    """Write the pages of a run, which may still be going on.

    Args:
        space: the workspace of the run.
        name: name of the run.
        out: path of the file, which is replaced once all is written; or a binary stream.
        file_format: one of FORMATS.
        selection: the rows to write.
        on_row: called with the number of rows written so far.

    Returns:
        What was written.

    Raises:
        UsageError: no such run or format, rows that exclude each other, or rows that the format does not have.
        OSError: the file cannot be written; an existing one is kept.
    """
    _check(file_format, selection)
    folder = space.existing_run(name)
    if isinstance(out, Path) and folder.resolve() in out.resolve().parents:
        raise UsageError("runs.folder_run_whose_files", out=out)
    with runs.open_journal(space, name) as journal, journal.at_one_moment():
        config = runs.read_config(journal)
        every = _rows(journal, selection)
        only_pages = file_format in ("text", "warc")
        rows = _Counted((row for row in every if row["failure"] is None) if only_pages else every, on_row)
        made: list[str] = []
        if file_format == "warc":
            pieces = runs.page_records(config, rows, made.append)
        else:
            pieces = map(
                str.encode, {"jsonl": json_lines, "csv": _csv_lines, "text": _text_documents}[file_format](rows)
            )
        with _opened(out) as stream:
            stream.writelines(pieces)
    recorded = config.warc if file_format == "warc" else None
    return Exported(rows.number, len(made) if recorded else 0, recorded)


def _check(file_format: str, selection: Selection) -> None:
    if file_format not in FORMATS:
        raise UsageError("runs.no_format_choose", file_format=file_format, formats=", ".join(FORMATS))
    relevant, failed, links = (
        Option(f"--{name}", f"{name}=True") if wanted else None
        for name, wanted in (("relevant", selection.relevant), ("failed", selection.failed), ("links", selection.links))
    )
    if relevant and (failed or links):
        raise UsageError("runs.leaves_only_pages_asks", relevant=relevant, failed=failed or links)
    if file_format in ("text", "warc") and (failed or links):
        raise UsageError("runs.format_pages_only_goes", file_format=file_format, failed=failed or links)


def _rows(journal: Journal, selection: Selection) -> Iterator[Row]:
    labels = journal.get("labels")
    known = None if labels is None else frozenset(labels)
    yield from page_export.pages(journal, known, relevant=selection.relevant, failed=selection.failed)
    if selection.links:
        yield from page_export.unfetched(journal)


def json_lines(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a line of JSON for each row. Control and bidirectional characters are escaped, nothing is lost."""
    for row in rows:
        yield json_text(row) + "\n"


def _csv_lines(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the header and a record for each row: None is empty, lists and truth values are JSON, text is cleaned."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    for record in chain([page_export.COLUMNS], (map(_cell, row.values()) for row in rows)):
        writer.writerow(record)
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def _cell(value: Any) -> Any:
    return json_text(value) if isinstance(value, list | bool) else csv_cell(value)


def _text_documents(rows: Iterable[Row]) -> Iterator[str]:
    """Yield each page as readable text: a rule, a head of three lines or four, and the text."""
    for row in rows:
        first = row["near_duplicate_of"]
        decision = f"nearly the text of {first}" if first else "relevant" if row["relevant"] else "not relevant"
        about = f"relevance {row['relevance']:.4f}, {decision}"
        dated = f", published {row['published']}" if row["published"] else ""
        head = dict.fromkeys([f"[{row['step']}] {row['title']}", row["url"], row["final_url"], about + dated])
        yield "\n".join([_RULE, *map(one_line, head), "", printable(row["text"]).strip(), "", ""])


class _Counted:
    """Rows that are counted as they pass."""

    def __init__(self, rows: Iterable[Row], on_row: OnRow) -> None:
        self.number = 0
        self._rows, self._on_row = rows, on_row

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            yield row
            self.number += 1
            self._on_row(self.number)


@contextmanager
def _opened(out: Path | IO[bytes]) -> Iterator[IO[bytes]]:
    if isinstance(out, Path):
        with open_atomically(out) as stream:
            yield stream
    else:
        yield out
