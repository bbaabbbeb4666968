"""Joining ontologies by mappings: hand-made ones, the shipped ones with a learned one, and random ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import as_file, files
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.build import LearnOptions, TopicSpec, learn
from ontology.concept_graph import ConceptGraph
from ontology.corpus import read as read_records
from ontology.evidence import skeleton
from ontology.iris import IriRegister, namespace
from ontology.joining import Joined, join, matches, renamed
from ontology.mapping import EXACT, TermMapping
from ontology.model import Concept, Ontology, Relation
from ontology.owl import read
from ontology.terms.lexicon import bundled

ROOT = Path(__file__).parents[2]
RAINSTORM, TYPHOON = (read(ROOT / "ontologies" / f"{topic}.ttl") for topic in ("rainstorm", "typhoon"))


def made(name: str, *concepts: tuple[str, str], shared: str = "") -> Ontology:
    """An ontology of (zh, en) labels, all directly under the first; IRIs are NAME:0, NAME:1 and so on."""
    listed = [Concept(f"{shared or name}:{i}", zh, en or None) for i, (zh, en) in enumerate(concepts)]
    edges = tuple(Relation(c.iri, "subclass_of", listed[0].iri) for c in listed[1:])
    return Ontology(f"x:{name}", "global", name, "1", listed[0].iri, tuple(listed), edges)


def pairs(*ontologies: Ontology) -> set[tuple[str, str]]:
    return {(match.subject, match.object) for match in matches(ontologies)}


def forms(*ontologies: Ontology) -> set[tuple[str, str]]:
    return {form for ontology in ontologies for concept in ontology.concepts for form in concept.forms()}


def check_sound(joined: Joined, parts: Sequence[Ontology]) -> None:
    """What is true of every joined ontology: a rooted DAG under the first root, with all labels and sources."""
    whole = joined.ontology
    ConceptGraph.of(whole)
    assert whole.root == parts[0].root
    assert [c.iri for c in whole.concepts if not whole.parents[c.iri]] == [whole.root]
    assert forms(whole) == forms(*parts)
    assert set(joined.sources) == set(whole.by_iri)
    sizes = Counter(iri for sources in joined.sources.values() for iri in sources)
    assert sizes == {part.key: len(part.concepts) for part in parts}, "two concepts of one ontology became one"


# What matches


def test_equal_chinese_labels_match_whatever_the_english_ones() -> None:
    a, b = made("a", ("灾害", "disaster"), ("洪涝", "flooding")), made("b", ("台风", "typhoon"), ("洪涝", "flood"))
    (match,) = matches([a, b])
    assert (match.subject, match.object, match.predicate) == ("b:1", "a:1", EXACT)
    assert (match.match_string, match.comment, match.justification) == (
        "洪涝",
        "equal labels",
        "semapv:LexicalMatching",
    )


def test_equal_english_labels_match_where_a_chinese_one_is_missing() -> None:
    a = made("a", ("灾害", "disaster"), ("洪涝", "Flash  flood"), ("", "landslide"), ("", "gale"))
    b = made("b", ("", "typhoon"), ("", "flash flood"), ("滑坡", "landslide"), ("", "ｇａｌｅ"))
    assert {(m.subject, m.object, m.match_string) for m in matches([a, b])} == {
        ("b:1", "a:1", "flash flood"), ("b:2", "a:2", "landslide"), ("b:3", "a:3", "gale"),
    }  # fmt: skip


def test_one_gloss_of_two_chinese_words_is_no_match() -> None:
    a = made("a", ("灾害", "disaster"), ("停电", "power outage"))
    b = made("b", ("影响", "impact"), ("电力中断", "power outage"))
    assert matches([a, b]) == ()
    joined = join([a, b], iri="x:all")
    assert [(c.kind, c.concept) for c in joined.conflicts] == [("label", "power outage")]
    nameless = made("c", ("", "x"), ("", "power outage"))
    assert pairs(nameless, a, b) == {("a:1", "c:1")}, "a concept without Chinese label does not make the two one"


def test_a_label_matches_a_synonym_of_one_concept_only() -> None:
    a, b = made("a", ("灾害", ""), ("洪涝", ""), ("内涝", "")), made("b", ("台风", ""), ("洪水", ""))
    b = replace(b, concepts=(b.concepts[0], replace(b.concepts[1], alt_zh=("水灾",))))
    flooding = replace(a.concepts[1], alt_zh=("洪水", "水灾"))
    one = replace(a, concepts=(a.concepts[0], flooding, a.concepts[2]))
    (match,) = matches([one, b])
    assert (match.object, match.match_string, match.comment) == ("a:1", "洪水", "label and synonym")
    assert (match.subject_field, match.object_field) == ("rdfs:label", "skos:altLabel")
    two = replace(a, concepts=(a.concepts[0], flooding, replace(a.concepts[2], alt_zh=("洪水", "水灾"))))
    assert matches([two, b]) == ()


def test_one_synonym_is_not_enough() -> None:
    a, b = made("a", ("灾害", ""), ("道路积水", "")), made("b", ("台风", ""), ("积水", ""))
    a = replace(a, concepts=(a.concepts[0], replace(a.concepts[1], alt_zh=("积水",))))
    assert matches([a, b]) == ()


def test_given_mappings_take_the_place_of_those_found() -> None:
    a, b = made("a", ("灾害", ""), ("洪涝", "")), made("b", ("台风", ""), ("洪涝", ""), ("水患", ""))
    by_hand = TermMapping("a:1", "洪涝", EXACT, "b:2", "水患", "semapv:ManualMappingCuration")
    joined = join([a, b], iri="x:all", mappings=[by_hand])
    assert {(m.subject, m.object) for m in joined.matches} == {("b:2", "a:1")}
    denied = replace(by_hand, negated=True)
    assert join([a, b], iri="x:all", mappings=[by_hand, denied]).matches == ()
    assert join([a, b], iri="x:all", mappings=[by_hand]).ontology.version != join([a, b], iri="x:all").ontology.version


def test_equal_iris_need_no_match() -> None:
    a = made("a", ("灾害", "disaster"), ("洪涝", "flooding"))
    b = made("b", ("灾害", "disaster"), ("水灾", "flooding"), shared="a")
    assert matches([a, b]) == ()
    assert pairs(a, b, made("c", ("根", ""), ("水灾", ""))) == {("c:1", "a:1")}, "by the label that b gives a:1"


def test_two_concepts_of_one_ontology_never_become_one() -> None:
    a = made("a", ("灾害", ""), ("洪涝", "flooding"))
    twice = made("b", ("台风", ""), ("", "flooding"), ("洪涝", ""), ("洪涝", "flood"))
    assert pairs(a, twice) == {("b:2", "a:1")}, "the first one by the Chinese label"
    both = replace(a, iri="x:c", concepts=(*a.concepts, Concept("d:1", "别名")))
    assert pairs(a, made("d", ("地震", ""), ("洪涝", "")), both) == set(), "the third ontology keeps a:1 and d:1 apart"
    check_sound(join([a, twice], iri="x:all"), [a, twice])


def test_a_concept_matches_the_first_of_those_that_fit() -> None:
    parts = [made(name, (f"根{name}", ""), ("洪涝", "")) for name in "abc"]
    assert pairs(*parts) == {("b:1", "a:1"), ("c:1", "a:1")}


def test_matches_over_several_ontologies_lead_to_one_concept() -> None:
    parts = [made("a", ("根", ""), ("洪涝", "")), made("b", ("洪涝", "flooding")), made("c", ("", "flooding"))]
    joined = join(parts, iri="x:all")
    assert {(m.subject, m.object) for m in joined.matches} == {("b:0", "a:1"), ("c:0", "a:1")}
    assert joined.sources == {"a:0": ("x:a",), "a:1": ("x:a", "x:b", "x:c")}
    check_sound(joined, parts)


# Renaming


def test_renaming_reaches_roots_and_relations() -> None:
    a = made("a", ("灾害", ""), ("洪涝", ""))
    a = replace(a, relations=(*a.relations, Relation("a:0", "equivalent_to", "a:1")))
    b = renamed(a, {"a:0": "z:0", "y:9": "z:9"})
    assert (b.root, list(b.by_iri), b.iri) == ("z:0", ["z:0", "a:1"], a.iri)
    assert {(r.source, r.kind, r.target) for r in b.relations} == {
        ("a:1", "subclass_of", "z:0"), ("a:1", "equivalent_to", "z:0"),
    }  # fmt: skip
    with pytest.raises(ValueError, match="same IRI: a:1"):
        renamed(a, {"a:0": "a:1"})


# The joined ontology


def test_a_single_ontology_stays_what_it_is() -> None:
    joined = join([TYPHOON], iri="x:all")
    assert joined.ontology is TYPHOON
    assert set(joined.sources) == set(TYPHOON.by_iri)
    assert set(joined.sources.values()) == {(TYPHOON.iri,)}
    assert (joined.matches, joined.conflicts) == ((), ())


def test_nothing_to_join() -> None:
    with pytest.raises(ValueError, match="at least one ontology"):
        join([], iri="x:all")


def test_the_header_says_what_it_was_made_of() -> None:
    found = join([RAINSTORM, TYPHOON], iri="x:all").ontology
    assert (found.iri, found.kind, found.topic) == ("x:all", RAINSTORM.kind, RAINSTORM.topic)
    assert (found.title_zh, found.title_en) == (RAINSTORM.title_zh, RAINSTORM.title_en)
    assert re.fullmatch(r"0\.1\.0\+[0-9a-f]{12}", found.version)
    assert all(f"{part.iri} {part.version}" in found.comment for part in (RAINSTORM, TYPHOON))
    assert found.licence == RAINSTORM.licence == TYPHOON.licence != ""
    assert join([RAINSTORM, replace(TYPHOON, licence="")], iri="x:all").ontology.licence == ""


def test_the_version_depends_on_those_of_the_parts() -> None:
    parts = [(RAINSTORM, TYPHOON), (TYPHOON, RAINSTORM), (RAINSTORM, replace(TYPHOON, version="9"))]
    assert len({join(pair, iri="x:all").ontology.version for pair in parts}) == len(parts)
    again = replace(TYPHOON, title_zh="另")
    assert join([RAINSTORM, again], iri="x:1").ontology.version == join(parts[0], iri="x:2").ontology.version


def test_edges_keep_their_evidence() -> None:
    a = made("a", ("灾害", ""), ("洪涝", ""), ("山洪", ""))
    b = made("b", ("台风", ""), ("山洪", ""), ("内涝", ""))
    said = (replace(b.relations[0], target="b:2", evidence="curated"), b.relations[1])
    edges = {
        (r.source, r.target): r.evidence for r in join([a, replace(b, relations=said)], iri="x:all").ontology.relations
    }
    assert edges == {
        ("a:1", "a:0"): "", ("a:2", "a:0"): "", ("a:2", "b:2"): "curated", ("b:2", "b:0"): "",
        ("b:0", "a:0"): "root of x:b",
    }  # fmt: skip


# The shipped ontologies, and a learned one


@pytest.fixture(scope="module")
def learned() -> Ontology:
    """What `ontocrawl ontology build --corpus ontocrawl/sample --topic rainstorm --min-documents 2` learns."""
    documents = read_records([ROOT / "ontocrawl" / "sample"]).documents
    with as_file(files("ontologies") / "rainstorm-iris.tsv") as path:
        register = IriRegister.load(path, namespace("rainstorm"))
    topic = TopicSpec("rainstorm", "暴雨灾害", "rainstorm disaster")
    options = LearnOptions(bundled("earth"), min_documents=2, upper_classes=skeleton(field="earth"))
    return learn(documents, topic, options, register).global_ontology


def labels(ontology: Ontology) -> Counter[str]:
    return Counter(c.label_zh for c in ontology.concepts)


def test_rainstorm_and_typhoon_have_each_shared_label_once() -> None:
    shared = set(labels(RAINSTORM)) & set(labels(TYPHOON))
    joined = join([RAINSTORM, TYPHOON], iri="x:all")
    assert {"洪涝", "滑坡", "暴雨"} <= shared
    assert set(labels(joined.ontology).values()) == {1}
    assert {m.subject_label for m in joined.matches if m.comment == "equal labels"} == shared
    by_synonym = {(m.subject_label, m.object_label) for m in joined.matches if m.comment == "label and synonym"}
    assert by_synonym == {("经济损失", "直接经济损失"), ("停电", "电力中断"), ("避险转移", "人员转移")}
    shared |= {label for _, label in by_synonym}
    by_label = {c.label_zh: joined.sources[c.iri] for c in joined.ontology.concepts}
    assert {label for label, sources in by_label.items() if sources == (RAINSTORM.iri, TYPHOON.iri)} == shared
    assert by_label["台风灾害"] == (TYPHOON.iri,)
    root = next(c.iri for c in joined.ontology.concepts if c.label_zh == "台风灾害")
    assert joined.ontology.parents[root] == (RAINSTORM.root,)


def test_learned_and_curated_of_one_topic_share_iris(learned: Ontology) -> None:
    joined = join([RAINSTORM, learned], iri="x:all")
    assert learned.root == RAINSTORM.root
    assert {m.comment for m in joined.matches} == {"label and synonym"}
    assert ("堤防", "堤坝") in {(m.subject_label, m.object_label) for m in joined.matches}
    assert set(joined.sources.values()) == {(RAINSTORM.key,), (learned.key,), (RAINSTORM.key, learned.key)}
    below_root = {r.source: r.evidence for r in joined.ontology.edges("subclass_of") if r.target == RAINSTORM.root}
    assert all(
        len(joined.ontology.parents[iri]) == 1 for iri, said in below_root.items() if said.startswith("topic root")
    )


@pytest.mark.parametrize("number", [2, 3])
def test_the_real_ones_are_a_rooted_dag_in_any_order(learned: Ontology, number: int) -> None:
    for parts in permutations([RAINSTORM, TYPHOON, learned], number):
        joined = join(parts, iri="x:all")
        check_sound(joined, parts)
        assert {c.kind for c in joined.conflicts} <= {"parents", "label", "reversed"}


# Random ones


@st.composite
def ontologies(draw: st.DrawFn, position: int, *, share_iris: bool) -> Ontology:
    """A rooted DAG of is-a, part-of and equivalence, with few labels, so that many are shared.

    No two concepts of one ontology have the same Chinese label. ``share_iris``: IRIs are shared with other positions.
    """
    n = draw(st.integers(1, 6))
    zh = draw(st.permutations("甲乙丙丁戊己庚辛"))
    numbers = draw(st.permutations(range(8)))
    concepts = [
        Concept(
            f"x:{numbers[i]}" if share_iris else f"x{position}:{i}",
            zh[i] if draw(st.booleans()) else "",
            draw(st.sampled_from([None, "a", "A", "b", "c"])),
        )
        for i in range(n)
    ]
    edges = []
    for i in range(1, n):
        for above in draw(st.sets(st.integers(0, i - 1), min_size=1, max_size=2)):
            evidence = draw(st.sampled_from(["", "topic root", "curated"])) if above == 0 else ""
            edges.append(Relation(concepts[i].iri, "subclass_of", concepts[above].iri, evidence=evidence))
        if draw(st.booleans()):
            edges.append(Relation(concepts[i].iri, "part_of", concepts[draw(st.integers(0, i - 1))].iri))
    if n > 1 and draw(st.booleans()):  # of a leaf, so that contracting the two makes no cycle
        source, target = sorted((concepts[-1].iri, edges[-1].target))
        edges.append(Relation(source, "equivalent_to", target))
    edges = draw(st.permutations(edges))
    return Ontology(f"o:{position}", "global", "t", "1", concepts[0].iri, tuple(concepts), tuple(edges))


def acyclic(part: Ontology) -> bool:
    try:
        ConceptGraph.of(part)
    except ValueError:
        return False
    return True


def several(*, share_iris: bool) -> st.SearchStrategy[list[Ontology]]:
    def drawn(number: int) -> st.SearchStrategy[list[Ontology]]:
        found = st.tuples(*(ontologies(i, share_iris=share_iris).filter(acyclic) for i in range(number)))
        return found.map(list)

    return st.integers(2, 4).flatmap(drawn)


@pytest.mark.slow
@settings(deadline=None)
@given(several(share_iris=False))
def test_random_ones_with_iris_of_their_own(parts: list[Ontology]) -> None:
    joined = join(parts, iri="x:all")
    check_sound(joined, parts)
    chinese = labels(joined.ontology)
    del chinese[""]
    assert set(chinese.values()) <= {1}, "a Chinese label of two ontologies is that of one concept"
    backwards = join(parts[::-1], iri="x:all")
    check_sound(backwards, parts[::-1])
    assert forms(backwards.ontology) == forms(joined.ontology)


@pytest.mark.slow
@settings(deadline=None)
@given(several(share_iris=True))
def test_random_ones_that_share_iris(parts: list[Ontology]) -> None:
    check_sound(join(parts, iri="x:all"), parts)
    check_sound(join(parts[::-1], iri="x:all"), parts[::-1])
