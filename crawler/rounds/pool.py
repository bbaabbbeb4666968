"""The pool of fetches of a crawl in rounds: what is submitted is shared out by host to tasks that run elsewhere."""

from __future__ import annotations

import math
import queue
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from crawler.fetching.fetch import Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.pool import Done, FetchPool, OpenJob
from crawler.fetching.robots import Rules
from crawler.pages.page import PageRecord
from crawler.rounds.partitions import Link, Partition, by_host
from crawler.rounds.runners import InProcess, Runner
from crawler.rounds.task import Counting, Reply, Task
from crawler.url import origin

PARTITIONS_PER_PLACE = 2
"""Partitions of a round for each place: a task that ends early leaves its place to another one."""


def _no_counting() -> Counting:
    raise RuntimeError("a pool of rounds reads pages by the setup of its crawl, which was not set")


class RoundPool(FetchPool[PageRecord]):
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
        n = self._runner.places * PARTITIONS_PER_PLACE
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
            n = self._runner.places * PARTITIONS_PER_PLACE
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
