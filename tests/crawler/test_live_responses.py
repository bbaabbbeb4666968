"""Responses that a live world reads: odd and malformed ones, cut off, too long, and what becomes of the connection."""

from __future__ import annotations

import gzip
import io
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from http.client import parse_headers
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.archives.writer import ArchiveWriter
from crawler.fetching.robots_file import MAX_BYTES as ROBOTS_BYTES
from crawler.model import Failure, Response
from crawler.worlds import ArchiveWorld
from crawler.worlds.connection import MessageReader
from crawler.worlds.live import LiveWorld
from tests.crawler.nasty_server import NastyServer

LIMIT = 1000
OK = b"HTTP/1.1 200 OK\r\n"
LONG = b"x: " + b"y" * 60_000 + b"\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = b"<html><p>fine</p></html>"
PACKED = gzip.compress(WHOLE, mtime=0)


class Fetcher:
    """A world and a server that sends it any bytes."""

    def __init__(self) -> None:
        self.server = NastyServer()
        self.world = LiveWorld(timeout=3.0, max_bytes=LIMIT, resolve=self.server.table)

    def fetch(self, data: bytes, path: str = "/raw") -> Response | Failure:
        self.server.raw = self.server.robots = data
        return self.world.fetch(f"http://nasty.example{path}")

    def fault(self, data: bytes) -> str:
        answer = self.fetch(data)
        assert isinstance(answer, Failure), answer
        assert 0 < len(answer.detail) <= 200
        return answer.reason


@pytest.fixture(scope="module")
def fetcher() -> Iterator[Fetcher]:
    fetcher = Fetcher()
    yield fetcher
    fetcher.world.close()
    fetcher.server.close()


def _short(value: object) -> str:
    """The name of a parameter: the same in every process, and no kilobytes."""
    return ascii(value)[:60]


