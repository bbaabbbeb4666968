"""A crawl in rounds: choose the best links within a budget by host, fetch them by host in tasks, absorb the pages.

The frontier, the scores and the journal stay in one process, as in any other crawl; what tasks do is to fetch, parse
and count, which is nearly all of the work. A partition is absorbed and journalled when its task has ended; so a crawl
that is killed fetches only the other partitions of its round again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, SetupError
from crawler.fetching.fetch import Fetched
from crawler.fetching.hosts import HostSchedule
from crawler.fetching.pool import Done, FetchPool
from crawler.model import Failure
from crawler.pages.page import PageRecord
from crawler.protocol import Pick
from crawler.rounds.partitions import Partition
from crawler.rounds.pool import RoundPool
from crawler.rounds.runners import Runner
from crawler.rounds.task import Counting
from crawler.step import Step
from crawler.strategies.base import Strategy
from crawler.strategies.numbered_picks import TopOfQueue

ROUND = "round"
"""Kind of the event that holds the number of a round and its partitions: name -> numbers of the picks."""


@dataclass(frozen=True, kw_only=True)
class RoundsFetching(Fetching):
    """How a crawl in rounds fetches. ``in_flight`` is the number of links that a round chooses."""

    runner: Runner
    """Runs the tasks of a round."""

    def pool(self, read: Callable[[str, Fetched | Failure], PageRecord]) -> FetchPool[PageRecord]:
        """Return a new pool that shares out a round to tasks, which read the pages themselves."""
        return RoundPool(self.fetcher, self.schedule or HostSchedule(0.0), self.runner)


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
        raise SetupError(
            f"strategy {strategy.name} cannot crawl in rounds: it does not choose the queued links of the highest "
            "priority, but by a search that each page changes. Choose one of: ", ", ".join(names)
        )  # fmt: skip


class RoundsCrawl(Crawl):
    """A crawl whose links are chosen and fetched in rounds."""

    pool: RoundPool

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
