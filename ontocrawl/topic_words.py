"""Words and weights of a topic from texts: of a class by TF-IDF (paper 003), of pages on the topic by frequency (001).

Both segment the texts, merge synonyms (by the bilingual lexicon) and take the words of the largest weight.

    of_class   omega_t = f_t / sum f_m lg(N / N_t + .01), Eq. (1) of paper 003, over the texts of all classes
    of_pages   f_t / max f_t: the words are ranked by frequency and have the "normalized term frequency" for weight
               (paper 001, section 4.1; its section 5.1.2 says TF-IDF, which needs pages on other topics, too)

Weights are scaled so that the largest is 1, which no relevance by cosine notices. People chose the words of "practical
importance" in paper 001; here [R] function words and general words are left out, and of pages words that one page alone
has or that are not ten times as frequent in them as in Chinese at large.
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
from ontology.terms.document_frequencies import DocumentFrequencies
from ontology.terms.lexicon import Lexicon, word_list
from ontology.terms.particularity import particularity
from ontology.terms.segment import dictionary, word_segmenter
from ontology.terms.wordforms import fold, has_han

TOP = 12
"""Words of a topic (paper 001; paper 003 does not say)."""
_CONTENT = ("n", "v", "j", "l", "i", "a")
"""Classes of words that name something, by their first letter; a word that the dictionary lacks may be a name."""
_KEY = 10.0
_TWICE = math.log(2)


@dataclass(frozen=True)
class TopicWordFound:
    """A word with its synonyms, its weight in (0, 1], how often it stands in the texts, and in how many."""

    zh: tuple[str, ...]
    en: tuple[str, ...]
    weight: float
    frequency: int
    texts: int


def of_class(texts: Mapping[str, Sequence[str]], name: str, lexicon: Lexicon, top: int = TOP) -> list[TopicWordFound]:
    """The words of the largest omega_t of one class, Eq. (1) of paper 003.

    Raises:
        ClassifierError: fewer than two classes, no such class, or one without words.
    """
    added = _added(lexicon)
    training = count({label: [_words(text, added, lexicon) for text in own] for label, own in texts.items()})
    omega = topic_weights(training, name)
    f = training.c[training.classes.index(name)]
    order = np.argsort(-omega, kind="stable")
    kept = [at for at in order.tolist() if f[at] > 0 and _names_something(training.words[at])][:top]
    own_texts = [set(_words(text, added, lexicon)) for text in texts[name]]
    return _scaled(
        [
            _found(
                training.words[at],
                float(omega[at]),
                int(f[at]),
                sum(training.words[at] in t for t in own_texts),
                lexicon,
            )
            for at in kept
        ]
    )


def of_pages(
    texts: Sequence[str], lexicon: Lexicon, top: int = TOP, background: DocumentFrequencies | None = None
) -> list[TopicWordFound]:
    """Find the most frequent words of pages on the topic.

    Args:
        texts: the pages.
        lexicon: joins synonyms.
        top: how many words at most.
        background: document frequencies of texts of the same kind, such as abstracts for abstracts. A word must stand
            in a share of the texts that is at least twice that of the background. Without it this is not asked.

    Returns:
        Words by frequency, the largest weight 1.

    Raises:
        UsageError: no word is left.
    """
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
        raise UsageError(f"{len(texts)} texts have no word that names the topic: give texts on it, and more of them")
    return _scaled([_found(word, float(f[word]), f[word], N[word], lexicon) for word in ranked])


def with_label(found: Sequence[TopicWordFound], zh: str, en: str) -> list[TopicWordFound]:
    """Put the label of a topic before its words, with the weight 1; a word that has a form of it is left out.

    Args:
        found: words of the topic.
        zh: Chinese label; one without a Han character is no Chinese form.
        en: English label; one with a Han character is no English form.

    Returns:
        The label as a word, then the others.
    """
    label = TopicWordFound((zh,) if has_han(zh) else (), () if has_han(en) else (en,), 1.0, 0, 0)
    forms = {fold(form) for form in (*label.zh, *label.en)}
    return [label, *(word for word in found if forms.isdisjoint(map(fold, (*word.zh, *word.en))))]


def _found(word: str, weight: float, frequency: int, texts: int, lexicon: Lexicon) -> TopicWordFound:
    entry = lexicon.by_zh.get(word)
    if entry is None:
        han = "\u3400" <= word[0] <= "\u9fff"
        return TopicWordFound((word,) if han else (), () if han else (word,), weight, frequency, texts)
    en = tuple(w for w in (entry.en, *entry.synonyms_en) if w)
    return TopicWordFound((entry.zh, *entry.synonyms_zh), en, weight, frequency, texts)


def _scaled(found: Sequence[TopicWordFound]) -> list[TopicWordFound]:
    largest = max((word.weight for word in found), default=1.0)
    return [replace(word, weight=word.weight / largest) for word in found]


def _words(text: str, added: tuple[str, ...], lexicon: Lexicon) -> list[str]:
    """The words of a text, each synonym as the preferred Chinese word of its lexicon entry."""
    found = []
    for word in words_of(text, added):
        entry = lexicon.by_zh.get(word) or lexicon.by_en.get(word)
        found.append(entry.zh if entry else word)
    return found


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
