"""The circle by the commands that a user types: abstracts, ontology, topic file, and a crawl that it steers."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from crawler.journal import Journal
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import JOURNAL, Workspace
from ontocrawl.graph.graph_store import store
from ontocrawl.topics import topics
from ontology import owl
from ontology.model import Ontology
from tests.ontocrawl.conftest import Command

SAMPLE = Path(__file__).resolve().parents[2] / "ontocrawl" / "sample" / "abstracts.txt"
WEB = ("--world", "synthetic:planted?pages=600&seed=0", "--limit-pages", "40")
LEARNED = "https://w3id.org/ontocrawl/rainstorm/learned"


def build(command: Command, space: Workspace, out: Path, *options: str | Path) -> Any:
    """`ontology build` on the sample, as JSON."""
    corpus = () if "--corpus" in options else ("--corpus", SAMPLE)
    place = ("--out", out, "--workspace", space.root, "--json")
    answer = command("ontology", "build", *corpus, "--min-documents", "2", *place, *options)
    assert answer.code == 0, answer.err
    return answer.json


@pytest.fixture(scope="module")
def half(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The first half of the sample: another corpus of the same topic."""
    path = tmp_path_factory.mktemp("half") / "half.txt"
    records = SAMPLE.read_text(encoding="utf-8").split("SrcDatabase-")
    path.write_text("SrcDatabase-".join(records[: len(records) // 2]), encoding="utf-8")
    return path


def crawl(command: Command, space: Workspace, run: str, topic: Path | str, *options: str) -> Mapping[str, Any]:
    """A crawl by a topic, steered by its ontologies; the configuration in its journal."""
    by = () if "--strategy" in options else ("--strategy", "fcosa_lg")
    answer = command(
        "crawl", "run", "--topic", topic, *by, *WEB, "--run", run, "--workspace", space.root, "--json", *options
    )
    assert answer.code == 0, answer.err
    assert answer.json["fetched"] == 40
    with closing(Journal(space.run(run) / JOURNAL)) as journal:
        config: Mapping[str, Any] = journal.get("config")
    return config


def iris(ontology: Ontology) -> set[str]:
    return {c.iri for c in ontology.concepts}


@pytest.mark.slow
def test_the_topic_file_of_a_build_steers_a_crawl(command: Command, space: Workspace, tmp_path: Path) -> None:
    built = build(command, space, tmp_path / "out")
    topic = tmp_path / "out" / "rainstorm.toml"
    assert built["topic_file"] == str(topic) and str(topic) in built["files"]
    learned = owl.read(tmp_path / "out" / "rainstorm.ttl")
    assert learned.iri == LEARNED and learned.version == built["version"] != "0.1.0"
    config = crawl(command, space, "circle-key", topic)
    assert config["ontologies"]["GTK"] == {"iri": LEARNED, "version": learned.version, "key": learned.key}
    words = config["vocabularies"]["GTK"]
    assert {word["iri"] for word in words} < iris(learned)
    assert {word["iri"] for word in config["vocabularies"]["CLASSES"]} == iris(learned)
    assert (config["crawl"]["guide"], config["crawl"]["weights"]) == ("saturated", "key")
    assert [name for name in config["vocabularies"] if name.startswith("LTK")] == ["LTK_1", "LTK_2", "LTK_3"]
    with store(space) as graph:
        rows = graph.read(
            "MATCH (:Topic {name: 'rainstorm'})-[w:WEIGHTS]->(c:Concept)-[m:IN_ONTOLOGY]->(:Ontology {iri: $key}) "
            "WHERE w.ontology = $key RETURN coalesce(m.iri, c.iri) AS iri, w.weight AS weight, w.version AS version, "
            "w.scheme AS scheme", key=learned.key,
        )  # fmt: skip
        mentioned = graph.read(
            "MATCH (:Page)-[m:MENTIONS {crawl: 'circle-key'}]->(c:Concept)-[i:IN_ONTOLOGY]->(:Ontology {iri: $key}) "
            "RETURN coalesce(i.iri, c.iri) AS iri, m.weight AS weight", key=learned.key,
        )  # fmt: skip
    assert {row["iri"] for row in rows} == iris(learned)
    assert {(row["version"], row["scheme"]) for row in rows} == {(learned.version, "key")}
    assert {word["iri"]: word["weight"] for word in words} == {r["iri"]: r["weight"] for r in rows if r["weight"] > 0}
    weights = {row["iri"]: row["weight"] for row in rows}
    assert all(row["weight"] == weights[row["iri"]] for row in mentioned)
    without_weight = {row["iri"] for row in rows if row["weight"] == 0}
    assert without_weight & {row["iri"] for row in mentioned}, "classes out of the vector are still counted"


@pytest.mark.slow
def test_printed_forms_on_demand_and_other_schemes(command: Command, space: Workspace, tmp_path: Path) -> None:
    build(command, space, tmp_path / "out")
    topic = tmp_path / "out" / "rainstorm.toml"
    printed = crawl(command, space, "circle-sem", topic, "--guide", "published", "--weights", "sem")
    assert (printed["crawl"]["guide"], printed["crawl"]["weights"]) == ("published", "sem")
    assert printed["vocabularies"]["GTK"][0]["label"] == "暴雨灾害" and "CLASSES" not in printed["vocabularies"]
    both = crawl(command, space, "circle-both", topic, "--weights", "sem_key")
    weights = [word["weight"] for word in both["vocabularies"]["GTK"]]
    assert weights[0] == 1.0 and weights == pytest.approx(sorted(weights, reverse=True))
    plain = crawl(command, space, "circle-tk", topic, "--strategy", "best_first")
    assert plain["crawl"]["guide"] == "published", "best-first search by the topic's own words stays as it is in print"
    shipped = crawl(command, space, "circle-shipped", "rainstorm")
    assert (shipped["crawl"]["guide"], shipped["crawl"]["weights"]) == ("saturated", "sem")
    refused = command("crawl", "run", *WEB, "--weights", "key", "--workspace", space.root)
    assert refused.code == 2 and "no ontology that was learned from papers" in refused.err.replace("\n", " ")
    assert "none of sem, key" in command("weights", "rainstorm", "--weights", "idf", "--workspace", space.root).err


@pytest.mark.slow
def test_two_corpora_of_one_topic_stand_side_by_side(
    command: Command, space: Workspace, tmp_path: Path, half: Path
) -> None:
    build(command, space, tmp_path / "a")
    build(command, space, tmp_path / "b", "--corpus", half)
    shown = {}
    for name in "ab":
        topic = tmp_path / name / "rainstorm.toml"
        loaded = command("graph", "load", topic, "--workspace", space.root, "--json").json
        assert loaded["papers"] > 20 and len(loaded["lattices"]) == 5 and min(loaded["lattices"].values()) > 3
        shown[name] = command("weights", topic, "--weights", "key", "--workspace", space.root, "--json").json["weights"]
    a, b = (owl.read(tmp_path / name / "rainstorm.ttl") for name in "ab")
    assert a.iri == b.iri and a.version != b.version
    listed = command("query", "run", "ontology/ontologies", "--workspace", space.root, "--json").json
    rows = [dict(zip(listed["columns"], row, strict=True)) for row in listed["rows"]]
    papers = {row["ontology"]: row["papers"] for row in rows if row["series"] == LEARNED}
    assert papers[a.key] > papers[b.key] > 0
    for name, ontology in (("a", a), ("b", b)):
        again = command(
            "weights", tmp_path / name / "rainstorm.toml", "--weights", "key", "--workspace", space.root, "--json"
        )
        assert again.json["weights"] == shown[name]
        assert {row["version"] for row in shown[name]} == {ontology.version}
        assert {row["iri"] for row in shown[name] if row["ontology"] == LEARNED} == iris(ontology)
        assert LEARNED in {row["ontology"] for row in shown[name]}
    config = {name: crawl(command, space, f"side-{name}", tmp_path / name / "rainstorm.toml") for name in "ab"}
    assert config["a"]["ontologies"]["GTK"]["key"] == a.key and config["b"]["ontologies"]["GTK"]["key"] == b.key
    assert config["a"]["vocabularies"]["GTK"] != config["b"]["vocabularies"]["GTK"]


@pytest.mark.slow
def test_a_rebuild_leaves_an_edited_topic_file_alone(
    command: Command, space: Workspace, tmp_path: Path, half: Path
) -> None:
    out = tmp_path / "out"
    first = build(command, space, out)
    again = build(command, space, out)
    assert again["topic_file"] == first["topic_file"] and again["version"] == first["version"]
    topic = out / "rainstorm.toml"
    edited = topic.read_text(encoding="utf-8").replace("weight = 0.3", "weight = 0.35")
    topic.write_text(edited, encoding="utf-8")
    answer = command(
        "ontology", "build", "--corpus", half, "--min-documents", "2", "--out", out, "--workspace", space.root
    )
    assert topic.read_text(encoding="utf-8") == edited
    beside = out / "rainstorm.learned.toml"
    said = answer.err
    assert "rainstorm.toml was changed by hand and is kept" in said.replace("\n", " ")
    assert "-weight = 0.35" in said and "+weight = 0.3" in said
    new = topics.load(str(beside), space).file
    assert new.versions and set(new.versions.values()) == {owl.read(out / "rainstorm.ttl").version}
    stale = command("weights", topic, "--workspace", space.root)
    assert f"was written for version {first['version']}" in stale.err.replace("\n", " ")
    taken_over = build(command, space, out, "--topic", topic)
    assert 0.35 in {word.weight for word in topics.load(taken_over["topic_file"], space).file.words}


@pytest.mark.slow
def test_no_edit_of_a_topic_file_is_lost(command: Command, space: Workspace, tmp_path: Path, half: Path) -> None:
    out = tmp_path / "out"
    build(command, space, out)
    topic, beside = out / "rainstorm.toml", out / "rainstorm.learned.toml"
    topic.write_text("# a note above the first line\n" + topic.read_text(encoding="utf-8"), encoding="utf-8")
    answer = command("ontology", "build", "--corpus", half, "--min-documents", "2", "--out", out)
    assert topic.read_text(encoding="utf-8").startswith("# a note") and beside.exists()
    assert "+" in answer.err, "the versions differ"
    edited = beside.read_text(encoding="utf-8").replace("weight = 0.3", "weight = 0.9")
    beside.write_text(edited, encoding="utf-8")
    third = build(command, space, out)
    assert third["topic_file"] == str(out / "rainstorm.learned-2.toml")
    assert beside.read_text(encoding="utf-8") == edited


@pytest.mark.slow
def test_a_missing_file_is_not_replaced_by_a_shipped_one(command: Command, space: Workspace, tmp_path: Path) -> None:
    """The learned files have the names of the curated ones that ship."""
    out = tmp_path / "out"
    build(command, space, out)
    topic = out / "rainstorm.toml"
    (out / "rainstorm.papers.jsonl").unlink()
    (out / "moved").mkdir()
    answer = command("weights", topic, "--workspace", space.root, "--json")
    assert {row["key"] for row in answer.json["weights"]} == {None}, "weights are Sem"
    crawled = command("crawl", "run", "--topic", topic, *WEB, "--run", "no-papers", "--workspace", space.root)
    assert "papers of" in crawled.err and "are missing" in " ".join(crawled.err.split())
    (out / "rainstorm-monitoring.ttl").unlink()
    for refused in (
        command("weights", topic, "--workspace", space.root),
        command("crawl", "run", "--topic", topic, *WEB, "--workspace", space.root),
    ):
        assert refused.code == 2 and "rainstorm-monitoring.ttl is missing" in " ".join(refused.err.split())


@pytest.mark.slow
def test_the_topic_of_a_workspace_is_relative_to_it(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, space: Workspace
) -> None:
    build(command, space, tmp_path / "mine" / "learned")
    (tmp_path / "mine" / "ontocrawl.toml").write_text('[crawl]\ntopic = "learned/rainstorm.toml"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run = (
        "crawl",
        "run",
        "--strategy",
        "fcosa_lg",
        *WEB,
        "--run",
        "relative",
        "--workspace",
        tmp_path / "mine",
        "--json",
    )
    try:
        answer = command(*run)
        assert answer.code == 0, answer.err
        assert answer.json["ontology"].startswith(LEARNED) and answer.json["weights"] == "key"
        assert command("graph", "rebuild", "relative", "--workspace", tmp_path / "mine").code == 0
    finally:
        command("graph", "stop", "--workspace", tmp_path / "mine")


@pytest.mark.slow
def test_a_journal_of_0_1_goes_on_as_it_began(command: Command, space: Workspace) -> None:
    """What 0.1 wrote has no ontologies, no weights, and no guide but one that was asked for."""
    config = crawl(command, space, "circle-old", "rainstorm", "--guide", "published", "--no-graph")
    known = ("ontologies", "steered_by")
    old = {key: value for key, value in config.items() if key not in known}
    old["crawl"] = {key: value for key, value in config["crawl"].items() if key != "weights"} | {"guide": None}
    with closing(Journal(space.run("circle-old") / JOURNAL)) as journal:
        journal.set("config", old)
    shown = command("crawl", "status", "circle-old", "--workspace", space.root, "--json").json
    assert (shown["guide"], shown["weights"], shown["ontology"]) == ("published", None, None)
    longer = command(
        "crawl", "resume", "circle-old", "--limit-pages", "50", "--graph", "--workspace", space.root, "--json"
    )
    assert longer.code == 0 and longer.json["fetched"] == 50


@pytest.mark.slow
def test_a_field_that_nobody_prepared(command: Command, space: Workspace, tmp_path: Path) -> None:
    papers = tmp_path / "papers.jsonl"
    terms = ("胃癌", "肺癌", "化疗", "糖尿病", "胰岛素", "随机对照试验", "血糖")
    rows = [
        {
            "id": str(at),
            "title": f"{terms[at % 7]}与{terms[(at + 1) % 7]}",
            "abstract": "".join(terms),
            "keywords": terms,
        }
        for at in range(40)
    ]
    papers.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    new = ("--corpus", papers, "--topic", "medicine", "--label", "zh=医学,en=medicine", "--unplaced", "root")
    built = build(command, space, tmp_path / "out", *new)
    topic = topics.load(built["topic_file"], space).file
    assert (topic.name, topic.label.zh, topic.label.en) == ("medicine", "医学", "medicine")
    assert (topic.words[0].zh, topic.words[0].en) == (("医学",), ("medicine",))
    assert {form for word in topic.words for form in word.zh} & set(terms)
    assert build(command, space, tmp_path / "out", *new)["topic_file"] == built["topic_file"]
    answer = command(
        "crawl", "run", "--topic", built["topic_file"], *WEB, "--run", "medicine", "--workspace", space.root, "--json"
    )
    assert answer.code == 0 and answer.json["strategy"] == "evidence_sum"


def test_a_workspace_of_1_0_crawls_topics_without_ontologies_too(command: Command, tmp_path: Path) -> None:
    """Its settings name fcosa_lg, which `init` wrote."""
    old = workspace.init(tmp_path / "ws")
    settings = old.root / "ontocrawl.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace("evidence_sum", "fcosa_lg"), encoding="utf-8")
    arguments = (*WEB, "--limit-pages", "5", "--no-graph", "--workspace", old.root, "--json")
    answer = command("crawl", "run", "--topic", "sports", "--run", "words", *arguments)
    assert answer.code == 0 and answer.json["strategy"] == "evidence_sum"
    assert "fcosa_lg needs local ontologies" in answer.err
    refused = command("crawl", "run", "--topic", "sports", "--strategy", "fcosa_lg", *arguments)
    assert refused.code == 2 and "topic vector GTK" in refused.err


def test_what_is_wrong_with_a_new_topic_is_told(command: Command, space: Workspace, tmp_path: Path) -> None:
    def refused(*options: str) -> str:
        place = ("--out", tmp_path / "out", "--workspace", space.root)
        answer = command("ontology", "build", "--corpus", SAMPLE, *place, *options)
        assert answer.code == 2 and not (tmp_path / "out").exists()
        return " ".join(answer.err.split())

    assert "did you mean 'rainstorm'?" in refused("--topic", "rainstrom")
    assert "a new one is made with --label" in refused("--topic", "botany")
    assert "--label is for a new topic" in refused("--topic", "rainstorm", "--label", "zh=暴雨")
    assert "expected zh=LABEL,en=LABEL, found '医学'" in refused("--topic", "medicine", "--label", "医学")
    assert "expected zh=LABEL,en=LABEL, found 'fr=x'" in refused("--topic", "medicine", "--label", "zh=医学,fr=x")
    assert "name" in refused("--topic", "医学", "--label", "zh=医学")


@pytest.mark.slow
def test_learned_and_curated_in_one_topic(command: Command, space: Workspace, tmp_path: Path) -> None:
    build(command, space, tmp_path / "out")
    learned = tmp_path / "out" / "rainstorm.toml"
    text = learned.read_text(encoding="utf-8").replace("ontologies = [", 'ontologies = [\n    "rainstorm.ttl",', 1)
    both = tmp_path / "out" / "both.toml"
    curated = space.ontologies / "curated"
    curated.mkdir(parents=True, exist_ok=True)
    shipped = topics.load("rainstorm", space)
    for ontology, file in zip(shipped.ontologies, shipped.file.ontologies, strict=True):
        owl.write(ontology, curated / file)
    named = "".join(f'    "{curated / file}",\n' for file in shipped.file.ontologies)
    both.write_text(learned.read_text(encoding="utf-8").replace("\n]\n", f"\n{named}]\n", 1), encoding="utf-8")
    assert text != both.read_text(encoding="utf-8")
    config = crawl(command, space, "circle-joined", both)
    gtk = config["ontologies"]["GTK"]
    assert gtk["iri"] == "https://w3id.org/ontocrawl/rainstorm/joined"
    assert [part["iri"] for part in gtk["joined"]] == [LEARNED, "https://w3id.org/ontocrawl/rainstorm"]
    assert [name for name in config["vocabularies"] if name.startswith("LTK")] == ["LTK_1", "LTK_2", "LTK_3"]
    words = {word["label"]: word for word in config["vocabularies"]["GTK"]}
    keys = {part["key"] for part in gtk["joined"]}
    assert keys == {key for word in words.values() for key in word["ontologies"]}
    assert {len(word["ontologies"]) for word in words.values()} == {1, 2}
    rows = command("weights", both, "--weights", "key", "--workspace", space.root, "--json").json["weights"]
    of = [row for row in rows if row["ontology"] == gtk["iri"]]
    labels = [row["word"] for row in of]
    assert len(labels) == len(set(labels)) and "洪涝" in labels
    assert all(set(row["ontologies"]) <= keys for row in of)
    only_curated = [row for row in of if row["ontologies"] == ["https://w3id.org/ontocrawl/rainstorm"]]
    assert only_curated and all(row["weight"] == row["sem"] > 0 and row["key"] is None for row in only_curated)
    with store(space) as graph:
        found = graph.read(
            "MATCH (c:Concept)-[m:IN_ONTOLOGY]->(o:Ontology {iri: $key}) WHERE m.label_zh = '洪涝' RETURN c.iri AS iri",
            key=gtk["key"],
        )
    assert len(found) == 1


@pytest.mark.slow
def test_a_run_whose_ontology_is_gone_is_not_projected_by_another(command: Command, tmp_path: Path, half: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    build(command, space, tmp_path / "out")
    topic = tmp_path / "out" / "rainstorm.toml"
    config = crawl(command, space, "circle-gone", topic)
    build(command, space, tmp_path / "out", "--corpus", half)
    assert command("graph", "rebuild", "circle-gone", "--workspace", space.root).code == 0, "the graph has the version"
    for entry in config["ontologies"].values():
        assert command("graph", "remove", entry["key"], "--workspace", space.root).code == 0
    found = command("graph", "rebuild", "circle-gone", "--workspace", space.root)
    assert found.code == 0, "the archive of versions has it"
    with store(space) as graph:
        keys = {row["iri"] for row in graph.read("MATCH (o:Ontology) RETURN o.iri AS iri")}
        counted = "MATCH (f:FormalConcept {lattice: $key}) RETURN count(f) AS n"
        assert graph.read(counted, key=config["ontologies"]["GTK"]["key"])[0]["n"] > 0, "with its lattice"
    assert {entry["key"] for entry in config["ontologies"].values()} <= keys
    for entry in config["ontologies"].values():
        assert command("graph", "remove", entry["key"], "--workspace", space.root).code == 0
    (tmp_path / "out" / "versions" / f"{config['ontologies']['GTK']['version']}.zip").unlink()
    answer = command("graph", "rebuild", "circle-gone", "--workspace", space.root)
    assert answer.code == 2 and "neither in its files nor in the archives" in " ".join(answer.err.split())
    assert command("crawl", "remove", "circle-gone", "--workspace", space.root).code == 0
    told = command("graph", "check", "--workspace", space.root, "--json").json
    mend = next(one["mend"] for one in told["problems"] if one["what"].startswith("run circle-gone"))
    assert mend.splitlines()[0].startswith("# topic rainstorm has no ontology of version"), "and not the same command"
    embedded.stop(space.graph)
