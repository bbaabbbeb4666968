"""CDXJ: the index that tools for web archives read, a sorted file of one line for each record.

A line has the URL in SURT form (``cn,news)/a``), the time as 14 digits, and a JSON object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote_to_bytes, urlsplit

from crawler.archives.errors import ArchiveWriteError
from crawler.archives.record import FETCHED_AGAIN, Header
from ontology.files import open_atomically

_WWW = re.compile(r"^www\d*\.")
_PRINTABLE = "".join(map(chr, range(0x21, 0x7F))).replace("%", "").replace("#", "")


def surt(url: str) -> str:
    """Return the sort-friendly form of a canonical URL, as tools look it up.

    The labels of the host are reversed; scheme, www, an empty segment of the path and a slash at its end are left out;
    parameters are sorted, what need not be escaped is not, and all is in lower case.

    >>> surt("http://www.News.cn:8080/A//b%3A/?Y=2&x=1"), surt("https://news.cn/"), surt("http://[::1]/")
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
    }
    kept = {name: value for name, value in about.items() if value is not None}
    return f"{surt(header.url)} {digits} {json.dumps(kept, ensure_ascii=False)}"


def write(path: Path, lines: Iterable[str]) -> None:
    """Write a CDXJ file of lines in any order. Raises ArchiveWriteError."""
    try:
        with open_atomically(path) as file:
            file.writelines(sorted(text.encode() + b"\n" for text in lines))
    except OSError as error:
        raise ArchiveWriteError(path, error) from error


def read(path: Path, file: Path) -> list[tuple[int, str, bool]] | None:
    """Read the CDXJ file of a WARC file whose records are each compressed, or not at all.

    Args:
        path: the CDXJ file; it may be missing.
        file: the WARC file.

    Returns:
        Offset, URL, and whether it only says that earlier records of the URL do not count; by offset. None where the
        index is missing or malformed, or does not reach to the end of the file, as after a crash.
    """
    rows = []
    end = 0
    try:
        for about in _objects(path):
            if about.get("filename", file.name) != file.name:
                return None
            offset = int(about["offset"])
            end = max(end, offset + int(about["length"]))
            rows.append((offset, str(about["url"]), about.get("reason") == FETCHED_AGAIN))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return sorted(rows) if end == file.stat().st_size else None


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for text in lines:
            yield json.loads(text[text.index("{") :])
