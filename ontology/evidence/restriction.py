"""Whether the part before a cut restricts the part after it, so that the whole is a kind of its end.

Most modifiers do: 山洪灾害 is a 灾害, *heart failure* a failure. Each function returns the reason why one does
not, or "". The word lists are closed classes of the two languages and belong to no field.
"""

from __future__ import annotations

from ontology.evidence.compounds import Compounds, Cut
from ontology.terms.lexicon import word_list
from ontology.terms.phrases import NUMERAL
from ontology.terms.segment import Token
from ontology.terms.token_stream import LATIN

PRIVATIVE = frozenset("非无反抗防不未减免去脱") | frozenset(("non", "anti", "counter", "no", "former", "fake"))
"""What is before the head reverses it or takes it away: a 反气旋 is no 气旋."""
NEARLY = frozenset("半准类伪亚拟假仿") | {"pseudo", "quasi", "semi", "sub", "near", "virtual", "would-be"}
"""A 半干旱区 is nearly a 干旱区, and none."""
_QUALITY = frozenset("高低多少")
"""With these the head is a quality of something else: 高血压 is a disease and no 血压."""
_SCALES = ("大中小微", "老中青少幼", "高中低", "长中短", "上中下", "东西南北中", "前中后", "新老旧", "男女")
"""Two points of one scale are both meant: 中老年人, 青少年, 中小学."""
_FUNCTION = frozenset(("p", "c", "u", "uj", "ul", "uv", "ud", "uz", "ug", "r", "rr", "rz", "y", "e", "o", "x", "w"))
_BOUND = frozenset(("v", "vg", "vi", "z", "zg", "q", "l", "i", "d", "dg", "ad", "h", "k", *_FUNCTION))
"""Classes of single characters that are no modifier on their own: 含|水量, 受|气候变化."""
_COUNTING = frozenset(("m", "mq", "q", "r"))
_SIDE_BY_SIDE = "two names side by side"


def why_no_kind(name: str, cut: Cut, compounds: Compounds) -> str:
    """Return the reason in its words why a name is no kind of the end that a cut leaves, or ""."""
    return _why_not_these_words(cut) or _both(cut) or _verb_and_object(name, compounds)


def why_contradicted(name: str, cut: Cut, compounds: Compounds) -> str:
    """Return the reason in the texts why a name is no kind of the end that a cut leaves, or ""."""
    if compounds.often_coordinated(name, cut):
        return _SIDE_BY_SIDE
    # *Great Lakes*, *Arizona Railway*; *Parkinson's disease* has a head in lower case
    latin = cut.words[-1].tag == LATIN and cut.modifier[0].tag == LATIN
    return "the name of one thing" if latin and compounds.is_proper_name(name, cut.head) else ""


def _why_not_these_words(cut: Cut) -> str:
    first, last = cut.modifier[0], cut.modifier[-1]
    if last.text in PRIVATIVE:
        return f"{last.text} negates what follows"
    if last.text in NEARLY:
        return f"{last.text} means nearly"
    if last.text in _QUALITY:
        return f"{last.text} makes the rest a quality"
    if first.text in word_list("determiners_zh") or (len(cut.modifier) == 1 and _counts(first)):
        return f"{first.text} names no kind"
    if any(_is_function(word, cut.words[-1]) for word in (*cut.modifier, *cut.words)):
        return "a phrase or part of a clause"
    if len(last.text) == 1 and last.tag in _BOUND:
        return f"{last.text} is no word before a noun"
    return ""


def _counts(word: Token) -> bool:
    return word.tag in _COUNTING and (word.tag != "m" or bool(NUMERAL.search(word.text)))  # 年, 月 are tagged m


def _is_function(word: Token, last: Token) -> bool:
    if word.tag == LATIN:
        return last.tag == LATIN and word.text in word_list("stop_en")
    return word.tag in _FUNCTION


def _both(cut: Cut) -> str:
    """Two names side by side: 改革开放, 干旱半干旱区, 中老年人."""
    first, second = cut.modifier[-1], cut.words[0]
    repeated = cut.head.startswith(cut.before) or cut.head[1:].startswith(cut.before)
    scale = any(cut.before in points and cut.head[0] in points for points in _SCALES)
    lone = cut.inside and len(cut.modifier) == len(cut.words) == 1
    return _SIDE_BY_SIDE if repeated or scale or (lone and first.tag[:1] == "v" and second.tag == "v") else ""


def _verb_and_object(name: str, compounds: Compounds) -> str:
    """A verb and its object (改善环境), where the rest is a name by itself. Authors' keywords are seldom clauses."""
    verb, *rest = compounds.words(name)
    if not verb.tag.startswith("v") or not rest or name[len(verb.text) :] not in compounds.names:
        return ""
    nominal = verb.tag == "vn" and name in compounds.keywords
    clause = not nominal and compounds.takes_objects(verb.text)
    return f"{verb.text} is a verb, and the rest its object" if clause else ""


def why_one_word(cut: Cut, compounds: Compounds) -> str:
    """Return the reason why a cut within a word of the dictionary does not show what the word means, or "".

    自行车 is commoner than 行车. 意识形态 is no 形态: 意识 modifies nothing else, and few things are called 形态.
    """
    if not cut.clear:
        return f"one word, commoner than {cut.head}"
    if not cut.inside or len(cut.before) == 1 or compounds.heads_after(cut.before) - {cut.head}:
        return ""
    return f"one word: {cut.before} modifies nothing else"
