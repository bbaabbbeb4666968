"""Duplicate records: the same DOI, or else the same normalised title and year, with 12 bytes a key.

Keys are 64-bit BLAKE2b digests. Any two of n different keys collide with probability n^2 / 2^65, that is 3e-8 for a
million papers, far below the share of different papers with equal title and year.
"""

from __future__ import annotations

from array import array
from hashlib import blake2b

from ontology.corpus.records import title_key
from ontology.model import Document

_FULL = 0.6
_SMALLEST = 1 << 10


class KeyTable:
    """A hash table of 64-bit keys to 32-bit numbers: open addressing with linear probing, in two flat arrays.

    >>> table = KeyTable()
    >>> table.put(7, 1)
    >>> table.get(7), table.get(8), len(table)
    (1, None, 1)
    """

    def __init__(self) -> None:
        self._keys = array("Q", bytes(8 * _SMALLEST))
        self._values = array("L" if array("L").itemsize == 4 else "I", bytes(4 * _SMALLEST))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def get(self, key: int) -> int | None:
        """Return the key's number, or None."""
        slot = self._slot(key or 1)
        return self._values[slot] if self._keys[slot] else None

    def put(self, key: int, value: int) -> None:
        """Set the number of a key.

        Args:
            key: 64-bit key.
            value: 32-bit number.
        """
        if self._count >= _FULL * len(self._keys):
            self._grow()
        slot = self._slot(key or 1)
        self._count += not self._keys[slot]
        self._keys[slot] = key or 1
        self._values[slot] = value

    def _slot(self, key: int) -> int:
        """Return the slot of the key, existing or new; 0 marks a free slot, so that the key 0 is stored as 1."""
        keys = self._keys
        mask = len(keys) - 1
        slot = key & mask
        while keys[slot] not in (0, key):
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        keys, values = self._keys, self._values
        self._keys = array("Q", bytes(16 * len(keys)))
        self._values = array(values.typecode, bytes(2 * values.itemsize * len(values)))
        for key, value in zip(keys, values, strict=True):
            if key:
                slot = self._slot(key)
                self._keys[slot] = key
                self._values[slot] = value


class PaperKeys:
    """Numbers of papers from 0 in the order of their first records."""

    def __init__(self) -> None:
        self._by_doi = KeyTable()
        self._by_title = KeyTable()
        self._has_doi = bytearray()

    def __len__(self) -> int:
        return len(self._has_doi)

    def place(self, document: Document) -> tuple[int, bool]:
        """Return the number of a record's paper, and whether this is its first record.

        A record with a DOI is never merged by title into a paper with another DOI.
        """
        doi = digest(document.doi) if document.doi else None
        title = digest(f"{title_key(document.title)}\0{document.year}")
        paper = self._earlier(doi, title)
        first = paper is None
        if paper is None:
            paper = len(self._has_doi)
            self._has_doi.append(0)
        if doi is not None:
            self._has_doi[paper] = 1
            if self._by_doi.get(doi) is None:
                self._by_doi.put(doi, paper)
        if self._by_title.get(title) is None:
            self._by_title.put(title, paper)
        return paper, first

    def _earlier(self, doi: int | None, title: int) -> int | None:
        if doi is not None:
            paper = self._by_doi.get(doi)
            if paper is not None:
                return paper
        paper = self._by_title.get(title)
        return None if paper is None or (doi is not None and self._has_doi[paper]) else paper


class OwnIds:
    """Distinct ids of documents: the n-th document with the id ``x`` gets ``x~n``."""

    def __init__(self) -> None:
        self._seen = KeyTable()

    def own(self, wanted: str) -> str:
        """Return the id itself the first time, later with a number that no earlier document has."""
        key = digest(wanted)
        number = (self._seen.get(key) or 0) + 1
        self._seen.put(key, number)
        if number == 1:
            return wanted
        return self.own(f"{wanted}~{number}")


def digest(text: str) -> int:
    """Return a 64-bit key of a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
