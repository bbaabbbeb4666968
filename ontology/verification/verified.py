"""Verified claims: heads that a model vetoes are taken out, and terms that nothing places get a class from a menu.

The model is asked in two rounds: whether every X is a Y, for the edges that rest on a name's head or suffix alone, and
for a class of each term without one; then for a class of the terms that its vetoes have left without one. A verdict is
evidence with a rule of its own, and is asked for only where classes of a person, sentences and names say nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import blake2b

from ontology.evidence.claims import Claim, Rule
from ontology.evidence.source import TermCorpus
from ontology.hierarchy.term_dag import TermHierarchy
from ontology.reachable import reachable
from ontology.terms.lexicon import word_list
from ontology.verification.answers import NONE
from ontology.verification.menus import Candidates, largest_heads
from ontology.verification.prompts import Question, Task, confirming, placing
from ontology.verification.verifier import Figures, Verifier

VETOED: frozenset[Rule] = frozenset(("head noun", "suffix"))
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
        return (
            f"{self.model}: {self.placed} terms placed, {len(self.vetoed)} heads vetoed, {self.none} left; "
            f"{n.questions} questions ({n.cached} answered by earlier runs), {n.refused} answers not in the menu, "
            f"{n.unanswered} questions without an answer; {n.requests} requests, {n.tokens:,} tokens"
        )

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
    by_name = [edge for edge in hierarchy.edges if edge.rules and VETOED.issuperset(edge.rules)]
    return sorted((label[edge.child], label[edge.parent]) for edge in by_name)


def _without(vetoed: Sequence[tuple[str, str]], claims: Sequence[Claim], hierarchy: TermHierarchy) -> list[Claim]:
    """Return the claims without those of names that made vetoed edges.

    An edge may rest on several claims in a row, where a class between its ends was removed. Then the first of them is
    left out. Where the lexicon has other words for the ends, no claim names them, and all claims of the name go.
    """
    above: defaultdict[str, set[str]] = defaultdict(set)
    for claim in claims:
        if claim.rule in VETOED:
            above[claim.narrower].add(claim.broader)
    out: set[tuple[str, str]] = set()
    for low, high in vetoed:
        goals = frozenset(_names(high, hierarchy))
        for name in _names(low, hierarchy):
            leading = {broader for broader in above[name] if _leads(broader, goals, above)}
            out |= {(name, broader) for broader in leading or above[name]}
    return [c for c in claims if c.rule not in VETOED or (c.narrower, c.broader) not in out]


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
        self._candidates = Candidates(corpus, claims, hierarchy)
        classes = dict.fromkeys((*corpus.names, *corpus.labels), 0) | self._candidates.sizes()
        for label in (
            *labels,
            *(c for c in classes if upper.is_facet(c) or (c.casefold() in empty and c not in upper.by_label)),
        ):
            classes.pop(label, None)
        self._classes, self._labels = classes, labels
        self.task: Task = placing(_field(labels), largest_heads((*corpus.names, *corpus.terms), self._classes), NONE)

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
