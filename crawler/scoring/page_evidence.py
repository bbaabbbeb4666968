"""What the words of the fetched pages say of the topic: counts by token, and a naive Bayes score of each page.

The equations are those of crawler.scoring.evidence. Counts grow with each page; lambda and all that depends on the
verdicts changes at a refresh only. A page about which a person gave a verdict has y = 1 or 0, and counts as several
pages wherever verdicts are counted: as if it had been fetched so often.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.frontier.growable import Column
from crawler.model import Bools, Floats, Ids, TokenRows
from crawler.scoring.evidence import (
    cooccurrence,
    idf,
    log_density,
    over_root,
    row_sums,
    term_log_odds,
    windows,
    with_words,
)
from crawler.scoring.growing_rows import GrowingRows, Series, TokenNumbers, changes_of, state_of

_COUNTS = ("df", "n", "win", "topic", "seen")
_LEARNED = ("lam", "near", "idf")
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
        return look_up(values, numbers)

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
        learned = {name: getattr(self, name).copy() for name in (*_LEARNED, *_BY_ROW)}
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
        for name in (name for name in (*_LEARNED, *_BY_ROW) if name in state):
            setattr(self, name, np.array(state[name], dtype=np.float64))
        self._win, self._mean = np.array(state["win"]), np.array(state["bayes"])


def look_up(values: Floats, numbers: Ids) -> Floats:
    """Return values by token, 0 for tokens without one.

    >>> look_up(np.array([0.5, 2.0]), np.array([1, 7])).tolist()
    [2.0, 0.0]
    """
    known = numbers < len(values)
    found = np.zeros(len(numbers))
    found[known] = values[numbers[known]]
    return found
