"""A weighted mixture of strategies, switching between them, and turns (see crawler.strategies.ensemble).

--strategy mixture --param members=fcosa_g,wang_landau --param weights=3,1 --param wang_landau.delta=0.5
--strategy switching --param members=breadth_first,fcosa_lg --param after=200
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Outcome, PageScore
from crawler.parameters import Form, Range, parameter
from crawler.strategies.base import State, Strategy
from crawler.strategies.ensemble import Ensemble
from crawler.strategies.member_parameters import MembersParameters
from crawler.strategies.optional_methods import TOKENS
from ontology.errors import Message


@dataclass(frozen=True)
class MixtureParameters(MembersParameters):
    """Members and their weights.

    Raises:
        ValueError: the weights are not one non-negative number for each member, or not all values are allowed.
    """

    weights: str = parameter(
        "",
        "A number for each member, separated by commas, in proportion to its picks; empty for equal shares.",
        Form("nothing, a number of at least 0 for each member, not all 0"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        expected = f"a number of at least 0 for each of {', '.join(self.names)}, and not all 0, not {self.weights!r}"
        try:
            w = self.w
        except ValueError as error:
            raise ValueError(Message("strategies.parameter_weights_must", expected=expected)) from error
        if len(w) != len(self.names) or not all(0.0 <= w_i < np.inf for w_i in w) or sum(w) <= 0.0:
            raise ValueError(Message("strategies.parameter_weights_must", expected=expected))

    @property
    def w(self) -> tuple[float, ...]:
        """The weights as numbers."""
        return tuple(map(float, self.weights.split(","))) if self.weights else (1.0,) * len(self.names)


class Mixture(Ensemble):
    """Each pick is made by one member, drawn with probability in proportion to its weight."""

    name = "mixture"
    title = "Weighted mixture of strategies"
    paper = "Not published: any strategies together"
    Parameters = MixtureParameters
    parameters: MixtureParameters

    def __init__(self, parameters: MixtureParameters | None = None) -> None:
        super().__init__(parameters)
        w = np.array(self.parameters.w)
        self._w: Floats = w / w.sum()

    def weights(self) -> Floats:
        """Return the weights, scaled to sum 1."""
        return self._w

    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """Draw a member with probability equal to its weight."""
        return int(np.searchsorted(np.cumsum(self.weights())[:-1], rng.random(), side="right"))


@dataclass(frozen=True)
class SwitchingParameters(MembersParameters):
    """Members and the conditions for switching."""

    after: int = parameter(
        100, "Fetched pages after which the next member takes over, up to the last one; 0 for never.", Range(0, 10**9)
    )
    patience: int = parameter(
        0,
        "Irrelevant pages in a row after which the next member takes over, in a cycle; 0 for never.",
        Range(0, 10**9),
    )


class Switching(Ensemble):
    """One member at a time chooses; the next takes over after a number of pages, or of irrelevant pages in a row."""

    name = "switching"
    title = "Switching between strategies"
    paper = "Not published: any strategies one after another"
    Parameters = SwitchingParameters
    parameters: SwitchingParameters

    def __init__(self, parameters: SwitchingParameters | None = None) -> None:
        super().__init__(parameters)
        self._barren = 0
        """Irrelevant pages in a row since the last switch."""
        self._moved = 0
        """Number of switches because of irrelevant pages."""

    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """Return the member by the number of fetched pages, moved on by the switches because of irrelevant pages."""
        k, after = len(self._members), self.parameters.after
        by_count = min(view.budget.fetched // after, k - 1) if after else 0
        return (by_count + self._moved) % k

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Count irrelevant pages in a row, by the judge; failures are ignored."""
        super().tell(outcomes)
        for outcome in outcomes:
            if outcome.page_score is not None:
                self._barren = 0 if outcome.page_score.relevant else self._barren + 1
                if self.parameters.patience and self._barren >= self.parameters.patience:
                    self._barren, self._moved = 0, self._moved + 1

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "barren": self._barren, "moved": self._moved}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._barren, self._moved = int(state["barren"]), int(state["moved"])


# ---- turns over several classes of a topic: one strategy for each, on the same pages


PATIENCE = 50
"""Links of a class in a row without a page of it, after which it waits."""


class Turns(Ensemble):
    """Strategies of one kind that choose by turns, each for a class, whose vector alone it reads.

    All learn from every page: R and the topic weights of tokens are those by the class's own vector. They choose one
    link each in turn. A class that found nothing in ``PATIENCE`` links of its own in a row leaves its turns to the
    others until a page of it is found, or until all have found nothing. Measured in docs/benchmarks/class_topics.md.

    Args:
        strategies: one for each class, new.
        vectors: the name of each one's vector, TK_1 ..
        threshold: R by its vector above which a page is of a class.
        names: the classes, by which moves name them.
    """

    name = "turns"
    title = "Turns over classes"
    paper = "Not published: written for this project"
    readings: ClassVar = {}

    def __init__(
        self, strategies: Sequence[Strategy], vectors: Sequence[str], threshold: float, names: Sequence[str]
    ) -> None:
        self.token_vectors = tuple(vectors)
        self._threshold = threshold
        self._barren = np.zeros(len(vectors), dtype=np.int64)
        """Links of each class in a row without a page of it."""
        self._last = -1
        super(Ensemble, self).__init__(strategies[0].parameters)
        self._share(strategies, names)

    def _declare(self) -> None:
        super()._declare()
        self.vocabularies = ("TK", *self.token_vectors)

    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """Return the next class that does not wait."""
        if (self._barren >= PATIENCE).all():
            self._barren[:] = 0
        k = len(self._barren)
        order = [(self._last + 1 + i) % k for i in range(k)]
        self._last = next(i for i in order if self._barren[i] < PATIENCE)
        return self._last

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Count for each class its links in a row without a page of it, and pass outcomes on."""
        for outcome in outcomes:
            number, _ = self._sent.get(outcome.tag, (-1, -1))
            score = outcome.page_score
            found = [score is not None and score.relevance[v] > self._threshold for v in self.token_vectors]
            own = np.arange(len(found)) == number
            self._barren = np.where(found, 0, self._barren + own)
        super().tell(outcomes)

    def _as_seen_by(self, number: int, outcome: Outcome) -> Outcome:
        """Return an outcome in which the class's vector is TK."""
        score, vector = outcome.page_score, self.token_vectors[number]
        if score is None:
            return outcome
        R = score.relevance[vector]
        tokens: dict[str, Any] = {
            part: rows.by(number) for part in sorted(TOKENS) if (rows := getattr(outcome, part)) is not None
        }
        by_guide = {
            name: replace(one, relevance={**one.relevance, "TK": one.relevance[vector]})
            for name, one in outcome.by_guide.items()
        }
        own = PageScore({**score.relevance, "TK": R}, R, self._threshold < R)
        return replace(outcome, page_score=own, by_guide=by_guide, **tokens)

    def state(self) -> State:
        """Return everything that ``restore`` needs."""
        return {**super().state(), "barren": self._barren, "last": self._last}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""
        super().restore(state)
        self._barren, self._last = np.array(state["barren"], dtype=np.int64), int(state["last"])
