"""Merge local ontologies into the global one: what agrees is joined, what does not is reported.

Source: paper 000 section 3 has one global and k local ontologies of a topic, each learned from other documents. How
they are merged is not published; this is a reconstruction. Concepts are the same if their IRIs are. A local ontology's
edges are added one by one, in their order (equivalences after all others), and a conflict is

* "reversed"    the local ontology has narrower and broader the other way round
* "cycle"       its edge would close a cycle over other edges, or leads up from the global root
* "label"       a concept has a label of another concept, in the same language, under another IRI
* "parents"     both place a concept, under different classes; the merged ontology has both places

Of the first two the local edge is left out; of the others nothing is left out. Nothing is resolved by guessing.

Cycles are those of `ontology.concept_graph`: of subclass-of and part-of edges, with equivalent concepts as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from ontology.hierarchy.topic_ontology import TOPIC_ROOT
from ontology.model import Concept, Ontology, OtherText, Relation, RelationKind
from ontology.reachable import reachable
from ontology.terms.wordforms import fold

ROOT_OF = "root of "
"""Prefix of the evidence of an edge from one root to another; the IRI of its ontology follows."""
ConflictKind = Literal["reversed", "cycle", "label", "parents"]
_VERBS: dict[RelationKind, str] = {
    "subclass_of": "is a", "part_of": "is part of", "equivalent_to": "is the same as", "causes": "may cause",
    "measured_by": "is measured by",
}  # fmt: skip
_UP: tuple[RelationKind, ...] = ("subclass_of", "part_of")
_UP_OR_SAME: tuple[RelationKind, ...] = (*_UP, "equivalent_to")


@dataclass(frozen=True, slots=True)
class Conflict:
    """One disagreement about a concept, with the statements of the merged and of the local ontology."""

    kind: ConflictKind
    local: str
    """IRI of the local ontology."""
    concept: str
    """Label of the concept."""
    ours: str
    theirs: str
    advice: str


@dataclass(frozen=True)
class Merged:
    """The merged ontology and the conflicts, in the order in which they were found."""

    ontology: Ontology
    conflicts: tuple[Conflict, ...]


def merge(whole: Ontology, locals_: Sequence[Ontology]) -> Merged:
    """Merge local ontologies into a global one; the global one's header, root and edges stay.

    A local root that the global ontology lacks becomes a class below the global root. A learned edge to the local
    root ("topic root": no broader class was found) is left out if the merged ontology has a place for the concept.
    Relations that both have keep the global one's figures. A concept all of whose edges to broader classes are left out
    becomes a child of the global root, with the evidence "topic root".

    Args:
        whole: the global ontology, without a cycle of subclass-of and part-of edges.
        locals_: the local ontologies, in the order they are to be merged in.

    Returns:
        The merged ontology and the conflicts. It has no cycle. If every concept of each ontology leads to its root by
        subclass-of edges, and no such edge leads from the global root, then the same is true of the merged ontology.

    >>> disaster, flood, storm = (Concept(label, label) for label in ("disaster", "flood", "storm"))
    >>> whole = Ontology("w", "global", "t", "1", "disaster", (disaster, flood),
    ...                  (Relation("flood", "subclass_of", "disaster"),))
    >>> local = Ontology("l", "local", "t", "1", "flood", (flood, storm), (Relation("storm", "subclass_of", "flood"),))
    >>> merged = merge(whole, [local])
    >>> [(relation.source, relation.target) for relation in merged.ontology.relations]
    [('flood', 'disaster'), ('storm', 'flood')]
    >>> merged.conflicts
    ()
    """
    conflicts: list[Conflict] = []
    for local in locals_:
        merging = _Merging(whole, local)
        whole = merging.merged()
        conflicts += merging.conflicts
    return Merged(whole, tuple(conflicts))


class _Merging:
    """The merging of one local ontology into the global one.

    Args:
        whole: the global ontology.
        local: the local one.
    """

    def __init__(self, whole: Ontology, local: Ontology) -> None:
        self.whole, self.local = whole, local
        self.conflicts = list(_labels(whole, local))
        self._names = {**{c.iri: c.label for c in local.concepts}, **{c.iri: c.label for c in whole.concepts}}
        self._edges = _Edges(whole.relations)
        self._root_class = self._edges.equivalents(whole.root)
        self._relations = {(r.kind, r.source, r.target): r for r in whole.relations}

    def merged(self) -> Ontology:
        """Merge and return the result; `conflicts` is complete afterwards."""
        for r in _hung(self.whole, self.local):
            if r.kind != "equivalent_to":
                self._take(r)
        for iri in self._unplaced():
            self._take(Relation(iri, "subclass_of", self.whole.root, evidence=TOPIC_ROOT))
        for r in self.local.edges("equivalent_to"):
            self._take(r)
        concepts = {c.iri: c for c in self.whole.concepts}
        for c in self.local.concepts:
            concepts[c.iri] = _united(concepts[c.iri], c) if c.iri in concepts else c
        relations = tuple(r for r in self._relations.values() if not self._gives_way(r))
        return replace(
            self.whole, concepts=tuple(concepts.values()), relations=relations, deprecated=self._deprecated(concepts)
        )

    def _deprecated(self, live: Mapping[str, Concept]) -> tuple[Concept, ...]:
        """Return the deprecated classes of both; what is live in either is none."""
        gone = {c.iri: c for c in (*self.local.deprecated, *self.whole.deprecated)}
        return tuple(c for c in gone.values() if c.iri not in live)

    def _take(self, r: Relation) -> None:
        """Add a relation, or the conflict that keeps it out, or both."""
        key = (r.kind, r.source, r.target)
        placed = r.source == self.whole.root or self._edges.parents(r.source)
        if key in self._relations or (_is_stopgap(r, self.local.root) and placed):
            return
        conflict = self._contradiction(r)
        if conflict is None:
            conflict = self._other_place(r)
            self._relations[key] = r
            self._edges.add(r)
        if conflict is not None:
            self.conflicts.append(conflict)

    def _contradiction(self, r: Relation) -> Conflict | None:
        """Return the conflict of an edge that can't be in the merged ontology."""
        names, child = self._names, self._names[r.source]
        theirs = _sentence(names, r.source, r.kind, r.target)
        if r.kind in _UP and r.source != r.target and r.source in self._edges.targets(r.target, r.kind):
            ours = _sentence(names, r.target, r.kind, r.source)
            advice = "leave one of the two edges out, or declare the classes equivalent"
            return Conflict("reversed", self.local.iri, child, ours, theirs, advice)
        way = self._edges.closing(r)
        if not way and not self._leaves_root(r):
            return None
        ours = self._edges.sentence(way, names) if way else f"{names[self.whole.root]} is the root"
        return Conflict("cycle", self.local.iri, child, ours, theirs, "leave one of these edges out")

    def _leaves_root(self, r: Relation) -> bool:
        """Return whether an edge leads up from the global root: to a class that is below it, or will be."""
        outside = r.source in self._root_class and r.target not in self._root_class
        return r.kind in _UP and (outside or r.source == self.whole.root)

    def _other_place(self, r: Relation) -> Conflict | None:
        """Return the conflict of an edge that places a concept of the global ontology elsewhere."""
        roots = (self.whole.root, self.local.root)
        before = set(self.whole.parents.get(r.source, ())) - set(roots)
        if r.kind != "subclass_of" or not before or r.target in roots or self._edges.related(r.target, before):
            return None
        child = self._names[r.source]
        ours = f"{child} is a {', '.join(sorted(self._names[iri] for iri in before))}"
        theirs = _sentence(self._names, r.source, r.kind, r.target)
        advice = "both are kept; strike out the one that is no kind of it"
        return Conflict("parents", self.local.iri, child, ours, theirs, advice)

    def _unplaced(self) -> list[str]:
        """Return the concepts with a broader class in the local ontology and none in the merged one."""
        placed = (iri for iri, parents in self.local.parents.items() if parents and iri != self.whole.root)
        return [iri for iri in placed if not self._edges.parents(iri)]

    def _gives_way(self, r: Relation) -> bool:
        """Return whether an edge is a stopgap of a concept that has another place."""
        return _is_stopgap(r, self.whole.root) and len(self._edges.parents(r.source)) > 1


