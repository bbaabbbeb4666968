"""The schema as data: on every engine, and against the model that docs/graph.md and the queries tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import queries
from kg import load, papers, schema, walks, weights
from kg.bolt import BoltStore
from kg.cypher import bare
from kg.store import GraphStore, StoreError
from tests.kg import small_crawl as web
from tests.kg.recording_store import RecordingStore

MODEL = Path(__file__).resolve().parents[2] / "docs" / "graph.md"
NODE = "MATCH (s:GraphSchema {name: 'ontocrawl'})"


@pytest.fixture
def fresh(store: BoltStore) -> BoltStore:
    """A graph without a version node, which comes back whatever the test does to it."""
    store.write(f"{NODE} DELETE s")
    return store


@pytest.mark.slow
def test_apply_is_idempotent(store: BoltStore) -> None:
    whole = schema.SchemaStatus(schema.VERSION, schema.VERSION, current=True)
    assert schema.apply(store) == whole
    for statement in schema.statements():
        store.schema(statement)
    assert schema.status(store) == whole
    assert store.read("MATCH (n) RETURN count(n) AS n") == [{"n": 1}]


def test_apply_on_a_graph_without_a_version(fresh: BoltStore) -> None:
    assert schema.status(fresh) == schema.SchemaStatus(None, schema.VERSION, current=False)
    assert schema.apply(fresh).current


@pytest.mark.slow
@pytest.mark.parametrize(("label", "key"), schema.KEYS.items())
def test_keys_are_unique(store: BoltStore, label: str, key: str) -> None:
    with pytest.raises(StoreError, match="refused"):
        store.write(f"UNWIND $rows AS row CREATE (:{label} {{{key}: row.key}})", [{"key": "a"}, {"key": "a"}])
    assert store.read(f"MATCH (n:{label} {{{key}: 'a'}}) RETURN count(n) AS n") == [{"n": 0}]


def test_a_newer_graph_is_refused_and_an_old_digest_renewed(store: BoltStore) -> None:
    try:
        store.write(f"{NODE} SET s.version = 99")
        assert schema.status(store) == schema.SchemaStatus(99, schema.VERSION, current=False)
        with pytest.raises(StoreError, match="schema version 99, and this ontocrawl knows 5: upgrade ontocrawl"):
            schema.apply(store)
    finally:
        store.write(f"{NODE} SET s.version = {schema.VERSION}, s.digest = 'of fewer indexes'")
    assert not schema.status(store).current
    assert schema.apply(store).current


def _answers(version: int | None, digest: str = "other") -> GraphStore:
    rows = [] if version is None else [{"version": version, "digest": digest}]
    return RecordingStore({"RETURN s.version AS version, s.digest": rows})


def test_a_current_graph_costs_one_query() -> None:
    store = RecordingStore({"MATCH (s:GraphSchema": [{"version": schema.VERSION, "digest": schema._digest()}]})
    assert schema.apply(store).current
    assert [call.kind for call in store.calls] == ["read"]


def test_migrations_run_in_order_and_only_on_old_graphs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "VERSION", 3)
    steps = {1: ("one",), 2: ("two", "two again"), 3: ("three",), 4: ("four",)}
    for version, expected in ((None, []), (1, ["two", "two again", "three"]), (2, ["three"]), (3, [])):
        store = _answers(version)
        assert isinstance(store, RecordingStore)
        schema.apply(store, steps)
        assert store.statements("write")[:-1] == expected
        assert store.statements("schema") == list(schema.statements())
        assert store.calls[-2].params["version"] == 3


def test_statements_are_portable_and_alone() -> None:
    for statement in schema.statements():
        assert re.fullmatch(
            r"CREATE CONSTRAINT \w+ IF NOT EXISTS FOR \(n:(\w+)\) REQUIRE n\.\w+ IS UNIQUE"
            r"|CREATE INDEX \w+ IF NOT EXISTS FOR \(n:(\w+)\) ON \(n\.\w+\)"
            r"|CREATE FULLTEXT INDEX `(\w+)\[(\w+)\]` IF NOT EXISTS FOR \(n:\3\) ON EACH \[n\.\4\] OPTIONS \{.*\}",
            statement,
        )
    names = [statement.partition(" IF ")[0].split()[-1] for statement in schema.statements()]
    assert len(set(names)) == len(names)


def test_the_documented_model_is_the_schema() -> None:
    text = MODEL.read_text(encoding="utf-8")
    documented = dict(re.findall(r"^\| `(\w+)` \| `(\w+)` \|", text, re.MULTILINE))
    assert documented == {label: key for label, key in schema.KEYS.items() if label != "GraphSchema"}
    found = {}
    for start, kinds, end in re.findall(r"^\| (\w+) \| ((?:`\w+`(?:, )?)+) \| (\w+) \|", text, re.MULTILINE):
        found.update(dict.fromkeys(re.findall(r"\w+", kinds), (start, end)))
    assert found == dict(schema.RELATIONSHIPS)


@pytest.mark.parametrize("query", queries.all_queries(internal=True), ids=lambda query: query.name)
def test_the_library_uses_only_what_the_schema_has(query: queries.Query) -> None:
    text = bare(query.text)
    labels = set(re.findall(r"\(\s*\w*:(\w+)", text))
    kinds = {kind for group in re.findall(r"\[\s*\w*:([\w|]+)", text) for kind in group.split("|")}
    assert labels <= set(schema.KEYS)
    assert kinds <= set(schema.RELATIONSHIPS)


def test_a_plan_is_what_apply_would_run_and_changes_nothing(fresh: BoltStore) -> None:
    assert schema.plan(fresh) == schema.SchemaPlan(schema.statements())
    assert schema.status(fresh).version is None
    schema.apply(fresh)
    assert schema.plan(fresh) == schema.SchemaPlan()


def test_a_plan_names_the_migrations_of_an_old_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "VERSION", 3)
    steps = {2: ("two", "two again"), 3: ("three",), 4: ("four",)}
    assert schema.plan(_answers(1), steps).migrations == ((2, "two"), (2, "two again"), (3, "three"))
    with pytest.raises(StoreError, match="schema version 9"):
        schema.plan(_answers(9), steps)


@pytest.mark.slow
def test_a_graph_of_version_1_is_migrated(fresh: BoltStore) -> None:
    schema.apply(fresh)
    fresh.write("CREATE (:Document {id: 'd'})-[:HAS_TERM {tf: 2}]->(:Term {text: '暴雨'}) RETURN 1 AS one")
    fresh.write("CREATE (:Ontology {iri: 'x:o', version: '0.1.0'}) RETURN 1 AS one")
    fresh.write(f"{NODE} SET s.version = 1 RETURN 1 AS one")
    fresh.write("CREATE (:FormalConcept {id: 'x:o/0', lattice: 'x:o', support: 1}) RETURN 1 AS one")
    names = "{label_zh: '', label_en: 'rain'}"
    rain = f"CREATE (k:Concept {names})-[:IN_ONTOLOGY {names}]->(o) SET k.iri = 'x:rain'"
    fresh.write(f"MATCH (o:Ontology) {rain} RETURN 1 AS one")
    assert {version for version, _ in schema.plan(fresh).migrations} == {2, 4, 5}
    for _ in range(2):  # a migration bears repetition
        fresh.write(f"{NODE} SET s.version = 1 RETURN 1 AS one")
        assert schema.apply(fresh).current
    assert fresh.read("MATCH (:Document)-[h:HAS_TERM]->(:Term) RETURN h.ontology AS o, h.tf AS tf") == [
        {"o": "", "tf": 2}
    ]
    assert fresh.read("MATCH (o:Ontology) RETURN o.series AS series") == [{"series": "x:o"}]
    lattices = fresh.read("MATCH (f:FormalConcept) RETURN f.context AS context, f.ontology AS ontology")
    assert lattices == [{"context": "documents", "ontology": "x:o"}]
    labels = fresh.read(
        "MATCH (k:Concept)-[m:IN_ONTOLOGY]->() RETURN k.label_zh AS zh, m.label_zh AS own, k.label_en AS en"
    )
    assert labels == [{"zh": None, "own": None, "en": "rain"}]


@pytest.mark.slow
def test_a_graph_that_version_0_1_wrote_is_migrated_and_used(fresh: BoltStore) -> None:
    written = (Path(__file__).parent / "graph_of_version_1.cypher").read_text(encoding="utf-8")
    statements = [text.strip() for text in written.split(";\n") if text.strip().startswith("UNWIND")]
    assert len(statements) > 25
    schema.apply(fresh)
    for statement in statements:
        fresh.write(f"{statement} RETURN count(*) AS n")
    fresh.write(f"{NODE} SET s.version = 1 RETURN 1 AS one")
    counts = (
        "MATCH (n) WHERE NOT n:GraphSchema AND NOT n:Sentence OPTIONAL MATCH (n)-[r]->() "
        "RETURN count(DISTINCT n) AS n, count(r) AS r"
    )
    before = fresh.read(counts)
    assert before == [{"n": 42, "r": 113}]
    assert schema.apply(fresh).current
    before = [{"n": 40, "r": 110}]  # two proposals with three relationships belong to no topic
    assert fresh.read(counts) == before
    assert fresh.read("MATCH ()-[h:HAS_TERM]->() RETURN DISTINCT h.ontology AS o, sum(h.tf) AS tf") == [
        {"o": "", "tf": 14}
    ]
    assert load.is_loaded(fresh, web.ONTOLOGY)
    for query in queries.all_queries():
        defaults = {p.name: "run-a" for p in query.parameters if p.name in ("crawl", "one", "other")}
        if all(p.name in defaults or not p.required for p in query.parameters):
            rows = walks.rows(fresh, query, query.bind(defaults))
            assert all(tuple(row) == query.returns for row in rows), query.name
    assert len(weights.topic_weights(fresh, web.ONTOLOGY.iri)) == len(web.CONCEPTS)
    load.load_ontology(fresh, web.ONTOLOGY)
    papers.load_documents(fresh, web.DOCUMENTS, lambda d: web.TERMS[d.id])
    papers.load_lattice(fresh, "small", web.LATTICE, web.COVERS)
    assert fresh.read(counts) == before
