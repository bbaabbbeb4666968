"""Relevance of a term to a corpus: the share of its use that texts in general do not explain.

    relevance = max(0, 1 - q / p)

p is how often the term is used here, q how often in general. For Chinese terms these are shares of documents, and the
background is that of `document_frequencies.shipped`, abstracts of all disciplines; for English words shares of the
words of the texts, and the background is that of `keyness.general_english`. A word that other texts use as often is no
term of the field, in however many documents it is. A form of the domain relevance of Navigli and Velardi 2004,
"Learning domain ontologies from document warehouses and dedicated web sites", Computational Linguistics 30(2), which
compares with each of several fields [R].
"""

from __future__ import annotations

from ontology.terms.document_frequencies import DocumentFrequencies
from ontology.terms.keyness import Background
from ontology.terms.wordforms import fold, plurals

_HALF = 0.5


def relevance(here: float, general: float) -> float:
    """Return max(0, 1 - q / p).

    Args:
        here: share of the uses of the corpus, p; above 0.
        general: share of the uses of the background, q.

    >>> relevance(0.2, 0.01), relevance(0.01, 0.02)
    (0.95, 0.0)
    """
    return max(0.0, 1 - general / here)


def relevance_by_documents(term: str, count: int, documents: int, background: DocumentFrequencies) -> float:
    """Return the relevance of a term by the documents that have it.

    Args:
        term: the term.
        count: documents of the corpus that have it.
        documents: documents of the corpus.
        background: document frequencies of other texts.
    """
    general = (background.of([term]) + _HALF) / (background.documents + 1)
    return relevance((count + _HALF) / (documents + 1), general)


def relevance_by_words(word: str, count: int, words: int, background: Background) -> float:
    """Return the relevance of an English word by its occurrences, the plural included.

    Args:
        word: the word, in the singular.
        count: occurrences in the corpus.
        words: number of words of the corpus.
        background: word frequencies of general text.
    """
    known = sum(background.frequency.get(form, 0) for form in {fold(word), *plurals(fold(word))})
    return relevance((count + _HALF) / max(words, 1), (known + _HALF) / background.total)
