"""Hubs that grow with a crawl: golden numbers G4, the base set, and what is kept between two iterations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from crawler.frontier import Frontier, FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.model import Budget, Ids, Outcome, PageScore
from crawler.scoring.hubs import GrowingHubs, _base_links
from crawler.strategies.hits import Hits, HitsParameters
from crawler.testing import Conditions, PlantedWeb, Rehearsal
from kg.ranking.hits import hits

G4 = {0: [1, 2], 1: [2], 2: [0], 3: [2]}
"""A -> B, C; B -> C; C -> A; D -> C."""


def graph_of(links: Mapping[int, Sequence[int]], n: int) -> LinkGraph:
    graph = LinkGraph()
    graph.grow(n)
    for source, targets in links.items():
        graph.add(source, targets)
    return graph


def one_host(ids: Ids) -> Ids:
    return np.zeros_like(ids)


def grown(links: Mapping[int, Sequence[int]], n: int, base: str = "all", root: Sequence[int] = ()) -> GrowingHubs:
    hubs = GrowingHubs(base, transverse=False)
    for source, targets in links.items():
        hubs.add_page(source, np.array(targets, dtype=np.int64), source in root, one_host)
    hubs.follow(graph_of(links, n), one_host)
    return hubs


def test_g4_authority_of_links_from_the_hubs_that_contain_them() -> None:
    hubs = grown(G4, 4)
    authority = hubs.authority(graph_of(G4, 4), np.arange(4), one_host)
    assert authority.tolist() == pytest.approx([0.0, 0.382683, 0.923880, 0.0], abs=1e-5)
    assert hubs.state()["hub"].tolist() == pytest.approx([0.707107, 0.5, 0.0, 0.5], abs=1e-5)


def test_which_links_take_part() -> None:
    """0 is the root; 1 it links to; 2 links to it; 3 is linked to by 1 and 4 links to 1, so both stay out."""
    edges = [(0, 1), (2, 0), (2, 1), (1, 3), (4, 1), (4, 0)]
    source, target = np.array(edges).T
    root = np.array([True, False, False, False, False])
    assert _base_links(source, target, root, "kleinberg").tolist() == [True, True, True, False, True, True]
    assert _base_links(source[:5], target[:5], root, "kleinberg").tolist() == [True, True, True, False, False]
    assert _base_links(source, target, root, "root").tolist() == [True, False, False, False, False, False]
    assert _base_links(source, target, root, "all").all()
    assert not _base_links(source, target, np.zeros(5, dtype=np.bool_), "kleinberg").any()


@pytest.mark.parametrize("base", ["root", "kleinberg"])
def test_pages_off_the_topic_do_not_make_hubs(base: str) -> None:
    """Two communities of one shape; the pages of the second are not in the root set."""
    links = {0: [1, 2, 3], 1: [2, 3], 10: [11, 12, 13], 11: [12, 13]}
    hubs, graph = grown(links, 14, base, root=[0, 1]), graph_of(links, 14)
    authority = hubs.authority(graph, np.arange(14), one_host)
    assert (authority[[2, 3]] > 0.5).all()
    assert authority[10:].tolist() == [0.0] * 4
    whole = grown(links, 14).authority(graph, np.arange(14), one_host)
    assert whole[12] == pytest.approx(whole[2])


def test_transverse_links_only() -> None:
    """Even and odd ids are two hosts: 0 -> 2 and 4 -> 2 are intrinsic and count for nothing, 0 -> 1 counts."""

    def host(ids: Ids) -> Ids:
        return ids % 2

    links = {0: [1, 2], 4: [2]}
    hubs, graph = GrowingHubs("all", transverse=True), graph_of(links, 5)
    for _ in range(2):  # once before and once after the iteration
        for source, targets in links.items():
            hubs.add_page(source, np.array(targets), False, host)
        hubs.follow(graph, host)
        assert hubs.authority(graph, np.array([1, 2]), host).tolist() == pytest.approx([1.0, 0.0])
        assert hubs.state()["hub"].tolist() == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0])


def test_a_new_page_has_one_step_of_the_iteration_until_it_is_repeated() -> None:
    hubs = grown(G4, 5)
    graph = graph_of({**G4, 4: [1, 2]}, 5)
    hubs.add_page(4, np.array([1, 2]), False, one_host)
    exact = hits(4, *np.array([(s, t) for s, ts in G4.items() for t in ts]).T)
    step = (exact.authority[1] + exact.authority[2]) / np.linalg.norm([1.306563, 0.923880, 0.0, 0.923880])
    assert hubs.state()["hub"][4] == pytest.approx(step, abs=1e-4)
    hubs.follow(graph, one_host)  # more than a tenth more links
    everything = hits(5, graph.source, graph.target)
    assert hubs.state()["hub"].tolist() == pytest.approx(everything.hub.tolist(), abs=1e-4)


def test_little_growth_does_not_iterate() -> None:
    links = {page: [100 + page, 101 + page] for page in range(30)}
    hubs = grown(links, 200)
    before = hubs.state()["authority"].tolist()
    hubs.add_page(50, np.array([100]), False, one_host)
    hubs.follow(graph_of({**links, 50: [100]}, 200), one_host)
    assert hubs.state()["authority"].tolist() == before


def test_a_part_that_becomes_denser_wins_over_the_start() -> None:
    """The warm start must not keep all weight in the part that was the densest at first."""
    small = {0: [1, 2]}
    hubs = grown(small, 40)
    dense = {**small, **{page: list(range(20, 30)) for page in range(10, 15)}}
    for page in range(10, 15):
        hubs.add_page(page, np.arange(20, 30), False, one_host)
    graph = graph_of(dense, 40)
    hubs.follow(graph, one_host)
    authority = hubs.authority(graph, np.array([1, 20]), one_host)
    assert authority[1] > 0.3 and authority[0] < 1e-3


def test_the_crawler_s_root_set_are_pages_over_sigma() -> None:
    strategy, graph, frontier = Hits(HitsParameters(sigma=0.5)), graph_of({0: [2], 1: [3]}, 4), Frontier()
    frontier.discover(host=[0.0] * 4)
    for link, R in ((0, 0.6), (1, 0.5)):
        score = PageScore({"TK": R}, R, False)
        strategy.tell([Outcome(link, score, out_links=np.array(graph.target[[link]]))])
    view = FrontierView(frontier, graph, Budget(2, 10))
    assert strategy.priority(view, np.array([2, 3])).tolist() == [1.0, 0.0]
    assert strategy.priority(view, np.array([0])).tolist() == [1.0]  # a seed


def test_late_and_reordered_outcomes_leave_what_one_iteration_of_all_gives() -> None:
    web = PlantedWeb.plant(2)
    crawl = Rehearsal(
        Hits(HitsParameters(base="all")), web, 0, 90, Conditions(in_flight=16, reorder=True, failures=0.2)
    )
    crawl.run()
    hubs = crawl.strategy._hubs  # type: ignore[attr-defined]
    hubs._links = 0  # as if the graph had grown
    hubs.follow(crawl.scheduler.graph, one_host)
    exact = hits(crawl.scheduler.graph.n, crawl.scheduler.graph.source, crawl.scheduler.graph.target)
    assert hubs.state()["hub"].tolist() == pytest.approx(exact.hub.tolist(), abs=1e-4)


def test_a_saved_state_goes_on() -> None:
    hubs, again = grown(G4, 5), GrowingHubs("all", transverse=False)
    again.restore(hubs.state())
    for each in (hubs, again):
        each.add_page(4, np.array([1, 2]), False, one_host)
    assert {k: np.asarray(v).tolist() for k, v in hubs.state().items()} == {
        k: np.asarray(v).tolist() for k, v in again.state().items()
    }
