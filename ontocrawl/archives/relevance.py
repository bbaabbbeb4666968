"""The relevance of the pages of an archive, as columns, by the document frequencies of the whole archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from crawler.crawl_options import Judge
from crawler.model import SLOT, SLOTS, Counts, TextFigures
from crawler.scoring.statistics import Statistics
from crawler.text import Vocabulary
from ontocrawl.archives.schema import PAGES


class Frequencies:
    """Document frequencies of some pages: N, the number of their words, and N_i of each word of the judge's vector.

    Frequencies of parts of an archive add up to those of the archive, in any order.
    """

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._name = vocabulary.name
        self.N, self.words = 0, 0
        self.N_i = np.zeros(len(vocabulary), dtype=np.int64)

    def add_pages(self, pages: pa.RecordBatch) -> None:
        """Add pages of the schema COUNTED."""
        self.N += pages.num_rows
        for words, counts in zip(pages["words"].to_pylist(), pages["counts"].to_pylist(), strict=True):
            self.words += words
            self.N_i[[*{row["word"] for row in counts if row["vocabulary"] == self._name}]] += 1

    def add(self, values: Mapping[str, Any]) -> None:
        """Add frequencies that ``as_json`` returned."""
        self.N += values["N"]
        self.words += values["words"]
        self.N_i += np.array(values["N_i"], dtype=np.int64)

    def as_json(self) -> dict[str, Any]:
        """Return the frequencies as values of JSON."""
        return {"N": self.N, "words": self.words, "N_i": self.N_i.tolist()}

    def statistics(self, vocabulary: Vocabulary) -> Statistics:
        """Return them as relevance functions read them."""
        statistics = Statistics({self._name: vocabulary})
        statistics.restore({"N": self.N, "words": self.words, "containing": {self._name: self.N_i}})
        return statistics


def with_relevance(pages: pa.RecordBatch, judge: Judge, vocabulary: Vocabulary, statistics: Statistics) -> pa.Table:
    """Add the relevance of pages, and the judge's decisions.

    Args:
        pages: pages of the schema COUNTED.
        judge: relevance function and threshold.
        vocabulary: the topic vector of the judge.
        statistics: document frequencies of the whole archive.

    Returns:
        The pages by the schema PAGES.
    """
    figures = (pages[name].to_pylist() for name in ("counts", "characters", "words", "distinct_words", "lead_words"))
    relevance = []
    for counts, length, words, distinct, lead_words, lead in zip(*figures, pages["lead"].to_pylist(), strict=True):
        text = TextFigures(words, distinct, lead_words, _lead(lead, len(vocabulary)))
        by_slot = _by_slot(counts, vocabulary)
        w, name = vocabulary.weights, vocabulary.name
        relevance.append(judge.relevance.page(by_slot, w, statistics, name, length, text))
    R = pa.array(relevance, pa.float64())
    relevant = pa.array([judge.verdict(r) for r in relevance], pa.bool_())
    return pa.Table.from_arrays([*pages.columns, R, relevant], schema=PAGES)


def _by_slot(rows: Iterable[Mapping[str, Any]], vocabulary: Vocabulary) -> Counts:
    """Return the counts of the words of a vocabulary by slot, shape (len(SLOTS), n)."""
    counts = np.zeros((len(SLOTS), len(vocabulary)), dtype=np.int64)
    for row in rows:
        if row["vocabulary"] == vocabulary.name:
            counts[SLOT[row["slot"]], row["word"]] = row["count"]
    return counts


def _lead(rows: Iterable[Mapping[str, Any]], n: int) -> Counts:
    """Return the counts of the words at the beginning of the text, shape (n,)."""
    counts = np.zeros(n, dtype=np.int64)
    for row in rows:
        counts[row["word"]] = row["count"]
    return counts
