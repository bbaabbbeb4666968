"""Answers as JSON, CSV, DataFrames and tables for the terminal."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
import typer
from rich.cells import cell_len
from rich.console import Console

from ontocrawl.cli import answer_table, enrich_review, output
from ontocrawl.cli.commands import COMMANDS, Deferred
from ontocrawl.cli.output import Answer, Form
from ontocrawl.errors import CommandError, UsageError
from ontocrawl.graph import graph_store
from ontocrawl.graph.tables import Cut, Table, within
from ontology.errors import recognised, said
from ontology.evidence.claims import RULES
from ontology.extras import MissingExtra
from ontology.printable import json_text
from tests.kg.recording_store import RecordingStore

MIXED = Table(
    ("name", "n", "x", "ok", "list"), (('暴雨, "强"', 1, 0.5, True, ["a", 1]), (None, None, None, None, None))
)


def test_json_has_nothing_that_json_lacks() -> None:
    odd = Table(("a", "b", "c"), ((float("nan"), [float("inf"), {"k": float("-inf")}], b"\x00\xff"),))
    assert odd.as_json() == {
        "columns": ["a", "b", "c"],
        "rows": [[None, [None, {"k": None}], "00ff"]],
        "complete": True,
    }
    json.dumps(odd.as_json(), allow_nan=False)


def test_csv_reads_back() -> None:
    rows = list(csv.reader(io.StringIO(MIXED.as_csv())))
    assert rows == [["name", "n", "x", "ok", "list"], ['暴雨, "强"', "1", "0.5", "true", '["a", 1]'], [""] * 5]


def test_ask_binds_and_orders_columns() -> None:
    reply = {"host": "a", "fetched": 2, "relevant": 1, "share": 0.5, "mean_relevance": 0.25}
    store = RecordingStore({"ON_HOST": [dict(reversed(reply.items()))]})
    answer = graph_store.ask(store, "hosts/that_pay", least="2")
    assert answer.columns == tuple(reply)
    assert answer.rows == (tuple(reply.values()),)
    assert store.calls[0].params == {"crawl": "", "least": 2, "limit": graph_store.COUNTED + 1}


def test_an_answer_says_what_its_parameters_left_out() -> None:
    row = {"host": "a", "fetched": 2, "relevant": 1, "share": 0.5, "mean_relevance": 0.25}
    store = RecordingStore({"ON_HOST": [row] * 3})
    assert graph_store.ask(store, "hosts/that_pay", limit=3).complete
    answer = graph_store.ask(store, "hosts/that_pay", limit=2)
    assert (len(answer), answer.cuts) == (2, (Cut("rows", 2, 3),))
    assert answer.cuts[0].message.said("zh") == "行：取前 2 / 3"
    assert Cut("steps", 6, 7, "gte").message.said("zh") == "steps：取前 6 / 多于 6"
    assert answer.as_json()["cut"] == [{"part": "rows", "at": 2, "total": 3, "relation": "eq"}]
    chains = RecordingStore({"CAUSES": [{"cause": "a", "steps": n, "chain": []} for n in (6, 7)]})
    answer = graph_store.ask(chains, "ontology/causes", concept="x")
    assert (len(answer), answer.cuts) == (1, (Cut("steps", 6, 7, "gte"),))


def test_a_large_document_is_cut_where_it_is_long() -> None:
    names = [f"name {i}" for i in range(3_000)]
    found = within(Table(("iri", "names"), (("x", names), ("y", ["a"] * 9))).as_json(), 20_000)
    assert len(json_text(found)) <= 20_000
    assert [row[0] for row in found["rows"]] == ["x", "y"]
    [cut] = found["cut"]
    assert (cut["part"], cut["at"], cut["total"]) == ("names", len(found["rows"][0][1]), 3_000)
    many = Table(("n",), tuple((i,) for i in range(9_000)), cuts=(Cut("rows", 9_000, 12_000),))
    found = within(many.as_json(), 20_000)
    assert found["rows"] == [[i] for i in range(len(found["rows"]))]
    assert found["cut"] == [{"part": "rows", "at": len(found["rows"]), "total": 12_000, "relation": "eq"}]
    long = within({"text": "\u202e" * 50_000, "kept": 1}, 20_000)
    assert len(json_text(long)) <= 20_000 and long["kept"] == 1 and not long["complete"]


def test_cypher_reads_by_default_and_writes_with_leave() -> None:
    store = RecordingStore({"RETURN": [{"x": 1}]})
    assert graph_store.cypher(store, "RETURN $x AS x;", {"x": 1}).rows == ((1,),)
    with pytest.raises(UsageError, match="write=True"):
        graph_store.cypher(store, "CREATE (n) RETURN 1 AS x")
    assert graph_store.cypher(store, "CREATE (n) RETURN 1 AS x", write=True).columns == ("x",)
    assert [call.kind for call in store.calls] == ["read", "write"]
    assert graph_store.cypher(store, "MATCH (n) WHERE false").columns == ()


# ---- DataFrames -------------------------------------------------------------------------------------------------


def without(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """Make some modules look as if they were not installed."""
    found = importlib.util.find_spec

    def find(name: str, package: str | None = None) -> Any:
        return None if name in modules else found(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", find)
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def test_a_frame_without_a_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch, "pandas", "polars")
    for make in (MIXED.to_frame, MIXED.to_pandas):
        with pytest.raises(MissingExtra, match=r"DataFrame needs pandas.*ontocrawl\[frames\]"):
            make()
    with pytest.raises(MissingExtra, match="polars"):
        MIXED.to_polars()


def test_a_frame_is_of_pandas_where_it_is_there_else_of_polars(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    assert isinstance(MIXED.to_frame(), pandas.DataFrame)
    without(monkeypatch, "pandas")
    assert isinstance(MIXED.to_frame(), polars.DataFrame)


# ---- tables -----------------------------------------------------------------------------------------------------


def printed(columns: tuple[str, ...], rows: list[tuple[Any, ...]], width: int = 80) -> list[str]:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    answer_table.show(console, columns, rows, "Title", "2 rows")
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(cell_len(line) <= width for line in text.splitlines())
    return [line.rstrip() for line in text.splitlines()]


def test_headers_break_after_underscores_and_nowhere_else() -> None:
    lines = printed(("strategy", "relevant_by_label", "fetched_by_both"), [("x", 1, 2)], width=40)
    assert [line.split() for line in lines[1:3]] == [["relevant_by_", "fetched_by_"], ["strategy", "label", "both"]]
    assert printed(("strategy", "relevant_by_label"), [("x", 1)])[1].split() == ["strategy", "relevant_by_label"]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_word_of_a_header_is_ever_cut(width: int) -> None:
    columns = ("url", "anchor_relevance", "links_to_fetched", "share", "relevant_by_label", "title")
    lines = printed(columns, [("http://x.example/" + "a" * 30, 0.5, 3, 0.25, 7, "暴雨" * 20)], width)
    text = "\n".join(lines)
    for name in columns:
        for piece in name.split("_"):
            assert piece in text


def test_a_table_has_no_lines_between_columns_and_keeps_numbers_whole() -> None:
    lines = printed(("城市", "population", "share"), [("临澄市", 1234567, 0.5), ("北屏", 89, 1.0)])
    assert lines[3:5] == ["临澄市     1234567  0.5000", "北屏            89  1.0000"]
    assert not any(sign in "\n".join(lines) for sign in "│┃|")


def test_long_text_wraps_in_its_column() -> None:
    title = "Typhoon brings torrential rainstorm to Longmeadow, and the river bursts its banks"
    lines = printed(("url", "title", "n"), [("http://a.example/" + "p" * 30, title, 5)], width=70)
    assert "torrential rainstorm to" in "\n".join(lines)
    assert len(lines) <= 3 + answer_table.MOST_LINES + 2


def test_wide_answers_become_blocks() -> None:
    columns = tuple(f"column_{number}" for number in range(12))
    lines = printed(columns, [tuple(f"value {n} " * 5 for n in range(12)), tuple("暴雨" for _ in range(12))])
    assert lines[1] == "[1]" and "[2]" in lines
    assert "column_11  暴雨" in lines
    one = printed(("sentence",), [("很长的句子" * 200,)])
    assert one[1] == "[1]"


def test_what_the_web_wrote_cannot_move_the_cursor() -> None:
    lines = printed(("title",), [("a\x1b[2Jb\r\nc\u202ed\x9b5m",)])
    assert lines[3] == "ab cd"


def test_cells() -> None:
    given = (None, True, False, 3, 0.12345, ["a", None, 0.5], {"k": 1}, " x\n y ")
    assert [answer_table.cell(value) for value in given] == [
        "-", "yes", "no", "3", "0.1235", "a, -, 0.5000", '{"k": 1}', "x y",
    ]  # fmt: skip


def test_an_answer_without_columns_is_no_error() -> None:
    assert printed((), []) == ["Title", "2 rows"]


# ---- what a command returns, printed


@pytest.fixture
def shown_as(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[str, str]]:
    def show(answer: Answer, form: Form = Form.TABLE) -> tuple[str, str]:
        output.show(answer, form)
        return tuple(capsys.readouterr())

    return show


HOSTS = output.tabled("Hosts", ("host", "pages"), [("a.example", 2), ("b.cn", None)])
WORDS = output.tabled("Words", ("word",), [("暴雨",)])


def test_an_answer_is_printed_in_the_form_that_is_asked_for(shown_as: Callable[..., tuple[str, str]]) -> None:
    answer = Answer({"hosts": 2, "words": ["暴雨"]}, [HOSTS, WORDS], ["one host was left out"], "ontocrawl query list")
    shown, notes = shown_as(answer)
    assert shown.index("Hosts") < shown.index("a.example") < shown.index("Words") < shown.index("暴雨")
    assert notes == "one host was left out\nNext: ontocrawl query list\n"
    assert shown_as(answer, Form.JSON) == (json_text(answer.document, indent=2) + "\n", "one host was left out\n")
    as_csv, notes = shown_as(answer, Form.CSV)
    assert as_csv == "host,pages\na.example,2\nb.cn,\n"
    assert notes.splitlines() == ["left out of the CSV: Words (--json has all)", "one host was left out"]


def test_an_answer_without_tables_has_its_first_list_as_csv_or_its_figures(
    shown_as: Callable[..., tuple[str, str]],
) -> None:
    rows = [{"name": "a", "ok": True}, {"name": "b", "advice": "install it"}]
    assert shown_as(Answer({"count": 2, "checks": rows}), Form.CSV)[0] == "name,ok,advice\na,true,\nb,,install it\n"
    assert shown_as(Answer({"pages": 3, "skipped": [], "out": "x"}), Form.CSV)[0] == "name,value\npages,3\nout,x\n"


def test_an_answer_can_end_a_command_with_a_code_or_an_error(
    shown_as: Callable[..., tuple[str, str]], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(typer.Exit) as ended:
        shown_as(Answer({}, [HOSTS], code=3), Form.JSON)
    assert ended.value.exit_code == 3
    with pytest.raises(CommandError, match="a check failed"):
        shown_as(Answer({}, [HOSTS], failure="a check failed"))
    assert "a.example" in capsys.readouterr().out


def test_an_empty_table_says_why(shown_as: Callable[..., tuple[str, str]]) -> None:
    empty = Table(("url",), (), reasons=("there is no crawl x",))
    assert shown_as(Answer({}, [empty]))[1] == "no rows: there is no crawl x\n"
    assert shown_as(Answer({}, [empty]), Form.CSV) == ("url\n", "no rows: there is no crawl x\n")


def test_names_of_figures_and_flags_are_said_in_the_language_of_the_reader(
    shown_as: Callable[..., tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = Answer({}, [output.tabled("", ("figure", "value"), [("documents", 3), ("hidden", True), ("x", False)])])
    in_english = shown_as(answer)[0].split()
    assert in_english[:2] == ["figure", "value"] and in_english[3:] == ["documents", "3", "hidden", "yes", "x", "no"]
    monkeypatch.setattr(output, "language", "zh")
    in_chinese = shown_as(answer)[0].split()
    assert in_chinese[:2] == ["指标", "值"] and in_chinese[3:] == ["文献", "3", "隐藏", "是", "x", "否"]
    assert shown_as(answer, Form.CSV)[0] == "figure,value\ndocuments,3\nhidden,true\nx,false\n"


def test_the_title_of_a_query_is_said_in_the_language_of_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(("url",), (("http://a.example/",),), title="The most relevant pages of a crawl")
    assert output.of_result(table).shown[0].title == "The most relevant pages of a crawl"
    monkeypatch.setattr(output, "language", "zh")
    assert output.of_result(table).shown[0].title == "爬取中最相关的网页"


def test_rules_checks_kinds_and_states_are_said_in_chinese() -> None:
    rules = [output.named("rule", recognised(rule, "evidence.kind_")) for rule in RULES]
    words = [*(output.named("proposal", word) for word in (*enrich_review.KINDS, *enrich_review.STATUSES)), *rules]
    words += [output.named("check", one) for one in ("cycle", "lint", "question", "question in Cypher", "reasoner")]
    assert [word for word in words if said(word, "zh") == word] == []
    assert said(output.named("rule", "suffix"), "en") == "suffix"


@pytest.mark.parametrize("typed", COMMANDS)
def test_every_command_that_returns_an_answer_has_the_options_of_its_form(typed: str) -> None:
    module, _, name = COMMANDS[typed][0].partition(":")
    function = getattr(import_module(f"ontocrawl.cli.{module}"), name)
    options = {one.name for one in Deferred(typed, COMMANDS[typed][0], "").command().params}
    if function.__annotations__["return"] == "Answer":
        assert {"form", "as_json"} <= options
        assert "as_json" not in function.__annotations__
