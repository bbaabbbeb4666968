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
from crawler.frontier.prior import LinkPrior
from crawler.model import Bools, Floats, Ids, Outcome, TokenRows
from crawler.scoring.evidence import (
    FULL,
    context_weight,
    cooccurrence,
    idf,
    log_density,
    outcome_log_odds,
    over_root,
    row_sums,
    term_log_odds,
    url_log_odds,
    windows,
    with_words,
)
from crawler.scoring.growing_rows import GrowingRows, Series, TokenNumbers, changes_of, state_of

TERMS = (
    "parent density", "local co-occurrence", "anchor log-odds", "parent naive Bayes", "anchor topic weight",
    "URL outcome", "context log-odds", "context outcome", "context topic weight",
)  # fmt: skip
_URL, _OUTCOME = TERMS.index("URL outcome"), TERMS.index("context outcome")
_FIXED = ("parents", "density", "anchor_topic", "context_m", "contexts", "context_topic")
"""Of each link: edges, sum of ln(density + .003), largest topic weight of an anchor; tokens, number and topic weight of
its contexts."""
_LEARNED = ("bayes", "anchor", "near", "near_idf", "context", "outcome", "url")
"""Sums that are computed anew at a refresh."""


class LinkEvidence:
    """Edges and known links. Mutable: ``add`` and ``refresh`` change it."""

    def __init__(self, numbers: TokenNumbers, pages: PageEvidence, failure_weight: float = 0.5) -> None:
        """Start without links.

        Args:
            numbers: numbers of the tokens, shared with the strategy.
            pages: the fetched pages, shared in the same way.
            failure_weight: number of pages off the topic as which a link without a page counts.
        """
        self._numbers, self._pages, self._failure_weight = numbers, pages, failure_weight
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
        self._failed = dict[int, None]()
        """Links without a page, in the order of their first failure; some may have been fetched since."""
        self._judged_failures = 0
        """Number of them whose contexts and anchors are in ``_found``: the k-th stands as -k in ``_found_page``."""
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

    def fail(self, link: int) -> None:
        """Note a link that led to no page, which counts from the next refresh on, until it is fetched after all."""
        self._failed[link] = None

    def refresh(self, links: Ids, prior: LinkPrior) -> None:
        """Learn from the verdicts of the pages, then compute the sums of some links anew.

        Args:
            links: ids, ascending, shape (m,).
            prior: pages of earlier crawls, which count like fetched ones in the two terms of outcomes.
        """
        self._room(int(links.max(initial=-1)) + 1)
        self._judge()
        self.outcome, self.url = self._odds(len(self._numbers), prior)
        wanted = np.zeros(self._n, dtype=np.bool_)
        wanted[links] = True
        edges = np.flatnonzero(wanted[self._target.values])
        at = np.searchsorted(links, self._target.values[edges])
        values = self._learned(edges, _look_up(self._pages.z, self._source.values[edges]))
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

    def x_without(self, links: Ids, prior: LinkPrior) -> Floats:
        """Return the quantities that links would have if the last refresh had had no prior, shape (m, 9)."""
        T, x = len(self.outcome), self.x(links)
        outcome, url = (a - b for a, b in zip(self._odds(T, prior), self._odds(T, None), strict=True))
        of_urls = self._url_sums(links, url)
        for row, link in enumerate(links.tolist()):
            words, at, n = self._contexts.take(np.flatnonzero(self._target.values == link))
            contexts = max(float(self._sums["contexts"].get(links[row : row + 1])[0]), 1.0)
            x[row, _OUTCOME] -= over_root(_look_up(outcome, words), at, n).sum() / contexts
        x[:, _URL] -= of_urls
        return x

    def tokens_of(self, link: int) -> dict[str, dict[int, float]]:
        """Return the evidence of each token in a link's anchors, URL and contexts: term -> hash -> evidence."""
        edges = np.flatnonzero(self._target.values == link)
        row = self._url_row.ids(np.array([link]))
        anchors, contexts = self._anchors.take(edges)[0], self._contexts.take(edges)[0]
        urls = self._urls.take(row[row >= 0])[0]
        pages, hashes = self._pages, self._numbers.hashes.values
        parts = {
            TERMS[1]: (anchors, pages.of_tokens("near", anchors)), TERMS[2]: (anchors, pages.of_tokens("lam", anchors)),
            TERMS[5]: (urls, _look_up(self.url, urls)), TERMS[6]: (contexts, pages.of_tokens("lam", contexts)),
            TERMS[7]: (contexts, _look_up(self.outcome, contexts)),
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
            "outcome": over_root(_look_up(self.outcome, words), at, n),
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

    def _url_sums(self, links: Ids, odds: Floats | None = None) -> Floats:
        """Return the sums of the log-odds of URLs, or of other ones by token; shape (m,)."""
        row = self._url_row.ids(links)
        known = np.flatnonzero(row >= 0)
        ids, at, m = self._urls.take(row[known])
        sums = np.zeros(len(links))
        sums[known] = over_root(_look_up(self.url if odds is None else odds, ids), at, m)
        return sums

    def _judge(self) -> None:
        """Note the tokens in the contexts and anchors that led to the pages and failures since the last refresh."""
        fresh, failed = self._pages.links[self._judged :], self._failures()
        rows = np.arange(self._judged, len(self._pages), dtype=np.int64)
        self._room(int(max(fresh.max(initial=-1), failed.max(initial=-1))) + 1)
        owner_of, mask = np.zeros(self._n, dtype=np.int64), np.zeros(self._n, dtype=np.bool_)
        fresh_failures = np.arange(self._judged_failures, len(failed), dtype=np.int64)
        for links, owners in ((failed[fresh_failures], -1 - fresh_failures), (fresh, rows)):
            owner_of[links], mask[links] = owners, True
        edges = np.flatnonzero(mask[self._target.values])
        page = owner_of[self._target.values[edges]]
        pairs = [(page[at], ids) for ids, at, _ in (self._anchors.take(edges), self._contexts.take(edges))]
        owner, token = (np.concatenate(part) for part in zip(*pairs, strict=True))
        owner, token = _different(owner, token, len(self._numbers))
        rows, m = np.unique(owner, return_counts=True)
        self._found_page.append(rows)
        self._found.append(token, m)
        self._judged, self._judged_failures = len(self._pages), len(failed)

    def _failures(self) -> Ids:
        return np.fromiter(self._failed, dtype=np.int64, count=len(self._failed))

    def _odds(self, T: int, prior: LinkPrior | None) -> tuple[Floats, Floats]:
        """Compute l_t and the log-odds of URLs from the verdicts of the last refresh.

        Args:
            T: number of the tokens at that refresh.
            prior: pages of earlier crawls, which are added; None for none.

        Returns:
            Both by token, shapes (T,).
        """
        D, failed = len(self._pages.y), self._failures()[: self._judged_failures]
        still = np.where(self._pages.rows(failed) < 0, self._failure_weight, 0.0)
        m, my = np.append(self._pages.m, still), np.append(self._pages.m * self._pages.y, np.zeros(len(failed)))
        ids, at, _ = self._found.take(np.arange(len(self._found)))
        found = self._found_page.values.astype(np.int64)
        found = np.where(found < 0, D - 1 - found, found)
        u, df = row_sums(ids, my[found][at], T), row_sums(ids, m[found][at], T)
        U, N = float(my[found].sum()), float(m[found].sum())
        lam = _look_up(self._pages.lam, np.arange(T))
        links = np.append(self._pages.links[:D], failed)
        self._room(int(links.max(initial=-1)) + 1)
        row = self._url_row.ids(links)
        known = row >= 0
        ids, at, _ = self._urls.take(row[known])
        of_urls = row_sums(ids, my[known][at], T), row_sums(ids, m[known][at], T)
        totals = float(my[known].sum()), float(m[known].sum())
        if prior is None or not prior.of.runs:
            return outcome_log_odds(u, U, df, N, lam), url_log_odds(of_urls[0], totals[0], of_urls[1], totals[1])
        hashes = self._numbers.hashes.values[:T]
        more, of_more = prior.words.of(hashes), prior.words.total
        outcome = outcome_log_odds(u + more[0], U + of_more[0], df + more[1], N + of_more[1], lam)
        more, of_more = prior.url_tokens.of(hashes), prior.url_tokens.total
        url = url_log_odds(of_urls[0] + more[0], totals[0] + of_more[0], of_urls[1] + more[1], totals[1] + of_more[1])
        return outcome, url

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
        failures = {"failed": self._failures(), "judged_failures": self._judged_failures}
        return {
            **sums,
            **failures,
            "judged": self._judged,
            "outcome_odds": self.outcome.copy(),
            "url_odds": self.url.copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; pages and numbers are restored before."""
        for name, series in self.series().items():
            series.restore(state[name])
        self._room(len(state["sum_parents"]))
        for name, column in self._sums.items():
            column.set(np.arange(self._n), np.asarray(state[f"sum_{name}"]))
        self._url_row.set(self._url_link.values, np.arange(len(self._url_link)))
        self._judged = int(state["judged"])
        self._failed = dict.fromkeys(np.asarray(state.get("failed", ()), dtype=np.int64).tolist())
        self._judged_failures = int(state.get("judged_failures", 0))  # of a version that did not count them: 0
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


# ---- what the words of the fetched pages say of the topic: counts by token, and a naive Bayes score of each page
#
# The equations are those of crawler.scoring.evidence. Counts grow with each page; lambda and all that depends on the
# verdicts changes at a refresh only. A page about which a person gave a verdict has y = 1 or 0, and counts as several
# pages wherever verdicts are counted: as if it had been fetched so often.


_COUNTS = ("df", "n", "win", "topic", "seen")
_LEARNED_OF_PAGE_EVIDENCE = ("lam", "near", "idf")
_BY_ROW = ("y", "m", "z")


class PageEvidence:
    """The fetched pages by row, in the order of fetching. Mutable: ``add`` and ``refresh`` change it."""

    def __init__(self, numbers: TokenNumbers, words_from: int = 30, taught_weight: float = 1.0) -> None:
        """Start without pages.

        Args:
            numbers: numbers of the tokens, shared with the links.
            words_from: number of pages from which their words count in the verdicts.
            taught_weight: number of pages as which one counts that a person liked or disliked.
        """
        self._numbers, self._words_from, self._taught_weight = numbers, words_from, taught_weight
        self._taught: dict[int, bool] = {}
        """Link -> whether a person likes its page, fetched or not."""
        self._pages = GrowingRows()
        """Different tokens of each page."""
        self._links = Series(np.int64)
        self._R = Series(np.float64)
        self._counts = {name: Column() for name in _COUNTS}
        """By token: pages with it, occurrences, sum of win over these; topic weight and occurrences in all texts."""
        self._row = Column(-1, np.int32)
        self._known = 0
        self._win = np.zeros(2)
        """Sum of win over all tokens of all pages, and their number."""
        self._mean = np.array([0.0, 1.0])
        """Mean and deviation of naive Bayes over the pages at the last refresh; at first the score itself counts."""
        self.y: Floats = np.zeros(0)
        """Verdict of each page by row at the last refresh, shape (D,)."""
        self.m: Floats = np.zeros(0)
        """Number of pages as which each page counts in sums of verdicts, shape (D,)."""
        self.z: Floats = np.zeros(0)
        """Standardised naive Bayes of each page by row; of pages since the refresh by its lambda."""
        self.lam: Floats = np.zeros(0)
        """lambda_t by token at the last refresh; later tokens have none."""
        self.near: Floats = np.zeros(0)
        """Local co-occurrence of each token with the topic."""
        self.idf: Floats = np.zeros(0)

    def __len__(self) -> int:
        """Number D of pages."""
        return len(self._R)

    @property
    def links(self) -> Ids:
        """Id of each page by row, shape (D,)."""
        return self._links.values

    def rows(self, links: Ids) -> Ids:
        """Return the row of each page, -1 for a link that is not fetched."""
        self._grow(int(links.max(initial=-1)) + 1)
        return self._row.ids(links)

    def add(self, link: int, tokens: TokenRows, R: float) -> tuple[float, float]:
        """Add a page.

        Args:
            link: its id.
            tokens: its tokens.
            R: its relevance, in [0, 1].

        Returns:
            ln(density + .003), and the standardised naive Bayes of the page.
        """
        topic = tokens.topic.astype(np.float64)
        win, ids = windows(topic), self._numbers.of(tokens.ids)
        different, inverse, n = np.unique(ids, return_inverse=True, return_counts=True)
        self._room()
        for name, values in (("df", np.ones(len(n))), ("n", n), ("win", row_sums(inverse, win, len(n)))):
            self._add(name, different, values)
        self.add_topic(ids, topic)
        self._win += (win.sum(), len(win))
        self._grow(link + 1)
        self._row.set(np.array([link]), np.array([len(self)]))
        self._links.append(np.array([link]))
        self._R.append(np.array([R]))
        self._pages.append(different, np.array([len(different)]))
        bayes = float(self.of_tokens("lam", different).sum()) / max(len(different), 1) ** 0.5
        z = self._standard(np.array([bayes]))
        self.z = np.append(self.z, z)
        return log_density(float(topic.sum()), len(topic)), float(z[0])

    def teach(self, link: int, liked: bool | None) -> None:
        """Use the verdict of a person about a page, from the next refresh on; None takes it back."""
        self._taught.pop(link, None)
        if liked is not None:
            self._taught[link] = liked

    def is_awaited(self, links: Ids) -> Bools:
        """Return which links are of pages that a person gave a verdict about and that are not fetched, shape (m,)."""
        return np.isin(links, [*self._taught]) & (self.rows(links) < 0)

    def add_topic(self, numbers: Ids, topic: Floats) -> None:
        """Add occurrences of tokens with their topic weights, both of shape (n,), to the mean weight of each token."""
        self._room()
        different, inverse, n = np.unique(numbers, return_inverse=True, return_counts=True)
        self._add("topic", different, row_sums(inverse, topic, len(n)))
        self._add("seen", different, n)

    def of_tokens(self, name: str, numbers: Ids) -> Floats:
        """Return ``lam``, ``near`` or ``idf`` of tokens, 0 for those that came after the last refresh."""
        values: Floats = getattr(self, name)
        return _look_up(values, numbers)

    def refresh(self) -> None:
        """Compute verdicts, lambda, co-occurrence and naive Bayes anew from all pages."""
        D, T = len(self), len(self._numbers)
        self._room()
        df, n, win, topic, seen = (self._counts[name].dump(T) for name in _COUNTS)
        w = topic / np.maximum(seen, 1.0)
        ids, row, tokens = self._pages.take(np.arange(D))
        taught, liked = self._taught_rows()
        self.m = np.ones(D)
        self.m[taught] = self._taught_weight
        counted = df + row_sums(ids, (self.m - 1.0)[row], T) if len(taught) else df

        def learn(y: Floats) -> tuple[Floats, Floats]:
            my = self.m * y
            lam = term_log_odds(row_sums(ids, my[row], T), float(my.sum()), counted, float(self.m.sum()), w)
            bayes = over_root(lam[ids], row, tokens)
            self._mean = np.array([bayes.mean(), bayes.std()]) if D else self._mean
            return lam, self._standard(bayes)

        self.y = np.clip(self._R.values, 0.0, 1.0)
        self.y[taught] = liked
        self.lam, self.z = learn(self.y)
        if self._words_from <= D:
            self.y = with_words(self.y, self.z)
            self.y[taught] = liked
            self.lam, self.z = learn(self.y)
        self.near = cooccurrence(win, n, self._win[0] / max(self._win[1], 1.0))
        self.idf = idf(df, D)

    def _taught_rows(self) -> tuple[Ids, Floats]:
        """Return the rows of the fetched pages that a person gave a verdict about, and y of each by it."""
        rows = self.rows(np.array([*self._taught], dtype=np.int64))
        return rows[rows >= 0], np.array([*self._taught.values()], dtype=np.float64)[rows >= 0]

    def _standard(self, bayes: Floats) -> Floats:
        mean, deviation = self._mean
        return (bayes - mean) / deviation if deviation > 0.0 else np.zeros(len(bayes))

    def _add(self, name: str, numbers: Ids, values: Floats | Ids) -> None:
        column = self._counts[name]
        column.set(numbers, column.get(numbers) + values)

    def _room(self) -> None:
        for column in self._counts.values():
            column.grow(len(self._numbers))

    def _grow(self, links: int) -> None:
        self._known = max(self._known, links)
        self._row.grow(self._known)

    # ---- saving -------------------------------------------------------------------------------------------------

    def series(self) -> dict[str, Series]:
        """Return the arrays that only grow, by name."""
        return {**self._pages.series("page"), "page_link": self._links, "page_R": self._R}

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {**state_of(self.series()), **self._rest()}

    def changes(self) -> dict[str, Any]:
        """Return ``state`` with what was appended since the last snapshot in place of arrays that only grow."""
        return {**changes_of(self.series()), **self._rest()}

    def _rest(self) -> dict[str, Any]:
        T = len(self._numbers)
        self._room()
        counts = {f"token_{name}": column.dump(T) for name, column in self._counts.items()}
        learned = {name: getattr(self, name).copy() for name in (*_LEARNED_OF_PAGE_EVIDENCE, *_BY_ROW)}
        taught = [[link, liked] for link, liked in self._taught.items()]
        return {**counts, **learned, "taught": taught, "win": self._win.copy(), "bayes": self._mean.copy()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned; the numbers of the tokens are restored before."""
        for name, series in self.series().items():
            series.restore(state[name])
        self._grow(int(self.links.max(initial=-1)) + 1)
        self._row.set(self.links, np.arange(len(self)))
        self._room()
        for name, column in self._counts.items():
            values = np.asarray(state[f"token_{name}"])
            column.set(np.arange(len(values)), values)
        self._taught = {int(link): bool(liked) for link, liked in state.get("taught", ())}
        self.m = np.ones(len(state["y"]))  # of a version without verdicts of persons
        for name in (name for name in (*_LEARNED_OF_PAGE_EVIDENCE, *_BY_ROW) if name in state):
            setattr(self, name, np.array(state[name], dtype=np.float64))
        self._win, self._mean = np.array(state["win"]), np.array(state["bayes"])


def _look_up(values: Floats, numbers: Ids) -> Floats:
    """Return values by token, 0 for tokens without one.

    >>> _look_up(np.array([0.5, 2.0]), np.array([1, 7])).tolist()
    [2.0, 0.0]
    """
    known = numbers < len(values)
    found = np.zeros(len(numbers))
    found[known] = values[numbers[known]]
    return found
