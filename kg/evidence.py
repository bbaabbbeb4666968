"""Sentences in the graph: which pages and papers have them, and which concepts they name.

A Sentence is one node whatever has it: (:Sentence)-[:ON_PAGE {crawl}]->(:Page), (:Sentence)-[:IN_DOCUMENT]->(:Document)
and (:Sentence)-[:NAMES]->(:Concept). What a page or paper had before is replaced, and a sentence that nothing has any
more is removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import queries
from kg.batches import write_rows
from kg.records import OutcomeRow
from kg.sentences import ConceptNames, NamingSentence
from kg.store import Row, Transaction
from ontology.enrichment.page_text import page_number
from ontology.model import Document

_FIELDS = ("title", "abstract", "title_en", "abstract_en")


@dataclass(frozen=True, slots=True)
class PageSentences:
    """The sentences of a page: those of its main text, then those of its title that are not in the text."""

    url: str
    text: tuple[NamingSentence, ...]
    title: tuple[NamingSentence, ...]
    page_starts: tuple[int, ...] = ()
    """Where in the text each page of a document begins (`kg.records.OutcomeRow`)."""

    def __len__(self) -> int:
        """Return the number of sentences."""
        return len(self.text) + len(self.title)

    def first_names(self) -> dict[str, Row]:
        """Return IRI -> the first sentence that names the concept, and where: sentence, start, end."""
        first: dict[str, Row] = {}
        for sentence in (*self.text, *self.title):
            for name in sentence.names:
                first.setdefault(name.iri, {"sentence": sentence.text, "start": name.start, "end": name.end})
        return first


def sentences_of_page(row: OutcomeRow, names: ConceptNames) -> PageSentences:
    """Cut the title and the main text of a page into sentences; one that occurs several times counts once.

    Args:
        row: a fetched page.
        names: the concepts to find.
    """
    seen: set[str] = set()
    text, title = (tuple(_fresh(names.sentences(text), seen)) for text in (row.text, row.title))
    return PageSentences(row.url, text, title, row.page_starts)


def places_on_page(page: PageSentences) -> Iterator[tuple[NamingSentence, dict[str, Any]]]:
    """Yield the sentences of a page with the properties of their ON_PAGE relationship but its crawl."""
    for in_title, sentences in ((False, page.text), (True, page.title)):
        for sentence in sentences:
            number = None if in_title else page_number(page.page_starts, sentence.start)
            yield sentence, {"start": sentence.start, "end": sentence.end, "title": in_title, "page_number": number}


def write_sentences_of_pages(
    transaction: Transaction, crawl: str, pages: Sequence[PageSentences], node_of: Mapping[str, str], *, again: bool
) -> int:
    """Write the sentences of pages in place of those that they had in this crawl.

    Args:
        transaction: an open transaction, which has the pages.
        crawl: id of the crawl.
        pages: the sentences of each page.
        node_of: IRI in an ontology -> IRI of the node, of the concepts that the graph has.
        again: whether the pages may have had sentences in this crawl.

    Returns:
        The number of sentences, each counted once for each page.
    """
    urls = [{"url": page.url} for page in pages] if again else []
    before = _forgotten(transaction, "project/forget_on_page", urls, crawl=crawl)
    _write_nodes(transaction, (s for page in pages for s in (*page.text, *page.title)), node_of)
    rows = [
        {"url": page.url, "sentences": [{"id": s.id, **place} for s, place in places_on_page(page)]} for page in pages
    ]
    write_rows(transaction, "project/on_page", rows, crawl=crawl)
    write_rows(transaction, "remove/sentences", before)
    return sum(map(len, pages))


def forget_sentences_of_pages(transaction: Transaction, crawl: str, urls: Iterable[str]) -> None:
    """Remove what a crawl says of the sentences of pages, and the sentences that nothing has any more.

    Args:
        transaction: an open transaction.
        crawl: id of the crawl.
        urls: the pages.
    """
    rows = [{"url": url} for url in urls]
    write_rows(transaction, "remove/sentences", _forgotten(transaction, "project/forget_on_page", rows, crawl=crawl))


def write_sentences_of_documents(transaction: Transaction, documents: Sequence[Document], names: ConceptNames) -> int:
    """Write the sentences of papers' titles and abstracts, in both languages, in place of those that they had.

    Args:
        transaction: an open transaction, which has the papers.
        documents: the papers.
        names: the concepts to find, by the IRIs of their nodes in the graph.

    Returns:
        The number of sentences, each counted once for each paper.
    """
    found: list[tuple[str, str, NamingSentence]] = []
    for document in documents:
        seen: set[str] = set()
        for field in _FIELDS:
            found += [(document.id, field, s) for s in _fresh(names.sentences(getattr(document, field)), seen)]
    before = _forgotten(transaction, "load/forget_in_document", [{"id": document.id} for document in documents])
    sentences = [sentence for _, _, sentence in found]
    _write_nodes(transaction, sentences, {name.iri: name.iri for s in sentences for name in s.names})
    rows = [
        {"document": document, "id": s.id, "field": field, "start": s.start, "end": s.end}
        for document, field, s in found
    ]
    write_rows(transaction, "load/in_document", rows)
    write_rows(transaction, "remove/sentences", before)
    return len(rows)


def forget_sentences_of_documents(transaction: Transaction, ids: Iterable[str]) -> None:
    """Remove what the graph has of the sentences of papers, and the sentences that nothing has any more.

    Args:
        transaction: an open transaction.
        ids: the papers.
    """
    rows = [{"id": identifier} for identifier in ids]
    write_rows(transaction, "remove/sentences", _forgotten(transaction, "load/forget_in_document", rows))


def _fresh(sentences: Iterable[NamingSentence], seen: set[str]) -> Iterable[NamingSentence]:
    for sentence in sentences:
        if sentence.id not in seen:
            seen.add(sentence.id)
            yield sentence


def _write_nodes(transaction: Transaction, sentences: Iterable[NamingSentence], node_of: Mapping[str, str]) -> None:
    """Write sentences and the concepts that they name; of concepts that are one node the first name counts."""
    by_id = {sentence.id: sentence for sentence in sentences}
    write_rows(
        transaction, "project/sentences", [{"id": key, "text": s.text, "folded": s.folded} for key, s in by_id.items()]
    )
    names: dict[tuple[str, str], Row] = {}
    for key, sentence in by_id.items():
        for name in sentence.names:
            if name.iri in node_of:
                iri = node_of[name.iri]
                names.setdefault((key, iri), {"id": key, "iri": iri, "start": name.start, "end": name.end})
    write_rows(transaction, "project/names", list(names.values()))


def _forgotten(transaction: Transaction, query: str, rows: Sequence[Row], **params: str) -> list[Row]:
    """Run a statement that forgets, and return the ids of the sentences that it was about."""
    ids = transaction.write(queries.get(query).text, rows, **params) if rows else []
    return [{"id": identifier} for identifier in dict.fromkeys(row["id"] for row in ids)]
