"""Claims of names: a term is a kind of its head (heads.py)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ontology.evidence.claims import Claim
from ontology.evidence.heads import chain
from ontology.evidence.source import EvidenceSource, TermCorpus


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each term that has a head, and for each head that has one.

    Where a curated class has a place for a term, no other class is made for it.
    """
    placed = placed_by_classes(earlier)
    return [Claim(name, head, "head noun", "head noun") for name, head in chain(corpus.terms, corpus.heads, placed)]


def placed_by_classes(claims: Iterable[Claim]) -> frozenset[str]:
    """Return the names that curated classes have a place for."""
    return frozenset(c.narrower for c in claims if c.rule in ("top class", "curated ontology", "ending"))


HEAD_NOUNS = EvidenceSource("head nouns", _of_corpus)
