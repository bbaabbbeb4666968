"""Tables: what an address asks for is what is seen, as a page, JSON and CSV, by keyboard and in a narrow window."""

from __future__ import annotations

import csv
import io
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from starlette.datastructures import QueryParams

from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.app import Prepared
from ontocrawl.explorer.routes.tables import SOURCES
from ontocrawl.explorer.tables import Source, View
from ontocrawl.graph.tables import Table
from ontocrawl.topics import topics, word_lists
from ontology.topic_words import LABEL, TopicWord, weight_of
from tests.ontocrawl.conftest import Command
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader, running

RUNS = Table(
    ("run", "state", "pages", "harvest"),
    (("alpha", "finished", 120, 0.5), ("beta", "running", 9, float("nan")), ("Gamma", "finished", None, 0.75),
     ("delta", "finished", 1200, 0.25)),
)  # fmt: skip
GIVEN = {
    "runs": {}, "bin": {}, "ontologies": {}, "pages": {"run": "sample"}, "hosts": {"run": "sample"},
    "reasons": {"run": "sample"}, "unfetched": {"run": "sample"},
    "classes": {"topic": "rainstorm"}, "terms": {"topic": "rainstorm"}, "proposals": {"topic": "rainstorm"},
    "query": {"query": "crawl/by_depth", "crawl": "sample"}, "cypher": {"statement": "UNWIND [2, 1] AS n RETURN n"},
}  # fmt: skip
"""Source -> what its address needs."""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ["alpha", "beta", "Gamma", "delta"]),
        ("GAMMA", ["Gamma"]),
        ("finished a", ["alpha", "Gamma", "delta"]),
        ("pages>9", ["alpha", "delta"]),
        ("pages>=9 pages<1000", ["alpha", "beta"]),
        ("pages=", ["Gamma"]),
        ("state!=finished", ["beta"]),
        ("run=gamma", ["Gamma"]),
        ("pages=many", []),
        ("size>3", []),
    ],
)
def test_words_and_comparisons_choose_rows(text: str, names: list[str]) -> None:
    assert [row[0] for row in tables.with_text(RUNS, text)] == names


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("run", ["alpha", "beta", "delta", "Gamma"]),
        ("-pages", ["delta", "alpha", "beta", "Gamma"]),
        ("harvest", ["delta", "alpha", "Gamma", "beta"]),
        ("-harvest", ["Gamma", "alpha", "delta", "beta"]),
        ("state", ["alpha", "Gamma", "delta", "beta"]),
    ],
)
def test_rows_without_a_value_are_last_in_either_order(sort: str, names: list[str]) -> None:
    assert [row[0] for row in tables.ordered(RUNS.rows, RUNS.columns, sort)] == names


def test_a_choice_is_counted_among_the_rows_that_the_others_leave() -> None:
    rows = tuple((kind, state) for kind in "aabb" for state in ("open", "done", "done"))
    table = Table(("kind", "state"), rows)
    chosen = View(chosen={"state": "open"})
    assert tables.counted(table, chosen, rows) == {"kind": {"a": 2, "b": 2}, "state": {"open": 4, "done": 8}}
    assert tables.counted(table, View(chosen={"state": "gone"}), rows)["state"] == {"open": 4, "done": 8, "gone": 0}


@pytest.mark.parametrize("asked", ["_sort=size", "_is.size=3", "_column=size", "_skip=-1", "_size=x", "_skip=1e9"])
def test_what_a_table_lacks_is_refused(asked: str) -> None:
    with pytest.raises(UsageError, match=r"size|expected a number"):
        tables.view_of(QueryParams(asked), RUNS, Source(lambda request: RUNS))


@pytest.mark.slow
def test_a_hundred_thousand_rows_are_seen_within_two_seconds() -> None:
    rows = tuple((n, f"title {n} 暴雨", f"http://h{n % 500}.example/{n}", n % 3 == 0) for n in range(100_001))
    table = tables.bounded(Table(("step", "title", "url", "relevant"), rows))
    assert len(table) == tables.MOST and table.cuts[0].total == 100_001
    began = time.process_time()
    fitting = tables.with_text(table, "title h1")
    tables.ordered(fitting, table.columns, "-title")
    assert tables.counted(table, View("title h1"), fitting).keys() == {"relevant"}
    assert time.process_time() - began < 2


@pytest.mark.slow
def test_each_column_of_a_fixed_source_has_a_title(served: Prepared, crawled: str) -> None:
    texts = rendering.texts_in("zh")
    assert all(f"tables_{source}" in texts for source in SOURCES)
    for source in SOURCES.keys() - {"query", "cypher"}:
        columns = asked(served, source, _size=1)["columns"] + list(SOURCES[source].hidden)
        assert columns and not [name for name in columns if f"column_{name}" not in texts]


