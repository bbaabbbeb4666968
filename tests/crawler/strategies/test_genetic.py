"""Niches and operators (golden numbers G13), and the crawlers GAFC and adaptive_ga."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.kernels.genetic_operators import crossover, mutation
from crawler.kernels.niches import share, survivors
from crawler.kernels.page_links import PageLinks
from crawler.model import Budget, Outcome, PageScore
from crawler.strategies.adaptive_genetic import AdaptiveGa, AdaptiveParameters, aged, between
from crawler.strategies.genetic import Gafc, GafcParameters
from crawler.testing import view_of

# ---- niches


@pytest.mark.parametrize(("n", "dropped"), [(1, 0), (9, 0), (10, 1), (25, 2), (100, 10)])
def test_g13_a_tenth_of_a_niche_is_rounded_down(n: int, dropped: int) -> None:
    rng = np.random.default_rng(n)
    S = rng.permutation(n) / n
    left = survivors(np.zeros(n, dtype=np.int64), S, 0.1)
    assert len(left) == n - dropped
    assert set(S[left].tolist()) == set(np.sort(S)[dropped:].tolist())


def test_shares_do_not_suffer_from_rounding_of_floats() -> None:
    assert [share(100, 0.29), share(10, 0.7), share(3, 1.0), share(5, 0.0)] == [29, 7, 3, 0]
    assert [share(100, 0.29, "ceil"), share(9, 0.1, "ceil"), share(0, 0.1, "ceil")] == [29, 1, 0]


def test_niches_compete_within_themselves() -> None:
    """The worst of a good niche goes, though all of a bad niche are worse."""
    niche = np.array([7, 3, 7, 3, 7, 3])
    S = np.array([0.9, 0.1, 0.8, 0.2, 0.7, 0.3])
    assert survivors(niche, S, 0.34).tolist() == [0, 2, 3, 5]
    assert survivors(niche, S, 0.1, "ceil").tolist() == [0, 2, 3, 5]
    assert survivors(niche, S, 0.1).tolist() == list(range(6))


def test_of_equals_the_later_goes() -> None:
    assert survivors(np.zeros(4, dtype=np.int64), np.full(4, 0.5), 0.25).tolist() == [0, 1, 2]


def test_rounding_up_deletes_niches_of_one() -> None:
    assert survivors(np.arange(3), np.ones(3), 0.1, "ceil").tolist() == []


# ---- operators


def test_crossover_takes_the_best_c() -> None:
    S = np.array([0.2, 0.9, 0.5, 0.9, 0.1])
    assert crossover(S, 0.6).tolist() == [1, 3, 2]
    assert crossover(S, 0.1).tolist() == []
    assert crossover(np.empty(0), 0.6).tolist() == []


def test_mutation_samples_evenly_without_replacement() -> None:
    rng, links, counts = np.random.default_rng(0), np.arange(10) * 3, np.zeros(30)
    for _ in range(2000):
        sample = mutation(rng, links, 0.4)
        assert len(np.unique(sample)) == len(sample) == 4
        counts[sample] += 1
    assert counts.sum() == counts[links].sum() == 8000
    assert (np.abs(counts[links] - 800) < 5 * np.sqrt(2000 * 0.4 * 0.6)).all()
    assert mutation(rng, links[:0], 0.4).tolist() == []


def test_siblings_stand_on_pages_that_point_to_the_page() -> None:
    graph, kept = LinkGraph(), PageLinks()
    graph.grow(9)
    for page, links in {0: [1, 2, 3], 4: [3, 5], 6: [7, 8]}.items():
        graph.add(page, links)
        kept.add(page, np.array(links))
    again = PageLinks()
    again.restore(kept.state())
    for each in (kept, again):
        assert each.siblings(graph, np.array([3])).tolist() == [1, 2, 3, 5]
        assert each.siblings(graph, np.array([1, 7])).tolist() == [1, 2, 3, 7, 8]
        assert each.siblings(graph, np.array([0])).tolist() == []  # a seed: nothing points to it


def test_links_of_no_pages_are_saved_too() -> None:
    again = PageLinks()
    again.restore(PageLinks().state())
    again.add(0, np.array([], dtype=np.int64))
    again.restore(again.state())
    assert again.siblings(LinkGraph(), np.array([], dtype=np.int64)).tolist() == []


# ---- the crawlers


class Web:
    """Pages and queued links with a predicted S and a host each; page 0 is a seed that was fetched."""

    def __init__(self, S: Sequence[float], host: Sequence[int] | None = None) -> None:
        self.graph, self.frontier = LinkGraph(), Frontier(("target:TK",))
        self.ids = self.frontier.discover(
            host=np.array(host if host is not None else [0] * len(S), dtype=np.float64),
            directory=np.arange(len(S), dtype=np.float64),
            step=np.zeros(len(S)),
        )
        self.graph.grow(len(S))
        self.frontier.set_feature("target:TK", self.ids, np.array(S, dtype=np.float64))
        self.strategy: Gafc = Gafc()

    def fetch(self, page: int, S: float, links: Sequence[int]) -> None:
        self.graph.add(page, links)
        R = {"TK": S}
        outcome = Outcome(page, PageScore(R, S, True), out_links=np.array(links, dtype=np.int64))
        self.strategy.tell([outcome])
        new = np.array(links, dtype=np.int64)
        self.frontier.put(new, self.strategy.priority(self.view(), new))

    def view(self, budget: Budget = Budget(1, 100)) -> FrontierView:  # noqa: B008 - a frozen value
        return FrontierView(self.frontier, self.graph, budget)

    def generation(self, seed: int = 0) -> list[int]:
        rng, nothing = np.random.default_rng(seed), np.empty(0, dtype=np.int64)
        return [link for link, _ in self.strategy.form(self.view(), rng, nothing)]


def test_the_best_links_of_hubs_breed() -> None:
    """A hub has more than URL_NUMBER links. Of 20 links the best 12 cross over; 10 % of 12 are knocked out."""
    web = Web([0.0, *(np.arange(20) / 20)])
    web.fetch(0, 0.5, list(range(1, 21)))
    assert web.generation() == list(range(20, 9, -1))


@pytest.mark.parametrize(("breeders", "bred"), [("hubs", False), ("relevant", True)])
def test_step_4_speaks_of_hubs_and_fig_1_of_all_relevant_pages(breeders: str, bred: bool) -> None:
    web = Web([0.0] + [0.5] * 5)
    web.strategy = Gafc(GafcParameters(breeders=breeders, extinction="printed", pm=0.0))
    web.strategy._generation = 1
    web.fetch(0, 0.5, [1, 2, 3, 4, 5])
    assert len(web.generation()) == (3 if bred else 0)


@pytest.mark.parametrize(("S", "relevant"), [(0.05, False), (0.051, True)])
def test_a_page_breeds_over_s0(S: float, relevant: bool) -> None:
    web = Web([0.0] + [0.5] * 5)
    web.strategy = Gafc(GafcParameters(extinction="printed", breeders="relevant"))
    web.strategy._generation = 1
    web.fetch(0, S, [1, 2, 3, 4, 5])
    assert bool(web.generation()) == relevant


def test_mutation_brings_links_beside_authorities() -> None:
    """Page 1 is an authority on page 0, which is not relevant; the other links of page 0 are its siblings."""
    web = Web([0.0] + [0.5] * 6)
    web.strategy = Gafc(GafcParameters(breeders="hubs", pm=1.0, extinction="printed"))
    web.strategy._generation = 1
    web.fetch(0, 0.0, [1, 2, 3])
    web.frontier.take(np.array([1]))
    web.fetch(1, 0.9, [4, 5, 6])
    assert sorted(web.generation()) == [2, 3]


def test_niches_are_hosts_or_directories() -> None:
    for niche, left in (("host", 9), ("directory", 10)):
        web = Web([0.0] + [0.5] * 10, [0] + [4] * 10)
        web.strategy = Gafc(GafcParameters(pc=1.0, niche=niche, breeders="relevant"))
        web.fetch(0, 0.5, list(range(1, 11)))
        assert len(web.generation()) == left


def test_a_generation_is_forgotten_when_the_next_is_formed() -> None:
    web = Web([0.0] + [0.5] * 5)
    web.strategy = Gafc(GafcParameters(extinction="printed", breeders="relevant"))
    web.fetch(0, 0.5, [1, 2, 3, 4, 5])
    web.strategy._generation = 1
    assert web.generation()
    assert web.generation() == []


def test_where_no_page_bred_immigrants_come_in_or_the_crawl_ends() -> None:
    rng = np.random.default_rng(0)
    web = Web([0.0, 0.1, 0.3, 0.2])
    web.fetch(0, 0.0, [1, 2, 3])
    web.strategy._generation = 1
    picks = web.strategy.choose(web.view(), rng, 2)
    assert picks.link.tolist() == [2, 3] and picks.move[0]["immigrants"]
    web.strategy = Gafc(GafcParameters(extinction="printed"))
    web.strategy._generation = 1
    assert len(web.strategy.choose(web.view(), rng, 2)) == 0


def test_the_values_of_section_4() -> None:
    p = GafcParameters()
    assert (p.pc, p.pm, p.pn, p.S0, p.url_number, p.immigrants) == (0.6, 0.4, 0.1, 0.05, 15, 20)
    assert p.breeders == AdaptiveParameters().breeders == "hubs"  # step 4


# ---- adaptive_ga


def test_rates_and_fitness_change_with_time() -> None:
    assert [between(0.6, 0.4, t) for t in (0.0, 0.5, 1.0)] == pytest.approx([0.6, 0.5, 0.4])
    S, found = np.full(4, 0.8), np.array([100, 50, 0, 0])
    assert aged(S, found, 100, 0.5).tolist() == pytest.approx([0.8, 0.6, 0.4, 0.4])
    assert aged(S, np.zeros(4, dtype=np.int64), 0, 0.5).tolist() == pytest.approx([0.4] * 4)


def test_the_crawl_goes_from_depth_to_breadth() -> None:
    strategy = AdaptiveGa(AdaptiveParameters(pc=0.8, pc_end=0.2, pm=0.1, pm_end=0.7))
    web = Web([0.0, 0.5])
    assert strategy.rates(web.view(Budget(0, 100))) == pytest.approx((0.8, 0.1))
    assert strategy.rates(web.view(Budget(50, 100))) == pytest.approx((0.5, 0.4))
    assert strategy.rates(web.view(Budget(50, 0))) == pytest.approx((0.8, 0.1))  # no limit, no time


def test_an_old_link_gives_way_to_a_new_one_of_equal_relevance() -> None:
    web = Web([0.0, 0.5, 0.5])
    web.fetch(0, 0.5, [1, 2])
    web.frontier._columns["step"].set(np.array([2]), np.array([40.0]))
    old, new = AdaptiveGa().priority(web.view(Budget(40, 100)), np.array([1, 2])).tolist()
    assert (old, new) == pytest.approx((0.35, 0.5))


def test_steps_1_and_2_all_seeds_are_visited_before_anything_breeds() -> None:
    view, strategy = view_of({"target:TK": [0.5] * 30}, [1.0] * 30, seeds=True), Gafc(GafcParameters(immigrants=5))
    picks = strategy.choose(view, np.random.default_rng(0), 40)
    assert picks.link.tolist() == list(range(30))
    assert all(move["seed"] and move["generation"] == 1 for move in picks.move)


def test_many_niches_at_once_are_each_on_its_own() -> None:
    """Against the steps one niche after the other."""
    rng = np.random.default_rng(4)
    for part, rounding in ((0.1, "floor"), (0.34, "floor"), (0.3, "ceil"), (1.0, "floor"), (0.0, "ceil")):
        niche, S = rng.integers(0, 12, 150), rng.integers(0, 9, 150) / 9
        expected: list[int] = []
        for number in range(12):
            rows = sorted(np.flatnonzero(niche == number).tolist(), key=lambda row: -S[row])
            expected += rows[: len(rows) - share(len(rows), part, rounding)]
        assert survivors(niche, S, part, rounding).tolist() == sorted(expected)
    assert survivors(np.empty(0, dtype=np.int64), np.empty(0), 0.1).tolist() == []
