"""A web on loopback for the benchmarks: the files of a folder, by nginx or by a small server of our own.

    python -m benchmarks.loopback FOLDER PORT

serves a folder by the small server: asyncio, in a process of its own, with kept connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import shutil
import socket
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

_TYPES = {".html": "text/html", ".txt": "text/plain"}


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a folder at 127.0.0.1; yields the name of the server, nginx where it is installed, and its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    nginx = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    own = [sys.executable, "-m", __spec__.name, str(folder), str(port)]
    server = subprocess.Popen(_nginx(nginx, folder, port) if nginx else own, stderr=subprocess.DEVNULL)
    try:
        _wait(port)
        yield ("nginx" if nginx else "asyncio"), port
    finally:
        server.terminate()
        server.wait()


def _nginx(program: str, folder: Path, port: int) -> list[str]:
    """The command of nginx, whose worker is this user: another one may not be let into a temporary folder."""
    folders = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    settings = f"""
        user {getpass.getuser()}; daemon off; worker_processes 1; error_log /dev/null; pid {folder}/pid;
        events {{ worker_connections 512; }}
        http {{
            access_log off; keepalive_requests 1000000; tcp_nodelay on; open_file_cache max=10000;
            types {{ text/html html; text/plain txt; }}
            {" ".join(f"{kind}_temp_path {folder}/{kind};" for kind in folders)}
            server {{ listen 127.0.0.1:{port}; root {folder}; }}
        }}"""
    (folder / "nginx.conf").write_text(settings)
    return [program, "-c", str(folder / "nginx.conf")]


def _wait(port: int) -> None:
    for _ in range(100):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    raise OSError(f"the loopback web does not answer on port {port}")


class _Files(asyncio.Protocol):
    """One connection. Requests have no bodies, and one is answered before the next comes."""

    transport: asyncio.Transport

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        path = self.folder / data.split(b" ", 2)[1].decode().lstrip("/")
        try:
            status, body = "200 OK", path.read_bytes()
        except OSError:
            status, body = "404 Not Found", b""
        kind = _TYPES.get(path.suffix, "application/octet-stream")
        tag = f'"{zlib.crc32(body):x}"'
        if f"If-None-Match: {tag}\r\n".encode() in data:
            status, body = "304 Not Modified", b""
        head = (
            f"HTTP/1.1 {status}\r\nServer: asyncio\r\nContent-Type: {kind}\r\nETag: {tag}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.transport.write(head.encode() + body)


async def _serve(folder: Path, port: int) -> None:
    server = await asyncio.get_running_loop().create_server(lambda: _Files(folder), "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1]), int(sys.argv[2])))
