"""Normalisation of a foreign hierarchy: no cycles, one root."""

from __future__ import annotations

from ontology.model import RelationKind

Edge = tuple[str, RelationKind, str, str]
"""Source, kind, target, evidence."""


def without_cycles(edges: list[Edge]) -> tuple[list[Edge], list[tuple[str, ...]]]:
    """Replace each cycle of subclasses by equivalences; return the edges and the cycles, first = last.

    Classes on a cycle of rdfs:subClassOf, which is transitive, are the same; a subclass edge between equivalent classes
    is redundant and dropped. Equivalences count as edges in both directions.

    >>> edges = [("a", "subclass_of", "b", ""), ("b", "subclass_of", "a", "")]
    >>> [edge[:3] for edge in without_cycles(edges)[0]]
    [('a', 'equivalent_to', 'b')]
    """
    taxonomy = [e for e in edges if e[1] in ("subclass_of", "equivalent_to")]
    names = sorted({name for e in taxonomy for name in (e[0], e[2])})
    group = _groups(names, taxonomy)
    inner = {e for e in taxonomy if e[1] == "subclass_of" and group[e[0]] == group[e[2]]}
    declared = _joined(names, taxonomy)
    kept = [e for e in edges if e not in inner]
    cycles = []
    for number in sorted({group[e[0]] for e in inner}):
        members = [name for name in names if group[name] == number]
        leaders = sorted({declared[name] for name in members})
        if len(leaders) > 1:
            cycles.append(_cycle_through(members[0], [e for e in taxonomy if group[e[0]] == number == group[e[2]]]))
            kept += [(leaders[0], "equivalent_to", other, "cycle of subclasses") for other in leaders[1:]]
    return kept, cycles


def _groups(names: list[str], taxonomy: list[Edge]) -> dict[str, int]:
    """Return name -> number of its strongly connected component."""
    import numpy as np  # a fifth of a second, for commands that only need the names of this package
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if not names:
        return {}
    number = {name: i for i, name in enumerate(names)}
    pairs = [(number[s], number[t]) for s, _, t, _ in taxonomy]
    pairs += [(number[t], number[s]) for s, kind, t, _ in taxonomy if kind == "equivalent_to"]
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    matrix = csr_array((np.ones(len(pairs), dtype=np.int8), (rows, columns)), shape=(len(names), len(names)))
    _, label = connected_components(matrix, directed=True, connection="strong")
    return dict(zip(names, label.tolist(), strict=True))


def _joined(names: list[str], taxonomy: list[Edge]) -> dict[str, str]:
    """Return name -> smallest name that declared equivalences join it with."""
    leader = dict(zip(names, names, strict=True))

    def find(name: str) -> str:
        while leader[name] != name:
            leader[name] = leader[leader[name]]
            name = leader[name]
        return name

    for source, kind, target, _ in taxonomy:
        if kind == "equivalent_to":
            one, other = sorted((find(source), find(target)))
            leader[other] = one
    return {name: find(name) for name in names}


def _cycle_through(start: str, inside: list[Edge]) -> tuple[str, ...]:
    """Return a path from a class over edges of its component back to a class on the path; first = last."""
    above: dict[str, list[str]] = {}
    for source, kind, target, _ in sorted(inside):
        above.setdefault(source, []).append(target)
        if kind == "equivalent_to":
            above.setdefault(target, []).append(source)
    before = dict.fromkeys(above[start], start)
    waiting = sorted(before)
    for name in waiting:  # breadth first, so that the path is a shortest one
        for other in above[name]:
            if other not in before:
                before[other] = name
                waiting.append(other)
    way = [start, before[start]]
    while way[-1] != start:
        way.append(before[way[-1]])
    return tuple(reversed(way))


def rooted(names: list[str], edges: list[Edge], virtual: str) -> tuple[str, list[Edge]]:
    """Return the root, and edges to a virtual root if there are several; equivalent classes count as one.

    Args:
        names: IRIs of the classes.
        edges: edges without cycles.
        virtual: IRI of the virtual root.

    >>> rooted(["a", "b"], [("b", "subclass_of", "a", "")], "root")
    ('a', [])
    """
    taxonomy = [e for e in edges if e[1] in ("subclass_of", "equivalent_to")]
    leader = _joined(names, taxonomy)
    below = {leader[s] for s, kind, _, _ in taxonomy if kind == "subclass_of"}
    tops = [name for name in names if leader[name] not in below]
    if len({leader[name] for name in tops}) == 1:
        return min(tops), []
    return virtual, [(name, "subclass_of", virtual, "virtual root") for name in tops]
