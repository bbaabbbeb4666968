"""The overview: six steps of each topic of the workspace, and the one next step that its state leaves to do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.enrichment import proposals
from ontocrawl.explorer.app import Prepared
from ontocrawl.explorer.routes import home
from ontocrawl.runs import run_status
from ontocrawl.topics import proposed, topics
from ontology.enrichment import Proposal
from tests.ontocrawl import verdicts
from tests.ontocrawl.explorer.conftest import reader, running

RUN: dict[str, Any] = {"run": "first", "state": "finished"}


@pytest.mark.parametrize(
    ("newest", "proposes", "undecided", "waiting", "step", "address"),
    [
        (None, "", 0, 0, "crawl", "/crawls/_new?topic=rain"),
        (RUN | {"state": "running"}, "first", 3, 1, "watch", "/crawls/first"),
        (RUN | {"state": "interrupted"}, "first", 3, 1, "resume", "/crawls/first"),
        (RUN, "first", 3, 1, "review", "/review?topic=rain"),
        (RUN, "first", 0, 1, "version", "/ontologies/rain/versions"),
        (RUN, "first", 0, 0, "propose", "/review?topic=rain&run=first"),
        (RUN, "", 0, 0, "crawl_again", "/crawls/_new?topic=rain"),
    ],
)
def test_the_next_step_is_the_first_that_is_left_to_do(
    newest: dict[str, Any] | None, proposes: str, undecided: int, waiting: int, step: str, address: str
) -> None:
    assert home._next("rain", newest, proposes, undecided, waiting) == (step, address)


@pytest.mark.slow
def test_a_topic_with_a_run_is_in_the_circle(served: Prepared, crawled: str, space: Workspace) -> None:
    measured = run_status.listed(space)
    circle = home.circle_of(space, "rainstorm", measured)
    assert [step.name for step in circle.steps] == ["corpus", "ontology", "crawl", "graph", "proposals", "version"]
    steps = {step.name: step for step in circle.steps}
    own = [one for one in measured if one.get("topic") == "rainstorm"]
    assert steps["crawl"].state == "done" and steps["crawl"].figures["runs"] == len(own)
    pages = "pages" if len(own) == 1 else "pages_of_all"
    assert steps["crawl"].figures[pages] == sum(one["fetched"] for one in own)
    twice = home.circle_of(space, "rainstorm", [*own, *own]).steps[2].figures
    assert twice["pages_of_all"] == 2 * sum(one["fetched"] for one in own) and "pages" not in twice
    label = topics.load("rainstorm", space).file.label
    assert steps["ontology"].address == "/ontologies/rainstorm" and steps["corpus"].figures == {}
    counts = reader(served).get(f"{served.address.url}api/proposals?topic=rainstorm", timeout=120).json()["counts"]
    assert steps["proposals"].figures["undecided"] == counts.get("proposed", 0)
    page = reader(served).get(f"{served.address.url}?lang=en", timeout=120).text
    assert f'href="{served.address.access.root}/topics/rainstorm"' in page and page.count('<ol class="circle">') >= 1
    assert f"{label.en} (rainstorm)" in page
    assert "typhoon" in page.partition("<details")[2] and "typhoon" not in page.partition("<details")[0]
    one = reader(served).get(f"{served.address.url}topics/rainstorm", params={"lang": "zh"}, timeout=120)
    assert one.status_code == 200 and "语料" in one.text and "下一版本" in one.text
    linked = re.findall(rf'href="{served.address.access.root}(/[^"]+)"', one.text.partition('<ol class="circle">')[2])
    assert len(linked) >= 4
    for path in linked:
        answer = reader(served).get(served.address.url + path[1:].replace("&amp;", "&"), timeout=120)
        assert answer.status_code == 200, path
    assert reader(served).get(f"{served.address.url}topics/nothing", timeout=120).status_code == 404


def test_a_learned_topic_has_the_figures_of_its_build(tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    out = space.ontologies / "learned"
    out.mkdir()
    words = 'name = "mine"\n[label]\nzh = "雨"\nen = "rain"\n[[words]]\nzh = ["暴雨"]\n'
    (out / "mine.toml").write_text(words, encoding="utf-8")
    (space.ontologies / "topics" / "mine.path").write_text("ontologies/learned/mine.toml\n", encoding="utf-8")
    waiting = [{"term": "风眼", "places": [], "sentences": []}]
    summary = {"records": 12, "classes": 7, "terms": 9, "placed": 5, "version": "0.1.0+abc", "waiting": waiting}
    (out / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    circle = home.circle_of(space, "mine", [])
    corpus, ontology, crawl, *_ = circle.steps
    assert corpus.figures == {"records": 12} and corpus.state == "done" and crawl.state == "open"
    assert ontology.figures == {
        "version": "0.1.0", "classes": 7, "terms": 9, "placed": 5, "top": 3, "waiting": 1
    }  # fmt: skip
    assert sum(ontology.figures[name] for name in ("placed", "top", "waiting")) == ontology.figures["terms"]
    assert circle.label.zh == "雨"
    assert circle.steps[4].figures == {"undecided": 1, "decided": 0}, "as the review of the topic lists them"
    assert circle.next == ("crawl", "/crawls/_new?topic=mine")
    again = Proposal("concept", "风眼", "subclass_of", None, None, 1.0, 1, ())
    proposed.write(space, "mine", "first", "key", [again])
    assert proposals.counts(space, "mine") == (1, 0, 0, 1), "a term that waits and that a crawl proposes is one"
    verdicts.decide(space, "mine", again, "reject")
    figures = home.circle_of(space, "mine", []).steps[1].figures
    assert (figures["waiting"], figures["settled"], figures["top"]) == (0, 1, 3)
    (out / "summary.json").write_text("{", encoding="utf-8")
    with running(space) as server:
        page = reader(server).get(server.address.url, params={"lang": "en"}, timeout=120)
        assert page.status_code == 200 and "is damaged" in page.text and "rainstorm" in page.text


def test_each_page_belongs_to_an_entry_of_the_navigation(served: Prepared, crawled: str) -> None:
    belongs = {
        "": "/", "topics/rainstorm": "/", "ontologies/rainstorm/gaps": "/ontologies",
        "lattice/rainstorm": "/ontologies", "tables/terms?topic=rainstorm": "/ontologies",
        "tables/proposals?topic=rainstorm": "/review", "ask": "/ask",
        f"tables/pages?run={crawled}": "/crawls", f"web/{crawled}": "/crawls", "crawls": "/crawls",
    }  # fmt: skip
    root = served.address.access.root
    for path, address in belongs.items():
        page = reader(served).get(served.address.url + path, timeout=120).text.partition("</header>")[0]
        found = re.findall(rf'href="{root}(/\w*)" aria-current="(page|true)"', page)
        assert found == [(address, "page" if path in ("", "ask", "crawls") else "true")], path


def test_fetches_of_a_run_are_its_pages_and_those_that_failed(served: Prepared, crawled: str, space: Workspace) -> None:
    pages = run_status.document(space, crawled)["fetched"]
    rows = reader(served).get(f"{served.address.url}api/tables/pages?run={crawled}", timeout=60).json()["rows"]
    failed = len(rows) - pages
    told = {"run": crawled, "_format": "html", "lang": "en"}
    shown = reader(served).get(f"{served.address.url}api/tables/pages", params=told, timeout=60).text
    assert (f"{len(rows)} fetches: {pages} pages, {failed} that failed" in shown) == (failed > 0)
    only = reader(served).get(f"{served.address.url}api/tables/pages?run={crawled}&_text=failure%21%3D", timeout=60)
    assert len(only.json()["rows"]) == failed


def test_a_crawl_alone_asks_for_a_second_one(served: Prepared, crawled: str) -> None:
    page = reader(served).get(f"{served.address.url}crawls/_compare?run={crawled}&lang=en", timeout=60).text
    assert "Choose a second one" in page or "the only crawl of the workspace" in page
