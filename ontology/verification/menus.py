"""Menus for terms that nothing places: the largest heads of the corpus, and classes that weak evidence suggests.

Weak evidence is wrong far more often than right (docs/hierarchy.md), so it makes no edge; but the right class is often
among what it suggests, and a judge can choose.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, zip_longest

from ontology.evidence.claims import COUNTED, Claim
from ontology.evidence.source import TermCorpus
from ontology.evidence.spelling import ends_with
from ontology.hierarchy.term_dag import TermHierarchy
from ontology.reachable import reachable
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.occurrences import is_head, text_en, text_zh
from ontology.terms.wordforms import has_han, normal

HEADS = 60
"""Classes that are offered to every term."""
CANDIDATES = 12
"""Classes that are offered to one term beside them."""
_BY_DOCUMENTS = 5
"""Of these, classes of the same documents: the weakest evidence."""
_JOINED = re.compile(r"\s*(?:、|，|,|/|和|与|及|以及|或|\band\b|\bor\b)\s*")


def largest_heads(names: Iterable[str], hierarchy: Mapping[str, int], limit: int = HEADS) -> tuple[str, ...]:
    """Return the classes with the most members: names that end with them, or classes directly below them.

    Args:
        names: the names of the corpus.
        hierarchy: possible class -> number of classes directly below it.
        limit: largest number of classes.

    Returns:
        Classes with a member, by falling number.

    >>> largest_heads(["山洪灾害", "雪灾", "flash flood", "urban flood", "flood"], {"灾害": 0, "flood": 1, "雪灾": 0})
    ('flood', '灾害')
    """
    sizes = Counter(hierarchy)
    ends: Counter[str] = Counter()
    for name in dict.fromkeys(names):
        for end in {name[start:].lstrip() for start in range(1, len(name))} & sizes.keys():
            ends[end] += is_head(end, name) if has_han(end) else ends_with(name, end)
    sizes |= ends
    return tuple(sorted((c for c in sizes if sizes[c]), key=lambda c: (-sizes[c], c))[:limit])


class Candidates:
    """Classes that weak evidence suggests for a term.

    Args:
        corpus: the documents and their terms.
        claims: all claims, those that made no edge too.
        hierarchy: the hierarchy of these claims.
    """

    def __init__(self, corpus: TermCorpus, claims: Sequence[Claim], hierarchy: TermHierarchy) -> None:
        self._corpus, self._claims, self._hierarchy = corpus, claims, hierarchy
        nodes = hierarchy.nodes
        self._parents = {
            term: [nodes[j].label for j in hierarchy.parents[i]] for i, node in enumerate(nodes) for term in node.terms
        }

    def of(self, term: str, classes: Collection[str], limit: int = CANDIDATES) -> tuple[str, ...]:
        """Return candidate classes of a term, the best of each kind of evidence in turn.

        Args:
            term: the term.
            classes: the possible classes; the others are left out.
            limit: largest number of candidates.
        """
        kinds: tuple[Callable[[str], Iterable[str]], ...] = (
            self._claimed, self._of_coordinated, self._of_same_ending, self._of_same_beginning, self._of_same_documents,
        )  # fmt: skip
        excluded = self.not_above(term)
        ranked = [[c for c in kind(term) if c in classes and c not in excluded] for kind in kinds]
        merged = dict.fromkeys(c for row in zip_longest(*ranked) for c in row if c is not None)
        return tuple(merged)[:limit]

    def not_above(self, term: str) -> frozenset[str]:
        """Return the term, its equivalents, and all classes below it."""
        index = self._hierarchy.index(term)
        below = () if index is None else reachable(index, lambda i: self._children.get(i, ()))
        return frozenset((term, *(t for i in below for t in self._hierarchy.nodes[i].terms)))

    def sizes(self) -> dict[str, int]:
        """Return class -> number of classes directly below it, for the classes of the hierarchy."""
        return {term: len(self._children.get(i, ())) for i, n in enumerate(self._hierarchy.nodes) for term in n.terms}

    @cached_property
    def _children(self) -> Mapping[int, Sequence[int]]:
        children: defaultdict[int, list[int]] = defaultdict(list)
        for edge in self._hierarchy.edges:
            children[edge.parent].append(edge.child)
        return children

    @cached_property
    def _claimed_of(self) -> Mapping[str, Sequence[str]]:
        by_term: defaultdict[str, list[str]] = defaultdict(list)
        for claim in self._claims:
            if claim.rule != "synonym" and claim.rule not in COUNTED:
                by_term[claim.narrower].append(claim.broader)
        return by_term

    def _claimed(self, term: str) -> Iterable[str]:
        """Return the broader terms of claims that were rejected."""
        return self._claimed_of.get(term, ())

    def _of_coordinated(self, term: str) -> Iterable[str]:
        """Return the classes of the terms that the term is listed with."""
        return self._classes_of(self._coordinated.get(term, {}))

    @cached_property
    def _coordinated(self) -> Mapping[str, Counter[str]]:
        """Term -> the terms beside it in lists -> number of times."""
        terms = list(self._corpus.terms)
        matcher = FormMatcher([with_inflections((t, i, not has_han(t)) for i, t in enumerate(terms))])
        beside: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for document in self._corpus.documents:
            for line in f"{text_zh(document)}\n{text_en(document)}".split("\n"):
                text = normal(line)
                for (_, end, a), (start, _, b) in pairwise(matcher.spans(text)[0]):
                    if a != b and _JOINED.fullmatch(text, end, start):
                        beside[terms[a]][terms[b]] += 1
                        beside[terms[b]][terms[a]] += 1
        return beside

    def _of_same_ending(self, term: str) -> Iterable[str]:
        """Return the classes of the terms with the same last character (Chinese) or word."""
        return self._classes_of(self._by_ending.get(_ending(term), {}))

    @cached_property
    def _by_ending(self) -> Mapping[str, Counter[str]]:
        return self._grouped(_ending)

    def _of_same_beginning(self, term: str) -> Iterable[str]:
        """Return the classes of the terms with the same first two characters (Chinese) or word."""
        return self._classes_of(self._by_beginning.get(_beginning(term), {}))

    @cached_property
    def _by_beginning(self) -> Mapping[str, Counter[str]]:
        return self._grouped(_beginning)

    def _grouped(self, part: Callable[[str], str]) -> Mapping[str, Counter[str]]:
        groups: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for term in self._parents:
            groups[part(term)][term] += 1
        return groups

    def _classes_of(self, terms: Mapping[str, int]) -> Iterable[str]:
        """Return the classes directly above terms, by falling number of these."""
        classes: Counter[str] = Counter()
        for term, count in terms.items():
            classes.update(dict.fromkeys(self._parents.get(term, ()), count))
        return sorted(classes, key=lambda c: (-classes[c], c))

    def _of_same_documents(self, term: str) -> Iterable[str]:
        """Return the classes whose documents are most alike the term's (cosine)."""
        context = self._corpus.context
        if term not in context.attributes:
            return ()
        mine = context.columns[context.attributes.index(term)]
        both = {i: (self._hierarchy.nodes[i].extent & mine).bit_count() for i in self._children}
        nodes = {self._hierarchy.nodes[i]: count for i, count in both.items() if count > 1}
        ranked = sorted(nodes, key=lambda node: (-(nodes[node] ** 2) / node.document_frequency, node.label))
        return [node.label for node in ranked[:_BY_DOCUMENTS]]


def _ending(term: str) -> str:
    return term[-1:] if has_han(term[-1:]) else term.casefold().split(" ")[-1]


def _beginning(term: str) -> str:
    return term[:2] if has_han(term[:1]) else term.casefold().split(" ")[0]
