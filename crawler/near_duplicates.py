"""The fingerprints of the pages that were read, and the look-up of one that is a copy or nearly the same.

The 64 bins of a fingerprint are taken by two, and the first 32 of them are 16 keys of 16 bits. Texts that have half of
their shingles in common have at least one key in common in 99 of 100 cases. So the pages with the same key are chained,
for each of the 16, and the newest pages of the chains of a fingerprint are compared with it. Chains of a form, which
are long, are followed only where a text has little else.
One more chain is of the digest of the text, by which exact copies of any length are found. A copy is in no chain, so
many copies of one page do not make look-ups longer.

A second look decides whether two texts that have many shingles in common are called copies. Shingles that many pages
of the crawl have (``COMMON``) belong to a form, such as a notice on every page of a site: they are left out, and the
others are compared again.

A page takes 213 bytes of memory, and the chains and counts 9 MB.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from crawler.frontier.growable import Patch
from crawler.model import Ids
from crawler.pages.fingerprint import BINS, NEAR, PLACES, Fingerprint, likenesses

COMMON = 8
"""Number of pages with the same key above which it is of a form; more where many pages were read, as keys collide."""
RARE = 2
"""Number of keys in common that no form has, from which two texts are nearly the same."""
_FEW, _NO_RARE = 4, 0.9
"""Number of keys that no form has, below which they are too few to decide; then all shingles count, from this share."""
_BANDS, _KEYS, _WALK = 16, 1 << 16, 64
_EVERY_BAND = np.arange(_BANDS)
_COPY, _EXACT, _FIRST, _NEARLY = range(4)
"""Kinds of pages: a copy in all, or a URL that was not read; a text too short to be compared; one without an earlier
page nearly the same; one with such a page."""
_COLUMNS = {"page": ("i", 1), "link": ("i", 1), "digest": ("Q", 1), "kind": ("B", 1), "words": ("I", 1),
            "bins": ("Q", BINS // 8), "places": ("Q", PLACES // 2)}  # fmt: skip
"""Name -> type of its numbers, and how many a page has."""
_NOTHING = bytes(BINS)


class Print(NamedTuple):
    """What is kept of a page's text to compare it with others."""

    digest: int
    """64 bits of a digest of the text."""
    of_text: Fingerprint | None = None
    """Its fingerprint; None for a text that is too short: then only equal ones mean anything."""

    def is_like(self, other: Print, least: float = NEAR) -> bool:
        """Return whether two texts are the same, or have this share of their shingles in common."""
        if self.digest == other.digest or self.of_text is None or other.of_text is None:
            return self.digest == other.digest
        return self.of_text.is_like(other.of_text, least)


