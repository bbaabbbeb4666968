"""Chinese sentences that state what is a kind of what, or that two names are the same.

Source: the Chinese counterparts of the patterns of Hearst 1992. X, X1, .. are the narrower names:

    X1、X2等Y            X1、X2和其他Y        包括X1、X2在内的Y      X是(一种 | 一门 | Y之一)
    Y包括X1、X2          Y(如X1、X2)          Y，如X1、X2
    X(又称Y)             both are the same

A name counts only if the noun phrase ends with it: 降水等因素的影响 states nothing about 影响. A list may begin within
a sentence (研究了降水、气温等气象要素), so its first member may follow a verb, yet no noun. The broader one is the
longest name that the phrase ends with, else its last word: 雷达、卫星等探测手段.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ontology.evidence.statement import Statement
from ontology.terms.lexicon import word_list
from ontology.terms.occurrences import is_head
from ontology.terms.phrases import ends_generic
from ontology.terms.segment import Token, segmenter
from ontology.terms.wordforms import fold, has_han

TRIGGER = re.compile("等|其他|其它|包括|包含|在内的|是|属于|作为|例如|诸如|譬如|如|又称|也称|亦称|又叫|也叫")
_SEPARATOR = "(?:、|，|,|和|与|及|以及|及其|或)"
_COUNT = (
    r"(?:各种|多种|多个|几种|几类|\d+\s*[种类个项门]|[一二两三四五六七八九十多][大]?[种类个项门])?"
    r"(?:(?:主要|重要|常见|典型|不同|其他|相关)的?)?"
)
_WINDOW = 24
_LONGEST_ITEM = 6
"""Longest item of a list that is passed over, in characters."""
_BEFORE = 6
"""Characters before 等 that are segmented with it: 吸附等温线 has no word 等."""
_NOUNS = ("n", "vn", "an", "a", "b", "j", "l", "g", "eng", "nz", "ng", "i")
_ROLES = frozenset((
    "手段", "领域", "环节", "载体", "渠道", "途径", "动力", "标志", "核心", "前提", "保证", "保障", "方针", "源泉",
    "产物", "体现", "形式", "部分", "组成部分", "要素", "基本要素", "关键", "根本", "重点", "热点", "主题", "话题",
    "课题", "立场", "意识", "代表", "来源", "依托", "支柱", "主力", "力量", "目标", "任务", "责任", "预设", "举措",
    "指标", "参数", "变量", "选择", "趋势", "特色", "方向", "类型", "观点", "看法", "主张", "作用", "方面",
))  # fmt: skip
"""Words for what something is used for or regarded as, not for what it is."""
_ROLE_ENDS = (
    "环节",
    "途径",
    "节点",
    "角度",
    "部分",
    "前提",
    "标志",
    "体现",
    "产物",
    "保证",
    "保障",
    "立场",
    "观点",
    "代表",
)
_PROPERTY = re.compile("[量值率性数力]$|(?<!制)度$")
"""Names of properties: what is listed before them has the property and is none, unless it ends so itself."""
_PARENTHESIS = re.compile("[（(][^（()）]*[)）]")
_LIST_AND_CLASS = re.compile(f"等{_COUNT}|{_SEPARATOR}?(?:其他|其它){_COUNT}")
_INCLUDED = re.compile(f"包括(?P<list>[^。；]{{2,40}}?)(?:等)?在内的{_COUNT}")
_IS_A = re.compile(
    "(?P<x>[^，,。；：、是]{2,20})(?:是|属于|作为)(?P<y>(?:[^，,。；：]{0,20}?的)?[^，,。；：的]{0,12})(?=[，,。；：]|$)"
)
_KIND = re.compile("^(?:一|几|两|三)?(?:种|类|门)|的一[种类门]|之一$")
_ONE_OF = re.compile("(?:之一|的一[种类门])$")
_CLASS_AND_LIST = re.compile(
    "(?P<y>[^，,。；：、(（]{2,20}?)[，,(（]?(?:主要)?(?:包括|包含|例如|诸如|譬如|如)(?P<list>[^。；：)）]{2,60})"
)
_SAME = re.compile(
    "(?P<x>[^，,。；：、(（]{2,16})[(（]?[，,]?(?:又称|也称|亦称|也叫|又叫)(?:为|作)?(?P<y>[^，,。；：、)）]{2,12})(?=[)），,。；]|$)"
)


class ChineseNames:
    """Names matched at the end of a piece of text.

    Args:
        forms: surface form -> name.
    """

    def __init__(self, forms: Mapping[str, str]) -> None:
        self._names = {fold(form): name for form, name in forms.items()}
        self._longest = max(map(len, self._names), default=0)

    def name(self, text: str) -> str | None:
        """Return the name that a text is."""
        return self._names.get(text)

    def at_end(self, text: str) -> tuple[str, str] | None:
        """Return (form, name) of the longest form that a text ends with."""
        for length in range(min(self._longest, len(text)), 1, -1):
            form = text[-length:]
            if form in self._names and not _cuts_latin(text, len(text) - length):
                return form, self._names[form]
        return None


def _cuts_latin(text: str, at: int) -> bool:
    return 0 < at < len(text) and all(c.isascii() and c.isalnum() for c in text[at - 1 : at + 1])


def statements(sentence: str, names: ChineseNames) -> Iterator[Statement]:
    """Find what a sentence states to be a kind of what, or the same.

    Args:
        sentence: a Chinese sentence.
        names: the names of the corpus; the narrower one is always one of them, the broader one need not be.

    Yields:
        The statements.
    """
    whole = fold(sentence)
    text = _PARENTHESIS.sub("", whole)
    for match in _LIST_AND_CLASS.finditer(text):
        such = match.group().startswith("等")
        items = _items_before(text[: match.start()], names)
        if items and not (such and _within_word(text, match.start())):
            yield from _below(items, text[match.end() :], names, "X等Y" if such else "X和其他Y")
    for match in _INCLUDED.finditer(text):
        yield from _below(_items(match.group("list"), names), text[match.end() :], names, "包括X在内的Y")
    for match in _CLASS_AND_LIST.finditer(whole):
        items = _items(match.group("list"), names)
        broader = class_at_end(match.group("y"), names) if items else None
        yield from (Statement(item, broader, "Y包括X") for item in items if broader)
    yield from _is_a(text, names)
    yield from _same(whole, names)


def _within_word(text: str, at: int) -> bool:
    """Return whether the character at a position is a part of a word: 平等, 等温线."""
    start = max(0, at - _BEFORE)
    position = start
    for token in segmenter().cut(text[start : at + _BEFORE]):
        if position >= at:
            return position > at or len(token.text) > 1
        position += len(token.text)
    return False


def _below(items: list[str], text: str, names: ChineseNames, pattern: str) -> Iterator[Statement]:
    """Yield that items are below the class of the noun phrase that a text begins with."""
    broader = _class_at_start(text, names) if items else None  # segmentation is slow
    if broader is None:
        return
    for item in items:
        if not _PROPERTY.search(broader) or item[-1] == broader[-1]:  # 腐殖酸等含量
            yield Statement(item, broader, pattern)


def _is_a(text: str, names: ChineseNames) -> Iterator[Statement]:
    for match in _IS_A.finditer(text):
        if not _KIND.search(match.group("y")):
            continue
        x = match.group("x")
        narrower = names.at_end(x)
        if narrower and _whole_phrase(x, narrower[0]):
            broader = class_at_end(_ONE_OF.sub("", match.group("y")), names)
            if broader:
                yield Statement(narrower[1], broader, "X是一种Y")


def _class_at_start(text: str, names: ChineseNames) -> str | None:
    """Return the class of the noun phrase at the start of a text."""
    phrase = re.split("[，,。；：、（(]", text[:_WINDOW], maxsplit=1)[0]
    tokens = list(itertools.takewhile(_nominal, segmenter().cut(phrase)))
    if any(token.tag == "vn" or token.text in word_list("generic_heads_zh") for token in tokens[:-1]):
        return None  # 方法分析流域, 方面深化改革: a verb and its object
    return _class_of(tokens, names)


def class_at_end(text: str, names: ChineseNames) -> str | None:
    """Return the class of the noun phrase at the end of a text; None if it ends with none.

    Args:
        text: a clause.
        names: the names of the corpus; the longest one that the phrase ends with is preferred to its last word.
    """
    tokens = segmenter().cut(text[-_WINDOW:])
    start = len(tokens)
    while start and _nominal(tokens[start - 1]):
        start -= 1
    return _class_of(tokens[start:], names)


def _class_of(tokens: list[Token], names: ChineseNames) -> str | None:
    """Return the longest name that some words end with, else their last word; None for a word without content."""
    known = names.at_end("".join(token.text for token in tokens))
    if known:
        return None if _is_role(known[1]) else known[1]
    last = tokens[-1] if tokens else Token("", "x")
    generic = _is_role(last.text) or last.text in _without_content() or ends_generic(last.text)
    noun = last.tag.startswith("n") and len(last.text) > 1 and has_han(last.text)
    before = "".join(token.text for token in tokens[:-1])
    unclear = names.at_end(before) is not None and len(before) > 2  # 暴雨等气象灾害 | 风险
    return last.text if noun and not generic and not unclear else None


def _is_role(name: str) -> bool:
    return name in _ROLES or name.endswith(_ROLE_ENDS)


@lru_cache(maxsize=1)
def _without_content() -> frozenset[str]:
    return word_list("generic_zh") | word_list("generic_heads_zh")


def _nominal(token: Token) -> bool:
    return token.tag.startswith(_NOUNS) and not token.tag.startswith(("ad", "ag"))


def _items_before(text: str, names: ChineseNames) -> list[str]:
    """Return the names of the list that a text ends with, from right to left; other words after 、 are skipped."""
    pieces = re.split(f"({_SEPARATOR})", re.split("[。；：（(《<]|等", text)[-1])
    items: list[str] = []
    for at in range(len(pieces) - 1, -1, -2):
        piece = pieces[at].strip("“”\"' ")
        matched = names.at_end(piece)
        if matched is not None and piece == matched[0]:
            items.append(matched[1])
        elif matched is not None and _whole_phrase(piece, matched[0]):  # the list began within this piece
            return [*items, matched[1]]
        elif not 0 < len(piece) <= _LONGEST_ITEM or pieces[at - 1 : at] != ["、"]:
            break
    return items


def _items(text: str, names: ChineseNames) -> list[str]:
    """Return the names of a list, up to the first piece that is none."""
    items: list[str] = []
    for piece in re.split(_SEPARATOR, re.split("等|。|；", text, maxsplit=1)[0]):
        name = names.name(piece.strip())
        if name is None:
            break
        items.append(name)
    return items


def _whole_phrase(text: str, form: str) -> bool:
    """Return whether the form at the end of a text is a complete noun phrase: no noun or adjective precedes it."""
    before = text[: len(text) - len(form)].strip()
    if not before:
        return True
    if not is_head(form, before[-1] + form):  # 非|参数检验
        return False
    last = segmenter().cut(before[-8:])[-1]
    return not _nominal(last) and not last.tag.startswith(("m", "q", "f"))


def _same(text: str, names: ChineseNames) -> Iterator[Statement]:
    for match in _SAME.finditer(text):
        matched, other = names.at_end(match.group("x")), names.name(match.group("y").strip("“”\"' "))
        if matched and other and _whole_phrase(match.group("x"), matched[0]):
            yield Statement(matched[1], other, "X又称Y", "synonym")
