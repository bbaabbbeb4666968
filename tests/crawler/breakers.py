"""Strategies that break one promise each, for tests of the conformance suite; and some that keep them all.

Those that are declared wrongly, or whose picks have a wrong form, are in tests/crawler/malformed.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from crawler.frontier import FrontierView
from crawler.model import NO_PICKS, Bools, Floats, Ids, Outcome, Picks
from crawler.strategies.base import State, with_seeds
from crawler.strategies.best_first import BestFirst
from crawler.strategies.breadth_first import BreadthFirst
from examples.cautious import Cautious


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


class ForgetsCounts(BreadthFirst):
    """Counts its rule anew after it was restored."""

    rules: ClassVar = {"first": "The first link is picked."}

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        self.count("first")
        return super().choose(view, rng, n)

    def restore_fired(self, fired: Mapping[str, int]) -> None:
        """Forget."""


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


class ForgetsTheHost(Cautious):
    """Leaves the host that was chosen last out of its state."""

    def state(self) -> State:
        return {"picked": self._picked}

    def restore(self, state: State) -> None:
        self._picked = int(state["picked"])


class SavesInVain(Cautious):
    """Saves that host and does not take it back."""

    def restore(self, state: State) -> None:
        self._picked = int(state["picked"])


class CountsCalls(BestFirst):
    """Wants every link a little less with each call, which changes the order rarely, and does not save the count."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.calls = 0

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        self.calls += 1
        return super().priority(view, links) * 0.999**self.calls


class CountsInItsClass(BestFirst):
    """Counts its calls where the next crawl finds them."""

    calls: ClassVar[list[int]] = []

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        self.calls.append(len(links))
        return super().priority(view, links) * 0.999 ** len(self.calls)


class HandsOver(BestFirst):
    """Scores links by what it was told just before, and does not save that."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.told = 0.0

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.told = sum(o.page_score.judged for o in outcomes if o.page_score is not None)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        told, self.told = self.told, 0.0
        return super().priority(view, links) + told


class DrawsAnew(BestFirst):
    """Has a generator of its own, of a fixed seed, which begins anew in a resumed crawl."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.dice = np.random.default_rng(0)

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return super().priority(view, links) + 0.01 * self.dice.random(len(links))


class GivesUp(BestFirst):
    """Chooses no more after ten failed fetches."""

    patience = 10

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.failed = 0

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.failed += sum(o.failure is not None for o in outcomes)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return super().choose(view, rng, n) if self.failed < self.patience else NO_PICKS

    def state(self) -> State:
        return {**super().state(), "failed": self.failed}

    def restore(self, state: State) -> None:
        super().restore(state)
        self.failed = int(state["failed"])


class GivesUpLater(GivesUp):
    """The same after twenty."""

    patience = 20


class GivesUpLast(GivesUp):
    """The same after a hundred, which come where all fail."""

    patience = 100


class Ends(BestFirst):
    """Chooses no more after sixty picks."""

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        return super().choose(view, rng, n) if self._picked < 60 else NO_PICKS


class AdmitsNothing(BestFirst):
    """Leaves out every link, so that the queue ends."""

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        return np.zeros(len(links), dtype=np.bool_)


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


class CreditsTheLast(BestFirst):
    """Learns the weights of its columns by regression, and takes whatever comes in for what its last pick led to."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.sent: dict[int, Floats] = {}
        self.seen: list[tuple[Floats, float]] = []
        self.weights = np.zeros(len(self.features))

    def rows(self, view: FrontierView, links: Ids) -> Floats:
        return np.column_stack([view.feature(name, links) for name in self.features])

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return with_seeds(view, links, self.rows(view, links) @ self.weights)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        self.sent.update(zip(picks.tag, self.rows(view, picks.link), strict=True))
        return picks

    def pick_of(self, outcome: Outcome) -> Floats:
        return self.sent[max(self.sent)]

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            if outcome.page_score is not None:
                self.seen.append((self.pick_of(outcome), outcome.page_score.relevance["TK"]))
        if len(self.seen) > 5:
            X, R = zip(*self.seen, strict=True)
            with_mean = np.column_stack([X, np.ones(len(X))])
            self.weights = np.linalg.lstsq(with_mean, np.array(R), rcond=None)[0][:-1]


class CreditsTheTag(CreditsTheLast):
    """The same, but by the tag."""

    def pick_of(self, outcome: Outcome) -> Floats:
        return self.sent[outcome.tag]


class Insists(BestFirst):
    """Makes a plan of ten links and follows it, though another may have taken one of them."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.plan: list[int] = []

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        self.plan = self.plan or view.top(10).tolist()
        links = np.array(self.plan[:n], dtype=np.int64)
        self.plan = self.plan[n:]
        self._picked += len(links)
        return Picks(links, tuple(range(self._picked - len(links), self._picked)), tuple({} for _ in links))


class Waits(BestFirst):
    """Takes ten links, and the next ten when its picks of them have come back."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.ten: set[int] = set()

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        self.ten = self.ten or set(view.top(10).tolist())
        queued = view.links[np.isin(view.links, list(self.ten))][:n]
        self._picked += len(queued)
        return Picks(queued, tuple(range(self._picked - len(queued), self._picked)), tuple({} for _ in queued))

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.ten -= {outcome.link for outcome in outcomes if outcome.tag >= 0}


class KnowsItsOwn(BestFirst):
    """Looks each outcome up among its own picks."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.out: dict[int, int] = {}

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        self.out.update(zip(picks.tag, picks.link.tolist(), strict=True))
        return picks

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        for outcome in outcomes:
            assert self.out.pop(outcome.tag) == outcome.link


class Sound(BestFirst):
    """As a user would write one, in a module of his own."""

    name = "sound"


class Listens(BreadthFirst):
    """Writes down what it picks and what it is told."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__(parameters)
        self.sent: list[tuple[int, int]] = []
        self.heard: list[Outcome] = []

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        return np.equal(links % 2, 0)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        picks = super().choose(view, rng, n)
        self.sent += zip(picks.tag, picks.link.tolist(), strict=True)
        return picks

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.heard += outcomes


class Logs(BreadthFirst):
    """Writes down how it is called, in a log that outlives it."""

    log: ClassVar[list[str]] = []

    def admit(self, view: FrontierView, links: Ids) -> Bools:
        self.log.append("admit")
        return super().admit(view, links)

    def choose(self, view: FrontierView, rng: np.random.Generator, n: int) -> Picks:
        self.log.append("choose")
        return super().choose(view, rng, n)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        self.log.append("tell")

    def state(self) -> State:
        self.log.append("state")
        return super().state()
