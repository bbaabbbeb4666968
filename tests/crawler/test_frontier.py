"""The frontier against a naive model, its view, and the graph, sets and ids of links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from scipy.stats import chisquare

from crawler import url as urls
from crawler.frontier import Frontier, FrontierView, UndeclaredError
from crawler.frontier.frontier import ranks_within
from crawler.frontier.link_graph import LinkGraph
from crawler.frontier.link_set import LinkSet
from crawler.frontier.queue import Queue, Regions
from crawler.frontier.rescoring import is_due
from crawler.frontier.url_ids import UrlIds
from crawler.journal.snapshot import pack, unpack
from crawler.model import Budget, Ids

PRIORITY = st.sampled_from([-0.5, 0.0, 0.1, 0.1, 0.5, 1.0, 7.0])


def ids(links: list[int]) -> Ids:
    return np.array(links, dtype=np.int64)


def regions(frontier: Frontier) -> Regions:
    return frontier.regions(frontier.hosts)


class FrontierMachine(RuleBasedStateMachine):
    """Discover, put, take, save and restore in any order, beside a dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.frontier = Frontier(("anchor:TK",))
        self.known = 0
        self.queue: dict[int, float] = {}
        self.hosts: list[int] = []
        self.rng = np.random.default_rng(0)
        self.chain: list[bytes] = []

    @rule(hosts=st.lists(st.integers(0, 3), min_size=1, max_size=40))
    def discover(self, hosts: list[int]) -> None:
        new = self.frontier.discover(host=hosts)
        assert new.tolist() == list(range(self.known, self.known + len(hosts)))
        self.known += len(hosts)
        self.hosts += hosts

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def put(self, data: st.DataObject) -> None:
        links = data.draw(st.lists(st.integers(0, self.known - 1), unique=True, max_size=10))
        priority = data.draw(st.lists(PRIORITY, min_size=len(links), max_size=len(links)))
        self.frontier.put(ids(links), np.array(priority, dtype=np.float64))
        self.queue.update(zip(links, priority, strict=True))

    @precondition(lambda self: self.queue)
    @rule(data=st.data())
    def take(self, data: st.DataObject) -> None:
        links = data.draw(st.lists(st.sampled_from(sorted(self.queue)), unique=True, min_size=1, max_size=5))
        self.frontier.take(ids(links))
        for link in links:
            del self.queue[link]

    @rule()
    def save_and_restore(self) -> None:
        fresh = Frontier(("anchor:TK",))
        fresh.restore(self.frontier.state())
        if self.queue:
            drawn = [f.draw(np.random.default_rng(1), 50).tolist() for f in (self.frontier, fresh)]
            assert drawn[0] == drawn[1]
            winners = [regions(f).winner() for f in (self.frontier, fresh)]
            assert winners[0] == winners[1]
            drawn = [regions(f).draw(winners[0], np.random.default_rng(1), 50).tolist() for f in (self.frontier, fresh)]
            assert drawn[0] == drawn[1]
        self.frontier, self.chain = fresh, []

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def set_feature(self, data: st.DataObject) -> None:
        links = data.draw(st.lists(st.integers(0, self.known - 1), unique=True, max_size=10))
        self.frontier.set_feature("anchor:TK", ids(links), self.rng.random(len(links)))
        self.frontier.set_date(ids(links[:2]), 735_180.0)

    @rule(whole=st.booleans(), scored=st.booleans())
    def save_a_chain(self, whole: bool, scored: bool) -> None:
        """Whole, or what changed since the last time; the features of queued links are left out right after scoring."""
        if scored:
            self.frontier.set_feature("anchor:TK", self.frontier.queued(), self.rng.random(len(self.queue)))
        whole = whole or not self.chain
        state = self.frontier.state() if whole else self.frontier.changes(scored)
        self.chain = [pack(state)] if whole else [*self.chain, pack(state)]
        self.frontier.saved(scored and not whole)
        fresh, saved = Frontier(("anchor:TK",)), unpack(*self.chain)
        fresh.restore(saved)
        assert saved["stale"] == (scored and not whole)
        if saved["stale"]:
            queued = fresh.queued()
            fresh.set_feature("anchor:TK", queued, self.frontier.column("anchor:TK", queued))
        assert pack(fresh.state()) == pack(self.frontier.state())

    @precondition(lambda self: self.queue)
    @rule()
    def compete(self) -> None:
        means = {}
        for host in {self.hosts[link] for link in self.queue}:
            weights = {link: max(p, 0.0) for link, p in self.queue.items() if self.hosts[link] == host}
            means[host] = sum(weights.values()) / len(weights)
            allowed = {link for link, p in weights.items() if p > 0.0} or set(weights)
            assert set(regions(self.frontier).draw(host, self.rng, 20).tolist()) <= allowed
        assert means[regions(self.frontier).winner()] == pytest.approx(max(means.values()))

    @precondition(lambda self: self.queue)
    @rule()
    def draw(self) -> None:
        positive = {link for link, p in self.queue.items() if p > 0.0}
        allowed = positive or set(self.queue)
        assert set(self.frontier.draw(self.rng, 30).tolist()) <= allowed

    @invariant()
    def agrees(self) -> None:
        order = sorted(self.queue, key=lambda link: (-self.queue[link], link))
        assert len(self.frontier) == len(self.queue)
        assert self.frontier.queued().tolist() == sorted(self.queue)
        assert self.frontier.top(5).tolist() == order[:5]
        if order:
            assert self.frontier.best() == order[0]
        known = np.arange(self.known)
        assert self.frontier.priority(known).tolist() == [self.queue.get(i, -np.inf) for i in range(self.known)]
        assert self.frontier.is_queued(known).tolist() == [i in self.queue for i in range(self.known)]
        assert self.frontier.column("host", known).tolist() == self.hosts


