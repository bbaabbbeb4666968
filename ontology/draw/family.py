"""Selection of an ontology's hierarchy for drawing: each class once, under its best parent; the rest as further links.

A hierarchy is a DAG of subclass and part-of edges. Every class is below the superclass whose edge has the most support,
or below a whole if it has no superclass; the other edges are drawn thin. Depth and minimum support cut branches, and
hidden classes are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from ontology.model import Concept, Ontology, Relation

Language = Literal["zh", "en", "both"]
UPWARD = ("subclass_of", "part_of")


def check_language(language: str) -> None:
    """Raise ValueError for a word that is no `Language`."""
    if language not in get_args(Language):
        raise ValueError(f"language {language!r}: expected one of {', '.join(get_args(Language))}")


@dataclass(frozen=True)
class Family:
    """Classes in the order of drawing, with the edges to their first and to further parents.

    Attributes:
        ontology: the ontology that is drawn.
        classes: IRIs of the classes that are drawn, parents before children, without repetition.
        first: class -> the edge to its first parent; absent for roots.
        extra: other upward edges with both ends drawn.
        level: class -> steps below its root, from 0.
        hidden: class -> number of classes below it that are not drawn.
    """

    ontology: Ontology
    classes: tuple[str, ...]
    first: Mapping[str, Relation]
    extra: tuple[Relation, ...]
    level: Mapping[str, int]
    hidden: Mapping[str, int]

    @cached_property
    def below(self) -> Mapping[str, tuple[str, ...]]:
        """Class -> classes directly below it, in order."""
        children: dict[str, list[str]] = {iri: [] for iri in self.classes}
        for iri in self.classes:
            if iri in self.first:
                children[self.first[iri].target].append(iri)
        return {iri: tuple(below) for iri, below in children.items()}

    def caption(self, language: Language) -> str:
        """Return how much of the ontology is in the picture."""
        all_classes, relations, shown = len(self.ontology.concepts), len(self.ontology.relations), len(self.classes)
        zh, en = f"{all_classes} 类，{relations} 个关系", f"{all_classes} classes, {relations} relations"
        if shown < all_classes:
            zh, en = f"{zh}，图中 {shown} 类", f"{en}; {shown} classes are drawn"
        titles = {"zh": self.ontology.title_zh, "en": self.ontology.title_en}
        root = self.ontology.by_iri[self.ontology.root]
        title = {
            "zh": titles["zh"] or titles["en"] or root.label,
            "en": titles["en"] or titles["zh"] or root.label_en or root.label,
        }
        captions = {
            "zh": f"{title['zh']} · {zh}",
            "en": f"{title['en']} · {en}",
            "both": f"{title['zh']} · {zh} · {en}",
        }
        return captions[language]


def family(ontology: Ontology, *, depth: int | None = None, min_support: int = 0) -> Family:
    """Select the classes and edges to draw.

    Args:
        ontology: the ontology; cycles and classes that the root does not reach are drawn too, at the end.
        depth: levels below the root, at least 1; None for all.
        min_support: edges with fewer documents are left out, and with them the classes that have no other parent; edges
            without a count were made by hand and are kept.

    Raises:
        ValueError: ``depth`` is not positive, or ``min_support`` negative.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"depth: expected 1 or more levels, found {depth}")
    if min_support < 0:
        raise ValueError(f"min_support: expected 0 or more documents, found {min_support}")
    upward = [r for r in ontology.relations if r.kind in UPWARD and r.source != r.target]
    strong = [r for r in upward if r.support is None or r.support >= min_support]
    dropped = _dropped(upward, strong, ontology.root)
    strong = [r for r in strong if r.source not in dropped and r.target not in dropped]
    first = _first(ontology, strong)
    below: dict[str, list[Relation]] = {}
    for relation in first.values():
        below.setdefault(relation.target, []).append(relation)
    number = {iri: len(children) for iri, children in below.items()}
    for children in below.values():
        children.sort(key=lambda r: (-number.get(r.source, 0), -(r.support or 0), r.source))
    order, level = _walk([c.iri for c in ontology.concepts if c.iri not in dropped], ontology.root, first, below)
    kept = [iri for iri in order if depth is None or level[iri] <= depth]
    shown = set(kept)
    return Family(
        ontology,
        tuple(kept),
        {iri: first[iri] for iri in kept if level[iri]},
        tuple(r for r in strong if r.source in shown and r.target in shown and _is_extra(r, first, level)),
        {iri: level[iri] for iri in kept},
        _hidden(kept, order, first, level),
    )


