"""Topic weights by query against the in-memory ones: on Table 1, on random DAGs, on edited graphs, on what ships."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest

import ontologies
from kg.load import load_ontology
from kg.records import WeightedTerm
from kg.store import GraphStore
from kg.weights import NotLoadedError, save_weights, topic_weights
from ontology import owl
from ontology.model import Concept, Ontology, Relation, RelationKind
from tests.kg import small_crawl as web
from tests.ontology.similarity.root_weights import root_weights

TABLE_1 = ("12", "13", "16", "34", "35", "48", "58", "67", "68")  # broader, narrower; algorithms.md G1
SHIPPED = sorted(Path(ontologies.__path__[0]).glob("*.ttl"))
FACTORS = ("distance", "density", "depth", "coincidence", "relation")


def ontology(names: list[str], edges: list[tuple[str, RelationKind, str]], root: str) -> Ontology:
    """Concepts "w1", "w2" .. with Chinese and English labels."""
    concepts = tuple(Concept(n, f"词{n}", f"word {n}", (f"别名{n}",)) for n in sorted(names))
    return Ontology("https://example.org/o", "global", "t", "1", root, concepts, tuple(Relation(*e) for e in edges))


def table_1() -> Ontology:
    return ontology(list("12345678"), [(pair[1], "subclass_of", pair[0]) for pair in TABLE_1], "1")


def assert_equal(store: GraphStore, expected: Ontology, alpha: float = 1.0) -> list[WeightedTerm]:
    """The weights in the graph are those of this ontology in memory, with factors and paths."""
    found = topic_weights(store, expected.iri, alpha=alpha)
    by_iri = {term.iri: term for term in found}
    assert set(by_iri) == {c.iri for c in expected.concepts}
    for weight in root_weights(expected, alpha=alpha):
        term = by_iri[weight.iri]
        assert term.weight == pytest.approx(weight.sem, abs=1e-9)
        for factor in FACTORS:
            assert getattr(term.factors, factor) == pytest.approx(getattr(weight.factors, factor), abs=1e-9), factor
        assert term.path == tuple(expected.by_iri[iri].label_zh for iri in weight.path)
        assert term.forms == expected.by_iri[weight.iri].forms()
        assert (term.ontology, term.series, term.version) == (expected.iri, expected.iri, expected.version)
    return found


@pytest.mark.slow
def test_g2_weights_of_table_1_by_query(store: GraphStore) -> None:
    load_ontology(store, table_1())
    terms = assert_equal(store, table_1())
    expected = {
        "1": 1,
        "2": 0.574333,
        "3": 0.574333,
        "6": 0.574333,
        "4": 0.434333,
        "5": 0.434333,
        "7": 0.434333,
        "8": 0.418333,
    }
    assert {t.iri: t.weight for t in terms} == pytest.approx(expected, abs=5e-7)
    assert [t.iri for t in terms] == ["1", "2", "3", "6", "4", "5", "7", "8"]
    eight = terms[-1]
    assert [getattr(eight.factors, f) for f in FACTORS] == pytest.approx([1 / 3, 1, 0.4, 1 / 6, 0.8])
    assert eight.path == ("词1", "词6", "词8")


def test_no_similarity_value_is_stored_beforehand(store: GraphStore) -> None:
    load_ontology(store, table_1())
    topic_weights(store, table_1().iri)
    kept = store.read(
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology) UNWIND keys(c) + keys(m) AS key "
        "RETURN DISTINCT key ORDER BY key"
    )
    assert [row["key"] for row in kept] == [
        "alt_en", "alt_zh", "children", "class", "definition", "definition_en", "depth", "iri", "label_en", "label_zh",
    ]  # fmt: skip
    edges = store.read(
        "MATCH (:Concept)-[r:SUBCLASS_OF]->(:Concept) UNWIND keys(r) AS key RETURN DISTINCT key ORDER BY key"
    )
    assert {row["key"] for row in edges} <= {"ontology", "support", "confidence", "evidence", "documents", "sentence"}


@pytest.mark.slow
def test_after_adding_and_after_removing_an_edge_in_the_graph(store: GraphStore) -> None:
    before = table_1()
    load_ontology(store, before)
    assert_equal(store, before)
    store.write(
        "MATCH (a:Concept {iri: '7'}) MATCH (b:Concept {iri: '8'}) "
        "MERGE (a)-[:SUBCLASS_OF {ontology: $ontology}]->(b) RETURN 1 AS one",
        ontology=before.iri,
    )
    added = replace(before, relations=(*before.relations, Relation("7", "subclass_of", "8")))
    assert {t.iri: t.factors.depth for t in assert_equal(store, added)}["7"] == pytest.approx(2 / (1 + 5))
    store.write(
        "MATCH (:Concept {iri: '6'})-[r:SUBCLASS_OF]->(:Concept {iri: '1'}) WHERE r.ontology = $ontology "
        "DELETE r RETURN 1 AS one",
        ontology=before.iri,
    )
    removed = replace(added, relations=tuple(r for r in added.relations if (r.source, r.target) != ("6", "1")))
    assert_equal(store, removed)
    assert {t.iri: t.weight for t in topic_weights(store, before.iri)} != {r.iri: r.sem for r in root_weights(before)}


@pytest.mark.slow
def test_equivalent_concepts_are_one(store: GraphStore) -> None:
    """algorithms.md 2.4: root > a = b > c gives Sem(root, c) = .434333."""
    chain = ontology(["root", "a", "b", "c"], [
        ("a", "subclass_of", "root"), ("a", "equivalent_to", "b"), ("c", "subclass_of", "b"),
    ], "root")  # fmt: skip
    load_ontology(store, chain)
    weights = {t.iri: t.weight for t in assert_equal(store, chain)}
    assert weights["c"] == pytest.approx(0.434333, abs=5e-7)
    assert weights["a"] == weights["b"]


def random_dag(seed: int) -> Ontology:
    """Several parents, part-of edges, equivalences that make no cycle, causes, a second top, a concept by itself."""
    rng = random.Random(seed)
    names = [f"c{n:02}" for n in range(rng.randint(4, 26))]
    rng.shuffle(names)
    edges: list[tuple[str, RelationKind, str]] = []
    for place, name in enumerate(names[1:], 1):
        for parent in rng.sample(names[:place], min(place, rng.choice((1, 1, 2, 3)))):
            edges.append((name, rng.choice(("subclass_of", "subclass_of", "part_of")), parent))
            if rng.random() < 0.15:
                edges.append((name, "part_of", parent))
    for place in rng.sample(range(1, len(names)), min(len(names) - 1, 2)):
        twin = f"{rng.choice('ax')}{place:02}twin"
        edges.append((min(twin, names[place]), "equivalent_to", max(twin, names[place])))
        edges.append((twin, "subclass_of", names[rng.randrange(place)]))
        names.append(twin)
    edges.append((names[0], "causes", names[-1]))
    edges.append((names[1], "subclass_of", "top"))
    return ontology([*names, "top", "zalone"], list(dict.fromkeys(edges)), names[0])


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_random_graphs_with_several_parents_and_equivalences(store: GraphStore, seed: int) -> None:
    expected = random_dag(seed)
    load_ontology(store, expected)
    assert_equal(store, expected, alpha=1.0 if seed % 2 else 1.6)


@pytest.mark.slow
def test_many_shortest_paths_do_not_explode(store: GraphStore) -> None:
    """20 levels of two concepts, each below both of the level above: 2^20 shortest paths to the last."""
    names = [f"{level:02}{side}" for level in range(20) for side in "ab"]
    edges: list[tuple[str, RelationKind, str]] = [
        (f"{level + 1:02}{side}", "part_of" if (level + (side != other)) % 3 else "subclass_of", f"{level:02}{other}")
        for level in range(19) for side in "ab" for other in "ab"
    ]  # fmt: skip
    ladder = ontology(
        ["root", *names], [*edges, ("00a", "subclass_of", "root"), ("00b", "subclass_of", "root")], "root"
    )
    load_ontology(store, ladder)
    assert_equal(store, ladder)


@pytest.mark.slow
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_ontologies_that_ship(store: GraphStore, path: Path) -> None:
    shipped = owl.read(path)
    load_ontology(store, shipped)
    terms = assert_equal(store, shipped)
    assert terms[0].iri == shipped.root
    assert terms[0].weight == pytest.approx(1)


@pytest.mark.slow
def test_other_coefficients(store: GraphStore) -> None:
    load_ontology(store, table_1())
    only_depth = topic_weights(store, table_1().iri, coefficients=(0, 0, 1, 0, 0))
    assert {t.iri: t.weight for t in only_depth}["8"] == pytest.approx(0.4)
    with pytest.raises(ValueError, match="five"):
        topic_weights(store, table_1().iri, coefficients=(0.5, 0.5))
    with pytest.raises(ValueError, match="alpha"):
        topic_weights(store, table_1().iri, alpha=0)
    with pytest.raises(NotLoadedError):
        topic_weights(store, "https://example.org/none")


@pytest.mark.slow
def test_saved_weights_replace_those_of_the_same_ontology_only(store: GraphStore) -> None:
    load_ontology(store, table_1())
    load_ontology(store, web.ONTOLOGY)
    save_weights(store, "rain", topic_weights(store, web.ONTOLOGY.iri))
    first = topic_weights(store, table_1().iri)
    assert save_weights(store, "rain", first) == 8
    assert save_weights(store, "rain", first[:3]) == 3
    rows = store.read(
        "MATCH (:Topic {name: 'rain'})-[w:WEIGHTS]->(c:Concept) WHERE w.ontology = $ontology "
        "RETURN c.iri AS iri, w.weight AS weight, w.path AS path, w.relation AS relation ORDER BY iri",
        ontology=table_1().iri,
    )
    assert rows == [
        {"iri": t.iri, "weight": t.weight, "path": list(t.path), "relation": t.factors.relation}
        for t in sorted(first[:3], key=lambda t: t.iri)
    ]
    others = store.read(
        "MATCH (:Topic)-[w:WEIGHTS]->(:Concept) WHERE w.ontology = $o RETURN count(w) AS n", o=web.ONTOLOGY.iri
    )
    assert others == [{"n": 8}]
    with pytest.raises(ValueError, match="name"):
        save_weights(store, "", first)
