"""From a gap in the ontology to a crawl that fills it, and to proposals for its branch, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli.main import invoke
from ontocrawl.explorer.app import Prepared
from ontocrawl.runs import runs
from ontocrawl.topics import reviewed, topics
from ontology.decisions import table
from ontology.model import Document
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import running
from tests.ontocrawl.explorer.test_crawling import Program
from tests.ontocrawl.flood_ontology import iri
from tests.ontocrawl.test_class_topics import WORLD, documents, written

pytestmark = pytest.mark.slow
RUN = "for-surges"
SURGE = ("风暴潮增水与海堤漫溢。", "天文大潮叠加风暴潮，海堤告急。", "风暴潮增水预报。")
SURGES = tuple(Document(f"s{i}", f"风暴潮研究{i}", SURGE[i % 3] + SURGE[(i + 1) % 3]) for i in range(12))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace with a learned topic, and a crawl of one page that leaves out most of its classes."""
    folder: Path = tmp_path_factory.mktemp("class_crawl")
    made = workspace.init(folder / "ws")
    topics.register("flood", written(folder / "built", (*documents(), *SURGES)), made)
    where = ("--run", "first", "--limit-pages", "1", "--workspace", str(made.root))
    assert invoke(["crawl", "run", "--topic", "flood", "--world", WORLD, "--strategy", "breadth_first", *where]) == 0
    yield made
    embedded.stop(made.graph)


@pytest.fixture(scope="module")
def server(place: Workspace) -> Iterator[Prepared]:
    with running(place) as found:
        yield found


@pytest.fixture(scope="module")
def window(server: Prepared) -> Iterator[Opened]:
    with opened(server.address, locale="en-GB") as found:
        yield found


@pytest.fixture(scope="module")
def program(server: Prepared) -> Program:
    return Program(server)


def test_classes_are_shown_before_a_crawl_and_refused_at_their_field(program: Program, place: Workspace) -> None:
    asked = {"topic": "flood", "classes": ["台风", "堤防"], "words": {"风眼": 0.5}}
    found = program.post("crawls/classes", asked)["classes"]
    assert [(one["name"], one["extent"], one["papers"]) for one in found] == [("台风", 15, 72), ("堤防", 15, 72)]
    assert "路径" in found[0]["words"] and "only 12 words" in found[0]["remark"]
    covered = program.post("crawls/classes", {"topic": "flood", "cover": "2"})
    assert {one["name"] for one in covered["classes"]} == {"台风", "洪水", "风暴潮"} and "left out" in covered["notes"][
        -1
    ]
    assert program.post("crawls/classes", {"topic": "flood"})["classes"] == []
    before = place.run_names()
    for path in ("crawls/classes", "crawls"):
        wrong = program.post(path, {"topic": "flood", "classes": ["山供"]}, 400)
        assert wrong["field"] == "classes" and "did you mean '山洪'" in wrong["error"]
    for field, value in (("words", {"a": 2}), ("words", ["a"]), ("classes", 7), ("cover", 1)):
        assert program.post("crawls/classes", {"topic": "flood", field: value}, 400)["field"] == field
    checked = program.post("crawls/check", {**asked, "world": WORLD})
    assert [one["name"] for one in checked["classes"]] == ["台风", "堤防"] and place.run_names() == before


def shown(page: Any, name: str) -> Any:
    """The row of a class that the form shows."""
    return page.locator("#classes-shown tbody tr", has_text=name)


def test_a_person_goes_from_a_gap_to_a_crawl_and_to_proposals(window: Opened, place: Workspace) -> None:
    page = window.go("/ontologies/flood")
    page.locator("a", has_text="What is missing").click()
    gap = page.locator("#gaps tr", has_text="storm surge")
    gap.locator("a", has_text="Crawl for this class").click()

    page.wait_for_url("**/crawls/_new*")
    shown(page, "风暴潮").locator("td", has_text="12 of 72").wait_for()
    assert "增水" in shown(page, "风暴潮").inner_text()
    assert page.input_value("#topic") == "flood" and page.input_value("#world-kind") == "synthetic"
    page.fill("#limit_pages", "60")
    page.fill("#run", RUN)
    page.click("#check")
    page.locator("#cost td", has_text="风暴潮").first.wait_for()
    page.click("#start")
    page.locator("#figures").wait_for()
    page.locator("[data-of=state]", has_text="finished").wait_for()
    page.locator("#process", has_text=re.compile(r"^\s*$")).wait_for(state="attached")  # it is in the graph
    row = page.locator("#classes tbody tr", has_text="风暴潮")
    relevant = runs.result_of(place, RUN).end.relevant
    row.locator("[data-class=relevant]", has_text=re.compile(f"^{relevant}$")).wait_for()
    assert relevant > 5 and "增水" in row.inner_text()

    page.locator("#pages tr.relevant a").first.click()
    page.locator("#about td", has_text="风暴潮").wait_for()
    page.go_back()
    page.locator("a", has_text="Propose and review terms").click()
    page.click("#propose button")
    page.locator("#said", has_text="open proposals").wait_for()
    term = page.locator("#queue li[data-id] a[aria-current]").inner_text()
    page.keyboard.press("m")
    page.locator("#ask #name").fill("风暴潮")
    page.locator("#choices [role=option]", has_text="风暴潮").first.wait_for()
    page.keyboard.press("Enter")
    page.locator("#counts", has_text="1 accepted").wait_for()

    (moved,) = reviewed.record_of(place, "flood").standing.values()
    assert (moved.proposal.term, moved.verdict.action, moved.verdict.value) == (term, "move", "风暴潮")

    page.locator("nav a", has_text="Ontologies").click()
    page.locator("main a", has_text="flood").first.click()
    page.locator("a", has_text="What is missing").click()
    page.locator("#gaps h2").first.wait_for()
    assert page.locator("#gaps tr", has=page.locator("a", has_text=re.compile("^storm surge$"))).count() == 0
    _has_links_to_runs_of_the_workspace(page, place)
    assert not window.complaints


