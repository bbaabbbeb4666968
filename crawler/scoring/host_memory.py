"""Memory of historical host information: what a crawl found on each host so far.

Source: Liu, Li, Jiang 2019 (FCSA-host) and Liu, Wang, Zhong et al. 2023 (FCITS_OH), of which only abstracts were read:
they name such a memory and print no rule that was read. All of the rules here are reconstructions [R] (algorithms.md
3.5): with rel_h relevant pages among the cr_h that were fetched from host h,

    hp_h = (rel_h + 1) / (cr_h + 2)                           Laplace's rule of succession; 1/2 for an unknown host

and a host that gave w irrelevant pages in a row is suspended for v selections, after which its row begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.model import Bools, Floats, Ids, Outcome


def host_merit(relevant: Ids, crawled: Ids) -> Floats:
    """hp_h in (0, 1) from counts of relevant and of all fetched pages, shapes (k,)."""
    merit: Floats = (relevant + 1.0) / (crawled + 2.0)
    return merit


class HostMemory:
    """Counts by host number, and the hosts of picks that are out. A handle; hosts not heard of are allowed anywhere."""

    def __init__(self, w: int, v: int) -> None:
        """``w`` irrelevant pages in a row suspend a host for ``v`` selections, both at least 1."""
        self._w, self._v = w, v
        self._counts = np.zeros((4, 64), dtype=np.int64)
        """Rows: rel_h, cr_h, irrelevant pages in a row, number of the selection that ends the suspension."""
        self._out: dict[int, int] = {}
        """Tag of a pick whose outcome has not come -> its host."""

    def merit(self, hosts: Ids) -> Floats:
        """hp_h of each host, shape (m,)."""
        rel, cr, _, _ = self._of(hosts)
        return host_merit(rel, cr)

    def suspended(self, hosts: Ids, selection: int) -> Bools:
        """Whether each host is suspended at the selection of this number, shape (m,)."""
        until: Ids = self._of(hosts)[3]
        return selection < until

    def sent(self, tag: int, host: int) -> None:
        """A pick goes out to a host; its outcome is credited by the tag."""
        self._out[tag] = host

    def returned(self, tag: int, relevant: bool | None, selection: int) -> None:
        """An outcome came in before the selection of this number; ``relevant`` is None for a failure.

        A failure says nothing of the host's pages and leaves the counts alone; so does a tag that was never sent.
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
        """``returned`` for each outcome: relevant means R > sigma under TK, by the strategy's own guide."""
        for outcome in outcomes:
            score = outcome.page_score
            relevant = None if score is None else sigma < score.relevance["TK"]
            self.returned(outcome.tag, relevant, selection)

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs, as arrays."""
        out = np.array(list(self._out.items()), dtype=np.int64).reshape(-1, 2)
        return {"host_counts": self._counts.copy(), "host_out": out}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take a saved state back."""
        self._counts = np.array(state["host_counts"], dtype=np.int64)
        self._out = {int(tag): int(host) for tag, host in np.asarray(state["host_out"]).tolist()}

    def _of(self, hosts: Ids) -> Ids:
        self._grow(int(hosts.max(initial=-1)) + 1)
        return self._counts[:, hosts]

    def _grow(self, n: int) -> None:
        if n > self._counts.shape[1]:
            longer = np.zeros((4, max(n, 2 * self._counts.shape[1])), dtype=np.int64)
            longer[:, : self._counts.shape[1]] = self._counts
            self._counts = longer
