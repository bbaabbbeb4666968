"""The protocol between a crawl and its strategy, and the loop that follows it. Crawls and rehearsals share both.

In each round the strategy chooses links, which leave the frontier and are in flight; the outcome of one of them is sent
to the strategy; its queued out-links get new priorities, and its new ones are offered. Every few pages all queued links
get new priorities. Links that the strategy did not admit wait behind all others: the best of them are taken when no
link is queued or in flight.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from crawler.frontier import Frontier, FrontierView, ranks_within
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.link_set import LinkSet
from crawler.frontier.rescoring import is_due, part_of
from crawler.model import NOTHING, Budget, Floats, Ids, Outcome, Pick, Picks
from crawler.strategies.base import SEED_PRIORITY, Strategy

Page = TypeVar("Page")
Step = TypeVar("Step")
REJECTED_LEFT = "rejected_left"
"""Key of the move of a pick that the strategy had rejected: the number of rejected links of which it was the best."""
PROBE = "probe"
"""Key of the move of a pick that no strategy made: a URL by which the crawl learns how a host says "not found"."""
STRATEGY_FINISHED = "strategy_finished"
"""Stop reason: the strategy chose no link while none was in flight."""
_GENERATIONS_FORMED = "limit_generations"
"""Stop reason: the same, because the strategy has formed as many generations as it may."""


class FeatureColumns(Protocol):
    """Source of the feature columns that a strategy declares."""

    def compute(self, links: Ids) -> Mapping[str, Floats]:
        """Compute the columns of links: name -> shape (m,)."""

    def refresh_pagerank(self) -> None:
        """Update PageRank where a column needs it."""


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
        short_queue: int = 0,
        per_host: int = 0,
        refusals: Callable[[Ids], Mapping[int, str]] | None = None,
    ) -> None:
        """Start with what is in the frontier and the graph.

        Args:
            strategy: chooses, admits and scores links.
            frontier: known links; its owner discovers them.
            graph: links between known pages; its owner adds them.
            features: source of the frontier's feature columns.
            rng: the strategy's only source of randomness.
            refresh_every: pages between two updates of all priorities; 0 for never.
            short_queue: number of queued links above which updates become rarer, so that their cost for each page stays
                the same (crawler.frontier.rescoring); 0 where the length of the queue does not count.
            per_host: maximum number of links of a host in one choice of the best links; 0 for no limit.
            refusals: function that returns link -> reason code of links that must not be fetched now. With it, links
                that the strategy rejected are taken when nothing else is left; None to leave them out.
        """
        self.strategy, self.frontier, self.graph, self.features = strategy, frontier, graph, features
        self.rng, self.refresh_every, self.short_queue, self._per_host = rng, refresh_every, short_queue, per_host
        self.fetched = 0
        """Pages fetched. The owner counts a page before it discovers the page's links."""
        self.limit = 0
        """Page limit at the last choice, which the strategy sees; 0 for none."""
        self.generations = 0
        """Limit of generations at the last choice, the same way."""
        self._refusals = refusals
        self.rejected = LinkSet()
        """Links that the strategy did not admit when they were offered last; empty where they are left out."""
        self.visited = LinkSet()
        """Links that are not offered again: in flight, fetched, failed, or read through a redirect."""
        self.in_flight: dict[int, Pick] = {}
        """Number -> pick, in the order of choice."""
        self.picked = 0
        """Number of the last pick."""
        self.probes: list[int] = []
        """Links that the crawl itself asks for, which are chosen next without the strategy."""
        self._counts_rules = True
        self._refreshed, self._turn = 0, -1
        """Pages fetched at the last refresh, and the last link of a long queue whose turn it was (part_of)."""

    def view(self) -> FrontierView:
        """Return the strategy's current view of the crawl."""
        return FrontierView(self.frontier, self.graph, Budget(self.fetched, self.limit, self.generations))

    def fired(self) -> dict[str, int] | None:
        """Return how often each rule of the strategy fired; None in a run that has not counted from its start."""
        return self.strategy.fired() if self._counts_rules else None

    @property
    def rng_state(self) -> dict[str, Any]:
        """State of the strategy's source of randomness."""
        return dict(self.rng.bit_generator.state)

    # ---- choosing -----------------------------------------------------------------------------------------------

    def plant(self, seeds: Ids) -> None:
        """Queue seeds with the highest priority, without a call of the strategy (trap T11)."""
        self.frontier.put(seeds, np.full(len(seeds), SEED_PRIORITY))

    def ask(self, n: int, limit: int, generations: int = 0) -> Picks:
        """Let the strategy choose among the queued links; they stay in the frontier.

        Args:
            n: maximum number of links.
            limit: the page limit, 0 for none; the strategy sees it until the next choice.
            generations: the limit of generations, the same way.

        Returns:
            The strategy's picks.

        Raises:
            RuntimeError: the strategy chose too many links, or one twice.
        """
        self.limit, self.generations = limit, generations
        picks = self.strategy.choose(self.view().within(self._per_host), self.rng, n)
        links = picks.link.tolist()
        if len(links) > n or len(set(links)) != len(links):
            raise RuntimeError(f"strategy {self.strategy.name} chose {links}: at most {n} different links are allowed")
        return picks

    def choose(self, n: int, limit: int, generations: int = 0) -> list[Pick]:
        """Let the strategy choose links and put them in flight: ``ask`` and ``take``.

        Probes come before them. Where no link is queued, the best of those that it rejected are put in flight.
        """
        picks = [self.launch(link, move={PROBE: True}) for link in self.probes[:n]]
        del self.probes[:n]
        if len(self.frontier) and len(picks) < n:
            return picks + self.take(self.ask(n - len(picks), limit, generations))
        self.limit, self.generations = limit, generations
        return picks or self._take_rejected(n)

    def is_empty(self) -> bool:
        """Return whether no link is queued and no probe waits."""
        return not len(self.frontier) and not self.probes

    def has_rejected(self) -> bool:
        """Return whether a link waits that the strategy rejected and that may be fetched."""
        return len(self._rejected()) > 0

    def _rejected(self) -> Ids:
        links = self.rejected.members()
        links = links[~self.visited.mask(links)]
        refused = self._refusals(links) if self._refusals is not None and len(links) else {}
        return links[[link not in refused for link in links.tolist()]] if refused else links

    def _take_rejected(self, n: int) -> list[Pick]:
        """Put the best ``n`` rejected links in flight, by the features of their last offer, then by age."""
        links = self._rejected()
        if not len(links) or 0 < self.generations <= (self.strategy.generation or 0):
            return []
        values = self.strategy.value_of_rejected(self.view(), links)
        order = np.argsort(-values, kind="stable")
        if self._per_host:
            order = order[ranks_within(self.frontier.hosts(links[order])) < self._per_host]
        best = order[:n]
        self.rejected.difference_update(links[best])
        pairs = zip(links[best].tolist(), values[best].tolist(), strict=True)
        return [self.launch(link, priority=value, move={REJECTED_LEFT: len(links)}) for link, value in pairs]

    @property
    def limits(self) -> dict[str, int]:
        """The limits at the last choice, by which a journal can repeat it; one of generations where there is one."""
        return {"limit": self.limit} | ({"generations": self.generations} if self.generations else {})

    def take(self, picks: Picks) -> list[Pick]:
        """Move chosen links from the frontier into flight. Raises ValueError for a link that is not queued."""
        priorities = self.frontier.priority(picks.link).tolist()
        self.frontier.take(picks.link)
        tags, moves = picks.tag or (-1,) * len(picks), picks.move or (NOTHING,) * len(picks)
        chosen = zip(picks.link.tolist(), tags, priorities, moves, strict=True)
        return [self.launch(*pick) for pick in chosen]

    def launch(self, link: int, tag: int = -1, priority: float = 0.0, move: Mapping[str, Any] | None = None) -> Pick:
        """Put a link in flight that is not in the frontier; arguments are the fields of the pick."""
        self.picked += 1
        pick = Pick(self.picked, link, tag, priority, move or {})
        self.in_flight[pick.number] = pick
        self.visited.add(link)
        return pick

    def withdraw(self, link: int) -> None:
        """Remove a link from the queue and do not offer it again, because its page was read through another link."""
        ids = np.array([link])
        self.frontier.take(ids[self.frontier.is_queued(ids)])
        self.visited.add(link)

    def release(self, links: Sequence[int]) -> None:
        """Allow links that could not be fetched to be offered again."""
        self.visited.difference_update(links)

    def requeue(self, links: Sequence[int], priorities: Sequence[float]) -> None:
        """Queue links again that could not be fetched, with their earlier priorities."""
        self.release(links)
        self.frontier.put(np.asarray(links, dtype=np.int64), np.asarray(priorities, dtype=np.float64))

    # ---- absorbing an outcome -----------------------------------------------------------------------------------

    def tell(self, number: int, outcome: Outcome) -> None:
        """Send the outcome of a pick, given by its number, to the strategy; it is no longer in flight."""
        del self.in_flight[number]
        self.strategy.tell([outcome])

    def offer(
        self, links: Ids, refused: Mapping[int, str] | None = None, look: Callable[[Ids], None] | None = None
    ) -> dict[int, str]:
        """Offer the out-links of a page to the strategy, and update the priority of those in the queue (trap T11).

        Args:
            links: the distinct out-links, shape (m,).
            refused: links that must not be queued -> reason code.
            look: called with the links that are offered, before their features are computed.

        Returns:
            Reason code of each link: visited, queued, admitted, rejected_by_strategy, or that of ``refused``.
        """
        refused, in_queue = refused or {}, self.frontier.is_queued(links)
        reasons = dict.fromkeys(links.tolist(), "offered")
        reasons |= dict.fromkeys(links[in_queue].tolist(), "queued")
        reasons |= refused
        reasons |= dict.fromkeys(links[self.visited.mask(links)].tolist(), "visited")
        offered = np.array([link for link, reason in reasons.items() if reason == "offered"], dtype=np.int64)
        if look is not None and len(offered):
            look(offered)
        self._compute(links)
        self._score(links[in_queue])
        if len(offered):
            admitted = self.strategy.admit(self.view(), offered)
            if self._refusals is not None:
                self.rejected.update(offered[~admitted])
                self.rejected.difference_update(offered[admitted])
            self._score(offered[admitted])
            for link, is_admitted in zip(offered.tolist(), admitted.tolist(), strict=True):
                reasons[link] = "admitted" if is_admitted else "rejected_by_strategy"
        return reasons

    def refresh_if_due(self) -> bool:
        """Refresh when it is due (crawler.frontier.rescoring), and return whether all queued links were scored."""
        own = self.strategy.refresh
        if own is None:
            due = is_due(self.fetched, self.refresh_every, len(self.frontier), self.short_queue)
        else:
            due = own.is_due(self.fetched, self._refreshed)
        return due and self.refresh()

    def refresh(self) -> bool:
        """Update PageRank, features and priorities of queued links (paper 000, Algorithm 3, step 11).

        Returns:
            Whether that were all; a strategy with a schedule of its own scores a part of a long queue.
        """
        self.features.refresh_pagerank()
        links = queued = self.frontier.queued()
        if (own := self.strategy.refresh) is not None:
            links, self._turn = part_of(queued, self.frontier.priority(queued), own.at_once, self._turn)
        self._refreshed = self.fetched
        self._compute(links)
        self.strategy.begin_refresh(self.view(), links)
        self._score(links)
        return len(links) == len(queued)

    def compute_stale(self) -> None:
        """Compute the features of the queued links, which a snapshot right after ``refresh`` leaves out."""
        self._compute(self.frontier.queued())

    def _compute(self, links: Ids) -> None:
        self.frontier.set_features(links, self.features.compute(links))

    def _score(self, links: Ids) -> None:
        if len(links):
            self.frontier.put(links, self.strategy.priority(self.view(), links))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs besides the link graph and the feature source, which their owner saves."""
        return {**self._small_state(), "strategy": self.strategy.state(), "frontier": self.frontier.state()}

    def changes(self, rescored: bool) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot; ``rescored`` right after ``refresh``."""
        frontier = self.frontier.changes(rescored)
        return {**self._small_state(), "strategy": self.strategy.changes(), "frontier": frontier}

    def _small_state(self) -> dict[str, Any]:
        return {
            "refreshed": self._refreshed,
            "turn": self._turn,
            "rng": self.rng_state,
            "fetched": self.fetched,
            **self.limits,
            "visited": self.visited.packed(),
            "rejected": self.rejected.packed(),
            "in_flight": [[p.number, p.link, p.tag, p.priority, dict(p.move)] for p in self.in_flight.values()],
            "picked": self.picked,
            "fired": self.fired(),
            "probes": list(self.probes),
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned; the frontier and the strategy must be new.

        Raises:
            KeyError, ValueError: a state of another strategy or other feature columns.
        """
        self.frontier.restore(saved["frontier"])
        self.strategy.restore(saved["strategy"])
        self._counts_rules = "fired" in saved  # a run of an earlier version did not count from its start
        self.strategy.restore_fired(saved.get("fired") or {})
        self.rng.bit_generator.state = saved["rng"]
        self.fetched = int(saved["fetched"])
        # Snapshots of earlier versions lack both, and no strategy had a schedule of its own.
        self._refreshed, self._turn = int(saved.get("refreshed", 0)), int(saved.get("turn", -1))
        self.visited.restore(saved["visited"])
        if "rejected" in saved:  # runs of earlier versions left such links out
            self.rejected.restore(saved["rejected"])
        self.limit, self.generations = int(saved["limit"]), int(saved.get("generations", 0))
        self.in_flight = {pick[0]: Pick(*pick) for pick in saved["in_flight"]}
        self.picked = int(saved["picked"])
        self.probes = list(saved["probes"])


class CrawlLoop(ABC, Generic[Page, Step]):
    """A loop that keeps links in flight and absorbs their outcomes one by one; subclasses fetch and judge the pages."""

    def __init__(self, scheduler: Scheduler, limit: int, in_flight: int = 1, generations: int = 0) -> None:
        """Start before the first round.

        Args:
            scheduler: the frontier with its strategy.
            limit: pages to fetch; 0 for no limit.
            in_flight: maximum number of links in flight.
            generations: generations that the strategy may form; 0 for no limit.
        """
        self.scheduler, self.limit, self.in_flight, self.generations = scheduler, limit, in_flight, generations
        self.stop_reason: str | None = None
        """Reason for which the crawl ended; None before."""

    def step(self) -> Step | None:
        """Choose as many links as may be in flight, wait for one outcome, and absorb it.

        Returns:
            The absorbed outcome; None where the crawl has ended, with ``stop_reason`` set.
        """
        while True:
            self.stop_reason = self._end()
            if self.stop_reason is not None:
                return None
            self._fill()
            if not self.scheduler.in_flight:
                formed = self.scheduler.strategy.generation or 0
                self.stop_reason = _GENERATIONS_FORMED if 0 < self.generations <= formed else STRATEGY_FINISHED
                return None
            arrived = self._wait()
            if arrived is not None:
                return self._absorb(*arrived)

    def _fill(self) -> None:
        room = self._room()
        if room > 0 and (not self.scheduler.is_empty() or self._is_left_with_rejected()):
            self._issue(room, self.scheduler.choose(room, self.limit, self.generations))

    def _is_left_with_rejected(self) -> bool:
        """Return whether nothing is left to choose or to wait for but links that the strategy rejected."""
        scheduler = self.scheduler
        return not scheduler.in_flight and scheduler.is_empty() and scheduler.has_rejected()

    def _room(self) -> int:
        """Return the number of links to ask for, such that the limit cannot be exceeded."""
        allowed = min(self.in_flight, self.limit - self.scheduler.fetched) if self.limit else self.in_flight
        return allowed - len(self.scheduler.in_flight)

    @abstractmethod
    def _end(self) -> str | None:
        """Return the reason to end the crawl before the next round; None where there is none."""

    @abstractmethod
    def _issue(self, room: int, picks: Sequence[Pick]) -> None:
        """Begin to fetch the links that were just chosen, at most ``room``; there may be none."""

    @abstractmethod
    def _wait(self) -> tuple[Pick, Page] | None:
        """Return one of the picks in flight, with its page; None to look again whether to end or to choose more."""

    @abstractmethod
    def _absorb(self, pick: Pick, page: Page) -> Step:
        """Change the state of the crawl by the page of a link in flight."""
