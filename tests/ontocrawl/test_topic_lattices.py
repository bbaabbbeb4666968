"""The lattices of a topic: of papers, names and claims; concepts with their neighbours, a search, implications."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.topics import topic_lattices, topics
from ontocrawl.topics.topic_lattices import lattice_of
from ontocrawl.topics.topics import Topic
from ontology import formats
from ontology.context import FormalContext
from ontology.draw.line_diagram import readable_iceberg
from tests.ontocrawl.flood_ontology import TERMS, written

TOPIC = """name = "flood"
ontologies = ["flood.ttl"]
label = {zh = "洪水", en = "flood"}
words = [{weight = 1.0, zh = ["洪水"]}]
[versions]
"flood.ttl" = "0.1.0+abc"
"""


@pytest.fixture
def learned(tmp_path: Path) -> Topic:
    """A topic of a small folder of `ontology build`."""
    folder = written(tmp_path / "learned")
    pairs = [(paper, term) for paper, terms in TERMS.items() for term in terms]
    formats.write(FormalContext.from_pairs(pairs), folder / "context.cxt")
    (folder / "flood.toml").write_text(TOPIC, encoding="utf-8")
    return topics.load(str(folder / "flood.toml"), workspace.init(tmp_path / "ws"))


def test_a_learned_ontology_has_the_lattice_of_its_papers(learned: Topic) -> None:
    assert topic_lattices.kinds(learned) == ["papers", "claims"]
    found = lattice_of(learned)
    assert found.kind == "papers" and len(found.lattice) == 4
    top = found.concept(0)
    assert (top["support"], top["of"]) == (2, 2)
    assert set(top["intent"]) == set(TERMS["p1"]) & set(TERMS["p2"])
    assert {one["title"] for one in top["extent"]} == {"山洪预警研究", "台风与风暴潮"}
    assert {tuple(one["attributes"]) for one in top["lower"]} == {("山洪",), ("风暴潮", "河流")}


def test_neighbours_lead_back(learned: Topic) -> None:
    found = lattice_of(learned, "claims")
    for at in range(len(found.lattice)):
        for below in found.concept(at)["lower"]:
            above = next(one for one in found.concept(below["at"])["upper"] if one["at"] == at)
            assert above["attributes"] == below["attributes"] and above["support"] > below["support"]


def test_a_search_finds_terms_and_titles(learned: Topic) -> None:
    found = lattice_of(learned)
    (term,) = [one for one in found.search("风暴潮")["found"] if one["kind"] == "attribute"]
    (paper,) = [one for one in found.search("风暴潮")["found"] if one["kind"] == "object"]
    assert paper["title"] == "台风与风暴潮"
    assert "风暴潮" in found.concept(term["at"])["intent"]
    assert "p2" in {one["name"] for one in found.concept(paper["at"])["extent"]}
    assert found.search("nothing") == {"found": [], "number": 0, "complete": True}


def test_implications_hold_in_the_context(learned: Topic) -> None:
    found = lattice_of(learned).implications(1)
    assert found["number"] == len(found["implications"]) > 0
    for rule in found["implications"]:
        having = [paper for paper, terms in TERMS.items() if set(rule["premise"]) <= set(terms)]
        assert len(having) == rule["support"] >= 1
        assert all(set(rule["conclusion"]) <= set(TERMS[paper]) for paper in having)
    assert [rule["support"] for rule in found["implications"]] == sorted(
        (rule["support"] for rule in found["implications"]), reverse=True
    )


def test_what_there_is_not_is_refused(learned: Topic) -> None:
    with pytest.raises(UsageError, match="no lattice of names"):
        lattice_of(learned, "names")
    with pytest.raises(UsageError, match="0 to 3, found 4"):
        lattice_of(learned).concept(4)


def test_the_drawn_part_has_the_numbers_of_the_whole(space: Workspace) -> None:
    found = lattice_of(topics.load("rainstorm", space))
    drawn = readable_iceberg(found.lattice)
    assert found.kind == "claims" and len(drawn) < len(found.lattice)
    assert drawn.concepts == found.lattice.concepts[: len(drawn)]
