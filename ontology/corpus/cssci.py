"""The text of CSSCI, the citation index (and of tools that write it from CNKI): lines ``【名称】value``.

In real files: three lines of copyright first, ideographic blanks within names (``【关 键 词】``), lists divided by
slashes, a line of hyphens between records, many lines of references, empty years. There are no abstracts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, find_year, one_line, problem
from ontology.model import Document, Problem

NAME = "cssci"
_FIELD = re.compile(r"^【([^【】]{2,12})】(.*)$")
_NAMES = {"来源篇名", "英文篇名", "来源作者", "期刊", "关键词", "年代卷期", "参考文献", "基金", "第一机构", "机构名称",
          "第一作者", "中图类号", "基金类别", "学位分类", "文摘", "摘要"}  # fmt: skip
_OPENER = "来源篇名"
_PREAMBLE = re.compile(r"^(?:南京大学中国社会科学研究评价中心|数字文献处理系统|版权所有|-{5,}\s*$)")


def matches(head: str) -> bool:
    """Return True if a line opens a record and another has a field of the format."""
    tags = {tag for tag, _ in filter(None, map(_split, head.splitlines()))}
    return _OPENER in tags and len(tags) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    records = tagged.records(_without_preamble(lines), _split, lambda tag, *_: tag == _OPENER)
    for number, raw in enumerate(records, start=1):
        title = one_line(raw.text(_OPENER))
        yield _document(raw, title, f"{file}-{number}") if title else _problem(raw, file)


def _without_preamble(lines: Iterable[Line]) -> Iterator[Line]:
    return (line for line in lines if not _PREAMBLE.match(line.text))


def _split(text: str) -> tuple[str, str] | None:
    match = _FIELD.match(text)
    name = re.sub(r"\s", "", match.group(1)) if match else ""
    return (name, match.group(2)) if match and name in _NAMES else None


def _problem(raw: tagged.Raw, file: str) -> Problem:
    if set(raw.fields) == {"?"}:
        return problem(file, raw.line, "text before the first record (【来源篇名】)")
    return tagged.untitled(raw, file, "【来源篇名】", "【来源篇名】")


def _document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
    return Document(
        id=fallback_id,
        title=title,
        abstract=one_line(raw.text("文摘", "摘要")),
        keywords=_slashed(raw.text("关键词")),
        title_en=one_line(raw.text("英文篇名")),
        authors=_slashed(raw.text("来源作者")),
        source=one_line(raw.text("期刊")),
        year=find_year(raw.text("年代卷期")),
    )


def _slashed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e for e in map(one_line, text.split("/")) if e))
