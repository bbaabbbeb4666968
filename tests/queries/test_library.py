"""The headers of all queries, their parameters against the text, and the binding of values."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import pytest

import queries
from kg.cypher import refusal
from queries import (
    HeaderError,
    MissingParameterError,
    MistypedParameterError,
    ParameterError,
    QueryError,
    UnknownParameterError,
    UnknownQueryError,
    parse,
)
from queries.header import WALK

ALL = queries.all_queries(internal=True)
HEADER = """// title: A title
// answers: A question?
// param: limit integer[1..500] 20 how many
// param: name text required whose
// param: share number[0..] 0.5 of what
// param: open flag false whether
// param: iris list [] which
// param: by text[hub|authority|] "hub" first
// returns: one, other
// example: limit=1 name='a b'
// cost: none
MATCH (n) RETURN n.x AS one, n.y AS other
"""
EXAMPLE = parse("folder/example", HEADER)


def code(text: str) -> str:
    """A statement without comments and strings."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", re.sub(r"//[^\n]*", "", text))


FOR_USERS = queries.all_queries()
FOLDERS = {"ontology", "weights", "pages", "links", "hosts", "crawl", "evidence", "enrichment", "quality"}
OLD_NAMES = (
    "crawl/compare", "crawl/harvest_curve", "crawl/list", "crawl/tunnels", "crawl/why_fetched", "enrichment/proposals",
    "evidence/documents_for_subclass", "hosts/that_pay", "links/anchors_that_lead_to_relevant",
    "ontology/concepts_without_pages", "pages/most_relevant", "pages/top_by_pagerank", "pages/under_concept",
    "topic/weights",
)  # fmt: skip


def test_a_file_of_an_area_has_internal_statements_alone_and_each_once() -> None:
    files = sorted((Path(queries.__file__).parent).glob("*.cypher"))
    names = []
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert text.startswith("// statement: "), file.name
        names += [f"{file.stem}/{name}" for name in re.findall(r"^// statement: (.*)$", text, re.MULTILINE)]
    assert sorted(names) == [query.name for query in ALL if query.internal]


def test_the_library_has_queries_for_users_in_all_its_folders() -> None:
    names = [q.name for q in FOR_USERS]
    assert len(names) >= 40
    assert names == sorted(names)
    assert {name.partition("/")[0] for name in names} == FOLDERS
    assert len({q.title for q in FOR_USERS}) == len({q.answers for q in FOR_USERS}) == len(names)


@pytest.mark.parametrize("name", OLD_NAMES)
def test_names_of_before_go_on_working(name: str) -> None:
    assert name in (queries.get(name).name, queries.get(name).formerly)


@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_the_header_of_a_query_for_users(query: queries.Query) -> None:
    assert query.answers.endswith("?")
    assert query.cost and query.example and not query.title.endswith(".")
    assert all(len(line) <= 120 for line in query.text.splitlines())
    assert refusal(query.text) is None
    bound = query.bind(query.example_values())  # the example has all that is required, in the right types
    for p in query.parameters:
        if p.name == "limit":
            assert (p.least, p.required) == (1, False)
        elif p.type == "integer":
            assert p.least is not None, f"{p.name} needs a range"
        if p.name == "crawl":
            assert bound[p.name] == "" or "crawl=" in query.example


@pytest.mark.parametrize("query", ALL, ids=lambda q: q.name)
def test_declared_parameters_are_the_used_ones(query: queries.Query) -> None:
    assert set(re.findall(r"\$(\w+)", code(query.text))) == {p.name for p in query.parameters}
    assert all(p.meaning for p in query.parameters)


def test_a_query_that_takes_the_newest_crawl_says_so_in_its_header() -> None:
    (crawl,) = parse("a/b", "// param: crawl text newest id of the crawl\nRETURN 1", own=True).parameters
    assert (crawl.default, crawl.required, crawl.newest) == ("", False, True)
    assert crawl.meaning == "id of the crawl; empty: the newest one"
    with pytest.raises(HeaderError):
        parse("a/b", "// param: crawl integer newest id of the crawl\nRETURN 1", own=True)
    declared = {query.name for query in FOR_USERS if any(p.newest for p in query.parameters)}
    taking = "WHERE $crawl = '' OR c.id = $crawl\nWITH c ORDER BY c.started DESC, c.id DESC LIMIT 1\n"
    assert declared == {query.name for query in FOR_USERS if taking in query.text}
    assert len(declared) > 40


@pytest.mark.parametrize("query", ALL, ids=lambda q: q.name)
def test_declared_columns_are_the_returned_ones(query: queries.Query) -> None:
    returned = re.split(r"\bRETURN\b(?:\s+DISTINCT)?", code(query.text))[-1]
    returned = re.split(r"\b(?:ORDER BY|LIMIT|SKIP)\b", returned)[0]
    parts, depth = [""], 0
    for letter in returned:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    columns = [re.split(r"\bAS\b", part)[-1].strip() for part in parts]
    assert columns == list(query.returns)


