"""Statistics of a corpus: years, sources, keywords, and the number of documents with each field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ontology.model import Document
from ontology.terms.wordforms import fold


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a corpus. Pairs are (value, documents), most frequent first, equal ones by value."""

    documents: int
    fields: dict[str, int]
    """Field -> number of documents that have it."""
    years: dict[int, int]
    """Year to documents, in rising order; documents without a year are not in it."""
    mean_abstract: float
    """Mean number of characters of an abstract, over the documents that have one; 0 if none has."""
    distinct_keywords: int
    keywords: tuple[tuple[str, int], ...]
    sources: tuple[tuple[str, int], ...]


_FIELDS = ("abstract", "keywords", "title_en", "abstract_en", "keywords_en", "authors", "source", "year", "doi")


def statistics(documents: Iterable[Document], *, top: int = 20) -> Statistics:
    """Compute the statistics of documents in one pass. Keywords are counted folded.

    Args:
        documents: the corpus.
        top: number of most frequent keywords and sources to keep.
    """
    present = dict.fromkeys(_FIELDS, 0)
    years, keywords, sources = Counter[int](), Counter[str](), Counter[str]()
    count = characters = 0
    for document in documents:
        count += 1
        characters += len(document.abstract)
        for name in _FIELDS:
            present[name] += getattr(document, name) not in ("", (), None)
        if document.year is not None:
            years[document.year] += 1
        if document.source:
            sources[document.source] += 1
        keywords.update({fold(k) for k in document.keywords or document.keywords_en})
    return Statistics(
        documents=count,
        fields=present,
        years=dict(sorted(years.items())),
        mean_abstract=characters / present["abstract"] if present["abstract"] else 0.0,
        distinct_keywords=len(keywords),
        keywords=_top(keywords, top),
        sources=_top(sources, top),
    )


def _top(counts: Counter[str], number: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number])
