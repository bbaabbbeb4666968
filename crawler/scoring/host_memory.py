"""Memory of historical host information: relevant and fetched pages of each host.

Source: Liu, Li, Jiang 2019 (FCSA-host) and Liu, Wang, Zhong et al. 2023 (FCITS_OH), of which only abstracts were read:
they name such a memory without its rule. All rules here are reconstructions [R] (algorithms.md 3.5): with rel_h
relevant pages among the cr_h pages fetched from host h,

    hp_h = (rel_h + 1) / (cr_h + 2)                           Laplace's rule of succession; 1/2 for an unknown host

and a host with w irrelevant pages in a row is suspended for v selections, after which the count starts again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.model import Bools, Floats, Ids, Outcome


def _host_merit(relevant: Ids | Floats, crawled: Ids | Floats) -> Floats:
    """Compute hp_h = (rel_h + 1) / (cr_h + 2), in (0, 1).

    Args:
        relevant: relevant pages of each host, shape (k,).
        crawled: fetched pages of each host, shape (k,).

    >>> _host_merit(np.array([0, 3, 0]), np.array([0, 3, 8])).tolist()
    [0.5, 0.8, 0.1]
    """
    merit: Floats = (relevant + 1.0) / (crawled + 2.0)
    return merit


class HostMemory:
    """Counts by host number, and the hosts of picks in flight. Mutable; unknown hosts are allowed everywhere.

    >>> memory = HostMemory(w=2, v=5)
    >>> for tag in (0, 1):
    ...     memory.sent(tag, host=3)
    ...     memory.returned(tag, relevant=False, selection=tag)
    >>> memory.merit(np.array([3, 4])).tolist(), memory.suspended(np.array([3, 4]), selection=2).tolist()
    ([0.25, 0.5], [True, False])
    """

    def __init__(self, w: int, v: int) -> None:
        """Create an empty memory.

        Args:
            w: irrelevant pages in a row that suspend a host, at least 1.
            v: selections for which it is suspended, at least 1.
        """
        self._w, self._v = w, v
        self._counts = np.zeros((4, 64), dtype=np.int64)
        """Rows: rel_h, cr_h, irrelevant pages in a row, number of the selection that ends the suspension."""
        self._out: dict[int, int] = {}
        """Tag of a pick in flight -> its host."""

    def merit(self, hosts: Ids, relevant: Floats | float = 0.0, crawled: Floats | float = 0.0) -> Floats:
        """Return hp_h of each host, shape (m,), with further relevant and fetched pages of each (a prior)."""
        rel, cr, _, _ = self._counts_of(hosts)
        return _host_merit(rel + relevant, cr + crawled)

    def suspended(self, hosts: Ids, selection: int) -> Bools:
        """Return whether each host is suspended at a selection, given by its number; shape (m,)."""
        until: Ids = self._counts_of(hosts)[3]
        return selection < until

    def sent(self, tag: int, host: int) -> None:
        """Remember the host of a pick by its tag."""
        self._out[tag] = host

    def returned(self, tag: int, relevant: bool | None, selection: int) -> None:
        """Count an outcome; a failure or an unknown tag changes nothing.

        Args:
            tag: tag of the pick.
            relevant: whether the page is relevant, None for a failure.
            selection: number of the next selection.
        """
        host = self._out.pop(tag, None)
        if host is None or relevant is None:
            return
        self._grow(host + 1)
        rel, cr, row, until = self._counts
        rel[host] += relevant
        cr[host] += 1
        row[host] = 0 if relevant else row[host] + 1
        if row[host] >= self._w:
            row[host], until[host] = 0, selection + self._v

    def tell(self, outcomes: Sequence[Outcome], sigma: float, selection: int) -> None:
        """Count outcomes, where relevant means R > sigma under TK by the strategy's guide.

        Args:
            outcomes: outcomes in the order in which they arrived.
            sigma: the threshold, in [0, 1].
            selection: number of the next selection.
        """
        for outcome in outcomes:
            score = outcome.page_score
            relevant = None if score is None else sigma < score.relevance["TK"]
            self.returned(outcome.tag, relevant, selection)

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs, as arrays."""
        out = np.array(list(self._out.items()), dtype=np.int64).reshape(-1, 2)
        return {"host_counts": self._counts.copy(), "host_out": out}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self._counts = np.array(state["host_counts"], dtype=np.int64)
        self._out = {int(tag): int(host) for tag, host in np.asarray(state["host_out"]).tolist()}

    def _counts_of(self, hosts: Ids) -> Ids:
        self._grow(int(hosts.max(initial=-1)) + 1)
        return self._counts[:, hosts]

    def _grow(self, n: int) -> None:
        if n > self._counts.shape[1]:
            longer = np.zeros((4, max(n, 2 * self._counts.shape[1])), dtype=np.int64)
            longer[:, : self._counts.shape[1]] = self._counts
            self._counts = longer
