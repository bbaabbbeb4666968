"""What a task of a round does: fetch the links of its hosts, parse the pages, count their words.

``fetch`` is one function of values, links in and records out, which this process, a process of a pool and an executor
of Spark run alike.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import lru_cache

from crawler.fetching.fetch import Fetched, Fetcher, Moved
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.pool import Done, FetchPool
from crawler.fetching.retries import Retry
from crawler.fetching.robots import Robots, Rules
from crawler.model import Failure, World
from crawler.pages.page import Extras, PageRecord, page_record
from crawler.rounds.partitions import Link, Partition
from crawler.scope import Scope
from crawler.text import Matcher

PATIENCE = 0.5
"""Seconds after which a task looks whether it has to end."""


@dataclass(frozen=True)
class Agent:
    """How the tasks of a crawl fetch."""

    user_agent: str
    open_world: Callable[[], World]
    """Opens the world of the crawl in the process of a task; a module's function with its arguments."""
    schedule: HostSchedule
    """Clocks of no host, with the delays of the crawl."""
    delay: float = 0.0
    """Seconds between two requests to a host, as in ``schedule``."""
    retries: Mapping[str, Retry] = field(default_factory=dict)
    workers: int = 0
    """Number of threads that make the requests of a task; 0 for a world in memory."""


@dataclass(frozen=True)
class Counting:
    """What the tasks of a round read of a page, and which redirects they follow."""

    matcher: Matcher
    extras: Extras
    scope: Scope


@dataclass(frozen=True)
class Task:
    """A partition with what is known of its hosts. Seconds count from now, so that clocks of machines may differ."""

    partition: Partition
    pauses: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Host -> pause, as of ``HostSchedule.pauses``."""
    robots: Mapping[str, Rules] = field(default_factory=dict)
    """Origin -> rules, as of ``Robots.kept``."""
    patient: frozenset[str] = frozenset()
    """Hosts whose pause is waited for, however long."""
    seconds: float | None = None
    """Time after which no more request is made; None for no limit."""

    def after(self, delay: float) -> Task:
        """Return the task for another process than the one that began it, which may just have requested a host."""
        first = {name: [delay, 0, 0, 0] for name in self.partition.hosts}
        return replace(self, pauses={**first, **self.pauses})


@dataclass(frozen=True)
class Reply:
    """What a task has fetched. Links that it had no time for are missing."""

    done: tuple[Done[PageRecord], ...]
    moved: tuple[Link, ...]
    """Links whose redirects led to a host of another partition."""
    pauses: Mapping[str, Sequence[float]]
    """Host -> pause after the last request to it, for each host of the partition."""
    robots: Mapping[str, Rules]


def fetch(
    task: Task, agent: Agent, counting: Counting, world: World, is_ended: Callable[[], bool] = lambda: False
) -> Reply:
    """Fetch the links of a partition at the pace of their hosts.

    Args:
        task: the partition.
        agent: how to fetch.
        counting: what to read of the pages.
        world: the open world.
        is_ended: tells whether to make no more request.

    Returns:
        The records of the links, in the order of their choice.
    """
    clock = time.monotonic
    robots = Robots(user_agent=agent.user_agent, clock=getattr(world, "clock", clock))
    robots.keep(task.robots)
    hosts = deepcopy(agent.schedule)
    hosts.restore(task.pauses, clock())
    fetcher = Fetcher(world, robots, user_agent=agent.user_agent, scope=counting.scope, hosts=set(task.partition.hosts))

    def read(url: str, page: Fetched | Failure) -> PageRecord | Moved:
        return page if isinstance(page, Moved) else page_record(url, page, counting.matcher, counting.extras)

    pool = FetchPool(fetcher, read, hosts, workers=agent.workers, retries=agent.retries)
    done, moved = list[Done[PageRecord]](), list[Link]()
    pool.be_patient(task.patient)
    deadline = None if task.seconds is None else clock() + task.seconds
    try:
        for link in task.partition.links:
            pool.submit(link.number, link.url, link.hops)
        while len(pool):
            if not pool.draining and (is_ended() or (deadline is not None and clock() >= deadline)):
                pool.drain()
            one = pool.wait(PATIENCE)
            if one is None and pool.draining and not pool.active:
                break
            if one is None:
                continue
            if isinstance(one.record, Moved):
                moved.append(Link(one.number, one.record.url, one.record.hops))
            else:
                done.append(Done(one.number, one.record, one.retried))
    finally:
        pool.close()
    done.sort(key=lambda one: one.number)  # how they came depends on what is known of robots.txt
    return Reply(tuple(done), tuple(moved), _pauses(hosts, task.partition, robots, clock()), robots.kept())


def _pauses(hosts: HostSchedule, partition: Partition, robots: Robots, now: float) -> dict[str, Sequence[float]]:
    """Return the pause of each host of a partition, at least the delay after the last request to it."""
    delays = {site.partition("//")[2]: rules.crawl_delay for site, rules in robots.kept().items()}
    asked = hosts.pauses(now)
    left = {name: max(0.0, hosts.ready_at(name, delays.get(name, 0.0)) - now) for name in partition.hosts}
    return {name: asked.get(name, [round(seconds, 3), 0, 0, 0]) for name, seconds in left.items()}


def run(agent: bytes, counting: bytes, task: bytes, tries: int, is_ended: Callable[[], bool] = lambda: False) -> bytes:
    """Run ``fetch`` in another process than that of the crawl.

    Args:
        agent: pickled, as the next two.
        counting: what to read of the pages.
        task: the partition.
        tries: number of processes that began the task before this one.
        is_ended: tells whether to make no more request.

    Returns:
        The pickled reply.
    """
    how = _agent(agent)
    given: Task = pickle.loads(task)  # noqa: S301 - it comes from the process of the crawl
    given = given.after(how.delay) if tries else given
    return pickle.dumps(fetch(given, how, _counting(counting), _world(agent), is_ended))


@lru_cache(maxsize=1)
def _agent(agent: bytes) -> Agent:
    found: Agent = pickle.loads(agent)  # noqa: S301 - it comes from the process of the crawl
    return found


@lru_cache(maxsize=1)
def _counting(counting: bytes) -> Counting:
    found: Counting = pickle.loads(counting)  # noqa: S301 - it comes from the process of the crawl
    return found


@lru_cache(maxsize=1)
def _world(agent: bytes) -> World:
    """Return the world of a crawl, which stays open for the next tasks of this process."""
    return _agent(agent).open_world()
