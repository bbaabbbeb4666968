"""Nodes and edges with their figures, from the accepted claims: documents, confidence, evidence."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ontology.context import FormalContext
from ontology.evidence.claims import RULES, Claim
from ontology.hierarchy.contraction import Above, reach
from ontology.hierarchy.inclusion import inclusion_p_values
from ontology.hierarchy.inclusion_order import shown
from ontology.hierarchy.term_dag import SHOWN, TermEdge, TermNode


def nodes_and_edges(
    context: FormalContext, above: Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]
) -> tuple[tuple[TermNode, ...], tuple[TermEdge, ...]]:
    """Make the nodes and edges of a hierarchy; a class that is no term has the documents of all below it.

    Args:
        context: documents x terms.
        above: the edges; every class is a key.
        groups: label of a class of terms -> its equivalent terms, label first.
        extent: term -> its documents, as a bitset.

    Returns:
        The nodes by falling number of documents, and the edges by their ends.
    """
    documents = _documents(above, groups, extent)
    nodes = [TermNode(groups.get(label, (label,)), documents[label]) for label in above]
    nodes.sort(key=lambda node: (-node.document_frequency, node.label))
    position = {node.label: i for i, node in enumerate(nodes)}
    df = np.array([node.document_frequency for node in nodes], dtype=np.int64)
    p = inclusion_p_values(df, len(context.objects)) if nodes else np.zeros((0, 0))
    edges = []
    for low, highs in above.items():
        for high, claims in highs.items():
            u, t = position[low], position[high]
            edges.append(_edge(context, nodes, (u, t), float(p[u, t]), claims))
    return tuple(nodes), tuple(sorted(edges, key=lambda e: (e.child, e.parent)))


def _documents(above: Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]) -> dict[str, int]:
    documents = dict.fromkeys(above, 0)
    for label in above:
        of_terms = 0
        for term in groups.get(label, ()):
            of_terms |= extent[term]
        for high in reach(label, above):
            if high == label or high not in groups:
                documents[high] |= of_terms
    return documents


def _edge(
    context: FormalContext, nodes: list[TermNode], ends: tuple[int, int], p_value: float, claims: list[Claim]
) -> TermEdge:
    child, parent = ends
    both = nodes[child].extent & nodes[parent].extent
    of_claims = tuple(d for c in claims for d in c.documents)
    return TermEdge(
        child=child,
        parent=parent,
        support=both.bit_count(),
        confidence=both.bit_count() / max(nodes[child].document_frequency, 1),
        p_value=p_value,
        evidence="; ".join(dict.fromkeys(c.evidence for c in claims)),
        documents=tuple(dict.fromkeys((*of_claims, *shown(context, both))))[:SHOWN],
        sentence=next((c.sentence for c in claims if c.sentence), ""),
        rules=tuple(sorted({c.rule for c in claims}, key=RULES.index)),
    )
