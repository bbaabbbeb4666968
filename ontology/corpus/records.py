"""Common parts of the readers: lines, problems, and the cleaning of field texts."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from hashlib import blake2b
from typing import Any

from ontology.errors import OntocrawlError
from ontology.model import Document, Problem
from ontology.terms.wordforms import fold

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_CITATION = re.compile(r"~?\(\[[\d,\-~–—\s]+\]\)|~\([\[\d,\-~–—\s\]]+\)")
_OPENING = re.compile(r"^\s*(?:<正>|〈正〉|＜正＞)\s*")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_DOI = re.compile(r"^(?:https?://\S*?/|doi\s*[:：]?\s*)?(10\.\d+(?:\.\d+)*/\S+)", re.IGNORECASE)
_COMMA = re.compile(r"(?<!\d),|,(?!\d)|[，、]")
_RUNNING = re.compile(r"(?:.*-)?\d+(?:~\d+)?", re.DOTALL)
_MARKUP = re.compile(r"</?(?:jats:\w+|i|b|em|strong|sub|sup|p|span|scp|sc)(?:\s[^<>]*)?/?>", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}|#\d{1,7}|#x[0-9a-fA-F]{1,6});")


class CorpusError(OntocrawlError, ValueError):
    """A corpus without any document: no file, nothing readable, or no known format."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of an export; ``number`` counts from 1, ``text`` has no line end.

    ``ends`` is False for a piece of a line that goes on in the next one.
    """

    number: int
    text: str
    ends: bool = True


def problem(file: str, line: int, reason: str) -> Problem:
    """Return a problem of one record.

    Args:
        file: name of the file.
        line: number of the line.
        reason: what was found and what was expected.
    """
    return Problem(file=file, line=line, reason=reason)


def has_chinese(text: str) -> bool:
    """Return True if the text has at least one Han character."""
    return _CJK.search(text) is not None


def one_line(text: str) -> str:
    r"""Return a text with every run of white space, ideographic spaces included, as one space.

    >>> one_line(" 暴雨\u3000\n内涝 ")
    '暴雨 内涝'
    """
    return " ".join(text.split())


def unescaped(text: str) -> str:
    """Return a text with HTML entities (``&amp;``, ``&#966;``) as characters; their semicolons are no separators."""
    return html.unescape(text) if _ENTITY.search(text) else text


def without_markup(text: str) -> str:
    """Return a text without the markup that titles and abstracts have in reference managers.

    >>> without_markup("<jats:p>The CO<sub>2</sub> of <i>E. coli</i>, p < 0.05</jats:p>")
    'The CO2 of E. coli, p < 0.05'
    """
    return one_line(_MARKUP.sub("", text)) if "<" in text else text


def clean_abstract(text: str) -> str:
    """Return an abstract without the export's opening mark <正> and superscript citation marks such as ~([1-3])."""
    return one_line(_CITATION.sub("", _OPENING.sub("", text)))


def clean_doi(text: str) -> str:
    """Return a DOI in lower case (DOIs ignore case) without its resolver; "" for other text, such as ``-`` or ``无``.

    >>> clean_doi("https://doi.org/10.1000/ABC"), clean_doi("无")
    ('10.1000/abc', '')
    """
    match = _DOI.match(text.strip())
    return match.group(1).lower() if match else ""


def find_year(*texts: str) -> int | None:
    """Return the first plausible year (1800 to 2099) in the texts, None if there is none.

    >>> find_year("vol. 7", "2021-05-03"), find_year("")
    (2021, None)
    """
    for text in texts:
        match = _YEAR.search(text)
        if match:
            return int(match.group(1))
    return None


def split_list(text: str) -> tuple[str, ...]:
    """Return the entries of a list field: split at semicolons, or else at commas outside numbers (``1,2-二氯乙烷``).

    Empty and repeated entries are dropped.

    >>> split_list("暴雨;;内涝;暴雨"), split_list("暴雨,1,2-二氯乙烷")
    (('暴雨', '内涝'), ('暴雨', '1,2-二氯乙烷'))
    """
    plain = unescaped(text).replace("；", ";")
    entries = (one_line(e) for e in (plain.split(";") if ";" in plain else _COMMA.split(plain)))
    return tuple(dict.fromkeys(e for e in entries if e))


def split_keywords(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keywords of one record as (Chinese, English).

    Exports have English keywords on separate lines after the Chinese ones, or after them on the same line. A Latin word
    within a Chinese line (WRF, GIS) is a keyword of the Chinese paper and remains in its list.
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
    """Return whether a keyword is English, not one of the Latin abbreviations (WRF, GIS) of Chinese papers."""
    return not has_chinese(entry) and any(c.islower() for c in entry)


def title_key(title: str) -> str:
    """Return a title for comparison: folded, letters and digits only; the folded title if it has none.

    >>> title_key("Urban Flood: a Review.")
    'urbanfloodareview'
    """
    folded = fold(title)
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
        document_id: the record's id, or file and number.
        title: one line, not empty.
        abstract: with the marks of the export.
        keywords: lines of keywords; English ones among them become ``keywords_en`` if that is empty.
        title_en: the translated title.
        abstract_en: the translated abstract.
        keywords_en: the translated keywords, split already.
        authors: names, split already.
        source: the journal, or else school or publisher.
        years: texts that may contain a year; the first year counts.
        dois: texts that may be a DOI; the first DOI counts.
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
    """Merge two records of the same paper.

    Args:
        first: its fields take precedence.
        second: fills the empty fields of the first.
    """
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
    """Return the English keywords that belong to the Chinese ones of the merged record."""
    if first.keywords_en:
        return first.keywords_en
    return second.keywords_en if first.keywords in ((), second.keywords) else ()


def portable_id(document: Document) -> str:
    """Return an id that papers of two corpora do not share by chance.

    An id that ends with a running number, such as that of a record without one (FILE-LINE), gets six hexadecimal digits
    of title and year; any other is unchanged.
    """
    if not _RUNNING.fullmatch(document.id):
        return document.id
    identity = f"{title_key(document.title or document.abstract)} {document.year}".encode("utf-8", "surrogatepass")
    return f"{document.id}-{blake2b(identity, digest_size=3).hexdigest()}"


def pack(document: Document) -> bytes:
    """Return a document as one line of bytes, the inverse of ``unpack``."""
    return json.dumps(astuple(document), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def unpack(data: bytes) -> Document:
    """Return the document of a line that ``pack`` returned."""
    values = json.loads(data.decode("utf-8", "surrogatepass"))
    restored: list[Any] = [tuple(v) if isinstance(v, list) else v for v in values]
    return Document(*restored)


Parsed = Iterator[Document | Problem]
"""Result of a reader, in file order: each record once, as a document or as a problem."""
