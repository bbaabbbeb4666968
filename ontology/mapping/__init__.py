"""Mappings between the concepts of two ontologies: how they are found, and SSSOM files of them.

`align` finds mappings by labels, synonyms, a lexicon and the heads of names; `sssom` reads and writes them in the
Simple Standard for Sharing Ontological Mappings (Matentzoglu et al. 2022), so that people can correct them.
"""

from ontology.mapping.alignment import align
from ontology.mapping.mappings import BROAD, CLOSE, EXACT, MappingSet, TermMapping
from ontology.mapping.sssom import MappingError, load, write

__all__ = ["BROAD", "CLOSE", "EXACT", "MappingError", "MappingSet", "TermMapping", "align", "load", "write"]
