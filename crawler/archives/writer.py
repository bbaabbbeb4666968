"""Writing of WARC files: what was requested and what came of it, each record compressed by itself (ISO 28500).

Files are ``crawl-00001.warc.gz`` and so on, each with its CDXJ index beside it. Where a process was killed, the next
one removes a record that is cut off at the end of its last file, writes the index, and begins another file.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from html import escape
from http.client import responses
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from uuid import uuid4

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from crawler.archives import index as cdxj
from crawler.archives.errors import ArchiveWriteError
from crawler.archives.reading import read_record, split_message
from crawler.archives.record import FETCHED_AGAIN, LOADED_BY, PARTIAL, REASON, RENDERED, Header
from crawler.archives.scan import Found, scan
from crawler.model import Failure, Rendering, Response
from ontology.printable import one_line

_FILE_BYTES = 1_000_000_000
HTML = "text/html; charset=utf-8"
_NAME = re.compile(r"crawl-(\d{5,})\.warc\.gz")
_REMEMBERED = 100_000
"""Number of payloads that a revisit record may repeat: the latest ones."""
_LEVEL = 6
_STATUS = re.compile(rb"HTTP/\S+ (\d{3})")
_TYPE = re.compile(rb"^content-type:[ \t]*([^;\s]+)", re.IGNORECASE | re.MULTILINE)


class _MessageHead(StatusAndHeaders):  # type: ignore[misc]  # warcio has no types
    """The head of an HTTP message, written byte for byte as it came."""

    def __init__(self, head: bytes) -> None:
        super().__init__("as it came", [])  # one without both counts as none
        self.headers_buff = head

    def compute_headers_buffer(self, header_filter: Any = None) -> None:
        """Do nothing; the bytes are there."""


class ArchiveWriter:
    """A directory of WARC files that grows. Its methods may be called from several threads.

    The first file is begun with the first record. After an error nothing more is written.
    """

    def __init__(self, directory: Path, info: Mapping[str, str], *, file_bytes: int = _FILE_BYTES) -> None:
        """Open a directory, which need not exist, and complete the files of a crawl that was killed.

        Args:
            directory: where the files are.
            info: fields of the warcinfo record with which each file begins.
            file_bytes: size from which a file is ended and another begun.

        Raises:
            ArchiveWriteError: a file in it cannot be completed.
        """
        self._directory, self._info, self._file_bytes = directory, dict(info), file_bytes
        self._lock = threading.Lock()
        self._file: BinaryIO | None = None
        self._size = 0
        self._lines: list[str] = []
        self._payloads: OrderedDict[str, tuple[str, str]] = OrderedDict()
        """Digest -> URL and date of the record that has the payload."""
        self._error: ArchiveWriteError | None = None
        earlier = [path for path in directory.glob("crawl-*.warc.gz") if _NAME.fullmatch(path.name)]
        self._number = max((int(path.name[6:-8]) for path in earlier), default=0)
        try:
            for path in earlier:
                _complete(path)
        except OSError as error:
            raise ArchiveWriteError(directory, error) from error

    def write(self, reply: Response | Failure, request: bytes = b"", wire: bytes = b"", page: str = "") -> None:
        """Write the records of a request.

        Args:
            reply: the response, with its body decoded, or the failure.
            request: the request as it was sent; empty where none was.
            wire: headers and body of the response as they were on the wire; empty to make them of the response.
            page: URL of the page that loaded this in a browser; empty for a request of the crawl.

        Raises:
            ArchiveWriteError: a record cannot be written.
        """
        builder = _new_builder()
        named = _named(builder) | ({LOADED_BY: page} if page else {})
        if isinstance(reply, Failure):
            return self._append([_reason_record(builder, reply.url, reply.reason, reply.detail, named)])
        head, body = split_message(wire) if wire else _message(reply)
        answer = self._answer(builder, reply, head, body, named)
        records = [(answer, head)]
        if request:
            about = {"WARC-Concurrent-To": answer.rec_headers.get_header("WARC-Record-ID")}
            asked = builder.create_warc_record(
                reply.url, "request", warc_headers_dict=_named(builder) | about, http_headers=_MessageHead(request)
            )
            records.insert(0, (asked, b""))
        return self._append(records)

    def write_rendering(self, url: str, rendering: Rendering, html: bytes) -> None:
        """Write what came of a page in a browser: its HTML as a conversion, or that it failed as metadata.

        Args:
            url: URL of the page.
            rendering: what came of it.
            html: the page, in UTF-8; empty where it failed.

        Raises:
            ArchiveWriteError: the record cannot be written.
        """
        builder = _new_builder()
        facts = json.dumps(asdict(rendering))
        kind, content_type = ("conversion", HTML) if html else ("metadata", "application/warc-fields")
        record = builder.create_warc_record(
            url, kind, payload=io.BytesIO(html), length=len(html),
            warc_headers_dict=_named(builder) | {RENDERED: facts}, warc_content_type=content_type,
        )  # fmt: skip
        self._append([(record, b"")])

    def fetched_again(self, urls: Iterable[str]) -> None:
        """Write that earlier records of URLs do not count: their fetches were interrupted, and are made again."""
        builder = _new_builder()
        self._append([_reason_record(builder, url, FETCHED_AGAIN, "", _named(builder)) for url in urls])

    def close(self) -> None:
        """End the last file, and write its index."""
        with self._lock:
            self._end_file()

    def _answer(self, builder: Any, reply: Response, head: bytes, body: bytes, named: dict[str, str]) -> Any:
        """Return the record of a response: a revisit where the same payload was written before."""
        url = reply.url
        if reply.partial:
            named |= {"WARC-Truncated": "disconnect"} if reply.partial.startswith("incomplete_body") else {}
            named[PARTIAL] = one_line(reply.partial)
        record = builder.create_warc_record(
            url,
            "response",
            payload=io.BytesIO(body),
            length=len(body),
            warc_headers_dict=named,
            http_headers=_MessageHead(head),
        )
        digest = record.rec_headers.get_header("WARC-Payload-Digest")
        with self._lock:
            original = self._payloads.get(digest) if body else None
            if original is None:
                self._payloads[digest] = (url, named["WARC-Date"])
                if len(self._payloads) > _REMEMBERED:
                    self._payloads.popitem(last=False)
                return record
        return builder.create_revisit_record(
            url, digest, *original, http_headers=_MessageHead(head), warc_headers_dict=named
        )

    def _append(self, records: Iterable[tuple[Any, bytes]]) -> None:
        ready = [(_packed(record), _header(record), head) for record, head in records]
        if not ready:
            return
        with self._lock:
            if self._error is not None:
                raise self._error
            try:
                if self._file is None or self._size >= self._file_bytes:
                    self._end_file()
                    self._begin_file()
                for data, header, head in ready:
                    self._put(data)
                    self._lines += _index_lines(header, head, (self._size - len(data), len(data)), self._path)
            except OSError as error:
                self._error = ArchiveWriteError(self._path, error)
                raise self._error from error

    @property
    def _path(self) -> Path:
        return self._directory / f"crawl-{self._number:05}.warc.gz"

    def _begin_file(self) -> None:
        self._number += 1
        self._directory.mkdir(parents=True, exist_ok=True)
        self._file = self._path.open("xb", buffering=0)
        self._put(_packed(_new_builder().create_warcinfo_record(self._path.name, self._info)))

    def _put(self, data: bytes) -> None:
        """Append bytes; where that fails, take back what was written of them."""
        file = self._file
        if file is None:
            return
        try:
            left = memoryview(data)
            while left:
                left = left[file.write(left) :]
        except OSError:
            with suppress(OSError):
                file.truncate(self._size)
            raise
        self._size += len(data)

    def _end_file(self) -> None:
        if self._file is None:
            return
        self._file.close()
        self._file = None
        lines, self._lines, self._size = self._lines, [], 0
        if self._error is None:  # else the disk is full; whoever resumes the crawl writes the index
            cdxj.write(self._path.with_name(f"{self._path.name}.cdxj"), lines)


def _new_builder() -> Any:
    """Return a builder and writer of warcio, whose ``out`` is a buffer of its own."""
    return WARCWriter(io.BytesIO(), gzip=False, warc_version="1.1")


def _named(builder: Any) -> dict[str, str]:
    return {"WARC-Record-ID": f"<urn:uuid:{uuid4()}>", "WARC-Date": builder.curr_warc_date()}


def _packed(record: Any) -> bytes:
    """Return a record of warcio as it is in a file."""
    builder = _new_builder()
    builder.write_record(record)
    return gzip.compress(builder.out.getvalue(), _LEVEL, mtime=0)


def _header(record: Any) -> Header:
    return Header({name.lower(): value for name, value in record.rec_headers.headers})


def _reason_record(builder: Any, url: str, reason: str, detail: str, named: dict[str, str]) -> tuple[Any, bytes]:
    """Return the metadata record of a request without a response."""
    fields = f"reason: {reason}\r\ndetail: {json.dumps(detail)}\r\n".encode()
    record = builder.create_warc_record(
        url, "metadata", payload=io.BytesIO(fields), length=len(fields),
        warc_headers_dict=named | {REASON: reason}, warc_content_type="application/warc-fields",
    )  # fmt: skip
    return record, b""


def _message(response: Response) -> tuple[bytes, bytes]:
    """Return a message for a response that was on no wire, and its body."""
    status = f"HTTP/1.1 {response.status} {responses.get(response.status, 'Unknown')}"
    fields = [f"{name}: {line}" for name, value in response.headers.items() for line in value.split("\n")]
    length = f"content-length: {len(response.body)}"
    return "\r\n".join([status, *fields, length, "", ""]).encode(), response.body


def _index_lines(header: Header, head: bytes, place: tuple[int, int], path: Path) -> list[str]:
    """Return the CDXJ line of a record; none for one that has no line."""
    if not (header.answers or header.role):
        return []
    status, kind = _STATUS.match(head), _TYPE.search(head)
    own = None if head else header.fields.get("content-type", "").partition(";")[0]
    mime = kind[1].decode("latin-1") if kind else own
    return [cdxj.line(header, mime, int(status[1]) if status else None, place, path.name)]


def _complete(path: Path) -> None:
    """Remove a record that is cut off at the end of a file, and write the index of a file that has none."""
    index = path.with_name(f"{path.name}.cdxj")
    if index.exists():
        return
    lines, end = [], 0
    for found in scan(path):
        if not isinstance(found, Found):
            continue
        end = found.end
        has_head = found.header.kind in ("response", "revisit")
        head = split_message(read_record(path, found.place, {}, _FILE_BYTES)[1])[0] if has_head else b""
        lines += _index_lines(found.header, head, (found.place.offset, found.end - found.place.offset), path)
    os.truncate(path, end)
    cdxj.write(index, lines)


# ---- WARC records of pages: the responses where a crawl was recorded, else documents made of what its journal keeps


def page_records(
    pages: Iterable[Mapping[str, Any]],
    info: Mapping[str, str],
    message: Callable[[str], bytes | None],
    on_made: Callable[[str], None],
) -> Iterator[bytes]:
    """Yield the bytes of a compressed WARC file with a record for each page.

    A page is a response, with the redirects that led to it, where the message is known; otherwise a resource, an HTML
    document of its title, date, main text and links.

    Args:
        pages: values of ``url``, ``final_url``, ``hops``, ``title``, ``published``, ``text`` and ``links``.
        info: fields of the warcinfo record.
        message: returns the recorded response to a URL, as on the wire; None where there is none.
        on_made: called with the URL of each page that is a document made of what the journal keeps.

    Yields:
        One record at a time.
    """
    builder = _new_builder()
    yield _packed(builder.create_warcinfo_record(None, info))
    for page in pages:
        for url in (*page["hops"], page["final_url"]):
            recorded = message(url)
            if recorded is not None:
                head, body = split_message(recorded)
                record = builder.create_warc_record(
                    url, "response", payload=BytesIO(body), length=len(body), http_headers=_MessageHead(head)
                )
            elif url == page["final_url"]:
                on_made(url)
                body = _document(page)
                record = builder.create_warc_record(
                    url,
                    "resource",
                    payload=BytesIO(body),
                    length=len(body),
                    warc_content_type=HTML,
                )
            else:
                continue
            yield _packed(record)


def _document(page: Mapping[str, Any]) -> bytes:
    """Return a page of what the journal keeps, as HTML."""
    dated = (
        f'<meta property="article:published_time" content="{escape(page["published"])}">' if page["published"] else ""
    )
    lines = [
        f'<!DOCTYPE html><html><head><meta charset="utf-8">{dated}<title>{escape(page["title"])}</title></head><body>',
        *(f"<p>{escape(line)}</p>" for line in page["text"].splitlines() if line.strip()),
        *(f'<p><a href="{escape(link["url"])}">{escape(link["anchor"])}</a></p>' for link in page["links"]),
        "</body></html>",
    ]
    return "\n".join(lines).encode("utf-8", "replace")
