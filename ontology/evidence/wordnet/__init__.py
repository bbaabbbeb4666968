"""A wordnet as a source of evidence, on request: a term is a kind of what is above its sense in the field.

A word has several senses. Which one a field means, its other words show: where many of them are below one synset, a
sense below it is likely. With prior(o) = 1/(k + 1) for the k-th sense o of a word, from 0, four rounds of

    P(o) ~ prior(o) max_a exp(gain(a) - .15 (distance(o, a) - 1))
    gain(a) = ln((F(a) + 30 b(a)) / ((N + 29) b(a)))

over the synsets a above o with -ln b(a) >= 2.5, where F(a) is the sum of P of the senses below a of the N *other*
words, and b(a) the share of the whole wordnet below a; a itself counts as below. The class of a word is the a of the
best value above its likeliest sense. Both must lie in the lexicographer files `KINDS`, of things, living beings,
substances, states and processes: of acts, ideas and words most edges are wrong. And the class must hold nine tenths of
the word's P, or the sense of the word is undecided [R].
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from ontology.errors import Message
from ontology.evidence.claims import Claim
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.wordnet.files import CHINESE, Synset, Wordnet, WordnetError, read_wordnet
from ontology.reachable import reachable
from ontology.terms.lexicon import word_list
from ontology.terms.term_rules import empty_heads
from ontology.terms.wordforms import fold, has_han, singular

__all__ = ["Field", "Wordnet", "WordnetError", "read_wordnet", "remark", "wordnet_source"]

ROUNDS = 4
STEP = 0.15
"""What a step further up costs."""
_PSEUDO = 30
"""Number of words that a field is supposed to have beside its own, spread as the wordnet is."""
_MIN_INFORMATION = 2.5
"""Smallest -ln b of a class."""
_HOLD = 0.9
"""Share of a word's P that its class must hold."""
KINDS = frozenset(
    ("animal", "plant", "substance", "body", "artifact", "food", "object", "person", "process", "state", "phenomenon")
)
"""Lexicographer files of children and classes."""


class Place(NamedTuple):
    """Where a word belongs: the sense that the field means, and the class above it."""

    sense: str
    above: str


