"""Memory of hosts: its rule, its credit when outcomes come late, and the annealing crawler that uses it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.model import Outcome, PageScore
from crawler.scoring.host_memory import HostMemory, _host_merit
from crawler.strategies import create
from crawler.strategies.cpem import columns
from crawler.strategies.fcsa_host import FcsaHost, FcsaHostParameters
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of


def queue(target: Sequence[float], host: Sequence[int]) -> FrontierView:
    zero = [0.0] * len(host)
    return view_of({**dict.fromkeys(columns("TK"), zero), "target:TK": target}, [0.5] * len(host), host)


def told(memory: HostMemory, host: int, pages: Sequence[bool | None], selection: int = 0) -> None:
    for relevant in pages:
        memory.sent(0, host)
        memory.returned(0, relevant, selection)


def score(R: float) -> PageScore:
    return PageScore({"TK": R}, R, False)


def test_merit_is_the_rule_of_succession() -> None:
    merit = _host_merit(np.array([0, 0, 1, 9, 0]), np.array([0, 1, 1, 10, 98]))
    assert merit.tolist() == pytest.approx([1 / 2, 1 / 3, 2 / 3, 10 / 12, 1 / 100])


def test_pages_of_earlier_crawls_count_as_pages_of_the_host() -> None:
    memory, hosts = HostMemory(w=10, v=50), np.array([3, 4])
    told(memory, 3, [True, False])
    assert memory.merit(hosts, np.array([0.5, 0.0]), np.array([1.0, 8.0])).tolist() == [2.5 / 5, 1 / 10]
    assert memory.merit(hosts).tolist() == [2 / 4, 1 / 2]


def test_a_failure_says_nothing_of_a_host() -> None:
    memory = HostMemory(w=10, v=50)
    told(memory, 3, [True, None, None, True])
    assert memory.merit(np.array([3, 900])).tolist() == [3 / 4, 1 / 2]


def test_a_tag_that_was_never_sent_is_of_no_host() -> None:
    memory = HostMemory(w=1, v=50)
    memory.returned(4, False, 0)
    assert memory.merit(np.array([0])).tolist() == [1 / 2]


def test_w_irrelevant_pages_in_a_row_suspend_a_host_for_v_selections() -> None:
    memory, hosts = HostMemory(w=3, v=5), np.array([0, 70])
    told(memory, 70, [False, False, True, False, False])
    assert memory.suspended(hosts, 0).tolist() == [False, False]
    told(memory, 70, [False], selection=100)
    assert [bool(memory.suspended(hosts, i)[1]) for i in (100, 104, 105)] == [True, True, False]
    assert not memory.suspended(hosts, 100)[0]
    told(memory, 70, [False, False], selection=105)  # its row began anew
    assert not memory.suspended(hosts, 105)[1]
    told(memory, 70, [False], selection=105)
    assert memory.suspended(hosts, 105)[1]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fcsa_host", "fcits_oh"])
def test_late_reordered_and_failed_outcomes_are_credited_to_their_hosts(name: str) -> None:
    """16 in flight: the counts are those of the fetched pages, however their outcomes came."""
    web = PlantedWeb.plant(0)
    crawl = Rehearsal(create(name), web, 0, 150, Conditions(in_flight=16, reorder=True, failures=0.25)).run()
    pages = np.array([crawl.page_of[link] for link in crawl.fetched])
    rel = np.bincount(web.host[pages], web.R["TK"][pages] > 0.7, 20)
    cr = np.bincount(web.host[pages], minlength=20)
    memory = crawl.strategy._memory  # type: ignore[attr-defined]
    assert memory.merit(np.arange(20)).tolist() == pytest.approx(_host_merit(rel, cr).tolist())
    assert len(memory.state()["host_out"]) == len(crawl.scheduler.in_flight)


def test_a_saved_memory_goes_on() -> None:
    whole, resumed = HostMemory(w=2, v=9), HostMemory(w=2, v=9)
    told(whole, 5, [True, False], selection=3)
    whole.sent(7, 5)
    resumed.restore(whole.state())
    for memory in (whole, resumed):
        memory.returned(7, False, 4)
    hosts = np.array([5])
    assert (resumed.merit(hosts)[0], resumed.suspended(hosts, 12)[0], resumed.suspended(hosts, 13)[0]) == (
        0.4,
        True,
        False,
    )
    assert whole.merit(hosts)[0] == 0.4


def test_the_priority_is_eq_12_times_the_merit_of_the_host() -> None:
    strategy, view = FcsaHost(), queue([1.0, 1.0, 0.5], [1, 2, 2])
    assert strategy.priority(view, view.links).tolist() == pytest.approx([0.2, 0.2, 0.1])  # theta = .4
    picks = strategy.choose(view, np.random.default_rng(0), 1)
    strategy.tell([Outcome(0, score(0.9), tag=picks.tag[0])])
    assert picks.link[0] == 0
    assert strategy.priority(view, view.links).tolist() == pytest.approx([0.4 * 2 / 3, 0.2, 0.1])


def test_annealing_compares_what_is_known_of_the_hosts_by_now() -> None:
    """The queue still holds equal priorities; host 1 gave nine relevant pages since."""
    strategy, view = FcsaHost(), queue([1.0] * 10, [1, *[2] * 9])
    told(strategy._memory, 1, [True] * 9)
    strategy.restore({**strategy.state(), "picked": 1})
    picks = [strategy.choose(view, np.random.default_rng(seed), 1).link[0] for seed in range(30)]
    assert np.mean(np.array(picks) == 0) > 0.9


def test_links_of_a_suspended_host_wait() -> None:
    strategy, view = FcsaHost(FcsaHostParameters(w=1, v=5)), queue([1.0, 1.0, 0.1], [1, 1, 2])
    rng = np.random.default_rng(0)
    first = strategy.choose(view, rng, 1)
    assert first.move[0]["host"] == 1
    strategy.tell([Outcome(int(first.link[0]), score(0.1), tag=first.tag[0])])
    hosts = [strategy.choose(view, rng, 1).move[0]["host"] for _ in range(6)]
    assert hosts == [2, 2, 2, 2, 2, 1]


def test_where_all_hosts_are_suspended_the_header_is_taken() -> None:
    strategy, view = FcsaHost(FcsaHostParameters(w=1, v=50)), queue([1.0, 0.9], [1, 1])
    told(strategy._memory, 1, [False])
    strategy.restore({**strategy.state(), "picked": 1})
    assert strategy.choose(view, np.random.default_rng(0), 2).link.tolist() == [0, 1]
