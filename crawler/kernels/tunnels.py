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
    """What was fetched behind k irrelevant pages. A part of a strategy.

    >>> from crawler.model import PageScore
    >>> tunnels, graph = Tunnels(prior=1.0), LinkGraph()
    >>> graph.grow(3)
    >>> graph.add(0, [1]); graph.add(1, [2])
    >>> for link, relevant in ((0, True), (1, False)):
    ...     _ = tunnels.value(graph, np.array([link]), np.array([0.5]))
    ...     tunnels.tell([Outcome(link, PageScore({"TK": 0.5}, 0.5, relevant))])
    >>> tunnels.behind(graph, np.array([1, 2])).tolist()
    [0, 1]
    """

    def __init__(self, prior: float) -> None:
        """Create the part; ``prior`` is a number of pages, above 0."""
        self._prior = prior
        self._after, self._k, self._scored, self._n = Column(), Column(), Column(), 0
        """By page k of its links, 0 for a relevant page; by link k and P when it was scored last."""
        self._fetched, self._relevant, self._P = (np.zeros(LONGEST + 1) for _ in range(3))
        """By k the pages, the relevant ones, and the sum of P of the links that led to them."""

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

    def value(self, graph: LinkGraph, links: Ids, P: Floats) -> Floats:
        """Return rho(k) (P + .01) / (mean P behind k + .01), mapped into [0, 1) by x / (1 + x), shape (m,)."""
        k = self.behind(graph, links)
        self._k.set(links, k.astype(np.float64))
        self._scored.set(links, P)
        share = (self._relevant.sum() + 1.0) / (self._fetched.sum() + 2.0)
        mean = (self._P.sum() + P.mean() * self._prior) / (self._fetched.sum() + self._prior) if len(P) else 0.0
        n = self._fetched + self._prior
        rho = gain_rate((self._relevant + self._prior * share) / n)
        x = rho[k] * (P + _EPS) / ((self._P + self._prior * mean) / n + _EPS)[k]
        return x / (1.0 + x)

    def tell(self, outcomes: Sequence[Outcome]) -> None:
        """Count the pages that were fetched; a link without a page says nothing of its tunnel."""
        for outcome in outcomes:
            if outcome.page_score is not None:
                self._grow(outcome.link + 1)
                link, relevant = np.array([outcome.link]), outcome.page_score.relevant
                k = int(self._k.get(link)[0])
                self._fetched[k] += 1.0
                self._relevant[k] += relevant
                self._P[k] += self._scored.get(link)[0]
                self._after.set(link, np.array([0.0 if relevant else min(k + 1.0, LONGEST)]))

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        columns = {name: column.dump(self._n) for name, column in self._columns().items()}
        return {**columns, "behind": [self._fetched.tolist(), self._relevant.tolist(), self._P.tolist()]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned."""
        self._after, self._k, self._scored, self._n = Column(), Column(), Column(), 0
        for name, column in self._columns().items():
            values = np.asarray(state[name], dtype=np.float64)
            self._grow(len(values))
            column.set(np.arange(len(values), dtype=np.int64), values)
        self._fetched, self._relevant, self._P = (np.array(row) for row in state["behind"])

    def _columns(self) -> dict[str, Column]:
        return {"after": self._after, "k": self._k, "scored": self._scored}

    def _grow(self, n: int) -> None:
        self._n = max(self._n, n)
        for column in self._columns().values():
            column.grow(self._n)
