"""`enrich apply`, `enrich history`, `enrich rollback` for a topic of the package and for the folder of a build."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import rdflib
from rdflib import PROV, RDFS, SKOS, Literal, URIRef

from kg import load
from kg.engine import embedded
from ontocrawl.api.crawls import Run
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import applying, next_command
from ontocrawl.errors import FINDINGS, USAGE
from ontocrawl.graph import graph_store
from ontocrawl.runs import diagnosis, runs
from ontocrawl.topics import proposed, topics
from ontocrawl.versions import histories
from ontology import owl
from ontology.decisions import Decision, table
from tests.ontocrawl import verdicts
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.verdicts import concept

ORIGIN = "1.0.1"
"""Version of the ontologies of the package."""
FILES = ("rainstorm.ttl", "rainstorm.rdf", "rainstorm-monitoring.ttl", "rainstorm-secondary.rdf")


@pytest.fixture(scope="module")
def shared_graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The graph folder of a workspace, whose engine all workspaces of this file use."""
    folder = tmp_path_factory.mktemp("graph") / "graph"
    yield folder
    embedded.stop(folder)


@pytest.fixture
def own(tmp_path: Path, shared_graph: Path) -> Workspace:
    """A new workspace with a running engine."""
    made = workspace.init(tmp_path / "ws")
    shared_graph.mkdir(exist_ok=True)
    (made.root / "graph").symlink_to(shared_graph, target_is_directory=True)
    return made


@pytest.mark.slow
def test_the_next_command_of_a_run_is_what_its_proposals_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    space = workspace.init(tmp_path / "ws")
    topic = topics.load("rainstorm", space)
    of_run = SimpleNamespace(topic_file="", topic="rainstorm", strategy="fcosa_lg", strategy_file=None)
    options: tuple[str, ...] = ()
    monkeypatch.setattr(runs, "config_of", lambda space, run: of_run)
    monkeypatch.setattr(diagnosis, "again", lambda config: options)
    advice, new = "ontocrawl enrich propose r", concept("城市暴雨内涝", "洪水")
    assert next_command.next_of(space, "r", "ontocrawl crawl resume r") == "ontocrawl crawl resume r"
    assert next_command.next_of(space, "r", advice) == advice
    proposed.write(space, "rainstorm", "r", topic.ontologies[0].key, [new, concept("龙舟水", "暴雨")])
    assert next_command.next_of(space, "r", advice) == "ontocrawl enrich review rainstorm --run r"
    verdicts.decide(space, "rainstorm", new)
    assert next_command.next_of(space, "r", advice) == "ontocrawl enrich apply --topic rainstorm"
    assert applying.apply(space, topic, applying.Options("张三", verdicts.WHEN)).is_new
    assert next_command.next_of(space, "r", advice) == "ontocrawl crawl run --topic rainstorm --seeds URL"
    options = ("--topic", "rainstorm", "--world", "corpus:web")
    same = "ontocrawl crawl run --topic rainstorm --world corpus:web --strategy fcosa_lg"
    assert next_command.next_of(space, "r", advice) == same
    assert next_command.crawl_again(space, topic, "rain.toml") == "ontocrawl crawl run --topic rain.toml --seeds URL"
    monkeypatch.setattr(Workspace, "run_names", lambda self: ["r"])
    assert next_command.crawl_again(space, topic, "rain.toml") == same.replace("--topic rainstorm", "--topic rain.toml")
    of_run.topic_file = str(tmp_path / "removed.toml")
    assert next_command.next_of(space, "r", advice) == advice


def test_a_topic_is_named_where_its_name_leads_to_its_file(tmp_path: Path) -> None:
    space, file = workspace.init(tmp_path / "ws"), tmp_path / "learned" / "storms.toml"
    file.parent.mkdir()
    file.touch()
    assert next_command.topic_name(space, "storms", file) == str(file)
    topics.register("storms", file, space)
    assert next_command.topic_name(space, "storms", file) == "storms"
    assert next_command.topic_name(space, "storms", tmp_path / "other.toml") == str(tmp_path / "other.toml")
    assert next_command.topic_name(space, "rainstorm", "") == "rainstorm"


def test_a_run_in_python_has_the_next_command_of_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    space = workspace.init(tmp_path / "ws")
    monkeypatch.setattr(runs, "config_of", lambda space, run: SimpleNamespace(topic_file="", topic="rainstorm"))
    result: Any = SimpleNamespace(run="r", diagnosis=diagnosis.Diagnosis(next="ontocrawl enrich propose r"))
    run = Run._finished(space, result)
    assert run.diagnosis.next == "ontocrawl enrich propose r"
    proposed.write(space, "rainstorm", "r", "rainstorm", [concept("城市暴雨内涝", "洪水")])
    assert run.diagnosis.next == "ontocrawl enrich review rainstorm --run r"


