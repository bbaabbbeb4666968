"""What anchors, the text around them, URLs and parents say of links: the nine quantities of evidence_sum.

An *edge* is a link on a fetched page, with the tokens of its anchor and of its context. Sums over the edges of a link
are kept, to which each page adds; those that depend on what was learned are summed anew at a refresh. So a link that
gains a parent costs what this parent adds, and priorities between two refreshes are by the same figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier.growable import Column
from crawler.model import Floats, Ids, Outcome, TokenRows
from crawler.scoring.evidence import FULL, context_weight, outcome_log_odds, over_root, row_sums, url_log_odds
from crawler.scoring.growing_rows import GrowingRows, Series, TokenNumbers, changes_of, state_of
from crawler.scoring.page_evidence import PageEvidence, look_up

TERMS = (
    "parent density", "local co-occurrence", "anchor log-odds", "parent naive Bayes", "anchor topic weight",
    "URL outcome", "context log-odds", "context outcome", "context topic weight",
)  # fmt: skip
_FIXED = ("parents", "density", "anchor_topic", "context_m", "contexts", "context_topic")
"""Of each link: edges, sum of ln(density + .003), largest topic weight of an anchor; tokens, number and topic weight of
its contexts."""
_LEARNED = ("bayes", "anchor", "near", "near_idf", "context", "outcome", "url")
"""Sums that are computed anew at a refresh."""


class LinkEvidence:
    """Edges and known links. Mutable: ``add`` and ``refresh`` change it."""

    def __init__(self, numbers: TokenNumbers, pages: PageEvidence) -> None:
        """Start without links; both are shared with the strategy."""
        self._numbers, self._pages = numbers, pages
        self._source, self._target = Series(np.int32), Series(np.int32)
        """Row of the page of each edge, and its link."""
        self._anchors, self._contexts, self._urls, self._found = (GrowingRows() for _ in range(4))
        """Tokens of each edge, twice; different ones of each URL, and of what led to each fetched page."""
        self._url_link, self._found_page = Series(np.int64), Series(np.int32)
        self._url_row = Column(-1, np.int32)
        self._sums = {name: Column() for name in (*_FIXED, *_LEARNED)}
        self._n = 0
        self._judged = 0
        """Number of pages whose contexts and anchors are in ``_found``."""
        self.outcome: Floats = np.zeros(0)
        """l_t by token at the last refresh."""
        self.url: Floats = np.zeros(0)
        """Log-odds by token of URLs at the last refresh."""

    def add(self, outcome: Outcome, density: float, bayes: float) -> None:
        """Add the edges of a page that was just added to the pages.

        Args:
            outcome: the page, with its token parts.
            density: ln(density + .003) of it.
            bayes: its standardised naive Bayes.
        """
        links, anchors, contexts = outcome.out_links, _part(outcome.anchor_tokens), _part(outcome.context_tokens)
        self._room(int(links.max(initial=-1)) + 1)
        first, m, n = len(self._target), len(links), np.diff(contexts.indptr)
        self._source.append(np.full(m, len(self._pages) - 1))
        self._target.append(links)
        anchor_ids = self._numbers.of(anchors.ids)
        self._anchors.append(anchor_ids, np.diff(anchors.indptr))
        self._contexts.append(self._numbers.of(contexts.ids), n)
        self._pages.add_topic(anchor_ids, anchors.topic.astype(np.float64))
        self._add_urls(links, _part(outcome.url_tokens))
        largest = np.maximum(self._sums["anchor_topic"].get(links), np.minimum(_sums(anchors), 1.0))
        self._sums["anchor_topic"].set(links, largest)
        fixed = {
            "parents": np.ones(m), "density": np.full(m, density), "context_m": n, "contexts": n > 0,
            "context_topic": np.minimum(FULL, _sums(contexts)),
        }  # fmt: skip
        for name, values in {**fixed, **self._learned(np.arange(first, first + m), np.full(m, bayes))}.items():
            self._sums[name].set(links, self._sums[name].get(links) + values)

    def refresh(self, links: Ids) -> None:
        """Learn from the verdicts of the pages, then compute the sums of some links anew.

        Args:
            links: ids, ascending, shape (m,).
        """
        self._room(int(links.max(initial=-1)) + 1)
        self._judge()
        self._learn()
        wanted = np.zeros(self._n, dtype=np.bool_)
        wanted[links] = True
        edges = np.flatnonzero(wanted[self._target.values])
        at = np.searchsorted(links, self._target.values[edges])
        values = self._learned(edges, look_up(self._pages.z, self._source.values[edges]))
        for name, of_edges in values.items():
            self._sums[name].set(links, row_sums(at, of_edges, len(links)))
        self._sums["url"].set(links, self._url_sums(links))

    def x(self, links: Ids) -> Floats:
        """Return the quantities of links, in the order of TERMS, shape (m, 9)."""
        self._room(int(links.max(initial=-1)) + 1)
        s = {name: column.get(links) for name, column in self._sums.items()}
        parents, contexts = np.maximum(s["parents"], 1.0), np.maximum(s["contexts"], 1.0)
        near = np.divide(s["near"], s["near_idf"], out=np.zeros(len(links)), where=s["near_idf"] > 0.0)
        return np.column_stack([
            s["density"] / parents,
            near,
            s["anchor"] / parents,
            s["bayes"] / parents,
            s["anchor_topic"],
            s["url"],
            s["context"] / np.sqrt(s["context_m"] + 15.0),
            s["outcome"] / contexts,
            context_weight(s["context_topic"], s["contexts"]),
        ])  # fmt: skip

    def tokens_of(self, link: int) -> dict[str, dict[int, float]]:
        """Return the evidence of each token in a link's anchors, URL and contexts: term -> hash -> evidence."""
        edges = np.flatnonzero(self._target.values == link)
        row = self._url_row.ids(np.array([link]))
        anchors, contexts = self._anchors.take(edges)[0], self._contexts.take(edges)[0]
        urls = self._urls.take(row[row >= 0])[0]
        pages, hashes = self._pages, self._numbers.hashes.values
        parts = {
            TERMS[1]: (anchors, pages.of_tokens("near", anchors)), TERMS[2]: (anchors, pages.of_tokens("lam", anchors)),
            TERMS[5]: (urls, look_up(self.url, urls)), TERMS[6]: (contexts, pages.of_tokens("lam", contexts)),
            TERMS[7]: (contexts, look_up(self.outcome, contexts)),
        }  # fmt: skip
        return {name: dict(zip(hashes[t].tolist(), v.tolist(), strict=True)) for name, (t, v) in parts.items()}

    # ---- inside -------------------------------------------------------------------------------------------------

    def _learned(self, edges: Ids, bayes: Floats) -> dict[str, Floats]:
        """Return what each edge adds to the sums that depend on what was learned; ``bayes`` is that of its page."""
        ids, row, m = self._anchors.take(edges)
        lam, idf = self._pages.of_tokens("lam", ids), self._pages.of_tokens("idf", ids)
        near = idf * self._pages.of_tokens("near", ids)
        words, at, n = self._contexts.take(edges)
        return {
            "bayes": bayes,
            "anchor": over_root(lam, row, m),
            "near": row_sums(row, near, len(m)),
            "near_idf": row_sums(row, idf, len(m)),
            "context": row_sums(at, self._pages.of_tokens("lam", words), len(n)),
            "outcome": over_root(look_up(self.outcome, words), at, n),
        }

    def _add_urls(self, links: Ids, urls: TokenRows) -> None:
        """Add the URLs of links that are new."""
        new = np.flatnonzero(self._url_row.ids(links) < 0)
        rows = urls.rows(new)
        ids, owner = self._numbers.of(rows.ids), np.repeat(np.arange(len(new)), np.diff(rows.indptr))
        owner, ids = _different(owner, ids, len(self._numbers))
        self._url_row.set(links[new], np.arange(len(self._urls), len(self._urls) + len(new)))
        self._url_link.append(links[new])
        self._urls.append(ids, np.bincount(owner, minlength=len(new)))
        self._sums["url"].set(links[new], self._url_sums(links[new]))

    def _url_sums(self, links: Ids) -> Floats:
        row = self._url_row.ids(links)
        known = np.flatnonzero(row >= 0)
        ids, at, m = self._urls.take(row[known])
        sums = np.zeros(len(links))
        sums[known] = over_root(look_up(self.url, ids), at, m)
        return sums

    def _judge(self) -> None:
        """Note the tokens in the contexts and anchors that led to the pages fetched since the last refresh."""
        fresh = self._pages.links[self._judged :]
        self._room(int(fresh.max(initial=-1)) + 1)
        mask = np.zeros(self._n, dtype=np.bool_)
        mask[fresh] = True
        edges = np.flatnonzero(mask[self._target.values])
        page = self._pages.rows(self._target.values[edges].astype(np.int64))
        pairs = [(page[at], ids) for ids, at, _ in (self._anchors.take(edges), self._contexts.take(edges))]
        owner, token = (np.concatenate(part) for part in zip(*pairs, strict=True))
        owner, token = _different(owner, token, len(self._numbers))
        rows, m = np.unique(owner, return_counts=True)
        self._found_page.append(rows)
        self._found.append(token, m)
        self._judged = len(self._pages)

    def _learn(self) -> None:
        """Compute l_t and the log-odds of URLs from the verdicts."""
        T, m, my = len(self._numbers), self._pages.m, self._pages.m * self._pages.y
        ids, at, _ = self._found.take(np.arange(len(self._found)))
        found = self._found_page.values
        u, df = row_sums(ids, my[found][at], T), row_sums(ids, m[found][at], T)
        lam = look_up(self._pages.lam, np.arange(T))
        self.outcome = outcome_log_odds(u, float(my[found].sum()), df, float(m[found].sum()), lam)
        self._room(int(self._pages.links.max(initial=-1)) + 1)
        row = self._url_row.ids(self._pages.links)
        known = row >= 0
        ids, at, _ = self._urls.take(row[known])
        u, df = row_sums(ids, my[known][at], T), row_sums(ids, m[known][at], T)
        self.url = url_log_odds(u, float(my[known].sum()), df, float(m[known].sum()))

    def _room(self, links: int) -> None:
        self._n = max(self._n, links)
        for column in (self._url_row, *self._sums.values()):
            column.grow(self._n)

    # ---- saving -------------------------------------------------------------------------------------------------

    def series(self) -> dict[str, Series]:
        """Return the arrays that only grow, by name."""
        rows = {"anchor": self._anchors, "context": self._contexts, "url": self._urls, "found": self._found}
        series = {"edge_source": self._source, "edge_target": self._target, "url_link": self._url_link}
        for name, one in rows.items():
            series |= one.series(name)
        return {**series, "found_page": self._found_page}

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {**state_of(self.series()), **self._rest()}

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with what was appended since the last snapshot in place of arrays that only grow."""
        return {**changes_of(self.series()), **self._rest()}

    def _rest(self) -> dict[str, Any]:
        sums = {f"sum_{name}": column.dump(self._n) for name, column in self._sums.items()}
        return {**sums, "judged": self._judged, "outcome_odds": self.outcome.copy(), "url_odds": self.url.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; pages and numbers are restored before."""
        for name, series in self.series().items():
            series.restore(state[name])
        self._room(len(state["sum_parents"]))
        for name, column in self._sums.items():
            column.set(np.arange(self._n), np.asarray(state[f"sum_{name}"]))
        self._url_row.set(self._url_link.values, np.arange(len(self._url_link)))
        self._judged = int(state["judged"])
        self.outcome = np.array(state["outcome_odds"], dtype=np.float64)
        self.url = np.array(state["url_odds"], dtype=np.float64)


def _part(rows: TokenRows | None) -> TokenRows:
    if rows is None:
        raise ValueError("an outcome without tokens: the strategy must name them in its page_parts")
    return rows


def _different(rows: Ids, ids: Ids, n: int) -> tuple[Ids, Ids]:
    """Return the different tokens of each row, ordered by row; ``n`` is above all numbers of tokens."""
    if not len(rows):
        return rows, ids
    pairs = np.unique(rows * n + ids)
    return pairs // n, pairs % n


def _sums(rows: TokenRows) -> Floats:
    """Return the topic weight of each row."""
    at = np.repeat(np.arange(len(rows)), np.diff(rows.indptr))
    return row_sums(at, rows.topic.astype(np.float64), len(rows))
