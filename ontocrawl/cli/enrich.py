"""`ontocrawl enrich`: propose."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ontocrawl.cli.arguments import RunName
from ontocrawl.cli.output import Folder, Json, print_json, table, workspace


def propose(
    run_name: RunName,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of terms; the best are kept.")] = 30,
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Propose terms that relevant pages of a run use and the topic's ontology lacks, each with a sentence."""
    from ontocrawl import enrichment, graph_store

    space = workspace(folder, writes=True)
    with graph_store.store(space) as graph:
        suggestions = enrichment.propose(space, run_name, graph, limit=limit)
    if as_json:
        print_json({"proposals": [asdict(p) for p in suggestions]})
        return
    rows = [(p.term, p.score, p.pages, p.under_label or "-", p.sentence) for p in suggestions]
    table(f"Proposals from {run_name}", ("term", "score", "pages", "under", "sentence"), rows)
