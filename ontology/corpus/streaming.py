"""Corpora that do not fit into memory: what is in them, and their documents one by one, duplicates merged.

The files are read twice. The first pass numbers the papers (12 bytes a key) and writes records that are duplicates to a
temporary file; the second reads the files again and merges into each paper, when its first record comes by, what the
first pass kept for it. So the order and the documents are those of ``read``, and memory holds keys, never documents.
"""

from __future__ import annotations

import logging
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

import numpy as np

from ontology.corpus.duplicates import OwnIds, PaperKeys
from ontology.corpus.reading import FileReport, RecordFile
from ontology.corpus.records import CorpusError, merge_documents, pack, unpack
from ontology.model import Document, Problem

_LOG = logging.getLogger(__name__)
OnProblem = Callable[[Problem], None]


@dataclass(frozen=True, slots=True)
class Survey:
    """What files hold: a report for each, ``records`` in all, and ``duplicates``, those merged into an earlier one."""

    files: tuple[FileReport, ...]
    records: int
    duplicates: int

    @property
    def documents(self) -> int:
        """Papers: records without duplicates."""
        return self.records - self.duplicates


def survey(paths: str | Path | Sequence[str | Path], *, on_problem: OnProblem | None = None) -> Survey:
    """Read all files and count; memory grows by about 60 bytes a paper.

    Each record that could not be read goes to ``on_problem``, by default to the log. CorpusError where a path does not
    exist or not one document was found.
    """
    return _first_pass(files_of(paths), on_problem or _log, None).surveyed


def stream(
    paths: str | Path | Sequence[str | Path],
    *,
    on_problem: OnProblem | None = None,
    on_survey: Callable[[Survey], None] | None = None,
) -> Iterator[Document]:
    """The documents of files and folders, in the order of their first records, duplicates merged, in bounded memory.

    ``on_problem`` gets each record that could not be read (by default it is logged), ``on_survey`` the counts before
    the first document comes. CorpusError as ``read`` has it, and where a file changes while it is read.
    """
    files = files_of(paths)
    with tempfile.TemporaryFile(prefix="ontocrawl-duplicates-") as spill:
        first = _first_pass(files, on_problem or _log, spill)
        if on_survey is not None:
            on_survey(first.surveyed)
        yield from _second_pass(files, first, spill)


def files_of(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """The files meant: a folder means all its files, sorted by name, hidden ones left out.

    CorpusError where a path does not exist or there is no file.
    """
    asked = [paths] if isinstance(paths, str | Path) else list(paths)
    files = [file for path in asked for file in _inside(Path(path))]
    if not files:
        where = ", ".join(str(p) for p in asked[:3]) or "no path"
        raise CorpusError(f"no file to read in {where}; give a file of records or a folder of such files")
    return files


def _inside(path: Path) -> list[Path]:
    if path.is_dir():
        inside = (p for p in path.rglob("*") if p.is_file())
        return sorted(p for p in inside if not any(part.startswith(".") for part in p.relative_to(path).parts))
    if not path.exists():
        raise CorpusError(f"{path} does not exist; give a file of records or a folder of such files")
    return [path]


def no_documents(files: Sequence[Path], first: Problem | None) -> CorpusError:
    """The error of a corpus without a document, with the first problem met."""
    if first is not None and len(files) == 1 and first.line == 0:
        return CorpusError(first.reason)
    where = ", ".join(str(p) for p in files[:3])
    why = f"; the first problem: {first.file}, line {first.line}: {first.reason}" if first else ""
    return CorpusError(f"not one record could be read from {where}; check that it is a literature export{why}")


def _log(found: Problem) -> None:
    _LOG.warning("%s, line %d: %s", found.file, found.line, found.reason)


@dataclass
class _FirstPass:
    """For each record whether it is a duplicate, and where the duplicates of a paper are kept."""

    surveyed: Survey = field(default_factory=lambda: Survey((), 0, 0))
    is_duplicate: bytearray = field(default_factory=bytearray)
    papers: array[int] = field(default_factory=lambda: array("Q"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))


def _first_pass(files: Sequence[Path], on_problem: OnProblem, spill: IO[bytes] | None) -> _FirstPass:
    found = _FirstPass()
    keys = PaperKeys()
    reports: list[FileReport] = []
    first_problem: Problem | None = None
    for path in files:
        file = RecordFile(path)
        for parsed in file:
            if isinstance(parsed, Problem):
                first_problem = first_problem or parsed
                on_problem(parsed)
                continue
            paper, is_first = keys.place(parsed)
            found.is_duplicate.append(not is_first)
            if not is_first and spill is not None:
                found.papers.append(paper)
                found.offsets.append(spill.tell())
                spill.write(pack(parsed) + b"\n")
        reports.append(file.report())
    if not found.is_duplicate:
        raise no_documents(files, first_problem)
    found.surveyed = Survey(tuple(reports), len(found.is_duplicate), sum(found.is_duplicate))
    return found


def _second_pass(files: Sequence[Path], first: _FirstPass, spill: IO[bytes]) -> Iterator[Document]:
    later = _Later(first, spill)
    ids = OwnIds()
    record = paper = 0
    for path, before in zip(files, first.surveyed.files, strict=True):
        file = RecordFile(path)
        for parsed in file:
            if isinstance(parsed, Problem):
                continue
            if file.records > before.records:
                break
            record += 1
            if first.is_duplicate[record - 1]:
                continue
            merged = parsed
            for duplicate in later.of(paper):
                merged = merge_documents(merged, duplicate)
            paper += 1
            own = ids.own(merged.id)
            yield merged if own == merged.id else replace(merged, id=own)
        if file.records != before.records:
            raise CorpusError(f"{path} changed while it was being read; read it again when it is whole")


class _Later:
    """The duplicates of each paper, asked for in rising order of papers."""

    def __init__(self, first: _FirstPass, spill: IO[bytes]) -> None:
        papers = np.asarray(first.papers, dtype=np.uint64)
        order = np.argsort(papers, kind="stable")
        self._papers = papers[order]
        self._offsets = np.asarray(first.offsets, dtype=np.uint64)[order]
        self._at = 0
        self._spill = spill

    def of(self, paper: int) -> Iterator[Document]:
        """The duplicates of a paper, in reading order."""
        while self._at < len(self._papers) and int(self._papers[self._at]) == paper:
            self._spill.seek(int(self._offsets[self._at]))
            self._at += 1
            yield unpack(self._spill.readline())
