"""Tables of records: columns by their Chinese or English names, and a row as a document.

Names are compared without case, width, blanks and punctuation: ``【关 键 词】``, ``Keyword-关键词`` and ``Author
Keywords`` are the same column. They are those of the tables of CNKI, Wanfang, Scopus, Web of Science, PubMed,
IEEE Xplore, EBSCO, ProQuest, OpenAlex, Semantic Scholar and Zotero.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ontology.corpus.index_terms import keyword_line, parted
from ontology.corpus.records import clean_text, document_of, filled, has_chinese, one_line, problem, split_list
from ontology.errors import Message
from ontology.model import Document, Problem

_NAMES = {
    "title": "title 题名 篇名 标题 题目 论文题目 论文标题 文献标题 文献题名 来源篇名 中文题名 中文标题 "
    "題名 標題 題目 論文題目 論文名稱 articletitle documenttitle displayname ti",
    "title_en": "titleen entitle englishtitle translatedtitle 英文题名 英文篇名 英文标题 英文題名",
    "abstract": "abstract summary 摘要 中文摘要 文摘 内容摘要 abstractnote ab",
    "abstract_en": "abstracten ensummary enabstract englishabstract translatedabstract 英文摘要",
    "keywords": "keywords keyword 关键词 关键字 中文关键词 關鍵詞 關鍵字 中文關鍵詞 authorkeywords manualtags "
    "keywordsdisplayname de",
    "index_terms": "indexkeywords keywordsplus meshterms ieeeterms subjectterms indexterms indexingterms automatictags "
    "索引关键词 主题词 标引词",
    "keywords_en": "keywordsen enkeyword enkeywords englishkeywords translatedkeywords 英文关键词 英文關鍵詞",
    "authors": "authors author 作者 著者 来源作者 作者姓名 authorfullnames authorshipsauthordisplayname au",
    "source": "source journal 期刊 刊名 来源 文献来源 来源期刊 期刊名称 出版物 來源 期刊名稱 "
    "sourcetitle publicationtitle journaltitle journalbook pubtitle venue primarylocationsourcedisplayname so",
    "year": "year 年 年份 出版年 发表年份 年代卷期 publicationyear pubyear py",
    "date": "date pubtime 發表時間 发表时间 出版时间 出版日期 发表日期 日期 publicationdate published",
    "doi": "doi di",
    "id": "id eid 编号 序号 no",
    "url": "url link 链接 网址 地址",
}
FIELDS = tuple(_NAMES)
"""Fields of a document that a table or another record has."""
_FIELDS = {name: field for field, names in _NAMES.items() for name in names.split()}
_NAME = 60
"""Maximum characters of a column's name."""
_URL = re.compile(r"^(?:https?://|www\.)\S+$")
_FORMULA = re.compile(r'=(?:HYPERLINK\(\s*"(?:[^"]|"")*"\s*[,;]\s*)?"((?:[^"]|"")*)"\)?', re.IGNORECASE)
"""What spreadsheet programs show as the text in it: a text that is to be no number, and a link with a text."""
_SKIP = re.compile(r"^(?:[\d\s.,:/\-+]*|10\.\d+/\S+)$")


@dataclass(frozen=True, slots=True)
class Columns:
    """Position of each field's column, and the names of all; ``slashes`` if they divide lists, as in CSSCI."""

    at: Mapping[str, int]
    slashes: bool = False
    names: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """Number of columns up to the last one with a name."""
        return max((n for n, name in enumerate(self.names, start=1) if name), default=0)

    def described(self) -> str:
        """Return which columns are read, and which are left out."""
        if not self.names:
            first, second = self.at
            return Message("corpus.layout_no_names", first=first, second=second)
        read = [f"{self.names[n]} ({field})" for field, n in self.at.items()]
        left = [name for n, name in enumerate(self.names) if name and n not in self.at.values()]
        more = Message("corpus.layout_left_too", names=", ".join(left)) if left else ""
        return Message("corpus.layout_read", names=", ".join(read), left=more)

    def unnamed(self, cells: Sequence[str]) -> list[int]:
        """Return the numbers, from 1, of the columns that have no name and in which this row has a value."""
        return [n + 1 for n, cell in enumerate(cells) if cell.strip() and not (self.names[n : n + 1] or ("",))[0]]


