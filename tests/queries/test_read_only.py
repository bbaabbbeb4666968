"""Whatever way a question comes in, it cannot change the graph: each way, on each engine, with each kind of write."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import queries
from kg import bolt
from kg.bolt import BoltStore
from kg.load import load_ontology
from kg.project import project_crawl
from kg.sparql import SparqlError, sparql
from kg.store import StoreError
from kg.weights import NotLoadedError, topic_weights
from ontocrawl.base import workspace
from ontocrawl.cli.main import invoke
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.versions import competency_checks
from ontology.competency import Question
from tests.conftest import empty
from tests.kg import small_crawl as web
from tests.kg.test_project import everything

WRITES = (
    "CREATE (:Page {url: 'http://x.cn/'})",
    "MERGE (p:Page {url: 'http://x.cn/'}) RETURN p.url AS url",
    "MATCH (p:Page) SET p.url = p.url + '!' RETURN p.url AS url",
    "MATCH (p:Page) REMOVE p.url RETURN 1 AS one",
    "MATCH (:Page)-[r:LINKS_TO]->(:Page) DELETE r",
    "MATCH (p:Page) DETACH DELETE p",
    "MATCH (p:Page) WITH collect(p) AS all FOREACH (p IN all | SET p.seen = true)",
    "UNWIND ['http://x.cn/'] AS x CALL (x) { CREATE (:Page {url: x}) } RETURN x",
    "MATCH (p:Page) /* RETURN */ SET p.x = 1 // RETURN 1",
    "PROFILE MATCH (p:Page) SET p.x = 1",
    "DROP CONSTRAINT page_url IF EXISTS",
    "CREATE INDEX x IF NOT EXISTS FOR (p:Page) ON (p.x)",
    "CALL db.createLabel('Secret')",
    "MATCH (p:Page) \\u0053ET p.seen = true RETURN p.url AS url",
    "MATCH (p:Page) WHERE p.url <> '\\u0027 SET p.seen = true //' RETURN p.url AS url",
    "UNWIND ['a\\u0027 + '] AS x CALL { WITH x CREATE (:Pwn {b: 1}) } IN TRANSACTIONS RETURN 1 AS y //'",
    "UNWIND [1] AS x //\rCALL { WITH x CREATE (:Pwn {b: 2}) } IN TRANSACTIONS\nRETURN 1 AS y",
    'MATCH (c:Crawl) WHERE c.id <> "a\\u0022 + " SET c.pwn = 3 RETURN c.id AS id //"',
    "CALL db.labels YIELD label CALL do.when(true, 'CREATE (:Pwn)', '', {}) YIELD value RETURN 1 AS y",
)
"""Some engines read escapes before they look for words, others within a string only, and end lines differently."""
LOADS = (
    "LOAD CSV FROM 'http://127.0.0.1:9/' AS line RETURN line",
    "load //\rcsv WITH HEADERS FROM 'http://127.0.0.1:9/' AS line RETURN line",
    "WITH 'a\\u0027 + ' AS x LOAD CSV FROM 'http://127.0.0.1:9/' AS line RETURN x //'",
    "CALL db.labels YIELD label CALL do.when(true, 'LO' + 'AD CSV FROM \"http://127.0.0.1:9/\" AS l RETURN l', '', {})",
)
"""Neo4j has no account that forbids them, so they are refused by their words; the embedded engine never asks others."""
NO_WRITES = (
    "MATCH (c:Crawl) RETURN c.load AS l, c.csv AS csv, c.set AS a, c.create AS b",
    "MATCH (c:Crawl) WHERE c.id <> 'load the csv' AND c.id <> '/load.csv' RETURN c {.id, .set} AS c",
    "MATCH (c:Crawl) CALL  { WITH c RETURN 1 AS x } RETURN x",
    "MATCH (c:Crawl) CALL\n /* each */ (c) { RETURN 1 AS x } RETURN x",
    "CALL db.labels() YIELD label RETURN count(label) AS n",
)
SERVICES = (
    "SELECT * { SERVICE <http://127.0.0.1:9/sparql> { ?s ?p ?o } }",
    "ASK { ?s ?p ?o . service silent ?s { ?s ?p ?o } }",
    "PREFIX : <http://127.0.0.1:9/> SELECT * { SERVICE:colon { ?s ?p ?o } }",
    "PREFIX e: <http://127.0.0.1:9/> SELECT * { SERVICEe:x { ?s ?p ?o } }",
    "SELECT * { #\rSERVICE <http://127.0.0.1:9/comment> { ?s ?p ?o }\n}",
)
UPDATES = (
    "INSERT DATA { <a:b> <a:c> 1 }",
    "DELETE WHERE { ?s ?p ?o }",
    "DELETE { ?s ?p ?o } INSERT { ?s ?p 1 } WHERE { ?s ?p ?o }",
    "LOAD <http://127.0.0.1:9/x.ttl>",
    "CLEAR ALL",
    "DROP GRAPH <a:b>",
    "SELECT * { ?s ?p ?o } ; DELETE WHERE { ?s ?p ?o }",
)
INJECTED = (
    "run-b'}) DETACH DELETE c //",
    "run-b\"}) CREATE (:Page {url: 'http://x.cn/'}) //",
    "$crawl` SET c.id = 1 //",
    "\\u0027}) DETACH DELETE c //",
)


@pytest.fixture
def filled(store: BoltStore) -> Iterator[BoltStore]:
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    before = everything(store), store.read("SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name")
    assert before[0][0]
    yield store
    assert everything(store) == before[0]
    assert store.read("SHOW CONSTRAINTS YIELD name RETURN name ORDER BY name") == before[1]
    empty(store)


def refused(ask: Callable[[str], object], error: type[Exception], statements: tuple[str, ...], says: str) -> None:
    for statement in statements:
        with pytest.raises(error, match=says):
            ask(statement)


def test_reading_from_the_store(filled: BoltStore) -> None:
    refused(lambda text: filled.read(text), StoreError, WRITES + LOADS, "a read must not change the graph, and it")


@pytest.mark.slow
def test_what_gets_past_the_refusal_is_refused_by_the_engine(
    filled: BoltStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = everything(filled)
    monkeypatch.setattr(bolt, "refusal", lambda _: None)
    for statement in WRITES:
        with contextlib.suppress(StoreError):
            filled.read(statement)
        assert everything(filled) == before, statement


def test_what_looks_like_a_write_is_answered(filled: BoltStore) -> None:
    for statement in NO_WRITES:
        assert filled.read(statement), statement


def test_the_embedded_engine_asks_no_other_server(embedded_store: BoltStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bolt, "refusal", lambda _: None)
    for address in ("http://192.0.2.1/x", "https://example.org/x", "file:///etc/hostname"):
        for ask in (embedded_store.read, embedded_store.write):
            with pytest.raises(StoreError, match=r"URLs are disabled|is not allowed to update security"):
                ask(f"LOAD CSV FROM '{address}' AS line RETURN line")
    with pytest.raises(StoreError, match=r"'reader' is not allowed to .*; this is a read, and a read may not do it"):
        embedded_store.read("CREATE (:Page {url: 'a'})")


def test_a_query_of_the_library_that_would_write(filled: BoltStore, monkeypatch: pytest.MonkeyPatch) -> None:
    known = queries.get("crawl/list")
    for statement in WRITES:
        monkeypatch.setattr(queries, "get", lambda name, text=statement: replace(known, text=text))
        with pytest.raises(StoreError, match="a read must not change the graph"):
            graph_store.ask(filled, "crawl/list")


@pytest.mark.slow
def test_values_of_a_query_of_the_library(filled: BoltStore) -> None:
    for value in INJECTED:
        assert graph_store.ask(filled, "pages/most_relevant", crawl=value).rows == ()
        assert graph_store.ask(filled, "ontology/concept", concept=value).rows == ()


def test_a_statement_of_ones_own(filled: BoltStore) -> None:
    refused(
        lambda text: graph_store.cypher(filled, text), UsageError, WRITES + LOADS, "only reading is allowed, and it"
    )
    for value in INJECTED:
        found = graph_store.cypher(filled, "MATCH (c:Crawl {id: $id}) RETURN c.id AS id", {"id": value})
        assert found.rows == ()


@pytest.mark.slow
def test_on_the_command_line(
    filled: BoltStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert filled._auth is not None
    names = ("NEO4J_URI", "NEO4J_USERNAME", "NEO4J_PASSWORD", "NEO4J_DATABASE")
    for name, value in zip(names, (filled.uri, *filled._auth, filled._database), strict=True):
        monkeypatch.delenv(name, raising=False) if value is None else monkeypatch.setenv(name, value)
    where = ("--workspace", str(workspace.init(tmp_path / "ws").root))
    for statement in WRITES:
        assert invoke(["query", "cypher", statement, *where]) == 2
        assert "add --write" in " ".join(capsys.readouterr().err.split())
    for value in INJECTED:
        assert invoke(["query", "run", "pages/most_relevant", f"crawl={value}", *where, "--json"]) == 0
        assert '"rows": []' in capsys.readouterr().out
    for update in UPDATES:
        assert invoke(["query", "sparql", update, *where]) == 2
        assert "not SPARQL 1.1" in capsys.readouterr().err
    assert invoke(["query", "cypher", "MATCH (c:Crawl) RETURN c.id AS id", *where, "--json"]) == 0
    assert "run-b" in capsys.readouterr().out


@pytest.mark.slow
def test_sparql(filled: BoltStore) -> None:
    refused(lambda text: sparql(filled, text), SparqlError, UPDATES, "not SPARQL 1.1")
    refused(lambda text: sparql(filled, text), SparqlError, SERVICES, "SERVICE would send")


@pytest.mark.slow
def test_sparql_with_the_letters_of_service_in_its_texts(filled: BoltStore) -> None:
    iri = "http://example.org/Service/1"
    found = sparql(
        filled, f"SELECT ('self-service \\u0073ervice' AS ?text) (<{iri}> AS ?iri) ($x AS ?x) {{}}", {"x": "SERVICE"}
    )
    assert found.rows == [{"text": "self-service service", "iri": iri, "x": "SERVICE"}]
    for name in ("(1 AS ?services)", "(rdfs:service AS ?x)", "('a'@service AS ?x)"):
        with pytest.raises(SparqlError, match="without the letters SERVICE"):
            sparql(filled, f"SELECT {name} {{}}")


def test_weights_of_an_ontology_named_by_a_clause(filled: BoltStore) -> None:
    for value in INJECTED:
        with pytest.raises(NotLoadedError):
            topic_weights(filled, value)


def test_competency_questions(filled: BoltStore) -> None:
    def ask(text: str) -> object:
        return competency_checks._answers(Question("q7", "", "?", "cypher", text), None, filled)

    refused(ask, UsageError, WRITES, "question q7: a read must not change the graph")
    graph = competency_checks._sparql_graph([web.ONTOLOGY])
    triples = len(graph)
    for update in (*UPDATES, *SERVICES, "SELECT * FROM <http://127.0.0.1:9/x> { ?s ?p ?o }"):
        with pytest.raises(UsageError, match="question q7: its SPARQL cannot be run"):
            competency_checks._answers(Question("q7", "", "?", "sparql", update), graph, None)
    assert len(graph) == triples
