"""The words of a text in any language, without a dictionary: how many, how many different ones, and the first ones.

A word is a run of letters and digits; in scripts without blanks between words it is two characters, which is the mean
length of a Chinese word. So lengths of English and of Chinese texts are in about the same unit, and cost no segmenter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Kana and Chinese characters, as a range of a regular expression."""
WORD = re.compile(rf"[{_UNSPACED}]{{1,2}}|[^\W_{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class WordTotals:
    """Number of words of a text, and number of different ones, case ignored."""

    words: int
    distinct: int


def word_totals(texts: Iterable[str]) -> WordTotals:
    """Count the words of several texts together.

    >>> word_totals(["Rain, rain and snow", "暴雨成灾"])
    WordTotals(words=6, distinct=5)
    """
    words = [word for text in texts for word in WORD.findall(text.lower())]
    return WordTotals(len(words), len(set(words)))


def has_words(texts: Iterable[str], least: int) -> bool:
    """Return whether several texts together have at least so many words; the rest of them is not read.

    >>> has_words(["Rain, rain and snow", "暴雨成灾"], 6), has_words(["rain"], 2)
    (True, False)
    """
    words = 0
    for text in texts:
        words += len(WORD.findall(text))
        if words >= least:
            return True
    return False


def first_words(text: str, most: int) -> tuple[str, int]:
    """Return the beginning of a text up to the end of its ``most``-th word, and the number of words in it.

    >>> first_words("Rain, rain and snow", 2)
    ('Rain, rain', 2)
    """
    ends = [match.end() for match in islice(WORD.finditer(text), most)]
    return (text[: ends[-1]] if ends else ""), len(ends)