def get(served: Prepared, source: str, **more: Any) -> requests.Response:
    address = f"{served.address.url}api/tables/{source}"
    return reader(served).get(address, params=GIVEN.get(source, {}) | more, timeout=120)


def asked(served: Prepared, source: str, **more: Any) -> dict[str, Any]:
    answer = get(served, source, **more)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_a_table_is_the_same_as_json_csv_and_part_of_a_page(served: Prepared, crawled: str, source: str) -> None:
    whole = asked(served, source)
    sort = whole["columns"][0]
    found = asked(served, source, _sort=f"-{sort}", _size=3)
    assert found["columns"] == whole["columns"] and len(found["rows"]) == min(3, len(whole["rows"]))
    text = get(served, source, _sort=f"-{sort}", _size=3, _format="csv")
    assert text.headers["Content-Type"].startswith("text/csv") and "attachment" in text.headers["Content-Disposition"]
    lines = list(csv.reader(io.StringIO(text.text)))
    assert lines[0] == found["columns"] and len(lines) == len(found["rows"]) + 1
    part = get(served, source, _sort=f"-{sort}", _size=25, _format="html").text
    assert "<html" not in part and part.count("<tr>") == (1 + min(25, len(whole["rows"])) if whole["rows"] else 0)


def test_pages_and_runs_are_those_of_the_commands(
    served: Prepared, crawled: str, space: Workspace, command: Command
) -> None:
    told = command("crawl", "pages", crawled, "--workspace", space.root, "--json").json["pages"]
    found = asked(served, "pages", _sort="step", _text="failure=")
    at = {name: found["columns"].index(name) for name in ("step", "url", "relevance", "relevant", "title")}
    assert [{name: row[place] for name, place in at.items()} for row in found["rows"]] == [
        {name: page[name] for name in at} for page in told
    ]
    relevant = asked(served, "pages", **{"_is.relevant": "true"})["rows"]
    assert len(relevant) == sum(bool(page["relevant"]) for page in told)
    hosts = asked(served, "hosts", _column=["host", "fetched", "relevant"])
    assert hosts["columns"] == ["host", "fetched", "relevant"]
    assert sum(row[1] for row in hosts["rows"]) == len(told) and sum(row[2] for row in hosts["rows"]) == len(relevant)


def test_what_was_not_fetched_has_reasons_in_the_language_of_the_reader(
    served: Prepared, crawled: str, space: Workspace, command: Command
) -> None:
    told = command("crawl", "status", crawled, "--workspace", space.root, "--json").json
    found = asked(served, "reasons", lang="zh")
    rows = [dict(zip(found["columns"], row, strict=True)) for row in found["rows"]]
    fates = {"queued": told["queued"], "in_flight": told["in_flight"], **told["ledger"]}
    assert {row["reason"]: row["links"] for row in rows} == {code: n for code, n in fates.items() if n}
    assert (
        sum(row["part"] for row in rows) == pytest.approx(1) and sum(fates.values()) == told["known"] - told["fetched"]
    )
    assert all(re.search("[\u4e00-\u9fff]", row["happened"]) for row in rows)
    links = asked(served, "unfetched", **{"_is.reason": "queued"})["rows"]
    assert len(links) == told["queued"] and {row[3] for row in links} == {"queued"}
    hosts = asked(served, "hosts", _column=["state", "queued"])["rows"]
    assert sum(queued for _, queued in hosts) == told["queued"] and {"queued"} <= {state for state, _ in hosts}
    part = get(served, "reasons", _format="html").text
    assert "/tables/unfetched?run=sample&amp;_is.reason=queued" in part and "/crawls/sample/page?url=" in part


def test_the_pages_of_a_table_follow_each_other(served: Prepared, crawled: str) -> None:
    pages = [asked(served, "pages", _sort="url", _size=50, _skip=skip)["rows"] for skip in (0, 50, 100, 150)]
    assert [len(page) for page in pages] == [50, 50, len(pages[2]), 0]
    whole = asked(served, "pages", _sort="url")["rows"]
    assert [row for page in pages for row in page] == whole
    part = get(served, "pages", _sort="url", _size=25, _skip=10_000, _format="html").text
    assert re.search(rf">\d+–{len(whole)} / {len(whole)}<", part)  # past the end: the last page


