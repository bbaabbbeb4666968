"""Ask: values for parameters, queries as Cypher, examples, history, own queries, charts and maps of rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlencode
from xml.etree import ElementTree

import pytest
import requests

import queries
from kg.engine import embedded
from ontocrawl.base import workspace
from ontocrawl.base.workspace import Workspace
from ontocrawl.explorer import tables
from ontocrawl.explorer.app import Prepared
from ontocrawl.graph import kept_queries
from ontocrawl.graph.tables import Table
from ontocrawl.report.charts import bar_chart, nice_steps, point_chart
from tests.ontocrawl.conftest import crawl_sample
from tests.ontocrawl.explorer import views
from tests.ontocrawl.explorer.chromium import Opened, opened
from tests.ontocrawl.explorer.conftest import reader, running
from tests.ontocrawl.explorer.test_access import csrf_of

BY_HOST = (
    "MATCH (:Crawl {id: $crawl})-[f:FETCHED]->(p:Page)-[:ON_HOST]->(h:Host) WHERE f.relevance >= $least\n"
    "RETURN h.name AS host, count(*) AS pages, max(f.relevance) AS best ORDER BY pages DESC, host LIMIT $limit"
)
ASKED = {"statement": BY_HOST, "$crawl": "sample", "$least": "0.0", "$limit": "5"}
WRITES = {
    "api/own": {"name": "x", "asked": "statement=RETURN+1+AS+n"},
    "api/own/x": {"delete": True},
    "api/history": {"asked": "statement=RETURN+1+AS+n"},
}
"""Address that changes the workspace -> what it takes."""


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace of its own: what is asked is about the newest run, and other tests make newer ones."""
    made = workspace.init(tmp_path_factory.mktemp("ask") / "ws")
    yield made
    embedded.stop(made.graph)


@pytest.fixture(scope="module")
def crawled(space: Workspace) -> str:
    return crawl_sample(space)


@pytest.fixture
def program(served: Prepared, crawled: str, space: Workspace) -> Iterator[requests.Session]:
    """A program with the token; queries and history are as they were afterwards."""
    yield reader(served)
    for path in space.queries.glob("*"):
        path.unlink()


def get(program: requests.Session, served: Prepared, path: str, **given: Any) -> Any:
    answer = program.get(f"{served.address.url}api/{path}", params=given, timeout=120)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(program: requests.Session, served: Prepared, path: str, body: Any) -> requests.Response:
    return program.post(f"{served.address.url}api/{path}", json=body, timeout=60)


# ---- values and statements


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("crawl", "AMP", "sample"),
        ("concept", "泥石", "泥石流"),
        ("concept", "debris", "泥石流"),
        ("host", ".example", None),
        ("topic", "rain", "rainstorm"),
        ("ontology", "rainstorm", "https://w3id.org/ontocrawl/rainstorm"),
    ],
)
def test_values_are_names_of_the_graph(
    program: requests.Session, served: Prepared, kind: str, text: str, value: str | None
) -> None:
    found = [one["value"] for one in get(program, served, "values", kind=kind, text=text, lang="zh")["values"]]
    assert found and (value is None or value in found)
    if kind != "concept":
        assert all(text.lower() in one.lower() for one in found)
    assert get(program, served, "values", kind=kind)["values"]
    assert get(program, served, "values", kind=kind, text="no such name")["values"] == []


@pytest.mark.slow
def test_every_value_that_is_offered_is_known_to_the_query(program: requests.Session, served: Prepared) -> None:
    for lang in ("en", "zh"):
        for one in get(program, served, "values", kind="concept", text="暴雨", lang=lang)["values"][:5]:
            found = get(program, served, "queries/ontology/concept", concept=one["value"])
            assert found["rows"], one


def test_other_kinds_have_no_values(program: requests.Session, served: Prepared) -> None:
    assert get(program, served, "values", kind="password")["values"] == []
    library = {query["name"]: query for query in get(program, served, "queries")["queries"]}
    kinds = {one["name"]: one["kind"] for one in library["pages/under_concept"]["parameters"]}
    assert kinds == {"concept": "concept", "ontology": "ontology", "crawl": "crawl", "limit": ""}


