"""Chinese noun phrases beside a cue word, as the classes that they name.

A phrase names a class if it ends with one of its forms. What stands before the form decides: nothing, or a word that
ends a phrase (the class itself is named), a noun or an adjective (a kind of it), or a verb (its object; then nothing is
named: 开采地下水 is no 地下水).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ontology.evidence.patterns_zh import ChineseNames
from ontology.terms.occurrences import is_head
from ontology.terms.segment import Token, segmenter

MARKS = ',，。;；:：()（）!！?？"“”<>《》[]'
_MARK = re.compile(f"[{re.escape(MARKS)}]")
_JOINTS = ("以及", "及其", "或者", "、", "和", "与", "及", "或")


def words(text: str) -> frozenset[str]:
    """Return the words of a text that blanks separate."""
    return frozenset(text.split())


_CONJUNCTIONS = frozenset(("并", "并且", "而", "且", "从而", "进而", "但", "因此", "使", "使得"))
_ADVERB = re.compile(
    "(?:可能|可以|可|也|会|能够|能|将|极?易|容易|常常?|往往|通常|一般|经常|大多|多|主要|直接|间接|共同|所|均|都|已经?|还|又|进而|"
    "从而|最终|进一步|频繁|才|必然|必将|势必|而|并|则|就|一旦|同时|相继|逐渐|是|为|成为|作为|来|相互|联合|综合|过程中|在.{1,8}?[区部市省县地中上内季期时])$"
)
_OCCURS = re.compile("(?:事件|现象|问题|的?频?繁?(?:发生|产生|出现|形成|频发|多发|爆发|暴发|加剧|加重))$")
"""Words after a class that leave it the cause or the effect; 减少 and 升高 do not."""
_CHANGES = words("变化 改变 减少 减小 下降 降低 升高 增加 上升 增大 不足 缺乏 波动")
_STRONGER = re.compile("的?(?:增强|增多|影响)$")
_SUCH = re.compile("等(?:多种|多个|各种|诸多)?(?:因素|原因)?(?:的?(?:共同|综合)?作用)?$")
_REPORTS = words(
    "表明 发现 认为 说明 指出 显示 证明 揭示 证实 提出 得出 知 可知 看出 研究 分析 探讨 讨论 评估 评价 减轻 应对 "
    "了解 考虑 针对 是 为 有 由于 导致 造成 引起 引发 诱发"
)
"""Verbs of reports, after which a new phrase begins."""
_COUNTERACT = words("防范 防御 预防 防治 注意 警惕 减少 减缓 降低 缓解 克服 解决 治理 应付")
"""Verbs whose object is mostly an effect."""
_WINDOW = 12
_ON = frozenset(("对", "对于", "给", "把", "将", "被", "为"))
"""Prepositions that make the phrase after them an object: 对环境造成."""
_PREDICATE = re.compile("(?P<phrase>.{2,}?)(?:受到|已经|已|成为|是|对|在|会|将|直接|及其)")


class ChinesePhrases:
    """The classes that noun phrases name.

    Args:
        names: the names of the classes.
    """

    def __init__(self, names: ChineseNames) -> None:
        self._names = names

    def ending(self, text: str, *, exact: bool = False, attribute: bool = False) -> list[str]:
        """Return the classes of the phrase, or the list of phrases, that a text ends with.

        Args:
            text: the text before a cue; adverbs at its end are passed over.
            exact: without kinds of the classes.
            attribute: the cue describes what follows it, which may be the object of a verb: 防范暴雨引发的山洪.
        """
        rest = self._without_adverbs(_MARK.split(text)[-1])
        names: list[str] = []
        while matched := self._at_end(rest):
            rest = rest[: len(rest) - len(matched[0])]
            joint = next((j for j in _JOINTS if rest.endswith(j)), "")
            if rest and not joint:
                before = _before(rest, attribute=attribute)
                if before == "object":
                    return []
                return names if before == "kind" and exact else [*names, matched[1]]
            names.append(matched[1])
            rest = rest.removesuffix(joint)
        return [] if rest and _before(rest, attribute=attribute) == "object" else names

    def listed(self, text: str, *, exact: bool = False) -> list[str]:
        """Return the classes of the phrase, or the list of phrases, that a text begins with, up to a mark.

        Args:
            text: the text after a cue, or between two.
            exact: without kinds of the classes.
        """
        body = _MARK.split(text, maxsplit=1)[0]
        if body.startswith("的") and (subject := _PREDICATE.match(body)):  # 气候变化引起的全球变暖受到关注
            body = subject["phrase"]
        body = body.lstrip("了着过的")
        while self._at_end(body) is None and (shorter := _OCCURS.sub("", body)) != body:
            body = shorter
        if not any(self._at_end(body[:end]) for end in range(2, len(body) + 1)):  # segmentation is slow
            return []
        names: list[str] = []
        for number, piece in enumerate(_pieces(body)):
            if number and piece and piece[0].tag.startswith(("v", "p")) and piece[0].tag != "vn":
                break  # 引发洪灾和防治水土流失
            before = self._before_class(piece)
            if any(t.tag.startswith(("v", "p", "c")) and t.tag != "vn" for t in before[1]):
                return []
            if number and any(token.text == "的" for token in piece):  # 甲和乙的丙: 甲 may be of 丙
                return []
            if before[0] is None and piece and piece[-1].text in _CHANGES:  # 造成的过程变化、承载力
                return []
            if before[0] and not any(t.tag == "vn" or (exact and t.tag[0] not in "mqdr") for t in before[1]):
                names.append(before[0])
        return names

    def _before_class(self, piece: Sequence[Token]) -> tuple[str | None, list[Token]]:
        """Return the class that some words end with, if it begins a word, and the words before it."""
        matched = self._at_end("".join(token.text for token in piece))
        if matched is None:
            return None, list(piece)
        length = sum(len(token.text) for token in piece) - len(matched[0])
        before: list[Token] = []
        for token in piece:
            if length <= 0:
                break
            before.append(token)
            length -= len(token.text)
        return (matched[1] if length == 0 else None), before

    def _without_adverbs(self, text: str) -> str:
        while self._at_end(text) is None:
            shorter = next((s for e in (_SUCH, _OCCURS, _STRONGER, _ADVERB) if (s := e.sub("", text)) != text), text)
            if shorter == text:
                break
            text = shorter
        return text

    def _at_end(self, text: str) -> tuple[str, str] | None:
        """Return (form, class) of the longest form that a text ends with, unless a prefix before it reverses it."""
        matched = self._names.at_end(text)
        before = text[: -len(matched[0])][-1:] if matched else ""
        reversed_ = matched and before and before not in _JOINTS and not is_head(matched[0], before + matched[0])
        return None if reversed_ else matched


def _pieces(text: str) -> list[list[Token]]:
    """Return the words of the members of a list; a conjunction of clauses ends it."""
    pieces: list[list[Token]] = [[]]
    for token in segmenter().cut(text):
        if token.text in _CONJUNCTIONS:
            break
        if token.text in _JOINTS or token.text == "等":
            pieces.append([])
        else:
            pieces[-1].append(token)
    return pieces


def _before(text: str, *, attribute: bool) -> str:
    """Return what the words before a form make of it: "whole", a "kind" of the class, or an "object" of a verb."""
    before = "whole"
    tokens = segmenter().cut(text[-_WINDOW:])
    while tokens:
        token = tokens.pop()
        if token.tag.startswith("v") and token.tag != "vn":
            ends_phrase = token.text in _REPORTS or (attribute and token.text in _COUNTERACT)
            return before if ends_phrase else "object"
        if token.text in _ON:
            return "object"
        if token.text == "的":
            return "object" if any(t.text in _ON for t in tokens) else "kind"
        if token.tag.startswith(("p", "c", "x", "r", "u", "f", "y")):
            return before
        before = "kind"
    return before