@pytest.fixture
def enrich(command: Command, own: Workspace) -> Callable[..., object]:
    """Run `ontocrawl enrich WORD .. --json` in the workspace, and return what it printed."""

    def run(*words: str | Path) -> object:
        made = command("enrich", *words, "--workspace", own.root, "--json")
        assert made.code == 0, made.err
        return made.json

    return run


def _bytes(folder: Path, names: tuple[str, ...] = FILES) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in names}


@pytest.mark.slow
def test_accepted_proposals_come_into_the_next_version(own: Workspace, enrich: Callable[..., Any]) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    verdicts.decide(own, "rainstorm", concept("列车效应", "暴雨"), "rename", "列车效应暴雨")
    verdicts.decide(own, "rainstorm", concept("气象局", "预警"), "reject")
    planned = enrich("apply", "--topic", "rainstorm", "--dry-run")
    assert (planned["version"], planned["accepted"], planned["files"]) == ("1.1.0", 2, [])
    assert not (own.ontologies / "rainstorm.ttl").exists()
    made = enrich("apply", "--topic", "rainstorm", "--who", "李四")
    assert (made["version"], made["prior"], made["accepted"], made["rejected"]) == ("1.1.0", ORIGIN, 2, 1)
    assert {"cycle", "lint", "question", "question in Cypher"} <= set(made["checks"]["passed"])
    ontology = owl.read(own.ontologies / "rainstorm.ttl")
    new = next(c for c in ontology.concepts if c.label_zh == "叫应机制")
    assert [ontology.by_iri[iri].label_zh for iri in ontology.parents[new.iri]] == ["预警"]
    renamed = next(c for c in ontology.concepts if c.label_zh == "列车效应暴雨")
    assert renamed.alt_zh == ("列车效应",)
    header = owl.load(own.ontologies / "rainstorm.ttl").header
    assert header.prior == "https://w3id.org/ontocrawl/rainstorm/" + ORIGIN
    words = {w["word"]: w for w in made["weights"] if w["vector"] == "GTK"}
    assert words["叫应机制"]["old"] is None
    assert words["叫应机制"]["new"] > 0
    with graph_store.store(own) as graph:
        assert all(load.is_loaded(graph, o) for o in topics.load("rainstorm", own).ontologies)
    again = enrich("apply", "--topic", "rainstorm")
    assert (again["version"], again["accepted"], again["files"], again["new"]) == ("1.1.0", 0, [], False)


@pytest.mark.slow
def test_the_next_step_is_named(own: Workspace, command: Command) -> None:
    """After a check the version is made, after the version comes a crawl (docs/evolve.md shows that)."""
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    checked = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root, "--dry-run")
    assert "Next: ontocrawl enrich apply --topic rainstorm --workspace" in " ".join(checked.err.split())


@pytest.mark.slow
def test_origin_of_each_axiom_and_changelog(own: Workspace, enrich: Callable[..., Any]) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    verdicts.decide(own, "rainstorm", concept("大雨如注", "暴雨"), "merge", "暴雨")
    enrich("apply", "--topic", "rainstorm")
    told = rdflib.Graph().parse(own.ontologies / "rainstorm-provenance.ttl")
    iri = next(c.iri for c in owl.read(own.ontologies / "rainstorm.ttl").concepts if c.label_zh == "叫应机制")
    axiom = next(told.subjects(rdflib.OWL.annotatedSource, URIRef(iri)))
    assert told.value(axiom, rdflib.OWL.annotatedProperty) == RDFS.subClassOf
    activity, page = told.value(axiom, PROV.wasGeneratedBy), told.value(axiom, PROV.wasDerivedFrom)
    assert str(told.value(activity, PROV.endedAtTime)) == verdicts.WHEN
    assert told.value(told.value(activity, PROV.wasAssociatedWith), RDFS.label) == Literal("张三")
    assert told.value(page, rdflib.DCTERMS.source) == URIRef("https://a.example/4")
    assert str(told.value(page, PROV.generatedAtTime)) == "2026-11-20T07:00:00+00:00"
    oc = rdflib.Namespace("https://w3id.org/ontocrawl/vocabulary#")
    assert (str(told.value(page, oc.sentence)), float(str(told.value(page, oc.score)))) == ("专家介绍了叫应机制。", 3.5)
    assert (None, rdflib.OWL.annotatedProperty, SKOS.altLabel) in told
    text = (own.ontologies / "rainstorm-changes.md").read_text(encoding="utf-8")
    assert "* added 叫应机制 under 预警; proposal rainstorm/叫应机制 (<https://a.example/4>)" in text
    assert "* names of 暴雨: 大雨如注; proposal rainstorm/大雨如注" in text
    for name in ("rainstorm.ttl", "rainstorm.rdf", "rainstorm-changes.md"):
        content = (own.ontologies / name).read_text(encoding="utf-8")
        assert "张三" not in content
        assert verdicts.WHEN[:19] not in content