def test_a_query_as_cypher_has_the_same_table(program: requests.Session, served: Prepared) -> None:
    given = {"crawl": "sample", "limit": "7"}
    found = get(program, served, "statement", query="pages/most_relevant", **given)
    assert found["parameters"] == {"crawl": "sample", "limit": 7} and found["statement"].startswith("MATCH (c:Crawl)")
    named = get(program, served, "tables/query", query="pages/most_relevant", **given)
    stated = program.get(f"{served.address.url}api/tables/cypher?{found['address']}", timeout=60).json()
    assert (stated["columns"], stated["rows"]) == (named["columns"], named["rows"]) and len(stated["rows"]) == 7
    as_json = {"statement": found["statement"], "parameters": '{"crawl": "sample", "limit": 7}'}
    assert get(program, served, "cypher", **as_json)["rows"] == named["rows"]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"statement": "RETURN $x AS x"}, "needs a value for $x"),
        ({"statement": "RETURN 1 AS x", "$y": "1"}, "no parameter $y"),
        ({"statement": "RETURN 1 AS x", "parameters": "[]"}, "JSON object"),
        ({"statement": "CREATE (n) RETURN $x AS x", "$x": "1"}, "only reading is allowed"),
        ({"statement": "RETURN $x AS x", "$x": '"\\ud800"'}, "surrogates not allowed"),
        ({"statement": "RETURN $x AS x", "$x": "9" * 30}, "numbers of 64 bits"),
    ],
)
def test_parameters_that_do_not_fit_a_statement_are_refused(
    program: requests.Session, served: Prepared, given: dict[str, str], says: str
) -> None:
    answer = program.get(f"{served.address.url}api/tables/cypher", params=given, timeout=60)
    assert answer.status_code == 400 and says in answer.json()["error"]


@pytest.mark.parametrize(("depth", "status"), [(1, 200), (20, 200), (22, 400), (900, 400), (15_000, 200)])
def test_values_of_any_depth_are_no_error_of_the_server(
    program: requests.Session, served: Prepared, depth: int, status: int
) -> None:
    """What is too deep for JSON is a text, and not closed here: an address has at most 64 kB."""
    given = {"statement": "RETURN $x AS x", "$x": "[" * depth + "]" * (depth if depth < 1000 else 0)}
    for path in ("tables/cypher", "cypher"):
        answer = program.get(f"{served.address.url}api/{path}", params=given, timeout=60)
        assert answer.status_code == status, answer.text


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_example_has_rows_and_a_chart_of_them(program: requests.Session, served: Prepared, lang: str) -> None:
    found = get(program, served, "examples", lang=lang)["examples"]
    assert len(found) >= 6 and all(one["title"] for one in found)
    assert "$crawl" in found[1]["statement"] and found[1]["parameters"] == {"crawl": "sample"}
    for one in found:
        part = program.get(f"{served.address.url}api/tables/cypher?{one['address']}&_format=html", timeout=60)
        assert part.status_code == 200, part.text
        assert ("<svg" in part.text) == ("_chart=" in one["address"]), one["title"]
        drawn = set(parse_qs(one["address"]).get("_y", []))
        assert drawn <= set(re.findall(r'name="_y" value="(\w+)"[^>]* checked', part.text)), one["title"]


# ---- own queries and history


