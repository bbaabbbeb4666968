"""Keyness: which words are more common here than in a background corpus.

Two measures of a word that occurs k times in n words here, and K times in N words of the background:

    log ratio = ln((k + 1/2) / n) - ln((K + 1/2) / N)
    G2 = 2 (k ln(k / e) + K ln(K / E)),  e = n (k + K) / (n + N),  E = N (k + K) / (n + N)

The scorer uses the log ratio, explanations print both. G2 is the log-likelihood ratio of Dunning 1993, "Accurate
methods for the statistics of surprise and coincidence", Computational Linguistics 19(1), over the two counts of the
word only [R]; here it has the sign of the difference. The default background is jieba's dictionary, whose word
frequencies were counted on general Chinese text; it is read from the installed package. A user's table can replace it.
English words have a background of their own, SymSpell's dictionary with the word frequencies of Google Books.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ontology.errors import OntocrawlError
from ontology.files import read_text
from ontology.terms.segment import dictionary
from ontology.terms.token_stream import TokenStream
from ontology.terms.wordforms import has_han

_HALF = 0.5
_ENGLISH = "frequency_dictionary_en_82_765.txt"


class BackgroundError(OntocrawlError, ValueError):
    """A table of background frequencies that cannot be used; the message names the place and its content."""


@dataclass(frozen=True)
class Background:
    """Word frequencies of general text.

    Attributes:
        frequency: word -> occurrences.
        total: number of words of the text behind it.
        source: origin of the counts.

    >>> general_text = Background({"的": 900, "台风": 1}, 1000, "an example")
    >>> round(general_text.log_ratio("台风", 10, 100), 3), round(general_text.log_ratio("的", 10, 100), 3)
    (4.248, -2.149)
    >>> round(general_text.log_likelihood("台风", 10, 100), 1), round(general_text.log_likelihood("的", 10, 100), 1)
    (41.4, -109.4)
    """

    frequency: Mapping[str, int]
    total: int
    source: str

    def log_ratio(self, word: str, count: int, tokens: int) -> float:
        """Return the log of a word's relative frequency here over that in the background.

        The dictionary has very few Latin words, so that a missing one is no evidence: its log ratio is 0.

        Args:
            word: a folded word.
            count: occurrences here, k.
            tokens: number of words here, n.

        Returns:
            The log ratio in nats; above 0 for a word that is more common here.
        """
        known = self.frequency.get(word, 0)
        if not known and not has_han(word):
            return 0.0
        return math.log((count + _HALF) / max(tokens, 1)) - math.log((known + _HALF) / self.total)

    def log_likelihood(self, word: str, count: int, tokens: int) -> float:
        """Return G2, negative for a word that is rarer here than in the background.

        Args:
            word: a folded word.
            count: occurrences here, k.
            tokens: number of words here, n.
        """
        known = self.frequency.get(word, 0)
        share = (count + known) / max(tokens + self.total, 1)
        pairs = ((count, tokens * share), (known, self.total * share))
        g2 = 2 * sum(observed * math.log(observed / expected) for observed, expected in pairs if observed)
        return max(g2, 0.0) if count >= tokens * share else -max(g2, 0.0)


def association(both: int, one: int, other: int, total: int) -> float:
    """Return G2 of two events over the same units, such as two words in one sentence (Dunning 1993, section 4).

    Args:
        both: units with both events.
        one: units with the first event.
        other: units with the second event.
        total: all units.

    Returns:
        G2 of the two-by-two table, negative where the events are together less often than by chance.

    >>> round(association(30, 40, 100, 1000), 1), round(association(0, 40, 100, 1000), 1)
    (103.8, -8.6)
    """
    table = ((both, one - both), (other - both, total - one - other + both))
    g2 = 0.0
    for row, of_one in zip(table, (one, total - one), strict=True):
        for observed, of_other in zip(row, (other, total - other), strict=True):
            if observed > 0:
                g2 += 2 * observed * math.log(observed * total / (of_one * of_other))
    g2 = max(g2, 0.0)
    return g2 if both * total >= one * other else -g2


@lru_cache(maxsize=1)
def general() -> Background:
    """Return the default background: jieba's dictionary."""
    counts = dictionary().frequency
    return Background(counts, sum(counts.values()), "the dictionary of jieba 0.42")


@lru_cache(maxsize=1)
def general_english() -> Background:
    """Return word frequencies of general English: the dictionary of symspellpy, counted on Google Books."""
    text = (files("symspellpy") / _ENGLISH).read_text(encoding="utf-8-sig")
    counts = {word: int(count) for word, _, count in (line.partition(" ") for line in text.splitlines()) if word}
    return Background(counts, sum(counts.values()), "the English dictionary of symspellpy")


def load_background(path: Path) -> Background:
    """Read a table of word frequencies: a word, a tab and its number of occurrences on each line.

    Raises:
        BackgroundError: a line has another form, or no word has a frequency; the message names file and line.
    """
    lines = read_text(path, BackgroundError).splitlines()
    counts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word, tab, count = line.partition("\t")
        if not line.strip():
            continue
        if not (word and tab and count.strip().isdecimal()):
            raise BackgroundError("terms.line_expected_word_tab", path=path, number=number, line=line)
        counts[word] = counts.get(word, 0) + int(count)
    if not sum(counts.values()):
        raise BackgroundError("terms.no_word_frequency_expected", path=path)
    return Background(counts, sum(counts.values()), str(path))


def word_keyness(stream: TokenStream, background: Background) -> NDArray[np.float64]:
    """Return the log ratio of each word number of a corpus.

    Args:
        stream: the corpus, with v different words.
        background: the word frequencies to compare with.

    Returns:
        Shape (v,); 0 for the break.
    """
    counts: Sequence[int] = stream.counts.tolist()
    ratios = (
        background.log_ratio(word, count, stream.tokens) for word, count in zip(stream.words, counts, strict=True)
    )
    return np.fromiter(ratios, np.float64, len(stream.words))
