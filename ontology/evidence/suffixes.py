"""Suffixes that name classes: …率, …癌, …剂, learned from the names of a corpus.

Many Chinese classes have a name of one character that is not used alone: a 催化剂 is a 剂. A character is such one if

* four or more words of the names have it after a *free stem*, which is a word itself (催化|剂, but not 社|会),
* more different words end with it than begin with it,
* half of the words that have it end a name: a word that mostly stands before others is an adjective (复合型|人才),
* the words are nouns, and no places.

Suffixes that make qualities and processes of any word (性, 化, 度) name no class of things. A term is placed by its
suffix only if it has no head (heads.py). Where sentences state that two or more members of the class are kinds of
something (patterns.py), the class is a kind of it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ontology.evidence.claims import Claim
from ontology.evidence.compounds import Compounds
from ontology.evidence.head_nouns import placed_by_classes
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.terms.segment import dictionary
from ontology.terms.token_stream import NEW
from ontology.terms.wordforms import fold, has_han

MIN_STEMS = 4
"""Number of different free stems of a suffix."""
MIN_FINAL = 0.5
"""Share of the words with the suffix that end a name."""
MIN_NOUNS = 0.75
"""Share of nouns among the words with the suffix that the dictionary has."""
MIN_AGREEING = 2
"""Number of members of a class that sentences state to be kinds of one thing."""
_QUALITIES = frozenset("性化式度力型级类物值")
"""Derivational suffixes of modern Chinese that make qualities, processes and adjectives, and two that only say "thing"
and "value": a closed class."""
_NOUNS = ("n", "nz", "nt", "nr", "l", "g", NEW)
"""Classes of nouns; abbreviations (亚运会) are not among them: what is left of one is no stem."""
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
    stem = last[:-1]
    if len(stem) < 2 or not has_han(last[-1]) or not _is_free(stem, compounds):
        return None
    known = dictionary()  # 中小|学 has a commoner word across the cut: 小学
    across, before = known.get(last[-2:]), known.get(stem)
    return None if across and before and across.frequency > before.frequency else stem


def _is_free(stem: str, compounds: Compounds) -> bool:
    entry = dictionary().get(stem)
    return (entry is not None and entry.tag not in _NO_STEM) or stem in compounds.names or not has_han(stem)


def suffixes(compounds: Compounds) -> frozenset[str]:
    """Return the characters that name classes as suffixes in the names of a corpus."""
    ends, begins = _words_by_character(compounds)
    return frozenset(
        character
        for character, words in ends.items()
        if character not in _QUALITIES
        and len(words) >= max(MIN_STEMS, len(begins[character]))
        and sum(words.values()) >= MIN_FINAL * len(words)
        and _are_nouns(words, character)
    )


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
    return sum(tags[tag] for tag in _NOUNS) >= MIN_NOUNS * tags.total()


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each term, and each head of one, that has no head but a suffix; and for the suffixes."""
    heads = {claim.narrower: claim.broader for claim in earlier if claim.rule == "head noun"}
    names = dict.fromkeys((*corpus.terms, *heads.values()))
    placed = heads.keys() | placed_by_classes(earlier)
    known = suffixes(corpus.compounds)
    members: dict[str, list[str]] = {}
    for name in names:
        folded = fold(name)
        if name not in placed and folded[-1:] in known and stem_of(folded, corpus.compounds):
            members.setdefault(folded[-1], []).append(name)
    if corpus.upper_classes.classes:  # the upper level of the field, beside which one name makes no class
        members = {s: group for s, group in members.items() if len(group) > 1 or s in corpus.labels}
    claims = [Claim(name, s, "suffix", f"suffix …{s}") for s, group in members.items() for name in group]
    return [*claims, *_broader(members, earlier)]


def _broader(members: Mapping[str, Sequence[str]], earlier: Sequence[Claim]) -> Iterator[Claim]:
    """Return what sentences state of two or more members of a suffix class, as claims of the class."""
    stated: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in earlier:
        if claim.rule == "pattern":
            stated[claim.narrower].append(claim)
    for suffix, group in members.items():
        by_class: defaultdict[str, list[Claim]] = defaultdict(list)
        for claim in (c for name in group for c in stated[name] if c.broader != suffix):
            by_class[claim.broader].append(claim)
        for broader, claims in by_class.items():
            if len(claims) >= MIN_AGREEING:
                documents = tuple(dict.fromkeys(d for c in claims for d in c.documents))
                said = "pattern of names in …" + suffix
                yield Claim(suffix, broader, "pattern", said, documents, len(documents), 1.0, claims[0].sentence)


SUFFIXES = EvidenceSource("suffixes", _of_corpus)