def _has_links_to_runs_of_the_workspace(page: Any, place: Workspace) -> None:
    """Check what the page of gaps names: a crawl that only the graph has is no link."""
    of_run = page.locator("#about a", has_text=RUN)
    assert of_run.count() == 1
    place.run(RUN).rename(place.root / RUN)
    page.click("#find")
    page.locator("#gaps p", has_text=f"no journal of {RUN}").wait_for()
    assert of_run.count() == 0 and RUN in page.locator("#about").inner_text()
    (place.root / RUN).rename(place.run(RUN))


def test_classes_are_chosen_by_their_names_and_errors_are_at_the_field(window: Opened) -> None:
    page = window.go(f"/ontologies/flood#{iri('Flood')}")
    page.locator("#class a", has_text="Crawl for this class").click()
    shown(page, "flood").or_(shown(page, "洪水")).first.wait_for()
    page.fill("#class-search", "typh")
    page.locator("#class-found button", has_text="typhoon").click()
    shown(page, "台风").wait_for()
    assert page.input_value("#classes").splitlines() == ["flood", "typhoon"]
    page.fill("#classes", "山供")
    page.locator("#classes").blur()
    page.locator("#classes-wrong", has_text="did you mean '山洪'").wait_for()
    page.goto(page.url + "&lang=zh")
    page.fill("#classes", "山供")
    page.locator("#classes").blur()
    page.locator("#classes-wrong", has_text="没有类").wait_for()
    page.fill("#classes", "山洪")
    page.locator("#classes").blur()
    shown(page, "只有 0 篇文献").wait_for()
    assert window.complaints and all("400" in text for text in window.complaints)
    window.complaints.clear()


ROOM = "https://w3id.org/ontocrawl/rainstorm#Rockfall"


def test_a_class_is_removed_and_moved_in_its_entry(window: Opened, place: Workspace) -> None:
    page = window.go(f"/ontologies/rainstorm?lang=en#{ROOM}")
    page.locator("#class summary", has_text="Change this class").click()
    page.fill("#class [name=why]", "a thing of mountains")
    page.click("#class .edit button")
    page.locator("#said", has_text="Decision d1 is recorded; the next version has it.").wait_for()
    page.locator("#class .record li", has_text="not built yet").wait_for()
    page.click("#class .edit a")
    page.locator("#waiting", has_text="Decisions about classes that no version has yet (1): d1").wait_for()
    page.click("#check")
    page.locator("#outcome tr", has_text="class removed").first.wait_for(state="attached")
    assert not page.locator("#apply").is_disabled()

    page.go_back()
    page.locator("#class button", has_text="withdraw").click()
    page.locator("#said", has_text="Decision d2 is recorded").wait_for()
    page.locator("#class .record li", has_text="withdrawn").wait_for()
    assert page.locator("#class button", has_text="withdraw").count() == 0
    page.locator("#class summary", has_text="Change this class").click()
    page.select_option("#class [name=action]", "move")
    page.fill("#class [name=value]", "洪")
    page.locator("#class datalist option[value=洪水]").wait_for(state="attached")
    page.fill("#class [name=value]", "洪水")
    page.click("#class .edit button:not([type=button])")
    page.locator("#said", has_text="Decision d3 is recorded").wait_for()
    removed, withdrawn, moved = table.read(place.ontologies / "rainstorm" / table.FILE)
    assert (removed.action, removed.relation, removed.why) == ("reject", "class", "a thing of mountains")
    assert (withdrawn.action, withdrawn.value) == ("withdraw", "d1")
    ontology = topics.load("rainstorm", place).ontologies[0]
    above = [ontology.by_iri[one].label for one in ontology.parents[ROOM]]
    assert (moved.action, moved.term, moved.value) == ("move", "崩塌", "洪水") and moved.old in above
    assert not window.complaints


def test_decisions_that_say_nothing_that_can_be_done_are_refused(program: Program, place: Workspace) -> None:
    root = topics.load("rainstorm", place).ontologies[0].root
    before = program.get("ontologies/rainstorm/history")["decisions"]
    for said, why in (
        ({"action": "reject", "class": root, "relation": "class"}, "it is the root"),
        ({"action": "move", "class": ROOM, "value": "山供"}, "there is no class"),
        ({"action": "burn", "class": ROOM}, "expected one of accept, reject"),
        ({"action": "rename", "class": ROOM, "value": "堤\u202e防"}, "without hidden ones"),
        ({"action": "rename", "class": ROOM, "value": 7}, "value: expected a text"),
        ({"action": "rename", "class": ROOM, "label": "x"}, "label"),
    ):
        assert why in program.post("ontologies/rainstorm/decisions", said, 400)["error"]
    assert program.get("ontologies/rainstorm/history")["decisions"] == before