@pytest.mark.parametrize("query", FOR_USERS, ids=lambda q: q.name)
def test_every_column_has_a_type(query: queries.Query) -> None:
    untyped = [column for column in query.returns if column not in query.types]
    assert untyped == [], "write the type after the name in `returns`, or the name into queries/columns.py"


def test_a_header_may_give_a_column_another_type() -> None:
    head = "// title: T\n// answers: A?\n// returns: relevance integer, x list, y\n// example: a=1\n// cost: none\n"
    query = queries.parse("a/b", head + "RETURN 1 AS relevance, [] AS x, 2 AS y")
    assert query.returns == ("relevance", "x", "y")
    assert query.types == {"relevance": "integer", "x": "list"}
    for wrong in ("x whole", "x list list"):
        with pytest.raises(queries.HeaderError, match="one of text, integer"):
            queries.parse("a/b", head.replace("x list", wrong))


@pytest.mark.parametrize("query", ALL, ids=lambda q: q.name)
def test_the_portable_rules(query: queries.Query) -> None:
    text = code(query.text)
    assert ";" not in text
    assert "/*" not in text
    assert not re.search(r"\bid\(" if query.internal else r"\b(?:elementId|id)\(", text)
    assert not re.search(r"\bSHORTEST\b|\bCOLLECT\s*\{|percentile|\bCALL\s*\{", text)
    assert set(re.findall(r"\bCALL\s+([a-z][\w.]*)", text)) <= {"db.index.fulltext.queryNodes"}, "another procedure"
    if WALK.search(query.text):  # kg.walks makes the walk
        text = text.replace("*0.. {ontology", "")
    text = text.replace(":LED_TO*0.. {crawl", "")  # a tree, in which one way leads back
    for star in re.findall(r"-\[[^\]]*\*[^\]]*\]-", text):
        assert re.search(r"\*\d+\.\.\d+", star), f"unbounded path {star}"
    if not query.internal:
        assert not re.search(r"\b(?:CREATE|MERGE|SET|DELETE|REMOVE|DETACH|FOREACH)\b", text)
        assert "ORDER BY" in text


def test_bind_converts_text_and_fills_defaults() -> None:
    assert EXAMPLE.bind({"name": "x"}) == {
        "limit": 20,
        "name": "x",
        "share": 0.5,
        "open": False,
        "iris": [],
        "by": "hub",
    }
    given = {"limit": "5", "name": 7, "share": "1e-1", "open": "yes", "iris": "a, b", "by": ""}
    assert EXAMPLE.bind(given) == {"limit": 5, "name": "7", "share": 0.1, "open": True, "iris": ["a", "b"], "by": ""}
    assert EXAMPLE.bind({"name": "x", "open": True, "iris": ("a",)})["open"] is True


@pytest.mark.parametrize(
    ("given", "error", "name", "says"),
    [
        ({}, MissingParameterError, "name", "needs name=text (whose)"),
        ({"name": "x", "limits": 3}, UnknownParameterError, "limits", "did you mean 'limit'"),
        ({"name": "x", "zzz": 3}, UnknownParameterError, "zzz", "known: limit, name, share, open, iris, by"),
        (
            {"name": "x", "limit": "many"},
            MistypedParameterError,
            "limit",
            "must be integer from 1 to 500, found 'many'",
        ),
        ({"name": "x", "limit": 2.5}, MistypedParameterError, "limit", "limit must be integer"),
        ({"name": "x", "limit": True}, MistypedParameterError, "limit", "limit must be integer"),
        ({"name": "x", "limit": None}, MistypedParameterError, "limit", "limit must be integer"),
        ({"name": "x", "limit": -1}, MistypedParameterError, "limit", "must be integer from 1 to 500, found -1"),
        ({"name": "x", "limit": "501"}, MistypedParameterError, "limit", "from 1 to 500, found '501'"),
        ({"name": "x", "limit": float("inf")}, MistypedParameterError, "limit", "limit must be integer"),
        ({"name": None}, MistypedParameterError, "name", "name must be text"),
        ({"name": True}, MistypedParameterError, "name", "name must be text"),
        ({"name": "half of \ud83d"}, MistypedParameterError, "name", "name must be text"),
        ({"name": "x", "share": "half"}, MistypedParameterError, "share", "must be number from 0, found 'half'"),
        ({"name": "x", "share": "nan"}, MistypedParameterError, "share", "share must be number"),
        ({"name": "x", "share": -0.1}, MistypedParameterError, "share", "must be number from 0, found -0.1"),
        ({"name": "x", "open": "maybe"}, MistypedParameterError, "open", "open must be flag"),
        ({"name": "x", "by": "hubs"}, MistypedParameterError, "by", "must be hub or authority or empty, found 'hubs'"),
        ({"name": "x", "iris": 3}, MistypedParameterError, "iris", "iris must be list"),
        ({"name": "x", "iris": [{"a": 1}]}, MistypedParameterError, "iris", "iris must be list"),
    ],
)
def test_bad_values_are_named(given: dict[str, object], error: type[ParameterError], name: str, says: str) -> None:
    with pytest.raises(error, match=re.escape(says)) as caught:
        EXAMPLE.bind(given)
    assert caught.value.names == (name,)
    assert isinstance(caught.value, QueryError)


