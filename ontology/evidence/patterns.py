"""Lexico-syntactic patterns: sentences, Chinese and English, that state what is a kind of what.

Source: Hearst 1992 (English); the Chinese patterns are their usual counterparts. X, X1, .. are the narrower terms:

    X1、X2等Y            X1、X2和其他Y        包括X1、X2在内的Y      X是(一种 | Y之一)
    Y包括X1、X2          Y(如X1、X2)          Y，如X1、X2
    Y such as X1, X2     such Y as X1, X2     X1, X2 and other Y     Y including X1, X2      X is a kind of Y

A term counts only if the noun phrase ends with it: 降水等因素的影响 states nothing about 影响. A list may begin within
a sentence (研究了降水、气温等气象要素), so its first member may follow a verb, yet no noun.
Also found: X(又称Y) and its variants, which state that two terms are the same.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ontology.evidence.claims import Claim, merged
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.model import Document
from ontology.terms.lexicon import Lexicon
from ontology.terms.occurrences import surface_forms
from ontology.terms.phrases import sentences
from ontology.terms.segment import Token, segmenter
from ontology.terms.wordforms import fold, singular

_SEPARATOR = "(?:、|，|,|和|与|及|以及|及其|或)"
_TRIGGER_ZH = re.compile("等|其他|其它|包括|在内的|是|例如|诸如|如|属于|又称|也称|亦称")
_TRIGGER_EN = re.compile(r"\b(?:such|other|including|especially|kinds?|types?|forms?)\b", re.IGNORECASE)
_COUNT = (
    r"(?:的)?(?:各种|多种|多个|几种|几类|\d+\s*[种类个项]|[一二两三四五六七八九十多][大]?[种类个项])?"
    r"(?:主要|重要|常见|典型|不同|其他|相关)?的?"
)
_WINDOW = 24
_POINT = re.compile("(?<=[\u3400-\u9fff])\\.(?=[\u3400-\u9fff])")
"""A half-width full stop between Chinese characters, as some databases export it."""
_NOUNS = ("n", "vn", "an", "a", "b", "j", "l", "g", "eng", "nz", "ng", "i")


class _Forms:
    """Surface forms of terms, matched at the end or at the start of a piece of text."""

    def __init__(self, forms: Mapping[str, str]) -> None:
        self.terms = {fold(form): term for form, term in forms.items()}
        self.longest = max(map(len, self.terms), default=0)

    def any_in(self, text: str) -> bool:
        """Return whether a text contains a form."""
        starts = range(len(text))
        return any(text[i:j] in self.terms for i in starts for j in range(i + 2, min(i + self.longest, len(text)) + 1))

    def at_end(self, text: str) -> tuple[str, str] | None:
        """Return (form, term) of the longest form that a text ends with."""
        for length in range(min(self.longest, len(text)), 1, -1):
            form = text[-length:]
            if form in self.terms and not _cuts_latin(text, len(text) - length):
                return form, self.terms[form]
        return None


def _cuts_latin(text: str, at: int) -> bool:
    return 0 < at < len(text) and all(c.isascii() and c.isalnum() for c in text[at - 1 : at + 1])


def find(documents: Sequence[Document], terms: Iterable[str], lexicon: Lexicon) -> tuple[Claim, ...]:
    """Find the sentences that state that one term is a kind of another, or the same.

    Args:
        documents: the documents; titles and abstracts are read.
        terms: terms and labels of curated classes alike.
        lexicon: further surface forms of the terms, English ones included.

    Returns:
        One claim for each pair and rule.
    """
    zh, en = surface_forms(terms, lexicon)
    known = set(terms)
    chinese = _Forms({form: term for form, term in zh.items() if term in known})
    english = _Forms({form: term for form, term in en.items() if term in known})
    claims: list[Claim] = []
    for document in documents:
        for sentence in sentences(_POINT.sub("。", f"{document.title}\n{document.abstract}")):
            if _TRIGGER_ZH.search(sentence):
                text = fold(sentence)
                for narrower, broader, pattern in _chinese(text, chinese):
                    claims.append(_claim(narrower, broader, pattern, document, sentence))
                claims += (
                    Claim(a, b, "synonym", "X又称Y", (document.id,), 1, 1.0, sentence) for a, b in _same(text, chinese)
                )
        for sentence in sentences(f"{document.title_en}\n{document.abstract_en}"):
            if english.terms and _TRIGGER_EN.search(sentence):
                for narrower, broader, pattern in _english(fold(sentence), english):
                    claims.append(_claim(narrower, broader, pattern, document, sentence))
    return merged(c for c in claims if c.narrower != c.broader)


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
    return find(corpus.documents, corpus.labels, corpus.lexicon)


PATTERNS = EvidenceSource("patterns of sentences", _of_corpus)


def _claim(narrower: str, broader: str, pattern: str, document: Document, sentence: str) -> Claim:
    return Claim(narrower, broader, "pattern", f"pattern {pattern}", (document.id,), 1, 1.0, sentence)


_LIST_AND_CLASS = re.compile(f"等{_COUNT}|{_SEPARATOR}?(?:其他|其它){_COUNT}")
_INCLUDED = re.compile(f"包括(?P<list>[^。；]{{2,40}}?)(?:等)?在内的{_COUNT}")
_IS_A = re.compile(
    "(?P<x>[^，。；：、是]{2,20})(?:是|属于|作为)(?P<y>(?:[^，。；：]{0,12}?的)?[^，。；：的]{0,10})(?=[，。；：]|$)"
)
_KIND = re.compile("^(?:一|几|两|三)?(?:种|类)|的一[种类]|之一$")
_CLASS_AND_LIST = re.compile(
    "(?P<y>[^，。；：、(（]{2,20}?)[，,(（]?(?:主要)?(?:包括|包含|例如|诸如|譬如|如)(?P<list>[^。；：)）]{2,60})"
)


def _chinese(text: str, forms: _Forms) -> Iterator[tuple[str, str, str]]:
    for match in _LIST_AND_CLASS.finditer(text):
        broader = forms.at_end(text[: match.start()]) and _class_at_start(text[match.end() :], forms)
        if broader:
            for item in _items_before(text[: match.start()], forms):
                yield item, broader, "X等Y" if match.group().startswith("等") else "X和其他Y"
    for match in _INCLUDED.finditer(text):
        broader = _class_at_start(text[match.end() :], forms)
        if broader:
            for item in _items(match.group("list"), forms):
                yield item, broader, "包括X在内的Y"
    yield from _is_a(text, forms)
    for match in _CLASS_AND_LIST.finditer(text):
        matched = forms.at_end(match.group("y"))
        if matched:
            for item in _items(match.group("list"), forms):
                yield item, matched[1], "Y包括X"


def _is_a(text: str, forms: _Forms) -> Iterator[tuple[str, str, str]]:
    for match in _IS_A.finditer(text):
        if not _KIND.search(match.group("y")):
            continue
        x, broader = match.group("x"), forms.at_end(match.group("y").removesuffix("之一"))
        narrower = forms.at_end(x)
        if broader and narrower and _whole_phrase(x, narrower[0]):
            yield narrower[1], broader[1], "X是一种Y"


def _class_at_start(text: str, forms: _Forms) -> str | None:
    """Return the term that the noun phrase at the start of a text ends with."""
    phrase = re.split("[，。；：、（(]", text[:_WINDOW], maxsplit=1)[0]
    if not forms.any_in(phrase):  # segmentation is slow
        return None
    tokens = list(itertools.takewhile(_nominal, segmenter().cut(phrase)))
    if any(token.tag == "vn" for token in tokens[:-1]):  # 方法分析流域: a verb and its object
        return None
    matched = forms.at_end("".join(token.text for token in tokens))
    return matched[1] if matched else None


def _nominal(token: Token) -> bool:
    return token.tag.startswith(_NOUNS) and not token.tag.startswith(("ad", "ag"))


def _items_before(text: str, forms: _Forms) -> list[str]:
    """Return the terms of the list that a text ends with, from right to left."""
    clause = re.split("[。；：（(]", text)[-1]
    pieces = [p.strip() for p in re.split(_SEPARATOR, clause)]
    items: list[str] = []
    for piece in reversed(pieces):
        matched = forms.at_end(piece)
        if matched is None or (piece != matched[0] and not _whole_phrase(piece, matched[0])):
            break
        items.append(matched[1])
        if piece != matched[0]:  # the list began within this piece
            break
    return items


def _items(text: str, forms: _Forms) -> list[str]:
    """Return the terms of a list, up to the first piece that is none."""
    items: list[str] = []
    for piece in re.split(_SEPARATOR, re.split("等|。|；", text, maxsplit=1)[0]):
        term = forms.terms.get(piece.strip())
        if term is None:
            break
        items.append(term)
    return items


def _whole_phrase(text: str, form: str) -> bool:
    """Return whether the form at the end of a text is a complete noun phrase: no noun or adjective precedes it."""
    before = text[: len(text) - len(form)].strip()
    if not before:
        return True
    last = segmenter().cut(before[-8:])[-1]
    return not _nominal(last) and not last.tag.startswith(("m", "q", "f"))


_SAME = re.compile(
    "(?P<x>[^，。；：、(（]{2,16})[(（]?[，,]?(?:又称|也称|亦称|也叫|又叫)(?:为|作)?(?P<y>[^，。；：、)）]{2,12})(?=[)），。；]|$)"
)


def _same(text: str, forms: _Forms) -> Iterator[tuple[str, str]]:
    for match in _SAME.finditer(text):
        matched, other = forms.at_end(match.group("x")), forms.terms.get(match.group("y").strip("“”\"' "))
        if matched and other and _whole_phrase(match.group("x"), matched[0]):
            yield matched[1], other


_EN_LIST = r"(?P<list>[a-z][a-z \-,]{2,80})"
_EN_END = re.compile(
    r"\b(?:is|are|was|were|be|has|have|can|may|will|in|on|of|by|with|for|at|from|to|that|which|under|during)\b"
)
"""Words that end a list that goes on as a sentence."""
_ENGLISH = (
    (re.compile(rf"(?P<y>[a-z][a-z \-]{{2,40}}),? (?:such as|including|especially) {_EN_LIST}"), "Y such as X"),
    (re.compile(rf"such (?P<y>[a-z][a-z \-]{{2,40}}?) as {_EN_LIST}"), "such Y as X"),
    (re.compile(rf"{_EN_LIST}[, ]+(?:and|or) other (?P<y>[a-z][a-z \-]{{2,40}})"), "X and other Y"),
    (re.compile(r"(?P<list>[a-z][a-z \-]{2,40}) (?:is|are) (?:a|one) (?:kind|type|form) of (?P<y>[a-z][a-z \-]{2,40})"),
     "X is a kind of Y"),
)  # fmt: skip


def _english(text: str, forms: _Forms) -> Iterator[tuple[str, str, str]]:
    for expression, name in _ENGLISH:
        for match in expression.finditer(text):
            broader = _english_class(match.group("y"), forms, at_start=name.startswith("X"))
            if broader is None:
                continue
            listed = match.group("list") if name == "X and other Y" else _EN_END.split(match.group("list"))[0]
            pieces = [p.strip() for p in re.split(r",| and | or ", listed) if p.strip()]
            for piece in reversed(pieces) if name == "X and other Y" else pieces:
                term = _english_term(piece, forms)
                if term is None:
                    break
                yield term, broader, name


def _english_class(phrase: str, forms: _Forms, *, at_start: bool) -> str | None:
    """Return the longest term at the end of a phrase, or at the start of one that continues."""
    words = phrase.split()
    spans = range(min(4, len(words)), 0, -1)
    pieces = (words[:n] if at_start else words[-n:] for n in spans)
    return next((t for piece in pieces if (t := _english_term(" ".join(piece), forms))), None)


def _english_term(phrase: str, forms: _Forms) -> str | None:
    """Return the term of an English phrase, singular or plural, without an article."""
    bare = re.sub(r"^(?:the|a|an) ", "", phrase)
    return forms.terms.get(bare) or forms.terms.get(singular(bare))
