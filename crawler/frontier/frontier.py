"""The frontier: columns of known links with their queue, and the read-only view of it that strategies receive.

The id of a link is its row: links are numbered in the order of discovery, so that ties go to the one discovered first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from crawler.frontier.growable import Column, Patch, Touched
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.prior import LinkPrior, Prior
from crawler.frontier.queue import Queue, Regions, require_finite
from crawler.frontier.url_ids import UrlIds
from crawler.model import Budget, Floats, Ids
from ontology.errors import OntocrawlError


class UndeclaredError(OntocrawlError, LookupError):
    """Error for a column that a strategy reads but did not declare, so that the crawl does not compute it."""


_TYPES = {"host": np.int32, "directory": np.int32, "block": np.int32, "step": np.int32, "date": np.float32}
"""Type of each column besides the features. Day numbers are whole numbers below 2^24, which float32 has exactly."""

_PRIORITY = "priority"
_MOST = 16
"""A change of more than one of so many links is saved as that of the whole column."""


class Frontier(Queue):
    """Known links as columns, and the queue of those to fetch. The crawl writes it; strategies read a FrontierView."""

    def __init__(self, features: Sequence[str] = ()) -> None:
        super().__init__()
        self.n = 0
        """Number of known links."""
        self.feature_names = tuple(features)
        self.prior = LinkPrior(Prior(), UrlIds())
        """What earlier crawls found out; empty unless the owner of the frontier sets it."""
        self._columns = {name: Column() for name in features}
        self._touched = Touched()
        self._whole = set[str]()
        """Columns of which most rows changed since the last snapshot; _PRIORITY is that of the priority."""
        self._columns |= {name: Column(np.nan if name == "date" else 0, dtype) for name, dtype in _TYPES.items()}

    def discover(self, **columns: Sequence[float] | Floats) -> Ids:
        """Add links with values of some columns: host, directory, block, step, date; the other columns have defaults.

        Returns:
            The ids of the new links, shape (m,).

        Raises:
            ValueError: columns of different lengths.
        """
        lengths = {len(values) for values in columns.values()}
        if len(lengths) != 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        rows = np.arange(self.n, self.n + lengths.pop(), dtype=np.int64)
        self.n += len(rows)
        for column in self._columns.values():
            column.grow(self.n)
        for name, values in columns.items():
            self._columns[name].set(rows, np.asarray(values))
        return rows

    def set_feature(self, name: str, links: Ids, values: Floats) -> None:
        """Set one feature column of links; arguments and errors as in ``set_features``."""
        self.set_features(links, {name: values})

    def set_features(self, links: Ids, columns: Mapping[str, Floats]) -> None:
        """Set feature columns of links.

        Args:
            links: ids, shape (m,).
            columns: declared feature -> its values, shape (m,).

        Raises:
            ValueError: a value is not finite. NaN is neither over a threshold nor under it, so that a strategy's filter
                would leave the link out silently.
        """
        for name, values in columns.items():
            require_finite(f"feature {name}", links, values)
            self._columns[name].set(links, values)
        if len(links) * _MOST > self.n:
            self._whole.update(columns)
            links = links[~self.is_queued(links)]
        self._touched.add(links)

    def set_date(self, links: Ids, day: float) -> None:
        """Set the date of links to a day number."""
        self._columns["date"].set(links, np.full(len(links), day))
        self._touched.add(links)

    def column(self, name: str, links: Ids) -> Floats:
        """Return a column of links, shape (m,)."""
        return self._columns[name].get(links)

    def hosts(self, links: Ids) -> Ids:
        """Return the number of the host of each link."""
        return self._columns["host"].ids(links)

    def numbers(self, name: str, links: Ids) -> Ids:
        """Return a column of whole numbers, such as directory, block or step, shape (m,)."""
        return self._columns[name].ids(links)

    def put(self, links: Ids, priority: Floats) -> None:
        """Queue links, or change the priority of queued ones. Raises ValueError for a priority that is not finite."""
        super().put(links, priority)
        if len(links) * _MOST > self.n:
            self._whole.add(_PRIORITY)
        else:
            self._touched.add(links)

    def take(self, links: Ids) -> None:
        """Remove links. Raises ValueError for one that is not queued."""
        super().take(links)
        self._touched.add(links)

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return the arrays from which ``restore`` rebuilds the frontier exactly."""
        columns = {name: column.dump(self.n) for name, column in self._columns.items()}
        return {"n": self.n, _PRIORITY: self.priority(np.arange(self.n)), "columns": columns, "stale": False}

    def changes(self, scored: bool = False) -> dict[str, Any]:
        """Return ``state`` with the changes since the last snapshot in place of arrays.

        Args:
            scored: whether the features of all queued links were just computed. Those of links that the last snapshot
                has are left out: the state is *stale*, and who restores it computes them again.
        """
        n, rows = self.n, self._touched.rows(self.n)
        gone = rows[~self.is_queued(rows) | (rows >= self._touched.saved)] if scored else rows
        columns = dict[str, Any]()
        for name, column in self._columns.items():
            if name in _TYPES:
                columns[name] = column.patch(n, rows) if name == "date" else column.tail(self._touched.saved, n)
            elif name in self._whole and not scored:
                columns[name] = column.dump(n)
            else:
                columns[name] = column.patch(n, gone)
        if _PRIORITY in self._whole:
            priority: Any = self.priority(np.arange(n))
        else:
            priority = Patch(n, rows, self.priority(rows))
        return {"n": n, _PRIORITY: priority, "columns": columns, "stale": scored}

    def saved(self, scored: bool = False) -> None:
        """Continue after a snapshot; ``scored`` is that of ``changes``."""
        self._touched.clear(self.n)
        self._whole = set(self.feature_names) if scored else set()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what ``state`` returned. Raises ValueError for a frontier with links, or a state of other columns."""
        if self.n:
            raise ValueError("a state can be restored into a new frontier only")
        columns: Mapping[str, Any] = state["columns"]
        if set(columns) != set(self._columns):
            raise ValueError(f"saved columns {sorted(columns)} are not this frontier's {sorted(self._columns)}")
        if state["n"]:
            self.discover(**columns)
        priority: Floats = np.asarray(state[_PRIORITY], dtype=np.float64)
        queued = np.flatnonzero(priority > -np.inf)
        self.put(queued, priority[queued])


def ranks_within(groups: Ids) -> Ids:
    """Return the number of earlier elements of the same group for each element, shape (m,).

    >>> ranks_within(np.array([7, 7, 2, 7, 2])).tolist()
    [0, 1, 0, 2, 1]
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1]))[: len(groups)])
    ranks = np.empty(len(groups), dtype=np.int64)
    ranks[order] = np.arange(len(groups)) - np.repeat(first, np.diff(np.append(first, len(groups))))
    return ranks


