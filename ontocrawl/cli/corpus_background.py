"""`ontocrawl corpus background`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Json, note, print_json, progress, table
from ontocrawl.errors import UsageError

_NAMED = 3


def background(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH..", help="Files or folders of exported records.")],
    out: Annotated[Path, typer.Option(help="Write the table there: *.tsv, or *.tsv.gz to compress it.")],
    least: Annotated[int, typer.Option(min=1, help="Leave out what occurs in fewer documents.")] = 3,
    source: Annotated[
        str, typer.Option(help="Where the documents are from, for the table's header; by default the names of PATH.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Count in how many documents of a general corpus each word and phrase occurs, and write the table."""
    from ontology import corpus
    from ontology.terms.document_frequencies import document_frequencies, save

    if not out.name.endswith((".tsv", ".tsv.gz")):
        raise UsageError(f"--out {out}: the table is written to a file *.tsv or *.tsv.gz")
    with progress("reading records", None) as (bar, task):
        read = corpus.read(list(paths))
        bar.update(task, description="counting words and phrases")
        counted = document_frequencies(read.documents, source or _names(paths), least)
        save(counted, out)
    if read.problems:
        note(f"{len(read.problems)} problems in the corpus; `ontocrawl corpus import` lists them")
    note(f"written: {out} ({len(counted.frequency)} forms)")
    result = {
        "documents": counted.documents,
        "forms": len(counted.frequency),
        "least": counted.least,
        "source": counted.source,
        "file": str(out),
    }
    if as_json:
        print_json(result)
        return
    table("Document frequencies", ("documents", "forms", "least", "source", "file"), [tuple(result.values())])


def _names(paths: list[Path]) -> str:
    """The names of the first paths, and how many there are besides."""
    named = ", ".join(path.resolve().name for path in paths[:_NAMED])
    return named if len(paths) <= _NAMED else f"{named} and {len(paths) - _NAMED} more"