@pytest.mark.slow
def test_apply_rollback_apply_gives_the_same_bytes(own: Workspace, enrich: Callable[..., Any]) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    first = enrich("apply", "--topic", "rainstorm")
    after = _bytes(own.ontologies)
    back = enrich("rollback", "rainstorm", ORIGIN)
    assert (back["version"], back["rollback"]) == (ORIGIN, True)
    assert "叫应机制" not in {c.label for c in owl.read(own.ontologies / "rainstorm.ttl").concepts}
    _has_newest(own, first["version"])
    with graph_store.store(own) as graph:
        assert all(load.is_loaded(graph, o) for o in topics.load("rainstorm", own).ontologies)
    forward = enrich("apply", "--topic", "rainstorm")
    assert (forward["version"], forward["accepted"], forward["again"]) == (first["version"], 1, True)
    assert _bytes(own.ontologies) == after
    assert enrich("apply", "--topic", "rainstorm")["new"] is False
    enrich("rollback", "rainstorm", ORIGIN)
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"), when="2026-12-01T09:00:00+00:00")
    decided = enrich("apply", "--topic", "rainstorm")
    assert (decided["version"], decided["accepted"], decided["again"]) == ("1.1.0", 1, False)
    assert _bytes(own.ontologies) == after


@pytest.mark.slow
def test_the_way_forward_over_two_versions_says_what_both_changed(own: Workspace, enrich: Callable[..., Any]) -> None:
    for term in ("叫应机制", "雨情通报"):
        verdicts.decide(own, "rainstorm", concept(term, "预警"))
        enrich("apply", "--topic", "rainstorm")
    enrich("rollback", "rainstorm", ORIGIN)
    forward = enrich("apply", "--topic", "rainstorm")
    assert forward["again"] and forward["changes"]["added"] == 2


def _has_newest(own: Workspace, version: str) -> None:
    """Check the newest versions of a topic, and of one whose ontologies are joined with those of another."""
    topic, other = (topics.load(name, own) for name in ("rainstorm", "typhoon"))
    assert {histories.newest(topic, level) for level in topic.levels} == {version}
    both = (*topic.file.ontologies, *other.file.ontologies)
    joined = replace(topic, file=topic.file.model_copy(update={"ontologies": both})).levels[0]
    assert len(joined.sources) == 2 and histories.newest(topic, joined) == joined.ontology.version


@pytest.mark.slow
def test_what_was_undone_goes_with_the_next_version(own: Workspace, enrich: Callable[..., Any]) -> None:
    (first,) = verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    verdicts.decide(own, "rainstorm", concept("海绵城市", "暴雨灾害"))
    enrich("apply", "--topic", "rainstorm")
    table.append(own.ontologies / "rainstorm" / table.FILE, [Decision("withdraw", "", first.id)])
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"), "reject")
    assert enrich("apply", "--topic", "rainstorm")["version"] == "1.2.0"
    labels = {c.label for c in owl.read(own.ontologies / "rainstorm.ttl").concepts}
    assert "海绵城市" in labels
    assert "叫应机制" not in labels


@pytest.mark.slow
def test_history_tells_what_came_from_which_run(own: Workspace, enrich: Callable[..., Any]) -> None:
    empty = enrich("history", "rainstorm")
    assert (empty["version"], empty["versions"]) == (ORIGIN, [])
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    verdicts.decide(own, "rainstorm", concept("气象局", "预警"), "reject")
    assert set(enrich("history", "rainstorm")["waiting"]) == {"rainstorm/叫应机制", "rainstorm/气象局"}
    enrich("apply", "--topic", "rainstorm")
    (version,) = enrich("history", "rainstorm")["versions"]
    (accepted,), (rejected,) = version["accepted"], version["rejected"]
    assert (accepted["id"], accepted["who"], accepted["runs"]) == ("rainstorm/叫应机制", "张三", ["first"])
    assert rejected["id"] == "rainstorm/气象局"
    file = own.ontologies / "rainstorm" / table.FILE
    table.append(
        file, [Decision("define", "山洪", "山区的洪水。"), Decision("withdraw", "", "d1"), Decision("reject", "崩塌")]
    )
    table.append(file, [Decision("withdraw", "", "d5")])
    assert enrich("history", "rainstorm")["unbuilt"] == ["d3", "d4"]  # d5 came and went
    enrich("apply", "--topic", "rainstorm")
    assert enrich("history", "rainstorm")["unbuilt"] == []


