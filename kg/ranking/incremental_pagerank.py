"""Incremental PageRank of a growing link graph: a new page costs its neighbourhood, not the whole graph.

The values x of Eq. (7) or of the repaired Eq. (8) of paper 000 are kept together with their residual

    r = (1 - d) + M x - x

Changing the links of a page changes one column of M, so r changes at the ends of these links alone. Wherever |r|
exceeds a threshold it is pushed: added to x, and distributed by M to the residuals of the pages linked to. This is the
Gauss-Southwell method, used for PageRank of evolving graphs by N. Ohsaka, T. Maehara and K. Kawarabayashi, Efficient
PageRank tracking in evolving networks, KDD 2015; here all residuals over the threshold are pushed in one round [R].

The threshold is e (1 - d). M has no negative entry, so if |r| <= e (1 - d) at every page, the exact values x* satisfy
|x* - x| = |(I - M)^-1 r| <= e (I - M)^-1 (1 - d) = e x*: the relative error of every value is at most e [R].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

from kg.ranking.link_matrix import OMEGA, D, Floats, Ids, RankError, check_damping, relevances

_SAVED = frozenset({"x", "r", "page", "count", "target", "R"})


class IncrementalPageRank:
    """PageRank of pages 0 .. n-1 whose links are added page by page; not safe for several writers.

    It computes Eq. (7) if no anchor relevance is passed, the repaired Eq. (8) otherwise (as printed, Eq. (8) may
    diverge, T1). The relative error of every value is at most ``tolerance`` after each change. A page without known
    links passes no rank on (T3).

    Args:
        omega: weight of the anchor relevance, 0 or more.
        d: damping factor in [0, 1).
        tolerance: largest relative error, in (0, 1).

    Raises:
        RankError: d, omega or tolerance is out of range.

    >>> ranks = IncrementalPageRank()
    >>> ranks.add_links(0, [1, 2])
    >>> ranks.add_links(1, [2])
    >>> ranks.values.round(3).tolist(), ranks.links
    ([0.15, 0.214, 0.395], 3)
    """

    def __init__(self, *, omega: float = OMEGA, d: float = D, tolerance: float = 1e-6) -> None:
        check_damping(d, omega)
        if not 0 < tolerance < 1:
            raise RankError("ranking.tolerance_must_found", tolerance=tolerance)
        self.omega, self.d, self.tolerance = omega, d, tolerance
        self._n = 0
        self._x, self._r = np.empty(0), np.empty(0)
        self._first, self._count = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32)
        self._target = np.empty(0, dtype=np.int32)
        self._R, self._weight = np.empty(0), np.empty(0)
        self._used = 0
        self._links = 0
        self._largest: float | None = None

    # ---- reading ------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Number of pages n."""
        return self._n

    @property
    def links(self) -> int:
        """Number of links."""
        return self._links

    @property
    def values(self) -> Floats:
        """PageRank of every page, (n,), at least 1 - d within the tolerance; read-only, valid until the next change."""
        view = self._x[: self._n]
        view.flags.writeable = False
        return view

    @property
    def largest(self) -> float:
        """The largest value; 1 - d if there are no pages."""
        if self._largest is None:
            self._largest = float(self._x[: self._n].max(initial=1 - self.d))
        return self._largest

    @property
    def error(self) -> float:
        """Upper bound of the relative error of all values; at most ``tolerance``, except for rounding."""
        return float(np.abs(self._r[: self._n]).max(initial=0.0)) / (1 - self.d)

    # ---- writing ------------------------------------------------------------------------------------------------

    def grow(self, n: int) -> None:
        """Add pages up to number n-1; a new page has the value 1 - d."""
        if n <= self._n:
            return
        if n > len(self._x):
            room = max(n, len(self._x) + len(self._x) // 4, 64)
            self._x, self._r = _longer(self._x, room), _longer(self._r, room)
            self._first, self._count = _longer(self._first, room), _longer(self._count, room)
        self._x[self._n : n] = 1 - self.d
        self._n = n

    def add_links(self, page: int, targets: ArrayLike, anchor_relevance: ArrayLike | None = None) -> None:
        """Add out-links of a page; parallel links count separately.

        Args:
            page: number of the page, 0 or more; unknown numbers make the graph grow.
            targets: numbers of the pages linked to, shape (k,).
            anchor_relevance: R of each link in [0, 1], shape (k,); 0 by default.

        Raises:
            RankError: a number is negative, or R has another length or range.
        """
        new, R = self._checked(page, targets, anchor_relevance)
        current = self._slot(page)
        self._replace(page, np.concatenate((self._target[current], new)), np.concatenate((self._R[current], R)))

    def settle(self, tolerance: float | None = None) -> None:
        """Reduce the relative error of every value to ``tolerance`` (by default that of the object) by full sweeps.

        The residual is recomputed first, which removes the rounding errors of many changes.
        """
        n, x = self._n, self._x[: self._n]
        M = self.matrix()
        r = (1 - self.d) + M @ x - x
        most = (self.tolerance if tolerance is None else tolerance) * (1 - self.d)
        while np.abs(r).max(initial=0.0) > most:  # terminates: M reduces the sum of |r| at least by the factor d
            x += r
            r = M @ r
        self._r[:n] = r
        self._largest = None

    def matrix(self) -> scipy.sparse.csr_array:
        """Return the (n, n) matrix M of PR = (1 - d) + M PR, equal to that of `kg.ranking.link_matrix.link_matrix`."""
        edges, pages = self._edges(np.arange(self._n))
        return scipy.sparse.csr_array((self._weight[edges], (self._target[edges], pages)), shape=(self._n, self._n))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self, since: int = 0) -> dict[str, Any]:
        """Return the state for ``restore`` as arrays.

        Args:
            since: number of links to leave out, those of the pages whose links were set first: a saved state has them.

        Returns:
            x and r of every page, (n,); page and count (k,) of the pages with links in the order in which these were
            set; target and R of the links page by page.
        """
        pages = self._pages_in_order()
        pages = pages[np.cumsum(self._count[pages]) > since]
        edges, _ = self._edges(pages)
        return {
            "x": self._x[: self._n].copy(),
            "r": self._r[: self._n].copy(),
            "page": pages.astype(np.int32),
            "count": self._count[pages],
            "target": self._target[edges],
            "R": self._R[edges],
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a saved state; later values are bitwise equal to those without the interruption.

        Raises:
            RankError: the state has other entries.
        """
        missing = sorted(_SAVED.difference(state))
        if missing:
            raise RankError(
                "ranking.expected_saved_state_lacks", saved=", ".join(sorted(_SAVED)), missing=", ".join(missing)
            )
        self._n, self._used, self._links, self._largest = 0, 0, 0, None
        self.grow(len(state["x"]))
        n = self._n
        self._count[:n] = 0
        if len(state["target"]) > len(self._target):
            self._make_room(len(state["target"]))
        target, R = np.asarray(state["target"]), np.asarray(state["R"], dtype=np.float64)
        end = 0
        for page, count in zip(np.asarray(state["page"]).tolist(), np.asarray(state["count"]).tolist(), strict=True):
            part = slice(end, end + count)
            self._store(page, target[part], R[part])
            end += count
        self._x[:n], self._r[:n] = state["x"], state["r"]

    # ---- inside -------------------------------------------------------------------------------------------------

    def _checked(self, page: int, targets: ArrayLike, anchor_relevance: ArrayLike | None) -> tuple[Ids, Floats]:
        new = np.asarray(targets, dtype=np.int64).reshape(-1)
        lowest = min(page, int(new.min(initial=page)))
        if lowest < 0:
            raise RankError("ranking.pages_numbered_found_among", lowest=lowest, page=page)
        R = np.zeros(len(new)) if anchor_relevance is None else relevances(anchor_relevance, len(new))
        self.grow(max(page, int(new.max(initial=page))) + 1)
        return new, R

    def _slot(self, page: int) -> slice:
        return slice(int(self._first[page]), int(self._first[page] + self._count[page]))

    def _replace(self, page: int, targets: Ids, R: Floats) -> None:
        """Replace the links of a page: r changes by the change of M's column times x, and is pushed."""
        old = self._slot(page)
        before, old_weight = self._target[old], self._weight[old]
        new = self._store(page, targets, R)
        np.subtract.at(self._r, before, old_weight * self._x[page])
        np.add.at(self._r, targets, self._weight[new] * self._x[page])
        self._push(np.concatenate((before, targets)))

    def _store(self, page: int, targets: Ids, R: Floats) -> slice:
        """Append the links of a page to the arrays; its old ones remain as garbage until the arrays are full."""
        k = len(targets)
        if self._used + k > len(self._target):
            self._make_room(k)
        added = slice(self._used, self._used + k)
        biased = 1 + self.omega * R
        self._target[added], self._R[added] = targets, R
        self._weight[added] = self.d * biased / biased.sum()  # Eq. (8), repaired (T1); Eq. (7) for constant R
        self._links += k - int(self._count[page])
        self._first[page], self._count[page] = self._used, k
        self._used += k
        return added

    def _make_room(self, more: int) -> None:
        """Drop replaced links, and enlarge the arrays if they are still nearly full."""
        pages = self._pages_in_order()
        edges, _ = self._edges(pages)
        kept = len(edges)
        room = max(kept + more + kept // 4, 1024)
        for name in ("_target", "_R", "_weight"):
            column = getattr(self, name)
            setattr(self, name, _longer(column[edges], room))
        self._first[pages] = np.cumsum(self._count[pages]) - self._count[pages]
        self._used = kept

    def _pages_in_order(self) -> Ids:
        """Return the pages with links, in the order in which these were set."""
        pages = np.flatnonzero(self._count[: self._n])
        return pages[np.argsort(self._first[pages])]

    def _edges(self, pages: NDArray[np.integer]) -> tuple[Ids, Ids]:
        """Return the positions of the links of some pages, and for each link the index of its page in ``pages``."""
        count = self._count[pages]
        repeated = np.repeat(np.arange(len(pages)), count)
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        return self._first[pages][repeated] + within, repeated

    def _push(self, touched: Ids) -> None:
        """Push residuals over the threshold until none is left; only those of ``touched`` can exceed it."""
        active = self._over(touched)
        while len(active):
            passed = self._r[active]
            self._r[active] = 0.0
            self._x[active] += passed
            self._note_largest(active, passed)
            edges, repeated = self._edges(active)
            ends = self._target[edges]
            np.add.at(self._r, ends, self._weight[edges] * passed[repeated])
            active = self._over(ends)

    def _over(self, touched: NDArray[np.integer]) -> NDArray[np.integer]:
        """Return those of some pages, without repetition, whose residual exceeds the threshold."""
        return np.unique(touched[np.abs(self._r[touched]) > self.tolerance * (1 - self.d)])

    def _note_largest(self, changed: NDArray[np.integer], by: Floats) -> None:
        if self._largest is None or by.min() < 0:
            self._largest = None  # the decreased value may have been the largest: recompute on demand
        else:
            self._largest = max(self._largest, float(self._x[changed].max()))


def _longer(values: Any, room: int) -> Any:
    longer = np.zeros(room, dtype=values.dtype)
    longer[: len(values)] = values
    return longer
