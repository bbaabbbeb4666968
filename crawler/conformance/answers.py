"""Results of a strategy's methods: checked, recorded and compared between two crawls; and its saved state."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import Bools, Floats, Ids, Outcome, Picks
from crawler.strategies.base import State, Strategy
from ontology.errors import OntocrawlError


class ConformanceError(OntocrawlError, AssertionError):
    """Error for a strategy that breaks a promise of its interface; the message says which, and what to change."""


class StrategyCall(NamedTuple):
    """A call of a strategy, with its result."""

    step: int
    """Number of outcomes before the call."""
    method: str
    """choose, admit, priority or value_of_rejected."""
    links: list[int]
    of_each: list[Any]
    """For each link: [tag, move], whether it is admitted, its priority, or its value."""


def difference(expected: Sequence[StrategyCall], actual: Sequence[StrategyCall]) -> str | None:
    """Return where two crawls begin to differ, as the end of a sentence; None where they do not."""
    pairs = zip(expected, actual, strict=False)
    first = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(actual)))
    one, other = expected[first : first + 1], actual[first : first + 1]
    if not one and not other:
        return None
    return f"at step {(one or other)[0].step}: {_shown(one, other)} became {_shown(other, one)}"


def _shown(calls: Sequence[StrategyCall], others: Sequence[StrategyCall]) -> str:
    """Describe the result of a call for the first link for which the other call has another result."""
    if not calls:
        return "no call"
    returned, by_the_other = _of_each(calls), _of_each(others)
    first = next((i for i, pair in enumerate(returned) if by_the_other[i : i + 1] != [pair]), None)
    if first is None:
        return f"{calls[0].method} of {len(returned)} links"
    link, value = returned[first]
    if calls[0].method == "choose":
        return f"choose of link {link} with tag {value[0]} and move {value[1]}"
    return f"{calls[0].method} {value} of link {link}"


def _of_each(calls: Sequence[StrategyCall]) -> list[tuple[int, Any]]:
    return [pair for call in calls for pair in zip(call.links, call.of_each, strict=True)]


def check_picks(picks: Picks, n: int, queued: Ids) -> None:
    """Check the result of ``choose``.

    Args:
        picks: the result.
        n: maximum number of picks.
        queued: ids of the queued links.

    Raises:
        ConformanceError: picks that are too many, repeated or not queued, or tags and moves that are not valid.
    """
    links = picks.link
    if not isinstance(links, np.ndarray) or links.dtype != np.int64 or links.ndim != 1:
        raise ConformanceError("conformance.picks_link_must_array", kind=_kind(links))
    for name, values in (("tag", picks.tag), ("move", picks.move)):
        if not isinstance(values, tuple | list):
            raise ConformanceError("conformance.picks_must_tuple_each", name=name, kind=_kind(values))
    if len(links) > n:
        raise ConformanceError("conformance.picks_where_most_asked", n_links=len(links), n=n)
    if len(np.unique(links)) != len(links):
        twice = [link for link, times in Counter(links.tolist()).items() if times > 1]
        raise ConformanceError("conformance.picks_must_different_links", twice=twice)
    others = links[~np.isin(links, queued)]
    if len(others):
        raise ConformanceError("conformance.picks_must_queued_links", tolist=others.tolist())
    if len(picks.tag) != len(links) or len(picks.move) != len(links):
        raise ConformanceError(
            "conformance.picks_tags_moves_each", n_links=len(links), n_tag=len(picks.tag), n_move=len(picks.move)
        )
    if min(picks.tag, default=0) < 0:
        raise ConformanceError("conformance.tags_must_more_not", tag=picks.tag)
    for move in picks.move:
        try:
            plain = json.loads(json.dumps(dict(move), allow_nan=False)) == dict(move)
        except (TypeError, ValueError) as error:
            raise ConformanceError("conformance.move_not_plain_json", move=move, error=error) from error
        if not plain:
            raise ConformanceError("conformance.move_does_not_survive", move=move)


def _kind(value: Any) -> str:
    return f"{value.dtype} of shape {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__


def check_values(method: str, values: Any, links: Ids, dtype: type) -> None:
    """Check the result of ``admit`` or ``priority``.

    Args:
        method: admit or priority.
        values: the result.
        links: the links that it was called with.
        dtype: expected type of the values.

    Raises:
        ConformanceError: the result has the wrong type or shape, or is not finite.
    """
    if not isinstance(values, np.ndarray) or values.dtype != dtype or values.shape != links.shape:
        raise ConformanceError(
            "conformance.must_return_shape_not",
            method=method,
            dtype=dtype.__name__,
            shape=links.shape,
            kind=_kind(values),
        )
    if not np.isfinite(values).all():
        infinite = values[~np.isfinite(values)].tolist()
        raise ConformanceError("conformance.returned_value_not_finite", method=method, infinite=infinite)


def through_storage(state: State) -> State:
    """Return a state after storage and loading: arrays by npz, other values by JSON.

    Raises:
        ConformanceError: a value that changes.
    """
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in state.items() if name not in arrays}
    stored = io.BytesIO()
    np.savez(stored, allow_pickle=False, **arrays)
    stored.seek(0)
    try:
        loaded = json.loads(json.dumps(rest, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ConformanceError("conformance.state_value_json_does", error=error) from error
    if loaded != rest:
        raise ConformanceError("conformance.state_changes_json_comes", rest=rest, loaded=loaded)
    with np.load(stored, allow_pickle=False) as kept:
        return {**loaded, **{name: kept[name] for name in arrays}}


class CheckedStrategy(Strategy):
    """Wrapper of a strategy that checks and records the results of its methods."""

    def __init__(self, strategy: Strategy) -> None:
        super().__init__(strategy.parameters)
        self.strategy = strategy
        self.calls: list[StrategyCall] = []
        """Recorded calls, in order."""
        self.refresh = strategy.refresh
        self._outcomes = 0
        self._tags: set[int] = set()

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        """Call ``admit`` of the strategy and check the result."""
        admitted = self.strategy.admit(view, links)
        check_values("admit", admitted, links, np.bool_)
        self._record("admit", links, admitted.tolist())
        return admitted

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Call ``priority`` of the strategy and check the result."""
        priority = self.strategy.priority(view, links)
        check_values("priority", priority, links, np.float64)
        self._record("priority", links, priority.tolist())
        return priority

    def value_of_rejected(self, view: FrontierView, links: Ids) -> Floats:
        """Call ``value_of_rejected`` of the strategy and check the result."""
        value = self.strategy.value_of_rejected(view, links)
        check_values("value_of_rejected", value, links, np.float64)
        self._record("value_of_rejected", links, value.tolist())
        return value

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        """Call ``choose`` of the strategy and check the result."""
        picks = self.strategy.choose(view, rng, n)
        check_picks(picks, n, view.links)
        reused = self._tags.intersection(picks.tag)
        if reused:
            raise ConformanceError("conformance.tags_given_earlier_picks", reused=sorted(reused))
        self._tags.update(picks.tag)
        self._record("choose", picks.link, [[tag, dict(move)] for tag, move in zip(picks.tag, picks.move, strict=True)])
        return picks

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Pass outcomes on to the strategy."""
        self._outcomes += len(outcomes)
        self.strategy.tell(outcomes)

    @property
    def is_teachable(self) -> bool:
        """Whether the strategy takes the verdicts of persons."""
        return self.strategy.is_teachable

    def teach(self, link: int, liked: bool | None) -> None:
        """Pass a verdict on to the strategy."""
        self.strategy.teach(link, liked)

    def fired(self) -> dict[str, int]:
        """Return how often each rule of the strategy fired."""
        return self.strategy.fired()

    def restore_fired(self, fired: Mapping[str, int]) -> None:
        """Let the strategy continue to count."""
        self.strategy.restore_fired(fired)

    def begin_refresh(self, view: FrontierView, links: Ids) -> None:
        """Tell the strategy that links are about to be scored again."""
        self.strategy.begin_refresh(view, links)

    def state(self) -> State:
        """Return the state of the strategy, stored and loaded once."""
        return through_storage(self.strategy.state())

    def restore(self, state: State) -> None:
        """Restore the state of the strategy."""
        self.strategy.restore(state)

    def _record(self, method: str, links: Ids, of_each: list[Any]) -> None:
        self.calls.append(StrategyCall(self._outcomes, method, links.tolist(), of_each))
