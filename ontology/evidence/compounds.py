"""Compounds: the names of a corpus, cut into words, and where a name may be cut into a modifier and a head.

Compounds of Chinese and English nouns have their head on the right (Williams 1981), so that a cut is proposed at each
position where a word begins. English words are separated by blanks. For Chinese the words are those of the segmenter.
Within one of its words (自然灾害, 前列腺癌, 大学生) a cut is proposed where general text has the modifier more often
than the modifier with the next character, and says whether it has the head more often than the whole word: 自行车 is
commoner than 行车, and 高血压 than 血压, so these are rather one word.

Texts say which words are used as nouns on their own, which modify others, and which are coordinated (A和B, A、B).
"""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ontology.terms.lexicon import suffix_classes, word_list
from ontology.terms.segment import NEW, Token, dictionary, word_segmenter
from ontology.terms.token_stream import LATIN
from ontology.terms.wordforms import fold, has_han, plurals, singular

NOMINAL = frozenset(("n", "nz", "ng", "nt", "nr", "ns", "nrt", "j", "l", "i", "b", "an", "vn", "g", LATIN, NEW))
"""Classes of words that name things or classify them; verbs and adjectives as common as nouns are not among them."""
_MAX_TEXTS = 3_000
"""Number of texts that are read for the use of words; of more, evenly spaced ones."""
_PIECE = re.compile(r"[\u3400-\u9fff]+|[^\s\u3400-\u9fff]+")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_LATIN_WORDS = re.compile(r"[^\W\d_][\w'-]*|[^\w\s]")
_MARKS = re.compile(r"[、和与及或]")
_LONGEST_PART = 6


@dataclass(frozen=True, slots=True)
class Cut:
    """A name cut in two.

    Attributes:
        modifier: the words before the cut.
        head: the text after it.
        words: the words of the head.
        inside: whether the cut falls within a word of the dictionary.
        clear: whether it falls between words, or the head is commoner in general text than the word that is cut.
    """

    modifier: tuple[Token, ...]
    head: str
    words: tuple[Token, ...]
    inside: bool = False
    clear: bool = True

    @property
    def before(self) -> str:
        """Text of the modifier."""
        return _text(self.modifier)


@dataclass(frozen=True, slots=True)
class WordUse:
    """How texts use words.

    Attributes:
        free: word -> number of times that it is used as a noun without a modifier.
        modifiers: word -> the words that modify it.
        verbs: verb -> number of times that it is used.
        with_object: verb -> number of times before an aspect or an object with a determiner.
    """

    free: Counter[str] = field(default_factory=Counter)
    modifiers: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    verbs: Counter[str] = field(default_factory=Counter)
    with_object: Counter[str] = field(default_factory=Counter)


