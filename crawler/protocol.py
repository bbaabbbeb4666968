"""The protocol between a crawl and its strategy, and the loop that follows it. A crawl and a rehearsal share both.

A round: the strategy chooses links, they leave the frontier and are in flight; the outcome of one of them comes in and
goes to the strategy; its queued out-links get new priorities, the new ones are offered. Every few pages all queued
links get new priorities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.model import NOTHING, Budget, Floats, Ids, Outcome, Picks
from crawler.strategies.base import SEED_PRIORITY, Strategy

Page = TypeVar("Page")
Step = TypeVar("Step")
STRATEGY_FINISHED = "strategy_finished"
"""Stop reason where the strategy chose nothing and nothing was in flight."""


class FeatureColumns(Protocol):
    """Computes the feature columns that a strategy declared."""

    def compute(self, links: Ids) -> Mapping[str, Floats]:
        """The columns of links; name -> shape (m,)."""

    def refresh_pagerank(self) -> None:
        """Bring PageRank up to date, where a column needs it."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A link in flight: chosen, and without an outcome so far."""

    link: int
    tag: int = -1
    """The strategy's number of the pick; -1 for a link that it did not choose."""
    priority: float = 0.0
    """Priority in the frontier when it was chosen."""
    move: Mapping[str, Any] = field(default_factory=dict)
    """The strategy's explanation."""


class Scheduler:
    """The frontier, the strategy that orders it, and the links in flight."""

    def __init__(
        self,
        strategy: Strategy,
        frontier: Frontier,
        graph: LinkGraph,
        features: FeatureColumns,
        rng: np.random.Generator,
        *,
        refresh_every: int = 0,
    ) -> None:
        """Start with what is in the frontier and the graph.

        Args:
            strategy: chooses, admits and scores links.
            frontier: known links; its owner discovers them.
            graph: links between known pages; its owner adds them.
            features: the source of the frontier's feature columns.
            rng: the only source of randomness of the strategy.
            refresh_every: pages between two updates of all priorities; 0 for never.
        """
        self.strategy, self.frontier, self.graph, self.features = strategy, frontier, graph, features
        self.rng, self.refresh_every = rng, refresh_every
        self.fetched = 0
        """Pages fetched. The owner counts a page before it discovers the page's links."""
        self.limit = 0
        """Page limit of the last choice, which the strategy sees; 0 for none."""
        self.visited: set[int] = set()
        """Links that are not offered again: in flight, fetched, failed, or read through a redirect."""
        self.in_flight: dict[int, Pick] = {}
        """By link, in the order of choice."""

    def view(self) -> FrontierView:
        """What the strategy sees now."""
        return FrontierView(self.frontier, self.graph, Budget(self.fetched, self.limit))

    # ---- choosing -----------------------------------------------------------------------------------------------

    def plant(self, seeds: Ids) -> None:
        """Queue seeds with the highest priority, without asking the strategy (trap T11)."""
        self.frontier.put(seeds, np.full(len(seeds), SEED_PRIORITY))

    def ask(self, n: int, limit: int) -> Picks:
        """The strategy's choice among the queued links, which stay in the frontier.

        Args:
            n: how many at most.
            limit: the page limit, 0 for none; the strategy sees it until the next choice.

        Raises:
            RuntimeError: it chose too many, or one twice.
        """
        self.limit = limit
        picks = self.strategy.choose(self.view(), self.rng, n)
        links = picks.link.tolist()
        if len(links) > n or len(set(links)) != len(links):
            raise RuntimeError(f"strategy {self.strategy.name} chose {links} where {n} were asked")
        return picks

    def choose(self, n: int, limit: int) -> list[Pick]:
        """Let the strategy choose and put the links in flight: ``ask`` and ``take``."""
        return self.take(self.ask(n, limit))

    def take(self, picks: Picks) -> list[Pick]:
        """Put chosen links in flight, out of the frontier. Raises ValueError for one that is not queued."""
        priorities = self.frontier.priority(picks.link).tolist()
        self.frontier.take(picks.link)
        tags, moves = picks.tag or (-1,) * len(picks), picks.move or (NOTHING,) * len(picks)
        chosen = [Pick(*pick) for pick in zip(picks.link.tolist(), tags, priorities, moves, strict=True)]
        self.launch(*chosen)
        return chosen

    def launch(self, *picks: Pick) -> None:
        """Put picks in flight that are not in the frontier."""
        self.in_flight.update((pick.link, pick) for pick in picks)
        self.visited.update(pick.link for pick in picks)

    def withdraw(self, link: int) -> None:
        """Take a link out of the queue, if it is there, and offer it no more: its page was read by another way."""
        ids = np.array([link])
        self.frontier.take(ids[self.frontier.is_queued(ids)])
        self.visited.add(link)

    def release(self, links: Sequence[int]) -> None:
        """Let links be offered again that could not be fetched."""
        self.visited.difference_update(links)

    def requeue(self, links: Sequence[int], priorities: Sequence[float]) -> None:
        """Queue links again that could not be fetched, with the priorities that they had."""
        self.release(links)
        self.frontier.put(np.asarray(links, dtype=np.int64), np.asarray(priorities, dtype=np.float64))

    # ---- absorbing an outcome -----------------------------------------------------------------------------------

    def tell(self, outcome: Outcome) -> None:
        """Send the outcome of a link to the strategy; the link is no longer in flight."""
        del self.in_flight[outcome.link]
        self.strategy.tell([outcome])

    def offer(
        self, links: Ids, refused: Mapping[int, str] | None = None, look: Callable[[Ids], None] | None = None
    ) -> dict[int, str]:
        """Offer the out-links of a page to the strategy, and update the priority of those in the queue (trap T11).

        Args:
            links: the distinct out-links, shape (m,).
            refused: links that may not be queued, with the reason.
            look: called with the links that are offered, before their features are computed.

        Returns:
            Each link with what became of it: a reason code of the ledger.
        """
        refused, in_queue = refused or {}, self.frontier.is_queued(links)
        reasons = {
            link: "visited" if link in self.visited else refused.get(link, "queued" if waits else "offered")
            for link, waits in zip(links.tolist(), in_queue.tolist(), strict=True)
        }
        offered = np.array([link for link, reason in reasons.items() if reason == "offered"], dtype=np.int64)
        if look is not None and len(offered):
            look(offered)
        self._compute(links)
        self._score(links[in_queue])
        if len(offered):
            admitted = self.strategy.admit(self.view(), offered)
            self._score(offered[admitted])
            for link, inside in zip(offered.tolist(), admitted.tolist(), strict=True):
                reasons[link] = "admitted" if inside else "rejected_by_strategy"
        return reasons

    def refresh_if_due(self) -> None:
        """Refresh where ``refresh_every`` pages were fetched since the last time."""
        if self.refresh_every and self.fetched % self.refresh_every == 0:
            self.refresh()

    def refresh(self) -> None:
        """Update PageRank, features and priorities of all queued links (paper 000, Algorithm 3, step 11)."""
        self.features.refresh_pagerank()
        queued = self.frontier.queued()
        self._compute(queued)
        self._score(queued)

    def _compute(self, links: Ids) -> None:
        for name, values in self.features.compute(links).items():
            self.frontier.set_feature(name, links, values)

    def _score(self, links: Ids) -> None:
        if len(links):
            self.frontier.put(links, self.strategy.priority(self.view(), links))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs beside the link graph and the feature source, which their owner saves."""
        return {
            "frontier": self.frontier.state(),
            "strategy": self.strategy.state(),
            "rng": self.rng.bit_generator.state,
            "fetched": self.fetched,
            "limit": self.limit,
            "visited": np.asarray(sorted(self.visited), dtype=np.int64),
            "in_flight": [[p.link, p.tag, p.priority, dict(p.move)] for p in self.in_flight.values()],
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Take a state back; the frontier and the strategy must be new.

        Raises:
            KeyError, ValueError: a state of another strategy or other feature columns.
        """
        self.frontier.restore(saved["frontier"])
        self.strategy.restore(saved["strategy"])
        self.rng.bit_generator.state = saved["rng"]
        self.fetched = int(saved["fetched"])
        self.visited = {int(link) for link in saved["visited"]}
        # Snapshots of 0.1 lack these two: they were made while nothing was in flight, and a choice came next.
        self.limit = int(saved.get("limit", 0))
        self.in_flight = {pick[0]: Pick(*pick) for pick in saved.get("in_flight", ())}


