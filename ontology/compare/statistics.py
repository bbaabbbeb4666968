"""Statistics of one ontology: its size, its shape, and the data of its concepts and relations.

The shape is that of the class hierarchy, of subclass-of relations only, with equivalent concepts as one class. For
depths, classes on a cycle are one too, so that every ontology has a depth. DEFINITIONS defines every figure.
Inheritance and relationship richness: Tartir, Arpinar, Moore, Sheth and Aleman-Meza 2005, "OntoQA: metric-based
ontology quality analysis".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from ontology.model import Ontology, RelationKind

Edges = set[tuple[int, int]]

DEFINITIONS: Mapping[str, str] = {
    "concepts": "concepts of the ontology, equivalent ones counted each",
    "classes": "groups of equivalent concepts; the nodes of the class hierarchy",
    "roots": "classes without a superclass",
    "leaves": "classes without a subclass",
    "isolated": "concepts that no relation of any kind names",
    "cycles": "groups of classes that are subclasses of each other",
    "depth": "classes on the longest way from a root down, the root counted as 1",
    "mean_depth": "mean over the classes of the longest way down to each",
    "levels": "classes at each depth, from 1",
    "mean_branching": "direct subclasses, mean over the classes that have any",
    "max_branching": "direct subclasses of the class that has most",
    "multiple_parents": "classes with more than one direct superclass",
    "tangledness": "multiple_parents / classes",
    "inheritance_richness": "subclass-of edges / classes (OntoQA, 2005)",
    "relationship_richness": "other relations / (other relations + subclass-of edges) (OntoQA, 2005)",
    "labels": "concepts with a label, by language",
    "synonyms": "other names of all concepts, by language",
    "definitions": "concepts with a definition, by language",
    "relations": "relations, by kind",
    "evidence": "relations by what made them; one made by several rules counts for each",
    "with_support": "relations with a number of documents",
    "with_documents": "relations with ids of documents",
    "with_sentence": "relations with a sentence",
}
"""Definition of each figure of Statistics."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of an ontology, defined in DEFINITIONS. Concepts are named by IRI, a class by its smallest one."""

    concepts: int
    classes: int
    roots: tuple[str, ...]
    leaves: int
    isolated: tuple[str, ...]
    cycles: tuple[tuple[str, ...], ...]
    depth: int
    mean_depth: float
    levels: tuple[int, ...]
    mean_branching: float
    max_branching: int
    multiple_parents: int
    tangledness: float
    inheritance_richness: float
    relationship_richness: float
    labels: Mapping[str, int]
    synonyms: Mapping[str, int]
    definitions: Mapping[str, int]
    relations: Mapping[str, int]
    evidence: Mapping[str, int]
    """Most frequent first; relations without evidence are under an empty name."""
    with_support: int
    with_documents: int
    with_sentence: int


def statistics(ontology: Ontology) -> Statistics:
    """Compute the statistics of an ontology, with or without cycles."""
    members, edges = _classes(ontology)
    names = [ontology.concepts[min(group, key=lambda i: ontology.concepts[i].iri)].iri for group in members]
    parents, children = Counter(c for c, _ in edges), Counter(p for _, p in edges)
    k, inner = len(names), len(children)
    depth, cycles = _depths(k, edges)
    kinds = Counter(r.kind for r in ontology.relations)
    named = {iri for r in ontology.relations for iri in (r.source, r.target)}
    other = len(ontology.relations) - kinds["subclass_of"]
    tangled = sum(count > 1 for count in parents.values())
    return Statistics(
        concepts=len(ontology.concepts),
        classes=k,
        roots=tuple(sorted(names[c] for c in range(k) if not parents[c])),
        leaves=k - inner,
        isolated=tuple(sorted(c.iri for c in ontology.concepts if c.iri not in named)),
        cycles=tuple(sorted(tuple(sorted(names[c] for c in cycle)) for cycle in cycles)),
        depth=int(depth.max()),
        mean_depth=float(depth.mean()),
        levels=tuple(np.bincount(depth)[1:].tolist()),
        mean_branching=len(edges) / inner if inner else 0.0,
        max_branching=max(children.values(), default=0),
        multiple_parents=tangled,
        tangledness=tangled / k,
        inheritance_richness=len(edges) / k,
        relationship_richness=other / (other + len(edges)) if other else 0.0,
        labels=_count_by_language(ontology, "label_zh", "label_en"),
        synonyms=_count_by_language(ontology, "alt_zh", "alt_en"),
        definitions=_count_by_language(ontology, "definition", "definition_en"),
        relations={kind: kinds[kind] for kind in get_args(RelationKind)},
        evidence=_evidence(r.evidence for r in ontology.relations),
        with_support=sum(r.support is not None for r in ontology.relations),
        with_documents=sum(bool(r.documents) for r in ontology.relations),
        with_sentence=sum(bool(r.sentence) for r in ontology.relations),
    )


