"""`ontocrawl ontology diff|stats|similarity`: the JSON that scripts rely on, names of concepts, exit codes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.topics.version_files import Version, Versions
from ontology import owl
from ontology.compare import DEFINITIONS
from ontology.model import Concept, Ontology, Relation
from ontology.similarity import MEASURES
from tests.ontocrawl.conftest import Command
from tests.ontology.similarity.graphs import TABLE1
from tests.ontology.similarity.root_weights import root_weights

BASE = "https://w3id.org/ontocrawl/table1"
NAMES = {
    "1": "暴雨灾害", "2": "灾害管理", "3": "应急响应级别", "4": "天气监测",
    "5": "水利工程", "6": "城市内涝", "7": "洪水", "8": "滑坡",
}  # fmt: skip
TABLE = Ontology(
    BASE, "global", "table1", "1", f"{BASE}#T1",
    tuple(Concept(f"{BASE}#T{c.iri}", NAMES[c.iri], f"term {c.iri}") for c in TABLE1.concepts),
    tuple(Relation(f"{BASE}#T{r.source}", r.kind, f"{BASE}#T{r.target}", support=1) for r in TABLE1.relations),
)  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Table 1 of paper 000 as Turtle."""
    owl.write(TABLE, tmp_path / "table1.ttl")
    return tmp_path / "table1.ttl"


def test_equal_ontologies_in_two_formats(command: Command, file: Path, tmp_path: Path) -> None:
    owl.write(TABLE, tmp_path / "table1.rdf")
    answer = command("ontology", "diff", file, tmp_path / "table1.rdf", "--json")
    assert (answer.code, answer.json["equal"], sum(answer.json["counts"].values())) == (0, True, 0)
    assert "No difference" in command("ontology", "diff", file, file).out
    assert "No difference" in command("ontology", "diff", file, file, "--markdown").out


def test_a_difference_is_no_failure(command: Command, file: Path, tmp_path: Path) -> None:
    kept = tuple(r for r in TABLE.relations if r.target != f"{BASE}#T5")
    concepts = tuple(replace(c, label_zh="内涝") if c.iri == f"{BASE}#T6" else c for c in TABLE.concepts)
    owl.write(replace(TABLE, relations=kept, concepts=concepts), tmp_path / "new.ttl")
    answer = command("ontology", "diff", file, tmp_path / "new.ttl", "--json")
    assert (answer.code, answer.json["equal"]) == (0, False)
    assert {k: n for k, n in answer.json["counts"].items() if n} == {"renamed": 1, "moved": 1, "relations_removed": 1}
    assert answer.json["renamed"][0]["changes"] == [{"field": "label_zh", "old": "城市内涝", "new": "内涝"}]
    assert answer.json["moved"][0]["lost"] == [f"{BASE}#T5"]
    assert "\\u" not in answer.out
    shown = command("ontology", "diff", file, tmp_path / "new.ttl", "--markdown")
    assert "| renamed | 内涝 (T6), label_zh | 城市内涝 | 内涝 |" in shown.out
    assert "renamed 1, moved 1, relations removed 1" in shown.err
    assert "城市内涝" in command("ontology", "diff", file, tmp_path / "new.ttl").out


def test_stats_of_a_file_and_of_a_topic(command: Command, file: Path) -> None:
    found = command("ontology", "stats", file, "--json").json
    assert list(found["definitions"]) == list(DEFINITIONS)
    (one,) = found["ontologies"]
    assert (one["iri"], one["concepts"], one["depth"], one["levels"]) == (BASE, 8, 4, [1, 3, 3, 1])
    assert (one["multiple_parents"], one["with_support"]) == (1, 9)
    shown = command("ontology", "stats", file)
    assert "暴雨灾害" in shown.out
    assert "multiple_parents" in shown.out
    rainstorm = command("ontology", "stats", "rainstorm", "--json").json["ontologies"]
    assert [o["kind"] for o in rainstorm] == ["global", "local", "local", "local"]


def similar(command: Command, *arguments: Any) -> Any:
    answer = command("ontology", "similarity", *arguments, "--json")
    assert answer.code == 0, answer.err
    return answer.json


def test_g2_a_pair_by_labels_and_iris(command: Command, file: Path) -> None:
    found = similar(command, file, "天气监测", f"{BASE}#T8")
    assert found["similarity"] == pytest.approx(0.575286, abs=5e-7)
    assert list(found["factors"].values()) == pytest.approx([0.5, 0.5, 6 / 7, 0.5, 0.8])
    assert found["path"] == [f"{BASE}#T4", f"{BASE}#T8"]
    assert set(found["measures"]) == set(MEASURES)
    assert found["measures"]["sem"] == found["similarity"]
    lin = similar(command, file, "T4", "term 5", "--measure", "lin")
    assert (lin["similarity"], "factors" in lin, lin["content"]) == (pytest.approx(0.5), False, "intrinsic")
    shown = command("ontology", "similarity", file, "天气监测", "滑坡").out
    assert "0.5753" in shown
    assert "天气监测 – 滑坡" in shown


