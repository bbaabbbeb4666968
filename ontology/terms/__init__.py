"""Terms: segmentation, candidates, figures, rules, ranking, explanations, and which documents contain which."""

from ontology.terms.contrast import ContrastTerm, contrast_terms, word_novelty
from ontology.terms.extraction import Selection, TermError, TermStudy, study_terms
from ontology.terms.keyness import Background, BackgroundError, load_background
from ontology.terms.occurrences import TermMatcher, incidence, term_counts
from ontology.terms.sentences import clauses, sentence_spans, sentences
from ontology.terms.term_figures import DocumentTerm, TermFigures, document_terms
from ontology.terms.term_lists import TermListError, TermLists, load_terms
from ontology.terms.term_report import Explanation, explain_term

__all__ = [
    "Background",
    "BackgroundError",
    "ContrastTerm",
    "DocumentTerm",
    "Explanation",
    "Selection",
    "TermError",
    "TermFigures",
    "TermListError",
    "TermLists",
    "TermMatcher",
    "TermStudy",
    "clauses",
    "contrast_terms",
    "document_terms",
    "explain_term",
    "incidence",
    "load_background",
    "load_terms",
    "sentence_spans",
    "sentences",
    "study_terms",
    "term_counts",
    "word_novelty",
]
