"""Processor time of one fetch by HTTP clients: LiveWorld, the hop of a crawl, against others, on one loopback web.

    python -m benchmarks.clients [--json FILE] [--fetches N] [--repeat N]

Pages of 12 kB over kept connections, by nginx where it is installed, otherwise by a small asyncio server in a process
of its own. Each client runs in 1, 16 and 64 threads, each time in a new process; in rows that end in "batch" the
number is that of requests in flight in one event loop. Processor time is that of the client's process, the median of
some runs. The reference is requests, used as a crawler must: the adapter without redirects, the body in limited pieces.
Clients that are not installed are left out; pip installs httpx, aiohttp, pycurl, httptools. niquests is not among them:
it puts a fork in the place of urllib3, on which the reference rests.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, metadata
from io import BytesIO
from pathlib import Path
from typing import Any

from benchmarks import loopback, report

Fetch = Callable[[str], bytes]
"""Fetches one URL; called by several threads at a time."""

THREADS = (1, 16, 64)
PAGES = 200
BODY = 12_000
REFERENCE = "requests"
AGENT = {
    "User-Agent": "ontocrawl-benchmark",
    "Accept": "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,*/*;q=0.1",
    "Accept-Language": "zh-CN,zh;q=0.9,en;q=0.8",
    "Accept-Encoding": "gzip, deflate",
}


def page(number: int) -> bytes:
    """One page of BODY bytes."""
    line = f"<p>Page {number} of a loopback web: typhoon, flood, drought.</p>\n".encode()
    return (line * (BODY // len(line) + 1))[:BODY]


@contextlib.contextmanager
def web() -> Iterator[tuple[str, int]]:
    """Serve the pages; yields the name of the server and its port."""
    with tempfile.TemporaryDirectory() as name:
        for number in range(PAGES):
            (Path(name) / f"{number}.html").write_bytes(page(number))
        with loopback.served(Path(name)) as served:
            yield served


def live_world(port: int, threads: int) -> Fetch:
    """The hop of a crawl: http.client with a pool, deadline, limits and checks of addresses."""
    from crawler.model import Response
    from crawler.worlds.live import LiveWorld

    world = LiveWorld(allow_loopback=True, user_agent=AGENT["User-Agent"])

    def fetch(url: str) -> bytes:
        answer = world.fetch(url)
        assert isinstance(answer, Response), answer
        return answer.body

    return fetch


def requests(port: int, threads: int) -> Fetch:
    """The reference: no session, so no cookies, redirects or environment; the body in pieces of 16 kB."""
    requests = import_module("requests")
    adapter = import_module("requests.adapters").HTTPAdapter(pool_maxsize=threads, max_retries=0)

    def fetch(url: str) -> bytes:
        request = requests.Request("GET", url, headers=AGENT).prepare()
        reply = adapter.send(request, stream=True, timeout=20, verify=True, proxies={})
        pieces = []
        while piece := reply.raw.read(16384, decode_content=False):
            pieces.append(piece)
        reply.raw.release_conn()
        return b"".join(pieces)

    return fetch


def urllib3(port: int, threads: int) -> Fetch:
    """PoolManager.urlopen."""
    pool = import_module("urllib3").PoolManager(maxsize=threads, headers=AGENT, retries=False)
    return lambda url: pool.urlopen("GET", url, redirect=False, timeout=20.0).data


def httpx(port: int, threads: int) -> Fetch:
    """Client.get."""
    package = import_module("httpx")
    limits = package.Limits(max_connections=threads, max_keepalive_connections=threads)
    client = package.Client(headers=AGENT, timeout=20, trust_env=False, limits=limits)
    return lambda url: client.get(url).content


def standard_library(port: int, threads: int) -> Fetch:
    """One connection of http.client for each thread."""
    local = threading.local()

    def fetch(url: str) -> bytes:
        if not hasattr(local, "connection"):
            local.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        local.connection.request("GET", url[url.index("/", 7) :], headers=AGENT)
        return local.connection.getresponse().read()

    return fetch


class _Parsed:
    """What httptools calls back."""

    def __init__(self) -> None:
        self.headers: list[tuple[bytes, bytes]] = []
        self.pieces: list[bytes] = []
        self.complete = False
        self.on_body = self.pieces.append

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers.append((name, value))

    def on_message_complete(self) -> None:
        self.complete = True


def httptools(port: int, threads: int) -> Fetch:
    """One socket for each thread, read by llhttp; no pool, limits or checks."""
    parser_of, local = import_module("httptools").HttpResponseParser, threading.local()
    headers = "".join(f"{name}: {value}\r\n" for name, value in AGENT.items())

    def fetch(url: str) -> bytes:
        if not hasattr(local, "socket"):
            local.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        target = url[url.index("/", 7) :]
        local.socket.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{headers}\r\n".encode())
        parsed = _Parsed()
        parser = parser_of(parsed)
        while not parsed.complete:
            parser.feed_data(local.socket.recv(65536))
        return b"".join(parsed.pieces)

    return fetch


def _curl(url: str, body: BytesIO, handle: Any, pycurl: Any) -> None:
    for option, value in (
        (pycurl.URL, url), (pycurl.WRITEDATA, body), (pycurl.NOSIGNAL, 1), (pycurl.TIMEOUT_MS, 20_000),
        (pycurl.PROXY, ""), (pycurl.HTTPHEADER, [f"{name}: {value}" for name, value in AGENT.items()]),
    ):  # fmt: skip
        handle.setopt(option, value)


def pycurl(port: int, threads: int) -> Fetch:
    """One easy handle for each thread, with a callback for the headers as the crawler needs them."""
    package, local = import_module("pycurl"), threading.local()

    def fetch(url: str) -> bytes:
        if not hasattr(local, "handle"):
            local.handle = package.Curl()
        body, head = BytesIO(), []
        _curl(url, body, local.handle, package)
        local.handle.setopt(package.HEADERFUNCTION, head.append)
        local.handle.perform()
        return body.getvalue()

    return fetch


def aiohttp(port: int, threads: int) -> Fetch:
    """One event loop in a thread of its own, to which the threads hand their requests."""
    package, loop = import_module("aiohttp"), asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, daemon=True).start()

    async def opened() -> Any:
        return package.ClientSession(headers=AGENT, connector=package.TCPConnector(limit=threads))

    session = asyncio.run_coroutine_threadsafe(opened(), loop).result()

    async def get(url: str) -> bytes:
        async with session.get(url, allow_redirects=False) as reply:
            return await reply.read()

    return lambda url: asyncio.run_coroutine_threadsafe(get(url), loop).result()


def aiohttp_batch(urls: Iterator[str], in_flight: int) -> Iterable[bytes]:
    """All requests in one event loop, nothing in threads."""
    package, bodies = import_module("aiohttp"), []

    async def work(session: Any) -> None:
        for url in urls:
            async with session.get(url, allow_redirects=False) as reply:
                bodies.append(await reply.read())

    async def run() -> None:
        async with package.ClientSession(headers=AGENT, connector=package.TCPConnector(limit=in_flight)) as session:
            await asyncio.gather(*(work(session) for _ in range(in_flight)))

    asyncio.run(run())
    return bodies


def pycurl_batch(urls: Iterator[str], in_flight: int) -> Iterable[bytes]:
    """The multi interface of libcurl, in one thread."""
    package = import_module("pycurl")
    multi, bodies, free = package.CurlMulti(), [], [package.Curl() for _ in range(in_flight)]
    under_way: dict[Any, BytesIO] = {}
    while True:
        while free and (url := next(urls, None)) is not None:
            handle, body = free.pop(), BytesIO()
            _curl(url, body, handle, package)
            multi.add_handle(handle)
            under_way[handle] = body
        if not under_way:
            return bodies
        multi.perform()
        _, done, failed = multi.info_read()
        assert not failed, failed
        for handle in done:
            multi.remove_handle(handle)
            bodies.append(under_way.pop(handle).getvalue())
            free.append(handle)
        if not done:
            multi.select(1.0)


THREADED: dict[str, tuple[str, Callable[[int, int], Fetch]]] = {
    "LiveWorld": ("ontocrawl", live_world),
    REFERENCE: ("requests", requests),
    "urllib3": ("urllib3", urllib3),
    "http.client": ("", standard_library),
    "httptools": ("httptools", httptools),
    "pycurl": ("pycurl", pycurl),
    "aiohttp": ("aiohttp", aiohttp),
    "httpx": ("httpx", httpx),
}
"""Client -> its package, and what opens it for a port and a number of threads."""

BATCHES: dict[str, tuple[str, Callable[[Iterator[str], int], Iterable[bytes]]]] = {
    "aiohttp, batch": ("aiohttp", aiohttp_batch),
    "pycurl, batch": ("pycurl", pycurl_batch),
}


def measure(task: tuple[str, int, int, int]) -> dict[str, Any]:
    """Measure a client in this process. The task: client, threads, port, number of fetches."""
    client, threads, port, fetches = task
    urls = [f"http://127.0.0.1:{port}/{number % PAGES}.html" for number in range(fetches)]
    if client in BATCHES:
        run = BATCHES[client][1]
    else:
        fetch = THREADED[client][1](port, threads)
        pool = ThreadPoolExecutor(threads)

        def run(urls: Iterator[str], in_flight: int) -> list[bytes]:
            def work() -> list[bytes]:
                return [fetch(url) for url in urls]  # the threads share one iterator of a list

            return [body for done in [pool.submit(work) for _ in range(in_flight)] for body in done.result()]

    list(run(iter(urls[: 4 * threads]), threads))  # imports, connections
    begun, used = time.perf_counter(), time.process_time()
    bodies = list(run(iter(urls), threads))
    used, elapsed = time.process_time() - used, time.perf_counter() - begun
    assert len(bodies) == fetches
    assert all(len(body) == BODY for body in bodies)
    return {"client": client, "threads": threads, "ms": used / fetches * 1000, "per_second": fetches / elapsed}


def installed(package: str) -> str | None:
    """The version of a package; None where it is not installed."""
    try:
        return metadata.version(package) if package else ""
    except metadata.PackageNotFoundError:
        return None


def rows(port: int, fetches: int, repeat: int) -> Iterator[dict[str, Any]]:
    """Medians by client and number of threads; the runs of all clients alternate."""
    clients = [name for name, (package, _) in (THREADED | BATCHES).items() if installed(package) is not None]
    tasks = [(client, threads, port, fetches) for threads in THREADS for client in clients]
    runs: dict[tuple[str, int], list[dict[str, Any]]] = {}
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for row in pool.imap(measure, tasks * repeat, chunksize=1):
            runs.setdefault((row["client"], row["threads"]), []).append(row)
            print(row, file=sys.stderr, flush=True)
    ms = {key: statistics.median(row["ms"] for row in found) for key, found in runs.items()}
    for (client, threads), found in runs.items():
        yield {
            "client": client, "threads": threads, "processor_ms": round(ms[client, threads], 3),
            "ratio": round(ms[client, threads] / ms[REFERENCE, threads], 2),
            "fetches_per_second": round(statistics.median(row["per_second"] for row in found)),
        }  # fmt: skip


def table(result: report.Result) -> str:
    """The page: the cheapest first, for each number of threads."""
    shown = sorted(result["rows"], key=lambda row: (row["threads"], row["processor_ms"]))
    columns = ("client", "threads", "processor ms a fetch", f"ratio to {REFERENCE}", "fetches a second")
    versions = ", ".join(f"{name} {version}" for name, version in result["versions"].items())
    lines = [
        f"{report.machine(result)}; {result['fetches']} fetches of {BODY:,} bytes from {result['server']}, median of",
        f"{result['repeat']} runs, load {result['load']}. {versions}. Not installed: {result['not_installed']}.",
        "",
        *report.grid(columns, (row.values() for row in shown)),
    ]
    return report.page("Clients for HTTP: the processor time of a fetch", "python -m benchmarks.clients", lines)


def main() -> int:
    """The command."""
    parser = report.arguments(__doc__)
    parser.add_argument("--fetches", type=int, default=2000, metavar="N", help="fetches a run")
    parser.add_argument("--repeat", type=int, default=5, metavar="N", help="runs of each client")
    chosen = parser.parse_args()
    packages = {package: installed(package) for package, _ in (THREADED | BATCHES).values() if package}
    with web() as (server, port):
        measured = list(rows(port, chosen.fetches, chosen.repeat))
    result = report.head(
        "clients", server=server, fetches=chosen.fetches, repeat=chosen.repeat, processors=os.cpu_count(),
        load=report.load(), versions={name: version for name, version in packages.items() if version},
        not_installed=", ".join(name for name, version in packages.items() if version is None) or "none", rows=measured,
    )  # fmt: skip
    report.publish(result, chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
