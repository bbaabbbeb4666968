"""Crawls in rounds: the pages of an ordinary crawl, each host in one task, and little that is fetched twice."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler import strategies
from crawler.crawl_options import Limits, SetupError
from crawler.fetching.fetch import Fetcher
from crawler.fetching.hosts import HostSchedule
from crawler.journal import Journal
from crawler.model import Failure, Response, World
from crawler.pages.page import NO_EXTRAS
from crawler.rounds.crawl import ROUND, RoundsCrawl, RoundsFetching, _RoundPool, is_eligible, require_eligible
from crawler.rounds.runners import InProcess, LocalProcesses, OnReply, Runner
from crawler.rounds.task import Agent, Counting, Link, Partition, Task, by_host, fetch
from crawler.scope import Scope
from crawler.text import Matcher
from crawler.url import host
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs

AGENT = Agent(webs.AGENT, partial(SyntheticWorld, "planted", 600, 0), HostSchedule(0.0))


class CountingWorld:
    """A world that counts its requests for pages."""

    name = "counted"

    def __init__(self, inside: World) -> None:
        self.inside, self.requests = inside, Counter[str]()

    def fetch(self, url: str) -> Response | Failure:
        self.requests.update([] if url.endswith("/robots.txt") else [url])
        return self.inside.fetch(url)

    def close(self) -> None:
        self.inside.close()


class Watched(InProcess):
    """Tasks in this process, of which two may be open at once, and which remembers them."""

    def __init__(self, world: World, agent: Agent = AGENT) -> None:
        super().__init__(agent, world)
        self.places = 2
        self.tasks: list[Task] = []

    def start(self, task: Task, counting: Counting, on_reply: OnReply) -> None:
        self.tasks.append(task)
        super().start(task, counting, on_reply)


def crawl(
    path: Path, size: int, runner: Runner, strategy: str = "best_first", per_host: int = 0, pages: int = 60
) -> RoundsCrawl:
    world = SyntheticWorld("planted", 600, 0)
    setup = webs.setup(strategy, tuple(world.seeds))
    object.__setattr__(setup, "per_host", per_host)
    fetching = RoundsFetching(webs.fetcher(world), in_flight=size, runner=runner)
    return RoundsCrawl(setup, fetching, Journal(path), Limits(pages=pages), snapshot_every=20)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["best_first", "evidence_sum"])
def test_rounds_of_one_link_are_the_crawl_of_one_machine(strategy: str, tmp_path: Path) -> None:
    running = crawl(tmp_path / "rounds.sqlite", 1, Watched(SyntheticWorld("planted", 600, 0)), strategy)
    running.begin({})
    steps = list(running.steps())
    found = webs.trace(running)
    running.journal.close()
    assert found == webs.whole(strategy, tmp_path / "one.sqlite")
    assert running.round == len(steps) >= 60


def test_a_round_takes_few_links_of_a_host_and_is_absorbed_whole_before_the_next(tmp_path: Path) -> None:
    runner = Watched(SyntheticWorld("planted", 600, 0))
    running = crawl(tmp_path / "rounds.sqlite", 12, runner, per_host=2, pages=80)
    running.begin({})
    in_flight = [step.in_flight for step in running.steps()]
    chosen = Counter((pick.seq, host(running.state.urls.url(pick.link))) for pick in running.journal.picks())
    rounds = Counter(pick.seq for pick in running.journal.picks())
    running.journal.close()
    assert max(chosen.values()) == 2 and max(rounds.values()) == 12 and len(rounds) == running.round
    assert in_flight.count(0) == running.round and len(runner.tasks) > running.round


@pytest.mark.slow
@pytest.mark.parametrize("cut", [17, 33])
def test_a_killed_crawl_fetches_only_unfinished_partitions_again(cut: int, tmp_path: Path) -> None:
    """No URL of a partition that had ended before the kill is requested again, and the trace is the same."""
    world = CountingWorld(SyntheticWorld("planted", 600, 0))
    whole = crawl(tmp_path / "whole.sqlite", 20, Watched(world), per_host=4)
    whole.begin({})
    list(whole.steps())
    expected = webs.trace(whole)
    whole.journal.close()
    once = Counter(world.requests)
    world.requests.clear()
    killed = crawl(tmp_path / "cut.sqlite", 20, Watched(world), per_host=4)
    killed.begin({})
    for step in killed.steps():
        if step.number == cut:
            break
    left = {killed.state.urls.url(pick.link) for pick in killed.scheduler.in_flight.values()}
    killed.journal.close()
    resumed = crawl(tmp_path / "cut.sqlite", 20, Watched(world), per_host=4)
    resumed.resume()
    list(resumed.steps())
    found = webs.trace(resumed)
    query = "SELECT u.url, p.final_url FROM page p JOIN url u ON u.id = p.link"
    ends = {final for url, final in resumed.journal.query(query) if url in left}
    planned = [event.data["partitions"] for event in resumed.journal.events_of(ROUND)]
    resumed.journal.close()
    assert found == expected
    assert left and {link.url for part in resumed.unfinished for link in part.links} == left
    assert any({part.name for part in resumed.unfinished} <= shares.keys() for shares in planned)
    assert (world.requests - once).keys() <= left | ends


def test_a_strategy_whose_choice_is_a_search_is_refused_by_name() -> None:
    names = [name for name, cls in strategies.STRATEGIES.items() if is_eligible(cls)]
    assert {"best_first", "evidence_sum", "breadth_first", "shark"} <= set(names)
    for name in sorted(strategies.STRATEGIES.keys() - set(names)):
        with pytest.raises(SetupError, match=f"strategy {name} cannot crawl in rounds.*best_first"):
            require_eligible(strategies.get(name), names)
    assert {"fcosa_lg", "wang_landau", "mixture", "gafc", "its"} <= strategies.STRATEGIES.keys() - set(names)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 99)), max_size=60), st.integers(1, 6))
def test_a_host_is_in_one_partition_and_every_link_too(places: list[tuple[int, int]], n: int) -> None:
    links = [Link(i, f"http://h{name}.example/{path}") for i, (name, path) in enumerate(places)]
    parts = by_host(links, n, "1")
    assert sorted(link.number for part in parts for link in part.links) == list(range(len(links)))
    assert max(Counter(name for part in parts for name in part.hosts).values(), default=1) == 1
    assert len(parts) == min(n, len({host(link.url) for link in links})) == len({part.name for part in parts})


class Redirecting:
    """Hosts a and b; half of the pages of a redirect to b. It fails a test in which a task requests two hosts."""

    name = "redirecting"

    def __init__(self) -> None:
        self.allowed: set[str] = set()
        self.requests: list[str] = []

    def fetch(self, url: str) -> Response | Failure:
        assert host(url) in self.allowed, url
        self.requests.append(url)
        if url.endswith("robots.txt"):
            return Response(url, 404, {}, b"")
        if "/moved" in url:
            return Response(url, 301, {"location": url.replace("a.example/moved", "b.example/page")}, b"")
        return Response(url, 200, {"content-type": "text/html"}, b"<title>t</title><p>rain")

    def close(self) -> None:
        pass


class OneHost(Watched):
    """Allows each task the hosts of its partition."""

    def start(self, task: Task, counting: Counting, on_reply: OnReply) -> None:
        assert isinstance(self._world, Redirecting)
        self._world.allowed = set(task.partition.hosts)
        super().start(task, counting, on_reply)


def counting() -> Counting:
    return Counting(Matcher(()), NO_EXTRAS, Scope())


def pool_of(runner: Runner, world: World) -> _RoundPool:
    pool = _RoundPool(Fetcher(world, user_agent=webs.AGENT), HostSchedule(0.0), runner)
    pool.counting = counting
    return pool


def test_a_redirect_to_the_host_of_another_task_is_followed_by_that_host_s_task() -> None:
    world = Redirecting()
    runner = OneHost(world)
    pool = pool_of(runner, world)
    for number, url in enumerate(["http://a.example/1", "http://a.example/moved2", "http://b.example/3"], start=1):
        pool.submit(number, url)
    pool.begin("7", pool.shares("7"))
    done = {one.number: one.record for one in iter(pool.wait, None)}
    assert [task.partition.name for task in runner.tasks] == ["7.1", "7.2", "7.1+1"]
    assert {number: (page.final_url, page.hops) for number, page in done.items()} == {
        1: ("http://a.example/1", ()),
        2: ("http://b.example/page2", ("http://a.example/moved2",)),
        3: ("http://b.example/3", ()),
    }
    assert Counter(world.requests)["http://b.example/robots.txt"] == 1, "its rules are handed to the next task"
    pool.close()


@pytest.mark.slow
def test_a_task_reports_the_pause_after_its_last_request_and_the_next_one_receives_it() -> None:
    world = SyntheticWorld("planted", 600, 0)
    url = world.seeds[0]
    agent = Agent(webs.AGENT, AGENT.open_world, HostSchedule(30.0))
    reply = fetch(Task(Partition("1.1", (Link(1, url),)), robots={}, seconds=1.0), agent, counting(), world)
    assert reply.done == () and 20.0 < reply.pauses[host(url)][0] <= 30.0, "robots.txt was requested"
    runner = Watched(world, agent)
    pool = pool_of(runner, world)
    pool.seconds_left = lambda: 0.5
    for label in ("1", "2"):
        pool.submit(int(label), url)
        pool.begin(label, pool.shares(label))
        assert pool.wait() is None
    pool.close()
    assert runner.tasks[0].pauses == {} and 20.0 < runner.tasks[1].pauses[host(url)][0] <= 30.0


def kill_first(runner: LocalProcesses, killed: list[int]) -> None:
    """Kill the first process of a runner as soon as it has one."""
    while runner.workers[0].process is None or runner.workers[0].process.pid is None:
        time.sleep(0.005)
    killed.append(runner.workers[0].process.pid)
    os.kill(killed[0], signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills a process by SIGKILL")
def test_a_killed_process_costs_no_page(tmp_path: Path) -> None:
    """The trace with --reproducible is that of tasks in this process."""
    expected = crawl(tmp_path / "one.sqlite", 30, Watched(SyntheticWorld("planted", 600, 0)))
    expected.reproducible = True
    runner = LocalProcesses(AGENT, 1)
    running = crawl(tmp_path / "killed.sqlite", 30, runner)
    running.reproducible = True
    for one in (expected, running):
        one.begin({})
    list(expected.steps())
    killed = list[int]()
    killer = threading.Thread(target=kill_first, args=(runner, killed))
    killer.start()
    list(running.steps())
    killer.join()
    found, whole = webs.trace(running), webs.trace(expected)
    for one in (expected, running):
        one.journal.close()
    assert found == whole and len(found) >= 60
    assert [runner.workers[0].process.pid] != killed and not runner.workers[0].process.is_alive()


def test_the_best_links_within_a_budget_by_host_are_those_of_a_full_sort() -> None:
    from crawler.frontier import Frontier, FrontierView
    from crawler.frontier.link_graph import LinkGraph
    from crawler.model import Budget

    rng = np.random.default_rng(5)
    frontier = Frontier()
    hosts = rng.zipf(1.5, 400) % 20
    links = frontier.discover(host=hosts)
    priority = rng.integers(0, 50, 400).astype(float)
    frontier.put(links, priority)
    view = FrontierView(frontier, LinkGraph(), Budget(0, 0))
    for k, most in [(10, 1), (40, 3), (400, 2), (25, 0)]:
        seen, expected = Counter[int](), list[int]()
        for link in np.argsort(-priority, kind="stable").tolist():
            if len(expected) < k and (not most or seen[hosts[link]] < most):
                expected.append(link)
                seen[hosts[link]] += 1
        assert view.within(most).top(k).tolist() == expected
