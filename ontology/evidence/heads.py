"""Heads of compounds: the term that a compound is a kind of.

Compounds of Chinese and English nouns have their head on the right (Williams 1981). Spelling alone is not enough for
Chinese, which has no blanks between words: 土壤含水量 (soil | water content) ends with 水量 (amount of water) and is
none. The cut must fall between words.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ontology.evidence.claims import Claim
from ontology.evidence.source import EvidenceSource, TermCorpus
from ontology.evidence.spelling import ends_with
from ontology.terms.occurrences import is_head
from ontology.terms.segment import segmenter

MODIFIERS = frozenset(
    "大中小微高低强弱长短新旧老冷热暖寒干湿旱雨雪风沙海陆山江河湖水土石东西南北前后上下内外总主次副超特多少全单双年月日夜"
    "春夏秋冬早晚初古今近远深浅快慢急缓重轻软硬粗细厚薄真净毛正原本各农林牧渔城乡村市草树花果虫鱼鸟人车船路桥氮磷钾碳氢氧铁铜铅锌"
)
"""Single characters that modify the noun after them; after others (含, 降, 需) the cut is within a word."""
_NEARLY = "半准类伪亚"
"""Prefixes that mean "nearly": 半干旱区 is no 干旱区."""
_COORDINATE = (
    ("预报", "预警"),
    ("监测", "预警"),
    ("监测", "评估"),
    ("防汛", "抗旱"),
    ("评估", "预警"),
    ("预测", "预警"),
)
"""Two heads side by side, not a modifier and its head."""


def head_of(term: str, others: Collection[str]) -> str | None:
    """Find the head of a compound.

    Args:
        term: the compound.
        others: the terms that may be heads, as a set or the keys of a dict.

    Returns:
        The longest of the other terms that is the head; None without one.
    """
    for start in range(1, len(term) - 1):
        head = term[start:].lstrip()
        if head in others and _joins(term, head):
            return head
    return None


def _joins(term: str, head: str) -> bool:
    if head.isascii():
        return ends_with(term, head)
    cut = len(term) - len(head)
    modifier = term[:cut].strip()
    coordinate = (modifier, head) in _COORDINATE or head[1:].startswith(modifier)  # 干旱半干旱区: both, no kind of one
    if not modifier or coordinate or not is_head(head, term):
        return False
    if modifier[-1] in _NEARLY and (cut == 1 or cut - 1 in word_starts(term)):  # 半|干旱区, but 中亚|低涡
        return False
    return modifier in MODIFIERS or cut in word_starts(term)


def word_starts(term: str) -> frozenset[int]:
    """Return the positions where words begin in a compound.

    These are the word boundaries of jieba, and those within one of its words if it knows both parts.
    """
    words = segmenter()
    starts: set[int] = set()
    position = 0
    for token in words.cut(term):
        starts.add(position)
        for inner in range(2, len(token.text) - 1):  # 自然灾害 is one word of the dictionary, and two words
            if words.frequency(token.text[:inner]) and words.frequency(token.text[inner:]):
                starts.add(position + inner)
        if len(token.text) > 2 and token.text[0] in MODIFIERS:
            starts.add(position + 1)
        position += len(token.text)
    return frozenset(starts)


def _heads(corpus: TermCorpus, earlier: Sequence[Claim]) -> list[Claim]:
    """Return a claim for each term that has another term or an upper class as its head."""
    heads = {term: head_of(term, corpus.labels) for term in corpus.terms}
    return [Claim(term, head, "head noun", "head noun") for term, head in heads.items() if head is not None]


HEAD_NOUNS = EvidenceSource("head nouns", _heads)
