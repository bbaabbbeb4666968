"""From what a user asks of a crawl to the configuration that determines it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from crawler import strategies
from crawler.model import World
from crawler.scoring.relevance import relevance
from crawler.scoring.ssvsm import SemanticCosine
from crawler.strategies.base import Strategy
from crawler.text import Vocabulary
from ontocrawl import classifier, crawl_setup, runs
from ontocrawl.config import CrawlSettings, checked
from ontocrawl.errors import UsageError
from ontocrawl.graph_store import store
from ontocrawl.run_config import RunConfig
from ontocrawl.topic_graph import TopicGraph, TopicVectors
from ontocrawl.topics import Topic, TopicFile
from ontocrawl.workspace import Workspace
from ontology.model import Ontology
from ontology.similarity import five_factors

SATURATED = "saturated"
DIGITS = 6
"""Of similarities: a run keeps them in its configuration, so that resuming it depends on no file."""

OnNote = Callable[[str], None]
"""Receives a line that the reader should know."""


@dataclass(frozen=True)
class CrawlOptions:
    """The options of a new crawl; None stands for the workspace's setting."""

    strategy: str | None = None
    world: str = "live"
    labels: str | None = None
    run: str | None = None
    resolve: Mapping[str, str] = field(default_factory=dict)
    allow_loopback: bool = False
    politeness: bool = True
    graph: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Values that go over the workspace's [crawl] table."""


def plan(space: Workspace, topic: Topic, options: CrawlOptions, on_note: OnNote = lambda line: None) -> RunConfig:
    """Make the configuration of a run, all but its seeds, with vectors that the graph gives.

    Args:
        space: the workspace. The topic's ontologies are loaded into its graph where it lacks them.
        topic: the topic.
        options: what is asked for.
        on_note: called with what the reader should know.

    Returns:
        The configuration.

    Raises:
        UsageError: a bad option, a run's name that cannot be one, a topic without what the options need.
        UnknownStrategyError: an unknown strategy.
        RelevanceError: an unknown guide.
    """
    crawl = _settings(space, options)
    strategies.get(crawl.strategy if options.strategy is None else options.strategy)  # before the graph is opened
    if options.run is not None:
        runs.refuse_existing(space, options.run)
    with store(space) as graph:
        vectors = TopicGraph(topic, graph, on_note).vectors(crawl.weights)
    return configuration(space, vectors, options, on_note)


def configuration(
    space: Workspace, vectors: TopicVectors, options: CrawlOptions, on_note: OnNote = lambda line: None
) -> RunConfig:
    """Make the configuration of a run, all but its seeds, with vectors that were derived before.

    Args:
        space: the workspace.
        vectors: the topic vectors.
        options: what is asked for; its setting ``weights`` is that of the vectors.
        on_note: called with what the reader should know.

    Returns:
        The configuration.

    Raises:
        UsageError, UnknownStrategyError, RelevanceError: as `plan`.
    """
    topic, file = vectors.topic, vectors.topic.file
    for changed in topic.changed_versions():
        on_note(changed)
    crawl = _settings(space, options)
    name = _fitting(crawl.strategy, vectors, on_note) if options.strategy is None else options.strategy
    cls = strategies.get(name)
    parameters = with_intent(cls, file, options.parameters)
    made = crawl_setup.parameters_of(cls, parameters)
    strategy = cls(made)
    guide = crawl.guide or default_guide(strategy)
    strategy = crawl_setup.guided(strategy, guide)
    trained = classifier.of_parameters(made)
    if trained is not None:
        parameters[classifier.PARAMETER] = str(Path(parameters[classifier.PARAMETER]).resolve())
    return RunConfig(
        run=options.run or runs.fresh_name(space, strategy.name),
        topic=topic.name,
        topic_file=str(topic.path) if topic.path else None,
        strategy=strategy.name,
        strategy_file=_resumable(name),
        strategy_digest=crawl_setup.digest_of(cls) if ":" in name else None,
        parameters=parameters,
        world=options.world,
        seeds=(),
        labels=options.labels,
        resolve=dict(options.resolve),
        allow_loopback=options.allow_loopback,
        politeness=options.politeness,
        relevance=file.relevance,
        sigma=file.sigma,
        strict=file.strict,
        limit_pages=crawl.limit_pages,
        limit_time=crawl.limit_time,
        crawl=crawl.model_copy(update={"guide": guide, "weights": vectors.scheme}),
        vocabularies=vectors.vocabularies,
        ontologies=vectors.provenance(),
        steered_by=topic.levels[0].ontology.key if topic.levels and _reads_ontology(strategy) else None,
        known_runs=runs.earlier_runs(space, options.world, vectors.vocabularies) if crawl.target == "cached" else {},
        similarities=_similarities(strategy, vectors),
        classifier_digest=None if trained is None else classifier.digest(Path(parameters[classifier.PARAMETER])),
        graph=options.graph,
        started=runs.now(),
    )


