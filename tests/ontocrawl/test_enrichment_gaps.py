"""`enrich gaps`: classes without evidence, unexplained pages, branches that grow, new terms."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files as files_of_package
from pathlib import Path
from typing import cast

import pytest

from crawler.journal import graph_rows
from kg.load import load_ontology, remove_ontology
from kg.project import project_crawl
from kg.records import CrawlRow, OutcomeRow
from kg.sentences import ConceptNames
from kg.store import GraphStore
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import gaps
from ontocrawl.enrichment.growth import CrawlClasses, PageClasses, branches_of, growth_of
from ontocrawl.errors import UsageError
from ontocrawl.graph import graph_store
from ontocrawl.runs import runs
from ontocrawl.topics import topics
from ontology import owl
from ontology.enrichment import PageText
from ontology.model import Concept, Ontology, Relation
from tests.kg import small_crawl as web
from tests.ontocrawl.conftest import Command

FLOOD, WARNING, FLASH = web.BASE + "Flood", web.BASE + "Warning", web.BASE + "FlashFlood"
KEYS = {"classes_without_evidence", "unexplained_pages", "growing_branches", "new_terms"}


def crawl(name: str, naming: int, others: int, month: str = "", under: tuple[str, ...] = ()) -> CrawlClasses:
    """A crawl in which some pages name a flash flood, and others a warning."""
    pages = [PageClasses(f"http://{name}/f{n}", month and f"{month}-01", {FLASH: 3}) for n in range(naming)]
    pages += [PageClasses(f"http://{name}/w{n}", month and f"{month}-01", {WARNING: 1}) for n in range(others)]
    return CrawlClasses(name, "2026-01-01", tuple(pages), under)


# ---- branches ---------------------------------------------------------------------------------------------------


def test_branches_are_what_is_below_the_root_with_all_below_them() -> None:
    branches = branches_of([web.ONTOLOGY])
    assert set(branches) == {web.BASE + name for name in ("Waterlogging", "Flood", "Warning")}
    assert branches[FLOOD] == {FLOOD, FLASH, web.BASE + "Levee"}
    assert branches_of([]) == {}


def test_a_bigger_crawl_does_not_make_a_branch_grow() -> None:
    flood = {b.iri: b for b in growth_of([web.ONTOLOGY], [crawl("a", 20, 20), crawl("b", 2000, 2000)])}[FLOOD]
    assert (flood.by, flood.before, flood.now, flood.change, flood.grows) == ("crawl", 0.5, 0.5, 0.0, False)
    assert [(p.period, p.pages, p.naming, p.mentions) for p in flood.crawls] == [
        ("a", 40, 20, 60), ("b", 4000, 2000, 6000)
    ]  # fmt: skip


def test_a_branch_grows_where_the_interval_lies_above_0() -> None:
    few = growth_of([web.ONTOLOGY], [crawl("a", 1, 3), crawl("b", 2, 2)])
    assert not any(branch.grows for branch in few)
    many = growth_of([web.ONTOLOGY], [crawl("a", 10, 90), crawl("b", 60, 40, under=(FLASH, FLASH, "other"))])
    # 山洪 is below two branches, and both grow; the third one shrinks and comes last
    assert [(branch.branch, branch.grows) for branch in many] == [
        ("城市内涝", True), ("洪水", True), ("预警信号", False)
    ]  # fmt: skip
    assert many[1].low is not None and many[1].high is not None
    assert 0.3 < many[1].low < 0.5 < many[1].high < 0.7
    assert many[1].crawls[-1].proposals == 2
    assert many[-1].change == pytest.approx(-0.5)


def test_classes_that_a_version_added_after_a_crawl_do_not_grow() -> None:
    every = frozenset(c.iri for c in web.CONCEPTS)
    older = replace(crawl("a", 0, 60), classes=every - {FLASH})
    newer = replace(crawl("b", 50, 10), classes=every)
    flood = {b.iri: b for b in growth_of([web.ONTOLOGY], [older, newer], {FLASH: "0.2.0"})}[FLOOD]
    # 山洪, which all pages of the newer crawl name, is in no page of the older one for it did not exist
    assert (flood.not_compared, flood.new, flood.now, flood.grows) == (1, "", 0.0, False)
    assert {b.iri: b.grows for b in growth_of([web.ONTOLOGY], [crawl("a", 0, 60), newer])}[FLOOD]  # as it was before
    without = replace(older, classes=every - branches_of([web.ONTOLOGY])[FLOOD])
    [flood] = [b for b in growth_of([web.ONTOLOGY], [without, newer], {FLOOD: "0.2.0"}) if b.iri == FLOOD]
    assert (flood.new, flood.by, flood.now, flood.grows, flood.not_compared) == ("0.2.0", "", None, False, 3)


def test_a_name_that_a_class_got_after_a_crawl_is_searched_in_the_texts_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaps, "_ask", lambda *_, **__: [])
    then = {c.iri: {*c.forms()} for c in web.CONCEPTS}
    now = {c.iri: replace(c, alt_zh=(*c.alt_zh, "洪流")) if c.iri == FLASH else c for c in web.CONCEPTS}
    text = page(0, "山里的洪流冲毁道路，洪流过后发布预警信号。")
    rows = [{"url": text.url, "published": None, "classes": [WARNING], "counts": [1]}]
    for texts, counts in (([text], {WARNING: 1, FLASH: 2}), (None, {WARNING: 1})):
        older = gaps._Crawl({"crawl": "a", "started": ""}, rows, texts)
        found = gaps._with_classes(cast("GraphStore", None), older, (), now, then)
        assert found.classes is not None and (FLASH in found.classes) == (texts is not None)
        assert found.pages[0].counts == counts and WARNING in found.classes


def test_one_crawl_is_compared_by_month_and_none_without_dates() -> None:
    pages = (*crawl("a", 5, 95, "2024-08").pages, *crawl("b", 80, 20, "2024-09").pages)
    flood = {b.iri: b for b in growth_of([web.ONTOLOGY], [CrawlClasses("a", "", pages)])}[FLOOD]
    assert (flood.by, flood.grows) == ("month", True)
    assert [(p.period, p.share) for p in flood.months] == [("2024-08", 0.05), ("2024-09", 0.8)]
    alone = growth_of([web.ONTOLOGY], [crawl("a", 5, 5)])
    assert {(branch.by, branch.change, branch.grows) for branch in alone} == {("", None, False)}


# ---- terms ------------------------------------------------------------------------------------------------------


def page(number: int, text: str, relevant: bool = True, crawl: str = "a") -> PageText:
    return PageText(f"http://site{number}.example/{crawl}", f"第{number}页", text, 0.9, relevant)


_WATER = (
    "甲城建了雨水花园，居民参观雨水花园并种草。雨水花园的土壤净化径流。",
    "学校旁的雨水花园收集屋面水，学生喜欢雨水花园里的芦苇。",
    "乙城把停车场改成雨水花园。专家认为雨水花园可以补给地下水。",
)
_ROADS = (
    "丁路的涵洞淤塞，工人连夜疏通涵洞。",
    "戊路封闭，因为涵洞进水；行人绕过涵洞回家。",
)
WATER = [page(n, text) for n, text in enumerate(_WATER)]
ROADS = [page(n, text) for n, text in enumerate(_ROADS, 5)]
SPORT = [page(n + 9, f"第{n}场足球比赛结束，观众离开球场。", relevant=False) for n in range(6)]


def test_pages_are_grouped_by_the_terms_that_they_have_in_common() -> None:
    found = gaps._about([*WATER, *ROADS, *SPORT], {p.url for p in (*WATER, *ROADS)}, web.CONCEPTS, ["积水"])
    assert [group.pages for group in found.groups][:2] == [3, 2]
    assert "雨水花园" in found.groups[0].terms
    assert any("涵洞" in term for term in found.groups[1].terms)
    assert set(found.groups[0].examples) == {p.url for p in WATER}
    assert "雨水花园" in found.terms_of(WATER[0].url)
    assert not any("足球" in term for group in found.groups for term in group.terms)
    assert all(term != "积水" for group in found.groups for term in group.terms)
    nothing = gaps._about(SPORT, set(), web.CONCEPTS, [])
    assert (nothing.groups, nothing.terms_of("x")) == ((), ())


def test_a_term_is_new_if_no_earlier_crawl_has_it_even_within_a_longer_one() -> None:
    newest = [*WATER, *ROADS, *SPORT]
    found = {term.term: term for term in gaps._new(newest, [SPORT], web.CONCEPTS)}
    assert {"雨水花园"} <= found.keys()
    assert found["雨水花园"].pages == 3
    assert "雨水花园" in found["雨水花园"].sentence
    assert found["雨水花园"].page in {p.url for p in WATER}
    earlier = [page(30, "第一座海绵雨水花园建成。", relevant=False, crawl="b")]
    assert "雨水花园" not in {t.term for t in gaps._new(newest, [SPORT, earlier], web.CONCEPTS)}
    assert gaps._new(newest, [newest], web.CONCEPTS) == []
    assert gaps._new([], [], web.CONCEPTS) == []


# ---- the whole ---------------------------------------------------------------------------------------------------

TOPIC = """name = "rain"
label = {zh = "暴雨", en = "rain"}
ontologies = ["rain.ttl"]
[[words]]
weight = 1.0
zh = ["暴雨", "警报"]
"""


@pytest.fixture
def rain(tmp_path: Path) -> topics.Topic:
    """A topic with the small ontology, in a workspace without runs."""
    space = workspace.init(tmp_path / "ws")
    owl.write(web.ONTOLOGY, space.ontologies / "rain.ttl")
    (space.ontologies / "topics" / "rain.toml").write_text(TOPIC, encoding="utf-8")
    return topics.load("rain", space)


def journal_pages(space: Workspace, run: str) -> list[PageText]:
    with runs.open_journal(space, run) as journal:
        return list(graph_rows.pages(journal))


def told(topic: topics.Topic, store: GraphStore) -> gaps.Gaps:
    return gaps.find(topic.workspace, store, topic, on_stage=lambda line: None)


@pytest.mark.slow
def test_gaps_of_crawls_in_the_graph_alone(rain: topics.Topic, store: GraphStore) -> None:
    with pytest.raises(UsageError, match="no crawl of topic rain: "):
        told(rain, store)
    crawls = [CrawlRow(name, "fcosa", "rain", "live", f"2026-01-0{n}T00:00:00Z") for n, name in enumerate("ab", 1)]
    outcomes: tuple[tuple[OutcomeRow, ...], ...] = (
        (web.outcome(1, 0.9, ("Root", 3)), web.outcome(2, 0.9, ("Alert", 3)), web.outcome(3, 0.2)),
        (web.outcome(1, 0.7, ("Root", 3)), web.outcome(4, 0.8, ("Warning", 2))),
    )
    load_ontology(store, web.ONTOLOGY)
    names = ConceptNames((c.iri, language, form) for c in web.CONCEPTS for language, form in c.forms())
    for row, of in zip(crawls, outcomes, strict=True):
        project_crawl(store, row, of, (), (), names=names)
    found = told(rain, store)
    assert found.crawls == ("a", "b")
    assert {c.label for c in found.classes_without_evidence} == {"城市内涝", "洪水", "山洪", "红色预警", "堤坝"}
    assert found.classes_without_evidence[0].below_named == 0
    assert {c.label: c.branches for c in found.classes_without_evidence}["红色预警"] == ("预警信号",)
    # page 1 names the root, page 2 a class that is one of the topic's words; page 4 is explained by its title
    pages = [(page.url, page.relevance, page.crawl, page.crawls) for page in found.unexplained_pages]
    assert pages == [("http://a.cn/2", 0.9, "a", ("a",)), ("http://a.cn/1", 0.7, "b", ("a", "b"))]
    assert {b.branch for b in found.growing_branches} == {"城市内涝", "洪水", "预警信号"}
    assert found.new_terms == ()
    assert found.totals["relevant_pages"] == 3
    assert found.totals["classes"] == found.totals["global_classes"] == len(web.CONCEPTS)
    assert found.version == found.newest == web.ONTOLOGY.version and found.crawl_versions == {}
    assert any("no journal of a, b" in remark for remark in found.remarks)
    assert found.as_json().keys() >= KEYS


def test_a_topic_without_an_ontology(store: GraphStore, tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    with pytest.raises(UsageError, match="names no ontology"):
        told(topics.load("sports", space), store)


@pytest.mark.slow
def test_a_class_that_was_accepted_after_the_crawl_is_found_in_its_texts(space: Workspace, crawled: str) -> None:
    """The crawl did not count the words of the new class; its journal has them."""
    topic = topics.load("rainstorm", space)
    whole = topic.ontologies[0]
    text = next(page.text for page in journal_pages(space, crawled) if page.relevant)
    word = next(run for run in re.findall(r"[\u4e00-\u9fff]{6}", text) if run not in str(whole.concepts))
    more = Ontology(
        "https://example.org/later", "local", "rainstorm", "1", "https://example.org/later#Root",
        (Concept("https://example.org/later#Root", "后来"), Concept("https://example.org/later#Said", word),
         Concept("https://example.org/later#Unsaid", "从未说过的词")),
        tuple(Relation(f"https://example.org/later#{n}", "subclass_of", "https://example.org/later#Root")
              for n in ("Said", "Unsaid")),
    )  # fmt: skip
    files = topic.file.ontologies
    owl.write(more, space.ontologies / "later.ttl")
    text = (files_of_package("ontologies") / "topics" / "rainstorm.toml").read_text(encoding="utf-8")
    changed = space.root / "rainstorm.toml"
    listed = "ontologies = [" + ", ".join(f'"{name}"' for name in files)
    changed.write_text(text.replace(listed, f'{listed}, "later.ttl"'), encoding="utf-8")
    with graph_store.store(space) as graph:
        found = gaps.find(space, graph, topics.load(str(changed), space), limit=10**6, on_stage=print)
        remove_ontology(graph, more.key)
    labels = {c.label for c in found.classes_without_evidence}
    assert "从未说过的词" in labels and word not in labels


@pytest.mark.slow
def test_crawls_counted_by_another_ontology_are_not_compared(space: Workspace, crawled: str) -> None:
    owl.write(web.ONTOLOGY, space.ontologies / "rain.ttl")
    changed = space.root / "other" / "rainstorm.toml"
    changed.parent.mkdir()
    changed.write_text(TOPIC.replace('"rain"', '"rainstorm"').replace("rain.ttl", "../ontologies/rain.ttl"), "utf-8")
    with graph_store.store(space) as graph:
        found = gaps.find(space, graph, topics.load(str(changed), space), on_stage=print)
        remove_ontology(graph, web.ONTOLOGY.key)
    assert crawled in found.crawls and {branch.by for branch in found.growing_branches} == {""}
    (remark,) = [remark for remark in found.remarks if remark.startswith("growth is without")]
    assert crawled in remark and web.ONTOLOGY.iri in remark


@pytest.mark.slow
def test_the_command(command: Command, space: Workspace, crawled: str) -> None:
    answer = command("enrich", "gaps", "rainstorm", "--workspace", space.root, "--json")
    assert answer.code == 0, answer.err
    found = answer.json
    assert found.keys() >= KEYS
    assert crawled in found["crawls"]
    assert found["totals"]["classes"] > 100
    assert found["crawl_versions"][crawled] == found["version"] == found["newest"]
    assert len(found["classes_without_evidence"]) == min(20, found["totals"]["classes_without_evidence"])
    assert {b["branch"] for b in found["growing_branches"]} >= {"监测预警"}
    limited = command("enrich", "gaps", "rainstorm", "--limit", "1", "--workspace", space.root)
    assert limited.code == 0, limited.err
    assert "Classes that no page and no paper names" in limited.out
    assert "name no class beside the topic and its words" in limited.out and "1 crawls" not in limited.out
    assert "more; --limit shows them" in " ".join(limited.out.split())


@pytest.mark.parametrize(
    ("words", "says"), [(("nosuch",), "there is no topic 'nosuch'"), (("sports",), "names no ontology"),
                        (("rainstorm", "--limit", "0"), "--limit")]
)  # fmt: skip
def test_wrong_input_is_refused(command: Command, space: Workspace, words: tuple[str, ...], says: str) -> None:
    answer = command("enrich", "gaps", *words, "--workspace", space.root)
    assert (answer.code, says in " ".join(answer.err.split())) == (2, True), answer.err
