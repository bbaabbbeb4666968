"""What is settled before the first question: decisions about edges, as implications and examples."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ontology.decisions import Decision, in_force
from ontology.lattice import Example
from ontology.model import Concept
from ontology.reachable import reachable

Edge = tuple[str, str]


def background(
    decisions: Iterable[Decision], chosen: Sequence[str], names: Mapping[str, Concept]
) -> tuple[tuple[tuple[int, int], ...], tuple[Example, ...]]:
    """Translate decisions into knowledge of an exploration.

    Accepted edges lead from term to term by any number of steps, also through classes that are not chosen. If s is no
    t, then no class above s is a class below t: this gives an example, which has a chosen class above s and lacks a
    chosen one below t.

    Args:
        decisions: the decisions in their order; those for one local ontology, and withdrawn ones, are not used.
        chosen: labels of the chosen terms.
        names: class by label, other name or IRI.

    Returns:
        Implications and examples with the chosen terms as attributes.

    >>> decisions = [Decision("accept", "山洪", "洪水", id="d1"), Decision("reject", "山洪", "台风", id="d2")]
    >>> known, examples = background(decisions, ["山洪", "洪水", "台风"], {})
    >>> known, [(example.has, example.lacks) for example in examples]
    (((1, 2),), [(1, 4), (2, 4)])
    """

    def key(name: str) -> str:
        return names[name].iri if name in names else name

    verdicts = {
        (key(narrow), key(broad)): (accepted, decision)
        for decision in in_force(decisions)
        if not decision.ontology
        for narrow, broad, accepted in _edges(decision)
    }
    direct: dict[str, list[str]] = {}
    for (narrow, broad), (accepted, _) in verdicts.items():
        if accepted:
            direct.setdefault(narrow, []).append(broad)
    keys = [key(label) for label in chosen]
    up = [reachable(k, lambda node: direct.get(node, ())) for k in keys]
    known = [
        (1 << a, bits) for a, above in enumerate(up)
        if (bits := sum(1 << b for b, k in enumerate(keys) if b != a and k in above))
    ]  # fmt: skip
    examples = [
        Example(f"{d.id}: {d.term}, not {d.value or d.old}", 1 << a, 1 << b)
        for (narrow, broad), (accepted, d) in verdicts.items()
        if not accepted
        for a, k in enumerate(keys) if k in reachable(narrow, lambda node: direct.get(node, ()))
        for b in range(len(keys)) if broad in up[b]
    ]  # fmt: skip
    return tuple(known), tuple(examples)


def _edges(decision: Decision) -> Iterator[tuple[str, str, bool]]:
    """Yield narrower and broader class of the edges that a decision is about, and whether it holds."""
    if decision.relation == "subclass_of" and decision.action in ("accept", "reject"):
        yield decision.term, decision.value, decision.action == "accept"
    if decision.action == "move":
        yield decision.term, decision.value, True
        if decision.old:
            yield decision.term, decision.old, False
    if decision.action == "merge" or (decision.action == "accept" and decision.relation == "equivalent_to"):
        yield decision.term, decision.value, True
        yield decision.value, decision.term, True
