"""Exclusion rules: why a keyword or a candidate names no class of the domain, and why none that can be placed.

A rule returns the reason as text for the user, or "" if it accepts the candidate. The word lists (generic_zh,
generic_heads_zh, stop_zh, generic_en, stop_en) are bundled; stop words of the user are added to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from ontology.terms.lexicon import Lexicon, suffix_classes, word_list
from ontology.terms.phrases import (
    MAX_LENGTH,
    is_class_name,
    is_named_place,
    is_part,
    is_place,
    names_region,
    why_no_phrase,
)
from ontology.terms.segment import NEW, Token, WordSegmenter, dictionary, word_segmenter
from ontology.terms.token_stream import LATIN, NUMBER, joined
from ontology.terms.wordforms import fold, has_han, singular

MAX_LENGTH_EN = 60
_TIME_OR_NAME = ("t", "m", "nrt", "q", NUMBER)
_MARKS = frozenset(",;:|\t\"'“”‘’/\\%<>")
"""Marks that no term has; a heading with a comma or a colon is inverted (模型,动物; 方法:数值)."""
_NO_CLASS = "generic word or description"
_QUANTITY = re.compile(r"\d+(?:\.\d+)?[a-zμ°%]{1,3}\d?")
_TIME = re.compile(r"[0-9一二三四五六七八九十两新本上下]+(?:世纪|年代|年|月|日)[初末]?")
_HEADINGS = frozenset(("目的", "方法", "结果", "结论", "组"))
"""Headings of structured abstracts, which stand before the first word of a sentence, and what is left of *A组*."""
_GROUPS = frozenset(("对照组", "实验组", "试验组", "观察组", "治疗组", "两组", "各组", "每组"))
"""Groups of a trial: what the texts say of one is a sentence."""
_FUNCTION = frozenset("为较了着的之其该及与和或在于对将被把从而且也均则使让由以并")
"""Function characters: an unknown word that begins or ends with one is a segmentation error."""


@dataclass(frozen=True)
class Rules:
    """The rules for one corpus.

    Attributes:
        lexicon: its words are accepted whatever the rules.
        stop: stop words of the user: no term equals one, begins or ends with one.
    """

    lexicon: Lexicon
    stop: tuple[str, ...] = ()

    @cached_property
    def _stop(self) -> frozenset[str]:
        return frozenset(map(fold, self.stop))

    @cached_property
    def _words(self) -> WordSegmenter:
        return word_segmenter(tuple(sorted(fold(w) for w in self.lexicon.by_zh)))

    def stop_word(self, text: str) -> str:
        """Return the reason why an English candidate begins or ends with a stop word of the user, or ""."""
        return f"begins or ends with a stop word of the user: {text}" if self._stops(text.split(), text) else ""

    def keyword(self, keyword: str) -> str:
        """Return the reason why an author's keyword names no class of the domain, or ""."""
        folded = fold(keyword)
        if self._stops([folded], folded):
            return "stop word of the user"
        if keyword in self.lexicon.by_zh or folded in self.lexicon.by_en:
            return ""
        if any(c in _MARKS for c in folded):
            return "has marks that no term has"
        return self._keyword_zh(folded) if has_han(folded) else self._keyword_en(folded)

    def _keyword_zh(self, keyword: str) -> str:
        if not 2 <= len(keyword) <= MAX_LENGTH:
            return f"not a Chinese word of 2 to {MAX_LENGTH} characters"
        tokens = self.tokens(keyword)
        last = tokens[-1] if tokens else Token("", "x")
        if self._stops([t.text for t in tokens], keyword):
            return f"begins or ends with a stop word of the user: {keyword}"
        if not is_class_name(keyword, last.text) or keyword in word_list("stop_zh"):
            return _NO_CLASS
        if names_region(keyword) or is_place(last) or is_named_place(tokens):
            return "place"
        if _TIME.fullmatch(keyword) or all(t.tag.startswith(_TIME_OR_NAME) for t in tokens):
            return "time, number or foreign name"
        return ""

    def _keyword_en(self, keyword: str) -> str:
        words = keyword.split()
        if not 2 <= len(keyword) <= MAX_LENGTH_EN or not any(c.isalpha() for c in keyword):
            return f"not an English term of 2 to {MAX_LENGTH_EN} characters"
        if self._stops(words, keyword):
            return f"begins or ends with a stop word of the user: {keyword}"
        return _why_no_english(words)

    def candidate(self, words: Sequence[Token]) -> str:
        """Return the reason why adjacent words of the texts name no class of the domain, or ""."""
        text = joined([w.text for w in words])
        if self._stops([w.text for w in words], text):
            return f"begins or ends with a stop word of the user: {text}"
        if not has_han(text):
            return _why_no_english([w.text for w in words])
        if len(text) > MAX_LENGTH:
            return f"longer than {MAX_LENGTH} characters"
        if not all(w.tag == NEW or is_part(w) for w in words):
            return "part of a clause: " + next(w.text for w in words if w.tag != NEW and not is_part(w))
        if names_region(text) or is_named_place(words):
            return "place"
        if _TIME.fullmatch(text):
            return "time, number or foreign name"
        if any(_QUANTITY.fullmatch(w.text) for w in words):
            return "number with a unit"
        if len(words) > 1 and words[0].text in _HEADINGS | _GROUPS:
            return f"part of a clause: begins with {words[0].text}"
        boilerplate = [w.text for w in (words[0], words[-1]) if w.text in word_list("stop_zh")]
        if boilerplate or text in word_list("stop_zh"):
            return f"{_NO_CLASS}: begins or ends with {(boilerplate or [text])[0]}"
        clause = next((w.text for w in words if _half_clause(w)), "")
        return f"part of a clause: {clause}" if clause else why_no_phrase(words, text)

    def tokens(self, text: str) -> list[Token]:
        """Cut a short folded text into words, as the corpus is cut."""
        runs: list[tuple[bool, str]] = []
        for character in text:
            han = has_han(character)
            if runs and runs[-1][0] == han:
                runs[-1] = (han, runs[-1][1] + character)
            else:
                runs.append((han, character))
        cut: list[Token] = []
        for han, run in runs:
            if han:
                cut.extend(self._words.tokens(run))
            else:
                cut.extend(Token(w, NUMBER if w.isdecimal() else LATIN) for w in run.split())
        return cut

    def _stops(self, words: Iterable[str], text: str) -> bool:
        parts = list(words)
        return bool(self._stop) and (
            text in self._stop or (bool(parts) and not self._stop.isdisjoint((parts[0], parts[-1])))
        )


