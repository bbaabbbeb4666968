"""The decisions that follow from answers: the edges that are needed, and those that were refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ontocrawl.settling.state import Answer
from ontocrawl.settling.wording import Wording
from ontology.context import bits_of
from ontology.decisions import Decision
from ontology.lattice import Exploration
from ontology.lattice.exploration import covers
from ontology.model import RelationKind


def verdicts(
    before: Exploration, after: Exploration, answers: Sequence[Answer], documents: Mapping[str, int], wording: Wording
) -> Iterator[Decision]:
    """Yield the decisions that answers stand for.

    An edge of the transitive reduction of the settled order is accepted, unless decisions of others imply it; terms of
    which each is the other are accepted as equivalent. A term that was refused is rejected, unless decisions of
    others refuse it. Answers about things that are several of the terms are no decisions about edges.

    Args:
        before: what was known before the answers.
        after: what is known after them.
        answers: the answers.
        documents: label -> number of papers; of equal terms that in most papers has the edges to others.
        wording: the language of the reasons.

    Yields:
        Decisions without id, person and date.
    """
    labels = after.attributes
    for relation, a, b in needed_edges(after, documents):
        if not before.close(1 << a) >> b & 1 or (relation == "equivalent_to" and not before.close(1 << b) >> a & 1):
            why = _reason(answers, wording, labels[a], labels[b])
            yield Decision("accept", labels[a], labels[b], relation=relation, why=why)
    refuted = before.refuted()
    seen = set()
    for answer in answers:
        if len(answer.about) != 1:
            continue
        (term,) = answer.about
        for broader in answer.refused:
            a, b = labels.index(term), labels.index(broader)
            if not refuted[a] >> b & 1 and (a, b) not in seen:
                seen.add((a, b))
                yield Decision("reject", term, broader, why=wording.reason(answer, term, broader))


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
    return "由已确认的推出" if wording.language == "zh" else "follows from what was confirmed"