FrontierMachine.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestFrontierAgainstANaiveModel = FrontierMachine.TestCase


@pytest.mark.parametrize("scored", [False, True])
@pytest.mark.parametrize("rows", [slice(0, 5), slice(0, 900)], ids=["few", "many"])
def test_changed_features_and_priorities_are_in_the_next_snapshot(rows: slice, scored: bool) -> None:
    """1,000 links, of which every third is not queued; each snapshot after the first holds the changes only."""
    rng = np.random.default_rng(3)
    frontier = Frontier(("anchor:TK",))
    links = frontier.discover(host=np.arange(1000) % 7)
    frontier.put(links[links % 3 > 0], rng.random(666))
    chain = [pack(frontier.state())]
    frontier.saved()

    def save(scored: bool) -> None:
        if scored:
            frontier.set_feature("anchor:TK", frontier.queued(), rng.random(len(frontier)))
        chain.append(pack(frontier.changes(scored)))
        frontier.saved(scored)
        fresh = Frontier(("anchor:TK",))
        fresh.restore(unpack(*chain))
        if scored:
            fresh.set_feature("anchor:TK", fresh.queued(), frontier.column("anchor:TK", fresh.queued()))
        assert pack(fresh.state()) == pack(frontier.state())

    frontier.set_feature("anchor:TK", links[rows], rng.random(len(links[rows])))
    save(scored)
    queued = links[rows][links[rows] % 3 > 0]
    frontier.put(queued, rng.random(len(queued)))
    save(scored)
    save(False)  # what a scored snapshot left out is in the next one that is not
    save(False)
    assert len(chain[-1]) < len(chain[0]) / 10  # nothing has changed since
    if len(queued) < 10 and not scored:
        assert max(map(len, chain[1:])) < len(chain[0]) / 10


def testranks_within_number_the_members_of_each_group() -> None:
    rng = np.random.default_rng(2)
    for size in (0, 1, 2, 50):
        groups = rng.integers(0, 5, size)
        assert ranks_within(groups).tolist() == [int((groups[:at] == group).sum()) for at, group in enumerate(groups)]


def test_the_view_limits_the_links_of_a_host_and_looks_further_down_the_queue() -> None:
    frontier = Frontier()
    links = frontier.discover(host=[0] * 40 + [1, 2, 2])
    frontier.put(links, np.linspace(1.0, 0.1, 43))
    view = FrontierView(frontier, LinkGraph(), Budget(0, 10))
    assert view.within(1).top(3).tolist() == [0, 40, 41]
    assert view.within(2).top(4).tolist() == [0, 1, 40, 41]
    assert view.within(2).top(9).tolist() == [0, 1, 40, 41, 42]  # no more hosts
    assert view.within(0).top(3).tolist() == view.top(3).tolist() == [0, 1, 2]


def test_all_zero_priorities_draw_uniformly() -> None:
    frontier = Frontier()
    frontier.put(frontier.discover(host=[0.0] * 8), np.array([0.0, -1.0] * 4))
    counts = np.bincount(frontier.draw(np.random.default_rng(0), 8000), minlength=8)
    assert chisquare(counts).pvalue > 0.001


