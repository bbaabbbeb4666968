"""The headers of all queries, their parameters against the text, and the binding of values."""

from __future__ import annotations

import re

import pytest

import queries
from queries import QueryError, parse

ALL = queries.all_queries(internal=True)
HEADER = """// title: A title
// answers: A question?
// param: limit integer 20 how many
// param: name text required whose
// param: share number 0.5 of what
// param: open flag false whether
// param: iris list [] which
// returns: one, other
// example: limit=1
// cost: none
MATCH (n) RETURN n.x AS one, n.y AS other
"""
EXAMPLE = parse("folder/example", HEADER)


def code(text: str) -> str:
    """A statement without comments and strings."""
    return re.sub(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", "''", re.sub(r"//[^\n]*", "", text))


def test_the_library_has_its_ten_queries_for_users() -> None:
    names = [q.name for q in queries.all_queries()]
    assert len(names) >= 10
    assert names == sorted(names)
    assert all(q.answers.endswith("?") and q.example and q.cost for q in queries.all_queries())


@pytest.mark.parametrize("query", ALL, ids=lambda q: q.name)
def test_declared_parameters_are_the_used_ones(query: queries.Query) -> None:
    assert set(re.findall(r"\$(\w+)", code(query.text))) == {p.name for p in query.parameters}
    assert all(p.meaning for p in query.parameters)


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


@pytest.mark.parametrize("query", ALL, ids=lambda q: q.name)
def test_the_portable_rules(query: queries.Query) -> None:
    text = code(query.text)
    assert ";" not in text
    assert "/*" not in text
    assert not re.search(r"\b(?:elementId|id)\(", text)
    assert not re.search(r"\bCALL\b|\bSHORTEST\b|\bCOLLECT\s*\{|percentile", text)
    for star in re.findall(r"\[[^\]]*\*[^\]]*\]", re.sub(r"RETURN.*", "", text)):
        assert re.search(r"\*\d+\.\.\d+", star), f"unbounded path {star}"
    if not query.internal:
        assert not re.search(r"\b(?:CREATE|MERGE|SET|DELETE|REMOVE|DETACH|FOREACH)\b", text)
        assert "ORDER BY" in text


def test_bind_converts_text_and_fills_defaults() -> None:
    assert EXAMPLE.bind({"name": "x"}) == {"limit": 20, "name": "x", "share": 0.5, "open": False, "iris": []}
    given = {"limit": "5", "name": 7, "share": "1e-1", "open": "yes", "iris": "a, b"}
    assert EXAMPLE.bind(given) == {"limit": 5, "name": "7", "share": 0.1, "open": True, "iris": ["a", "b"]}
    assert EXAMPLE.bind({"name": "x", "open": True, "iris": ("a",)})["open"] is True


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "needs name=text"),
        ({"name": "x", "limits": 3}, "did you mean 'limit'"),
        ({"name": "x", "zzz": 3}, "known: limit, name, share, open, iris"),
        ({"name": "x", "limit": "many"}, "limit must be integer, found 'many'"),
        ({"name": "x", "limit": 2.5}, "limit must be integer"),
        ({"name": "x", "limit": True}, "limit must be integer"),
        ({"name": None}, "name must be text"),
        ({"name": "x", "share": "half"}, "share must be number"),
        ({"name": "x", "share": "nan"}, "share must be number"),
        ({"name": "x", "open": "maybe"}, "open must be flag"),
        ({"name": "x", "iris": 3}, "iris must be list"),
    ],
)
def test_bad_values_are_named(given: dict[str, object], says: str) -> None:
    with pytest.raises(QueryError, match=re.escape(says)):
        EXAMPLE.bind(given)


def test_an_unknown_query_names_the_nearest() -> None:
    with pytest.raises(QueryError, match="did you mean 'pages/most_relevant'"):
        queries.get("pages/most_relevent")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("// cost: none\n", "", "lacks ['cost']"),
        ("// cost:", "// price:", "['price']"),
        ("// param: limit integer 20 how many", "// param: limit integer", "expected `param:"),
        ("integer 20", "integer twenty", "expected `param:"),
        ("integer 20", "number20 20", "expected `param:"),
        ("// title: A title", "// just words", "without a key"),
    ],
)
def test_headers_that_do_not_parse(old: str, new: str, says: str) -> None:
    with pytest.raises(QueryError, match=re.escape(says)):
        parse("folder/example", HEADER.replace(old, new))
