"""A world over loopback HTTP: one server for all hosts, which it tells apart by the Host header.

A crawl through the live world needs the resolve table (HOST:80=127.0.0.1:PORT lines); URLs, robots.txt and journal have
the hosts of the world, so the trace is that of the same crawl in memory.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol, cast

from crawler.model import Failure, World

_LABEL_SET = "relevant"


class ServedWorld(World, Protocol):
    """A world with known hosts and labels."""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names of all hosts."""
        ...

    def relevant_urls(self) -> tuple[str, ...]:
        """Return the URLs that are relevant by label."""
        ...


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port: int, world: World) -> None:
        self.world = world
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report an error, but not that a client has gone, such as a crawl that was killed."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def hang_up(self) -> None:
        """Close all open connections, so that the threads that serve them end."""
        with self._lock:
            waiting = list(self._open)
        for request in waiting:
            try:
                request.shutdown(socket.SHUT_RDWR)
            except OSError:  # the client closed it first
                continue


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # without it a request takes 40 ms, with it less than one
    timeout = 60

    def do_GET(self) -> None:
        self._reply(with_body=True)

    def do_HEAD(self) -> None:
        self._reply(with_body=False)

    def _reply(self, with_body: bool) -> None:
        url = f"http://{self.headers.get('Host', '').removesuffix(':80')}{self.path}"
        answer = cast(_Listener, self.server).world.fetch(url)
        if isinstance(answer, Failure):
            self._send(421, {"content-type": "text/plain; charset=utf-8"}, f"{answer.detail}\n".encode(), with_body)
        else:
            self._send(answer.status, dict(answer.headers), answer.body, with_body)

    def _send(self, status: int, headers: dict[str, str], body: bytes, with_body: bool) -> None:
        self.send_response_only(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        """Requests are not logged; the crawl that makes them has a journal."""


class Server:
    """A running loopback server. Use it in a ``with`` block, or call ``close``."""

    def __init__(self, world: ServedWorld, port: int) -> None:
        self.world = world
        self._listener = _Listener(port, world)
        self.port = int(self._listener.server_address[1])
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT/``."""
        return f"http://127.0.0.1:{self.port}/"

    @property
    def table(self) -> dict[str, str]:
        """The resolve table: HOST:80 -> 127.0.0.1:PORT."""
        return {f"{host}:80": f"127.0.0.1:{self.port}" for host in self.world.hosts}

    @property
    def resolve(self) -> tuple[str, ...]:
        """The resolve table as lines HOST:80=127.0.0.1:PORT."""
        return tuple(f"{key}={value}" for key, value in self.table.items())

    def write_resolve(self, path: Path) -> str:
        """Write the resolve lines; return the path for ``--resolve``."""
        path.write_text("".join(f"{line}\n" for line in self.resolve), encoding="utf-8")
        return str(path)

    def write_labels(self, path: Path) -> str:
        """Write the labels as a JSON object {set: [URLs]}; return FILE#SET for ``--labels``."""
        sets = {_LABEL_SET: list(self.world.relevant_urls())}
        path.write_text(json.dumps(sets, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return f"{path}#{_LABEL_SET}"

    def close(self) -> None:
        """Stop listening and close all connections; safe to call twice."""
        if self._thread.is_alive():
            self._listener.shutdown()
            self._thread.join()
            self._listener.hang_up()
            self._listener.server_close()


def serve(world: ServedWorld, port: int = 0) -> Server:
    """Serve a world on 127.0.0.1.

    Args:
        world: the world to serve.
        port: number of a port; 0 for any free one.

    Returns:
        A running server.

    Raises:
        OSError: the port is in use.
    """
    return Server(world, port)
