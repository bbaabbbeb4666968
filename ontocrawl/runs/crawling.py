"""Start a crawl: check everything that can be checked, open its world, resolve its seeds and labels.

And visit the pages of a run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from typing import Any, cast
from urllib.parse import unquote

from crawler.journal import Journal
from crawler.journal.visits import RUNNING, Visit, summary
from crawler.kernels.refresh import POLICIES
from crawler.model import World
from crawler.revisits import Revisits
from crawler.seeds import SeedReader, parse_source
from crawler.seeds.decoding import MAX_BYTES
from crawler.worlds import CorpusWorld
from ontocrawl.base.options import CrawlOptions
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.errors import Option, UsageError
from ontocrawl.runs import crawl_setup, plan, runs, teaching
from ontocrawl.runs.plan import OnNote
from ontocrawl.runs.run_config import RunConfig
from ontocrawl.runs.runs import Around, OnStep, RunResult
from ontocrawl.runs.seeds import Seeds, check_query, choose, reader, refuse_blocked, url_in_world
from ontocrawl.topics.topics import Topic
from ontology.errors import Message


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
            check_query(space, source)
        on_note(Message("seeds.read_later", source=source.text))
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
        _note_labels(config, world, on_note)
        like, unlike = teaching.examples(config.like, config.unlike, lambda item: url_in_world(item, world))
        refuse_blocked(config, Seeds(()), seeds or topic.file.seeds)
        with _sources(space, config, world, on_note) as sources:
            chosen = choose(seeds, topic, world, sources, on_note, otherwise=like)
        refuse_blocked(config, chosen)
        ready = config.model_copy(update={"seeds": chosen.urls, "like": like, "unlike": unlike})
        teaching.require_in_scope(ready)
        yield ready, world


def _note_labels(config: RunConfig, world: World, on_note: OnNote) -> None:
    """Read the labels of a configuration, and tell of those that are of no page of its corpus."""
    labels = crawl_setup.read_labels(config.labels, world) or ()
    absent = [unquote(url) for url in sorted(labels) if url not in world] if isinstance(world, CorpusWorld) else []
    if absent:
        named = ", ".join(absent[:3]) + (", .." if absent[3:] else "")
        option = Option(f"--labels {config.labels}")
        on_note(Message("runs.labels_absent", option=option, absent=len(absent), labelled=len(labels), named=named))


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


# ---- the pages of a run, visited again


OnVisit = Callable[[Visit], None]
OnRevisit = Callable[[Mapping[str, Any]], None]
"""Callback called with the summary of each revisit (`crawler.journal.visits.summary`)."""
LOOK = 0.5
"""Seconds between two looks whether a process that waits for the next revisit is to stop."""


def again(
    space: Workspace,
    name: str,
    *,
    policy: str = "optimal",
    limit: int = 0,
    every: float | None = None,
    changed: Mapping[str, Any] | None = None,
    around: Around = nullcontext,
    on_visit: OnVisit = lambda visit: None,
    on_revisit: OnRevisit = lambda found: None,
) -> Mapping[str, Any]:
    """Visit the pages of a run again, once or until it is stopped; an interrupted revisit goes on.

    Args:
        space: the workspace that keeps the run.
        name: name of the run.
        policy: which pages come first, one of `crawler.kernels.refresh.POLICIES`.
        limit: maximum number of visits of a revisit; 0 for all pages.
        every: seconds from the start of a revisit to that of the next one; None for a single one.
        changed: fields of the configuration with other values for this time, such as where to connect.
        around: the context in which the visits are made, for example one that stops them at a signal.
        on_visit: called after each visit.
        on_revisit: called after each revisit that has ended.

    Returns:
        The summary of the last revisit.

    Raises:
        UsageError: there is no such run or policy.
        CommandError: another process is crawling it.
        JournalError: the journal cannot be read or written, or does not fit this version.
    """
    if policy not in POLICIES:
        raise UsageError("runs.no_policy", policy=policy, policies=", ".join(POLICIES))
    folder = space.existing_run(name)
    with runs.locked(folder), closing(Journal(folder / JOURNAL)) as journal:
        config = runs.read_config(journal, changed or {})
        with closing(crawl_setup.world_of(config)) as world, crawl_setup.earlier_pages(config) as seen:
            crawl = cast("Revisits", crawl_setup.crawl_of(config, world, journal, seen, kind=Revisits))
            with around(crawl), closing(crawl):
                crawl.restore()
                journal.set(RUNNING, value=True)
                try:
                    return _revisits(crawl, lambda: crawl.revisit(policy, limit), every, on_visit, on_revisit)
                finally:
                    journal.set(RUNNING, None)


def _revisits(
    crawl: Revisits,
    revisit: Callable[[], Iterator[Visit]],
    every: float | None,
    on_visit: OnVisit,
    on_revisit: OnRevisit,
) -> Mapping[str, Any]:
    """Make one revisit, or one after the other until the crawl is stopped; return the summary of the last one."""
    while True:
        begun = time.monotonic()
        for visit in revisit():
            on_visit(visit)
        found = summary(crawl.journal) or {}
        if found["state"] == "finished":
            on_revisit(found)
        while every is not None and not crawl.is_stopping and time.monotonic() < begun + every:
            time.sleep(min(LOOK, every))
        if every is None or crawl.is_stopping:
            return found
