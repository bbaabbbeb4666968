"""Input of the linter: the classes, names and edges of an ontology as stated, valid or not.

`Ontology` guarantees one root and declared ends; `Facts` guarantees nothing, so that rules can report violations. Facts
are derived from an `Ontology` (here) or from the triples of a file (triples.py).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ontology.model import Concept, Ontology, OtherText, Statement, rank
from ontology.terms.wordforms import fold

UPWARD = ("subclass_of", "part_of")
"""Kinds of edges of the hierarchy."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text with its language tag as the file has it; ``""`` if it has none."""

    language: str
    value: str

    @property
    def primary(self) -> str:
        """The language without script and region: zh of zh-Hant."""
        return self.language.partition("-")[0].lower()


@dataclass(frozen=True, slots=True)
class Class:
    """A class as stated: any number of labels, other names and definitions, in any language."""

    iri: str
    labels: tuple[Text, ...] = ()
    others: tuple[Text, ...] = ()
    definitions: tuple[Text, ...] = ()

    @property
    def name(self) -> str:
        """Name for messages: the Chinese label, or else the English one, any other, or the end of its IRI."""
        order = {"zh": 0, "en": 1}
        ranked = sorted(
            (t for t in self.labels if t.value.strip()),
            key=lambda t: (order.get(t.primary, 2), rank(OtherText("label", t.language, t.value))),
        )
        return ranked[0].value.strip() if ranked else local_part(self.iri)


@dataclass(frozen=True, slots=True)
class Edge(Statement[str]):
    """A stated relation. ``kind`` is one of the model's kinds, or the IRI of another property."""

    broader: bool = False
    """Whether skos:broader or skos:narrower states it, which do not say that every one is the other."""


@dataclass(frozen=True)
class Facts:
    """Everything stated about one ontology.

    Attributes:
        name: the file, or the ontology's IRI; for messages.
        iri: the ontology's IRI; ``name`` if there is none.
        headers: IRIs of all owl:Ontology headers.
        root: the declared root, if any.
        missing: the missing ones of title, version and licence.
        imports: IRIs of imported ontologies; they are never fetched.
        classes: in order of their IRIs.
        edges: in stated order; a repeated edge occurs twice.
        undeclared_properties: undeclared property -> IRIs of the classes that use it.
        loose_notes: (source, property, target) of annotated axioms that are not stated.
    """

    name: str
    iri: str
    headers: tuple[str, ...]
    root: str | None
    classes: tuple[Class, ...]
    edges: tuple[Edge, ...]
    missing: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    undeclared_properties: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    loose_notes: tuple[tuple[str, str, str], ...] = ()

    @cached_property
    def by_iri(self) -> dict[str, Class]:
        """IRI -> class."""
        return {c.iri: c for c in self.classes}

    def label(self, iri: str) -> str:
        """Return the name of a class for messages, declared or not."""
        declared = self.by_iri.get(iri)
        return declared.name if declared else local_part(iri)

    def is_foreign(self, iri: str) -> bool:
        """Return whether a class has no label here, and an import (never fetched) may declare it."""
        declared = self.by_iri.get(iri)
        return bool(self.imports) and (declared is None or not declared.labels)

    @cached_property
    def hanging(self) -> tuple[Edge, ...]:
        """Subclass and part-of edges between two different declared classes."""
        known = self.by_iri
        return tuple(
            e for e in self.edges
            if e.kind in UPWARD and e.source != e.target and e.source in known and e.target in known
        )  # fmt: skip

    @cached_property
    def parents(self) -> dict[str, tuple[str, ...]]:
        """Class -> its declared direct superclasses, without repetition."""
        return self._neighbours("source", "target")

    @cached_property
    def children(self) -> dict[str, tuple[str, ...]]:
        """Class -> its declared direct subclasses, without repetition."""
        return self._neighbours("target", "source")

    def _neighbours(self, end: str, other: str) -> dict[str, tuple[str, ...]]:
        near_of: dict[str, dict[str, None]] = {c.iri: {} for c in self.classes}
        for e in self.hanging:
            if e.kind == "subclass_of":
                near_of[getattr(e, end)][getattr(e, other)] = None
        return {iri: tuple(near) for iri, near in near_of.items()}

    @cached_property
    def equivalents(self) -> frozenset[frozenset[str]]:
        """Pairs of classes that are stated to be equivalent."""
        return frozenset(frozenset((e.source, e.target)) for e in self.edges if e.kind == "equivalent_to")

    @cached_property
    def languages(self) -> frozenset[str]:
        """Languages of at least one label."""
        return frozenset(t.primary for c in self.classes for t in c.labels)


def local_part(iri: str) -> str:
    """Return the end of an IRI after its last # or /."""
    return re.split(r"[#/]", iri.rstrip("#/"))[-1] or iri


def folded(text: str) -> str:
    """Return a text for comparison: folded (`ontology.terms.wordforms.fold`), with single blanks.

    >>> folded(" ＷＲＦ  Model ")
    'wrf model'
    """
    return " ".join(fold(text).split())


def facts_of(ontology: Ontology) -> Facts:
    """Return the facts of an ontology."""
    lacks = {
        "title": not (ontology.title_zh or ontology.title_en),
        "version": not ontology.version,
        "licence": not ontology.licence,
    }
    return Facts(
        name=ontology.iri,
        iri=ontology.iri,
        headers=(ontology.iri,),
        root=ontology.root,
        classes=tuple(sorted(map(_class, ontology.concepts), key=lambda c: c.iri)),
        edges=tuple(
            Edge(r.source, r.kind, r.target, r.support, r.confidence, r.evidence) for r in ontology.relations
        ),
        missing=tuple(name for name, absent in lacks.items() if absent),
    )  # fmt: skip


def _class(concept: Concept) -> Class:
    def texts(zh: tuple[str | None, ...], en: tuple[str | None, ...]) -> tuple[Text, ...]:
        return (*(Text("zh", t) for t in zh if t), *(Text("en", t) for t in en if t))

    return Class(
        concept.iri,
        texts((concept.label_zh,), (concept.label_en,)),
        texts(concept.alt_zh, concept.alt_en),
        texts((concept.definition,), (concept.definition_en,)),
    )


def components(classes: tuple[Class, ...], edges: tuple[Edge, ...]) -> list[set[str]]:
    """Return the sets of classes that edges of any kind connect, the largest first.

    Args:
        classes: the classes.
        edges: the edges; ends that are no classes are ignored.
    """
    near: dict[str, set[str]] = defaultdict(set)
    known = {c.iri for c in classes}
    for e in edges:
        if e.source in known and e.target in known:
            near[e.source].add(e.target)
            near[e.target].add(e.source)
    left, parts = dict.fromkeys(c.iri for c in classes), []
    while left:
        stack, part = [next(iter(left))], set()
        while stack:
            iri = stack.pop()
            if iri not in part:
                part.add(iri)
                left.pop(iri, None)
                stack += near[iri] - part
        parts.append(part)
    return sorted(parts, key=lambda p: (-len(p), min(p)))
