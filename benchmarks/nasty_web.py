"""Crawl a web of which a quarter is ill, with kills on the way, beside an earlier version. Prints one JSON document.

    python -m benchmarks.nasty_web [--links N] [--timeout S] [--kills N] [--before COMMIT] [--json FILE]

A server on loopback has N pages on 20 hosts: 5 % each are silent, reset the connection, answer 500, redirect in a loop,
or send 30 MB; the others are short texts, each different. `ontocrawl crawl run` crawls all of it, breadth first with
16 pages in flight, and is killed with SIGKILL at random moments; `ontocrawl crawl resume` continues it until it ends by
itself. Then every link must have the fate that its kind has, and the ledger must add up. The same web is crawled in the
same way by the code of COMMIT, which is checked out from the repository into a temporary folder, for as long as the
first crawl took: links a second are compared. With --json FILE a page is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import report

ROOT = Path(__file__).parents[1]
IN_FLIGHT, HOSTS, ON_A_LIST = 16, 20, 50
LARGE = 30 * 1024 * 1024
KINDS = {
    "silence": "timeout",
    "reset": "connection_reset",
    "error": "http_500",
    "loop": "redirect_loop",
    "large": "too_large",
}
"""Kind of an ill page -> the reason of its failure. Each is 5 % of the links; the others are pages."""
WORDS = "暴雨洪水台风内涝预警风险评估降水流域灾害城市排水监测地震滑坡"
_BEFORE = "7b6f7fa"


# ---- the web ----------------------------------------------------------------------------------------------------


def kind_of(number: int) -> str:
    """The kind of a link by its number: "page" or one of KINDS."""
    return [*KINDS, *["page"] * 15][number % 20]


def url_of(number: int) -> str:
    """The URL of a link."""
    return f"http://h{number // 20 % HOSTS}.nasty.example/p/{number}.html"


def _text(path: str) -> bytes:
    draw = random.Random(path)
    return "".join(draw.choices(WORDS, k=300)).encode()


def _body(path: str, links: int) -> bytes:
    if path == "/":
        targets = [f"http://h0.nasty.example/list/{start}.html" for start in range(0, links, ON_A_LIST)]
    elif path.startswith("/list/"):
        start = int(path[6:-5])
        targets = [url_of(number) for number in range(start, min(start + ON_A_LIST, links))]
    else:
        targets = []
    anchors = "".join(f'<li><a href="{url}">{url[-12:]}</a>' for url in targets).encode()
    return b"<html><meta charset=utf-8><title>t</title><p>" + _text(path) + b"</p><ul>" + anchors + b"</ul></html>"


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, links: int) -> None:
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            path = head.split(b" ", 2)[1].decode()
            number = int(path[3:-5]) if path.startswith("/p/") else -1
            kind = "page" if number < 0 else kind_of(number)
            if kind == "silence":
                await asyncio.sleep(3600)
            elif kind == "reset":
                linger = struct.pack("ii", 1, 0)
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                return
            elif kind == "large":
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
                for _ in range(LARGE // 65_536):
                    writer.write(b"x" * 65_536)
                    await writer.drain()
                return
            else:
                status = {"error": b"500 Error", "loop": b"302 Found\r\nLocation: " + path.encode()}.get(
                    kind, b"200 OK"
                )
                status = b"404 Not Found" if path == "/robots.txt" else status
                body = _body(path, links) if status == b"200 OK" else b""
                writer.write(
                    b"HTTP/1.1 %s\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % (status, len(body))
                )
                writer.write(body)
                await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass  # the crawl was killed, or has enough
    finally:
        writer.close()


def _serve(links: int, port: int) -> None:
    async def serve() -> None:
        server = await asyncio.start_server(partial(_answer, links=links), "127.0.0.1", port, backlog=512)
        await server.serve_forever()

    asyncio.run(serve())


# ---- the crawls -------------------------------------------------------------------------------------------------


class Runner:
    """Starts `ontocrawl` of one version in a workspace of its own."""

    def __init__(self, code: Path, folder: Path, port: int, timeout: float) -> None:
        """Make the workspace in ``folder``; ``code`` is the root of the version."""
        folder.mkdir()
        self._code, self._folder = code, folder
        self._resolve = folder / "resolve"
        self._resolve.write_text("".join(f"h{n}.nasty.example:80=127.0.0.1:{port}\n" for n in range(HOSTS)))
        (folder / "ontocrawl.toml").write_text(f"[crawl]\ntimeout = {timeout}\n")

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start `ontocrawl crawl ARGUMENTS`."""
        command = [sys.executable, "-c", "from ontocrawl.cli.main import run; run()", "crawl", *arguments]
        with (self._folder / "out").open("wb") as out:
            return subprocess.Popen(
                [*command, "--workspace", str(self._folder)], cwd=self._code, env={**os.environ, "PYTHONPATH": "."},
                stdout=out, stderr=out,
            )  # fmt: skip

    def crawl(self, kills: int, seconds: float, seed: int) -> dict[str, Any]:
        """Crawl with kills, and return the fates of all links and the seconds between first and last outcome.

        Args:
            kills: how often the process is killed.
            seconds: limit of time; 0 for none.
            seed: seed of the moments of kills.
        """
        draw, began = random.Random(seed), time.monotonic()
        run = (
            *("run", "--run", "nasty", "--topic", "rainstorm", "--strategy", "breadth_first", "--limit-pages", "0"),
            *("--in-flight", str(IN_FLIGHT), "--no-politeness", "--no-graph", "--resolve", str(self._resolve)),
            *("--seeds", "http://h0.nasty.example/"),
        )
        process, done = self.start(*run), 0
        while process.poll() is None:
            time.sleep(0.05)
            is_over = seconds and time.monotonic() - began > seconds
            if is_over or (done < kills and self.outcomes() > (done + 1) * draw.uniform(80, 160)):
                process.send_signal(signal.SIGKILL)
                process.wait()
                if is_over:
                    break
                done += 1
                process = self.start("resume", "nasty", "--no-graph")
        took = time.monotonic() - began
        return {"kills": done, "seconds": round(took, 1), "exit": process.returncode, **self.status()}

    def outcomes(self) -> int:
        """The number of outcomes in the journal."""
        code = (
            "import sqlite3, sys\n"
            "try: print(*sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True).execute("
            "\"SELECT count(*) FROM event WHERE kind = 'outcome'\").fetchone())\n"
            "except sqlite3.Error: print(0)"
        )
        path = str(self._folder / "runs/nasty/journal.sqlite")
        return int(subprocess.run([sys.executable, "-c", code, path], capture_output=True, check=True).stdout)

    def status(self) -> dict[str, Any]:
        """The figures of the run, and the fate of each link."""
        code = (
            "import json, sys; from pathlib import Path; from crawler.journal import Journal\n"
            "from crawler.journal.ledger import fates\n"
            "print(json.dumps({url: fate for _, url, fate in fates(Journal(Path(sys.argv[1])))}))"
        )
        path = str(self._folder / "runs/nasty/journal.sqlite")
        env = {**os.environ, "PYTHONPATH": "."}
        found = subprocess.run(
            [sys.executable, "-c", code, path], cwd=self._code, env=env, capture_output=True, check=True
        )
        return {"fates": json.loads(found.stdout)}


