"""The semantic similarities of a topic's words, for guides that compare terms by meaning (SSVSM)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from crawler.scoring.relevance import Relevance
from crawler.scoring.ssvsm import SemanticCosine
from crawler.text import Vocabulary
from ontology.model import Ontology
from ontology.similarity import five_factors

Matrix = list[list[float]]
DIGITS = 6
"""A run keeps the similarities in its configuration, so that resuming it depends on no file."""


def of_words(vectors: Mapping[str, Vocabulary], ontologies: Sequence[Ontology]) -> dict[str, Matrix]:
    """Vocabulary of an ontology (GTK, LTK_1 ..) -> Sem of each two of its words, Eq. (1) of paper 000, shape (n, n)."""
    names = ("GTK", *(f"LTK_{number}" for number in range(1, len(ontologies))))
    return {name: _sem(vectors[name], ontology) for name, ontology in zip(names, ontologies, strict=False)}


def _sem(vocabulary: Vocabulary, ontology: Ontology) -> Matrix:
    found = five_factors.matrix(ontology)
    place = {iri: row for row, iri in enumerate(found.iris)}
    rows = [place[word.iri] for word in vocabulary.words]
    sem: Matrix = found.sem[np.ix_(rows, rows)].round(DIGITS).tolist()
    return sem


def informed(guide: Relevance, similarities: Mapping[str, Matrix]) -> Relevance:
    """The guide with the similarities, if it is one that compares terms by meaning."""
    if isinstance(guide, SemanticCosine):
        return guide.knowing({name: np.asarray(rows) for name, rows in similarities.items()})
    return guide
