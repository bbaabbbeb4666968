"""`enrich apply` for the ontologies in the folder of a build, and what happens when it is interrupted."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import rdflib

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import applying
from ontocrawl.errors import FAILURE, CommandError
from ontocrawl.graph import graph_store
from ontocrawl.topics import topics
from ontocrawl.topics.topic_graph import TopicGraph
from ontocrawl.versions import curated_decisions, histories
from ontocrawl.versions.releases import Draft
from ontology import file_sets, owl
from ontology.decisions import in_force, table
from tests.ontocrawl import verdicts
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.verdicts import concept

WHEN = "2026-11-24T08:00:00+00:00"


@pytest.fixture
def own(tmp_path: Path) -> Workspace:
    return workspace.init(tmp_path / "ws")


@pytest.fixture
def build(command: Command, own: Workspace, tmp_path: Path) -> Callable[[int], Any]:
    """Build an ontology from so many papers on floods into the folder D."""

    def run(count: int) -> Any:
        path = tmp_path / "papers.jsonl"
        lines = []
        for n in range(count):
            words = ["暴雨", "洪水", "山洪", "滑坡", "预警信号", "城市内涝", "暴雨洪水"]
            del words[n % 7]
            text = "、".join(words)
            lines.append({"id": f"p{n}", "title": f"灾害之{n}", "abstract": f"{text}的研究。", "keywords": words})
        path.write_text("".join(json.dumps(p, ensure_ascii=False) + "\n" for p in lines), encoding="utf-8")
        options = ("--unplaced", "root", "--workspace", own.root, "--json")
        made = command("ontology", "build", "--corpus", path, "--topic", "rainstorm", "--out", tmp_path / "D", *options)
        assert made.code == 0, made.err
        return made.json

    return run


def _applied(own: Workspace, file: str, when: str = WHEN) -> Draft:
    """Write the next version, without the graph."""
    topic = topics.load(file, own)
    place = histories.place_of_topic(topic)
    with place.locked():
        draft = curated_decisions.drafted(topic, place, "李四", when)
        if draft.release.is_new:
            applying.write(topic, draft, applying._verdicts(own, place))
    return draft


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.name.startswith(("lock", "."))
    }  # fmt: skip


def _labels(folder: Path) -> dict[str, list[str]]:
    ontology = owl.read(folder / "rainstorm.ttl")
    return {c.label: [ontology.by_iri[i].label for i in ontology.parents[c.iri]] for c in ontology.concepts}


@pytest.mark.slow
def test_a_built_folder_gets_the_next_version_and_a_later_build_keeps_it(
    own: Workspace, build: Callable[[int], Any], tmp_path: Path
) -> None:
    build(8)
    folder = tmp_path / "D"
    file = str(folder / "rainstorm.toml")
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警信号"))
    verdicts.decide(own, "rainstorm", concept("山体滑坡", "滑坡"), "merge", "滑坡")
    draft = _applied(own, file)
    assert draft.release.version.startswith("0.2.0+")
    assert _labels(folder)["叫应机制"] == ["预警信号"]
    assert owl.read(folder / "rainstorm.ttl") == owl.read(folder / "rainstorm.rdf")
    topic = topics.load(file, own)
    assert topic.changed_versions() == []
    assert topic.sources[0].papers is not None
    assert json.loads((folder / "summary.json").read_text(encoding="utf-8"))["version"] == draft.release.version
    assert not _applied(own, file).release.is_new
    entry = draft.place.store.all()[-1]
    assert (entry.base, entry.documents) == (draft.place.store.all()[0].version, 8)
    build(12)
    assert _labels(folder)["叫应机制"] == ["预警信号"]
    landslide = next(c for c in owl.read(folder / "rainstorm.ttl").concepts if c.label == "滑坡")
    assert "山体滑坡" in landslide.alt_zh


def test_papers_are_counted_for_a_class_that_was_accepted(
    own: Workspace, build: Callable[[int], Any], tmp_path: Path
) -> None:
    build(8)
    file = str(tmp_path / "D" / "rainstorm.toml")
    verdicts.decide(own, "rainstorm", concept("研究", "预警信号"))
    _applied(own, file)
    counted = topics.load(file, own).sources[0].papers
    assert counted is not None
    assert len(counted.with_term["研究"]) == 8


@pytest.mark.slow
def test_rollback_of_a_folder_withdraws_the_verdicts_and_apply_brings_them_again(
    own: Workspace, build: Callable[[int], Any], tmp_path: Path
) -> None:
    build(8)
    folder = tmp_path / "D"
    place = histories.place_of_topic(topics.load(str(folder / "rainstorm.toml"), own))
    before = _labels(folder)
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警信号"))
    after = _applied(own, str(folder / "rainstorm.toml")) and _files(folder)
    with place.locked():
        histories.restore(place, "0.1.0", "李四", WHEN, own)
    assert _labels(folder) == before
    assert not (folder / "rainstorm-changes.md").exists()
    assert not in_force(table.read(own.ontologies / "rainstorm" / table.FILE))
    assert histories.undone(place, own) == place.store.all()[1].version
    with place.locked():
        histories.restore(place, histories.undone(place, own), "李四", WHEN, own)
    again = _files(folder)
    assert {n: again[n] for n in after if "history" not in n and n != table.FILE} == {
        n: after[n] for n in after if "history" not in n and n != table.FILE
    }
    assert histories.undone(place, own) == ""


@pytest.mark.slow
def test_a_rollback_says_the_weight_that_an_accepted_class_had(
    own: Workspace, build: Callable[[int], Any], tmp_path: Path, command: Command
) -> None:
    build(8)
    file = str(tmp_path / "D" / "rainstorm.toml")
    verdicts.decide(own, "rainstorm", replace(concept("叫应机制", "预警信号"), pages=30, of_pages=100))
    with graph_store.store(own) as graph:
        TopicGraph(topics.load(file, own), graph).load_ontologies()
    _applied(own, file)
    _, found = applying.rolled_back(own, topics.load(file, own), "0.1.0", "李四", WHEN)
    (gone,) = (one for one in found.weights if one["word"] == "叫应机制")
    assert gone["old"] > 0 and gone["new"] is None
    (row,) = (line for line in command("ontology", "history", file, "--workspace", own.root).out.splitlines()
              if line.startswith("rainstorm/叫应机制"))  # fmt: skip
    assert "withdrawn" in row


@pytest.mark.slow
def test_a_full_disk_at_any_write_leaves_the_version_of_before(own: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    topic = topics.load("rainstorm", own)
    place = curated_decisions.place_of(topic)
    with place.locked():
        draft = curated_decisions.drafted(topic, place, "李四", WHEN)
        before, write, failed = _files(own.ontologies), file_sets._write, 0
        for number in range(40):
            calls = iter(range(10**6))

            def full(part: Path, content: bytes, calls: Any = calls, number: int = number) -> None:
                if next(calls) == number:
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                write(part, content)

            monkeypatch.setattr(file_sets, "_write", full)
            try:
                applying.write(topic, draft, applying._verdicts(own, place))
            except CommandError as error:
                failed += 1
                assert "make room on the disk" in str(error)
                assert _files(own.ontologies) == before
            else:
                break
    assert failed >= 10
    assert "叫应机制" in _labels(own.ontologies)


_KILLED = """
import os, sys
from pathlib import Path
from ontocrawl.topics import topics; from ontocrawl.base import workspace
from tests.ontocrawl import test_enrich_apply_folder as tests
kill_at, count = int(sys.argv[2]), iter(range(10**6))
replace = Path.replace
def counted(path, target):
    if next(count) == kill_at:
        os.kill(os.getpid(), 9)
    return replace(path, target)
