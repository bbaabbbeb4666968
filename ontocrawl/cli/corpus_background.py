"""`ontocrawl corpus background`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.arguments import Exports
from ontocrawl.cli.output import Answer, note, progress, spoken, tabled
from ontocrawl.errors import UsageError
from ontology.errors import Message

_NAMED = 3


def background(
    paths: Exports,
    out: Annotated[Path, typer.Option(help="Output file: .tsv, or .tsv.gz to compress it.")],
    least: Annotated[int, typer.Option(min=1, help="Minimum number of documents in which a form occurs.")] = 3,
    source: Annotated[
        str, typer.Option(help="Source of the documents, for the header of the table; by default the names of PATH.")
    ] = "",
) -> Answer:
    """Count the document frequency of each word and phrase in a general corpus, and write the table."""
    from ontology import corpus
    from ontology.terms.document_frequencies import document_frequencies, save

    if not out.name.endswith((".tsv", ".tsv.gz")):
        raise UsageError("cli.out_table_written_file", out=out)
    with progress(Message("versions.stage_records"), None) as (bar, task):
        read = corpus.read(list(paths))
        bar.update(task, description=spoken(Message("cli.doing_count")))
        counted = document_frequencies(read.documents, source or _names(paths), least)
        save(counted, out)
    if read.problems:
        note(Message("cli.corpus_problems", problems=len(read.problems)))
    note(Message("cli.forms_written", path=out, forms=len(counted.frequency)))
    result = {
        "documents": counted.documents,
        "forms": len(counted.frequency),
        "least": counted.least,
        "source": counted.source,
        "file": str(out),
    }
    return Answer(result, [tabled("Document frequencies", tuple(result), [tuple(result.values())])])


def _names(paths: list[Path]) -> str:
    """Return the names of the first paths, and the number of the others."""
    named = ", ".join(path.resolve().name for path in paths[:_NAMED])
    return named if len(paths) <= _NAMED else f"{named} and {len(paths) - _NAMED} more"
