"""`ontology map`, `ontology build --skeleton` and `graph load --mappings`, on files of several formats."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import USAGE
from ontology import mapping, owl
from ontology.mapping import BROAD, EXACT
from ontology.mapping.mappings import CURATED
from ontology.model import Concept, Ontology, Relation
from ontology.owl.vocabulary import XREF
from tests.ontocrawl.conftest import Command

OBO = """\
format-version: 1.2
ontology: hazards

[Term]
id: HAZ:0001
name: hazard

[Term]
id: HAZ:0002
name: landslide
synonym: "landslip" EXACT []
is_a: HAZ:0001

[Term]
id: HAZ:0003
name: rock burst
is_a: HAZ:0001

[Term]
id: HAZ:0004
name: meteorite impact
is_a: HAZ:0001
"""
SKOS = """\
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix : <https://example.org/thesaurus/> .
:scheme a skos:ConceptScheme .
:disaster a skos:Concept ; skos:prefLabel "geological disaster"@en ; skos:topConceptOf :scheme .
:landslide a skos:Concept ; skos:prefLabel "landslide"@en, "滑坡"@zh ; skos:broader :disaster .
"""


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Papers in Chinese with paired keywords; the lexicon of the field knows 滑坡, and no 岩爆."""
    path = tmp_path / "papers.jsonl"
    papers = [
        {
            "id": number, "title": f"岩爆与滑坡之{number}", "abstract": "强岩爆与浅层滑坡的监测。",
            "keywords": ["岩爆", "滑坡", "强岩爆", "浅层滑坡"],
            "keywords_en": ["rock burst", "landslide", "strong rock burst", "rainfall landslide"],
        }
        for number in "一二三四"
    ]  # fmt: skip
    path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in papers), encoding="utf-8")
    return path


@pytest.fixture
def obo(tmp_path: Path) -> Path:
    path = tmp_path / "hazards.obo"
    path.write_text(OBO, encoding="utf-8")
    return path