class Field:
    """The senses of the words of a field.

    Args:
        wordnet: the wordnet.
        words: the words; those that the wordnet does not have are left out.
    """

    def __init__(self, wordnet: Wordnet, words: Iterable[str]) -> None:
        self.wordnet = wordnet
        senses = {word: tuple(wordnet.senses(word)) for word in dict.fromkeys(words)}
        self._prior = {w: _shares({o: 1 / (k + 1) for k, o in enumerate(s)}) for w, s in senses.items() if s}
        self._above: dict[str, dict[str, int]] = {}
        self.p = self._prior
        """Word -> sense -> P; the sum is 1."""
        for _ in range(ROUNDS):
            mass = self._mass()
            self.p = {word: self._round(word, mass) for word in self._prior}

    @property
    def words(self) -> Sequence[str]:
        """The words that the wordnet has."""
        return tuple(self._prior)

    def above(self, synset: str) -> Mapping[str, int]:
        """Return the synsets above one, whatever their information -> the distance."""
        if synset not in self._above:
            found, level, distance = dict[str, int](), [synset], 0
            while level:
                distance += 1
                level = [a for a in dict.fromkeys(b for s in level for b in self.wordnet.broader(s)) if a not in found]
                found |= dict.fromkeys(level, distance)
            self._above[synset] = found
        return self._above[synset]

    def held(self, word: str, synset: str) -> float:
        """Return the sum of P of the senses of a word below a synset."""
        return sum(p for o, p in self.p[word].items() if o == synset or synset in self.above(o))

    def value(self, word: str, sense: str, mass: Mapping[str, float]) -> dict[str, float]:
        """Return the synsets above a sense that may be its class -> gain less the steps."""
        n = len(self._prior) - 1
        values: dict[str, float] = {}
        for a, distance in self.above(sense).items():
            b = self.wordnet.size[a] / len(self.wordnet.synsets)
            if self._information(a) >= _MIN_INFORMATION:
                f = max(mass[a] - self.held(word, a), 0.0)
                values[a] = math.log((f + _PSEUDO * b) / ((n + _PSEUDO - 1) * b)) - STEP * (distance - 1)
        return values

    def kinds_above(self, synset: str) -> list[str]:
        """Return the synsets above one that may be classes, the nearest first."""
        size, above = self.wordnet.size, self.above(synset)
        near = sorted(above, key=lambda a: (above[a], size[a], a))
        return [a for a in near if self._information(a) >= _MIN_INFORMATION and self._are_kinds(a)]

    def _information(self, synset: str) -> float:
        """Return -ln b."""
        return -math.log(self.wordnet.size[synset] / len(self.wordnet.synsets))

    def _mass(self) -> Mapping[str, float]:
        """Return the sum of P of all senses below each synset."""
        mass: defaultdict[str, float] = defaultdict(float)
        for of_word in self.p.values():
            for o, p in of_word.items():
                for a in (o, *self.above(o)):
                    mass[a] += p
        return mass

    def _round(self, word: str, mass: Mapping[str, float]) -> dict[str, float]:
        nothing = math.log(_PSEUDO / (len(self._prior) - 1 + _PSEUDO - 1))  # as with no other word below
        best = {o: max(self.value(word, o, mass).values(), default=nothing) for o in self._prior[word]}
        return _shares({o: prior * math.exp(best[o]) for o, prior in self._prior[word].items()})

    @cached_property
    def places(self) -> dict[str, Place]:
        """The words with a class, of those whose sense is decided."""
        mass, found = self._mass(), {}
        for word, p in self.p.items():
            sense = max(p, key=p.__getitem__)
            values = self.value(word, sense, mass)
            above = max(values, key=values.__getitem__, default=None)
            if above is not None and self.is_decided(word, above) and self._are_kinds(sense, above):
                found[word] = Place(sense, above)
        return found

    def is_decided(self, word: str, synset: str) -> bool:
        """Return whether a synset holds enough of a word's P."""
        return self.held(word, synset) >= _HOLD

    def _are_kinds(self, *ids: str) -> bool:
        return all(self.wordnet.synsets[one].file in KINDS for one in ids)


