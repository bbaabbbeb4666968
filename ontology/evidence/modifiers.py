"""Modifiers of names: where two modifiers of one head meet, a name has more than one broader term.

A head claim (heads.py, suffixes.py) cuts a name into a modifier and a head, and the head may be cut again:
急性 | 前壁 | 心肌梗死. The name is a kind of every name with the same last head and some of its modifiers, in any
order: of 前壁心肌梗死, its head, and of 急性心肌梗死, which is no part of it. A reconstruction in the spirit of formal
concept analysis: names are objects, last heads and modifiers are attributes, and fewer attributes are the broader name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from ontology.evidence.claims import Claim, Rule
from ontology.evidence.heads import chain
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.terms.wordforms import has_han

_CUTTING: frozenset[Rule] = frozenset(("head noun", "suffix"))
"""Rules whose claims cut a name into a modifier and a head."""

_STEM = 3
"""Number of letters that all inflected forms of an English noun share."""
_TWO_MODIFIERS = 3
"""Smallest number of Chinese characters of two modifiers, one of them a word."""


@dataclass(frozen=True, slots=True)
class NameParts:
    """The parts of a name: its heads, the longest first, and the modifier before each."""

    heads: tuple[str, ...]
    modifiers: tuple[str, ...]


def name_parts(claims: Iterable[Claim]) -> dict[str, NameParts]:
    """Cut names into modifiers and heads, along the head claims.

    Args:
        claims: the claims; of several heads of a name the longest counts.

    Returns:
        Name -> its parts, for each name that a claim cuts.

    >>> claims = [Claim("急性前壁心肌梗死", "前壁心肌梗死", "head noun", "head noun"),
    ...           Claim("前壁心肌梗死", "心肌梗死", "head noun", "head noun")]
    >>> name_parts(claims)["急性前壁心肌梗死"]
    NameParts(heads=('前壁心肌梗死', '心肌梗死'), modifiers=('急性', '前壁'))
    """
    cuts: dict[str, tuple[str, str]] = {}
    for claim in claims:
        modifier = modifier_of(claim.narrower, claim.broader) if claim.rule in _CUTTING else ""
        if modifier and len(claim.broader) > len(cuts.get(claim.narrower, ("", ""))[1]):
            cuts[claim.narrower] = modifier, claim.broader
    parts = {}
    for name, cut in cuts.items():
        of_name = [cut]
        while of_name[-1][1] in cuts:  # each head is shorter than its name
            of_name.append(cuts[of_name[-1][1]])
        modifiers, heads = zip(*of_name, strict=True)
        parts[name] = NameParts(heads, modifiers)
    return parts


def modifier_of(name: str, head: str) -> str:
    """Return what is before the head in a name; empty if the name does not end so.

    An English head may be in another number: *trial* is the head of *heart failure trials*.

    >>> modifier_of("急性心肌梗死", "心肌梗死"), modifier_of("heart failure trials", "trial")
    ('急性', 'heart failure')
    """
    if has_han(name) != has_han(head):
        return ""
    if has_han(head):
        return name.removesuffix(head).strip() if name.endswith(head) else ""
    words, of_head = name.casefold().split(), head.casefold().split()
    before = len(words) - len(of_head)
    same = before > 0 and words[before:-1] == of_head[:-1] and words[-1][:_STEM] == of_head[-1][:_STEM]
    return " ".join(name.split()[:before]) if same else ""


def head_claims(corpus: TermCorpus, classes: Collection[str]) -> list[Claim]:
    """Return the head claims of the names of a corpus that end with a class and may have two modifiers before it.

    Args:
        corpus: the corpus; its names need not be terms.
        classes: labels of classes.

    Returns:
        A claim for each such name, and for its heads.
    """
    names = [name for name in corpus.names if any(name[i:] in classes for i in _starts(name))]
    return [Claim(name, head, "head noun", "head noun") for name, head in chain(names, corpus.heads)]


def _starts(name: str) -> Iterable[int]:
    """Return the positions where the head may begin after two modifiers: words, or three Chinese characters."""
    if has_han(name):
        return range(_TWO_MODIFIERS, len(name))
    blanks = (i + 1 for i, character in enumerate(name) if character == " ")
    return islice(blanks, 1, None)


def _shared(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each pair of names of which one has the head, and some but not all modifiers, of the other.

    Suffixes are no heads here: 政治社会学 (sociology of politics) is no 政治学 (political science).
    """
    parts = name_parts(claim for claim in earlier if claim.rule == "head noun")
    known = {(claim.narrower, claim.broader) for claim in earlier if claim.rule in _CUTTING}
    return [
        Claim(name, other, "head noun", f"head {parts[name].heads[-1]} and {' '.join(parts[other].modifiers)}")
        for name, other in _inclusions(parts)
        if (name, other) not in known
    ]


def _inclusions(parts: Mapping[str, NameParts]) -> Iterable[tuple[str, str]]:
    """Yield (narrower, broader) for the names whose modifiers include another's, with the same last head."""
    by_part: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name, of_name in parts.items():
        by_part[of_name.heads[-1], of_name.modifiers[0]].append(name)
    for name in sorted(parts):
        mine = set(parts[name].modifiers)
        candidates = {other for m in mine for other in by_part[parts[name].heads[-1], m]}
        for other in sorted(candidates):
            if set(parts[other].modifiers) < mine:
                yield name, other


SHARED_MODIFIERS = EvidenceSource("head and modifiers", _shared)
