"""Strategies that crawl together: a weighted mixture, and switching from one to another in the middle of a crawl.

Not of the papers: what they leave to future work and a researcher wants to try. Any strategy can be a member, one's own
too (crawler.strategies.members). For each pick ``turn`` says whose it is; a member that has nothing to choose, because
its filter left it nothing or its walk has ended, passes its turn on. Every member hears of every page.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.scoring.feature_key import FeatureKey
from crawler.strategies.base import State, parameters_from
from crawler.strategies.member_parameters import MembersParameters, by_member, made, names_of_members
from crawler.strategies.members import Members
from crawler.strategies.numbered_picks import NumberedPicks

_NONE: Ids = np.empty(0, dtype=np.int64)


class Ensemble(NumberedPicks):
    """Strategies that share a crawl. Its priority of a link is the mean of its members', by their weights."""

    Parameters = MembersParameters
    parameters: MembersParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._members = self.keeps(Members(made(self.parameters)))
        self._scored = _NONE  # the links that ``admit`` has just scored
        self._sent: dict[int, tuple[int, int]] = {}  # tag of a pick that is out -> its member's number, and its own tag
        self._declare()

    def _declare(self) -> None:
        """What a class declares of itself depends on the members here."""
        strategies = [member.strategy for member in self._members]
        self.guides = _different(s.guide for s in strategies)
        self.guide = self.guides[0]
        self.vocabularies = _different(v for s in strategies for v in s.vocabularies)
        self.features = _different(str(FeatureKey.parse(f).under(s.guide)) for s in strategies for f in s.features)
        self.page_parts = _different(p for s in strategies for p in s.page_parts)

    def guided_by(self, guide: str) -> None:
        """One guide for all members."""
        for member in self._members:
            member.strategy.guided_by(guide)
        self._declare()

    @classmethod
    def parameter_names(cls, overrides: Mapping[str, Any]) -> tuple[str, ...]:
        """Its own, and those of its members as NAME.PARAMETER."""
        return (*super().parameter_names(overrides), *names_of_members(overrides))

    @classmethod
    def parameters_from(cls, overrides: Mapping[str, Any]) -> Any:
        """Parameters by name, those of a member as NAME.PARAMETER. Raises ValueError as for any strategy."""
        plain, settings = by_member(overrides)
        return parameters_from(cls, plain if "settings" in plain else {**plain, "settings": settings})

    @abstractmethod
    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """Number of the member whose turn it is."""

    def weights(self) -> Floats:
        """Weight of each member in the priority, shape (k,), sum 1."""
        return np.full(len(self._members), 1.0 / len(self._members))

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """What some member admits."""
        admitted = self._members.admit(view, links)
        self._scored = links[admitted]
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """The mean of the members' priorities; a link counts 0 with a member that does not hold it."""
        if not np.array_equal(links, self._scored):
            self._members.score(view, links)
        self._scored = _NONE
        kept = np.array([member.queue.priority(links) for member in self._members])
        return np.asarray(self.weights() @ np.where(np.isfinite(kept), kept, 0.0))

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """The picks of the members whose turn it is, one by one."""
        self._members.follow(view)
        links, moves, first = list[int](), list[Mapping[str, Any]](), self._picked
        while len(links) < n and (pick := self._pick(view, rng)) is not None:
            number, picks = pick
            self._members.let_go(picks.link)
            if np.isfinite(view.priority(picks.link)[0]):
                self._sent[self._picked] = number, picks.tag[0] if picks.tag else -1
                self._picked += 1
                links.append(int(picks.link[0]))
                moves.append({**(picks.move[0] if picks.move else {}), "member": self.parameters.names[number]})
        return Picks(np.array(links, dtype=np.int64), tuple(range(first, self._picked)), tuple(moves))

    def _pick(self, view: FrontierView, rng: np.random.Generator) -> tuple[int, Picks] | None:
        """One pick, of the member whose turn it is or of the next that has one; None where none has."""
        k, turn = len(self._members), self.turn(view, rng)
        for number in ((turn + i) % k for i in range(k)):
            member = self._members[number]
            if len(member.queue) and len(picks := member.strategy.choose(member.view(view), rng, 1)):
                return number, picks
        return None

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Every member hears of every page, the one that picked it with its tag."""
        for outcome in outcomes:
            number, tag = self._sent.pop(outcome.tag, (-1, -1))
            for i, member in enumerate(self._members):
                member.hear(outcome, tag if i == number else -1)

    def state(self) -> State:
        sent = [[tag, number, member_tag] for tag, (number, member_tag) in self._sent.items()]
        return {**super().state(), "sent": sent}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._sent = {int(tag): (int(number), int(member_tag)) for tag, number, member_tag in state["sent"]}


def _different(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
