"""Saved web pages: CNKI's abstract page and result list, and the HTML tables that CNKI calls .xls, by bs4.

Reconstructed from how public programs address these pages (``#ChDivSummary``, ``.wx-tit``, ``table.result-table-list``,
``td.name``, labels ``catalog_KEYWORD``); no actual page was available. Pages of other publishers are read if they have
``citation_`` meta elements. A page whose list is loaded by a script has no record.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ontology.corpus import columns
from ontology.corpus.records import CorpusError, Line, Parsed, document_of, one_line, problem, split_list
from ontology.model import Document

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

NAME = "saved_page"
READ = "title, abstract, keywords, authors, source, year, doi; of a list the columns of tables"
_START = re.compile(r"<(?:!doctype\s+html|html|head|table)[\s>]", re.IGNORECASE)
_CLASSES = {"name": "title", "author": "authors", "source": "source", "date": "date"}
_TITLE = (".wx-tit h1", ".wxTitle h2", "h1.title", "#chTitle", ".brief h1", "h1")
_ABSTRACT = ("#ChDivSummary", ".abstract-text", "div.abstract", "#abstract_text")
_KEYWORDS = ("p.keywords a", ".keywords a", "#ChDivKeyWord a", ".keyword a")
_AUTHORS = ("h3.author a", "#authorpart a", "h3.author span", "div.author a", ".author a")
_SOURCE = (".top-tip span a", ".top-tip a", ".sourinfo .title", ".wxsour .title")
_DATE = (".head-time", ".top-tip", ".sourinfo", ".wxsour")


def matches(head: str) -> bool:
    """Return True if the text starts as HTML does, within its first 4,096 characters."""
    return _START.search(head[:4096]) is not None


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield the documents of a page.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.

    Raises:
        CorpusError: it is neither an abstract page nor a list of records.
    """
    from bs4 import BeautifulSoup

    page = BeautifulSoup("\n".join(line.text for line in lines), "html.parser")
    single = _abstract_page(page, file)
    if single is not None:
        yield single
        return
    read = False
    for table in page.find_all("table"):
        known = _columns(table)
        if known is None:
            continue
        read = True
        for row in _body(table):
            cells, line = _cells(row), row.sourceline or 0
            document = columns.document(cells, known, file, line)
            if document is not None:
                yield document
            inside = [cell for cell in row.find_all("td") if cell.find_parent("table") is table]
            if known.names and (len(inside) > len(cells) or "".join(cells[len(known.names) :]).strip()):
                count = max(len(inside), len(cells))
                yield problem(file, line, "corpus.cells_behind", cells=count, columns=len(known.names))
    for row in page.find_all("tr") if read else ():
        if row.find_parent("table") is None:
            text = one_line(row.get_text(" "))
            yield problem(file, row.sourceline or 0, "corpus.row_outside", text=text[:40])
    loose = [cell for cell in page.find_all("td") if read and cell.find_parent("tr") is None]
    if loose:
        text = one_line(loose[0].get_text(" "))
        yield problem(file, loose[0].sourceline or 0, "corpus.cells_outside", cells=len(loose), text=text[:40])
    if not read:
        raise CorpusError("corpus.saved_page_without_records", file=file)


_WIDEST = 100
"""Columns that one cell may go over."""


def _rows(table: Tag) -> Iterator[Tag]:
    return (row for row in table.find_all("tr") if row.find_parent("table") is table)


def _columns(table: Tag) -> columns.Columns | None:
    """Return columns by the header, or else by the classes of CNKI's cells."""
    for _, row in zip(range(5), _rows(table), strict=False):
        known = columns.header(_cells(row))
        if known is not None:
            return known
    for row in _rows(table):
        cells = _cell_tags(row)
        positions = {f: n for n, cell in enumerate(cells) for name, f in _CLASSES.items() if name in _classes(cell)}
        if "title" in positions:
            return columns.Columns(positions)
    return None


def _body(table: Tag) -> Iterator[Tag]:
    """Yield the rows that are no header: neither the one with the column names, nor one of header cells only."""
    for row in _rows(table):
        if row.find("td") is not None and columns.header(_cells(row)) is None:
            yield row


