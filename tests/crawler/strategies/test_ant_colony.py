"""Pheromone, the ants' draws, and the crawlers MOACO and OLMOACO."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy.stats import chisquare

from crawler.frontier import FrontierView
from crawler.kernels.pheromone import Pheromone
from crawler.model import Outcome, PageScore
from crawler.strategies.ant_colony import Moaco, MoacoParameters, Olmoaco
from crawler.testing import Conditions, PlantedWeb, Rehearsal, view_of


def queue(f: Sequence[float], priority: Sequence[float] | None = None) -> FrontierView:
    """Links whose three objectives are equal."""
    columns = {f"{name}:GTK": list(f) for name in ("anchor", "parents", "target")}
    return view_of(columns, list(f) if priority is None else priority)


def told(link: int, R: float, out_links: Sequence[int]) -> Outcome:
    return Outcome(link, PageScore({"TK": 0.0, "GTK": R}, R, True), out_links=np.array(out_links, dtype=np.int64))


# ---- pheromone


def test_evaporation_as_if_it_were_done_at_every_generation() -> None:
    rng, rho, tau_min = np.random.default_rng(0), 0.1, 0.2
    pheromone, naive = Pheromone(1.0, rho, tau_min), dict[int, float]()
    for generation in range(40):
        naive = {link: max((1 - rho) * tau, tau_min) for link, tau in naive.items()} if generation else naive
        links, amount = rng.choice(12, 3, replace=False), float(rng.random())
        pheromone.deposit(links, amount, generation)
        naive.update({int(link): naive.get(int(link), 1.0) + amount for link in links})
    known = np.array(sorted(naive))
    assert pheromone.level(known, 39).tolist() == pytest.approx([naive[link] for link in known.tolist()])


def test_a_link_that_nothing_was_left_on_has_tau_0_at_any_time() -> None:
    pheromone = Pheromone(0.7, 0.5, 0.1)
    assert pheromone.level(np.array([3, 8]), 0).tolist() == pheromone.level(np.array([3, 8]), 50).tolist() == [0.7] * 2


def test_the_lower_bound_does_not_raise_a_smaller_tau_0() -> None:
    pheromone = Pheromone(0.05, 0.5, 0.1)
    pheromone.deposit(np.array([0]), 0.0, 0)
    assert pheromone.level(np.array([0]), 90).tolist() == [0.05]


def test_deposits_of_a_saved_state_go_on() -> None:
    one, two = Pheromone(1.0, 0.1, 0.1), Pheromone(1.0, 0.1, 0.1)
    one.deposit(np.array([2, 5]), 0.3, 1)
    two.restore(one.state())
    for pheromone in (one, two):
        pheromone.deposit(np.array([5, 9]), 0.5, 4)
    links = np.arange(12)
    assert one.level(links, 6).tolist() == two.level(links, 6).tolist()


# ---- the ants


@pytest.mark.slow
def test_ants_draw_by_pheromone_and_relevance() -> None:
    """Frequencies of p(l) ~ tau^a eta^b by chi-square, while the queue still has weights of before evaporation."""
    strategy = Moaco(MoacoParameters(n_a=1, K=1, tries=60, tau_min=0.0))
    strategy.tell([told(9, 1.0, [0]), told(9, 0.5, [1])])  # tau = 2, 1.5, then 1 for link 2
    eta = np.array([0.3, 0.6, 0.9, 0.5])
    view = queue(eta.tolist(), strategy.priority(queue(eta.tolist()), np.arange(4)).tolist())
    strategy._generation = 5  # the weights in the queue are too high by now, but for links 2 and 3
    tau = np.array([2.0 * 0.9**5, 1.5 * 0.9**5, 1.0, 1.0])
    rng, counts = np.random.default_rng(2), np.zeros(4)
    for _ in range(4000):
        counts[strategy._ants(view, rng, np.empty(0, dtype=np.int64))] += 1
    p = tau * eta**2
    assert counts.sum() == 4000
    assert chisquare(counts, 4000 * p / p.sum()).pvalue > 0.001


def test_where_nothing_weighs_ants_draw_uniformly() -> None:
    strategy, view, rng = Moaco(MoacoParameters(n_a=1, K=1)), queue([0.0] * 5), np.random.default_rng(3)
    counts = np.zeros(5)
    for _ in range(2000):
        found = strategy._ants(view, rng, np.array([4]))
        assert found.tolist() != [4]
        counts[found] += 1
    assert counts[4] == 0
    assert chisquare(counts[:4]).pvalue > 0.001


def test_only_pareto_optimal_links_of_a_generation_are_fetched() -> None:
    columns = {"anchor:GTK": [0.9, 0.1, 0.5, 0.5], "parents:GTK": [0.1, 0.9, 0.5, 0.4], "target:GTK": [0.5] * 4}
    view = view_of(columns, [0.5] * 4)
    strategy, rng = Moaco(MoacoParameters(n_a=200)), np.random.default_rng(0)
    picks = strategy.choose(view, rng, 3)
    assert sorted(picks.link.tolist()) == [0, 1, 2]
    assert [move["generation"] for move in picks.move] == [1, 1, 1]
    assert all(move["drawn"] == 4 for move in picks.move)


def test_links_of_good_pages_are_preferred() -> None:
    """Equal in all else, the links that a good page contains are drawn more often than new ones."""
    strategy, rng = Moaco(MoacoParameters(n_a=1, K=1)), np.random.default_rng(5)
    strategy.tell([told(9, 0.9, [0])])
    view = queue([0.5, 0.5], strategy.priority(queue([0.5, 0.5]), np.arange(2)).tolist())
    first = [int(strategy._ants(view, rng, np.empty(0, dtype=np.int64))[0]) for _ in range(600)]
    assert np.mean(np.array(first) == 0) == pytest.approx(1.9 / 2.9, abs=0.07)


def test_deposits_do_not_depend_on_the_order_of_outcomes_within_a_generation() -> None:
    outcomes = [told(20, 0.9, [0, 1]), told(21, 0.4, [1, 2]), Outcome(22, None, failure="timeout")]
    levels = []
    for order in (outcomes, outcomes[::-1]):
        strategy = Moaco()
        strategy.tell(order)
        levels.append(strategy._pheromone.level(np.arange(4), 1).tolist())
    assert levels[0] == pytest.approx(levels[1])
    assert levels[0] == pytest.approx([1.9 * 0.9, 2.3 * 0.9, 1.4 * 0.9, 1.0])


def test_weights_of_queued_links_are_never_below_what_they_are_now() -> None:
    """What the rejection of draws rests on, in a crawl with 16 in flight."""
    crawl = Rehearsal(Moaco(), PlantedWeb.plant(1), 0, 200, Conditions(in_flight=16, reorder=True)).run(98)
    queued = crawl.scheduler.frontier.queued()
    then = crawl.scheduler.frontier.priority(queued)
    now = crawl.strategy.priority(crawl.scheduler.view(), queued)
    assert (now <= then + 1e-12).all()
    assert (now < then - 1e-6).any()


def test_olmoaco_is_moaco_by_another_topic() -> None:
    assert Olmoaco.features == Moaco.features == ("anchor:GTK", "parents:GTK", "target:GTK")
    assert Olmoaco.name != Moaco.name
