"""Weights by key from the graph, on each engine: equal to those in memory, and each corpus has its own."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from kg.key_weights import NoPapersError, PageCount, by_scheme, with_keys
from kg.load import LoadError, load_ontology, remove_ontology
from kg.papers import load_documents, papers_digest
from kg.records import WeightedTerm
from kg.store import GraphStore
from kg.weights import save_weights, topic_weights
from ontology.model import Document, Ontology, Relation
from ontology.shares import wilson
from ontology.terms.document_frequencies import DocumentFrequencies
from ontology.terms.particularity import particularity
from tests.kg import small_crawl as web

BACKGROUND = DocumentFrequencies({"暴雨灾害": 4, "城市内涝": 1, "内涝": 9, "洪水": 40, "flood": 55}, 200, "by hand", 1)


def filled(
    store: GraphStore, ontology: Ontology = web.ONTOLOGY, seed: int = 0, without: str = ""
) -> dict[str, set[str]]:
    """The ontology with thirty papers of its own, none of which has the class ``without``; label -> its papers."""
    draw = random.Random(seed)
    load_ontology(store, ontology)
    papers = [Document(f"p{at}", f"题{at}", year=2020) for at in range(30)]
    labels = [form for c in ontology.concepts for _, form in c.forms()]
    left_out = {form for c in ontology.concepts if c.iri == without for _, form in c.forms()}
    terms = {
        p.id: {form: draw.randint(1, 4) for form in labels if draw.random() < 0.2 and form not in left_out}
        for p in papers
    }
    load_documents(store, papers, lambda d: terms[d.id], ontology=ontology.key, digest=f"digest {seed}")
    return {form: {paper for paper, found in terms.items() if form in found} for form in labels}


def in_memory(ontology: Ontology, papers: dict[str, set[str]]) -> dict[str, tuple[int, int, float, float]]:
    """IRI -> d_i, b_i, key_i, u_i, with Warning and Alert as one class."""
    same = {web.BASE + "Alert": web.BASE + "Warning"}
    classes: dict[str, list[str]] = {}
    for c in ontology.concepts:
        classes.setdefault(same.get(c.iri, c.iri), []).extend(form for _, form in c.forms())
    d = {iri: len(set().union(*(papers[form] for form in forms))) for iri, forms in classes.items()}
    b = {
        iri: max(BACKGROUND.of(f for _, f in c.forms()) for c in ontology.concepts if same.get(c.iri, c.iri) == iri)
        for iri in classes
    }
    key = particularity([d[i] for i in classes], 30, [b[i] for i in classes], 200)
    u = np.square(key / key.max()) if key.any() else key
    found = zip(classes, key.tolist(), u.tolist(), strict=True)
    of = {iri: (d[iri], b[iri], k, u) for iri, k, u in found}
    return {c.iri: of[same.get(c.iri, c.iri)] for c in ontology.concepts}


def keyed(store: GraphStore, ontology: Ontology = web.ONTOLOGY) -> dict[str, WeightedTerm]:
    terms = topic_weights(store, ontology.key)
    return {t.iri: t for t in with_keys(store, terms, [ontology.key], BACKGROUND)}


@pytest.mark.slow
def test_equal_to_the_computation_in_memory(store: GraphStore) -> None:
    expected = in_memory(web.ONTOLOGY, filled(store))
    found = keyed(store)
    assert set(found) == set(expected) and len({u for *_, u in expected.values()}) > 3
    for iri, (d, b, key, u) in expected.items():
        term = found[iri]
        assert (term.documents, term.background) == (d, b)
        assert term.key == pytest.approx(key, abs=1e-9) and term.weight == pytest.approx(u, abs=1e-9)
    assert {t.iri: t.sem for t in found.values()} == {t.iri: t.weight for t in topic_weights(store, web.ONTOLOGY.key)}
    order = [(-round(t.weight, 12), t.iri) for t in found.values()]
    assert order == sorted(order)


@pytest.mark.slow
def test_a_class_of_no_paper_is_counted_in_the_pages_that_showed_it(store: GraphStore) -> None:
    in_none, in_some = web.BASE + "Flood", web.BASE + "Warning"
    filled(store, without=in_none)
    before = keyed(store)
    assert before[in_none].key == 0.0 and before[in_some].documents
    shown = {iri: PageCount(40, 50) for iri in (in_none, in_some)}
    terms = topic_weights(store, web.ONTOLOGY.key)
    after = {t.iri: t for t in with_keys(store, terms, [web.ONTOLOGY.key], BACKGROUND, shown)}
    expected = math.log(wilson(40, 50)[0]) - math.log(((before[in_none].background or 0) + 0.5) / (200 + 1))
    assert expected > 0 and after[in_none].key == pytest.approx(expected, abs=1e-9)
    assert (after[in_none].documents, after[in_none].pages) == (0, 40)
    assert (after[in_some].key, after[in_some].pages) == (before[in_some].key, 0), "its papers count, not the pages"
    few = {in_none: PageCount(2, 2)}
    (least,) = (t for t in with_keys(store, terms, [web.ONTOLOGY.key], BACKGROUND, few) if t.iri == in_none)
    assert 0 < (least.key or 0) < expected, "two of two pages support less than forty of fifty"


@pytest.mark.slow
def test_versions_learned_from_the_same_papers_stand_side_by_side(store: GraphStore) -> None:
    one, other = (replace(web.ONTOLOGY, version=f"0.1.0+{digest}") for digest in ("aaa", "bbb"))
    assert one.key != other.key and one.iri == other.iri
    of_one = in_memory(one, filled(store, one, seed=1))
    before = keyed(store, one)
    of_other = in_memory(other, filled(store, other, seed=2))
    for ontology, expected in ((one, of_one), (other, of_other)):
        assert {i: t.documents for i, t in keyed(store, ontology).items()} == {i: v[0] for i, v in expected.items()}
    assert keyed(store, one) == before
    rows = store.read("MATCH (o:Ontology) RETURN o.iri AS iri, o.series AS series, o.version AS version ORDER BY iri")
    assert [(r["iri"], r["series"], r["version"]) for r in rows] == [
        (o.key, web.ONTOLOGY.iri, o.version) for o in (one, other)
    ]
    assert papers_digest(store, one.key) == "digest 1" and papers_digest(store, web.ONTOLOGY.iri) == ""
    with pytest.raises(LoadError, match=r"has: .*aaa, .*bbb"):
        remove_ontology(store, web.ONTOLOGY.iri)
    remove_ontology(store, other.key)
    assert keyed(store, one) == before
    assert store.read("MATCH ()-[h:HAS_TERM]->() RETURN DISTINCT h.ontology AS o") == [{"o": one.key}]
    remove_ontology(store, one.key)
    assert store.read("MATCH (d:Document) RETURN count(d) AS n") == [{"n": 0}]


@pytest.mark.slow
def test_schemes(store: GraphStore) -> None:
    filled(store)
    terms = list(keyed(store).values())
    sem, key, both = (by_scheme(terms, scheme) for scheme in ("sem", "key", "sem_key"))  # type: ignore[arg-type]
    assert [(t.iri, t.weight) for t in sem] == [(t.iri, t.weight) for t in topic_weights(store, web.ONTOLOGY.key)]
    product = {t.iri: (t.sem or 0) * t.weight for t in key}
    top = max(product.values())
    assert {t.iri: t.weight for t in both} == pytest.approx({iri: w / top for iri, w in product.items()})
    assert both[0].weight == 1.0 and {t.scheme for t in both} == {"sem_key"}
    save_weights(store, "rain", both)
    rows = store.read(
        "MATCH (:Topic)-[w:WEIGHTS]->(c:Concept) RETURN c.iri AS i, w.weight AS w, w.key AS k, w.scheme AS s"
    )
    assert {r["i"]: (r["w"], r["k"], r["s"]) for r in rows} == {t.iri: (t.weight, t.key, "sem_key") for t in both}


@pytest.mark.slow
def test_an_ontology_without_papers_is_named(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    terms = topic_weights(store, web.ONTOLOGY.key)
    with pytest.raises(NoPapersError, match=web.ONTOLOGY.key):
        with_keys(store, terms, [web.ONTOLOGY.key], BACKGROUND)
    assert with_keys(store, [], [web.ONTOLOGY.key], BACKGROUND) == []


@pytest.mark.slow
def test_no_class_is_particular(store: GraphStore) -> None:
    load_ontology(store, web.ONTOLOGY)
    load_documents(store, [Document("p", "无关")], lambda d: {"别的": 1}, ontology=web.ONTOLOGY.key)
    assert {t.weight for t in keyed(store).values()} == {0.0}


@pytest.mark.slow
def test_relations_of_two_versions_do_not_mix(store: GraphStore) -> None:
    one = replace(web.ONTOLOGY, version="0.1.0+aaa")
    flat = tuple(Relation(c.iri, "subclass_of", web.ONTOLOGY.root) for c in web.CONCEPTS[1:])
    other = replace(web.ONTOLOGY, version="0.1.0+bbb", relations=flat)
    alone = {}
    for ontology in (one, other):
        load_ontology(store, ontology)
        alone[ontology.key] = topic_weights(store, ontology.key)
    assert all(topic_weights(store, key) == terms for key, terms in alone.items())
    assert len({t.weight for t in alone[other.key]}) == 2 < len({t.weight for t in alone[one.key]})