@pytest.mark.parametrize(
    ("source", "more", "status", "says"),
    [
        ("nothing", {}, 404, "Not Found"),
        ("pages", {"run": "nothing"}, 400, "there is no run"),
        ("classes", {"topic": "nothing"}, 400, "there is no topic"),
        ("classes", {"level": "99"}, 400, "level"),
        ("query", {"query": "nothing"}, 400, "nothing"),
        ("query", {"query": "load/papers_digest"}, 400, "load/papers_digest"),
        ("cypher", {"statement": "CREATE (n) RETURN n"}, 400, "only reading is allowed"),
        ("cypher", {"statement": "RETURN nope"}, 400, "the graph server refused"),
        ("runs", {"_sort": "size"}, 400, "the table has no column size; it has run"),
        ("runs", {"_format": "xml"}, 400, "_format"),
    ],
)
def test_errors_say_what_is_wrong(
    served: Prepared, crawled: str, source: str, more: dict[str, str], status: int, says: str
) -> None:
    answer = get(served, source, **more)
    assert answer.status_code == status and says in answer.json()["error"], answer.text


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address, locale="en-GB", permissions=["clipboard-read", "clipboard-write"]) as found:
        yield found


def cells(page: Any, column: int) -> list[str]:
    return [str(text) for text in page.locator(f".table tbody td:nth-child({column})").all_inner_texts()]


@pytest.mark.slow
def test_a_table_is_used_by_keyboard_and_its_link_opens_the_same_rows(window: Opened) -> None:
    page = window.go("/tables/pages?run=sample")
    sort = page.locator('.table thead a[data-key="sort url"]')
    sort.focus()
    page.keyboard.press("Enter")
    page.locator("th[aria-sort=ascending]", has_text="URL").wait_for()
    assert page.evaluate("document.activeElement.dataset.key") == "sort url"
    page.keyboard.press("Enter")
    page.locator("th[aria-sort=descending]", has_text="URL").wait_for()
    page.locator("[name=_text]").focus()
    page.keyboard.type("relevance>0 HTTP")
    page.keyboard.press("Enter")
    page.locator(".state", has_text="Show all").wait_for()
    assert page.evaluate("document.activeElement.name") == "_text"
    page.locator('[name="_is.relevant"]').select_option("true")
    page.wait_for_url("**_is.relevant=true*")
    rows = cells(page, 3)
    assert rows == sorted(rows, reverse=True) and 0 < len(rows) < 120 and set(cells(page, 6)) == {"yes"}
    again = window.go(page.url.removeprefix(window.address))
    again.locator("th[aria-sort=descending]").wait_for()
    assert cells(again, 3) == rows and again.input_value("[name=_text]") == "relevance>0 HTTP"
    again.locator(".table summary").focus()
    again.keyboard.press("Enter")
    again.uncheck('[value="title"]')
    again.wait_for_url("**_column=*")
    again.locator(".table thead", has_text="Title").wait_for(state="detached")
    assert again.locator("[value=title]").is_visible()
    again.go_back()
    again.locator(".table thead", has_text="Title").wait_for()
    assert not window.complaints


@pytest.mark.slow
def test_what_is_seen_is_copied_and_saved(window: Opened) -> None:
    page = window.go("/tables/pages?run=sample&_text=relevance>0&_sort=-step&_size=25&_column=step&_column=url")
    page.click(".copy")
    page.locator("#said", has_text="copied").wait_for()
    head, *lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert head == "# ▼\tURL" and [line.split("\t")[0] for line in lines] == cells(page, 1)
    with page.expect_download() as saved:
        page.click("text=CSV")
    rows = list(csv.reader(saved.value.path().read_text("utf-8").splitlines()))
    assert rows[0] == ["step", "url"] and [row[0] for row in rows[1:26]] == cells(page, 1) and len(rows) > 26
    page.locator("[data-key=after]").press("Enter")
    page.locator(".state", has_text="26–").wait_for()
    assert page.evaluate("document.activeElement.dataset.key") in ("after", "before")
    assert not window.complaints


@pytest.mark.slow
def test_an_answer_of_ask_has_a_link_too(window: Opened) -> None:
    page = window.go("/ask?query=pages/most_relevant&crawl=sample&limit=40")
    page.locator('#result [data-key="sort step"]').press("Enter")
    page.locator("#result th[aria-sort=ascending]").wait_for()
    steps = cells(page, 6)
    assert "_sort=step" in page.url and steps == sorted(steps, key=int)
    window.go(page.url.removeprefix(window.address)).locator("#result th[aria-sort=ascending]").wait_for()
    assert cells(page, 6) == steps
    page.fill("#statement", "UNWIND [3, 1, 2] AS n RETURN n")
    page.click("#cypher button")
    page.locator('#result [data-key="sort n"]').click()
    page.locator("#result th[aria-sort=ascending]").wait_for()
    assert cells(page, 1) == ["1", "2", "3"]
    window.go(page.url.removeprefix(window.address)).locator("#result th[aria-sort=ascending]").wait_for()
    assert cells(page, 1) == ["1", "2", "3"] and not window.complaints


