from __future__ import annotations

import json
from functools import partial
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings

from ontology.context import ContextError, FormalContext
from ontology.hierarchy import TermHierarchy, term_hierarchy
from ontology.hierarchy.inclusion import _benjamini_hochberg, inclusion_p_values
from ontology.hierarchy.topic_ontology import local_context, to_ontology
from ontology.model import Concept, Header
from tests.ontology.contexts import TERM_COVERS, TERM_EXTENTS, contexts, data, table1

HEADER = Header("https://example.org/rain", "global", "rainstorm", "1")
ENGLISH = {"暴雨": "rainstorm", "灾害": "disaster"}


def concept_of(terms: tuple[str, ...], namespace: str = "https://example.org/rain#{}") -> Concept:
    """The class of equivalent terms, the first as its label."""
    label = terms[0]
    others = tuple(ENGLISH[t] for t in terms[1:] if t in ENGLISH)
    return Concept(namespace.format(label), label, ENGLISH.get(label), alt_zh=terms[1:], alt_en=others)


def labels(hierarchy: TermHierarchy) -> set[tuple[str, str]]:
    return {(hierarchy.nodes[e.parent].label, hierarchy.nodes[e.child].label) for e in hierarchy.edges}


def ancestor_labels(hierarchy: TermHierarchy, term: str) -> set[str]:
    node = hierarchy.index(term)
    assert node is not None
    return {hierarchy.nodes[i].label for i in hierarchy.ancestors(node)}


def of_texts(terms: list[str], texts: list[str]) -> FormalContext:
    table = np.array([[t in text for t in terms] for text in texts])
    return FormalContext.from_bools([f"d{i}" for i in range(len(texts))], terms, table)


def test_g1_term_covers_and_transitive_pairs() -> None:
    hierarchy = term_hierarchy(table1())
    assert labels(hierarchy) == {(f"T{t}", f"T{u}") for t, u in TERM_COVERS}
    above = {t: {int(label[1]) for label in ancestor_labels(hierarchy, f"T{t}")} for t in range(1, 9)}
    assert sum(len(a) for a in above.values()) == 14
    assert {(t, u) for u, found in above.items() for t in found} == {
        (t, u) for t in TERM_EXTENTS for u in TERM_EXTENTS if set(TERM_EXTENTS[u]) < set(TERM_EXTENTS[t])
    }
    assert (hierarchy.depth, [hierarchy.nodes[i].label for i in hierarchy.roots]) == (4, ["T1"])
    assert all(e.confidence == 1.0 for e in hierarchy.edges)
    assert {e.support for e in hierarchy.edges if hierarchy.nodes[e.child].label == "T8"} == {1}


@pytest.mark.slow
@given(contexts())
@settings(deadline=None)
def test_published_edges_are_the_transitive_reduction_of_extent_inclusion(context: FormalContext) -> None:
    hierarchy = term_hierarchy(context)
    nodes = hierarchy.nodes
    assert len({n.extent for n in nodes}) == len(nodes)
    assert {t for n in nodes for t in n.terms} | {r.child for r in hierarchy.rejected} == set(context.attributes)
    strict = {
        (u, t) for u, a in enumerate(nodes) for t, b in enumerate(nodes) if u != t and a.extent & b.extent == a.extent
    }
    reduced = {(u, t) for u, t in strict if not any((u, v) in strict and (v, t) in strict for v in range(len(nodes)))}
    assert {(e.child, e.parent) for e in hierarchy.edges} == reduced


@pytest.mark.slow
@given(contexts())
@settings(deadline=None)
def test_significant_edges_are_acyclic_and_rest_on_inclusions(context: FormalContext) -> None:
    hierarchy = term_hierarchy(context, reading="significant", min_evidence=1, q=0.9)
    for i, node in enumerate(hierarchy.nodes):
        assert i not in hierarchy.ancestors(i)
        assert all(node.extent & ~hierarchy.nodes[a].extent == 0 for a in hierarchy.ancestors(i))


