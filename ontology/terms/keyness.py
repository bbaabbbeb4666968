"""Contrast with a background corpus: which words are commoner here than in general text.

Two measures of a word that occurs k times in n words here, and K times in N words of the background:

    log ratio = ln((k + 1/2) / n) - ln((K + 1/2) / N)
    G2 = 2 (k ln(k / e) + K ln(K / E)),  e = n (k + K) / (n + N),  E = N (k + K) / (n + N)

The scorer reads the first, explanations print both. G2 is the log-likelihood ratio of Dunning 1993, "Accurate methods
for the statistics of surprise and coincidence", Computational Linguistics 19(1), over the two counts of the word only
[R]; it has the sign of the difference here. The background is jieba's dictionary, whose word frequencies were counted
on general Chinese text. It is read where jieba is installed; no copy of it is kept. A user's own table may take its
place.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontology.files import read_text
from ontology.terms.segment import dictionary
from ontology.terms.token_stream import TokenStream
from ontology.terms.wordforms import has_han

_HALF = 0.5


class BackgroundError(ValueError):
    """A table of background frequencies that can't be used: where it breaks and what stands there."""


@dataclass(frozen=True)
class Background:
    """Word frequencies of general text.

    Attributes:
        frequency: word -> occurrences.
        total: number of words of the text behind it.
        source: where the figures are from.
    """

    frequency: Mapping[str, int]
    total: int
    source: str

    def log_ratio(self, word: str, count: int, tokens: int) -> float:
        """ln of the relative frequency here over that of the background; 0 for a Latin word that the background lacks.

        The dictionary has next to no Latin words, so that nothing follows from missing ones.
        """
        known = self.frequency.get(word, 0)
        if not known and not has_han(word):
            return 0.0
        return math.log((count + _HALF) / max(tokens, 1)) - math.log((known + _HALF) / self.total)

    def log_likelihood(self, word: str, count: int, tokens: int) -> float:
        """G2, negative for a word that is rarer here than in the background."""
        known = self.frequency.get(word, 0)
        share = (count + known) / max(tokens + self.total, 1)
        pairs = ((count, tokens * share), (known, self.total * share))
        g2 = 2 * sum(found * math.log(found / expected) for found, expected in pairs if found)
        return max(g2, 0.0) if count >= tokens * share else -max(g2, 0.0)


@lru_cache(maxsize=1)
def general() -> Background:
    """The background that is always there: jieba's dictionary."""
    counts = {word: entry.frequency for word, entry in dictionary().items()}
    return Background(counts, sum(counts.values()), "the dictionary of jieba 0.42")


def load_background(path: Path) -> Background:
    """A user's table: a word, a tab, how often it occurs; one word a line. BackgroundError names file and line."""
    lines = read_text(path, BackgroundError).splitlines()
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word, tab, count = line.partition("\t")
        if not line.strip():
            continue
        if not (word and tab and count.strip().isdecimal()):
            raise BackgroundError(f"{path}, line {number}: expected a word, a tab and a whole number, found {line!r}")
        counts[word] = counts.get(word, 0) + int(count)
    if not sum(counts.values()):
        raise BackgroundError(
            f"{path}: has no word with a frequency; expected lines of a word, a tab and a whole number"
        )
    return Background(counts, sum(counts.values()), str(path))


def word_keyness(stream: TokenStream, background: Background) -> NDArray[np.float64]:
    """Log ratio of each word number of the stream, (v,); 0 for the break."""
    counts: Sequence[int] = stream.counts.tolist()
    ratios = (
        background.log_ratio(word, count, stream.tokens) for word, count in zip(stream.words, counts, strict=True)
    )
    return np.fromiter(ratios, np.float64, len(stream.words))
