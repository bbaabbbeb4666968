"""Processor time of one fetch by HTTP clients: LiveWorld, the hop of a crawl, against others, on one loopback web.

    python -m benchmarks.clients [--json FILE] [--fetches N] [--repeat N]

Pages of 12 kB over kept connections, by nginx where it is installed, otherwise by a small asyncio server in a process
of its own. Each client runs in 1, 16 and 64 threads, each time in a new process. Processor time is that of the client's
process, the median of some runs. The reference is requests, used as a crawler must: the adapter without redirects, the
body in limited pieces.
"""

from __future__ import annotations

import contextlib
import http.client
import multiprocessing
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module, metadata
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


def standard_library(port: int, threads: int) -> Fetch:
    """One connection of http.client for each thread."""
    local = threading.local()

    def fetch(url: str) -> bytes:
        if not hasattr(local, "connection"):
            local.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        local.connection.request("GET", url[url.index("/", 7) :], headers=AGENT)
        return local.connection.getresponse().read()

    return fetch


CLIENTS: dict[str, Callable[[int, int], Fetch]] = {
    "LiveWorld": live_world,
    REFERENCE: requests,
    "urllib3": urllib3,
    "http.client": standard_library,
}
"""Client -> what opens it for a port and a number of threads."""


def measure(task: tuple[str, int, int, int]) -> dict[str, Any]:
    """Measure a client in this process. The task: client, threads, port, number of fetches."""
    client, threads, port, fetches = task
    urls = [f"http://127.0.0.1:{port}/{number % PAGES}.html" for number in range(fetches)]
    fetch = CLIENTS[client](port, threads)
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


def rows(port: int, fetches: int, repeat: int) -> Iterator[dict[str, Any]]:
    """Medians by client and number of threads; the runs of all clients alternate."""
    tasks = [(client, threads, port, fetches) for threads in THREADS for client in CLIENTS]
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
        f"{result['repeat']} runs, load {result['load']}. {versions}.",
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
    versions = {package: metadata.version(package) for package in ("ontocrawl", "requests", "urllib3")}
    with web() as (server, port):
        measured = list(rows(port, chosen.fetches, chosen.repeat))
    result = report.head(
        "clients", server=server, fetches=chosen.fetches, repeat=chosen.repeat, processors=os.cpu_count(),
        load=report.load(), versions=versions, rows=measured,
    )  # fmt: skip
    report.publish(result, chosen.json, table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
