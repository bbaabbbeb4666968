"""What is no Chinese term in its sentences: clauses and fragments, people, places, organisations, times, and names."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

from ontology.enrichment.ranking import Place
from ontology.terms.contrast import PLACES
from ontology.terms.lexicon import word_list
from ontology.terms.phrases import is_part, is_place, why_no_phrase
from ontology.terms.segment import Token, dictionary, segmenter

NAME = "name: in quotation marks"
_AROUND = 30
"""Characters on both sides that are tagged with a term."""
_QUOTES = ("“‘\"'「『《", "”’\"'」』》")
_LISTED = "、"
_LEAST_LISTED = 2
"""Sentences that list a term with places from which it is one."""
_GUESSED = 3
"""Frequency in jieba's dictionary of words that were taken over from lists and not counted in texts."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A term in a sentence.

    Attributes:
        before, words, after: the words before it, in it, and after it, with their classes.
        across: a word that goes on beyond it, or "".
        quoted: whether it is all that stands in quotation marks.
    """

    before: tuple[Token, ...]
    words: tuple[Token, ...]
    after: tuple[Token, ...]
    across: str = ""
    quoted: bool = False

    @classmethod
    def at(cls, folded: str, place: Place) -> Phrase:
        """Return the phrase at a place of a folded sentence."""
        first = max(0, place.start - _AROUND)
        start, end = place.start - first, place.end - first
        near = folded[first : place.end + _AROUND]
        tokens = segmenter().cut(near)
        ends = list(accumulate(len(token.text) for token in tokens))
        spans = list(zip([0, *ends[:-1]], ends, tokens, strict=True))
        return cls(
            tuple(token for _, e, token in spans if e <= start),
            tuple(_sure(token) for s, e, token in spans if s >= start and e <= end),
            tuple(token for s, _, token in spans if s >= end),
            next((t.text for s, e, t in spans if s < start < e or s < end < e), ""),
            start > 0 and near[start - 1] in _QUOTES[0] and near[end : end + 1] in tuple(_QUOTES[1]),
        )

    def listed_with(self) -> list[Token]:
        """Return the words that a list has before and after the term.

        >>> phrase = Phrase.at("越秀、海珠、天河发布预警", Place(0, 3, 5, in_context=False))
        >>> [token.text for token in phrase.listed_with()]
        ['越秀', '天河']
        """
        sides = (self.before[::-1], self.after)
        return [side[1] for side in sides if len(side) > 1 and side[0].text == _LISTED]


def why_no_term_in(text: str, phrase: Phrase, labels: Container[str]) -> str:
    """Return the reason why a phrase is no term where it stands, or ""."""
    if phrase.across:
        return f"fragment: a word goes on beyond it ({phrase.across})"
    if phrase.quoted:
        return NAME
    return _why_names(phrase.words, labels) or _why_clause(phrase.words) or why_no_phrase(phrase.words, text)


def why_organisation(text: str) -> str:
    """Return the reason why a term is the name of an organisation, or "".

    >>> why_organisation("广州气象台"), why_organisation("水利部"), why_organisation("西北部")
    ('organisation: ends with 气象台', 'organisation: ends with 部', '')
    """
    endings = [ending for ending in word_list("organisations_zh") if text.endswith(ending)]
    ministry = text[-1] == "部" and len(text) > 2 and text in dictionary() and text[-2:] not in dictionary()
    ending = max(endings, key=len, default="部" if ministry else "")
    return f"organisation: ends with {ending}" if ending else ""


def why_place(phrases: Sequence[Phrase], labels: Container[str]) -> str:
    """Return the reason why a term is the name of a place: most lists that it is in have places beside it; or ""."""
    lists = [listed for phrase in phrases if (listed := phrase.listed_with())]
    with_places = [[t.text for t in listed if is_place(t) and t.text not in labels] for listed in lists]
    named = [places[0] for places in with_places if places]
    return f"place: listed with {named[0]}" if len(named) >= max(_LEAST_LISTED, len(lists) / 2) else ""


def _why_names(words: Sequence[Token], labels: Container[str]) -> str:
    """Return the reason why words are a name or a time, or begin or end with one, or ""."""
    if len(words) == 1 and words[0].tag.startswith("nr"):
        return f"person: {words[0].text}"
    if words[0].text[-1] in PLACES and (len(words[0].text) == 1 or not _is_counted(words[0].text)):
        return f"place: {words[0].text}"
    for word in (words[0], words[-1]):
        if word.tag.startswith("nr") and _class(word).startswith("nr") and word.text not in labels:
            return f"person: {word.text}"
        if word.tag == "nt":
            return f"organisation: {word.text}"
        if word.tag == "t":
            return f"time: {word.text}"
    return ""


def _is_counted(word: str) -> bool:
    """Return whether the dictionary counted a word in texts, or else what it is without its last character: 下载区."""
    known, stem = dictionary().get(word), dictionary().get(word[:-1])
    return known is not None and any(one is not None and one.frequency > _GUESSED for one in (known, stem))


def _why_clause(words: Sequence[Token]) -> str:
    """Return the reason why words are no noun phrase: a verb alone or between nouns, an adverb, an idiom."""
    odd = next((word.text for word in words if not is_part(word)), "")
    if odd:
        return f"part of a clause: {odd}"
    if words[-1].tag == "i":
        return f"idiom: {words[-1].text}"
    if len(words) == 1 and _class(words[0]) == "v":
        return f"verb: {words[0].text}"
    if len(words) == 1 and words[0].tag == "l" and _is_verb_phrase(words[0].text):
        return f"part of a clause: {words[0].text}"
    for before, word in pairwise(words[:-1] if len(words[-1].text) > 1 else ()):
        verb = word.tag == "v" or (word.tag != "vn" and _class(word) == "v")
        if before.tag.startswith("n") and verb and min(len(before.text), len(word.text)) > 1:
            return f"part of a clause: {word.text} is a verb"
    return ""


def _is_verb_phrase(word: str) -> bool:
    """Return whether a fixed phrase of the dictionary is an adverb and a verb: 切实做好."""
    first, last = (dictionary().get(half) for half in (word[: len(word) // 2], word[len(word) // 2 :]))
    return first is not None and last is not None and first.tag in ("d", "ad", "a") and last.tag == "v"


def _sure(word: Token) -> Token:
    """Return a word as a noun where the tagger takes it for a verb and the dictionary lacks it."""
    return Token(word.text, "n") if word.tag.startswith("v") and not _class(word) else word


def _class(word: Token) -> str:
    """Return the class of a word in the dictionary; the tagger guesses that of a word from its neighbours."""
    known = dictionary().get(word.text)
    return known.tag if known else ""
