"""The interface of strategies: admit, priority, choose, tell, and a state that can be saved.

A strategy chooses among links; it has no access to page texts, HTTP or Cypher, and to words as hashed tokens only. For
each fetched page the loop calls, in this order: ``tell`` with its outcome, ``admit`` with its links (a rejected link is
offered again with each new parent), and ``priority`` for the admitted links and for queued links with a new parent.
Every few pages it calls ``priority`` for all queued links. When no link is queued or in flight, it takes the rejected
link with the largest ``value_of_rejected`` without ``choose``; its outcome has the tag -1.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Literal

import numpy as np

from crawler.frontier import FrontierView
from crawler.frontier.rescoring import Refresh
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.parameters import replace_defaults
from crawler.strategies.optional_methods import PAGE_PARTS, TOKENS, OptionalMethods, State

__all__ = ["PAGE_PARTS", "SEED_PRIORITY", "TOKENS", "NoParameters", "State", "Strategy", "with_seeds"]

SEED_PRIORITY = 1.0
"""Priority of seeds, for which no features exist; the highest one (trap T11)."""


@dataclass(frozen=True)
class NoParameters:
    """A strategy without parameters."""


class Strategy(OptionalMethods, ABC):
    """Base class of crawling strategies."""

    name: ClassVar[str]
    """Name in snake case, as on the command line and in JSON."""
    title: ClassVar[str]
    paper: ClassVar[str]
    """Source of the method: paper, section, algorithm."""
    Parameters: ClassVar[type] = NoParameters
    """A frozen dataclass of the published parameters with their printed defaults."""
    readings: ClassVar[Mapping[str, str]] = {}
    """Trap (T1 ..) -> the reading chosen, in one sentence."""

    counts: ClassVar[Literal["fetched", "admitted"]] = "fetched"
    """What its paper counts as downloaded pages (DP): pages it fetched, or links it admitted to the queue."""

    # Class attributes of most strategies; a mixture sets them from its members.
    guide: str = "paper_000"
    """Name of the relevance function that computes its features (crawler.scoring.relevance)."""
    guides: tuple[str, ...] = ()
    """Guides of the members of a mixture; empty for a strategy with one guide."""
    vocabularies: tuple[str, ...] = ("TK",)
    """Topic vectors it needs: TK, GTK, LTK_* (all local ones)."""
    features: tuple[str, ...] = ()
    """Columns it reads, as KIND:VOCABULARY or KIND; no others are computed (crawler.scoring.features)."""
    token_vectors: tuple[str, ...] = ("TK",)
    """Topic vectors by which tokens have topic weights."""
    page_parts: tuple[str, ...] = ()
    """Fields of Outcome it needs, out of PAGE_PARTS; the others are not filled."""
    prior: tuple[str, ...] = ()
    """Parts of a prior (crawler.frontier.prior) that it reads itself: ``hosts``, ``words``. Columns of PageRank read
    ``ranks``."""
    refresh: Refresh | None = None
    """Schedule by which its queued links are scored again; None for that of the crawl."""

    def __init__(self, parameters: Any = None) -> None:
        self.parameters = self.Parameters() if parameters is None else parameters
        self._fired = dict.fromkeys(self.rules, 0)

    def guided_by(self, guide: str) -> None:
        """Replace the published guide, before the crawl begins, by another name in crawler.scoring.relevance."""
        self.guide = guide

    @property
    def generation(self) -> int | None:
        """Number of generations formed so far; None for a strategy that has none.

        A strategy with generations forms at most ``view.budget.generations`` of them, if that is not 0, and then
        chooses no link any more.
        """
        return None

    @classmethod
    def parameter_names(cls, overrides: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that ``parameters_from`` accepts, for these overrides."""
        return tuple(field.name for field in fields(cls.Parameters))

    @classmethod
    def parameters_from(cls, overrides: Mapping[str, Any]) -> Any:
        """Return the parameters with some of them replaced by name; errors as in ``replace_defaults``."""
        return replace_defaults(cls.Parameters, overrides, cls.name)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Return a mask of the links to enqueue.

        Args:
            view: the crawl as the strategy sees it.
            links: ids of the candidates, shape (m,).

        Returns:
            Shape (m,).
        """
        return np.ones(len(links), dtype=np.bool_)

    @abstractmethod
    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the priority of each link.

        Args:
            view: the crawl as the strategy sees it.
            links: ids, shape (m,).

        Returns:
            Finite numbers, shape (m,); larger is better. Random draws treat negative ones as 0.
        """

    def value_of_rejected(self, view: FrontierView, links: Ids) -> Floats:
        """Return the order in which links that ``admit`` rejected are taken when nothing else is left, best first.

        Args:
            view: the crawl as the strategy sees it.
            links: ids of links that are not queued, ascending, shape (m,).

        Returns:
            Finite numbers, shape (m,); by default the priority that the links would have in the queue.
        """
        return self.priority(view, links)

    @abstractmethod
    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return the links to fetch next.

        Args:
            view: the crawl as the strategy sees it.
            rng: the only source of random numbers.
            n: largest number of picks, at least 1.

        Returns:
            At most ``n`` distinct queued links. Without picks the crawl ends, unless fetches are in flight.
        """

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Receive the outcomes of earlier picks, in order of arrival."""

    def state(self) -> State:
        """Return everything that ``restore`` needs to continue exactly as if the crawl had not been interrupted."""
        return {}

    def restore(self, state: State) -> None:
        """Restore a state that ``state`` returned."""


def with_seeds(view: FrontierView, links: Ids, priority: Floats) -> Floats:
    """Return priorities with SEED_PRIORITY for links that no fetched page contains; they have no features (trap T11).

    Args:
        view: the crawl as the strategy sees it.
        links: ids, shape (m,).
        priority: their priorities, shape (m,).
    """
    return np.where(view.graph.in_degree(links) == 0, SEED_PRIORITY, priority)
