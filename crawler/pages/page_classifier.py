"""The words of a page for a classifier: segmented, as papers 001 and 003 do, with the weight of the place of each.

Runs of Han characters are cut by jieba (ontology.terms.segment); Latin words are taken whole, case folded. One-letter
words and numbers are left out, as they name nothing; that is our reading of "data cleaning" (paper 003, section 2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from crawler.model import SLOT
from crawler.scoring.bayes import NaiveBayes, PlacedWord, Training
from crawler.scoring.statistics import Statistics
from crawler.scoring.vsm import PAPER_003, TagGroups
from crawler.text import Vocabulary, Word
from ontology.terms.segment import word_segmenter
from ontology.terms.wordforms import normal

_LATIN = r"[^\W\d_\u3400-\u9fff]+"
_RUN = re.compile(rf"[\u3400-\u9fff]+|{_LATIN}(?:['’]{_LATIN})*")


def words_of(text: str, added: tuple[str, ...] = ()) -> list[str]:
    """The words of a text in order, each of two characters or more; ``added`` are words besides the dictionary's."""
    return [word for word in _words(normal(text), added) if len(word) >= 2]


def placed_words(segments: Sequence[tuple[str, str]], groups: TagGroups = PAPER_003) -> list[PlacedWord]:
    """The words of a page's (slot, text) segments, each with L_j of the group of its slot (paper 003, Table 1)."""
    L = groups.w[groups.group]
    return [(word, float(L[SLOT[slot]])) for slot, text in segments for word in words_of(text)]


class PageClassifier:
    """Names the class of a page: a trained classifier, applied to (slot, text) segments. A handle without state."""

    def __init__(self, model: NaiveBayes, groups: TagGroups = PAPER_003) -> None:
        self.model, self._groups = model, groups

    def __call__(self, segments: Sequence[tuple[str, str]]) -> str:
        """C(X), Eq. (9)."""
        return self.model.classify(placed_words(segments, self._groups))


def training_statistics(vocabularies: Mapping[str, Vocabulary], training: Training) -> Statistics:
    """N and N_i of Eq. (1) of paper 003, which count the texts of the training set instead of the crawled pages.

    A topic word stands in as many texts as the most frequent of its forms, and a form of several words in as many as
    the rarest of these: what the training set keeps of its texts says no more [R].
    """

    def texts_with(form: str) -> int:
        found = [training.row.get(word) for word in words_of(form)]
        return min((0 if at is None else int(training.N_t[at]) for at in found), default=0)

    def texts_of(word: Word) -> int:
        return max((texts_with(form) for _, form in word.forms), default=0)

    counted = Statistics(vocabularies)
    N_i = {name: np.array([texts_of(word) for word in v.words], dtype=np.int64) for name, v in vocabularies.items()}
    counted.restore({"N": int(training.K.sum()), "containing": N_i})
    return counted


def _words(text: str, added: tuple[str, ...]) -> Iterator[str]:
    for run in _RUN.findall(text):
        if "\u3400" <= run[0] <= "\u9fff":
            yield from word_segmenter(added).cut(run)
        else:
            yield run