@pytest.mark.parametrize(
    ids=_short,
    argnames=("data", "status", "headers", "body"),
    argvalues=[
        (b"HTTP/1.1 200 OK\nA: 1\nB: 2\n\nfine", 200, {"a": "1", "b": "2"}, b"fine"),
        (b"HTTP/1.0 200\r\n\r\nfine", 200, {}, b"fine"),
        (b"HTTP/2 200 \r\n\r\nfine", 200, {}, b"fine"),
        (b"http/1.1 200 ok\r\n\r\nfine", 200, {}, b"fine"),
        (b"\r\n\n" + OK + b"A: 1\r\n\r\nfine", 200, {"a": "1"}, b"fine"),
        # a page that is packed though no header says so, and other files that are
        (OK + b"Content-Type: text/html\r\n\r\n" + PACKED, 200, None, WHOLE),
        (OK + b"Content-Type: text/html\r\n\r\n\xff\xfe<\0", 200, None, b"\xff\xfe<\0"),
        (OK + b"Content-Type: a/b\r\n\r\n" + PACKED, 200, None, PACKED),
        (b"HTTP/1.1 999 No bots\r\nContent-Length: 2\r\n\r\nno and more", 999, {}, b"no"),
        (OK + b"A: 1\r\n\tand more\r\nA:\t2 \r\n\r\n", 200, {"a": "1 and more, 2"}, b""),
        (OK + b" folded\r\nA: 1\r\n\r\n", 200, {"a": "1"}, b""),
        (OK + "Location: /丠\r\n\r\n".encode(), 200, {"location": "/丠"}, b""),  # its last byte is a space of Latin-1
        # a location in GBK is escaped as it is, also one with a % of its own
        (OK + b"Location: /\xd6\xd0\xce\xc4?a=%C4\r\n\r\n", 200, {"location": "/%D6%D0%CE%C4?a=%C4"}, b""),
        (OK + b"Content-Type: multipart/mixed; boundary=x\r\nA: 1\r\n\r\n--x--", 200, None, b"--x--"),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 3 + OK + b"A: 1\r\n\r\n", 200, {"a": "1"}, b""),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"A: 1\r\n\r\n", 200, {"a": "1"}, b""),
        # more headers than http.client counts, and lines that it joins
        (OK + b"x: y\r\n" * 101 + b"\r\nfine", 200, {"x": "y, " * 100 + "y"}, b"fine"),
        (OK + b"x: y\n" * 9000 + b"A: 1\r\n\r\nfine", 200, {"x": "y, " * 8999 + "y", "a": "1"}, b"fine"),
        (OK + b"A: 1\r\n" + b"\tand\r\n" * 9000 + b"\r\n", 200, {"a": "1" + " and" * 9000}, b""),
        (OK + b"%sA: 1\r\n\r\n" % (LONG * 2), 200, {"x": "y" * 60_000 + ", " + "y" * 60_000, "a": "1"}, b""),
        (b"HTTP/1.1 100 Continue\r\n" + b"x: y\r\n" * 200 + b"\r\n" + OK + b"A: 1\r\n\r\n", 200, {"a": "1"}, b""),
        (OK + b"Content-Length: 4\r\nContent-Length: 4\r\n\r\nfine and more", 200, {}, b"fine"),
        (OK + b"Content-Length: 4, 4\r\nContent-Length: 4,4\r\n\r\nfine and more", 200, {}, b"fine"),
        (CHUNKED + b"4;x=y\r\nfine\r\n0\r\nA: 1\r\n\r\n", 200, {}, b"fine"),
        (OK + b"Content-Length: 9\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n", 200, {}, b""),
        (OK + b"Transfer-Encoding: identity\r\n\r\nfine", 200, {}, b"fine"),
        # lines that are no headers are left out, with what continues them; blanks before a colon do not count
        (OK + b"X-Echo stash: v\r\n and more\r\nA: 1\r\n\r\nfine", 200, {"a": "1"}, b"fine"),
        (OK + b"Server : x\r\nA\t:1\r\n\r\nfine", 200, {"server": "x", "a": "1"}, b"fine"),
        (OK + b"no header\r\n: none\r\nA: 1\r\n\xd6\xd0: x\r\n\r\nfine", 200, {"a": "1"}, b"fine"),
        (OK + b"x: y\r\n" * 1000 + b"no header\r\n" + b"A: 1\r\n" + b"\r\nfine", 200, None, b"fine"),
        (OK + b"no header\r\nContent-Encoding : gzip\r\n\r\n" + gzip.compress(b"fine", mtime=0), 200, {}, b"fine"),
        (OK + b"A : 1\r\nTransfer-Encoding : chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n", 200, {"a": "1"}, b"fine"),
        (OK + b"Content-Encoding: none\r\n\r\nfine", 200, {}, b"fine"),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nLocation: /x\r\n\r\n", 302, {"location": "/x"}, b""),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nLocation: /y\r\n\r\n", 302, {"location": "/x\n/y"}, b""),
        (b"HTTP/1.1 203 Non-Authoritative\r\nContent-Length: 4\r\n\r\nfine", 203, {}, b"fine"),
        (b"HTTP/1.1 404 No\r\nContent-Length: 9\r\n\r\nfine", 404, {}, b"fine"),
        (b"HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 9\r\n\r\n", 302, {"location": "/x"}, b""),
        (b"HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", 204, {}, b""),
        (b"HTTP/1.1 304 Not\r\nTransfer-Encoding: chunked\r\n\r\n", 304, {}, b""),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\nother", 101, {}, b""),
    ],
)  # fmt: skip
def test_odd_responses(fetcher: Fetcher, data: bytes, status: int, headers: dict[str, str] | None, body: bytes) -> None:
    answer = fetcher.fetch(data)
    assert isinstance(answer, Response), answer
    assert (answer.status, answer.body) == (status, body)
    assert headers is None or answer.headers == headers


