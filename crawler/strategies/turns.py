"""Turns over several classes of a topic: one strategy for each, on the same pages.

Each class has a strategy of its own, with its own queue and state, which reads pages by the vector of the class alone:
R, and the topic weights of tokens. All learn from every page, and they choose by turns, one link each. A class that
found nothing in ``PATIENCE`` links of its own in a row leaves its turns to the others until a page of it is found, or
until all have found nothing. Not published; measured in docs/crawling.md#crawl-for-a-class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Outcome, PageScore
from crawler.strategies.base import State, Strategy
from crawler.strategies.ensemble import Ensemble
from crawler.strategies.optional_methods import TOKENS

PATIENCE = 50
"""Links of a class in a row without a page of it, after which it waits."""


class Turns(Ensemble):
    """Strategies of one kind that choose by turns, each for a class.

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
