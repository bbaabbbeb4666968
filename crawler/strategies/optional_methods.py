"""What a strategy may do besides choosing.

It may read parts of pages, be taught, explain a priority, count how often its rules fired, and save changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, SupportsInt

from crawler.frontier import FrontierView
from crawler.model import Ids

TOKENS = frozenset({"tokens", "anchor_tokens", "context_tokens", "url_tokens"})
"""Fields of Outcome that are tokens, for which pages are cut into words."""
PAGE_PARTS = ("block_scores", "segment_dates", *sorted(TOKENS))
"""Optional fields of Outcome, filled only for strategies that declare them."""
State = Mapping[str, Any]
"""Saved state: name -> numpy array or a value that JSON keeps exactly (str, int, float, bool, None, list, dict)."""


@dataclass(frozen=True)
class Summand:
    """A quantity of a link that a strategy adds up to its priority."""

    name: str
    part: float
    """What it adds to the priority."""
    value: float
    """The quantity for the link."""
    mean: float
    deviation: float
    """Of the quantity over the queued links at the last refresh."""


@dataclass(frozen=True)
class Term(Summand):
    """One term of a sum that is a priority."""

    tokens: tuple[tuple[int, float], ...] = ()
    """The tokens that say most, each with its evidence: above 0 for the topic."""
    prior: float = 0.0
    """What ``part`` would lack without the prior of earlier crawls."""


class OptionalMethods:
    """Methods of strategies that do nothing by default."""

    rules: ClassVar[Mapping[str, str]] = {}
    """Rule -> what it does, in one sentence; a run counts how often each fired, so that idle ones are seen."""
    _fired: dict[str, int]

    def count(self, rule: str, times: SupportsInt = 1) -> None:
        """Count that a rule fired; for methods that the loop calls, as a replay repeats these.

        Raises:
            KeyError: ``rules`` has no such rule.
        """
        self._fired[rule] += int(times)

    def fired(self) -> dict[str, int]:
        """Return how often each rule fired so far."""
        return dict(self._fired)

    def restore_fired(self, fired: Mapping[str, int]) -> None:
        """Continue to count from what ``fired`` returned."""
        self._fired = {rule: int(fired.get(rule, 0)) for rule in self._fired}

    @property
    def is_teachable(self) -> bool:
        """Whether it takes the verdicts of persons about pages, which a strategy does that has a method ``teach``."""
        return type(self).teach is not OptionalMethods.teach

    def teach(self, link: int, liked: bool | None) -> None:
        """Receive the verdict of a person about a page; all queued links are scored again after it.

        Args:
            link: id of the page. It may not be fetched yet: then it is in the queue or in flight, and should have the
                highest priority until its outcome comes.
            liked: whether it is a page of the kind that the person looks for; None where the verdict is taken back. It
                replaces earlier verdicts.
        """

    def begin_refresh(self, view: FrontierView, links: Ids) -> None:
        """Begin to score queued links again; ``priority`` of the same links follows.

        Figures by which all links are compared, such as means over the queue, should change here and nowhere else, so
        that priorities from two calls of ``priority`` between two refreshes are comparable.

        Args:
            view: the crawl as the strategy sees it.
            links: ids of all queued links, or of a part of a long queue (``refresh``), ascending, shape (m,).
        """

    def explain(self, view: FrontierView, link: int) -> tuple[Term, ...]:
        """Return the terms whose sum is the priority of a link; none for a strategy whose priority is no sum."""
        return ()

    def state(self) -> State:
        """Return everything that ``restore`` needs; a strategy has its own."""
        return {}

    def changes(self) -> State:
        """Return ``state``, in which a crawler.frontier.growable.Patch may stand for an array since the last ``saved``.

        A strategy with large arrays that only grow saves the time to write them whole in every snapshot.
        """
        return self.state()

    def saved(self) -> None:
        """Continue after a snapshot of ``state`` or ``changes`` was written."""