Path.replace = counted
tests._applied(workspace.find(Path(sys.argv[1]))[0], "rainstorm")
"""


@pytest.mark.slow
@pytest.mark.parametrize("kill_at", [2, 3, 4, 9])
def test_an_apply_that_is_killed_is_finished_or_forgotten(own: Workspace, kill_at: int) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(own.root), str(kill_at)], check=False)
    assert killed.returncode == -9
    labels = {c.label for o in topics.load("rainstorm", own).ontologies for c in o.concepts}
    versions = {o.version for o in topics.load("rainstorm", own).ontologies}
    assert ("叫应机制" in labels) == (versions == {"1.1.0"})
    assert _applied(own, "rainstorm").release.version == "1.1.0"
    assert "叫应机制" in _labels(own.ontologies)
    assert [v.version for v in curated_decisions.place_of(topics.load("rainstorm", own)).store.all()] == ["1.1.0"]


def test_two_that_apply_at_once(own: Workspace, command: Command) -> None:
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警"))
    topic = topics.load("rainstorm", own)
    with curated_decisions.place_of(topic).locked():
        made = command("enrich", "apply", "--topic", "rainstorm", "--workspace", own.root)
    assert made.code == FAILURE
    assert f"are being changed by another process ({os.getpid()}): wait until it has ended" in made.err
    assert not (own.ontologies / "rainstorm.ttl").exists()


@pytest.mark.slow
def test_the_lock_of_a_process_that_died_is_free(own: Workspace) -> None:
    holds = (
        "import sys; from pathlib import Path; from ontocrawl.versions.deciding import Place\n"
        "folder = Path(sys.argv[1])\n"
        "with Place('rainstorm', folder, folder / 'rainstorm').locked():\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", holds, str(own.ontologies)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(CommandError, match=str(other.pid)):
            _applied(own, "rainstorm")
        other.kill()
    assert not _applied(own, "rainstorm").release.is_new


def test_spam_and_markup_in_a_proposal_are_written_as_text(own: Workspace) -> None:
    sentence = "暴雨" * 10000 + "<script>\x00\u202e"
    verdicts.decide(own, "rainstorm", concept("<b>叫应</b>机制", "预警", sentence))
    _applied(own, "rainstorm")
    assert "<b>叫应</b>机制" in _labels(own.ontologies)
    assert "\x00" not in (own.ontologies / "rainstorm-provenance.ttl").read_text(encoding="utf-8")


BEYOND = """
@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://example.org/own#triggers> a owl:ObjectProperty ; rdfs:label "triggers"@en .
<{flood}> rdfs:label "flood"@en, "洪水災害"@zh-Hant, "Hochwasser"@de, "crue"@fr, "flooding"@en-GB ;
    skos:altLabel "inondation"@fr ;
    owl:disjointWith <{slide}> ;
    rdfs:subClassOf [
        a owl:Restriction ; owl:onProperty <https://example.org/own#triggers> ; owl:allValuesFrom <{slide}>
    ] .
