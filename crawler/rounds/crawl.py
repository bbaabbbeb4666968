"""A crawl in rounds: choose the best links within a budget by host, fetch them by host in tasks, absorb the pages.

The frontier, the scores and the journal stay in one process, as in any other crawl; what tasks do is to fetch, parse
and count, which is nearly all of the work. A partition is absorbed and journalled when its task has ended; so a crawl
that is killed fetches only the other partitions of its round again.
"""

from __future__ import annotations

import math
import queue
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, SetupError
from crawler.fetching.fetch import Fetched, Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.pool import Done, FetchPool, OpenJob
from crawler.fetching.robots import Rules
from crawler.model import Failure, Pick
from crawler.pages.page import PageRecord
from crawler.rounds.runners import InProcess, Runner
from crawler.rounds.task import Counting, Link, Partition, Reply, Task, by_host
from crawler.step import Step
from crawler.strategies.base import Strategy
from crawler.strategies.numbered_picks import TopOfQueue
from crawler.url import origin

# ---- the pool of fetches of a crawl in rounds: what is submitted is shared out by host to tasks that run elsewhere


_PARTITIONS_PER_PLACE = 2
"""Partitions of a round for each place: a task that ends early leaves its place to another one."""


def _no_counting() -> Counting:
    raise RuntimeError("a pool of rounds reads pages by the setup of its crawl, which was not set")


