"""Word-level judgement of a candidate term: is it a label already or a trivial variant, and does it look like a term.

The labels' matching is longest first, Chinese as substrings, English on word boundaries with simple plurals
(design of vocabularies). Reconstruction; no paper prints these rules.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Sequence

from kg.stopwords import EN_DEGREES, EN_WORDS, ZH_BREAK, ZH_WORDS
from ontology.model import Concept
from ontology.terms.segment import segmenter

_COMMON = 1_000
"""From this frequency in jieba's dictionary on, a single word is no technical term (效应 2,116, 台风 340, 内涝 20)."""
_STANDS_ALONE = 0.7
"""Least novelty of a term that takes the place of a clause around it."""
_NAMES = ("nr", "ns", "nt", "nrt", "nrfg")
_PLACES = frozenset(("城市", "都市", "城镇", "城区", "乡村", "农村"))
"""Kinds of places that jieba's dictionary tags as names."""
_JOINING = frozenset("到至和与及或并且等使让令")
"""Single-character words that join two terms or a term and a clause."""
_GLUED = frozenset("将比在使让给为被是有就也都已正")
"""Function words that jieba's model glues to the unknown word before them."""
_MEASURES = frozenset("条个处名人起座间户次场辆艘只家所项种级")
"""Measure words, which follow a number that was cut off."""
_CLOSED = ("m", "t", "p", "c", "r", "u")
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
        """Whether a term is a label, an inflection or a piece of one, or labels with empty words around them."""
        key = self._key(language, term)
        if language == "en":
            return any(f" {key} " in f" {form} " or _is_empty_en(key, form) for form in self._en)
        if any(key in form for form in self._zh):
            return True
        rest = [part for part in self._chinese.split(key) if part]
        if rest == [key]:
            return False
        return sum(map(len, rest)) <= 1 or all(w in ZH_WORDS or w in ZH_BREAK for part in rest for w in cut(part))


def _is_empty_en(key: str, form: str) -> bool:
    """Whether a term is a label with words around it that say nothing."""
    before, found, after = f" {key} ".partition(f" {form} ")
    return bool(found) and all(word in EN_WORDS or word in EN_DEGREES for word in f"{before} {after}".split())


def cut(text: str) -> list[str]:
    """The words of a Chinese text by jieba's own dictionary, whatever dictionaries others have loaded."""
    return [token.text for token in segmenter().cut(text)]


def boundary_share(term: str, sentences: Sequence[str]) -> float:
    """Share of a term's occurrences that begin and end where jieba sees word boundaries, in [0, 1].

    A function word that jieba has glued to an unknown word (龙舟|水将 for 龙舟水|将) counts as cut off.
    """
    good = total = 0
    for sentence in sentences:
        starts, ends = _edges(sentence)
        at = sentence.find(term)
        while at >= 0:
            total += 1
            good += at in starts and at + len(term) in ends
            at = sentence.find(term, at + 1)
    return good / total if total else 0.0


def _edges(sentence: str) -> tuple[set[int], set[int]]:
    """Positions at which a term may begin and end."""
    starts, ends, position = {0}, {0}, 0
    for word in cut(sentence):
        if word[-1] in _GLUED:
            ends.add(position + len(word) - 1)
        position += len(word)
        starts.add(position)
        ends.add(position)
    return starts, ends


def novelty(term: str, language: str) -> float:
    """How much a candidate looks like a term that a general dictionary lacks, in [0, 1]; 0: not a term."""
    return _novelty_zh(term) if language == "zh" else _novelty_en(term)


def tagged(term: str) -> list[tuple[str, str]]:
    """The Chinese words of a term with jieba's part-of-speech tags; kinds of places count as nouns."""
    return [(token.text, "n" if token.text in _PLACES else token.tag) for token in segmenter().cut(term)]


def _novelty_zh(term: str) -> float:
    words = tagged(term)
    (first, first_flag), (last, last_flag) = words[0], words[-1]
    if any(word in _JOINING for word, _ in words):
        return 0.0
    if first in ZH_WORDS or last in ZH_WORDS or any(flag[0] in _CLOSED for _, flag in words) or first_flag in _NAMES:
        return 0.0
    if first_flag.startswith(_CLOSED_FIRST) or last_flag.startswith(_CLOSED_LAST):
        return 0.0
    if len(words) == 1:
        if first_flag.startswith(("v", "a", "i", "l", "z", "b")) and first_flag != "vn":
            return 0.0
        known = segmenter().frequency(term)
        return max(0.0, 1 - (math.log1p(known) / math.log1p(_COMMON)) ** 2)
    if len(last) == 1 and last in "省市县区镇乡村":
        return 0.0
    if last_flag in ("a", "ad") or (len(first) == 1 and first in _MEASURES):
        return 0.0
    return float(
        0.6 ** sum(flag == "v" for flag in (first_flag, last_flag))
        * 0.5 ** sum(f == "v" and len(w) > 1 for w, f in words[1:-1])
    )


def is_clause(term: str, part: str) -> bool:
    """Whether a Chinese term is ``part`` with a verb or an empty word before or after it: 监测堰塞湖, 列车效应使."""
    if novelty(part, "zh") < _STANDS_ALONE:
        return False
    before, _, after = term.partition(part)
    verbs_before = all(flag[0] in "vpdcur" for _, flag in tagged(before)) if before else True
    verbs_after = all(flag in ("v", "vd") or flag[0] in "pdcur" for _, flag in tagged(after)) if after else True
    return verbs_before and verbs_after


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
