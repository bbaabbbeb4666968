"""English candidates: noun phrases of the texts with their counts, rules and rank.

A candidate is a part of a noun phrase (noun_phrases_en.py) of up to MAX_WORDS words that ends with a noun, in the
singular. It is ranked by the expected number of documents that it characterises [R]:

    E(t) = C(t) n / f * (1 - 2 ** -(r + |t| - 1)) * relevance(t),   r = max(0, log2(D (1 - exp(-f / D)) / n))

with |t| the words, n the documents and f the occurrences of t, D the number of documents, and C(t) the C-value
(Frantzi, Ananiadou and Mima 2000; ngrams.py), which takes off the occurrences within longer candidates. r is the
residual inverse document frequency of Church and Gale 1995, "Poisson mixtures", Natural Language Engineering 1(2): a
word that names a thing comes several times in the texts about it and in no others; a general word comes once in any.
The relevance (relevance.py) of single words compares them with general English; that of phrases is 1.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ontology.terms.keyness import general_english
from ontology.terms.lexicon import word_list
from ontology.terms.ngrams import MAX_WORDS
from ontology.terms.noun_phrases_en import ADJECTIVES, NOUNS, PARTICIPLES, EnglishTexts, Phrase
from ontology.terms.relevance import relevance_by_words
from ontology.terms.wordforms import normal, singular

_MIN_RESIDUAL = 0.3
"""Minimum r of a single word that is no keyword; 0.3 is a fifth more occurrences than documents, about."""
_MIN_REPEATED = 1.4
"""Minimum occurrences per document of a phrase that begins with a describing adjective (black hole, not black tail)."""
_MIN_NOUN = 0.6
"""Minimum share of a last word's occurrences that are nouns."""
_MIN_DETERMINED = 0.25
"""Minimum share of a phrase's occurrences after a determiner or adjective, if it begins with a participle."""
_MIN_PLURAL = 0.2
"""Minimum share of plurals of a last word that is usually no noun."""
_MIN_COUNTABLE = 0.05
"""A phrase written with a capital is a class if a larger share of its occurrences is plural or has *a* or *an*."""
_MAX_COUNTED = 0.4
"""Maximum share of a single noun's occurrences directly after a number: more has a unit of measurement."""
_ALONE = 2
_NUMBER = re.compile(r"[0-9.,]+(?:st|nd|rd|th|s)?")


@dataclass(slots=True)
class Counts:
    """Counts of a candidate.

    Attributes:
        documents, frequency: documents and occurrences.
        alone: documents with it as a whole noun phrase.
        head: documents with it at the end of a noun phrase.
        determined: occurrences after a determiner, number or modifier.
        counted: occurrences after a number.
        plural, indefinite, definite: occurrences in the plural; after *a* or *an*; after *the*.
        spelled: its spellings, in the singular.
        tags: the classes of its words.
    """

    documents: int = 0
    frequency: int = 0
    alone: int = 0
    head: int = 0
    determined: int = 0
    counted: int = 0
    plural: int = 0
    indefinite: int = 0
    definite: int = 0
    spelled: Counter[str] = field(default_factory=Counter)
    tags: Counter[tuple[str, ...]] = field(default_factory=Counter)