@pytest.mark.slow
def test_a_query_is_saved_run_replaced_renamed_and_deleted(
    program: requests.Session, served: Prepared, space: Workspace
) -> None:
    asked = urlencode(ASKED)
    saved = post(program, served, "own", {"name": "主机 列表", "asked": asked})
    assert saved.json() == {"name": "own/主机-列表"}
    assert (
        (space.queries / "主机-列表.cypher").read_text("utf-8").startswith("// title: 主机 列表\n// param: crawl text")
    )
    stated = program.get(f"{served.address.url}api/tables/cypher?{asked}", timeout=60).json()
    assert len(stated["rows"]) == 5
    for given in ({}, {"limit": "5"}):
        named = get(program, served, "tables/query", query="own/主机-列表", **given)
        assert (named["columns"], named["rows"]) == (stated["columns"], stated["rows"])
    assert len(get(program, served, "queries/own/主机-列表", limit="2")["rows"]) == 2
    again = {"name": "主机-列表", "asked": "statement=RETURN+1.0+AS+n"}
    refused = post(program, served, "own", again)
    assert refused.status_code == 409 and "own/主机-列表" in refused.json()["error"]
    assert post(program, served, "own", {**again, "replace": True}).status_code == 200
    assert get(program, served, "tables/query", query="own/主机-列表")["rows"] == [[1.0]]  # no rows of before
    assert post(program, served, "own/主机-列表", {"rename": "hosts"}).json() == {"name": "own/hosts"}
    listed = [one["name"] for one in get(program, served, "queries")["queries"] if one["name"].startswith("own/")]
    assert listed == ["own/hosts"]
    assert post(program, served, "own/hosts", {"delete": True}).json() == {"name": None}
    assert post(program, served, "own/hosts", {"delete": True}).status_code == 400


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("own", {"name": "../x", "asked": "statement=RETURN+1+AS+n"}),
        ("own", {"name": "x", "asked": "statement=CREATE+(n)+RETURN+n"}),
        ("own", {"name": "x", "asked": "statement=RETURN+$lang+AS+n&$lang=1"}),
        ("own", {"name": "x", "asked": "statement=RETURN+$_x+AS+n&$_x=1"}),
        ("own", {"name": 1, "asked": "statement=RETURN+1+AS+n"}),
        ("own", {"name": "x", "asked": ["statement"]}),
        ("own", {"name": "x", "asked": "", "replace": 1}),
        ("own/x", {}),
        ("own/x", {"rename": "y", "delete": True}),
        ("own/x", {"rename": "y"}),
        ("own/..%2Fontocrawl", {"delete": True}),
        ("history", {}),
        ("history", {"asked": "x=1"}),
        ("history", {"forget": "yes"}),
    ],
)
def test_what_is_no_change_changes_nothing(
    program: requests.Session, served: Prepared, space: Workspace, path: str, body: Any
) -> None:
    assert post(program, served, path, body).status_code in (400, 404)
    assert not list(space.queries.glob("*")) and (space.root / "ontocrawl.toml").is_file()


def test_a_damaged_file_of_a_query_is_named_on_the_page(
    program: requests.Session, served: Prepared, space: Workspace
) -> None:
    space.queries.mkdir(exist_ok=True)
    (space.queries / "bad.cypher").write_text("// what is this\nRETURN 1 AS n", "utf-8")
    found = get(program, served, "queries", lang="zh")
    assert found["errors"] == ["查询 own/bad：头部的行没有键：// what is this"]
    assert program.get(f"{served.address.url}ask", timeout=60).status_code == 200


def test_what_was_asked_has_the_address_to_ask_it_again(program: requests.Session, served: Prepared) -> None:
    query = "query=pages%2Fmost_relevant&crawl=sample&_sort=step&_chart=bar&lang=zh"
    for asked in (urlencode(ASKED), query):
        assert post(program, served, "history", {"asked": asked}).status_code == 200
    first, second = get(program, served, "history")["asked"]
    assert first["query"] == "pages/most_relevant" and first["parameters"] == {"crawl": "sample"}
    assert first["address"] == "query=pages%2Fmost_relevant&crawl=sample"
    assert second["parameters"] == {"crawl": "sample", "least": 0.0, "limit": 5}
    assert dict(parse_qs(second["address"])) == {name: [value] for name, value in ASKED.items()}
    assert post(program, served, "history", {"forget": True}).status_code == 200
    assert get(program, served, "history")["asked"] == []


# ---- who may


