"""What is settled before the first question: decisions about edges, as implications and examples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter

from ontology.decisions import Decision
from ontology.decisions.facts import Facts
from ontology.lattice import Example
from ontology.model import Concept
from ontology.reachable import reachable


def background(
    decisions: Iterable[Decision], chosen: Sequence[str], names: Mapping[str, Concept]
) -> tuple[tuple[tuple[int, int], ...], tuple[Example, ...]]:
    """Translate decisions into knowledge of an exploration.

    Accepted edges lead from term to term by any number of steps, also through classes that are not chosen. If s is no
    t, then no class above s is a class below t: this gives an example, which has a chosen class above s and lacks a
    chosen one below t. What decisions say directly comes first.

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

    edges = Facts.of(decisions, key, local="").edges
    direct: dict[str, list[str]] = {}
    for (kind, narrow, broad), verdict in edges.items():
        if verdict.holds and kind in ("subclass_of", "equivalent_to"):
            direct.setdefault(narrow, []).append(broad)
        if verdict.holds and kind == "equivalent_to":
            direct.setdefault(broad, []).append(narrow)

    def above(iri: str) -> set[str]:
        return reachable(iri, lambda node: direct.get(node, ()))

    keys = [key(label) for label in chosen]
    up = [above(k) for k in keys]
    known = [
        (1 << a, bits) for a, higher in enumerate(up)
        if (bits := sum(1 << b for b, k in enumerate(keys) if b != a and k in higher))
    ]  # fmt: skip
    examples = [
        (keys[a] != narrow or keys[b] != broad, Example(_name(v.decision), 1 << a, 1 << b))
        for (kind, narrow, broad), v in edges.items() if kind == "subclass_of" and not v.holds
        for a, k in enumerate(keys) if k in above(narrow)
        for b in range(len(keys)) if broad in up[b]
    ]  # fmt: skip
    return tuple(known), tuple(example for _, example in sorted(examples, key=itemgetter(0)))


def _name(decision: Decision) -> str:
    return f"{decision.id}: {decision.term}, not {decision.old or decision.value}"
