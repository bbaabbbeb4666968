"""Write runs into the graph and remove them. Journals are the source of truth: this can be repeated at any time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from crawler.journal import JournalError, graph_rows
from kg import enrich, load
from kg.engine.files import FileLock
from kg.project import ProjectReport, project_crawl, remove_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.records import CrawlRow
from kg.store import GraphStore
from ontocrawl.archives.loaded import refuse_archive, refuse_other
from ontocrawl.base.workspace import GRAPH_LOCK, Workspace
from ontocrawl.errors import GraphNotWritten, OntocrawlError, Option, UsageError, nearest
from ontocrawl.graph.graph_store import store
from ontocrawl.runs import runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import graph_record, kept_versions, proposed, reviewed, topic_graph, topics
from ontocrawl.topics.topic_graph import concept_names
from ontology.errors import Message


def write(workspace: Workspace, name: str) -> ProjectReport:
    """Open the graph at the end of a crawl, and write the run into it (`project`).

    Args:
        workspace: the workspace of the run.
        name: name of the run.

    Returns:
        The numbers of pages, links and mentions in the graph.

    Raises:
        GraphNotWritten: the graph cannot be opened or written; the message names the command that writes it later.
        JournalError: the journal of the run cannot be read.
    """
    with or_later(name), store(workspace) as graph:
        return project(workspace, name, graph)


@contextmanager
def or_later(name: str) -> Iterator[None]:
    """Raise GraphNotWritten, with the command that writes a run later, for an error of the graph in the block."""
    try:
        yield
    except JournalError:
        raise
    except (OntocrawlError, OSError) as error:
        raise GraphNotWritten(
            "runs.run_kept_journal_could",
            name=name,
            part=error if isinstance(error, OntocrawlError) else _of_system(error),
            option=Option(f"`ontocrawl graph rebuild {name}`", f"Graph().add({name!r})"),
        ) from error


def _of_system(error: OSError) -> str:
    return str(error) if error.filename is None else Message("files.about", about=error.filename, error=error.strerror)


def project(workspace: Workspace, name: str, graph: GraphStore) -> ProjectReport:
    """Write a run into the graph and rank its pages by PageRank (paper 000, Eq. 7). A second call changes nothing.

    The topic's ontologies are loaded where the graph lacks them, so that pages can be linked to their concepts.

    Args:
        workspace: the workspace of the run.
        name: name of the run.
        graph: the open graph.

    Returns:
        The numbers of pages, links and mentions in the graph.

    Raises:
        UsageError: there is no such run, or an ontology that it used is neither in the graph nor in the topic's files.
        CommandError: the graph has a scored archive, or a run of another workspace, by this name.
    """
    with _alone(workspace, name), runs.open_journal(workspace, name) as journal:
        config = runs.present_config(journal)
        refuse_archive(graph, config.run)
        refuse_other(graph, config.run, config.started)
        _load_ontologies(workspace, config, graph)
        labels = journal.get("labels")
        concepts = topic_graph.concepts_of(config.vocabularies)
        crawl = CrawlRow(
            config.run, config.strategy, config.topic, config.world, config.started, journal.get("stop_reason")
        )
        report = project_crawl(
            graph, crawl, graph_rows.outcomes(journal, concepts, None if labels is None else frozenset(labels)),
            graph_rows.links(journal), graph_rows.known(journal), seeds=config.seeds, names=concept_names(concepts),
        )  # fmt: skip
        rank_crawl(graph, config.run)
        return report


def written_again(
    workspace: Workspace, crawl: str, graph: GraphStore, on_stage: Callable[[str], None] = lambda _: None
) -> int:
    """Write what a crawl proposed into a graph that lacks it, and what persons decided about proposals of any crawl.

    Args:
        workspace: the workspace, with the files of what was proposed.
        crawl: id of the crawl, which the graph has.
        graph: the open graph.
        on_stage: called with a message where the graph lacks ontologies that the proposals name.

    Returns:
        The number of proposals that were written.

    Raises:
        ReviewedError, DecisionError: a damaged file of a topic.
    """
    count = 0
    for of_topic in proposed.read(workspace, crawl=crawl):
        if not of_topic.proposals or enrich.read_proposals(graph, of_topic.topic, crawl=crawl):
            continue
        verdicts = reviewed.record_of(workspace, of_topic.topic)
        ids = proposed.with_ids(of_topic.topic, of_topic.proposals).items()
        statuses = {id_: verdicts.status(id_, one) for id_, one in ids}
        try:
            count += enrich.save_proposals(
                graph, of_topic.topic, of_topic.proposals, crawl, ontology=of_topic.ontology, statuses=statuses
            )
        except enrich.ProposalError as error:
            on_stage(Message("runs.proposals_later", error=error, crawl=crawl))
    for path in sorted(workspace.ontologies.glob(f"*/{reviewed.FILE}")):
        topic = path.parent.name
        known = enrich.statuses(graph, topic)
        standing = reviewed.record_of(workspace, topic).standing.items()
        lacking = [(id_, one.proposal, one.status) for id_, one in standing if id_ not in known]
        if lacking:
            enrich.save_decided(graph, topic, lacking)
    return count


def remove(workspace: Workspace, crawl: str, graph: GraphStore) -> int:
    """Remove a crawl from the graph with its links, mentions and proposals; pages of other crawls are kept.

    Args:
        workspace: the workspace.
        crawl: id of the crawl: name of a run, or of a scored archive.
        graph: the open graph.

    Returns:
        The number of pages that the crawl fetched or knew.

    Raises:
        UsageError: the graph has no such crawl.
    """
    known = [row["id"] for row in graph.read("MATCH (c:Crawl) RETURN c.id AS id ORDER BY id")]
    if crawl not in known:
        raise UsageError(
            "runs.graph_no_crawl", crawl=crawl, part=nearest(crawl, known) if known else Message("graph.none_yet")
        )
    pages = remove_crawl(graph, crawl)
    if any(crawl in entry.keys for entry in graph_record.read(workspace)):
        graph_record.note(workspace, graph_record.Entry("removed", keys=(crawl,)))
    return pages


@contextmanager
def _alone(workspace: Workspace, name: str) -> Iterator[None]:
    """Wait while another process writes a run into the graph: two at once could write a link twice."""
    lock = FileLock(workspace.existing_run(name) / GRAPH_LOCK)
    lock.acquire(math.inf)
    try:
        yield
    finally:
        lock.release()


def _load_ontologies(workspace: Workspace, config: RunConfig, graph: GraphStore) -> None:
    """Load the ontologies of a run, in the versions that it used, where the graph lacks them.

    Raises:
        UsageError: the graph lacks a version that the run used, and neither the topic nor its versions have it.
    """
    used = config.ontologies.values()
    required = {entry["key"] for entry in used}
    lacking = required - set(load.ontology_keys(graph))
    if not lacking:
        return
    parts = [part for entry in used for part in entry.get("joined", (entry,))]
    try:
        topic = topics.load(config.topic_file or config.topic, workspace)
        with kept_versions.opened(topic, {part["version"] for part in parts}, instead=True) as found:
            keys = {part["key"] for part in parts}
            then = replace(found, kept=tuple(source for source in found.sources if source.ontology.key in keys))
            missing = lacking - {ontology.key for ontology in then.ontologies}
            if not missing:
                topic_graph.TopicGraph(then, graph).load_changes()
    except UsageError as error:
        raise UsageError("runs.run_graph_lacks_ontology", run=config.run, error=error) from error
    if missing:
        raise UsageError(
            "runs.run_used_neither_graph", run=config.run, missing=", ".join(sorted(missing)), topic=config.topic
        )
