"""Putting the parts together: world, seeds, labels, and a crawl from a resolved run configuration."""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pydantic import Field

from crawler import strategies
from crawler import url as urls
from crawler.crawl import Crawl, Limits
from crawler.fetch import Fetcher
from crawler.journal import Journal
from crawler.model import World
from crawler.politeness import Politeness
from crawler.robots import Robots
from crawler.scope import Scope
from crawler.scoring.relevance import OverTraining, Relevance, relevance
from crawler.seen_before import SeenBefore
from crawler.state import Judge, Setup
from crawler.strategies.base import Strategy
from crawler.text import Vocabulary, Word
from crawler.words import PageClassifier, training_statistics
from crawler.worlds import CorpusWorld, SyntheticWorld, WorldError, open_world
from crawler.worlds.addresses import parse_resolve
from ontocrawl import classifier, semantics
from ontocrawl.config import CrawlSettings, Section
from ontocrawl.errors import UsageError, nearest
from ontology import files


class RunConfig(Section):
    """All that determines a run, as it stands in its journal: a resumed crawl depends on nothing else."""

    run: str
    topic: str
    topic_file: str | None = None
    strategy: str
    strategy_file: str | None = None
    """FILE.py:CLASS or MODULE:CLASS of a strategy that is not registered."""
    strategy_digest: str | None = None
    """Of that file."""
    parameters: dict[str, Any] = Field(default_factory=dict)
    world: str
    seeds: tuple[str, ...]
    labels: str | None = None
    resolve: dict[str, str] = Field(default_factory=dict)
    allow_loopback: bool = False
    politeness: bool = True
    relevance: str
    sigma: float
    strict: bool
    limit_pages: int
    limit_time: float
    crawl: CrawlSettings
    vocabularies: dict[str, list[dict[str, Any]]]
    """Vector -> its words with weight, IRI and forms, as they were when the run began."""
    ontologies: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """Vector from an ontology -> its ``iri``, ``version`` and ``key`` in the graph; ``joined`` names its parts."""
    steered_by: str | None = None
    """Key of the global ontology, where the strategy reads the vector of an ontology."""
    similarities: dict[str, list[list[float]]] = Field(default_factory=dict)
    """Vector -> Sem of its words, where the strategy's guide compares terms by meaning."""
    known_runs: dict[str, str] = Field(default_factory=dict)
    """Run -> its journal, of those whose pages look-ahead ``cached`` knows."""
    classifier_digest: str | None = None
    """Of the file that the strategy's parameter ``classifier`` names."""
    graph: bool = True
    """Whether the run is written into the graph at its end."""
    started: str


# ---- worlds, seeds, labels --------------------------------------------------------------------------------------


def resolve_table(path: Path | None) -> dict[str, str]:
    """A file of HOST:PORT=ADDR:PORT lines, as curl's --resolve takes them. Raises UsageError naming file and line."""
    if path is None:
        return {}
    try:
        return parse_resolve(_text(path).splitlines())
    except WorldError as error:
        raise UsageError(f"--resolve {path}: {error}") from error


def seeds_from(given: Sequence[str], world: World) -> tuple[str, ...]:
    """Canonical URLs from URLs, names of a corpus, comma lists of them, and @FILE with one a line."""
    found: list[str] = []
    for item in given:
        lines = _text(Path(item[1:])).splitlines() if item.startswith("@") else [item]
        for line in lines:
            parts = [line] if "://" in line and "," not in line else line.split(",")
            found += [part.strip() for part in parts if part.strip() and not part.lstrip().startswith("#")]
    seeds = tuple(dict.fromkeys(_seed(item, world) for item in found))
    _need_pages(seeds, world)
    return seeds


def _seed(item: str, world: World) -> str:
    if isinstance(world, CorpusWorld):
        return world.url_of(item)
    if "://" not in item:
        raise UsageError(f"{item!r} is not a URL; names stand for pages of a corpus only (--world corpus:DIR)")
    canonical = urls.canonical(item)
    if canonical is None:
        raise UsageError(f"{item!r} is not an http or https URL")
    return canonical


def _need_pages(found: Sequence[str], world: World) -> None:
    """A corpus knows all its pages, so a misspelt seed can be told at once."""
    if isinstance(world, CorpusWorld):
        missing = [url for url in found if url not in world]
        if missing:
            raise UsageError(
                f"the corpus has no page {unquote(missing[0])}: check the name's spelling and its capitals"
            )


def read_labels(spec: str | None, world: World) -> frozenset[str] | None:
    """URLs relevant in truth, from FILE#SET: a JSON object of lists of names or URLs. Metrics alone see them."""
    if spec is None:
        return None
    file, _, name = spec.partition("#")
    try:
        sets = json.loads(_text(Path(file)))
    except json.JSONDecodeError as error:
        raise UsageError(f"--labels {file} is not JSON: {error}") from error
    if not isinstance(sets, dict):
        raise UsageError(f"--labels {file}: expected a JSON object of name lists, found a {type(sets).__name__}")
    if name not in sets:
        raise UsageError(f"--labels {file} has no set {name!r}{nearest(name, sets)}")
    return frozenset(_seed(str(item), world) for item in sets[name])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as UTF-8 text: {error}") from error


# ---- the crawl --------------------------------------------------------------------------------------------------


