"""The decisions that follow from answers: the edges that are needed, and those that were refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ontocrawl.settling.state import Answer
from ontocrawl.settling.terms import Learned
from ontocrawl.settling.wording import Wording
from ontology.context import bits_of
from ontology.decisions import Decision
from ontology.lattice import Exploration
from ontology.lattice.exploration import covers
from ontology.model import RelationKind


def verdicts(
    before: Exploration,
    after: Exploration,
    answers: Sequence[Answer],
    learned: Learned,
    wording: Wording,
) -> Iterator[Decision]:
    """Yield the decisions that answers stand for.

    An edge of the transitive reduction of the settled order is accepted, unless decisions of others imply it, or the
    ontology says it by way of classes that were not asked about; terms of which each is the other are accepted as
    equivalent. A term that was refused is rejected, unless decisions of
    others refuse it. So is each edge of the learned ontology that the answers refute indirectly. Answers about things
    that are several of the terms are no decisions about edges.

    Args:
        before: what was known before the answers.
        after: what is known after them.
        answers: the answers.
        learned: the learned ontology.
        wording: the language of the reasons.

    Yields:
        Decisions without id, person and date.
    """
    labels = after.attributes
    for relation, a, b in needed_edges(after, learned.documents):
        implied = before.close(1 << a) >> b & 1 and (relation == "subclass_of" or before.close(1 << b) >> a & 1)
        if not implied and not (relation == "subclass_of" and learned.has_by_way(labels[a], labels[b], labels)):
            why = _reason(answers, wording, labels[a], labels[b])
            yield Decision("accept", labels[a], labels[b], relation=relation, why=why)
    rejected: dict[tuple[int, int], str] = {}
    for answer in answers:
        if len(answer.about) == 1:
            (term,) = answer.about
            for broader in answer.refused:
                pair = labels.index(term), labels.index(broader)
                rejected.setdefault(pair, wording.reason(answer, term, broader))
    for a, b in learned_pairs(after, learned):
        if after.refuted()[a] >> b & 1:
            rejected.setdefault((a, b), wording.follows())
    known = before.refuted()
    for (a, b), why in rejected.items():
        if not known[a] >> b & 1 and not after.close(1 << a) >> b & 1:
            yield Decision("reject", labels[a], labels[b], why=why)


def learned_pairs(exploration: Exploration, learned: Learned) -> Iterator[tuple[int, int]]:
    """Yield the edges of a learned ontology between the terms of an exploration, as their numbers."""
    place = {
        c.iri: a for a, label in enumerate(exploration.attributes) if (c := learned.by_name.get(label)) is not None
    }
    for edge in learned.ontology.edges("subclass_of"):
        if edge.source in place and edge.target in place:
            yield place[edge.source], place[edge.target]


def still_learned(exploration: Exploration, learned: Learned) -> list[tuple[str, str, str]]:
    """List what the answers refute, but the learned ontology says by way of classes that were not asked about.

    Args:
        exploration: what is known.
        learned: the ontology.

    Returns:
        Labels of a term, of one that it is not, and of the first class on the way from one to the other.
    """
    labels, refuted = exploration.attributes, exploration.refuted()
    iris = [c.iri if (c := learned.by_name.get(label)) is not None else label for label in labels]
    place = {iri: a for a, iri in enumerate(iris)}
    found = []
    for a, iri in enumerate(iris):
        for parent in learned.ontology.parents.get(iri, ()):
            if parent not in place:
                above = learned.above(parent)
                found += [
                    (labels[a], labels[b], learned.ontology.by_iri[parent].label)
                    for b in bits_of(refuted[a]) if iris[b] in above
                ]  # fmt: skip
    return found


def needed_edges(exploration: Exploration, documents: Mapping[str, int]) -> Iterator[tuple[RelationKind, int, int]]:
    """Yield the edges from which the order follows, as far as it is known: the transitive reduction.

    Args:
        exploration: what is known.
        documents: label -> number of papers; of equal terms that in most papers has the edges to others.

    Yields:
        Relation, and the numbers of the narrower and the broader term; then the equal terms.
    """
    labels = exploration.attributes
    rank = sorted(range(len(labels)), key=lambda a: (-documents.get(labels[a], 0), a))
    place = {a: position for position, a in enumerate(rank)}
    order = exploration.order()
    ranked = [sum(1 << place[b] for b in bits_of(order[a])) for a in rank]
    for low, high in covers(ranked):
        yield "subclass_of", rank[low], rank[high]
    for a, up in enumerate(ranked):
        equal = next(b for b in bits_of(up) if ranked[b] >> a & 1)
        if equal != a:
            yield "equivalent_to", rank[a], rank[equal]


def _reason(answers: Sequence[Answer], wording: Wording, term: str, broader: str) -> str:
    """Return why an edge is accepted: the answer that said so, else that it follows."""
    for answer in answers:
        if answer.about == (term,) and broader in answer.holds:
            return wording.reason(answer, term, broader)
    return wording.follows()