def _hung(whole: Ontology, local: Ontology) -> list[Relation]:
    """Return the local relations, with an edge from the local root to the global one if it has no place there."""
    if local.root == whole.root or whole.parents.get(local.root):
        return list(local.relations)
    root = Relation(local.root, "subclass_of", whole.root, evidence=f"{ROOT_OF}{local.iri}")
    return [root, *local.relations]


def _is_stopgap(r: Relation, root: str) -> bool:
    """Return whether an edge only states that no broader class was found."""
    return r.kind == "subclass_of" and r.target == root and r.evidence.split("; ")[0] == TOPIC_ROOT


class _Edges:
    """The subclass-of and part-of edges and the equivalences of the merged ontology so far.

    Args:
        relations: the relations to begin with; those of other kinds are ignored.
    """

    def __init__(self, relations: Iterable[Relation]) -> None:
        self._targets: dict[RelationKind, dict[str, set[str]]] = {kind: {} for kind in _UP_OR_SAME}
        for r in relations:
            self.add(r)

    def add(self, r: Relation) -> None:
        """Add a relation; other kinds are ignored."""
        if r.kind in self._targets:
            self._targets[r.kind].setdefault(r.source, set()).add(r.target)
        if r.kind == "equivalent_to":
            self._targets[r.kind].setdefault(r.target, set()).add(r.source)

    def targets(self, iri: str, *kinds: RelationKind) -> set[str]:
        """Return the concepts that the edges of some kinds lead to from a concept."""
        return {target for kind in kinds for target in self._targets[kind].get(iri, ())}

    def parents(self, iri: str) -> set[str]:
        """Return the direct superclasses of a concept."""
        return self.targets(iri, "subclass_of")

    def equivalents(self, iri: str) -> set[str]:
        """Return the concept and those equivalent to it."""
        return reachable(iri, lambda one: self.targets(one, "equivalent_to"))

    def path(self, start: str, end: str, *kinds: RelationKind) -> tuple[str, ...]:
        """Return a shortest path from one concept to another, both included; empty if there is none."""
        waiting: list[tuple[str, ...]] = [(start,)]
        seen = {start}
        for way in waiting:
            for target in sorted(self.targets(way[-1], *kinds)):
                if target == end:
                    return (*way, target)
                if target not in seen:
                    seen.add(target)
                    waiting.append((*way, target))
        return ()

    def related(self, parent: str, before: set[str]) -> bool:
        """Return whether a new superclass is above or below one that the concept has: then the two agree."""
        pairs = [(parent, b) for b in before] + [(b, parent) for b in before]
        return parent in before or any(self.path(*pair, "subclass_of") for pair in pairs)

    def closing(self, r: Relation) -> tuple[str, ...]:
        """Return the path that a new relation would close to a cycle; empty if it closes none."""
        if r.kind == "equivalent_to":
            return self._detour(r.source, r.target) or self._detour(r.target, r.source)
        if r.kind not in _UP:
            return ()
        if r.source == r.target:
            return (r.source,)
        within_class = r.target in self.equivalents(r.source)  # equivalences alone are no path up
        return self.path(r.target, r.source, *(_UP if within_class else _UP_OR_SAME))

    def _detour(self, start: str, end: str) -> tuple[str, ...]:
        """Return a path up from one concept to another over one equivalent to neither; empty if there is none."""
        same = self.equivalents(start)
        for first in sorted(same):
            for above in sorted(self.targets(first, *_UP) - same - self.equivalents(end)):
                way = self.path(above, end, *_UP_OR_SAME)
                if way:
                    return (first, *way)
        return ()

    def sentence(self, way: Sequence[str], names: Mapping[str, str]) -> str:
        """Describe a path in words, each edge with its verb."""
        words = [names[iri] for iri in way[:1]]
        for one, above in pairwise(way):
            kind = next(kind for kind in _UP_OR_SAME if above in self.targets(one, kind))
            words += [_VERBS[kind], names[above]]
        return " ".join(words)


