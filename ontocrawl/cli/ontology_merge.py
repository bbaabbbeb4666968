"""`ontocrawl ontology merge`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Answer, tabled
from ontocrawl.errors import FINDINGS
from ontology.errors import Message


def merge(
    whole: Annotated[Path, typer.Argument(metavar="GLOBAL", help="File of the global ontology.")],
    locals_: Annotated[
        list[Path], typer.Argument(metavar="LOCAL..", help="Files of local ontologies, merged in this order.")
    ],
    out: Annotated[Path, typer.Option(help="Output file for the merged ontology; the suffix determines the format.")],
) -> Answer:
    """Merge local ontologies into a global one.

    Conflicts are listed and set the exit code 3; the file is written nevertheless. An edge that the global ontology has
    in reverse, or that would close a cycle, is left out. Nothing is left out for a label with two IRIs, or a class with
    different parents.
    """
    from ontology import owl
    from ontology.hierarchy import merge as merged_with

    merged = merged_with(owl.read(whole), [owl.read(path) for path in locals_])
    owl.write(merged.ontology, out)
    conflicts = [asdict(conflict) for conflict in merged.conflicts]
    counts = {"concepts": len(merged.ontology.concepts), "relations": len(merged.ontology.relations)}
    columns = ("kind", "local", "concept", "ours", "theirs", "advice")
    rows = [[c["local"].rsplit("/", 1)[-1] if k == "local" else c[k] for k in columns] for c in conflicts]
    return Answer(
        {"out": str(out), **counts, "conflicts": conflicts},
        [tabled(Message("versions.came_conflicts", n=len(conflicts)), columns, rows)],
        [Message("cli.written", path=out)],
        code=FINDINGS if conflicts else 0,
    )