def test_equal_extents_become_one_node_named_by_frequency_then_name() -> None:
    context = of_texts(["涝", "内", "灾"], ["涝内灾", "涝内灾", "灾"])
    assert [n.terms for n in term_hierarchy(context).nodes] == [("灾",), ("内", "涝")]
    assert [n.terms for n in term_hierarchy(context, frequency={"涝": 9}).nodes] == [("灾",), ("涝", "内")]


def test_rare_terms_are_left_out_and_listed() -> None:
    hierarchy = term_hierarchy(table1(), min_support=2)
    assert [r.child for r in hierarchy.rejected] == ["T7", "T8"]
    assert {n.label for n in hierarchy.nodes} == {"T1", "T2", "T3", "T4", "T5", "T6"}
    with pytest.raises(ContextError, match="the most frequent is in 5 of 5"):
        term_hierarchy(table1(), min_support=6)
    with pytest.raises(ContextError, match="expected one of published, significant"):
        term_hierarchy(table1(), reading="other")  # type: ignore[arg-type]


def test_nested_modifier_and_head_rules_on_a_made_corpus() -> None:
    terms = ["台风", "台风眼", "心理台风眼效应", "效应", "山洪灾害", "灾害"]
    texts = ["台风登陆"] * 6 + ["心理台风眼效应"] * 4 + ["山洪灾害"] * 2 + ["灾害"] * 4 + ["晴"] * 4
    context = of_texts(terms, texts)
    published = term_hierarchy(context)
    assert "台风" in ancestor_labels(published, "心理台风眼效应")
    significant = term_hierarchy(context, reading="significant")
    assert ancestor_labels(significant, "心理台风眼效应") == {"效应"}
    assert ancestor_labels(significant, "山洪灾害") == {"灾害"}
    assert any(r.child == "心理台风眼效应" and r.parent == "台风" for r in significant.rejected)


def test_a_veto_holds_against_transitivity_too() -> None:
    """A head edge and a well supported inclusion would put 台风眼效应 below 台风 by way of 效应."""
    terms = ["台风", "效应", "台风眼效应"]
    texts = ["台风 效应"] * 12 + ["台风眼效应"] * 3 + ["台风"] * 2 + ["晴"] * 60
    significant = term_hierarchy(of_texts(terms, texts), reading="significant")
    assert "台风" not in ancestor_labels(significant, "台风眼效应")
    assert ancestor_labels(significant, "台风眼效应") == {"效应"}
    assert [r.reason for r in significant.rejected if r.child == "效应"] == ["would put a term below its own modifier"]


def test_chance_inclusions_are_rejected_and_real_ones_kept() -> None:
    terms = ["常见", "罕见", "上位", "下位"]
    texts = ["常见 罕见"] * 2 + ["常见"] * 60 + ["上位 下位"] * 8 + ["上位"] * 4 + ["晴"] * 40
    hierarchy = term_hierarchy(of_texts(terms, texts), reading="significant")
    assert labels(hierarchy) == {("上位", "下位")}
    assert [r.child for r in hierarchy.rejected] == ["罕见"]
    edge = hierarchy.edges[0]
    assert edge.p_value == pytest.approx(comb(12, 8) / comb(114, 8))


def test_p_values_and_false_discovery_rate_by_hand() -> None:
    p = inclusion_p_values(np.array([2, 5]), 10)
    assert p[0, 1] == pytest.approx(comb(5, 2) / comb(10, 2))
    assert p[1, 0] == 1.0
    assert _benjamini_hochberg(np.array([0.04, 0.001, 0.012, 0.9]), 4, 0.05) == 0.012
    assert _benjamini_hochberg(np.array([0.04]), 4, 0.05) == 0.0
    assert _benjamini_hochberg(np.array([]), 0, 0.05) == 0.0


def test_the_topic_hangs_above_terms_without_hypernym() -> None:
    ontology = to_ontology(term_hierarchy(table1()), header=HEADER, root_label="暴雨灾害", concept_of=concept_of)
    assert len(ontology.concepts) == 9
    root = ontology.root
    assert [r.source for r in ontology.relations if r.target == root] == ["https://example.org/rain#T1"]
    assert len(ontology.relations) == 10
    under = next(r for r in ontology.relations if r.target == root)
    assert (under.support, under.confidence, under.evidence) == (5, 1.0, "topic root")


