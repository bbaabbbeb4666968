"""Heads of names: the class that a compound is a kind of (急性心肌梗死 < 心肌梗死 < 梗死).

A compound noun has its head on the right (Williams 1981). What is right of a cut (compounds.py) is a class if

* the corpus has it alone, as a name or as a noun without a modifier in the texts,
* it has three or more different modifiers among the names and in the texts; one is enough for a term,
* it says what a thing is (not 影响, 方法, *use*), and is no adjective and no place,

or if it is a curated class or a word of the user's lexicon, in either language. The first two are not asked where four
names of papers of other fields end with it (`paper_fields.heads_elsewhere`). The modifier must restrict it. Of several
heads the longest counts; it has itself a head, so that one name makes a chain of claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from ontology.evidence.compounds import NOMINAL, Compounds, Cut
from ontology.terms.lexicon import EMPTY, Lexicon, word_list
from ontology.terms.phrases import NUMERAL, is_place
from ontology.terms.segment import Token, dictionary
from ontology.terms.term_rules import empty_heads
from ontology.terms.token_stream import LATIN
from ontology.terms.wordforms import fold, has_han, singular

_MIN_MODIFIERS = 2
"""Number of different modifiers of a head that is no term."""
MIN_ELSEWHERE = 4
"""Number of names of other fields from which their head is a class here, too."""
_MANY_MODIFIERS = 3
"""Number of different modifiers among the names from which a head may end a word of the dictionary."""


class Heads:
    """The heads among the names of a corpus.

    Args:
        compounds: the names.
        terms: the terms; one modifier is enough for each.
        classes: labels of curated classes: heads whatever the names say.
        lexicon: its words are heads, too.
        black: folded names that are no heads.
        elsewhere: head -> number of names of other fields that end with it.
    """

    def __init__(
        self,
        compounds: Compounds,
        terms: Collection[str] = (),
        classes: Collection[str] = (),
        lexicon: Lexicon = EMPTY,
        black: Collection[str] = frozenset(),
        elsewhere: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self._compounds = compounds
        self._terms = {fold(term): term for term in terms}
        self._classes = {fold(label): label for label in classes}
        self._lexicon = lexicon
        self._black = black
        self._elsewhere = elsewhere
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
        reason = _why_no_restriction(name, cut, self._compounds) or _why_contradicted(name, cut, self._compounds)
        if reason or (cut.clear and self._is_given(cut.head)):
            return reason
        common = len(cut.before) > 1 and self._is_common(cut.head)
        return "" if common else _why_one_word(cut, self._compounds)

    def _is_common(self, head: str) -> bool:
        """Return whether so many words modify a head that the word before it need not modify others."""
        return len(self.in_names.get(head, ())) >= _MANY_MODIFIERS or len(self.modifiers(head)) >= 2 * _MANY_MODIFIERS

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
        if self._elsewhere.get(head, 0) >= MIN_ELSEWHERE:
            return ""
        if not self._attested(head):
            return "never alone"
        least = 1 if head in self._terms else _MIN_MODIFIERS
        return "" if len(self.modifiers(head)) >= least else f"fewer than {least} modifiers"

    def _attested(self, head: str) -> bool:
        if head in self._compounds.names or self._compounds.use.free[head] > 1:
            return True
        general = dictionary().get(head)
        return general is not None and general.tag in NOMINAL and general.frequency >= _COMMON

    def modifiers(self, head: str) -> Collection[str]:
        """Return the modifiers of a head, in names and texts."""
        in_texts = self._compounds.use.modifiers.get(head, ())
        return {*self.in_names.get(head, ()), *in_texts}

    @cached_property
    def in_names(self) -> Mapping[str, Collection[str]]:
        """Head -> what is before it in the names whose cut is clear and that it restricts."""
        modifiers: defaultdict[str, set[str]] = defaultdict(set)
        for name in self._compounds.names:
            for cut in self._compounds.cuts(name):
                if cut.clear and not _why_no_restriction(name, cut, self._compounds):
                    modifiers[cut.head].add(cut.before)
        return modifiers


_COMMON = 50
"""Frequency of a noun in jieba's dictionary from which general text has it alone."""
_NO_NOUN = frozenset("adbfmqrt")


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


# ---- whether the part before a cut restricts the part after it, so that the whole is a kind of its end
#
# Most modifiers do: 山洪灾害 is a 灾害, *heart failure* a failure. Each function returns the reason why one does
# not, or "". The word lists are closed classes of the two languages and belong to no field.


