"""The members of a mixture, each with its own queue and guide.

The view of a member has the links that it admitted, with its priorities, and the feature columns of its guide. Other
members are visible to it in two ways only: links leave its queue that it did not pick, and ``tell`` gets outcomes with
the tag -1. So every strategy can be a member without changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.frontier.queue import Queue
from crawler.model import Bools, Ids, Outcome, PageScore
from crawler.strategies.base import State, Strategy


class Member:
    """A strategy with its queue."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.queue = Queue()

    def view(self, view: FrontierView) -> FrontierView:
        """Return the view of the member."""
        return view.over(self.queue, self.strategy.guide)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Queue the links that the member admits; return them as a mask, shape (m,)."""
        member_view = self.view(view)
        admitted = self.strategy.admit(member_view, links)
        if admitted.any():
            self.queue.put(links[admitted], self.strategy.priority(member_view, links[admitted]))
        return admitted

    def score(self, view: FrontierView, links: Ids) -> None:
        """Score links of the member's queue again, and offer it the others again."""
        queued = self.queue.is_queued(links)
        if queued.any():
            self.queue.put(links[queued], self.strategy.priority(self.view(view), links[queued]))
        if not queued.all():
            self.admit(view, links[~queued])

    def hear(self, outcome: Outcome, tag: int) -> None:
        """Pass an outcome to the member, with the scores of its guide; ``tag`` is -1 for a pick of another member."""
        score = outcome.page_score
        if score is not None and outcome.by_guide:
            by_guide = outcome.by_guide[self.strategy.guide]
            score = PageScore(by_guide.relevance, score.judged, score.relevant)
            outcome = replace(outcome, page_score=score, block_scores=by_guide.block_scores)
        self.strategy.tell([replace(outcome, tag=tag, by_guide={})])

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        queued = self.queue.queued()
        strategy_state = {f"own_{name}": value for name, value in self.strategy.state().items()}
        return {"queued": queued, "priority": self.queue.priority(queued), **strategy_state}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned; the member must be new."""
        self.queue.put(np.asarray(state["queued"], dtype=np.int64), np.asarray(state["priority"], dtype=np.float64))
        self.strategy.restore({name[4:]: value for name, value in state.items() if name.startswith("own_")})


class Members:
    """The members that share a crawl, and the links in any of their queues."""

    def __init__(self, strategies: Iterable[Strategy]) -> None:
        self._members = [Member(strategy) for strategy in strategies]
        self._held = Queue()

    def __len__(self) -> int:
        return len(self._members)

    def __iter__(self) -> Iterator[Member]:
        return iter(self._members)

    def __getitem__(self, number: int) -> Member:
        return self._members[number]

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Queue the links that any member admits; return them as a mask, shape (m,)."""
        admitted = np.zeros(len(links), dtype=np.bool_)
        for member in self:
            admitted |= member.admit(view, links)
        self._hold(links[admitted])
        return admitted

    def score(self, view: FrontierView, links: Ids) -> None:
        """Score links again, after adopting those that the loop queued without ``admit``."""
        self.adopt(view, links[~self._held.is_queued(links) & np.isfinite(view.priority(links))])
        for member in self:
            member.score(view, links)

    def begin_refresh(self, view: FrontierView, links: Ids) -> None:
        """Tell all members that their queued links are about to be scored again."""
        for member in self:
            member.strategy.begin_refresh(member.view(view), links[member.queue.is_queued(links)])

    def follow(self, view: FrontierView) -> None:
        """Adopt links that the loop queued without ``admit``, seeds and retries, and drop those that it removed."""
        if len(self._held) != len(view):
            known = self._held.queued()
            self.let_go(np.setdiff1d(known, view.links))
            self.adopt(view, np.setdiff1d(view.links, known))

    def adopt(self, view: FrontierView, links: Ids) -> None:
        """Add links to the queues of all members."""
        if len(links):
            self._hold(links)
            for member in self:
                member.queue.put(links, member.strategy.priority(member.view(view), links))

    def let_go(self, links: Ids) -> None:
        """Remove links from all queues."""
        for queue in (self._held, *(member.queue for member in self)):
            queue.take(links[queue.is_queued(links)])

    def _hold(self, links: Ids) -> None:
        self._held.put(links, np.zeros(len(links)))

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        members = {f"{i}_{name}": value for i, member in enumerate(self) for name, value in member.state().items()}
        return {"all": self._held.queued(), **members}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned; the members must be new."""
        self._hold(np.asarray(state["all"], dtype=np.int64))
        for i, member in enumerate(self):
            start = f"{i}_"
            member.restore({name[len(start) :]: value for name, value in state.items() if name.startswith(start)})
