"""The index of an archive: where the records of each URL are, in 40 bytes a record. No body is kept."""

from __future__ import annotations

import hashlib
import json
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote_to_bytes, urlsplit

import numpy as np

from crawler.archives.errors import ArchiveError, ArchiveWriteError
from crawler.archives.record import FETCHED_AGAIN, LOADED_BY, RENDERED, Header
from crawler.archives.scan import Copies, Found, Loss, Place, scan
from crawler.url import canonical
from ontology.files import open_atomically

SUFFIXES = (".warc", ".warc.gz", ".warc.zst", ".wet", ".wet.gz", ".wat", ".wat.gz", ".wacz", ".arc", ".arc.gz")
_VOID, _COUNTS, _RENDERING = range(3)
_LISTED = 1000
"""Number of losses that are kept; all are counted."""


class RecordPlace(NamedTuple):
    """Where a record is."""

    file: int
    place: Place


class ArchiveIndex:
    """The records of the WARC files of a folder, by URL in the order of the files and in them.

    Attributes:
        files: the WARC files, by name.
        losses: records that cannot be used, the first thousand.
        lost: reason code -> number of them.
        others: type -> number of the records that do not say what came of a request.
        copies: for each file, what makes reading from its middle quick.
    """

    def __init__(self, path: Path) -> None:
        """Read the indexes of an archive, or its files where an index is missing.

        Args:
            path: a folder with files ``*.warc`` and ``*.warc.gz``, also in folders of it; or one file.

        Raises:
            ArchiveError: there is no such file, or a folder without any.
        """
        self.files = archive_files(path)
        self.losses: list[Loss] = []
        self.lost: dict[str, int] = {}
        self.others = Counter[str]()
        self.copies: list[Copies] = []
        self._rows = array("q")
        """Key, file, offset, skip of each record in turn, and whether it counts, does not, or is of a rendering."""
        self._converted = array("q")
        """Rows of conversions; they count where nothing else of the URL does, since they are made of a response."""
        self._void: dict[int, int] = {}
        """Key -> number of rows before it that do not count for it."""
        for number, file in enumerate(self.files):
            self.copies.append({})
            try:
                self._add(number, file)
            except OSError as error:
                raise ArchiveError("files.cannot_be_read", path=file, error=error.strerror or error) from error
        self._sort()

    def __len__(self) -> int:
        """Number of records that say what came of a request."""
        return len(self._keys)

    @property
    def urls(self) -> int:
        """Number of URLs."""
        return len(np.unique(self._keys))

    def places(self, url: str, *, void: bool = False) -> list[RecordPlace]:
        """Return the places of the records of a canonical URL, in order.

        Args:
            url: the URL.
            void: whether to return those that do not count, too; a revisit record may repeat one.
        """
        return self._of(url, (_COUNTS, _VOID) if void else (_COUNTS,))

    def renderings(self, url: str) -> list[RecordPlace]:
        """Return the places of the records that say what came of a canonical URL in a browser, in order."""
        return self._of(url, (_RENDERING,))

    def _of(self, url: str, states: tuple[int, ...]) -> list[RecordPlace]:
        key = _key(url)
        first, last = np.searchsorted(self._keys, key, "left"), np.searchsorted(self._keys, key, "right")
        rows = self._places[first:last]
        return [RecordPlace(int(f), Place(int(o), int(s))) for f, o, s, state in rows if state in states]

    def _add(self, number: int, file: Path) -> None:
        rows = _read(file.with_name(f"{file.name}.cdxj"), file)
        if rows is not None:
            for offset, url, role in rows:
                self._put(url, number, Place(offset, 0), role)
            return
        for found in scan(file, self.copies[number]):
            if isinstance(found, Found):
                self._take(found, number, file)
            else:
                self._lose(found)

    def _take(self, found: Found, number: int, file: Path) -> None:
        header = found.header
        if not (header.answers or header.role):
            self.others[header.kind] += 1
            return
        if not header.url.lower().startswith(("http://", "https://")):
            self._lose(Loss(file, found.place.offset, "not_http", f"a {header.kind} record of {header.url[:200]!r}"))
            return
        if header.kind == "conversion" and not header.role:
            self._converted.extend((_key(canonical(header.url) or header.url), number, *found.place, _COUNTS))
            return
        self._put(header.url, number, found.place, header.role)

    def _lose(self, loss: Loss) -> None:
        self.lost[loss.reason] = self.lost.get(loss.reason, 0) + 1
        if len(self.losses) < _LISTED:
            self.losses.append(loss)

    def _put(self, url: str, number: int, place: Place, role: str) -> None:
        key = _key(canonical(url) or url)
        if role == FETCHED_AGAIN:
            self._void[key] = len(self._rows) // 5
        else:
            self._rows.extend((key, number, *place, {LOADED_BY: _VOID, RENDERED: _RENDERING}.get(role, _COUNTS)))

    def _sort(self) -> None:
        rows, converted = (np.array(some, dtype=np.int64).reshape(-1, 5) for some in (self._rows, self._converted))
        rows = np.concatenate((rows, converted[~np.isin(converted[:, 0], rows[:, 0])]))
        for key, before in self._void.items():
            rows[:before, 4][rows[:before, 0] == key] = _VOID
        rows = rows[np.argsort(rows[:, 0], kind="stable")]
        self._keys, self._places = rows[:, 0].copy(), rows[:, 1:].copy()
        self._rows, self._converted = array("q"), array("q")