class Compounds:
    """The names of a corpus.

    Args:
        names: name -> number of its documents; author keywords that are too general for a term are counted as well.
        keywords: the author keywords.
        chinese: the folded Chinese texts.
        english: the English texts.
    """

    def __init__(
        self,
        names: Mapping[str, int],
        keywords: Iterable[str] = (),
        chinese: Sequence[str] = (),
        english: Sequence[str] = (),
    ) -> None:
        self.keywords = frozenset(map(fold, keywords))
        self.names = dict.fromkeys(self.keywords, 1) | {fold(name): n for name, n in names.items()}
        self.chinese = "\n".join(chinese)
        self._samples = _spaced(chinese), _spaced(english)
        self._english = "\n".join(self._samples[1])
        self._cutter = word_segmenter()
        self._words: dict[str, tuple[Token, ...]] = {}
        self._cuts: dict[str, tuple[Cut, ...]] = {}

    def words(self, name: str) -> tuple[Token, ...]:
        """Return the words of a name with their most common classes."""
        if name not in self._words:
            self._words[name] = tuple(self._cut(name))
        return self._words[name]

    def _cut(self, name: str) -> Iterator[Token]:
        for piece in _PIECE.findall(name):
            if has_han(piece):
                yield from self._cutter.tokens(piece)
            else:
                yield Token(piece, LATIN)

    def cuts(self, name: str) -> tuple[Cut, ...]:
        """Return the cuts of a name, the longest head first."""
        if name not in self._cuts:
            self._cuts[name] = tuple(cut for cut in self._all_cuts(name) if len(cut.head) > 1)
        return self._cuts[name]

    def _all_cuts(self, name: str) -> Iterator[Cut]:
        words = self.words(name)
        position = 0
        for i, word in enumerate(words):
            position = name.index(word.text, position)
            if i:
                yield Cut(words[:i], name[position:], words[i:])
            for at, clear in _cuts_within(word.text):
                first, second = self._cutter.token(word.text[:at]), self._cutter.token(word.text[at:])
                head = (second, *words[i + 1 :])
                yield Cut((*words[:i], first), name[position + at :], head, True, clear or len(head) > 1)
            position += len(word.text)

    @cached_property
    def coordinated(self) -> Counter[tuple[str, str]]:
        """Pairs of parts of names that texts have side by side with 和 or 、 between them -> how often."""
        parts = {w.text for name in self.names for w in self.words(name) if len(w.text) > 1}
        parts |= {name for name in self.names if len(name) <= _LONGEST_PART}
        pairs: Counter[tuple[str, str]] = Counter()
        lengths = range(2, _LONGEST_PART + 1)
        for mark in _MARKS.finditer(self.chinese):
            at = mark.start()
            right = {p for n in lengths if (p := self.chinese[at + 1 : at + 1 + n]) in parts}
            if right:
                left = {p for n in lengths if (p := self.chinese[max(at - n, 0) : at]) in parts}
                pairs.update((a, b) for a in left for b in right)
        return pairs

    def heads_after(self, modifier: str) -> frozenset[str]:
        """Return what a modifier stands before in the names."""
        return frozenset(self._after.get(modifier, ()))

    @cached_property
    def _after(self) -> dict[str, set[str]]:
        after: defaultdict[str, set[str]] = defaultdict(set)
        for name in self.names:
            for cut in self.cuts(name):
                if cut.clear:
                    after[cut.before].add(cut.head)
        return after

    def often_coordinated(self, name: str, cut: Cut) -> bool:
        """Return whether texts join the parts of a name by 和 or 、 nearly as often as they write them as one.

        Two verbs (预报预警) are seldom a modifier and its head, so that less is enough for them.
        """
        times = self.coordinated[cut.before, cut.head]
        verbs = len(cut.modifier) == len(cut.words) == 1 and cut.modifier[0].tag[:1] == cut.words[0].tag[:1] == "v"
        least, share = (1, _COORDINATED_VERBS) if verbs else (2, _COORDINATED)
        return times >= least and times >= share * self.chinese.count(name)

    def takes_objects(self, verb: str) -> bool:
        """Return whether texts use a word as a transitive verb."""
        return self.use.with_object[verb] >= max(_VERBAL * self.use.verbs[verb], _LEAST_VERBAL)

    def is_proper_name(self, name: str, head: str) -> bool:
        """Return whether English texts write the head of a name with a capital, and never have several of the thing.

        A *House Sparrow* has a capital too; but texts have *a House Sparrow* and *House Sparrows*.

        Args:
            name: the folded name.
            head: its end.
        """
        if any(form in self._lower for form in (f" a {name}", f" an {name}", *plurals(name))):
            return False
        heads = [match.end() - len(head) for match in re.finditer(rf"\b{re.escape(name)}\b", self._lower)]
        return bool(heads) and sum(self._english[at].isupper() for at in heads) >= _PROPER * len(heads)

    @cached_property
    def _lower(self) -> str:
        lower = self._english.lower()
        return lower if len(lower) == len(self._english) else "".join(c.lower()[:1] for c in self._english)

    @cached_property
    def use(self) -> WordUse:
        """How the texts use the words of names."""
        use = WordUse()
        last = {cut.head for name in self.names for cut in self.cuts(name) if len(cut.words) == 1}
        for text in self._samples[0]:
            for run in _HAN.findall(text):
                for before, word in itertools.pairwise(["", *self._cutter.cut(run)]):
                    self._count(use, before, word, word in last)
        for text in self._samples[1]:
            words = [*_LATIN_WORDS.findall(text.lower()), "", "", ""]
            for i, word in enumerate(words[:-3]):
                if word in _BEFORE_NOUNS:
                    _count_phrase(use, words[i + 1 : i + 4])
        return use

    def _count(self, use: WordUse, before: str, word: str, ends_names: bool) -> None:
        tag = self._cutter.tag(before)
        if tag.startswith("v"):
            use.verbs[before] += 1
            use.with_object[before] += word[0] in _AFTER_VERBS
        if ends_names and tag not in NOMINAL:
            use.free[word] += 1
        elif ends_names and len(before) > 1:
            use.modifiers[word].add(before)


