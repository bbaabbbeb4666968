"""The members of a strategy that is made of others: each with a queue, a guide and a memory of its own.

What a member sees is a crawl in which it alone admits, scores and chooses: its view has the links that it admitted with
its priorities, and its feature columns by its guide. Only that links leave the queue which it did not pick, and that
``tell`` has outcomes with the tag -1, shows it that there are others. So no strategy needs a line of code to be one.
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
    """One strategy with its queue."""

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self.queue = Queue()

    def view(self, view: FrontierView) -> FrontierView:
        return view.over(self.queue, self.strategy.guide)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """What the member would admit of the links; it is queued with the member."""
        member_view = self.view(view)
        admitted = self.strategy.admit(member_view, links)
        if admitted.any():
            self.queue.put(links[admitted], self.strategy.priority(member_view, links[admitted]))
        return admitted

    def score(self, view: FrontierView, links: Ids) -> None:
        """Give queued links the member's priorities anew; those that it left out are offered to it again."""
        held = self.queue.is_queued(links)
        if held.any():
            self.queue.put(links[held], self.strategy.priority(self.view(view), links[held]))
        if not held.all():
            self.admit(view, links[~held])

    def hear(self, outcome: Outcome, tag: int) -> None:
        """Tell the member of a page as its guide sees it; ``tag`` is -1 where another picked it."""
        score = outcome.page_score
        if score is not None and outcome.by_guide:
            by_guide = outcome.by_guide[self.strategy.guide]
            score = PageScore(by_guide.relevance, score.judged, score.relevant)
            outcome = replace(outcome, page_score=score, block_scores=by_guide.block_scores)
        self.strategy.tell([replace(outcome, tag=tag, by_guide={})])

    def state(self) -> dict[str, Any]:
        queued = self.queue.queued()
        strategy_state = {f"own_{name}": value for name, value in self.strategy.state().items()}
        return {"queued": queued, "priority": self.queue.priority(queued), **strategy_state}

    def restore(self, state: State) -> None:
        """Take a state back into a member that is new."""
        self.queue.put(np.asarray(state["queued"], dtype=np.int64), np.asarray(state["priority"], dtype=np.float64))
        self.strategy.restore({name[4:]: value for name, value in state.items() if name.startswith("own_")})


class Members:
    """The members that share a crawl, and the links that any of them holds."""

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
        """What some member admits; it is held."""
        admitted = np.zeros(len(links), dtype=np.bool_)
        for member in self:
            admitted |= member.admit(view, links)
        self._hold(links[admitted])
        return admitted

    def score(self, view: FrontierView, links: Ids) -> None:
        """Give links new priorities, after taking over those of them that the loop queued unasked."""
        self.adopt(view, links[~self._held.is_queued(links) & np.isfinite(view.priority(links))])
        for member in self:
            member.score(view, links)

    def follow(self, view: FrontierView) -> None:
        """Take over what the loop queued unasked, the seeds and links to try again, and let go what it took out."""
        if len(self._held) != len(view):
            held = self._held.queued()
            self.let_go(np.setdiff1d(held, view.links))
            self.adopt(view, np.setdiff1d(view.links, held))

    def adopt(self, view: FrontierView, links: Ids) -> None:
        """Links that were queued unasked are every member's."""
        if len(links):
            self._hold(links)
            for member in self:
                member.queue.put(links, member.strategy.priority(member.view(view), links))

    def let_go(self, links: Ids) -> None:
        """Links leave all queues."""
        for queue in (self._held, *(member.queue for member in self)):
            queue.take(links[queue.is_queued(links)])

    def _hold(self, links: Ids) -> None:
        self._held.put(links, np.zeros(len(links)))

    def state(self) -> dict[str, Any]:
        members = {f"{i}_{name}": value for i, member in enumerate(self) for name, value in member.state().items()}
        return {"all": self._held.queued(), **members}

    def restore(self, state: State) -> None:
        """Take a state back into members that are new."""
        self._hold(np.asarray(state["all"], dtype=np.int64))
        for i, member in enumerate(self):
            start = f"{i}_"
            member.restore({name[len(start) :]: value for name, value in state.items() if name.startswith(start)})