def dump_vectors(vocabularies: Mapping[str, Vocabulary]) -> dict[str, list[dict[str, Any]]]:
    """Vocabularies as JSON values."""
    return {
        name: [
            {"label": w.label, "weight": w.weight, "iri": w.iri, "forms": [list(f) for f in w.forms]} for w in v.words
        ]
        for name, v in vocabularies.items()
    }


def load_vectors(dumped: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, Vocabulary]:
    """What ``dump_vectors`` gave, as vocabularies."""
    return {
        name: Vocabulary(
            name, tuple(Word(w["label"], w["weight"], tuple((f[0], f[1]) for f in w["forms"]), w["iri"]) for w in words)
        )
        for name, words in dumped.items()
    }


def world_of(config: RunConfig) -> World:
    """The world of a run, opened."""
    return open_world(
        config.world,
        timeout=config.crawl.timeout,
        max_bytes=config.crawl.max_bytes,
        resolve=config.resolve,
        allow_loopback=config.allow_loopback,
        user_agent=config.crawl.user_agent,
    )


def digest_of(strategy: type[Strategy]) -> str:
    """What tells a strategy's file from another version of it: a resumed run must go on with the one that it began."""
    return files.digest(Path(inspect.getfile(strategy)))


PUBLISHED = "published"
"""The guide that leaves each strategy the relevance function of its paper."""


def guided(strategy: Strategy, guide: str | None) -> Strategy:
    """The strategy with the guide that was asked for; None and PUBLISHED leave its own.

    Raises RelevanceError for an unknown one.
    """
    if guide not in (None, PUBLISHED):
        strategy.guided_by(relevance(guide).name)
    return strategy


def looks_ahead(strategy: Strategy) -> bool:
    """Whether the strategy reads what stands at a link's target; else looking ahead would only cost fetches."""
    return any(column.startswith("target:") for column in strategy.features)


def _guide(
    name: str, config: RunConfig, vectors: Mapping[str, Vocabulary], classify: PageClassifier | None
) -> Relevance:
    """A relevance function with what it knows besides the crawled pages."""
    if name == "paper_003" and classify is not None:
        return OverTraining(relevance(name), training_statistics(vectors, classify.model.training))
    return semantics.informed(relevance(name), config.similarities)


def strategy_of(config: RunConfig) -> Strategy:
    """The strategy of a run, new. Raises UsageError where its file is not the one that the run began with."""
    cls = strategies.get(config.strategy_file or config.strategy)
    if config.strategy_digest is not None and digest_of(cls) != config.strategy_digest:
        raise UsageError(f"{config.strategy_file} is not what the run began with: restore it, or start a new run")
    return guided(cls(parameters_of(cls, config.parameters)), config.crawl.guide)


def crawl_of(config: RunConfig, world: World, journal: Journal, seen_before: SeenBefore | None = None) -> Crawl:
    """The crawl of a run, ready to begin or to resume."""
    strategy = strategy_of(config)
    vectors = load_vectors(config.vocabularies)
    classify = classifier.of_parameters(strategy.parameters, config.classifier_digest)
    guides = {name: _guide(name, config, vectors, classify) for name in (strategy.guide, *strategy.guides)}
    setup = Setup(
        strategy=strategy,
        vocabularies=vectors,
        guide=guides[strategy.guide],
        guides=guides if strategy.guides else {},
        judge=Judge(relevance(config.relevance), config.sigma, config.strict),
        scope=Scope(),
        seeds=config.seeds,
        seed=config.crawl.seed,
        refresh_every=config.crawl.refresh_every,
        target=config.crawl.target if looks_ahead(strategy) else "predict",
        classify=classify,
    )
    polite = config.politeness and config.world == "live"
    fetcher = Fetcher(
        world,
        Robots(world, user_agent=config.crawl.user_agent),
        Politeness(config.crawl.delay if polite else 0.0),
        user_agent=config.crawl.user_agent,
    )
    limits = Limits(pages=config.limit_pages, seconds=config.limit_time)
    every = config.crawl.snapshot_every
    return Crawl(setup, fetcher, journal, limits, snapshot_every=every, seen_before=seen_before)


@contextmanager
def seen_before(config: RunConfig) -> Iterator[SeenBefore | None]:
    """The pages that look-ahead ``cached`` knows; None for another. Raises UsageError for a run that is gone."""
    if config.crawl.target != "cached":
        yield None
        return
    journals = {name: Path(path) for name, path in config.known_runs.items()}
    for name, path in journals.items():
        if not path.exists():
            raise UsageError(f"run {name}, by whose pages this run judges links, is gone ({path}): put it back")
    with closing(SeenBefore(journals, {name: len(words) for name, words in config.vocabularies.items()})) as seen:
        yield seen


def parameters_of(strategy: type[Strategy], given: Mapping[str, Any]) -> Any:
    """A strategy's parameters with some replaced. Raises UsageError naming them."""
    try:
        return strategy.parameters_from(given)
    except (TypeError, ValueError) as error:
        raise UsageError(f"--param: {error}") from error


def labels_seen(config: RunConfig, world: World) -> Collection[str] | None:
    """The labels of a run: those of its file, else those that a synthetic web brings; None where there are none."""
    if config.labels is None and isinstance(world, SyntheticWorld):
        return frozenset(world.relevant_urls())
    return read_labels(config.labels, world)
