"""The pages that showed accepted terms: counted by the verdicts in force, and then in the weights of the next crawl."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from kg.key_weights import PageCount
from kg.records import WeightedTerm
from ontocrawl.base import workspace
from ontocrawl.topics import reviewed
from ontocrawl.topics.topic_graph import _page_counts
from ontology.decisions import Decision, table
from ontology.similarity import Factors
from tests.ontocrawl.verdicts import concept, decide

TOPIC = "storms"


def term(*forms: str) -> WeightedTerm:
    named = tuple(("zh", form) for form in forms)
    return WeightedTerm(f"#{forms[0]}", forms[0], named, 0.5, Factors(*[0.5] * 5), forms[:1], "o")


def test_accepted_terms_have_the_pages_of_their_proposals(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    shown = replace(concept("列车效应", "暴雨"), pages=17, of_pages=188)
    decide(space, TOPIC, shown)
    decide(space, TOPIC, replace(concept("内涝点", "内涝"), pages=3, of_pages=188), "rename", "积水点")
    decide(space, TOPIC, replace(concept("海绵", "设施"), pages=9, of_pages=188), "reject")
    decide(space, TOPIC, replace(concept("泵车", "设施"), pages=9))
    terms = [term("列车效应"), term("积水点", "内涝点"), term("海绵"), term("泵车"), term("暴雨")]
    record = reviewed.record_of(space, TOPIC)
    assert _page_counts(record, terms) == {
        "#列车效应": PageCount(17, 188),
        "#积水点": PageCount(3, 188),
    }
    assert _page_counts(reviewed.record_of(space, "others"), terms) == {}


def test_a_withdrawn_verdict_does_not_count(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    made = decide(space, TOPIC, replace(concept("列车效应", "暴雨"), pages=17, of_pages=188))
    assert _page_counts(reviewed.record_of(space, TOPIC), [term("列车效应")])
    path = reviewed.path_of(space, TOPIC).with_name(table.FILE)
    table.append(path, [Decision("withdraw", "", d.id) for d in made])
    assert _page_counts(reviewed.record_of(space, TOPIC), [term("列车效应")]) == {}


def test_of_several_names_the_one_on_most_pages_counts(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    decide(space, TOPIC, replace(concept("列车效应", "暴雨"), pages=2, of_pages=100))
    decide(space, TOPIC, replace(concept("列车式降水", "暴雨"), pages=5, of_pages=100), "merge", "列车效应")
    record = reviewed.record_of(space, TOPIC)
    assert _page_counts(record, [term("列车效应", "列车式降水")]) == {"#列车效应": PageCount(5, 100)}