def test_what_is_refused() -> None:
    frontier = Frontier()
    links = frontier.discover(host=[0, 1])
    with pytest.raises(ValueError, match="priority of link 1 is nan"):
        frontier.put(links, np.array([0.1, np.nan]))
    assert len(frontier) == 0
    with pytest.raises(ValueError, match=r"not in the frontier: \[0, 1\]"):
        frontier.take(links)
    with pytest.raises(ValueError, match="different lengths"):
        frontier.discover(host=[0], step=[1, 2])
    with pytest.raises(ValueError, match="into a new frontier"):
        frontier.restore(Frontier().state())
    with pytest.raises(ValueError, match="saved columns"):
        Frontier(("anchor:TK",)).restore(frontier.state())


def test_the_view_shows_copies() -> None:
    frontier = Frontier(("target:LTK_1", "target:LTK_2", "target:GTK"))
    links = frontier.discover(host=[4, 5], directory=[6, 7], block=[0, 2], step=[0, 3])
    frontier.put(links, np.array([0.2, 0.9]))
    frontier.set_feature("target:LTK_2", links, np.array([0.3, 0.4]))
    graph, budget = LinkGraph(), Budget(0, 10)
    view = FrontierView(frontier, graph, budget)
    view.links[:] = 9
    view.priority(links)[:] = 9.0
    view.feature("target:LTK_2", links)[:] = 9.0
    assert view.links.tolist() == [0, 1]
    assert view.priority(links).tolist() == [0.2, 0.9]
    assert view.features("target:LTK_*", links).tolist() == [[0.0, 0.3], [0.0, 0.4]]
    assert view.features("anchor:*", links).shape == (2, 0)
    assert (view.host(links).tolist(), view.step(links).tolist()) == ([4, 5], [0, 3])
    assert (view.directory(links).tolist(), view.block(links).tolist()) == ([6, 7], [0, 2])
    assert (view.graph, view.budget) == (graph, budget)
    assert np.isnan(view.date(links)).all()
    assert (view.best(), view.top(1).tolist(), len(view)) == (1, [1], 2)


def test_the_view_of_a_member_reads_its_queue_and_the_columns_of_its_guide() -> None:
    frontier = Frontier(("anchor:TK", "anchor:TK@density"))
    links = frontier.discover(host=[4, 5, 5])
    frontier.put(links, np.array([0.2, 0.9, 0.5]))
    frontier.set_features(links, {"anchor:TK": np.zeros(3), "anchor:TK@density": np.array([0.1, 0.2, 0.3])})
    queue, graph = Queue(), LinkGraph()
    queue.put(links[:2], np.array([0.7, 0.1]))
    whole = FrontierView(frontier, graph, Budget(0, 10))
    member = whole.over(queue, "density")
    assert (member.graph, member.budget) == (graph, whole.budget)
    assert (member.best(), member.links.tolist(), len(member)) == (0, [0, 1], 2)
    assert member.feature("anchor:TK", links).tolist() == [0.1, 0.2, 0.3]
    assert whole.feature("anchor:TK", links).tolist() == [0.0] * 3
    assert (member.winning_host(), whole.winning_host()) == (4, 5)
    for view, its in ((member, queue), (whole, frontier)):
        for draw in ("draw", "draw_uniform"):
            drawn = [getattr(each, draw)(np.random.default_rng(1), 50).tolist() for each in (view, its)]
            assert drawn[0] == drawn[1]


def test_the_graph_counts_parents() -> None:
    graph = LinkGraph()
    graph.grow(3)
    graph.add(0, [1, 2])
    graph.grow(200)
    graph.add(1, [2, 150])
    graph.add(2, [])
    assert graph.in_degree(ids([0, 1, 2, 150, 199])).tolist() == [0, 1, 2, 1, 0]
    assert [len(graph.parents(i)) for i in (0, 1, 2, 150, 199)] == [0, 1, 2, 1, 0]
    assert graph.out_degree[:3].tolist() == [2, 2, 0]


def test_a_column_that_was_not_declared_is_named() -> None:
    frontier = Frontier(("anchor:TK",))
    view = FrontierView(frontier, LinkGraph(), Budget(0, 10))
    with pytest.raises(
        UndeclaredError, match=r"the column 'parents:TK': declare it in its `features` \(now: anchor:TK\)"
    ):
        view.feature("parents:TK", frontier.discover(host=[0]))
    with pytest.raises(UndeclaredError, match="'host'"):
        view.feature("host", frontier.discover(host=[0]))


