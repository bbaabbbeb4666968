"""Assemble a crawl from its configuration: world, labels, strategy, relevance functions."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from crawler import strategies
from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Judge, Limits, Setup
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule, NoSchedule
from crawler.fetching.retries import NO_RETRIES, RETRIES, RETRIES_AT_ONCE
from crawler.fetching.robots import Robots
from crawler.fetching.robots_file import product_token
from crawler.journal import Journal
from crawler.journal.earlier_runs import EarlierPages
from crawler.model import Failure, World
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.pages.page_classifier import PageClassifier, training_statistics
from crawler.scoring.feature_key import FeatureKey
from crawler.scoring.relevance import OverTraining, Relevance, relevance
from crawler.scoring.ssvsm import SemanticCosine
from crawler.strategies.base import Strategy
from crawler.teaching import VerdictSource
from crawler.text import Matcher
from crawler.weights import Offers, Weights
from crawler.worlds import SyntheticWorld, WorldError, open_world
from crawler.worlds.addresses import parse_resolve
from ontocrawl import classifier, crawl_scope, label_sets
from ontocrawl.config import CrawlSettings
from ontocrawl.errors import Option, UsageError
from ontocrawl.run_config import RunConfig
from ontocrawl.seeds import url_of
from ontology import files

# ---- worlds, labels ---------------------------------------------------------------------------------------------


def resolve_table(path: Path | None) -> dict[str, str]:
    """Read a file of HOST:PORT=ADDRESS:PORT lines, as for curl --resolve. Raises UsageError with file and line."""
    if path is None:
        return {}
    try:
        return parse_resolve(label_sets.text_of(path).splitlines())
    except WorldError as error:
        raise UsageError(Option(f"--resolve {path}"), ": ", error) from error


def read_labels(spec: str | None, world: World) -> frozenset[str] | None:
    """Read the labelled pages of a crawl, which only the metrics use.

    Args:
        spec: ``FILE#SET``, as of `label_sets.pages`; None for no labels.
        world: the world of the crawl.

    Returns:
        The URLs of the relevant pages; None for no labels.

    Raises:
        UsageError: the file cannot be read, has another form, or has no such set.
    """
    if spec is None:
        return None
    return frozenset(url_of(item, world) for item in label_sets.pages(spec))


# ---- the crawl --------------------------------------------------------------------------------------------------


def world_of(config: RunConfig) -> World:
    """Open the world of a run."""
    return opener_of(config)()


def opener_of(config: RunConfig) -> Callable[[], World]:
    """Return the function that opens the world of a run, which can be sent to another process."""
    return partial(
        open_world,
        config.world,
        timeout=config.crawl.timeout,
        max_bytes=config.crawl.max_bytes,
        resolve=config.resolve,
        allow_loopback=config.allow_loopback,
        user_agent=config.crawl.user_agent,
        ca_file=config.crawl.ca_file,
    )


def digest_of(strategy: type[Strategy]) -> str:
    """Return the digest of a strategy's file, by which a resumed run checks that it has not changed."""
    return files.digest(Path(inspect.getfile(strategy)))


IN_FLIGHT = 8
"""Default number of pages in flight on the live web."""
PUBLISHED = "published"
"""The guide that means the relevance function of each strategy's paper."""


def guided(strategy: Strategy, guide: str | None) -> Strategy:
    """Set the relevance function of a strategy.

    Args:
        strategy: the strategy; it is changed in place.
        guide: name of the function; None and PUBLISHED keep the one of the strategy's paper.

    Returns:
        The strategy.

    Raises:
        RelevanceError: an unknown function.
    """
    if guide not in (None, PUBLISHED):
        strategy.guided_by(relevance(guide).name)
    return strategy


def looks_ahead(strategy: Strategy) -> bool:
    """Return whether the strategy uses features of a link's target; others gain nothing from look-ahead."""
    return any(FeatureKey.parse(column).kind == "target" for column in strategy.features)


def guide_of(name: str, config: RunConfig, classify: PageClassifier | None) -> Relevance:
    """Make a relevance function, with the data that it needs besides the crawled pages.

    Args:
        name: name of the function.
        config: configuration of the run, with vocabularies and similarities.
        classify: the classifier of the run, if any, whose training set gives the statistics of paper 003.

    Returns:
        The relevance function.
    """
    if name == "paper_003" and classify is not None:
        return OverTraining(relevance(name), training_statistics(config.vocabularies, classify.model.training))
    guide = relevance(name)
    if isinstance(guide, SemanticCosine):
        return guide.knowing({vector: np.asarray(rows) for vector, rows in config.similarities.items()})
    return guide


def strategy_of(config: RunConfig) -> Strategy:
    """Make the strategy of a run. Raises UsageError if its file has changed since the run began."""
    cls = strategies.get(config.strategy_file or config.strategy)
    if config.strategy_digest is not None and digest_of(cls) != config.strategy_digest:
        raise UsageError(f"{config.strategy_file} is not what the run began with: restore it, or start a new run")
    return guided(cls(parameters_of(cls, config.parameters)), config.crawl.guide)


