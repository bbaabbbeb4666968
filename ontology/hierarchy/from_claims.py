"""The reading "evidence": a hierarchy from text and names, and curated classes if there are any; not co-occurrence.

Reconstruction, not published; it avoids trap T11b (co-occurrence is not hyponymy). Claims (ontology/evidence) are
processed one by one, the most trusted rule first, and become edges unless

* the broader term is a word without content (影响, 区域) that is not the label of a curated class,
* the narrower only contains the broader, or is its head (a 干旱灾害 is no 干旱 by spelling; no 灾害 is a 自然灾害),
* the facets of the two exclude each other: a 滑坡 is a process, so it is no 监测 whatever a sentence seems to state,
* it would close a cycle.

A claim whose only evidence is one sentence makes an edge only where nothing is below the narrower end. Else it would
move a subtree that has evidence of its own: it is a *suggested* edge, for a person to decide about. Curated classes
that place both ends are other evidence.

The head of a name, or a suffix, may be no term itself: 心肌梗死, where only 急性心肌梗死 and 陈旧性心肌梗死 are terms.
It becomes a *found class* if a term or several found classes are directly below it that have no curated place
(contraction.py). A lexicon's synonym of a term or a class is no class of its own.

An ending counts only for terms that have no path to a facet by then, a wordnet, an association rule (apriori) or a
language model's choice (verified) only for terms that have no edge; if the edge that it claims exists, it is listed
with the other evidence, and so is a common topic (lda), which makes no edge. A wordnet moves what is below a class only
if it has two terms there below the broader one; else its edge is suggested, too. Curated classes without a term below
them are removed, and so are those between one class and one other. The edges are the transitive reduction, each with
all rules that made it. Rejected claims are listed with the reason. A term with nothing broader is
*unplaced*:

* "drop": left out and listed, unless something is below it; then it becomes a child of the topic
* "root": all become children of the topic

The first is the default: an outline of two hundred right edges with a list of what to add is edited sooner than one
with a hundred terms under the root that are no kind of it. Topic concepts (ontology/evidence/lda.py) are kept in either
case.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter

import numpy as np

from ontology.choices import UNPLACED, Unplaced
from ontology.context import ContextError, FormalContext
from ontology.evidence.claims import COUNTED, RULES, Claim, Rule
from ontology.evidence.skeleton import OWN, Skeleton
from ontology.evidence.spelling import contains
from ontology.evidence.statement import DEFINITION
from ontology.hierarchy.inclusion import inclusion_p_values, shown
from ontology.hierarchy.term_dag import (
    ONE_SENTENCE,
    ONE_WORD,
    SHOWN,
    Rejected,
    SuggestedEdge,
    TermEdge,
    TermHierarchy,
    TermNode,
)
from ontology.reachable import reachable
from ontology.terms.lexicon import EMPTY, Lexicon, word_list
from ontology.terms.occurrences import is_head
from ontology.terms.term_rules import empty_heads

MIN_DOCUMENTS = 2
"""Number of documents that state a relation to a term without a place."""
_MIN_WORDS = 2
"""Number of terms at or below a class for which a wordnet moves what is below it."""
MIN_STATED = 2
"""Number of different names below a class that a pattern states in one document."""
_MIN_EQUAL = 5
"""Number of documents from which terms of the same documents become one class, unless their spelling contradicts."""
_NAMING: frozenset[Rule] = frozenset(("head noun", "suffix", "wordnet", "verified"))
"""Rules whose broader term may be a found class."""
_SAYING: frozenset[Rule] = frozenset(("head noun", "suffix", "wordnet"))
"""Rules by which a class of one thing, which the corpus does not have alone, says nothing."""
_OF_NAMES: frozenset[Rule] = frozenset(("head noun", "suffix", "pattern"))
_CONFIRMING: frozenset[Rule] = frozenset(("wordnet", *COUNTED))
"""Rules that are listed with the evidence of an edge, and place only a term without one."""
LAST: frozenset[Rule] = frozenset(("ending", "wordnet", "verified", *COUNTED))
"""Rules for terms that the other rules do not place."""


def found_labels(claims: Iterable[Claim], known: Collection[str], lexicon: Lexicon = EMPTY) -> frozenset[str]:
    """Return the labels that may become found classes.

    Args:
        claims: the evidence; a head or a suffix of a name that is not known is such a label, and so is what patterns
            state to be broader than a suffix, or than `MIN_STATED` names.
        known: the terms and the curated classes.
        lexicon: a synonym counts as the word it is a synonym of.

    Returns:
        The labels.

    >>> claims = [Claim("acute infarction", "infarction", "head noun", "head noun"),
    ...           Claim("asthma", "disease", "pattern", "pattern X is a Y")]
    >>> sorted(found_labels(claims, ["acute infarction", "asthma"]))
    ['infarction']
    """
    claims = list(claims)
    suffixes = {c.broader for c in claims if c.rule == "suffix"}
    broader = {c.broader for c in claims if c.rule in _NAMING or (c.rule == "pattern" and c.narrower in suffixes)}
    broader |= _with_several(claims)
    return frozenset(_preferred(label, known, lexicon) for label in broader).difference(known)


def _with_several(claims: Iterable[Claim]) -> frozenset[str]:
    """Return the classes of patterns that have several narrower names, by patterns or as their head or suffix."""
    narrower: defaultdict[str, set[str]] = defaultdict(set)
    for claim in claims:
        if claim.rule in _OF_NAMES:
            narrower[claim.broader].add(claim.narrower)
    return frozenset(high for high, lows in narrower.items() if len(lows) >= MIN_STATED)


def from_claims(
    context: FormalContext,
    kept: Sequence[int],
    claims: Sequence[Claim],
    upper: Skeleton,
    *,
    frequency: Mapping[str, int],
    unplaced: Unplaced = "drop",
    staying: Collection[str] = (),
    lexicon: Lexicon = EMPTY,
    found: Collection[str] | None = None,
    alone: Collection[str] | None = None,
) -> TermHierarchy:
    """Make the hierarchy of some terms and of the found and curated classes above them.

    Args:
        context: documents x terms.
        kept: positions of the attributes that are terms of the hierarchy.
        claims: the evidence of edges; claims about other terms are ignored.
        upper: the curated classes.
        frequency: occurrences of each term in the corpus, to choose the label among equivalent terms.
        unplaced: whether terms without a broader one are dropped or become children of the topic.
        staying: terms that are never dropped.
        lexicon: synonyms; the broader term of a claim may be one.
        found: the labels that may become found classes; by default `found_labels` of the claims.
        alone: the labels that the corpus has alone; by default all. A found class that only names of one class below
            it contain is not made.

    Returns:
        The hierarchy, with rejected claims and unplaced terms; `readings.term_hierarchy` adds the terms left out.

    Raises:
        ContextError: an unknown ``unplaced``.
    """
    if unplaced not in UNPLACED:
        raise ContextError("hierarchy.unplaced_expected_found", choices=", ".join(UNPLACED), found=unplaced)
    extent = {context.attributes[j]: context.columns[j] for j in kept}
    known = extent.keys() | upper.by_label.keys()
    found = found_labels(claims, known, lexicon) if found is None else frozenset(found).difference(known)
    kept_found = found if alone is None else found.intersection(alone)
    classes = _equivalent_terms(extent, claims, upper, frequency)
    class_of = {term: group[0] for group in classes for term in group}
    ranked = _by_trust(_canonical(claims, known, lexicon), class_of, known | found)
    stated = frozenset() if upper.classes else _with_several(claim for _, _, claim in ranked if claim.rule not in LAST)
    once = _stated_once(ranked)
    above, rejected = _taken([k for k in ranked if k[2].rule not in LAST and k[:2] not in once], {}, upper, stated)
    weak = [k for k in ranked if k[2].rule not in LAST and k[:2] in once]
    moving = _of_subtrees(weak, above, upper)
    above, weakly = _taken([k for k in weak if k[:2] not in moving], above, upper, stated)
    for one in [k for k in weak if k[:2] in moving]:  # what seemed to be below may have been refused
        if not any(one[0] in highs for highs in above.values()):
            above, refused = _taken([one], above, upper, stated)
            weakly, moving = (*weakly, *refused), moving - {one[:2]}
    above = _without_idle(above, found, upper.by_label, kept_found)
    last = [k for k in ranked if k[2].rule in LAST]
    one_word = [k for k in last if k[2].rule == "wordnet" and k[2].support < _MIN_WORDS and not above.get(k[0])]
    by_word = _of_subtrees(one_word, above, upper)
    above, refused = _taken([k for k in last if k[2].rule != "wordnet" or k[:2] not in by_word], above, upper, stated)
    kept_back = ([k for k in weak if k[:2] in moving], [k for k in one_word if k[:2] in by_word])
    suggested, weakest = _suggested([*kept_back[0], *kept_back[1]], above, upper, stated)
    terms = frozenset(class_of.values())
    alive = {high for term in terms for high in _reach(term, above)}
    staying_classes = terms | {c for c in alive if c in upper.by_label and _stays(c, upper)}
    above = {low: above.get(low, {}) for low in alive}
    above = _contracted(above, found, upper.by_label, staying_classes, kept_found)
    never_dropped = terms if unplaced == "root" else frozenset(class_of[term] for term in staying if term in class_of)
    homeless = _unplaced(above, terms, upper, never_dropped)
    gone = {r.child for r in homeless if r.reason.startswith("dropped")}
    above = {low: highs for low, highs in above.items() if low not in gone}
    nodes, edges = _nodes_and_edges(context, above, {group[0]: tuple(group) for group in classes}, extent)
    rejected = tuple(dict.fromkeys((*rejected, *weakly, *refused, *weakest)))
    number = len(context.objects)
    return TermHierarchy(number, nodes, edges, "evidence", 1, rejected, homeless, suggested=suggested)


def _preferred(label: str, known: Collection[str], lexicon: Lexicon) -> str:
    """Return the label of the class that a label is a name of."""
    return label if label in known else lexicon.chinese(label) or lexicon.canonical(label)


def _canonical(claims: Iterable[Claim], known: Collection[str], lexicon: Lexicon) -> Iterable[Claim]:
    """Return the claims with the preferred words of the lexicon."""
    for claim in claims:
        ends = _preferred(claim.narrower, known, lexicon), _preferred(claim.broader, known, lexicon)
        yield claim if ends == (claim.narrower, claim.broader) else replace(claim, narrower=ends[0], broader=ends[1])


def _equivalent_terms(
    extent: Mapping[str, int], claims: Sequence[Claim], upper: Skeleton, frequency: Mapping[str, int]
) -> list[list[str]]:
    """Return groups of terms that are one class, label first: called the same, or in the same documents."""
    pairs = {frozenset((c.narrower, c.broader)) for c in claims if c.rule == "synonym"}
    by_extent: defaultdict[int, list[str]] = defaultdict(list)
    for term, documents in extent.items():
        if documents.bit_count() >= _MIN_EQUAL:
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
    claims: Iterable[Claim], class_of: Mapping[str, str], known: Collection[str]
) -> list[tuple[str, str, Claim]]:
    """Return (narrower class, broader class, claim) of the claims about known terms and classes, in order of trust."""
    among = [
        (class_of.get(c.narrower, c.narrower), class_of.get(c.broader, c.broader), c)
        for c in claims
        if c.rule != "synonym" and c.narrower in known and c.broader in known
    ]
    rank = {rule: position for position, rule in enumerate(RULES)}
    return sorted(
        among,
        key=lambda k: (rank[k[2].rule], -k[2].strength, len(k[0]), k[0], k[1], k[2].evidence, k[2].documents),
    )


def _stated_once(ranked: Sequence[tuple[str, str, Claim]]) -> frozenset[tuple[str, str]]:
    """Return the pairs for which one sentence, or sentences of one document, are the only evidence."""
    claims: defaultdict[tuple[str, str], list[Claim]] = defaultdict(list)
    for low, high, claim in ranked:
        if claim.rule not in COUNTED:
            claims[low, high].append(claim)
    return frozenset(
        pair
        for pair, found in claims.items()
        if all(c.rule == "pattern" and c.support < MIN_DOCUMENTS for c in found)
        and len({d for c in found for d in c.documents}) < MIN_DOCUMENTS
    )


def _of_subtrees(weak: Sequence[tuple[str, str, Claim]], above: _Above, upper: Skeleton) -> frozenset[tuple[str, str]]:
    """Return the pairs of claims by one sentence that would move a subtree.

    Curated classes that place both ends are other evidence: the subtree stays where they put it, and the sentence is
    refused if their facets exclude each other.
    """
    broader = {high for _, high, _ in weak} | {high for highs in above.values() for high in highs}
    return frozenset(
        (low, high)
        for low, high, _ in weak
        if low in broader and not (_facets(low, above, upper) and _facets(high, above, upper))
    )


def _suggested(
    weak: Sequence[tuple[str, str, Claim]], above: _Above, upper: Skeleton, stated: Collection[str]
) -> tuple[tuple[SuggestedEdge, ...], tuple[Rejected, ...]]:
    """Return the edges that claims suggest to a person, and the claims that are refused like those of others."""
    suggested, rejected = [], []
    for low, high, claim in weak:
        if low == high or high in _reach(low, above):
            continue
        if reason := _why_not(low, high, claim, above, upper, stated):
            rejected.append(Rejected(low, high, f"{claim.evidence}: {reason}"))
            continue
        below = sum(low in _reach(label, above) for label in above) - (low in above)
        why = ONE_WORD if claim.rule == "wordnet" else ONE_SENTENCE
        suggested.append(
            SuggestedEdge(low, high, claim.evidence, why, below, documents=claim.documents, sentence=claim.sentence)
        )
    return tuple(sorted(suggested, key=lambda s: (-s.below, s.child, s.parent))), tuple(rejected)


def _taken(
    claims: Sequence[tuple[str, str, Claim]], above: _Above, upper: Skeleton, stated: Collection[str]
) -> tuple[_Above, tuple[Rejected, ...]]:
    """Add the claims that become edges to those taken before; return all edges, and the rejected claims."""
    rejected: list[Rejected] = []
    for low, high, claim in claims:
        broader = above.get(low, {})
        if claim.rule in _CONFIRMING and high in broader:
            broader[high].append(claim)
            continue
        if claim.rule == "lda" or (claim.rule in ("apriori", "verified", "wordnet") and broader):
            continue
        if low == high or (claim.rule == "ending" and _facets(low, above, upper)):
            continue
        reason = _why_not(low, high, claim, above, upper, stated)
        if reason:
            rejected.append(Rejected(low, high, f"{claim.evidence}: {reason}"))
        else:
            above.setdefault(low, {}).setdefault(high, []).append(claim)
    return above, tuple(dict.fromkeys(rejected))


def _why_not(low: str, high: str, claim: Claim, above: _Above, upper: Skeleton, stated: Collection[str]) -> str:
    if low in _reach(high, above):
        return "would close a cycle"
    if claim.rule in ("decision", "top class", "curated ontology"):
        return ""
    empty = empty_heads() if claim.rule in _NAMING else empty_heads() | _empty_words()
    if high not in upper.by_label and high.casefold() in empty:
        return "generic word"
    if claim.rule == "pattern" and ((contains(low, high) and not is_head(high, low)) or contains(high, low)):
        return "one term is a part of the other's name"
    mine, theirs = _facets(low, above, upper), _facets(high, above, upper)
    if mine and theirs and not any(upper.accepts(t, m) for t in theirs for m in mine):
        return f"a {'/'.join(sorted(mine))} is no {'/'.join(sorted(theirs))}"
    once = claim.rule == "pattern" and claim.support < MIN_DOCUMENTS and claim.broader not in stated
    if once and not claim.evidence.endswith(DEFINITION) and not _has_place(high, above, upper):
        return "one document, and the broader term has no place"
    return ""


def _empty_words() -> frozenset[str]:
    return word_list("generic_zh") | word_list("generic_heads_zh") | word_list("generic_en")


def _facets(label: str, above: _Above, upper: Skeleton) -> frozenset[str]:
    return frozenset(high for high in _reach(label, above) if upper.is_facet(high))


def _has_place(label: str, above: _Above, upper: Skeleton) -> bool:
    """Return whether a class is below a facet; without curated classes, whether it has an edge."""
    if upper.classes:
        return bool(_facets(label, above, upper))
    return bool(above.get(label)) or any(label in highs for highs in above.values())


def _unplaced(
    above: _Above, terms: frozenset[str], upper: Skeleton, never_dropped: frozenset[str]
) -> tuple[Rejected, ...]:
    """Return the terms with nothing broader, and their outcome."""
    unplaced = []
    for term in sorted(t for t in terms if not upper.is_facet(t) and not above[t]):
        below = sum(term in highs for highs in above.values())
        outcome = "hangs under the topic" if below or term in never_dropped else "dropped"
        unplaced.append(Rejected(term, "", f"{outcome}: no evidence of a broader term, {below} narrower"))
    return tuple(unplaced)


def _stays(label: str, upper: Skeleton) -> bool:
    """Return whether a curated class is never removed: facets, and the classes that a user asked for."""
    return upper.is_facet(label) or upper.by_label[label].source == OWN


# ---- nodes and edges with their figures, from the accepted claims: documents, confidence, evidence


def _nodes_and_edges(
    context: FormalContext, above: _Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]
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
    documents, named = _documents(above, groups, extent), _named(context, above, groups, extent)
    nodes = [TermNode(groups.get(label, (label,)), documents[label], named[label]) for label in above]
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


def _named(
    context: FormalContext, above: _Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]
) -> dict[str, int]:
    """Return the documents that name each class: a term itself; else a name that ends with it, or a sentence of it."""
    found: dict[str, int] = {}
    below = _below(above)
    for label in TopologicalSorter({label: below[label] for label in above}).static_order():
        found[label] = 0
        for term in groups.get(label, ()):
            found[label] |= extent[term]
        for low in () if label in groups else below[label]:
            claims = above[low][label]
            ends = any(c.rule in ("head noun", "suffix") for c in claims)
            found[label] |= (found[low] if ends else 0) | _stating(context, claims)
    return found


def _stating(context: FormalContext, claims: Iterable[Claim]) -> int:
    """Return the documents of a context with the sentences of claims."""
    ids = {d for c in claims if c.rule == "pattern" for d in c.documents}
    return context.object_bits(ids.intersection(context.objects)) if ids else 0


def _documents(above: _Above, groups: Mapping[str, tuple[str, ...]], extent: Mapping[str, int]) -> dict[str, int]:
    documents = dict.fromkeys(above, 0)
    for label in above:
        of_terms = 0
        for term in groups.get(label, ()):
            of_terms |= extent[term]
        for high in _reach(label, above):
            if high == label or high not in groups:
                documents[high] |= of_terms
    return documents


def _edge(
    context: FormalContext, nodes: list[TermNode], ends: tuple[int, int], p_value: float, claims: list[Claim]
) -> TermEdge:
    child, parent = (nodes[i] for i in ends)
    own = _own(context, child, parent, claims)
    of_claims = tuple(d for c in claims for d in c.documents)
    return TermEdge(
        child=ends[0],
        parent=ends[1],
        support=own.bit_count(),
        confidence=own.bit_count() / max((child.named | own).bit_count(), 1),
        p_value=p_value,
        evidence="; ".join(dict.fromkeys(c.evidence for c in claims)),
        documents=tuple(dict.fromkeys((*of_claims, *shown(context, own))))[:SHOWN],
        sentence=next((c.sentence for c in claims if c.sentence), ""),
        rules=tuple(sorted({c.rule for c in claims}, key=RULES.index)),
    )


def _own(context: FormalContext, child: TermNode, parent: TermNode, claims: Sequence[Claim]) -> int:
    """Return the documents that are an edge's own evidence, whatever is below its ends.

    What the name says, each document says that has the name; what sentences state, those with such a sentence; what
    else is behind an edge, those that name both. Of a chain that a removed class left, the weakest link counts.
    """
    links: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        links["" if claim.narrower in child.terms else claim.narrower].append(claim)
    found = []
    for link in links.values():
        rules = {claim.rule for claim in link}
        stated = _stating(context, link)
        if rules.intersection(("head noun", "suffix", "ending")):
            stated |= child.named
        elif rules - {"pattern"}:
            stated |= child.named & parent.named
        found.append(stated)
    return min(found, key=int.bit_count)


# ---- classes that say nothing are removed from a hierarchy, and so are edges that others imply
#
# A class between one narrower and one broader class orders nothing. Of the classes that are no terms,
#
# * a *found* class (the head or suffix of names, no term itself) is removed if nothing is directly below, or only one
#   found class; one that is below no curated class does not count those that are (量, where 降水量 is a curated kind of
#   quantity)
# * a *curated* class is removed if one class is directly below it and one directly above it
#
# What was below a removed class is then below all that was above it. Removing a found class never gives another one
# more children that count, so that the result does not depend on the order in which they are removed. One term is
# enough for a class that the corpus has alone: 急性心肌梗死 is below 心肌梗死, which says what it is, whether or not
# something else is and 心肌梗死 is a term. 知识分子 makes no class 分子 that nothing else speaks of.


_Above = dict[str, dict[str, list[Claim]]]
"""Narrower -> broader -> the claims that made the edge. A class without a broader one may be a key, or not."""


def _reach(label: str, above: _Above) -> set[str]:
    """Return a class and all above it."""
    return reachable(label, lambda c: above.get(c, ()))


def _reduced(above: _Above) -> _Above:
    """Remove the edges that others imply (transitive reduction).

    >>> edge = [Claim("flash flood", "disaster", "pattern", "pattern")]
    >>> _reduced({"flash flood": {"flood": edge, "disaster": edge}, "flood": {"disaster": edge}})["flash flood"].keys()
    dict_keys(['flood'])
    """
    higher = {label: _reach(label, above) - {label} for label in above}
    return {
        low: {high: c for high, c in highs.items() if not any(high in higher.get(o, ()) for o in highs if o != high)}
        for low, highs in above.items()
    }


def _without_idle(
    above: _Above, found: Collection[str], curated: Collection[str], alone: Collection[str] | None = None
) -> _Above:
    """Remove the found classes with no class directly below that counts, or only another found class.

    Args:
        above: the edges; not changed.
        found: the labels of found classes.
        curated: the labels of curated classes.
        alone: the found classes that have evidence of their own; by default all. Of the others those with one class
            below, by its name only, are removed.

    Returns:
        The other edges, and an edge from what was below a removed class to each class above it, with the claims of
        both. Edges that others imply stay.
    """
    above = {low: {high: list(claims) for high, claims in highs.items()} for low, highs in above.items()}
    labels = above.keys() | {high for highs in above.values() for high in highs}
    placed = {label for label in labels if not _reach(label, above).isdisjoint(curated)}
    left = labels.intersection(found)

    def _says_nothing(label: str, low: str) -> bool:
        by_name = all(claim.rule in _SAYING for claim in above[low].get(label, ()))
        return low in found or (alone is not None and label not in alone and by_name)

    while True:
        below = _below(_reduced(above))
        counted = {c: [b for b in below[c] if c in placed or b not in placed] for c in sorted(left)}
        idle = [c for c, lows in counted.items() if not lows or (len(lows) == 1 and _says_nothing(c, lows[0]))]
        left.difference_update(idle)
        for label in idle:
            _bypass(label, above)
        if not idle:
            return above


def _contracted(
    above: _Above,
    found: Collection[str],
    curated: Collection[str],
    staying: Collection[str],
    alone: Collection[str] | None = None,
) -> _Above:
    """Reduce edges, and remove found and curated classes that order nothing.

    Args:
        above: the edges; every class is a key.
        found: the labels of found classes.
        curated: the labels of curated classes.
        staying: the labels of classes that are not removed.
        alone: the found classes that have evidence of their own; by default all.

    Returns:
        The transitive reduction of what is left.
    """
    above = _reduced(_without_idle(above, found, curated, alone))
    while True:
        below = _below(above)
        removable = (c for c in sorted(above) if c in curated and c not in staying)
        idle = next((c for c in removable if len(below[c]) == len(above[c]) == 1), None)
        if idle is None:
            return above
        (high,), (low,) = above.pop(idle), below[idle]
        claims = above[low].pop(idle)
        if not any(high in _reach(other, above) for other in above[low]):
            above[low][high] = claims
        if found:
            above = _reduced(_without_idle(above, found, curated, alone))


def _bypass(label: str, above: _Above) -> None:
    """Remove a class, and link what is below it to what is above it."""
    highs = above.pop(label, {})
    for of_low in above.values():
        claims = of_low.pop(label, None)
        if claims is not None:
            for high, claims_up in highs.items():
                known = of_low.setdefault(high, [])
                known += [c for c in (*claims, *claims_up) if c not in known]


def _below(above: _Above) -> defaultdict[str, list[str]]:
    """Return the classes directly below each class."""
    below: defaultdict[str, list[str]] = defaultdict(list)
    for low, highs in above.items():
        for high in highs:
            below[high].append(low)
    return below
