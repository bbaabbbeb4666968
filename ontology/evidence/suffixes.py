"""Suffixes that name classes: …酶, …员, …学, learned from the names of a corpus.

Many Chinese classes have a name of one character (过氧化氢酶 is a 酶), or one that is not used alone: a 运动员 is
one of the 人员. A character is such a suffix if different words of the names have it after a *free stem*, which is a
word itself (催化|剂, but not 社|会), and these words are nouns.

What the class is called, the language says and no corpus: data/suffixes_zh.tsv has the noun for suffixes of one
meaning; two words are enough for these. Any other suffix needs four, as many as begin with it, and half of them at the
end of a name: a word that mostly stands before others is an adjective (复合型|人才). Its class is what sentences
state of two or more of its members (patterns.py), and it has none without them: a 剂 by itself is no class. Suffixes
that make qualities and processes of any word (性, 化, 度) name no class of things. A term is placed by its suffix only
if it has no head (heads.py). Where sentences state of two members of a class that they are kinds of something, the
class is one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ontology.evidence.claims import Claim
from ontology.evidence.compounds import Compounds
from ontology.evidence.head_nouns import placed_by_classes
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.terms.lexicon import suffix_classes
from ontology.terms.segment import NEW, dictionary
from ontology.terms.wordforms import fold, has_han

_MIN_STEMS = 2
"""Number of different free stems of a suffix whose class has a noun."""
_MIN_STEMS_UNNAMED = 4
"""Number of different free stems of any other suffix."""
_MIN_FINAL = 0.5
"""Share of the words with such a suffix that end a name."""
_MIN_NOUNS = 0.75
"""Share of nouns among the words with the suffix that the dictionary has."""
_MIN_AGREEING = 2
"""Number of members of a class that sentences state to be kinds of one thing."""
_QUALITIES = frozenset("性化式度力型级类物值")
"""Derivational suffixes of modern Chinese that make qualities, processes and adjectives, and two that only say "thing"
and "value": a closed class."""
_NOUNS = ("n", "nz", "nt", "nr", "l", "g", NEW)
"""Classes of nouns; abbreviations (亚运会) are not among them: what is left of one is no stem."""
_MODIFYING = frozenset(("n", "ng", "nz", "a", "b", "f"))
"""Classes of single characters that modify a noun; a verb has it as its object (降水, 造林)."""
_WASTE = frozenset("废污")
"""Characters that modify nouns (废水, 污水), and that the dictionary has as verbs."""
_ONE_THING = frozenset(("nt", "ns", "nr", "nrt"))
"""Organisations, places and persons: 联合国 is no 国家."""
_NO_STEM = frozenset(("m", "mq", "q", "r"))
_NO_SUFFIX = frozenset(("p", "c", "u", "uj", "ul", "r", "d", "m"))


def stem_of(name: str, compounds: Compounds) -> str | None:
    """Return what is before the last character of the last word of a name, if it is a word; else None.

    Args:
        name: a folded name.
        compounds: the names of the corpus.
    """
    words = compounds.words(name)
    last = words[-1].text if words else ""
    if len(last) == 1 and len(words) > 1:
        last = words[-2].text + last
    stem, entry = last[:-1], dictionary().get(last)
    if entry is not None and entry.tag in _ONE_THING:
        return None
    if len(stem) < 2 or not has_han(last[-1]) or not _is_free(stem, compounds):
        return None
    known = dictionary()  # 中小|学 has a commoner word across the cut: 小学
    across, before = known.get(last[-2:]), known.get(stem)
    return None if across and before and across.frequency > before.frequency else stem


def _is_free(stem: str, compounds: Compounds) -> bool:
    entry = dictionary().get(stem)
    return (entry is not None and entry.tag not in _NO_STEM) or stem in compounds.names or not has_han(stem)


def suffixes(compounds: Compounds) -> frozenset[str]:
    """Return the characters that are suffixes of classes in the names of a corpus."""
    ends, begins = _words_by_character(compounds)
    return frozenset(
        character
        for character, words in ends.items()
        if _is_suffix(character, words, len(begins[character])) and _are_nouns(words, character)
    )


def is_member(name: str, compounds: Compounds) -> bool:
    """Return whether the last character of a folded name is a suffix in it, and no part of a word."""
    if len(name) != 2:
        return stem_of(name, compounds) is not None
    known, word, stem = suffix_classes().get(name[-1]), dictionary().get(name), dictionary().get(name[0])
    if known is None or word is None or stem is None:
        return False
    modifies = stem.tag in _MODIFYING or name[0] in _WASTE
    return known.short and word.tag in ("n", "nz") and modifies


def _is_suffix(character: str, words: Mapping[str, bool], begun: int) -> bool:
    if character in suffix_classes():
        return len(words) >= _MIN_STEMS
    final = sum(words.values()) >= _MIN_FINAL * len(words)
    return character not in _QUALITIES and final and len(words) >= max(_MIN_STEMS_UNNAMED, begun)


def _words_by_character(compounds: Compounds) -> tuple[Mapping[str, dict[str, bool]], Mapping[str, set[str]]]:
    """Index the words of the names by their characters.

    Returns:
        Last character -> its words with a free stem -> whether one ends a name; first character -> its words.
    """
    ends: defaultdict[str, dict[str, bool]] = defaultdict(dict)
    begins: defaultdict[str, set[str]] = defaultdict(set)
    for name in filter(has_han, compounds.names):
        words = compounds.words(name)
        for i, word in enumerate(words):
            upto = "".join(w.text for w in words[: i + 1])
            if len(word.text) > 1:
                begins[word.text[0]].add(word.text)
            stem = stem_of(upto, compounds)
            if stem:
                final = i == len(words) - 1
                whole = stem + word.text[-1]
                ends[word.text[-1]][whole] = ends[word.text[-1]].get(whole, False) or final
    return ends, begins


def _are_nouns(words: Mapping[str, bool], character: str) -> bool:
    known = dictionary()
    if character in known and known[character].tag in _NO_SUFFIX:
        return False
    tags = Counter(known[word].tag if word in known else NEW for word in words)
    return sum(tags[tag] for tag in _NOUNS) >= _MIN_NOUNS * tags.total()


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each term, and each head of one, that has no head but a suffix; and for their classes."""
    heads = {claim.narrower: claim.broader for claim in earlier if claim.rule == "head noun"}
    names = dict.fromkeys((*corpus.terms, *heads.values()))
    placed = heads.keys() | placed_by_classes(earlier)
    known = suffixes(corpus.compounds)
    members: dict[str, list[str]] = {}
    for name in names:
        folded = fold(name)
        if name not in placed and folded[-1:] in known and is_member(folded, corpus.compounds):
            members.setdefault(folded[-1], []).append(name)
    if corpus.upper_classes.is_upper_level:
        members = {s: g for s, g in members.items() if len(g) > 1 or _noun(s) in corpus.labels}
    return [claim for suffix, group in members.items() for claim in _claims(suffix, group, earlier)]


