"""Readers of literature exports: files or folders in, one corpus of documents out.

One file per format; ``FORMATS`` lists them. Format and encoding are found from the content, never from a file's name.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ontology.corpus import cnki_refworks, cnki_self_defined, json_lines
from ontology.corpus.encoding import detect, open_text
from ontology.corpus.records import CorpusError, Line, Parsed, merge_documents, problem, title_key
from ontology.model import Document, Problem

__all__ = ["FORMATS", "Corpus", "CorpusError", "FileReport", "Format", "read"]


class Format(NamedTuple):
    """A reader: its name, whether a text's first 65,536 characters are of its format, and its parser."""

    name: str
    matches: Callable[[str], bool]
    parse: Callable[[Iterable[Line], str], Parsed]


FORMATS = tuple(Format(m.NAME, m.matches, m.parse) for m in (json_lines, cnki_self_defined, cnki_refworks))
_HEAD = 1 << 16


@dataclass(frozen=True, slots=True)
class FileReport:
    """What one file gave: ``format`` and ``encoding`` are empty where it could not be read."""

    file: str
    format: str
    encoding: str
    records: int
    problems: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in reading order without duplicates, the problems met, and a report per file."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    files: tuple[FileReport, ...]
    duplicates: int
    """Records that were merged into an earlier one."""


def read(paths: str | Path | Sequence[str | Path]) -> Corpus:
    """Read files and folders (a folder means all its files, sorted by name, hidden ones left out).

    Records of the same paper (same DOI, else same normalised title and year) are merged. CorpusError where a path does
    not exist or where not one document was found.
    """
    asked = [paths] if isinstance(paths, str | Path) else list(paths)
    files = [file for path in asked for file in _files(Path(path))]
    merger = _Merger()
    problems: list[Problem] = []
    reports: list[FileReport] = []
    for file in files:
        reports.append(_read_file(file, merger, problems))
    if not merger.documents:
        raise CorpusError(_why_empty(asked, files, problems))
    return Corpus(tuple(merger.documents), tuple(problems), tuple(reports), merger.duplicates)


def _files(path: Path) -> list[Path]:
    if path.is_dir():
        inside = (p for p in path.rglob("*") if p.is_file())
        return sorted(p for p in inside if not any(part.startswith(".") for part in p.relative_to(path).parts))
    if not path.exists():
        raise CorpusError(f"{path} does not exist; give a file of records or a folder of such files")
    return [path]


def _read_file(path: Path, merger: _Merger, problems: list[Problem]) -> FileReport:
    before = len(problems)
    records = 0
    name = encoding = ""
    try:
        encoding = detect(path)
        with open_text(path, encoding) as stream:
            head = stream.read(_HEAD)
        chosen = _format_of(path, head)
        name = chosen.name
        with open_text(path, encoding) as stream:
            for parsed in chosen.parse(_lines(stream, path, problems), path.stem):
                if isinstance(parsed, Problem):
                    problems.append(replace(parsed, file=str(path)))
                else:
                    records += 1
                    merger.add(parsed)
    except CorpusError as error:
        problems.append(problem(str(path), 0, str(error)))
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        problems.append(problem(str(path), 0, f"{path} could not be read: {error}"))
    return FileReport(str(path), name, encoding, records, len(problems) - before)


def _format_of(path: Path, head: str) -> Format:
    if not head.strip("\ufeff \t\r\n"):
        raise CorpusError(f"{path} is empty; export the records again")
    for form in FORMATS:
        if form.matches(head):
            return form
    known = ", ".join(f.name for f in FORMATS)
    raise CorpusError(f"{path} has none of the known formats ({known}); export the records in one of them")


def _lines(stream: Iterable[str], path: Path, problems: list[Problem]) -> Iterator[Line]:
    for number, text in enumerate(stream, start=1):
        if "\ufffd" in text:
            problems.append(problem(str(path), number, "bytes that are no character here; they are shown as U+FFFD"))
        yield Line(number, text.rstrip("\r\n").removeprefix("\ufeff"))


def _why_empty(asked: Sequence[str | Path], files: Sequence[Path], problems: Sequence[Problem]) -> str:
    where = ", ".join(str(p) for p in islice(asked, 3)) or "no path"
    if not files:
        return f"no file to read in {where}; give a file of records or a folder of such files"
    if len(files) == 1 and problems and problems[0].line == 0:
        return problems[0].reason
    first = (
        f"; the first problem: {problems[0].file}, line {problems[0].line}: {problems[0].reason}" if problems else ""
    )
    return f"not one record could be read from {where}; check that it is a literature export{first}"


class _Merger:
    """Documents so far, and where each DOI and each title with year stands among them."""

    def __init__(self) -> None:
        self.documents: list[Document] = []
        self.duplicates = 0
        self._by_doi: dict[str, int] = {}
        self._by_title: dict[tuple[str, int | None], int] = {}
        self._ids: dict[str, int] = {}

    def add(self, document: Document) -> None:
        """Keep the document, or merge it into the earlier record of the same paper."""
        at = self._earlier(document)
        if at is None:
            at = len(self.documents)
            self.documents.append(self._with_own_id(document))
        else:
            self.duplicates += 1
            self.documents[at] = merge_documents(self.documents[at], document)
        kept = self.documents[at]
        if kept.doi:
            self._by_doi.setdefault(kept.doi, at)
        self._by_title.setdefault((title_key(kept.title), kept.year), at)

    def _earlier(self, document: Document) -> int | None:
        if document.doi in self._by_doi:
            return self._by_doi[document.doi]
        at = self._by_title.get((title_key(document.title), document.year))
        if at is None or (document.doi and self.documents[at].doi):
            return None
        return at

    def _with_own_id(self, document: Document) -> Document:
        seen = self._ids.get(document.id, 0) + 1
        self._ids[document.id] = seen
        return document if seen == 1 else replace(document, id=f"{document.id}~{seen}")
