"""Start a crawl: check everything that can be checked, open its world, resolve its seeds and labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, nullcontext

from crawler.model import World
from crawler.seeds import SeedReader, parse_source
from crawler.seeds.decoding import MAX_BYTES
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.runs import crawl_setup, plan, runs, teaching
from ontocrawl.runs.plan import OnNote
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.runs import OnStep, RunResult
from ontocrawl.runs.seeds import Seeds, check_query, choose, reader, refuse_blocked, url_in_world
from ontocrawl.topics.topics import Topic


@contextmanager
def planned(
    space: Workspace, topic: Topic, options: CrawlOptions, seeds: Sequence[str], on_note: OnNote
) -> Iterator[tuple[RunConfig, World]]:
    """Plan a crawl and open its world. All options are checked before the graph is opened.

    Args:
        space: the workspace of the run.
        topic: the topic, whose seeds are used where neither ``seeds`` nor the world has any.
        options: the user's options.
        seeds: seeds as the user wrote them (`ontocrawl.runs.seeds.resolve`); may be empty.
        on_note: called with each message for the user.

    Yields:
        The configuration for `runs.begin`, and the open world.

    Raises:
        UsageError: no seeds, one at an address that a crawl does not connect to, or labels that cannot be read.
        WorldError: the world cannot be opened.
        OntocrawlError: as `plan.plan`.
    """
    draft = plan.without_vectors(space, topic, options, on_note)
    with _opened(space, topic, draft, seeds, on_note) as (config, world):
        for line in getattr(world, "notes", ()):
            on_note(line)
        ready = plan.with_vectors(space, config, plan.topic_vectors(space, topic, config, on_note))
        if options.prior:
            ready = ready.model_copy(update={"prior": plan.prior_of(space, ready, options.prior, on_note)})
        yield ready, world


def start(space: Workspace, topic: Topic, config: RunConfig, seeds: Sequence[str], on_step: OnStep) -> RunResult:
    """Start the crawl of a configuration, and crawl until it stops.

    Args:
        space: the workspace that keeps the run.
        topic: the topic, whose seeds are used where neither ``seeds`` nor the world has any.
        config: a configuration without seeds, as returned by `plan.plan`.
        seeds: seeds as the user wrote them (`ontocrawl.runs.seeds.resolve`); may be empty.
        on_step: called after each fetch.

    Returns:
        The measures of the run.

    Raises:
        UsageError: no seeds, labels that cannot be read, or a run name that is already in use.
    """
    with _opened(space, topic, config, seeds, lambda line: None) as (with_seeds, world):
        return runs.begin(space, with_seeds, world, on_step)


def with_named_seeds(
    space: Workspace, config: RunConfig, world: World, topic: Topic, given: Sequence[str], on_note: OnNote
) -> RunConfig:
    """Add the seeds of a crawl to its configuration as far as they are known without a request to the network.

    Args:
        space: the workspace.
        config: the configuration, as returned by `plan.without_vectors`.
        world: its open world.
        topic: the topic, whose seeds are used where neither ``given`` nor the world has any.
        given: seeds as the user wrote them; may be empty.
        on_note: called with each message for the user, one for each source that the crawl will read.

    Returns:
        The configuration; without the seeds that a sitemap, a feed or a query of the graph will list.

    Raises:
        UsageError, SeedError: as for `seeds.choose` and `seeds.refuse_blocked`.
    """
    candidates = given or (() if getattr(world, "seeds", ()) else topic.file.seeds)
    parsed = [source for text in candidates if (source := parse_source(text)) is not None]
    sources = [source.text for source in parsed]
    for source in parsed:
        if source.kind == "query":
            check_query(source)
        on_note(f"{source.text} is read when the crawl begins")
    refuse_blocked(config, Seeds(()), candidates)
    named = [text for text in candidates if text not in sources]
    if sources and not named:
        return config
    scope, user_agent = crawl_setup.scope_of_seeds(config.crawl), config.crawl.user_agent
    unused = reader(world, scope, user_agent=user_agent, delay=0.0, space=space)
    chosen = choose(named, topic, world, unused, on_note)
    refuse_blocked(config, chosen)
    return config.model_copy(update={"seeds": chosen.urls})


@contextmanager
def _opened(
    space: Workspace, topic: Topic, config: RunConfig, seeds: Sequence[str], on_note: OnNote
) -> Iterator[tuple[RunConfig, World]]:
    """Open the world of a configuration, check the labels, and add seeds and examples to the configuration."""
    if config.like or config.unlike:
        teaching.require_teachable(crawl_setup.strategy_of(config))
    with closing(crawl_setup.world_of(config)) as world:
        crawl_setup.read_labels(config.labels, world)
        like, unlike = teaching.examples(config.like, config.unlike, lambda item: url_in_world(item, world))
        refuse_blocked(config, Seeds(()), seeds or topic.file.seeds)
        with _sources(space, config, world, on_note) as sources:
            chosen = choose(seeds, topic, world, sources, on_note, otherwise=like)
        refuse_blocked(config, chosen)
        ready = config.model_copy(update={"seeds": chosen.urls, "like": like, "unlike": unlike})
        teaching.require_in_scope(ready)
        yield ready, world


@contextmanager
def _sources(space: Workspace, config: RunConfig, world: World, on_note: OnNote) -> Iterator[SeedReader]:
    """Open the reader of seeds. On the live web it has a client of its own: a sitemap is larger than a page may be."""
    live = config.world == "live"
    larger = config.crawl.model_copy(update={"max_bytes": max(config.crawl.max_bytes, MAX_BYTES)})
    own = closing(crawl_setup.world_of(config.model_copy(update={"crawl": larger}))) if live else nullcontext(world)
    with own as source:
        delay = config.crawl.delay if live and config.politeness else 0.0
        scope = crawl_setup.scope_of_seeds(config.crawl)
        yield reader(source, scope, user_agent=config.crawl.user_agent, delay=delay, space=space, on_note=on_note)