class CrawlLoop(ABC, Generic[Page, Step]):
    """Keep links in flight and absorb their outcomes one by one. A subclass fetches pages and judges them."""

    def __init__(self, scheduler: Scheduler, limit: int, in_flight: int = 1) -> None:
        """Start before the first round.

        Args:
            scheduler: the frontier with its strategy.
            limit: pages to fetch; 0 for no limit.
            in_flight: how many links may be in flight at a time.
        """
        self.scheduler, self.limit, self.in_flight = scheduler, limit, in_flight
        self.stop_reason: str | None = None
        """Why the crawl ended; None before."""

    def step(self) -> Step | None:
        """Choose as many links as may be in flight, wait for one outcome, and absorb it.

        Returns:
            What was absorbed; None where the crawl has ended, and ``stop_reason`` says why.
        """
        self.stop_reason = self._end()
        if self.stop_reason is not None:
            return None
        self._fill()
        if not self.scheduler.in_flight:
            self.stop_reason = STRATEGY_FINISHED
            return None
        return self._absorb(*self._wait())

    def _fill(self) -> None:
        room = self._room()
        if room > 0 and len(self.scheduler.frontier):
            self._issue(self.scheduler.choose(room, self.limit))

    def _room(self) -> int:
        """How many links to ask for: never so many that the limit could be exceeded."""
        allowed = min(self.in_flight, self.limit - self.scheduler.fetched) if self.limit else self.in_flight
        return allowed - len(self.scheduler.in_flight)

    @abstractmethod
    def _end(self) -> str | None:
        """Why the crawl should end before the next round; None where it should not."""

    @abstractmethod
    def _issue(self, picks: Sequence[Pick]) -> None:
        """Begin to fetch links that were just chosen."""

    @abstractmethod
    def _wait(self) -> tuple[Pick, Page]:
        """One of the links in flight, with its page."""

    @abstractmethod
    def _absorb(self, pick: Pick, page: Page) -> Step:
        """Let the page of a link in flight change the state of the crawl."""
