"""Zotero's RDF: an element for each item, with ``bib:``, ``dc:`` and ``dcterms:`` names.

Read item by item rather than as a graph, so that a library of any size needs little memory. A journal stands within
its item, or below it as an element of its own that the item refers to; the DOI may stand in either. Tags that Zotero
set by itself (``z:AutomaticTag``) come behind the user's. Attachments, notes and collections are no records.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from ontology.corpus.index_terms import keyword_line
from ontology.corpus.records import Line, Parsed, clean_doi, clean_text, document_of, place, problem
from ontology.corpus.xml_records import Found, below, records, root_of, text_of, texts_of
from ontology.model import Document, Problem

NAME = "zotero_rdf"
READ = "title, abstract, keywords, index_terms, authors, source, year, doi"
_RECORD = re.compile(r"(?:bib|z|foaf|rdf|link|prism|vcard|dcterms|dc):(?!RDF\b|li\b|Seq\b|value\b)[A-Z]\w*")
_RESUME = re.compile(r"<(?=(?:bib|z|rdf|foaf):\w+\s+rdf:about=)")
_SPACE = 'xmlns:bib="http://purl.org/net/biblio#"'
_CONTAINERS = {"{bib}Journal", "{bib}Series", "{bib}Periodical"}
_NO_ITEMS = {"{bib}Memo", "{z}Attachment", "{z}Collection", "{z}UserItem", "{z}Annotation"}
_NO_TYPES = {"attachment", "note", "annotation"}
_DOI = re.compile(r"^DOI[:\s]\s*", re.IGNORECASE)
_AHEAD = 1_000
"""Maximum items that wait for the journal that they refer to."""


def matches(head: str) -> bool:
    """Return True if the first element is RDF with the names of Zotero."""
    return root_of(head) == "rdf:RDF" and _SPACE in head


@dataclass(frozen=True, slots=True)
class _Journal:
    """What an item takes from the journal that it refers to."""

    title: str
    doi: str


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each item.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages and ids.

    Raises:
        CorpusError: the document type declares an entity.
    """
    journals: dict[str, _Journal] = {}
    waiting: deque[tuple[str, Document | Problem]] = deque()
    for number, found in enumerate(records(lines, file, _RECORD, _RESUME), start=1):
        if isinstance(found, Found) and found.element.tag in _CONTAINERS:
            journals.setdefault(found.element.get("rdf:about", ""), _journal(found.element))
        else:
            waiting.extend(_item(found, file, number))
        while waiting and (waiting[0][0] in journals or not waiting[0][0] or len(waiting) > _AHEAD):
            yield _joined(*waiting.popleft(), journals)
    while waiting:
        yield _joined(*waiting.popleft(), journals)


def _item(found: Found | Problem, file: str, number: int) -> Iterator[tuple[str, Document | Problem]]:
    """Yield an item with the address of the journal that it waits for, or a problem; nothing for what is no item."""
    if isinstance(found, Problem):
        yield "", found
        return
    element = found.element
    kind = text_of(element, "z:itemType")
    if element.tag in _NO_ITEMS or kind in _NO_TYPES or not (kind or element.tag.startswith("{bib}")):
        return
    title = clean_text(text_of(element, "dc:title"))
    if not title:
        yield "", problem(file, found.line, "corpus.untitled", place=place("element dc:title"))
        return
    part_of = next(below(element, "dcterms:isPartOf"), None)
    refers = "" if part_of is None else part_of.get("rdf:resource", "")
    yield refers, _document(element, title, f"{file}-{number}")


def _document(item: Element, title: str, fallback_id: str) -> Document:
    subjects = [e for e in below(item, "dc:subject") if next(below(e, "z:AutomaticTag"), None) is None]
    inside = next(below(item, "dcterms:isPartOf/*"), None)
    journal = _Journal("", "") if inside is None else _journal(inside)
    publisher = text_of(item, "dc:publisher/foaf:Organization/foaf:name")
    return document_of(
        fallback_id,
        title,
        abstract=clean_text(text_of(item, "dcterms:abstract")),
        keywords=[keyword_line(map(text_of, subjects), texts_of(item, "dc:subject/z:AutomaticTag/rdf:value"))],
        authors=_authors(item),
        source=journal.title or text_of(item, "prism:publicationName") or publisher,
        years=(text_of(item, "dc:date"),),
        dois=(_doi(item), journal.doi, *texts_of(item, "dc:identifier/dcterms:URI/rdf:value")),
    )


def _journal(element: Element) -> _Journal:
    return _Journal(text_of(element, "dc:title"), _doi(element))


def _doi(element: Element) -> str:
    texts = texts_of(element, "dc:identifier")
    return next(filter(None, (clean_doi(_DOI.sub("", text)) for text in texts)), "")


def _joined(refers: str, parsed: Document | Problem, journals: dict[str, _Journal]) -> Document | Problem:
    """Return an item with its journal's title, and the DOI there, which is of the first item that refers to it."""
    journal = journals.get(refers)
    if isinstance(parsed, Problem) or journal is None:
        return parsed
    journals[refers] = replace(journal, doi="")
    return replace(parsed, source=journal.title or parsed.source, doi=parsed.doi or journal.doi)


def _authors(item: Element) -> tuple[str, ...]:
    people = below(item, "bib:authors/rdf:Seq/rdf:li/foaf:Person")
    names = (
        ", ".join(
            filter(None, (text_of(p, "foaf:surname"), text_of(p, "foaf:givenName") or text_of(p, "foaf:givenname")))
        )
        for p in people
    )
    return tuple(dict.fromkeys(name for name in names if name))
