"""The Cypher library: statements with a header each (queries/header.py defines its form).

    from ontocrawl.graph import graph_store
    import queries

    query = queries.get("pages/most_relevant")
    rows = store.read(query.text, **query.bind({"limit": 5}))       # or: graph_store.ask(store, query.name, limit=5)

A query for users is the file folder/name.cypher; docs/queries.md lists them. The internal statements of the package kg
are in one file an area, area.cypher: each begins with the line ``// statement: name``, and is called area/name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

from ontology.errors import Message, closest
from queries.header import (
    HeaderError,
    MissingParameterError,
    MistypedParameterError,
    Parameter,
    ParameterError,
    Query,
    QueryError,
    UnknownParameterError,
    parse,
)

__all__ = [
    "HeaderError",
    "MissingParameterError",
    "MistypedParameterError",
    "Parameter",
    "ParameterError",
    "Query",
    "QueryError",
    "UnknownParameterError",
    "UnknownQueryError",
    "all_queries",
    "for_users",
    "get",
    "parse",
]


class UnknownQueryError(QueryError):
    """A name that no query has."""


def get(name: str) -> Query:
    """Return the query called folder/name, also by its former name.

    Raises:
        UnknownQueryError: there is no such query; the message suggests the nearest name.

    >>> get("pages/most_relevant").name
    'pages/most_relevant'
    """
    library = _library()
    entry = library.get(name) or next((q for q in library.values() if name and q.formerly == name), None)
    if entry is None:
        raise UnknownQueryError(
            "queries.no_query",
            name=name,
            nearest=closest(name, [q.name for q in all_queries()], Message("hints.queries")),
        )
    return entry


def for_users(name: str) -> Query:
    """Return a query for users by its name, as `get`, but no statement of the package kg.

    Raises:
        UnknownQueryError: there is no such query.
    """
    found = get(name)
    if found.internal:
        raise UnknownQueryError("queries.query_internal", name=name, internal=found.internal)
    return found


def all_queries(*, internal: bool = False) -> tuple[Query, ...]:
    """Return the queries for users, by name; with ``internal`` also the statements of the package kg."""
    return tuple(q for q in _library().values() if internal or not q.internal)


_STATEMENT = re.compile(r"^// statement: (\w+)\n", re.MULTILINE)


def _files() -> Iterator[tuple[str, str]]:
    """Yield the name and the text of every statement."""
    for entry in resources.files(__name__).iterdir():
        if entry.is_dir():
            for file in entry.iterdir():
                if file.name.endswith(".cypher"):
                    yield f"{entry.name}/{file.name.removesuffix('.cypher')}", file.read_text(encoding="utf-8")
        elif entry.name.endswith(".cypher"):
            area = entry.name.removesuffix(".cypher")
            _, *parts = _STATEMENT.split(entry.read_text(encoding="utf-8"))
            for name, text in zip(parts[::2], parts[1::2], strict=True):
                yield f"{area}/{name}", f"{text.strip()}\n"


@cache
def _library() -> Mapping[str, Query]:
    return MappingProxyType({name: parse(name, text) for name, text in sorted(_files())})
