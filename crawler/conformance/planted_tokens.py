"""Tokens of a planted web: pages, anchors, contexts and URLs as numbers, for strategies that ask for them.

A page has topical tokens in proportion to its R, some of which are words of the topic, and others that any page may
have. An anchor names its page; where R of the anchor is above 0 it has a topical token too, as has the text around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from crawler.conformance.planted import PlantedWeb
from crawler.model import Floats, Ids, TokenRows

LENGTH, AROUND = 60, 12
"""Tokens of a page, and of a context."""
TOPICAL, WORDS, COMMON = 20, 5, 300
"""Number of topical tokens, of the words of the topic among them, and of common tokens."""
WEIGHT = 0.8
_NAME, _HOST = 1_000, 100_000
"""First number of the tokens that name a page, and a host."""


class PlantedTokens:
    """The tokens of a web; the same for the same page or link in every crawl."""

    def __init__(self, web: PlantedWeb) -> None:
        self._web = web

    def parts(self, page: int, to: Sequence[int], parts: Sequence[str]) -> dict[str, Any]:
        """Return the parts of the outcome of a page that are rows of tokens.

        Args:
            page: number of the page.
            to: pages that its links point to.
            parts: the parts that the strategy needs.
        """
        rows: dict[str, Callable[[], list[Ids]]] = {
            "tokens": lambda: [self._page(page)],
            "anchor_tokens": lambda: [self._anchor(target) for target in to],
            "context_tokens": lambda: [self._context(page, target) for target in to],
            "url_tokens": lambda: [np.array([_NAME + t, _HOST + self._web.host[t]]) for t in to],
        }
        return {name: _rows(make()) for name, make in rows.items() if name in parts}

    def _page(self, page: int) -> Ids:
        rng = np.random.default_rng([3, page])
        return np.append(_drawn(rng, LENGTH, 0.5 * self._web.R["TK"][page]), _NAME + page)

    def _anchor(self, target: int) -> Ids:
        rng = np.random.default_rng([4, target])
        return np.append(_drawn(rng, 1, float(self._web.R_anchor["TK"][target] > 0)), _NAME + target)

    def _context(self, page: int, target: int) -> Ids:
        rng = np.random.default_rng([5, page, target])
        return _drawn(rng, AROUND, 0.3 * self._web.R_anchor["TK"][target])


def _drawn(rng: np.random.Generator, n: int, topical: Floats | float) -> Ids:
    """Draw tokens, each topical with a probability."""
    tokens: Ids = np.where(rng.random(n) < topical, rng.integers(0, TOPICAL, n), TOPICAL + rng.integers(0, COMMON, n))
    return tokens


def _rows(rows: Sequence[Ids]) -> TokenRows:
    ids = np.concatenate([np.empty(0, dtype=np.int64), *rows]).astype(np.int32)
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in rows]))).astype(np.int64)
    return TokenRows(ids, indptr, np.where(ids < WORDS, WEIGHT, 0.0).astype(np.float32))
