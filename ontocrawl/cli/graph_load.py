"""`ontocrawl graph`: load, remove: ontologies into the graph and out of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from kg.load import load_ontology, remove_ontology
from ontocrawl import graph_store, topic_graph, topics
from ontocrawl.cli import sources
from ontocrawl.cli.output import Folder, Json, note, print_json, progress, table, workspace
from ontocrawl.topics import Level
from ontocrawl.workspace import Workspace


def load(
    what: Annotated[list[str], typer.Argument(metavar="TOPIC|FILE..", help="A topic's name, or ontology files.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Write ontologies into the graph; loading one again replaces it.

    Of a topic with learned ontologies, the papers that they were learned from and their lattices are written too.
    """
    space = workspace(folder, writes=True)
    given = [(item, _levels(item, space)) for item in what]
    papers, lattices = 0, dict[str, int]()
    with graph_store.store(space) as graph, progress("loading", None) as (bar, task):
        reports = []
        for item, levels in given:
            bar.update(task, description=f"loading {item}")
            if levels is None:
                reports += [load_ontology(graph, ontology) for ontology in sources.ontologies(item, space)]
                continue
            loaded = topic_graph.load_topic(levels, graph)
            reports += loaded.reports
            papers += loaded.papers
            lattices |= loaded.lattices
    if as_json:
        print_json({"loaded": [asdict(report) for report in reports], "papers": papers, "lattices": lattices})
        return
    keys = list(asdict(reports[0]))
    table("Loaded", keys, [[asdict(report)[key] for key in keys] for report in reports])
    if papers:
        note(f"with {papers} papers and {sum(lattices.values())} formal concepts in {len(lattices)} lattices")


def _levels(item: str, space: Workspace) -> list[Level] | None:
    """The ontologies of a topic with what is behind them; None for a file."""
    if not sources.is_topic(item):
        sources.file(item)
        return None
    levels = topics.levels(sources.topic(item, space), space)
    for said in (*topics.stale(sources.topic(item, space), levels), *topic_graph.missing_papers(levels)):
        note(said)
    return levels


def remove(
    what: Annotated[str, typer.Argument(metavar="IRI|TOPIC", help="An ontology's IRI, or a topic for all of its.")],
    folder: Folder = None,
    as_json: Json = False,
) -> None:
    """Take ontologies out of the graph, with their relations and weights; `crawl remove` does it for a crawl.

    The papers of a learned ontology and its lattices go too.
    """
    space = workspace(folder)
    iris = [what] if "://" in what else [o.key for o in topics.ontologies(topics.load(what, space), space)]
    with graph_store.store(space) as graph:
        reports = [remove_ontology(graph, iri) for iri in iris]
    if as_json:
        print_json({"removed": [asdict(report) for report in reports]})
        return
    keys = list(asdict(reports[0])) if reports else ["ontology"]
    table("Removed", keys, [[asdict(report)[key] for key in keys] for report in reports])
