"""Numbers of URLs in the order in which they come first, in less memory than a dictionary of texts.

A URL is known by 96 bits of a hash: 64 by which it is looked up, and 32 that must agree. So two URLs of 10^9 get one
number with a probability below 10^-10, and two that agree in the 64 bits alone are an error. The hashes are in sorted
arrays, each at least twice as long as the next one: a new one is merged with those that are not.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ontocrawl.errors import CommandError

Numbers = NDArray[np.int32]
_HASH = np.dtype([("key", "<u8"), ("check", "<u4")])


class _Run(NamedTuple):
    """URLs sorted by their keys."""

    key: NDArray[np.uint64]
    check: NDArray[np.uint32]
    number: Numbers


class UrlNumbers:
    """Numbers 0, 1, 2 .. of different URLs."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._texts: list[pa.Array] = []
        self._count = 0
        self.text_bytes = 0
        """Bytes of the URLs together."""

    def __len__(self) -> int:
        return self._count

    def urls(self) -> pa.ChunkedArray:
        """Return the URLs by number."""
        return pa.chunked_array(self._texts, pa.string())

    def of(self, urls: pa.Array) -> Numbers:
        """Return the number of each URL; new ones get the next numbers.

        Args:
            urls: texts without nulls, (b,).

        Raises:
            CommandError: two URLs cannot be told apart.
        """
        encoded = urls.dictionary_encode()
        hashed = _hashes(encoded.dictionary)
        number = self._known(hashed)
        new = np.flatnonzero(number < 0)
        number[new] = np.arange(self._count, self._count + len(new))
        self._add(hashed[new], number[new])
        self._texts.append(encoded.dictionary.take(pa.array(new)))
        self.text_bytes += pc.sum(pc.binary_length(self._texts[-1])).as_py() or 0
        of_each: Numbers = number[encoded.indices.to_numpy()]
        return of_each

    def _known(self, hashed: NDArray[np.void]) -> Numbers:
        number = np.full(len(hashed), -1, dtype=np.int32)
        for run in self._runs:
            place = np.minimum(np.searchsorted(run.key, hashed["key"]), len(run.key) - 1)
            same = run.key[place] == hashed["key"]
            if np.any(run.check[place[same]] != hashed["check"][same]):
                raise CommandError("two URLs of the archive have the same hash of 64 bits, so they cannot be numbered")
            number[same] = run.number[place[same]]
        return number

    def _add(self, hashed: NDArray[np.void], number: Numbers) -> None:
        if not len(hashed):
            return
        self._count += len(hashed)
        self._runs.append(_sorted([_Run(hashed["key"], hashed["check"], number)]))
        while len(self._runs) > 1 and len(self._runs[-2].key) < 2 * len(self._runs[-1].key):
            self._runs[-2:] = [_sorted(self._runs[-2:])]


def _hashes(urls: pa.Array) -> NDArray[np.void]:
    digests = b"".join(blake2b(url.encode(), digest_size=12).digest() for url in urls.to_pylist())
    return np.frombuffer(digests, dtype=_HASH)


def _sorted(runs: list[_Run]) -> _Run:
    """Return runs as one."""
    key = np.concatenate([run.key for run in runs])
    order = np.argsort(key, kind="stable")
    return _Run(key[order], *(np.concatenate(column)[order] for column in list(zip(*runs, strict=True))[1:]))