def _shares(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


# ---- the classes have names, and the claims are those of an `EvidenceSource`


class _Names:
    """The names of synsets as classes of a corpus."""

    def __init__(self, field: Field, corpus: TermCorpus) -> None:
        self._field, self._corpus = field, corpus
        self._terms = {singular(fold(term)): term for term in corpus.terms}

    def of(self, synset: str, word: str) -> str | None:
        """Return the name of a synset as the class of a word, in its language.

        One of the corpus goes first, and a Chinese one must be of the corpus.
        """
        wordnet, chinese = self._field.wordnet, has_han(word)
        lemmas = wordnet.chinese.get(synset, ()) if chinese else wordnet.synsets[synset].lemmas
        names = [self._terms.get(singular(fold(one)), one) for one in lemmas if not self._is_refused(one, word)]
        names = [name for name in names if self._means(name, synset)]
        alone = self._corpus.alone(names)
        known = (self._corpus.labels, self._corpus.names, alone)
        if chinese:  # many were translated one by one, and are no names of classes
            names = [name for name in names if any(name in of for of in known)]
        return min(names, key=lambda name: [name not in of for of in known], default=None)

    def nearest(self, synset: str, word: str) -> tuple[str, str] | None:
        """Return the synset, or else the nearest above it, that can be a class and has a name, with the name."""
        for one in (synset, *self._field.kinds_above(synset)):
            name = self.of(one, word)
            if name is not None:
                return one, name
        return None

    def _is_refused(self, lemma: str, word: str) -> bool:
        name = fold(lemma)
        return name in self._corpus.black or name in _empty() or singular(name) == singular(fold(word))

    def _means(self, name: str, synset: str) -> bool:
        """Return whether a name has this sense in the field; one that is no word of the field, in general."""
        p = self._field.p.get(name)
        senses = self._field.wordnet.senses(name)
        return (max(p, key=p.__getitem__) if p else senses[0] if senses else "") == synset


def _empty() -> frozenset[str]:
    return empty_heads() | word_list("generic_zh") | word_list("generic_heads_zh")


def wordnet_source(wordnet: Wordnet) -> EvidenceSource:
    """Make the source of evidence of a wordnet.

    Args:
        wordnet: the wordnet.

    Returns:
        A source with a claim for each term whose sense is decided, and for each class of these that is below another
        one; `support` is the number of words of the corpus that speak for it: the narrower, and those below it.
    """
    return EvidenceSource("wordnet", lambda corpus, earlier: _claims(wordnet, corpus, earlier))


def _claims(wordnet: Wordnet, corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    field = Field(wordnet, corpus.terms)
    links = list(_links(field, _Names(field, corpus)))
    below: defaultdict[str, set[str]] = defaultdict(set)
    for low, high in (
        *((c.narrower, c.broader) for c in earlier if c.rule != "synonym"),
        *((k[0], k[3]) for k in links),
    ):
        below[high].add(low)
    claims = []
    for low, sense, synset, high in links:
        words = [word for word in reachable(low, lambda one: below.get(one, ())) if word in field.p]
        speaking = sum(field.is_decided(word, synset) for word in words)
        claims.append(Claim(low, high, "wordnet", _evidence(wordnet, low, sense, synset), support=speaking))
    return claims


def _links(field: Field, names: _Names) -> Iterator[tuple[str, str, str, str]]:
    """Yield the places of the words, and of their classes below another class or a word.

    Yields:
        The narrower name, its synset, the synset above it, and the name of that.
    """
    classes: dict[tuple[str, str], str] = {}
    for word, place in field.places.items():
        named = names.nearest(place.above, word)
        if named is not None:
            yield word, place.sense, *named
            classes.setdefault(named, word)
    known = {synset for synset, _ in classes} | {o for p in field.p.values() for o in p if p[o] >= _HOLD}
    for (synset, name), word in classes.items():
        if name not in field.p:
            of_above = ((a, names.of(a, word)) for a in field.kinds_above(synset) if a in known)
            above, higher = next(((a, higher) for a, higher in of_above if higher), ("", name))
            if higher != name:
                yield name, synset, above, higher


def _evidence(wordnet: Wordnet, word: str, sense: str, synset: str) -> str:
    low, high = wordnet.synsets[sense], wordnet.synsets[synset]
    gloss = wordnet.named.get((fold(word), sense))
    by = f"wordnet, by the gloss {gloss!r} of CC-CEDICT" if gloss else "wordnet"
    return f"{by}: {_shown(low)} is a kind of {_shown(high)}"


def _shown(synset: Synset) -> str:
    """Return a synset with its gloss; "; " parts the kinds of evidence of an edge."""
    return f"{synset.lemmas[0]} {synset.id} ({synset.gloss.replace(';', ',')})"


def remark(wordnet: Wordnet, terms: Sequence[str], placed: int) -> str:
    """Return what a wordnet knew of some terms, for a person.

    Args:
        wordnet: the wordnet.
        terms: the terms.
        placed: number of terms that it placed.
    """
    field = Field(wordnet, terms)
    undecided = sum(max(p.values()) < _HOLD for p in field.p.values())
    lacks = not wordnet.chinese and any(has_han(term) for term in terms)
    chinese = Message("evidence.wordnet_chinese", file=CHINESE) if lacks else ""
    left = len(wordnet.unread) - _SHOWN
    more = Message("ontology.note_more", more=left) if left > 0 else ""
    files = ", ".join(wordnet.unread[:_SHOWN])
    unread = Message("evidence.wordnet_unread", files=files, more=more) if wordnet.unread else ""
    return Message(
        "evidence.wordnet_note", files=", ".join(wordnet.read), known=len(field.words), terms=len(terms),
        placed=placed, undecided=undecided, chinese=chinese, unread=unread,
    )  # fmt: skip


_SHOWN = 5
"""Number of files that a remark names."""
