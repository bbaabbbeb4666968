"""Words and weights of a topic from texts: by TF-IDF of a class (paper 003), or by frequency in pages (paper 001).

Both methods segment the texts, merge synonyms by the bilingual lexicon, and select the words with the largest weights.

    of_class   omega_t = f_t / sum f_m lg(N / N_t + .01), Eq. (1) of paper 003, over the texts of all classes
    of_pages   f_t / max f_t: words are ranked by frequency; the weight is the "normalized term frequency"
               (paper 001, section 4.1; its section 5.1.2 names TF-IDF, which needs pages on other topics, too)

Weights are scaled to a maximum of 1, which does not change a cosine. In paper 001 the authors chose words of "practical
importance"; here [R] function words and general words are left out, and with `of_pages` also words of a single page and
words less than ten times as frequent as in general Chinese text. Of English pages the words are the best terms as by
`ontology terms`: no table says how frequent an English word is in general text, and terms have several words.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from crawler.pages.page_classifier import words_of
from crawler.scoring.bayes import count, topic_weights
from ontocrawl.errors import UsageError
from ontology.model import Document
from ontology.terms import study_terms
from ontology.terms.document_frequencies import DocumentFrequencies
from ontology.terms.lexicon import Lexicon, word_list
from ontology.terms.particularity import particularity
from ontology.terms.segment import dictionary, word_segmenter
from ontology.terms.wordforms import fold, has_han

TOP = 12
"""Default number of words of a topic (paper 001; paper 003 has no number)."""
_CONTENT = ("n", "v", "j", "l", "i", "a")
"""First letters of part-of-speech tags of content words; a word without a tag may be a name."""
_KEY = 10.0
_TWICE = math.log(2)


@dataclass(frozen=True)
class TopicWordFound:
    """A word with its synonyms, weight in (0, 1], number of occurrences, and number of texts it occurs in."""

    zh: tuple[str, ...]
    en: tuple[str, ...]
    weight: float
    frequency: int
    texts: int


def of_class(texts: Mapping[str, Sequence[str]], name: str, lexicon: Lexicon, top: int = TOP) -> list[TopicWordFound]:
    """Select the words with the largest omega_t of one class (paper 003, Eq. 1).

    Args:
        texts: class -> its texts.
        name: the class on the topic.
        lexicon: lexicon that joins synonyms.
        top: maximum number of words.

    Returns:
        The words by descending weight; the largest weight is 1.

    Raises:
        ClassifierError: fewer than two classes, no such class, or one without words.
    """
    added = _added(lexicon)
    training = count({label: [_words(text, added, lexicon) for text in of_label] for label, of_label in texts.items()})
    omega = topic_weights(training, name)
    f = training.c[training.classes.index(name)]
    order = np.argsort(-omega, kind="stable")
    kept = [at for at in order.tolist() if f[at] > 0 and _names_something(training.words[at])][:top]
    word_sets = [set(_words(text, added, lexicon)) for text in texts[name]]
    return _scaled(
        [
            _topic_word(
                training.words[at],
                float(omega[at]),
                int(f[at]),
                sum(training.words[at] in t for t in word_sets),
                lexicon,
            )
            for at in kept
        ]
    )


def of_pages(
    texts: Sequence[str], lexicon: Lexicon, top: int = TOP, background: DocumentFrequencies | None = None
) -> list[TopicWordFound]:
    """Select the most frequent words of pages on a topic.

    Args:
        texts: texts of the pages.
        lexicon: lexicon that joins synonyms.
        top: maximum number of words.
        background: document frequencies of texts of the same kind, such as abstracts for abstracts. The share of texts
            with a word must be at least twice that in the background. None for no such test.

    Returns:
        The words by descending frequency; the largest weight is 1.

    Raises:
        UsageError: no word passes.
    """
    if sum(map(has_han, texts)) * 2 < len(texts):
        return _of_english_pages(texts, lexicon, top)
    added = _added(lexicon)
    f: dict[str, int] = {}
    N: dict[str, int] = {}
    for text in texts:
        words = _words(text, added, lexicon)
        for word in words:
            f[word] = f.get(word, 0) + 1
        for word in set(words):
            N[word] = N.get(word, 0) + 1
    total = sum(f.values())
    several = min(2, len(texts))
    kept = [w for w in f if several <= N[w] and _names_something(w) and _is_key(w, f[w] / total)]
    if background is not None:
        key = particularity([N[w] for w in kept], len(texts), [background.of([w]) for w in kept], background.documents)
        kept = [w for w, k in zip(kept, key.tolist(), strict=True) if k >= _TWICE]
    ranked = sorted(kept, key=lambda word: (-f[word], word))[:top]
    if not ranked:
        raise _no_word(texts)
    return _scaled([_topic_word(word, float(f[word]), f[word], N[word], lexicon) for word in ranked])


def _of_english_pages(texts: Sequence[str], lexicon: Lexicon, top: int) -> list[TopicWordFound]:
    documents = [Document(str(number), "", text) for number, text in enumerate(texts)]
    best = study_terms(documents, lexicon, min_documents=min(2, len(texts))).best(top).terms
    terms = sorted(best, key=lambda t: (-t.frequency, t.text))
    if not terms:
        raise _no_word(texts)
    return _scaled([_topic_word(t.text, float(t.frequency), t.frequency, t.document_frequency, lexicon) for t in terms])


def _no_word(texts: Sequence[str]) -> UsageError:
    return UsageError(f"{len(texts)} texts have no word that names the topic: give texts on it, and more of them")


def with_label(words: Sequence[TopicWordFound], zh: str, en: str) -> list[TopicWordFound]:
    """Add the label of a topic as its first word, with weight 1; words with a form of the label are left out.

    Args:
        words: words of the topic.
        zh: Chinese label; without a Han character it is not used as a Chinese form.
        en: English label; with a Han character it is not used as an English form.

    Returns:
        The label as a word, then the other words.

    >>> words = [TopicWordFound(("台风",), ("typhoon",), 1.0, 9, 4), TopicWordFound(("暴雨",), (), 0.5, 5, 3)]
    >>> [word.zh for word in with_label(words, "台风", "typhoon")]
    [('台风',), ('暴雨',)]
    """
    label = TopicWordFound((zh,) if has_han(zh) else (), () if has_han(en) else (en,), 1.0, 0, 0)
    forms = {fold(form) for form in (*label.zh, *label.en)}
    return [label, *(word for word in words if forms.isdisjoint(map(fold, (*word.zh, *word.en))))]


def _topic_word(word: str, weight: float, frequency: int, texts: int, lexicon: Lexicon) -> TopicWordFound:
    entry = lexicon.by_zh.get(word)
    if entry is None:
        han = "\u3400" <= word[0] <= "\u9fff"
        return TopicWordFound((word,) if han else (), () if han else (word,), weight, frequency, texts)
    en = tuple(w for w in (entry.en, *entry.synonyms_en) if w)
    return TopicWordFound((entry.zh, *entry.synonyms_zh), en, weight, frequency, texts)


def _scaled(words: Sequence[TopicWordFound]) -> list[TopicWordFound]:
    largest = max((word.weight for word in words), default=1.0)
    return [replace(word, weight=word.weight / largest) for word in words]


def _words(text: str, added: tuple[str, ...], lexicon: Lexicon) -> list[str]:
    """Segment a text; synonyms are replaced by the preferred Chinese word of their lexicon entry."""
    words = []
    for word in words_of(text, added):
        entry = lexicon.by_zh.get(word) or lexicon.by_en.get(word)
        words.append(entry.zh if entry else word)
    return words


def _added(lexicon: Lexicon) -> tuple[str, ...]:
    return tuple(word for entry in lexicon.entries for word in (entry.zh, *entry.synonyms_zh))


@lru_cache(maxsize=1)
def _general() -> frozenset[str]:
    return word_list("stop_zh") | word_list("generic_zh") | word_list("stop_en") | word_list("generic_en")


def _names_something(word: str) -> bool:
    if word in _general():
        return False
    tag = word_segmenter().tag(word)
    return not tag or tag[0] in _CONTENT


@lru_cache(maxsize=1)
def _all_words() -> int:
    return sum(word.frequency for word in dictionary().values())


def _is_key(word: str, share: float) -> bool:
    known = dictionary().get(word)
    return known is None or share >= _KEY * known.frequency / _all_words()
