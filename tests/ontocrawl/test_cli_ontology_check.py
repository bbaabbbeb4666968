"""`ontocrawl ontology check`: shapes and competency questions, of a topic and of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontocrawl.base.workspace import Workspace
from tests.ontocrawl.conftest import Command

RAIN = "ontologies/rainstorm.ttl"


def questions(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "q.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_the_ten_questions_of_the_rainstorm_ontology_hold(command: Command, space: Workspace) -> None:
    answer = command("ontology", "check", "rainstorm", "--workspace", space.root, "--json")
    assert answer.code == 0, answer.out
    told = answer.json
    assert len(told["files"]) == 4 and told["findings"] == []
    assert len(told["questions"]) == 10 and all(q["holds"] for q in told["questions"])
    assert {q["language"] for q in told["questions"]} == {"cypher", "sparql"}


@pytest.mark.slow
def test_a_question_that_fails_is_a_finding_and_says_why(command: Command, space: Workspace, tmp_path: Path) -> None:
    asked = questions(
        tmp_path,
        '[[question]]\nid = "Q1"\nzh = "洪水？"\nat_least = 1\n'
        'sparql = "ASK { :Floodwater rdfs:subClassOf :Nothing }"\n'
        '[[question]]\nid = "Q2"\nen = "Red?"\ncontains = ["pink warning"]\n'
        'sparql = "SELECT ?l WHERE { :RedWarning rdfs:label ?l }"\n',
    )
    answer = command("ontology", "check", RAIN, "--questions", asked, "--workspace", space.root, "--json")
    assert answer.code == 3
    assert [q["reasons"] for q in answer.json["questions"]] == [
        ["expected 1 rows or more, found 0"],
        ["expected 'pink warning' among the answers"],
    ]
    shown = command("ontology", "check", RAIN, "--questions", asked, "--workspace", space.root)
    assert shown.code == 3 and "0 of 2 questions hold" in shown.out and "洪水？" in shown.out


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ('sparql = "SELECT ?x WHERE {"', "question Q1: its SPARQL cannot be run"),
        ('cypher = "CREATE (n:Page {url: 1})"', "question Q1: a read must not change the graph"),
    ],
)
def test_a_query_that_cannot_be_run_is_named(
    command: Command, space: Workspace, tmp_path: Path, query: str, said: str
) -> None:
    asked = questions(tmp_path, f'[[question]]\nid = "Q1"\nen = "?"\nrows = 1\n{query}\n')
    answer = command("ontology", "check", RAIN, "--questions", asked, "--workspace", space.root)
    assert answer.code == 2 and said in answer.err


@pytest.mark.slow
def test_a_topic_without_questions_says_so(command: Command, space: Workspace) -> None:
    answer = command("ontology", "check", "typhoon", "--workspace", space.root)
    assert answer.code == 0 and "no competency questions: give a topic" in answer.err
    assert command("ontology", "check", "haiyan", "--workspace", space.root).code == 2
