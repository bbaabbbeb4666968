"""New weights for the runs of a topic, after its ontologies have a new version in the graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from crawler.journal import recounts
from crawler.weights import Weights, digest_of
from kg.engine.files import FileLock
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import OntocrawlError, UsageError
from ontocrawl.runs import crawl_setup, plan, run_files, runs
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.topics import topics
from ontocrawl.topics.topic_graph import TopicGraph, TopicVectors, provenance
from ontocrawl.topics.topics import Topic
from ontology.errors import Message

OnNote = Callable[[str], None]
"""Callback called with a message for the user."""


@dataclass(frozen=True)
class Offered:
    """Weights that a run was offered."""

    run: str
    state: str
    """running, draining, interrupted or finished."""
    new: bool
    """Whether they are others than those that the run has; if not, it was offered nothing."""
    digest: str

    def as_json(self) -> dict[str, Any]:
        """Return the offer as values of JSON."""
        return asdict(self)


def offer(space: Workspace, graph: GraphStore, topic: Topic, on_note: OnNote = lambda line: None) -> list[str]:
    """Offer the present weights of a topic to its runs that have not finished, where these have others.

    A run that goes on takes them between two fetches. One that was interrupted takes them when it is resumed with the
    option for that.

    Args:
        space: the workspace of the runs.
        graph: the open graph, into which the topic's ontologies are loaded where it lacks them.
        topic: the topic with its present ontologies.
        on_note: called with the reason for each run to which the weights cannot be offered.

    Returns:
        Names of the runs that were offered new weights.
    """
    told = []
    for name in space.run_names():
        config, state = _run(space, name)
        if config.topic != topic.name or state == "finished" or config.vocabularies.keys() <= {"TK"}:
            continue
        try:
            if offer_to(space, name, _weights_of(config, topic, graph)).new:
                told.append(name)
        except OntocrawlError as error:
            on_note(Message("runs.keeps_weights", name=name, error=error))
    return told


def offer_to(space: Workspace, name: str, weights: Weights) -> Offered:
    """Write weights into the folder of a run, unless it has them already.

    Args:
        space: the workspace of the run.
        name: name of the run.
        weights: weights that fit the run (`_weights_of`).

    Raises:
        UsageError: there is no such run.
        CommandError: the file cannot be written.
    """
    _, state = _run(space, name)
    new = weights.digest != _present_digest(space, name)
    if new:
        run_files.write_weights(space.existing_run(name), weights)
    return Offered(name, state, new, weights.digest)


def _weights_of(config: RunConfig, topic: Topic, graph: GraphStore) -> Weights:
    """Compute by query the weights that a run takes of the present ontologies of its topic.

    Args:
        config: the configuration of the run.
        topic: its topic.
        graph: the open graph, into which the topic's ontologies are loaded where it lacks them.

    Returns:
        Weights of the same kind as those of the run. TK is that of the run, whatever the topic's file says now.

    Raises:
        UsageError: the run uses no ontology, or cannot take the weights; the message says why.
    """
    if config.vocabularies.keys() <= {"TK"}:
        raise UsageError("runs.run_counts_topic_s", run=config.run)
    vectors = TopicGraph(topic, graph).vectors(config.crawl.weights)
    setup, weights = crawl_setup.setup_of(config), _of_vectors(config, topic, vectors)
    if why := setup.misfit(weights):
        raise UsageError("runs.run_cannot_take_weights", run=config.run, topic=topic.name, why=why)
    return weights


def weights_for(space: Workspace, name: str, graph: GraphStore) -> Weights:
    """Compute the weights that a run takes of its topic, which is loaded from where the run had it; see `_weights_of`.

    Raises:
        UsageError: there is no such run or topic, or the run cannot take the weights.
    """
    config, _ = _run(space, name)
    return _weights_of(config, topics.load(config.topic_file or config.topic, space), graph)


def waiting(space: Workspace, name: str) -> str:
    """Return a line that a run was offered weights which it has not taken; empty where it was offered none."""
    offered = run_files.read_weights(space.existing_run(name))
    if offered is None or offered.digest == _present_digest(space, name):
        return ""
    keys = ", ".join(about["key"] for about in offered.ontologies.values())
    return Message("runs.newer_weights", name=name, keys=keys)


def _present_digest(space: Workspace, name: str) -> str:
    """Return the digest of the weights that a run has."""
    with runs.open_journal(space, name) as journal:
        taken = recounts.taken(journal)
        return taken[-1].digest if taken else digest_of(runs.read_config(journal).vocabularies)


def _of_vectors(config: RunConfig, topic: Topic, vectors: TopicVectors) -> Weights:
    return Weights(
        vocabularies={
            **vectors.vocabularies,
            **{name: v for name, v in config.vocabularies.items() if name.startswith("TK")},
        },
        similarities=plan.similarities(crawl_setup.strategy_of(config), vectors),
        ontologies=provenance(topic),
    )


def _run(space: Workspace, name: str) -> tuple[RunConfig, str]:
    """Return the configuration of a run as it began, and its state."""
    running = FileLock(space.existing_run(name) / runs.LOCK).is_held()
    with runs.open_journal(space, name) as journal:
        return runs.read_config(journal), runs.state_of(journal, running=running)
