"""The form of what a strategy answers, what two crawls of one strategy answered differently, and its saved state."""

from __future__ import annotations

import io
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from crawler.model import Ids, Picks
from crawler.strategies.base import State


class ConformanceError(AssertionError):
    """A strategy broke a promise of the seam; the message says which, and what to change."""


class Answer(NamedTuple):
    """What a strategy answered to one call."""

    step: int
    """Outcomes that came before."""
    method: str
    """choose, admit or priority."""
    links: list[int]
    of_each: list[Any]
    """For each link: [tag, move], whether it is admitted, or its priority."""


def difference(expected: Sequence[Answer], found: Sequence[Answer]) -> str | None:
    """Where two crawls begin to differ, as the end of a sentence; None where they do not."""
    pairs = zip(expected, found, strict=False)
    at = next((i for i, (one, other) in enumerate(pairs) if one != other), min(len(expected), len(found)))
    one, other = expected[at : at + 1], found[at : at + 1]
    if not one and not other:
        return None
    return f"at step {(one or other)[0].step}: {_shown(one, other)} became {_shown(other, one)}"


def _shown(answers: Sequence[Answer], others: Sequence[Answer]) -> str:
    """What an answer says of the first link for which the other one says something else."""
    if not answers:
        return "no call"
    given, others_given = _of_each(answers), _of_each(others)
    at = next((i for i, pair in enumerate(given) if others_given[i : i + 1] != [pair]), None)
    if at is None:
        return f"{answers[0].method} of {len(given)} links"
    link, answer = given[at]
    if answers[0].method == "choose":
        return f"choose of link {link} with tag {answer[0]} and move {answer[1]}"
    return f"{answers[0].method} {answer} of link {link}"


def _of_each(answers: Sequence[Answer]) -> list[tuple[int, Any]]:
    return [pair for answer in answers for pair in zip(answer.links, answer.of_each, strict=True)]


def check_picks(picks: Picks, n: int, queued: Ids) -> None:
    """Raises ConformanceError for picks that are too many, repeated, unknown, not queued, or not described plainly."""
    links = picks.link
    if not isinstance(links, np.ndarray) or links.dtype != np.int64 or links.ndim != 1:
        raise ConformanceError(f"Picks.link must be an array of int64 ids of shape (k,), not {_kind(links)}")
    for name, given in (("tag", picks.tag), ("move", picks.move)):
        if not isinstance(given, tuple | list):
            raise ConformanceError(f"Picks.{name} must be a tuple, one for each pick, not {_kind(given)}")
    if len(links) > n:
        raise ConformanceError(f"{len(links)} picks where at most {n} were asked for")
    if len(np.unique(links)) != len(links):
        twice = [link for link, times in Counter(links.tolist()).items() if times > 1]
        raise ConformanceError(
            f"picks must be different links, and {twice} come twice or more: view.draw draws with replacement"
        )
    others = links[~np.isin(links, queued)]
    if len(others):
        raise ConformanceError(f"picks must be queued links, and {others.tolist()} are not: choose from view.links")
    if len(picks.tag) != len(links) or len(picks.move) != len(links):
        raise ConformanceError(f"{len(links)} picks with {len(picks.tag)} tags and {len(picks.move)} moves: one each")
    if min(picks.tag, default=0) < 0:
        raise ConformanceError(f"tags must be 0 or more, not {picks.tag}: -1 is the tag of a page that another chose")
    for move in picks.move:
        try:
            plain = json.loads(json.dumps(dict(move), allow_nan=False)) == dict(move)
        except (TypeError, ValueError) as error:
            raise ConformanceError(
                f"move {move!r} is not plain JSON ({error}): use str, int, float, bool, None"
            ) from error
        if not plain:
            raise ConformanceError(f"move {move!r} does not survive JSON: use str keys and plain values")


def _kind(given: Any) -> str:
    return f"{given.dtype} of shape {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__


def check_answer(method: str, answer: Any, links: Ids, dtype: type) -> None:
    """Raises ConformanceError for an answer of ``admit`` or ``priority`` of the wrong type or shape, or not finite."""
    if not isinstance(answer, np.ndarray) or answer.dtype != dtype or answer.shape != links.shape:
        raise ConformanceError(f"{method} must answer {dtype.__name__} of shape {links.shape}, not {_kind(answer)}")
    if not np.isfinite(answer).all():
        raise ConformanceError(f"{method} answered a value that is not finite: {answer[~np.isfinite(answer)].tolist()}")


def through_storage(state: State) -> State:
    """A state as it comes back from storage: arrays by npz, all else by JSON.

    Raises:
        ConformanceError: a value that neither keeps exactly.
    """
    arrays = {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    rest = {name: value for name, value in state.items() if name not in arrays}
    stored = io.BytesIO()
    np.savez(stored, allow_pickle=False, **arrays)
    stored.seek(0)
    try:
        loaded = json.loads(json.dumps(rest, allow_nan=False))
    except (TypeError, ValueError) as error:
        raise ConformanceError(f"state() has a value that JSON does not keep: {error}") from error
    if loaded != rest:
        raise ConformanceError(f"state() changes by JSON: {rest!r} comes back as {loaded!r}; use str keys and lists")
    with np.load(stored, allow_pickle=False) as kept:
        return {**loaded, **{name: kept[name] for name in arrays}}
