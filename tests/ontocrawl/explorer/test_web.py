"""The map of a crawl's web, and lattices, as the interface has them: what the queries and commands say, placed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from kg.engine.files import FileLock
from ontocrawl.base.workspace import GRAPH_LOCK, Workspace
from ontocrawl.explorer.app import Prepared
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader


def read(served: Prepared, path: str, **parameters: object) -> Any:
    answer = reader(served).get(f"{served.address.url}api/{path}", params=parameters, timeout=120)  # type: ignore[arg-type]
    assert answer.status_code == 200, answer.text
    return answer.json()


def asked(served: Prepared, query: str, **parameters: object) -> list[dict[str, Any]]:
    """Rows of a query of the library."""
    found = read(served, f"queries/{query}", **parameters)
    return [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]


@pytest.fixture(scope="module")
def favoured(served: Prepared, crawled: str) -> str:
    """The fetched page with the highest PageRank."""
    return str(asked(served, "pages/top_by_pagerank", crawl=crawled, fetched="true", limit=1)[0]["url"])


@pytest.mark.slow
def test_a_map_has_the_favoured_pages_with_their_figures(served: Prepared, crawled: str) -> None:
    found = read(served, "web/sample", limit=50)
    top = asked(served, "pages/top_by_pagerank", crawl=crawled, fetched="true", limit=50)
    assert [node["id"] for node in found["nodes"]] == [row["url"] for row in top]
    for node, row in zip(found["nodes"], top, strict=True):
        assert {name: node[name] for name in ("title", "relevance", "pagerank")} == {
            name: row[name] for name in ("title", "relevance", "pagerank")
        }
        assert abs(node["x"]) <= 1 and abs(node["y"]) <= 1 and node["community"] >= 1
    assert any(node["concept"] for node in found["nodes"])
    assert read(served, "web/sample", limit=50) == found, "the same address shows the same map"


@pytest.mark.slow
def test_the_links_of_a_map_are_those_of_its_pages(served: Prepared, crawled: str, favoured: str) -> None:
    found = read(served, "web/sample", around=favoured, limit=2000)
    ids = [node["id"] for node in found["nodes"]]
    assert ids[0] == favoured
    into = {row["url"] for row in asked(served, "links/into_page", url=favoured, crawl=crawled, limit=2000)}
    out = {row["url"] for row in asked(served, "links/out_of_page", url=favoured, crawl=crawled, limit=2000)}
    assert into | out <= set(ids) and into and out
    ends = [(ids[link["source"]], ids[link["target"]]) for link in found["links"]]
    assert {target for source, target in ends if source == favoured} == out
    assert {source for source, target in ends if target == favoured} == into
    assert len(set(ends)) == len(ends)


@pytest.mark.slow
def test_a_map_around_a_host_and_around_a_concept(served: Prepared, crawled: str) -> None:
    host = asked(served, "hosts/that_pay", crawl=crawled, limit=1)[0]["host"]
    pages = asked(served, "hosts/pages", crawl=crawled, host=host, limit=1000)
    found = read(served, "web/sample", host=host, limit=2000)["nodes"]
    assert {row["url"] for row in pages} <= {node["id"] for node in found}
    assert {node["host"] for node in found[: len(pages)]} == {host} < {node["host"] for node in found}
    about = asked(served, "pages/under_concept", crawl=crawled, concept="暴雨", limit=20)
    found = read(served, "web/sample", concept="暴雨", limit=20)["nodes"]
    assert [node["id"] for node in found] == [row["url"] for row in about]


@pytest.mark.slow
def test_a_map_grows_by_the_neighbours_of_a_page_and_by_a_path(served: Prepared, crawled: str, favoured: str) -> None:
    small = [node["id"] for node in read(served, "web/sample", around=favoured, limit=5)["nodes"]]
    grown = read(served, "web/sample", around=favoured, limit=5, expand=small[1])["nodes"]
    assert [node["id"] for node in grown][:5] == small and 5 < len(grown) <= 65
    path = [row["url"] for row in asked(served, "crawl/why_fetched", url=small[1], crawl=crawled)]
    known = read(served, "web/sample", around=favoured, limit=1, also=path)["nodes"]
    assert {node["id"] for node in known} == {favoured, *path}


@pytest.mark.slow
def test_hosts_with_their_links(served: Prepared, crawled: str) -> None:
    found = read(served, "web/sample/hosts", limit=2000)
    paying = {row["host"]: row for row in asked(served, "hosts/that_pay", crawl=crawled, limit=1000)}
    assert len(paying) > 3 and paying.keys() <= {node["id"] for node in found["nodes"]}
    for node in found["nodes"]:
        assert node["relevant"] == paying.get(node["id"], {"relevant": None})["relevant"]
    names = [node["id"] for node in found["nodes"]]
    pairs = {(names[link["source"]], names[link["target"]]): link["links"] for link in found["links"]}
    between = asked(served, "links/between_hosts", crawl=crawled, least=1, limit=100_000)
    assert pairs == {(row["source"], row["target"]): row["links"] for row in between}
    assert len(read(served, "web/sample/hosts", limit=3)["nodes"]) == 3


@pytest.mark.slow
def test_communities_with_their_links_and_the_pages_of_one(served: Prepared, crawled: str) -> None:
    found = read(served, "web/sample/communities", limit=2000)
    rows = asked(served, "links/communities", crawl=crawled, least=1, limit=1000)
    assert [{name: node[name] for name in rows[0]} for node in found["nodes"]] == rows and len(rows) > 2
    pages = read(served, "web/sample", limit=2000)
    of = [node["community"] if node["fetched"] else None for node in pages["nodes"]]
    pairs = Counter((of[link["source"]], of[link["target"]]) for link in pages["links"])
    ids = [node["community"] for node in found["nodes"]]
    between = {(ids[link["source"]], ids[link["target"]]): link["links"] for link in found["links"]}
    assert between == {ends: n for ends, n in pairs.items() if None not in ends and ends[0] != ends[1]}
    one = read(served, "web/sample", community=2, limit=2000)["nodes"]
    assert {node["community"] for node in one} == {2}
    assert sum(node["fetched"] for node in one) == rows[1]["pages"]
    assert len(read(served, "web/sample/communities", limit=2)["nodes"]) == 2


@pytest.mark.slow
def test_a_page_has_its_path_and_the_parts_of_its_score(
    served: Prepared, crawled: str, favoured: str, space: Workspace, command: Command
) -> None:
    found = read(served, "web/sample/page", url=favoured)
    assert found["page"]["crawl"] == crawled
    assert found["path"] == asked(served, "crawl/why_fetched", url=favoured, crawl=crawled)
    score = read(served, "crawls/sample/page", url=favoured, replay="no")["score"]
    told = command("crawl", "explain", crawled, favoured, "--workspace", space.root, "--json").json
    assert score["page"] == told["score"]["page"]


def test_what_a_crawl_does_not_know_has_a_reason(served: Prepared, crawled: str) -> None:
    found = read(served, "web/sample", around="http://nowhere.example/")
    assert found["nodes"] == [] and "nowhere.example" in found["reasons"][0]
    assert read(served, "web/sample/page", url="http://nowhere.example/") == {"page": None, "path": []}


@pytest.mark.slow
def test_a_crawl_that_is_being_written_into_the_graph_says_so(served: Prepared, crawled: str, space: Workspace) -> None:
    lock = FileLock(space.run("sample") / GRAPH_LOCK)
    assert lock.acquire(10)
    try:
        found = read(served, "web/sample", concept="nothing of this name", lang="zh")
    finally:
        lock.release()
    assert found["nodes"] == [] and found["reasons"] == ["sample 正在写入图：写入结束后请重试"]
    assert "正在写入图" not in read(served, "web/sample", concept="nothing of this name", lang="zh")["reasons"][0]


def test_a_concept_of_the_lattice_and_its_drawing(served: Prepared) -> None:
    top = read(served, "lattice/rainstorm/concept")
    below = read(served, "lattice/rainstorm/concept", at=top["lower"][0]["at"])
    assert set(top["intent"]) < set(below["intent"]) and below["support"] < top["support"]
    (hit, *_) = read(served, "lattice/rainstorm/search", text="泥石流")["found"]
    assert "泥石流" in read(served, "lattice/rainstorm/concept", at=hit["at"])["intent"]
    drawn = reader(served).get(served.address.url + "lattice/rainstorm/drawing", timeout=60).text
    assert 'data-i="0"' in drawn and "style=" not in drawn and "<script" not in drawn
    found = read(served, "lattice/rainstorm/implications", min_support=3)
    assert found["number"] >= len(found["implications"]) > 0


@pytest.mark.parametrize(
    "path", ["web/sample", "web/sample?view=hosts", "web/sample?view=communities", "lattice/rainstorm"]
)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_pages_open_in_both_languages(served: Prepared, crawled: str, path: str, lang: str) -> None:
    answer = reader(served).get(served.address.url + path, params={"lang": lang}, timeout=60)
    assert answer.status_code == 200 and f'<html lang="{lang}">' in answer.text


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("web/nothing", "there is no run"),
        ("web/sample?limit=2001", "limit"),
        ("web/sample?community=-1", "community"),
        ("lattice/nothing/concept", "there is no topic"),
        ("lattice/x.toml/concept", "there is no topic"),
        ("lattice/rainstorm/concept?at=99999", "at"),
        ("lattice/rainstorm/concept?context=papers", "no lattice of papers"),
        ("lattice/rainstorm/concept?context=x", "context: one of"),
        ("lattice/typhoon/concept?run=sample", "has the topic rainstorm"),
    ],
)
def test_errors_say_what_is_wrong(served: Prepared, crawled: str, path: str, says: str) -> None:
    answer = reader(served).get(f"{served.address.url}api/{path}", timeout=60)
    status = 404 if says.startswith("there is no") else 400
    assert answer.status_code == status and says in answer.json()["error"]
