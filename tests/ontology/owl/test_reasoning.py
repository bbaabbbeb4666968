"""Reasoners find what we write consistent, and find planted contradictions; they stop at their time limit."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.extras import MissingExtra
from ontology.owl import OwlError, write, write_skos
from ontology.owl.reasoner_process import _clashes
from ontology.owl.reasoning import ReasonerError, ReasonerMissing, ReasonerName, reason
from tests.ontology.owl.samples import ontology

needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs Java, which is not on the path")
EACH = [pytest.param("rl"), pytest.param("hermit", marks=[pytest.mark.slow, needs_java])]
HEAD = """\
@prefix : <http://x.org/t#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://x.org/t> a owl:Ontology ; owl:imports <http://nowhere.invalid/a> .
:p a owl:ObjectProperty . :A a owl:Class . :B a owl:Class ; owl:disjointWith :A .
:Both a owl:Class ; rdfs:subClassOf :A, :B . :Under a owl:Class ; rdfs:subClassOf :Both .
:User a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :Under ] .
:Fine a owl:Class ; rdfs:subClassOf :A .
"""


@pytest.mark.slow
@pytest.mark.parametrize("reasoner", EACH)
def test_what_we_write_is_consistent(tmp_path: Path, reasoner: ReasonerName) -> None:
    for suffix in (".rdf", ".nt"):
        write(ontology(), tmp_path / f"a{suffix}")
        found = reason(tmp_path / f"a{suffix}", reasoner)
        assert (found.consistent, found.unsatisfiable, found.imports) == (True, (), ()), suffix
        assert found.reasoner == reasoner and found.seconds > 0


@pytest.mark.slow
@pytest.mark.parametrize("reasoner", ["rl", pytest.param("hermit", marks=needs_java)])
def test_the_shipped_ontologies_are_consistent(reasoner: ReasonerName) -> None:
    shipped = sorted(Path(str(files("ontologies"))).glob("*.ttl"))
    assert {path.stem for path in shipped} >= {"rainstorm", "typhoon"}
    for path in shipped:
        found = reason(path, reasoner)
        assert found.consistent and not found.unsatisfiable, path.name


@pytest.mark.parametrize("reasoner", EACH)
def test_classes_that_can_have_no_member(tmp_path: Path, reasoner: ReasonerName) -> None:
    (tmp_path / "a.ttl").write_text(HEAD, encoding="utf-8")
    found = reason(tmp_path / "a.ttl", reasoner)
    assert found.consistent
    assert [iri.rsplit("#", 1)[1] for iri in found.unsatisfiable] == ["Both", "Under", "User"]
    assert found.imports == ("http://nowhere.invalid/a",)


@pytest.mark.parametrize("reasoner", EACH)
def test_an_inconsistent_ontology(tmp_path: Path, reasoner: ReasonerName) -> None:
    (tmp_path / "a.ttl").write_text(HEAD + ":i a owl:NamedIndividual, :Under .", encoding="utf-8")
    found = reason(tmp_path / "a.ttl", reasoner)
    assert not found.consistent
    if reasoner == "rl":
        assert found.reasons == ("t:i is a member of classes that are disjoint: t:A, t:B",)


def test_the_skos_view_is_consistent(tmp_path: Path) -> None:
    write_skos(ontology(), tmp_path / "a.ttl")
    assert reason(tmp_path / "a.ttl").consistent


@pytest.mark.parametrize("reasoner", [pytest.param("rl"), pytest.param("hermit", marks=needs_java)])
def test_the_time_limit_holds(tmp_path: Path, reasoner: ReasonerName) -> None:
    write(ontology(), tmp_path / "a.ttl")
    started = time.monotonic()
    with pytest.raises(ReasonerError, match=rf"a\.ttl: {reasoner} was not done after 0.01 seconds and was stopped"):
        reason(tmp_path / "a.ttl", reasoner, timeout=0.01)
    assert time.monotonic() - started < 5


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(ontology(), tmp_path / "a.ttl")
    monkeypatch.setitem(sys.modules, "reasonable", None)
    with pytest.raises(MissingExtra, match=r"pip install 'ontocrawl\[owl\]'"):
        reason(tmp_path / "a.ttl")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(ReasonerMissing, match="HermiT needs Java"):
        reason(tmp_path / "a.ttl", "hermit")


def test_a_broken_file_starts_no_reasoner(tmp_path: Path) -> None:
    (tmp_path / "a.ttl").write_text(":a :b", encoding="utf-8")
    with pytest.raises(OwlError, match=r"a\.ttl, line 1"):
        reason(tmp_path / "a.ttl")


def _owl(*said: tuple[str, str, str]) -> Iterator[tuple[str, str, str]]:
    owl, rdf = "http://www.w3.org/2002/07/owl#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    names = {"a": rdf + "type", "first": rdf + "first", "rest": rdf + "rest"}
    for triple in said:
        yield tuple(names.get(t) or t.replace("owl:", owl) for t in triple)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        ([("i", "a", "owl:Nothing")], ("cls-nothing2", "i")),
        ([("i", "a", "A"), ("i", "a", "B"), ("B", "owl:complementOf", "A")], ("cls-com", "i", "A", "B")),
        ([("i", "owl:sameAs", "j"), ("i", "owl:differentFrom", "j")], ("eq-diff1", "i", "j")),
        ([("p", "a", "owl:IrreflexiveProperty"), ("i", "p", "i")], ("prp-irp", "i", "p")),
        ([("p", "a", "owl:AsymmetricProperty"), ("i", "p", "j"), ("j", "p", "i")], ("prp-asyp", "i", "j", "p")),
        ([("p", "owl:propertyDisjointWith", "q"), ("i", "p", "j"), ("i", "q", "j")], ("prp-pdw", "i", "j", "p", "q")),
        (
            [
                ("x", "a", "owl:AllDisjointClasses"), ("x", "owl:members", "l1"), ("l1", "first", "A"),
                ("l1", "rest", "l2"), ("l2", "first", "B"), ("l2", "rest", "l1"), ("i", "a", "A"), ("i", "a", "B"),
            ],
            ("cax-adc", "i", "A", "B"),
        ),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_each_rule_that_ends_in_false(said: list[tuple[str, str, str]], rule: tuple[str, ...]) -> None:
    assert set(_clashes(_owl(*said))) == {rule}
    assert set(_clashes(_owl(*said[:-1]))) == set()


PUNS = (
    "owl:Class, owl:AnnotationProperty",
    "owl:Class, owl:ObjectProperty",
    "owl:Class, owl:NamedIndividual",
    "owl:Class, owl:DatatypeProperty, owl:NamedIndividual",
)


@pytest.mark.parametrize("types", PUNS)
@pytest.mark.parametrize("reasoner", EACH)
def test_a_name_that_is_a_class_and_something_else(tmp_path: Path, reasoner: ReasonerName, types: str) -> None:
    text = HEAD + f":pun a {types} . :Fine rdfs:subClassOf :pun . :Both rdfs:subClassOf :pun ."
    (tmp_path / "a.ttl").write_text(text, encoding="utf-8")
    found = reason(tmp_path / "a.ttl", reasoner)
    assert found.consistent
    assert [iri.rsplit("#", 1)[1] for iri in found.unsatisfiable] == ["Both", "Under", "User"]


@pytest.mark.slow
@pytest.mark.parametrize("reasoner", EACH)
def test_a_chain_of_3000_classes(tmp_path: Path, reasoner: ReasonerName) -> None:
    chain = "".join(f":C{n} a owl:Class ; rdfs:subClassOf :C{n - 1} .\n" for n in range(1, 3000))
    part = "a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :C1"
    text = HEAD + chain + f":C0 a owl:Class . :B rdfs:subClassOf :C0 . :C2990 rdfs:subClassOf :Both, [ {part} ] ."
    (tmp_path / "a.ttl").write_text(text, encoding="utf-8")
    found = reason(tmp_path / "a.ttl", reasoner, timeout=60)
    below = [f"C{n}" for n in range(2990, 3000)]
    assert {iri.rsplit("#", 1)[1] for iri in found.unsatisfiable} == {"Both", "Under", "User", *below}


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=14),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=3),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=2),
)
def test_classes_that_only_pass_members_on_change_no_result(
    below: list[tuple[int, int]], disjoint: list[tuple[int, int]], same: list[tuple[int, int]],
    some: list[tuple[int, int]],
) -> None:  # fmt: skip
    """Unsatisfiable classes by the definition: two disjoint classes above, or some values of such a class."""
    rows = [f":C{n} a owl:Class ." for n in range(10)]
    rows += [f":C{a} rdfs:subClassOf :C{b} ." for a, b in below]
    rows += [f":C{a} owl:disjointWith :C{b} ." for a, b in disjoint]
    rows += [f":C{a} owl:equivalentClass :C{b} ." for a, b in same]
    value = "a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom"
    rows += [f":C{a} rdfs:subClassOf [ {value} :C{b} ] ." for a, b in some]
    head = HEAD[: HEAD.index(":p a")]
    above = {n: {n} for n in range(10)}
    edges = [*below, *same, *((b, a) for a, b in same)]
    for _ in range(10):
        for a, b in edges:
            above[a] |= above[b]
    bad = {n for n in above if any({a, b} <= above[n] for a, b in disjoint)}
    for _ in range(10):
        bad |= {n for n in above for a, b in some if a in above[n] and b in bad} | {n for n in above if above[n] & bad}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.ttl"
        path.write_text(head + "".join(f"{row}\n" for row in rows), encoding="utf-8")
        found = reason(path, "rl")
    assert {int(iri.rsplit("#C", 1)[1]) for iri in found.unsatisfiable} == bad
