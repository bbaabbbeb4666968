"""From a run's journal to proposals in the graph: the arrow that closes the loop from crawl to ontology."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.journal import Journal, graph_rows
from kg import enrich
from kg.records import Proposal
from kg.store import GraphStore
from ontocrawl import runs, topics
from ontocrawl.errors import UsageError
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace


@dataclass(frozen=True)
class Suggestion:
    """A proposal with the label of the concept that it is suggested under."""

    id: str
    term: str
    kind: str
    score: float
    pages: int
    under: str | None
    under_label: str | None
    page: str
    sentence: str
    status: str


def propose(
    workspace: Workspace, run: str, graph: GraphStore, *, limit: int, topic: Topic | None = None
) -> list[Suggestion]:
    """Proposals from the pages of a run, written into the graph. The topic's ontologies say what is known already."""
    journal = Journal(workspace.existing_run(run) / runs.JOURNAL)
    try:
        config = runs.read_config(journal)
        pages = list(graph_rows.pages(journal))
    finally:
        journal.close()
    topic = topic or topics.load(config.topic_file or config.topic, workspace)
    ontologies = topic.ontologies
    if not ontologies:
        raise UsageError(f"topic {topic.name} has no ontology that proposals could enrich: name one in its file")
    concepts = tuple({c.iri: c for o in ontologies for c in o.concepts}.values())
    found = enrich.propose(pages, concepts, crawl=run, limit=limit)
    enrich.save_proposals(graph, found, run, ontology=ontologies[0].key)
    labels = {c.iri: c.label for c in concepts}
    return [_suggestion(p, labels.get(p.under or "")) for p in found]


def _suggestion(p: Proposal, label: str | None) -> Suggestion:
    return Suggestion(p.id, p.term, p.kind, p.score, p.pages, p.under, label, p.page, p.sentence, p.status)
