"""`ontocrawl ontology merge`: local ontologies into the global one, with every conflict shown."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ontocrawl.cli.output import Json, note, print_json, table
from ontocrawl.errors import FINDINGS


def merge(
    whole: Annotated[Path, typer.Argument(metavar="GLOBAL", help="The global ontology's file.")],
    locals_: Annotated[list[Path], typer.Argument(metavar="LOCAL..", help="Files of local ontologies, in this order.")],
    out: Annotated[Path, typer.Option(help="The merged ontology; the suffix names the format.")],
    as_json: Json = False,
) -> None:
    """Merge local ontologies into the global one. Exit code 3 where they disagree; the file is written all the same.

    An edge that the global ontology has the other way round, or that would close a cycle, is left out. Of a label that
    two IRIs share, and of a class with different places, nothing is left out. Each is listed.
    """
    from ontology import owl
    from ontology.hierarchy import merge as merged_with

    found = merged_with(owl.read(whole), [owl.read(path) for path in locals_])
    owl.write(found.ontology, out)
    conflicts = [asdict(conflict) for conflict in found.conflicts]
    if as_json:
        counts = {"concepts": len(found.ontology.concepts), "relations": len(found.ontology.relations)}
        print_json({"out": str(out), **counts, "conflicts": conflicts})
    else:
        columns = ("kind", "local", "concept", "ours", "theirs", "advice")
        rows = [[c["local"].rsplit("/", 1)[-1] if k == "local" else c[k] for k in columns] for c in conflicts]
        table(f"{len(conflicts)} conflicts", columns, rows)
    note(f"written: {out}")
    if conflicts:
        raise typer.Exit(FINDINGS)
