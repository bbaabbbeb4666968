"""Claims of names: a term is a kind of its head (heads.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ontology.evidence.claims import Claim
from ontology.evidence.heads import chain
from ontology.evidence.source import EvidenceSource, TermCorpus


def _of_corpus(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each term that has a head, and for each head that has one.

    Where a curated class has a place for a term, no other class is made for it. Nor is one made beside curated classes
    for a single name: these are the upper level of their field.
    """
    placed = placed_by_classes(earlier)
    pairs = list(chain(corpus.terms, corpus.heads, placed))
    if corpus.upper_classes.is_upper_level:
        times = Counter(head for _, head in pairs)
        pairs = [(name, head) for name, head in pairs if times[head] > 1 or corpus.heads.is_known(head)]
    return [Claim(name, head, "head noun", "head noun") for name, head in pairs]


def placed_by_classes(claims: Iterable[Claim]) -> frozenset[str]:
    """Return the names that curated classes have a place for."""
    return frozenset(c.narrower for c in claims if c.rule in ("top class", "curated ontology", "ending"))


HEAD_NOUNS = EvidenceSource("head nouns", _of_corpus)
