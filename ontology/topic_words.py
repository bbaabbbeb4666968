"""The words that name a topic, from its papers: how much more often each occurs there than in other texts.

Source: written for this project; measured by the lab `claim` (docs/labs/claim.md). Shares are of all words of a text:

    p(t)  in the titles and abstracts of the topic
    g(t)  in general language
    o(t)  lower quartile, over the words of other fields, of its share in their papers; without these q = g + 2e-6
    q     = 1/2 (g + 2e-6) + 1/2 (o + 1e-5)
    l     = ln((p + 2e-6) / q);  words with l > 0 are kept, with the weight  w = 1/4 min(1, l / 6)

General language alone would keep how papers talk (*we*, *results*, 探讨); other fields alone would keep what any text
says. How papers talk is what fields with three quarters of the words say: the mean would be that of the nearest fields,
whose words are the topic's too, and what a field of few papers does not say tells little. The words of the topic's
label have the weight 1/4, and a word to which a person gives the weight h has max(w, h / 4). The list is long on
purpose: its rare words find pages that its best ones do not.

A word is a class of forms that the crawl counts as one token: a folded word, an English one in the singular. Shares of
Chinese and of English texts are taken apart from each other.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate

from ontology.model import Document, WeightedWord
from ontology.shares import wilson
from ontology.terms.keyness import general, general_english
from ontology.terms.lexicon import word_list
from ontology.terms.occurrences import is_chinese_text
from ontology.terms.paper_fields import Language, PaperField
from ontology.terms.segment import words_of_text
from ontology.terms.wordforms import has_han, normal, singular

FULL = 0.25
"""Largest weight of a word."""
_E_GENERAL, _E_OTHER = 2e-6, 1e-5
_LARGEST = 6.0
"""Log ratio that gives the full weight."""
_FEW = 50
"""Number of abstracts below which a word of a single one is kept."""
_HEADING_SHARE = 0.05
"""Share of the abstracts in which the same words head a sentence that make them a heading."""
_OF_CLASS = 0.15
"""Largest weight of a word of a class, as a part of that of its forms (`class_words`)."""
_LARGEST_LIFT = 2.0
"""Log of the ratio of the shares in extent and field that gives it."""
CORPUS, LABEL, GIVEN, PAGES, EXTENT = "corpus", "label", "given", "pages", "extent"
"""Where a word comes from."""


@dataclass(frozen=True, slots=True)
class TopicWord(WeightedWord):
    """A word of a topic, with a weight from 0 to `FULL`.

    Attributes:
        p: share in the topic's papers.
        g: share in general language.
        o: lower quartile of its shares in the papers of other fields, weighted by their words; None without any.
        texts: number of papers with it.
        source: where it comes from: `CORPUS`, `LABEL`, `GIVEN` or `PAGES`.
    """

    p: float = 0.0
    g: float = 0.0
    o: float | None = None
    texts: int = 0
    source: str = CORPUS

    @property
    def prominence(self) -> float:
        """Order in which words are shown, p l^2: frequent ones first, and of these those that say most of the field."""
        return self.p * log_ratio(self.p, self.g, self.o) ** 2


def log_ratio(p: float, g: float, o: float | None) -> float:
    """Return l of a word by its three shares.

    >>> round(log_ratio(0.002, 1e-5, None), 3), round(log_ratio(0.002, 1e-5, 0.002), 3)
    (5.117, 0.683)
    """
    q = g + _E_GENERAL if o is None else 0.5 * (g + _E_GENERAL) + 0.5 * (o + _E_OTHER)
    return math.log((p + _E_GENERAL) / q)


def weight_of(p: float, g: float, o: float | None) -> float:
    """Return the weight of a word by its three shares, from 0 to `FULL`.

    >>> round(weight_of(0.002, 1e-5, None), 3), weight_of(0.001, 0.01, None)
    (0.213, 0.0)
    """
    return FULL * min(1.0, max(0.0, log_ratio(p, g, o) / _LARGEST))


def weight_on_pages(term: str, pages: int, of_pages: int) -> float:
    """Return the weight of a term that a person accepted from crawled pages, from 0 to `FULL`.

    Its share p is taken as if each page with it had it once in `PAGE` words, and the share of these pages is the least
    that their number supports (Wilson's interval), so that a term of a few pages does not count as the label does.

    Args:
        term: the term.
        pages: number of relevant pages that show it.
        of_pages: number of relevant pages that were read; 0 if unknown, which gives 0.

    >>> [round(weight_on_pages("urban drainage", pages, 200), 3) for pages in (2, 20, 200)], weight_on_pages("x", 1, 0)
    ([0.036, 0.147, 0.25], 0.0)
    """
    least, _ = wilson(min(pages, of_pages), of_pages)
    return weight_of(least / PAGE, general_share(singular(normal(term))), None)


@dataclass(frozen=True)
class WordCounts:
    """Occurrences of words in texts, by class of forms.

    Attributes:
        texts: number of texts.
        tokens: number of all words, those without a class included.
        length: the same number as the length of a page is measured: two Chinese characters are one word.
        counts: class -> occurrences.
        containing: class -> number of texts with it.
        written: class -> forms -> occurrences.
    """

    texts: int
    tokens: int
    length: float
    counts: Mapping[str, int]
    containing: Mapping[str, int]
    written: Mapping[str, Mapping[str, int]]

    def share(self, word: str) -> float:
        """Return the share of a class in all words; 0 for none."""
        return self.counts.get(word, 0) / max(self.tokens, 1)


def count_words(texts: Iterable[str]) -> WordCounts:
    """Count the words of texts as the tokens of a crawl (`ontology.terms.segment.words_of_text`).

    What references leave (*et al.*, *Fig. 2*, 见图 2) are tokens, but no words, as are quantities (*5 mg*, *5mg*).

    >>> found = count_words(["Floods of 2021", "A flood, 暴雨和台风"])
    >>> dict(found.counts), found.tokens
    ({'flood': 2, 'of': 1, '暴雨': 1, '台风': 1}, 8)
    """
    counts: Counter[str] = Counter()
    containing: Counter[str] = Counter()
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    n, tokens, length, of_references = 0, 0, 0.0, _of_references()
    for text in texts:
        folded = normal(text)
        words, begins = words_of_text(folded)
        n, tokens, length = n + 1, tokens + len(words), length + sum(map(_length, words))
        named = (
            word for at, word in enumerate(words)
            if _names_something(word) and not _is_unit(words, at)
            and not (word in of_references and _refers(folded, words, begins, at))
        )  # fmt: skip
        found = [(singular(word), word) for word in named]
        counts.update(word for word, _ in found)
        containing.update({word for word, _ in found})
        for word, form in found:
            written[word][form] += 1
    return WordCounts(n, tokens, length, counts, containing, written)


_ALWAYS, _NUMBERED = frozenset(("doi", "vs", "http", "https", "www")), frozenset(("如图", "见图", "如表", "见表"))
"""Words of references wherever they stand, and before a number; the lists of English abbreviations have more."""


@lru_cache(maxsize=1)
def _of_references() -> frozenset[str]:
    """Return the words that may be a part of a reference (`_refers`)."""
    lists = word_list("abbreviations_en") | word_list("abbreviations_before_numbers_en")
    return frozenset(("et", "所示", *_ALWAYS, *_NUMBERED, *lists))


def _refers(text: str, words: Sequence[str], begins: Sequence[int], at: int) -> bool:
    """Return whether a word of a text, one of `_of_references`, is a part of a reference where it stands."""
    word, before, after = words[at], words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    if word in ("et", "al"):
        return (before, word) == ("et", "al") or (word, after) == ("et", "al")
    if word == "所示":
        return before[:1].isdigit()
    if word in _NUMBERED or word in word_list("abbreviations_before_numbers_en"):
        return after[:1].isdigit()
    return word in _ALWAYS or text.startswith(".", begins[at] + len(word))


_UNIT = re.compile(
    r"h|min|[mkμunp]g|[mμud]l|[cmμunk]m|[mμun]?mol|[kmg]?hz|[hkmg]?pa|[km][wvj]|[kmμ]a|[km]?ev|[mn]s|[kmgt]b|kn|db|ha|ppm"
    r"|ppb|cfu|rpm|iu|bp"
)
_QUANTITY = re.compile(rf"\d+(?:{_UNIT.pattern})|\d\d+[gmlsd]")
"""A number with its unit. One digit with a single letter may be a name (3d, 5g, 5s), but for hours."""


def _is_unit(words: Sequence[str], at: int) -> bool:
    """Return whether a word is a unit behind its number or behind another unit (*5 mg*, *mg kg*).

    >>> [_is_unit("a bp network of 5 mg kg".split(), at) for at in (1, 5, 6)]
    [False, True, True]
    """
    before = words[at - 1] if at else ""
    is_behind = before[-1:].isdigit() or before in ("g", "l", "m", "u") or _UNIT.fullmatch(before) is not None
    return is_behind and _UNIT.fullmatch(words[at]) is not None


def _names_something(word: str) -> bool:
    """Return whether a word is more than a number, also one with its unit, or a single character.

    >>> [word for word in ("6h", "100mg", "265nm", "20d", "5g", "3d", "h1n1", "2021", "5a") if _names_something(word)]
    ['5g', '3d', 'h1n1', '5a']
    """
    return len(word) > 1 and any(c.isalpha() for c in word) and not _QUANTITY.fullmatch(word)


def texts_of(documents: Sequence[Document]) -> dict[Language, list[str]]:
    """Return the titles and abstracts of papers by language, ``zh`` and ``en``, without headings of abstracts.

    A text in another language than Chinese counts as English.
    """
    texts: dict[Language, list[str]] = {"zh": [], "en": []}
    for d in documents:
        for title, abstract in ((d.title, d.abstract), (d.title_en, d.abstract_en)):
            whole = _TAG.sub(" ", f"{title}\n{abstract}")
            if whole.strip():
                texts["zh" if is_chinese_text(whole) else "en"].append(whole)
    return {language: without_headings(found) for language, found in texts.items() if found}


def topic_words(counts: WordCounts, others: Sequence[PaperField] = ()) -> list[TopicWord]:
    """Return the words of a topic's papers in one language that are more frequent there than elsewhere.

    Args:
        counts: the words of the papers.
        others: the papers of other fields.

    Returns:
        The words by descending prominence.
    """
    least = 1 if counts.texts < _FEW else 2
    found = []
    for word, texts in counts.containing.items():
        p, g = counts.share(word), general_share(word)
        o = _lower_quartile([(other.share(word), other.tokens) for other in others])
        if texts >= least and (weight := weight_of(p, g, o)) > 0:
            forms = tuple(form for form, _ in sorted(counts.written[word].items(), key=lambda x: (-x[1], x[0])))
            zh = tuple(form for form in forms if has_han(form))
            found.append(TopicWord(word, zh, tuple(f for f in forms if f not in zh), weight, p, g, o, texts))
    return by_prominence(found)


def class_words(extent: WordCounts, field: WordCounts, others: Sequence[PaperField] = ()) -> list[TopicWord]:
    """Return the words of a class: those that its extent has more often than the whole field.

        v = s min(1, l / 6) clip(ln((p_C + 2e-6) / (p_F + 2e-6)) / 2, 0, 1),   s = .15

    with l of the share p_C in the extent, as for the words of the field. The contrast to the field leaves of what the
    extent says only what tells it from the rest; the largest weight is small beside that of the forms of the class
    (`with_words`), as these are few and the words many. Written for this project; docs/topics.md#crawl-for-a-class.

    Args:
        extent: the words of the papers that have the class, in one language.
        field: the words of all papers, these included.
        others: the papers of other fields.

    Returns:
        The words by descending prominence; those of a single paper only where the extent has under 50.

    >>> from ontology.topic_words import count_words
    >>> birds = ["a bird builds a nest of straw", "a bird left its nest"]
    >>> [w.word for w in class_words(count_words(birds), count_words([*birds, "a cell of straw and gene"]))][:2]
    ['nest', 'bird']
    """
    found = []
    for one in topic_words(extent, others):
        lift = math.log((one.p + _E_GENERAL) / (field.share(one.word) + _E_GENERAL)) / _LARGEST_LIFT
        if lift > 0:
            found.append(replace(one, weight=_OF_CLASS * one.weight * min(1.0, lift), source=EXTENT))
    return found


def _lower_quartile(shares: Iterable[tuple[float, int]]) -> float | None:
    """Return the least share up to which fields with a quarter of all tokens lie; None without any.

    Args:
        shares: the share of a word in the papers of each field, and the number of their tokens.

    >>> _lower_quartile([(0.3, 10), (0.1, 10), (0.2, 10)]), _lower_quartile([(0.0, 1), (0.1, 1), (0.3, 98)])
    (0.1, 0.3)
    """
    ordered = sorted(shares)
    sums = list(accumulate(tokens for _, tokens in ordered))
    return next((share for (share, _), sum_ in zip(ordered, sums, strict=True) if 4 * sum_ >= sums[-1]), None)


def by_prominence(words: Iterable[TopicWord]) -> list[TopicWord]:
    """Return words in the order in which they are shown: of the label and given ones first, then by p l^2."""
    return sorted(words, key=lambda w: (w.source not in (LABEL, GIVEN), -w.prominence, w.word))


def each_once(words: Iterable[TopicWord]) -> dict[str, TopicWord]:
    """Return words of several languages by their classes of forms; of equal ones that with the largest weight.

    >>> [(w.word, w.weight) for w in each_once([TopicWord("dna", (), ("dna",), w) for w in (0.1, 0.2, 0.2)]).values()]
    [('dna', 0.2)]
    """
    found: dict[str, TopicWord] = {}
    for one in words:
        if one.word not in found or found[one.word].weight < one.weight:
            found[one.word] = one
    return found


def with_words(words: Iterable[TopicWord], forms: Mapping[str, float], source: str) -> list[TopicWord]:
    """Add words that a person gives.

    Args:
        words: the words of the papers.
        forms: word or phrase -> weight h that the person gives it, above 0 to 1.
        source: `LABEL` or `GIVEN`.

    Returns:
        All words by prominence. One that is there already has max(w, h / 4), and the source of the larger.

    >>> [(w.word, w.weight) for w in with_words([TopicWord("flood", (), ("flood",), 0.2)], {"floods": 1.0}, GIVEN)]
    [('flood', 0.25)]
    """
    by_word = {one.word: one for one in words}
    for form, h in forms.items():
        folded = normal(form)
        word = singular(folded)
        known = by_word.get(word)
        if known is None:
            zh, en = ((folded,), ()) if has_han(folded) else ((), (folded,))
            by_word[word] = TopicWord(word, zh, en, FULL * h, g=general_share(word), source=source)
        elif FULL * h >= known.weight:
            by_word[word] = replace(known, weight=FULL * h, source=source)
    return by_prominence(by_word.values())


def label_words(labels: Sequence[str], words: Container[str] | None = None) -> dict[str, float]:
    """Return the labels of a topic and the content words in them, each with the weight 1.

    Args:
        labels: the labels.
        words: the words of the topic's papers: a word in a label that is none of them, such as *science*, is left out;
            None to leave out function words only.

    >>> list(label_words(["环境科学", "the history of science"], {"环境", "history"}))
    ['环境科学', '环境', 'the history of science', 'history']
    """
    found: dict[str, float] = {}
    for label in labels:
        parts = [word for word in words_of_text(normal(label))[0] if _names_something(word)]
        content = [
            w for w in parts if (general_share(singular(w)) < _FUNCTION if words is None else singular(w) in words)
        ]
        found |= dict.fromkeys((normal(label), *content), 1.0)
    return found


_FUNCTION = 1e-3
"""Share in general language from which a word of a label is a function word."""


def general_share(word: str) -> float:
    """Return g of a class of forms: its share in general Chinese or English; 0 for a word that their lists lack."""
    return _general_zh(word) if has_han(word) else _general_en().get(word, 0.0)


def _general_zh(word: str) -> float:
    background = general()
    return background.frequency.get(word, 0) / background.total


@lru_cache(maxsize=1)
def _general_en() -> Mapping[str, float]:
    background = general_english()
    shares: defaultdict[str, float] = defaultdict(float)
    for word, count in background.frequency.items():
        shares[singular(word)] += count / background.total
    return shares


# ---- the topic weight of a page, expected


PAGE = 1000
"""Words of the page for which the threshold of a judge is taken, and as which a record is judged."""


def expected_weight(words: Iterable[TopicWord], counts: WordCounts) -> tuple[float, float]:
    """Return the topic weight per word of the topic's papers, and of general text in their language.

    Args:
        words: the words of the topic.
        counts: the words of its papers in one language.
    """
    chinese = sum(map(has_han, counts.counts)) * 2 > len(counts.counts)
    own = elsewhere = 0.0
    for one in words:
        if has_han(one.word) == chinese:
            own, elsewhere = own + counts.share(one.word) * one.weight, elsewhere + one.g * one.weight
    return own * counts.tokens / max(counts.length, 1.0), elsewhere / (_general_length() if chinese else 1.0)


def threshold_weight(words: Iterable[TopicWord], texts: Iterable[WordCounts]) -> float:
    """Return the topic weight of a page of `PAGE` words between general text and papers: the geometric mean of both.

    Args:
        words: the words of the topic or class.
        texts: the words of its papers by language; those with the most words count.
    """
    own, elsewhere = expected_weight(words, max(texts, key=lambda counts: counts.tokens))
    return PAGE * math.sqrt(own * elsewhere)


def _length(word: str) -> float:
    return len(word) / 2 if has_han(word) else 1.0


@lru_cache(maxsize=1)
def _general_length() -> float:
    """Return the mean length of a word of general Chinese, in words of two characters."""
    background = general()
    return sum(_length(word) * count for word, count in background.frequency.items()) / background.total


_TAG = re.compile(r"</?[A-Za-z][^<>]{0,80}>")
"""Markup in the abstracts of some exports, such as <br/>."""


# ---- headings of structured abstracts


_SENTENCE = re.compile(r"(?:(?<=[.!?。！？；;])|^)\s*", re.MULTILINE)
_HEADING = re.compile(
    r"[【\[（(]?(?P<words>[\u3400-\u9fff]{1,6}(?=[\]】）)]?[:：\s\u3000]|[\]】])"
    r"|[A-Za-z][A-Za-z'/&-]*(?:[ ,&]+[A-Za-z'/&-]+){0,3}(?=\s*[:：\]])"
    r"|[A-Z][A-Za-z]+(?= [A-Z]))[\]】）)]?[:：]?"
)
"""Words at the head of a sentence: before a colon or in brackets, Chinese ones also before a blank, and an English word
before a second one with a capital."""


def without_headings(texts: Sequence[str]) -> list[str]:
    """Remove the headings of structured abstracts, in any language.

    A heading is what stands before a colon or a blank at the head of a sentence in more than 5 % of the texts.

    Args:
        texts: titles and abstracts.

    Returns:
        The texts without headings.

    >>> texts = ["Aims: rain. Methods: radar.", "Aims: snow. Methods: a gauge.", "目的 探讨暴雨。"]
    >>> without_headings(texts)
    [' rain. radar.', ' snow. a gauge.', ' 探讨暴雨。']
    """
    found = [[(m.start(), m.end(), m["words"].casefold()) for m in _heads(text)] for text in texts]
    containing = Counter(words for heads in found for words in {words for *_, words in heads})
    least = max(2 if len(texts) > 1 / _HEADING_SHARE else 1, _HEADING_SHARE * len(texts))
    headings = {words for words, n in containing.items() if n >= least}
    return [_without(text, heads, headings) for text, heads in zip(texts, found, strict=True)]


def _heads(text: str) -> Iterable[re.Match[str]]:
    for at in _SENTENCE.finditer(text):
        if (match := _HEADING.match(text, at.end())) is not None:
            yield match


def _without(text: str, heads: Sequence[tuple[int, int, str]], headings: set[str]) -> str:
    for start, end, words in reversed(heads):
        if words in headings:
            text = f"{text[:start].rstrip(' ')} {text[end:].lstrip(' ')}"
    return text
