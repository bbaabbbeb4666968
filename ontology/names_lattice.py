"""The formal context of names, its lattice, and the classes that the lattice suggests.

Objects are the classes of a hierarchy. The attributes of a class are the classes above it by its name or by a
sentence, itself if it is such a class, and the modifiers of its name (ontology/evidence/modifiers.py): 急性前壁心肌梗死
has 心肌梗死, 急性心肌梗死, 前壁心肌梗死, 急性… and 前壁….

A formal concept that no class has is a head with modifiers that several classes share and that nothing names: 晚期…
and 癌, of 晚期肺癌, 晚期胃癌 and 晚期乳腺癌. Such concepts are *suggested classes*, for a person to accept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ontology.context import FormalContext, bits_of
from ontology.evidence import Claim
from ontology.evidence.claims import Rule
from ontology.evidence.modifiers import NameParts, name_parts
from ontology.hierarchy import TermHierarchy
from ontology.lattice import Lattice
from ontology.reachable import reachable
from ontology.terms.wordforms import has_han

MARK = "…"
"""Follows the modifiers among the attributes: a word may be both a modifier and a head."""
MIN_MEMBERS = 3
"""Number of classes that share a suggested class."""
_NAMED: frozenset[Rule] = frozenset(("head noun", "suffix", "pattern"))


@dataclass(frozen=True, slots=True)
class SuggestedClass:
    """A class that nothing names: a head and modifiers that several classes share.

    Attributes:
        head: the lowest class that they share.
        modifiers: the modifiers that they share and the head lacks, in the order of a member's name.
        members: the labels of the classes, by falling number of documents.
        documents: number of documents with one of them.
    """

    head: str
    modifiers: tuple[str, ...]
    members: tuple[str, ...]
    documents: int

    @property
    def label(self) -> str:
        """A name to begin with: the modifiers and the head."""
        return ("" if has_han(self.head) else " ").join((*self.modifiers, self.head))


def names_context(hierarchy: TermHierarchy, claims: Iterable[Claim]) -> FormalContext | None:
    """Build the formal context of names.

    Args:
        hierarchy: the hierarchy, of the reading "evidence".
        claims: the evidence, which cuts names into modifiers and heads.

    Returns:
        The context, its objects and attributes by falling number of documents; None if no name has a head.
    """
    above, parts = _named_above(hierarchy), name_parts(claims)
    broader = {j for highs in above for j in highs}
    pairs = []
    for i, node in enumerate(hierarchy.nodes):
        classes = reachable(i, above.__getitem__) & broader
        pairs += [(node.label, hierarchy.nodes[j].label) for j in sorted(classes)]
        modifiers = parts[node.label].modifiers if node.label in parts and above[i] else ()
        pairs += [(node.label, modifier + MARK) for modifier in dict.fromkeys(modifiers)]
    return FormalContext.from_pairs(pairs) if pairs else None


def _named_above(hierarchy: TermHierarchy) -> list[list[int]]:
    """Return the nodes directly above each node by a name or a sentence."""
    above: list[list[int]] = [[] for _ in hierarchy.nodes]
    for edge in hierarchy.edges:
        if _NAMED.intersection(edge.rules):
            above[edge.child].append(edge.parent)
    return above


def suggested_classes(names: Lattice, hierarchy: TermHierarchy, claims: Iterable[Claim]) -> tuple[SuggestedClass, ...]:
    """Find the formal concepts of names that no class has.

    Args:
        names: the lattice of `names_context`.
        hierarchy: the hierarchy.
        claims: the evidence.

    Returns:
        The suggested classes, by falling number of documents.
    """
    parts = name_parts(claims)
    context = names.context
    named = frozenset(context.rows)
    suggested = []
    for concept in names.concepts:
        if concept.support >= MIN_MEMBERS and concept.intent not in named:
            shared = context.attribute_names(concept.intent)
            members = [context.objects[i] for i in bits_of(concept.extent)]
            one = _suggested(shared, members, hierarchy, parts)
            if one is not None:
                suggested.append(one)
    return tuple(sorted(suggested, key=lambda s: (-s.documents, -len(s.members), s.label)))


def _suggested(
    shared: Iterable[str], members: list[str], hierarchy: TermHierarchy, parts: Mapping[str, NameParts]
) -> SuggestedClass | None:
    """Return a class of members with some shared attributes; None unless these are a head and other modifiers."""
    nodes = {label: i for label in (*shared, *members) if (i := hierarchy.index(label)) is not None}
    heads = [label for label in shared if not label.endswith(MARK)]
    if not heads:
        return None
    head = max(heads, key=lambda label: (len(hierarchy.ancestors(nodes[label])), label))
    own = parts[head].modifiers if head in parts else ()
    wanted = {label.removesuffix(MARK) for label in shared if label.endswith(MARK)}.difference(own)
    if not wanted:
        return None
    members = sorted(members, key=lambda m: (-hierarchy.nodes[nodes[m]].document_frequency, m))
    documents = 0
    for member in members:
        documents |= hierarchy.nodes[nodes[member]].extent
    modifiers = tuple(m for m in dict.fromkeys(parts[members[0]].modifiers) if m in wanted)
    return SuggestedClass(head, modifiers, tuple(members), documents.bit_count())
