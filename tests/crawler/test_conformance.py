"""Every registered strategy keeps the seam's promises; and the suite notices strategies that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from crawler import testing
from crawler.frontier import FrontierView
from crawler.model import NO_PICKS, Bools, Floats, Ids, Outcome, Picks
from crawler.strategies import STRATEGIES
from crawler.strategies.base import State, Strategy
from crawler.strategies.best_first import BestFirst
from crawler.strategies.breadth_first import BreadthFirst
from crawler.testing import CHECKS, Conditions, ConformanceError, PlantedWeb, Rehearsal

LONG = {testing.check_same_trace_in_another_process, testing.check_beats_breadth_first}
QUICK = ("breadth_first", "fcosa_lg")
"""The strategies that go through the long checks at every `make test`; all do in `.ci/run`."""


def cases() -> Iterator[Any]:
    for name in STRATEGIES:
        for check in CHECKS:
            marks = [pytest.mark.slow] if check in LONG and name not in QUICK else []
            yield pytest.param(name, check, marks=marks, id=f"{name}-{check.__name__.removeprefix('check_')}")


@pytest.mark.parametrize(("name", "check"), list(cases()))
def test_strategy(name: str, check: Callable[[type[Strategy]], None]) -> None:
    check(STRATEGIES[name])


def rng_of_its_own() -> np.random.Generator:
    return np.random.default_rng()


class Repeats(BreadthFirst):
    """Picks its first link again and again."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return Picks(np.zeros(1, dtype=np.int64), (len(view),), ({},)) if len(view) and n else NO_PICKS


class Invents(BreadthFirst):
    """Picks a link that does not exist."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return Picks(np.array([10**6]), (0,), ({},))


class Greedy(BreadthFirst):
    """Picks more than it was asked for."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return super().choose(view, rng, n + 1)


class Stubborn(BreadthFirst):
    """Insists on a link where there is none."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return super().choose(view, rng, n) if len(view) else Picks(np.array([view.best()]), (0,), ({},))


class Moody(BestFirst):
    """Draws from a generator of its own."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return super().choose(view, rng, n) if n < 1 else self._any(view, n)

    def _any(self, view: FrontierView, n: int) -> Picks:
        links = rng_of_its_own().permutation(view.links)[:n]
        return Picks(links, tuple(links.tolist()), tuple({} for _ in links))


class Hashing(BreadthFirst):
    """Orders links by the hash of a text, which another process salts otherwise."""

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return np.array([hash(f"link {link}") % 1000 / 1000 for link in links.tolist()], dtype=np.float64)


class Forgets(BreadthFirst):
    """Keeps the number of picks out of its state."""

    def state(self) -> State:
        return {"picked": 0}


class Learns(BestFirst):
    """Remembers the hosts of relevant pages, and saves them as a set."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.good: set[int] = set()

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.good.update(o.link for o in outcomes if o.failure is None)

    def state(self) -> State:
        return {**super().state(), "good": self.good}


class NotFinite(BestFirst):
    """Divides by the number of parents, also where there is none."""

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        with np.errstate(divide="ignore"):
            return 1.0 / view.graph.in_degree(links)


class WrongShape(BestFirst):
    """Answers one verdict for all."""

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        return np.array([True])


class BelievesAll(BestFirst):
    """Takes a score for granted where a fetch failed."""

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.page_score is None:
                raise KeyError(outcome.link)


class Meddles(BestFirst):
    """Raises the priority of what it looks at."""

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        priority = super().priority(view, links)
        view._frontier.put(links, priority + 1.0)
        return priority


class Aimless(BestFirst):
    """Reads features and does not use them."""

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return np.ones(len(links))


@dataclass
class LooseParameters:
    """Can be set."""

    depth: int = 3


class Loose(BreadthFirst):
    """Has parameters that are not frozen."""

    Parameters = LooseParameters


class Unsourced(BreadthFirst):
    """Does not say where it was published."""

    paper = ""


class BadReading(BreadthFirst):
    """Names a reading that points to no trap."""

    readings: ClassVar = {"fast": "It is."}


class Unreadable(BestFirst):
    """Reads a column that no crawl has."""

    features = ("anchor:TK", "sentiment:TK")


class SameTag(BreadthFirst):
    """Gives all picks one tag."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, (0,) * len(picks), picks.move)


class OpaqueMove(BreadthFirst):
    """Explains its choice by an array."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        return Picks(picks.link, picks.tag, tuple({"queue": view.links} for _ in picks.tag))


@pytest.mark.parametrize(
    ("broken", "check", "message"),
    [
        (Repeats, "picks_are_sound", "queued links"),
        (Invents, "picks_are_sound", "queued links"),
        (Greedy, "picks_are_sound", "at most"),
        (SameTag, "picks_are_sound", "number the picks"),
        (OpaqueMove, "picks_are_sound", "not plain JSON"),
        (WrongShape, "picks_are_sound", "of shape"),
        (NotFinite, "links_without_features", "not finite"),
        (Greedy, "empty_and_single", "at most"),
        (Moody, "same_seed_same_trace", "same seed differs at step"),
        (Hashing, "same_trace_in_another_process", "another process differs at step"),
        (Forgets, "resumes", "given to earlier picks|resumed crawl differs"),
        (Learns, "resumes", "JSON does not keep"),
        (Meddles, "view_is_not_changed", "priority changed the view"),
        (Aimless, "beats_breadth_first", "at least 1.5 times"),
        (Loose, "parameters_are_frozen", "must be frozen: depth"),
        (Unsourced, "is_documented", "needs a paper"),
        (BadReading, "is_documented", "must name a trap"),
        (Unreadable, "is_documented", "sentiment:TK"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_the_suite_notices(broken: type[Strategy], check: str, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        getattr(testing, f"check_{check}")(broken)


def test_the_suite_does_not_hide_errors() -> None:
    with pytest.raises(ValueError, match="best of no links"):
        testing.check_empty_and_single(Stubborn)
    with pytest.raises(KeyError):
        testing.check_late_and_failed_outcomes(BelievesAll)


def test_a_sound_strategy_outside_the_registry_passes() -> None:
    testing.check_strategy(Sound)


class Sound(BestFirst):
    """As a user would write one, in a module of his own."""

    name = "sound"


def test_the_planted_web_is_a_function_of_its_seed() -> None:
    one, same, other = PlantedWeb.plant(3), PlantedWeb.plant(3), PlantedWeb.plant(4)
    assert np.array_equal(one.relevant, same.relevant) and np.array_equal(one.R["LTK_2"], same.R["LTK_2"])
    assert all(np.array_equal(a, b) for a, b in zip(one.out, same.out, strict=True))
    assert not np.array_equal(one.relevant, other.relevant)
    assert 0.08 < one.relevant.mean() < 0.3
    assert all(((R >= 0) & (R <= 1)).all() for R in (*one.R.values(), *one.R_anchor.values()))


def test_a_rehearsal_ends_when_a_strategy_ends_it() -> None:
    class Tired(BreadthFirst):
        """Gives up after five picks."""

        def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
            return super().choose(view, rng, n) if self._picked < 5 else NO_PICKS

    crawl = Rehearsal(Tired(), PlantedWeb.plant(0), 0, 50, Conditions(in_flight=2)).run()
    assert len(crawl.fetched) in (5, 6) and not crawl.pending
