"""The list of sources, and the claims of all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ontology.choices import Kind
from ontology.evidence.by_class import ENDINGS, MEMBERSHIP
from ontology.evidence.claims import Claim
from ontology.evidence.head_nouns import HEAD_NOUNS
from ontology.evidence.modifiers import SHARED_MODIFIERS
from ontology.evidence.patterns import PATTERNS
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.suffixes import SUFFIXES
from ontology.terms import TermStudy
from ontology.terms.wordforms import fold

TEXT_SOURCES = (MEMBERSHIP, ENDINGS, HEAD_NOUNS, PATTERNS, SUFFIXES, SHARED_MODIFIERS)
"""The sources that are always used."""


def sources_of(kinds: Sequence[Kind], study: TermStudy) -> tuple[EvidenceSource, ...]:
    """List the sources for some kinds of evidence.

    Args:
        kinds: "fca", and "apriori" or "lda" with it; only these are imported.
        study: the candidate terms of the corpus; topics are found over all of them.

    Returns:
        The sources in the order of use.

    Raises:
        TopicError: too few documents or terms for topics.
        MissingExtra: topics are requested, and scikit-learn is not installed.
    """
    sources = list(TEXT_SOURCES)
    if "apriori" in kinds:
        from ontology.evidence.apriori import ASSOCIATION_RULES

        sources.append(ASSOCIATION_RULES)
    if "lda" in kinds:
        from ontology.evidence.lda import topic_source

        sources.append(topic_source(study))
    return tuple(sources)


def collect(corpus: TermCorpus, sources: Sequence[EvidenceSource] = TEXT_SOURCES) -> tuple[Claim, ...]:
    """Collect the claims of all sources.

    Args:
        corpus: the documents and their terms; without documents only names are evidence.
        sources: the sources in the order of use.

    Returns:
        All claims, by source, without those that place something under a name of the black list.
    """
    claims: tuple[Claim, ...] = ()
    for source in sources:
        claims += tuple(c for c in source.claims(corpus, claims) if fold(c.broader) not in corpus.black)
    return claims
