"""A 64-bit fingerprint of a text, of which texts with nearly the same words have nearly the same bits.

It is the fingerprint of Charikar, "Similarity estimation techniques from rounding algorithms" (STOC 2002): each bit is
the majority of that bit in the hashes of the text's shingles. The number of bits in which two texts differ grows with
the angle between their vectors of shingle counts. As in Manku, Jain and Das Sarma, "Detecting near-duplicates for web
crawling" (WWW 2007), texts that differ in at most 3 bits count as nearly the same.

A shingle is two characters in a row where the first one is Chinese, Japanese or Korean, and three words in a row
elsewhere: pairs of words are too often the same in unrelated English texts. Case, punctuation and white space do not
matter.

Bulletins of one form differ in a few figures, which flip few bits, and are different pages. So a fingerprint also has a
set of the numbers in the text, and texts of which neither has most of the numbers of the other are never the same.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

NEAR = 3
"""Number of differing bits up to which two texts count as nearly the same."""
FEWEST = 100
"""Number of characters and words together below which a text is not compared: too few shingles for a majority."""
MOST = 65_535
"""Number of characters of a text that are read; so many shingles fit into the counters."""

Words = NDArray[np.uint64]
_WORD, _CHARACTER = 1, 2
_CHARACTERS = ((0x3040, 0x3100), (0x3400, 0xA000), (0xAC00, 0xD7B0), (0xF900, 0xFB00), (0x20000, 0x32000))
"""Ranges of the scripts without blanks between words: kana, Chinese, Korean, compatibility, rare Chinese."""
_LETTER, _ORDER = 0x9E3779B97F4A7C15, np.uint64(0xD6E8FEB86659FD93)
"""Odd multipliers: of the place of a letter in the text, and of the place of a word in its shingle."""
_NIBBLES, _LANES = np.uint64(0x1111_1111_1111_1111), np.uint64(0x000F_000F_000F_000F)
_ZERO = np.uint32(ord("0"))
_BITS = np.arange(4, dtype=np.uint64)[:, None, None]


class Fingerprint(NamedTuple):
    """The fingerprint of a text."""

    bits: int
    """64 bits, of which similar texts have many in common."""
    numbers: int
    """64 bits, of which each number in the text sets one."""

    def is_like(self, other: Fingerprint, most: int) -> bool:
        """Return whether two texts differ in ``most`` bits at most, and one has four in five of the other's numbers."""
        if (self.bits ^ other.bits).bit_count() > most:
            return False
        fewer = min(self.numbers.bit_count(), other.numbers.bit_count())
        return 5 * (self.numbers & other.numbers).bit_count() >= 4 * fewer


def simhash(text: str) -> Fingerprint | None:
    r"""Compute the fingerprint of a text.

    Args:
        text: any text, of which the first MOST characters are read.

    Returns:
        Its fingerprint; None for a text that is too short to be compared.

    >>> article = "".join(map(chr, range(0x4E00, 0x4F00)))
    >>> one, other = simhash(article), simhash("《" + article[:200] + "。\n" + article[200:])
    >>> one == other, simhash("地震")
    (True, None)
    """
    words, is_character, is_number = _words(text)
    if len(words) < FEWEST:
        return None
    shingles = words[:-2] * _ORDER + words[1:-1]
    shingles = _mixed(shingles * _ORDER + np.where(is_character[:-2], 0, words[2:]))
    places = (words[is_number] * _ORDER) >> np.uint64(58)
    numbers = int(np.bitwise_or.reduce(np.left_shift(np.uint64(1), places)))
    bits = np.packbits(2 * _ones(shingles) > len(shingles)).tobytes()
    return Fingerprint(int.from_bytes(bits, "big"), numbers)


def _words(text: str) -> tuple[Words, NDArray[np.bool_], NDArray[np.bool_]]:
    """Return a hash of each word or single character of a text, which are characters, and which numbers; all (m,)."""
    points = np.frombuffer(text[:MOST].encode("utf-32-le", "replace"), dtype=np.uint32)
    (kinds, lower), (power, inverse) = _tables(), _powers()
    kind, letters = kinds.take(points), lower.take(points)
    begins = kind != 0
    begins[1:] = kind[1:] > (kind[:-1] & _WORD)  # a character begins a word always, a letter not behind a letter
    starts = np.flatnonzero(begins)
    # The sum of letter x power^place over a word, moved to the beginning of the text: equal words have equal sums.
    sums = np.add.reduceat(letters * power[: len(points)], starts) if len(starts) else letters[:0]
    is_number = points.take(starts) - _ZERO < 10  # unsigned
    return sums * inverse.take(starts), kind.take(starts) == _CHARACTER, is_number


def _mixed(values: Words) -> Words:
    """Return hashes whose bits depend on all bits of the values (the finalizer of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def _ones(values: Words) -> NDArray[np.int64]:
    """Count for each bit the values that have it, in an order of the bits that is always the same, shape (64,).

    The counters are parts of 64-bit numbers: first 16 counters of 4 bits over 15 values, then 4 of 16 bits over all.
    """
    rows = np.zeros((15, -(-len(values) // 15)), dtype=np.uint64)
    rows.ravel()[: len(values)] = values
    fifteen = np.add.reduce((rows >> _BITS) & _NIBBLES, axis=1)[:, None, :]
    lanes = np.add.reduce((fifteen >> (_BITS[:, 0] * np.uint64(4))) & _LANES, axis=2)
    ones: NDArray[np.int64] = lanes.view(np.uint16).ravel().astype(np.int64)
    return ones


@cache
def _tables() -> tuple[NDArray[np.uint8], Words]:
    """Return for each code point whether it is of a word (1), a word of its own (2) or neither (0); and its lower case.

    The lower case of what is neither is 0.
    """
    kinds, lower = np.zeros(0x110000, dtype=np.uint8), np.zeros(0x110000, dtype=np.uint64)
    for point in filter(lambda point: chr(point).isalnum(), range(0x20000)):
        kinds[point], lower[point] = _WORD, ord(chr(point).lower()[0])
    for first, end in _CHARACTERS:
        if first < 0x20000:
            kinds[first:end] *= _CHARACTER
        else:
            kinds[first:end], lower[first:end] = _CHARACTER, np.arange(first, end)
    return kinds, lower


@cache
def _powers() -> tuple[Words, Words]:
    """Return the powers of _LETTER and of its inverse modulo 2^64, for each place of a text."""
    bases = (_LETTER, pow(_LETTER, -1, 1 << 64))
    power, inverse = (np.cumprod(np.full(MOST, base, dtype=np.uint64), dtype=np.uint64) for base in bases)
    return power, inverse
