"""Rules about the shape of the hierarchy: cycles, roots, loose classes, chains, wide families."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ontology.lint.facts import Edge, Facts, components
from ontology.lint.finding import Severity
from ontology.lint.registry import Limits, Spot, rule

Found = Iterator[Spot]
SHOWN = 6
"""Maximum number of names in a reason; further ones are counted."""


def some(facts: Facts, iris: Iterable[str], separator: str = ", ") -> str:
    """Return the first names of some classes, and the number of further ones.

    Args:
        facts: the facts.
        iris: IRIs of the classes.
        separator: text between names.
    """
    names = [facts.label(iri) for iri in iris]
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return separator.join(names[:SHOWN]) + more


def tangled(facts: Facts, kind: str) -> list[list[str]]:
    """Return strongly connected sets of two or more classes along edges of one kind, each in the order of its IRIs.

    Equivalent classes are one class here only if they are on the cycle themselves.

    Args:
        facts: the facts.
        kind: kind of edges.
    """
    names = [c.iri for c in facts.classes]
    index = {iri: i for i, iri in enumerate(names)}
    pairs = [(index[e.source], index[e.target]) for e in facts.hanging if e.kind == kind]
    if not pairs:
        return []
    ends = np.array(pairs).T
    graph = csr_array((np.ones(len(pairs)), (ends[0], ends[1])), shape=(len(names), len(names)))
    _, label = connected_components(graph, directed=True, connection="strong")
    groups: dict[int, list[str]] = defaultdict(list)
    for iri, group in zip(names, label.tolist(), strict=True):
        groups[group].append(iri)
    return sorted(group for group in groups.values() if len(group) > 1)


def loop(facts: Facts, group: Sequence[str], kind: str) -> list[str]:
    """Return a shortest cycle through the first class of a strongly connected set, that class at both ends.

    Args:
        facts: the facts.
        group: the set.
        kind: kind of edges.
    """
    inside, start = set(group), group[0]
    above: dict[str, list[str]] = defaultdict(list)
    for e in facts.hanging:
        if e.kind == kind and e.source in inside and e.target in inside:
            above[e.source].append(e.target)
    came: dict[str, str] = {}
    row = [start]
    while row and start not in came:
        following = []
        for iri in row:
            for target in sorted(above[iri]):
                if target not in came:
                    came[target] = iri
                    following.append(target)
        row = following
    path = [start, came[start]]
    while path[-1] != start:
        path.append(came[path[-1]])
    return path[::-1]


@rule("OC001", "cycle", "error")
def cycle(facts: Facts, _limits: Limits) -> Found:
    """Classes are above themselves.

    On a cycle of subclass edges all classes mean the same, and nothing is general or special any more; on a
    cycle of part-of edges a thing is a part of itself, on one of skos:broader concepts are broader than themselves.
    No depth, no tree and no weight can be computed.

    Example: 洪水 subclass of 水灾, 水灾 subclass of 洪水
    Mend: remove the weakest of these edges, or state that the classes are equivalent
    """
    for kind in ("subclass_of", "part_of"):
        for group in tangled(facts, kind):
            on_it = set(group)
            edges = [e for e in facts.hanging if e.kind == kind and on_it.issuperset((e.source, e.target))]
            name = "skos:broader" if any(e.broader for e in edges) else kind
            way = some(facts, loop(facts, group, kind), " > ")
            tangle = f" ({len(group)} classes are tangled)" if len(group) > 2 else ""
            yield Spot(group[0], f"cycle of {name} edges: {way}{tangle}")


def _loose(facts: Facts) -> set[str]:
    """Return the classes without an edge of the hierarchy, of their own or of an equivalent class."""
    touched = {end for e in facts.hanging for end in (e.source, e.target)}
    same = {iri for pair in facts.equivalents if pair & touched for iri in pair}
    return {c.iri for c in facts.classes} - touched - same


def _mild(facts: Facts, iri: str) -> Severity | None:
    """Return the severity "info" if an import may resolve the problem."""
    return "info" if facts.is_foreign(iri) else None


@rule("OC002", "orphan", "warning")
def orphan(facts: Facts, _limits: Limits) -> Found:
    """A class hangs nowhere.

    A class without a superclass, a whole, a subclass or a part is out of reach: nobody who goes down from the
    root finds it, and its topic weight is nought.

    Example: 贺兰山 is declared, and no edge names it
    Mend: put it under the class that it is a kind of, or delete it
    """
    if len(facts.classes) > 1:
        for iri in sorted(_loose(facts) - {facts.root}):
            yield Spot(iri, "no superclass, no subclass, no whole and no part", _mild(facts, iri))


def tops(facts: Facts) -> list[str]:
    """Return the classes with something below and nothing above, those with the most classes below first."""
    hanging = facts.hanging
    below = {e.source for e in hanging}
    same = {iri for pair in facts.equivalents if pair & below for iri in pair}
    roots = {e.target for e in hanging} - below - same
    return sorted(roots, key=lambda iri: (iri != facts.root, -len(_under(hanging, iri)), iri))


def _under(hanging: Sequence[Edge], top: str) -> set[str]:
    lower: dict[str, list[str]] = defaultdict(list)
    for e in hanging:
        lower[e.target].append(e.source)
    reached: set[str] = set()
    stack = [top]
    while stack:
        for iri in lower[stack.pop()]:
            if iri not in reached:
                reached.add(iri)
                stack.append(iri)
    return reached


@rule("OC003", "several-roots", "warning")
def several_roots(facts: Facts, _limits: Limits) -> Found:
    """More than one top class.

    The ontology of a topic has one root, to which every class has a path; similarity and weights are measured
    from there. A second top with its family is another ontology, or lacks an edge.

    Example: 暴雨灾害 is the root, and 台风 with four subclasses has no superclass
    Mend: put it under the root, or move it with its subclasses into an ontology of its own
    """
    roots = tops(facts)
    hanging = facts.hanging
    for iri in roots[1:] if roots and (facts.root in (None, roots[0])) else roots:
        main = facts.root or roots[0]
        if iri != main:
            yield Spot(iri, f"nothing is above it, {len(_under(hanging, iri))} classes are below; "
                       f"the root is {facts.label(main)}", _mild(facts, iri))  # fmt: skip


@rule("OC010", "single-child-chain", "info")
def single_child_chain(facts: Facts, limits: Limits) -> Found:
    """A chain of only children.

    A class with one subclass, which has one subclass again, divides nothing: either siblings are missing, or a
    level says nothing.

    Example: 灾害 > 气象灾害 > 暴雨灾害, with nothing else at either step
    Mend: add the missing siblings, or leave out the levels between
    """
    only = {iri: below[0] for iri, below in facts.children.items() if len(below) == 1}
    continued = {child for child in only.values() if child in only}
    for iri in sorted(only):
        if iri in continued and any(parent in only for parent in facts.parents[iri]):
            continue  # within a chain that is told at its top
        chain = [iri]
        while chain[-1] in only and only[chain[-1]] not in chain:
            chain.append(only[chain[-1]])
        if len(chain) > limits.chain:
            yield Spot(iri, f"chain of {len(chain) - 1} only children: {some(facts, chain, ' > ')}")


@rule("OC011", "over-wide-siblings", "warning")
def over_wide_siblings(facts: Facts, limits: Limits) -> Found:
    """Too many direct subclasses.

    Nobody surveys dozens of siblings, and a class with so many direct subclasses has not been divided: a level
    between is missing. In a learned ontology it is the terms for which no broader one was found.

    Example: 暴雨灾害 with 130 direct subclasses
    Mend: group the subclasses under classes between, or strike out those that are no kinds of it
    """
    for iri, below in facts.children.items():
        if len(below) > limits.siblings:
            yield Spot(iri, f"{len(below)} direct subclasses, the limit is {limits.siblings}: "
                       f"{some(facts, sorted(below))}")  # fmt: skip


@rule("OC012", "many-superclasses", "info")
def many_superclasses(facts: Facts, limits: Limits) -> Found:
    """Too many direct superclasses.

    A class that is a kind of five things at once is rare; more often the edges come from words that occur
    together (trap T11b).

    Example: 滑坡 under 天气监测, 水利工程, 城市内涝, 洪水 and 灾害
    Mend: keep the superclasses that it is truly a kind of
    """
    for iri, above in facts.parents.items():
        if len(above) > limits.parents:
            yield Spot(iri, f"{len(above)} direct superclasses, the limit is {limits.parents}: {some(facts, above)}")


@rule("OC013", "unconnected-part", "warning")
def unconnected_part(facts: Facts, _limits: Limits) -> Found:
    """A part that nothing connects with the rest.

    Classes that hang together and touch nothing else are a second ontology in the same file; no path, and so no
    similarity, leads across.

    Example: 台风 and 台风眼, joined with each other only
    Mend: add the relation that joins them to the rest, or move them into an ontology of their own
    """
    parts = components(facts.classes, facts.edges)
    main = next((part for part in parts if facts.root in part), parts[0] if parts else set())
    for part in parts:
        if part is not main and len(part) > 1:
            names = some(facts, sorted(part))
            yield Spot(min(part), f"{len(part)} classes without any relation to the others: {names}")
