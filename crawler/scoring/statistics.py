"""Document frequencies of a crawl: N and N_i of Eq. (9) of paper 000, D and D_i of paper 002; and the mean length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.model import Counts
from crawler.text import Vocabulary


class Statistics:
    """Document frequencies over the crawled pages, by vocabulary. A page is added before it is scored (T20: D = 1).

    >>> from crawler.text import Vocabulary, Word
    >>> words = tuple(Word(word, 1.0, (("en", word),)) for word in ("flood", "dam"))
    >>> statistics = Statistics({"TK": Vocabulary("TK", words)})
    >>> for counts in ([3, 0], [1, 1]):
    ...     statistics.add({"TK": np.array(counts)})
    >>> statistics.N, statistics.containing("TK").tolist()
    (2, [2, 1])
    """

    def __init__(self, vocabularies: Mapping[str, Vocabulary]) -> None:
        self.N = 0
        self.words = 0
        """Number of words of all pages; 0 in crawls that do not count them."""
        self._containing = {name: np.zeros(len(v), dtype=np.int64) for name, v in vocabularies.items()}

    def add(self, counts: Mapping[str, Counts], words: int = 0) -> None:
        """Add a page.

        Args:
            counts: vocabulary -> counts of its words in the page, shape (n,), or by slot (S, n).
            words: number of words of the page, where they are counted.

        Raises:
            ValueError: counts of a vocabulary are missing.
        """
        missing = self._containing.keys() - counts.keys()
        if missing:
            raise ValueError(f"a page without counts of the vocabularies {', '.join(sorted(missing))}")
        self.N += 1
        self.words += words
        for name in self._containing:
            self._containing[name] += np.atleast_2d(counts[name]).any(axis=0)

    @property
    def mean_words(self) -> float:
        """Mean number of words of a page; 0 where they are not counted."""
        return self.words / self.N if self.N else 0.0

    def containing(self, vocabulary: str) -> Counts:
        """Return N_i, the number of crawled pages that contain each word, shape (n,)."""
        return self._containing[vocabulary]

    def state(self) -> dict[str, Any]:
        """Return everything that ``restore`` needs."""
        return {
            "N": self.N,
            "words": self.words,
            "containing": {name: N_i.copy() for name, N_i in self._containing.items()},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore a state that ``state`` returned.

        Raises:
            ValueError: it was saved with other vocabularies.
        """
        saved = {name: np.array(N_i, dtype=np.int64) for name, N_i in state["containing"].items()}
        shapes = {name: N_i.shape for name, N_i in saved.items()}
        if shapes != {name: N_i.shape for name, N_i in self._containing.items()}:
            raise ValueError(f"saved document frequencies {shapes} belong to other vocabularies than this crawl's")
        self.N, self._containing = int(state["N"]), saved
        self.words = int(state.get("words", 0))  # snapshots of earlier versions lack it