class NearDuplicates:
    """Fingerprints in the order of reading."""

    def __init__(self) -> None:
        self._columns = {name: array(code) for name, (code, _) in _COLUMNS.items()}
        self._chains()
        self._saved: int | None = None

    def __len__(self) -> int:
        return len(self._columns["page"])

    def first(self, print_: Print) -> int | None:
        """Return the link of the first page with the same text, else of the first with nearly the same; None for none.

        Args:
            print_: what is kept of a text.
        """
        row = self._same(print_.digest)
        if row is None and print_.of_text is not None:
            row = self._near(print_.of_text)
        return None if row is None else self._columns["link"][row]

    def add(self, page: int, link: int, print_: Print, first: int | None) -> None:
        """Add a page.

        Args:
            page: id of the URL at which it was read.
            link: id of the link through which it was read.
            print_: what is kept of its text.
            first: the link of the first page that is nearly the same; None for no such page.
        """
        if first is None:
            kind = _EXACT if print_.of_text is None else _FIRST
        else:
            kind = _COPY if print_.of_text is None or self._same(print_.digest) is not None else _NEARLY
        self._append(page, link, print_, kind)

    def put(self, page: int, link: int, print_: Print) -> None:
        """Set the text of a URL that was not read, but as which the page of ``link`` counts."""
        self._append(page, link, print_, _COPY)

    def _append(self, page: int, link: int, print_: Print, kind: int) -> None:
        row, text = len(self), print_.of_text or Fingerprint(_NOTHING, bytes(4 * PLACES), 0)
        for name, value in zip(_COLUMNS, (page, link, print_.digest, kind, text.words), strict=False):
            self._columns[name].append(value)
        self._columns["bins"].frombytes(text.bins)
        self._columns["places"].frombytes(text.places)
        keys = [*np.frombuffer(text.bins, dtype=np.uint16)[:_BANDS].tolist(), print_.digest % _KEYS]
        for band, key in enumerate(keys):
            in_chain = kind == _FIRST or (kind == _EXACT and band == _BANDS)
            self._before[band].append(self._heads[band][key] if in_chain else -1)
            if in_chain:
                self._heads[band][key] = row
            if kind >= _FIRST and band < _BANDS:
                self._counts[band, key] += 1

    def of(self, page: int) -> Print | None:
        """Return what is kept of the text that a URL got last; None where it has none. Reads the ids of all pages."""
        rows = np.flatnonzero(_numbers(self._columns["page"]) == page)
        return self._print(int(rows[-1])) if len(rows) else None

    def _print(self, row: int) -> Print:
        columns = self._columns
        parts = (columns[name][row * width : (row + 1) * width] for name, (_, width) in _COLUMNS.items())
        _, _, digest, _, words, bins, places = parts
        text = Fingerprint(bins.tobytes(), places.tobytes(), words[0]) if words[0] else None
        return Print(digest[0], text)

    # ---- looking up ---------------------------------------------------------------------------------------------

    def _same(self, digest: int) -> int | None:
        """Return the row of the first page with a digest."""
        digests, before = self._columns["digest"], self._before[_BANDS]
        row = self._heads[_BANDS][digest % _KEYS]
        while row >= 0 and digests[row] != digest:
            row = before[row]
        return None if row < 0 else row

    def _near(self, text: Fingerprint) -> int | None:
        """Return the row of the first page that is nearly the same."""
        keys = np.frombuffer(text.bins, dtype=np.uint16)[:_BANDS]
        is_common = self._counts[_EVERY_BAND, keys] > COMMON + 4 * len(self) // _KEYS
        # A text with few keys that no form has may be taken for a copy by all of them; otherwise two in common decide,
        # and the long chains of a form lead to nothing.
        all_count = np.count_nonzero(is_common) > _BANDS - _FEW
        rows = set[int]()
        for band, key, of_form in zip(range(_BANDS), keys.tolist(), is_common.tolist(), strict=True):
            if of_form and not all_count:
                continue
            row, before = self._heads[band][key], self._before[band]
            for _ in range(_WALK):
                if row < 0:
                    break
                rows.add(row)
                row = before[row]
        if not rows:
            return None
        candidates, mine = np.array(sorted(rows)), np.frombuffer(text.bins, dtype=np.uint8)
        bins = _numbers(self._columns["bins"]).view(np.uint8).reshape(-1, BINS)[candidates]
        shares = likenesses(mine, bins)
        near = np.flatnonzero(shares >= NEAR)
        if not len(near):
            return None
        for place in near.tolist():
            row, theirs = int(candidates[place]), self._print(int(candidates[place])).of_text
            second = _second_look(keys, bins[place].view(np.uint16)[:_BANDS], is_common, float(shares[place]))
            if second and theirs is not None and text.has_numbers_of(theirs, float(shares[place])):
                return row
        return None

    def _chains(self) -> None:
        """Make the chains and counts of all rows."""
        n, kinds = len(self), _numbers(self._columns["kind"])
        every = _numbers(self._columns["bins"]).view(np.uint16).reshape(n, BINS // 2)
        digests = (_numbers(self._columns["digest"]) % np.uint64(_KEYS)).astype(np.uint16)
        self._heads: list[array[int]] = []
        self._before: list[array[int]] = []
        self._counts = np.zeros((_BANDS, _KEYS), dtype=np.uint32)
        for band in range(_BANDS + 1):
            chained = np.flatnonzero((kinds == _FIRST) | ((kinds == _EXACT) & (band == _BANDS)))
            of_band = every[:, band] if band < _BANDS else digests
            keys = of_band[chained].astype(np.int64)
            order = np.argsort(keys, kind="stable")
            rows, keys = chained[order], keys[order]
            last = np.append(keys[1:] != keys[:-1], True)[: len(keys)]
            heads, before = np.full(_KEYS, -1, dtype=np.int32), np.full(n, -1, dtype=np.int32)
            heads[keys[last]] = rows[last]
            before[rows[1:][~last[:-1]]] = rows[:-1][~last[:-1]]
            self._heads.append(array("i", heads.tobytes()))
            self._before.append(array("i", before.tobytes()))
            if band < _BANDS:
                self._counts[band] = np.bincount(of_band[kinds >= _FIRST], minlength=_KEYS)

    # ---- saving -------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all that ``restore`` needs."""
        return {name: _numbers(column).copy() for name, column in self._columns.items()}

    def changes(self) -> dict[str, Any]:
        """Return ``state``, with the rows since the last snapshot in place of the columns that it holds."""
        if self._saved is None:
            return self.state()
        return {
            name: Patch(len(column), None, _numbers(column)[self._saved * _COLUMNS[name][1] :].copy())
            for name, column in self._columns.items()
        }

    def saved(self) -> None:
        """Continue after a snapshot."""
        self._saved = len(self)

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Restore a state."""
        for name, (code, _) in _COLUMNS.items():
            column = array(code)
            column.frombytes(np.ascontiguousarray(saved[name]).tobytes())
            self._columns[name] = column
        self._chains()
        self._saved = len(self)


def _second_look(
    mine: NDArray[np.uint16], theirs: NDArray[np.uint16], is_common: NDArray[np.bool_], share: float
) -> bool:
    """Return whether two texts that have many shingles in common are nearly the same without those of a form.

    Args:
        mine: keys of a text, shape (bands,).
        theirs: those of another text.
        is_common: whether many pages have the key of the first text, shape (bands,).
        share: the share of all shingles in common.
    """
    same = mine == theirs
    rare = ~(is_common & same)
    if np.count_nonzero(rare) < _FEW:
        return share >= _NO_RARE
    return bool(np.count_nonzero(same & rare) >= RARE)


def _numbers(column: array[int]) -> Ids:
    """Return the numbers of an array, without a copy; they are valid until it grows."""
    return np.frombuffer(column, dtype=column.typecode) if column else np.empty(0, dtype=column.typecode)