def test_all_missing_parameters_are_named_at_once() -> None:
    with pytest.raises(MissingParameterError, match=r"narrower=text .*broader=text") as caught:
        queries.get("evidence/documents_for_subclass").bind({})
    assert caught.value.names == ("narrower", "broader")


def test_a_long_wrong_value_is_cut_in_the_message() -> None:
    with pytest.raises(MistypedParameterError) as caught:
        EXAMPLE.bind({"name": "x", "limit": "9" * 5000})
    assert len(str(caught.value)) < 200


def test_an_integer_beyond_the_engines_is_refused() -> None:
    without_range = parse("folder/example", HEADER.replace("integer[1..500]", "integer"))
    assert without_range.bind({"name": "x", "limit": 2**63 - 1})["limit"] == 2**63 - 1
    with pytest.raises(MistypedParameterError):
        without_range.bind({"name": "x", "limit": 2**63})


def test_an_example_may_quote_its_values() -> None:
    assert EXAMPLE.example_values() == {"limit": "1", "name": "a b"}


def test_an_unknown_query_names_the_nearest() -> None:
    with pytest.raises(UnknownQueryError, match="did you mean 'pages/most_relevant'"):
        queries.get("pages/most_relevent")
    with pytest.raises(UnknownQueryError, match="`ontocrawl query list` shows them"):
        queries.get("zzz")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("// cost: none\n", "", "lacks ['cost']"),
        ("// cost:", "// price:", "['price']"),
        ("// param: limit integer[1..500] 20 how many", "// param: limit integer", "expected `param:"),
        ("integer[1..500] 20", "integer twenty", "expected `param:"),
        ("integer[1..500] 20", "number20 20", "expected `param:"),
        ("integer[1..500] 20", "integer[1..500] 0", "expected `param:"),
        ("integer[1..500]", "integer[1-500]", "expected `param:"),
        ("text required", "text[1..2] required", "expected `param:"),
        ('"hub" first', '"page" first', "expected `param:"),
        ("flag false", "flag[true|false] false", "expected `param:"),
        ("text required", "words required", "expected `param:"),
        ("// title: A title", "// just words", "without a key"),
        ("// cost: none", "// cost: none\n// stored: link figures", "and a parameter crawl"),
        ("// cost: none", "// cost: none\n// stored: ranks", "expected `stored: link figures`"),
    ],
)
def test_headers_that_do_not_parse(old: str, new: str, says: str) -> None:
    with pytest.raises(HeaderError, match=re.escape(says)):
        parse("folder/example", HEADER.replace(old, new))


def test_dates_of_python_numpy_and_pandas_are_those_of_the_graph() -> None:
    numpy, pandas = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    newest = queries.get("pages/newest")
    zone = timezone(timedelta(hours=8))
    for given, bound in (
        (date(2024, 5, 1), "2024-05-01"),
        (datetime.fromisoformat("2024-05-01"), "2024-05-01"),
        (datetime.fromisoformat("2024-05-01T10:30"), "2024-05-01T10:30:00"),
        (datetime(2024, 5, 1, 1, tzinfo=zone), "2024-04-30T17:00:00+00:00"),
        (pandas.Timestamp("2024-05-01"), "2024-05-01"),
        (pandas.Timestamp("2024-05-01T10:30:00.5"), "2024-05-01T10:30:00.500000"),
        (pandas.Timestamp("2024-05-01T01:00", tz="Asia/Shanghai"), "2024-04-30T17:00:00+00:00"),
        (numpy.datetime64("2024-05-01"), "2024-05-01"),
        (numpy.datetime64("2024-05-01T10:30:00.000000000"), "2024-05-01T10:30:00"),
    ):
        assert newest.bind({"since": given})["since"] == bound, given
    for wrong in (pandas.NaT, numpy.datetime64("NaT"), timedelta(1), "2024-13-01"):
        with pytest.raises(MistypedParameterError, match="since must be date"):
            newest.bind({"since": wrong})
