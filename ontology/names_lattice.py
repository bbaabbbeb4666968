"""The formal context of names, its lattice, and the classes that the lattice suggests.

Objects are the classes of a hierarchy, and those further names of the corpus that share a head and a modifier with
others. The attributes of a name are the classes above it by its head or by a sentence, itself if it is such a class,
and its modifiers (ontology/evidence/modifiers.py): 急性前壁心肌梗死 has 心肌梗死, 急性心肌梗死, 前壁心肌梗死, 急性…
and 前壁….

A formal concept that no name has is a head with modifiers that several names share: 晚期… and 癌, of 晚期肺癌, 晚期胃癌
and 晚期乳腺癌. Such concepts are *suggested classes*, for a person to accept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ontology.context import FormalContext, bits_of
from ontology.evidence.claims import Rule
from ontology.evidence.modifiers import NameParts
from ontology.evidence.skeleton import HEADER
from ontology.hierarchy import TermHierarchy
from ontology.lattice import Lattice
from ontology.reachable import reachable
from ontology.terms.wordforms import has_han

MARK = "…"
"""Follows the modifiers among the attributes: a word may be both a modifier and a head."""
_MIN_MEMBERS = 3
"""Number of names that share a suggested class."""
_NAMED: frozenset[Rule] = frozenset(("head noun", "suffix", "pattern"))


@dataclass(frozen=True, slots=True)
class SuggestedClass:
    """A class that nothing names: a head and modifiers that several names share.

    Attributes:
        head: the lowest class that they share.
        modifiers: the modifiers that they share and the head lacks, in the order of a member.
        members: the names, by falling number of documents.
        documents: sum of the numbers of documents of the members.
    """

    head: str
    modifiers: tuple[str, ...]
    members: tuple[str, ...]
    documents: int

    @property
    def label(self) -> str:
        """A name to begin with: the modifiers and the head."""
        return ("" if has_han(self.head) else " ").join((*self.modifiers, self.head))


@dataclass(frozen=True)
class Names:
    """The names of a hierarchy and of its corpus.

    Args:
        hierarchy: the hierarchy, of the reading "evidence".
        parts: name -> its heads and modifiers.
        documents: further name -> number of its documents.
    """

    hierarchy: TermHierarchy
    parts: Mapping[str, NameParts]
    documents: Mapping[str, int]

    @cached_property
    def context(self) -> FormalContext | None:
        """The formal context of names; None if no name has a head."""
        nodes = self.hierarchy.nodes
        pairs = []
        for i, node in enumerate(nodes):
            pairs += [(node.label, nodes[j].label) for j in sorted(self._classes(i))]
            if self._above[i]:
                pairs += [(node.label, modifier + MARK) for modifier in self._modifiers(node.label)]
        for name, i in self._further.items():
            pairs += [(name, nodes[j].label) for j in sorted(self._classes(i) | {i})]
            pairs += [(name, modifier + MARK) for modifier in self._modifiers(name)]
        return FormalContext.from_pairs(pairs) if pairs else None

    def _classes(self, node: int) -> set[int]:
        """Return the nodes above a node by a name or a sentence; itself too if others are below it."""
        return reachable(node, self._above.__getitem__) & self._broader

    @cached_property
    def _above(self) -> list[list[int]]:
        above: list[list[int]] = [[] for _ in self.hierarchy.nodes]
        for edge in self.hierarchy.edges:
            if _NAMED.intersection(edge.rules):
                above[edge.child].append(edge.parent)
        return above

    @cached_property
    def _broader(self) -> set[int]:
        return {j for highs in self._above for j in highs} | set(self._further.values())

    @cached_property
    def _further(self) -> dict[str, int]:
        """Further names that share a head and a modifier with others -> the node of their longest head."""
        nodes = {name: self._heads(name) for name in sorted(self.parts)}
        shared = Counter((head, m) for name, heads in nodes.items() for head in heads for m in self._modifiers(name))
        return {
            name: heads[0]
            for name, heads in nodes.items()
            if heads and name in self.documents and self.hierarchy.index(name) is None
            if any(shared[head, m] >= _MIN_MEMBERS for head in heads for m in self._modifiers(name))
        }

    def _heads(self, name: str) -> list[int]:
        """Return the nodes of the heads of a name, the longest head first."""
        nodes = (self.hierarchy.index(head) for head in self.parts[name].heads)
        return [node for node in nodes if node is not None]

    def _modifiers(self, name: str) -> Iterable[str]:
        return dict.fromkeys(self.parts[name].modifiers) if name in self.parts else ()

    def suggested(self, lattice: Lattice) -> tuple[SuggestedClass, ...]:
        """Find the formal concepts that no name has.

        Args:
            lattice: the lattice of `context`.

        Returns:
            The suggested classes, by falling number of documents.
        """
        context = lattice.context
        suggested: dict[str, SuggestedClass] = {}
        named = frozenset(context.rows)
        for concept in lattice.concepts:
            if concept.support >= _MIN_MEMBERS and concept.intent not in named:
                members = [context.objects[i] for i in bits_of(concept.extent)]
                one = self._suggested(context.attribute_names(concept.intent), members)
                if one is not None and not self._is_name(one.label):
                    suggested.setdefault(one.label, one)
        return tuple(sorted(suggested.values(), key=lambda s: (-s.documents, -len(s.members), s.label)))

    def _is_name(self, label: str) -> bool:
        return label in self.documents or self.hierarchy.index(label) is not None

    def _suggested(self, shared: Iterable[str], members: list[str]) -> SuggestedClass | None:
        """Return a class of members with some shared attributes; None unless these are a head and other modifiers."""
        heads = {label: i for label in shared if (i := self.hierarchy.index(label)) is not None}
        if not heads:
            return None
        head = max(heads, key=lambda label: (len(self.hierarchy.ancestors(heads[label])), label))
        wanted = {label.removesuffix(MARK) for label in shared if label.endswith(MARK)}
        wanted = wanted.difference(self._modifiers(head))
        if not wanted:
            return None
        members = sorted(members, key=lambda name: (-self._frequency(name), name))
        modifiers = tuple(m for m in self._modifiers(members[0]) if m in wanted)
        return SuggestedClass(head, modifiers, tuple(members), sum(map(self._frequency, members)))

    def _frequency(self, name: str) -> int:
        node = self.hierarchy.index(name)
        return self.documents.get(name, 0) if node is None else self.hierarchy.nodes[node].document_frequency


def classes_table(suggested: Iterable[SuggestedClass], curated: Collection[str]) -> str:
    """Write suggested classes as a table of upper classes (`ontology.evidence.read_classes`).

    Args:
        suggested: the classes.
        curated: labels of curated classes; the other heads get a row of their own.

    Returns:
        The table; each suggested class is below its head and lists its members, and heads accept all classes.
    """
    suggested = list(suggested)
    heads = dict.fromkeys(s.head for s in suggested if s.head not in curated)
    rows = [HEADER, *((head, "", "", "", "", "*") for head in heads)]
    rows += [(s.label, "", s.head, "|".join(s.members), "", "") for s in suggested]
    return "".join("\t".join(row).rstrip("\t") + "\n" for row in rows)
