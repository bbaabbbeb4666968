"""`ontocrawl corpus`: import, stats."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ontocrawl.cli.output import Json, note, print_json, progress, table
from ontology.files import open_atomically
from ontology.model import Problem

if TYPE_CHECKING:
    from ontology import corpus
    from ontology.corpus.statistics import Statistics

_SHOWN = 10
_KEPT = 1_000

Paths = Annotated[list[Path], typer.Argument(metavar="PATH..", help="Files or folders of exported records.")]
ProblemFile = Annotated[
    Path | None,
    typer.Option("--problems", help="Write every problem there: JSON lines {file, line, reason}."),
]


def import_(
    paths: Paths,
    out: Annotated[
        Path | None, typer.Option(help="Write the documents there as JSON lines, duplicates merged.")
    ] = None,
    problems: ProblemFile = None,
    as_json: Json = False,
) -> None:
    """Read exports in any known format and encoding; report records, problems and duplicates, write one clean file."""
    from ontology import corpus

    with _Ledger.opened(problems) as ledger, progress("reading records", None):
        found = _write(paths, out, ledger) if out else corpus.survey(paths, on_problem=ledger.add)
    result = _result(found, ledger)
    if as_json:
        print_json(result)
    else:
        _show(found, result)
        ledger.show()
    if out is not None:
        note(f"written: {out} ({found.documents} documents)")
    else:
        note("nothing was written; --out FILE writes the documents as JSON lines")


def stats(
    paths: Paths,
    top: Annotated[int, typer.Option(min=1, help="So many keywords and sources.")] = 20,
    problems: ProblemFile = None,
    as_json: Json = False,
) -> None:
    """What exports hold: years, sources, keywords, and how many documents have which field."""
    from ontology import corpus
    from ontology.corpus.statistics import statistics

    surveyed: list[corpus.Survey] = []
    with _Ledger.opened(problems) as ledger, progress("reading records", None):
        figures = statistics(corpus.stream(paths, on_problem=ledger.add, on_survey=surveyed.append), top=top)
    result = _result(surveyed[0], ledger) | _figures(figures)
    if as_json:
        print_json(result)
        return
    _show(surveyed[0], result)
    table("Fields", ("field", "documents"), figures.fields.items())
    table("Years", ("year", "documents"), [(str(year), count) for year, count in figures.years.items()])
    table(f"Keywords ({figures.distinct_keywords} different ones)", ("keyword", "documents"), figures.keywords)
    table("Sources", ("source", "documents"), figures.sources)
    ledger.show()


class _Ledger:
    """Every problem: counted, the first ones kept for the reader, all written where a file was asked for."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.count = 0
        self.first: list[Problem] = []

    @classmethod
    @contextmanager
    def opened(cls, path: Path | None) -> Iterator[_Ledger]:
        """A ledger that writes to ``path``; the file appears when all is read."""
        if path is None:
            yield cls(None)
            return
        with open_atomically(path) as stream:
            yield cls(stream)

    def add(self, problem: Problem) -> None:
        """Take down one problem."""
        self.count += 1
        if len(self.first) < _KEPT:
            self.first.append(problem)
        if self._stream is not None:
            self._stream.write((json.dumps(asdict(problem), ensure_ascii=False) + "\n").encode("utf-8", "replace"))

    def show(self) -> None:
        """The first problems on stderr, and how many there are besides."""
        for problem in self.first[:_SHOWN]:
            note(f"{problem.file}, line {problem.line}: {problem.reason}")
        if self.count > _SHOWN:
            note(f"and {self.count - _SHOWN} problems more; --problems FILE writes them all")


def _write(paths: list[Path], out: Path, ledger: _Ledger) -> corpus.Survey:
    from ontology import corpus
    from ontology.corpus import json_lines

    surveyed: list[corpus.Survey] = []
    with open_atomically(out) as stream:
        for document in corpus.stream(paths, on_problem=ledger.add, on_survey=surveyed.append):
            stream.write((json_lines.line_of(document) + "\n").encode("utf-8", "replace"))
    return surveyed[0]


def _result(found: corpus.Survey, ledger: _Ledger) -> dict[str, Any]:
    return {
        "files": [asdict(report) for report in found.files],
        "records": found.records,
        "duplicates": found.duplicates,
        "documents": found.documents,
        "problem_count": ledger.count,
        "problems": [asdict(problem) for problem in ledger.first],
    }


def _figures(found: Statistics) -> dict[str, Any]:
    return {
        "fields": found.fields,
        "years": {str(year): count for year, count in found.years.items()},
        "mean_abstract": round(found.mean_abstract, 1),
        "distinct_keywords": found.distinct_keywords,
        "keywords": [{"keyword": k, "documents": n} for k, n in found.keywords],
        "sources": [{"source": s, "documents": n} for s, n in found.sources],
    }


def _show(found: corpus.Survey, result: dict[str, Any]) -> None:
    folder = os.path.commonpath([Path(f.file).parent for f in found.files])
    rows = [
        (os.path.relpath(f.file, folder), f.format or None, f.encoding or None, f.records, f.problems)
        for f in found.files
    ]
    said = f"{found.records} records, {found.duplicates} duplicates merged, {result['problem_count']} problems"
    table(f"Files in {folder or '.'}", ("file", "format", "encoding", "records", "problems"), rows, caption=said)
