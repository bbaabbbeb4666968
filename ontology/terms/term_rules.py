"""Exclusion rules: why a keyword or a candidate names no class of the domain.

A rule returns the reason as text for the user, or "" if it accepts the candidate. The word lists (generic_zh,
generic_heads_zh, stop_zh, generic_en, stop_en) are bundled; stop words of the user are added to them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from ontology.terms.lexicon import Lexicon, word_list
from ontology.terms.phrases import (
    MAX_LENGTH,
    is_class_name,
    is_named_place,
    is_part,
    is_place,
    names_region,
    why_no_phrase,
)
from ontology.terms.segment import NEW, Token, WordSegmenter, word_segmenter
from ontology.terms.token_stream import LATIN, NUMBER, joined
from ontology.terms.wordforms import fold, has_han

MAX_LENGTH_EN = 60
_TIME_OR_NAME = ("t", "m", "nrt", "q", NUMBER)
_MARKS = frozenset(",;|\t\"'“”‘’/\\%<>")
"""Marks that no term has; a heading with a comma is inverted (模型,动物)."""
_NO_CLASS = "generic word or description"
_QUANTITY = re.compile(r"\d+(?:\.\d+)?[a-zμ°%]{1,3}\d?")
_TIME = re.compile(r"[0-9一二三四五六七八九十两新本上下]+(?:世纪|年代|年|月|日)[初末]?")
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
        return word.text in _FUNCTION or word.text in "有无"
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
