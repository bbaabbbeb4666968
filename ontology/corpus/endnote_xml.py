"""EndNote's XML, which Mendeley, Zotero and others write too: ``<xml><records><record>``.

Texts may stand within ``<style>`` elements, several of them in one word where a letter is raised. In real files: all
records on one line, empty elements, keywords parted by line breaks or semicolons in one element, a DOI with its
resolver or only among the addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ontology.corpus.index_terms import keyword_line, parted
from ontology.corpus.records import Line, Parsed, clean_text, document_of
from ontology.corpus.xml_records import documents, root_of, text_of, texts_of
from ontology.model import Document

NAME = "endnote_xml"
READ = "title, title_en, abstract, keywords, authors, source, year, doi, id"
_RECORD = re.compile(r"record")
_SET = re.compile(r"<records[\s/>]")


def matches(head: str) -> bool:
    """Return True if the first element is ``xml`` or ``records``, and there is a set of records."""
    return root_of(head) in {"xml", "records"} and _SET.search(head) is not None


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Return one document or problem for each record.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages and ids.

    Raises:
        CorpusError: the document type declares an entity.
    """
    return documents(lines, file, _RECORD, _document, "titles/title")


def _document(record: Element, fallback_id: str) -> Document | None:
    title = clean_text(text_of(record, "titles/title"))
    if not title:
        return None
    keywords = ["".join(e.itertext()) for e in record.iterfind("keywords/keyword")]
    return document_of(
        _accession(text_of(record, "accession-num")) or fallback_id,
        title,
        abstract=text_of(record, "abstract"),
        keywords=[keyword_line(entry for text in keywords for line in text.splitlines() for entry in parted(line))],
        title_en=text_of(record, "titles/translated-title"),
        authors=tuple(dict.fromkeys(texts_of(record, "contributors/authors/author"))),
        source=text_of(record, "titles/secondary-title") or text_of(record, "periodical/full-title")
        or text_of(record, "publisher"),
        years=(text_of(record, "dates/year"), text_of(record, "dates/pub-dates/date")),
        dois=(text_of(record, "electronic-resource-num"), *texts_of(record, "urls/*/url")),
    )  # fmt: skip


def _accession(text: str) -> str:
    """Return the number of a record in its database; bare digits are PubMed's or another's, so they are no id alone."""
    return "" if text.isdigit() else text
