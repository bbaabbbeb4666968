"""The fingerprint of a text: a sample of its shingles, and of the numbers that it names with the words around them.

Two texts are compared by the share of shingles that they have in common (Jaccard's index of the sets, so that a form
that is repeated forty times counts once). It is estimated from one permutation of all shingles, as in Li, Owen and
Zhang, "One permutation hashing" (NIPS 2012): the hashes are divided into BINS ranges, the smallest of each range is
kept, and of it the lowest bits (Li and Konig, "b-bit minwise hashing", WWW 2010).

A shingle is four characters in a row where the first one is Chinese, Japanese or Korean, and three words in a row
elsewhere. Case, punctuation and white space do not matter.

Bulletins of one form have nearly all shingles in common and differ in their numbers. So a fingerprint also has places:
a number together with the words around it. Where two texts have the same words around a number, they should have the
same number too. The date line of a page and the addresses in it (`_LEFT_OUT`) are left out: a copy has other ones.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BINS = 64
"""Number of shingles in a sample."""
PLACES = 16
"""Largest number of places in a sample."""
NEAR = 0.5
"""Share of shingles in common from which two texts count as nearly the same, if their numbers are the same."""
_SAME_NUMBERS = 0.8
"""Share of the places in common that must have the same number."""
LONG, EDITED, OF_A_DATE = 600, 0.9, 2
"""Words from which a text is long, and the share of shingles in common from which such a text may differ in the numbers
of one date: a bulletin is shorter, or differs in more than its date."""
FEWEST = 100
"""Number of characters and words together below which a text is not compared: too few shingles for a sample."""
MOST = 65_535
"""Number of characters of a text that are read."""

Words = NDArray[np.uint64]
Sample = NDArray[np.uint8]
_WORD, _CHARACTER, _NUMERAL, _UNIT = 1, 2, 4, 8
_CHARACTERS = ((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0x20000, 0x32000))
"""Ranges of the scripts without blanks between words: kana, Chinese, Korean, compatibility, rare Chinese."""
_LETTER, _ORDER = 0x9E3779B97F4A7C15, np.uint64(0xD6E8FEB86659FD93)
"""Odd multipliers: of the place of a letter in the text, and of the place of a word in its shingle."""
_NUMERALS, _UNITS = "〇一二三四五六七八九十", "年月日时分级号度"
"""Chinese numerals, which make a number before one another or before a unit: elsewhere they are parts of words."""
_BOUNDS = np.arange(BINS, dtype=np.uint64) << np.uint64(58)
_BEFORE = 4
"""Number of words before a number that belong to its place; one behind it does too."""
_LEFT_OUT = re.compile(
    r"https?://\S+|^(?=.{6,80}$)[^。！？!?\n]*?(?:19|20)\d\d\s*[-/.年]\s*\d{1,2}\s*[-/.月]\s*\d{1,2}"
    r"(?:(?=[^。\n]*(?:\d:\d\d|来源|作者|编辑|记者|时间|日期|[Ss]ource|[Pp]ublished|[Uu]pdated|[Pp]osted))[^。！？!?\n]*"
    r"|\s*日?[^\w\n]*)$",
    re.MULTILINE,
)
"""An address; a short line with a whole date that is no sentence: with a time of day, a source, an author, or nothing
else."""
_HINT = re.compile(r"https?://|19\d\d|20\d\d")
"""What is in all that is left out: the start of an address; a year, in the first line of the rest."""


class Fingerprint(NamedTuple):
    """The fingerprint of a text."""

    bins: bytes
    """BINS numbers from 0 to 255, of the smallest shingle of each range; 0 for a range without one."""
    places: bytes
    """PLACES numbers of 32 bits: 16 bits of the words around a number, and 16 of the number; 0 behind the last one."""

    words: int
    """Number of characters and words that were read."""

    def packed(self) -> bytes:
        """Return the fingerprint as BINS + 4 * PLACES + 4 bytes."""
        return self.bins + self.places + self.words.to_bytes(4, "little")

    @classmethod
    def unpacked(cls, data: bytes) -> Fingerprint:
        """Return the fingerprint that ``packed`` returned."""
        return cls(data[:BINS], data[BINS:-4], int.from_bytes(data[-4:], "little"))

    def is_like(self, other: Fingerprint, least: float = NEAR) -> bool:
        """Return whether two texts have a share ``least`` or more of their shingles in common, and the same numbers."""
        share = likeness(self, other)
        return share >= least and self.has_numbers_of(other, share)

    def has_numbers_of(self, other: Fingerprint, share: float) -> bool:
        """Return whether two texts have the same numbers where they have the same words around a number.

        A date may be another one in a long text that is the same otherwise.

        Args:
            other: the fingerprint of the other text.
            share: the share of shingles in common.
        """
        mine, theirs = (set(np.frombuffer(one.places, dtype=np.uint32).tolist()) - {0} for one in (self, other))
        around = {place >> 16 for place in mine} & {place >> 16 for place in theirs}
        both = min(sum(place >> 16 in around for place in each) for each in (mine, theirs))
        same = len(mine & theirs)
        is_edited = share >= EDITED and min(self.words, other.words) >= LONG
        return same >= _SAME_NUMBERS * both or (is_edited and both - same <= OF_A_DATE)


def likeness(one: Fingerprint, other: Fingerprint) -> float:
    """Estimate the share of shingles that two texts have in common, from 0 to 1."""
    mine, theirs = (np.frombuffer(each.bins, dtype=np.uint8) for each in (one, other))
    return float(likenesses(mine, theirs[None])[0])


def likenesses(mine: Sample, theirs: Sample) -> NDArray[np.float64]:
    """Estimate the share of shingles that a text has in common with others.

    Args:
        mine: the bins of the text, shape (BINS,).
        theirs: those of the others, shape (n, BINS).

    Returns:
        The shares, shape (n,).
    """
    same = np.count_nonzero((mine == theirs) & (mine > 0), axis=1)
    return np.asarray(same / np.maximum(1, np.count_nonzero(mine | theirs, axis=1)), dtype=np.float64)


def fingerprint(text: str) -> Fingerprint | None:
    r"""Compute the fingerprint of a text.

    Args:
        text: any text, of which the first MOST characters are read.

    Returns:
        Its fingerprint; None for a text that is too short to be compared.

    >>> article = "".join(map(chr, range(0x4E00, 0x4F00)))
    >>> one, other = fingerprint(article), fingerprint("《" + article[:200] + "。\n" + article[200:])
    >>> one == other, fingerprint("地震")
    (True, None)
    """
    text = text[:MOST]
    words, is_character, is_number = _words(text)
    n = len(words)
    if n < FEWEST:
        return None
    shingles = (words[:-3] * _ORDER + words[1:-2]) * _ORDER + words[2:-1]
    shingles = np.sort(_mixed(shingles * _ORDER + np.where(is_character[:-3], words[3:], 0)))
    at = np.searchsorted(shingles, _BOUNDS)
    smallest = shingles[np.minimum(at, len(shingles) - 1)] % np.uint64(255) + np.uint64(1)
    smallest[at == np.append(at[1:], len(shingles))] = 0
    if (rest := _without_dates_and_addresses(text)) != text:
        words, _, is_number = _words(rest)
    return Fingerprint(smallest.astype(np.uint8).tobytes(), _places(words, is_number), n)


def _without_dates_and_addresses(text: str) -> str:
    """Return a text without all that `_LEFT_OUT` matches, which is tried only where it can begin."""
    starts = {
        hint.start() if hint[0].startswith("http") else text.rfind("\n", 0, hint.start()) + 1
        for hint in _HINT.finditer(text)
    }
    parts, end = list[str](), 0
    for start in sorted(starts):
        if start >= end and (found := _LEFT_OUT.match(text, start)) is not None:
            parts.append(text[end:start])
            end = found.end()
    return "".join((*parts, text[end:])) if parts else text


def _places(words: Words, is_number: NDArray[np.bool_]) -> bytes:
    """Return the places with the smallest hashes of the words around them, so that equal texts have the same ones."""
    at = np.flatnonzero(is_number)
    masked = np.concatenate([np.zeros(_BEFORE, dtype=np.uint64), np.where(is_number, 1, words), [np.uint64(0)]])
    around = masked[at + _BEFORE + 1]
    for back in range(_BEFORE):
        around = around * _ORDER + masked[at + back]
    values = (_mixed(words[at]) >> np.uint64(48)).astype(np.uint32)
    places = np.unique((_mixed(around) >> np.uint64(48)).astype(np.uint32) << np.uint32(16) | values)
    sample = np.zeros(PLACES, dtype=np.uint32)
    places = places[places > 0][:PLACES]
    sample[: len(places)] = places
    return sample.tobytes()


def _words(text: str) -> tuple[Words, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return a hash of each word or single character of a text, which are characters, and which numbers; all (m,)."""
    points = np.frombuffer(text.encode("utf-32-le", "replace"), dtype=np.uint32)
    (kinds, lower), (power, inverse) = _tables(), _powers()
    kind, letters = kinds.take(points), lower.take(points)
    part = kind & (_WORD | _CHARACTER)
    begins = part != 0
    begins[1:] = part[1:] > (part[:-1] & _WORD)  # a character begins a word always, a letter not behind a letter
    starts = np.flatnonzero(begins)
    # The sum of letter x power^place over a word, moved to the beginning of the text: equal words have equal sums.
    sums = np.add.reduceat(letters * power[: len(points)], starts) if len(starts) else letters[:0]
    first = kind.take(starts)
    is_character, is_number = first & _CHARACTER > 0, first & _NUMERAL > 0
    is_number[:-1] &= ~is_character[:-1] | (first[1:] & (_NUMERAL | _UNIT) > 0)
    return sums * inverse.take(starts), is_character, is_number