def account(fates: dict[str, str], links: int) -> dict[str, Any]:
    """Compare the fates of the links with their kinds: (kind, fate) -> number, and whether all are right."""
    found = Counter((kind_of(number), fates.get(url_of(number), "unknown")) for number in range(links))
    wanted = {kind: KINDS.get(kind, "fetched") for kind, _ in found}
    return {
        "links": {f"{kind}: {fate}": number for (kind, fate), number in sorted(found.items())},
        "accounted": all(fate == wanted[kind] for kind, fate in found),
    }


def measure(folder: Path, links: int, timeout: float, kills: int, before: str) -> dict[str, Any]:
    """Crawl with this version and an earlier one, and compare them."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = multiprocessing.get_context("spawn").Process(target=_serve, args=(links, port), daemon=True)
    server.start()
    try:
        time.sleep(1.0)
        now = Runner(ROOT, folder / "now", port, timeout).crawl(kills, 0.0, 1)
        earlier = folder / "code"
        subprocess.run(
            ["git", "-C", str(ROOT), "worktree", "add", "--quiet", "--detach", str(earlier), before], check=True
        )
        try:
            then = Runner(earlier, folder / "then", port, timeout).crawl(0, now["seconds"], 1)
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", str(earlier)], check=True)
    finally:
        server.terminate()
    found = {"now": now | account(now.pop("fates"), links), "before": then | account(then.pop("fates"), links)}
    for one in found.values():
        waiting = sum(
            number for name, number in one["links"].items() if name.endswith((": unknown", ": queued", ": in_flight"))
        )
        one["links_a_second"] = round((links - waiting) / one["seconds"], 1)
    return found


def table(result: report.Result) -> str:
    """The result as Markdown."""
    rows = [
        [
            name,
            one["kills"],
            one["seconds"],
            one["links_a_second"],
            "all" if one["accounted"] else "the crawl was ended",
        ]
        for name, one in result["found"].items()
    ]
    now, before = result["found"]["now"], result["found"]["before"]
    lines = [
        f"A web of {result['links']:,} links on {HOSTS} hosts, of which 5 % each are silent, reset the connection,",
        f"answer 500, redirect in a loop or send 30 MB; {IN_FLIGHT} pages in flight, {result['timeout']} s for a",
        "request. The time of the kills and of starting again counts.",
        "", *report.grid(("version", "kills", "seconds", "links a second", "links with the fate of their kind"), rows),
        "", f"{now['links_a_second'] / max(0.1, before['links_a_second']):.1f} times the links a second of",
        f"{result['before']}, in one run: a page that waits to be tried again takes no place in flight.",
        "", *report.grid(("kind and fate", "links"), now["links"].items()),
        "", f"{report.machine(result)}, load {result['load']}.",
    ]  # fmt: skip
    return report.page("A nasty web", "python -m benchmarks.nasty_web", lines)


def main() -> int:
    """Run, print, and fail where a link is not accounted for."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--links", type=int, default=5000)
    arguments.add_argument("--timeout", type=float, default=1.0)
    arguments.add_argument("--kills", type=int, default=3)
    arguments.add_argument("--before", default=_BEFORE)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="ontocrawl-nasty-") as folder:
        found = measure(Path(folder), chosen.links, chosen.timeout, chosen.kills, chosen.before)
    result = report.head(
        "nasty_web", links=chosen.links, timeout=chosen.timeout, before=chosen.before, found=found, load=report.load()
    )
    report.publish(result, chosen.json, table)
    return 0 if found["now"]["accounted"] else 1


if __name__ == "__main__":
    sys.exit(main())
