"""What speaks for "every X is a Y": claims, each by one named rule.

Rules, most trusted first (evidence.py takes them in this order):

* top class        a curated class names the term as a member, or is the term (skeleton.py)
* head noun        the term ends with another term, and the cut falls between words: 山洪灾害 is a 灾害, 防洪 is no 洪,
                   土壤含水量 no 水量 (heads.py)
* pattern ...      a sentence says so: 暴雨、台风等气象灾害 (patterns.py)
* curated ...      a curated ontology of the topic has the edge
* ending           the term ends as the members of a curated class do: …模型. Only for terms without another claim
* apriori          the two stand in the same documents (ontology/evidence). Only for terms without an edge; where there
                   is the edge it is named beside the other evidence
* lda              the two are of one topic. Makes no edge, but is named beside the evidence of one
* synonym          a sentence says that both are the same: X(又称Y). Makes no edge but one class

Source: head nouns and lexico-syntactic patterns are the usual evidence of taxonomy learning (Hearst 1992, patterns;
Williams 1981, the head on the right); that they outrank the inclusion of documents is our own reading of trap T11b.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from ontology.hierarchy.heads import Boundaries, head_of
from ontology.hierarchy.skeleton import TOP, Skeleton

Rule = Literal["top class", "head noun", "pattern", "curated ontology", "ending", "apriori", "lda", "synonym"]
RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of trust."""
MINED: frozenset[Rule] = frozenset(("apriori", "lda"))
"""Rules that know of co-occurrence only."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One rule's word for "every ``narrower`` is a ``broader``".

    ``evidence`` names the rule and its particulars; ``documents`` are ids of those that say it, ``support`` how many
    they are (0 where no document is needed); ``confidence`` is the share of the sentences with this narrower term and
    this kind of evidence that name this broader one, in (0, 1], by a mined rule its confidence or similarity;
    ``sentence`` is the first of them.
    """

    narrower: str
    broader: str
    rule: Rule
    evidence: str
    documents: tuple[str, ...] = ()
    support: int = 0
    confidence: float = 1.0
    sentence: str = ""

    @property
    def strength(self) -> float:
        """What goes first among the claims of one rule."""
        return self.confidence if self.rule in MINED else self.support


def claims_of_names(terms: Sequence[str], top: Skeleton, boundaries: Boundaries | None = None) -> tuple[Claim, ...]:
    """The claims that need no text: membership, head nouns and endings, in the order of the terms."""
    labels = dict.fromkeys((*terms, *(c.label for c in top.classes)))
    claims: list[Claim] = []
    for term in dict.fromkeys(terms):
        claims += _curated(term, top)
        head = head_of(term, labels, boundaries)
        if head is not None:
            claims.append(Claim(term, head, "head noun", "head noun"))
        by_ending = top.class_by_ending(term)
        if by_ending is not None and by_ending[0].label != term:
            found, ending = by_ending
            claims.append(Claim(term, found.label, "ending", f"ending of {found.label}: …{ending}"))
    claims += (c for cls in top.classes if cls.label not in terms for c in _curated(cls.label, top))
    return tuple(claims)


def _curated(term: str, top: Skeleton) -> Iterable[Claim]:
    own = top.by_label.get(term)
    above = [(p, own.source) for p in own.parents] if own else []
    above += [(c.label, c.source) for c in top.classes_of(term) if c.label != term]
    for broader, source in dict(above).items():
        rule: Rule = "top class" if source == TOP else "curated ontology"
        yield Claim(term, broader, rule, source)


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Claims by the same rule about the same pair as one: documents joined, the first sentence kept."""
    groups: dict[tuple[str, str, Rule], list[Claim]] = {}
    for claim in claims:
        groups.setdefault((claim.narrower, claim.broader, claim.rule), []).append(claim)
    said: dict[tuple[str, Rule], int] = {}
    for (narrower, _, rule), group in groups.items():
        said[narrower, rule] = said.get((narrower, rule), 0) + len(group)
    made = []
    for (narrower, _, rule), group in groups.items():
        documents = tuple(dict.fromkeys(d for c in group for d in c.documents))
        share = len(group) / said[narrower, rule]
        made.append(replace(group[0], documents=documents, support=len(documents), confidence=share))
    return tuple(made)
