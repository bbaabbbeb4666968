"""The seam of population methods: generations wait, are picked one by one, and end a crawl where none can be formed."""

from __future__ import annotations

import numpy as np

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Budget, Floats, Ids
from crawler.strategies.generations import Generations, objectives, queued_of, top_part
from crawler.strategies.one_by_one import Chosen
from crawler.testing import view_of


class Threes(Generations):
    """Generations of three, best first, until so many were formed."""

    name = "threes"
    limit = 100

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        return np.zeros(len(links))

    def form(self, view: FrontierView, rng: np.random.Generator, taken: Ids) -> list[Chosen]:
        if self._generation == self.limit:
            return []
        return [(link, {"first": False}) for link in top_part(view, 3, taken).tolist()]


def web(n: int) -> tuple[Frontier, FrontierView]:
    """Links 0 .. n-1, the first the best."""
    frontier, graph = Frontier(), LinkGraph()
    ids = frontier.discover(host=[0.0] * n)
    graph.grow(n)
    frontier.put(ids, np.arange(n, 0, -1, dtype=np.float64))
    return frontier, FrontierView(frontier, graph, Budget(0, 0))


RNG = np.random.default_rng(0)


def test_a_generation_is_picked_before_the_next_is_formed() -> None:
    frontier, view = web(8)
    strategy = Threes()
    first = strategy.choose(view, RNG, 2)
    frontier.take(first.link)
    best = frontier.discover(host=[0.0])
    frontier.put(best, np.array([99.0]))  # better than all, but it comes too late for this generation
    second = strategy.choose(view, RNG, 2)
    assert first.link.tolist() == [0, 1]
    assert second.link.tolist() == [2, 8]
    assert [move["generation"] for move in (*first.move, *second.move)] == [1, 1, 1, 2]
    assert (*first.tag, *second.tag) == (0, 1, 2, 3)


def test_one_call_may_take_several_generations_and_no_link_twice() -> None:
    _, view = web(8)
    picks = Threes().choose(view, RNG, 100)
    assert picks.link.tolist() == list(range(8))
    assert [move["generation"] for move in picks.move] == [1, 1, 1, 2, 2, 2, 3, 3]


def test_a_member_that_left_the_queue_is_passed() -> None:
    frontier, view = web(4)
    strategy = Threes()
    frontier.take(strategy.choose(view, RNG, 1).link)
    frontier.take(np.array([1]))  # a redirect led there
    assert strategy.choose(view, RNG, 1).link.tolist() == [2]


def test_no_generation_is_the_end() -> None:
    frontier, view = web(8)
    strategy = Threes()
    strategy.limit = 1
    picks = strategy.choose(view, RNG, 5)
    frontier.take(picks.link)
    assert picks.link.tolist() == [0, 1, 2]
    assert len(strategy.choose(view, RNG, 5)) == 0


def test_no_generation_is_formed_beyond_the_limit() -> None:
    frontier, view = web(8)
    strategy = Threes()
    limited, larger = (FrontierView(frontier, view.graph, Budget(0, 0, generations)) for generations in (2, 3))
    picks = strategy.choose(limited, RNG, 100)
    assert [move["generation"] for move in picks.move] == [1, 1, 1, 2, 2, 2]
    frontier.take(picks.link)
    assert len(strategy.choose(limited, RNG, 100)) == 0
    assert strategy.generation == 2
    assert strategy.choose(larger, RNG, 100).link.tolist() == [6, 7]


def test_those_that_wait_are_saved() -> None:
    frontier, view = web(8)
    one, two = Threes(), Threes()
    frontier.take(one.choose(view, RNG, 1).link)
    two.restore(one.state())
    picks = [strategy.choose(view, RNG, 4) for strategy in (one, two)]
    assert picks[0].link.tolist() == picks[1].link.tolist() == [1, 2, 3, 4]
    assert (picks[0].tag, picks[0].move) == (picks[1].tag, picks[1].move)


def test_parts_of_the_queue() -> None:
    _, view = web(6)
    assert top_part(view, 2, np.array([0, 2])).tolist() == [1, 3]
    assert queued_of(view, np.array([5, 1, 5, 3]), np.array([3])).tolist() == [1, 5]


def test_objectives_of_seeds_are_1() -> None:
    names = ("anchor:TK", "parents:TK")
    columns = {"anchor:TK": [0.2, 0.4], "parents:TK": [0.6, 0.8]}
    known, seeds = view_of(columns, [1.0] * 2), view_of(columns, [1.0] * 2, seeds=True)
    assert objectives(known, known.links, names).tolist() == [[0.2, 0.6], [0.4, 0.8]]
    assert objectives(seeds, seeds.links, names).tolist() == [[1.0, 1.0], [1.0, 1.0]]