def _is_extra(relation: Relation, first: Mapping[str, Relation], level: Mapping[str, int]) -> bool:
    return not level[relation.source] or first[relation.source] != relation


def _first(ontology: Ontology, strong: list[Relation]) -> dict[str, Relation]:
    first: dict[str, Relation] = {}
    for relation in sorted(strong, key=lambda r: (r.source, r.kind != "subclass_of", -(r.support or 0), r.target)):
        if relation.source != ontology.root:
            first.setdefault(relation.source, relation)
    return first


def _dropped(upward: list[Relation], strong: list[Relation], root: str) -> set[str]:
    """Return the classes whose upward edges are all too weak, or lead to such classes only."""
    above: dict[str, set[str]] = {r.source: set() for r in upward if r.source != root}
    below: dict[str, list[str]] = {}
    for r in strong:
        if r.source != root:
            above[r.source].add(r.target)
            below.setdefault(r.target, []).append(r.source)
    dropped = {iri for iri, targets in above.items() if not targets}
    stack = sorted(dropped)
    while stack:
        for iri in below.get(stack.pop(), []):
            if iri not in dropped and above[iri] <= dropped:
                dropped.add(iri)
                stack.append(iri)
    return dropped


def _walk(
    iris: list[str], root: str, first: Mapping[str, Relation], below: Mapping[str, list[Relation]]
) -> tuple[list[str], dict[str, int]]:
    """Return the classes from the root down, then from other roots, then those on cycles; and their levels."""
    level: dict[str, int] = {}
    for top in (root, *(iri for iri in iris if iri not in first), *iris):
        stack = [(top, 0)]
        while stack:
            iri, at = stack.pop()
            if iri not in level:
                level[iri] = at
                stack += [(r.source, at + 1) for r in reversed(below.get(iri, []))]
    return list(level), level


def _hidden(
    kept: list[str], order: list[str], first: Mapping[str, Relation], level: Mapping[str, int]
) -> dict[str, int]:  # fmt: skip
    shown = set(kept)
    count_of = dict.fromkeys(kept, 0)
    for iri in order:
        if iri not in shown:
            above = iri
            while above not in shown and level[above]:
                above = first[above].target
            if above in shown:
                count_of[above] += 1
    return count_of


def names_of(concept: Concept, language: Language, most: int = 3) -> tuple[str, str]:
    """Return the text at a class: its name with first other names, and that in the second language.

    Args:
        concept: the concept.
        language: language of the labels.
        most: maximum number of names.
    """
    zh = (concept.label_zh, *concept.alt_zh) if concept.label_zh else concept.alt_zh
    en = tuple(name for name in (concept.label_en or "", *concept.alt_en) if name)
    if language == "zh":
        return _joined(zh or (concept.label,), most), ""
    if language == "en":
        return _joined(en[:1] or (concept.label,), most), ""
    return _joined(zh or en or (concept.label,), most), (concept.label_en or "") if zh else ""


def _joined(names: tuple[str, ...], most: int) -> str:
    more = f" +{len(names) - most}" if len(names) > most > 1 else ""
    return " = ".join(names[:most]) + more


def tooltip(concept: Concept, relation: Relation | None) -> str:
    """Return all names, the definition, and the evidence of the edge, in lines.

    Args:
        concept: the concept.
        relation: the edge to its parent, if any.
    """
    lines = [concept.iri, *concept.alt_zh, *concept.alt_en, concept.definition, concept.definition_en]
    if relation is not None and relation.support is not None:
        lines.append(f"{relation.kind}: support {relation.support}, confidence {relation.confidence or 0:.2f}")
    return "\n".join(line for line in lines if line)