def _half_clause(word: Token) -> bool:
    if len(word.text) == 1:
        return word.text in _FUNCTION or word.text in "有无是"
    return word.tag == NEW and not _FUNCTION.isdisjoint((word.text[0], word.text[-1]))


def _why_no_english(words: Sequence[str]) -> str:
    """Return the reason why English words are no noun phrase that can name a class, or ""."""
    generic = word_list("generic_en")
    wrong = [w for w in (words[0], words[-1]) if w in generic or w in word_list("stop_en")]
    if wrong:
        return f"{_NO_CLASS}: begins or ends with {wrong[0]}"
    if len(words) > 1 and (words[-1].endswith("ed") or words[-1].endswith("ly") or words[0].endswith("ly")):
        return "part of a clause"
    if any(len(w) == 1 for w in (words[0], words[-1])):
        return "begins or ends with a letter"
    return ""


# ---- which of the names that pass can be placed (docs/learn.md, "Which terms are chosen"): d documents, K of them with
# the name as author keyword, c longer names that end with it
#
# A name is placed by its head. Words without a modifier have none, so that they take the places of names that have.


_FEW_DOCUMENTS = 2
"""A name of this many documents is a term only if its words are those of a name."""
_MIN_KEYWORDS, _MIN_ENDS = 3, 2
"""A Chinese word of the dictionary that has no head is a term from this K, or from this c and `MIN_KEYNESS`."""
MIN_KEYNESS = 4.0
"""Log ratio to general text, in nats: 55 times as frequent here."""
_MIN_SCORE = 0.05
"""Score times weight, the expected number of documents with a Chinese name as keyword, below which it is no term."""
LONGEST_WORD = 3
"""Characters of the longest words of the dictionary that are no compounds."""
MIN_ALIKE = 2
"""A Chinese name of few documents that is no author's keyword shares an end of two characters or more with another."""
_MIN_RELEVANCE, _MIN_RELEVANCE_OF_HEAD, _MIN_ENDS_EN = 0.97, 0.7, 3
"""An English single word is a term from the first relevance, or from the second one and this c."""
_EMPTY_WEIGHT, _MIN_KEYWORDS_OF_QUALITY = 0.3, 2
"""Weight of a name with an empty head, and of one that ends with a quality and has a smaller K than this."""
_NOMINAL = ("n", "vn", "an", "j", "g", "k", LATIN, NEW)
_NO_NOUN = ("a", "ad", "d")
_SET_PHRASE = ("i", "l")
_NEW = "新"
"""What is new is not new in the next paper; a kind that is called so (新媒体) is a keyword of several."""
_CLAUSE_ENDS = frozenset("等下中后时上")
_CLAUSE_LINKS = frozenset("与和及之的到")
_REPORTS = "表明"
_REPORT = re.compile(r"(?:结果|研究|试验|实验|分析|测试|计算|仿真|调查)(?:表明|证明|显示|说明|发现)")
_TAILS = ("以来", "以后", "以前", "各国", "各地")
_NOT = ("不", "未")
_QUALITIES = tuple("性化度型式")


