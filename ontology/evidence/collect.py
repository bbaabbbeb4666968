"""The list of sources, and the claims of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ontology.choices import Kind
from ontology.evidence.claims import Claim, Rule
from ontology.evidence.head_nouns import HEAD_NOUNS
from ontology.evidence.modifiers import SHARED_MODIFIERS
from ontology.evidence.patterns import PATTERNS
from ontology.evidence.skeleton import TOP
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.suffixes import SUFFIXES
from ontology.terms import TermStudy
from ontology.terms.wordforms import fold

if TYPE_CHECKING:
    from ontology.evidence.wordnet import Wordnet

# ---- claims of the curated classes: a class lists a term as a member, is the term, or claims an ending of terms


def _memberships(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return the places of all terms and classes among the curated classes."""
    return [claim for label in corpus.labels for claim in _places(label, corpus)]


def _places(label: str, corpus: TermCorpus) -> Iterator[Claim]:
    curated = corpus.upper_classes.by_label.get(label)
    places = dict.fromkeys(curated.parents, curated.source) if curated else {}
    places |= {c.label: c.source for c in corpus.upper_classes.classes_of(label) if c.label != label}
    for broader, source in places.items():
        rule: Rule = "top class" if source == TOP else "curated ontology"
        yield Claim(label, broader, rule, source)


def _endings(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return the claims of classes by an ending of a term."""
    claims = []
    for term in dict.fromkeys(corpus.terms):
        match = corpus.upper_classes.class_by_ending(term)
        if match is not None and match[0].label != term:
            curated, ending = match
            claims.append(Claim(term, curated.label, "ending", f"ending of {curated.label}: …{ending}"))
    return claims


_MEMBERSHIP = EvidenceSource("curated classes", _memberships)
_ENDINGS = EvidenceSource("endings", _endings)


# ---- the list of sources, and the claims of all of them


TEXT_SOURCES = (_MEMBERSHIP, _ENDINGS, HEAD_NOUNS, PATTERNS, SUFFIXES, SHARED_MODIFIERS)
"""The sources that are always used."""


def sources_of(kinds: Sequence[Kind], study: TermStudy, wordnet: Wordnet | None = None) -> tuple[EvidenceSource, ...]:
    """List the sources for some kinds of evidence.

    Args:
        kinds: "fca", and "apriori" or "lda" with it; only these are imported.
        study: the candidate terms of the corpus; topics are found over all of them.
        wordnet: a wordnet of the user, if there is one.

    Returns:
        The sources in the order of use.

    Raises:
        TopicError: too few documents or terms for topics.
        MissingExtra: topics are requested, and scikit-learn is not installed.
    """
    sources = list(TEXT_SOURCES)
    if wordnet is not None:
        from ontology.evidence.wordnet import wordnet_source

        sources.append(wordnet_source(wordnet))
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
