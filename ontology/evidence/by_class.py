"""Claims of the curated classes: a class lists a term as a member, is the term, or claims an ending of terms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ontology.evidence.claims import Claim, Rule
from ontology.evidence.skeleton import TOP
from ontology.evidence.source import EvidenceSource, TermCorpus


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


MEMBERSHIP = EvidenceSource("curated classes", _memberships)
ENDINGS = EvidenceSource("endings", _endings)
