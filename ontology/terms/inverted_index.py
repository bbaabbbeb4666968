"""An inverted index of texts by character, which tells how many of them contain a string.

Only the texts that have the rarest character of the string are searched, not all.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence


class InvertedIndex:
    """Texts and, for each character, the numbers of those that have it.

    Args:
        texts: the texts.

    >>> index = InvertedIndex(["暴雨和洪水", "暴雨", "雨"])
    >>> index.count("暴雨"), index.count("雨"), index.count("雨暴"), index.count("雪")
    (2, 3, 0, 0)
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._having: dict[str, array[int]] = {}
        for number, text in enumerate(texts):
            for character in set(text):
                if character not in self._having:
                    self._having[character] = array("i")
                self._having[character].append(number)

    def count(self, string: str) -> int:
        """Return the number of texts that contain a string."""
        if not string:
            return len(self._texts)
        having = min((self._having.get(character, ()) for character in string), key=len)
        return sum(string in self._texts[number] for number in having)
