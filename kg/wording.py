"""Word-level judgement of a candidate term: is it a label already or a trivial variant, and does it look like a term.

The labels' matching is longest first, Chinese as substrings, English on word boundaries with simple plurals
(design of vocabularies). Reconstruction; no paper prints these rules.
"""

from __future__ import annotations

import logging
import math
import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache

import jieba
import jieba.posseg

from kg.stopwords import EN_WORDS, ZH_BREAK, ZH_WORDS
from ontology.model import Concept

_COMMON = 1_000
"""From this frequency in jieba's dictionary on, a single word is no technical term (效应 2,116, 台风 340, 内涝 20)."""
_NAMES = ("nr", "ns", "nt", "nrt", "nrfg")
_LANDFORMS = "湖坝滩谷洲堰泽坑"
"""A dictionary name that ends so may be a kind of place (堰塞湖)."""
_CLOSED_FIRST = ("u", "p", "c", "d", "m", "q", "r", "f", "y", "e", "o", "t", "k", "x")
_CLOSED_LAST = ("u", "p", "c", "d", "r", "f", "y", "e", "o", "q", "m", "t", "x")
_NOUNS_IN_ED = ("bed", "shed", "seed", "speed", "feed", "weed", "need")


def fold(form: str) -> str:
    """A form as it is compared: compatibility characters unified, lower case, single spaces for hyphens."""
    return " ".join(unicodedata.normalize("NFKC", form).lower().replace("-", " ").split())


def singular(word: str) -> str:
    """An English word without its simple plural."""
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


class Labels:
    """The surface forms of an ontology's concepts: finds them in sentences and knows their trivial variants."""

    def __init__(self, concepts: Iterable[Concept]) -> None:
        owner: dict[tuple[str, str], str] = {}
        for concept in sorted(concepts, key=lambda c: c.iri):
            for language, form in concept.forms():
                if fold(form):
                    owner.setdefault((language, self._key(language, form)), concept.iri)
        self._owner = owner
        self._by_length = sorted(owner.items(), key=lambda item: (-len(item[0][1]), item[0]))
        self._zh = sorted((form for language, form in owner if language == "zh"), key=lambda f: (-len(f), f))
        self._en = sorted((form for language, form in owner if language == "en"), key=lambda f: (-len(f), f))
        self._chinese = re.compile("|".join(map(re.escape, self._zh)) or r"(?!)")
        self._longest = max((len(form.split()) for form in self._en), default=0)

    @staticmethod
    def _key(language: str, form: str) -> str:
        folded = fold(form)
        return " ".join(singular(word) for word in folded.split()) if language == "en" else folded

    def concepts_in(self, sentence: str) -> list[str]:
        """IRIs of the concepts that a sentence names, one per occurrence, longest forms first."""
        text = fold(sentence)
        found = [self._owner["zh", hit.group()] for hit in self._chinese.finditer(text)]
        words = [singular(word) for word in re.findall(r"[a-z0-9']+", text)]
        at = 0
        while at < len(words):
            for length in range(min(self._longest, len(words) - at), 0, -1):
                iri = self._owner.get(("en", " ".join(words[at : at + length])))
                if iri is not None:
                    found.append(iri)
                    at += length - 1
                    break
            at += 1
        return found

    def starting(self, text: str) -> str | None:
        """The concept whose label a text begins with; the longest such label."""
        folded = fold(text)
        for (language, form), iri in self._by_length:
            if folded.startswith(form) and (language == "zh" or not folded[len(form) :][:1].isalpha()):
                return iri
        return None

    def ending(self, text: str) -> str | None:
        """The concept whose label a text ends with; the longest such label."""
        folded = fold(text)
        for (language, form), iri in self._by_length:
            if folded.endswith(form) and (language == "zh" or not folded[: -len(form)][-1:].isalpha()):
                return iri
        return None

    def head_of(self, term: str, language: str) -> str | None:
        """The concept whose label is the head (the end) of a term: 山体滑坡 -> 滑坡; the longest such label."""
        key = self._key(language, term)
        for form in self._zh if language == "zh" else self._en:
            tail = form if language == "zh" else " " + form
            if key.endswith(tail) and key != form and len(form) > 1:
                return self._owner[language, form]
        return None

    def is_trivial(self, term: str, language: str) -> bool:
        """Whether a term is a label, an inflection, a piece of one, or a label with empty words around it."""
        key = self._key(language, term)
        if language == "zh":
            return any(key in form or (form in key and _is_empty(key, form)) for form in self._zh)
        return any(
            f" {key} " in f" {form} " or (f" {form} " in f" {key} " and _is_empty(key, form)) for form in self._en
        )


