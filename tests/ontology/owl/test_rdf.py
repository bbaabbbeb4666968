"""OWL files: nothing is lost, nothing half-written, other tools open them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import owlready2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontology.model import Concept, Ontology, Relation, RelationKind
from ontology.owl import OwlError, canonical, read, write

BASE = "https://w3id.org/ontocrawl/test#"


def ontology() -> Ontology:
    names = ("Root", "Flood", "FlashFlood", "Rainstorm", "Deluge")
    concepts = [Concept(BASE + n, f"概念{n}", n.lower()) for n in names]
    concepts[1] = replace(
        concepts[1], alt_zh=("水灾", "洪灾"), alt_en=("floods",), definition="水。", definition_en="Water."
    )
    concepts[4] = replace(concepts[4], label_en=None)
    return Ontology(
        iri="https://w3id.org/ontocrawl/test",
        kind="global",
        topic="test",
        version="1.2.0",
        root=BASE + "Root",
        concepts=tuple(concepts),
        relations=(
            Relation(BASE + "Flood", "subclass_of", BASE + "Root", 12, 2 / 3, 'documents "a" & <b>\n第二行'),
            Relation(BASE + "FlashFlood", "subclass_of", BASE + "Flood", 0, 0.0),
            Relation(BASE + "Rainstorm", "subclass_of", BASE + "Root"),
            Relation(BASE + "FlashFlood", "part_of", BASE + "Rainstorm", evidence="curated"),
            Relation(BASE + "Rainstorm", "causes", BASE + "Flood", support=3),
            Relation(BASE + "Rainstorm", "causes", BASE + "FlashFlood"),
            Relation(BASE + "Deluge", "equivalent_to", BASE + "Flood", confidence=1e-9),
        ),
        title_zh="测试本体",
        title_en="Test ontology",
        comment="A comment.",
        licence="https://www.apache.org/licenses/LICENSE-2.0",
    )


@pytest.mark.parametrize("suffix", [".ttl", ".rdf", ".owl"])
def test_round_trip_loses_nothing(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"test{suffix}"
    write(ontology(), path)
    assert read(path) == canonical(ontology())
    write(read(path), tmp_path / f"again{suffix}")
    assert (tmp_path / f"again{suffix}").read_bytes() == path.read_bytes()


texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Cn"]), min_size=1, max_size=12)
kinds: st.SearchStrategy[RelationKind] = st.sampled_from(["subclass_of", "part_of", "causes"])


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    n = draw(st.integers(1, 5))
    concepts = [
        Concept(
            f"{BASE}C{i}",
            draw(texts),
            draw(st.one_of(st.none(), texts)),
            tuple(draw(st.lists(texts, max_size=2))),
            tuple(draw(st.lists(texts, max_size=2))),
            draw(st.one_of(st.just(""), texts)),
        )
        for i in range(n)
    ]
    ends = st.integers(0, n - 1)
    keys = draw(st.lists(st.tuples(ends, kinds, ends), max_size=6, unique=True))
    relations = [
        Relation(
            f"{BASE}C{a}",
            kind,
            f"{BASE}C{b}",
            draw(st.one_of(st.none(), st.integers(0, 10**6))),
            draw(st.one_of(st.none(), st.floats(0, 1))),
            draw(st.one_of(st.just(""), texts)),
        )
        for a, kind, b in keys
    ]
    return Ontology(BASE[:-1], "local", draw(texts), "1", f"{BASE}C0", tuple(concepts), tuple(relations), draw(texts))


@settings(max_examples=25, deadline=None)
@given(ontologies(), st.sampled_from([".ttl", ".rdf"]))
def test_round_trip_of_any_ontology(tmp_path_factory: pytest.TempPathFactory, value: Ontology, suffix: str) -> None:
    path = tmp_path_factory.mktemp("owl") / f"any{suffix}"
    write(value, path)
    assert read(path) == canonical(value)


def test_files_are_byte_equal_in_another_process(tmp_path: Path) -> None:
    write(ontology(), tmp_path / "a.ttl")
    write(ontology(), tmp_path / "a.rdf")
    code = (
        "import sys; from pathlib import Path; from ontology.owl import read, write\n"
        "folder = Path(sys.argv[1])\n"
        "write(read(folder / 'a.ttl'), folder / 'b.ttl'); write(read(folder / 'a.rdf'), folder / 'b.rdf')"
    )
    root = Path(__file__).parents[3]
    for seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, env=environment, cwd=root)
        for suffix in (".ttl", ".rdf"):
            assert (tmp_path / f"b{suffix}").read_bytes() == (tmp_path / f"a{suffix}").read_bytes()


def test_owlready2_opens_the_rdf_xml(tmp_path: Path) -> None:
    path = tmp_path / "test.rdf"
    write(ontology(), path)
    world = owlready2.World()
    opened = world.get_ontology(path.as_uri()).load(only_local=True)
    classes = {c.iri: c for c in opened.classes()}
    assert set(classes) == {c.iri for c in ontology().concepts}
    flood, rainstorm = classes[BASE + "Flood"], classes[BASE + "Rainstorm"]
    assert classes[BASE + "Root"] in flood.is_a
    assert sorted(map(str, flood.label)) == ["flood", "概念Flood"]
    causes = world["https://w3id.org/ontocrawl/vocabulary#causes"]
    assert causes.some(flood) in rainstorm.is_a
    assert classes[BASE + "Deluge"] in flood.INDIRECT_equivalent_to
    support = world["https://w3id.org/ontocrawl/vocabulary#support"]
    assert support[flood, owlready2.rdfs_subclassof, classes[BASE + "Root"]] == [12]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("java") is None, reason="HermiT needs Java, which is not on the path")
def test_hermit_finds_it_consistent(tmp_path: Path) -> None:
    path = tmp_path / "test.rdf"
    write(ontology(), path)
    world = owlready2.World()
    with world.get_ontology(path.as_uri()).load(only_local=True):
        owlready2.sync_reasoner(world, debug=0)
    assert list(world.inconsistent_classes()) == []


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.ttl", "@prefix : <x#> .\n:a :b ;; .\n:c", r"a\.ttl, line \d+: not Turtle"),
        ("a.rdf", "<rdf:RDF>\n<x>", r"a\.rdf, line \d+"),
        ("a.ttl", "", "expected one owl:Ontology header"),
        ("a.ttl", "<http://x> a <http://www.w3.org/2002/07/owl#Ontology> .", "oc:kind"),
        ("a.json", "{}", "suffix"),
    ],
)
def test_broken_file_is_named(tmp_path: Path, name: str, text: str, says: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(OwlError, match=says):
        read(path)


def test_absent_file(tmp_path: Path) -> None:
    with pytest.raises(OwlError, match="could not be read"):
        read(tmp_path / "none.ttl")


def test_a_class_without_chinese_label_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.ttl"
    write(ontology(), path)
    path.write_text(path.read_text(encoding="utf-8").replace('"概念Flood"@zh', '"Flood"@de'), encoding="utf-8")
    with pytest.raises(OwlError, match="one label @zh"):
        read(path)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.rdf"
    write(ontology(), path)
    before = path.read_bytes()
    for broken in (replace(ontology(), comment="\x0b"), replace(ontology(), licence="http://a b")):
        with pytest.raises(OwlError):
            write(broken, path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a.rdf"]
