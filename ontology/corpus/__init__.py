"""Readers of literature exports: files or folders in, one corpus of documents out.

One module per format; ``FORMATS`` lists the text formats, ``workbook`` reads the others. Format and encoding are
detected from the content, never from a file's name. ``read`` holds a corpus in memory, ``stream`` yields one of any
size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ontology.corpus.formats import FORMATS, RecordFormat
from ontology.corpus.reading import FileReport, RecordFile
from ontology.corpus.records import CorpusError, merge_documents
from ontology.corpus.streaming import OwnIds, PaperKeys, Survey, files_of, no_documents, stream, survey
from ontology.model import Document, Problem

__all__ = ["FORMATS", "Corpus", "CorpusError", "FileReport", "RecordFormat", "Survey", "read", "stream", "survey"]


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents in reading order without duplicates, the problems, and a report per file."""

    documents: tuple[Document, ...]
    problems: tuple[Problem, ...]
    files: tuple[FileReport, ...]
    duplicates: int
    """Records that were merged into an earlier one."""


def read(paths: str | Path | Sequence[str | Path]) -> Corpus:
    """Read files and folders (a folder stands for all its files, sorted by name, without hidden ones).

    Records of the same paper (same DOI, or else same normalised title and year) are merged.

    Raises:
        CorpusError: a path does not exist, or no document was read.
    """
    files = files_of(paths)
    keys, ids = PaperKeys(), OwnIds()
    documents: list[Document] = []
    problems: list[Problem] = []
    reports: list[FileReport] = []
    for path in files:
        file = RecordFile(path)
        for parsed in file:
            if isinstance(parsed, Problem):
                problems.append(parsed)
                continue
            paper, first = keys.place(parsed)
            if first:
                documents.append(replace(parsed, id=ids.own(parsed.id)))
            else:
                documents[paper] = merge_documents(documents[paper], parsed)
        reports.append(file.report())
    if not documents:
        raise no_documents(files, problems[0] if problems else None)
    records = sum(report.records for report in reports)
    return Corpus(tuple(documents), tuple(problems), tuple(reports), records - len(documents))
