"""Webs as arrays, their figures, and the oracle: small webs by hand, random ones against plain searches."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from crawler.model import Failure, Response
from crawler.worlds import open_world
from ontocrawl.base.workspace import Workspace
from ontocrawl.lab import web, web_figures
from ontocrawl.lab.oracle import oracle
from ontocrawl.lab.web import Web
from tests.ontocrawl.conftest import Command

PLANTED = "synthetic:planted?pages=600&seed=3"


class Small:
    """A web of a few HTML pages: path -> (title, links)."""

    name = "small"

    def __init__(self, pages: dict[str, tuple[str, list[tuple[str, str]]]]) -> None:
        self.pages = pages

    def fetch(self, url: str) -> Response | Failure:
        path = url.removeprefix("http://h.cn")
        if path.startswith("/to"):
            return Response(url, 301, {"location": path.removeprefix("/to")}, b"")
        if path not in self.pages:
            return Response(url, 404, {}, b"")
        title, links = self.pages[path]
        anchors = "".join(f"<a href='{target}'>{text}</a> " for target, text in links)
        html = f"<html><head><meta charset=utf-8><title>{title}</title></head><body>text {anchors}</body></html>"
        return Response(url, 200, {"content-type": "text/html"}, html.encode())

    def close(self) -> None:
        """Nothing is open."""


SMALL = Small(
    {
        "/1": ("Home", [("/2", "暴雨"), ("/3", "more"), ("/to/2", "again"), ("/gone", "gone")]),
        "/2": ("暴雨 - 新闻网", [("/1", "Home"), ("/4", "more")]),
        "/3": ("Sports", [("/4", ""), ("/5", "Flood in the city")]),
        "/4": ("Gate", [("/5", "Flood")]),
        "/5": ("Flood", []),
        "/9": ("Nobody links here", []),
    }
)
LABELS = ["http://h.cn/2", "http://h.cn/5", "http://h.cn/9", "http://h.cn/gone"]


def small(limit: int | None = None, labels: list[str] | None = LABELS) -> Web:
    return web.read(SMALL, ["http://h.cn/1"], labels, user_agent="test", limit=limit)


def of_links(n: int, links: list[tuple[int, int]], relevant: set[int], seeds: tuple[int, ...] = (0,)) -> Web:
    """A web by its links."""
    distinct = [(i, j) for i, j in dict.fromkeys(links) if i != j]
    ends = np.array(distinct, dtype=np.int64).reshape(-1, 2)
    marks = np.array([i in relevant for i in range(n)], dtype=np.bool_)
    urls, texts = tuple(f"http://h.cn/{i}" for i in range(n)), ("",) * len(ends)
    distance = np.zeros(n, dtype=np.int64)
    return Web(
        urls, urls, marks, distance, ends[:, 0], ends[:, 1], texts, seeds, 0, len(relevant), len(relevant), True
    )  # fmt: skip


def test_a_small_web() -> None:
    found = small()
    assert [url.removeprefix("http://h.cn/") for url in found.urls] == ["1", "2", "3", "4", "5"]
    assert found.relevant is not None and found.relevant.tolist() == [False, True, False, False, True]
    assert list(zip(found.source.tolist(), found.target.tolist(), strict=True)) == [
        (0, 1), (0, 2), (1, 0), (1, 3), (2, 3), (2, 4), (3, 4),
    ]  # fmt: skip
    assert found.distance.tolist() == [0, 1, 1, 2, 2]
    assert (found.failed, found.labelled, found.reached, found.complete) == (1, 4, 2, True)
    assert [out.tolist() for out in found.out_links()] == [[1, 2], [0, 3], [3, 4], [4], []]


def test_the_figures_of_a_small_web() -> None:
    figures = web_figures.figures(small())
    assert (figures["pages"], figures["failed"], figures["links"], figures["hosts"]) == (5, 1, 7, 1)
    assert (figures["labelled"], figures["relevant"], figures["reachable"], figures["base_rate"]) == (4, 2, 0.5, 0.4)
    assert figures["locality"] == {"relevant": 0.0, "other": 0.6}  # of two, and three of five
    # 暴雨, Home and Flood are titles, but for the name of a site; "Flood in the city" contains one; one has no text
    assert figures["anchors"] == {"title": 0.4286, "named": 0.5714, "shared": 0.0, "empty": 0.1429}
    assert figures["reciprocity"] == 0.2857
    assert figures["tunnels"] == {"0": 1, "1": 1}
    assert figures["knee"] == 4 and figures["oracle"] == {}
    assert figures["out_degree"]["max"] == 2.0 and figures["in_degree"]["p50"] == 1.0


def test_a_text_that_stands_everywhere_is_shared() -> None:
    many = {"/1": ("Home", [(f"/{n}", "more" if n < 7 else f"Page {n}") for n in range(2, 10)])}
    many |= {f"/{n}": (f"Page {n}", []) for n in range(2, 10)}
    found = web.read(Small(many), ["http://h.cn/1"], None, user_agent="test")
    assert web_figures.anchors(found)["shared"] == 0.625
    assert web_figures.anchors(found)["title"] == 0.375


def test_a_limit_and_no_labels() -> None:
    found = small(limit=3, labels=None)
    assert len(found) == 3 and not found.complete and found.relevant is None
    figures = web_figures.figures(found)
    assert figures["complete"] is False and figures["locality"] is None and figures["knee"] is None
    with pytest.raises(ValueError, match="labels"):
        oracle(found)


def test_the_oracle_takes_the_shortest_tunnel_first() -> None:
    # 0 -> 1 -> 2 -> 3*, 0 -> 4 -> 5*, 5 -> 6*, 5 -> 7 (leads nowhere)
    found = oracle(of_links(8, [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (5, 7)], {3, 5, 6}))
    assert found.order == (0, 4, 5, 6, 1, 2, 3)
    assert found.tunnels == (1, 0, 2)
    assert found.found.tolist() == [0, 0, 1, 2, 2, 2, 3]
    assert [found.found_at(n) for n in (0, 1, 4, 7, 100)] == [0, 0, 2, 3, 3]
    assert (found.fetches_for(0.5), found.fetches_for(1.0)) == (4, 7)


@pytest.mark.slow
@given(
    st.integers(1, 12).flatmap(
        lambda n: st.tuples(
            st.just(n),
            st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=30),
            st.sets(st.integers(0, n - 1)),
        )
    )
)
def test_the_oracle_on_random_webs(drawn: tuple[int, list[tuple[int, int]], set[int]]) -> None:
    n, links, relevant = drawn
    one = of_links(n, links, relevant)
    found = oracle(one)
    targets = [set(out.tolist()) for out in one.out_links()]
    reached, waiting = {0}, deque([0])
    while waiting:
        new = targets[waiting.popleft()] - reached
        reached |= new
        waiting += new
    assert len(set(found.order)) == len(found.order) and found.order[0] == 0
    for place, page in enumerate(found.order[1:], 1):  # each page has a link from an earlier one
        assert any(page in targets[before] for before in found.order[:place])
    assert {page for page in found.order if page in relevant} == relevant & reached
    assert len(found.order) == 1 + len(found.tunnels) + sum(found.tunnels)
    assert found.found.tolist() == np.cumsum([page in relevant for page in found.order]).tolist()


@pytest.mark.slow
def test_no_strategy_finds_more_than_the_oracle(command: Command, space: Workspace) -> None:
    with_labels = open_world(PLANTED)
    read = web.read(with_labels, with_labels.seeds, with_labels.relevant_urls(), user_agent="test")  # type: ignore[attr-defined]
    best = oracle(read)
    for strategy in ("breadth_first", "best_first", "fcosa_lg"):
        run = command("crawl", "run", "--world", PLANTED, "--strategy", strategy, "--limit-pages", "80", "--run",
                      f"for-oracle-{strategy}", "--no-graph", "--workspace", space.root, "--json")  # fmt: skip
        assert run.code == 0, run.err
        assert 0 < run.json["relevant_by_label"] <= best.found_at(run.json["fetched"])


@pytest.mark.slow
def test_the_command(command: Command, space: Workspace) -> None:
    shown = command("world", "stats", PLANTED, "--workspace", space.root)
    assert shown.code == 0 and "base_rate" in shown.out and "links from the nearest seed" in " ".join(shown.out.split())
    figures = command("world", "stats", PLANTED, "--workspace", space.root, "--json").json
    assert figures["world"] == PLANTED and figures["complete"] and figures["knee"] > figures["relevant"] * 0.9
    limited = command("world", "stats", PLANTED, "--limit-pages", "50", "--workspace", space.root, "--json")
    assert limited.json["pages"] == 50 and "the web has more pages" in limited.err


def test_a_corpus_with_labels(command: Command, space: Workspace, tmp_path: Path) -> None:
    records = [
        {"name": "Rain", "title": "Rain", "text": "rain", "outlinks": ["Flood", "Tea"]},
        {"name": "Flood", "title": "Flood", "text": "flood", "outlinks": ["Rain"]},
        {"name": "Tea", "title": "Tea", "text": "tea", "outlinks": []},
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (tmp_path / "labels.json").write_text(json.dumps({"hazards": ["Rain", "Flood"]}), encoding="utf-8")
    place = ("--labels", f"{tmp_path / 'labels.json'}#hazards", "--workspace", space.root, "--json")
    figures = command("world", "stats", f"corpus:{tmp_path}", "--seeds", "Rain", *place).json
    assert (figures["pages"], figures["relevant"], figures["reachable"]) == (3, 2, 1.0)
    assert figures["locality"] == {"relevant": 0.6667, "other": None}
    assert figures["anchors"]["title"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("live",), "record a crawl"),
        (("synthetic:nothing",), "choose one of"),
        ((PLANTED, "--seeds", "http://nowhere.example/"), "none of the seeds is a page"),
        ((PLANTED, "--labels", "no-file.json#x"), "cannot be read"),
        ((PLANTED, "--limit-pages", "0"), "--limit-pages"),
    ],
)
def test_wrong_input(command: Command, space: Workspace, arguments: tuple[str, ...], said: str) -> None:
    answer = command("world", "stats", *arguments, "--workspace", space.root)
    assert answer.code == 2 and said in " ".join(answer.err.split())
