"""Common parts of the readers: lines, problems, and the cleaning of field texts."""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import chain
from typing import Any, NamedTuple

from ontology.errors import Message, OntocrawlError, recognised
from ontology.model import Document, Problem
from ontology.terms.wordforms import at_commas, fold

_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_CITATION = re.compile(r"~?\(\[[\d,\-~–—\s]+\]\)|~\([\[\d,\-~–—\s\]]+\)")
_OPENING = re.compile(r"^\s*(?:<正>|〈正〉|＜正＞)\s*")
_NOTICE = r"(?:(?:crown\s+)?copyright\s*(?:©|\(c\))?|©|\(c\))(?:\s*copyright)?[\s,]*(?:19|20)\d\d\b"
_COPYRIGHT = re.compile(
    rf"^{_NOTICE}.{{0,120}}?\.(?=\s|$)(?:\s*(?:all rights reserved\.|published by .{{0,60}}?\.(?=\s|$)))*\s*"
    rf"|(?<=[.!?。！？)\]])\s*[(\[]?(?:psyc\w+ database record\s*)?{_NOTICE}.{{0,200}}$",
    re.IGNORECASE,
)
"""The notice of a publisher at the beginning or the end of an abstract, as Scopus has it."""
_SHORTEST = 15
"""Minimum characters of an English text beside a Chinese one."""
_SAMPLE = 300
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
_DOI = re.compile(r"^(?:https?://\S*?/|doi\s*[:：]?\s*)?(10\.\d+(?:\.\d+)*/\S+)", re.IGNORECASE)
_WORD_COMMA = r"(?<=[^\W\d_]{2}),(?=[^\W\d_]{3})|(?<=[^\W\d_]{3}),(?=[^\W\d_]{2})"
_HAN_COMMA = re.compile(rf"，\s*|(?<=[\u3400-\u9fff]),\s*|,\s*(?=[\u3400-\u9fff])|{_WORD_COMMA}")
"""A Chinese comma, one beside a Chinese character, or one between words without a blank: no name has such a comma
outside quotation marks and brackets."""
_BAR = re.compile(r"\||\s[·•]\s")
"""What parts a list that has no semicolon, in exports of OpenAlex and of publishers."""
_ENCLOSED = re.compile('["“”‘’「」《》()（）]')
_RUNNING = re.compile(r"(?:.*-)?\d+(?:~\d+)?", re.DOTALL)
_ENTITY = re.compile(r"&(?:[a-zA-Z]{2,8}[1-4]{0,2}|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_ATTRIBUTES = r"(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s<>\"']+))*\s*/?>"
_DROPPED = re.compile(
    r"<!--.*?-->|<((?:mml:)?annotation(?:-xml)?|tex-math|script|style)\b[^<>]*>.*?</\1\s*>|\]\]>|<!\[CDATA\[",
    re.DOTALL | re.IGNORECASE,
)
_BLOCK = re.compile(
    rf"</?(?:jats:(?:p|sec|title|list|list-item|break)|p|br|div|sec|li|ul|ol|h[1-6]|tr|td){_ATTRIBUTES}|\(#br\)",
    re.IGNORECASE,
)
_INLINE = re.compile(
    rf"</?(?:jats:[\w-]+|mml:\w+|i|b|u|em|strong|sub|sup|span|scp|sc|small|font|a|italic|bold|underline|tt|monospace"
    r"|inf|inline-formula|disp-formula|ext-link|xref|named-content|styled-content|jsf|mark|roman"
    r"|math|semantics|mrow|mi|mo|mn|ms|mtext|mspace|msup|msub|msubsup|mfrac|msqrt|mroot|mover|munder|munderover"
    rf"|mtable|mtr|mtd|mstyle|mfenced|mpadded|mphantom|menclose|mmultiscripts|mprescripts){_ATTRIBUTES}",
    re.IGNORECASE,
)
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
WINDOWS_1252 = {b: c for b in range(0x80, 0xA0) if (c := bytes([b]).decode("cp1252", "ignore"))}
"""Control -> character of Windows-1252."""
_NOTHING = re.compile(
    r"[\[(【（]?\s*(?:no\s+(?:title|abstract|summary|keywords?|author(?:\s+name)?s?|authors?\s+listed|source\s+information)"
    r"(?:\s+(?:is\s+|was\s+|are\s+)?(?:available|found|provided|listed|supplied|given))?"
    r"|(?:abstract|summary|keywords?)\s+(?:is\s+|was\s+|are\s+)?(?:not|un)\s*-?\s*(?:available|provided|found|supplied)"
    r"|not\s+available|n/?a|n\.a\.|nan|null|none|(?:[本该此]文)?(?:暂?无|没有|缺少?)\s*(?:中文|英文)?(?:摘要|文摘|关键词|作者|数据|内容)?"
    r"|(?:摘要|文摘|关键词|作者)(?:暂?无|缺失|不详|未提供))"
    r"\s*[\])】）]?\s*[.。]?|[-–—/*_.。…]+",
    re.IGNORECASE,
)
_BEGINS_NOTHING = frozenset("[(【（nNaAsSkKuU暂无没缺本该此摘文关作-–—/*_.。…")
_LONGEST_NOTHING = 60


class CorpusError(OntocrawlError, ValueError):
    """A corpus without any document: no file, nothing readable, or no known format."""


class Line(NamedTuple):
    """One line of an export; ``number`` counts from 1, ``text`` has no line end.

    ``ends`` is False for a piece of a line that goes on in the next one.
    """

    number: int
    text: str
    ends: bool = True


def peeked(lines: Iterable[Line]) -> tuple[str, Iterator[Line]]:
    """Return the first lines as a text of at least 65,536 characters where there are so many, and all lines."""
    iterator = iter(lines)
    taken: list[Line] = []
    length = 0
    for line in iterator:
        taken.append(line)
        length += len(line.text) + 1
        if length > 1 << 16:
            break
    return "".join(f"{line.text}\n" for line in taken), chain(taken, iterator)


_message = lru_cache(maxsize=1 << 10, typed=True)(Message)
"""One message for all problems that say the same: a file may have millions."""


def problem(file: str, line: int, code: str, /, **values: Any) -> Problem:
    """Return a problem of one record.

    Args:
        file: name of the file.
        line: number of the line.
        code: code of the sentence that says what was found and what was expected.
        values: values of its places.
    """
    return Problem(file=file, line=line, reason=_message(code, **values))


def located(found: Problem) -> Message:
    """Return a problem with its place, as a message; line 0 is the whole file.

    >>> located(problem("a.csv", 3, "corpus.row_above"))
    'a.csv, line 3: a row above the column names; it was left out'
    """
    code = "corpus.problem_at" if found.line else "corpus.problem_in"
    return Message(code, file=found.file, line=found.line, reason=found.reason)


SHOWN = 10
"""Number of problems of files that are shown."""


def shown(problems: Sequence[Problem], more: Message) -> list[Message]:
    """Return the first problems with their places, and ``more``, which says how many there are, if that is not all."""
    return [*map(located, problems[:SHOWN]), *([more] if len(problems) > SHOWN else [])]


@cache
def place(text: str) -> str:
    """Return the place of a title, such as "tag TI", for a problem: as a message, or as it is where it has no words.

    >>> place("tag TI or T1").said("zh"), place("【题 名】")
    ('标签 TI 或 T1', '【题 名】')
    """
    return recognised(text, "corpus.place_")


def has_chinese(text: str) -> bool:
    """Return True if the text has at least one Han character."""
    return _CJK.search(text) is not None


def in_two_languages(texts: Iterable[str]) -> tuple[str, str]:
    """Return the texts of one field as (text, English text): the second is empty unless both languages are there.

    Texts of one language are joined; one that another holds is left out, and what stands for none (`filled`).

    >>> in_two_languages(["中文摘要。", "The English abstract, which is longer."])
    ('中文摘要。', 'The English abstract, which is longer.')
    """
    distinct = list(dict.fromkeys(filter(None, map(filled, map(one_line, texts)))))
    if len(distinct) < 2:
        return "".join(distinct), ""
    whole = [t for t in distinct if not any(t in other for other in distinct if other != t)]
    chinese = [t for t in whole if mostly_chinese(t)]
    english = [t for t in whole if not mostly_chinese(t) and len(t) >= _SHORTEST]
    if chinese and english and len(chinese) + len(english) == len(whole):
        return " ".join(chinese), " ".join(english)
    return " ".join(whole), ""


def mostly_chinese(text: str) -> bool:
    """Return whether a text is written in Chinese, whatever Latin words and figures it has."""
    sample = text[:_SAMPLE]
    return 6 * len(_CJK.findall(sample)) >= len(sample)


def one_line(text: str) -> str:
    r"""Return a text with every run of white space, ideographic spaces included, as one space.

    >>> one_line(" 暴雨\u3000\n内涝 ")
    '暴雨 内涝'
    """
    return " ".join(text.split())


def unescaped(text: str) -> str:
    """Return a text with HTML entities (``&amp;``, ``&#966;``) as characters; their semicolons are no separators."""
    return html.unescape(text) if _ENTITY.search(text) else text


def clean_text(text: str) -> str:
    """Return a field's text as it reads, on one line, whatever the database or program put into it.

    Entities are resolved and markup (HTML, JATS, MathML) is taken off, also where both are nested, ``_x000D_`` of
    workbooks and ``(#br)`` are blanks, invisible characters go, and letters are in their composed form (NFC). Controls
    from U+0080 to U+009F are the characters of Windows-1252, as in HTML. A text that is clean stays as it is.

    >>> clean_text("<jats:p>The CO<sub>2</sub> of &lt;i&gt;E. coli&lt;/i&gt;, p < 0.05_x000D_</jats:p>")
    'The CO2 of E. coli, p < 0.05'
    """
    if not text:
        return text
    while not _is_plain(text):
        plain = _without_markup(_ESCAPED.sub(_unescaped_code, unescaped(text)))
        plain = _INVISIBLE.sub("", plain.translate(WINDOWS_1252))
        plain = unicodedata.normalize("NFC", _CONTROL.sub(" ", plain))
        if plain == text:
            break
        text = plain
    return one_line(text)


def _is_plain(text: str) -> bool:
    """Return whether a text has nothing that `clean_text` would change, but for blanks; quick for most texts."""
    marked = "<" in text or "&" in text or "_" in text or "#" in text
    return not marked and text.isprintable() and unicodedata.is_normalized("NFC", text)


def _without_markup(text: str) -> str:
    if "<" in text or "]]>" in text:
        text = _INLINE.sub("", _BLOCK.sub(" ", _DROPPED.sub("", text)))
    return text.replace("(#br)", " ")


def _unescaped_code(match: re.Match[str]) -> str:
    """Return the character of an escape that workbooks have (``_x000D_``); half a character is none."""
    code = int(match.group(1), 16)
    return match.group() if 0xD800 <= code <= 0xDFFF else chr(code)


def filled(text: str) -> str:
    """Return a field's text, "" for what a database writes where it has none: "[No abstract available]", "无", "-".

    >>> filled("[No abstract available]"), filled("暴雨")
    ('', '暴雨')
    """
    return "" if text[:1] in _BEGINS_NOTHING and len(text) < _LONGEST_NOTHING and _NOTHING.fullmatch(text) else text


def clean_abstract(text: str) -> str:
    """Return an abstract without markup, the export's mark <正>, citation marks (~([1-3])) and the publisher's notice.

    >>> clean_abstract("© 2016 IEEE. We test it."), clean_abstract("We test it. (C) 2007 Elsevier B.V.")
    ('We test it.', 'We test it.')
    """
    if not text:
        return text
    plain = _OPENING.sub("", clean_text(text))
    while "([" in plain or "~(" in plain:
        bare = clean_text(_CITATION.sub("", plain))
        if bare == plain:
            break
        plain = bare
    return filled(_COPYRIGHT.sub("", _OPENING.sub("", plain)))


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


def split_list(text: str, *, keywords: bool = False) -> tuple[str, ...]:
    """Return the entries of a list field: split at semicolons, or else at commas outside names (``2,4-D``).

    Empty and repeated entries are dropped.

    Args:
        text: the list.
        keywords: whether semicolons leave it to Chinese commas, and to commas beside Chinese words or without a blank,
            to part them too.

    >>> split_list("暴雨;;内涝;暴雨"), split_list("暴雨,1,2-二氯乙烷"), split_list("GIS；洪水，2,4-D", keywords=True)
    (('暴雨', '内涝'), ('暴雨', '1,2-二氯乙烷'), ('GIS', '洪水', '2,4-D'))
    >>> split_list("Flood | Risk, urban | N,N-DMA"), split_list("MRI,flood；Risk, urban", keywords=True)
    (('Flood', 'Risk, urban', 'N,N-DMA'), ('MRI', 'flood', 'Risk, urban'))
    """
    if not text:
        return ()
    plain = clean_text(text).replace("；", ";")
    if ";" not in plain and not _ENCLOSED.search(plain):
        plain = _BAR.sub(";", plain)
    if ";" not in plain:
        entries: Iterable[str] = at_commas(plain)
    else:
        entries = plain.split(";")
        if keywords:
            entries = (p for e in entries for p in ([e] if _ENCLOSED.search(e) else _HAN_COMMA.split(e)))
    return tuple(dict.fromkeys(e for e in map(filled, map(str.strip, entries)) if e))


def split_keywords(lines: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keywords of one record as (Chinese, English).

    Exports have English keywords on separate lines after the Chinese ones, or after them on the same line. A Latin word
    within a Chinese line (WRF, GIS) is a keyword of the Chinese paper and remains in its list.
    """
    chinese: list[str] = []
    english: list[str] = []
    for line in lines:
        entries = split_list(line, keywords=True)
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
    if folded.isalnum():
        return folded
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
    translated = cleaned(keywords_en)
    if translated and english:  # then Latin words behind Chinese ones are keywords of the paper, as GIS is
        known = {entry.casefold() for entry in translated}
        chinese = (*chinese, *(entry for entry in english if entry.casefold() not in known))
    return Document(
        id=document_id,
        title=clean_text(title),
        abstract=clean_abstract(abstract),
        keywords=chinese,
        title_en=filled(clean_text(title_en)),
        abstract_en=clean_abstract(abstract_en),
        keywords_en=translated or english,
        authors=cleaned(authors),
        source=filled(clean_text(source)),
        year=find_year(*years),
        doi=next(filter(None, map(clean_doi, dois)), ""),
    )


def cleaned(entries: Iterable[str]) -> tuple[str, ...]:
    """Return the entries of a list, each clean and once; empty ones are dropped."""
    texts = tuple(entries)
    if not texts:
        return texts
    together = "|".join(texts)
    if clean_text(together) != together:
        texts = tuple(map(clean_text, texts))
    return tuple(dict.fromkeys(e for e in map(filled, texts) if e))


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
