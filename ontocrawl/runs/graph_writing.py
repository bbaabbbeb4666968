"""Write runs into the graph. The journal of a run is the source of truth, so that this can be repeated at any time."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from crawler.journal import JournalError, graph_rows
from kg import load
from kg.engine.files import FileLock
from kg.project import ProjectReport, project_crawl
from kg.ranking.crawl_ranks import rank_crawl
from kg.records import CrawlRow
from kg.store import GraphStore
from ontocrawl.archives.loaded import refuse_archive, refuse_other
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import GraphNotWritten, OntocrawlError, Option, UsageError
from ontocrawl.graph.graph_store import store
from ontocrawl.runs import runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import kept_versions, topic_graph, topics
from ontocrawl.topics.topic_graph import concept_names

GRAPH_LOCK = "graph.lock"
"""File of a run's folder that is locked while the run is written into the graph."""


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
    try:
        with store(workspace) as graph:
            return project(workspace, name, graph)
    except JournalError:
        raise
    except (OntocrawlError, OSError) as error:
        raise GraphNotWritten(
            f"run {name} is kept in its journal, and could not be written into the graph: ",
            error if isinstance(error, OntocrawlError) else _of_system(error),
            ". When the cause is gone, write it by ",
            Option(f"`ontocrawl graph rebuild {name}`", f"Graph().add({name!r})"),
        ) from error


def _of_system(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}" if error.filename is not None else str(error)


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
        raise UsageError(f"run {config.run}: the graph lacks an ontology that it used, and ", error) from error
    if missing:
        raise UsageError(
            f"run {config.run} used {', '.join(sorted(missing))}, which is neither in the graph nor in the files and "
            f"versions of topic {config.topic}: bring these files back, then ontocrawl graph rebuild {config.run}"
        )
