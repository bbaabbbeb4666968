"""WARC files as a web: what was recorded is what comes back, through the same reading of HTTP as from a server.

The n-th request of a URL receives its n-th record, and later ones the last; so a replay of a crawl has its retries.
What a page loaded in a browser is no record of a request; the page that the browser made is there (``render``).
"""

from __future__ import annotations

import io
import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from http.client import HTTPException, HTTPResponse, IncompleteRead
from pathlib import Path
from socket import socket
from typing import cast

from crawler.archives.index import ArchiveIndex, RecordPlace
from crawler.archives.reading import fields_of, file_info, read_record, split_message
from crawler.archives.record import RENDERED, Header, HeaderError, unbracketed
from crawler.fetching.robots_file import MAX_BYTES as ROBOTS_BYTES
from crawler.model import PAGE_STATUSES, Failure, Rendering, Response
from crawler.pages.media_type import declares_document
from crawler.url import canonical
from crawler.worlds.browser import as_rendered
from crawler.worlds.coding import CodingError, Decoder, TooLargeError
from crawler.worlds.connection import MessageReader, NetworkError, Reply, coding_of, header_fields, received
from crawler.worlds.live import body_limit, delivered_headers, reason_of_error
from ontology.errors import Message, below

_HEAD_BYTES = 131072
_CANDIDATES = 100
"""Records of a URL that are looked through for the one that a revisit record repeats."""
_NOTED = 5
_CHUNK_SIZE = re.compile(rb"[0-9a-fA-F]+[ \t]*(;[^\n]*)?\r?\n")


class ArchiveWorld:
    """The records of a folder of WARC files, or of one file, as responses.

    Reasons of its failures: not_archived, those that a recorded crawl had, and those of damaged or odd records
    (bad_header, incomplete_body, bad_response, bad_content_encoding, too_large ..).

    Attributes:
        index: the index of its records, with all that is lost in it.
        seeds: the seeds of the recorded crawl; none for an archive of another program.
        notes: what a user should know about the archive.
    """

    name = "archive"

    def __init__(
        self, path: str | Path, *, max_bytes: int = 8 * 1024 * 1024, max_document_bytes: int | None = None
    ) -> None:
        """Read the index of an archive.

        Args:
            path: a folder of WARC files, or one file.
            max_bytes: maximum size of a body, decoded.
            max_document_bytes: the same for PDF and Word files; None for ``max_bytes``.

        Raises:
            ArchiveError: there is no such file, or a folder without any.
        """
        self.index = ArchiveIndex(Path(path))
        self.seeds = _seeds(self.index.files)
        self.notes = _notes(Path(path), self.index)
        self._max_bytes, self._max_document_bytes = max_bytes, max_document_bytes or max_bytes
        self._requests, self._renderings = Counter[str](), Counter[str]()
        self._lock = threading.Lock()
        self._time = 0.0

    def clock(self) -> float:
        """Return the date of the latest record read, so that what expired in a crawl expires in its replay."""
        return self._time

    def fetch(self, url: str) -> Response | Failure:
        """Return what was recorded of a URL; for a robots.txt file that was not, that there is none (404)."""
        places = self.index.places(url)
        if not places:
            if url.endswith("/robots.txt") and url.count("/") == 3:
                return Response(url, 404, {}, b"")
            return Failure(url, "not_archived", f"the archive has no record of {url}")
        with self._lock:
            number = self._requests[url]
            self._requests[url] += 1
        try:
            header, content = self._record(places[min(number, len(places) - 1)])
            self._time = max(self._time, header.timestamp or 0.0)
            if header.kind == "revisit":
                content = self._repeated(url, header, content)
        except HeaderError as error:
            return Failure(url, error.reason, error.detail)
        except OSError as error:
            return Failure(url, *reason_of_error(error))
        return recorded_reply(url, header, content, self._max_bytes, self._max_document_bytes)

    def message(self, url: str) -> bytes | None:
        """Return the last recorded response to a URL as on the wire; None where there is none that can be read."""
        for place in reversed(self.index.places(url)):
            with suppress(HeaderError, OSError):
                header, content = self._record(place)
                if header.kind in ("response", "revisit"):
                    return content if header.kind == "response" else self._repeated(url, header, content)
        return None

    def wants(self, page: Response, mark: str) -> str:
        """Return whether the page was in a browser when it was recorded, as a `Renderer` says why."""
        return "recorded" if self.index.renderings(page.url) else ""

    def render(self, page: Response, why: str, load: object) -> Future[tuple[Rendering, Response | None]]:
        """Return what was recorded of a page in a browser, without any."""
        places = self.index.renderings(page.url)
        number = self._renderings[page.url]
        self._renderings[page.url] += 1
        rendered = Future[tuple[Rendering, Response | None]]()
        try:
            header, content = self._record(places[min(number, len(places) - 1)])
            rendering = Rendering(**json.loads(header.fields[RENDERED]))
            rendered.set_result((rendering, as_rendered(page, rendering, content) if content else None))
        except (HeaderError, OSError, ValueError, TypeError) as error:
            rendered.set_result((Rendering("recorded", "bad_header", str(error)), None))
        return rendered

    def close(self) -> None:
        """Do nothing; no file is open between two requests."""

    def _record(self, at: RecordPlace) -> tuple[Header, bytes]:
        index = self.index
        most = record_limit(max(self._max_bytes, self._max_document_bytes))
        return read_record(index.files[at.file], at.place, index.copies[at.file], most)

    def _repeated(self, url: str, revisit: Header, content: bytes) -> bytes:
        """Return the message of a revisit record, with the body of the record that it repeats."""
        target = unbracketed(revisit.fields.get("warc-refers-to-target-uri", "")) or url
        for place in self.index.places(canonical(target) or target, void=True)[:_CANDIDATES]:
            with suppress(HeaderError):
                header, original = self._record(place)
                if header.kind == "response" and _same_payload(revisit, header):
                    modified = "not-modified" not in revisit.fields.get("warc-profile", "")
                    return split_message(content)[0] + split_message(original)[1] if content and modified else original
        raise HeaderError("not_archived", f"the record repeats one of {target}, which the archive does not have")


