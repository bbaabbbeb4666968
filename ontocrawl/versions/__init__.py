"""Versions of ontologies: learned from papers, decided about, edited, mapped, numbered, kept with their history.

Here goes what makes the next version of an ontology, or tells of earlier ones. The learner itself is in `ontology`.
"""

__all__ = [
    "building",
    "competency_checks",
    "curated_decisions",
    "deciding",
    "hand_edits",
    "histories",
    "learning",
    "mapping",
    "releases",
]
