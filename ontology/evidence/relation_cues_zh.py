"""Chinese cue words that state a cause, a part or a measure within one clause.

    A导致B           由A引发的B           B由A引起              导致B的原因是A      A是B的诱因
    W由A、B组成      由A、B组成的W        A是W的组成部分        W包括A、B两个部分
    用Y测定X         X由Y测量             用Y对X进行测定        Y是衡量X的指标

The noun phrases stand directly beside the cue (noun_phrases_zh.py): 土壤侵蚀加剧 is no 土壤侵蚀. A part, and what is
measured, is named exactly: what holds of one kind need not hold of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ontology.evidence.noun_phrases_zh import MARKS, ChinesePhrases
from ontology.evidence.patterns_zh import ChineseNames
from ontology.model import RelationKind


class Stated(NamedTuple):
    """Relations that a sentence states: from each of the sources to each of the targets."""

    kind: RelationKind
    sources: list[str]
    targets: list[str]
    cue: str


_NO_MARK = f"[^{re.escape(MARKS)}]"
_CLOSED = re.compile(f"的?(?:[{re.escape(MARKS)}]|$)")
_CAUSE = "导致|引发|造成|诱发|引起|触发"
_COMPOSE = "组成|构成"
_MEASURE = "测定|测量|测得|测算|量测|衡量|度量"
_VERB = re.compile(f"(?P<causes>{_CAUSE})|(?P<part_of>{_COMPOSE})|(?P<measured_by>{_MEASURE})")
_CUE = re.compile(f"{_CAUSE}|{_COMPOSE}|{_MEASURE}|原因|诱因|成因|包括|包含")
_NOT_STATED = re.compile("是否|能否|如何|并非|不是|未必|没有|无法|假设|避免|防止")
_RANK = (
    "(?:的?(?:主要|重要|关键|核心|基本|直接|根本|首要|主导|内在|外在|有机|不可或缺|必不可少|必要|常用|有效|客观))*的?"
)
_REASON = re.compile(f"{_RANK}(?:原因|因素|诱因|致因|成因|动因)(?:之一)?$")
_ABOUT = re.compile("(?:机制|机理|规律|特征|特性|过程|条件|方式|途径|模式)$")
"""Nouns about a cause and its effect, which are no effect themselves: 训练引起高血压的机制."""
_NUMBER = "(?:\\d+|[两二三四五六七八九十几多])[大个]?"
_UNIT = "(?:部分|部件|要素|单元|模块|子系统|环节|组分|成分|层次|方面|因素)"
_LISTED = re.compile(f"(?:等等?)?(?:若干|{_NUMBER})?{_UNIT}?(?:共同|相互)?$")
_BY = re.compile("(?P<head>.*)由(?P<agent>.+)")
_WITH = re.compile("(?P<head>.*)(?:采用|利用|使用|运用|应用|通过|借助|用|以|由)(?P<tool>.+)")
_TOWARD = re.compile("(?P<tool>.+)对(?P<object>.+?)进行了?")
_LEFT, _SHORT, _LONG = f"{_NO_MARK}{{2,30}}?", f"{_NO_MARK}{{2,20}}?", f"{_NO_MARK}{{2,40}}"
_PHRASES: tuple[tuple[re.Pattern[str], RelationKind, str, str], ...] = (
    (re.compile(f"(?P<cue>{_CAUSE})(?P<in>{_SHORT})的{_RANK}(?:原因|因素|诱因)(?:主要)?(?:是|为|有|包括)(?P<after>{_LONG})"),
     "causes", "after", "in"),
    (re.compile(f"(?P<before>{_SHORT})的{_RANK}(?P<cue>原因|诱因|成因)(?:主要)?(?:是|为|有|包括)(?P<after>{_LONG})"),
     "causes", "after", "before"),
    (re.compile(f"(?P<before>{_LEFT})是(?P<in>{_SHORT}){_RANK}(?P<cue>诱因|成因|原因)(?:之一)?{_CLOSED.pattern}"),
     "causes", "before", "in"),
    (re.compile(f"(?P<before>{_LEFT})(?:是|为|作为|成为)(?P<in>{_SHORT}){_RANK}(?P<cue>(?:组成|构成)(?:部分|成分|要素|单元))"),
     "part_of", "before", "in"),
    (re.compile(f"(?P<before>{_LEFT})(?P<cue>包括|包含)(?P<in>{_SHORT})(?:等)?{_NUMBER}{_UNIT}"),
     "part_of", "in", "before"),
    (re.compile(f"(?P<before>{_LEFT})(?:是|为|作为)(?P<cue>{_MEASURE})(?P<in>{_SHORT}){_RANK}(?:指标|标准|尺度|方法|手段|工具|参数)"),
     "measured_by", "in", "before"),
)  # fmt: skip
"""Expression with the cue and both ends, kind, group of the source, group of the target."""


class ChineseCues:
    """A reader of sentences for relations between classes.

    Args:
        names: the names of the classes.
    """

    def __init__(self, names: ChineseNames) -> None:
        self._phrases = ChinesePhrases(names)

    def read(self, sentence: str) -> Iterator[Stated]:
        """Yield the relations that a folded sentence states."""
        if not _CUE.search(sentence):
            return
        for match in _VERB.finditer(sentence):
            before, after = _last_clause(sentence[: match.start()]), sentence[match.end() :]
            if _NOT_STATED.search(before):
                continue
            if match.lastgroup == "causes":
                yield Stated("causes", *self._cause(before, after), match.group())
            elif match.lastgroup == "part_of":
                yield Stated("part_of", *self._part(before, after), match.group())
            else:
                yield Stated("measured_by", *self._measure(before, after), match.group())
        for expression, kind, source, target in _PHRASES:
            for match in expression.finditer(sentence):
                if not _NOT_STATED.search(match.group()):
                    sources = self._side(match, source, exact=kind != "causes")
                    yield Stated(kind, sources, self._side(match, target), match.group("cue"))

    def _side(self, match: re.Match[str], group: str, *, exact: bool = False) -> list[str]:
        read = self._phrases.ending if group == "before" else self._phrases.listed
        return read(match.group(group), exact=exact)

    def _cause(self, before: str, after: str) -> tuple[list[str], list[str]]:
        passive = _BY.fullmatch(before)
        if passive and passive["head"] and _CLOSED.match(after):
            return self._phrases.ending(passive["agent"]), self._phrases.ending(passive["head"])
        causes = self._phrases.ending(before, attribute=after.startswith("的"))
        if not causes:
            return [], []
        effect = _first_clause(after)
        if _ABOUT.search(effect):
            return [], []
        if before.endswith(("是", "为")):  # A是导致B的原因, yet not: A是导致B变化的C
            reason = _REASON.search(effect)
            return causes, self._phrases.listed(effect[: reason.start()]) if reason else []
        return causes, self._phrases.listed(effect)

    def _part(self, before: str, after: str) -> tuple[list[str], list[str]]:
        composed = _BY.fullmatch(before)
        if not composed:
            return [], []
        parts = self._phrases.listed(_LISTED.sub("", composed["agent"]), exact=True)
        if not parts:
            return [], []
        closed = _CLOSED.match(after)
        return parts, self._phrases.ending(composed["head"]) if closed else self._phrases.listed(after)

    def _measure(self, before: str, after: str) -> tuple[list[str], list[str]]:
        used = _WITH.fullmatch(before)
        if not used:
            return [], []
        if toward := _TOWARD.fullmatch(used["tool"]):
            return self._phrases.listed(toward["object"], exact=True), self._phrases.ending(toward["tool"])
        tools = self._phrases.ending(used["tool"])
        if _CLOSED.match(after):
            return self._phrases.ending(used["head"], exact=True), tools
        return self._phrases.listed(after, exact=True), tools


def _last_clause(text: str) -> str:
    return re.split(f"[{re.escape(MARKS)}]", text)[-1]


def _first_clause(text: str) -> str:
    return re.split(f"[{re.escape(MARKS)}]", text, maxsplit=1)[0]
