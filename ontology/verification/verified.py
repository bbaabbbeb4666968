"""Verified claims: heads that a model vetoes are taken out, and terms that nothing places get a class from a menu.

The model is asked in two rounds: whether every X is a Y, for the edges that rest on a name's head or suffix alone, and
for a class of each term without one; then for a class of the terms that its vetoes have left without one. A verdict is
evidence with a rule of its own, and is asked for only where classes of a person, sentences and names say nothing.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise, zip_longest

from ontology.errors import Message
from ontology.evidence.claims import COUNTED, Claim, Rule
from ontology.evidence.source import TermCorpus
from ontology.evidence.spelling import ends_with
from ontology.hierarchy.term_dag import TermHierarchy
from ontology.reachable import reachable
from ontology.terms.form_matcher import FormMatcher, with_inflections
from ontology.terms.lexicon import word_list
from ontology.terms.occurrences import is_head, text_en, text_zh
from ontology.terms.wordforms import has_han, normal
from ontology.verification.verifier import NONE, Figures, Question, Task, Verifier, confirming, placing

_VETOED: frozenset[Rule] = frozenset(("head noun", "suffix"))
"""Rules whose claims can be vetoed."""
HierarchyOf = Callable[[Sequence[Claim]], TermHierarchy]


@dataclass(frozen=True)
class Verification:
    """The claims with a model's verdicts.

    Attributes:
        claims: the claims without the vetoed ones, and the verified ones.
        model: name of the model.
        vetoed: (narrower, broader) of the claims that the model vetoed.
        chosen: (term, class) of the answers that name a class.
        none: number of terms for which the model chose no class.
        placed: number of terms that have a broader class by a verified claim.
        counts: the verifier's counts.
    """

    claims: tuple[Claim, ...]
    model: str
    vetoed: tuple[tuple[str, str], ...]
    chosen: tuple[tuple[str, str], ...]
    none: int
    placed: int
    counts: Figures

    @property
    def digest(self) -> str:
        """Digest of the model's name and its verdicts."""
        verdicts = (self.model, sorted(self.vetoed), sorted(self.chosen))
        return blake2b(repr(verdicts).encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()

    @property
    def note(self) -> str:
        """The outcome in one sentence."""
        n = self.counts
        return Message(
            "verification.note", model=self.model, placed=self.placed, vetoed=len(self.vetoed), none=self.none,
            questions=n.questions, cached=n.cached, refused=n.refused, unanswered=n.unanswered,
            requests=n.requests, tokens=n.tokens,
        )  # fmt: skip

    @property
    def figures(self) -> dict[str, int | str]:
        """The figures by name, for the summary."""
        outcomes = {"placed": self.placed, "none": self.none, "vetoed": len(self.vetoed)}
        return {"model": self.model, **outcomes, **asdict(self.counts)}


def verified(
    corpus: TermCorpus, claims: Sequence[Claim], hierarchy_of: HierarchyOf, verifier: Verifier, labels: Sequence[str]
) -> Verification:
    """Ask a model about claims and about terms that nothing places.

    Args:
        corpus: the documents and their terms.
        claims: the claims of all other sources.
        hierarchy_of: makes the hierarchy of claims.
        verifier: asks the model.
        labels: labels of the field, for the prompts; they are neither asked about nor chosen.

    Returns:
        The claims to make the hierarchy of.

    Raises:
        VerifyError: the questions exceed the limit of tokens, or no answer can be read.
    """
    before = hierarchy_of(claims)
    pairs = _pairs_to_confirm(before)
    heads, confirm = [Question(f"X = {low}, Y = {high}") for low, high in pairs], confirming(_field(labels))
    menu = _Menu(corpus, claims, before, labels)
    terms = menu.unplaced(before)
    verifier.prepare([(confirm, heads), (menu.task, [menu.question(t) for t in terms])])
    verdicts = zip(pairs, verifier.ask(confirm, heads), strict=True)
    vetoed = tuple(pair for pair, answer in verdicts if answer == "no")
    left = _without(vetoed, claims, before)
    terms = list(dict.fromkeys((*terms, *(menu.unplaced(hierarchy_of(left)) if vetoed else ()))))
    answers = dict(zip(terms, verifier.ask(menu.task, [menu.question(t, vetoed) for t in terms]), strict=True))
    chosen = tuple((term, answer) for term, answer in answers.items() if answer not in ("", NONE))
    model = verifier.chat.model
    left += [Claim(term, above, "verified", f"verified by {model}") for term, above in chosen]
    still = {r.child for r in hierarchy_of(left).unplaced}
    return Verification(
        tuple(left), model, vetoed, chosen,
        none=sum(answer == NONE for answer in answers.values()),
        placed=sum(term not in still for term, _ in chosen),
        counts=replace(verifier.figures),
    )  # fmt: skip


def _pairs_to_confirm(hierarchy: TermHierarchy) -> list[tuple[str, str]]:
    """Return the edges of the hierarchy that rest on rules of names alone."""
    label = [node.label for node in hierarchy.nodes]
    by_name = [edge for edge in hierarchy.edges if edge.rules and _VETOED.issuperset(edge.rules)]
    return sorted((label[edge.child], label[edge.parent]) for edge in by_name)


def _without(vetoed: Sequence[tuple[str, str]], claims: Sequence[Claim], hierarchy: TermHierarchy) -> list[Claim]:
    """Return the claims without those of names that made vetoed edges.

    An edge may rest on several claims in a row, where a class between its ends was removed. Then the first of them is
    left out. Where the lexicon has other words for the ends, no claim names them, and all claims of the name go.
    """
    above: defaultdict[str, set[str]] = defaultdict(set)
    for claim in claims:
        if claim.rule in _VETOED:
            above[claim.narrower].add(claim.broader)
    out: set[tuple[str, str]] = set()
    for low, high in vetoed:
        goals = frozenset(_names(high, hierarchy))
        for name in _names(low, hierarchy):
            leading = {broader for broader in above[name] if _leads(broader, goals, above)}
            out |= {(name, broader) for broader in leading or above[name]}
    return [c for c in claims if c.rule not in _VETOED or (c.narrower, c.broader) not in out]


def _leads(start: str, goals: frozenset[str], above: Mapping[str, Collection[str]]) -> bool:
    """Return whether claims in a row lead from a class to one of some others."""
    reached: set[str] = reachable(start, lambda label: above.get(label, ()))
    return bool(goals & reached)


def _names(label: str, hierarchy: TermHierarchy) -> tuple[str, ...]:
    """Return the terms of a class, its label included."""
    index = hierarchy.index(label)
    return (label,) if index is None else hierarchy.nodes[index].terms


def _field(labels: Sequence[str]) -> str:
    return " / ".join(dict.fromkeys(filter(None, labels)))


class _Menu:
    """The menu of a corpus: the classes that every term may choose, and those of one term."""

    def __init__(
        self, corpus: TermCorpus, claims: Sequence[Claim], hierarchy: TermHierarchy, labels: Sequence[str]
    ) -> None:
        upper = corpus.upper_classes
        empty = word_list("generic_zh") | word_list("generic_heads_zh") | word_list("generic_en")
        self._candidates = _Candidates(corpus, claims, hierarchy)
        classes = dict.fromkeys((*corpus.names, *corpus.labels), 0) | self._candidates.sizes()
        for label in (
            *labels,
            *(c for c in classes if upper.is_facet(c) or (c.casefold() in empty and c not in upper.by_label)),
        ):
            classes.pop(label, None)
        self._classes, self._labels = classes, labels
        self.task: Task = placing(_field(labels), _largest_heads((*corpus.names, *corpus.terms), self._classes), NONE)

    def unplaced(self, hierarchy: TermHierarchy) -> list[str]:
        """Return the terms that nothing places and that there is a choice for."""
        terms = [r.child for r in hierarchy.unplaced if r.child not in self._labels]
        return [term for term in terms if self.task.allows(self.question(term)) != (NONE,)]

    def question(self, term: str, vetoed: Sequence[tuple[str, str]] = ()) -> Question:
        """Return the question for a term; no class below it, nor one of which the model has vetoed it, is a choice."""
        excluded = self._candidates.not_above(term) | {high for low, high in vetoed if low == term}
        own = self._candidates.of(term, self._classes)
        return Question(
            term,
            tuple(c for c in own if c not in self.task.choices and c not in excluded),
            tuple(c for c in self.task.choices if c in excluded),
        )


# ---- menus for terms that nothing places: the largest heads of the corpus, and classes that weak evidence suggests
#
# Weak evidence is wrong far more often than right (docs/learn.md), so it makes no edge; but the right class is
# often among what it suggests, and a judge can choose.


HEADS = 60
"""Classes that are offered to every term."""
CANDIDATES = 12
"""Classes that are offered to one term beside them."""
_BY_DOCUMENTS = 5
"""Of these, classes of the same documents: the weakest evidence."""
_JOINED = re.compile(r"\s*(?:、|，|,|/|和|与|及|以及|或|\band\b|\bor\b)\s*")


def _largest_heads(names: Iterable[str], hierarchy: Mapping[str, int], limit: int = HEADS) -> tuple[str, ...]:
    """Return the classes with the most members: names that end with them, or classes directly below them.

    Args:
        names: the names of the corpus.
        hierarchy: possible class -> number of classes directly below it.
        limit: largest number of classes.

    Returns:
        Classes with a member, by falling number.

    >>> _largest_heads(["山洪灾害", "雪灾", "flash flood", "urban flood", "flood"], {"灾害": 0, "flood": 1, "雪灾": 0})
    ('flood', '灾害')
    """
    sizes = Counter(hierarchy)
    ends: Counter[str] = Counter()
    for name in dict.fromkeys(names):
        for end in {name[start:].lstrip() for start in range(1, len(name))} & sizes.keys():
            ends[end] += is_head(end, name) if has_han(end) else ends_with(name, end)
    sizes |= ends
    return tuple(sorted((c for c in sizes if sizes[c]), key=lambda c: (-sizes[c], c))[:limit])


def best_places(
    corpus: TermCorpus, claims: Sequence[Claim], hierarchy: TermHierarchy, terms: Iterable[str], limit: int
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the classes that evidence too weak for an edge suggests for some terms, for a person to choose from.

    Args:
        corpus: the documents and their terms.
        claims: all claims, those that made no edge too.
        hierarchy: the hierarchy of these claims.
        terms: the terms.
        limit: largest number of classes of a term.

    Returns:
        Each term with its classes, best first.
    """
    candidates = _Candidates(corpus, claims, hierarchy)
    classes = candidates.sizes().keys()
    return tuple((term, candidates.of(term, classes, limit)) for term in terms)


class _Candidates:
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
