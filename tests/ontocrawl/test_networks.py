"""Graphs of networkx: the pages of a run and the concepts of ontologies, with attributes that any format can hold."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import ontocrawl
from kg.project import project_crawl
from kg.store import GraphStore
from ontocrawl import exceptions
from ontocrawl.base.workspace import Workspace
from ontocrawl.graph import networks
from tests.kg import small_crawl as web
from tests.queries.small_graph import A1, A2, B7, B8, C9, GLOBAL, LOCAL, fill

nx = pytest.importorskip("networkx")


def kinds(attributes: Any) -> dict[str, set[type]]:
    """Attribute -> the types of its values over all nodes or edges."""
    found: dict[str, set[type]] = {}
    for one in attributes:
        for name, value in one.items():
            found.setdefault(name, set()).add(type(value))
    return found


def read_back(graph: Any, folder: Path) -> dict[str, Any]:
    """The graph after it was written and read as GraphML and as GEXF."""
    nx.write_graphml(graph, folder / "x.graphml")
    nx.write_gexf(graph, folder / "x.gexf")
    return {"graphml": nx.read_graphml(folder / "x.graphml"), "gexf": nx.read_gexf(folder / "x.gexf")}


@pytest.mark.slow
def test_the_pages_of_a_run_with_their_links(store: GraphStore) -> None:
    fill(store)
    graph = networks.pages(store, web.CRAWL.id)
    fetched = {row.url for row in web.OUTCOMES if row.failure is None}
    assert set(graph) == fetched and B7 not in graph
    assert set(graph.edges) == {(link.source, link.target) for link in web.LINKS if link.target in fetched}
    page = graph.nodes[A2]
    assert (page["label"], page["title"], page["host"]) == ("城市内涝严重", "城市内涝严重", "a.cn")
    assert page["fetched"] is True and page["published"] == "2024-05-03" and page["pagerank"] > 0
    assert graph.nodes[web.OUTCOMES[2].url]["relevant_by_label"] is True
    link = next(link for link in web.LINKS if (link.source, link.target) == (A1, A2))
    assert graph.edges[A1, A2] == {"anchor": link.anchor, "relevance": link.relevance}
    assert graph.name == web.CRAWL.id


@pytest.mark.slow
def test_known_pages_and_long_texts_are_there_when_asked_for(store: GraphStore) -> None:
    fill(store)
    few, all_of_it = networks.pages(store, web.CRAWL.id), networks.pages(store, web.CRAWL.id, known=True, texts=True)
    assert set(all_of_it) - set(few) == {row.url for row in web.KNOWN} >= {B8, C9}
    assert all_of_it.nodes[B8]["reason"] and all_of_it.nodes[B8]["fetched"] is False
    assert all_of_it.in_degree(B8) == sum(link.target == B8 for link in web.LINKS)
    assert "snippet" in all_of_it.nodes[A1] and "snippet" not in few.nodes[A1]


@pytest.mark.slow
def test_a_property_that_another_version_adds_is_an_attribute(store: GraphStore) -> None:
    fill(store)
    store.write("MATCH (:Crawl {id: $run})-[f:FETCHED]->(:Page) SET f.community = 3, f.also = ['a', '暴雨'], f.hub = 1",
                run=web.CRAWL.id)  # fmt: skip
    page = networks.pages(store, web.CRAWL.id).nodes[A1]
    assert (page["community"], page["also"], page["hub"]) == (3, '["a", "暴雨"]', 1.0)
    assert isinstance(page["hub"], float)


@pytest.mark.slow
def test_links_that_another_crawl_saw_are_not_there(store: GraphStore) -> None:
    fill(store)
    older = networks.pages(store, web.OLDER.id)
    seen = {(link.source, link.target) for link in web.OLDER_LINKS}
    assert set(older.edges) <= seen and older.number_of_edges() < len(web.LINKS)


@pytest.mark.slow
def test_graphs_go_through_the_files_of_networkx(store: GraphStore, tmp_path: Path) -> None:
    fill(store)
    store.write("MATCH (:Crawl {id: $run})-[f:FETCHED]->(:Page {url: $url}) SET f.title = $title",
                run=web.CRAWL.id, url=A1, title="a\x00b\x1b[31m\ufffe\u202e <&> 暴雨")  # fmt: skip
    for graph in (
        networks.pages(store, web.CRAWL.id, known=True, texts=True),
        networks.concepts(store, [GLOBAL, LOCAL], texts=True),
    ):
        assert all(len(types) == 1 for types in kinds(dict(graph.nodes.items()).values()).values())
        assert all(len(types) == 1 for types in kinds(data for *_, data in graph.edges(data=True)).values())
        for form, back in read_back(graph, tmp_path).items():
            assert set(back) == set(graph) and back.number_of_edges() == graph.number_of_edges(), form
            for node, attributes in graph.nodes.items():
                assert attributes.items() <= back.nodes[node].items(), (form, node)


@pytest.mark.slow
def test_concepts_and_their_relations(store: GraphStore) -> None:
    fill(store)
    graph = networks.concepts(store, [GLOBAL, LOCAL])
    flood, flash = web.BASE + "Flood", web.BASE + "FlashFlood"
    assert graph.nodes[flood]["label"] == graph.nodes[flood]["label_zh"] == "洪水"
    assert graph.nodes[flood]["ontologies"] == 2 and graph.nodes[web.BASE + "River"]["ontologies"] == 1
    edges = graph.get_edge_data(flash, flood)
    assert {edge["ontology"] for edge in edges.values()} == {GLOBAL, LOCAL}
    assert {edge["relation"] for *_, edge in graph.edges(data=True)} >= {"SUBCLASS_OF", "PART_OF", "CAUSES"}
    alone = networks.concepts(store, [LOCAL])
    assert len(alone) == 4 and {edge["ontology"] for *_, edge in alone.edges(data=True)} == {LOCAL}


def test_a_crawl_without_pages_is_an_empty_graph(store: GraphStore) -> None:
    project_crawl(store, web.CRAWL, (), (), ())
    assert len(networks.pages(store, web.CRAWL.id, known=True)) == 0


# ---- the Python interface ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_interface_has_frames_and_networks(space: Workspace, crawled: str) -> None:
    pytest.importorskip("pandas")
    run = ontocrawl.Run(crawled, space.root)
    with ontocrawl.Graph(space.root) as graph:
        table = graph.ask("pages/most_relevant", limit=3)
        assert graph.frame("pages/most_relevant", limit=3).equals(table.to_frame())
        assert str(graph.frame("pages/newest", since="2999-01-01").dtypes["published"]) == "datetime64[us]"
        count = graph.frame(
            "MATCH (:Crawl {id: $run})-[f:FETCHED]->(:Page) RETURN count(f.relevance) AS pages", run=crawled
        )
        assert count["pages"].tolist() == [len(run.pages())]
        links = graph.network(run)
        assert set(links) == {row[1] for row in run.pages().rows}
        assert set(graph.network(crawled, known=True)) > set(links)
        assert "snippet" in next(iter(graph.network(run, texts=True).nodes.values()))
        with pytest.warns(DeprecationWarning, match="use Graph.network"):
            former = graph.to_networkx(run)
        assert set(former.edges) == set(links.edges)
        assert all({"title", "relevance", "relevant", "pagerank"} <= set(page) for page in former.nodes.values())
        graph.load("rainstorm")
        concepts = graph.concept_network("rainstorm")
        assert "暴雨灾害" in {concept["label"] for concept in concepts.nodes.values()}
        assert set(graph.concept_network(ontocrawl.Topic("rainstorm", space.root))) == set(concepts)
        assert set(graph.concept_network()) >= set(concepts)


@pytest.mark.slow
def test_what_they_refuse(space: Workspace, crawled: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ontocrawl.Graph(space.root) as graph:
        for wrong in ("pages/most_relevent", "most_relevant"):
            with pytest.raises(exceptions.QueryError, match="did you mean 'pages/most_relevant'"):
                graph.frame(wrong)
        with pytest.raises(exceptions.UsageError, match="no run 'nope'"):
            graph.network("nope")
        with pytest.raises(exceptions.NotInGraphError, match="no ontology or topic 'nope'"):
            graph.concept_network("nope")
        with pytest.raises(exceptions.UsageError, match="write=True"):
            graph.frame("CREATE (n) RETURN 1 AS x")
        with pytest.raises(exceptions.WrongTypeError):
            graph.frame(3)  # type: ignore[arg-type]
        with pytest.raises(exceptions.WrongTypeError):
            graph.network(crawled, known="yes")  # type: ignore[arg-type]
        monkeypatch.setitem(sys.modules, "networkx", None)
        for ask in (lambda: graph.network(crawled), graph.concept_network):
            with pytest.raises(exceptions.MissingExtra, match=r"needs networkx.*ontocrawl\[frames\]"):
                ask()
