"""`ontology merge` by itself: the command's function under a typer application of its own."""

from __future__ import annotations

import json
from pathlib import Path

import typer
from typer.testing import CliRunner

from ontocrawl.cli.commands import answering
from ontocrawl.cli.ontology_merge import merge
from ontology import owl
from ontology.model import Concept, Ontology, Relation

SPACE = "https://example.org/t#"


def written(path: Path, root: str, edges: list[tuple[str, str]]) -> Path:
    names = dict.fromkeys([root, *(n for edge in edges for n in edge)])
    relations = tuple(Relation(SPACE + u, "subclass_of", SPACE + t) for u, t in edges)
    concepts = tuple(Concept(SPACE + n, n) for n in names)
    iri = f"https://example.org/{path.stem}"
    owl.write(Ontology(iri, "global", "t", "1", SPACE + root, concepts, relations), path)
    return path


def run(*arguments: object) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(answering(merge))
    result = CliRunner().invoke(app, [str(a) for a in arguments])
    return result.exit_code, result.stdout


def test_agreement_exits_with_0_and_conflicts_with_3(tmp_path: Path) -> None:
    whole = written(tmp_path / "whole.ttl", "G", [("a", "G"), ("b", "a")])
    same = written(tmp_path / "same.ttl", "G", [("a", "G"), ("c", "a")])
    other = written(tmp_path / "other.ttl", "G", [("b", "G"), ("a", "b")])
    code, out = run(whole, same, "--out", tmp_path / "merged.ttl", "--json")
    assert code == 0
    assert json.loads(out)["conflicts"] == []
    assert {c.label for c in owl.read(tmp_path / "merged.ttl").concepts} == {"G", "a", "b", "c"}
    code, out = run(whole, same, other, "--out", tmp_path / "merged.ttl", "--json")
    assert code == 3
    (conflict,) = json.loads(out)["conflicts"]
    assert (conflict["kind"], conflict["local"], conflict["concept"]) == ("reversed", "https://example.org/other", "a")
    assert len(owl.read(tmp_path / "merged.ttl").concepts) == 4
    code, out = run(whole, other, "--out", tmp_path / "merged.ttl")
    assert code == 3
    assert "reversed" in out
    assert "other" in out