def _is_empty(key: str, form: str) -> bool:
    """Whether what a term has beside a label says nothing: one character, or stop words only."""
    rest = [part.strip() for part in key.split(form) if part.strip()]
    if form.isascii():
        return all(word in EN_WORDS or word in _INTENSITY for part in rest for word in part.split())
    return sum(map(len, rest)) <= 1 or all(word in ZH_WORDS or word in ZH_BREAK for part in rest for word in cut(part))


_INTENSITY = frozenset(
    [
        "heavy",
        "severe",
        "serious",
        "strong",
        "extreme",
        "massive",
        "local",
        "regional",
        "event",
        "events",
        "disaster",
        "area",
    ]
)


@cache
def _tagger() -> jieba.posseg.POSTokenizer:
    jieba.setLogLevel(logging.WARNING)
    return jieba.posseg.POSTokenizer(jieba.Tokenizer())


def cut(text: str) -> list[str]:
    """The words of a Chinese text by jieba's own dictionary, whatever dictionaries others have loaded."""
    return list(_tagger().tokenizer.lcut(text))


def boundary_share(term: str, sentences: Sequence[str]) -> float:
    """Share of a term's occurrences that begin and end where jieba sees word boundaries, in [0, 1]."""
    good = total = 0
    for sentence in sentences:
        edges, position = {0}, 0
        for word in cut(sentence):
            position += len(word)
            edges.add(position)
        at = sentence.find(term)
        while at >= 0:
            total += 1
            good += at in edges and at + len(term) in edges
            at = sentence.find(term, at + 1)
    return good / total if total else 0.0


def novelty(term: str, language: str) -> float:
    """How much a candidate looks like a term that a general dictionary lacks, in [0, 1]; 0: not a term."""
    return _novelty_zh(term) if language == "zh" else _novelty_en(term)


def _novelty_zh(term: str) -> float:
    words = [(pair.word, pair.flag) for pair in _tagger().cut(term)]
    (first, first_flag), (last, last_flag) = words[0], words[-1]
    if (
        first in ZH_WORDS
        or last in ZH_WORDS
        or any(flag in ("m", "t", "p", "c", "r") or flag[0] == "u" for _, flag in words)
    ):
        return 0.0
    if len(words) == 1:
        if first_flag.startswith(_CLOSED_FIRST) or (first_flag in _NAMES and first[-1] not in _LANDFORMS):
            return 0.0
        known = _tagger().tokenizer.FREQ.get(term) or 0
        verb = 0.3 if first_flag.startswith(("v", "a", "i", "l")) and first_flag != "vn" else 1.0
        return verb * max(0.0, 1 - math.log1p(known) / math.log1p(_COMMON))
    if first_flag.startswith(_CLOSED_FIRST) or first_flag in _NAMES or last_flag.startswith(_CLOSED_LAST):
        return 0.0
    if len(last) == 1 and last in "省市县区镇乡村":
        return 0.0
    begins = 0.6 if first_flag == "v" else 1.0
    ends = 0.6 if last_flag == "v" else 1.0
    return begins * ends


def _novelty_en(term: str) -> float:
    words = term.lower().split()
    last = words[-1]
    if last.endswith("ly") or words[0].endswith("ly"):
        return 0.0
    if last.endswith("ed") and not last.endswith(_NOUNS_IN_ED):
        return 0.0
    if any(word in EN_WORDS or len(word) < 2 for word in words):
        return 0.0
    return 0.6 if words[0].endswith(("ing", "ed")) or last.endswith("ing") else 1.0
