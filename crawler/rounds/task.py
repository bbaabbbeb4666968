"""What a task of a round does: fetch the links of its hosts, parse the pages, count their words.

``fetch`` is one function of values, links in and records out, which this process, a process of a pool and an executor
of Spark run alike.
"""

from __future__ import annotations

import heapq
import pickle
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
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
from crawler.pages.parser_processes import DocumentReaders
from crawler.scope import Scope
from crawler.text import Matcher
from crawler.url import host

# ---- the links of a round by host: each host in one partition only, so that politeness and robots.txt hold in each
# task
#
# Source: Apache Nutch's generator, which partitions a fetch list by host (R. Khare, D. Cutting, K. Sitaker, A. Rifkin,
# Nutch: A flexible and scalable open-source web search engine, CommerceNet Labs TR 04-04, 2004).


@dataclass(frozen=True, slots=True)
class Link:
    """A link to fetch in a round."""

    number: int
    """Number of its pick in the crawl."""
    url: str
    hops: tuple[str, ...] = ()
    """The URLs that redirected here from a host of another partition."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Links that one task fetches."""

    name: str
    """``ROUND.PART``, and ``ROUND.PART+WAVE`` for redirects that led to other hosts."""
    links: tuple[Link, ...]

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts of the links, each once, in order of their first link."""
        return tuple(dict.fromkeys(host(link.url) for link in self.links))

    def __str__(self) -> str:
        shown = ", ".join(self.hosts[:3]) + (" .." if len(self.hosts) > 3 else "")
        return f"{self.name} ({len(self.links)} links of {len(self.hosts)} hosts: {shown})"


def by_host(links: Iterable[Link], n: int, label: str, wave: int = 0) -> tuple[Partition, ...]:
    """Share out links to at most ``n`` partitions of about the same size.

    The host with the most links goes first, each to the partition with the fewest links so far.

    Args:
        links: the links, best first.
        n: number of partitions, at least 1.
        label: number of the round, for the names.
        wave: 0 for the chosen links, 1 .. for those that redirects led to.

    Returns:
        The partitions that have links, whose links keep their order.

    >>> urls = "http://a.cn/1", "http://a.cn/2", "http://b.cn/1", "http://c.cn/1"
    >>> [str(part) for part in by_host((Link(i, url) for i, url in enumerate(urls)), 2, "3")]
    ['3.1 (2 links of 1 hosts: a.cn)', '3.2 (2 links of 2 hosts: b.cn, c.cn)']
    """
    of_host: dict[str, list[Link]] = {}
    for link in links:
        of_host.setdefault(host(link.url), []).append(link)
    parts: list[list[Link]] = [[] for _ in range(min(n, len(of_host)))]
    smallest = [(0, row) for row in range(len(parts))]
    for group in sorted(of_host.values(), key=len, reverse=True):
        size, row = heapq.heappop(smallest)
        parts[row] += group
        heapq.heappush(smallest, (size + len(group), row))
    suffix = f"+{wave}" if wave else ""
    ordered = (tuple(sorted(part, key=lambda link: link.number)) for part in parts)
    return tuple(Partition(f"{label}.{row}{suffix}", part) for row, part in enumerate(ordered, start=1))


# ---- what a task of a round does: fetch the links of its hosts, parse the pages, count their words


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
    fetcher = Fetcher(
        world, robots, user_agent=agent.user_agent, scope=counting.scope, hosts=set(task.partition.hosts),
        cookies=getattr(world, "cookies", None) is not None,
    )  # fmt: skip

    documents = DocumentReaders()

    def read(url: str, page: Fetched | Failure) -> PageRecord | Moved:
        if isinstance(page, Moved):
            return page
        page = documents.as_text(page) if counting.extras.documents else page
        return page_record(url, page, counting.matcher, counting.extras)

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
        documents.close()
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
