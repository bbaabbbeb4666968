"""Heads of names: the class that a compound is a kind of (急性心肌梗死 < 心肌梗死 < 梗死).

A compound noun has its head on the right (Williams 1981). What is right of a cut (compounds.py) is a class if

* the corpus has it alone, as a name or as a noun without a modifier in the texts,
* it has three or more different modifiers among the names and in the texts; one is enough for a term,
* it says what a thing is (not 影响, 方法, *use*), and is no adjective and no place,

or if it is a curated class or a word of the user's lexicon, in either language. The modifier must restrict it
(restriction.py). Of several heads the longest counts; it has itself a head, so that one name makes a chain of claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property

from ontology.evidence.compounds import NOMINAL, Compounds, Cut
from ontology.evidence.restriction import why_contradicted, why_no_kind, why_one_word
from ontology.terms.lexicon import EMPTY, Lexicon, word_list
from ontology.terms.phrases import is_place
from ontology.terms.segment import dictionary
from ontology.terms.wordforms import fold, has_han, singular

MIN_MODIFIERS = 2
"""Number of different modifiers of a head that is no term."""
MANY_MODIFIERS = 3
"""Number of different modifiers among the names from which a head may end a word of the dictionary."""


class Heads:
    """The heads among the names of a corpus.

    Args:
        compounds: the names.
        terms: the terms; one modifier is enough for each.
        classes: labels of curated classes: heads whatever the names say.
        lexicon: its words are heads, too.
        black: folded names that are no heads.
    """

    def __init__(
        self,
        compounds: Compounds,
        terms: Collection[str] = (),
        classes: Collection[str] = (),
        lexicon: Lexicon = EMPTY,
        black: Collection[str] = frozenset(),
    ) -> None:
        self._compounds = compounds
        self._terms = {fold(term): term for term in terms}
        self._classes = {fold(label): label for label in classes}
        self._lexicon = lexicon
        self._black = black
        self._is_class: dict[str, bool] = {}

    def head_of(self, name: str, *, known: bool = False) -> str | None:
        """Return the longest head of a name.

        Args:
            name: the name.
            known: only terms, curated classes and words of the lexicon count as heads.

        Returns:
            The head as the corpus spells it; None without one.
        """
        folded = fold(name)
        same = self._concept(folded)
        for cut in self._compounds.cuts(folded):
            if known and not self.is_known(cut.head):
                continue
            if self.is_class(cut.head) and self._concept(cut.head) != same and not self._why_no_kind(folded, cut):
                return self._spelled(cut.head)
        return None

    def refusals(self, name: str) -> tuple[str, ...]:
        """Return why none of the possible heads of a name is one, a text for each."""
        folded = fold(name)
        reasons = (
            (cut.head, self._why_no_kind(folded, cut) or self._why_no_class(cut.head))
            for cut in self._compounds.cuts(folded)
        )
        return tuple(f"head {head}: {reason}" for head, reason in reasons if reason)

    def _why_no_kind(self, name: str, cut: Cut) -> str:
        reason = why_no_kind(name, cut, self._compounds) or why_contradicted(name, cut, self._compounds)
        if reason or (cut.clear and self._is_given(cut.head)):
            return reason
        common = len(cut.before) > 1 and self._is_common(cut.head)
        return "" if common else why_one_word(cut, self._compounds)

    def _is_common(self, head: str) -> bool:
        """Return whether so many words modify a head that the word before it need not modify others."""
        return len(self._in_names.get(head, ())) >= MANY_MODIFIERS or len(self.modifiers(head)) >= 2 * MANY_MODIFIERS

    def _concept(self, name: str) -> str:
        """Return what is the same for two names of one concept."""
        if has_han(name):
            return self._lexicon.canonical(name)
        return self._lexicon.chinese(singular(name)) or singular(name)

    def _spelled(self, head: str) -> str:
        return self._terms.get(head) or self._classes.get(head) or self._concept(head)

    def is_class(self, head: str) -> bool:
        """Return whether a folded text is the name of a class that names can be a kind of."""
        if head not in self._is_class:
            known = self._is_given(head) and head not in self._black
            self._is_class[head] = known or not self._why_no_class(head)
        return self._is_class[head]

    def is_known(self, head: str) -> bool:
        """Return whether a head is a term, a curated class or a word of the lexicon."""
        return fold(head) in self._terms or self._is_given(fold(head))

    def _is_given(self, head: str) -> bool:
        return head in self._classes or head in self._lexicon.by_zh or singular(head) in self._lexicon.by_en

    def _why_no_class(self, head: str) -> str:
        last = self._compounds.words(head)[-1]
        if head in self._black:
            return "on the black list"
        if head in empty_heads() or singular(head) in empty_heads():
            return "says nothing of what a thing is"
        if is_place(last):
            return "place"
        if last.tag[:1] in _NO_NOUN and head not in self._compounds.keywords:
            return "no noun"
        if not self._attested(head):
            return "never alone"
        least = 1 if head in self._terms else MIN_MODIFIERS
        return "" if len(self.modifiers(head)) >= least else f"fewer than {least} modifiers"

    def _attested(self, head: str) -> bool:
        if head in self._compounds.names or self._compounds.use.free[head] > 1:
            return True
        general = dictionary().get(head)
        return general is not None and general.tag in NOMINAL and general.frequency >= _COMMON

    def modifiers(self, head: str) -> Collection[str]:
        """Return the modifiers of a head, in names and texts."""
        in_texts = self._compounds.use.modifiers.get(head, ())
        return {*self._in_names.get(head, ()), *in_texts}

    @cached_property
    def _in_names(self) -> dict[str, set[str]]:
        modifiers: defaultdict[str, set[str]] = defaultdict(set)
        for name in self._compounds.names:
            for cut in self._compounds.cuts(name):
                if cut.clear and not why_no_kind(name, cut, self._compounds):
                    modifiers[cut.head].add(cut.before)
        return modifiers


_COMMON = 50
"""Frequency of a noun in jieba's dictionary from which general text has it alone."""
_NO_NOUN = frozenset("adbfmqrt")


def empty_heads() -> frozenset[str]:
    """Return the words, Chinese and English, that say nothing of what a thing is."""
    return word_list("empty_heads_zh") | word_list("empty_heads_en") | word_list("generic_en")


def chain(names: Sequence[str], heads: Heads, placed: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """Return (name, head) of names, of their heads, and so on up.

    Args:
        names: the names.
        heads: the heads of the corpus.
        placed: names that need no class that is not known yet.
    """
    seen = set()
    for name in names:
        narrower: str | None = name
        while narrower is not None and narrower not in seen:
            seen.add(narrower)
            head = heads.head_of(narrower, known=narrower in placed)
            if head is not None:
                yield narrower, head
            narrower = head