def test_a_term_as_root_and_terms_above_it() -> None:
    texts = ["暴雨 灾害 洪水", "暴雨 灾害", "灾害 影响", "影响 经济", "经济"]
    context = of_texts(["灾害", "暴雨", "洪水", "影响", "经济"], texts)
    hierarchy = term_hierarchy(context)
    ontology = to_ontology(hierarchy, header=HEADER, root_label="暴雨", concept_of=concept_of)
    by_label = {c.label_zh: c.iri for c in ontology.concepts}
    assert ontology.root == by_label["暴雨"] == ontology.concepts[0].iri
    assert ontology.concepts[0].label_en == "rainstorm"
    assert ontology.parents[by_label["暴雨"]] == ()
    assert ontology.parents[by_label["灾害"]] == (by_label["暴雨"],)
    assert ontology.parents[by_label["洪水"]] == (by_label["暴雨"],)
    loose = next(r for r in ontology.relations if r.source == by_label["影响"])
    assert (loose.support, loose.confidence) == (2, 1.0)  # its own documents, all of them about the topic


def test_the_root_label_comes_first_among_equivalent_terms() -> None:
    context = of_texts(["灾", "暴雨", "洪"], ["灾 暴雨 洪", "灾 暴雨"])
    root = to_ontology(term_hierarchy(context), header=HEADER, root_label="灾", concept_of=concept_of).concepts[0]
    assert (root.label_zh, root.alt_zh, root.alt_en) == ("灾", ("暴雨",), ("rainstorm",))


def test_equal_iris_are_refused() -> None:
    with pytest.raises(ContextError, match="get the same IRI x"):
        to_ontology(
            term_hierarchy(table1()), header=HEADER, root_label="r", concept_of=partial(concept_of, namespace="x")
        )


def test_local_ontology_takes_the_terms_that_are_typical_of_its_documents() -> None:
    texts = ["预警 雷达 影响", "预警 雷达", "预警 影响", "影响 水库", "影响 水库", "影响"]
    context = of_texts(["预警", "雷达", "影响", "水库"], texts)
    documents = context.extent(context.attribute_bits(["预警"]))
    part = local_context(context, documents)
    assert (part.objects, part.attributes) == (("d0", "d1", "d2"), ("预警", "雷达"))
    header = Header("https://example.org/l1", "local", "监测预警", "1")
    ontology = to_ontology(
        term_hierarchy(part, min_support=2), header=header, root_label="监测预警", concept_of=concept_of
    )
    assert [c.label_zh for c in ontology.concepts] == ["监测预警", "预警", "雷达"]
    with pytest.raises(ContextError, match="no document contains a cue word"):
        local_context(context, 0)
    with pytest.raises(ContextError, match="none of 4 terms is in 2"):
        local_context(context, (1 << 6) - 1)


def test_177_abstracts_give_100_classes_and_the_psychology_term_is_not_below_typhoon() -> None:
    path = data("abstracts_zh/disaster_core.jsonl")
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    texts = ["\n".join([r["title"], r["abstract"], *r["keywords"]]) for r in records]
    terms = list(dict.fromkeys(["台风", *(k for r in records for k in r["keywords"] if len(k) > 1)]))
    context = of_texts(terms, texts)
    assert "台风" in ancestor_labels(term_hierarchy(context, min_support=2), "心理台风眼效应")
    hierarchy = term_hierarchy(context, min_support=2, reading="significant")
    assert ancestor_labels(hierarchy, "心理台风眼效应") == set()
    assert len(hierarchy.nodes) >= 100
    assert hierarchy.depth >= 3
    assert {("强降水", "短时强降水"), ("降水", "强降水"), ("内涝", "城市内涝")} <= labels(hierarchy)
    assert not {("暴雨", "WRF"), ("洪水", "水库")} & labels(hierarchy)  # trap T11b
