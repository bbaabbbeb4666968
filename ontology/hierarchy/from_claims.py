"""The reading "evidence": a hierarchy from text and curated classes, not from co-occurrence.

Reconstruction, not published; it avoids trap T11b (co-occurrence is not hyponymy). Claims (ontology/evidence) are
processed one by one, the most trusted rule first, and become edges unless

* the broader term is a generic word (影响, 区域, 指数) that is not the label of a curated class,
* the narrower only contains the broader, or is its head (a 干旱灾害 is no 干旱 by spelling; no 灾害 is a 自然灾害),
* the facets of the two exclude each other: a 滑坡 is a process, so it is no 监测 whatever a sentence seems to state,
* it would close a cycle.

An ending counts only for terms that have no path to a facet by then, an association rule (apriori) only for terms that
have no edge; if the edge that it claims exists, it is listed with the other evidence, and so is a common topic
(lda), which makes no edge. Curated classes without a term below them are removed, and so are those between one class
and one other. The edges are the transitive reduction, each with all rules that made it. Rejected claims are listed with
the reason. A term without anything broader is *unplaced*:

* "drop": left out and listed; but one that two or more terms are below is kept as a child of the topic
* "root": all become children of the topic

The first is the default: an outline of two hundred right edges with a list of what to add is edited sooner than one
with a hundred terms under the root that are no kind of it. Topic concepts (ontology/evidence/lda.py) are kept in either
case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from ontology.choices import UNPLACED, Unplaced
from ontology.context import ContextError, FormalContext
from ontology.evidence.claims import COUNTED, RULES, Claim
from ontology.evidence.skeleton import OWN, Skeleton
from ontology.evidence.spelling import contains
from ontology.hierarchy.inclusion import inclusion_p_values
from ontology.hierarchy.inclusion_order import shown
from ontology.hierarchy.term_dag import SHOWN, NodesAndEdges, Rejected, TermEdge, TermNode
from ontology.reachable import reachable
from ontology.terms.lexicon import word_list
from ontology.terms.occurrences import is_head

MIN_NARROWER = 2
"""Number of narrower terms with which a term without a broader one is kept."""
MIN_EQUAL = 5
"""Number of documents from which terms of the same documents become one class, unless their spelling contradicts."""

Above = dict[str, dict[str, list[Claim]]]
"""Narrower -> broader -> the claims that made the edge."""


def from_claims(
    context: FormalContext,
    kept: Sequence[int],
    claims: Sequence[Claim],
    upper: Skeleton,
    *,
    frequency: Mapping[str, int],
    unplaced: Unplaced = "drop",
    staying: Collection[str] = (),
) -> NodesAndEdges:
    """Make the hierarchy of some terms and of the curated classes above them.

    Args:
        context: documents x terms.
        kept: positions of the attributes that are terms of the hierarchy.
        claims: the evidence of edges; claims about other terms are ignored.
        upper: the curated classes.
        frequency: occurrences of each term in the corpus, to choose the label among equivalent terms.
        unplaced: whether terms without a broader one are dropped or become children of the topic.
        staying: terms that are never dropped.

    Returns:
        Nodes, edges, rejected claims and unplaced terms.

    Raises:
        ContextError: an unknown ``unplaced``.
    """
    if unplaced not in UNPLACED:
        raise ContextError(f"unplaced: expected one of {', '.join(UNPLACED)}, found {unplaced!r}")
    extent = {context.attributes[j]: context.columns[j] for j in kept}
    classes = _equivalent_terms(extent, claims, upper, frequency)
    class_of = {term: group[0] for group in classes for term in group}
    above, rejected = _taken(_by_trust(claims, class_of, extent, upper), upper)
    terms = frozenset(class_of.values())
    never_dropped = terms if unplaced == "root" else frozenset(class_of[term] for term in staying if term in class_of)
    homeless = _unplaced(above, terms, upper, never_dropped)
    gone = {r.child for r in homeless if r.reason.startswith("dropped")}
    above = {
        low: {high: c for high, c in highs.items() if high not in gone}
        for low, highs in above.items()
        if low not in gone
    }
    alive = {high for term in terms - gone for high in _reach(term, above)}
    above = _contracted(_reduced({low: above.get(low, {}) for low in alive}), terms, upper)
    nodes, edges = _figures(context, above, {group[0]: tuple(group) for group in classes}, extent)
    return NodesAndEdges(nodes, edges, rejected, homeless)


def _equivalent_terms(
    extent: Mapping[str, int], claims: Sequence[Claim], upper: Skeleton, frequency: Mapping[str, int]
) -> list[list[str]]:
    """Return groups of terms that are one class, label first: called the same, or in the same documents."""
    pairs = {frozenset((c.narrower, c.broader)) for c in claims if c.rule == "synonym"}
    by_extent: defaultdict[int, list[str]] = defaultdict(list)
    for term, documents in extent.items():
        if documents.bit_count() >= MIN_EQUAL:
            by_extent[documents].append(term)
    for equal in by_extent.values():
        pairs |= {frozenset((a, b)) for a in equal for b in equal if a < b and not set(a) & set(b)}
    leader = {term: term for term in extent}
    for pair in sorted(tuple(sorted(p)) for p in pairs if len(p) == 2):
        a, b = pair
        unlike = contains(a, b) or contains(b, a) or (upper.knows(a) and upper.knows(b))
        if a in leader and b in leader and not unlike:
            old, new = leader[b], leader[a]
            leader = {term: new if first == old else first for term, first in leader.items()}
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for term, first in leader.items():
        groups[first].append(term)
    return [sorted(g, key=lambda t: (t not in upper.by_label, -frequency.get(t, 0), t)) for g in groups.values()]


def _by_trust(
    claims: Sequence[Claim], class_of: Mapping[str, str], extent: Mapping[str, int], upper: Skeleton
) -> list[tuple[str, str, Claim]]:
    """Return (narrower class, broader class, claim) of the claims about known terms and classes, in order of trust."""
    known = [
        (class_of.get(c.narrower, c.narrower), class_of.get(c.broader, c.broader), c)
        for c in claims
        if c.rule != "synonym"
        and (c.narrower in extent or c.narrower in upper.by_label)
        and (c.broader in extent or c.broader in upper.by_label)
    ]
    rank = {rule: position for position, rule in enumerate(RULES)}
    return sorted(known, key=lambda k: (rank[k[2].rule], -k[2].strength, len(k[0]), k[0], k[1]))


def _taken(claims: Sequence[tuple[str, str, Claim]], upper: Skeleton) -> tuple[Above, tuple[Rejected, ...]]:
    """Return the claims that become edges, and the others with the reason."""
    above: Above = {}
    rejected: list[Rejected] = []
    for low, high, claim in claims:
        broader = above.get(low, {})
        if claim.rule in COUNTED and high in broader:
            broader[high].append(claim)
            continue
        if claim.rule == "lda" or (claim.rule == "apriori" and broader):
            continue
        if low == high or (claim.rule == "ending" and _facets(low, above, upper)):
            continue
        reason = _why_not(low, high, claim, above, upper)
        if reason:
            rejected.append(Rejected(low, high, f"{claim.evidence}: {reason}"))
        else:
            above.setdefault(low, {}).setdefault(high, []).append(claim)
    return above, tuple(dict.fromkeys(rejected))


def _why_not(low: str, high: str, claim: Claim, above: Above, upper: Skeleton) -> str:
    if low in _reach(high, above):
        return "would close a cycle"
    if claim.rule in ("top class", "curated ontology"):
        return ""
    if high not in upper.by_label and high in _generic():
        return "generic word"
    if claim.rule == "pattern" and ((contains(low, high) and not is_head(high, low)) or contains(high, low)):
        return "one term is a part of the other's name"
    mine, theirs = _facets(low, above, upper), _facets(high, above, upper)
    if mine and theirs and not any(upper.accepts(t, m) for t in theirs for m in mine):
        return f"a {'/'.join(sorted(mine))} is no {'/'.join(sorted(theirs))}"
    if claim.rule == "pattern" and not theirs and claim.support < MIN_NARROWER:
        return "one document, and the broader term has no place"
    return ""


def _generic() -> frozenset[str]:
    return word_list("generic_zh") | word_list("generic_heads_zh")


def _reach(label: str, above: Above) -> set[str]:
    """Return a class and all above it."""
    return reachable(label, lambda c: above.get(c, ()))


def _facets(label: str, above: Above, upper: Skeleton) -> frozenset[str]:
    return frozenset(high for high in _reach(label, above) if upper.is_facet(high))


def _unplaced(
    above: Above, terms: frozenset[str], upper: Skeleton, never_dropped: frozenset[str]
) -> tuple[Rejected, ...]:
    """Return the terms without a broader one and their outcome; dropping one can leave others without a broader one."""
    unplaced: dict[str, Rejected] = {}
    dropped: set[str] = set()
    while True:
        left = terms - dropped
        rootless = sorted(
            t for t in left - unplaced.keys() if not upper.is_facet(t) and not above.get(t, {}).keys() - dropped
        )
        for term in rootless:
            below = sum(term in above.get(t, {}) for t in left)
            kept = term in never_dropped or below >= MIN_NARROWER
            outcome = "hangs under the topic" if kept else "dropped"
            unplaced[term] = Rejected(term, "", f"{outcome}: no evidence of a broader term, {below} narrower")
            if not kept:
                dropped.add(term)
        if not dropped & set(rootless):
            return tuple(unplaced.values())


def _reduced(above: Above) -> Above:
    """Remove the edges that others imply."""
    reach = {label: _reach(label, above) - {label} for label in above}
    return {
        low: {high: c for high, c in highs.items() if not any(high in reach[o] for o in highs if o != high)}
        for low, highs in above.items()
    }


def _stays(label: str, upper: Skeleton) -> bool:
    """Return whether a curated class is never removed: facets, and the classes that a user asked for."""
    return upper.is_facet(label) or (label in upper.by_label and upper.by_label[label].source == OWN)


def _contracted(above: Above, terms: frozenset[str], upper: Skeleton) -> Above:
    """Remove curated classes that are between one narrower and one broader class only."""
    while True:
        below: defaultdict[str, list[str]] = defaultdict(list)
        for low, highs in above.items():
            for high in highs:
                below[high].append(low)
        curated = (c for c in sorted(above) if c not in terms and not _stays(c, upper))
        idle = next((c for c in curated if len(below[c]) == len(above[c]) == 1), None)
        if idle is None:
            return above
        (high,), (low,) = above.pop(idle), below[idle]
        claims = above[low].pop(idle)
        if not any(high in _reach(o, above) for o in above[low]):
            above[low][high] = claims


def _figures(
    context: FormalContext, above: Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]
) -> tuple[tuple[TermNode, ...], tuple[TermEdge, ...]]:
    """Return nodes and edges with supports; a class that is no term has the documents of all below it."""
    documents = dict.fromkeys(above, 0)
    for label in above:
        extent_of_class = 0
        for term in groups.get(label, ()):
            extent_of_class |= extent[term]
        for high in _reach(label, above):
            if high == label or high not in groups:
                documents[high] |= extent_of_class
    nodes = [TermNode(groups.get(label, (label,)), documents[label]) for label in above]
    nodes.sort(key=lambda node: (-node.document_frequency, node.label))
    position = {node.label: i for i, node in enumerate(nodes)}
    df = np.array([node.document_frequency for node in nodes], dtype=np.int64)
    p = inclusion_p_values(df, len(context.objects)) if nodes else np.zeros((0, 0))
    edges = []
    for low, highs in above.items():
        for high, claims in highs.items():
            u, t = position[low], position[high]
            both = nodes[u].extent & nodes[t].extent
            claim_documents = tuple(dict.fromkeys(d for c in claims for d in c.documents))
            edges.append(
                TermEdge(
                    child=u,
                    parent=t,
                    support=both.bit_count(),
                    confidence=both.bit_count() / max(nodes[u].document_frequency, 1),
                    p_value=float(p[u, t]),
                    evidence="; ".join(dict.fromkeys(c.evidence for c in claims)),
                    documents=tuple(dict.fromkeys((*claim_documents, *shown(context, both))))[:SHOWN],
                    sentence=next((c.sentence for c in claims if c.sentence), ""),
                )
            )
    return tuple(nodes), tuple(sorted(edges, key=lambda e: (e.child, e.parent)))
