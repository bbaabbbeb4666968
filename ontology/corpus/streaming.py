"""Corpora that do not fit into memory: a survey of their files, and their documents one by one, duplicates merged.

The files are read twice. The first pass numbers the papers (12 bytes a key) and writes records that are duplicates to a
temporary file; the second reads the files again and merges the duplicates of each paper into its first record. So the
order and the documents are those of ``read``, and memory holds keys, never documents.
"""

from __future__ import annotations

import logging
import tempfile
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path
from typing import IO

import numpy as np

from ontology.corpus.reading import FileReport, RecordFile
from ontology.corpus.records import CorpusError, located, merge_documents, pack, title_key, unpack
from ontology.errors import Message
from ontology.model import Document, Problem

_LOG = logging.getLogger(__name__)
OnProblem = Callable[[Problem], None]


@dataclass(frozen=True, slots=True)
class Survey:
    """Counts of files: a report for each, ``records`` in all, and ``duplicates``, those merged into an earlier one."""

    files: tuple[FileReport, ...]
    records: int
    duplicates: int

    @property
    def documents(self) -> int:
        """Number of papers: records without duplicates."""
        return self.records - self.duplicates


def survey(paths: str | Path | Sequence[str | Path], *, on_problem: OnProblem | None = None) -> Survey:
    """Read all files and count; memory grows by about 60 bytes a paper.

    Args:
        paths: files and folders.
        on_problem: called with each record that could not be read; by default it is logged.

    Raises:
        CorpusError: a path does not exist, or no document was read.
    """
    return _first_pass(files_of(paths), on_problem or _log, None).surveyed


