"""The frontier: known, unfetched links as columns, with sampling trees; and the read-only view that strategies get.

An id is a row: links are numbered in the order of discovery, so that ties go to the link that was seen first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from crawler.graph import LinkGraph
from crawler.model import Bools, Budget, Floats, Ids
from crawler.regions import Regions
from crawler.sampling import MaxTree, SumTree

_LINKS = np.int64


class Column:
    """A float column that grows with the known links."""

    def __init__(self, fill: float = 0.0) -> None:
        self._fill = fill
        self._values = np.full(64, fill)

    def grow(self, n: int) -> None:
        if n > len(self._values):
            longer = np.full(max(n, 2 * len(self._values)), self._fill)
            longer[: len(self._values)] = self._values
            self._values = longer

    def get(self, rows: Ids) -> Floats:
        return self._values[rows]

    def set(self, rows: Ids, values: Floats) -> None:
        self._values[rows] = values

    def dump(self, n: int) -> Floats:
        return self._values[:n].copy()


class Frontier:
    """Links waiting to be fetched. The loop writes it; strategies read it through ``view``."""

    def __init__(self, features: Sequence[str] = ()) -> None:
        self.n = 0
        self.feature_names = tuple(features)
        self._columns = {name: Column() for name in (*features, "host", "directory", "block", "step", "date")}
        self._columns["date"] = Column(np.nan)
        self._queued: Bools = np.zeros(64, dtype=np.bool_)
        self._weights = SumTree()
        self._present = SumTree()
        self._priorities = MaxTree()
        self._regions: Regions | None = None

    def __len__(self) -> int:
        """Number of queued links."""
        return round(self._present.root)

    def discover(self, **columns: Sequence[float] | Floats) -> Ids:
        """New rows, one per value of the given columns (host, directory, block, step, date); answers their ids."""
        lengths = {len(values) for values in columns.values()}
        if len(lengths) != 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        rows = np.arange(self.n, self.n + lengths.pop(), dtype=_LINKS)
        self.n += len(rows)
        for column in self._columns.values():
            column.grow(self.n)
        if self.n > len(self._queued):
            longer = np.zeros(max(self.n, 2 * len(self._queued)), dtype=np.bool_)
            longer[: len(self._queued)] = self._queued
            self._queued = longer
        for name, values in columns.items():
            self._columns[name].set(rows, np.asarray(values, dtype=np.float64))
        if self._regions is not None:
            self._regions.discover(rows, self._hosts(rows))
        return rows

    def is_queued(self, links: Ids) -> Bools:
        return self._queued[links]

    def set_feature(self, name: str, links: Ids, values: Floats) -> None:
        self._columns[name].set(links, values)

    def put(self, links: Ids, priority: Floats) -> None:
        """Queue links, or give queued ones a new priority. Raises ValueError for one that is not finite."""
        if len(links) == 0:
            return
        if not np.isfinite(priority).all():
            raise ValueError("a priority that is not finite")
        self._queued[links] = True
        self._priorities.set(links, priority)
        self._weights.set(links, np.maximum(priority, 0.0))
        self._present.set(links, np.ones(len(links)))
        if self._regions is not None:
            self._regions.put(links, self._hosts(links), priority)

    def take(self, links: Ids) -> None:
        """Remove links that are about to be fetched. Raises ValueError for one that is not queued."""
        if not self._queued[links].all():
            raise ValueError(f"not in the frontier: {links[~self._queued[links]].tolist()}")
        self._queued[links] = False
        self._priorities.set(links, np.full(len(links), -np.inf))
        self._weights.set(links, np.zeros(len(links)))
        self._present.set(links, np.zeros(len(links)))
        if self._regions is not None:
            self._regions.take(links, self._hosts(links))

    def queued(self) -> Ids:
        """Ids of all queued links, in the order of discovery."""
        return np.flatnonzero(self._queued[: self.n]).astype(_LINKS)

    def priority(self, links: Ids) -> Floats:
        """Priorities; -inf for a link that is not queued."""
        return self._priorities.get(links)

    def column(self, name: str, links: Ids) -> Floats:
        return self._columns[name].get(links)

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """``k`` roulette draws with replacement, proportional to priority; uniform where all are 0 (trap T11)."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw(rng, k)

    def draw_one(self, rng: np.random.Generator) -> int:
        """One roulette draw; the same distribution as ``draw``."""
        tree = self._weights if self._weights.root > 0.0 else self._present
        return tree.draw_one(rng)

    def best(self) -> int:
        """The queued link of the highest priority, the first come among equals."""
        return self._priorities.best()

    def top(self, k: int) -> Ids:
        """The ``k`` queued links of the highest priority, best first, first come among equals; all where fewer wait."""
        return self._priorities.top(k)

    def regions(self) -> Regions:
        """The queue by host; kept up to date from the first time that it is asked for."""
        if self._regions is None:
            self._regions = Regions()
            known, queued = np.arange(self.n, dtype=_LINKS), self.queued()
            self._regions.discover(known, self._hosts(known))
            self._regions.put(queued, self._hosts(queued), self.priority(queued))
        return self._regions

    def _hosts(self, links: Ids) -> Ids:
        return self._columns["host"].get(links).astype(_LINKS)

    def state(self) -> Mapping[str, Any]:
        """Arrays from which ``restore`` rebuilds the frontier exactly."""
        queued = self.queued()
        return {
            "n": self.n,
            "queued": queued,
            "priority": self.priority(queued),
            "columns": {name: column.dump(self.n) for name, column in self._columns.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take back a state into a frontier that is new. Raises ValueError for one that is not."""
        if self.n:
            raise ValueError("a state is restored into a new frontier only")
        columns: Mapping[str, Floats] = state["columns"]
        if set(columns) != set(self._columns):
            raise ValueError(f"saved columns {sorted(columns)} are not this frontier's {sorted(self._columns)}")
        if state["n"]:
            self.discover(**columns)
        self.put(np.asarray(state["queued"], dtype=_LINKS), np.asarray(state["priority"], dtype=np.float64))


class FrontierView:
    """What a strategy may see of a crawl: columns of links by id, the link graph, the budget. Nothing can be changed.

    Ids are int64 arrays of shape (m,); columns come back as float64 of the same shape.
    """

    def __init__(self, frontier: Frontier, graph: LinkGraph, budget: Budget) -> None:
        self._frontier = frontier
        self.graph = graph
        self.budget = budget

    def __len__(self) -> int:
        """Number of queued links."""
        return len(self._frontier)

    @property
    def links(self) -> Ids:
        """All queued links in the order of discovery (first in, first out)."""
        return self._frontier.queued()

    def priority(self, links: Ids) -> Floats:
        """Current priority; -inf for a link that is not queued."""
        return self._frontier.priority(links)

    def feature(self, name: str, links: Ids) -> Floats:
        """One feature column, for example ``anchor:TK``; only those that the strategy declared exist."""
        return self._frontier.column(name, links)

    def features(self, pattern: str, links: Ids) -> Floats:
        """All feature columns whose name matches, for example ``target:LTK_*``; shape (m, columns)."""
        names = [name for name in self._frontier.feature_names if fnmatchcase(name, pattern)]
        if not names:
            return np.empty((len(links), 0))
        return np.column_stack([self._frontier.column(name, links) for name in names])

    def host(self, links: Ids) -> Ids:
        """Number of the host of each link; equal numbers are equal hosts."""
        return self._frontier.column("host", links).astype(_LINKS)

    def directory(self, links: Ids) -> Ids:
        """Number of the directory of each link's URL."""
        return self._frontier.column("directory", links).astype(_LINKS)

    def block(self, links: Ids) -> Ids:
        """Number of the block of the page that each link was first seen in."""
        return self._frontier.column("block", links).astype(_LINKS)

    def step(self, links: Ids) -> Ids:
        """Number of pages fetched when each link was discovered."""
        return self._frontier.column("step", links).astype(_LINKS)

    def date(self, links: Ids) -> Floats:
        """Date of each link as a day number, NaN where unknown."""
        return self._frontier.column("date", links)

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """``k`` roulette draws with replacement, proportional to priority; uniform where all are 0."""
        return self._frontier.draw(rng, k)

    def best(self) -> int:
        """The queued link of the highest priority, the first come among equals."""
        return self._frontier.best()

    def top(self, k: int) -> Ids:
        """The ``k`` queued links of the highest priority, best first, first come among equals; all where fewer wait."""
        return self._frontier.top(k)

    def winning_host(self) -> int:
        """The host of the highest mean priority, the smallest number among equals. Raises ValueError for no links."""
        return self._frontier.regions().winner()

    def draw_within(self, host: int, rng: np.random.Generator, k: int) -> Ids:
        """``k`` roulette draws with replacement among the queued links of a host, as ``draw`` does among all."""
        return self._frontier.regions().draw(host, rng, k)
