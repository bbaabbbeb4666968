"""Tunnels with a budget: what the crawl's own paths say of the pages behind k irrelevant ones.

Source: Bergmark, Lagoze and Sbityakov 2002, "Focused crawls, tunneling, and digital libraries": paths from relevant
pages to relevant pages lead through irrelevant ones, and a fixed number of these is followed. Here their number is a
decision for each link, by the gain that earlier paths had; written for this project, not published [R]:

    k(l)    irrelevant pages in a row before l, on the shortest such path; 0 behind a relevant page, or for a seed
    g_k     share of relevant pages among those fetched behind k
    rho(k)  = max_b (1 - prod_{i=k..k+b} (1 - g_i)) / sum_{j=0..b} prod_{i=k..k+j-1} (1 - g_i)

rho is the largest number of relevant pages a fetch of those who go on, up to b pages further, until one is relevant: b
is the budget of the tunnel. g_k is shrunk by ``prior`` pages to the share of all pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from crawler.frontier import Column
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Floats, Ids, Outcome

LONGEST = 8
"""Largest k; pages behind more irrelevant ones count as behind so many."""
_EPS = 0.01


def gain_rate(g: Floats) -> Floats:
    """Return rho of each k, shape (n,), from the share of relevant pages behind each k, in [0, 1], shape (n,).

    >>> gain_rate(np.array([0.1, 0.5])).round(3).tolist()  # one page of ten, then every second: going on pays
    [0.289, 0.5]
    """
    rho = np.zeros(len(g))
    for k in range(len(g)):
        reached = np.concatenate(([1.0], np.cumprod(1.0 - g[k:])))
        rho[k] = ((1.0 - reached[1:]) / np.cumsum(reached[:-1])).max()
    return rho


class Tunnels:
    """What was fetched behind k irrelevant pages. A part of a strategy; late outcomes find their pick by its link.

    >>> from crawler.model import PageScore
    >>> tunnels, graph = Tunnels(prior=1.0), LinkGraph()
    >>> graph.grow(3)
    >>> graph.add(0, [1]); graph.add(1, [2])
    >>> for link, relevant in ((0, True), (1, False)):
    ...     tunnels.sent(np.array([link]), tunnels.behind(graph, np.array([link])), np.array([0.5]))
    ...     tunnels.tell([Outcome(link, PageScore({"TK": 0.5}, 0.5, relevant))])
    >>> tunnels.behind(graph, np.array([1, 2])).tolist()
    [0, 1]
    """

    def __init__(self, prior: float) -> None:
        """Create the part; ``prior`` is a number of pages, above 0."""
        self._prior = prior
        self._after, self._n = Column(), 0
        """By page k of its links: 0 for a relevant page."""
        self._fetched, self._relevant, self._P = (np.zeros(LONGEST + 1) for _ in range(3))
        """By k the pages, the relevant ones, and the sum of P of the links that led to them."""
        self._sent: dict[int, tuple[int, float]] = {}
        """Link in flight -> k and P."""

    def behind(self, graph: LinkGraph, links: Ids) -> Ids:
        """Return k of links, shape (m,)."""
        self._grow(graph.n)
        m = graph.in_degree(links)
        k = np.zeros(len(links), dtype=np.int64)
        linked = m > 0
        if linked.any():
            first = np.cumsum(m[linked]) - m[linked]
            k[linked] = np.minimum.reduceat(self._after.get(graph.parents_of(links)), first).astype(np.int64)
        return k

    def value(self, k: Ids, P: Floats) -> Floats:
        """Return rho(k) (P + .01) / (mean P behind k + .01), mapped into [0, 1) by x / (1 + x), shape (m,)."""
        share = (self._relevant.sum() + 1.0) / (self._fetched.sum() + 2.0)
        mean = (self._P.sum() + P.mean() * self._prior) / (self._fetched.sum() + self._prior) if len(P) else 0.0
        n = self._fetched + self._prior
        rho = gain_rate((self._relevant + self._prior * share) / n)
        x = rho[k] * (P + _EPS) / ((self._P + self._prior * mean) / n + _EPS)[k]
        return x / (1.0 + x)

    def sent(self, links: Ids, k: Ids, P: Floats) -> None:
        """Remember k and P of links that are fetched."""
        self._sent.update(zip(links.tolist(), zip(k.tolist(), P.tolist(), strict=True), strict=True))

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Count the pages that were fetched; a link without a page says nothing of its tunnel."""
        for outcome in outcomes:
            k, P = self._sent.pop(outcome.link, (0, 0.0))
            if outcome.page_score is not None:
                relevant = outcome.page_score.relevant
                self._fetched[k] += 1.0
                self._relevant[k] += relevant
                self._P[k] += P
                self._grow(outcome.link + 1)
                self._after.set(np.array([outcome.link]), np.array([0.0 if relevant else min(k + 1.0, LONGEST)]))

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        counts = [self._fetched.tolist(), self._relevant.tolist(), self._P.tolist()]
        return {
            "after": self._after.dump(self._n), "behind": counts,
            "sent": [[link, *kept] for link, kept in self._sent.items()],
        }  # fmt: skip

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        after = np.asarray(state["after"], dtype=np.float64)
        self._after, self._n = Column(), 0
        self._grow(len(after))
        self._after.set(np.arange(len(after), dtype=np.int64), after)
        self._fetched, self._relevant, self._P = (np.array(row) for row in state["behind"])
        self._sent = {link: (k, P) for link, k, P in state["sent"]}

    def _grow(self, n: int) -> None:
        self._n = max(self._n, n)
        self._after.grow(self._n)
