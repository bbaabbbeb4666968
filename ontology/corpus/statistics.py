"""Statistics of a corpus: years, sources, keywords, the number of documents with each field, and what it lacks.

A record is a document if it has an abstract: terms, sentences and places come from abstracts, and a title has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from textwrap import shorten

from ontology.errors import Message
from ontology.model import Document
from ontology.terms.occurrences import is_chinese_text
from ontology.terms.wordforms import fold


@dataclass(frozen=True, slots=True)
class Statistics:
    """Statistics of a corpus. Pairs are (value, records), most frequent first, equal ones by value."""

    examined: Examination
    fields: dict[str, int]
    """Field -> number of records that have it."""
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
        documents: the corpus, duplicates merged.
        top: number of most frequent keywords and sources to keep.
    """
    present = dict.fromkeys(_FIELDS, 0)
    years, keywords, sources = Counter[int](), Counter[str](), Counter[str]()
    characters = 0
    counted = _Counted()
    for document in documents:
        counted.add(document)
        characters += len(document.abstract)
        for name in _FIELDS:
            present[name] += getattr(document, name) not in ("", (), None)
        if document.year is not None:
            years[document.year] += 1
        if document.source:
            sources[document.source] += 1
        keywords.update({fold(k) for k in document.keywords or document.keywords_en})
    return Statistics(
        examined=counted.examination(0),
        fields=present,
        years=dict(sorted(years.items())),
        mean_abstract=characters / present["abstract"] if present["abstract"] else 0.0,
        distinct_keywords=len(keywords),
        keywords=_top(keywords, top),
        sources=_top(sources, top),
    )


def _top(counts: Counter[str], number: int) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number])


# ---- what a corpus lacks, said before anything is learned from it


TITLES = 3
"""Number of records that a sentence names."""
_LONG = 80


@dataclass(frozen=True, slots=True)
class Examination:
    """What the records of a corpus have and lack.

    Attributes:
        records: number of records, after duplicates are merged.
        with_abstract: number of those with an abstract, in any language.
        with_keywords: number of those with keywords.
        languages: ``zh`` and ``en`` -> number of records with a text in this language.
        duplicates: number of records that were merged into others.
        bare: titles of the first records without an abstract.
    """

    records: int
    with_abstract: int
    with_keywords: int
    languages: dict[str, int]
    duplicates: int
    bare: tuple[str, ...]

    @property
    def shares(self) -> str:
        """The figures as a line of text."""
        counts = {"abstracts": self.with_abstract, "keywords": self.with_keywords, **self.languages}
        shares = {name: count / max(self.records, 1) for name, count in counts.items()}
        return Message("corpus.shares", records=self.records, duplicates=self.duplicates, **shares)

    @property
    def named(self) -> str:
        """The number of records, as documents only where all have an abstract."""
        if self.with_abstract == self.records:
            return Message("corpus.named_all", records=self.records)
        if not self.with_abstract:
            return Message("corpus.named_none", records=self.records)
        return Message("corpus.named_some", records=self.records, abstracts=self.with_abstract)

    @property
    def no_abstracts(self) -> str:
        """The warning that most records have no abstract; empty if most have one."""
        bare = self.records - self.with_abstract
        if 2 * bare <= self.records:
            return ""
        return Message("corpus.no_abstracts", bare=bare, records=self.records, such=such_as(self.bare))


def examine(documents: Iterable[Document], duplicates: int = 0) -> Examination:
    """Count what the records of a corpus have, in one pass.

    Args:
        documents: the records, duplicates merged.
        duplicates: number of records that were merged.

    >>> found = examine([Document("a", "Drainage of pleural effusion"), Document("b", "降水", "暴雨", ("洪水",))])
    >>> found.shares
    '2 records, 50% with abstracts, 50% with keywords, 50% Chinese, 50% English, 0 duplicates merged'
    >>> found.named
    '2 records, 1 of them with an abstract'
    """
    counted = _Counted()
    for document in documents:
        counted.add(document)
    return counted.examination(duplicates)


class _Counted:
    """The counts of an examination, record by record."""

    def __init__(self) -> None:
        self._records = self._abstracts = self._keywords = 0
        self._languages = {"zh": 0, "en": 0}
        self._bare: list[str] = []

    def add(self, d: Document) -> None:
        """Count a record."""
        self._records += 1
        self._keywords += bool(d.keywords or d.keywords_en)
        if d.abstract or d.abstract_en:
            self._abstracts += 1
        elif len(self._bare) < TITLES:
            self._bare.append(d.title or d.title_en)
        texts = [text for text in (f"{d.title}\n{d.abstract}", f"{d.title_en}\n{d.abstract_en}") if text.strip()]
        for language in {"zh" if is_chinese_text(text) else "en" for text in texts}:
            self._languages[language] += 1

    def examination(self, duplicates: int) -> Examination:
        """Return the counts."""
        return Examination(
            self._records, self._abstracts, self._keywords, self._languages, duplicates, tuple(self._bare)
        )


def such_as(titles: Sequence[str]) -> str:
    """Return the titles of some records for a sentence about them; empty without any.

    >>> such_as(["Flood", "Drought"])
    ', such as “Flood”, “Drought”'
    """
    shown = (shorten(title, _LONG, placeholder=" ..") if " " in title else title[:_LONG] for title in titles[:TITLES])
    return Message("corpus.such_as", titles=", ".join(f"“{title}”" for title in shown)) if titles else ""
