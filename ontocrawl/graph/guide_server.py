"""A server of the guide for Neo4j Browser: a browser reads a guide from another origin only if the server allows it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ontocrawl.errors import UsageError

_TYPES: Mapping[str, str] = MappingProxyType(
    {".html": "text/html; charset=utf-8", ".adoc": "text/asciidoc; charset=utf-8"}
)
_ALLOWED = (
    ("Access-Control-Allow-Origin", "*"),
    ("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"),
    ("Access-Control-Allow-Headers", "pragma, cache-control"),
    ("Access-Control-Allow-Private-Network", "true"),
)
"""Neo4j Browser sends the headers pragma and cache-control, so that a request of OPTIONS comes first."""


class _Listener(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: int, files: Mapping[str, tuple[str, bytes]]) -> None:
        self.files = files
        super().__init__(("127.0.0.1", port), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Listener
    timeout = 60

    def do_GET(self) -> None:
        """Send a file."""
        kind, content = self.server.files.get(self.path.partition("?")[0], ("", b""))
        self.send_response(200 if kind else 404)
        self._end(len(content), kind or "text/plain")
        if self.command != "HEAD":
            self.wfile.write(content)

    def do_HEAD(self) -> None:
        """Send the headers of a file."""
        self.do_GET()

    def do_OPTIONS(self) -> None:
        """Send what is allowed."""
        self.send_response(204)
        self._end(0, "text/plain")

    def _end(self, length: int, kind: str) -> None:
        for name, value in (*_ALLOWED, ("Content-Type", kind), ("Content-Length", str(length))):
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - the name in the base class
        """Write no log."""


@contextmanager
def served(folder: Path, port: int) -> Iterator[str]:
    """Serve the guides of a folder on loopback, to pages of any origin.

    Args:
        folder: the folder; only its files of HTML and AsciiDoc are served, as they are now.
        port: the port; 0 means any free one.

    Yields:
        The URL of the folder, with the host name ``localhost``, which Neo4j Browser allows by default.

    Raises:
        UsageError: the port is in use or not allowed.
    """
    kinds = ((path, _TYPES.get(path.suffix)) for path in sorted(folder.iterdir()))
    files = {f"/{path.name}": (kind, path.read_bytes()) for path, kind in kinds if kind}
    try:
        server = _Listener(port, files)
    except OSError as refused:
        raise UsageError("graph.port_choose_another_any", port=port, strerror=refused.strerror) from refused
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://localhost:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
