"""SPARQL over the graph: the library's queries answer as their Cypher ones do; values stay values; errors are told."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import queries
from kg import sparql as engine
from kg import walks
from kg.bolt import BoltStore
from kg.export import export_graph
from kg.interchange.elements import Edge, Node
from kg.sparql import SparqlError, SparqlResult, library, parse, sparql, with_values
from tests.kg import small_crawl as web
from tests.kg.test_export import small_web
from tests.kg.test_export_formats import NASTY, write

NAMES = tuple(library())
FEW = (
    Node("Term", "a", {"n": 3, "x": 1.5, "yes": True, "list": [1, 2]}),
    Node("Term", NASTY[0], {}),
    Node("Concept", web.BASE + "Root", {"label_zh": "暴雨灾害"}),
    Edge("DENOTES", "a", web.BASE + "Root", {}),
)
OTHER_VALUES: dict[str, list[dict[str, Any]]] = {
    "sparql/hosts_that_pay": [{"crawl": "run-a"}, {"least": 4}, {"crawl": "none"}],
    "sparql/most_relevant_pages": [{"crawl": "run-a"}, {"limit": 2}],
    "sparql/top_pages_by_pagerank": [{"fetched": True}, {"limit": 3}],
    "sparql/crawls": [{"limit": 1}],
    "sparql/harvest_curve": [{"every": 1}, {"every": 2}, {"every": 4, "crawl": "run-a"}],
    "sparql/compare_crawls": [{"one": "run-a", "other": "run-b"}, {"one": "run-b", "other": "none"}],
    "sparql/concepts_without_pages": [{"crawl": "run-a"}, {"ontology": web.ONTOLOGY.iri}, {"ontology": "none"}],
    "sparql/anchors_that_lead_to_relevant": [{"crawl": "run-a"}, {"least": 2}],
    "sparql/weights_of_topic": [{"topic": "rainstorm", "limit": 3}, {"topic": "none"}],
    "sparql/proposals": [{"status": ""}, {"crawl": "run-a"}],
}


def same(found: SparqlResult, expected: list[dict[str, Any]]) -> None:
    """The rows of a SPARQL query are those of the Cypher one, in the columns that it has."""
    mine = [[row[name] for name in found.columns] for row in found.rows]
    its = [[row[name] for name in found.columns] for row in expected]
    assert [[_near(value) for value in row] for row in mine] == its


def _near(value: Any) -> Any:
    """Numbers up to the digits that a Cypher query rounds to."""
    return pytest.approx(value, abs=1e-6) if isinstance(value, float) else value


@pytest.mark.slow
def test_every_query_answers_as_its_cypher_one_does(store: BoltStore, tmp_path: Path) -> None:
    small_web(store)
    path = tmp_path / "graph.nt"
    export_graph(store, "nt", path)
    answered = 0
    for name, one in library().items():
        cypher = queries.get(one.cypher)
        required = {"compare_crawls": {}}
        for given in [*([] if name.partition("/")[2] in required else [{}]), *OTHER_VALUES[name]]:
            expected = walks.rows(store, cypher, cypher.bind(given))
            same(sparql(path, one.query.text, one.query.bind(given)), expected)
            answered += bool(expected)
    assert answered >= 2 * len(NAMES)


@pytest.mark.slow
def test_a_store_is_asked_as_a_file_is(embedded_store: BoltStore, tmp_path: Path) -> None:
    small_web(embedded_store)
    text = "SELECT ?url WHERE { ?p a og:Page ; og:url ?url } ORDER BY ?url"
    direct = sparql(embedded_store, text)
    for file_format, suffix in (("nt", ".nt"), ("turtle", ".ttl")):
        export_graph(embedded_store, file_format, tmp_path / f"x{suffix}")
        assert sparql(str(tmp_path / f"x{suffix}"), text) == direct
    assert [row["url"] for row in direct.rows][:2] == ["http://a.cn/1", "http://a.cn/2"]


def test_the_library_has_ten_queries_that_follow_cypher_ones() -> None:
    assert len(NAMES) >= 10
    assert list(NAMES) == sorted(NAMES)
    for one in library().values():
        cypher = queries.get(one.cypher)
        assert set(one.query.returns) <= set(cypher.returns)
        assert [p.name for p in one.query.parameters] == [p.name for p in cypher.parameters]
        assert [p.default for p in one.query.parameters] == [p.default for p in cypher.parameters]
        assert one.query.answers.endswith("?")


@pytest.mark.parametrize("name", NAMES)
def test_headers_fit_the_text(name: str, tmp_path: Path) -> None:
    query = engine.get(name)
    body = re.sub(r"(?m)^#.*$", "", query.text)
    assert set(re.findall(r"\$(\w+)", body)) == {p.name for p in query.parameters}
    assert "ORDER BY" in body
    found = sparql(write("nt", FEW, tmp_path), query.text, query.bind(query.example_values()))
    assert found.columns == query.returns


def test_values_of_all_kinds_come_as_python_has_them(tmp_path: Path) -> None:
    path = write("turtle", FEW, tmp_path)
    where = '{ ?t og:text "a" ; og:n ?n ; og:x ?x ; og:yes ?yes ; og:list ?list }'
    found = sparql(path, f"SELECT ?n ?x ?yes ?list ?t ?none (?n / 2 AS ?half) WHERE {where}")
    assert found.columns == ("n", "x", "yes", "list", "t", "none", "half")
    own = "https://w3id.org/ontocrawl/graph/Term/a"
    assert found.rows == [{"n": 3, "x": 1.5, "yes": True, "list": "[1, 2]", "t": own, "none": None, "half": 1.5}]
    assert sparql(path, "ASK { ?c a owl:Class ; rdfs:label '暴雨灾害'@zh }").rows == [{"answer": True}]
    triples = sparql(path, "CONSTRUCT { ?t rdfs:seeAlso ?c } WHERE { ?t og:DENOTES ?c }")
    see = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
    assert triples.rows == [{"subject": own, "predicate": see, "object": web.BASE + "Root"}]


@pytest.mark.parametrize("text", [*NASTY, "$n", "?x", '" . ?s ?p ?o } #', "\\", "\\n"])
def test_a_value_stays_a_value(text: str, tmp_path: Path) -> None:
    path = write("nt", [Node("Term", text, {}), Node("Term", "other", {})], tmp_path)
    found = sparql(
        path, "SELECT ?t WHERE { ?s og:text ?t FILTER (?t = $wanted) } LIMIT $most", {"wanted": text, "most": 5}
    )
    assert [row["t"] for row in found.rows] == [text]


def test_parameters_stand_for_values_outside_strings_iris_and_comments() -> None:
    text = "# $a\nSELECT ?x { ?x <http://x/$a> \"$a\", '$a', '''a'$a''', $a FILTER (?x < $b) }"
    assert with_values(text, {"a": "v", "b": 7}) == (
        "# $a\nSELECT ?x { ?x <http://x/$a> \"$a\", '$a', '''a'$a''', \"v\" FILTER (?x < 7) }"
    )
    assert with_values("$a $b $c", {"a": True, "b": 0.5, "c": [1]}) == (
        '"true"^^<http://www.w3.org/2001/XMLSchema#boolean> "0.5"^^<http://www.w3.org/2001/XMLSchema#double>'
        ' "[1]"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON>'
    )
    with pytest.raises(SparqlError, match=r"\$limt, which has no value; did you mean \$limit"):
        with_values("LIMIT $limt", {"limit": 1})
    with pytest.raises(SparqlError, match=r"a variable that is none is written \?zzz"):
        with_values("SELECT $zzz", {})


def test_several_files_are_one_graph(tmp_path: Path) -> None:
    one = write("nt", FEW[:1], tmp_path / "one")
    other = write("turtle", FEW[1:2], tmp_path / "other")
    assert sparql([one, other], "SELECT (COUNT(*) AS ?n) { ?t a og:Term }").rows == [{"n": 2}]


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("SELECT ?x WHERE {", "not SPARQL 1.1"),
        ("INSERT DATA { <a:b> <a:c> 1 }", "not SPARQL 1.1: .*it is an update.*--write"),
        ("# all\nPREFIX x: <http://x/>\ndelete where { ?s ?p ?o }", "it is an update"),
        ("SELECT ?x { ?x nope:y 1 }", "not SPARQL 1.1: .{,120}; a prefix is not declared: .*known .* og, rdf"),
        ("SELECT * FROM <http://a.cn/> { ?s ?p ?o }", "FROM asks for a named graph, .* leave FROM out"),
        ("SELECT * { graph ?g { ?s ?p 'graph of' } }", "GRAPH asks for a named graph"),
    ],
)
def test_what_is_no_query(query: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SparqlError, match=says):
        sparql(write("nt", FEW, tmp_path), query)


def test_names_may_be_words_of_sparql(tmp_path: Path) -> None:
    query = "PREFIX from: <og:x> SELECT ?graph { ?graph a og:Term ; ?from ?o FILTER (?o != 'from ') } # graph"
    assert sparql(write("nt", FEW[:1], tmp_path), query).rows


def test_what_is_no_rdf(tmp_path: Path) -> None:
    path = tmp_path / "x.ttl"
    path.write_text("<a> <b\n", encoding="utf-8")
    with pytest.raises(SparqlError, match=r"x\.ttl, line 1: not RDF"):
        sparql(path, "ASK { ?s ?p ?o }")
    with pytest.raises(SparqlError, match=r"no RDF format has this suffix; expected \.ttl"):
        sparql(tmp_path / "x.docx", "ASK { ?s ?p ?o }")
    with pytest.raises(FileNotFoundError):
        sparql(tmp_path / "none.nt", "ASK { ?s ?p ?o }")


def test_names_and_headers() -> None:
    assert engine.get("crawls") == engine.get("sparql/crawls")
    with pytest.raises(SparqlError, match="did you mean 'sparql/hosts_that_pay'"):
        engine.get("sparql/host_that_pays")
    with pytest.raises(SparqlError, match="known: sparql/anchors"):
        engine.get("zzz")
    text = engine.get("crawls").text
    with pytest.raises(queries.QueryError, match="one header line `# cypher"):
        parse("x", text.replace("# cypher: crawl/list\n", ""))
    with pytest.raises(queries.QueryError, match="lacks"):
        parse("x", text.replace("# title:", "# name:"))
