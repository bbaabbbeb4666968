"""The text of two citation indexes, and of tools that write it from CNKI: lines ``【名称】value``.

CSSCI: three lines of copyright first, ideographic blanks within names (``【关 键 词】``), lists divided by slashes, a
line of hyphens between records, many lines of references, empty years, mostly no abstracts. VIP (维普): ``【题 名】``
opens a record, lists divided by semicolons or blanks, numbers of institutions behind the names of authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from ontology.corpus import tagged
from ontology.corpus.records import Line, Parsed, document_of, has_chinese, one_line, split_list
from ontology.model import Document

_FIELD = re.compile(r"^\s?【([^【】]{1,12})】\s*[:：]?(.*)$")
_RULE = re.compile(r"[-=*_]{5,}\s*$")
_PREAMBLE = re.compile(r"^(?:南京大学中国社会科学研究评价中心|数字文献处理系统|版权所有)")
_READ = tagged.tags(
    title="来源篇名", abstract="文摘 摘要", keywords="关键词", title_en="英文篇名", authors="来源作者", source="期刊",
    year="年代卷期",
)  # fmt: skip
_LEFT = tagged.names("参考文献 基金 第一机构 机构名称 第一作者 中图类号 基金类别 学位分类 通讯地址 学科类别")
LAYOUT = tagged.Layout(
    "cssci", _READ, _LEFT, "【来源篇名】", "来源篇名", "【来源篇名】", closes="rule", ends=False,
    once=frozenset({"来源篇名", "英文篇名", "来源作者", "关键词", "年代卷期"}),
)  # fmt: skip
NAME = LAYOUT.name
VIP_LAYOUT = tagged.Layout(
    "vip",
    tagged.tags(
        title="题名", abstract="文摘 摘要", keywords="关键词 主题词", title_en="英文题名 英文标题 题名翻译",
        abstract_en="英文文摘 英文摘要", keywords_en="英文关键词", authors="作者", source="刊名 期刊 出处 来源 学校",
        year="年份 年 出版年 年卷期 年代卷期 出版日期", doi="DOI",
    ),
    tagged.names(
    "机构 单位 地址 第一作者 ISSN ISSN号 CN CN号 卷 卷号 期 期号 页码 页 分类号 中图分类号 基金 资助项目 网址 "
    "链接 URL 语种 语言 外文刊名 英文刊名 拼音刊名 作者简介 通讯作者 参考文献 引文 被引量 下载量 文献类型 馆藏 "
    "馆藏号 栏目 标识码 导师 学位 专业 总页数"
),
    "【题 名】", "题名", "【题 名】", closes="rule", ends=False, once=frozenset({"题名", "作者", "刊名"}),
)  # fmt: skip
VIP = VIP_LAYOUT.name


def matches(head: str) -> bool:
    """Return True if a line opens a record of CSSCI and another has a field of the format."""
    return _has(head, LAYOUT)


def matches_vip(head: str) -> bool:
    """Return True if a line opens a record of VIP and another has a field of the format."""
    return _has(head, VIP_LAYOUT)


def _has(head: str, layout: tagged.Layout) -> bool:
    tags = {tag for tag, _ in filter(None, map(split, head.splitlines()))} & layout.known
    return layout.opener in tags and len(tags) >= 2


def parse(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record of CSSCI.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    inside = (line for line in lines if not _PREAMBLE.match(line.text))
    return tagged.parse(inside, file, LAYOUT, split, _reader(LAYOUT, _slashed))


def parse_vip(lines: Iterable[Line], file: str) -> Parsed:
    """Yield one document or problem for each record of VIP.

    Args:
        lines: lines of the file.
        file: its name, for messages and ids.
    """
    return tagged.parse(lines, file, VIP_LAYOUT, split, _reader(VIP_LAYOUT, _listed), _opens_vip)


def split(text: str) -> tuple[str, str] | None:
    """Return a line ``【名称】value`` as (name without blanks, value), None for another line.

    >>> split("【题 名】暴雨"), split("暴雨【题名】")
    (('题名', '暴雨'), None)
    """
    match = _FIELD.match(text)
    if match:
        return re.sub(r"\s", "", match.group(1)), match.group(2)
    if _RULE.match(text):
        return "rule", ""
    return None


def _opens_vip(tag: str, raw: tagged.Raw | None, blank: bool) -> bool:
    """Return whether a tag opens a record: a title, or behind a blank line any, that is there already."""
    return raw is not None and tag in raw.fields and (blank or tag == VIP_LAYOUT.opener)


def _reader(
    layout: tagged.Layout, listed: Callable[[str], Iterable[str]]
) -> Callable[[tagged.Raw, str, str], Document]:
    """Return what makes the document of a record whose lists are divided by ``listed``."""

    def document(raw: tagged.Raw, title: str, fallback_id: str) -> Document:
        def text(name: str) -> str:
            return raw.text(*layout.read.get(name, ()))

        return document_of(
            fallback_id,
            title,
            abstract=text("abstract"),
            keywords=["".join(f"{entry};" for entry in listed(text("keywords")))],
            title_en=text("title_en"),
            abstract_en=text("abstract_en"),
            keywords_en=split_list(text("keywords_en"), keywords=True),
            authors=tuple(re.sub(r"[\s\[［(（,]*[\d,，]+[\]］)）]*$", "", name) for name in listed(text("authors"))),
            source=text("source").strip("《》"),
            years=[raw.text(tag) for tag in layout.read["year"]],
            dois=(text("doi"),),
        )

    return document


def _slashed(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(e for e in map(one_line, text.split("/")) if e))


def _listed(text: str) -> tuple[str, ...]:
    """Return the entries of a list: at semicolons, else at commas, else at blanks between Chinese words."""
    entries = split_list(text, keywords=True)
    if len(entries) == 1 and all(map(has_chinese, entries[0].split())):
        return tuple(dict.fromkeys(entries[0].split()))
    return entries
