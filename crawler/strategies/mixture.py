"""A weighted mixture of strategies, and switching between them; how members share a crawl: crawler.strategies.ensemble.

--strategy mixture --param members=fcosa_g,wang_landau --param weights=3,1 --param wang_landau.delta=0.5
--strategy switching --param members=breadth_first,fcosa_lg --param after=200
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Floats, Outcome
from crawler.parameters import Form, Range, parameter
from crawler.strategies.base import State
from crawler.strategies.ensemble import Ensemble
from crawler.strategies.member_parameters import MembersParameters


@dataclass(frozen=True)
class MixtureParameters(MembersParameters):
    """Raises ValueError for weights that are not one non-negative number for each member."""

    weights: str = parameter(
        "",
        "A number for each member with commas between them, in proportion to its share of the picks; empty: equal.",
        Form("nothing, a number of at least 0 for each member, not all 0"),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        expected = f"a number of at least 0 for each of {', '.join(self.names)}, and not all 0, not {self.weights!r}"
        try:
            w = self.w
        except ValueError as error:
            raise ValueError(f"parameter weights must be {expected}") from error
        if len(w) != len(self.names) or not all(0.0 <= w_i < np.inf for w_i in w) or sum(w) <= 0.0:
            raise ValueError(f"parameter weights must be {expected}")

    @property
    def w(self) -> tuple[float, ...]:
        """The weights as numbers."""
        return tuple(map(float, self.weights.split(","))) if self.weights else (1.0,) * len(self.names)


class Mixture(Ensemble):
    """Each pick is that of one member, drawn by weight."""

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
        """The given weights, sum 1."""
        return self._w

    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """A member with probability its weight."""
        return int(np.searchsorted(np.cumsum(self.weights())[:-1], rng.random(), side="right"))


@dataclass(frozen=True)
class SwitchingParameters(MembersParameters):
    """Raises ValueError for one out of its range."""

    after: int = parameter(
        100, "Fetched pages after which the next member takes over, until the last one; 0 for never.", Range(0, 10**9)
    )
    patience: int = parameter(
        0,
        "Irrelevant pages in a row after which the next one takes over, the first after the last; 0 for never.",
        Range(0, 10**9),
    )


class Switching(Ensemble):
    """One member chooses until the next takes over: after so many pages, or when nothing relevant comes any more."""

    name = "switching"
    title = "Switching between strategies"
    paper = "Not published: any strategies one after another"
    Parameters = SwitchingParameters
    parameters: SwitchingParameters

    def __init__(self, parameters: SwitchingParameters | None = None) -> None:
        super().__init__(parameters)
        self._barren = 0
        """Irrelevant pages in a row since a member took over."""
        self._moved = 0
        """How often one took over for that."""

    def turn(self, view: FrontierView, rng: np.random.Generator) -> int:
        """The member that the count of pages points to, and as many further as patience was lost."""
        k, after = len(self._members), self.parameters.after
        by_count = min(view.budget.fetched // after, k - 1) if after else 0
        return (by_count + self._moved) % k

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """A page is relevant by the judge; a failure says nothing."""
        super().tell(outcomes)
        for outcome in outcomes:
            if outcome.page_score is not None:
                self._barren = 0 if outcome.page_score.relevant else self._barren + 1
                if self.parameters.patience and self._barren >= self.parameters.patience:
                    self._barren, self._moved = 0, self._moved + 1

    def state(self) -> State:
        return {**super().state(), "barren": self._barren, "moved": self._moved}

    def restore(self, state: State) -> None:
        super().restore(state)
        self._barren, self._moved = int(state["barren"]), int(state["moved"])
