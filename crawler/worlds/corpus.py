"""A folder of texts and links as a web: ``pages.jsonl[.xz]``, and ``links.tsv[.xz]`` where the records have no links.

A record has ``name`` or ``url``, ``title``, ``text`` or ``html``, and may have ``outlinks`` (names or URLs). A page
without a URL is ``http://corpus/NAME``. All other fields of a record (categories, labels) are ignored.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote, unquote

from crawler.model import Failure, Response
from crawler.url import canonical, path
from crawler.worlds.errors import WorldError

CORPUS_PAGE = "application/x-ontocrawl-page+json"
"""Content type of a text record: JSON {title, text, links: [{url, anchor}]}."""
_BASE = "http://corpus/"
_UNRESERVED = "-._~"


def corpus_url(name: str) -> str:
    """Return the canonical URL of a name, percent-encoded or not: ``http://corpus/NAME``.

    >>> corpus_url("Flash flood"), corpus_url("Flash%20flood")
    ('http://corpus/Flash%20flood', 'http://corpus/Flash%20flood')
    """
    return _BASE + quote(unquote(name), safe=_UNRESERVED)


class CorpusWorld:
    """The pages of a folder. Lines are kept as bytes and parsed when they are fetched."""

    name = "corpus"

    def __init__(self, directory: str | Path) -> None:
        """Read the folder once.

        Raises:
            WorldError: no such folder, no pages in it, or a record that cannot be read (with file and line).
        """
        folder = Path(directory)
        source = _find(folder, "pages.jsonl")
        if source is None:
            raise WorldError("worlds.corpus_pages" if folder.is_dir() else "worlds.corpus_folder", folder=folder)
        self._lines: dict[str, bytes] = {}
        self._titles: dict[str, str] = {}
        self._names: dict[str, str] = {}
        linked = self._load(source)
        links = _find(folder, "links.tsv")
        self._links = {} if linked or links is None else self._table(links)

    def _load(self, source: Path) -> bool:
        """Index all records; return whether any of them has links."""
        linked = False
        for number, line in _lines(source):
            if not line.strip():
                continue
            record = _record(line, f"{source}, line {number}")
            url = _record_url(record)
            if url is None:
                raise WorldError("worlds.corpus_name", source=source, number=number)
            if url in self._lines:
                raise WorldError("worlds.corpus_twice", source=source, number=number, url=url)
            self._lines[url] = line
            self._titles[url] = str(record.get("title") or "")
            if record.get("name"):
                self._names[unquote(str(record["name"]))] = url
            linked = linked or "outlinks" in record
        if not self._lines:
            raise WorldError("worlds.corpus_empty", source=source)
        return linked

    def _table(self, source: Path) -> dict[str, list[str]]:
        """Read the links: URL -> URLs it links to, in file order."""
        targets: dict[str, list[str]] = {}
        for number, line in _lines(source):
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            if not text.strip() or text.startswith("#"):
                continue
            ends = text.split("\t")
            if len(ends) < 2:
                raise WorldError("worlds.corpus_links", source=source, number=number, text=text)
            targets.setdefault(self.url_of(ends[0]), []).append(self.url_of(ends[1]))
        return targets

    def __len__(self) -> int:
        """Number of pages."""
        return len(self._lines)

    def __contains__(self, url: object) -> bool:
        """Whether a canonical URL is a page."""
        return url in self._lines

    def close(self) -> None:
        """Do nothing; no file is open."""

    def url_of(self, name: str) -> str:
        """Return the URL of a page by its name, percent-encoded or not, or by its URL.

        For an unknown name it is the URL that the page would have; test with ``in`` whether it is a page.
        """
        if "://" in name:
            return _listed(canonical(name) or name)
        return self._names.get(unquote(name)) or corpus_url(name)

    def urls(self) -> Iterator[str]:
        """Iterate over the URLs of all pages, in file order."""
        return iter(self._lines)

    def fetch(self, url: str) -> Response | Failure:
        """Return the page at a URL; 404 for a URL that is not in the folder, robots.txt included."""
        key = _listed(url)
        line = self._lines.get(key)
        if line is None:
            return Response(url, 404, {"content-type": "text/plain; charset=utf-8"}, b"not in this corpus\n")
        record: dict[str, Any] = json.loads(line)
        if record.get("html") is not None:
            return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, str(record["html"]).encode())
        page = {
            "title": self._titles[key],
            "text": str(record.get("text") or ""),
            "links": self._links_of(key, record),
        }
        body = json.dumps(page, ensure_ascii=False, separators=(",", ":")).encode()
        return Response(url, 200, {"content-type": CORPUS_PAGE}, body)

    def _links_of(self, url: str, record: dict[str, Any]) -> list[dict[str, str]]:
        """Return links with anchors: the title of the target, or its name where it is no page."""
        names = record.get("outlinks")
        targets = [self.url_of(str(name)) for name in names] if names is not None else self._links.get(url, [])
        return [{"url": t, "anchor": self._titles.get(t) or _readable(t)} for t in targets]


def _find(folder: Path, name: str) -> Path | None:
    return next((p for p in (folder / name, folder / f"{name}.xz") if p.is_file()), None)


def _lines(source: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines of a file, decompressed where its name ends in .xz."""
    try:
        with _open(source) as file:
            yield from enumerate(file, 1)
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise WorldError("worlds.corpus_unread", source=source, error=error) from error


def _open(source: Path) -> BinaryIO | lzma.LZMAFile:
    return lzma.open(source) if source.suffix == ".xz" else source.open("rb")


def _record(line: bytes, where: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise WorldError("worlds.corpus_json", where=where, line=line[:60], error=error) from error
    if not isinstance(record, dict) or not isinstance(record.get("outlinks", []), list):
        raise WorldError("worlds.corpus_object", where=where, line=line[:60])
    return record


def _record_url(record: dict[str, Any]) -> str | None:
    if record.get("url"):
        url = canonical(str(record["url"]))
        return _listed(url) if url else None
    return corpus_url(str(record["name"])) if record.get("name") else None


def _listed(url: str) -> str:
    """Return the key of a URL: a corpus URL with normalised percent-encoding, any other URL unchanged."""
    return corpus_url(url.removeprefix(_BASE)) if url.startswith(_BASE) else url


def _readable(url: str) -> str:
    """Return an anchor text for a target without a title."""
    return unquote(path(url).rpartition("/")[2] or url).replace("_", " ") if "://" in url else url
