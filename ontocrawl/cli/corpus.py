"""`ontocrawl corpus`: import, stats."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.arguments import Exports
from ontocrawl.cli.output import Answer, notes_of, progress, tabled
from ontology.errors import Message
from ontology.files import open_atomically
from ontology.model import Document, Problem

if TYPE_CHECKING:
    from ontocrawl.graph.tables import Table
    from ontology import corpus
    from ontology.corpus.statistics import Examination, Statistics

_KEPT = 1_000

ProblemFile = Annotated[
    Path | None,
    typer.Option("--problems", help="Output file for all problems: JSON lines {file, line, reason}."),
]


def import_(
    paths: Exports,
    out: Annotated[
        Path | None, typer.Option(help="Output file for the documents, as JSON lines with duplicates merged.")
    ] = None,
    problems: ProblemFile = None,
) -> Answer:
    """Read literature exports of any known format; report problems and duplicates, write one clean file."""
    from ontology import corpus
    from ontology.corpus.statistics import examine

    surveyed: list[corpus.Survey] = []
    with _Ledger.opened(problems) as ledger, progress(Message("versions.stage_records"), None):
        documents = corpus.stream(paths, on_problem=ledger.add, on_survey=surveyed.append)
        examined = replace(_write(documents, out) if out else examine(documents), duplicates=surveyed[0].duplicates)
    result = _result(surveyed[0], ledger) | _examined(examined)
    files, layouts = _files(surveyed[0], result)
    written = Message("cli.written_with", path=out, what=examined.named)
    end = Message("cli.documents_not_written") if out is None else written
    return Answer(result, [files], [*layouts, *ledger.notes(), *_notes(examined), end])


def stats(
    paths: Exports,
    top: Annotated[int, typer.Option(min=1, help="Maximum number of keywords and of sources to show.")] = 20,
    problems: ProblemFile = None,
) -> Answer:
    """Show statistics of literature exports: years, sources, keywords, and documents with each field."""
    from ontology import corpus
    from ontology.corpus.statistics import statistics

    surveyed: list[corpus.Survey] = []
    with _Ledger.opened(problems) as ledger, progress(Message("versions.stage_records"), None):
        figures = statistics(corpus.stream(paths, on_problem=ledger.add, on_survey=surveyed.append), top=top)
    examined = replace(figures.examined, duplicates=surveyed[0].duplicates)
    result = _result(surveyed[0], ledger) | _examined(examined) | _figures(figures)
    files, layouts = _files(surveyed[0], result)
    years = [(str(year), count) for year, count in figures.years.items()]
    tables = [
        files,
        tabled("Fields", ("field", "records"), figures.fields.items()),
        tabled("Years", ("year", "records"), years),
        tabled(Message("cli.of_keywords", n=figures.distinct_keywords), ("keyword", "records"), figures.keywords),
        tabled("Sources", ("source", "records"), figures.sources),
    ]
    return Answer(result, tables, [*layouts, *ledger.notes(), *_notes(examined)])


class _Ledger:
    """Collects problems: counts all, keeps the first ones to show, and writes all to a file if there is one."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.count = 0
        self.first: list[Problem] = []

    @classmethod
    @contextmanager
    def opened(cls, path: Path | None) -> Iterator[_Ledger]:
        """Open a ledger that writes to ``path``; the file appears when reading has finished."""
        if path is None:
            yield cls(None)
            return
        with open_atomically(path) as stream:
            yield cls(stream)

    def add(self, problem: Problem) -> None:
        """Record one problem."""
        self.count += 1
        if len(self.first) < _KEPT:
            self.first.append(problem)
        if self._stream is not None:
            self._stream.write((json.dumps(asdict(problem), ensure_ascii=False) + "\n").encode("utf-8", "replace"))

    def notes(self) -> list[str]:
        """Return the first problems, and the number of the others."""
        from ontology.corpus.records import SHOWN

        return notes_of(self.first, Message("cli.more_problems", more=self.count - SHOWN))


def _write(documents: Iterable[Document], out: Path) -> Examination:
    """Write records as JSON lines as they are read."""
    from ontology.corpus import json_lines
    from ontology.corpus.statistics import examine

    with open_atomically(out) as stream:

        def written() -> Iterator[Document]:
            for document in documents:
                stream.write((json_lines.line_of(document) + "\n").encode("utf-8", "replace"))
                yield document

        return examine(written())


def _examined(examined: Examination) -> dict[str, Any]:
    return {
        "documents": examined.with_abstract,
        "with_keywords": examined.with_keywords,
        "languages": examined.languages,
        "warnings": [examined.no_abstracts] if examined.no_abstracts else [],
    }


def _notes(examined: Examination) -> list[str]:
    """Return what the records have, and what they lack."""
    lacking = examined.no_abstracts
    return [examined.shares, *([Message("versions.warning", warning=lacking)] if lacking else [])]


def _result(survey: corpus.Survey, ledger: _Ledger) -> dict[str, Any]:
    return {
        "files": [asdict(report) for report in survey.files],
        "records": survey.records,
        "duplicates": survey.duplicates,
        "documents": survey.documents,
        "problem_count": ledger.count,
        "problems": [asdict(problem) for problem in ledger.first],
    }


def _figures(figures: Statistics) -> dict[str, Any]:
    return {
        "fields": figures.fields,
        "years": {str(year): count for year, count in figures.years.items()},
        "mean_abstract": round(figures.mean_abstract, 1),
        "distinct_keywords": figures.distinct_keywords,
        "keywords": [{"keyword": k, "documents": n} for k, n in figures.keywords],
        "sources": [{"source": s, "documents": n} for s, n in figures.sources],
    }


def _files(survey: corpus.Survey, result: dict[str, Any]) -> tuple[Table, list[str]]:
    """Return the files that were read, and what is known of their layouts."""
    paths = [Path(f.file) for f in survey.files]
    if len({path.is_absolute() for path in paths}) > 1:
        paths = [Path.cwd() / path for path in paths]
    folder = os.path.commonpath([path.parent for path in paths])
    rows = [
        (os.path.relpath(path, folder), f.format or None, f.encoding or None, f.records, f.problems)
        for path, f in zip(paths, survey.files, strict=True)
    ]
    counts = {"records": survey.documents, "duplicates": survey.duplicates, "problems": result["problem_count"]}
    caption = Message("cli.records_read", read=survey.records, **counts)
    columns = ("file", "format", "encoding", "records", "problems")
    layouts: list[str] = [
        Message("files.about", about=row[0], error=report.layout)
        for row, report in zip(rows, survey.files, strict=True)
        if report.layout
    ]
    return tabled(Message("cli.of_files", folder=folder or "."), columns, rows, caption=caption), layouts