<{storm}> rdfs:subClassOf [
        a owl:Restriction ; owl:onProperty <https://example.org/own#triggers> ; owl:someValuesFrom <{flood}>
    ] .
[] a owl:AllDisjointClasses ; owl:members ( <{flood}> <{slide}> ) .
[ a owl:Class ; owl:unionOf ( <{flood}> <{slide}> ) ] rdfs:subClassOf <{root}> .
<{ontology}> owl:imports <http://nowhere.invalid/hazards> .
"""


@pytest.mark.slow
def test_what_is_beyond_the_model_goes_through_build_edit_enrichment_and_apply(
    own: Workspace, build: Callable[[int], Any], command: Command, tmp_path: Path
) -> None:
    """Restrictions, disjoint classes, a general axiom, an import and labels in six languages, in both files."""
    build(8)
    folder = tmp_path / "D"
    ontology = owl.read(folder / "rainstorm.ttl")
    iris = {name: next(c.iri for c in ontology.concepts if c.label_zh == label)
            for name, label in (("flood", "洪水"), ("slide", "滑坡"), ("storm", "暴雨"))}  # fmt: skip
    said = BEYOND.format(**iris, root=ontology.root, ontology=ontology.iri)
    path = folder / "rainstorm.ttl"
    path.write_text(path.read_text(encoding="utf-8") + said, encoding="utf-8")
    wanted = rdflib.Graph().parse(data=said, format="turtle")

    def missing() -> list[object]:
        found = []
        for name in ("rainstorm.ttl", "rainstorm.rdf"):
            graph = rdflib.Graph().parse(folder / name)
            found += [t for t in wanted if not any(isinstance(n, rdflib.BNode) for n in t) and t not in graph]
            found += [q for q in PATTERNS if not graph.query(q.format(**iris, root=ontology.root)).askAnswer]
        return found

    assert build(12)["edited"] == ["rainstorm.ttl"]
    assert missing() == []
    made = command("ontology", "decide", folder, "rename", "山洪", "山洪灾害", "--lang", "zh", "--who", "张三")
    assert made.code == 0, made.err
    verdicts.decide(own, "rainstorm", concept("叫应机制", "预警信号"))
    draft = _applied(own, str(folder / "rainstorm.toml"))
    assert draft.release.is_new
    assert "叫应机制" in _labels(folder)
    assert missing() == []
    build(16)
    assert {"叫应机制", "山洪灾害"} <= _labels(folder).keys()
    assert missing() == []


_NAMES = "PREFIX owl: <http://www.w3.org/2002/07/owl#> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> ASK "
PATTERNS = (
    _NAMES + "{{ <{flood}> rdfs:subClassOf [ a owl:Restriction ; owl:onProperty <https://example.org/own#triggers> ; "
    "owl:allValuesFrom <{slide}> ] }}",
    _NAMES + "{{ <{storm}> rdfs:subClassOf [ owl:onProperty <https://example.org/own#triggers> ; "
    "owl:someValuesFrom <{flood}> ] }}",
    _NAMES + "{{ [] a owl:AllDisjointClasses ; owl:members ( <{flood}> <{slide}> ) }}",
    _NAMES + "{{ [ owl:unionOf ( <{flood}> <{slide}> ) ] rdfs:subClassOf <{root}> }}",
)
