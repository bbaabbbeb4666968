"""No rule of politeness is broken in free mode, however many pages are in flight: the server's log says so."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from crawler.fetching.exchange import drive
from crawler.fetching.robots import Robots
from crawler.model import Failure, Response
from crawler.url import host, path
from crawler.worlds.synthetic import SyntheticWorld
from crawler.worlds.synthetic.serve import serve
from ontocrawl.base import workspace
from ontocrawl.runs import runs

pytestmark = pytest.mark.slow
DELAY, PAGES, SLOW, LONGEST = 0.05, 150, "kepu.example", 0.03
"""``SLOW`` has a Crawl-delay of a second; replies take up to ``LONGEST`` seconds."""


@dataclass(frozen=True)
class Hit:
    """A request, with the times at which it came and was replied to."""

    url: str
    came: float
    left: float


class LoggedWeb(SyntheticWorld):
    """A synthetic web with a log."""

    def __init__(self) -> None:
        super().__init__("planted", 600, 0)
        self.log: defaultdict[str, list[Hit]] = defaultdict(list)
        self._draw, self._lock = random.Random(0), threading.Lock()

    def fetch(self, url: str) -> Response | Failure:
        came = time.monotonic()
        with self._lock:
            reply, pause = super().fetch(url), self._draw.random() * LONGEST
        time.sleep(pause)
        self.log[host(url)].append(Hit(url, came, time.monotonic()))
        return reply


@pytest.mark.parametrize("in_flight", [16, 64])
def test_hosts_are_requested_one_at_a_time_with_pauses_and_by_their_rules(in_flight: int, tmp_path: Path) -> None:
    web, space = LoggedWeb(), workspace.init(tmp_path / "ws")
    (space.root / "ontocrawl.toml").write_text(f"[crawl]\ndelay = {DELAY}\n", encoding="utf-8")
    with serve(web) as server:
        seeds = [option for url in (*web.seeds, f"http://{SLOW}/") for option in ("--seeds", url)]
        how = ("--strategy", "breadth_first", "--topic", "sports", "--limit-pages", str(PAGES), "--no-graph")
        where = ("--resolve", server.write_resolve(tmp_path / "resolve.txt"), "--workspace", str(space.root))
        program = [sys.executable, "-m", "ontocrawl", "crawl", "run", "--run", "polite", *how, *where, *seeds]
        ran = subprocess.run([*program, "--in-flight", str(in_flight)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    with runs.open_journal(space, "polite") as journal:
        status = runs.sum_up(journal)
    assert (status.end.fetched, status.in_flight) == (PAGES, 0)
    assert len(web.log) > 10 and max(map(len, web.log.values())) > 10
    for name, hits in web.log.items():
        allowed = drive(Robots(user_agent="ontocrawl").rules(f"http://{name}/"), super(LoggedWeb, web).fetch)
        assert [path(hit.url) == "/robots.txt" for hit in hits] == [True] + [False] * (len(hits) - 1), name
        assert not [hit.url for hit in hits[1:] if allowed.refusal(hit.url)]
        delay = max(DELAY, allowed.crawl_delay)
        assert all(later.came - hit.left >= max(delay, hit.left - hit.came) for hit, later in pairwise(hits)), name
    assert len(web.log[SLOW]) > 3
    assert status.ledger["robots_denied"] > 0