def test_an_obo_file_as_skeleton(command: Command, corpus: Path, obo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    built = command(
        "ontology", "build", "--corpus", corpus, "--topic", "rainstorm", "--skeleton", obo, "--out", out, "--json"
    )
    assert built.code == 0, built.err
    assert built.json["mappings"][EXACT] == 3
    ontology = owl.read(out / "rainstorm.ttl")
    label = {c.iri: c.label for c in ontology.concepts}
    above = {label[i]: {label[p] for p in ontology.parents[i]} for i in label}
    assert above["滑坡"] == above["岩爆"] == {"hazard"}
    assert above["浅层滑坡"] == {"滑坡"}
    assert "meteorite impact" not in above, "only what the records name, and what is above it"
    rows = mapping.load(out / "mappings.sssom.tsv")
    of = {(m.subject_label, m.predicate, m.object_label): m for m in rows.mappings}
    assert of["滑坡", EXACT, "landslide"].comment == "lexicon"
    assert of["岩爆", EXACT, "rock burst"].comment == "paired keywords"
    assert of["浅层滑坡", BROAD, "landslide"].match_string == "滑坡"
    assert str(out / "mappings.sssom.tsv") in built.json["files"]
    landslide = next(c for c in ontology.concepts if c.label == "滑坡")
    assert landslide.xrefs == (of["滑坡", EXACT, "landslide"].object,)
    assert XREF.rsplit("#", 1)[-1] in (out / "rainstorm.ttl").read_text(encoding="utf-8")


def test_several_skeletons_and_classes_of_ones_own(command: Command, corpus: Path, obo: Path, tmp_path: Path) -> None:
    thesaurus, table, out = tmp_path / "t.ttl", tmp_path / "own.tsv", tmp_path / "out"
    thesaurus.write_text(SKOS, encoding="utf-8")
    table.write_text(
        "zh\ten\tparents\tmembers\tendings\taccepts\n动力灾害\tdynamic disaster\t\t岩爆\t\t*\n", encoding="utf-8"
    )
    built = command(
        "ontology", "build", "--corpus", corpus, "--topic", "rainstorm", "--skeleton", obo, "--skeleton", thesaurus,
        "--classes", table, "--out", out,
    )  # fmt: skip
    assert built.code == 0, built.err
    assert "Mapped to the skeleton" in built.out
    ontology = owl.read(out / "rainstorm.ttl")
    label = {c.iri: c.label for c in ontology.concepts}
    above = {label[i]: {label[p] for p in ontology.parents[i]} for i in label}
    assert {"hazard", "geological disaster"} <= above["滑坡"]
    assert "动力灾害" in above["岩爆"]


def test_skeletons_that_cannot_be_used(command: Command, corpus: Path, tmp_path: Path) -> None:
    build = ("ontology", "build", "--corpus", corpus, "--topic", "rainstorm", "--out", tmp_path / "out")
    missing = command(*build, "--skeleton", tmp_path / "no.obo")
    assert missing.code == USAGE
    assert "there is no such file" in missing.err
    foreign = tmp_path / "foreign.obo"
    foreign.write_text(
        OBO.replace("landslide", "moon").replace("rock burst", "mars").replace("landslip", "sun"), "utf-8"
    )
    unnamed = command(*build, "--skeleton", foreign)
    assert unnamed.code == USAGE
    assert "none of the 4 classes of the skeleton is named in the 4 records" in " ".join(unnamed.err.split())
    assert not (tmp_path / "out").exists()


def test_map_writes_an_sssom_file(command: Command, obo: Path, tmp_path: Path) -> None:
    out = tmp_path / "m.sssom.tsv"
    shown = command("ontology", "map", "rainstorm", "--to", obo, "--out", out)
    assert shown.code == 0, shown.err
    assert "concepts have a mapping" in shown.out
    rows = mapping.load(out)
    assert rows.object_source == owl.load(obo).ontology.iri
    assert rows.date
    assert ("滑坡", EXACT, "landslide") in {(m.subject_label, m.predicate, m.object_label) for m in rows.mappings}
    listed = command("ontology", "map", "typhoon", "--to", "rainstorm", "--json").json
    assert listed["counts"][0] == {
        "predicate": EXACT, "justification": "semapv:LexicalMatching", "by": "equal labels", "mappings": 15,
    }  # fmt: skip
    assert listed["mapped"] < listed["concepts"] == 48
    assert listed["file"] is None


@pytest.mark.slow
def test_map_understands_the_folder_of_a_build(command: Command, corpus: Path, obo: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert command("ontology", "build", "--corpus", corpus, "--topic", "rainstorm", "--out", out).code == 0
    assert command("ontology", "map", out, "--to", obo, "--json").json["mapped"] >= 1
    empty = tmp_path / "empty"
    empty.mkdir()
    for given, message in (
        (empty, "expected the folder of an `ontology build`"),
        (tmp_path / "no.ttl", "there is no such file"),
        ("rainstrom", "there is no topic 'rainstrom'"),
    ):
        refused = command("ontology", "map", given, "--to", obo)
        assert refused.code == USAGE
        assert message in " ".join(refused.err.split())


GLOBAL = -4
"""Place of the global ontology of typhoon among those loaded: three local ones follow."""


@pytest.fixture
def empty_space(tmp_path: Path) -> Iterator[Workspace]:
    """A workspace with a graph of its own: a concept may be joined with one of any other ontology in the graph."""
    made = workspace.init(tmp_path / "ws")
    yield made
    embedded.stop(made.graph)


@pytest.mark.slow
def test_an_edited_file_decides_what_the_graph_joins(command: Command, empty_space: Workspace, tmp_path: Path) -> None:
    space = empty_space
    file = tmp_path / "m.sssom.tsv"
    assert command("ontology", "map", "typhoon", "--to", "rainstorm", "--out", file).code == 0
    kept = [line for line in file.read_text(encoding="utf-8").splitlines() if "\t洪涝\tskos:exactMatch" not in line]
    file.write_text("\n".join(kept) + "\n", encoding="utf-8")
    load = ("graph", "load", "rainstorm", "typhoon", "--workspace", space.root, "--json")
    count = "MATCH (c:Concept) WHERE c.label_zh = '洪涝' RETURN count(c) AS number"
    query = ("query", "cypher", count, "--workspace", space.root, "--json")
    assert command(*load, "--mappings", file).json["loaded"][GLOBAL]["joined_concepts"] == 17
    assert command(*query).json["rows"][0] in ([2], {"number": 2})
    assert command("graph", "remove", "typhoon", "--workspace", space.root).code == 0
    assert command(*load).json["loaded"][GLOBAL]["joined_concepts"] == 18
    assert command(*query).json["rows"][0] in ([1], {"number": 1})
    named = command("query", "run", "ontology/concept", "concept=停电", "--workspace", space.root, "--json")
    ontologies = {row[named.json["columns"].index("ontology")].rpartition("/")[2] for row in named.json["rows"]}
    assert ontologies >= {"rainstorm", "secondary", "typhoon"}, "by the label that only one ontology has"


@pytest.mark.slow
def test_rows_of_mappings_that_join_nothing_are_named_with_their_line(
    command: Command, empty_space: Workspace, tmp_path: Path
) -> None:
    for name in ("rain", "ty"):
        base = f"http://{name}.org/o"
        concepts = tuple(Concept(f"{base}#{end}", "", f"{name} {end}") for end in ("Root", "Flood", "Storm", "Wind"))
        edges = tuple(Relation(c.iri, "subclass_of", concepts[0].iri) for c in concepts[1:])
        owl.write(Ontology(base, "global", name, "1", concepts[0].iri, concepts, edges), tmp_path / f"{name}.ttl")
    rain, ty, skos = "http://rain.org/o#", "http://ty.org/o#", "http://www.w3.org/2004/02/skos/core#"
    rows = (
        ("rain:Flood", "skos:exactMatch", "ty:Flood"), (f"{rain}Nowhere", "skos:exactMatch", f"{ty}Flood"),
        (f"{rain}Flood", f"{skos}exactMatch", f"{ty}Flood"), (f"{rain}Storm", "s:exactMatch", f"{ty}Storm"),
        (f"{rain}Wind", "skos:closeMatch", f"{ty}Wind"), (f"{rain}Wind", "skos:exactMatch", f"{ty}Storm"),
    )  # fmt: skip
    head = f"# curie_map:\n#   s: {skos}\nsubject_id\tpredicate_id\tobject_id\tmapping_justification\n"
    file = tmp_path / "m.sssom.tsv"
    file.write_text(head + "".join("\t".join((*row, CURATED)) + "\n" for row in rows), encoding="utf-8")
    load = ("graph", "load", tmp_path / "rain.ttl", tmp_path / "ty.ttl", "--workspace", empty_space.root)
    found = command(*load, "--mappings", file, "--json")
    assert found.json["loaded"][1]["joined_concepts"] == 2, found.err
    told = {row["row"].rpartition(" ")[2]: row["reason"] for row in found.json["idle_mappings"]}
    assert told == {
        "4": "the prefix rain of rain:Flood is not in the curie_map", "5": f"no ontology has {rain}Nowhere",
        "8": "skos:closeMatch joins nothing; skos:exactMatch does",
        "9": "it would make two classes of one topic one, or one of them was joined with another class before",
    }  # fmt: skip
    shown = command(*load, "--mappings", file).err.replace("\n", " ")
    assert "m.sssom.tsv, line 4: joins nothing: the prefix rain" in shown
