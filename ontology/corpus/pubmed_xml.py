"""PubMed's XML: ``PubmedArticleSet`` with ``PubmedArticle`` and ``PubmedBookArticle``.

Parts of a structured abstract come with their labels (``BACKGROUND: ..``), as PubMed's own text has them. In real
files: no abstract, several lists of keywords, headings without qualifiers, markup within titles, years only within
``MedlineDate``, abstracts in further languages beside the English one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element

from ontology.corpus import pubmed
from ontology.corpus.records import Line, Parsed
from ontology.corpus.xml_records import documents, root_of, text_of, texts_of
from ontology.model import Document

NAME = "pubmed_xml"
READ = "title, title_en, abstract, abstract_en, keywords, index_terms, authors, source, year, doi, id"
_RECORD = re.compile(r"(?:PubmedArticle|PubmedBookArticle)")


def matches(head: str) -> bool:
    """Return True if the first element is a set of articles."""
    return root_of(head) in {"PubmedArticleSet", "PubmedBookArticleSet", "PubmedArticle", "PubmedBookArticle"}


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Return one document or problem for each article.

    Args:
        lines: lines of the file, or pieces of them.
        file: its name, for messages and ids.

    Raises:
        CorpusError: the document type declares an entity.
    """
    return documents(lines, file, _RECORD, _document, "ArticleTitle")


def _document(record: Element, fallback_id: str) -> Document | None:
    fields = _fields(record)
    return pubmed.document(fields, fallback_id) if pubmed.title_of(fields) else None


def _fields(record: Element) -> pubmed.Fields:
    article = record.find("MedlineCitation/Article")
    if article is None:
        article = record.find("BookDocument")
    if article is None:
        article = record
    citation = record.find("MedlineCitation")
    about = article if citation is None else citation
    return pubmed.Fields(
        pmid=text_of(about, "PMID"),
        title=text_of(article, "ArticleTitle") or text_of(article, "Book/BookTitle"),
        vernacular=text_of(article, "VernacularTitle"),
        abstract=_abstract(article.find("Abstract")),
        other_abstract=_abstract(_other(about)),
        keywords=texts_of(about, "KeywordList/Keyword"),
        headings=texts_of(about, "MeshHeadingList/MeshHeading/DescriptorName"),
        authors=[_name(author) for author in article.iterfind("AuthorList/Author")],
        source=text_of(article, "Journal/Title") or text_of(article, "Book/Publisher/PublisherName"),
        years=_years(article),
        dois=(*texts_of(article, "ELocationID[@EIdType='doi']"),
              *texts_of(record, "PubmedData/ArticleIdList/ArticleId[@IdType='doi']")),
    )  # fmt: skip


def _abstract(element: Element | None) -> str:
    """Return the parts of an abstract, each behind its label."""
    if element is None:
        return ""
    parts = []
    for part in element.iterfind("AbstractText"):
        label, text = part.get("Label", ""), text_of(part)
        parts.append(f"{label}: {text}" if label and label != "UNLABELLED" else text)
    return " ".join(filter(None, parts))


def _other(about: Element) -> Element | None:
    abstracts = about.findall("OtherAbstract")
    return next((e for e in abstracts if e.get("Language", "") == "chi"), abstracts[0] if abstracts else None)


def _name(author: Element) -> str:
    family, given = text_of(author, "LastName"), text_of(author, "ForeName") or text_of(author, "Initials")
    return f"{family}, {given}" if family and given else family or text_of(author, "CollectiveName")


def _years(article: Element) -> tuple[str, ...]:
    paths = ("Journal/JournalIssue/PubDate", "Book/PubDate", "ArticleDate")
    return tuple(text_of(article, f"{path}/{name}") for path in paths for name in ("Year", "MedlineDate"))
