"""The language of a page: by its address, the cookie, or the browser's weights; and what is said in it."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests

from ontocrawl.explorer import rendering
from ontocrawl.explorer.app import Prepared
from ontology.errors import catalogue_groups, help_texts
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import opened
from tests.ontocrawl.explorer.conftest import reader

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        ("en;q=0.1, zh", "zh"),
        ("zh;q=0.5, en;q=0.9", "en"),
        ("en;q=0.5, zh;q=0.5", "en"),
        ("zh-Hant-TW;q=0.8,fr", "zh"),
        ("EN ; Q=0.1 , ZH ; q = 0.2", "zh"),
        ("*", "en"),
        ("*, zh;q=0.9", "en"),
        ("*;q=0.1, zh;q=0.9", "zh"),
        ("zh;q=0, *;q=0.5", "en"),
        ("zh;q=nan, en;q=0.1", "en"),
        ("zh;q=2, en;q=0.1", "en"),
        ("fr", "en"),
        ("", "en"),
        (",;;=, ;q=1", "en"),
    ],
)
def test_the_header_is_read_by_its_weights(accepted: str, chosen: str) -> None:
    assert rendering._wanted({}, {}, accepted) == chosen


def test_the_address_goes_before_the_cookie_and_the_cookie_before_the_header() -> None:
    assert rendering._wanted({"lang": "zh"}, {rendering._COOKIE: "en"}, "en") == "zh"
    assert rendering._wanted({}, {rendering._COOKIE: "zh"}, "en") == "zh"
    assert rendering._wanted({"lang": "fr"}, {rendering._COOKIE: "fr"}, "zh") == "zh"


# ---- one Chinese word for each thing (docs/glossary.md), and no English on Chinese pages

CHINESE = re.compile(r"[\u4e00-\u9fff]")
CHOSEN = re.compile(r"^\| ([\u4e00-\u9fff]+) \| ([\u4e00-\u9fff、]+) \| ", re.MULTILINE)
PUBLISHED = {"lab.as_printed", "lab.no_paper_papers", "lab.paper_does_not_compare", "lab.world_no_paper_prints"}
"""Sentences about the papers that published strategies; those of their parameters are known by their English."""
PROGRAMS = {
    "cli.engine_none",
    "lab.note_kept",
    "lab.note_left",
    "settling.note_open",
    "versions.unbuilt",
    "ask.ask_run",
    "ask.ask_runs",
    "ask.ask_opened",
    "exploration.settle_due",
    "archives.does_not_run",
    "archives.finished_parts_kept_give",
    "archives.process_read_ended_times",
    "backup.graph_made_engine_newer",
    "cli.stopped_after_many_network",
    "crawler.class_must_stand_top",
    "engine.embedded_graph_engine_did",
    "engine.embedded_graph_engine_does_not_answer",
    "engine.embedded_graph_engine_not",
    "engine.embedded_graph_engine_runs",
    "engine.embedded_graph_engine_started",
    "enrichment.reasoner_java",
    "enrichment.reasoner_package",
    "interchange.line_not_line_graph",
    "kg.advice_server",
    "kg.engine_ended",
    "kg.locked_another_process_run",
    "owl.hermit_needs_java_not",
    "reasons.computed_url",
    "reasons.empty_advice",
    "runs.run_used_neither_graph",
    "versions.files_unwritten",
    "versions.versions_locked",
}
"""Sentences in which a program, a command, a statement or a script is run."""


def _sentences() -> Iterator[tuple[str, str, str]]:
    """Yield key, English and Chinese of all texts, messages and titles of catalogues."""
    for folder in ("ontocrawl/explorer/texts", "ontology/data/messages"):
        for path in sorted((ROOT / folder).glob("*.toml")):
            for key, both in tomllib.loads(path.read_text("utf-8")).items():
                yield f"{path.stem}.{key}", both["en"], both["zh"]
    for name, group in {**catalogue_groups("zh"), "help": help_texts()}.items():
        yield from ((f"{name} {english}", english, text) for english, text in group.items())


def test_each_thing_has_one_chinese_word() -> None:
    chosen = CHOSEN.findall((ROOT / "docs/glossary.md").read_text("utf-8").partition("## Chinese words")[2])
    assert len(chosen) >= 10
    wrong = []
    for key, english, text in _sentences():
        of_strategy = key.startswith("strategy") and re.search(r"papers? \d|the paper", english)
        right = {"论文" if key in PUBLISHED or of_strategy else "", "运行" if key in PROGRAMS else ""}
        others = [(word, other) for word, rest in chosen for other in rest.split("、")]
        wrong += [f"{key}: {other}, not {word}" for word, other in others if other in text and other not in right]
    assert not wrong, "\n".join(wrong)


ENGLISH = re.compile(r"[A-Za-z][A-Za-z'’-]+(?:[ ,]+[A-Za-z][A-Za-z'’-]+){2,}")
NAMES = ("Web of Science",)
DATA = (
    ("pages", {"run": "sample"}, ("title", "url")),
    ("classes", {"topic": "rainstorm"}, ("zh", "en", "definition")),
    ("classes", {"topic": "rainstorm", "level": "1"}, ("zh", "en", "definition")),
    ("terms", {"topic": "rainstorm"}, ("zh", "en")),
    ("proposals", {}, ("term", "sentence")),
)
"""Tables with what pages and papers say, in the language that they have: name, parameters and columns."""
OTHERS = """script, style, code, pre, textarea, .url, #strategy-paper, blockquote,
    .names, .sentences, .definition, .record section > p"""
"""What has a language of its own: code, addresses, citations, names, texts and sentences of a class."""
SHOWN = """(others) => {
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) if (!walk.currentNode.parentElement.closest(others)) found.push(walk.currentNode.data);
    for (const name of ["title", "aria-label", "placeholder"])
        found.push(...[...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name)));
    return found;
}"""


@pytest.fixture(scope="module")
def chinese(served: Prepared, crawled: str) -> requests.Session:
    """A program that reads Chinese."""
    program = reader(served)
    program.headers["Accept-Language"] = "zh"
    return program


@pytest.mark.slow
def test_a_task_says_in_chinese_what_it_does(served: Prepared, chinese: requests.Session, crawled: str) -> None:
    task = chinese.post(f"{served.address.url}api/crawls/{crawled}/proposals", json={}, timeout=60).json()
    while not task["done"]:
        time.sleep(0.5)
        task = chinese.get(f"{served.address.url}api/tasks/{task['id']}", timeout=60).json()
    assert len(task["stages"]) == 3 and all(CHINESE.search(stage) for stage in task["stages"])


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_chinese_page_has_no_english_sentence(served: Prepared, chinese: requests.Session) -> None:
    tables = f"{served.address.url}api/tables"
    said = [
        chinese.get(f"{tables}/{name}", params={**given, "_column": of}, timeout=60).text for name, given, of in DATA
    ]
    data = "\n".join(said).casefold()
    wrong = []
    with opened(served.address, locale="zh-CN") as window:
        for view, path in views.found(window).items():
            runs = (run for text in window.go(path).evaluate(SHOWN, OTHERS) for run in ENGLISH.findall(text))
            wrong += [f"{view} {path}: {run}" for run in runs if run.casefold() not in data and run not in NAMES]
    assert not wrong, "\n".join(wrong)
