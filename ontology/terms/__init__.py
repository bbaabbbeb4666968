"""Terms: segmentation, candidates, ranking, and which documents contain which."""

from ontology.terms.extraction import Selection, TermError, explain_terms, extract_terms
from ontology.terms.occurrences import Matcher, incidence, term_counts
from ontology.terms.phrases import candidates, sentences

__all__ = [
    "Matcher",
    "Selection",
    "TermError",
    "candidates",
    "explain_terms",
    "extract_terms",
    "incidence",
    "sentences",
    "term_counts",
]