def stream(
    paths: str | Path | Sequence[str | Path],
    *,
    on_problem: OnProblem | None = None,
    on_survey: Callable[[Survey], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of files and folders, in the order of their first records, merged, in bounded memory.

    Args:
        paths: files and folders.
        on_problem: called with each record that could not be read; by default it is logged.
        on_survey: called with the counts before the first document.

    Raises:
        CorpusError: as in ``read``, and if a file changes while it is read.
    """
    files = files_of(paths)
    with tempfile.TemporaryFile(prefix="ontocrawl-duplicates-") as spill:
        first = _first_pass(files, on_problem or _log, spill)
        if on_survey is not None:
            on_survey(first.surveyed)
        yield from _second_pass(files, first, spill)


def files_of(paths: str | Path | Sequence[str | Path]) -> list[Path]:
    """Return the files of paths: a folder stands for all its files, sorted by name, without hidden ones.

    Raises:
        CorpusError: a path does not exist, or there is no file.
    """
    asked = [paths] if isinstance(paths, str | Path) else list(paths)
    files = [file for path in asked for file in _inside(Path(path))]
    if not files:
        where = ", ".join(str(p) for p in asked[:3]) or "no path"
        raise CorpusError("corpus.no_file_read_give", where=where)
    return files


def _inside(path: Path) -> list[Path]:
    if path.is_dir():
        inside = (p for p in path.rglob("*") if p.is_file())
        return sorted(p for p in inside if not any(part.startswith(".") for part in p.relative_to(path).parts))
    if not path.exists():
        raise CorpusError("corpus.does_not_exist_give", path=path)
    return [path]


def no_documents(files: Sequence[Path], first: Problem | None) -> CorpusError:
    """Return the error of a corpus without a document.

    Args:
        files: the files that were read.
        first: the first problem, if any.
    """
    if first is not None and len(files) == 1 and first.line == 0:
        return CorpusError(first.reason)
    where = ", ".join(str(p) for p in files[:3])
    why = Message("corpus.first_problem", problem=located(first)) if first else ""
    return CorpusError("corpus.not_record_could_read", where=where, why=why)


def _log(problem: Problem) -> None:
    _LOG.warning("%s, line %d: %s", problem.file, problem.line, problem.reason)


@dataclass
class _FirstPass:
    """For each record whether it is a duplicate, and where the duplicates of a paper are stored."""

    surveyed: Survey = field(default_factory=lambda: Survey((), 0, 0))
    is_duplicate: bytearray = field(default_factory=bytearray)
    papers: array[int] = field(default_factory=lambda: array("Q"))
    offsets: array[int] = field(default_factory=lambda: array("Q"))


def _first_pass(files: Sequence[Path], on_problem: OnProblem, spill: IO[bytes] | None) -> _FirstPass:
    result = _FirstPass()
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
            result.is_duplicate.append(not is_first)
            if not is_first and spill is not None:
                result.papers.append(paper)
                result.offsets.append(spill.tell())
                spill.write(pack(parsed) + b"\n")
        reports.append(file.report())
    if not result.is_duplicate:
        raise no_documents(files, first_problem)
    result.surveyed = Survey(tuple(reports), len(result.is_duplicate), sum(result.is_duplicate))
    return result


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
            unique_id = ids.own(merged.id)
            yield merged if unique_id == merged.id else replace(merged, id=unique_id)
        if file.records != before.records:
            raise CorpusError("corpus.changed_while_being_read", path=path)


class _Later:
    """The duplicates of each paper, requested in rising order of papers."""

    def __init__(self, first: _FirstPass, spill: IO[bytes]) -> None:
        papers = np.asarray(first.papers, dtype=np.uint64)
        order = np.argsort(papers, kind="stable")
        self._papers = papers[order]
        self._offsets = np.asarray(first.offsets, dtype=np.uint64)[order]
        self._at = 0
        self._spill = spill

    def of(self, paper: int) -> Iterator[Document]:
        """Yield the duplicates of a paper, in reading order."""
        while self._at < len(self._papers) and int(self._papers[self._at]) == paper:
            self._spill.seek(int(self._offsets[self._at]))
            self._at += 1
            yield unpack(self._spill.readline())


# ---- duplicate records: the same DOI, or else the same normalised title and year, with 12 bytes a key
#
# Keys are 64-bit BLAKE2b digests. Any two of n different keys collide with probability n^2 / 2^65, that is 3e-8 for a
# million papers, far below the share of different papers with equal title and year.


_FULL = 0.6
_SMALLEST = 1 << 10


class KeyTable:
    """A hash table of 64-bit keys to 32-bit numbers: open addressing with linear probing, in two flat arrays.

    >>> table = KeyTable()
    >>> table.put(7, 1)
    >>> table.get(7), table.get(8), len(table)
    (1, None, 1)
    """

    def __init__(self) -> None:
        self._keys = array("Q", bytes(8 * _SMALLEST))
        self._values = array("L" if array("L").itemsize == 4 else "I", bytes(4 * _SMALLEST))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, key: int) -> int | None:
        """Return the key's number, or None."""
        slot = self._slot(key or 1)
        return self._values[slot] if self._keys[slot] else None

    def put(self, key: int, value: int) -> None:
        """Set the number of a key.

        Args:
            key: 64-bit key.
            value: 32-bit number.
        """
        if self._count >= _FULL * len(self._keys):
            self._grow()
        slot = self._slot(key or 1)
        self._count += not self._keys[slot]
        self._keys[slot] = key or 1
        self._values[slot] = value

    def _slot(self, key: int) -> int:
        """Return the slot of the key, existing or new; 0 marks a free slot, so that the key 0 is stored as 1."""
        keys = self._keys
        mask = len(keys) - 1
        slot = key & mask
        while keys[slot] not in (0, key):
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._keys = array("Q", bytes(16 * len(keys)))
        self._values = array(values.typecode, bytes(2 * values.itemsize * len(values)))
        for key, value in zip(keys, values, strict=True):
            if key:
                slot = self._slot(key)
                self._keys[slot] = key
                self._values[slot] = value


class PaperKeys:
    """Numbers of papers from 0 in the order of their first records."""

    def __init__(self) -> None:
        self._by_doi = KeyTable()
        self._by_title = KeyTable()
        self._has_doi = bytearray()

    def __len__(self) -> int:
        return len(self._has_doi)

    def place(self, document: Document) -> tuple[int, bool]:
        """Return the number of a record's paper, and whether this is its first record.

        A record with a DOI is never merged by title into a paper with another DOI.
        """
        doi = digest(document.doi) if document.doi else None
        title = digest(f"{title_key(document.title or document.abstract)}\0{document.year}")
        paper = self._earlier(doi, title)
        first = paper is None
        if paper is None:
            paper = len(self._has_doi)
            self._has_doi.append(0)
        if doi is not None:
            self._has_doi[paper] = 1
            if self._by_doi.get(doi) is None:
                self._by_doi.put(doi, paper)
        if self._by_title.get(title) is None:
            self._by_title.put(title, paper)
        return paper, first

    def _earlier(self, doi: int | None, title: int) -> int | None:
        if doi is not None:
            paper = self._by_doi.get(doi)
            if paper is not None:
                return paper
        paper = self._by_title.get(title)
        return None if paper is None or (doi is not None and self._has_doi[paper]) else paper


class OwnIds:
    """Distinct ids of documents: the n-th document with the id ``x`` gets ``x~n``."""

    def __init__(self) -> None:
        self._seen = KeyTable()

    def own(self, wanted: str) -> str:
        """Return the id itself the first time, later with a number that no earlier document has."""
        key = digest(wanted)
        number = (self._seen.get(key) or 0) + 1
        self._seen.put(key, number)
        if number == 1:
            return wanted
        return self.own(f"{wanted}~{number}")


def digest(text: str) -> int:
    """Return a 64-bit key of a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
