"""Text of others in the explorer is text: scripts, large titles, hidden characters, long addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
import requests

from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer.app import Prepared
from ontocrawl.explorer.rendering import LONGEST, _shown
from tests.ontocrawl.explorer import hostile, views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader, running
from tests.ontocrawl.explorer.hostile import BREAKOUT, HIDDEN, LARGE, LONG_URL, RUN, TITLES, TOPIC, UNSEEN, Hostile

PAGES = (
    "", f"topics/{TOPIC}", f"topics/{quote(hostile.TOPIC_BY_FILE)}",
    "ontologies", f"ontologies/{TOPIC}", f"ontologies/{quote(hostile.TOPIC_BY_FILE)}", "crawls", f"crawls/{RUN}",
    f"crawls/{RUN}/chart", f"crawls/{RUN}/diagnosis", f"crawls/{quote(hostile.RUN_BY_FOLDER)}",
    f"crawls/{quote(hostile.RUN_BY_FOLDER)}/diagnosis", "review", "ask", quote(BREAKOUT, safe=""),
    f"crawls/{quote(HIDDEN)}", f"ontologies/{quote(BREAKOUT, safe='')}", f"tables/pages?run={quote(BREAKOUT, safe='')}",
    *(
        f"api/tables/{source}&_format=html{more}"
        for source in (
            f"pages?run={RUN}", f"hosts?run={RUN}", f"reasons?run={RUN}", f"unfetched?run={RUN}",
            f"classes?topic={TOPIC}", f"terms?topic={TOPIC}", f"proposals?topic={TOPIC}",
            f"query?query=pages/most_relevant&crawl={RUN}", "runs?", "ontologies?",
        )
        for more in ("", f"&_text={quote(BREAKOUT, safe='')}")
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def attacked(space: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Hostile:
    return hostile.made(tmp_path_factory.mktemp("hostile"), space)


@pytest.fixture(scope="module")
def served(attacked: Hostile) -> Iterator[Prepared]:
    with running(attacked.space) as server:
        yield server


def read(served: Prepared, path: str, **parameters: object) -> requests.Response:
    return reader(served).get(served.address.url + path, params=parameters, timeout=120)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_page_has_no_markup_of_others(served: Prepared, path: str, lang: str) -> None:
    answer = read(served, path, lang=lang)
    assert "<img" not in answer.text and "<svg onload" not in answer.text and "49$" not in answer.text
    run = f'<script type="module" src="{served.address.access.root}/static/app.js">'
    assert {one for one in re.findall(r"<script[^>]*>", answer.text) if 'type="application/json"' not in one} <= {run}
    visible = re.sub(r'<[^>]*"[^>]*>', "", answer.text)  # values that scripts send back are exact
    assert not set(visible) & set(UNSEEN)
    assert len(answer.content) < 100_000


def test_the_interface_has_all_of_a_text(served: Prepared) -> None:
    answer = read(served, f"api/crawls/{RUN}/pages")
    found = {page["url"]: page["title"] for page in answer.json()["pages"]}
    assert found["http://hostile.example/large"] == LARGE
    assert LONG_URL in found
    assert {found[url] for url in TITLES if "script" in url or "entities" in url} == {
        TITLES["http://hostile.example/script"],
        TITLES["http://hostile.example/entities"],
    }
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_proposals_and_classes_have_all_of_a_text(served: Prepared) -> None:
    proposals = read(served, "api/proposals", topic=TOPIC).json()["proposals"]
    assert len(proposals) == len(TITLES)
    assert any(hostile.SCRIPT in one["sentence"] for one in proposals)
    iri = f"{hostile.BASE}#large"
    entry = read(served, f"api/ontologies/{TOPIC}/class", **{"class": iri}).json()
    assert len(entry["definition"]) == 50_000


def test_a_run_with_a_name_that_is_none_does_not_hide_the_others(served: Prepared) -> None:
    found = {run["run"]: run for run in read(served, "api/crawls").json()["crawls"]}
    assert "is not a run's name" in found[hostile.RUN_BY_FOLDER]["error"]
    assert found[RUN]["fetched"] == len(TITLES)


def test_a_page_shows_text_as_a_terminal_does() -> None:
    assert _shown(HIDDEN).startswith("暴雨gnp.exe  ")
    assert not set(_shown(HIDDEN)) & set(UNSEEN)
    assert len(_shown(LARGE)) == LONGEST
    assert _shown(3) == 3


@pytest.mark.parametrize("path", ["/etc/hosts.toml", "../pyproject.toml", "pyproject.toml", "\\\\evil.example\\x.toml"])
def test_a_topic_is_a_name_and_no_file(served: Prepared, path: str) -> None:
    for answer in (
        read(served, "api/proposals", topic=path),
        read(served, f"api/ontologies/{quote(path, safe='')}/tree"),
    ):
        assert answer.status_code in (400, 404)
        assert "there is no topic" in answer.text or "Not Found" in answer.text


@pytest.fixture(scope="module")
def window(served: Prepared) -> Iterator[Opened]:
    with opened(served.address) as browser:
        yield browser


@pytest.mark.slow
@pytest.mark.parametrize("width", [1200, 360])
def test_no_script_runs_and_nothing_breaks_the_page(window: Opened, width: int) -> None:
    window.page.set_viewport_size({"width": width, "height": 800})
    classes = [
        f"/ontologies/{TOPIC}#{quote(f'{hostile.BASE}#{name}', safe='')}" for name in ("script", "large", "hidden")
    ]
    topic_by_file = f"/ontologies/{quote(hostile.TOPIC_BY_FILE)}"
    paths = [*views.found(window).values(), f"/crawls/{RUN}", f"/review?topic={TOPIC}", topic_by_file, *classes]
    for path in paths:
        check(window, path)
    page = window.go(f"/ask?query=pages/most_relevant&crawl={RUN}")
    page.click("#named button")
    page.wait_for_selector("#result table")
    check(window)
    assert not window.complaints


def check(window: Opened, path: str = "") -> None:
    page = window.go(path) if path else window.page
    text = page.inner_text("body")
    assert page.evaluate("window.attacked") is None, path
    assert views.measured(page, "wider") == [], path
    assert not set(text) & set(UNSEEN), path
    assert len(text) < 100_000, path


@pytest.mark.slow
def test_titles_are_text_in_the_list_of_pages(window: Opened) -> None:
    page = window.go(f"/crawls/{RUN}")
    titles = page.locator("#pages tbody td:nth-child(2) span:first-child").all_inner_texts()
    assert hostile.SCRIPT in titles and TITLES["http://hostile.example/entities"] in titles
    assert max(map(len, titles)) <= 160
    assert any(title.startswith("暴" * 150) and title.endswith("…") for title in titles)
    assert not page.locator("#pages img, #pages script, #pages svg").count()


@pytest.mark.slow
def test_each_hostile_proposal_can_be_read(window: Opened) -> None:
    page = window.go(f"/review?topic={TOPIC}")
    for _ in TITLES:
        assert page.inner_text("#proposal h2")
        check(window)
        page.keyboard.press("j")
    assert not page.locator("#proposal img, #queue img").count()
    assert not window.complaints