@pytest.mark.parametrize(
    ids=_short,
    argnames=("data", "reason"),
    argvalues=[
        (b"<html>no head, and no end of it\n", "bad_response"),
        (b"HTTP/4 200 OK\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 99 OK\r\n\r\n", "bad_response"),
        (OK + b"x" * 70_000 + b"\r\n\r\n", "bad_response"),
        (OK + b"a: b\r\n" * 3000 + b"x" * 70_000 + b"\r\n\r\n", "bad_response"),
        (OK + b"x: y\r\n" * 22_000 + b"\r\n", "too_large"),
        (OK + LONG * 3 + b"\r\n", "too_large"),
        (OK + b"x: y\r\n" * 1000, "connection_reset"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3, "connection_reset"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 11, "bad_response"),
        (OK + b"no header\r\n" * 1000, "connection_reset"),
        # how long the body is must be clear (RFC 9112, 6.3)
        (OK + b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nfine", "bad_response"),
        (OK + b"Content-Length: 4, 5\r\n\r\nfine", "bad_response"),
        (OK + b"Content-Length: 4,\r\n\r\nfine", "bad_response"),
        (OK + b"Content-Length: -4, -4\r\n\r\nfine", "bad_response"),
        (OK + b"Content-Length: 999999, 999999\r\n\r\nfine", "too_large"),
        (OK + b"Content-Length: -1\r\n\r\nfine", "bad_response"),
        (OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nfine", "bad_response"),
        (OK + b"Transfer-Encoding: gzip, chunked\r\n\r\n4\r\nfine\r\n0\r\n\r\n", "bad_response"),
        (CHUNKED + b"5;" + b"x" * 70_000, "bad_response"),
        (CHUNKED + b"-5\r\n", "incomplete_body"),
        (CHUNKED + b"-1\r\n" + b"x" * 5000, "too_large"),
        (CHUNKED + b"f" * 17 + b"\r\n", "incomplete_body"),
        (OK + b"Content-Length: 9\r\n\r\n", "incomplete_body"),
        # no more than the limit of size arrives, whatever the bytes are for
        (CHUNKED + b"0\r\n" + b"x: y\r\n" * 50_000, "too_large"),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 10_000, "too_large"),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"fine", mtime=0) + b"more" * 50_000, "too_large"),
    ],
)
def test_faulty_responses(fetcher: Fetcher, data: bytes, reason: str) -> None:
    assert fetcher.fault(data) == reason