class EnglishCandidates:
    """The noun phrases of English texts, counted.

    Args:
        texts: the text of each document.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self.size = len(texts)
        self._texts = EnglishTexts(texts)

    @cached_property
    def counts(self) -> Mapping[str, Counts]:
        """Candidate, folded by `normal` and in the singular -> its counts."""
        return self._counted() if self.size else {}

    def _counted(self) -> dict[str, Counts]:
        counts: defaultdict[str, Counts] = defaultdict(Counts)
        for phrases in self._texts.phrases():
            seen: set[str] = set()
            alone: set[str] = set()
            heads: set[str] = set()
            for phrase in phrases:
                self._count(_without_generic(phrase), counts, seen, alone, heads)
            for text in seen:
                counts[text].documents += 1
            for text in alone:
                counts[text].alone += 1
            for text in heads:
                counts[text].head += 1
        return dict(counts)

    def _count(
        self, phrase: Phrase, counts: Mapping[str, Counts], seen: set[str], alone: set[str], heads: set[str]
    ) -> None:
        size = len(phrase.words)
        for end in range(1, size + 1):
            if phrase.tags[end - 1] not in NOUNS:
                continue
            for start in range(max(0, end - MAX_WORDS), end):
                written = " ".join(phrase.words[start:end])
                single = singular(written)
                text = normal(single)
                if not text:
                    continue
                seen.add(text)
                if end == size:
                    heads.add(text)
                    if start == 0:
                        alone.add(text)
                one = counts[text]
                one.frequency += 1
                one.spelled[single] += 1
                one.tags[phrase.tags[start:end]] += 1
                one.plural += single != written
                if start:
                    one.determined += 1
                else:
                    one.determined += phrase.determined
                    one.counted += phrase.numbered
                    one.indefinite += phrase.before in ("a", "an")
                    one.definite += phrase.before == "the"

    @cached_property
    def _nested(self) -> tuple[Counter[str], Counter[str]]:
        """For each candidate the number of longer ones that contain it, and the sum of their frequencies."""
        number: Counter[str] = Counter()
        total: Counter[str] = Counter()
        for text, one in self.counts.items():
            if one.frequency > 1:
                for part in _parts_of(text):
                    number[part] += 1
                    total[part] += one.frequency
        return number, total

    def c_value(self, text: str) -> float:
        """Return the C-value of a candidate."""
        number, total = self._nested
        nested = total[text] / number[text] if number[text] else 0.0
        return math.log2(2 + text.count(" ")) * (self.counts[text].frequency - nested)

    def residual(self, text: str) -> float:
        """Return the residual inverse document frequency of a candidate, in bits; 0 where it is negative."""
        one = self.counts[text]
        expected = self.size * (1 - math.exp(-one.frequency / self.size))
        return max(0.0, math.log2(expected / one.documents))

    def expected(self, text: str) -> float:
        """Return the expected number of documents that a candidate characterises, E(t)."""
        one = self.counts[text]
        repeated = 1 - 2 ** -(self.residual(text) + text.count(" "))
        return self.c_value(text) * one.documents / one.frequency * repeated * self.relevance(text)

    def relevance(self, text: str) -> float:
        """Return the relevance of a candidate in [0, 1]: of a single word by general English, 1 of a phrase."""
        if " " in text:
            return 1.0
        return relevance_by_words(text, self.counts[text].frequency, self._texts.size, general_english())

    def spelled(self, text: str) -> str:
        """Return the most common spelling of a candidate, in the singular."""
        forms = self.counts[text].spelled
        return min(forms, key=lambda form: (-forms[form], form != form.lower(), form))

    @cached_property
    def _longest(self) -> Mapping[str, str]:
        """Map each candidate that is part of longer ones to the longer one in the most documents."""
        longest: dict[str, str] = {}
        for text, one in self.counts.items():
            if one.documents > 1:
                for part in _parts_of(text):
                    if part not in longest or one.documents > self.counts[longest[part]].documents:
                        longest[part] = text
        return longest

    def why_no_term(self, text: str) -> str:
        """Return the reason why a candidate names no class, or "" if it can."""
        words = text.split()
        one = self.counts[text]
        tags = one.tags.most_common(1)[0][0]
        generic = [w for w in (words[0], words[-1]) if w in _generic()]
        if generic:
            return f"generic word or description: begins or ends with {generic[0]}"
        if len(words[0]) == 1 or len(words[-1]) == 1 or not text[0].isalnum():
            return "begins or ends with a letter or a mark"
        if _NUMBER.fullmatch(words[0]) or "." in text:
            return "number or abbreviation"
        share = self._texts.noun_share(self.spelled(text).split()[-1])
        if share < _MIN_NOUN and one.plural < _MIN_PLURAL * one.frequency:
            return f"its last word is a noun in {share:.0%} of its occurrences"
        if self.is_name(text):
            return "name: always written with a capital, without a plural or an indefinite article"
        return self._why_no_phrase(text, tags) if len(words) > 1 else self._why_no_word(text)

    def is_name(self, text: str) -> bool:
        """Return whether a candidate is one thing (Panama Canal), not a kind of things (Markov chain)."""
        one = self.counts[text]
        words = self.spelled(text).split()
        if one.plural < one.frequency and one.indefinite + one.plural > _MIN_COUNTABLE * one.frequency:
            return False
        capital = [_is_capital(word) for word in words]
        return capital[-1] or (any(capital) and one.definite >= 0.5 * one.frequency)

    def _why_no_phrase(self, text: str, tags: Sequence[str]) -> str:
        one, first, last = self.counts[text], text.split(maxsplit=1)[0], text.rsplit(maxsplit=1)[-1]
        if self._is_unit(first):
            return f"number with a unit: {first}"
        if tags[0] in PARTICIPLES and one.determined < _MIN_DETERMINED * one.frequency:
            return f"part of a clause: {first} is a verb"
        if tags[0] in ADJECTIVES and self._describes(first) and one.frequency < _MIN_REPEATED * one.documents:
            return f"description: {first} describes a {last}"
        longer = self._longest.get(text)
        if longer and one.documents - self.counts[longer].documents < _ALONE:
            number = self.counts[longer].documents
            return f"almost only within {longer} ({number} of {one.documents} documents)"
        return "" if one.head else "only as part of longer noun phrases"

    def _describes(self, word: str) -> bool:
        return word in self._texts.descriptive or _syllables(word) == 1

    def _is_unit(self, word: str) -> bool:
        one = self.counts.get(word)
        return one is not None and one.counted > _MAX_COUNTED * one.frequency

    def _why_no_word(self, text: str) -> str:
        one = self.counts[text]
        if self._is_unit(text):
            return f"unit: after a number in {one.counted} of {one.frequency} occurrences"
        return "" if one.alone >= _ALONE else "hardly ever a noun phrase by itself"

    def why_general(self, text: str) -> str:
        """Return the reason why a single word is a general one, or "": it is spread evenly over the documents."""
        if " " in text or text not in self.counts:
            return ""
        residual = self.residual(text)
        if residual >= _MIN_RESIDUAL:
            return ""
        return f"spread over the documents as evenly as a general word (residual {residual:.2f}, least {_MIN_RESIDUAL})"


def _parts_of(text: str) -> Iterable[str]:
    """Return the shorter sequences of words within a text, each once.

    >>> sorted(_parts_of("red blood cell"))
    ['blood', 'blood cell', 'cell', 'red', 'red blood']
    """
    words = text.split()
    spans = ((i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1) if j - i < len(words))
    return dict.fromkeys(" ".join(words[i:j]) for i, j in spans)


def _syllables(word: str) -> int:
    """Return the number of vowel groups of an English word, a final silent *e* left out.

    >>> _syllables("white"), _syllables("short"), _syllables("immune"), _syllables("dorsal")
    (1, 1, 2, 2)
    """
    groups, vowel = 0, False
    for letter in word:
        groups += letter in "aeiouy" and not vowel
        vowel = letter in "aeiouy"
    return max(groups - (groups > 1 and word.endswith("e") and word[-2:-1] not in "aeiouyl"), 1)


def _is_capital(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()


def _generic() -> frozenset[str]:
    return word_list("generic_en") | word_list("stop_en")


def _without_generic(phrase: Phrase) -> Phrase:
    """Return a phrase without generic words and comparatives before its first other word."""
    start = 0
    while start < len(phrase.words) - 1 and (
        phrase.words[start].lower() in _generic() or phrase.tags[start] in ("JJR", "JJS")
    ):
        start += 1
    return phrase if not start else Phrase(phrase.words[start:], phrase.tags[start:], "", True, False)