def header(cells: Sequence[str]) -> Columns | None:
    """Return the columns of a header row; None unless it has a title and, among several columns, another field."""
    columns: dict[str, int] = {}
    for position, cell in enumerate(cells):
        name = next((f for f in map(_FIELDS.get, _forms(cell)) if f), None)
        if name is not None:
            columns.setdefault(name, position)
    if "title" not in columns and "title_en" in columns:
        columns["title"] = columns.pop("title_en")
    if "title" not in columns or (len(columns) < 2 and sum(map(bool, map(str.strip, cells))) > 1):
        return None
    slashes = any(cell.strip().startswith("【") for cell in cells)
    return Columns(columns, slashes, tuple(clean_text(cell)[:_NAME] for cell in cells))


def shown(cells: Sequence[str]) -> str:
    """Return the names of a row, for messages: the first 20, of 30 characters at most."""
    return ", ".join(clean_text(cell)[:30] or "-" for cell in cells[:20])


def _forms(cell: str) -> list[str]:
    """Return the forms of a column's name: whole, before its hyphen, after it (``Title-题名``)."""
    if len(cell) > _NAME:
        return []
    folded = unicodedata.normalize("NFKC", cell).casefold()
    whole, before, after = folded, *(folded.partition("-")[::2])
    return ["".join(filter(str.isalnum, part)) for part in (whole, before, after)]


def without_header(rows: Sequence[Sequence[str]]) -> Columns | None:
    """Return columns by content: addresses in one, titles in the only other text column; None for other tables."""
    width = {len(row) for row in rows}
    if len(width) != 1 or not rows:
        return None
    texts, addresses = [], []
    for position in range(width.pop()):
        values = [row[position].strip() for row in rows]
        if all(_URL.match(v) for v in values):
            addresses.append(position)
        elif not all(_SKIP.match(v) for v in values):
            texts.append(position)
    if len(texts) != 1 or not addresses:
        return None
    return Columns({"title": texts[0], "url": addresses[0]})


def document(cells: Sequence[str], columns: Columns, file: str, line: int) -> Document | Problem | None:
    """Convert a row.

    Args:
        cells: cells of the row.
        columns: positions of the fields.
        file: name of the file, for messages and ids.
        line: number of the row.

    Returns:
        The document; a problem if it has no title, or repeats the names of the columns; None for an empty row.
    """
    if not any(map(str.strip, cells)):
        return None
    row = {f: _shown(cells[position]) for f, position in columns.at.items() if position < len(cells)}
    title = filled(clean_text(row.get("title", "")))
    title_en = filled(clean_text(row.get("title_en", "")))
    if title in columns.names and tuple(clean_text(cell)[:_NAME] for cell in cells) == columns.names:
        return problem(file, line, "corpus.row_of_names")
    if not title and not title_en:
        return problem(file, line, "corpus.untitled_row")
    keywords = row.get("keywords", "").splitlines()
    if row.get("index_terms", "").strip():
        chosen = [entry for text in keywords for entry in split_list(text, keywords=True)]
        keywords = [keyword_line(chosen, parted(row["index_terms"]))]
    return document_of(
        _id(row.get("id", "")) or f"{file}-{line}",
        title or title_en,
        abstract=row.get("abstract", ""),
        keywords=(text.replace("/", ";") for text in keywords) if columns.slashes else keywords,
        title_en=title_en if title else "",
        abstract_en=row.get("abstract_en", ""),
        keywords_en=_list(row.get("keywords_en", ""), columns.slashes),
        authors=_list(row.get("authors", ""), columns.slashes),
        source=row.get("source", ""),
        years=(row.get("year", ""), row.get("date", "")),
        dois=(row.get("doi", ""), row.get("url", "")),
    )


def _shown(cell: str) -> str:
    """Return what a spreadsheet program shows of a cell.

    >>> _shown('="0012"'), _shown('=HYPERLINK("http://a.cn/";"Rain")'), _shown("= 3")
    ('0012', 'Rain', '= 3')
    """
    formula = _FORMULA.fullmatch(cell) if cell.startswith("=") else None
    return cell if formula is None else formula[1].replace('""', '"')


def _id(text: str) -> str:
    """Return an identifier, or "" for a running number within the table, which is not unique across tables."""
    return "" if re.fullmatch(r"[\d.\s]*", text) else one_line(text)


def _list(text: str, slashes: bool) -> tuple[str, ...]:
    if slashes and "/" in text:
        return tuple(dict.fromkeys(e for e in map(one_line, text.split("/")) if e))
    if not has_chinese(text) and ";" not in text and text.count(",") == 1:
        return (one_line(text),) if text.strip() else ()
    return split_list(text)