def _mixed(values: Words) -> Words:
    """Return hashes whose bits depend on all bits of the values (the finalizer of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


@cache
def _tables() -> tuple[NDArray[np.uint8], Words]:
    """Return for each code point what it is, and its lower case, which is 0 for what is of no word.

    It may be of a word, or a word of its own; and also a numeral, or a unit.
    """
    kinds, lower = np.zeros(0x110000, dtype=np.uint8), np.zeros(0x110000, dtype=np.uint64)
    for point in filter(lambda point: chr(point).isalnum(), range(0x20000)):
        kinds[point], lower[point] = _WORD, ord(chr(point).lower()[0])
    for first, end in _CHARACTERS:
        if first < 0x20000:
            kinds[first:end] *= _CHARACTER
        else:
            kinds[first:end], lower[first:end] = _CHARACTER, np.arange(first, end)
    for numerals in (range(ord("0"), ord("9") + 1), range(0x2160, 0x2180), map(ord, _NUMERALS)):  # the second are Roman
        kinds[[*numerals]] |= _NUMERAL
    kinds[[*map(ord, _UNITS)]] |= _UNIT
    return kinds, lower


@cache
def _powers() -> tuple[Words, Words]:
    """Return the powers of _LETTER and of its inverse modulo 2^64, for each place of a text."""
    bases = (_LETTER, pow(_LETTER, -1, 1 << 64))
    power, inverse = (np.cumprod(np.full(MOST, base, dtype=np.uint64), dtype=np.uint64) for base in bases)
    return power, inverse
