"""Headers of learned ontologies: dates that a rebuild keeps, sources, PROV-O; and candidates of definitions."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
import rdflib

from ontocrawl.base import workspace
from ontocrawl.versions import building
from ontology import owl
from ontology.model import Document
from tests.ontocrawl.conftest import Command

PROV = rdflib.Namespace("http://www.w3.org/ns/prov#")
DCTERMS = rdflib.Namespace("http://purl.org/dc/terms/")
OC = rdflib.Namespace("https://w3id.org/ontocrawl/vocabulary#")


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """Papers on landslides; one has a DOI, another a definition."""
    path = tmp_path / "folder" / "papers.jsonl"
    path.parent.mkdir()
    abstract = "滑坡灾害由微震台网监测。"
    rows = [
        {
            "id": str(number),
            "title": f"滑坡与滑坡灾害之{number}",
            "abstract": abstract,
            "keywords": ["滑坡", "滑坡灾害"],
        }
        for number in range(1, 5)
    ]
    rows[0]["doi"] = "10.1000/ab(1)"
    rows[1]["abstract"] = f"{abstract}滑坡是指斜坡上的岩土体在重力作用下整体下滑的现象。"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_rebuild_keeps_dates_until_something_changes(
    command: Command, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    build = ("ontology", "build", "--corpus", papers, "--out", out, "--creator", "张三")
    dates = []
    contents = []
    for today, more in (("2024-05-01", ()), ("2024-06-02", ()), ("2024-07-03", ("--creator", "https://orcid.org/1"))):
        monkeypatch.setattr(workspace, "now", lambda today=today: f"{today}T00:00:00+00:00")
        answer = command(*build, *more)
        assert answer.code == 0, answer.err
        header = owl.load(out / "rainstorm.ttl").header
        dates.append((header.created, header.modified))
        contents.append({p.name: p.read_bytes() for p in sorted(out.iterdir()) if p.is_file()})
    assert dates == [("2024-05-01", "2024-05-01"), ("2024-05-01", "2024-05-01"), ("2024-05-01", "2024-07-03")]
    assert contents[0] == contents[1], "not a byte of a folder changes where nothing changed"
    assert header.creators == ("https://orcid.org/1", "张三")
    assert header.sources == ("papers.jsonl (4 records)",), "no folder"
    assert owl.load(out / "rainstorm.rdf").header == header


@pytest.mark.slow
def test_each_axiom_names_its_build_and_its_documents(
    command: Command, papers: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace, "now", lambda: "2024-05-01T00:00:00+00:00")
    out = tmp_path / "out"
    assert command("ontology", "build", "--corpus", papers, "--out", out).code == 0
    loaded = owl.load(out / "rainstorm.ttl")
    assert loaded.report.skipped == {}
    graph = rdflib.Graph().parse(out / "rainstorm.ttl")
    build = rdflib.URIRef(f"{loaded.ontology.version_iri}/build")
    axioms = set(graph.subjects(OC.support))
    assert axioms and axioms == set(graph.subjects(PROV.wasGeneratedBy, build))
    assert str(graph.value(build, PROV.endedAtTime)) == "2024-05-01"
    assert (build, DCTERMS.type, PROV.Activity) in graph
    explained = [c for c in graph.objects(OC.confidence, rdflib.RDFS.comment) if isinstance(c, rdflib.Literal)]
    assert {c.language for c in explained} == {"zh", "en"}
    assert any("No probability of being right" in c for c in explained)
    corpus = graph.value(build, PROV.used)
    assert [str(o) for o in graph.objects(corpus, DCTERMS.source)] == ["papers.jsonl (4 records)"]
    (first,) = {d for r in loaded.ontology.relations for d in r.documents if d.startswith("1")}
    doi = rdflib.URIRef("https://doi.org/10.1000/ab(1)")
    assert dict(loaded.header.documents) == {first: str(doi)}
    derived = set(graph.subjects(PROV.wasDerivedFrom, doi))
    assert derived and derived == set(graph.subjects(OC.document, rdflib.Literal(first)))
    assert (doi, DCTERMS.identifier, rdflib.Literal(first)) in graph
    used = {p for p in graph.predicates() if str(p).startswith((str(PROV), str(DCTERMS)))}
    owl_annotation = rdflib.OWL.AnnotationProperty
    assert all((p, rdflib.RDF.type, owl_annotation) in graph for p in used), "OWL 2 DL declares them"


def test_candidates_of_definitions_are_a_table_and_annotations(command: Command, papers: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    answer = command("ontology", "build", "--corpus", papers, "--out", out, "--json")
    assert answer.code == 0, answer.err
    with (out / "definitions.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    found = owl.read(out / "rainstorm.ttl")
    (concept,) = (c for c in found.concepts if c.candidates)
    (candidate,) = concept.candidates
    assert concept.label_zh == "滑坡" and concept.definition == ""
    assert [(r["label"], r["language"], r["rank"], r["sentence"], r["document"], r["iri"]) for r in rows] == [
        ("滑坡", "zh", "1", candidate.sentence, candidate.document, concept.iri)
    ]
    assert candidate.sentence == "滑坡是指斜坡上的岩土体在重力作用下整体下滑的现象"
    assert answer.json["definition_candidates"] == 1


def test_only_documents_with_a_doi_have_an_iri() -> None:
    documents = [Document("a", "题", doi="10.1000/x<1>"), Document("b", "题")]
    assert building._document_iris(documents) == {"a": "https://doi.org/10.1000/x%3C1%3E"}