def _settings(space: Workspace, options: CrawlOptions) -> CrawlSettings:
    """The workspace's [crawl] table under what the options say."""
    given = {key: value for key, value in options.settings.items() if value is not None}
    return checked(CrawlSettings, space.settings.crawl.model_dump() | given, "options")


def _fitting(strategy: str, vectors: TopicVectors, on_note: OnNote) -> str:
    """The workspace's strategy; for a topic without local ontologies the one that needs the global one only."""
    if strategy != "fcosa_lg" or "LTK_1" in vectors.vocabularies or "GTK" not in vectors.vocabularies:
        return strategy
    on_note("the topic has no local ontologies: crawling with fcosa_g, which needs the global one only")
    return "fcosa_g"


def default_guide(strategy: Strategy) -> str:
    """The guide of a crawl that asks for none (decision 7).

    Strategies that read the vector of an ontology, and whose paper has the tag-weighted cosine, compute with
    ``saturated``: a cosine is too small under long vectors. All others compute with the function of their paper.
    """
    return (
        SATURATED
        if _reads_ontology(strategy) and not strategy.guides and strategy.guide == "paper_000"
        else crawl_setup.PUBLISHED
    )


def _reads_ontology(strategy: Strategy) -> bool:
    return any(name != "TK" for name in strategy.vocabularies)


def _similarities(strategy: Strategy, vectors: TopicVectors) -> dict[str, list[list[float]]]:
    """Vector -> Sem of each two of its words, Eq. (1) of paper 000; for a strategy whose guide compares by meaning."""
    guides = strategy.guides or (strategy.guide,)
    if not any(isinstance(relevance(name), SemanticCosine) for name in guides):
        return {}
    ontology_of = dict(zip(vectors.terms, vectors.topic.ontologies, strict=True))
    return {
        name: _sem_of_words(vectors.vocabularies[name], ontology)
        for name, ontology in ontology_of.items()
        if name in strategy.vocabularies
    }


def _sem_of_words(vocabulary: Vocabulary, ontology: Ontology) -> list[list[float]]:
    similarity = five_factors.matrix(ontology)
    row_of = {iri: row for row, iri in enumerate(similarity.iris)}
    rows = [row_of[word.iri] for word in vocabulary.words]
    sem: list[list[float]] = similarity.sem[np.ix_(rows, rows)].round(DIGITS).tolist()
    return sem


def with_intent(strategy: type[Strategy], topic: TopicFile, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters over the topic's temporal intent, of which a strategy takes what it has parameters for.

    Raises UsageError for a parameter that is wrong, and for an intent that does not fit the strategy.
    """
    intent = topic.intent.model_dump()
    try:
        known = {name: intent.get(name.rpartition(".")[2]) for name in strategy.parameter_names(given)}
        whole = {name: value for name, value in known.items() if value} | dict(given)
        strategy.parameters_from(whole)
    except (TypeError, ValueError) as error:
        crawl_setup.parameters_of(strategy, given)  # where these are wrong already, it says so
        raise UsageError(f"topic {topic.name}, [intent]: {error}") from error
    return whole


def _resumable(strategy: str) -> str | None:
    """Where a class that is not registered is found by a later command, in another folder too."""
    place, sign, class_ = strategy.rpartition(":")
    if not sign:
        return None
    return f"{Path(place).resolve()}:{class_}" if place.endswith(".py") else strategy


def seeds(given: Sequence[str], topic: Topic, world: World) -> tuple[str, ...]:
    """The seeds that were given, else those that the world brings, else the topic's. Raises UsageError for none."""
    own = tuple(getattr(world, "seeds", ()))
    found = crawl_setup.seeds_from(given, world) or own or crawl_setup.seeds_from(topic.file.seeds, world)
    if not found:
        raise UsageError(f"no seeds: give --seeds URL, or seeds = [..] in the file of topic {topic.name}")
    return found


def parameters(given: Mapping[str, str]) -> dict[str, Any]:
    """Given texts as values: numbers and booleans as in JSON, anything else as text."""
    return {name: _value(text) for name, text in given.items()}


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except json.JSONDecodeError:
        return text
    return value if isinstance(value, bool | int | float) else text