PAGES = st.lists(st.lists(st.integers(0, 25), unique=True, max_size=12), max_size=25)


@given(PAGES, st.integers(0, 25))
def test_the_graph_equals_lists_of_links(pages: list[list[int]], saved_after: int) -> None:
    graph, saved = LinkGraph(), [pack(LinkGraph().state())]
    for page, links in enumerate(pages):
        graph.grow(26)
        graph.add(page, links)
        if page == saved_after:
            saved.append(pack(graph.changes()))
            graph.saved()
    restored = LinkGraph()
    restored.restore(unpack(*saved, pack(graph.changes())))
    parents = [[page for page, links in enumerate(pages) if link in links] for link in range(26)]
    for found in (graph, restored):
        assert list(zip(found.source.tolist(), found.target.tolist(), strict=True)) == [
            (page, link) for page, links in enumerate(pages) for link in links
        ]
        if pages:
            assert [found.parents(link) for link in range(26)] == parents
            assert found.parents_of(np.arange(26)).tolist() == [page for of_link in parents for page in of_link]
            assert found.in_degree(np.arange(26)).tolist() == [len(of_link) for of_link in parents]
    for found in (graph, restored):  # both go on alike
        found.grow(26)
        found.add(25, [0, 3])
    assert graph.parents(3) == restored.parents(3) == [*parents[3], 25]
    with pytest.raises(ValueError, match="without links"):
        graph.extend(ids([1, 2]), ids([0]), ids([1, 0]))


@given(st.lists(st.tuples(st.booleans(), st.lists(st.integers(0, 300), max_size=5)), max_size=20))
def test_a_set_of_links_equals_a_set(changes: list[tuple[bool, list[int]]]) -> None:
    links, model = LinkSet(), set[int]()
    for add, some in changes:
        (links.update if add else links.difference_update)(some)
        (model.update if add else model.difference_update)(some)
    restored = LinkSet()
    restored.restore(links.packed())
    for found in (links, restored):
        assert list(found) == sorted(model)
        assert len(found) == len(model)
        assert [link for link in range(400) if link in found] == sorted(model)
        assert np.flatnonzero(found.mask(np.arange(400))).tolist() == sorted(model)


def test_ids_of_urls_equal_a_dictionary() -> None:
    rng = np.random.default_rng(0)
    paths = ["", "a.html", "d/", "d/e/f.html", "d/e/?q=/x/y", "news/2.html?u=http://x.cn/z"]
    hosts = [f"http{'s' * (i % 2)}://h{i % 7}.cn{':81' * (i % 3 == 2)}" for i in range(40)]
    known = list(
        dict.fromkeys(f"{hosts[rng.integers(40)]}/{rng.integers(50)}/{paths[rng.integers(6)]}" for _ in range(900))
    )
    found = UrlIds()
    numbers = [found.add(known[:300]), found.add(known[300:])]
    of_host, of_directory = ([*numbers[0][i], *numbers[1][i]] for i in (0, 1))
    first = {name: number for number, name in enumerate(dict.fromkeys(map(urls.directory, known)))}
    assert of_directory == [first[urls.directory(url)] for url in known]
    first = {name: number for number, name in enumerate(dict.fromkeys(map(urls.host, known)))}
    assert of_host == [first[urls.host(url)] for url in known]
    again = UrlIds()
    again.restore(known, ids(of_host), ids(of_directory))
    for each in (found, again):
        assert [each.id(url) for url in known] == list(range(len(known)))
        assert [each.url(link) for link in range(len(known))] == each.since(0) == known
        assert "http://new.cn/" not in each
        assert each.id("http://h0.cn/0/unknown") is None
    assert found.add(["http://new.cn/a/b"]) == again.add(["http://new.cn/a/b"])
    assert found.add(["http://new.cn/a/c", known[5] + "&"]) == again.add(["http://new.cn/a/c", known[5] + "&"])


def test_a_long_queue_is_scored_less_often() -> None:
    def due(queued: int, up_to: int) -> list[int]:
        return [pages for pages in range(1, 201) if is_due(pages, 25, queued, up_to)]

    assert due(10**6, 0) == due(50_000, 50_000) == list(range(25, 201, 25))
    assert due(50_001, 50_000) == [50, 100, 150, 200]
    assert due(200_000, 50_000) == [100, 200]
    assert not is_due(25, 0)