def _claims(suffix: str, members: Sequence[str], earlier: Sequence[Claim]) -> Iterator[Claim]:
    """Yield the claims of the members of a suffix class, and of the class if it has a name of its own."""
    stated = list(_stated(members, earlier))
    noun = _noun(suffix)
    for broader in [noun] if noun else [claims[0].broader for claims in stated]:
        yield from (Claim(name, broader, "suffix", f"suffix …{suffix}") for name in members if name != broader)
    for claims in stated:
        if noun and claims[0].broader != noun:
            documents = tuple(dict.fromkeys(d for c in claims for d in c.documents))
            said = f"pattern of names in …{suffix}"
            yield Claim(noun, claims[0].broader, "pattern", said, documents, len(documents), 1.0, claims[0].sentence)


def _noun(suffix: str) -> str | None:
    known = suffix_classes().get(suffix)
    return known.noun if known else None


def _stated(members: Sequence[str], earlier: Sequence[Claim]) -> Iterator[list[Claim]]:
    """Yield what sentences state of two or more of some names, the claims of each class together."""
    by_class: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in earlier:
        if claim.rule == "pattern" and claim.narrower in members:
            by_class[claim.broader].append(claim)
    return (claims for claims in by_class.values() if len({c.narrower for c in claims}) >= _MIN_AGREEING)


SUFFIXES = EvidenceSource("suffixes", _of_corpus)