def _key(url: str) -> int:
    return int.from_bytes(hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True)


def archive_files(path: Path) -> list[Path]:
    """Return the WARC files of a folder and of folders of it, by name; or one file of any name.

    Raises:
        ArchiveError: there is no such file, or a folder without any.
    """
    if path.is_file():
        return [path]
    found = sorted(_archives_in(path)) if path.is_dir() else []
    if not found:
        raise ArchiveError("archives.no_warc_files" if path.is_dir() else "archives.no_archive", path=path)
    return found


def _archives_in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.name.lower().endswith(SUFFIXES) and file.is_file())


# ---- CDXJ: the index that tools for web archives read, a sorted file of one line for each record
#
# A line has the URL in SURT form (``cn,news)/a``), the time as 14 digits, and a JSON object.


_WWW = re.compile(r"^www\d*\.")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F))).replace("%", "").replace("#", "")


def _surt(url: str) -> str:
    """Return the sort-friendly form of a canonical URL, as tools look it up.

    The labels of the host are reversed; scheme, www, an empty segment of the path and a slash at its end are left out;
    parameters are sorted, what need not be escaped is not, and all is in lower case.

    >>> _surt("http://www.News.cn:8080/A//b%3A/?Y=2&x=1"), _surt("https://news.cn/"), _surt("http://[::1]/")
    ('cn,news:8080)/a/b:?x=1&y=2', 'cn,news)/', '::1)/')
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:  # of a request that failed because of it
        return quote(url, safe=_PRINTABLE).lower()
    labels = host if ":" in host else ",".join(reversed(_WWW.sub("", host).split(".")))
    path = re.sub("/+", "/", _plain(parts.path)).rstrip("/") or "/"
    query = "&".join(sorted(_plain(parts.query).split("&")))
    return f"{labels}{f':{port}' if port else ''}){path}{'?' + query if query else ''}"


def _plain(text: str) -> str:
    return quote(unquote_to_bytes(text), safe=_PRINTABLE).lower()


def line(header: Header, mime: str | None, status: int | None, place: tuple[int, int], file: str) -> str:
    """Return the line of a record.

    Args:
        header: header of the record.
        mime: content type of its payload, if it has one.
        status: status of the response, if it is one.
        place: offset and length of the record in its file.
        file: name of the file.

    Returns:
        The line, without its end.
    """
    digits = re.sub(r"\D", "", header.fields.get("warc-date", ""))[:14]
    about = {
        "url": header.url,
        "mime": "warc/revisit" if header.kind == "revisit" else mime,
        "status": None if status is None else str(status),
        "digest": header.fields.get("warc-payload-digest"),
        "length": str(place[1]),
        "offset": str(place[0]),
        "filename": file,
        "reason": header.reason,
        "role": header.role if header.role != FETCHED_AGAIN else None,
    }
    kept = {name: value for name, value in about.items() if value is not None}
    return f"{_surt(header.url)} {digits} {json.dumps(kept, ensure_ascii=False)}"


def write(path: Path, lines: Iterable[str]) -> None:
    """Write a CDXJ file of lines in any order. Raises ArchiveWriteError."""
    try:
        with open_atomically(path) as file:
            file.writelines(sorted(text.encode() + b"\n" for text in lines))
    except OSError as error:
        raise ArchiveWriteError(path, error) from error


def _read(path: Path, file: Path) -> list[tuple[int, str, str]] | None:
    """Read the CDXJ file of a WARC file whose records are each compressed, or not at all.

    Args:
        path: the CDXJ file; it may be missing.
        file: the WARC file.

    Returns:
        Offset, URL and role (`Header.role`); by offset. None where the index is missing or malformed, or does not reach
        to the end of the file, as after a crash.
    """
    rows = []
    end = 0
    try:
        for about in _objects(path):
            if about.get("filename", file.name) != file.name:
                return None
            offset = int(about["offset"])
            end = max(end, offset + int(about["length"]))
            role = FETCHED_AGAIN if about.get("reason") == FETCHED_AGAIN else str(about.get("role", ""))
            rows.append((offset, str(about["url"]), role))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return sorted(rows) if end == file.stat().st_size else None


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            yield json.loads(text[text.index("{") :])
