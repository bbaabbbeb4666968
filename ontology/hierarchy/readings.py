"""From a formal context to a hierarchy of terms (a DAG), by one of four readings.

* "published": paper 000 section 3.1 as printed: t is above u if and only if ext(u) is a proper subset of ext(t). Right
  for the papers' examples and for contexts made by hand; the default of the function.
* "significant": an exact inclusion must be evidence (three named rules in inclusion.py). With hundreds of terms in few
  documents most inclusions are chance, or tautologies of spelling (心理台风眼效应, of psychology, below 台风).
* "tolerant": an inclusion may fail by as many documents as noise explains (tolerant.py). For corpora whose documents do
  name the broader terms; finds planted taxonomies again.
* "evidence": what text and curated classes say (evidence.py). **Use this for real corpora**: co-occurrence is not
  hyponymy (trap T11b), so that documents alone make no edge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from ontology.context import Bools, ContextError, FormalContext
from ontology.hierarchy.claims import Claim, claims_of_names
from ontology.hierarchy.evidence import Unplaced, evidence_hierarchy
from ontology.hierarchy.inclusion import MIN_EVIDENCE, judge
from ontology.hierarchy.inclusion_order import accepted, covering_edges, grouped, strict_inclusions
from ontology.hierarchy.skeleton import Skeleton, bundled
from ontology.hierarchy.term_dag import Reading, Rejected, TermHierarchy
from ontology.hierarchy.tolerant import ALPHA, tolerant_inclusions

FDR = 0.05
"""Default share of chance inclusions among the edges that rest on documents alone."""


def term_hierarchy(
    context: FormalContext,
    *,
    min_support: int = 1,
    reading: Reading = "published",
    frequency: Mapping[str, int] | None = None,
    min_evidence: int = MIN_EVIDENCE,
    q: float = FDR,
    alpha: float = ALPHA,
    claims: Sequence[Claim] | None = None,
    top: Skeleton | None = None,
    unplaced: Unplaced = "drop",
    groups: tuple[tuple[str, str], ...] = (),
) -> TermHierarchy:
    """The term hierarchy of a context of documents x terms.

    Args:
        context: documents x terms.
        min_support: terms in fewer documents are left out (at least 1) and listed in ``rejected``.
        reading: see the module's docstring.
        frequency: occurrences of each term in the corpus, to choose the label among equivalent terms.
        min_evidence, q: of the reading "significant"; see inclusion.py.
        alpha: of the reading "tolerant"; see tolerant.py.
        claims: of the reading "evidence": what speaks for which edge (`claims_of`); by default what names alone say.
        top: of the reading "evidence": the curated classes to hang terms on; by default the bundled ones.
        unplaced: of the reading "evidence": what becomes of terms without a broader one; see evidence.py.
        groups: of the reading "evidence": terms that stay though nothing is broader, each with what says so.

    Raises:
        ContextError: no term is in ``min_support`` documents, or an unknown reading.
    """
    if reading not in get_args(Reading):
        raise ContextError(f"reading: expected one of {', '.join(get_args(Reading))}, found {reading!r}")
    kept, rare = _frequent(context, max(1, min_support))
    if reading == "evidence":
        top = bundled() if top is None else top
        said = claims_of_names([context.attributes[j] for j in kept], top) if claims is None else claims
        often = frequency or {}
        made = evidence_hierarchy(context, kept, said, top, frequency=often, unplaced=unplaced, stay=dict(groups))
        rejected = rare + made.rejected
        return TermHierarchy(
            len(context.objects), made.nodes, made.edges, reading, max(1, min_support), rejected, made.unplaced, groups
        )
    names = tuple(context.attributes[j] for j in kept)
    table = context.bools()[:, kept]
    judgement = judge(table, names, min_evidence=min_evidence, q=q) if reading == "significant" else None
    nodes, members = grouped(context, kept, judgement, frequency or {})
    first = np.array([group[0] for group in members])
    heads: Bools | None = None
    rejected = ()
    if judgement is not None:
        heads = judgement.head[np.ix_(first, first)]
        above, rejected = accepted(judgement, names, members)
    elif reading == "tolerant":
        above = tolerant_inclusions(table[:, first], alpha=alpha)
    else:
        above = strict_inclusions(table[:, first])
    said_by = "documents included" if reading != "tolerant" else "documents included up to noise"
    edges = covering_edges(context, nodes, above, heads, said_by)
    return TermHierarchy(len(context.objects), nodes, edges, reading, max(1, min_support), rare + rejected)


def _frequent(context: FormalContext, least: int) -> tuple[list[int], tuple[Rejected, ...]]:
    """The attributes in enough documents, and the others with the reason."""
    df = context.bools().sum(axis=0, dtype=np.int64)
    kept = [j for j in range(len(df)) if df[j] >= least]
    if not kept:
        raise ContextError(
            f"no term is in {least} documents or more (the most frequent is in {int(df.max())} of "
            f"{len(context.objects)}): lower the minimal support"
        )
    rare = (
        Rejected(context.attributes[j], "", f"in {df[j]} documents, minimal support is {least}")
        for j in range(len(df))
        if df[j] < least
    )
    return kept, tuple(rare)
