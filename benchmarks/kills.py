"""Kill a live crawl with SIGKILL again and again, resume it, and compare it with an uninterrupted one.

    python -m benchmarks.kills [--kills N] [--pages N] [--seed N] [--json FILE]

A synthetic web is served over loopback with uneven latency. `ontocrawl crawl run` crawls all of it, breadth first with
16 pages in flight in free mode, and is killed at random moments: some during a snapshot, some while it drains after
SIGTERM, some while it starts. `ontocrawl crawl resume` continues it each time, until it ends by itself. The command is
started by a launcher which marks in a shared file when a snapshot begins and ends, so that kills can hit one; nothing
else is changed. The log of the server and the journals say what was lost, and what was requested twice. With --json
FILE a page is written beside it (FILE with the suffix .md).
"""

from __future__ import annotations

import json
import mmap
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks import report
from crawler.model import Failure, Response
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL

IN_FLIGHT, SNAPSHOT_EVERY = 16, 20
LATENCY = 0.12
"""Mean seconds of a reply, exponentially distributed."""
LONGEST = 1.2
"""Seconds after the first request of a process within which it is killed."""
KINDS = {"any": 60, "snapshot": 16, "drain": 16, "start": 8}
"""What a kill aims at -> share in percent."""
PATIENCE = 120.0


def launcher() -> None:
    """Run `ontocrawl ARGUMENTS` and mark in a file when a snapshot begins and ends: ``launcher FILE ARGUMENTS``."""
    from crawler.journal import Journal
    from ontocrawl.cli import main as program

    with Path(sys.argv.pop(1)).open("r+b") as file:
        mark = mmap.mmap(file.fileno(), 1)
    original = Journal.snapshot

    def snapshot(self: Journal, seq: int, known: int, state: Mapping[str, Any]) -> None:
        mark[0] = 1
        original(self, seq, known, state)
        mark[0] = 0

    Journal.snapshot = snapshot  # type: ignore[method-assign]
    program.run()


class UnevenWeb(SyntheticWorld):
    """A synthetic web with latency, which counts its requests and can hold its replies back."""

    def __init__(self, pages: int, seed: int) -> None:
        super().__init__("planted", pages, seed)
        self.requests = Counter[str]()
        self.replies = threading.Event()
        """Cleared to hold all replies back."""
        self.replies.set()
        self._draw, self._lock = random.Random(seed), threading.Lock()

    def fetch(self, url: str) -> Response | Failure:
        """Reply late."""
        with self._lock:
            if not url.endswith("/robots.txt"):
                self.requests[url] += 1
            pause = min(self._draw.expovariate(1 / LATENCY), 20 * LATENCY)
            reply = super().fetch(url)
        time.sleep(pause)
        self.replies.wait(PATIENCE)
        return reply


@dataclass
class Killed:
    """A process that was killed, by what the journal had then."""

    aim: str
    open_picks: list[str]
    in_snapshot: bool
    draining: bool
    named: list[str] | None
    """URLs that the process said it fetches again; None where it was killed before it could say so."""