def test_changes_need_the_session_and_its_csrf_value(
    program: requests.Session, served: Prepared, browser: requests.Session, space: Workspace
) -> None:
    csrf = csrf_of(browser, served)
    for path, body in WRITES.items():
        for session, headers, status in (
            (requests.Session(), {}, 401),
            (requests.Session(), {"X-CSRF-Token": csrf}, 401),
            (browser, {}, 401),
            (browser, {"X-CSRF-Token": csrf[::-1]}, 401),
            (browser, {"X-CSRF-Token": csrf, "Origin": "http://evil.example"}, 403),
            (browser, {"X-CSRF-Token": csrf, "Sec-Fetch-Site": "cross-site"}, 403),
        ):
            answer = session.post(served.address.url + path, json=body, headers=headers, timeout=60)
            assert answer.status_code == status, (path, headers)
        assert browser.get(f"{served.address.site}{path}", timeout=60).status_code in (401, 405)
        assert not list(space.queries.glob("*"))
    for path, body in WRITES.items():
        headers = {"X-CSRF-Token": csrf, "Origin": served.address.site.rstrip("/")}
        assert browser.post(served.address.url + path, json=body, headers=headers, timeout=60).status_code == 200, path


def test_reading_needs_the_session_too(program: requests.Session, served: Prepared) -> None:
    for path in (
        "api/statement?query=crawl/list",
        "api/values?kind=crawl",
        "api/examples",
        "api/history",
        "api/queries",
    ):
        for root in (served.address.url, served.address.site):
            assert requests.get(root + path, timeout=60).status_code == 401
        cross = {"Sec-Fetch-Site": "cross-site"}
        assert program.get(served.address.url + path, headers=cross, timeout=60).status_code == 403


@pytest.mark.slow
def test_everybody_may_read_saved_queries_but_no_history_and_changes_nothing(crawled: str, space: Workspace) -> None:
    kept_queries.save(space, "mine", "RETURN 1 AS n", {})
    kept_queries.note(space, "", "crawl/list", "", {})
    before = {path.name: path.read_bytes() for path in space.queries.iterdir()}
    with running(space, public_read=True) as server:
        site = server.address.site
        for path in ("api/tables/query?query=own/mine", "api/queries", "api/values?kind=crawl", "api/examples"):
            assert requests.get(site + path, timeout=60).status_code == 200, path
        page = requests.get(f"{site}ask", timeout=60).text
        assert "own/mine" in page and 'id="history"' not in page and 'id="keep"' not in page
        rows = urlencode({"rows": urlencode({"statement": "MATCH (p:Page) RETURN p.url AS url"})})
        for path in ("api/history", f"api/web/{crawled}?{rows}", "api/tables/cypher?statement=RETURN+1+AS+n"):
            assert requests.get(site + path, timeout=60).status_code == 401, path
            assert reader(server).get(site + path, timeout=60).status_code == 200, path
        for path, body in WRITES.items():
            assert requests.post(site + path, json=body, timeout=60).status_code == 401, path
    assert {path.name: path.read_bytes() for path in space.queries.iterdir()} == before
    for file in space.queries.iterdir():
        file.unlink()


# ---- charts and maps


