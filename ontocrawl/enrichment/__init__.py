"""Propose new terms from the pages of a run, and write the proposals into the graph."""

from __future__ import annotations

from dataclasses import dataclass

from crawler.journal import graph_rows
from kg import enrich
from kg.records import Proposal
from kg.store import GraphStore
from ontocrawl import runs, topics
from ontocrawl.errors import UsageError
from ontocrawl.topics import Topic
from ontocrawl.workspace import Workspace
from ontology.enrichment import extraction


@dataclass(frozen=True)
class Suggestion:
    """A proposed term with the label of its suggested broader concept."""

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
    """Propose terms from the pages of a run that the topic's ontologies lack, and write them into the graph.

    Args:
        workspace: the workspace of the run.
        run: name of the run.
        graph: the open graph, which has the run.
        limit: maximum number of proposals; the best ones are kept.
        topic: the topic whose ontologies are to be enriched; by default that of the run.

    Returns:
        The proposals, sorted by score in descending order.

    Raises:
        UsageError: there is no such run, or the topic has no ontology.
    """
    with runs.open_journal(workspace, run) as journal:
        config = runs.read_config(journal)
        pages = list(graph_rows.pages(journal))
    topic = topic or topics.load(config.topic_file or config.topic, workspace)
    ontologies = topic.ontologies
    if not ontologies:
        raise UsageError(f"topic {topic.name} has no ontology to propose terms for: name one in its file")
    found = extraction.propose(pages, ontologies, limit=limit)
    proposals = [
        Proposal(f"{run}/{p.term}", p.term, p.kind, p.score, p.target, p.sentences[0].url, p.sentences[0].text, p.pages)
        for p in found
    ]
    enrich.save_proposals(graph, proposals, run, ontology=ontologies[0].key)
    return [_suggestion(p, f.target_label) for p, f in zip(proposals, found, strict=True)]


def _suggestion(p: Proposal, label: str | None) -> Suggestion:
    return Suggestion(p.id, p.term, p.kind, p.score, p.pages, p.under, label, p.page, p.sentence, p.status)
