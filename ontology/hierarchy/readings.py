"""From a formal context to a hierarchy of terms (a DAG), by one of four readings.

* "published": paper 000 section 3.1 as printed: t is above u if and only if ext(u) is a proper subset of ext(t). Right
  for the papers' examples and for contexts made by hand; the default of the function.
* "significant": an exact inclusion must be significant (three named rules in inclusion.py). With hundreds of terms in
  few documents most inclusions are chance, or tautologies of spelling (心理台风眼效应, of psychology, below 台风).
* "tolerant": an inclusion may fail by as many documents as noise explains (tolerant.py). For corpora whose documents do
  contain the broader terms; it recovers planted taxonomies.
* "evidence": edges from names, text and, where there are some, curated classes (from_claims.py). **Use this for real
  corpora**: co-occurrence is not hyponymy (trap T11b), so that documents alone make no edge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from ontology.choices import READINGS, Reading, Unplaced
from ontology.context import Bools, ContextError, FormalContext
from ontology.evidence import EMPTY_SKELETON, Claim, Skeleton, TermCorpus, collect
from ontology.hierarchy.from_claims import from_claims
from ontology.hierarchy.inclusion import (
    MIN_EVIDENCE,
    Judgement,
    accepted,
    covering_edges,
    grouped,
    judge,
    strict_inclusions,
)
from ontology.hierarchy.term_dag import Rejected, TermHierarchy
from ontology.hierarchy.tolerant import ALPHA, tolerant_inclusions
from ontology.terms.lexicon import EMPTY, Lexicon

_FDR = 0.05
"""Default false discovery rate: share of chance inclusions among the edges that rest on documents alone."""


def term_hierarchy(
    context: FormalContext,
    *,
    min_support: int = 1,
    reading: Reading = "published",
    frequency: Mapping[str, int] | None = None,
    min_evidence: int = MIN_EVIDENCE,
    q: float = _FDR,
    alpha: float = ALPHA,
    claims: Sequence[Claim] | None = None,
    upper_classes: Skeleton = EMPTY_SKELETON,
    unplaced: Unplaced = "drop",
    topic_concepts: Mapping[str, str] = MappingProxyType({}),
    lexicon: Lexicon = EMPTY,
    found: Collection[str] | None = None,
    alone: Collection[str] | None = None,
) -> TermHierarchy:
    """Read the term hierarchy of a context of documents x terms.

    Args:
        context: documents x terms.
        min_support: smallest number of documents of a term (at least 1); rarer terms are listed in ``rejected``.
        reading: see the module's docstring.
        frequency: occurrences of each term in the corpus, to choose the label among equivalent terms.
        min_evidence: smallest number of documents of a term ("significant" only; see inclusion.py).
        q: false discovery rate, in (0, 1) ("significant" only).
        alpha: significance level, in (0, 1) ("tolerant" only; see tolerant.py).
        claims: the evidence of edges (`ontology.evidence.collect`); by default from names alone ("evidence" only).
        upper_classes: the curated classes to place terms under ("evidence" only).
        unplaced: what becomes of terms without a broader one; see from_claims.py ("evidence" only).
        topic_concepts: terms to keep without a broader one -> the reason ("evidence" only).
        lexicon: synonyms; none becomes a class beside the word it is a synonym of ("evidence" only).
        found: further labels that may become classes; by default `found_labels` of the claims ("evidence" only).
        alone: those of them that the corpus has alone; by default all ("evidence" only).

    Returns:
        The hierarchy, with the rejected terms and edges and the reasons.

    Raises:
        ContextError: no term is in ``min_support`` documents, or an unknown reading or ``unplaced``.

    >>> context = FormalContext.from_pairs([("d1", "flood"), ("d1", "disaster"), ("d2", "disaster"), ("d2", "drought"),
    ...                                     ("d3", "disaster")])
    >>> hierarchy = term_hierarchy(context)
    >>> [(hierarchy.nodes[e.child].label, hierarchy.nodes[e.parent].label) for e in hierarchy.edges]
    [('drought', 'disaster'), ('flood', 'disaster')]
    """
    if reading not in READINGS:
        raise ContextError("hierarchy.reading_expected_found", readings=", ".join(READINGS), reading=reading)
    kept, rare = _frequent(context, max(1, min_support))
    if reading == "evidence":
        names = [context.attributes[j] for j in kept]
        dag = from_claims(
            context, kept, collect(TermCorpus((), names, lexicon, upper_classes)) if claims is None else claims,
            upper_classes,
            frequency=frequency or {}, unplaced=unplaced, staying=topic_concepts, lexicon=lexicon, found=found,
            alone=alone,
        )  # fmt: skip
    else:
        judgement = _judgement(context, kept, min_evidence, q) if reading == "significant" else None
        dag = _from_documents(context, kept, frequency or {}, judgement, alpha if reading == "tolerant" else None)
    return replace(
        dag, reading=reading, min_support=max(1, min_support), rejected=rare + dag.rejected,
        topic_concepts=topic_concepts,
    )  # fmt: skip


def _judgement(context: FormalContext, kept: list[int], min_evidence: int, q: float) -> Judgement:
    names = tuple(context.attributes[j] for j in kept)
    return judge(context.bools()[:, kept], names, min_evidence=min_evidence, q=q)


def _from_documents(
    context: FormalContext,
    kept: list[int],
    frequency: Mapping[str, int],
    judgement: Judgement | None,
    alpha: float | None,
) -> TermHierarchy:
    """Return the hierarchy of inclusions: as judged ("significant"), up to noise (with ``alpha``), or exact."""
    nodes, members = grouped(context, kept, judgement, frequency)
    first = np.array([group[0] for group in members])
    heads: Bools | None = None
    rejected: tuple[Rejected, ...] = ()
    evidence = "documents included"
    if judgement is not None:
        heads = judgement.head[np.ix_(first, first)]
        above, rejected = accepted(judgement, tuple(context.attributes[j] for j in kept), members)
    elif alpha is not None:
        above = tolerant_inclusions(context.bools()[:, kept][:, first], alpha=alpha)
        evidence = "documents included up to noise"
    else:
        above = strict_inclusions(context.bools()[:, kept][:, first])
    edges = covering_edges(context, nodes, above, heads, evidence)
    return TermHierarchy(len(context.objects), nodes, edges, "published", 1, rejected)


def _frequent(context: FormalContext, least: int) -> tuple[list[int], tuple[Rejected, ...]]:
    """Return the attributes in enough documents, and the others with the reason."""
    df = context.bools().sum(axis=0, dtype=np.int64)
    kept = [j for j in range(len(df)) if df[j] >= least]
    if not kept:
        raise ContextError(
            "hierarchy.no_term_documents_more", least=least, df=int(df.max()), n_objects=len(context.objects)
        )
    rare = (
        Rejected(context.attributes[j], "", f"in {df[j]} documents, minimal support is {least}")
        for j in range(len(df))
        if df[j] < least
    )
    return kept, tuple(rare)
