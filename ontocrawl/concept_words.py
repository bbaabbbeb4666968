"""The concepts that pages are searched for, as the words of a vocabulary."""

from __future__ import annotations

from crawler.text import Vocabulary
from kg.sentences import ConceptNames


def concept_names(concepts: Vocabulary | None) -> ConceptNames:
    """Return the surface forms of the concepts of a vocabulary; none for None."""
    words = () if concepts is None else concepts.words
    return ConceptNames((word.iri, *form) for word in words for form in word.forms)
