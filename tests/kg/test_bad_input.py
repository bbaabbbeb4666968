"""What the web and files can put into the graph: clauses, long keys and titles, control characters; and bad servers."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kg import schema
from kg.bolt import BoltStore
from kg.load import load_ontology
from kg.papers import load_documents
from kg.project import project_crawl, remove_crawl
from kg.records import ANCHOR, SNIPPET, TITLE, KnownRow, LinkRow, Mention
from kg.store import GraphStore, StoreError, StoreUnavailable
from kg.weights import topic_weights
from ontology.model import Concept, Document, Ontology, Relation
from tests.kg import neo4j_server
from tests.kg import small_crawl as web
from tests.kg.test_project import everything

NASTY = (
    "'}) DETACH DELETE n //",
    '"}) MATCH (n) DETACH DELETE n //',
    "`]-() SET n.x = 1 //",
    "$rows row.url {url: 1} \\u0027 \\' \\",
    "*/ MATCH (n) DELETE n /*",
    "控制\x00\x01\x08\x0b\x0c\x1b\x7f\x85\u2028\u2029\ufeff\uffff字符",
    "a\r\nb\tc",
    "\U0001f30a" * 3,
    " ",
)
MEGABYTE = "暴雨" * (1_000_000 // 6)


def crawl_of(texts: tuple[str, ...]) -> tuple[list[Any], list[LinkRow], list[KnownRow]]:
    """Pages whose address, title, snippet and evidence are these, each linked to the next one with such an anchor."""
    urls = [f"http://a.cn/{number}?{text}" for number, text in enumerate(texts)]
    pages = [
        replace(web.OUTCOMES[0], step=n, url=url, final_url=url, title=text, snippet=text, evidence=text, mentions=())
        for n, (url, text) in enumerate(zip(urls, texts, strict=True), 1)
    ]
    links = [
        LinkRow(a, b, "a.cn", text, 0.5)
        for a, b, text in zip(urls, [*urls[1:], "http://a.cn/" + texts[0]], texts, strict=True)
    ]
    return pages, links, [KnownRow("http://a.cn/" + texts[0], "a.cn", None, texts[0])]


@pytest.mark.slow
def test_clauses_and_control_characters_in_pages_and_links_are_values(store: GraphStore) -> None:
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    before = everything(store)
    pages, links, known = crawl_of(NASTY)
    for _ in range(2):
        report = project_crawl(store, web.CRAWL, pages, links, known, seeds=[pages[0].url])
    assert (report.pages, report.links, report.known) == (len(NASTY), len(NASTY), 1)
    found = store.read(
        "MATCH (:Crawl {id: 'run-b'})-[f:FETCHED]->(p:Page) RETURN p.url AS url, f.title AS title,"
        " f.snippet AS snippet, f.evidence AS evidence, f.final_url AS final_url ORDER BY f.step"
    )
    assert found == [
        {"url": p.url, "title": p.title, "snippet": p.snippet, "evidence": p.evidence, "final_url": p.url}
        for p in pages
    ]
    anchors = store.read("MATCH (a:Page)-[r:LINKS_TO {crawl: 'run-b'}]->(:Page) RETURN a.url AS a, r.anchor AS anchor")
    assert {(row["a"], row["anchor"]) for row in anchors} == {(link.source, link.anchor) for link in links}
    assert remove_crawl(store, "run-b") == len(NASTY) + 1
    assert everything(store) == before


@pytest.mark.slow
def test_clauses_and_control_characters_in_ontologies_and_papers_are_values(store: GraphStore) -> None:
    concepts = tuple(
        Concept(f"{web.BASE}{n}{text}", text, f"{text} en", (f"{text} 又",), (), text)
        for n, text in enumerate(NASTY[:-1])
    )
    edges = tuple(
        Relation(c.iri, "subclass_of", concepts[0].iri, 1, 0.5, text)
        for c, text in zip(concepts[1:], NASTY, strict=False)
    )
    made = Ontology(
        f"{web.BASE}{NASTY[0]}", "global", NASTY[1], NASTY[2], concepts[0].iri, concepts, edges, title_zh=NASTY[3]
    )
    load_ontology(store, made)
    rows = store.read(
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology {iri: $iri}) RETURN c.iri AS iri, m.label_zh AS zh,"
        " m.label_en AS en, m.alt_zh AS also, o.topic AS topic, o.version AS version",
        iri=made.iri,
    )
    assert {row["iri"]: (row["zh"], row["en"], row["also"]) for row in rows} == {
        c.iri: (c.label_zh, c.label_en, list(c.alt_zh)) for c in concepts
    }
    assert {(row["topic"], row["version"]) for row in rows} == {(NASTY[1], NASTY[2])}
    assert {t.word for t in topic_weights(store, made.iri)} == set(NASTY[:-1])
    papers = [Document(text, text) for text in NASTY[:-1]]
    load_documents(store, papers, lambda d: {d.id: 1})
    denoted = store.read(
        "MATCH (d:Document)-[:HAS_TERM]->(t:Term)-[:DENOTES]->(c:Concept) RETURN d.id AS d, c.iri AS c"
    )
    assert {row["d"]: row["c"] for row in denoted} == {c.label_zh: c.iri for c in concepts}


@pytest.mark.slow
def test_titles_of_a_megabyte_are_cut(store: GraphStore) -> None:
    page = replace(web.OUTCOMES[0], title=MEGABYTE, snippet=MEGABYTE, mentions=())
    link = LinkRow(page.url, "http://b.cn/4", "b.cn", MEGABYTE, 0.5)
    project_crawl(store, web.CRAWL, [page, web.OUTCOMES[3]], [link], (), seeds=[page.url])
    rows = store.read(
        "MATCH (:Crawl)-[f:FETCHED]->(p:Page {url: $url})-[r:LINKS_TO]->(:Page) "
        "RETURN f.title AS title, f.snippet AS snippet, r.anchor AS anchor",
        url=page.url,
    )
    assert rows == [{"title": MEGABYTE[:TITLE], "snippet": MEGABYTE[:SNIPPET], "anchor": MEGABYTE[:ANCHOR]}]


@pytest.mark.slow
@pytest.mark.parametrize("length", [2_000, 7_000])
def test_long_addresses_are_kept_whole(store: GraphStore, length: int) -> None:
    pages = [replace(web.OUTCOMES[0], url="http://a.cn/" + "x" * length + end, mentions=()) for end in "ab"]
    project_crawl(store, web.CRAWL, [pages[0], replace(pages[1], step=2)], (), (), seeds=[pages[0].url])
    rows = store.read("MATCH (p:Page) RETURN p.url AS url ORDER BY url")
    assert [row["url"] for row in rows] == [page.url for page in pages]


@pytest.mark.slow
def test_an_address_beyond_the_index_is_written_or_named_and_nothing_else_is_lost(store: GraphStore) -> None:
    """Neo4j's indexes take 8 kB; the embedded engine's more. What is refused leaves no part of its batch behind."""
    project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN, seeds=[web.SEED])
    long = replace(web.OUTCOMES[1], url="http://a.cn/" + "长" * 20_000, mentions=())
    try:
        project_crawl(store, web.CRAWL, [web.OUTCOMES[0], long], (), (), seeds=[web.SEED])
    except StoreError as error:
        assert "the graph server refused" in str(error)
        assert len(str(error)) < 2_000
        assert store.read("MATCH (:Crawl {id: 'run-b'})-[f:FETCHED]->(:Page) RETURN count(f) AS n") == [{"n": 0}]
    else:
        assert store.read("MATCH (p:Page {url: $url}) RETURN p.url AS url", url=long.url) == [{"url": long.url}]
    kept = store.read("MATCH (:Crawl {id: 'run-a'})-[f:FETCHED]->(:Page) RETURN count(f) AS n")
    assert kept == [{"n": len(web.OLDER_OUTCOMES)}]


def _until_written(project: Callable[[], object]) -> None:
    """As a user does who is told that another process came between, and to run the command again."""
    for _ in range(20):
        try:
            project()
        except StoreError as error:
            if "nothing was written; run the command again" not in str(error):
                raise
        else:
            return
    pytest.fail("another process came between twenty times")


@pytest.mark.slow
def test_two_commands_project_at_once(store: BoltStore) -> None:
    """Two crawls of the same pages through two connections: the graph is that of one after the other."""
    load_ontology(store, web.ONTOLOGY)
    crawls = [
        (web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN),
        (web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN),
    ]
    for crawl in crawls:
        project_crawl(store, *crawl, seeds=[web.SEED])
    expected = everything(store)
    for crawl in crawls:
        remove_crawl(store, crawl[0].id)
    errors: list[BaseException] = []

    def project(crawl: Any) -> None:
        try:
            with BoltStore(store.uri, store._auth, store._database) as mine:
                for _ in range(5):
                    _until_written(lambda: project_crawl(mine, *crawl, seeds=[web.SEED]))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=project, args=(crawl,)) for crawl in crawls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert everything(store) == expected


@pytest.mark.slow
def test_a_mention_of_a_concept_named_by_a_clause_is_reported(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    page = replace(web.OUTCOMES[0], mentions=(Mention(NASTY[0], 1, 0.5), Mention(web.BASE + "Root", 1, 0.5)))
    report = project_crawl(store, web.CRAWL, [page], (), (), seeds=[page.url])
    assert report.unknown_concepts == (NASTY[0],)
    assert report.mentions == 1


# ---- servers ----------------------------------------------------------------------------------------------------


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """The address of a server that says the same to all who connect, and hangs up."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        listening.settimeout(0.1)
        ended = threading.Event()

        def serve() -> None:
            while not ended.is_set():
                try:
                    connection, _ = listening.accept()
                except OSError:
                    continue
                with connection:
                    connection.recv(20)
                    connection.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"bolt://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            ended.set()
            thread.join()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"\x00\x00\x00\x00", id="no version in common"),
        pytest.param(b"\x00\x00\x00\x02", id="Neo4j 3.4"),
        pytest.param(b"HTTP/1.1 400 Bad Request\r\n\r\n", id="the HTTP port"),
        pytest.param(b"", id="hangs up"),
    ],
)
def test_a_server_of_another_version_or_kind_is_named_with_advice(answer: bytes) -> None:
    with answering(answer) as uri, pytest.raises(StoreUnavailable) as caught:
        BoltStore(uri, ("neo4j", "x"))
    assert uri in str(caught.value)
    assert "NEO4J_URI" in str(caught.value)


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_server_that_is_read_only_says_so_and_can_be_read(tmp_path: Path) -> None:
    server = neo4j_server.start(tmp_path / "neo4j")
    try:
        with BoltStore(server.uri, server.auth) as store:
            schema.apply(store)
            project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
            before = everything(store)
    finally:
        server.stop()
    with (tmp_path / "neo4j" / "conf" / "neo4j.conf").open("a", encoding="utf-8") as conf:
        conf.write("server.databases.default_to_read_only=true\n")
    server = neo4j_server.start(tmp_path / "neo4j")
    try:
        with BoltStore(server.uri, server.auth) as store:
            assert schema.apply(store).current
            with pytest.raises(StoreError, match=r"(?i)the graph server refused.*read.only"):
                project_crawl(store, web.OLDER, web.OLDER_OUTCOMES, web.OLDER_LINKS, web.OLDER_KNOWN)
            assert everything(store) == before
    finally:
        server.stop()
