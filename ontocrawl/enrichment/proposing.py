"""Propose terms, names and relations from the pages of a run, and write the proposals into the graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kg import enrich
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import proposals, run_pages
from ontocrawl.errors import UsageError
from ontocrawl.runs import runs
from ontocrawl.runs.diagnosis import ENOUGH
from ontocrawl.topics import proposed, reviewed, topics
from ontocrawl.topics.topics import Topic
from ontology import enrichment
from ontology.enrichment import Proposal
from ontology.errors import Message

OnStage = Callable[[str], None]
"""Called with the description of each step when it begins."""


@dataclass(frozen=True)
class Proposed:
    """What a run proposes for a topic.

    Attributes:
        topic: name of the topic.
        suggestions: the proposals that nobody decided about, best first.
        accepted_before, rejected_before: number of further proposals of the run that were decided about earlier.
        remark: warning where the run has few relevant pages; empty for enough.
    """

    topic: str
    suggestions: tuple[Proposal, ...]
    accepted_before: int = 0
    rejected_before: int = 0
    remark: str = ""


def propose(
    workspace: Workspace,
    run: str,
    graph: GraphStore,
    *,
    limit: int,
    topic: Topic | None = None,
    on_stage: OnStage = lambda _: None,
) -> Proposed:
    """Propose what the pages of a run say and the topic's ontologies lack, and write it into the graph.

    What the run proposed for the topic before is replaced; what was decided keeps its status and is not proposed again.

    Args:
        workspace: the workspace of the run.
        run: name of the run, or id of a scored archive that was loaded into the graph.
        graph: the open graph, which has the run.
        limit: maximum number of proposals that nobody decided about; the best ones are kept.
        topic: the topic whose ontologies are to be enriched; by default that of the run.
        on_stage: callback, see `OnStage`.

    Returns:
        The proposals, best first.

    Raises:
        UsageError: there is no such run, or the topic has no ontology.
        ProposalError: the graph lacks the run or the ontologies.
        ReviewedError, DecisionError: a damaged file of the topic.
    """
    topic = topic or topics.load(run_pages.topic_of(workspace, graph, run), workspace)
    ontologies = topic.ontologies
    if not ontologies:
        raise UsageError("enrichment.propose_none", topic=topic.name)
    verdicts = reviewed.record_of(workspace, topic.name)
    on_stage(Message("enrichment.stage_pages", run=run))
    name, pages = run_pages.read(workspace, graph, run)
    on_stage(Message("enrichment.stage_searching", pages=len(pages)))
    found = enrichment.propose(pages, ontologies, limit=limit + len(verdicts.in_force))
    kept, before = _kept(topic.name, found, verdicts, limit)
    earlier = {one.id for one in proposals.find(workspace, graph, topic.name, run=name)}
    on_stage(Message("enrichment.stage_writing", proposals=len(kept)))
    statuses = {id_: verdicts.status(id_, p) for id_, p in proposed.with_ids(topic.name, kept).items()}
    enrich.save_proposals(graph, topic.name, kept, name, ontology=ontologies[0].key, statuses=statuses)
    proposed.write(workspace, topic.name, name, ontologies[0].key, kept)
    proposals.refresh(workspace, graph, topic.name, ontologies)
    listed = proposals.find(workspace, graph, topic.name, run=name)
    if gone := earlier - {one.id for one in listed}:
        on_stage(Message("enrichment.stage_replaced", n=len(gone), run=run, kept=len(listed)))
    relevant = sum(page.relevant for page in pages)
    remark = Message("enrichment.propose_few", relevant=relevant, run=run, enough=ENOUGH)
    decided = before.count("accepted"), before.count("rejected")
    return Proposed(topic.name, tuple(listed), *decided, remark if relevant < ENOUGH else "")


def topic_of_run(workspace: Workspace, run: str) -> Topic:
    """Return the topic by which a run crawled. Raises UsageError if there is no such run or topic."""
    with runs.open_journal(workspace, run) as journal:
        config = runs.read_config(journal)
    return topics.load(config.topic_file or config.topic, workspace)


def topic_of(workspace: Workspace, proposal: Proposal) -> Topic:
    """Return the topic that a proposal is for: one of the workspace, or that of a run that makes the proposal.

    Args:
        workspace: the workspace.
        proposal: the proposal.

    Raises:
        UsageError: there is no such topic any more.
    """
    if proposal.topic not in topics.available(workspace):
        for run in (name for name in proposal.crawls if name in workspace.run_names()):
            topic = topic_of_run(workspace, run)
            if topic.name == proposal.topic:
                return topic
    return topics.load(proposal.topic, workspace)


def _kept(
    topic: str, found: Sequence[Proposal], verdicts: reviewed.Record, limit: int
) -> tuple[list[Proposal], list[str]]:
    """Return the best undecided proposals with the decided ones, and the status of the latter."""
    kept, before, new = [], list[str](), 0
    for id_, proposal in proposed.with_ids(topic, found).items():
        status = verdicts.status(id_, proposal)
        if status != enrich.PROPOSED:
            before.append(status)
        elif new < limit:
            new += 1
        else:
            continue
        kept.append(proposal)
    return kept, before
