"""WARC files for tests: records by hand, so that each can be wrong in its own way."""

from __future__ import annotations

import gzip
from pathlib import Path

PAGE = b"<html><title>rain</title><p>heavy rain</p></html>"


def record(kind: str, url: str, content: bytes, *fields: str, length: int | None = None, version: str = "1.0") -> bytes:
    """A record; ``length`` is what its Content-Length says, if that is wrong."""
    lines = [
        f"WARC/{version}", f"WARC-Type: {kind}", f"WARC-Target-URI: {url}", "WARC-Date: 2020-01-02T03:04:05Z", *fields,
        f"Content-Length: {len(content) if length is None else length}",
    ]  # fmt: skip
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + content + b"\r\n\r\n"


def http(body: bytes = PAGE, *fields: str, status: str = "200 OK", protocol: str = "HTTP/1.1") -> bytes:
    """A response as on the wire."""
    return "\r\n".join([f"{protocol} {status}", "Content-Type: text/html", *fields, "", ""]).encode() + body


def response(url: str, body: bytes = PAGE, *fields: str, **how: int) -> bytes:
    """A record of a response."""
    return record("response", url, http(body, *fields), "Content-Type: application/http; msgtype=response", **how)


def write(path: Path, *records: bytes, packed: bool = True) -> Path:
    """Write records, each compressed by itself, or not at all."""
    path.write_bytes(b"".join(gzip.compress(data) if packed else data for data in records))
    return path
