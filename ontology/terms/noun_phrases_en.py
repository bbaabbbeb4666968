"""Noun phrases of English texts: runs of adjectives, nouns and participles that end with a noun.

The word-class pattern is that of Frantzi, Ananiadou and Mima 2000, section 2: (adjective | noun | participle)* noun.
The tagger errs on words of special fields, so that two kinds of evidence from the corpus correct it: the class that a
word has in most of its occurrences, and inflection (*potential* in *action potential* is a noun, since *potentials*
is).
"""

from __future__ import annotations

import re
import threading
import unicodedata
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from ontology.terms.lexicon import word_list
from ontology.terms.sentences import clauses
from ontology.terms.wordforms import singular

_WORD = re.compile(r"[^\W_]+(?:[-\u2010\u2011./+&'’][^\W_]+)*\+*|[^\s\w]|_")
NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
ADJECTIVES = frozenset(("JJ", "JJR", "JJS"))
PARTICIPLES = frozenset(("VBG", "VBN"))
_OPEN = NOUNS | ADJECTIVES | PARTICIPLES
_CONTENT = _OPEN | {"VB", "VBP", "VBZ", "VBD"}
_DETERMINER = frozenset(("DT", "PRP$", "POS"))
_INTENSIFIERS = frozenset(
    ("very", "more", "most", "so", "too", "less", "quite", "rather", "fairly", "extremely", "relatively", "as")
)
_ABBREVIATIONS = frozenset(("e.g", "i.e", "et", "cf", "vs", "doi", "http", "https", "www"))
_BE = frozenset(("is", "are", "was", "were", "be", "been", "being", "seem", "seems", "become", "becomes", "became"))
_BOILERPLATE = 3
"""A sentence that this many texts share word for word (licences, addresses) is left out."""
_MOSTLY = 0.6
"""Share of the occurrences of a word that makes a class its usual one."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A longest run of adjectives, nouns and participles that ends with a noun.

    Attributes:
        words: lower case unless the corpus always writes a capital.
        tags: Penn Treebank tags, corrected.
        before: the word before it in lower case, "" at the beginning of a sentence.
        determined: a determiner, number or possessive stands before it.
        numbered: a number stands before it.
    """

    words: tuple[str, ...]
    tags: tuple[str, ...]
    before: str
    determined: bool
    numbered: bool


def words_of(sentence: str) -> list[str]:
    """Return words and punctuation marks of an English sentence as spelled; a hyphenated word is one.

    >>> words_of("Beta-blockers (e.g. atenolol) and the patient's ACE inhibitor")
    ['Beta-blockers', '(', 'e.g', '.', 'atenolol', ')', 'and', 'the', 'patient', "'s", 'ACE', 'inhibitor']
    """
    words: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", sentence).replace("’", "'")):
        if word.endswith("'s") and len(word) > 2 and word[0].islower():
            words += [word[:-2], "'s"]
        else:
            words.append(word)
    return words