class _RoundPool(FetchPool[PageRecord]):
    """Open fetches of a crawl in rounds. All methods but ``wake`` are for one thread only.

    Its clocks of hosts hold what the tasks report, and are handed to the next task that requests a host.
    """

    def __init__(self, fetcher: Fetcher, schedule: HostSchedule, runner: Runner) -> None:
        """Create a pool without jobs.

        Args:
            fetcher: the fetcher of the process of the crawl, which makes no request.
            schedule: the clocks of the hosts.
            runner: runs the tasks; the pool closes it.
        """
        super().__init__(fetcher, _unread, schedule)
        self.counting: Callable[[], Counting] = _no_counting
        """Called once for each round: what its tasks read of a page. The crawl sets it."""
        self.seconds_left: Callable[[], float] = lambda: math.inf
        """Called for each task: the time that it may take. The crawl sets it."""
        self._runner = runner
        self._submitted: dict[int, Link] = {}
        """Number -> link of the next round, which ``begin`` shares out."""
        self._round = ""
        self._wave = 0
        self._partitions = deque[tuple[Partition, Counting]]()
        self._running: dict[str, tuple[Partition, float]] = {}
        """Name -> partition that a task fetches, and when it began."""
        self._moved = list[Link]()
        self._left: dict[int, tuple[Link, float]] = {}
        """Number -> link without a record so far, and when it was submitted."""
        self._robots: dict[str, Rules] = {}
        """Origin -> rules, with the time of ``clock`` until which they hold."""
        self._replies_of_tasks: queue.SimpleQueue[tuple[Partition, Reply | BaseException] | None] = queue.SimpleQueue()

    def __len__(self) -> int:
        """Number of open jobs."""
        return len(self._left) + len(self._done)

    # ---- a round ------------------------------------------------------------------------------------------------

    def submit(self, number: int, url: str, hops: tuple[str, ...] = ()) -> None:
        """Open a job of the next round; arguments as of FetchPool."""
        self._submitted[number] = Link(number, url, hops)
        self._left[number] = self._submitted[number], self._clock()

    @property
    def submitted(self) -> tuple[int, ...]:
        """Numbers of the jobs of the next round, in order."""
        return tuple(self._submitted)

    def shares(self, label: str) -> dict[str, list[int]]:
        """Share out the jobs of the next round: name of each partition -> numbers of its jobs."""
        n = self._runner.places * _PARTITIONS_PER_PLACE
        return {part.name: [link.number for link in part.links] for part in by_host(self._submitted.values(), n, label)}

    def begin(self, label: str, shares: Mapping[str, Sequence[int]]) -> tuple[Partition, ...]:
        """Begin a round: let the tasks of its partitions start, as far as there are places.

        Args:
            label: number of the round.
            shares: what ``shares`` returned, now or in the process that began the round. Jobs that are not submitted
                are left out.

        Returns:
            The partitions with jobs.
        """
        links = self._submitted
        parts = (Partition(name, tuple(links[i] for i in numbers if i in links)) for name, numbers in shares.items())
        partitions = tuple(part for part in parts if part.links)
        self._round, self._wave, self._submitted = label, 0, {}
        self._enqueue(partitions)
        return partitions

    def _enqueue(self, partitions: Sequence[Partition]) -> None:
        counting = self.counting()
        self._partitions.extend((partition, counting) for partition in partitions)

    def wait(self, timeout: float | None = None) -> Done[PageRecord] | None:
        """Return a finished job, as ``FetchPool.wait``; the jobs of a partition finish together.

        Raises:
            RoundError: a partition could not be fetched.
        """
        until = math.inf if timeout is None else self._clock() + timeout
        while not self._done:
            wanted = self.on_time(self._clock())
            self._start()
            if not self._running and self._replies_of_tasks.empty():
                return None
            pause = min(until, wanted) - self._clock()
            try:
                item = self._replies_of_tasks.get(timeout=None if pause == math.inf else max(0.0, pause))
            except queue.Empty:
                if self._clock() >= until:
                    return None
                continue
            if item is None:
                return None
            self._take(*item)
        return self._done.popleft()

    def _start(self) -> None:
        while self._partitions and not self.draining and len(self._running) < self._runner.places:
            partition, counting = self._partitions.popleft()
            self._running[partition.name] = partition, self._clock()
            self.active += len(partition.links)
            self._runner.start(self._task(partition), counting, self._report_of(partition))

    def _report_of(self, partition: Partition) -> Callable[[Reply | BaseException], None]:
        return lambda reply: self._replies_of_tasks.put((partition, reply))

    def _task(self, partition: Partition) -> Task:
        now, names = self._clock(), set(partition.hosts)
        pauses = {name: pause for name, pause in self._hosts.pauses(now).items() if name in names}
        sites = {origin(link.url) for link in partition.links}
        robots = {site: rules for site in sites if (rules := self._robots.get(site)) is not None and rules.until > now}
        seconds, patient = self.seconds_left(), frozenset(self._patient & names)
        left = None if seconds == math.inf else max(0.0, seconds)
        return Task(partition, pauses, _shifted(robots, -now), patient, left)

    def _take(self, partition: Partition, reply: Reply | BaseException) -> None:
        """Take the reply of a task; raise its error."""
        del self._running[partition.name]
        self.active -= len(partition.links)
        if isinstance(reply, BaseException):
            raise reply
        now = self._clock()
        self._hosts.restore(reply.pauses, now)
        self._patient.difference_update(partition.hosts)
        self._robots |= _shifted(reply.robots, now)
        for one in reply.done:
            if self._left.pop(one.number, None) is not None:
                self._done.append(one)
        self._moved += reply.moved
        if self._moved and not self._running and not self._partitions:
            self._wave += 1
            n = self._runner.places * _PARTITIONS_PER_PLACE
            self._enqueue(by_host(self._moved, n, self._round, self._wave))
            self._moved = []

    # ---- the rest of a pool -------------------------------------------------------------------------------------

    def held(self) -> int:
        """Return 0: no place is given away in a round."""
        return 0

    def open_jobs(self) -> list[OpenJob]:
        """Return what each open job does now, longest open first."""
        running = {link.number for partition, _ in self._running.values() for link in partition.links}
        return [
            OpenJob(link.url, since, None if number in running else "turn", math.inf)
            for number, (link, since) in self._left.items()
        ]

    def drain(self) -> None:
        """Begin no further task, and let those that run end soon."""
        super().drain()
        self._runner.drain()

    def wake(self) -> None:
        """Let a ``wait`` that has nothing to return end at once. May be called from a signal handler or a thread."""
        self._replies_of_tasks.put(None)

    def hurry(self) -> None:
        """Let a task that runs in this thread end soon. May be called from a signal handler."""
        if isinstance(self._runner, InProcess):
            self._runner.drain()

    def close(self) -> None:
        """Discard open jobs and end the tasks."""
        super().close()
        self._partitions.clear()
        self._runner.close()


def _unread(url: str, page: object) -> PageRecord:
    raise RuntimeError(f"{url} was to be read in the process of a crawl in rounds")


