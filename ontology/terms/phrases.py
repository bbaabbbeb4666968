"""Noun phrases among Chinese words.

A phrase is a sequence of content words that ends with a noun: the word-class pattern of term extraction, as in Frantzi,
Ananiadou and Mima 2000, section 2, adapted to Chinese.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ontology.terms.lexicon import word_list
from ontology.terms.segment import Token
from ontology.terms.wordforms import has_han

MAX_LENGTH = 12
_ALL_CJK = re.compile(r"^[\u3400-\u9fff]+$")
NUMERAL = re.compile(r"[0-9０-９〇零一二三四五六七八九十百千万亿两几数多第每各]")
_NOUN_TAGS = ("n", "vn", "an", "l", "j", "i", "eng", "g")
_NO_PART = ("u", "p", "c", "d", "r", "x", "y", "e", "o", "w", "h")
_PLACE_END = re.compile(
    r"(?:省|市|县|区|州|镇|村|流域|地区|盆地|高原|平原|半岛|群岛|三角洲|山区|山脉|中下游|上游|下游|江|河|海|湾|岛)$"
)
_REGION_END = re.compile(
    r"(?:[东南西北中]部|[东南西北]坡|[上中下]游|走廊|流域|河谷|盆地|高原|平原|半岛|三角洲|省|(?<![城都超])市|县|自治区|丘陵区)$"
)
_NAMED_END = re.compile(r"(?:山|岭|峰|河|江|湖|泊|岛|海|湾|沙漠|沙地|草原|水库|港)$")
_NAME_TAGS = ("ns", "nr", "nt", "nz", "new")
_COMMON_PLACES = word_list("common_places_zh")


def is_part(token: Token) -> bool:
    """Return True for a word that can occur within a noun phrase."""
    if not _ALL_CJK.match(token.text):
        return token.tag == "eng"
    if token.tag == "m":  # jieba calls some nouns of one character (point, place) numerals
        return len(token.text) == 1 and not NUMERAL.match(token.text)
    return not token.tag.startswith(_NO_PART) and token.tag not in ("nrt", "t", "q", "f", "z", "ad")


def why_no_phrase(tokens: Sequence[Token], phrase: str) -> str:
    """Return the reason why adjacent words are no noun phrase that can name a class, or "" if they are one.

    Args:
        tokens: the words, one or more.
        phrase: their text.
    """
    first, last = tokens[0], tokens[-1]
    if not has_han(phrase) or len(phrase) < 2:
        return "not a Chinese word of 2 characters or more"
    if not is_class_name(phrase, last.text) or ends_generic(last.text):
        return "generic word or description"
    if is_place(first) or is_place(last):
        return "place"
    if last.tag == "nr":
        return "person"
    if first.tag == "m":
        return "begins with a number"
    verb = next((t.text for t in tokens if _verb(t, 3) or (_verb(t, 2) and t.text in _generic())), "")
    if verb or _verb(first, 2):
        return f"part of a clause: {verb or first.text} is a verb"
    noun = last.tag.startswith(_NOUN_TAGS)
    if not noun and not (len(tokens) > 1 and len(last.text) == 1 and last.tag in ("zg", "m", "k", "q")):
        return f"ends with {last.text}, which is no noun"
    return ""


def _verb(token: Token, length: int) -> bool:
    return token.tag.startswith("v") and token.tag != "vn" and len(token.text) >= length


@lru_cache(maxsize=1)
def _generic() -> frozenset[str]:
    return word_list("generic_zh") | word_list("generic_heads_zh")


def is_class_name(phrase: str, last: str) -> bool:
    """Return False for a generic word and for a phrase that its last word makes a description.

    Args:
        phrase: text of the phrase.
        last: its last word.
    """
    return phrase not in _generic() and last not in word_list("generic_heads_zh")


def ends_generic(word: str) -> bool:
    """Return whether a word of the dictionary is a compound that ends with a generic word (发挥作用)."""
    return len(word) == 4 and word[2:] in word_list("generic_heads_zh")


def is_place(token: Token) -> bool:
    """Return True for a word that jieba tags as place name and that has two characters or the ending of a place."""
    if not token.tag.startswith("ns") or token.text in _COMMON_PLACES:
        return False
    return len(token.text) == 2 or _PLACE_END.search(token.text) is not None


def is_named_place(tokens: Sequence[Token]) -> bool:
    """Return True for a proper name that ends with a kind of place (博斯腾湖, 毛乌素沙地).

    Words that are all place names count as one too.
    """
    if all(t.tag.startswith("ns") and t.text not in _COMMON_PLACES for t in tokens):
        return True
    text = "".join(t.text for t in tokens)
    if not _NAMED_END.search(text):
        return False
    name = tokens[0].tag.startswith(_NAME_TAGS) and tokens[0].text not in _COMMON_PLACES
    known = len(tokens) == 1 and tokens[0].tag in ("ns", "nr", "nt")
    return name and len(text) >= (3 if known else 4)


def names_region(phrase: str) -> bool:
    """Return True for a phrase of four characters or more that ends like a region (北部, 流域, 河谷; but not 城市)."""
    return len(phrase) >= 4 and _REGION_END.search(phrase) is not None
