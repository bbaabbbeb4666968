"""Ontologies, papers and lattices in the graph: what is written, again, and in place of older ones."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kg.load import LoadError, LoadReport, digest, is_loaded, load_ontology, remove_ontology
from kg.papers import DocumentsReport, FormalConceptRow, load_documents, load_lattice
from kg.project import project_crawl
from kg.store import GraphStore
from kg.weights import NotLoadedError, _refresh_depths, save_weights
from ontology.concept_graph import OntologyCycle
from ontology.model import Document, Ontology, Relation
from tests.kg import small_crawl as web
from tests.kg.test_project import everything

RELATIONS = (
    "MATCH (a:Concept)-[r:SUBCLASS_OF|PART_OF|EQUIVALENT_TO|CAUSES|MEASURED_BY]->(b:Concept) "
    "RETURN type(r) AS kind, a.iri AS source, b.iri AS target, r.ontology AS ontology, r.support AS support, "
    "r.confidence AS confidence, r.evidence AS evidence ORDER BY kind, source, target, ontology"
)
NEW_LABELS = {web.BASE + "Levee": "防洪堤"}
SHAPE = (
    "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(:Ontology {iri: $iri}) "
    "RETURN c.iri AS iri, m.class AS class, m.depth AS depth, m.children AS children ORDER BY iri"
)


def shape(store: GraphStore, iri: str) -> dict[str, tuple[str, int, int]]:
    rows = store.read(SHAPE, iri=iri)
    return {
        row["iri"].removeprefix(web.BASE): (row["class"].removeprefix(web.BASE), row["depth"], row["children"])
        for row in rows
    }


def test_everything_of_an_ontology_is_written(store: GraphStore) -> None:
    assert load_ontology(store, web.ONTOLOGY) == LoadReport(web.ONTOLOGY.iri, 8, 9, 0, 0)
    expected = sorted(
        (r.kind.upper(), r.source, r.target, web.ONTOLOGY.iri, r.support, r.confidence, r.evidence)
        for r in web.ONTOLOGY.relations
    )
    assert [tuple(row.values()) for row in store.read(RELATIONS)] == expected
    members = store.read(
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology) RETURN c.iri AS iri, c.label_zh AS newest, m.label_zh AS zh, "
        "m.label_en AS en, m.alt_zh AS alt_zh, m.alt_en AS alt_en, o.root AS root, o.kind AS kind ORDER BY iri"
    )
    assert [row["iri"] for row in members] == sorted(c.iri for c in web.CONCEPTS)
    flooded = next(row for row in members if row["iri"].endswith("Waterlogging"))
    assert flooded == {
        "iri": web.BASE + "Waterlogging", "newest": "城市内涝", "zh": "城市内涝", "en": "city waterlogging",
        "alt_zh": ["内涝"], "alt_en": [], "root": web.BASE + "Root", "kind": "global",
    }  # fmt: skip


def test_depth_is_the_longest_way_up_over_contracted_concepts(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    assert shape(store, web.ONTOLOGY.iri) == {
        "Root": ("Root", 1, 3),
        "Waterlogging": ("Waterlogging", 2, 1),
        "Flood": ("Flood", 2, 2),
        "FlashFlood": ("FlashFlood", 3, 0),
        "Warning": ("Alert", 2, 1),
        "Alert": ("Alert", 2, 1),
        "RedWarning": ("RedWarning", 3, 0),
        "Levee": ("Levee", 3, 0),
    }


def test_loading_twice_is_loading_once(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    once = everything(store)
    assert load_ontology(store, web.ONTOLOGY).removed_relations == 9
    assert everything(store) == once


def test_a_newer_version_replaces_the_older_one(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    assert is_loaded(store, web.ONTOLOGY)
    dropped = web.BASE + "RedWarning"
    concepts = (replace(c, label_zh=NEW_LABELS.get(c.iri, c.label_zh)) for c in web.CONCEPTS if c.iri != dropped)
    edges = (r for r in web.ONTOLOGY.relations if r.kind != "causes" and dropped not in (r.source, r.target))
    newer = replace(web.ONTOLOGY, version="2", concepts=tuple(concepts), relations=tuple(edges))
    assert not is_loaded(store, newer)
    report = load_ontology(store, newer)
    assert (report.concepts, report.relations, report.removed_concepts) == (7, 7, 1)
    assert is_loaded(store, newer)
    assert not is_loaded(store, web.ONTOLOGY)
    kinds = [row["kind"] for row in store.read(RELATIONS)]
    assert (len(kinds), kinds.count("CAUSES")) == (7, 0)
    assert store.read("MATCH (c:Concept {iri: $iri}) RETURN c.iri AS iri", iri=dropped) == []
    assert store.read("MATCH (c:Concept) WHERE c.label_zh = '防洪堤' RETURN count(c) AS n") == [{"n": 1}]


@pytest.mark.slow
def test_a_concept_without_a_chinese_label_has_none(store: GraphStore) -> None:
    labels = (
        "MATCH (c:Concept)-[m:IN_ONTOLOGY]->() RETURN DISTINCT c.label_zh IS NULL AS own, m.label_zh IS NULL AS there"
    )
    load_ontology(store, web.ONTOLOGY)
    assert store.read(labels) == [{"own": False, "there": False}]
    english = tuple(replace(c, label_zh="", label_en=c.label_en or "x") for c in web.CONCEPTS)
    load_ontology(store, replace(web.ONTOLOGY, version="2", concepts=english))
    assert store.read(labels) == [{"own": True, "there": True}]


@pytest.mark.slow
def test_two_ontologies_share_concepts_and_keep_their_own_edges(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    flood, flash = web.BASE + "Flood", web.BASE + "FlashFlood"
    local = Ontology(
        web.BASE + "local", "local", "rainstorm", "1", flood,
        tuple(replace(c, label_zh=c.label_zh + "类") for c in web.CONCEPTS if c.iri in (flood, flash)),
        (Relation(flash, "subclass_of", flood),),
    )  # fmt: skip
    load_ontology(store, local)
    assert shape(store, local.iri) == {"Flood": ("Flood", 1, 1), "FlashFlood": ("FlashFlood", 2, 0)}
    assert shape(store, web.ONTOLOGY.iri)["FlashFlood"] == ("FlashFlood", 3, 0)
    labels = store.read(
        "MATCH (c:Concept {iri: $iri})-[m:IN_ONTOLOGY]->(o) RETURN o.iri AS o, m.label_zh AS zh ORDER BY o", iri=flash
    )
    assert labels == [{"o": local.iri, "zh": "山洪类"}, {"o": web.ONTOLOGY.iri, "zh": "山洪"}]
    empty = replace(local, concepts=local.concepts[:1], relations=())
    assert load_ontology(store, empty).removed_concepts == 0
    assert len(store.read(RELATIONS)) == 9


def test_a_deep_ladder_does_not_explode(store: GraphStore) -> None:
    """Each of 40 levels has two concepts below both of the level above: 2^40 paths, 160 edges."""
    names = [f"{level:02}{side}" for level in range(40) for side in "ab"]
    edges = [
        Relation(f"{level + 1:02}{side}", "subclass_of", f"{level:02}{other}")
        for level in range(39) for side in "ab" for other in "ab"
    ]  # fmt: skip
    ladder = Ontology(
        "https://example.org/ladder", "global", "t", "1", "root",
        tuple(replace(web.CONCEPTS[0], iri=n) for n in ["root", *names]),
        (*edges, Relation("00a", "subclass_of", "root"), Relation("00b", "subclass_of", "root")),
    )  # fmt: skip
    load_ontology(store, ladder)
    assert shape(store, ladder.iri)["39a"] == ("39a", 41, 0)


@pytest.mark.slow
def test_loading_writes_the_shape_that_the_query_finds(store: GraphStore) -> None:
    """Several parents, parts and equivalents: refreshing right after loading changes nothing."""
    load_ontology(store, web.ONTOLOGY)
    loaded = shape(store, web.ONTOLOGY.iri)
    store.write("MATCH (:Concept)-[m:IN_ONTOLOGY]->(:Ontology) SET m.class = '', m.depth = 0, m.children = -1")
    _refresh_depths(store, web.ONTOLOGY.iri)
    assert shape(store, web.ONTOLOGY.iri) == loaded
    assert len({depth for _, depth, _ in loaded.values()}) > 2


def test_a_cycle_is_refused_before_anything_is_written(store: GraphStore) -> None:
    turned = replace(web.ONTOLOGY, relations=(*web.ONTOLOGY.relations, web.is_a("Root", "FlashFlood")))
    with pytest.raises(OntologyCycle, match="Root"):
        load_ontology(store, turned)
    assert store.read("MATCH (c:Concept) RETURN count(c) AS n") == [{"n": 0}]


def test_a_cycle_made_in_the_graph_is_named(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    add = (
        "MATCH (a:Concept {iri: $a}) MATCH (b:Concept {iri: $b}) "
        "MERGE (a)-[:SUBCLASS_OF {ontology: $ontology}]->(b) RETURN 1 AS one"
    )
    store.write(add, a=web.BASE + "Flood", b=web.BASE + "FlashFlood", ontology=web.ONTOLOGY.iri)
    with pytest.raises(OntologyCycle) as found:
        _refresh_depths(store, web.ONTOLOGY.iri)
    assert set(found.value.cycle) == {web.BASE + "Flood", web.BASE + "FlashFlood"}
    assert found.value.cycle[0] == found.value.cycle[-1]
    store.write(add, a=web.BASE + "Root", b=web.BASE + "Levee", ontology=web.ONTOLOGY.iri)
    with pytest.raises(OntologyCycle):
        _refresh_depths(store, web.ONTOLOGY.iri)


def test_an_ontology_that_is_not_there(store: GraphStore) -> None:
    assert not is_loaded(store, web.ONTOLOGY)
    with pytest.raises(NotLoadedError, match="load it first"):
        _refresh_depths(store, "https://example.org/none")


def test_the_digest_knows_every_value_and_no_order() -> None:
    assert digest(web.ONTOLOGY) == digest(replace(web.ONTOLOGY, concepts=web.CONCEPTS[::-1]))
    changed = [
        replace(web.ONTOLOGY, comment="x"),
        replace(web.ONTOLOGY, relations=web.ONTOLOGY.relations[1:]),
        replace(web.ONTOLOGY, concepts=(replace(web.CONCEPTS[0], alt_en=("x",)), *web.CONCEPTS[1:])),
    ]
    assert len({digest(o) for o in (web.ONTOLOGY, *changed)}) == 4


@pytest.mark.slow
def test_papers_terms_and_the_concepts_that_they_denote(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    expected = DocumentsReport(documents=3, terms=6, has_term=7, denotes=5, sentences=3)
    assert load_documents(store, web.DOCUMENTS, lambda d: web.TERMS[d.id]) == expected
    once = everything(store)
    assert load_documents(store, iter(web.DOCUMENTS), lambda d: web.TERMS[d.id]) == expected
    assert everything(store) == once
    rows = store.read(
        "MATCH (d:Document)-[h:HAS_TERM]->(t:Term)-[:DENOTES]->(c:Concept) "
        "RETURN d.id AS id, t.text AS text, h.tf AS tf, c.iri AS iri ORDER BY id, text"
    )
    assert [(r["id"], r["text"], r["tf"], r["iri"].removeprefix(web.BASE)) for r in rows] == [
        ("d1", "城市内涝", 3, "Waterlogging"), ("d1", "暴雨灾害", 2, "Root"), ("d2", "Warning Signal", 1, "Warning"),
        ("d2", "洪水", 4, "Flood"), ("d3", "内涝", 1, "Waterlogging"), ("d3", "暴雨灾害", 1, "Root"),
    ]  # fmt: skip
    load_documents(store, web.DOCUMENTS[:1], lambda _: {"洪水": 1})
    left = store.read("MATCH (:Document {id: 'd1'})-[:HAS_TERM]->(t:Term) RETURN t.text AS text")
    assert left == [{"text": "洪水"}]


def test_papers_without_id_and_terms_without_text_are_refused(store: GraphStore) -> None:
    with pytest.raises(LoadError, match="id"):
        load_documents(store, [Document("", "无题")], lambda _: {})
    with pytest.raises(LoadError, match="empty"):
        load_documents(store, web.DOCUMENTS[:1], lambda _: {"": 1})


@pytest.mark.slow
def test_a_lattice_with_its_covers_and_reduced_labels(store: GraphStore) -> None:
    load_documents(store, web.DOCUMENTS, lambda d: web.TERMS[d.id])
    assert load_lattice(store, "small", web.LATTICE, web.COVERS) == 3
    once = everything(store)
    load_lattice(store, "small", web.LATTICE, web.COVERS)
    assert everything(store) == once
    supports = "MATCH (f:FormalConcept) RETURN f.id AS id, f.support AS support ORDER BY id"
    before = (once, store.read(supports))
    for edit in (
        "MATCH (f:FormalConcept {id: 'small/C1'}) SET f.support = 99",
        "MATCH (:FormalConcept {id: 'small/C1'})-[r:OWN_DOCUMENT]->() DELETE r",
        "MATCH (f:FormalConcept {id: 'small/C0'}) MATCH (d:Document {id: 'd1'}) MERGE (f)-[:OWN_DOCUMENT]->(d)",
        "MERGE (f:FormalConcept {id: 'small/C9'}) SET f.lattice = 'small'",
    ):
        store.write(f"{edit} RETURN 1 AS done")
        assert (everything(store), store.read(supports)) != before
        load_lattice(store, "small", web.LATTICE, web.COVERS)
        assert (everything(store), store.read(supports)) == before
    rows = store.read(
        "MATCH (f:FormalConcept) OPTIONAL MATCH (f)-[:OWN_TERM]->(t:Term) "
        "OPTIONAL MATCH (f)-[:COVERS]->(g:FormalConcept) "
        "RETURN f.id AS id, f.support AS support, f.stability AS stability, t.text AS term, g.id AS below ORDER BY id"
    )
    assert [tuple(row.values()) for row in rows] == [
        ("small/C0", 3, 0.5, "风险", "small/C1"),
        ("small/C1", 2, None, "暴雨灾害", "small/C2"),
        ("small/C2", 1, None, None, None),
    ]
    papers = store.read("MATCH (f:FormalConcept)-[:OWN_DOCUMENT]->(d:Document) RETURN f.id AS f, d.id AS d ORDER BY d")
    assert [(row["f"], row["d"]) for row in papers] == [("small/C1", "d1"), ("small/C2", "d2"), ("small/C2", "d3")]
    load_lattice(store, "other", web.LATTICE[:1], ())
    load_lattice(store, "small", web.LATTICE[:2], web.COVERS[:1])
    left = store.read("MATCH (f:FormalConcept) RETURN f.id AS id ORDER BY id")
    assert [row["id"] for row in left] == ["other/C0", "small/C0", "small/C1"]


def test_a_lattice_that_is_there_is_not_written_again(embedded_store: GraphStore) -> None:
    load_documents(embedded_store, web.DOCUMENTS, lambda d: web.TERMS[d.id])
    load_lattice(embedded_store, "small", web.LATTICE, web.COVERS)
    assert load_lattice(ReadOnly(embedded_store), "small", web.LATTICE, web.COVERS) == 3  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="transaction"):
        load_lattice(ReadOnly(embedded_store), "small", web.LATTICE[:2], web.COVERS[:1])  # type: ignore[arg-type]


class ReadOnly:
    """A store without the methods that write."""

    def __init__(self, store: GraphStore) -> None:
        self.read = store.read


@pytest.mark.parametrize(
    ("concepts", "covers"),
    [
        ((FormalConceptRow("a", 1), FormalConceptRow("a", 2)), ()),
        ((FormalConceptRow("", 1),), ()),
        ((FormalConceptRow("a", 1),), (("a", "b"),)),
    ],
)
def test_lattices_that_do_not_hang_together(
    embedded_store: GraphStore, concepts: tuple[FormalConceptRow, ...], covers: tuple[tuple[str, str], ...]
) -> None:
    with pytest.raises(LoadError, match="lattice"):
        load_lattice(embedded_store, "small", concepts, covers)


@pytest.mark.slow
def test_one_of_two_ontologies_is_removed_and_leaves_exactly_the_other(store: GraphStore) -> None:
    other = replace(web.ONTOLOGY, iri="https://example.org/other", concepts=web.CONCEPTS[:4], relations=())
    load_ontology(store, other)
    alone = everything(store)
    load_ontology(store, web.ONTOLOGY)
    save_weights(store, "rainstorm", web.WEIGHTS)
    report = remove_ontology(store, web.ONTOLOGY.iri)
    assert (report.members, report.relations, report.concepts) == (8, 9, 4)
    assert report.weights == sum(w.ontology == web.ONTOLOGY.iri for w in web.WEIGHTS) > 0
    store.write("MATCH (t:Topic {name: 'rainstorm'}) DELETE t")
    assert everything(store) == alone


@pytest.mark.slow
def test_concepts_that_pages_mention_outlive_their_ontology(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    project_crawl(store, web.CRAWL, web.OUTCOMES, web.LINKS, web.KNOWN, seeds=[web.SEED])
    mentioned = {m.iri for o in web.OUTCOMES for m in o.mentions}
    report = remove_ontology(store, web.ONTOLOGY.iri)
    left = {row["iri"] for row in store.read("MATCH (c:Concept) RETURN c.iri AS iri")}
    assert left == mentioned and report.concepts == len(web.CONCEPTS) - len(mentioned)


def test_removing_what_is_not_there_names_what_is(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    with pytest.raises(LoadError, match=f"no ontology 'https://x.org'; it has: {web.ONTOLOGY.iri}"):
        remove_ontology(store, "https://x.org")