def drawing(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def classes(svg: str) -> list[str]:
    return [str(one.get("class")) for one in drawing(svg).iter() if one.get("class")]


def test_bars_have_names_values_and_lengths() -> None:
    svg = bar_chart(["<a>", "暴雨"], {"pages": [4, None], "loss": [-2.0, 1]}, id_="c", title="t & u")
    root = drawing(svg)
    texts = ["".join(one.itertext()) for one in root.iter() if one.tag.endswith("text")]
    assert {"<a>", "暴雨", "pages", "loss", "4", "-2", "1"} <= set(texts)
    bars = [one for one in root.iter() if one.tag.endswith("rect")]
    widths = [float(one.get("width", "")) for one in bars]
    assert len(bars) == 3 and widths == pytest.approx([4 * widths[2], 2 * widths[2], widths[2]], abs=0.3)
    assert float(bars[1].get("x", "")) + widths[1] == pytest.approx(float(bars[0].get("x", "")), abs=0.2)  # at zero
    marks = {one.get("d") for one in root.iter() if one.tag.endswith("path")}
    assert len(marks) == 2  # columns are told apart without colour


def test_points_are_at_their_numbers_and_lines_in_their_order() -> None:
    svg = point_chart([3, 1, 2], {"y": [30.0, 10.0, None]}, joined=True, id_="c", title="t", x_name="step")
    [line] = [one for one in drawing(svg).iter() if one.tag.endswith("polyline")]
    (x1, y1), (x2, y2) = [tuple(map(float, point.split(","))) for point in line.get("points", "").split()]
    assert x1 < x2 and y1 > y2
    scatter = point_chart([3, 1, 2], {"y": [30.0, 10.0, None]}, joined=False, id_="c", title="t", x_name="step")
    assert classes(scatter).count("mark s0") == 3 and "line s0" in classes(scatter)  # one mark is of the legend
    named = point_chart(["b", "a"], {"y": [1, 2]}, joined=True, id_="c", title="t", x_name="month")
    assert named.index(">b<") < named.index(">a<")


@pytest.mark.parametrize(
    "values", [(0, 0), (1, 1), (-5, -5), (1, 1 + 2e-16), (0, 5e-324), (-1e299, 1e299), (1e16, 1e16 + 2), (1e-9, 3e-9)]
)
def test_an_axis_has_its_values_whatever_they_are(values: tuple[float, float]) -> None:
    ticks = nice_steps(*values)
    assert ticks[0] < ticks[-1] and 2 <= len(ticks) <= 14
    slack = 1e-9 * max(map(abs, values))
    assert ticks[0] <= values[0] + slack and ticks[-1] >= values[1] - slack
    drawing(bar_chart(["a", "b"], {"y": values}, id_="c", title=""))
    drawing(point_chart(values, {"y": values}, joined=True, id_="c", title="", x_name=""))


def part(program: requests.Session, served: Prepared, source: str, **given: Any) -> str:
    given = {"_format": "html", **given}
    answer = program.get(f"{served.address.url}api/tables/{source}", params=given, timeout=60)
    assert answer.status_code == 200, answer.text
    return answer.text


def chart(program: requests.Session, served: Prepared, **given: Any) -> str:
    text = part(program, served, "cypher", **given)
    found = re.search(r"<figure.*?(<svg.*</svg>)</figure>", text, re.DOTALL)
    assert found, text
    return found[1]


def test_a_chart_has_the_rows_that_the_filter_leaves_on_all_pages(program: requests.Session, served: Prepared) -> None:
    statement = "UNWIND range(1, 30) AS n RETURN 'name ' + toString(n) AS name, n, n * n AS square"
    given = {"statement": statement, "_chart": "bar", "_x": "name", "_y": "square", "_size": "25"}
    assert chart(program, served, **given).count("<rect") == 30
    svg = chart(program, served, **given, _text="n>28", _sort="-n")
    assert svg.count("<rect") == 2 and svg.index("name 30") < svg.index("name 29") and ">900<" in svg
    both = chart(program, served, **{**given, "_y": ["n", "square"], "_chart": "line", "_x": "n"})
    assert both.count("<polyline") == 2
    many = given | {"statement": statement.replace("30", "50")}
    text = part(program, served, "cypher", **many)
    assert text.count("<rect") == 40 and "Rows drawn: 40 / 50" in text


def test_columns_are_chosen_where_the_address_names_none(program: requests.Session, served: Prepared) -> None:
    rows = {"statement": "UNWIND [['a', 1, 2.5], ['b', 3, null]] AS r RETURN r[0] AS name, r[1] AS n, r[2] AS share"}
    text = part(program, served, "cypher", **rows, _chart="bar")
    assert re.search(r'name="_x".*?value="name" selected', text, re.DOTALL)
    assert re.findall(r'name="_y" value="(\w+)"[^>]* checked', text) == ["n"]
    scatter = part(program, served, "cypher", **rows, _chart="scatter")
    assert re.findall(r'name="_y" value="(\w+)"[^>]* checked', scatter) == ["share"] and "Rows drawn: 1 / 2" in scatter
    assert "<svg" not in part(program, served, "cypher", **rows)
    assert "_chart" not in part(program, served, "cypher", statement="RETURN 'a' AS name")
    assert "<svg" not in part(program, served, "cypher", statement="RETURN 0.0 / 0.0 AS n", _chart="bar")
    assert "_chart" not in part(program, served, "runs")


@pytest.mark.parametrize("wrong", [{"_chart": "pie"}, {"_chart": "bar", "_x": "size"}, {"_chart": "bar", "_y": "size"}])
def test_a_chart_of_what_there_is_not_is_refused(
    program: requests.Session, served: Prepared, wrong: dict[str, str]
) -> None:
    given = {"_format": "html", "statement": "RETURN 1 AS n", **wrong}
    answer = program.get(f"{served.address.url}api/tables/cypher", params=given, timeout=60)
    assert answer.status_code == 400 and ("bar, line, scatter" in answer.text or "no column size" in answer.text)


def test_text_of_others_is_text_in_a_chart(program: requests.Session, served: Prepared) -> None:
    hostile = "</text><script>alert(1)</script>\u202egnp.exe\x07"
    given = {"statement": "RETURN $x AS name, 1 AS n", "$x": hostile, "_chart": "bar"}
    svg = chart(program, served, **given)
    assert "<script" not in svg and "\u202e" not in svg and "\x07" not in svg
    assert "&lt;/text&gt;&lt;script" in svg


@pytest.mark.slow
def test_rows_that_are_pages_lead_to_their_map(program: requests.Session, served: Prepared, crawled: str) -> None:
    given = {"query": "pages/most_relevant", "crawl": crawled, "limit": "30", "_text": "relevance>0.2", "_size": "25"}
    rows = get(program, served, "tables/query", **{name: value for name, value in given.items() if name != "_size"})
    link = re.search(r'href="([^"]*/web/sample\?rows=[^"]+)"', part(program, served, "query", **given))
    assert link
    address = link[1].replace("&amp;", "&").replace(served.address.access.root, "", 1)
    found = program.get(f"{served.address.url}api{address}", timeout=120).json()
    urls = [row[rows["columns"].index("url")] for row in rows["rows"]]
    assert len(urls) > 3 and [node["id"] for node in found["nodes"]] == urls
    page = program.get(served.address.url.rstrip("/") + address, timeout=60).text
    assert f"{served.address.access.root}/ask?query=pages%2Fmost_relevant" in page
    statement = "MATCH (:Crawl)-[:FETCHED]->(p:Page) RETURN p.url, 1 AS n ORDER BY p.url LIMIT 3"
    newest = part(program, served, "cypher", statement=statement)
    assert f"/web/{crawled}?rows=statement" in newest
    other = part(program, served, "cypher", statement="RETURN 'x' AS url, $crawl AS crawl", **{"$crawl": "another"})
    assert "/web/" not in other  # the workspace has no such run
    assert "/web/" not in part(program, served, "cypher", statement="RETURN 'x' AS name, 1 AS n")
    none = program.get(
        f"{served.address.url}api/web/{crawled}",
        params={"rows": urlencode({"statement": "RETURN 'http://nowhere.example/' AS url"}), "lang": "zh"}, timeout=60,
    ).json()  # fmt: skip
    assert none["nodes"] == [] and "不知道这些网页" in none["reasons"][0]


def test_the_columns_of_a_chart_are_named_apart() -> None:
    texts = {"column_a": "Same", "column_b": "Same"}
    table = Table(("x", "a", "b"), (("r", 1, 2),))
    svg, number = tables._drawn("bar", table, "x", ["a", "b"], texts)
    assert number == 1 and svg.count("<rect") == 2


def test_no_query_of_the_library_is_in_the_users_folder() -> None:
    assert not [query.name for query in queries.all_queries(internal=True) if query.name.startswith(kept_queries.OWN)]


# ---- in a browser


@pytest.fixture(scope="module")
def window(served: Prepared, crawled: str) -> Iterator[Opened]:
    with opened(served.address, locale="en-GB") as found:
        found.page.set_default_timeout(90_000)
        yield found


def have(page: Any, selector: str, number: int) -> None:
    """Wait until a page has so many elements."""
    api = pytest.importorskip("playwright.sync_api")
    api.expect(page.locator(selector)).to_have_count(number, timeout=90_000)


@pytest.fixture
def kept(space: Workspace) -> Iterator[Workspace]:
    yield space
    for path in space.queries.glob("*"):
        path.unlink()


@pytest.mark.slow
def test_values_are_chosen_by_keyboard_and_text_can_be_typed(window: Opened, kept: Workspace) -> None:
    page = window.go("/ask?query=pages/under_concept&lang=zh")
    page.locator("#parameters [name=concept]").focus()
    page.keyboard.type("泥石")
    page.locator("#values-concept option[value=泥石流]").wait_for(state="attached")
    page.fill("#parameters [name=concept]", "泥石流")
    page.locator("#parameters [name=crawl]").focus()
    page.locator("#values-crawl option[value=sample]").wait_for(state="attached")
    page.keyboard.type("sample")
    page.keyboard.press("Enter")
    page.locator("#result .state").wait_for()
    assert "crawl=sample" in page.url and not window.complaints


@pytest.mark.slow
def test_a_query_is_opened_as_cypher_saved_and_asked_again(window: Opened, kept: Workspace) -> None:
    page = window.go("/ask?query=pages/most_relevant&crawl=sample&limit=4&lang=en")
    page.locator("#result tbody tr").nth(3).wait_for()
    rows = page.locator("#result tbody").inner_text()
    page.click("#as-cypher")
    page.locator("#said", has_text="Cypher field").wait_for()
    assert page.evaluate("document.activeElement.id") == "statement"
    assert page.input_value('#cypher-parameters [name="$limit"]') == "4"
    page.locator("#cypher > button").press("Enter")
    page.wait_for_url("**statement=**")
    page.locator("#result tbody tr").nth(3).wait_for()
    assert page.locator("#result tbody").inner_text() == rows
    page.fill("#own-name", "best four")
    page.keyboard.press("Enter")
    page.locator("#said", has_text="own/best-four").wait_for()
    assert page.input_value("#query") == "own/best-four"
    page.fill('#cypher-parameters [name="$limit"]', "2")
    page.click("#keep button")
    page.locator("#replace").wait_for()
    page.click("#replace")
    page.locator("#replace").wait_for(state="hidden")
    assert window.complaints and all("409" in text for text in window.complaints)
    window.complaints.clear()
    page.click("#named button")
    page.wait_for_url("**query=own**")
    have(page, "#result tbody tr", 2)
    page.go_back()
    have(page, "#result tbody tr", 4)
    assert page.input_value('#cypher-parameters [name="$limit"]') == "4"
    page.locator("#history summary").press("Enter")
    page.locator("#history li").nth(2).wait_for()
    texts = page.locator("#history li a").all_inner_texts()
    assert texts[0] == "own/best-four" and texts[1].startswith("MATCH (c:Crawl)") and "limit=4" in texts[2]
    page.locator("#history li a").nth(0).click()
    have(page, "#result tbody tr", 2)
    page.fill("#new-name", "最好")
    page.keyboard.press("Enter")
    page.locator("#said", has_text="own/最好").wait_for()
    page.once("dialog", lambda dialog: dialog.accept())
    page.click("#delete")
    page.locator("#said", has_text="deleted").wait_for()
    assert page.locator("#own").get_attribute("hidden") is not None and not window.complaints
    page.locator("#history summary").click()
    page.click("#forget")
    page.locator("#history li").first.wait_for(state="detached")
    assert not list(kept.queries.glob("*"))


@pytest.mark.slow
def test_parameters_follow_the_statement(window: Opened, kept: Workspace) -> None:
    page = window.go("/ask")
    page.fill("#statement", "// $no\nRETURN '$no' AS `$no`, $概念 AS a, $n AS n /* $no */")
    names = "[...document.querySelectorAll('#cypher-parameters [name]')].map((one) => one.name)"
    assert page.evaluate(names) == ["$概念", "$n"]
    page.fill('[name="$概念"]', "暴雨")
    page.fill('[name="$n"]', "1.0")
    page.fill("#statement", "RETURN $n / 2 AS half, $概念 AS a, $empty AS e")
    assert page.evaluate(names) == ["$n", "$概念", "$empty"] and page.input_value('[name="$n"]') == "1.0"
    page.click("#cypher > button")
    page.locator("#result td", has_text="0.5").wait_for()
    page.locator('#result [data-key="sort half"]').click()
    page.locator("#result th[aria-sort=ascending]").wait_for()
    window.go(page.url.removeprefix(window.address)).locator("#result td", has_text="0.5").wait_for()
    assert page.input_value('[name="$n"]') == "1.0" and not window.complaints


@pytest.mark.slow
def test_an_example_is_a_chart_whose_address_opens_it_again(window: Opened, kept: Workspace) -> None:
    page = window.go("/ask?lang=en")
    page.locator("#examples summary").press("Enter")
    page.locator("#examples a", has_text="by host").click()
    page.locator("#result svg.chart").wait_for()
    bars = page.locator("#result svg rect").count()
    page.locator('#result [data-key="y relevant"]').focus()
    page.keyboard.press("Space")
    have(page, "#result svg rect", bars // 2)
    assert page.evaluate("document.activeElement.dataset.key") == "y relevant"
    page.locator("#result select[name=_chart]").focus()
    page.select_option("#result select[name=_chart]", "scatter")
    page.locator("#result svg g .mark").first.wait_for()
    assert page.evaluate("document.activeElement.dataset.key") == "chart"
    page.select_option("#result select[name=_x]", "relevant")
    page.wait_for_url("**_x=relevant**")
    points = page.locator("#result svg g .mark").count()
    page.locator('[name="_text"]').fill("relevant>0")
    page.keyboard.press("Enter")
    page.locator(".state", has_text="Show all").wait_for()
    assert 0 < page.locator("#result svg g .mark").count() <= points
    again = window.go(page.url.removeprefix(window.address))
    again.locator("#result svg.chart").wait_for()
    assert "_chart=scatter" in again.url and not window.complaints


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_charts_fit_a_telephone_and_have_contrast(window: Opened, kept: Workspace, scheme: str, lang: str) -> None:
    kept_queries.save(kept, "hosts of this crawl", BY_HOST, {"crawl": "sample", "least": 0.0, "limit": 12})
    window.page.set_viewport_size({"width": 360, "height": 740})
    window.page.emulate_media(color_scheme=scheme)
    try:
        for kind in tables.CHARTS:
            query = urlencode(
                {"query": "own/hosts-of-this-crawl", "_chart": kind, "_y": ["pages", "best"], "lang": lang}, doseq=True
            )
            page = window.go(f"/ask?{query}")
            page.locator("#result svg.chart").wait_for()
            page.locator("#examples summary").click()
            page.locator("#examples a").first.wait_for()
            for name in ("wider", "unnamed", "faint"):
                assert views.measured(page, name) == [], (kind, name)
        assert not window.complaints
    finally:
        window.page.set_viewport_size({"width": 1200, "height": 800})
        window.page.emulate_media(color_scheme="light")


@pytest.mark.slow
def test_rows_are_drawn_on_the_map(window: Opened, kept: Workspace) -> None:
    page = window.go("/ask?query=pages/most_relevant&crawl=sample&limit=12&lang=en")
    page.locator('#result [data-key="map"]').click()
    page.locator("#number", has_text="12 nodes").wait_for()
    assert page.locator("#nodes li").count() == 12
    page.click("text=The rows whose pages these are")
    page.locator("#result tbody tr").nth(11).wait_for()
    assert not window.complaints