@lru_cache(maxsize=1)
def empty_heads() -> frozenset[str]:
    """Return the words, Chinese and English, that say nothing of what a thing is."""
    return word_list("empty_heads_zh") | word_list("empty_heads_en") | word_list("generic_en")


def why_no_kind(words: Sequence[Token], ends: int, named: int) -> str:
    """Return the reason why a Chinese name is an individual or a piece of a clause, or "".

    Args:
        words: its words, one or more.
        ends: longer names that end with it, c.
        named: documents whose authors give it as a keyword, K.
    """
    first, last = words[0], words[-1]
    if len(words) == 1 and ends < _MIN_ENDS and (first.tag.startswith("nt") or _is_person(first) or is_place(first)):
        return "person, place or organisation"
    if len(words) > 1 and first.text in word_list("countries_zh"):
        return f"individual: of one country, {first.text}"
    if last.text in _CLAUSE_ENDS or (last.tag == NEW and last.text[-1] in _CLAUSE_ENDS):
        return f"part of a clause: ends with {last.text[-1]}"
    name = "".join(w.text for w in words)
    if tail := next((tail for tail in _TAILS if name.endswith(tail)), ""):
        return f"part of a clause: ends with {tail}"
    if said := _REPORT.search(name):
        return f"part of a clause: {said[0]}"
    if len(words) == 2 and first.text in _NOT and not last.tag.startswith(_NOMINAL):
        return f"no class: {last.text} is denied"
    if len(words) > 1 and named < _MIN_KEYWORDS and last.tag in _NO_NOUN:
        return f"part of a clause: {last.text} is no noun"
    if len(words) > 1 and named < _MIN_KEYWORDS and (first.text in word_list("determiners_zh") or first.text == _NEW):
        return f"no kind: {first.text} picks out things"
    link = next((w.text for w in words[1:-1] if w.text in _CLAUSE_LINKS), "")
    return f"part of a clause: {link} inside" if link else ""


def _is_person(word: Token) -> bool:
    """Return whether a word is tagged as a person, and does not end like a noun (冬小麦, 鲁棒性)."""
    if not word.tag.startswith("nr") or word.text.endswith(_QUALITIES):
        return False
    known = dictionary().get(word.text[-2:]) if len(word.text) > 2 else None
    return known is None or not known.tag.startswith(("n", "v")) or known.tag.startswith(("nr", "ns"))


