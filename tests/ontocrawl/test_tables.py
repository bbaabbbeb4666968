"""Tables of all list commands on a terminal of 80 columns: nothing is wider, names and numbers are whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

import queries
from crawler import strategies
from crawler.journal import graph_rows
from kg import sparql
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.cli import answer_table, measures, output
from ontocrawl.cli.answer_table import LEAST_URL
from ontocrawl.runs import runs
from ontocrawl.terminal.cell_width import cut_in_the_middle
from ontocrawl.topics import topics
from ontology.errors import Message
from tests.ontocrawl.conftest import Command

SAMPLE = "ontocrawl/sample/abstracts.txt"
LISTS = (
    ("topic", "list"), ("topic", "show", "rainstorm"), ("topic", "show", "sports"), ("weights", "rainstorm"),
    ("weights", "typhoon"), ("crawl", "status"), ("crawl", "status", "sample"), ("crawl", "pages", "sample"),
    ("crawl", "strategies"), ("crawl", "strategies", "fcosa_lg"), ("crawl", "strategies", "fcbcw"),
    ("ontology", "terms", "--corpus", SAMPLE), ("ontology", "show", "rainstorm"), ("ontology", "stats", "rainstorm"),
    ("ontology", "diff", "rainstorm", "typhoon"), ("ontology", "similarity", "rainstorm", "洪水", "泥石流"),
    ("ontology", "similarity", "rainstorm", "--to-root"), ("ontology", "similarity", "--measures"),
    ("ontology", "check", "rainstorm"), ("corpus", "import", SAMPLE), ("corpus", "stats", SAMPLE), ("query", "list"),
    ("query", "sparql"), ("graph", "status"),
    ("graph", "rank", "sample"), ("doctor",), ("enrich", "propose", "sample"),
    ("enrich", "gaps", "rainstorm"),
)  # fmt: skip


TO_COPY = "  ontocrawl "
"""A command that is offered stays on one line, so that it can be copied."""


@pytest.fixture(autouse=True)
def _terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output.stdout.console, "width", 80)


def shown(command: Command, space: Workspace, *arguments: str) -> str:
    takes_none = (
        arguments[0] == "corpus" or arguments[1:2] in {("terms",), ("strategies",)} or "--measures" in arguments
    )
    alone = takes_none or arguments[:2] in {("query", "list"), ("query", "sparql")}
    answer = command(*arguments, *(() if alone else ("--workspace", str(space.root))))
    assert answer.code == 0, answer.err
    assert answer.out.strip()
    wide = [line for line in answer.out.splitlines() if cell_len(line) > 80 and not line.startswith(TO_COPY)]
    assert wide == []
    return answer.out


def words(text: str) -> set[str]:
    return set(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("arguments", LISTS, ids=" ".join)
def test_no_table_is_wider_than_the_terminal(
    command: Command, space: Workspace, crawled: str, arguments: tuple[str, ...]
) -> None:
    text = shown(command, space, *arguments)
    # a column of one or two characters beside a long text is what squeezing looks like
    assert not re.search(r"(?:^\s*\S{1,2}$\n){4}", text, re.MULTILINE)


@pytest.mark.slow
def test_a_check_of_a_graph_is_no_wider(command: Command, tmp_path: Path) -> None:
    space = workspace.init(tmp_path / "ws")
    try:
        crawl = ("crawl", "run", "--world", "synthetic:planted?pages=600", "--limit-pages", "10")
        assert command(*crawl, "--workspace", str(space.root)).code == 0
        shown(command, space, "graph", "check")
    finally:
        embedded.stop(space.graph)


@pytest.mark.slow
def test_names_are_whole(command: Command, space: Workspace, crawled: str) -> None:
    assert set(topics.available(space)) <= words(shown(command, space, "topic", "list"))
    listed = words(shown(command, space, "query", "list"))
    assert {query.name for query in queries.all_queries()} <= listed
    assert set(sparql.library()) <= words(shown(command, space, "query", "sparql"))
    described = strategies.describe()
    assert {f"{entry['name']}:" for entry in described} <= words(shown(command, space, "crawl", "strategies"))
    for entry in described:
        if entry["about"]:
            text = shown(command, space, "crawl", "strategies", entry["name"])
            assert set(entry["about"]) <= words(text[text.index("Parameters of") :]), entry["name"]


def test_runs_pages_and_figures_are_whole(command: Command, space: Workspace, crawled: str) -> None:
    result = runs.result_of(space, crawled)
    assert {crawled, str(result.end.fetched), f"{result.end.accuracy:.4f}"} <= words(
        shown(command, space, "crawl", "status")
    )
    text = shown(command, space, "crawl", "pages", crawled)
    with runs.open_journal(space, crawled) as journal:
        rows = [row for row in graph_rows.outcomes(journal) if row.failure is None]
    lines = [line.split() for line in text.splitlines()]
    figures = {tuple(line[:2]) for line in lines if line and line[0].isdigit()}
    assert figures >= {(str(row.step), f"{row.relevance:.4f}") for row in rows}
    width = max(len(word) for word in words(text) if word.startswith("http"))
    assert width >= LEAST_URL
    assert {cut_in_the_middle(row.url, width) for row in rows} <= words(text)


def test_labels_of_runs_stay_where_the_width_is_short(capsys: pytest.CaptureFixture[str]) -> None:
    run = {
        "run": "first", "strategy": "breadth_first", "fetched": 400, "relevant": 61, "relevant_by_label": 45,
        "accuracy": 0.1525, "ar": 0.1733, "sd": 0.081, "rc": 0.68, "stop_reason": "limit_pages",
    }  # fmt: skip
    made = measures.of_runs([run])
    answer_table.show(Console(width=80), made.columns, made.rows, "", "", made.optional)
    shown = capsys.readouterr().out
    assert "relevant  by_label" in shown and "left out for want of width: AR, SD (--json has it)" in shown


def test_a_text_that_may_be_left_out_is_rather_cut(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [(f"内涝点{n}", 11, "由于列车效应，沙洲市三小时雨量超过一百毫米。" * 20) for n in range(3)]
    answer_table.show(Console(width=80), ("id", "pages", "sentence"), rows, "", "", ("pages", "sentence"))
    shown = capsys.readouterr().out
    assert "left out" not in shown and shown.count("由于列车效应") >= 3 and ".." in shown


def test_titles_count_one_as_one() -> None:
    assert [Message("cli.of_decisions", n=n) for n in (0, 1, 2)] == ["0 decisions", "1 decision", "2 decisions"]
    assert Message("versions.of_proposals", n=1) == "1 proposal that was decided"
    assert Message("versions.of_proposals", n=5) == "5 proposals that were decided"


@pytest.mark.slow
def test_weights_have_every_word_and_figure(command: Command, space: Workspace) -> None:
    text = shown(command, space, "weights", "rainstorm")
    rows = command("weights", "rainstorm", "--workspace", space.root, "--json").json["weights"]
    lines = {tuple(line.split()[:2]) for line in text.splitlines()}
    assert {(row["word"], f"{row['weight']:.4f}") for row in rows if " " not in row["word"]} <= lines


@pytest.mark.slow
def test_every_query_of_the_library_fits(command: Command, space: Workspace, crawled: str) -> None:
    fitting: list[str] = []
    for query in queries.all_queries():
        given = [f"{name}={value}" for name, value in query.example_values().items()]
        answer = command("query", "run", query.name, *given, "--workspace", space.root)
        wide = [line for line in answer.out.splitlines() if cell_len(line) > 80 and not line.startswith(TO_COPY)]
        assert wide == [], query.name
        fitting += [query.name] if answer.out else []
    assert len(fitting) > 20


@pytest.mark.slow
def test_columns_that_are_left_out_are_named(
    command: Command, space: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "left out for want of width: path (--json has it)" in shown(command, space, "weights", "rainstorm")
    monkeypatch.setattr(output.stdout.console, "width", 140)
    answer = command("weights", "rainstorm", "--workspace", space.root)
    assert "left out" not in answer.out and "暴雨灾害 › " in answer.out


@pytest.mark.parametrize("width", [1, 2, 5, 31, 32])
def test_texts_cut_in_the_middle_have_their_width(width: int) -> None:
    samples: Any = ("https://news.example/2013/11/08/c_118064.html", "暴雨红色预警" * 9, "暴a雨b" * 12, "x" * 40)
    for text in samples:
        cut = cut_in_the_middle(text, width)
        assert width - 2 <= cell_len(cut) <= width and "…" in cut
    assert cut_in_the_middle("短", 2) == "短"
