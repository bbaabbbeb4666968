"""Word forms: folding of texts and terms for comparison, and English singulars and plurals.

Learning, proposals and the crawl all compare with these functions, so that they agree on what equals a term.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache

from ontology.terms.lexicon import word_list

_HAN = re.compile(r"[\u3400-\u9fff]")
_BLANKS = "-\u2010\u2011\u2012\u2013_"
_NOTHING = "\u00ad\u200b\ufeff"
_WIDE = tuple(
    (c, unicodedata.normalize("NFKC", c))
    for c in "\uff0c\uff1a\uff1b\uff01\uff1f\uff08\uff09\uff05\uff0e\uff0f\uff5e\u2026\u3000"
)
"""Punctuation of Chinese text that NFKC changes; replacing it first is 30 times faster than leaving it to NFKC."""
_ENDINGS = (
    ("men", "man"), ("ae", "a"), ("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"),
    ("zzes", "zz"), ("oes", "o"), ("eaus", "eau"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", ""),
)  # fmt: skip
"""Plural ending -> ending of the singular; the first match applies."""
_SHORTEST = 4
"""Shorter words keep their -s (gas, bus); only the table changes them."""
_COMPOUND = 7
"""Words of the table with at least this many letters are also matched at the end of compounds (coronaviruses)."""
_LAST_WORD = re.compile(r"(?<![^\W_])[A-Za-z]+$")


def fold(text: str) -> str:
    """Fold a text as terms are compared: NFKC, case-folded.

    >>> fold("ＷＲＦ模式"), fold("Straße")
    ('wrf模式', 'strasse')
    """
    return unicodedata.normalize("NFKC", text).casefold()


def normal(text: str) -> str:
    r"""Fold a text as it is matched: `fold`, hyphens and runs of white space as one blank, none at the ends.

    >>> normal(" Heavy-Rain\n warning "), normal("暴雨，内涝")
    ('heavy rain warning', '暴雨,内涝')
    """
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    text = fold(text)
    for hyphen in _BLANKS:
        text = text.replace(hyphen, " ")
    for invisible in _NOTHING:
        text = text.replace(invisible, "")
    return " ".join(text.split())


def written_place(text: str, at: int) -> int:
    """Return the place in a text of the character that is at a place of its folded form.

    Folding may change the length: ``…`` becomes three dots, ``ß`` two letters, a run of blanks one.

    Args:
        text: the text as written.
        at: a place in ``normal(text)``.

    >>> written_place("Ｈeavy   rain", 6), "Ｈeavy   rain"[8:]
    (8, 'rain')
    """
    return bisect_right(range(len(text) + 1), at, key=lambda n: len(normal(text[:n]))) - 1


def has_han(text: str) -> bool:
    """Return True if the text has a Han character.

    >>> has_han("WRF模式"), has_han("WRF")
    (True, False)
    """
    return _HAN.search(text) is not None


def singular(term: str) -> str:
    """Put the last word of an English term in the singular.

    Args:
        term: a word or a phrase in any case; plural endings are recognised in lower case only. A term that does not end
            with a Latin word is returned unchanged.

    >>> singular("crop losses"), singular("species"), singular("crises"), singular("GPS")
    ('crop loss', 'species', 'crisis', 'GPS')
    """
    last = _LAST_WORD.search(term)
    return term[: last.start()] + _singular(last.group()) if last else term


def dictionary_form(term: str) -> str:
    """Put an English term in the singular, its words in lower case unless they have inner capitals.

    >>> dictionary_form("Flash Floods"), dictionary_form("WRF Models")
    ('flash flood', 'WRF model')
    """
    return singular(" ".join(w.lower() if w[1:].islower() else w for w in term.split()))


def plurals(term: str) -> tuple[str, ...]:
    """Return the plurals of a singular English term: the regular one and those that `singular` reduces to it.

    >>> plurals("flood index"), plurals("city"), plurals("news"), plurals("暴雨")
    (('flood indexes', 'flood indices'), ('cities',), (), ())
    """
    last = _LAST_WORD.search(term)
    return tuple(term[: last.start()] + plural for plural in _plurals(last.group())) if last else ()


def inflections(term: str) -> tuple[str, ...]:
    """Return the forms of an English term in texts: its singular and the plurals of that.

    >>> inflections("floods")
    ('flood', 'floods')
    """
    single = singular(term)
    return (single, *plurals(single))


@lru_cache(maxsize=1 << 16)
def _singular(word: str) -> str:
    irregular = _irregular()
    if word in irregular:
        return irregular[word]
    for start in range(1, len(word) - _COMPOUND + 1):
        if word[start:] in irregular:
            return word[:start] + irregular[word[start:]]
    if len(word) < _SHORTEST:
        return word
    if len(word) == _SHORTEST and word.endswith("ies"):
        return word[:-1]
    plural, single = next((pair for pair in _ENDINGS if word.endswith(pair[0])), ("", ""))
    return word.removesuffix(plural) + single


def _plurals(word: str) -> dict[str, None]:
    if word.endswith("s") and _irregular().get(word) == word != _singular(word + "es"):
        return {}  # species, physics
    if word.endswith("y") and word[-2:-1] not in ("", *"aeiou"):
        regular = word[:-1] + "ies"
    else:
        regular = word + ("es" if word.endswith(("s", "x", "z", "ch", "sh")) else "s")
    others = (word + "es", word + "e", word.removesuffix("man") + "men", *_irregular_plurals(word))
    more = [plural for plural in others if plural != word and _singular(plural) == word]
    return dict.fromkeys([regular, *more] if _irregular().get(regular, word) == word else more)


def _irregular_plurals(word: str) -> list[str]:
    pairs = ((p, s) for p, s in _irregular().items() if p != s and word.endswith(s))
    return [word.removesuffix(s) + p for p, s in pairs if word == s or len(p) >= _COMPOUND]


@lru_cache(maxsize=1)
def _irregular() -> dict[str, str]:
    """Return the table of irregular plurals, plural -> singular; a word without a separate plural maps to itself."""
    pairs = (entry.partition("=") for entry in sorted(word_list("plurals_en")))
    return {plural: single or plural for plural, _, single in pairs}