def record_limit(max_bytes: int) -> int:
    """Return the maximum size of the content of a record, for pages of a maximum size."""
    return max(max_bytes, ROBOTS_BYTES) + _HEAD_BYTES


def recorded_reply(
    url: str, header: Header, content: bytes, max_bytes: int, max_document_bytes: int | None = None
) -> Response | Failure:
    """Return what a record says came of a request: a response, or a failure with its reason.

    Args:
        url: canonical URL of the record.
        header: its header.
        content: its content; of a revisit record, the response that it repeats.
        max_bytes: maximum size of the body, decoded.
        max_document_bytes: the same of PDF and Word files; None for ``max_bytes``.
    """
    try:
        if header.reason is not None:
            detail = fields_of(content).get("detail", "")
            return Failure(url, header.reason, json.loads(detail) if detail.startswith('"') else detail)
        return _response(url, header, content, max_bytes, max_document_bytes or max_bytes)
    except (NetworkError, HTTPException, TooLargeError, CodingError, OSError) as error:
        return Failure(url, *reason_of_error(error))
    except json.JSONDecodeError as error:
        return Failure(url, "bad_header", f"the detail of its failure is damaged: {error}")


def _response(url: str, header: Header, content: bytes, max_bytes: int, max_document_bytes: int) -> Response:
    """Return the response in a record; errors are those of a response from a server."""
    limit, cuts = body_limit(url, max_bytes)

    def limit_of(headers: Mapping[str, str]) -> int:
        return max_document_bytes if not cuts and declares_document(headers, url) else limit

    if header.kind in ("resource", "conversion"):
        headers = {"content-type": header.fields.get("content-type", "")}
        limit = limit_of(headers)
        if len(content) > limit and not cuts:
            raise TooLargeError(f"{len(content)} bytes, more than {limit}")
        return Response(url, 200, headers, content[:limit])
    reply = _read_message(content, limit_of, cuts=cuts)
    partial = header.partial or reply.partial if reply.status in PAGE_STATUSES else ""
    return Response(url, reply.status, delivered_headers(reply), reply.body, partial)


def _read_message(message: bytes, limit_of: Callable[[Mapping[str, str]], int], *, cuts: bool = False) -> Reply:
    """Read a recorded response.

    Where headers contradict the body, as in records of programs that undo codings and keep the headers, the body
    counts.

    Args:
        message: status line, headers and body.
        limit_of: maximum size of the decoded body by the headers.
        cuts: whether only the beginning of a larger body is read, and a chunk may end early: the rest was not recorded.

    Returns:
        The response.

    Raises:
        NetworkError, HTTPException, TooLargeError, CodingError: as for a response from a server.
    """
    reader = MessageReader(io.BytesIO(message))
    reader.begin_head()
    response = HTTPResponse(cast(socket, reader), method="GET")
    response.begin()
    reader.end_head()
    headers = header_fields(response)
    body, missing = _unchunked(response, message[reader.tell() :], cuts) if response.chunked else (reader.read(), "")
    if response.length is not None and not body and response.length:
        missing = f"{response.length} announced bytes were not recorded"
    decoder = Decoder(coding_of(headers), limit_of(headers), cuts=cuts)
    decoder.feed(body)
    decoded, partial = received(response, decoder, missing, whole_only=cuts)
    return Reply(response.status, headers, decoded, keep=False, partial=partial)


def _unchunked(response: HTTPResponse, body: bytes, cuts: bool) -> tuple[bytes, str]:
    """Return the body without its chunks, as it is where it has none, and what is missing of it as a sentence."""
    pieces = []
    try:
        while piece := response.read1(65536):
            pieces.append(piece)
    except IncompleteRead:
        if not _CHUNK_SIZE.match(body):
            return body, ""
        if not cuts:
            return b"".join(pieces), "a chunk of the body is missing or malformed"
    return b"".join(pieces), ""


def _same_payload(one: Header, other: Header) -> bool:
    """Return whether two records may have the same payload: equal digests, or one has none."""
    digests = [header.fields.get("warc-payload-digest") for header in (one, other)]
    return None in digests or digests[0] == digests[1]


def _seeds(files: list[Path]) -> tuple[str, ...]:
    """Return the seeds that the first file with any names in its warcinfo record."""
    for file in files:
        with suppress(ValueError):
            seeds = json.loads(file_info(file).get("seeds", "[]"))
            if isinstance(seeds, list) and seeds:
                return tuple(str(seed) for seed in seeds)
    return ()


def _notes(path: Path, index: ArchiveIndex) -> tuple[str, ...]:
    others = ", ".join(f"{kind} {number}" for kind, number in sorted(index.others.items()))
    named = others and (not len(index) or index.others.keys() - {"warcinfo", "request"})
    counted = Message(
        "worlds.archive_counted", path=path, records=len(index), urls=index.urls, files=len(index.files),
        others=Message("worlds.archive_others", others=others) if named else "",
    )  # fmt: skip
    if not index.lost:
        return (counted,)
    reasons = ", ".join(f"{reason} {number}" for reason, number in sorted(index.lost.items()))
    more = sum(index.lost.values()) - _NOTED
    listed = [str(loss) for loss in index.losses[:_NOTED]]
    listed += [Message("worlds.archive_more", more=more)] if more > 0 else []
    return (counted, below([Message("worlds.archive_lost", reasons=reasons), *listed]))