class EnglishTexts:
    """Texts tagged word by word, and what the corpus says of the classes of its words.

    Args:
        texts: English texts, one or more for each document.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        cut = [clauses(text) for text in texts]
        shared = Counter(sentence for text in cut for sentence in dict.fromkeys(text))
        own = ([s for s in text if shared[s] < _BOILERPLATE] for text in cut)
        split = [[words for s in text if (words := words_of(s))] for text in own]
        self._lower = _spelling(split)
        self._tagged = [[self._tag(words) for words in text] for text in split]

    def _tag(self, words: Sequence[str]) -> list[tuple[str, str]]:
        plain = [self._lower.get(w.lower(), w) for w in words]
        return list(zip(plain, tag_words(plain), strict=True))

    @cached_property
    def classes(self) -> dict[str, Counter[str]]:
        """Lower-case word -> its tags with their occurrences."""
        counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for text in self._tagged:
            for sentence in text:
                for word, tag in sentence:
                    counts[word.lower()][tag] += 1
        return dict(counts)

    @cached_property
    def _plural(self) -> frozenset[str]:
        """Words whose plural occurs as a noun."""
        return frozenset(
            singular(w) for w, tags in self.classes.items() if tags["NNS"] and singular(w) != w and w[0].isalpha()
        )

    @cached_property
    def size(self) -> int:
        """Number of words."""
        return sum(tags.total() for tags in self.classes.values())

    def noun_share(self, word: str) -> float:
        """Return the share of a word's occurrences that are tagged as nouns, 0 for a word the corpus lacks."""
        tags = self.classes.get(word.lower(), Counter())
        return sum(tags[t] for t in NOUNS) / max(tags.total(), 1)

    def phrases(self) -> Iterator[list[Phrase]]:
        """Yield the noun phrases of each text."""
        for text in self._tagged:
            yield [phrase for sentence in text for phrase in self._of(sentence)]

    def _of(self, sentence: Sequence[tuple[str, str]]) -> Iterator[Phrase]:
        words = [w for w, _ in sentence]
        tags = self._corrected(sentence)
        start = 0
        for at in range(len(words) + 1):
            if at < len(words) and tags[at] in _OPEN and not (at > start and _ends(tags, words, at)):
                continue
            end = at
            while end > start and tags[end - 1] not in NOUNS:
                end -= 1
            if end > start:
                before, tag = (words[start - 1].lower(), tags[start - 1]) if start else ("", "")
                span = tuple(words[start:end]), tuple(tags[start:end])
                yield Phrase(*span, before, tag in _DETERMINER or tag == "CD", tag == "CD")
            start = at if at < len(words) and tags[at] in _OPEN else at + 1

    def _corrected(self, sentence: Sequence[tuple[str, str]]) -> list[str]:
        tags: list[str] = []
        for at, (word, tag) in enumerate(sentence):
            before = tags[-1] if tags else ""
            following, after = sentence[at + 1] if at + 1 < len(sentence) else ("", "")
            is_short = following == "." and word.lower() in word_list("abbreviations_en")
            if is_short or word in _ABBREVIATIONS or (word == "al" and at and sentence[at - 1][0] == "et"):
                tags.append("FW")
                continue
            tags.append(self._correct(word, tag, before, after))
        return tags

    def _correct(self, word: str, tag: str, before: str, after: str) -> str:
        if tag in _CONTENT and word.lower() in word_list("stop_en"):
            return "FW"
        modified = before in ADJECTIVES or before in _DETERMINER
        if tag == "VBZ" and (modified or self.noun_share(word) >= _MOSTLY):
            return "NNS"
        if tag in ("VB", "VBP") and modified and after not in ("DT", "PRP", "PRP$"):
            return "NN"
        if tag == "JJ" and before in NOUNS | ADJECTIVES and after not in _OPEN and word in self._plural:
            return "NN"
        if tag in NOUNS and not word[:1].isalpha() and not any(c.isalpha() for c in word):
            return "CD"
        return tag

    @cached_property
    def descriptive(self) -> frozenset[str]:
        """Adjectives that the texts grade or use after *be* (*very short*, *is short*): they describe a thing."""
        graded: Counter[str] = Counter()
        for text in self._tagged:
            for sentence in text:
                for at in range(1, len(sentence)):
                    word, tag = sentence[at]
                    if tag in ADJECTIVES and self._grades(sentence, at):
                        graded[word] += 1
        return frozenset(w for w, n in graded.items() if n > 1 or n >= 0.1 * self.classes[w.lower()].total())

    def _grades(self, sentence: Sequence[tuple[str, str]], at: int) -> bool:
        before = sentence[at - 1][0].lower()
        after = sentence[at + 1][1] if at + 1 < len(sentence) else ""
        return before in _INTENSIFIERS or (before in _BE and after not in _OPEN)


def _ends(tags: Sequence[str], words: Sequence[str], at: int) -> bool:
    """Return whether a phrase ends before a word: after a plural, before a participle that follows a noun."""
    if tags[at] == "VBN":
        return tags[at - 1] in NOUNS
    before = words[at - 1].lower()
    return tags[at - 1] in ("NNS", "NNPS") and singular(before) != before


def _spelling(texts: Sequence[Sequence[Sequence[str]]]) -> dict[str, str]:
    """Map a word in lower case to itself if the texts write it so within sentences, or else to its usual spelling."""
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for words in text:
            for at, word in enumerate(words):
                seen[word.lower()][word] += 1 if at else 0
    return {w: w if forms[w] else max(forms, key=lambda f: (forms[f], f)) for w, forms in seen.items()}


# ---- word classes of English words in their sentence, by TextBlob. The only file that imports TextBlob
#
# TextBlob (MIT) has the tagger of Brill 1992, "A simple rule-based part of speech tagger": the most common class of
# each of 94,000 words, endings for unknown ones, and rules about neighbours. Its tables are in the wheel; nothing is
# downloaded. The tags are those of the Penn Treebank. docs/decisions/0015 compares it with others.


_LOCK = threading.Lock()


def tag_words(words: Sequence[str]) -> list[str]:
    """Return the Penn Treebank tag of each word of a sentence.

    Args:
        words: words and punctuation marks in order, spelled as in the text; a capital marks a name.

    >>> tag_words(["Captopril", "lowers", "the", "blood", "pressure", "of", "rats"])
    ['NNP', 'VBZ', 'DT', 'NN', 'NN', 'IN', 'NNS']
    """
    with _LOCK:  # the tables are read on first use
        return [tag for _, tag in _tagger().find_tags(list(words))] if words else []


@lru_cache(maxsize=1)
def _tagger() -> Any:
    with warnings.catch_warnings():  # it leaves its tables open for the garbage collector
        warnings.simplefilter("ignore")
        from textblob.en import parser

        parser.find_tags(["tables"])
    return parser
