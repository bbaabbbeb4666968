"""What every reader of an export produces, and how the texts of its fields are cleaned."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from hashlib import blake2b
from typing import Any

from ontology.model import Document, Problem

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_CITATION = re.compile(r"~?\(\[[\d,\-~–—\s]+\]\)|~\([\[\d,\-~–—\s\]]+\)")
_OPENING = re.compile(r"^\s*(?:<正>|〈正〉|＜正＞)\s*")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_DOI = re.compile(r"^(?:https?://\S*?/|doi\s*[:：]?\s*)?(10\.\d+(?:\.\d+)*/\S+)", re.IGNORECASE)
_COMMA = re.compile(r"(?<!\d),|,(?!\d)|[，、]")
_RUNNING = re.compile(r"(?:.*-)?\d+(?:~\d+)?", re.DOTALL)
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,7}|#x[0-9a-fA-F]{1,6});")


class CorpusError(ValueError):
    """A corpus that gives no document at all: nothing there, nothing readable, or no known format."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an export; ``number`` counts from 1, ``text`` has no line end."""

    number: int
    text: str


def problem(file: str, line: int, reason: str) -> Problem:
    """A problem of one record; the reason says what was found and what was expected."""
    return Problem(file=file, line=line, reason=reason)


def has_chinese(text: str) -> bool:
    """True if the text has at least one Han character."""
    return _CJK.search(text) is not None


def one_line(text: str) -> str:
    """The text with every run of white space, ideographic spaces included, folded into one space."""
    return " ".join(text.split())


def unescaped(text: str) -> str:
    """HTML entities (``&amp;``, ``&#966;``) as characters; their semicolons part nothing."""
    return html.unescape(text) if _ENTITY.search(text) else text


def clean_abstract(text: str) -> str:
    """An abstract without the export's opening mark <正> and without superscript citation marks such as ~([1-3])."""
    return one_line(_CITATION.sub("", _OPENING.sub("", text)))


def clean_doi(text: str) -> str:
    """A DOI in lower case (DOIs ignore case) without its resolver; empty for what is none, as ``-`` or ``无``."""
    found = _DOI.match(text.strip())
    return found.group(1).lower() if found else ""


def find_year(*texts: str) -> int | None:
    """The first plausible year (1800 to 2099) in the texts, None where there is none."""
    for text in texts:
        found = _YEAR.search(text)
        if found:
            return int(found.group(1))
    return None


def split_list(text: str) -> tuple[str, ...]:
    """Entries of a list field: split at semicolons, else at commas that stand in no number (``1,2-二氯乙烷``).

    Empty and repeated entries fall away.
    """
    plain = unescaped(text).replace("；", ";")
    entries = (one_line(e) for e in (plain.split(";") if ";" in plain else _COMMA.split(plain)))
    return tuple(dict.fromkeys(e for e in entries if e))


def split_keywords(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Keywords of one record as (Chinese, English).

    Exports put English keywords on lines of their own after the Chinese ones, or behind them on the same line. A Latin
    word within a Chinese line (WRF, GIS) is a Chinese paper's keyword and stays in its list.
    """
    chinese: list[str] = []
    english: list[str] = []
    for line in lines:
        entries = split_list(line)
        latin_line = bool(chinese) and not any(has_chinese(e) for e in entries)
        (english if latin_line else chinese).extend(entries)
    if not english:
        chinese, english = _split_halves(chinese)
    return tuple(dict.fromkeys(chinese)), tuple(dict.fromkeys(english))


def _split_halves(entries: list[str]) -> tuple[list[str], list[str]]:
    half, odd = divmod(len(entries), 2)
    first, second = entries[:half], entries[half:]
    if half and not odd and all(map(has_chinese, first)) and all(map(_is_english, second)):
        return first, second
    if entries and not any(map(has_chinese, entries)):
        return [], entries
    return entries, []


def _is_english(entry: str) -> bool:
    """A keyword in English, not one of the Latin abbreviations (WRF, GIS) that Chinese papers use as keywords."""
    return not has_chinese(entry) and any(c.islower() for c in entry)


def title_key(title: str) -> str:
    """A title for comparison: NFKC, case-folded, letters and digits only; the folded title where it has none."""
    folded = unicodedata.normalize("NFKC", title).casefold()
    return "".join(filter(str.isalnum, folded)) or folded


def document_of(
    document_id: str,
    title: str,
    *,
    abstract: str = "",
    keywords: Iterable[str] = (),
    title_en: str = "",
    abstract_en: str = "",
    keywords_en: tuple[str, ...] = (),
    authors: tuple[str, ...] = (),
    source: str = "",
    years: Iterable[str] = (),
    dois: Iterable[str] = (),
) -> Document:
    """Make the document of a record from the texts of its fields, which are cleaned here.

    Args:
        document_id: the record's own id, or file and number.
        title: one line, not empty.
        abstract: with the marks of the export.
        keywords: lines of keywords; English ones among them become ``keywords_en`` where none are given.
        title_en: the translated title.
        abstract_en: the translated abstract.
        keywords_en: the translated keywords, split already.
        authors: names, split already.
        source: the journal, else school or publisher.
        years: texts that may hold a year; the first that does counts.
        dois: texts that may be a DOI; the first that is one counts.
    """
    chinese, english = split_keywords(keywords)
    return Document(
        id=document_id,
        title=title,
        abstract=clean_abstract(abstract),
        keywords=chinese,
        title_en=one_line(title_en),
        abstract_en=clean_abstract(abstract_en),
        keywords_en=keywords_en or english,
        authors=authors,
        source=one_line(source),
        year=find_year(*years),
        doi=next(filter(None, map(clean_doi, dois)), ""),
    )


def merge_documents(first: Document, second: Document) -> Document:
    """One document from two records of the same paper: the first one's fields, gaps filled from the second."""
    longer = max((first.abstract, second.abstract), key=len)
    return Document(
        id=first.id,
        title=first.title,
        abstract=longer,
        keywords=first.keywords or second.keywords,
        title_en=first.title_en or second.title_en,
        abstract_en=first.abstract_en or second.abstract_en,
        keywords_en=_merged_english(first, second),
        authors=first.authors or second.authors,
        source=first.source or second.source,
        year=first.year if first.year is not None else second.year,
        doi=first.doi or second.doi,
    )


def _merged_english(first: Document, second: Document) -> tuple[str, ...]:
    """English keywords stay beside the Chinese ones that they are paired with."""
    if first.keywords_en:
        return first.keywords_en
    return second.keywords_en if first.keywords in ((), second.keywords) else ()


def portable_id(document: Document) -> str:
    """Return an id that papers of two corpora do not share by chance.

    An id that ends with a running number, such as that of a record without one (FILE-LINE), gets six hexadecimal digits
    of title and year; any other is kept.
    """
    if not _RUNNING.fullmatch(document.id):
        return document.id
    said = f"{title_key(document.title)} {document.year}".encode("utf-8", "surrogatepass")
    return f"{document.id}-{blake2b(said, digest_size=3).hexdigest()}"


def pack(document: Document) -> bytes:
    """A document as one line of bytes; ``unpack`` gives it back."""
    return json.dumps(astuple(document), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpack(data: bytes) -> Document:
    """The document that ``pack`` was given."""
    values = json.loads(data.decode("utf-8", "surrogatepass"))
    restored: list[Any] = [tuple(v) if isinstance(v, list) else v for v in values]
    return Document(*restored)


Parsed = Iterator[Document | Problem]
"""What a reader yields, in file order: each record once, as a document or as the reason why it is none."""
