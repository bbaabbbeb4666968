"""`ontocrawl graph`: load, remove."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontocrawl.cli import ontology_arguments
from ontocrawl.cli.arguments import Versions
from ontocrawl.cli.output import Answer, Folder, note, progress, spoken, tabled, workspace
from ontology.errors import Message

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from ontocrawl.base.workspace import Workspace
    from ontocrawl.graph.tables import Table
    from ontocrawl.topics.topics import Topic

_SHOWN = 20
"""Most rows of mappings without effect that are printed."""


def load(
    what: Annotated[list[str], typer.Argument(metavar="TOPIC|FILE..", help="Topics, or ontology files.")],
    mappings: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="SSSOM file: join concepts of several topics by its exact mappings, and by no others. May repeat.",
        ),
    ] = None,
    version: Versions = None,
    folder: Folder = None,
) -> Answer:
    """Load ontologies into the graph; an ontology that is loaded again is replaced.

    A concept that is mapped exactly to one of another topic in the graph becomes one with it; the query
    `ontology/shared` lists these with the reason.
    For a topic with learned ontologies, their papers and lattices are loaded as well.
    """
    from kg.joined import idle_rows
    from kg.load import load_ontology
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record
    from ontocrawl.topics.topic_graph import TopicGraph
    from ontology import mapping

    space = workspace(folder, writes=True)
    given = None if mappings is None else [row for path in mappings for row in mapping.load(path).mappings]
    with ExitStack() as stack:
        sources = [(item, _topic(item, space, version, stack)) for item in what]
        graph = stack.enter_context(graph_store.store(space))
        bar, task = stack.enter_context(progress(Message("cli.doing_load"), None))
        papers, lattices = 0, dict[str, int]()
        reports = []
        for item, topic in sources:
            bar.update(task, description=spoken(Message("cli.doing_load_of", item=item)))
            if topic is None:
                ontologies = ontology_arguments.ontologies(item, space)
                reports += [load_ontology(graph, ontology, given) for ontology in ontologies]
                keys = [ontology.key for ontology in ontologies]
                graph_record.note(space, graph_record.of_file(space, "file", Path(item), keys, mappings))
                continue
            loaded = TopicGraph(topic, graph).load(given, mappings)
            reports += loaded.reports
            papers += loaded.papers
            lattices |= loaded.lattices
        idle = idle_rows(graph, given) if given else []
    document = {"loaded": [asdict(report) for report in reports], "papers": papers, "lattices": lattices}
    if given is not None:
        document["idle_mappings"] = [
            {"row": m.where, "subject": m.subject, "object": m.object, "reason": why} for m, why in idle
        ]
    notes = [Message("cli.joins_nothing", row=mapped.where, why=why) for mapped, why in idle[:_SHOWN]]
    if papers:
        concepts = sum(lattices.values())
        notes.insert(0, Message("cli.with_papers", papers=papers, concepts=concepts, lattices=len(lattices)))
    if len(idle) > _SHOWN:
        notes.append(Message("cli.more_join_nothing", rows=len(idle) - _SHOWN))
    return Answer(document, [_reports("Loaded", reports)], notes)


def _topic(item: str, space: Workspace, versions: Sequence[str] | None, stack: ExitStack) -> Topic | None:
    """Load the topic of an argument, and read its ontologies, of some versions if given; None for a file."""
    from ontocrawl.topics import kept_versions, topics

    if not ontology_arguments.is_topic(item):
        ontology_arguments.file(item)
        return None
    if versions is not None:
        return stack.enter_context(kept_versions.opened(topics.load(item, space), versions))
    topic = ontology_arguments.topic(item, space)
    for line in (*topic.changed_versions(), *topic.missing_papers()):
        note(line)
    return topic


def remove(
    what: Annotated[
        str, typer.Argument(metavar="IRI|TOPIC", help="IRI of an ontology, or a topic for all its ontologies.")
    ],
    folder: Folder = None,
) -> Answer:
    """Remove ontologies from the graph, with their relations and weights; `crawl remove` removes a crawl.

    The papers and lattices of a learned ontology are removed as well.
    """
    from kg.load import remove_ontology
    from ontocrawl.graph import graph_store
    from ontocrawl.topics import graph_record, topics

    space = workspace(folder)
    iris = [what] if "://" in what else [o.key for o in topics.load(what, space).ontologies]
    with graph_store.store(space) as graph:
        reports = [remove_ontology(graph, iri) for iri in iris]
        graph_record.note(space, graph_record.Entry("removed", keys=tuple(iris)))
    return Answer({"removed": [asdict(report) for report in reports]}, [_reports("Removed", reports)])


def _reports(title: str, reports: Sequence[DataclassInstance]) -> Table:
    rows = [asdict(report) for report in reports]
    return tabled(title, list(rows[0]) if rows else ["ontology"], [tuple(row.values()) for row in rows])