@pytest.mark.parametrize("framing", [b"", b"Content-Length: 1001\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_the_limit_of_a_body(fetcher: Fetcher, framing: bytes) -> None:
    body = b"x" * (LIMIT + 1)
    data = b"3E9\r\n%s\r\n0\r\n\r\n" % body if b"chunked" in framing else body
    assert fetcher.fault(b"%s%s\r\n%s" % (OK, framing, data)) == "too_large"
    fine = fetcher.fetch(b"%s\r\n%s" % (OK, body[1:]))
    assert isinstance(fine, Response)
    assert fine.body == body[1:]


def _chunked(body: bytes) -> bytes:
    return b"".join(b"%X\r\n%s\r\n" % (len(part), part) for part in (body[:700], body[700:])) + b"0\r\n\r\n"


@pytest.mark.parametrize("framing", [b"", b"Content-Length: %d\r\n", b"Transfer-Encoding: chunked\r\n"])
@pytest.mark.parametrize("coding", [b"", b"Content-Encoding: gzip\r\n"])
@pytest.mark.parametrize("size", [LIMIT + 1, ROBOTS_BYTES + 1, ROBOTS_BYTES + 2, 8 * ROBOTS_BYTES])
def test_a_robots_file_is_read_up_to_500_kib_whatever_the_limit_of_pages(
    fetcher: Fetcher, tmp_path: Path, framing: bytes, coding: bytes, size: int
) -> None:
    body = (b"Disallow: /x\n" * (size // 13 + 1))[:size]
    packed = gzip.compress(body, mtime=0) if coding else body
    framed = _chunked(packed) if b"chunked" in framing else packed
    message = OK + (framing % len(framed) if b"%d" in framing else framing) + coding + b"\r\n" + framed
    with closing(ArchiveWriter(tmp_path, {})) as archive:
        fetcher.server.robots = message
        live = LiveWorld(timeout=3.0, max_bytes=LIMIT, resolve=fetcher.server.table)
        live.record_with(archive)
        answer = live.fetch("http://nasty.example/robots.txt")
        live.close()
    assert isinstance(answer, Response), answer
    assert answer.body == body[: ROBOTS_BYTES + 1]  # one byte more, which shows that the last line is cut
    assert ArchiveWorld(tmp_path, max_bytes=LIMIT).fetch("http://nasty.example/robots.txt") == answer
    refused = fetcher.fetch(message, "/raw/robots.txt")
    assert isinstance(refused, Failure) and refused.reason == "too_large"


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (OK + b"Content-Length: 9\r\n\r\nUser", "incomplete_body"),
        (CHUNKED + b"9\r\nUser", "incomplete_body"),
        (OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"User", mtime=0)[:-9], "bad_content_encoding"),
        (CHUNKED + b"1\r\nx\r\n" * ROBOTS_BYTES, "too_large"),
    ],
    ids=_short,
)
def test_a_robots_file_that_the_server_cuts_off_is_a_failure(fetcher: Fetcher, message: bytes, reason: str) -> None:
    answer = fetcher.fetch(message, "/robots.txt")
    assert isinstance(answer, Failure) and answer.reason == reason


GZIP = b"Content-Encoding: gzip\r\n"


@pytest.mark.parametrize(
    ("framing", "body"), [(b"Content-Length: 4", b"fine"), (b"Transfer-Encoding: chunked", b"4\r\nfine\r\n0\r\n\r\n")]
)
def test_of_a_response_that_is_cut_off_is_kept_what_came(fetcher: Fetcher, framing: bytes, body: bytes) -> None:
    head = OK + framing + b"\r\n\r\n"
    for cut in range(len(head)):
        assert fetcher.fault(head[:cut]) == "connection_reset", head[:cut]
    begin = body.index(b"fine")
    for cut in range(begin + 1):
        assert fetcher.fault(head + body[:cut]) == "incomplete_body", body[:cut]
    for cut in range(begin + 1, begin + 4):
        answer = fetcher.fetch(head + body[:cut])
        assert isinstance(answer, Response) and answer.body == b"fine"[: cut - begin]
        assert answer.partial.startswith("incomplete_body: ")


@pytest.mark.parametrize(
    ids=_short,
    argnames=("data", "body", "code"),
    argvalues=[
        # the body is whole by itself, and what was announced of it is wrong
        (OK + b"Content-Length: 999\r\n\r\n" + WHOLE, WHOLE, "bad_framing"),
        (OK + b"Content-Length: 999\r\n" + GZIP + b"\r\n" + PACKED, WHOLE, "bad_framing"),
        (CHUNKED + b"%x\r\n%s\r\n" % (len(WHOLE), WHOLE), WHOLE, "bad_framing"),
        (CHUNKED + b"%x\r\n%s" % (len(WHOLE), WHOLE), WHOLE, "bad_framing"),
        (CHUNKED + b"%x\r\n%s\r\nzzz\r\n" % (len(WHOLE), WHOLE), WHOLE, "bad_framing"),
        (OK + GZIP + b"\r\n" + PACKED[:-8], WHOLE, "bad_framing"),
        (OK + GZIP + b"\r\n" + PACKED[:-8] + bytes(8), WHOLE, "bad_framing"),
        # the end is missing
        (OK + b"Content-Length: 999\r\n\r\n<p>be", b"<p>be", "incomplete_body"),
        (CHUNKED + b"5\r\n<p>be\r\n", b"<p>be", "incomplete_body"),
        (CHUNKED + b"5\r\n<p>be and more\r\n0\r\n\r\n", b"<p>be", "incomplete_body"),
        (OK + GZIP + b"\r\n" + gzip.compress(b"<p>be", mtime=0)[:-8], b"<p>be", "incomplete_body"),
        # a length of the unpacked body, shorter than the packed one
        (OK + b"Content-Length: 26\r\n" + GZIP + b"\r\n" + PACKED, None, "incomplete_body"),
        # more came than was announced
        (OK + b"Content-Length: 5\r\n\r\n<p>be and more", b"<p>be", "bad_framing"),
        (OK + b"Content-Length: 5\r\n\r\n<p>be\r\n", b"<p>be", ""),
        (OK + b"Content-Length: %d\r\n\r\n%s<!-- more -->" % (len(WHOLE), WHOLE), WHOLE, ""),
        # nothing is wrong
        (OK + GZIP + b"\r\n" + PACKED + b"rest", WHOLE, ""),
        (CHUNKED + b"%x\r\n%s\r\n0\r\nTrailer: 1\r\n" % (len(WHOLE), WHOLE), WHOLE, ""),
        (CHUNKED + b"%x\r\n%s\r\n0\r\n" % (len(WHOLE), WHOLE), WHOLE, ""),
    ],
)
def test_a_body_that_is_announced_wrongly_is_kept_and_marked(
    fetcher: Fetcher, tmp_path: Path, data: bytes, body: bytes | None, code: str
) -> None:
    with closing(ArchiveWriter(tmp_path, {})) as archive:
        fetcher.server.raw = data
        live = LiveWorld(timeout=3.0, max_bytes=LIMIT, resolve=fetcher.server.table)
        live.record_with(archive)
        answer = live.fetch("http://nasty.example/raw")
        live.close()
    assert isinstance(answer, Response), answer
    assert answer.partial.partition(":")[0] == code
    assert (WHOLE.startswith(answer.body) and answer.body) if body is None else answer.body == body
    assert ArchiveWorld(tmp_path, max_bytes=LIMIT).fetch("http://nasty.example/raw") == answer


def test_a_page_is_not_waited_for_when_its_packed_data_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crawler.worlds.connection._GRACE", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        world = LiveWorld(timeout=60.0, resolve={"slow.example:80": f"127.0.0.1:{server.getsockname()[1]}"})

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(4096)
                client.sendall(OK + b"Content-Length: 999\r\n" + GZIP + b"\r\n" + PACKED)
                client.recv(4096)  # until the other side closes

        thread = threading.Thread(target=serve)
        thread.start()
        begun = time.monotonic()
        answer = world.fetch("http://slow.example/")
        assert time.monotonic() - begun < 50.0  # not the whole time limit
        thread.join()
        world.close()
    assert isinstance(answer, Response)
    assert answer.body == WHOLE and answer.partial.startswith("bad_framing: ")


class Pieces(io.RawIOBase):
    """Bytes that arrive a few at a time."""

    def __init__(self, data: bytes, step: int) -> None:
        self.data, self.step = data, step

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self.data[: min(self.step, len(buffer))]
        self.data = self.data[len(piece) :]
        buffer[: len(piece)] = piece
        return len(piece)


LINES = [b"A: 1\r\n", b"B: 2\n", b"\tmore\r\n", b"no header\r\n", b"\rC: 3\r\n", b":\n", b"D: %s\r\n" % (b"d" * 12_000)]
NO_HEADERS = {3, 5}


def _without_other_lines(numbers: list[int]) -> bytes:
    """The lines without those that are no headers, and without what continues these."""
    kept, leaves_out = [], False
    for number in numbers:
        leaves_out = number in NO_HEADERS if number != 2 else leaves_out
        kept += [] if leaves_out else [LINES[number].lstrip(b"\r")]  # a return alone ends a line too
    return b"".join(kept)


@given(st.lists(st.integers(0, len(LINES) - 1), max_size=9), st.sampled_from([b"\r\n", b"\n"]), st.integers(1, 40_000))
def test_a_head_is_the_same_however_many_lines_are_read_as_one(numbers: list[int], end: bytes, step: int) -> None:
    lines = b"".join(LINES[number] for number in numbers)
    after = b"body\n\r\n\nA: 9\r\n\r\n"
    reader = MessageReader(Pieces(OK + lines + end + after, step), 32768)
    reader.begin_head()
    assert reader.readline() == OK
    whole = io.BytesIO(_without_other_lines(numbers) + end + after)
    assert parse_headers(reader).items() == parse_headers(whole).items()
    reader.end_head()
    assert reader.read(len(after)) == after == whole.read()


@given(st.sampled_from([b"", OK, OK + b"\r\n", CHUNKED, CHUNKED + b"1\r\na\r\n"]), st.binary(max_size=400))
def test_no_bytes_break_a_fetch(fetcher: Fetcher, begin: bytes, data: bytes) -> None:
    answer = fetcher.fetch(begin + data)
    if isinstance(answer, Failure):
        assert answer.reason in ("bad_response", "connection_reset", "incomplete_body")


@pytest.mark.parametrize(
    ids=_short,
    argnames=("data", "kept"),
    argvalues=[
        (OK + b"Content-Length: 2\r\n\r\nok", True),
        (CHUNKED + b"2\r\nok\r\n0\r\n\r\n", True),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", True),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", True),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", False),
        (OK + b"Connection: Close\r\nContent-Length: 2\r\n\r\nok", False),
        (OK + b"Content-Length: 2\r\n\r\nok and more", False),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", False),
    ],
)
def test_which_connections_carry_another_request(fetcher: Fetcher, data: bytes, kept: bool) -> None:
    fetcher.fetch(OK + b"Content-Length: 0\r\nConnection: close\r\n\r\n")
    before = fetcher.server.connections
    for _ in range(3):
        assert isinstance(fetcher.fetch(data, "/raw-kept"), Response)
    assert fetcher.server.connections - before == (1 if kept else 3)
    fetcher.fetch(OK + b"Connection: close\r\n\r\n")
