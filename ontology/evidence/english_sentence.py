"""English sentences as tagged words, and the names and noun phrases in them.

A noun phrase is a run of adjectives, nouns and participles that ends with a noun, its head. What follows a noun and
describes it is left out: *a mammal native to Africa*, *a disease caused by a virus*. Where the corpus has a name that
ends with the head, the longest one stands for the phrase: *a small passerine bird* is a *passerine bird* if the corpus
has this name, and a *bird* otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ontology.terms.form_matcher import with_inflections
from ontology.terms.lexicon import word_list
from ontology.terms.noun_phrases_en import ADJECTIVES, NOUNS, PARTICIPLES, tag_words, words_of
from ontology.terms.wordforms import fold, normal, singular

Words = Sequence[str]
Span = tuple[int, int]
"""The positions where words begin and end in a sentence."""

LONGEST = 6
"""Longest name that is looked up, in words."""
_OPEN = NOUNS | ADJECTIVES | PARTICIPLES
_BEFORE_NOUN = frozenset(("DT", "PDT", "PRP$", "CD", "RB", "RBR", "RBS"))
QUOTES = frozenset("\"'“”‘’`")
_PARENTHESIS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ADJECTIVE = re.compile(r"[a-z]+(?:ous|ful|less|ible|able|ish|ic|ive|[^e]ed|ly|y)$|.*-.*(?:ed|like|free|rich|ing)$")
_NEVER_NOUN = re.compile(r"[a-z]+(?:ous|ful|less|ible|able|ic|ive)$")
"""Words that are hardly nouns where the corpus has no such name."""
_UNCHANGED = frozenset(("species", "series", "means", "fish", "sheep", "deer", "aircraft", "cattle", "people"))
"""Plurals that equal their singular."""
KINDS = frozenset((
    "kind", "type", "form", "sort", "class", "variety", "species", "subspecies", "genus", "family", "order",
    "tribe", "suborder", "phylum", "grouping", "clade", "breed", "group", "subgroup", "category", "subclass", "brand",
    "style", "member",
))  # fmt: skip
"""Nouns that name no class and lead to one: a *species of tern* is a tern."""
_EMPTY = frozenset(("thing", "object", "item", "entity", "area", "place", "property", "something"))
"""Nouns that are true of too much to be a class."""


class EnglishNames:
    """Names as sequences of English words, singular or plural.

    Args:
        forms: surface form -> name.
    """

    def __init__(self, forms: Mapping[str, str]) -> None:
        names = tuple(forms.values())
        numbers = with_inflections((form, number, True) for number, form in enumerate(forms))
        self._names = {_key(words_of(form)): names[number] for form, number in numbers.items()}

    def __bool__(self) -> bool:
        return bool(self._names)

    def name(self, words: Words) -> str | None:
        """Return the name that some words are."""
        return self._names.get(_key(words))

    def at_end(self, words: Words) -> str | None:
        """Return the longest name that some words end with."""
        ends = (_key(words[-size:]) for size in range(min(LONGEST, len(words)), 0, -1))
        return next((self._names[end] for end in ends if end in self._names), None)


def _key(words: Words) -> str:
    return normal(" ".join(words))


def without_parentheses(text: str) -> str:
    """Return a text without what stands in round or square brackets, nested ones included.

    >>> without_parentheses("The otter (Lutra (L.) lutra) swims")
    'The otter swims'
    """
    while (shorter := _PARENTHESIS.sub("", text)) != text:
        text = shorter
    return re.sub(r"\s+(?=[\s,.;:])", "", text)


def is_plural(word: str) -> bool:
    """Return whether a word is a plural, or has no other one."""
    return singular(word) != word or word in _UNCHANGED


def is_kind(word: str) -> bool:
    """Return whether a word is a noun like *species*, *types* or *family*, which names no class itself."""
    return singular(word) in KINDS


class EnglishSentence:
    """The words of a sentence with their classes.

    Args:
        text: the sentence.
        names: the names of the corpus.

    Attributes:
        words: words and punctuation marks in lower case; a hyphenated word is one.
    """

    def __init__(self, text: str, names: EnglishNames) -> None:
        spelled = words_of(text)
        self.words = [fold(word) for word in spelled]
        self._tags = tag_words(spelled)
        for at in range(1, len(self._tags)):  # a wheeled vehicle
            if self._tags[at] == "VBD" and self._tags[at - 1] in _BEFORE_NOUN | ADJECTIVES:
                self._tags[at] = "VBN"
        self._names = names

    def __len__(self) -> int:
        return len(self.words)

    def at(self, position: int, *words: str) -> bool:
        """Return whether some words stand at a position."""
        return position >= 0 and tuple(self.words[position : position + len(words)]) == words

    def compares(self, position: int) -> bool:
        """Return whether a comparative stands at a position: *larger*."""
        return self._tags[position] == "JJR"

    def determined(self, position: int) -> bool:
        """Return whether an article or a pronoun stands at a position: *the*, *this*, *their*."""
        return position < len(self) and self._tags[position] in ("DT", "PRP$")

    def _open(self, position: int) -> bool:
        word = self.words[position]
        return self._tags[position] in _OPEN and word[0].isalnum() and word not in word_list("stop_en")

    def phrase_before(self, end: int) -> Span:
        """Return the noun phrase that ends at a position; it may be empty."""
        start = end
        while start > 0 and self._open(start - 1):
            start -= 1
        return start, end

    def phrase_after(self, start: int) -> Span:
        """Return the noun phrase that begins at a position, determiners and adverbs skipped; it may be empty.

        Adjectives may be separated: *a transparent, biconvex structure*, *a small but common bird*.
        """
        start = self._after_determiners(start)
        end = self._run(start)
        while start < end < len(self) and self.words[end] in (",", "and", "or", "but") and self._adjective(end - 1):
            further = self._run(self._after_determiners(end + 1))
            if further <= end + 1 or not self._nouns(end + 1, further):
                break
            end = further
        return start, end

    def _after_determiners(self, start: int) -> int:
        while start < len(self) and (self._tags[start] in _BEFORE_NOUN or self.words[start] in QUOTES):
            start += 1
        return start

    def _run(self, start: int) -> int:
        """Return where the run of adjectives, nouns and participles at a position ends: after its last noun."""
        end = start
        while end < len(self) and self._open(end) and not self._describes(start, end):
            end += 1
        while end > start and self._tags[end - 1] not in NOUNS and self._nouns(start, end):
            end -= 1
        return end

    def _describes(self, start: int, at: int) -> bool:
        """Return whether a participle describes the noun before it: *a disease caused by*, *birds eating fish*."""
        if at == start or self._tags[at] not in PARTICIPLES or self._tags[at - 1] not in NOUNS:
            return False
        before = self._names.at_end(self.words[start:at])
        if self._tags[at] == "VBG" and self._tags[at + 1 : at + 2] == ["NN"] and before is None:
            return False  # a filter feeding shark
        return self._names.at_end(self.words[start : at + 1]) is None

    def _nouns(self, start: int, end: int) -> bool:
        return any(tag in NOUNS for tag in self._tags[start:end])

    def _adjective(self, at: int) -> bool:
        unknown = self._names.name(self.words[at : at + 1]) is None
        return self._tags[at] in ADJECTIVES or (unknown and _ADJECTIVE.match(self.words[at]) is not None)

    def name_after(self, start: int) -> tuple[str, int] | None:
        """Return the name that the noun phrase at a position is as a whole, and the position after it."""
        start = self._after_determiners(start)
        for end in range(min(start + LONGEST, len(self)), start, -1):
            name = self._names.name(self.words[start:end])
            if name is not None:
                after = end + (end < len(self) and self.words[end] in QUOTES)
                goes_on = self._nouns(after, self._run(after)) or self.at(after, "'s") or self.at(after, "of")
                return None if goes_on else (name, after)
        return None

    def name_before(self, end: int) -> tuple[str, int] | None:
        """Return the name that the noun phrase before a position is as a whole, and the position of it."""
        for start in range(max(0, end - LONGEST), end):
            name = self._names.name(self.words[start:end])
            if name is not None:
                return None if start and self._open(start - 1) else (name, start)
        return None

    def class_of(self, span: Span, *, plural: bool = False) -> str | None:
        """Return what a noun phrase is a kind of.

        Args:
            span: the phrase.
            plural: the phrase must be in the plural.

        Returns:
            The longest name that ends with the head, else the head itself in the singular; None for a generic head.
        """
        start, end = span
        while end - start > 1 and is_kind(self.words[end - 1]) and not is_kind(self.words[end - 2]):
            end -= 1  # a pitcher plant species
        if start == end or (plural and not is_plural(self.words[end - 1]) and not is_plural(self.words[span[1] - 1])):
            return None
        head = singular(self.words[end - 1])
        known = self._names.at_end(self.words[start:end])
        if known is not None and " " in known:
            return known
        generic = any(head in words for words in (word_list("generic_en"), word_list("stop_en"), KINDS, _EMPTY))
        if generic or len(head) < 3 or not head.isalpha():
            return None
        noun = self._tags[end - 1] in NOUNS and not _NEVER_NOUN.match(head)
        return known or (head if noun else None)
