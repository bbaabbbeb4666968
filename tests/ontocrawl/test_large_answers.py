"""A chain of 300 classes, 30,000 classes and a class of 3,000 names: every answer is whole, or says where it is cut.

The table of docs/queries.md says which bounds there are; a test reads it, and tests each row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.requests import Request
from starlette.responses import Response

import queries
from kg.load import load_ontology
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.routes import classes, lattices, ontologies
from ontocrawl.explorer.routes import queries as asking
from ontocrawl.graph import graph_store, query_parameters
from ontocrawl.graph.tables import within
from ontocrawl.topics import topic_lattices, topics
from ontology.draw.line_diagram import READABLE
from ontology.errors import Message
from ontology.model import Concept, Ontology, OtherText, Relation
from ontology.printable import json_text
from tests.conftest import empty
from tests.kg import small_crawl as web
from tests.queries.small_graph import A1, B5, GLOBAL, LOCAL, fill

BASE = "https://example.org/large#"
NAMED, WIDE = BASE + "named", BASE + "wide"
CHAIN, CLASSES, NAMES, BESIDE = 300, 30_000, 3_000, 5_000
GIVEN = {
    "url": A1, "source": A1, "target": B5, "host": "a.cn", "concept": BASE + "root", "also": web.BASE + "Flood",
    "narrower": BASE + "chain0", "broader": BASE + "root", "one": "run-a", "other": "run-b", "term": "洪水",
    "older": LOCAL, "newer": GLOBAL, "proposal": "海绵城市", "label": "a", "text": "洪水", "topic": "rainstorm",
}  # fmt: skip
MOST = 1_000_000


def _large() -> Ontology:
    concepts, relations = [Concept(BASE + "root", "大根", "large root")], []

    def add(concept: Concept, above: str) -> None:
        concepts.append(concept)
        relations.append(Relation(concept.iri, "subclass_of", BASE + above, 1, 0.5))

    for i in range(CHAIN):
        add(Concept(f"{BASE}chain{i}", f"链{i}", f"chain {i}"), f"chain{i - 1}" if i else "root")
    others = tuple(
        OtherText("label", language, name)
        for language, name in (("ja", "颱風の被害"), ("fr", "Crue éclair"), ("de", "Hochwasser"))
    )
    alike = tuple(f"alias {i}" for i in range(NAMES - 5))
    add(Concept(NAMED, "多名类", "class of many names", alt_en=alike, texts=others), "root")
    add(Concept(WIDE, "宽类", "wide class"), "root")
    for i in range(BESIDE):
        add(Concept(f"{BASE}wide{i}", f"宽{i}", f"wide {i}"), "wide")
    for i in range(CLASSES - len(concepts)):
        add(Concept(f"{BASE}tree{i}", f"树{i}", f"tree {i}"), f"tree{i // 30}" if i >= 30 else "root")
    return Ontology(BASE + "large", "global", "large", "1", BASE + "root", tuple(concepts), tuple(relations))


@pytest.fixture(scope="module")
def large() -> Ontology:
    return _large()


@pytest.fixture(scope="module")
def graph(embedded_engine: Any, large: Ontology) -> Iterator[GraphStore]:
    """The small web of the tests of queries, and the large ontology."""
    load_ontology(fill(empty(embedded_engine)), large, ())
    yield embedded_engine
    empty(embedded_engine)


class Opened:
    """A graph that is open already, as servers share one."""

    def __init__(self, graph: GraphStore) -> None:
        self._graph = graph

    @contextmanager
    def open(self) -> Iterator[GraphStore]:
        yield self._graph


Get = Callable[..., Any]


@pytest.fixture
def get(large: Ontology, space: Workspace, monkeypatch: pytest.MonkeyPatch) -> Get:
    """Return the document that a route of the explorer sends, for the topic of the large ontology."""
    level = SimpleNamespace(ontology=large, sources=(), papers=None)
    topic = SimpleNamespace(name="large", ontologies=(large,), levels=(level,))
    monkeypatch.setattr(topics, "named", lambda name, space: topic)
    app = SimpleNamespace(state=SimpleNamespace(space=space))

    def called(route: Callable[[Request], Response], **given: object) -> Any:
        scope = {
            "type": "http", "app": app, "headers": [], "path_params": {"topic": "large"},
            "query_string": urlencode(given).encode(),
        }  # fmt: skip
        body = bytes(route(Request(scope)).body)
        return json.loads(body) if body[:1] == b"{" else body.decode()

    return called


def check(document: Mapping[str, Any], most: int) -> dict[str, Mapping[str, Any]]:
    """Assert that an answer is within a size, and whole or cut; return its cuts by what was cut."""
    assert len(json_text(document)) <= most
    cuts = {cut["part"]: cut for cut in document.get("cut", ())}
    assert document["complete"] is (not cuts)
    for cut in cuts.values():
        assert 0 <= cut["at"] < cut["total"], cut
        assert cut["relation"] in ("eq", "gte")
    return cuts


@pytest.mark.slow
def test_every_query_is_whole_or_says_where_it_is_cut(graph: GraphStore, space: Workspace) -> None:
    mcp = pytest.importorskip("ontocrawl.mcp.tools", reason="the extra mcp is not installed")
    place = mcp.Place(space, Opened(graph))
    cut_somewhere = set()
    for query in queries.all_queries():
        given = {p.name: GIVEN[p.name] for p in query.parameters if p.required}
        found = mcp.call(place, "query", {"name": query.name, "parameters": given})
        cuts = check(found, mcp.LARGEST_ANSWER)
        cut_somewhere |= cuts.keys()
        if any(p.name == "limit" for p in query.parameters):
            everything = graph_store.ask(graph, query.name, **given, limit=2 * graph_store.COUNTED)
            rows = cuts.get("rows", {"at": len(found["rows"]), "total": len(found["rows"]), "relation": "eq"})
            assert rows["at"] == len(found["rows"]), query.name
            exact = rows["total"] == len(everything.rows)
            assert exact if rows["relation"] == "eq" else rows["total"] <= len(everything.rows), query.name
            check(within(everything.as_json(), mcp.LARGEST_ANSWER), mcp.LARGEST_ANSWER)
    assert {"rows", "bare"} <= cut_somewhere


@pytest.mark.slow
def test_a_walk_has_no_fixed_depth(graph: GraphStore) -> None:
    low, top = f"{BASE}chain{CHAIN - 1}", f"{BASE}chain0"
    above = graph_store.ask(graph, "ontology/ancestors", concept=low, limit=MOST)
    assert [row[3] for row in above.rows] == list(range(1, CHAIN + 1))
    below = graph_store.ask(graph, "ontology/descendants", concept=top, limit=MOST)
    assert [row[0] for row in below.rows] == [f"{BASE}chain{i}" for i in range(1, CHAIN)]
    everything = graph_store.ask(graph, "ontology/descendants", concept=BASE + "root", limit=MOST)
    assert (len(everything), everything.complete) == (CLASSES - 1, True)


@pytest.mark.slow
def test_names_of_all_languages_are_found_in_either_script(graph: GraphStore, space: Workspace, get: Get) -> None:
    for text in ("颱風の被害", "台风の被害", "crue éclair", "HOCHWASSER"):
        found, _ = query_parameters.ask(space, graph, "ontology/find", {"label": text})
        assert [row[0] for row in found.rows] == [NAMED], text
        named, _ = query_parameters.ask(space, graph, "ontology/concept", {"concept": text})
        assert [row[0] for row in named.rows] == [NAMED], text
        assert [one["iri"] for one in get(ontologies.search, text=text)["found"]] == [NAMED], text


ROW = re.compile(r"^\| (?P<answer>[^|]+) \| (?P<bound>[^|]+) \| (?P<told>[^|]+) \|$", re.MULTILINE)


def _table() -> dict[str, tuple[str, str]]:
    """The table of docs/queries.md: answer -> bound and how it is told."""
    page = Path("docs/queries.md").read_text(encoding="utf-8")
    part = page.partition("## Know whether an answer is whole\n")[2].partition("\n## ")[0]
    rows = [(row["answer"], (row["bound"], row["told"])) for row in ROW.finditer(part)]
    return dict(rows[2:] if rows[1][0].startswith("-") else rows[1:])


@pytest.mark.slow
def test_the_table_of_bounds_is_true(graph: GraphStore, space: Workspace, get: Get) -> None:
    mcp = pytest.importorskip("ontocrawl.mcp.tools", reason="the extra mcp is not installed")
    table, proved = _table(), set()

    def row(answer: str, bound: str, told: str) -> None:
        assert table[answer][0].startswith(bound), answer
        assert told in table[answer][1], answer
        proved.add(answer)

    root, place = {"concept": BASE + "root"}, mcp.Place(space, Opened(graph))
    few = graph_store.ask(graph, "ontology/descendants", **root, limit=5)
    assert [str(cut) for cut in few.cuts] == [f"rows cut at 5 of more than {graph_store.COUNTED}"]
    row("rows of a query of the library", "`limit`", "`rows`")
    bare = graph_store.ask(graph, "ontology/coverage_by_branch", ontology=BASE + "large", names=2)
    assert [str(cut) for cut in bare.cuts] == ["bare cut at 2 of more than 2"]
    assert {column for query in queries.all_queries() for column in query.lists} == set(
        re.findall(r"`(\w+)`", table["lists in columns"][0].partition(":")[2])
    )
    row("lists in columns", "`names`", "the column")
    steps = {query.name: query.most for query in queries.all_queries() if query.most}
    assert steps == dict.fromkeys(("ontology/causes", "ontology/effects"), ("steps", 6))
    row("chains of causes and of effects", "6 steps", "`steps`")
    far = queries.get("links/path")
    none = Message("no_rows.links_path", source="a", target="b")
    assert "*1..8]" in far.text and "one to eight links" in none
    row("`links/path`", "8 links", "reason")
    tunnels = queries.get("crawl/tunnels")
    assert "*1..4 " in tunnels.text and "one to four" in tunnels.title
    row("`crawl/tunnels`", "4 irrelevant pages", "title")
    row("walks along the hierarchy", "none", "complete")  # test_a_walk_has_no_fixed_depth
    assert graph_store.cypher(graph, "MATCH (c:Concept) RETURN c.iri AS iri").complete
    row("your own Cypher and SPARQL", "none", "complete")
    names = {"name": "ontology/concept", "parameters": {"concept": NAMED}}
    assert check(mcp.call(place, "query", names), mcp.LARGEST_ANSWER) == {}
    wide = {"name": "ontology/descendants", "parameters": {**root, "limit": MOST}}
    cuts = check(mcp.call(place, "query", wide), mcp.LARGEST_ANSWER)
    assert cuts["rows"]["total"] == CLASSES - 1
    check(mcp.call(place, "queries", {}), mcp.LARGEST_ANSWER)
    row("an answer of an MCP tool", f"{mcp.LARGEST_ANSWER:,} characters", "the list")
    row("the explorer's page Ask", f"{asking.LARGEST_ANSWER:,} characters", "above the rows")
    _prove_the_ontology_page(get, row)
    _prove_the_lattice(get, row)
    assert proved == table.keys()


def _prove_the_ontology_page(get: Get, row: Callable[[str, str, str], None]) -> None:
    most = ontologies.LARGEST_LIST
    tree = get(ontologies.children, **{"class": WIDE})
    assert check(tree, 100_000)["below"] == {"part": "below", "at": most, "total": BESIDE, "relation": "eq"}
    shown = [one["iri"] for one in tree["below"]]
    while not tree["complete"]:
        tree = get(ontologies.children, skip=len(shown), **{"class": WIDE})
        shown += [one["iri"] for one in tree["below"]]
    assert len(set(shown)) == len(shown) == BESIDE
    assert get(ontologies.children, **{"class": f"{BASE}chain7"})["below"][0]["iri"] == f"{BASE}chain8"
    row("classes below a class in the explorer's tree", f"{most}", "button")
    assert check(get(ontologies.entry, **{"class": WIDE}), 400_000)["below"]["total"] == BESIDE
    assert check(get(ontologies.entry, **{"class": NAMED}), 400_000)["names"]["total"] == NAMES
    deepest = get(ontologies.entry, **{"class": f"{BASE}chain{CHAIN - 1}"})
    assert (len(deepest["way"]), deepest["complete"]) == (CHAIN + 1, True)
    row("names, and classes above and below, on a class's page", f"{most} each", "list")
    found = get(ontologies.search, text="tree")
    assert check(found, 100_000)["found"]["at"] == ontologies.LARGEST_SEARCH
    row("a search of classes in the explorer", f"{ontologies.LARGEST_SEARCH}", "list")
    row("the record of a class", f"{classes.LARGEST_RECORD:,} characters", "below it")


def _prove_the_lattice(get: Get, row: Callable[[str, str, str], None]) -> None:
    most = topic_lattices.MOST
    top = get(lattices.concept)
    cuts = check(top, 1_000_000)
    assert cuts["extent"]["at"] == most and cuts["attributes"]["total"] > topic_lattices.MOST_ATTRIBUTES
    row("lists of a formal concept, a search and implications", f"{most}", "list")
    assert cuts["attributes"]["at"] <= topic_lattices.MOST_ATTRIBUTES
    row("a lattice of more attributes", f"{topic_lattices.MOST_ATTRIBUTES:,} attributes", "above the drawing")
    drawn = get(lattices.drawing)
    assert drawn.count('class="c"') > 1
    assert "iceberg" in drawn
    assert check(get(lattices.search, text="树"), 1_000_000)["found"]["at"] == most
    row("the drawing of a lattice", f"{READABLE[0]} to {READABLE[1]} points", "caption")
