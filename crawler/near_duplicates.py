"""The fingerprints of the pages that were read, and the look-up of one that is nearly the same.

Fingerprints that differ in at most 3 of their 64 bits have at least one of their four bands of 16 bits in common. So
the pages with the same band are chained, for each band, and the chains of a fingerprint are compared with it: some 15
pages a band where a million were read. Chains begin at the newest page. A page that is nearly the same as an earlier
one is in no chain, so many copies of one page do not make look-ups longer.

A page takes 41 bytes of memory, and the heads of the chains 1 MB.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from crawler.frontier.growable import Patch
from crawler.model import Ids
from crawler.pages.simhash import NEAR, Fingerprint

_BANDS, _WIDTH = 4, 16
_KEYS = 1 << _WIDTH
_EXACT, _FIRST, _COPY = range(3)
"""Kinds of pages: with a text too short to be compared, without an earlier page nearly the same, with one."""
_COLUMNS = {"page": "i", "link": "i", "bits": "Q", "numbers": "Q", "kind": "B"}


class Print(NamedTuple):
    """The fingerprint of a page's text."""

    of_text: Fingerprint
    exact: bool = False
    """Whether the text is too short to be compared: the bits are of its digest, and only equal ones mean anything."""

    def is_like(self, other: Print, most: int) -> bool:
        """Return whether two texts differ in ``most`` bits at most; a short one, whether it is the same."""
        if self.exact or other.exact:
            return self == other
        return self.of_text.is_like(other.of_text, most)


class NearDuplicates:
    """Fingerprints in the order of reading."""

    def __init__(self) -> None:
        self._columns = {name: array(code) for name, code in _COLUMNS.items()}
        self._chains()
        self._saved: int | None = None

    def __len__(self) -> int:
        return len(self._columns["page"])

    def add(self, page: int, link: int, print_: Print) -> int | None:
        """Add a page.

        Args:
            page: id of the URL at which it was read.
            link: id of the link through which it was read.
            print_: its fingerprint.

        Returns:
            The link of the first page that is nearly the same; None for no such page.
        """
        first = None if print_.exact else self._first(print_.of_text)
        self._append(page, link, print_, _EXACT if print_.exact else _FIRST if first is None else _COPY)
        return None if first is None else self._columns["link"][first]

    def put(self, page: int, link: int, print_: Print) -> None:
        """Set the fingerprint of a URL that was not read, but as which the page of ``link`` counts."""
        self._append(page, link, print_, _EXACT if print_.exact else _COPY)

    def _append(self, page: int, link: int, print_: Print, kind: int) -> None:
        row = len(self)
        for column, value in zip(self._columns.values(), (page, link, *print_.of_text, kind), strict=True):
            column.append(value)
        for band in range(_BANDS):
            heads, before = self._heads[band], self._before[band]
            key = (print_.of_text.bits >> band * _WIDTH) & (_KEYS - 1)
            before.append(heads[key] if kind == _FIRST else -1)
            if kind == _FIRST:
                heads[key] = row

    def of(self, page: int) -> Print | None:
        """Return the fingerprint that a URL got last; None where it has none. This reads the ids of all pages."""
        rows = np.flatnonzero(_numbers(self._columns["page"]) == page)
        if not len(rows):
            return None
        row = int(rows[-1])
        return Print(self._fingerprint(row), self._columns["kind"][row] == _EXACT)

    def _fingerprint(self, row: int) -> Fingerprint:
        return Fingerprint(self._columns["bits"][row], self._columns["numbers"][row])

    def _first(self, wanted: Fingerprint) -> int | None:
        """Return the row of the first page that is nearly the same."""
        bits, found = self._columns["bits"], len(self)
        for band in range(_BANDS):
            row, before = self._heads[band][(wanted.bits >> band * _WIDTH) & (_KEYS - 1)], self._before[band]
            while row >= 0:
                near = (bits[row] ^ wanted.bits).bit_count() <= NEAR
                if near and row < found and self._fingerprint(row).is_like(wanted, NEAR):
                    found = row
                row = before[row]
        return found if found < len(self) else None

    def _chains(self) -> None:
        """Make the chains of all rows."""
        n, first = len(self), np.flatnonzero(_numbers(self._columns["kind"]) == _FIRST)
        prints = _numbers(self._columns["bits"])[first]
        self._heads: list[array[int]] = []
        self._before: list[array[int]] = []
        for band in range(_BANDS):
            keys = ((prints >> np.uint64(band * _WIDTH)) & np.uint64(_KEYS - 1)).astype(np.int64)
            order = np.argsort(keys, kind="stable")
            rows, keys = first[order], keys[order]
            last = np.append(keys[1:] != keys[:-1], True)[: len(keys)]
            heads, before = np.full(_KEYS, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
            heads[keys[last]] = rows[last]
            before[rows[1:][~last[:-1]]] = rows[:-1][~last[:-1]]
            self._heads.append(array("i", heads.tobytes()))
            self._before.append(array("i", before.tobytes()))

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs."""
        return {name: _numbers(column).copy() for name, column in self._columns.items()}

    def changes(self) -> dict[str, Any]:
        """Return ``state``, with the rows since the last snapshot in place of the columns that it holds."""
        if self._saved is None:
            return self.state()
        return {
            name: Patch(len(self), None, _numbers(column)[self._saved :].copy())
            for name, column in self._columns.items()
        }

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._saved = len(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a state."""
        for name, code in _COLUMNS.items():
            column = array(code)
            column.frombytes(np.ascontiguousarray(saved[name]).tobytes())
            self._columns[name] = column
        self._chains()
        self._saved = len(self)


def _numbers(column: array[int]) -> Ids:
    """Return the numbers of an array, without a copy; they are valid until it grows."""
    return np.frombuffer(column, dtype=column.typecode) if column else np.empty(0, dtype=column.typecode)
