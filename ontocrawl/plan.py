"""From what a user asks of a crawl to the configuration that determines it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from crawler import strategies
from crawler.model import World
from crawler.scoring.relevance import relevance
from crawler.scoring.ssvsm import SemanticCosine
from crawler.strategies.base import Strategy
from ontocrawl import classifier, runs, semantics, topic_graph, topics, wiring
from ontocrawl.config import checked
from ontocrawl.errors import UsageError
from ontocrawl.graph_store import store
from ontocrawl.topic_graph import TopicVectors
from ontocrawl.topics import Topic
from ontocrawl.wiring import RunConfig
from ontocrawl.workspace import Workspace

SATURATED = "saturated"


@dataclass(frozen=True)
class Asked:
    """The options of a new crawl; None stands for the workspace's setting."""

    topic: str | None = None
    strategy: str | None = None
    world: str = "live"
    seeds: Sequence[str] = ()
    labels: str | None = None
    run: str | None = None
    resolve: Mapping[str, str] = field(default_factory=dict)
    allow_loopback: bool = False
    politeness: bool = True
    graph: bool = True
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Values that go over the workspace's [crawl] table."""


def plan(space: Workspace, asked: Asked, on_note: Callable[[str], None] = lambda said: None) -> RunConfig:
    """The configuration of a run without its seeds. The topic's ontologies are loaded into the graph if it lacks them.

    ``on_note`` is called with what the reader should know.

    Raises:
        UsageError: an unknown topic, a bad option, a run's name that cannot be one.
        UnknownStrategyError: an unknown strategy.
        RelevanceError: an unknown guide.
    """
    given = {key: value for key, value in asked.settings.items() if value is not None}
    crawl = checked(type(space.settings.crawl), space.settings.crawl.model_dump() | given, "options")
    named = topics.default_name(space) if asked.topic is None else asked.topic
    topic = topics.load(named, space)
    _refuse_early(space, asked, crawl.strategy)
    with store(space) as graph:
        vectors = topic_graph.vectors(topic, space, graph, crawl.weights, on_note)
    for said in topics.stale(topic, vectors.levels):
        on_note(said)
    wanted = _fitting(crawl.strategy, vectors, on_note) if asked.strategy is None else asked.strategy
    strategy = strategies.get(wanted)
    parameters = with_intent(strategy, topic, asked.parameters)
    made = wiring.parameters_of(strategy, parameters)
    crawl = crawl.model_copy(update={"guide": crawl.guide or default_guide(strategy(made)), "weights": vectors.scheme})
    of_run = wiring.guided(strategy(made), crawl.guide)
    digest = None
    if classifier.of_parameters(made) is not None:
        parameters[classifier.PARAMETER] = str(Path(parameters[classifier.PARAMETER]).resolve())
        digest = classifier.digest(Path(parameters[classifier.PARAMETER]))
    words = dump_vectors(vectors)
    return RunConfig(
        run=asked.run or runs.fresh_name(space, strategy.name),
        topic=topic.name,
        topic_file=str(Path(named).resolve()) if named.endswith(".toml") else None,
        strategy=strategy.name,
        strategy_file=_resumable(wanted),
        strategy_digest=wiring.digest_of(strategy) if ":" in wanted else None,
        parameters=parameters,
        world=asked.world,
        seeds=(),
        labels=asked.labels,
        resolve=dict(asked.resolve),
        allow_loopback=asked.allow_loopback,
        politeness=asked.politeness,
        relevance=topic.relevance,
        sigma=topic.sigma,
        strict=topic.strict,
        limit_pages=crawl.limit_pages,
        limit_time=crawl.limit_time,
        crawl=crawl,
        vocabularies=words,
        ontologies=vectors.provenance(),
        steered_by=vectors.levels[0].ontology.key if vectors.levels and _reads_ontology(of_run) else None,
        known_runs=runs.of_the_same(space, asked.world, words) if crawl.target == "cached" else {},
        similarities=_similarities(of_run, vectors),
        classifier_digest=digest,
        graph=asked.graph,
        started=runs.now(),
    )


def _refuse_early(space: Workspace, asked: Asked, strategy: str) -> None:
    """Raise what is wrong with the strategy's or the run's name before the graph is opened."""
    strategies.get(strategy if asked.strategy is None else asked.strategy)
    if asked.run is not None:
        runs.refuse_existing(space, asked.run)


def _fitting(strategy: str, vectors: TopicVectors, on_note: Callable[[str], None]) -> str:
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
        else wiring.PUBLISHED
    )


def _reads_ontology(strategy: Strategy) -> bool:
    return any(name != "TK" for name in strategy.vocabularies)


def dump_vectors(vectors: TopicVectors) -> dict[str, list[dict[str, Any]]]:
    """Topic vectors as JSON values; words of joined ontologies say which of them have the class."""
    words = wiring.dump_vectors(vectors.vocabularies)
    for name, terms in vectors.terms.items():
        sources = {term.iri: list(term.sources) for term in terms if term.sources}
        words[name] = [
            word | ({"ontologies": sources[word["iri"]]} if word["iri"] in sources else {}) for word in words[name]
        ]
    return words


def _similarities(strategy: Strategy, vectors: TopicVectors) -> dict[str, semantics.Matrix]:
    """Sem of the words that the strategy reads, where its guide compares terms by meaning."""
    guides = strategy.guides or (strategy.guide,)
    if not any(isinstance(relevance(name), SemanticCosine) for name in guides):
        return {}
    found = semantics.of_words(vectors.vocabularies, [level.ontology for level in vectors.levels])
    return {name: rows for name, rows in found.items() if name in strategy.vocabularies}


def with_intent(strategy: type[Strategy], topic: Topic, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given parameters over the topic's temporal intent, of which a strategy takes what it has parameters for.

    Raises UsageError for a parameter that is wrong, and for an intent that does not fit the strategy.
    """
    intent = topic.intent.model_dump()
    try:
        known = {name: intent.get(name.rpartition(".")[2]) for name in strategy.parameter_names(given)}
        whole = {name: value for name, value in known.items() if value} | dict(given)
        strategy.parameters_from(whole)
    except (TypeError, ValueError) as error:
        wiring.parameters_of(strategy, given)  # where these are wrong already, it says so
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
    found = wiring.seeds_from(given, world) or own or wiring.seeds_from(topic.seeds, world)
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