@pytest.mark.slow
@pytest.mark.parametrize("source", sorted(GIVEN.keys() - {"query", "cypher"}))
def test_a_table_fits_a_telephone(window: Opened, source: str) -> None:
    window.page.set_viewport_size({"width": 360, "height": 740})
    try:
        query = "&".join(f"{name}={value}" for name, value in GIVEN[source].items())
        page = window.go(f"/tables/{source}?{query}&lang=zh")
        page.locator(".table .state").wait_for()
        assert views.measured(page, "wider") == [] and views.measured(page, "unnamed") == []
        assert not window.complaints
    finally:
        window.page.set_viewport_size({"width": 1200, "height": 800})


# ---- words that a person leaves out of crawls


@pytest.fixture
def worded(tmp_path: Path) -> Workspace:
    """A workspace with a topic that has a list of words, as a build writes both."""
    made = workspace.init(tmp_path / "ws")
    folder = made.ontologies / "money"
    folder.mkdir()
    shown = '[[words]]\nweight = 1.0\nzh = ["经济"]\n'
    text = f'name = "money"\nword_list = "words.tsv"\n[label]\nzh = "经济"\nen = "money"\n{shown}'
    (folder / "money.toml").write_text(f"# digest: {topics.digest(text)}\n{text}", "utf-8")
    words = [TopicWord("经济", ("经济",), (), 0.25, source=LABEL)]
    shares = (("结果表明", 9e-4), ("市场", 8e-5))
    words += [TopicWord(one, (one,), (), weight_of(p, 1e-6, None), p, 1e-6) for one, p in shares]
    word_lists.write(words, folder / "words.tsv", "money", "60 records")
    (made.ontologies / "topics" / "money.path").write_text("ontologies/money/money.toml\n", "utf-8")
    return made


def test_a_program_leaves_a_word_out_and_takes_it_back(worded: Workspace) -> None:
    with running(worded) as server:
        program, url = reader(server), server.address.url
        change, table = f"{url}api/topics/money/words", f"{url}api/tables/terms?topic=money"
        before = program.get(table, timeout=60).json()
        assert program.post(change, json={"leave_out": ["结果表明"]}, timeout=60).json()["weights"]["结果表明"] == 0
        assert "结果表明" not in {one.label for one in topics.load("money", worded).vocabulary.words}
        shown = program.get(f"{table}&_format=html&lang=en", timeout=60).text
        assert "Words that are left out: 1" in shown and 'data-mark="take_back"' in shown
        left = program.get(f"{table}&_text=weight%3D0", timeout=60).json()["rows"]
        assert [row[0] for row in left] == ["结果表明"]
        refused = program.post(change, json={"leave_out": ["市易"]}, timeout=60)
        assert refused.status_code == 400 and "市易" in refused.json()["error"]
        assert requests.post(change, json={"leave_out": ["市场"]}, timeout=60).status_code == 401
        program.post(change, json={"take_back": ["结果表明"]}, timeout=60)
        assert program.get(table, timeout=60).json() == before
        plain = program.get(f"{url}api/tables/terms?topic=rainstorm&_format=html", timeout=60).text
        assert "data-mark" not in plain and 'type="checkbox" name="word"' not in plain


@pytest.mark.slow
def test_a_person_leaves_a_word_out_with_a_click_and_takes_it_back(worded: Workspace, window: Opened) -> None:
    with running(worded) as server, window.page.context.browser.new_context(locale="zh-CN") as context:
        page = context.new_page()
        page.goto(server.address.opening)
        page.wait_for_url(server.address.url)
        page.goto(f"{server.address.url}tables/terms?topic=money")
        page.locator("tbody tr", has_text="结果表明").locator("input").check()
        page.click("[data-mark=leave_out]")
        page.locator("[data-key='note 1']").click()
        page.locator("p.state", has_text="1–1 / 1").wait_for()
        page.locator("tbody tr", has_text="结果表明").locator("input").check()
        page.click("[data-mark=take_back]")
        page.locator("p.state", has_text="0–0 / 0").wait_for()
        assert "结果表明" in {one.label for one in topics.load("money", worded).vocabulary.words}