class FrontierView:
    """Read-only view of a crawl for strategies: columns of links by id, the link graph, the budget.

    Ids are int64 arrays of shape (m,); columns are float64 arrays of the same shape.
    """

    def __init__(
        self, frontier: Frontier, graph: LinkGraph, budget: Budget, queue: Queue | None = None, guide: str = ""
    ) -> None:
        """Create a view of a frontier, or of the part of a member of a mixture (crawler.strategies.members).

        Args:
            frontier: known links.
            graph: links between known pages.
            budget: pages fetched, and the limit.
            queue: the member's queue instead of the frontier's.
            guide: the guide whose feature columns the member reads.
        """
        self._frontier = frontier
        self._queue = frontier if queue is None else queue
        self._guide = f"@{guide}" if guide else ""
        self._per_host = 0
        self.graph = graph
        self.budget = budget

    def over(self, queue: Queue, guide: str) -> FrontierView:
        """Return a view of the same links and budget for a member of a mixture (crawler.strategies.members).

        Args:
            queue: the member's queue.
            guide: the guide whose feature columns the member reads.
        """
        return FrontierView(self._frontier, self.graph, self.budget, queue, guide)

    def within(self, per_host: int) -> FrontierView:
        """Return this view with at most ``per_host`` links of each host in ``top``; 0 for no limit."""
        view = copy(self)
        view._per_host = per_host
        return view

    def __len__(self) -> int:
        """Number of queued links."""
        return len(self._queue)

    @property
    def prior(self) -> LinkPrior:
        """What earlier crawls found out, for a strategy that names parts of it in ``prior``."""
        return self._frontier.prior

    @property
    def links(self) -> Ids:
        """Ids of all queued links, in the order of discovery."""
        return self._queue.queued()

    def priority(self, links: Ids) -> Floats:
        """Return the current priorities; -inf for a link that is not queued."""
        return self._queue.priority(links)

    def feature(self, name: str, links: Ids) -> Floats:
        """Return a feature column.

        Args:
            name: a feature that the strategy declares, for example ``anchor:TK``.
            links: ids, shape (m,).

        Returns:
            Values of the feature, shape (m,).

        Raises:
            UndeclaredError: the strategy did not declare the feature.
        """
        if name + self._guide not in self._frontier.feature_names:
            known = ", ".join(self._frontier.feature_names) or "none"
            raise UndeclaredError("frontier.strategy_reads_column_declare", name=name, known=known)
        return self._frontier.column(name + self._guide, links)

    def features(self, pattern: str, links: Ids) -> Floats:
        """Return all feature columns with matching names.

        Args:
            pattern: a shell pattern, for example ``target:LTK_*``.
            links: ids, shape (m,).

        Returns:
            Values of the features, shape (m, columns); 0 columns where no name matches.
        """
        names = [name for name in self._frontier.feature_names if fnmatchcase(name, pattern + self._guide)]
        if not names:
            return np.empty((len(links), 0))
        return np.column_stack([self._frontier.column(name, links) for name in names])

    def host(self, links: Ids) -> Ids:
        """Return the number of the host of each link; equal numbers are equal hosts."""
        return self._frontier.hosts(links)

    def directory(self, links: Ids) -> Ids:
        """Return the number of the directory of each link's URL."""
        return self._frontier.numbers("directory", links)

    def block(self, links: Ids) -> Ids:
        """Return the number of the block of the page in which each link was first seen."""
        return self._frontier.numbers("block", links)

    def step(self, links: Ids) -> Ids:
        """Return the number of pages that were fetched when each link was discovered."""
        return self._frontier.numbers("step", links)

    def date(self, links: Ids) -> Floats:
        """Return the date of each link as a day number, NaN where unknown."""
        return self._frontier.column("date", links)

    def draw(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` links with replacement, proportionally to priority (roulette); uniformly where all are 0."""
        return self._queue.draw(rng, k)

    def draw_uniform(self, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` queued links with replacement, uniformly."""
        return self._queue.draw_uniform(rng, k)

    def best(self) -> int:
        """Return the queued link of the highest priority, the first discovered among equals."""
        return self._queue.best()

    def top(self, k: int) -> Ids:
        """Return the at most ``k`` queued links of the highest priority, best first, equals in order of discovery."""
        links, wanted = self._queue.top(k), k
        if not self._per_host:
            return links
        while True:
            kept = links[ranks_within(self.host(links)) < self._per_host][:k]
            if len(kept) == k or len(links) < wanted:
                return kept
            wanted *= 2
            links = self._queue.top(wanted)

    def winning_host(self) -> int:
        """Return the host of the highest mean priority, the lowest number among equals. Raises ValueError for none."""
        return self._regions().winner()

    def draw_within(self, host: int, rng: np.random.Generator, k: int) -> Ids:
        """Draw ``k`` of the queued links of a host, as ``draw`` does among all."""
        return self._regions().draw(host, rng, k)

    def _regions(self) -> Regions:
        return self._queue.regions(self._frontier.hosts)
