"""Ontologies of a topic from a term hierarchy: the global ontology and the local ones, as values of `ontology.model`.

Source: paper 000 section 3 (one global ontology with the topic GC as its root, k local ones with roots LC_j). The
topics of the local ontologies are not published. Reconstruction (reading [R] of the local ontologies): the documents
that contain a cue word of local topic j; of the terms in enough of them those that are more frequent there than in
the whole corpus (lift above 1); their hierarchy under LC_j.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import numpy as np

from ontology.context import ContextError, FormalContext, bits_of
from ontology.hierarchy.term_dag import TermEdge, TermHierarchy, TermNode
from ontology.model import Concept, Header, Ontology, Relation

TOPIC_ROOT = "topic root"
"""Evidence of an edge to the root: no broader class was found. The evidence of a topic concept may follow."""
ConceptOf = Callable[[tuple[str, ...]], Concept]
"""Returns the concept of equivalent terms, label first; also called with the root's label alone."""


def to_ontology(
    hierarchy: TermHierarchy, *, header: Header, root_label: str, concept_of: ConceptOf, root_label_en: str = ""
) -> Ontology:
    """Convert a hierarchy to an ontology with one root.

    If a label of the root is a class of the hierarchy its node is the root, and broader classes are placed below it
    (the topic is the widest class of its ontology); else a class without documents is made. Nodes without a hypernym
    are direct children of the root, with evidence "topic root".

    Args:
        hierarchy: the terms.
        header: metadata of the ontology.
        root_label: label of the root.
        concept_of: returns the concept of equivalent terms.
        root_label_en: English label of the root, which English documents have it by.

    Returns:
        The ontology; its concepts are in the order of the nodes, the root first.

    Raises:
        ContextError: two nodes get the same IRI from ``concept_of``.
    """
    root = root_node(hierarchy, root_label, root_label_en)
    if root is None:
        root_concept = concept_of((root_label,))
    else:
        others = (t for t in hierarchy.nodes[root].terms if t != root_label)
        root_concept = concept_of((root_label, *others))
    concepts = {i: concept_of(node.terms) for i, node in enumerate(hierarchy.nodes) if i != root}
    _check_iris(root_concept, concepts, hierarchy)
    relations = []
    for i, concept in concepts.items():
        for edge in _edges_up(hierarchy, i, root):
            target = concepts[edge.parent].iri if edge.parent in concepts else root_concept.iri
            figures = (edge.support, edge.confidence, edge.evidence, edge.documents, edge.sentence)
            relations.append(Relation(concept.iri, "subclass_of", target, *figures))
    return Ontology(
        **asdict(header), root=root_concept.iri, concepts=(root_concept, *concepts.values()), relations=tuple(relations)
    )


def root_node(hierarchy: TermHierarchy, label: str, label_en: str) -> int | None:
    """Return the node that is the root, by the Chinese label or else by the English one; None if there is none."""
    nodes = (hierarchy.index(name) for name in (label, label_en, label_en.casefold()))
    return next((node for node in nodes if node is not None), None)


def local_context(context: FormalContext, documents: int, *, min_support: int = 2) -> FormalContext:
    """Select the subcontext of one local topic: its documents, and the terms typical of them (lift > 1).

    Args:
        context: the whole corpus, documents x terms.
        documents: bitset of the documents that contain one of the topic's cue words.
        min_support: smallest number of documents *of the topic* that contain a term.

    Returns:
        The subcontext.

    Raises:
        ContextError: no such document, or no such term.

    >>> context = FormalContext.from_pairs([("d1", "flood"), ("d2", "flood"), ("d1", "rain"), ("d2", "rain"),
    ...                                     ("d3", "rain")])
    >>> local_context(context, context.object_bits(["d1", "d2"])).attributes
    ('flood',)
    """
    n, n_sub = len(context.objects), documents.bit_count()
    if not documents:
        raise ContextError("hierarchy.local_ontology_no_document")
    table = context.bools()
    inside = table[list(bits_of(documents))].sum(axis=0, dtype=np.int64)
    lifted = inside * n > table.sum(axis=0, dtype=np.int64) * n_sub
    chosen = np.flatnonzero(lifted & (inside >= max(1, min_support))).tolist()
    if not chosen:
        raise ContextError(
            "hierarchy.local_ontology_none_terms",
            n_attributes=len(context.attributes),
            min_support=min_support,
            n_sub=n_sub,
            n=n,
        )
    return context.restricted(documents, sum(1 << j for j in chosen))


def _edges_up(hierarchy: TermHierarchy, child: int, root: int | None) -> list[TermEdge]:
    """Return the edges of a node; one to the root only if there is no other (parent -1 if the root was made).

    All other nodes above it are placed below the root.
    """
    edges = hierarchy.edges_of(child)
    others = [e for e in edges if e.parent != root]
    return others or list(edges) or [_under_root(hierarchy, child, root)]


def _under_root(hierarchy: TermHierarchy, child: int, root: int | None) -> TermEdge:
    node: TermNode = hierarchy.nodes[child]
    evidence = "; ".join((TOPIC_ROOT, *(why for term, why in hierarchy.topic_concepts.items() if term in node.terms)))
    # Every document of the corpus is about the topic, whether or not its label is a term.
    named = (node.named if node.named >= 0 else node.extent).bit_count()
    return TermEdge(child, -1 if root is None else root, evidence, named, 1.0, 1.0)


def _check_iris(root: Concept, concepts: dict[int, Concept], hierarchy: TermHierarchy) -> None:
    seen = {root.iri: root.label}
    for i, concept in concepts.items():
        if concept.iri in seen:
            raise ContextError(
                "hierarchy.terms_get_same_iri",
                seen=seen[concept.iri],
                label=hierarchy.nodes[i].label,
                concept_iri=concept.iri,
            )
        seen[concept.iri] = concept.label