def _shifted(rules: Mapping[str, Rules], seconds: float) -> dict[str, Rules]:
    return {site: replace(one, until=one.until + seconds) for site, one in rules.items()}


# ---- A crawl in rounds: choose the best links within a budget by host, fetch them by host in tasks, absorb the pages


ROUND = "round"
"""Kind of the event that holds the number of a round and its partitions: name -> numbers of the picks."""


@dataclass(frozen=True, kw_only=True)
class RoundsFetching(Fetching):
    """How a crawl in rounds fetches. ``in_flight`` is the number of links that a round chooses."""

    runner: Runner
    """Runs the tasks of a round."""

    def pool(self, read: Callable[[str, Fetched | Failure], PageRecord]) -> FetchPool[PageRecord]:
        """Return a new pool that shares out a round to tasks, which read the pages themselves."""
        return _RoundPool(self.fetcher, self.schedule or HostSchedule(0.0), self.runner)


def is_eligible(strategy: type[Strategy]) -> bool:
    """Return whether a strategy can crawl in rounds: it chooses the links of the highest priority, however many."""
    return issubclass(strategy, TopOfQueue) and strategy.choose is TopOfQueue.choose


def require_eligible(strategy: type[Strategy], names: Sequence[str]) -> None:
    """Refuse a strategy that cannot crawl in rounds.

    Args:
        strategy: the class of the strategy.
        names: names of strategies that can.

    Raises:
        SetupError: its choice is another than the links of the highest priority.
    """
    if not is_eligible(strategy):
        raise SetupError("rounds.strategy_cannot_crawl_rounds", strategy=strategy.name, names=", ".join(names))


class RoundsCrawl(Crawl):
    """A crawl whose links are chosen and fetched in rounds."""

    pool: _RoundPool

    def __init__(self, setup: Any, fetching: RoundsFetching, *args: Any, **options: Any) -> None:
        """Prepare a crawl; arguments as of ``Crawl``. Raises SetupError for a strategy that cannot crawl in rounds."""
        super().__init__(setup, fetching, *args, **options)
        self.reproducible = fetching.reproducible
        self.round = 0
        """Number of the last round."""
        self._shares: dict[str, list[int]] | None = None
        """Its partitions: name -> numbers of their picks; None before the first round of this process."""
        self.unfinished: tuple[Partition, ...] = ()
        """Partitions of an interrupted round that ``steps`` fetches again."""
        self.on_round: Callable[[RoundsCrawl], None] = lambda crawl: None
        """Called when a round has ended, with all its pages absorbed and journalled."""
        self.on_unfinished: Callable[[RoundsCrawl], None] = lambda crawl: None
        """Called when the partitions of an interrupted round are about to be fetched again."""
        self.pool.counting = lambda: Counting(self.state.matcher, self.state.extras, self.state.setup.scope.as_now())
        self.pool.seconds_left = self._seconds_left

    def stop(self) -> None:
        """End the crawl soon, as ``Crawl.stop``; a task in this process ends without its other links."""
        super().stop()
        self.pool.hurry()

    def _room(self) -> int:
        return 0 if self.scheduler.in_flight else super()._room()

    def _wait(self) -> tuple[Pick, Done[PageRecord]] | None:
        if numbers := self.pool.submitted:
            self._begin_round(numbers)
        return super()._wait()

    def _begin_round(self, numbers: Sequence[int]) -> None:
        """Begin a round of new picks, or go on with the one in which the run was interrupted."""
        if self._shares is None:
            self._shares = {}
            for event in self.journal.events_of(ROUND):
                self.round, self._shares = event.data["round"], event.data["partitions"]
            if {number for share in self._shares.values() for number in share}.issuperset(numbers):
                self.unfinished = self.pool.begin(str(self.round), self._shares)
                self.on_unfinished(self)
                return
        self.round += 1
        self._shares = self.pool.shares(str(self.round))
        self._seq += 1
        self.journal.event(self._seq, ROUND, {"round": self.round, "partitions": self._shares})
        self.pool.begin(str(self.round), self._shares)

    def _absorb(self, pick: Pick, page: Done[PageRecord]) -> Step:
        step = super()._absorb(pick, page)
        if not self.scheduler.in_flight:
            self.on_round(self)
        return step
