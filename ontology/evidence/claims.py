"""Claims, the evidence for "every X is a Y"; each claim is made by one named rule.

Rules, most trusted first (ontology/hierarchy/from_claims.py processes them in this order):

* decision         a person decided it (ontology/decisions)
* top class        a curated class lists the term as a member, or is the term (skeleton.py)
* head noun        the term ends with another term, and the cut falls between words: 山洪灾害 is a 灾害, 防洪 is no 洪,
                   土壤含水量 no 水量 (heads.py)
* pattern ...      a sentence states it: 暴雨、台风等气象灾害 (patterns.py)
* curated ...      a curated ontology of the topic has the edge (skeleton.py)
* suffix           the term has a suffix that the corpus shows to name a class: …癌, …率 (suffixes.py)
* ending           the term ends as the members of a curated class do: …模型. Only for terms without another claim
* wordnet          the user's wordnet has the word, in the sense of the field, below the other (wordnet/), on request.
                   Only for terms that no other rule places
* verified         a language model chose the broader term from a menu, on request (ontology/verification). Only for
                   terms that no other rule places
* apriori          the two occur in the same documents (apriori.py). Only for terms without an edge; if the edge exists,
                   the rule is listed with the other evidence
* lda              the two are of one topic (lda.py). Makes no edge, but is listed with the evidence of one
* synonym          a sentence states that both are the same: X(又称Y). Makes no edge but one class

Source: head nouns and lexico-syntactic patterns are the usual evidence of taxonomy learning (Hearst 1992, patterns;
Williams 1981, the head on the right); that they outrank the inclusion of documents is a reconstruction (trap T11b).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

Rule = Literal[
    "decision",
    "top class",
    "head noun",
    "pattern",
    "curated ontology",
    "suffix",
    "ending",
    "wordnet",
    "verified",
    "apriori",
    "lda",
    "synonym",
]
RULES: tuple[Rule, ...] = get_args(Rule)
"""In the order of trust."""
COUNTED: frozenset[Rule] = frozenset(("apriori", "lda"))
"""Rules that rest on co-occurrence only."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One rule's statement that every ``narrower`` is a ``broader``.

    Attributes:
        narrower: the narrower term.
        broader: the broader term or class.
        rule: the rule.
        evidence: name of the rule and its particulars.
        documents: ids of the documents that state it.
        support: number of these documents, 0 if no document is needed; by a wordnet the number of terms that it has
            below the broader one, of the narrower and those below that.
        confidence: in (0, 1]: the share of the sentences with this narrower term and this kind of evidence that name
            this broader one; by a counted rule its confidence or similarity.
        sentence: the first sentence that states it.
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
        """Sort key of the claims of one rule, in descending order."""
        return self.confidence if self.rule in COUNTED else self.support


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Join claims by the same rule about the same pair: documents joined, the first sentence kept.

    >>> claims = [Claim("flood", "hazard", "pattern", "pattern Y such as X", (d,), 1) for d in ("d1", "d2")]
    >>> [(claim.documents, claim.support) for claim in merged(claims)]
    [(('d1', 'd2'), 2)]
    """
    groups: dict[tuple[str, str, Rule], list[Claim]] = {}
    for claim in claims:
        groups.setdefault((claim.narrower, claim.broader, claim.rule), []).append(claim)
    total: dict[tuple[str, Rule], int] = {}
    for (narrower, _, rule), group in groups.items():
        total[narrower, rule] = total.get((narrower, rule), 0) + len(group)
    joined = []
    for (narrower, _, rule), group in groups.items():
        documents = tuple(dict.fromkeys(d for c in group for d in c.documents))
        share = len(group) / total[narrower, rule]
        joined.append(replace(group[0], documents=documents, support=len(documents), confidence=share))
    return tuple(joined)
