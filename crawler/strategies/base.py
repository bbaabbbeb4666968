"""The interface of strategies: admit, priority, choose, tell, and a state that can be saved.

A strategy chooses among links; it never sees a page's text, HTTP or Cypher. For each fetched page the loop calls, in
this order: ``tell`` with its outcome, ``admit`` with its links (a link rejected before is offered again with each new
parent), ``priority`` of the admitted and of the links already queued that gained a parent. Every few pages it asks
``priority`` of all queued links again.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome, Picks

PAGE_PARTS = ("block_scores", "segment_dates")
"""Fields of Outcome that are filled where a strategy asks for them."""
State = Mapping[str, Any]
"""Saved state: names to numpy arrays or values that JSON keeps exactly (str, int, float, bool, None, lists, dicts)."""


SEED_PRIORITY = 1.0
"""Seeds have no priority of their own for the roulette; trap T11 gives them the highest."""


@dataclass(frozen=True)
class NoParameters:
    """A strategy without parameters."""


class Strategy(ABC):
    """A crawling strategy. Constructing one stores its parameters and does nothing else."""

    name: ClassVar[str]
    """The variant in snake case, as it stands on the command line and in JSON."""
    title: ClassVar[str]
    paper: ClassVar[str]
    """Where it was published: paper, section, algorithm."""
    Parameters: ClassVar[type] = NoParameters
    """A frozen dataclass of the published parameters with their printed defaults."""
    readings: ClassVar[Mapping[str, str]] = {}
    """Trap (T1 ..) -> the reading taken, in one sentence."""

    # A class declares these; a strategy that is made of others has those of its members.
    guide: str = "paper_000"
    """The relevance function that computes its features (crawler.scoring)."""
    guides: tuple[str, ...] = ()
    """The guides of its members, of a strategy that is made of others; empty for one guide."""
    vocabularies: tuple[str, ...] = ("TK",)
    """The vectors it needs: TK, GTK, LTK_* (all local ones)."""
    features: tuple[str, ...] = ()
    """The columns it reads, as KIND:VOCABULARY or KIND; the loop computes no others (crawler.scoring.features)."""
    page_parts: tuple[str, ...] = ()
    """Fields of Outcome, some of PAGE_PARTS, that the strategy needs; the loop fills no others."""

    def __init__(self, parameters: Any = None) -> None:
        self.parameters = self.Parameters() if parameters is None else parameters

    def guided_by(self, guide: str) -> None:
        """Take another guide than the published one, before the crawl begins: a name in crawler.scoring.relevance."""
        self.guide = guide

    @classmethod
    def parameter_names(cls, overrides: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the names that ``parameters_from`` accepts, for these overrides."""
        return tuple(field.name for field in fields(cls.Parameters))

    @classmethod
    def parameters_from(cls, overrides: Mapping[str, Any]) -> Any:
        """Return the parameters, some replaced by name. Raises ValueError as the function of this name does."""
        return parameters_from(cls, overrides)

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Return a mask, shape (m,), of the links to enqueue among the candidates ``links``, ids of shape (m,)."""
        return np.ones(len(links), dtype=np.bool_)

    @abstractmethod
    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the priority of each link, finite, shape (m,). Larger is better; draws take negative ones as 0."""

    @abstractmethod
    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Return at most ``n`` different queued links. No picks end the crawl, unless fetches are still in flight."""

    def tell(self, outcomes: Sequence[Outcome]) -> None:  # noqa: B027 - a strategy may learn nothing
        """Receive the outcomes of earlier picks, in the order in which they came in."""

    def state(self) -> State:
        """Return everything that ``restore`` needs to go on exactly as if nothing had happened."""
        return {}

    def restore(self, state: State) -> None:  # noqa: B027 - a strategy may have no state
        """Restore a state that ``state`` returned."""


def with_seeds(view: FrontierView, links: Ids, priority: Floats) -> Floats:
    """Return the priority, SEED_PRIORITY for links that no fetched page contains: they have no features (trap T11)."""
    return np.where(view.graph.in_degree(links) == 0, SEED_PRIORITY, priority)


def parameters_from(cls: type[Strategy], overrides: Mapping[str, Any]) -> Any:
    """Return the parameters of a strategy with some of them replaced by name.

    Raises:
        ValueError: an unknown name, a value of the wrong type, or one that its dataclass refuses.
    """
    known = {f.name: f for f in fields(cls.Parameters)}
    values = {name: _as_text(value) if _is_text(known.get(name)) else value for name, value in overrides.items()}
    for name, value in values.items():
        if name not in known:
            raise ValueError(f"{cls.name} has no parameter {name!r}; it has: {', '.join(known) or 'none'}")
        expected = _expected(known[name].default, value)
        if expected is not None:
            raise ValueError(f"{cls.name}: parameter {name} must be {expected}, not {value!r}")
    return cls.Parameters(**values)


def _is_text(field: Field[Any] | None) -> bool:
    return field is not None and isinstance(field.default, str)


def _as_text(value: Any) -> Any:
    """A number that was given for a text, such as one weight or a class called 7, as it was written."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _expected(default: Any, value: Any) -> str | None:
    """Return what a value should have been to replace a default, None where it may replace it."""
    if isinstance(default, bool):
        return None if isinstance(value, bool) else "true or false"
    if isinstance(default, int):
        return None if isinstance(value, int) and not isinstance(value, bool) else "a whole number"
    if isinstance(default, float):
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        return None if number else "a finite number"
    return None if isinstance(value, str) else "a text"
