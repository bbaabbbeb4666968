"""Rows in temporary files by a hash of their key: all rows of a key are in one file, which fits into memory.

So the rows of each key can be put together without a table of all keys. Files are opened to append some rows only, so
that their number is not limited by that of open files.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_BUFFERED = 1 << 25
"""Bytes of all files that wait in memory."""
_ROWS = 250_000
_MOST = 4_096


def files_for(rows: int) -> int:
    """Return the number of files in which a number of rows, if they have different keys, are some 250,000 a file.

    >>> files_for(0), files_for(2_500_000), files_for(10**12)
    (1, 11, 4096)
    """
    return min(rows // _ROWS + 1, _MOST)


class HashedRows:
    """Rows of JSON values, the first of which is a text, the key."""

    def __init__(self, folder: Path, files: int) -> None:
        """Make the folder.

        Args:
            folder: a folder that does not exist.
            files: number of files.
        """
        folder.mkdir()
        self._paths = [folder / f"{number:04}.jsonl" for number in range(files)]
        self._waiting: list[list[str]] = [[] for _ in range(files)]
        self._bytes = [0] * files

    def put(self, key: str, *values: Any) -> None:
        """Add a row."""
        number = zlib.crc32(key.encode()) % len(self._paths)
        line = json.dumps([key, *values])
        self._waiting[number].append(line)
        self._bytes[number] += len(line)
        if self._bytes[number] * len(self._paths) > _BUFFERED:
            self._append(number)

    def files(self) -> Iterator[Iterator[list[Any]]]:
        """Yield the rows of each file, in the order in which they were added; the file is removed after them."""
        for number, path in enumerate(self._paths):
            self._append(number)
            yield self._rows(path)
            path.unlink()

    def _append(self, number: int) -> None:
        with self._paths[number].open("a", encoding="ascii") as stream:
            stream.writelines(f"{line}\n" for line in self._waiting[number])
        self._waiting[number].clear()
        self._bytes[number] = 0

    @staticmethod
    def _rows(path: Path) -> Iterator[list[Any]]:
        with path.open(encoding="ascii") as stream:
            for line in stream:
                yield json.loads(line)
