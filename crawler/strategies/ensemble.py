"""Base class of strategies made of others: a weighted mixture, and switching from one strategy to another.

Not published; the papers name combinations as future work. Any strategy can be a member, user-defined ones too
(crawler.strategies.members). ``turn`` selects the member of each pick; a member that cannot choose, because its filter
admitted nothing or its walk has ended, is skipped. Every member receives the outcome of every page.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.scoring.feature_key import FeatureKey
from crawler.strategies.base import State, Strategy
from crawler.strategies.member_parameters import MembersParameters, by_member, create_members, names_of_members
from crawler.strategies.members import Members
from crawler.strategies.numbered_picks import NumberedPicks

_NONE: Ids = np.empty(0, dtype=np.int64)


class Ensemble(NumberedPicks):
    """Strategies that share a crawl. The priority of a link is the weighted mean of the members' priorities."""

    Parameters = MembersParameters
    parameters: MembersParameters

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self._share(create_members(self.parameters), self.parameters.names)

    def _share(self, strategies: Sequence[Strategy], names: Sequence[str]) -> None:
        """Let strategies share the crawl; by their names moves say which made them."""
        self._names = tuple(names)
        self._members = self.keeps(Members(strategies))
        self._scored = _NONE  # links just scored by ``admit``
        self._sent: dict[int, tuple[int, int]] = {}  # tag of a pick in flight -> number and tag of its member
        self._declare()

    def _declare(self) -> None:
        """Set guides, vocabularies, features, page parts and the schedule of refreshes from the members."""
        strategies = [member.strategy for member in self._members]
        self.guides = _different(s.guide for s in strategies)
        self.guide = self.guides[0]
        self.vocabularies = _different(v for s in strategies for v in s.vocabularies)
        self.features = _different(str(FeatureKey.parse(f).under(s.guide)) for s in strategies for f in s.features)
        self.page_parts = _different(p for s in strategies for p in s.page_parts)
        self.prior = _different(p for s in strategies for p in s.prior)
        self.refresh = next((s.refresh for s in strategies if s.refresh is not None), None)

    def guided_by(self, guide: str) -> None:
        """Replace the guides of all members by one."""
        for member in self._members:
            member.strategy.guided_by(guide)
        self._declare()

    @classmethod
    def parameter_names(cls, overrides: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names of its parameters, and those of its members as NAME.PARAMETER."""
        return (*super().parameter_names(overrides), *names_of_members(overrides))

    @classmethod
    def parameters_from(cls, overrides: Mapping[str, Any]) -> Any:
        """Return the parameters with some replaced by name, those of a member as NAME.PARAMETER."""
        plain, settings = by_member(overrides)
        return super().parameters_from(plain if "settings" in plain else {**plain, "settings": settings})

    @abstractmethod
    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """Return the number of the member that makes the next pick."""

    def weights(self) -> Floats:
        """Return the weight of each member in the priority, shape (k,), of sum 1."""
        return np.full(len(self._members), 1.0 / len(self._members))

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Admit the links that any member admits."""
        admitted = self._members.admit(view, links)
        self._scored = links[admitted]
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the weighted mean of the members' priorities, where a link not queued by a member counts 0."""
        if not np.array_equal(links, self._scored):
            self._members.score(view, links)
        self._scored = _NONE
        priorities = np.array([member.queue.priority(links) for member in self._members])
        return np.asarray(self.weights() @ np.where(np.isfinite(priorities), priorities, 0.0))

    def value_of_rejected(self, view: FrontierView, links: Ids) -> Floats:
        """Return the weighted mean of the members' values; the links are in no member's queue, and stay out of all."""
        values = [member.strategy.value_of_rejected(member.view(view), links) for member in self._members]
        return np.asarray(self.weights() @ np.array(values))

    def begin_refresh(self, view: FrontierView, links: Ids) -> None:
        """Let every member begin with those of the links that are in its queue."""
        self._members.begin_refresh(view, links)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return picks of the members whose turn it is, one by one."""
        self._members.follow(view)
        links, moves, first = list[int](), list[Mapping[str, Any]](), self._picked
        while len(links) < n and (pick := self._pick(view, rng)) is not None:
            number, picks = pick
            self._members.let_go(picks.link)
            if np.isfinite(view.priority(picks.link)[0]):
                self._sent[self._picked] = number, picks.tag[0] if picks.tag else -1
                self._picked += 1
                links.append(int(picks.link[0]))
                moves.append({**(picks.move[0] if picks.move else {}), "member": self._names[number]})
        return Picks(np.array(links, dtype=np.int64), tuple(range(first, self._picked)), tuple(moves))

    def _pick(self, view: FrontierView, rng: np.random.Generator) -> tuple[int, Picks] | None:
        """Return one pick and the number of its member, the next in turn that has one; None if no member has."""
        k, turn = len(self._members), self.turn(view, rng)
        for number in ((turn + i) % k for i in range(k)):
            member = self._members[number]
            if len(member.queue) and len(picks := member.strategy.choose(member.view(view), rng, 1)):
                return number, picks
        return None

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Pass every outcome to every member, with the tag of its pick to the member that made it."""
        for outcome in outcomes:
            number, tag = self._sent.pop(outcome.tag, (-1, -1))
            for i, member in enumerate(self._members):
                member.hear(self._as_seen_by(i, outcome), tag if i == number else -1)

    def _as_seen_by(self, number: int, outcome: Outcome) -> Outcome:
        """Return an outcome as one of the members gets it."""
        return outcome

    def fired(self) -> dict[str, int]:
        """Return how often each rule of each member fired, by MEMBER.RULE."""
        named = zip(self._names, self._members, strict=True)
        return {f"{name}.{rule}": n for name, one in named for rule, n in one.strategy.fired().items()}

    def restore_fired(self, fired: Mapping[str, int]) -> None:
        """Let every member continue to count."""
        for name, member in zip(self._names, self._members, strict=True):
            start = f"{name}."
            own = {rule.removeprefix(start): n for rule, n in fired.items() if rule.startswith(start)}
            member.strategy.restore_fired(own)

    @property
    def is_teachable(self) -> bool:
        """Whether any member takes the verdicts of persons."""
        return any(member.strategy.is_teachable for member in self._members)

    def teach(self, link: int, liked: bool | None) -> None:
        """Pass a verdict to every member."""
        for member in self._members:
            member.strategy.teach(link, liked)

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        sent = [[tag, number, member_tag] for tag, (number, member_tag) in self._sent.items()]
        return {**super().state(), "sent": sent}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._sent = {int(tag): (int(number), int(member_tag)) for tag, number, member_tag in state["sent"]}


def _different(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