def _count_phrase(use: WordUse, words: Sequence[str]) -> None:
    """Count the three words after a determiner or a preposition: a noun, or a noun with one modifier."""
    first, second, third = words
    if _is_content(first):
        if _is_content(second) and not _is_content(third):
            use.modifiers[singular(second)].add(first)
        else:
            use.free[singular(first)] += 1


def _is_content(word: str) -> bool:
    return word[:1].isalpha() and word not in word_list("stop_en")


_BEFORE_NOUNS = frozenset(
    ("a", "an", "the", "this", "these", "that", "its", "their", "his", "each", "every", "some", "any", "of", "in", "on")
) | {"for", "with", "by", "from", "at", "as", "and", "or", "between", "under"}
"""English determiners and prepositions, after which a noun phrase begins."""
_AFTER_VERBS = "了着其这一各该本我以更及"
"""What follows a verb that is used as one: its aspect, or an object with a determiner."""
_VERBAL = 0.03
"""Share of the occurrences of a word before one of these, from which it is used as a transitive verb."""
_LEAST_VERBAL = 2
_PROPER = 0.8
"""Share of the occurrences of an English name with a capital at its head, from which it is the name of one thing."""
_COORDINATED = 0.3
_COORDINATED_VERBS = 0.1
"""Least number of A和B for each AB, from which AB is two names side by side; the same for two verbs."""


def _cuts_within(word: str) -> Iterator[tuple[int, bool]]:
    """Return the positions where a word of the dictionary may be a compound, and whether it clearly is one."""
    known = dictionary()
    if len(word) < 3 or not has_han(word):
        return
    for at in range(1, len(word) - 1):
        first, head = word[:at], word[at:]
        compound = first in known and head in known and _frequency(first) > _frequency(word[: at + 1])
        if compound and (at > 1 or not _parts_a_word(word)):
            yield at, _frequency(head) > _frequency(word)


def _parts_a_word(word: str) -> bool:
    """Return whether a cut after the first character parts a word: 线性|关系 is no 线|性关系, 病理|学 no 病|理学."""
    row = suffix_classes().get(word[-1])
    suffixed = row is not None and row.noun != word[1:] and word[:-1] in dictionary()  # but 大|学生
    return suffixed or _frequency(word[:2]) >= _frequency(word[1:])


def _frequency(word: str) -> int:
    entry = dictionary().get(word)
    return entry.frequency if entry else 0


def _text(words: Sequence[Token]) -> str:
    """Return words as one text, with a blank between Latin ones."""
    text = ""
    for word in words:
        glue = " " if text and not has_han(text[-1]) and not has_han(word.text[0]) else ""
        text += glue + word.text
    return text


def _spaced(texts: Sequence[str]) -> Sequence[str]:
    step = -(-len(texts) // _MAX_TEXTS)
    return texts[:: max(step, 1)]