def test_g2_to_the_root(command: Command, file: Path) -> None:
    found = similar(command, file, "--to-root")
    weights = {w.iri: w.sem for w in root_weights(TABLE)}
    assert {row["iri"]: row["similarity"] for row in found["similarities"]} == pytest.approx(weights)
    values = [row["similarity"] for row in found["similarities"]]
    assert values == sorted(values, reverse=True)
    assert list(found["similarities"][-1]["factors"].values()) == pytest.approx([1 / 3, 1, 0.4, 1 / 6, 0.8])
    assert similar(command, file, "滑坡", "--to-root")["similarity"] == pytest.approx(0.418333, abs=5e-7)
    assert "factors" not in similar(command, file, "--measure", "path")["similarities"][0]
    assert "coinciden" in command("ontology", "similarity", file).out


def test_the_nearest(command: Command, file: Path) -> None:
    found = similar(command, file, "滑坡", "--nearest", "2")
    assert [row["zh"] for row in found["nearest"]] == ["天气监测", "水利工程"]
    assert len(similar(command, file, "滑坡")["nearest"]) == 7
    assert "天气监测" in command("ontology", "similarity", file, "滑坡", "--nearest", "1").out


def test_counts_of_a_corpus(command: Command, file: Path, tmp_path: Path) -> None:
    counts = tmp_path / "counts.tsv"
    counts.write_text("暴雨灾害\t5\n应急响应级别\t3\n天气监测\t2\n水利工程\t2\n地震\t7\n", encoding="utf-8")
    answer = command("ontology", "similarity", file, "天气监测", "水利工程", "--measure", "resnik", "--counts", counts,
                     "--cumulative", "--json")  # fmt: skip
    # smoothed by 1: ln (5 + 1) / (3 + 1)
    assert (answer.json["similarity"], answer.json["content"]) == (pytest.approx(0.405465, abs=5e-7), "corpus")
    assert "1 names of no unique concept" in answer.err
    assert "地震" in answer.err


def test_measures_without_an_ontology(command: Command) -> None:
    found = command("ontology", "similarity", "--measures", "--json").json["measures"]
    assert [m["name"] for m in found] == list(MEASURES)
    assert [m["name"] for m in found if not m["symmetric"]] == ["tversky_directed"]
    assert "wu_palmer" in command("ontology", "similarity", "--measures").out


def test_part_of_edges_and_local_ontologies(command: Command, tmp_path: Path) -> None:
    parts = replace(TABLE, relations=(replace(TABLE.relations[0], kind="part_of"), *TABLE.relations[1:]))
    owl.write(parts, tmp_path / "parts.ttl")
    ends = [parts.by_iri[iri].label for iri in (parts.relations[0].source, parts.relations[0].target)]
    assert similar(command, tmp_path / "parts.ttl", *ends, "--measure", "path")["similarity"] == 0.5
    assert similar(command, tmp_path / "parts.ttl", *ends, "--measure", "path", "--is-a-only")["similarity"] == 0
    assert similar(command, "rainstorm", "--local", "secondary")["root"]["zh"] == "次生灾害"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{file}", "滑坡体", "洪水"], "nearest: 滑坡"),
        (["{file}", "洪水", "滑坡", "--measure", "wupalmer"], "did you mean 'wu_palmer'"),
        (["{file}", "洪水", "滑坡", "--nearest", "3"], "nothing to search"),
        (["{file}", "--nearest", "3"], "needs a concept A"),
        (["{file}", "--cumulative"], "--counts FILE"),
        (["{file}", "--local", "nowhere"], "0 ontologies end so"),
        ([], "--measures lists the measures"),
        (["nothing.ttl", "洪水"], "no such file"),
        (["rainstrom", "洪水"], "did you mean 'rainstorm'"),
        (["haiyan", "洪水"], "names no ontology"),
    ],
)
def test_what_is_asked_wrongly(command: Command, file: Path, arguments: list[str], message: str) -> None:
    answer = command("ontology", "similarity", *(a.replace("{file}", str(file)) for a in arguments))
    assert (answer.code, answer.out) == (2, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.slow
def test_two_versions_of_one_ontology(command: Command, tmp_path: Path) -> None:
    """As its help promises: the folder of a build, its versions by number, their archives, a topic."""
    folder = tmp_path / "built"
    versions = {"0.1.0+aa": TABLE, "0.2.0+bb": replace(TABLE, relations=TABLE.relations[:-1])}
    store = Versions(folder)
    for version, ontology in versions.items():
        owl.write(replace(ontology, version=version), folder / "table1.ttl")
        owl.write(replace(ontology, version=version, kind="local"), folder / "table1-a.ttl")
        store.add(Version(version, "2026-01-01"), [folder / "table1.ttl", folder / "table1-a.ttl"])
    archive = folder / "versions" / "0.1.0+aa.zip"
    for old in (f"{folder}@0.1.0", f"{folder}@0.1.0+aa", archive):
        for new in (folder, f"{folder}@0.2.0", folder / "table1.ttl"):
            answer = command("ontology", "diff", old, new, "--json")
            assert answer.code == 0, answer.err
            counts = {name: n for name, n in answer.json["counts"].items() if n}
            assert counts == {"header": 1, "relations_removed": 1} | ({"moved": 1} if "moved" in counts else {})
    assert "No difference" in command("ontology", "diff", archive, f"{folder}@0.1.0").out
    assert command("ontology", "diff", "rainstorm", "rainstorm", "--json").json["equal"]
    missing = command("ontology", "diff", f"{folder}@0.3.0", folder)
    assert missing.code == 2
    assert "choose one of 0.1.0+aa, 0.2.0+bb" in missing.err.replace("\n", " ")