def _classes(ontology: Ontology) -> tuple[list[list[int]], Edges]:
    """Return groups of equivalent concepts, by position, and edges (subclass, superclass) between different groups."""
    place = {c.iri: i for i, c in enumerate(ontology.concepts)}
    equal = [(place[r.source], place[r.target]) for r in ontology.edges("equivalent_to")]
    group = _components(len(place), equal, "weak")
    members: list[list[int]] = [[] for _ in range(int(group.max()) + 1)]
    for i, g in enumerate(group.tolist()):
        members[g].append(i)
    pairs = ((int(group[place[r.source]]), int(group[place[r.target]])) for r in ontology.edges("subclass_of"))
    return members, {(c, p) for c, p in pairs if c != p}


def _depths(k: int, edges: Edges) -> tuple[NDArray[np.int64], list[list[int]]]:
    """Return the depth of each class, with the classes on a cycle as one; and the cycles."""
    knot = _components(k, sorted(edges), "strong")
    untied = {(int(knot[c]), int(knot[p])) for c, p in edges}
    below: dict[int, list[int]] = {}
    waiting = Counter(c for c, p in untied if c != p)
    for c, p in untied:
        if c != p:
            below.setdefault(p, []).append(c)
    order = [n for n in range(int(knot.max()) + 1) if not waiting[n]]
    depth = np.ones(int(knot.max()) + 1, dtype=np.int64)
    for p in order:
        for c in below.get(p, ()):
            depth[c] = max(depth[c], depth[p] + 1)
            waiting[c] -= 1
            if not waiting[c]:
                order.append(c)
    tied = [n for n, size in enumerate(np.bincount(knot).tolist()) if size > 1]
    return depth[knot], [np.flatnonzero(knot == n).tolist() for n in tied]


def _components(k: int, edges: Iterable[tuple[int, int]], connection: Literal["weak", "strong"]) -> NDArray[np.int64]:
    """Return the number of the component of each of k nodes."""
    pairs = np.array(list(edges), dtype=np.int64).reshape(-1, 2)
    graph = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(k, k))
    _, component = connected_components(graph, directed=True, connection=connection)
    return np.asarray(component, dtype=np.int64)


def _count_by_language(ontology: Ontology, zh: str, en: str) -> dict[str, int]:
    """Count names by language: a label or definition counts 1, other names count each."""

    def count(name: str) -> int:
        values = (getattr(concept, name) for concept in ontology.concepts)
        return sum(len(value) if isinstance(value, tuple) else bool(value) for value in values)

    return {"zh": count(zh), "en": count(en)}


def _evidence(written: Iterable[str]) -> dict[str, int]:
    """Count relations for each rule; several rules of one relation are separated by semicolons or commas."""
    rules = Counter(rule for text in written for rule in sorted({part.strip() for part in re.split("[;,]", text)}))
    return dict(sorted(rules.items(), key=lambda pair: (-pair[1], pair[0])))