def _sentence(names: Mapping[str, str], source: str, kind: RelationKind, target: str) -> str:
    return f"{names[source]} {_VERBS[kind]} {names[target]}"


def _labels(whole: Ontology, local: Ontology) -> Iterable[Conflict]:
    ours = {form: c for c in whole.concepts for form in _label_forms(c)}
    for c in local.concepts:
        for form in _label_forms(c):
            other = ours.get(form)
            if other is not None and other.iri != c.iri:
                advice = "give one of them another label, or use one IRI for both"
                name, known = (c.label_zh, other.label_zh) if form[0] == "zh" else (form[1], form[1])
                yield Conflict("label", local.iri, name, f"{known} is {other.iri}", f"{name} is {c.iri}", advice)


def _label_forms(c: Concept) -> tuple[tuple[str, str], ...]:
    pairs = (("zh", fold(c.label_zh)), ("en", (c.label_en or "").casefold()))
    return tuple(pair for pair in pairs if pair[1])


def _further(known: Iterable[OtherText], more: Iterable[OtherText]) -> Iterator[OtherText]:
    """Yield the second concept's texts in other languages; a second label becomes a synonym, a definition gives way."""
    taken = {(text.role, text.language) for text in known if text.role != "synonym"}
    for text in more:
        if (text.role, text.language) not in taken:
            yield text
        elif text.role == "label":
            yield replace(text, role="synonym")


def _united(a: Concept, b: Concept) -> Concept:
    """Return the first concept, completed from the second; with the other labels of both."""
    zh = (*a.alt_zh, b.label_zh, *b.alt_zh)
    en = (*a.alt_en, *([b.label_en] if b.label_en else []), *b.alt_en)
    label_zh, label_en = a.label_zh or b.label_zh, a.label_en or b.label_en
    return replace(
        a,
        label_zh=label_zh,
        label_en=label_en,
        alt_zh=tuple(dict.fromkeys(f for f in zh if f and f != label_zh)),
        alt_en=tuple(dict.fromkeys(f for f in en if f != label_en)),
        definition=a.definition or b.definition,
        definition_en=a.definition_en or b.definition_en,
        texts=tuple(dict.fromkeys((*a.texts, *_further(a.texts, b.texts)))),
        xrefs=tuple(dict.fromkeys((*a.xrefs, *b.xrefs))),
        scopes=tuple(dict.fromkeys((*a.scopes, *b.scopes))),
        candidates=tuple(dict.fromkeys((*a.candidates, *b.candidates))),
    )
