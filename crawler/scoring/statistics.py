"""How many pages a crawl has seen, and how many contain each topic word: N and N_i of Eq. (9), D and D_i of 002."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from crawler.model import Counts
from crawler.text import Vocabulary


class Statistics:
    """Document frequencies over the crawled pages, per vocabulary. A page is added before it is scored (T20: D=1)."""

    def __init__(self, vocabularies: Mapping[str, Vocabulary]) -> None:
        self.N = 0
        self._containing = {name: np.zeros(len(v), dtype=np.int64) for name, v in vocabularies.items()}

    def add(self, counts: Mapping[str, Counts]) -> None:
        """Count one more page: vocabulary -> counts of its words, shape (n,) or per slot (S, n).

        Raises:
            ValueError: counts of a vocabulary are missing.
        """
        missing = self._containing.keys() - counts.keys()
        if missing:
            raise ValueError(f"a page without counts of the vocabularies {', '.join(sorted(missing))}")
        self.N += 1
        for name in self._containing:
            self._containing[name] += np.atleast_2d(counts[name]).any(axis=0)

    def containing(self, vocabulary: str) -> Counts:
        """N_i: number of crawled pages that contain each word, shape (n,)."""
        return self._containing[vocabulary]

    def state(self) -> dict[str, Any]:
        """All that ``restore`` needs."""
        return {"N": self.N, "containing": {name: N_i.copy() for name, N_i in self._containing.items()}}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take back a saved state.

        Raises:
            ValueError: it was saved with other vocabularies.
        """
        saved = {name: np.array(N_i, dtype=np.int64) for name, N_i in state["containing"].items()}
        shapes = {name: N_i.shape for name, N_i in saved.items()}
        if shapes != {name: N_i.shape for name, N_i in self._containing.items()}:
            raise ValueError(f"saved document frequencies {shapes} belong to other vocabularies than this crawl's")
        self.N, self._containing = int(state["N"]), saved
