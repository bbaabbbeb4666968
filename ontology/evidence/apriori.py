"""Apriori: terms that often occur in the same documents (frequent itemsets), and association rules between them.

Source: Agrawal and Srikant 1994, Fast algorithms for mining association rules (VLDB): candidates of size k are joined
from frequent itemsets of size k - 1 that differ in their last item, and removed if a subset is not frequent. For a rule
X => Y, with n documents and ext(.) the documents that contain all terms of a set:

    support = |ext(X u Y)| / n      confidence = |ext(X u Y)| / |ext(X)|      lift = confidence / (|ext(Y)| / n)

In the terms of formal concept analysis an itemset is a set of attributes and its support the size of its extent; an
inclusion ext(X) <= ext(Y) of the lattice is a rule of confidence 1.

As evidence [R]: OLMOACO (Liu, Dong, Liu et al. 2022) mines relations of concepts by Apriori; thresholds and the use of
the rules were not found. Here a rule u => t of two terms, of enough documents and confidence, with lift above 1 and t
the more frequent (so that u => t is more confident than t => u), is a claim that u is a t. If one is contained in the
other by spelling, the rule is a tautology (nested modifier, hierarchy/inclusion.py) and left out. Co-occurrence
is not hyponymy (trap T11b), so a rule places only a term that nothing else places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from ontology.context import FormalContext
from ontology.errors import OntocrawlError
from ontology.evidence.claims import Claim
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.spelling import contains

MIN_DOCUMENTS = 5
"""Smallest number of documents with both terms of a rule that is evidence."""
_MIN_CONFIDENCE = 0.5

_ROUNDING = 1e-9
"""Tolerance of comparisons with a share of documents: .3 of 10 documents are 3."""


class AprioriError(OntocrawlError, ValueError):
    """A threshold out of its range; the message names it, its value and the range."""


@dataclass(frozen=True, slots=True)
class Itemset:
    """Terms (positions in the context, ascending) and the bitset of the documents that contain all of them."""

    items: tuple[int, ...]
    extent: int

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self.extent.bit_count()


@dataclass(frozen=True, slots=True)
class Rule:
    """An association rule ``body`` => ``head``: documents with all of ``body`` have ``head`` too.

    Measures as in the module's docstring. ``documents`` is the number with both; ``support`` and ``confidence`` are in
    (0, 1], ``lift`` is above 0, and 1 if the two are independent.
    """

    body: tuple[str, ...]
    head: tuple[str, ...]
    documents: int
    support: float
    confidence: float
    lift: float


def frequent_itemsets(context: FormalContext, *, min_support: float, max_size: int = 2) -> tuple[Itemset, ...]:
    """Find all itemsets of a minimal support, exactly.

    Args:
        context: documents x terms.
        min_support: smallest share of the documents, in (0, 1].
        max_size: largest number of terms, at least 1.

    Returns:
        The itemsets, sorted by size, then by items.

    Raises:
        AprioriError: a threshold is out of its range.

    >>> context = FormalContext.from_pairs([("d1", "rain"), ("d1", "flood"), ("d2", "rain"), ("d2", "flood"),
    ...                                     ("d3", "rain")])
    >>> [(itemset.items, itemset.documents) for itemset in frequent_itemsets(context, min_support=0.5)]
    [((0,), 3), ((1,), 2), ((0, 1), 2)]
    """
    _in_range("min_support", min_support, "above 0 and at most 1", ok=0 < min_support <= 1)
    _in_range("max_size", max_size, "1 or more", ok=max_size >= 1)
    least = min_support * len(context.objects) - _ROUNDING
    level = [Itemset((j,), extent) for j, extent in enumerate(context.columns) if extent.bit_count() >= least]
    frequent = list(level)
    while level and len(level[0].items) < max_size:
        level = [s for s in _joined(level) if s.documents >= least]
        frequent += level
    return tuple(frequent)


def _joined(level: Sequence[Itemset]) -> list[Itemset]:
    """Return candidates one larger than the itemsets of a level (apriori-gen): join by prefix, prune by subsets."""
    known = {s.items for s in level}
    candidates = []
    for position, a in enumerate(level):
        for b in level[position + 1 :]:
            if a.items[:-1] != b.items[:-1]:
                break  # the level is sorted, so that itemsets with a common prefix are adjacent
            items = (*a.items, b.items[-1])
            if all(part in known for part in combinations(items, len(a.items))):
                candidates.append(Itemset(items, a.extent & b.extent))
    return candidates


def association_rules(
    context: FormalContext, *, min_support: float, min_confidence: float, max_size: int = 2
) -> tuple[Rule, ...]:
    """Find the rules within the frequent itemsets.

    Args:
        context: documents x terms.
        min_support: smallest share of the documents with all terms, in (0, 1].
        min_confidence: smallest confidence, in (0, 1].
        max_size: largest number of terms, at least 1.

    Returns:
        The rules by falling confidence, then lift, then by terms.

    Raises:
        AprioriError: a threshold is out of its range.

    >>> context = FormalContext.from_pairs([("d1", "rain"), ("d1", "flood"), ("d2", "rain"), ("d2", "flood"),
    ...                                     ("d3", "rain")])
    >>> for rule in association_rules(context, min_support=0.5, min_confidence=0.5):
    ...     print(rule.body, rule.head, round(rule.confidence, 3), rule.lift)
    ('flood',) ('rain',) 1.0 1.0
    ('rain',) ('flood',) 0.667 1.0
    """
    _in_range("min_confidence", min_confidence, "above 0 and at most 1", ok=0 < min_confidence <= 1)
    sets = frequent_itemsets(context, min_support=min_support, max_size=max_size)
    count, n = {s.items: s.documents for s in sets}, len(context.objects)
    rules = []
    for items, both in count.items():
        for size in range(1, len(items)):
            for body in combinations(items, size):
                head = tuple(j for j in items if j not in body)
                confidence = both / count[body]
                if confidence >= min_confidence - _ROUNDING:
                    lift = confidence / (count[head] / n)
                    rules.append(Rule(_names(context, body), _names(context, head), both, both / n, confidence, lift))
    return tuple(sorted(rules, key=lambda r: (-r.confidence, -r.lift, r.body, r.head)))


def _names(context: FormalContext, items: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(context.attributes[j] for j in items)


def _in_range(name: str, found: float, expected: str, *, ok: bool) -> None:
    if not ok:
        raise AprioriError("evidence.expected_number_found", name=name, expected=expected, found=found)


def rule_claims(context: FormalContext) -> tuple[Claim, ...]:
    """Make a claim of each rule between two terms from the narrower to the broader one.

    Args:
        context: documents x terms.

    Returns:
        The claims by falling confidence; none for a corpus of fewer than ``MIN_DOCUMENTS`` documents.
    """
    n = len(context.objects)
    if n < MIN_DOCUMENTS:
        return ()
    rules = association_rules(context, min_support=MIN_DOCUMENTS / n, min_confidence=_MIN_CONFIDENCE)
    back = {(rule.body, rule.head): rule.confidence for rule in rules}
    return tuple(
        Claim(rule.body[0], rule.head[0], "apriori", _measures(rule), confidence=rule.confidence)
        for rule in rules
        if rule.lift > 1 and rule.confidence > back.get((rule.head, rule.body), 0.0) and not _nested(rule)
    )


def _nested(rule: Rule) -> bool:
    (u,), (t,) = rule.body, rule.head
    return contains(u, t) or contains(t, u)


def _measures(rule: Rule) -> str:
    return f"apriori, support {rule.support:.3f}, confidence {rule.confidence:.2f}, lift {rule.lift:.1f}"


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> tuple[Claim, ...]:
    return rule_claims(corpus.context)


ASSOCIATION_RULES = EvidenceSource("association rules", _of_corpus)
