"""Pages and the interface for programs: what they say is what the commands say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import requests

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer import rendering
from ontocrawl.explorer.app import Prepared
from ontocrawl.explorer.routes import coverage, ontologies, versions
from ontocrawl.topics import topic_files, topics
from ontocrawl.topics.papers import Papers
from ontocrawl.topics.topics import Level, Source
from ontology import joining
from ontology.model import Concept, Document, Ontology, Relation
from ontology.reachable import reachable
from tests.ontocrawl import flood_ontology
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer.conftest import reader, running

PAGES = ("", "ontologies", "ontologies/rainstorm", "crawls", "crawls/sample", "review", "ask")


def read(served: Prepared, path: str, **parameters: object) -> requests.Response:
    return reader(served).get(served.address.url + path, params=parameters, timeout=120)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_page_opens_in_both_languages(served: Prepared, crawled: str, path: str, lang: str) -> None:
    answer = read(served, path, lang=lang)
    assert answer.status_code == 200, answer.text
    assert f'<html lang="{lang}">' in answer.text
    assert "https://" not in answer.text.replace("https://w3id.org/ontocrawl/", "")


def test_texts_are_in_both_languages() -> None:
    assert rendering.texts_in("zh").keys() == rendering.texts_in("en").keys()
    assert all(text.strip() for lang in rendering.LANGUAGES for text in rendering.texts_in(lang).values())


def test_crawls_are_those_of_crawl_status(served: Prepared, crawled: str, space: Workspace, command: Command) -> None:
    told = command("crawl", "status", "--workspace", space.root, "--json").json["runs"]
    assert read(served, "api/crawls").json()["crawls"] == told
    one = read(served, f"api/crawls/{crawled}").json()
    assert one["fetched"] == 120 == len(one["curves"]["judge"])
    assert one["curves"]["judge"][-1] == one["relevant"]
    pages = read(served, f"api/crawls/{crawled}/pages", limit=5).json()["pages"]
    assert [page["step"] for page in pages] == sorted((page["step"] for page in pages), reverse=True)
    assert len(pages) == 5


def test_a_run_that_ended_sends_one_event(served: Prepared, crawled: str) -> None:
    lines = read(served, f"api/crawls/{crawled}/live").text.splitlines()
    assert lines[0] == "event: now"
    assert json.loads(lines[1].removeprefix("data: "))["state"] == "finished"


def test_an_ontology_is_that_of_ontology_show(served: Prepared, space: Workspace) -> None:
    ontology = topics.load("rainstorm", space).ontologies[0]
    root = read(served, "api/ontologies/rainstorm/tree").json()
    assert root["iri"] == ontology.root
    assert {child["iri"] for child in root["below"]} == set(ontology.children[ontology.root])
    entry = read(served, "api/ontologies/rainstorm/class", **{"class": ontology.root}).json()
    told = topic_files.entry_of(ontology, ontology.by_iri[ontology.root])
    assert {key: entry[key] for key in told} == told
    found = read(served, "api/ontologies/rainstorm/search", text="暴雨").json()
    assert found["number"] >= len(found["found"]) > 1
    assert ontology.root in {one["iri"] for one in found["found"]}


@pytest.mark.slow
def test_the_coverage_of_a_branch_is_that_of_its_classes(served: Prepared, crawled: str, space: Workspace) -> None:
    ontology = topics.load("rainstorm", space).ontologies[0]
    found = read(served, "api/ontologies/rainstorm/coverage").json()
    assert found["run"] == crawled and found["runs"][0] == crawled and found["newer_classes"] == 0
    assert found["version"] == found["newest"] == found["run_version"] == ontology.version
    assert read(served, "api/ontologies/rainstorm/coverage", run=crawled).json() == found
    assert read(served, "api/ontologies/rainstorm/coverage", run="no-such-run").status_code == 404
    assert found["classes"] == len(ontology.concepts) and len(found["way"]) == 1
    papers = {document for relation in ontology.relations for document in relation.documents}
    assert found["papers"] == len(papers)
    named = {"crawl": crawled, "ontologies": ontology.key, "limit": 10_000}
    rows = read(served, "api/queries/enrichment/classes_of_pages", **named).json()["rows"]
    assert found["pages"] == sum(bool(row[4]) for row in rows) > 0
    assert found["with"]["pages"] == len({iri for row in rows for iri in row[4]} & ontology.by_iri.keys())
    for branch in found["below"]:
        below = reachable(branch["iri"], ontology.children.__getitem__)
        assert branch["classes"] == len(below) and branch["pages"] == sum(bool(below & set(row[4])) for row in rows)
        assert (branch["children"] == 0) != ("below" in branch)
    one = read(served, "api/ontologies/rainstorm/coverage", **{"class": found["below"][0]["iri"]}).json()
    assert {name: one[name] for name in ("classes", "pages", "papers")} == {
        name: found["below"][0][name] for name in ("classes", "pages", "papers")
    }


def test_the_papers_of_a_class_are_those_that_have_one_of_its_names_or_that_a_relation_cites(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    topic = topics.load(str(flood_ontology.waiting_topic(tmp_path, "floods")), space)
    found = ontologies.papers_of(topic.levels[0])
    papers = {row["iri"]: row["papers"] for row in ontologies._read_classes(topic, 0, "zh").records()}
    for one in topic.ontologies[0].concepts:
        named = {
            paper for paper, terms in flood_ontology.TERMS.items() if {form for _, form in one.forms()} & set(terms)
        }
        cited = {p for r in topic.ontologies[0].relations if r.source == one.iri for p in r.documents}
        assert found[one.iri] == named | cited and papers[one.iri] == len(named | cited)
    assert any(len(one) == 2 for one in found.values())


def test_a_class_that_is_no_term_has_the_papers_whose_texts_name_it() -> None:
    bank, risk = (Concept(f"o:{name}", "", name) for name in ("bank", "risk"))
    documents = (Document("p", "Banks"), Document("q", "Trade", abstract="Risks of a bank."), Document("r", "Trade"))
    below = (Relation("o:bank", "subclass_of", "o:risk"),)
    learned = Ontology("o:", "global", "t", "1", "o:risk", (bank, risk), below)
    counted = Papers("o:", documents, {"p": {"risk": 1}, "q": {}, "r": {}})
    level = Level(joining.join([learned], iri="o:"), (Source("t.ttl", learned, counted),))
    assert ontologies.papers_of(level) == {"o:bank": {"p", "q"}, "o:risk": {"p"}}


def test_two_versions_side_by_side_have_the_changed_classes_and_those_above_them() -> None:
    def version(edges: str, **renamed: str) -> Ontology:
        pairs = [edge.split("<") for edge in edges.split()]
        names = dict.fromkeys(name for above, below in pairs for name in (above, below))
        concepts = tuple(Concept(f"o:{name}", renamed.get(name, name)) for name in names)
        relations = tuple(Relation(f"o:{below}", "subclass_of", f"o:{above}") for above, below in pairs)
        return Ontology("o:", "global", "t", "1", "o:根", concepts, relations)

    old, new = version("根<水 根<风 水<雨 水<雪 风<雹"), version("根<水 根<风 水<雨 风<雪 雨<雷", 雨="降雨")
    found = versions.side_by_side(old, new)
    lines = {
        side: [(one["depth"], one["zh"], one["change"]) for one in outline]
        for side, outline in found["outlines"].items()
    }
    assert found["changes"] == {"removed": 1, "added": 1, "moved": 1, "renamed": 1} and found["outlines_complete"]
    assert lines["before"] == [
        (0, "根", ""), (1, "水", ""), (2, "雨", "renamed"), (2, "雪", "moved"), (1, "风", ""), (2, "雹", "removed"),
    ]  # fmt: skip
    assert lines["after"] == [
        (0, "根", ""), (1, "水", ""), (2, "降雨", "renamed"), (3, "雷", "added"), (1, "风", ""), (2, "雪", "moved"),
    ]  # fmt: skip
    assert versions.side_by_side(old, old)["outlines"] == {"before": [], "after": []}


def test_a_class_with_many_below_it_has_the_smaller_ones_together() -> None:
    concepts = [Concept(f"http://a.cn/{i}", label_zh=f"类{i}") for i in range(60)]
    relations = [Relation(one.iri, "subclass_of", concepts[0].iri) for one in concepts[1:50]]
    relations += [Relation(one.iri, "subclass_of", concepts[1].iri) for one in concepts[50:]]
    ontology = Ontology("http://a.cn/", "global", "a", "1", concepts[0].iri, tuple(concepts), tuple(relations))
    evidence = coverage.Evidence({concepts[49].iri: {"p"}}, {}, {})
    assert not any("others" in one for one in coverage.branch(ontology, evidence, [concepts[0].iri])["below"])
    found = coverage.branch(ontology, evidence, [concepts[0].iri], boxes=(40, 12))
    first, *_, others = found["below"]
    assert first["classes"] == 11 and len(first["below"]) == 10 and len(found["below"]) == 41
    assert others == {"classes": 9, "papers": 1, "pages": 0, "proposals": 0, "others": 9,
                      "with": {"papers": 1, "pages": 0, "proposals": 0}}  # fmt: skip


def test_queries_are_those_of_the_library(served: Prepared, crawled: str, space: Workspace, command: Command) -> None:
    names = {query["name"] for query in read(served, "api/queries").json()["queries"]}
    assert "crawl/by_depth" in names
    told = command("query", "run", "crawl/by_depth", f"crawl={crawled}", "--workspace", space.root, "--json").json
    found = read(served, "api/queries/crawl/by_depth", crawl=crawled).json()
    assert {key: found[key] for key in told} == told
    rows = read(served, "api/cypher", statement="MATCH (c:Crawl) RETURN count(c) AS n").json()["rows"]
    assert rows[0][0] >= 1


@pytest.mark.parametrize(
    "expression",
    ["c", "f", "path", "[c, path]", "point({x: 1, y: 2})", "datetime()", "date()", "duration('P1D')", "0.0 / 0.0"],
)
def test_every_value_of_cypher_has_a_form(served: Prepared, crawled: str, expression: str) -> None:
    statement = f"MATCH path = (c:Crawl)-[f:FETCHED]->(:Page) RETURN {expression} AS x LIMIT 1"
    answer = read(served, "api/cypher", statement=statement)
    assert answer.status_code == 200, answer.text
    ((value,),) = answer.json()["rows"]
    if expression == "path":
        assert [node["labels"] for node in value["nodes"]] == [["Crawl"], ["Page"]]
        assert value["relationships"][0]["type"] == "FETCHED" and value["relationships"][0]["end"] == 1


def test_the_plan_of_a_statement(served: Prepared, crawled: str) -> None:
    plan = read(served, "api/cypher", statement="EXPLAIN MATCH (c:Crawl) RETURN c.id AS id").json()
    assert plan["columns"] == ["depth", "operator", "details"] and len(plan["rows"]) > 2


@pytest.mark.slow
def test_questions_load_no_ontology_that_the_graph_lacks(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    with running(space) as server:
        answer = read(server, "api/ontologies/rainstorm/questions")
        assert answer.status_code == 400 and "load it by `ontocrawl graph load`" in answer.json()["error"]
        rows = read(server, "api/cypher", statement="MATCH (o:Ontology) RETURN count(o) AS n").json()["rows"]
        assert rows == [[0]]
    embedded.stop(space.graph)


@pytest.mark.parametrize(
    ("path", "parameters", "status", "says"),
    [
        ("api/crawls/nothing", {}, 404, "there is no run"),
        ("api/crawls/sample/pages", {"limit": "-1"}, 400, "limit"),
        ("api/ontologies/nothing/tree", {}, 404, "nothing"),
        ("api/ontologies/rainstorm/class", {"class": "x"}, 404, "no class x"),
        ("api/ontologies/rainstorm/coverage", {"class": "x"}, 404, "no class x"),
        ("api/ontologies/rainstorm/tree", {"level": "99"}, 400, "level"),
        ("api/queries/crawl/nothing", {}, 400, "crawl/nothing"),
        ("api/cypher", {"statement": "CREATE (n) RETURN n"}, 400, "only reading is allowed"),
        ("api/cypher", {"statement": "RETURN $x", "parameters": "[1]"}, 400, "JSON object"),
        ("api/cypher", {"statement": "RETURN nope"}, 400, "the graph server refused: RETURN nope"),
        ("api/cypher", {"statement": "RETURN date({year: 12000}) AS d"}, 400, "the graph could not do: RETURN date"),
        ("api/proposals", {"status": "maybe"}, 400, "status"),
        ("crawls/nothing", {}, 404, "there is no run"),
        ("nothing", {}, 404, "Not Found"),
    ],
)
def test_errors_say_what_is_wrong(
    served: Prepared, crawled: str, path: str, parameters: dict[str, str], status: int, says: str
) -> None:
    answer = read(served, path, **parameters)
    assert answer.status_code == status, answer.text
    assert says in (answer.json()["error"] if path.startswith("api/") else answer.text)
