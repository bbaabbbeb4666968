"""Classification of pages: the words of a page, segmented as in papers 001 and 003, weighted by their position.

Runs of Han characters are cut by jieba (ontology.terms.segment); Latin words are taken whole, case folded. Words of one
character and numbers are left out; this is the reading of "data cleaning" here (paper 003, section 2.1).
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
    """Return the words of a text in order, each of two characters or more.

    Args:
        text: any text.
        added: words to add to the segmenter's dictionary.

    Returns:
        Case-folded words.
    """
    return [word for word in _words(normal(text), added) if len(word) >= 2]


def placed_words(segments: Sequence[tuple[str, str]], groups: TagGroups = PAPER_003) -> list[PlacedWord]:
    """Return the words of a page, each with the weight L_j of its slot's group (paper 003, Table 1).

    Args:
        segments: (slot, text) segments of the page.
        groups: groups of slots with their weights.

    Returns:
        (word, weight) in page order.
    """
    L = groups.w[groups.group]
    return [(word, float(L[SLOT[slot]])) for slot, text in segments for word in words_of(text)]


class PageClassifier:
    """A trained classifier that is applied to the (slot, text) segments of a page. Calls do not change it."""

    def __init__(self, model: NaiveBayes, groups: TagGroups = PAPER_003) -> None:
        self.model, self._groups = model, groups

    def __call__(self, segments: Sequence[tuple[str, str]]) -> str:
        """Return the class C(X) of a page, Eq. (9)."""
        return self.model.classify(placed_words(segments, self._groups))


def training_statistics(vocabularies: Mapping[str, Vocabulary], training: Training) -> Statistics:
    """Compute N and N_i of Eq. (1) of paper 003 over the texts of the training set instead of the crawled pages.

    The training set keeps counts of words only, so N_i of a topic word is that of the most frequent of its forms, and
    that of a form with several words is that of the rarest one [R].

    Args:
        vocabularies: topic vectors by name.
        training: counts of the training set.

    Returns:
        Statistics in which texts of the training set count as pages.
    """

    def texts_with(form: str) -> int:
        rows = [training.row.get(word) for word in words_of(form)]
        return min((0 if row is None else int(training.N_t[row]) for row in rows), default=0)

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
