"""`ontocrawl ontology convert|reason|check`: exit codes, JSON on stdout, the report on stderr, nothing half-written."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from ontology.owl import canonical, load, read, write
from tests.ontocrawl.conftest import Command
from tests.ontology.owl.samples import FORMATS, HEADER, of_obo, ontology

OWL = "@prefix : <http://x.org/t#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . "
FOREIGN = OWL + (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . <http://x.org/t> a owl:Ontology ; owl:imports "
    '<http://nowhere.invalid/a> . :A a owl:Class ; rdfs:label "甲", "Flut"@de . :B a owl:Class ; rdfs:subClassOf :A . '
    ":p a owl:ObjectProperty ."
)
CLASH = FOREIGN + " :C a owl:Class ; rdfs:subClassOf :A, :B . :A owl:disjointWith :B ."


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    path = tmp_path / "in.ttl"
    write(ontology(), path, HEADER)
    return path


@pytest.fixture
def foreign(tmp_path: Path) -> Path:
    path = tmp_path / "foreign.ttl"
    path.write_text(FOREIGN, encoding="utf-8")
    return path


def test_convert_to_formats_of_obo_tools(command: Command, ours: Path, tmp_path: Path) -> None:
    of_obo = {"candidate of a definition", "origin of an axiom (PROV-O)"}
    of_robot = {"evidence of a relation", "statement of the header", *of_obo}
    left_out = {"a.obo": of_obo, "a.json": of_obo, "a.robot.tsv": of_robot}
    for name, skipped in left_out.items():
        found = command("ontology", "convert", ours, tmp_path / name, "--json").json
        assert set(found["skipped"]) == skipped
    answer = command("ontology", "convert", ours, "-", "--to", "robot")
    assert answer.out == (tmp_path / "a.robot.tsv").read_text(encoding="utf-8")
    assert "left out: 6 x evidence of a relation" in answer.err
    assert command("ontology", "show", tmp_path / "a.robot.tsv").code == 2


def test_convert_is_loss_free_through_all_formats(command: Command, ours: Path, tmp_path: Path) -> None:
    last = ours
    for suffix in (*FORMATS, ".ttl"):
        out = tmp_path / f"out{suffix}"
        answer = command("ontology", "convert", last, out, "--json")
        assert answer.code == 0, answer.err
        assert (answer.json["classes"], answer.json["relations"], answer.json["skipped"]) == (6, 9, {})
        assert answer.json["own"] is True
        last = out
    assert last.read_bytes() == ours.read_bytes()


def test_convert_tells_what_it_left_out(command: Command, foreign: Path, tmp_path: Path) -> None:
    out = tmp_path / "sub" / "out.rdf"
    answer = command("ontology", "convert", foreign, out)
    assert answer.code == 0
    assert "RDF/XML, 2 classes, 1 relations" in " ".join(answer.out.split())
    assert "1 imports were ignored, nothing was fetched: http://nowhere.invalid/a" in answer.err
    assert "carried as they are: 1 statements beyond classes and relations" in answer.err
    assert "left out" not in answer.err
    assert read(out).by_iri["http://x.org/t#A"].label_zh == "甲"
    found = command("ontology", "convert", foreign, out, "--json").json
    assert found["imports"] == ["http://nowhere.invalid/a"]
    assert (found["carried"], found["skipped"]) == ({"object property": 1}, {})
    assert found["own"] is False and found["format"] == "rdfxml"


def test_convert_to_stdout_and_by_name(command: Command, ours: Path, tmp_path: Path) -> None:
    shown = command("ontology", "convert", ours, "-", "--to", "turtle")
    assert shown.out == ours.read_text(encoding="utf-8")
    assert command("ontology", "convert", ours, tmp_path / "out.txt", "--to", "functional").code == 0
    assert (tmp_path / "out.txt").read_text(encoding="utf-8").startswith("Prefix(")
    for arguments in (("-",), ("-", "--to", "turtle", "--json"), (tmp_path / "o.txt",), (tmp_path / "o", "--to", "x")):
        assert command("ontology", "convert", ours, *arguments).code == 2, arguments
    assert not (tmp_path / "o").exists()


def test_convert_to_skos(command: Command, ours: Path, tmp_path: Path) -> None:
    answer = command("ontology", "convert", ours, tmp_path / "s.ttl", "--skos", "--json")
    assert answer.json["skipped"] == {"evidence of a relation": 6, "candidate of a definition": 3}
    assert "skos:prefLabel" in (tmp_path / "s.ttl").read_text(encoding="utf-8")
    assert load(tmp_path / "s.ttl").ontology.concepts == canonical(of_obo(ontology())).concepts
    assert command("ontology", "convert", ours, tmp_path / "s.ofn", "--skos").code == 2


def test_bad_files_end_with_one_sentence_and_the_old_file(command: Command, ours: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.rdf"
    broken.write_text("<rdf:RDF>\n<x>", encoding="utf-8")
    before = ours.read_bytes()
    for words in (("convert", broken, ours), ("reason", broken), ("check", broken)):
        answer = command("ontology", *words)
        assert (answer.code, answer.out) == (2, "")
        assert "broken.rdf, line 2" in answer.err and "Traceback" not in answer.err
    assert ours.read_bytes() == before
    assert command("ontology", "convert", tmp_path / "none.ttl", tmp_path / "x.ttl").code == 2


def test_a_missing_extra_is_exit_code_4(
    command: Command, ours: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("pyhornedowl", "reasonable", "pyshacl"):
        monkeypatch.setitem(sys.modules, module, None)
    for words in (("convert", ours, tmp_path / "x.owx"), ("reason", ours), ("check", ours)):
        answer = command("ontology", *words)
        assert answer.code == 4 and "pip install 'ontocrawl[owl]'" in answer.err
    monkeypatch.setattr(shutil, "which", lambda name: None)
    answer = command("ontology", "reason", ours, "--reasoner", "hermit")
    assert answer.code == 4 and "Java" in answer.err


@pytest.mark.slow
def test_reason(command: Command, ours: Path, tmp_path: Path) -> None:
    assert command("ontology", "reason", ours).code == 0
    clash = tmp_path / "clash.ttl"
    clash.write_text(CLASH, encoding="utf-8")
    answer = command("ontology", "reason", clash, "--json")
    assert answer.code == 3
    assert answer.json["consistent"] is True
    assert answer.json["unsatisfiable"] == ["http://x.org/t#B", "http://x.org/t#C"]
    clash.write_text(CLASH + " :i a :C .", encoding="utf-8")
    answer = command("ontology", "reason", clash)
    assert answer.code == 3 and "inconsistent" in answer.out and "disjoint" in answer.out
    assert "nothing was fetched" in answer.err
    assert command("ontology", "reason", ours, "--timeout", "0.1").code == 2
    assert command("ontology", "reason", ours, "--reasoner", "pellet").code == 2


def test_check(command: Command, ours: Path, foreign: Path) -> None:
    answer = command("ontology", "check", ours)
    assert answer.code == 0 and "no findings" in answer.out
    answer = command("ontology", "check", foreign, "--json")
    assert answer.code == 3
    found = {(f["node"], f["message"]) for f in answer.json["findings"]}
    assert ("http://x.org/t", "our ontologies import nothing") in found
    assert any(node == "http://x.org/t#A" and "rdfs:label has a language" in message for node, message in found)
    assert "甲" in answer.out
    assert command("ontology", "check", foreign).code == 3