@dataclass
class Bench:
    """A web, a workspace, and how to start the command in it."""

    web: UnevenWeb
    folder: Path
    resolve: Path
    mark: mmap.mmap
    draw: random.Random
    killed: list[Killed] = field(default_factory=list)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start `ontocrawl crawl ARGUMENTS`; its notes are written to a file."""
        self.mark[0] = 0
        code = "from benchmarks.kills import launcher; launcher()"
        command = [sys.executable, "-c", code, str(self.folder / "mark"), "crawl", *arguments]
        with self.notes.open("w") as notes, (self.folder / "out").open("w") as out:
            return subprocess.Popen(
                [*command, "--workspace", str(self.folder / "ws")],
                cwd=Path(__file__).parents[1],
                stdout=out,
                stderr=notes,
                text=True,
            )

    def run(self, name: str) -> subprocess.Popen[str]:
        """Begin a run of the whole web."""
        seeds = [option for url in self.web.seeds for option in ("--seeds", url)]
        return self.start(
            *("run", "--run", name, "--topic", "sports", "--strategy", "breadth_first", "--limit-pages", "0"),
            *("--in-flight", str(IN_FLIGHT), "--no-politeness", "--no-graph", "--resolve", str(self.resolve), *seeds),
        )

    def resume(self, name: str) -> subprocess.Popen[str]:
        """Resume a run."""
        return self.start("resume", name, "--no-graph")

    @property
    def notes(self) -> Path:
        """The file with the notes of the last process."""
        return self.folder / "notes"

    def journal(self, name: str) -> Path:
        """The journal of a run."""
        return self.folder / "ws" / "runs" / name / JOURNAL

    def finish(self, process: subprocess.Popen[str]) -> None:
        """Wait until a crawl has ended by itself. Raises RuntimeError where it failed."""
        if process.wait(3600):
            raise RuntimeError(f"the crawl ended with {process.returncode}: {self.notes.read_text()[-2_000:]}")

    # ---- kills --------------------------------------------------------------------------------------------------

    def kill(self, process: subprocess.Popen[str], aim: str, name: str) -> None:
        """Wait for the moment that a kill aims at, kill the process, and record what it left."""
        before = self.web.requests.total()
        if aim == "start":
            time.sleep(self.draw.uniform(0.2, 2.0))
        else:
            self._until(lambda: self.web.requests.total() > before, process)
            {"any": self._any, "snapshot": self._snapshot, "drain": self._drain}[aim](process)
        process.kill()
        process.wait()
        self.web.replies.set()
        self.killed.append(self._record(aim, name, asked=self.web.requests.total() > before))

    def _any(self, process: subprocess.Popen[str]) -> None:
        time.sleep(self.draw.uniform(0, LONGEST))

    def _snapshot(self, process: subprocess.Popen[str]) -> None:
        self._until(lambda: self.mark[0] == 1, process, pause=0.0002)
        time.sleep(self.draw.uniform(0, 0.004))

    def _drain(self, process: subprocess.Popen[str]) -> None:
        time.sleep(self.draw.uniform(0, LONGEST))
        self.web.replies.clear()
        process.send_signal(signal.SIGTERM)
        self._until(lambda: "stopping:" in self.notes.read_text(), process)
        time.sleep(self.draw.uniform(0, 0.3))

    def _until(self, reached: Callable[[], bool], process: subprocess.Popen[str], pause: float = 0.005) -> None:
        deadline = time.monotonic() + PATIENCE
        while not reached():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the crawl ended too early, give more --pages: {self.notes.read_text()[-2_000:]}")
            time.sleep(pause)

    def _record(self, aim: str, name: str, *, asked: bool) -> Killed:
        """Read a journal as the kill left it; a read-only connection repairs nothing."""
        path = self.journal(name)
        if not path.exists() or (aim == "start" and not self.killed and not asked):
            raise RuntimeError("the first process was killed before its run began")
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as db:
            left = [url for (url,) in db.execute(_OPEN)]
            draining = db.execute("SELECT value FROM run WHERE key = 'draining'").fetchone()
        is_draining = aim == "drain" and draining is not None and json.loads(draining[0]) is not None
        return Killed(aim, left, self.mark[0] == 1, is_draining, self._named())

    def _named(self) -> list[str] | None:
        said, _, more = self.notes.read_text().partition("in flight when the run was interrupted")
        listed = [line.strip() for line in more.splitlines()[1:] if line.startswith("  ")]
        return listed if said and more else None


_OPEN = (
    "SELECT u.url FROM pick p JOIN url u ON u.id = p.link WHERE p.number NOT IN "
    "(SELECT json_extract(data, '$.pick') FROM event WHERE kind = 'outcome') ORDER BY p.number"
)
_PAGES = (
    "SELECT u.url, p.failure, p.final_url, e.data FROM event e JOIN page p USING (seq) "
    "JOIN url u ON u.id = e.link WHERE e.kind = 'outcome' ORDER BY e.seq"
)


@dataclass(frozen=True)
class Trace:
    """What a journal says of a run that has ended."""

    pages: list[tuple[str, str | None, str, dict[str, Any]]]
    """Link, failure, URL of the last hop, and data of each outcome."""
    known: set[str]
    resumed: list[list[str]]
    """For each resume the links that were in flight."""
    picked_twice: int
    intact: bool

    @classmethod
    def of(cls, path: Path) -> Trace:
        """Read a journal."""
        with closing(sqlite3.connect(path)) as db:
            urls = dict(db.execute("SELECT id, url FROM url"))
            resumed = db.execute("SELECT data FROM event WHERE kind = 'resumed' ORDER BY seq")
            twice = "SELECT count(*) FROM (SELECT link FROM pick GROUP BY link HAVING count(*) > 1)"
            return cls(
                [(url, failure, final, json.loads(data)) for url, failure, final, data in db.execute(_PAGES)],
                set(urls.values()),
                [[urls[link] for link in json.loads(data)["links"]] for (data,) in resumed],
                db.execute(twice).fetchone()[0],
                db.execute("PRAGMA integrity_check").fetchone()[0] == "ok",
            )

    def read(self) -> set[str]:
        """The URLs of all pages that were read."""
        return {final for _, failure, final, _ in self.pages if failure is None}

    def failed(self) -> set[tuple[str, str]]:
        """The links that failed, with their reasons; which of two redirects reads a page is a matter of order."""
        return {(url, failure) for url, failure, _, _ in self.pages if failure not in (None, "duplicate_redirect")}

    def requests(self) -> tuple[Counter[str], Counter[str]]:
        """How often each URL had to be requested, and may have been again for links in flight at a kill."""
        again = Counter(url for links in self.resumed for url in links)
        needed, more = Counter[str](), Counter[str]()
        for url, failure, final, data in self.pages:
            tries = 1 + len(data.get("retried", ()))
            for hop in {url, *data["hops"], final} - ({final} if failure == "robots_denied" else set()):
                needed[hop] += 1
                more[hop] += tries * (1 + again[url]) - 1
        return needed, more

    def too_often(self, log: Counter[str]) -> dict[str, int]:
        """Which URLs were requested more often than that, and how much more often."""
        needed, more = self.requests()
        return dict(log - (needed + more))


def crawl_with_kills(bench: Bench, kills: int) -> dict[str, Any]:
    """Kill a crawl of the whole web so often, let it end, and return its status as `crawl status --json` shows it."""
    aims = bench.draw.choices(list(KINDS), list(KINDS.values()), k=kills - 1)
    for number, aim in enumerate(["any", *aims]):  # the first one may not come before the run has begun
        process = bench.run("killed") if number == 0 else bench.resume("killed")
        bench.kill(process, aim, "killed")
        left = bench.killed[-1]
        place = "in a snapshot" if left.in_snapshot else "draining" if left.draining else ""
        print(number + 1, aim, len(left.open_picks), "open", place, file=sys.stderr, flush=True)
    bench.finish(bench.resume("killed"))
    bench.finish(bench.start("status", "killed", "--json"))
    return json.loads((bench.folder / "out").read_text())


def checks(bench: Bench, whole: Trace, killed: Trace, status: Mapping[str, Any], log: Counter[str]) -> dict[str, bool]:
    """What has to hold after all kills; ``log`` counts the requests of the killed crawl."""
    needed, _ = killed.requests()
    of_last = [bench.killed[-1].open_picks] if bench.killed else []
    places = ("fetched", "queued", "in_flight")
    resumes = list(pairwise(bench.killed))
    return {
        "the pages read are those of the uninterrupted crawl": killed.read() == whole.read(),
        "the known links are those of the uninterrupted crawl": killed.known == whole.known,
        "the failures are those of the uninterrupted crawl": killed.failed() == whole.failed(),
        "no link was chosen twice": killed.picked_twice == 0,
        "every page was requested": all(log[url] for url in needed),
        "nothing was requested twice but what was in flight at a kill or tried again": not killed.too_often(log),
        "each resume names what was in flight": all(
            sorted(after.named) == sorted(before.open_picks) if after.named is not None else after.aim == "start"
            for before, after in resumes
        ),
        "crawl status lists what was in flight": sorted(status["fetched_again"])
        == sorted(url for links in killed.resumed for url in links)
        and all(links in killed.resumed for links in of_last),
        "the ledger adds up": sum(status[place] for place in places) + sum(status["ledger"].values())
        == status["known"],
        "nothing is left": (status["state"], status["queued"], status["in_flight"]) == ("finished", 0, 0),
        "the journal is intact": killed.intact,
    }


def measure(folder: Path, kills: int, pages: int, seed: int) -> dict[str, Any]:
    """Crawl a web twice, the second time with kills, and compare."""
    web = UnevenWeb(pages, seed)
    space = workspace.init(folder / "ws")
    (space.root / "ontocrawl.toml").write_text(f"[crawl]\nsnapshot_every = {SNAPSHOT_EVERY}\n", encoding="utf-8")
    (folder / "mark").write_bytes(b"\0")
    with serve(web) as server, (folder / "mark").open("r+b") as file, mmap.mmap(file.fileno(), 1) as mark:
        bench = Bench(web, folder, Path(server.write_resolve(folder / "resolve.txt")), mark, random.Random(seed))
        bench.finish(bench.run("whole"))
        web.requests.clear()
        status = crawl_with_kills(bench, kills)
    whole, killed = Trace.of(bench.journal("whole")), Trace.of(bench.journal("killed"))
    log = Counter(web.requests)
    sizes = [len(kill.open_picks) for kill in bench.killed]
    return {
        "kills": kills,
        "eight_or_more_open": sum(size >= 8 for size in sizes),
        "open_picks": {str(size): count for size, count in sorted(Counter(sizes).items())},
        "in_snapshot": sum(kill.in_snapshot for kill in bench.killed),
        "draining": sum(kill.draining for kill in bench.killed),
        "before_the_first_request": sum(kill.aim == "start" for kill in bench.killed),
        "known": len(killed.known),
        "read": len(killed.read()),
        "failed": len(killed.failed()),
        "named_as_fetched_again": len(status["fetched_again"]),
        "requests": log.total(),
        "requests_needed": killed.requests()[0].total(),
        "requested_too_often": killed.too_often(log),
        "checks": checks(bench, whole, killed, status, log),
    }


def table(result: report.Result) -> str:
    """The result as Markdown."""
    found = result["found"]
    rows = [
        ("kills", found["kills"]),
        ("of these with eight or more picks open", found["eight_or_more_open"]),
        ("of these during a snapshot", found["in_snapshot"]),
        ("of these while the crawl drained after SIGTERM", found["draining"]),
        ("of these aimed at the start, before or just after the first request", found["before_the_first_request"]),
        ("links known", found["known"]),
        ("pages read", found["read"]),
        ("links that failed (404, 500, robots.txt)", found["failed"]),
        ("requests that one crawl needs", found["requests_needed"]),
        ("requests made", found["requests"]),
        ("picks named as fetched again, in all resumes", found["named_as_fetched_again"]),
    ]
    about = (
        f"A synthetic web of {result['pages']:,} pages over loopback, replies after {LATENCY} s on average, is crawled "
        f"breadth first with {IN_FLIGHT} pages in flight\nand a snapshot after {SNAPSHOT_EVERY} fetches or more. "
        "The crawl is killed by SIGKILL at random moments, and resumed by command. A launcher of the\nbenchmark marks "
        "when a snapshot begins and ends, so that this is known of each kill. The server's log counts the requests."
    )
    lines = [
        about,
        "",
        *report.grid(("what", "number"), rows),
        "",
        *report.grid(("check", "holds"), [(name, "yes" if held else "NO") for name, held in found["checks"].items()]),
        "",
        "Picks open at a kill -> number of kills: "
        + ", ".join(f"{size}: {count}" for size, count in found["open_picks"].items())
        + ".",
        "",
        f"{report.machine(result)}.",
    ]
    return report.page("Kills", "python -m benchmarks.kills", lines)


def main() -> int:
    """Run, print, and fail where a check does not hold."""
    arguments = report.arguments(__doc__)
    arguments.add_argument("--kills", type=int, default=100)
    arguments.add_argument("--pages", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=0)
    chosen = arguments.parse_args()
    with tempfile.TemporaryDirectory(prefix="ontocrawl-kills-") as folder:
        found = measure(Path(folder), chosen.kills, chosen.pages, chosen.seed)
    result = report.head("kills", seed=chosen.seed, pages=chosen.pages, found=found)
    report.publish(result, chosen.json, table)
    return 0 if all(found["checks"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
