"""`ontocrawl ontology lint`: exit codes, what is printed where, formats."""

from __future__ import annotations

import json
from pathlib import Path

from tests.ontocrawl.conftest import Command
from tests.ontocrawl.flood_ontology import waiting_topic
from tests.ontology.lint.test_rules import CLEAN, put


def test_exit_codes_and_severity(command: Command, tmp_path: Path) -> None:
    clean = put(tmp_path, CLEAN, "clean.ttl")
    hint = put(tmp_path, CLEAN + ':Flood skos:altLabel "FLOOD"@en .', "hint.ttl")
    cycle = put(tmp_path, CLEAN + ":Flood rdfs:subClassOf :FlashFlood .", "cycle.ttl")
    answer = command("ontology", "lint", clean)
    assert (answer.code, answer.out) == (0, "")
    answer = command("ontology", "lint", hint)
    assert (answer.code, answer.out) == (0, "")
    assert "1 milder" in answer.err or "1 info" in answer.err
    assert command("ontology", "lint", hint, "--severity", "info").code == 3
    answer = command("ontology", "lint", clean, hint, cycle)
    assert answer.code == 3
    assert "error OC001 山洪" in answer.out and "cycle.ttl:" in answer.out and "OC007" not in answer.out
    assert command("ontology", "lint", cycle, "--ignore", "cycle").code == 0
    assert command("ontology", "lint", cycle, "--select", "OC002,OC04").code == 0


def test_json_and_sarif_are_one_document(command: Command, tmp_path: Path) -> None:
    cycle = put(tmp_path, CLEAN + ":Flood rdfs:subClassOf :FlashFlood .")
    answer = command("ontology", "lint", cycle, "--json")
    assert answer.code == 3
    assert answer.json["counts"] == {"error": 1, "warning": 0, "info": 0}
    assert answer.json["findings"][0]["label"] == "山洪" and "山洪" in answer.out
    assert command("ontology", "lint", cycle, "--format", "json").out == answer.out
    log = json.loads(command("ontology", "lint", cycle, "--format", "sarif").out)
    assert [r["ruleId"] for r in log["runs"][0]["results"]] == ["OC001"]
    assert command("ontology", "lint", put(tmp_path, CLEAN), "--json").json["findings"] == []


def test_many_findings_of_a_rule_are_one_line(command: Command, tmp_path: Path) -> None:
    classes = "".join(f':C{i} a owl:Class ; rdfs:subClassOf :Flood ; rdfs:label "类{i}"@zh .\n' for i in range(5))
    path = put(tmp_path, CLEAN + classes)
    answer = command("ontology", "lint", path, "--select", "OC004")
    said = " ".join(answer.out.split())
    assert answer.code == 3
    assert "warning OC004" in said and "5 times, such as" in said and said.count("no label in en") == 3
    every = command("ontology", "lint", path, "--select", "OC004", "--all")
    assert " ".join(every.out.split()).count("no label in en") == 5 and "times" not in every.out
    assert len(command("ontology", "lint", path, "--select", "OC004", "--json").json["findings"]) == 5


def test_topics_limits_and_languages(command: Command, tmp_path: Path) -> None:
    answer = command("ontology", "lint", "rainstorm", "--json", "--siblings", "2", "--select", "OC011")
    assert answer.code == 3
    assert len({f["file"] for f in answer.json["findings"]}) == 4, "the global and three local ontologies"
    path = put(tmp_path, CLEAN)
    assert command("ontology", "lint", path, "--labels", "zh,fr", "--select", "OC004").code == 3


def test_the_folder_of_a_build_is_its_topic(command: Command, tmp_path: Path) -> None:
    file = waiting_topic(tmp_path, "flood")
    of_folder, of_file = (command("ontology", "lint", what, "--severity", "info") for what in (file.parent, file))
    assert of_folder.out and of_folder.out == of_file.out
    (tmp_path / "none").mkdir()
    assert "there is no topic" in command("ontology", "lint", tmp_path / "none").err


def test_wrong_requests(command: Command, tmp_path: Path) -> None:
    for arguments in (
        [tmp_path / "none.ttl"],
        ["nosuchtopic"],
        [put(tmp_path, "@prefix", "broken.ttl")],
        [put(tmp_path, CLEAN), "--select", "OC9"],
        [put(tmp_path, CLEAN), "--format", "html"],
    ):
        answer = command("ontology", "lint", *arguments)
        assert (answer.code, answer.out) == (2, ""), arguments
        assert answer.err and "Traceback" not in answer.err


def test_a_skos_view_of_ours_has_a_header(command: Command, tmp_path: Path) -> None:
    view = tmp_path / "view.ttl"
    assert command("ontology", "convert", "ontologies/rainstorm.ttl", view, "--skos").code == 0
    found = command("ontology", "lint", view, "--json").json["findings"]
    assert "OC050" not in {f["code"] for f in found}