PRIVATIVE = frozenset("非无反抗防不未减免去脱") | frozenset(("non", "anti", "counter", "no", "former", "fake"))
"""What is before the head reverses it or takes it away: a 反气旋 is no 气旋."""
_NEARLY = frozenset("半准类伪亚拟假仿") | {"pseudo", "quasi", "semi", "sub", "near", "virtual", "would-be"}
"""A 半干旱区 is nearly a 干旱区, and none."""
_QUALITY = frozenset("高低多少")
"""With these the head is a quality of something else: 高血压 is a disease and no 血压."""
_SCALES = ("大中小微", "老中青少幼", "高中低", "长中短", "上中下", "东西南北中", "前中后", "新老旧", "男女")
"""Two points of one scale are both meant: 中老年人, 青少年, 中小学."""
_FUNCTION = frozenset(("p", "c", "u", "uj", "ul", "uv", "ud", "uz", "ug", "r", "rr", "rz", "y", "e", "o", "x", "w"))
_BOUND = frozenset(("v", "vg", "vi", "z", "zg", "q", "l", "i", "d", "dg", "ad", "h", "k", *_FUNCTION))
"""Classes of single characters that are no modifier on their own: 含|水量, 受|气候变化."""
_COUNTING = frozenset(("m", "mq", "q", "r"))
_SIDE_BY_SIDE = "two names side by side"


def _why_no_restriction(name: str, cut: Cut, compounds: Compounds) -> str:
    """Return the reason in its words why a name is no kind of the end that a cut leaves, or ""."""
    return _why_not_these_words(cut) or _both(cut) or _verb_and_object(name, compounds)


def _why_contradicted(name: str, cut: Cut, compounds: Compounds) -> str:
    """Return the reason in the texts why a name is no kind of the end that a cut leaves, or ""."""
    if compounds.often_coordinated(name, cut):
        return _SIDE_BY_SIDE
    # *Great Lakes*, *Arizona Railway*; *Parkinson's disease* has a head in lower case
    latin = cut.words[-1].tag == LATIN and cut.modifier[0].tag == LATIN
    return "the name of one thing" if latin and compounds.is_proper_name(name, cut.head) else ""


def _why_not_these_words(cut: Cut) -> str:
    first, last = cut.modifier[0], cut.modifier[-1]
    if last.text in PRIVATIVE:
        return f"{last.text} negates what follows"
    if last.text in _NEARLY:
        return f"{last.text} means nearly"
    if last.text in _QUALITY:
        return f"{last.text} makes the rest a quality"
    if first.text in word_list("determiners_zh") or (len(cut.modifier) == 1 and _counts(first)):
        return f"{first.text} names no kind"
    if any(_is_function(word, cut.words[-1]) for word in (*cut.modifier, *cut.words)):
        return "a phrase or part of a clause"
    if len(last.text) == 1 and last.tag in _BOUND:
        return f"{last.text} is no word before a noun"
    return ""


def _counts(word: Token) -> bool:
    return word.tag in _COUNTING and (word.tag != "m" or bool(NUMERAL.search(word.text)))  # 年, 月 are tagged m


def _is_function(word: Token, last: Token) -> bool:
    if word.tag == LATIN:
        return last.tag == LATIN and word.text in word_list("stop_en")
    return word.tag in _FUNCTION


def _both(cut: Cut) -> str:
    """Two names side by side: 改革开放, 干旱半干旱区, 中老年人."""
    first, second = cut.modifier[-1], cut.words[0]
    repeated = cut.head.startswith(cut.before) or cut.head[1:].startswith(cut.before)
    scale = any(cut.before in points and cut.head[0] in points for points in _SCALES)
    lone = cut.inside and len(cut.modifier) == len(cut.words) == 1
    return _SIDE_BY_SIDE if repeated or scale or (lone and first.tag[:1] == "v" and second.tag == "v") else ""


def _verb_and_object(name: str, compounds: Compounds) -> str:
    """A verb and its object (改善环境), where the rest is a name by itself. Authors' keywords are seldom clauses."""
    verb, *rest = compounds.words(name)
    if not verb.tag.startswith("v") or not rest or name[len(verb.text) :] not in compounds.names:
        return ""
    nominal = verb.tag == "vn" and name in compounds.keywords
    clause = not nominal and compounds.takes_objects(verb.text)
    return f"{verb.text} is a verb, and the rest its object" if clause else ""


def _why_one_word(cut: Cut, compounds: Compounds) -> str:
    """Return the reason why a cut within a word of the dictionary does not show what the word means, or "".

    自行车 is commoner than 行车. 意识形态 is no 形态: 意识 modifies nothing else, and few things are called 形态.
    """
    if not cut.clear:
        return f"one word, commoner than {cut.head}"
    if not cut.inside or len(cut.before) == 1 or compounds.heads_after(cut.before) - {cut.head}:
        return ""
    return f"one word: {cut.before} modifies nothing else"
