"""A loopback server that does on purpose what servers of the web do by mistake or malice. The path names the fault."""

from __future__ import annotations

import gzip
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n"
BOMB = gzip.compress(b"\0" * 20_000_000)


def _whole(body: bytes, more: bytes = b"", status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %s\r\ncontent-length: %d\r\n%s\r\n%s" % (status, len(body), more, body)


class NastyServer:
    """Serves until ``close``; ``requests`` are the raw heads that came in, ``connections`` how many were opened.

    ``/raw`` sends the bytes of ``raw`` and closes the connection; ``/raw-kept`` keeps it. ``/robots.txt`` sends
    the bytes of ``robots``, or that there is no such file.
    """

    def __init__(self, certificate: Path | None = None) -> None:
        self.requests: list[bytes] = []
        self.connections = 0
        self.raw = b""
        self.robots = b""
        self.names: list[str | None] = []
        self._ended = threading.Event()
        self._open: list[socket.socket] = []
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
        if self._tls and certificate:
            self._tls.load_cert_chain(certificate)
            self._tls.sni_callback = lambda _, name, __: self.names.append(name)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://nasty.example{path}"

    @property
    def table(self) -> dict[str, str]:
        return {f"nasty.example:{port}": f"127.0.0.1:{self.port}" for port in (80, 443)}

    def close(self) -> None:
        self._ended.set()
        self._listener.close()
        for sock in self._open:
            sock.close()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                sock, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(sock)
            threading.Thread(target=self._serve, args=(sock,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        try:
            sock = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            self._open.append(sock)
            while head := self._head(sock):
                self.requests.append(head)
                if not self._answer(sock, head.split(b" ")[1].decode()):
                    break
            sock.close()
        except OSError:
            plain.close()

    def _head(self, sock: socket.socket) -> bytes:
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            piece = sock.recv(4096)
            if not piece:
                return b""
            head += piece
            if not self._tls and head.startswith(b"\x16\x03"):  # a TLS greeting where plain HTTP is spoken
                sock.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                return b""
        return head

    def _answer(self, sock: socket.socket, path: str) -> bool:
        """Misbehave; answers whether the connection is kept."""
        page = path.partition("?")[0].strip("/").replace("-", "_")
        special: Callable[[socket.socket], None] | None = getattr(self, f"_{page}", None)
        if special is not None:
            special(sock)
            return False
        if page == "redirect":
            count = int(path.partition("?")[2] or 0)
            sock.sendall(_whole(b"", b"location: /redirect?%d\r\n" % (count + 1), b"302 Found"))
            return True
        if page == "robots.txt" and self.robots:
            sock.sendall(self.robots)
            return False
        sock.sendall(self.raw if page.startswith("raw") else ANSWERS[page])
        if page == "late":
            time.sleep(0.05)
            sock.sendall(_whole(b"<p>not asked for</p>"))
        return page in KEPT

    def _drip_bytes(self, sock: socket.socket, data: bytes) -> None:
        for at in range(len(data)):
            if self._ended.wait(0.05):
                return
            sock.sendall(data[at : at + 1])

    def _stall(self, sock: socket.socket) -> None:
        self._ended.wait(20)

    def _stall_in_body(self, sock: socket.socket) -> None:
        sock.sendall(HEAD + b"content-length: 100\r\n\r\nbegin")
        self._ended.wait(20)

    def _drip(self, sock: socket.socket) -> None:
        sock.sendall(HEAD + b"content-length: 1000\r\n\r\n")
        self._drip_bytes(sock, b"x" * 1000)

    def _drip_headers(self, sock: socket.socket) -> None:
        self._drip_bytes(sock, HEAD * 20)

    def _endless(self, sock: socket.socket) -> None:
        sock.sendall(HEAD + b"transfer-encoding: chunked\r\n\r\n")
        for _ in range(100_000):
            sock.sendall(b"4000\r\n" + b"x" * 0x4000 + b"\r\n")

    def _reset(self, sock: socket.socket) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def _reset_in_body(self, sock: socket.socket) -> None:
        sock.sendall(HEAD + b"content-length: 100\r\n\r\nbegin")
        time.sleep(0.05)
        self._reset(sock)


ANSWERS = {
    "ok": _whole(
        b"<p>fine</p>", b"content-type: text/html; charset=utf-8\r\nset-cookie: a=1\r\nX-Twice: 1\r\nx-twice: 2\r\n"
    ),
    "goes": _whole(b"<p>fine</p>"),
    "late": _whole(b"<p>fine</p>"),
    "hints": b"HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n" + _whole(b"<p>fine</p>"),
    "drop": HEAD + b"content-length: 1000\r\n\r\nonly this",
    "drop_chunked": HEAD + b"transfer-encoding: chunked\r\n\r\n10\r\n0123",
    "short_length": HEAD + b"content-length: 5\r\n\r\nhello and much more than that",
    "loop_a": _whole(b"", b"location: /loop-b\r\n", b"301 Moved"),
    "loop_b": _whole(b"", b"location: http://nasty.example/loop-a#x\r\n", b"301 Moved"),
    "nowhere": _whole(b"", b"", b"302 Found"),
    "script": _whole(b"", b"location: javascript:alert(1)\r\n", b"302 Found"),
    "away": _whole(b"", b"location: http://other.example/\r\n", b"302 Found"),
    "chinese": _whole(b"", "location: /暴雨\r\n".encode(), b"302 Found"),
    "to_ok": _whole(b"", b"location: ok#part\r\n", b"307 Temporary"),
    "gone": _whole(b"", b"", b"410 Gone"),
    "bomb": _whole(BOMB, b"content-encoding: gzip\r\n"),
    "gzip": _whole(gzip.compress("暴雨".encode()), b"content-encoding: gzip\r\n"),
    "cut_gzip": _whole(gzip.compress(b"x" * 5000)[:-9], b"content-encoding: gzip\r\n"),
    "no_gzip": _whole(b"this is plain", b"content-encoding: gzip\r\n"),
    "brotli": _whole(b"\x0b\x02\x80hello\x03", b"content-encoding: br\r\n"),
    "huge": HEAD + b"content-length: 1000000000000\r\n\r\n" + b"x" * 1000,
    "charset": _whole(b"\xff\xfe\xb1\xa9\xd3\xea", b"content-type: text/html; charset=klingon\r\n"),
    "garbage": b"\x16\x03 what is this\r\n\r\n",
    "empty": b"",
    "long_header": b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n",
    "many_headers": b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 25_000 + b"\r\n",
    "bad_chunk": HEAD + b"transfer-encoding: chunked\r\n\r\nzzz\r\nabc\r\n",
    "robots.txt": _whole(b"", b"", b"404 Not Found"),
}
KEPT = {"raw_kept", "ok", "late", "hints", "short_length", "loop_a", "loop_b", "robots.txt", "to_ok", "gzip"}
