"""Fish-Search and Shark-Search: golden numbers G15, depths, and what a link keeps of several parents."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crawler.frontier import FrontierView
from crawler.model import Outcome, PageScore
from crawler.scoring.shark import inherited, potential
from crawler.strategies.fish_shark import Fish, FishParameters, Shark, SharkParameters
from crawler.strategies.school import School
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of


def page(link: int, R: float, out: Sequence[int]) -> Outcome:
    return Outcome(link, PageScore({"TK": R}, R, False), out_links=np.array(out, dtype=np.int64))


def links(n: int, anchor: float = 0.0, context: float = 0.0) -> FrontierView:
    return view_of({"anchor:TK": [anchor] * n, "context:TK": [context] * n}, [0.0] * n)


def admitted(strategy: School, n: int) -> list[bool]:
    view = links(n)
    answer: list[bool] = strategy.admit(view, view.links).tolist()
    return answer


# ---- Shark


@pytest.mark.parametrize(
    ("sim", "of_parent", "anchor", "context", "expected"),
    [(0.6, 0.0, 0.0, 0.3, 0.252), (0.6, 0.0, 0.5, 0.3, 0.36), (0.0, 0.3, 0.0, 0.0, 0.12)],
)
def test_g15_shark(sim: float, of_parent: float, anchor: float, context: float, expected: float) -> None:
    handed = np.array([inherited(sim, of_parent, 0.5)])
    found = potential(handed, np.array([anchor]), np.array([context]), beta=0.8, gamma=0.8)
    assert found[0] == pytest.approx(expected)


def test_g15_by_the_crawler() -> None:
    """The same through tell and priority: the third page inherits .15 of a page that inherited .3 from one of .6."""
    shark = Shark()
    shark.tell([page(0, 0.6, [1, 2]), page(1, 0.0, [3])])
    assert shark.priority(v := links(4, context=0.3), v.links)[2] == pytest.approx(0.252)
    assert shark.priority(v := links(4, anchor=0.5), v.links)[2] == pytest.approx(0.36)
    assert shark.priority(v := links(4), v.links)[3] == pytest.approx(0.12)


def test_a_shark_link_keeps_the_best_of_its_parents() -> None:
    shark = Shark()
    shark.tell([page(0, 0.2, [9]), page(1, 0.9, [9]), page(2, 0.4, [9])])
    assert shark.priority(v := links(10), v.links)[9] == pytest.approx(0.8 * 0.5 * 0.9)


# ---- depth


@pytest.mark.parametrize("strategy", [Fish(FishParameters(D=2)), Shark(SharkParameters(D=2))], ids=["fish", "shark"])
def test_a_school_dies_out_after_d_irrelevant_pages(strategy: School) -> None:
    strategy.tell([page(0, 0.0, [1])])
    assert admitted(strategy, 2)[1]
    strategy.tell([page(1, 0.0, [2])])
    assert not admitted(strategy, 3)[2]
    strategy.tell([page(5, 1.0, [2])])  # offered again by a relevant page
    assert admitted(strategy, 3)[2]
    strategy.tell([page(2, 0.0, [3])])
    assert admitted(strategy, 4)[3]


@pytest.mark.parametrize("parents", [(0.0, 1.0), (1.0, 0.0)])
def test_a_link_keeps_the_larger_depth_of_its_parents(parents: tuple[float, float]) -> None:
    fish = Fish(FishParameters(D=2))
    fish.tell([page(number, R, [5]) for number, R in enumerate(parents)])
    fish.tell([page(5, 0.0, [6])])  # 5 has depth 2, so 6 has 1
    assert admitted(fish, 7)[6]


# ---- Fish


def test_scores_of_fish() -> None:
    fish = Fish(FishParameters(width=2, a=1.5))
    fish.tell([page(0, 0.8, [2, 3, 4, 5]), page(1, 0.7, [6, 7, 8])])  # relevant is R > sigma, strictly
    assert fish.priority(v := links(9), v.links)[2:].tolist() == [1.0, 1.0, 1.0, 0.0, 0.5, 0.5, 0.0]


def test_a_fish_link_keeps_the_best_of_its_parents() -> None:
    fish = Fish(FishParameters(width=1))
    fish.tell([page(0, 0.9, [4]), page(1, 0.1, [4]), page(2, 0.1, [5]), page(3, 0.9, [5])])
    assert fish.priority(v := links(6), v.links)[4:].tolist() == [1.0, 1.0]


def test_a_page_that_died_out_and_that_another_member_fetched_is_no_seed() -> None:
    """In a mixture: 5 has depth 0 and is not listed; its links are not either, unless it is relevant."""
    for R, listed in ((0.0, False), (0.9, True)):
        fish = Fish(FishParameters(D=1))
        fish.tell([page(4, 0.0, [5])])
        assert fish.admit(v := links(8), v.links)[5:].tolist() == [False] * 3
        fish.tell([page(5, R, [6])])
        assert fish.admit(v, v.links)[6:].tolist() == [listed, False]


def test_a_failure_tells_nothing() -> None:
    fish = Fish()
    fish.tell([Outcome(0, None, failure="timeout", tag=0)])
    assert fish.state()["depth"].tolist() == []


def test_late_and_reordered_outcomes_leave_the_scores_of_the_graph() -> None:
    """16 in flight: a link's score follows from the fetched pages that contain it, whatever the order."""
    web = PlantedWeb.plant(1)
    crawl = Rehearsal(
        Fish(FishParameters(width=10)), web, 0, 120, Conditions(in_flight=16, reorder=True, failures=0.2)
    ).run()
    queued = crawl.scheduler.frontier.queued()
    found = crawl.strategy.priority(crawl.scheduler.view(), queued)
    for link, score in zip(queued.tolist(), found.tolist(), strict=True):
        parents = crawl.scheduler.graph.parents(link)
        seen = [1.0 if web.R["TK"][crawl.page_of[parent]] > 0.7 else 0.5 for parent in parents]
        assert score == max(seen, default=1.0)  # no page of this web has more than width links; a seed has 1


def test_a_state_goes_on_as_if_nothing_had_happened() -> None:
    whole, resumed = Shark(), Shark()
    whole.tell([page(0, 0.6, [1, 2])])
    resumed.restore(whole.state())
    for shark in (whole, resumed):
        shark.tell([page(1, 0.0, [3])])
    view = links(4)
    assert whole.priority(view, view.links).tolist() == resumed.priority(view, view.links).tolist()
    assert {k: np.asarray(x).tolist() for k, x in whole.state().items()} == {
        k: np.asarray(x).tolist() for k, x in resumed.state().items()
    }


@pytest.mark.parametrize(("a", "width", "first"), [(1.5, 5, 7), (1.0, 5, 5), (1.9, 1, 1), (0.5, 1, 0)])
def test_at_most_a_times_width_links_of_a_relevant_page_come_first(a: float, width: int, first: int) -> None:
    fish = Fish(FishParameters(a=a, width=width))
    fish.tell([page(0, 0.9, list(range(1, 21)))])
    assert fish.priority(v := links(21), v.links)[1:].tolist() == [1.0] * first + [0.0] * (20 - first)