def why_unlikely(words: Sequence[Token], documents: int, alike: int) -> str:
    """Return the reason why a Chinese name that no author gives as a keyword is no term, or "".

    Args:
        words: its words, one or more.
        documents: the documents that have it.
        alike: names that end like it, itself among them; see `MIN_ALIKE`.
    """
    last = words[-1]
    if len(words) == 1 and last.tag in _SET_PHRASE and alike < MIN_ALIKE:
        return "a set phrase, no author's keyword, and no other name ends like it"
    if documents > _FEW_DOCUMENTS:
        return ""
    if alike < MIN_ALIKE:
        return f"in {_FEW_DOCUMENTS} documents, no author's keyword, and no other name ends like it"
    if last.text == _REPORTS or not last.tag.startswith(_NOMINAL):
        return f"in {_FEW_DOCUMENTS} documents, and ends with {last.text}, which is no noun"
    other = next((w.text for w in words if w.tag.startswith("d") or w.tag in _SET_PHRASE), "")
    return f"in {_FEW_DOCUMENTS} documents, and {other} is an adverb or a set phrase" if other else ""


def why_hardly_a_keyword(score: float) -> str:
    """Return the reason why a Chinese name of this score times weight is no term, or ""."""
    return (
        f"expected as an author's keyword in {score:.2f} documents, fewer than {_MIN_SCORE}"
        if score < _MIN_SCORE
        else ""
    )


def has_head(word: str, alike: int) -> bool:
    """Return whether a Chinese word of the dictionary may have a head: a suffix that names a class, or a shared end.

    Args:
        word: the word.
        alike: names that end like it, itself among them; see `MIN_ALIKE`.

    >>> has_head("传感器", 1), has_head("生命力", 1), has_head("重金属", 2), has_head("金属", 9)
    (True, False, True, False)
    """
    return len(word) > LONGEST_WORD or (len(word) > 2 and (word[-1] in suffix_classes() or alike >= MIN_ALIKE))


def why_general_zh(named: int, ends: int, keyness: float) -> str:
    """Return the reason why a Chinese word of the dictionary that has no head is a general one, or "".

    Args:
        named: documents whose authors give it as a keyword, K.
        ends: longer names that end with it, c.
        keyness: log ratio of its frequency to that in general text, in nats.
    """
    if named >= _MIN_KEYWORDS or (ends >= _MIN_ENDS and keyness >= MIN_KEYNESS):
        return ""
    told = f"a word without a head, keyword of {named} (fewer than {_MIN_KEYWORDS})"
    if ends < _MIN_ENDS:
        return f"{told}, end of {ends} longer names (fewer than {_MIN_ENDS})"
    least = math.exp(MIN_KEYNESS)
    return f"{told}, {math.exp(keyness):.3g} times as frequent as in general text (less than {least:.3g})"


def why_general_en(word: str, relevance: float, ends: int) -> str:
    """Return the reason why an English single word is a general one, or "".

    Args:
        word: the word, folded.
        relevance: its relevance by words, 1 - q / p.
        ends: longer names that end with it, c.
    """
    if relevance >= _MIN_RELEVANCE:
        return ""
    told = f"single word, relevance {relevance:.2f} (less than {_MIN_RELEVANCE})"
    if word in empty_heads() or singular(word) in empty_heads():
        return f"{told}, says nothing of what a thing is"
    if relevance >= _MIN_RELEVANCE_OF_HEAD and ends >= _MIN_ENDS_EN:
        return ""
    return f"{told}, end of {ends} longer names"


def weight(words: Sequence[str], named: int) -> float:
    """Return the weight of a name by its end, in (0, 1].

    Args:
        words: its words, folded.
        named: documents whose authors give it as a keyword, K.

    >>> weight(["经济", "体系"], 5), weight(["多样性"], 1), weight(["多样性"], 2), weight(["水", "污染"], 0)
    (0.3, 0.3, 1.0, 1.0)
    """
    quality = named < _MIN_KEYWORDS_OF_QUALITY and words[-1].endswith(_QUALITIES)
    return _EMPTY_WEIGHT if quality or words[-1] in empty_heads() else 1.0