def setup_of(config: RunConfig) -> Setup:
    """Make the setup of a run. Raises UsageError if the file of its strategy or classifier has changed."""
    strategy = strategy_of(config)
    classify = classifier.of_parameters(strategy.parameters, config.classifier_digest)

    def guides_under(weights: Weights) -> dict[str, Relevance]:
        under = config.under(weights)
        return {name: guide_of(name, under, classify) for name in (strategy.guide, *strategy.guides)}

    guides = {name: guide_of(name, config, classify) for name in (strategy.guide, *strategy.guides)}
    return Setup(
        strategy=strategy,
        vocabularies=config.vocabularies,
        guide=guides[strategy.guide],
        guides=guides if strategy.guides else {},
        judge=Judge(relevance(config.relevance), config.sigma, config.strict),
        scope=crawl_scope.scope_of_run(config),
        seeds=config.seeds,
        seed=config.crawl.seed,
        refresh_every=config.crawl.refresh_every,
        short_queue=config.crawl.short_queue,
        per_host=0 if config.rounds is None else config.rounds.per_host,
        target=config.crawl.target if looks_ahead(strategy) else "predict",
        classify=classify,
        robot=None if config.crawl.ignore_robots_directives else product_token(config.crawl.user_agent),
        guides_under=guides_under,
    )


def crawl_of(
    config: RunConfig,
    world: World,
    journal: Journal,
    earlier_pages: EarlierPages | None = None,
    kind: type[Crawl] = Crawl,
    offers: Offers | None = None,
    verdicts: VerdictSource | None = None,
    page: Callable[[str, Fetched | Failure, Matcher, Extras], PageRecord] = page_record,
) -> Crawl:
    """Make the crawl of a run, ready to begin or to resume.

    Args:
        config: the configuration of the run.
        world: its open world.
        journal: its open journal.
        earlier_pages: pages fetched by earlier runs, for look-ahead ``cached``.
        kind: class of the crawl.
        offers: source of new weights while it goes on.
        verdicts: source of persons' verdicts about pages.
        page: makes the record of a page, as of ``Fetching``.

    Returns:
        The crawl.
    """
    setup = setup_of(config)
    live, archived = config.world == "live", config.world.startswith("archive:")
    in_flight = places(config.crawl, config.world)
    pace = HostSchedule(config.crawl.delay if live and config.politeness else 0.0)
    fetching = Fetching(
        Fetcher(
            world,
            Robots(user_agent=config.crawl.user_agent, clock=getattr(world, "clock", time.monotonic)),
            user_agent=config.crawl.user_agent,
            scope=setup.scope,
            on_given_up=getattr(world, "record", lambda failure: None),
        ),
        in_flight=in_flight,
        reproducible=config.crawl.reproducible,
        workers=in_flight if live else 0,
        parsers=config.crawl.parsers if live else 0,
        schedule=NoSchedule() if archived else pace,
        retries=RETRIES if live else RETRIES_AT_ONCE if archived else NO_RETRIES,
        page=page,
    )
    limits = Limits(
        config.limit_pages, config.limit_time, config.limit_relevant, config.limit_generations, config.limit_gain
    )
    if config.rounds is not None and kind is Crawl:
        from ontocrawl import crawl_rounds

        fetching = crawl_rounds.fetching_of(config, config.rounds, fetching, opener_of(config))
        kind = crawl_rounds.Rounds
    return kind(
        setup, fetching, journal, limits, snapshot_every=config.crawl.snapshot_every, earlier_pages=earlier_pages,
        offers=offers, verdicts=verdicts,
    )  # fmt: skip


def places(settings: CrawlSettings, world: str) -> int:
    """Return the maximum number of pages in flight; without a setting 8, or 1 where nothing is waited for."""
    if settings.in_flight is not None:
        return settings.in_flight
    return IN_FLIGHT if world == "live" or settings.reproducible else 1


@contextmanager
def earlier_pages(config: RunConfig) -> Iterator[EarlierPages | None]:
    """Open the pages of earlier runs for look-ahead ``cached``, else None. Raises UsageError for a missing run."""
    if config.crawl.target != "cached":
        yield None
        return
    journals = {name: Path(path) for name, path in config.known_runs.items()}
    for name, path in journals.items():
        if not path.exists():
            raise UsageError(f"run {name}, by whose pages this run judges links, is missing ({path}): put it back")
    with closing(EarlierPages(journals, {name: len(words) for name, words in config.vocabularies.items()})) as seen:
        yield seen


def parameters_of(strategy: type[Strategy], given: Mapping[str, Any]) -> Any:
    """Make the parameters of a strategy.

    Args:
        strategy: the class of the strategy.
        given: values by name; all others have their defaults.

    Returns:
        An instance of the strategy's ``Parameters``.

    Raises:
        UsageError: an unknown parameter, or an invalid value.
    """
    try:
        return strategy.parameters_from(given)
    except (TypeError, ValueError) as error:
        raise UsageError(Option("--param", "parameters"), ": ", error) from error


def labels_seen(config: RunConfig, world: World) -> Collection[str] | None:
    """Return the labels of a run, from its file or from a synthetic web; None for no labels."""
    if config.labels is None and isinstance(world, SyntheticWorld):
        return frozenset(world.relevant_urls())
    return read_labels(config.labels, world)
