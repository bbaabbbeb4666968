"""Which runs of symbols are units: frequent n-grams with the entropy of their neighbours and their inner cohesion.

Source: boundary entropy (Harris 1955; Jin & Tanaka-Ishii 2006, "Unsupervised segmentation of Chinese text by use of
branching entropy") and normalised pointwise mutual information (Bouma 2009), both standard. The symbols are
characters for Chinese, so that words which a dictionary would split are found, and words for English.

Longer n-grams are only counted where both shorter ones inside them are frequent, so that the work stays linear in the
text for each length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ids = NDArray[np.int64]
Bools = NDArray[np.bool_]

BREAK = 0
"""The symbol between sentences: never inside a unit."""


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """Sentences of all pages one after the other, each followed by BREAK."""

    symbol: Ids
    """(N,) symbol numbers, BREAK or positive."""
    inside: Bools
    """(N,) whether a unit may contain the symbol there."""
    boundary: Bools
    """(N,) whether the symbol is a boundary for the unit beside it: punctuation, function words."""
    page: Ids
    """(N,) number of the page."""


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """The frequent n-grams of one length, one row each."""

    length: int
    start: Ids
    """(m,) position of the first occurrence in the stream."""
    frequency: Ids
    pages: Ids
    """(m,) number of the wanted pages that contain it."""
    others: Ids
    """(m,) number of the other pages that contain it."""
    left: Floats
    """(m,) entropy of the symbols before it, in nats; a boundary counts as a new symbol each time."""
    right: Floats
    cohesion: Floats
    """(m,) normalised pointwise mutual information at the weakest of its inner joints, in [-1, 1]."""


def phrases(stream: Stream, wanted: Bools, *, shortest: int, longest: int, min_pages: int) -> list[Phrases]:
    """All n-grams, shortest <= n <= longest, that stand on ``min_pages`` wanted pages or more.

    ``wanted`` (pages,) tells the pages to look on; the others are only counted.
    """
    total = int(stream.inside.sum())
    gram = np.where(stream.inside, stream.symbol, -1)
    gram = _renumber(gram)
    found: list[Phrases] = []
    counts: list[tuple[Ids, Ids]] = []
    for n in range(1, longest + 1):
        if n > 1:
            gram = _extend(gram)
        keep = gram >= 0
        if not keep.any():
            break
        frequency = np.bincount(gram[keep])
        pages, others = _pages(gram, stream.page, wanted, len(frequency))
        frequent = pages >= min_pages
        gram = _renumber(np.where(keep & frequent[gram], gram, -1))
        if not (gram >= 0).any():
            break
        frequency, pages, others = frequency[frequent], pages[frequent], others[frequent]
        counts.append((gram, frequency))
        if n >= shortest:
            start = _first(gram, len(frequency))
            left, right = _neighbours(stream, gram, n, len(frequency))
            cohesion = _cohesion(start, counts, total)
            found.append(Phrases(n, start, frequency, pages, others, left, right, cohesion))
    return found


def _renumber(gram: Ids) -> Ids:
    """The same classes numbered from 0 without gaps; -1 stays."""
    keep = gram >= 0
    answer = np.full(len(gram), -1, dtype=np.int64)
    if keep.any():
        answer[keep] = np.unique(gram[keep], return_inverse=True)[1]
    return answer


def _extend(gram: Ids) -> Ids:
    """n-grams from (n-1)-grams: the gram at i and the gram at i + 1 must both be there; numbered anew."""
    longer = np.full(len(gram), -1, dtype=np.int64)
    both = (gram[:-1] >= 0) & (gram[1:] >= 0)
    width = int(gram.max()) + 1
    longer[:-1][both] = gram[:-1][both] * width + gram[1:][both]
    return _renumber(longer)


def _pages(gram: Ids, page: Ids, wanted: Bools, m: int) -> tuple[Ids, Ids]:
    keep = gram >= 0
    pairs = np.unique(gram[keep] * len(wanted) + page[keep])
    owner, on = pairs // len(wanted), wanted[pairs % len(wanted)]
    return np.bincount(owner[on], minlength=m), np.bincount(owner[~on], minlength=m)


def _first(gram: Ids, m: int) -> Ids:
    first = np.full(m, len(gram), dtype=np.int64)
    keep = np.flatnonzero(gram >= 0)
    np.minimum.at(first, gram[keep], keep)
    return first


def _neighbours(stream: Stream, gram: Ids, n: int, m: int) -> tuple[Floats, Floats]:
    at = np.flatnonzero(gram >= 0)
    context = np.where(~stream.boundary, stream.symbol, -1 - np.arange(len(stream.symbol)))
    framed = np.concatenate(([-1 - len(context)], context, [-2 - len(context)]))
    return _entropy(gram[at], framed[at], m), _entropy(gram[at], framed[at + n + 1], m)


def _entropy(owner: Ids, symbol: Ids, m: int) -> Floats:
    """Entropy in nats of the symbols of each owner, (m,)."""
    low = int(symbol.min())
    width = int(symbol.max()) - low + 1
    pairs, times = np.unique(owner * width + (symbol - low), return_counts=True)
    whose = pairs // width
    total = np.bincount(whose, weights=times, minlength=m)
    share = times / total[whose]
    return np.bincount(whose, weights=-share * np.log(share), minlength=m).astype(np.float64)


def _cohesion(start: Ids, counts: Sequence[tuple[Ids, Ids]], total: int) -> Floats:
    """min over the joints of ln(p(ab) / (p(a) p(b))) / -ln p(ab), for the longest n-grams counted so far."""
    n = len(counts)
    whole = counts[-1][1] / total
    if n == 1:
        return np.ones(len(start))
    weakest = np.full(len(start), np.inf)
    for k in range(1, n):
        head, tail = counts[k - 1], counts[n - k - 1]
        p_head = head[1][head[0][start]] / total
        p_tail = tail[1][tail[0][start + k]] / total
        weakest = np.minimum(weakest, np.log(whole / (p_head * p_tail)))
    return np.asarray(weakest / np.maximum(-np.log(whole), 1e-12), dtype=np.float64)
