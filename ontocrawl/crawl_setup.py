"""Putting the parts together: world, seeds, labels, and a crawl from a resolved run configuration."""

from __future__ import annotations

import inspect
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from crawler import strategies
from crawler import url as urls
from crawler.crawl import Crawl, Limits
from crawler.fetching.fetch import Fetcher
from crawler.fetching.politeness import Politeness
from crawler.fetching.robots import Robots
from crawler.fetching.scope import Scope
from crawler.journal import Journal
from crawler.journal.earlier_runs import EarlierPages
from crawler.model import World
from crawler.pages.page_classifier import PageClassifier, training_statistics
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.relevance import OverTraining, Relevance, relevance
from crawler.scoring.ssvsm import SemanticCosine
from crawler.state import Judge, Setup
from crawler.strategies.base import Strategy
from crawler.worlds import CorpusWorld, SyntheticWorld, WorldError, open_world
from crawler.worlds.addresses import parse_resolve
from ontocrawl import classifier
from ontocrawl.errors import UsageError, nearest
from ontocrawl.run_config import RunConfig
from ontology import files

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
    return any(FeatureKey.parse(column).kind == "target" for column in strategy.features)


def guide_of(name: str, config: RunConfig, classify: PageClassifier | None) -> Relevance:
    """A relevance function with what it knows besides the crawled pages."""
    if name == "paper_003" and classify is not None:
        return OverTraining(relevance(name), training_statistics(config.vocabularies, classify.model.training))
    guide = relevance(name)
    if isinstance(guide, SemanticCosine):
        return guide.knowing({vector: np.asarray(rows) for vector, rows in config.similarities.items()})
    return guide


def strategy_of(config: RunConfig) -> Strategy:
    """The strategy of a run, new. Raises UsageError where its file is not the one that the run began with."""
    cls = strategies.get(config.strategy_file or config.strategy)
    if config.strategy_digest is not None and digest_of(cls) != config.strategy_digest:
        raise UsageError(f"{config.strategy_file} is not what the run began with: restore it, or start a new run")
    return guided(cls(parameters_of(cls, config.parameters)), config.crawl.guide)


def crawl_of(config: RunConfig, world: World, journal: Journal, seen_before: EarlierPages | None = None) -> Crawl:
    """The crawl of a run, ready to begin or to resume."""
    strategy = strategy_of(config)
    classify = classifier.of_parameters(strategy.parameters, config.classifier_digest)
    guides = {name: guide_of(name, config, classify) for name in (strategy.guide, *strategy.guides)}
    setup = Setup(
        strategy=strategy,
        vocabularies=config.vocabularies,
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
def seen_before(config: RunConfig) -> Iterator[EarlierPages | None]:
    """The pages that look-ahead ``cached`` knows; None for another. Raises UsageError for a run that is gone."""
    if config.crawl.target != "cached":
        yield None
        return
    journals = {name: Path(path) for name, path in config.known_runs.items()}
    for name, path in journals.items():
        if not path.exists():
            raise UsageError(f"run {name}, by whose pages this run judges links, is gone ({path}): put it back")
    with closing(EarlierPages(journals, {name: len(words) for name, words in config.vocabularies.items()})) as seen:
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
