"""Responses of HTTP/1.1 in any pieces: read as http.client reads them, odd ones as browsers do, endless ones never."""

from __future__ import annotations

import http.client
import socket
import time
from io import BytesIO
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.worlds.decoding import TooLargeError
from crawler.worlds.exchange import Connection, NetworkError, Reply

LIMIT = 1000


class Pieces:
    """A socket from which a response comes in given pieces; the end of the connection follows."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pieces = [piece for piece in pieces if piece]
        self.sent = b""

    def settimeout(self, seconds: float) -> None:
        assert seconds > 0

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def recv(self, size: int) -> bytes:
        if not self.pieces:
            return b""
        piece = self.pieces.pop(0)
        if len(piece) > size:
            self.pieces.insert(0, piece[size:])
        return piece[:size]

    def makefile(self, *_: Any) -> BytesIO:
        return BytesIO(b"".join(self.pieces))


def connection(data: bytes, step: int = 1 << 20) -> Connection:
    pieces = [data[at : at + step] for at in range(0, len(data), step)]
    return Connection(cast(socket.socket, Pieces(pieces)))


def read(data: bytes, step: int = 1 << 20) -> Reply:
    return connection(data, step).get(b"GET", LIMIT, time.monotonic() + 5)


def fault(data: bytes, step: int = 1 << 20) -> str:
    with pytest.raises(NetworkError) as error:
        read(data, step)
    assert error.value.detail
    return error.value.reason


@st.composite
def responses(draw: st.DrawFn) -> bytes:
    """A correct response: framed by its length, in chunks, or by the end of the connection."""
    body = draw(st.binary(max_size=300))
    status = draw(
        st.sampled_from([b"200 OK", b"404 Not Found", b"503", b"299 ", b"204 No Content", b"304 Not Modified"])
    )
    token = st.text("abcXYZ-", min_size=1, max_size=8).map(lambda name: f"x-{name}")
    value = st.text(st.characters(min_codepoint=32, max_codepoint=255, exclude_characters="\x7f"), max_size=20)
    headers = [f"{name}: {text}\r\n".encode("latin-1") for name, text in draw(st.lists(st.tuples(token, value)))]
    framing = draw(st.sampled_from(["length", "chunks", "end"]))
    if status[:3] in (b"204", b"304"):
        body = b""
    elif framing == "length":
        headers.append(b"Content-Length: %d\r\n" % len(body))
    elif framing == "chunks":
        headers.append(b"Transfer-Encoding: Chunked\r\n")
        step = draw(st.integers(1, 100))
        pieces = [body[at : at + step] for at in range(0, len(body), step)]
        extension = draw(st.sampled_from([b"", b";name=value", b" ; x"]))
        chunks = b"".join(b"%x%s\r\n%s\r\n" % (len(piece), extension, piece) for piece in pieces)
        body = chunks + b"0\r\n" + draw(st.sampled_from([b"", b"x-trailer: 1\r\n"])) + b"\r\n"
    return b"HTTP/1.1 %s\r\n%s\r\n%s" % (status, b"".join(headers), body)


@given(responses(), st.integers(1, 200))
def test_a_correct_response_is_read_as_by_the_standard_library(data: bytes, step: int) -> None:
    reference = http.client.HTTPResponse(cast(socket.socket, Pieces([data])), method="GET")
    reference.begin()
    reply = read(data, step)
    assert (reply.status, reply.body) == (reference.status, reference.read())
    headers: dict[str, list[str]] = {}
    for name, value in reference.headers.items():
        headers.setdefault(name.lower(), []).append(value.strip(" \t"))
    assert reply.headers == {name: ", ".join(values) for name, values in headers.items()}


@given(st.binary(max_size=400), st.integers(1, 100))
def test_no_bytes_break_the_reader(data: bytes, step: int) -> None:
    for begin in (b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"):
        try:
            read(begin + data, step)
        except NetworkError as error:
            assert error.reason in ("bad_response", "connection_reset", "incomplete_body")


@given(responses(), st.data())
def test_a_response_that_is_cut_off_is_a_failure_or_ends_with_the_connection(data: bytes, draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data) - 1))
    head = data.index(b"\r\n\r\n") + 4
    if cut < head:
        assert fault(data[:cut]) == "connection_reset"
    elif b"Content-Length" in data:
        assert fault(data[:cut]) == "incomplete_body"
    else:
        try:
            assert not read(data[:cut]).keep
        except NetworkError as error:
            assert error.reason == "incomplete_body"


@pytest.mark.parametrize(
    ("data", "status", "headers", "body"),
    [
        (b"HTTP/1.1 200 OK\nA: 1\nB: 2\n\nfine", 200, {"a": "1", "b": "2"}, b"fine"),
        (b"HTTP/1.0 200\r\n\r\nfine", 200, {}, b"fine"),
        (b"HTTP/1.1 200 OK\r\nA: 1\r\n\tand more\r\n\r\n", 200, {"a": "1 and more"}, b""),
        (b"HTTP/1.1 200 OK\r\nno header\r\nA : 1\r\n: 2\r\n\r\n", 200, {"a": "1"}, b""),
        (b"HTTP/1.1 200 OK\r\n folded\r\nA: 1\r\n\r\n", 200, {"a": "1"}, b""),
        (b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: 1\r\n\r\n", 200, {"a": "1"}, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\n\r\nfine and more", 200, {"content-length": "4, 4"}, b"fine"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nfine", 200, {"content-length": "-1"}, b"fine"),
        (b"HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", 204, {"content-length": "9"}, b""),
    ],
)
def test_odd_responses(data: bytes, status: int, headers: dict[str, str], body: bytes) -> None:
    for step in (1, 7, 1000):
        reply = read(data, step)
        assert (reply.status, reply.headers, reply.body) == (status, headers, body)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"<html>no head, and no end of it", "bad_response"),
        (b"HTTP/2 200 OK\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 2000 OK\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 99 OK\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nfine", "bad_response"),
        (b"HTTP/1.1 200 OK\r\n" + b"x" * 70_000 + b"\r\n\r\n", "bad_response"),
        (b"HTTP/1.1 200 OK\r\n" + b"x" * 200_000, "bad_response"),
        (b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 101 + b"\r\n", "bad_response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"5;" + b"x" * 200_000, "bad_response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"x: y\r\n" * 101, "bad_response"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nhello\r\n", "incomplete_body"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"f" * 17, "incomplete_body"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 3, "connection_reset"),
        (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 11, "bad_response"),
    ],
)
def test_faulty_responses(data: bytes, reason: str) -> None:
    assert fault(data) == reason
    assert fault(data, 5000) == reason


@pytest.mark.parametrize("framing", [b"", b"Content-Length: 1001\r\n", b"Transfer-Encoding: chunked\r\n"])
def test_the_limit_of_a_body(framing: bytes) -> None:
    body = b"x" * (LIMIT + 1)
    data = b"3E9\r\n%s\r\n0\r\n\r\n" % body if b"chunked" in framing else body
    with pytest.raises(TooLargeError):
        read(b"HTTP/1.1 200 OK\r\n%s\r\n%s" % (framing, data))


@pytest.mark.parametrize(
    ("data", "keep"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", True),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n", True),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", True),
        (b"HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok", True),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", False),
        (b"HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nok", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok and more", False),
        (b"HTTP/1.1 200 OK\r\n\r\nok", False),
        (b"HTTP/1.1 101 Switching Protocols\r\n\r\n", False),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n", False),
    ],
)
def test_which_connections_carry_another_request(data: bytes, keep: bool) -> None:
    assert read(data).keep is keep


def test_a_connection_carries_several_requests() -> None:
    sock = Pieces(
        [b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", b"ok", b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n"]
    )
    kept = Connection(cast(socket.socket, sock))
    assert kept.get(b"first", LIMIT, time.monotonic() + 5) == Reply(200, {"content-length": "2"}, b"ok", True)
    assert kept.get(b"second", LIMIT, time.monotonic() + 5).status == 404
    assert sock.sent == b"firstsecond"


def test_the_deadline_ends_a_read_before_it_begins() -> None:
    with pytest.raises(NetworkError) as error:
        connection(b"HTTP/1.1 200 OK\r\n\r\n").get(b"GET", LIMIT, time.monotonic())
    assert error.value.reason == "timeout"
