"""The table of candidate definitions of a learned ontology, for a reviewer to go through."""

from __future__ import annotations

from collections.abc import Sequence

from ontology.evidence.definitions import ranked
from ontology.model import Ontology

COLUMNS = ("label", "label_en", "language", "rank", "pattern", "document", "sentence", "iri")


def table(ontologies: Sequence[Ontology]) -> str:
    """Return the candidates of all classes as tab-separated values with a head, by label and rank; "" without any.

    A class of several ontologies has the candidates of each, and a sentence is listed once.

    Args:
        ontologies: the learned ontologies.
    """
    rows: dict[tuple[str, str], tuple[str, ...]] = {}
    for concept in (c for o in ontologies for c in o.concepts):
        for rank, candidate in ranked(concept.candidates):
            row = (
                concept.label_zh, concept.label_en or "", candidate.language, str(rank), candidate.pattern,
                candidate.document, candidate.sentence, concept.iri,
            )  # fmt: skip
            rows.setdefault((concept.iri, candidate.sentence), tuple(" ".join(cell.split()) for cell in row))
    lines = sorted(rows.values(), key=lambda row: (row[0], row[1], row[2] != "zh", int(row[3])))
    return "".join("\t".join(row) + "\n" for row in (COLUMNS, *lines)) if lines else ""
