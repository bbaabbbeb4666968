"""Scope that depends on what was crawled: depth, off-topic depth, sequences, caps and seeds that redirect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crawler.crawl import Crawl
from crawler.crawl_options import Fetching, Limits
from crawler.fetching.fetch import Fetcher
from crawler.frontier import FrontierView
from crawler.frontier.link_graph import LinkGraph
from crawler.journal import Journal
from crawler.journal.ledger import fates, ledger
from crawler.model import Failure, Floats, Ids, Response, World
from crawler.scope import Bounds, Scope, scope_of
from crawler.scope.distances import Distances, _url_pattern
from crawler.strategies.breadth_first import BreadthFirst
from crawler.url import directory, host
from crawler.worlds.synthetic import SyntheticWorld
from tests.crawler import webs

SITE = "http://a.cn"
RAIN = "<p>" + "暴雨 洪水 灾害 预警 " * 20
TIGHT = Bounds(depth=4, offtopic_depth=3, per_host=9, per_directory=5, per_pattern=6, sequence=9, permutations=True)


class Newest(BreadthFirst):
    """Chooses the link that was discovered last."""

    name = "newest"

    def priority(self, view: FrontierView, links: Ids) -> Floats:
        """Return the order of discovery."""
        return links.astype(np.float64)


class Pages:
    """A world in memory: path or URL -> links of the page, or the target of a redirect as a text."""

    name = "pages"

    def __init__(self, pages: Mapping[str, Sequence[str] | str], relevant: Sequence[str] = ()) -> None:
        self.pages, self.relevant = pages, relevant
        self.asked: list[str] = []

    def fetch(self, url: str) -> Response | Failure:
        if url.endswith("/robots.txt"):
            return Response(url, 404, {}, b"")
        self.asked.append(url)
        page = self.pages.get(url, self.pages.get(url.removeprefix(SITE)))
        if page is None:
            return Response(url, 404, {}, b"")
        if isinstance(page, str):
            return Response(url, 301, {"location": page}, b"")
        text = RAIN if url.removeprefix(SITE) in self.relevant else f"<p>nothing of interest at {url}"
        links = "".join(f'<a href="{link}">more</a>' for link in page)
        return Response(url, 200, {"content-type": "text/html; charset=utf-8"}, f"<body>{text}{links}".encode())

    def close(self) -> None:
        """Nothing is open."""


def crawl_of(
    world: World, path: Path, scope: Scope, seeds: Sequence[str], *, strategy: str = "breadth_first",
    in_flight: int = 1, pages: int = 0, snapshot_every: int = 5, target: str = "predict",
) -> Crawl:  # fmt: skip
    setup = replace(
        webs.setup(strategy if strategy != "newest" else "breadth_first", tuple(seeds)), scope=scope, target=target
    )
    if strategy == "newest":
        setup = replace(setup, strategy=Newest())
    fetching = Fetching(Fetcher(world, user_agent=webs.AGENT, scope=scope), in_flight=in_flight)
    return Crawl(setup, fetching, Journal(path), Limits(pages=pages), snapshot_every=snapshot_every)


def fate_of(crawl: Crawl) -> dict[str, str]:
    """Fate of each path or URL; the ledger adds up and agrees with the state."""
    counts = ledger(crawl.journal)
    assert counts.fetched + counts.queued + counts.in_flight + sum(counts.reasons.values()) == counts.known
    assert counts.queued == len(crawl.state.scheduler.frontier)
    assert counts.known == len(crawl.state.urls)
    return {url.removeprefix(SITE): fate for _, url, fate in fates(crawl.journal)}


def finish(crawl: Crawl) -> dict[str, str]:
    for _ in crawl.steps():
        pass
    found = fate_of(crawl)
    crawl.journal.close()
    return found


def crawled(world: Pages, path: Path, scope: Scope, *seeds: str, **options: str | int) -> dict[str, str]:
    crawl = crawl_of(world, path, scope, seeds or (f"{SITE}/",), **options)  # type: ignore[arg-type]
    crawl.begin({})
    return finish(crawl)


# ---- distances --------------------------------------------------------------------------------------------------


def test_links_further_than_the_depth_are_refused(tmp_path: Path) -> None:
    chain = Pages({"/": ["/b"], "/b": ["/c"], "/c": ["/d"]})
    found = crawled(chain, tmp_path / "j", Scope(bounds=Bounds(depth=2)))
    assert found == {"/": "fetched", "/b": "fetched", "/c": "fetched", "/d": "max_depth"}


LATE = {"/": ["/z", "/b"], "/b": ["/c"], "/c": ["/d"], "/d": ["/e"], "/e": ["/f"], "/f": [], "/z": ["/d"]}


def test_a_nearer_parent_frees_the_links_behind_a_page_that_was_read_before(tmp_path: Path) -> None:
    world = Pages(LATE)
    found = crawled(world, tmp_path / "j", Scope(bounds=Bounds(depth=3)), strategy="newest")
    assert [url.removeprefix(SITE) for url in world.asked] == ["/", "/b", "/c", "/d", "/z", "/e"]
    assert (found["/e"], found["/f"]) == ("fetched", "max_depth")


def test_the_links_of_a_redirect_are_as_far_as_the_page(tmp_path: Path) -> None:
    web = {**LATE, "/c": "/c2", "/c2": ["/d"], "/z": ["/c2"]}
    found = crawled(Pages(web), tmp_path / "j", Scope(bounds=Bounds(depth=3)), strategy="newest")
    assert (found["/c2"], found["/d"], found["/e"]) == ("read_by_redirect", "fetched", "max_depth")
    web |= {"/y": ["/c2"], "/": ["/y", "/z", "/b"], "/b": ["/b2"], "/b2": ["/c"]}
    assert crawled(Pages(web), tmp_path / "k", Scope(bounds=Bounds(depth=3)), strategy="newest")["/d"] == "fetched"


def test_a_tunnel_of_pages_off_topic_ends_and_a_relevant_page_begins_it_anew(tmp_path: Path) -> None:
    web = {"/": ["/b"], "/b": ["/c"], "/c": ["/d"], "/d": ["/e"], "/e": ["/f"], "/f": ["/g"], "/g": ["/h"]}
    found = crawled(Pages(web, ["/", "/d"]), tmp_path / "j", Scope(bounds=Bounds(offtopic_depth=2)))
    # / is relevant, b and c are not: the link d may not be followed.
    assert found == {"/": "fetched", "/b": "fetched", "/c": "fetched", "/d": "max_offtopic_depth"}
    found = crawled(Pages(web, ["/", "/c"]), tmp_path / "k", Scope(bounds=Bounds(offtopic_depth=2)))
    assert found["/e"] == "fetched" and found["/f"] == "max_offtopic_depth"


@pytest.mark.slow
def test_a_run_of_pages_that_differ_in_numbers_only_ends(tmp_path: Path) -> None:
    class Calendar(Pages):
        def fetch(self, url: str) -> Response | Failure:
            day = url.rpartition("/")[2]
            self.pages = {f"/day/{day}": [f"/day/{int(day) + more}" for more in (1, 2)]} if day.isdigit() else {}
            return super().fetch(url)

    found = crawled(Calendar({}), tmp_path / "j", scope_of(bounds=Bounds(sequence=100)), f"{SITE}/day/0")
    assert Counter(found.values()) == {"fetched": 201, "endless_sequence": 2}


def test_a_sequence_that_is_entered_again_from_elsewhere_goes_on(tmp_path: Path) -> None:
    pages = {f"/p/{n}": [f"/p/{n + 1}"] for n in range(12)}
    found = crawled(Pages({"/": ["/p/0"], **pages}), tmp_path / "j", Scope(bounds=Bounds(sequence=4)))
    assert found["/p/5"] == "endless_sequence"
    found = crawled(Pages({"/": ["/p/0", "/p/4"], **pages}), tmp_path / "k", Scope(bounds=Bounds(sequence=4)))
    assert (found["/p/8"], found["/p/9"]) == ("fetched", "endless_sequence")


GRAPHS = st.lists(st.lists(st.integers(0, 11), max_size=4, unique=True), min_size=12, max_size=12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(GRAPHS, st.sets(st.integers(0, 11)), st.randoms(use_true_random=False))
def test_lengths_are_those_of_the_best_paths_in_any_order_of_reading(
    out: list[list[int]], relevant: set[int], random: object
) -> None:
    urls = [f"{SITE}/{'ab'[n % 2]}/{n}" for n in range(12)]
    graph = LinkGraph()
    bounds = Bounds(depth=2, offtopic_depth=2, sequence=2)
    distances = Distances(bounds, graph)
    ids = np.arange(12, dtype=np.int64)
    graph.grow(12)
    distances.add(ids, urls, ids * 0)
    distances.plant(ids[:2])
    read: list[int] = []
    waiting = {0, 1}
    while waiting:
        page = random.choice(sorted(waiting))  # type: ignore[attr-defined]
        before = set(distances.refusals(ids))
        targets = np.array([t for t in out[page] if t != page], dtype=np.int64)
        graph.add(page, targets)
        read.append(page)
        freed = set(distances.read(page, page, targets, relevant=page in relevant).tolist())
        waiting = (waiting | set(targets.tolist())) - set(read)
        naive = _refused(out, read, relevant)
        reached = {t for p in read for t in out[p]} | {0, 1}
        after = set(distances.refusals(ids)) & reached
        assert after == naive & reached
        assert freed == _reached_before(before, out, read) - after
    new = Distances(bounds, graph)
    new.restore(distances.state(), urls, ids * 0, ids[:2])
    assert new.refusals(ids) == distances.refusals(ids)


def _reached_before(before: set[int], out: list[list[int]], read: list[int]) -> set[int]:
    """Links that were over a limit and that another page than the last contains."""
    last = set(out[read[-1]]) - {read[-1]}
    return {t for t in before - last if any(t in out[p] for p in read[:-1] if p != t)}


def _refused(out: list[list[int]], read: list[int], relevant: set[int]) -> set[int]:
    """Links over a limit, by relaxing every edge until nothing changes."""
    far = 10**6
    depth, off, run = ([0, 0] + [far] * 10 for _ in range(3))
    for _ in range(20):
        for page in read:
            for target in out[page]:
                if target == page:
                    continue
                depth[target] = min(depth[target], depth[page] + 1)
                off[target] = min(off[target], 0 if page in relevant else off[page] + 1)
                run[target] = min(run[target], run[page] + 1 if page % 2 == target % 2 else 0)
    return {n for n in range(12) if depth[n] > 2 or off[n] > 1 or run[n] > 2}


# ---- caps -------------------------------------------------------------------------------------------------------

MANY = {"/": [*(f"/news/{n}.html" for n in range(9)), *(f"/list?page={n}&c={n}" for n in range(9)), "/x"]}
MANY |= {link: ["/late.html", "/news/late.html", "/list?c=0&page=77"] for link in MANY["/"]}


@pytest.mark.parametrize(
    ("bounds", "asked", "reason"),
    [
        (Bounds(per_host=5), 5, "host_cap"),
        (Bounds(per_directory=4), 8, "directory_cap"),
        (Bounds(per_pattern=3), 10, "pattern_cap"),
    ],
)
@pytest.mark.parametrize("in_flight", [1, 8])
def test_a_cap_ends_the_requests_and_empties_the_queue(
    bounds: Bounds, asked: int, reason: str, in_flight: int, tmp_path: Path
) -> None:
    world = Pages(MANY)
    found = crawled(world, tmp_path / "j", Scope(bounds=bounds), in_flight=in_flight)
    groups = {"host_cap": host, "directory_cap": directory, "pattern_cap": _url_pattern}
    assert len(world.asked) == asked
    limit = bounds.per_host + bounds.per_directory + bounds.per_pattern
    assert max(Counter(map(groups[reason], world.asked)).values()) == limit
    assert set(found.values()) <= {"fetched", "http_404", reason}
    assert found["/news/8.html"] == reason


def test_a_page_that_a_redirect_reads_counts_for_its_host(tmp_path: Path) -> None:
    web = {"http://c.cn/": [f"{SITE}/go/1", "http://b.cn/2"], "/go/1": "http://b.cn/1", "http://b.cn/1": []}
    found = crawled(Pages(web), tmp_path / "j", Scope(bounds=Bounds(per_host=1)), "http://c.cn/")
    assert (found["/go/1"], found["http://b.cn/1"], found["http://b.cn/2"]) == (
        "fetched",
        "read_by_redirect",
        "host_cap",
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", webs.every_strategy())
def test_every_strategy_goes_on_when_links_are_withdrawn(name: str, tmp_path: Path) -> None:
    world = SyntheticWorld("planted", 400, 0)
    bounds = Bounds(per_host=2, per_directory=2, per_pattern=2)
    crawl = crawl_of(world, tmp_path / "j", Scope(bounds=bounds), world.seeds, strategy=name, in_flight=4, pages=40)
    crawl.begin({})
    found = finish(crawl)
    assert "host_cap" in found.values()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["breadth_first", "fcosa_lg", "fcsa", "adaptive_ga", "mixture"])
@pytest.mark.parametrize("at", [1, 7, 23])
def test_an_interrupted_crawl_decides_as_a_whole_one(name: str, at: int, tmp_path: Path) -> None:
    """After a kill the state comes from the snapshot and the journal alone."""
    world = SyntheticWorld("planted", 400, 0)
    options = {"strategy": name, "pages": 40, "in_flight": 3, "target": "oracle" if name == "fcsa" else "predict"}
    whole = crawl_of(world, tmp_path / "w", Scope(bounds=TIGHT), world.seeds, **options)  # type: ignore[arg-type]
    whole.begin({})
    expected = finish(whole)
    killed = crawl_of(world, tmp_path / "k", Scope(bounds=TIGHT), world.seeds, **options)  # type: ignore[arg-type]
    killed.begin({})
    for step in killed.steps():
        if step.number == at:
            break
    killed.journal.commit()
    assert fate_of(killed)
    killed.journal.close()
    resumed = crawl_of(world, tmp_path / "k", Scope(bounds=TIGHT), world.seeds, **options)  # type: ignore[arg-type]
    resumed.resume()
    assert fate_of(resumed)
    assert finish(resumed) == expected


def test_patterns_of_urls() -> None:
    assert _url_pattern("http://a8.cn:81/v2/x-17.html") == "http://a8.cn:81/v{n}/x-{n}.html"
    assert _url_pattern("http://a.cn/?b=1&a=2&b=3") == "http://a.cn/?a&b"
    assert _url_pattern("http://a.cn/deadbeef") == "http://a.cn/deadbeef"
    assert _url_pattern("http://a.cn/0123456789abcdef0123456789abcdef/x") == "http://a.cn/{id}/x"


# ---- parameters, and seeds that redirect ------------------------------------------------------------------------


def test_a_permutation_of_known_parameters_is_refused_before_and_after_a_kill(tmp_path: Path) -> None:
    web = Pages({"/": ["/s?a=1&b=2", "/s?b=2&a=1", "/s?b=1&a=2", "/t"], "/t": ["/s?a=2&b=1"]})
    scope = Scope(bounds=Bounds(permutations=True))
    crawl = crawl_of(web, tmp_path / "j", scope, [f"{SITE}/"], snapshot_every=1)
    crawl.begin({})
    next(iter(crawl.steps()))
    crawl.journal.close()
    crawl = crawl_of(web, tmp_path / "j", scope, [f"{SITE}/"])
    crawl.resume()
    found = finish(crawl)
    assert [url for url, fate in found.items() if fate == "permuted_parameters"] == ["/s?b=2&a=1", "/s?a=2&b=1"]


MOVED: dict[str, Sequence[str] | str] = {
    "http://a.cn/": "http://www.a.cn/", "http://www.a.cn/": "https://www.a.cn/home/",
    "https://www.a.cn/home/": ["/1", "http://www.a.cn/2", "http://a.cn/3", "https://news.a.cn/", "http://b.cn/"],
    "http://a.cn/3": "https://news.a.cn/3",
    "https://www.a.cn/1": [], "http://www.a.cn/2": [],
}  # fmt: skip


@pytest.mark.parametrize("kill", [False, True])
def test_a_crawl_stays_where_its_seed_redirects_to_within_its_domain(kill: bool, tmp_path: Path) -> None:
    world = Pages(MOVED)
    path, seeds = tmp_path / "j", ["http://a.cn/"]
    crawl = crawl_of(world, path, scope_of(seeds=seeds, stay="host"), seeds, snapshot_every=1)
    crawl.begin({})
    if kill:
        next(iter(crawl.steps()))
        crawl.journal.close()
        crawl = crawl_of(world, path, scope_of(seeds=seeds, stay="host"), seeds, snapshot_every=1)
        crawl.resume()
    found = finish(crawl)
    assert {url: fate for url, fate in found.items() if fate != "fetched"} == {
        "https://www.a.cn/home/": "read_by_redirect", "https://news.a.cn/": "other_host", "http://b.cn/": "other_host",
        "/3": "other_host",
    }  # fmt: skip
    assert found["https://www.a.cn/1"] == found["http://www.a.cn/2"] == "fetched"
    assert not [url for url in world.asked if "news.a.cn" in url or "b.cn" in url]


def test_a_seed_that_redirects_to_another_domain_fails(tmp_path: Path) -> None:
    world = Pages({"/": "http://b.cn/", "http://b.cn/": []})
    scope = scope_of(seeds=[f"{SITE}/"], stay="host")
    assert crawled(world, tmp_path / "j", scope) == {"/": "other_host"}
    assert world.asked == [f"{SITE}/"]


def test_links_to_the_place_that_a_later_seed_redirects_to_are_taken_back(tmp_path: Path) -> None:
    seeds = (f"{SITE}/", f"{SITE}/go")
    world = Pages(
        {"/": ["http://www.a.cn/x"], "/go": "http://www.a.cn/", "http://www.a.cn/": [], "http://www.a.cn/x": []}
    )
    found = crawled(world, tmp_path / "j", scope_of(seeds=seeds, stay="prefix"), *seeds)
    assert found["http://www.a.cn/x"] == "fetched"
