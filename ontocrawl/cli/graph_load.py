"""`ontocrawl graph`: load, remove: ontologies into the graph and out of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from kg.load import load_ontology, remove_ontology
from ontocrawl import graph_store, topics
from ontocrawl.cli import sources
from ontocrawl.cli.output import Folder, Json, print_json, table, workspace


def load(
    what: Annotated[list[str], typer.Argument(metavar="TOPIC|FILE..", help="A topic's name, or ontology files.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write ontologies into the graph; loading one again replaces it."""
    space = workspace(folder, writes=True)
    ontologies = [ontology for item in what for ontology in sources.ontologies(item, space)]
    with graph_store.store(space) as graph:
        reports = [load_ontology(graph, ontology) for ontology in ontologies]
    if as_json:
        print_json({"loaded": [asdict(report) for report in reports]})
        return
    keys = list(asdict(reports[0]))
    table("Loaded", keys, [[asdict(report)[key] for key in keys] for report in reports])


def remove(
    what: Annotated[str, typer.Argument(metavar="IRI|TOPIC", help="An ontology's IRI, or a topic for all of its.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Take ontologies out of the graph, with their relations and weights; `crawl remove` does it for a crawl."""
    space = workspace(folder)
    iris = [what] if "://" in what else [o.iri for o in topics.ontologies(topics.load(what, space), space)]
    with graph_store.store(space) as graph:
        reports = [remove_ontology(graph, iri) for iri in iris]
    if as_json:
        print_json({"removed": [asdict(report) for report in reports]})
        return
    keys = list(asdict(reports[0])) if reports else ["ontology"]
    table("Removed", keys, [[asdict(report)[key] for key in keys] for report in reports])