def _cell_tags(row: Tag) -> list[Tag]:
    return row.find_all(["td", "th"], recursive=False)


def _classes(tag: Tag) -> list[str]:
    return list(tag.get_attribute_list("class"))


def _cells(row: Tag) -> list[str]:
    """Return the text of each column; a cell over several columns has it in the first of them."""
    cells: list[str] = []
    for cell in _cell_tags(row):
        span = str(cell.get("colspan", ""))
        cells += [_cell(cell), *[""] * (min(int(span), _WIDEST) - 1 if span.isascii() and span.isdigit() else 0)]
    return cells


def _cell(cell: Tag) -> str:
    """Return the text of a cell: of its links if it has some, or else all. Marks (网络首发) are beside the link."""
    links = [text for text in (one_line(a.get_text()) for a in cell.find_all("a")) if text]
    return ";".join(links) if links else one_line(cell.get_text())


def _abstract_page(page: BeautifulSoup, file: str) -> Document | None:
    abstract = _first(page, _ABSTRACT) or _meta(page, "citation_abstract")
    if not abstract and not _meta(page, "citation_title") and page.select_one(".wx-tit, .wxTitle") is None:
        return None
    title = _first(page, _TITLE) or _meta(page, "citation_title")
    if not title:
        return None
    return document_of(
        f"{file}-1",
        title,
        abstract=re.sub(r"^(?:摘要|Abstract)\s*[:：]\s*", "", abstract),
        keywords=[";".join(_keywords(page))],
        authors=_authors(page),
        source=(_first(page, _SOURCE) or _meta(page, "citation_journal_title")).strip(" .．"),
        years=(*(_first(page, (selector,)) for selector in _DATE), *_metas(page, "citation_date"),
               *_metas(page, "citation_publication_date")),
        dois=_dois(page),
    )  # fmt: skip


def _first(page: BeautifulSoup, selectors: Iterable[str]) -> str:
    """Return the text of the first element that has any, without a title's marks (网络首发, buttons)."""
    for selector in selectors:
        for tag in page.select(selector):
            marks = tag.find_all(["span", "button", "i"]) if tag.name in {"h1", "h2"} else []
            dropped = {id(text) for mark in marks for text in mark.find_all(string=True)}
            text = one_line("".join(str(t) for t in tag.find_all(string=True) if id(t) not in dropped))
            if text:
                return text
    return ""


def _all(page: BeautifulSoup, selectors: Iterable[str]) -> list[str]:
    for selector in selectors:
        texts = [text for text in (one_line(tag.get_text()) for tag in page.select(selector)) if text]
        if texts:
            return texts
    return []


def _keywords(page: BeautifulSoup) -> list[str]:
    label = page.select_one("#catalog_KEYWORD")
    beside = [one_line(a.get_text()) for a in label.find_next_siblings("a")] if label is not None else []
    texts = beside or _all(page, _KEYWORDS)
    return texts or [e for value in _metas(page, "citation_keywords") for e in split_list(value)]


def _authors(page: BeautifulSoup) -> tuple[str, ...]:
    """Return the names without the numbers of their institutions."""
    authors = _all(page, _AUTHORS) or _metas(page, "citation_author") or _metas(page, "citation_authors")
    names = (re.sub(r"[\d,;*\s]+$", "", name) for entry in authors for name in split_list(f"{entry};"))
    return tuple(dict.fromkeys(name for name in names if name))


def _dois(page: BeautifulSoup) -> tuple[str, str]:
    """Return what may be the DOI: the text beside its label, and the meta element."""
    label = page.select_one("#catalog_DOI, #catalog_ZCDOI")
    if label is None:
        label = page.find(["span", "label", "b"], string=re.compile(r"^\s*DOI\s*[:：]?\s*$", re.IGNORECASE))
    beside = one_line(label.parent.get_text()) if label is not None and label.parent is not None else ""
    return re.sub(r"^\s*DOI\s*[:：]?\s*", "", beside), _meta(page, "citation_doi")


def _meta(page: BeautifulSoup, name: str) -> str:
    return next(iter(_metas(page, name)), "")


def _metas(page: BeautifulSoup, name: str) -> list[str]:
    return [one_line(str(tag.get("content") or "")) for tag in page.find_all("meta", attrs={"name": name})]