@pytest.mark.slow
def test_a_cycle_is_refused_with_the_decision(own: Workspace, command: Command) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    table.append(own.ontologies / "rainstorm" / table.FILE, [Decision("accept", "暴雨", "大暴雨", who="王五")])
    made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root)
    assert made.code == FINDINGS
    assert "暴雨 subclass_of 大暴雨 closes a cycle" in made.err
    assert "d2 (accept 暴雨 subclass_of 大暴雨, 王五)" in made.err
    assert not (own.ontologies / "rainstorm.ttl").exists()


@pytest.mark.slow
def test_a_lost_competency_question_is_refused_with_the_decision(own: Workspace, command: Command) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    file = own.ontologies / "rainstorm" / table.FILE
    table.append(file, [Decision("reject", "蓝色预警", who="王五"), Decision("define", "山洪", "山区的洪水。")])
    made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root)
    assert made.code == FINDINGS
    assert "CQ3" in made.err
    assert "d2 (reject 蓝色预警 class, 王五)" in made.err
    assert not (own.ontologies / "rainstorm.ttl").exists()


@pytest.mark.slow
def test_a_question_in_cypher_is_asked_in_the_graph(own: Workspace, command: Command) -> None:
    file = own.ontologies / "rainstorm" / table.FILE
    table.append(file, [Decision("reject", "暴雨", "洪涝", relation="causes", who="王五")])
    made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root)
    assert made.code == FINDINGS
    assert "CQ1" in made.err
    with graph_store.store(own) as graph:
        assert all(load.is_loaded(graph, o) for o in topics.load("rainstorm", own).ontologies)


@pytest.mark.slow
def test_an_unsatisfiable_class_is_refused_with_the_decision(
    own: Workspace,
    command: Command,
    enrich: Callable[..., Any],
) -> None:
    pytest.importorskip("reasonable")
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    enrich("apply", "--topic", "rainstorm")
    path = own.ontologies / "rainstorm.ttl"
    iris = {c.label_zh: c.iri for c in owl.read(path).concepts}
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n<{iris['预警']}> owl:disjointWith <{iris['暴雨']}> .\n")
    table.append(own.ontologies / "rainstorm" / table.FILE, [Decision("accept", "叫应机制", "暴雨", who="王五")])
    made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root)
    assert made.code == FINDINGS
    assert "叫应机制 can have no member" in made.err
    assert "(accept 叫应机制 subclass_of 暴雨, 王五)" in made.err
    assert owl.read(path).version == "1.1.0"


@pytest.mark.slow
def test_without_java_that_is_said(
    own: Workspace,
    enrich: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ontocrawl.enrichment import checks

    monkeypatch.setattr(checks.shutil, "which", lambda name: None)
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    made = enrich("apply", "--topic", "rainstorm", "--dry-run")
    assert any("it needs Java" in line for line in made["checks"]["notes"])


def test_a_parent_that_was_deleted_meanwhile_sets_the_proposal_apart(
    own: Workspace, enrich: Callable[..., Any]
) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    table.append(own.ontologies / "rainstorm" / table.FILE, [Decision("reject", "叫应机制", relation="class")])
    verdicts.decide(own, "rainstorm", concept("叫应演练", "叫应机制"), "rename", "基层叫应演练")
    made = enrich("apply", "--topic", "rainstorm", "--dry-run")
    assert (made["new"], made["accepted"], made["version"]) == (False, 0, ORIGIN)
    assert "its broader class 叫应机制 is no class since d2: decide again" in made["idle"]["d3"]
    assert set(made["idle"]) == {"d3", "d4"}


@pytest.mark.slow
def test_a_parent_that_nothing_makes_a_class_is_refused(own: Workspace, command: Command) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "不存在的类"))
    made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root, "--dry-run")
    assert made.code == FINDINGS
    assert "there is no class 不存在的类" in made.err


def test_a_topic_without_ontology_and_wrong_versions_are_refused(own: Workspace, command: Command) -> None:
    for words in (
        ("apply", "--topic", "sports"),
        ("apply", "--topic", "nothing"),
        ("apply", "--topic", "rainstorm", "--version", "a b"),
        ("rollback", "rainstorm", "9.9.9"),
    ):
        made = command("enrich", *words, "--workspace", own.root)
        assert made.code == USAGE, made.err
        assert "Traceback" not in made.err
