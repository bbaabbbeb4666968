"""A record of PubMed as a document, for both of its exports: the tagged text (``nbib``) and ``pubmed_xml``.

PubMed gives a translated title in brackets, and the original one where it has it. Of a Chinese paper the Chinese title
and abstract come first, the English ones are ``title_en`` and ``abstract_en``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ontology.corpus.index_terms import heading, keyword_line
from ontology.corpus.records import clean_text, document_of, has_chinese, one_line
from ontology.model import Document

_BRACKETS = re.compile(r"^\[(.*)\]\.?$")


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields of a record; ``vernacular`` and ``other_abstract`` are in the language of the paper."""

    pmid: str
    title: str
    vernacular: str
    abstract: str
    other_abstract: str
    keywords: Iterable[str]
    headings: Iterable[str]
    authors: Iterable[str]
    source: str
    years: tuple[str, ...]
    dois: tuple[str, ...]


def title_of(fields: Fields) -> str:
    """Return the record's title, "" if it has none."""
    return clean_text(fields.title) or clean_text(fields.vernacular)


def document(fields: Fields, fallback_id: str) -> Document:
    """Return the document of a record with a title.

    Args:
        fields: its fields.
        fallback_id: id for a record without a PMID.
    """
    english = _BRACKETS.sub(r"\1", title_of(fields))
    vernacular = clean_text(fields.vernacular)
    chinese = has_chinese(vernacular) and vernacular != english
    chinese_abstract = has_chinese(fields.other_abstract)
    pmid = one_line(fields.pmid)
    return document_of(
        f"PMID:{pmid}" if pmid else fallback_id,
        vernacular if chinese else english,
        abstract=fields.other_abstract if chinese_abstract else fields.abstract,
        keywords=[keyword_line((entry.strip(" *") for entry in fields.keywords), map(heading, fields.headings))],
        title_en=english if chinese else "",
        abstract_en=fields.abstract if chinese_abstract else "",
        authors=tuple(dict.fromkeys(name for name in map(one_line, fields.authors) if name)),
        source=fields.source,
        years=fields.years,
        dois=fields.dois,
    )
