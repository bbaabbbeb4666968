"""Ask: the query library and the user's own queries, Cypher that reads, examples of it, and what was asked last."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from importlib import resources
from itertools import groupby
from typing import Any, ParamSpec
from urllib.parse import parse_qsl, quote, urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import queries
from kg.cypher import parameters_of
from kg.store import GraphStore, StatementError
from ontocrawl.base import workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.access import Access
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph import graph_store, kept_queries, query_parameters
from ontocrawl.graph.tables import Table, within
from ontology.errors import Message, catalogued
from queries import Query

P = ParamSpec("P")
_LEVELS = 20
"""Levels of lists and maps in a parameter of a statement."""
LARGEST_ANSWER = 4_000_000
"""Characters of an answer as JSON that a browser shows in a table without stopping."""


def library(request: Request) -> Response:
    """Return the user's queries and those of the library with parameters, columns and questions.

    Texts of the library are in the request's language. The ``kind`` of a parameter is what it names, as for ``values``.
    """
    chosen = rendering.language_of(request)
    own, errors = kept_queries.own(here.space(request))
    found = [asdict(query) for query in (*own, *queries.all_queries())]
    for query in found:
        query |= {name: catalogued(query[name], chosen) for name in ("title", "answers")}
        for parameter in query["parameters"]:
            parameter["meaning"] = catalogued(parameter["meaning"], chosen)
            parameter["kind"] = query_parameters.kind_of(parameter["name"])
    return JSONResponse({"queries": found, "errors": [rendering.said(error.message, chosen) for error in errors]})


def run_named(request: Request) -> Response:
    """Run a query of the library with the parameters of the address."""
    name, given = request.path_params["name"], dict(request.query_params)
    given.pop("lang", None)
    kept_queries.for_users(here.space(request), name).bind(given)  # before an engine is started
    with here.graph(request) as graph:
        result, unknown = query_parameters.ask(here.space(request), graph, name, given)
    chosen = rendering.language_of(request)
    told = {"notes": [rendering.said(error.message, chosen) for error in unknown if result.rows]}
    if result.reasons:
        told["reasons"] = [rendering.said(reason, chosen) for reason in result.reasons]
    return JSONResponse(within({**result.as_json(), **told}, LARGEST_ANSWER))


def _asked_for(request: Request) -> tuple[Query, dict[str, str]]:
    """Return the query that an address names, and its parameters there."""
    given = {name: value for name, value in request.query_params.items() if value and not name.startswith("_")}
    given.pop("lang", None)
    return kept_queries.for_users(here.space(request), given.pop("query", "")), given


def _named(request: Request) -> Table:
    """Return the rows of the query that an address names, with its parameters."""
    query, given = _asked_for(request)
    query.bind(given)

    def read(graph: GraphStore) -> Table:
        table, unknown = query_parameters.ask(here.space(request), graph, query.name, given)
        notes = Message("hints.several", parts=[error.message for error in unknown]) if unknown and table.rows else ""
        return tables.bounded(replace(table, caption=notes))

    table = here.remembered(request, ("table", query.name, query.text, *given.items()), read)
    chosen = rendering.language_of(request)
    return replace(table, caption=rendering.said(table.caption, chosen))


def _stated(request: Request) -> Table:
    """Return the rows of the Cypher statement of an address, with its parameters."""
    statement, parameters = _statement(request.query_params)

    def read(graph: GraphStore) -> Table:
        return tables.bounded(graph_store.cypher(graph, statement, parameters))

    return here.remembered(request, ("cypher", statement, json.dumps(parameters)), read)


def _statement(given: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
    """Return the statement of an address with its parameters: ``$NAME``, or those of the JSON object ``parameters``."""
    what = Message("explorer.json_value", name="parameters")
    parameters = here.json_object(given.get("parameters") or "{}", what)
    more = {name[1:]: graph_store.value_of(text) for name, text in given.items() if name.startswith("$")}
    for name, value in (parameters | more).items():
        if _is_deeper(value, _LEVELS):
            raise UsageError("explorer.nested", name=name, most=_LEVELS)
    return given.get("statement", ""), here.json_object(json.dumps(parameters | more), what)


def _is_deeper(value: Any, levels: int) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(one, levels - 1) for one in inner)


def _page_address(request: Request, row: Mapping[str, Any]) -> str:
    """Return the address of the page that explains a URL of a crawl that the query was asked about."""
    run, url = request.query_params.get("crawl", ""), row["url"]
    known = run in here.space(request).run_names() and isinstance(url, str)
    return f"/crawls/{quote(run, safe='')}/page?{urlencode({'url': url})}" if known else ""


def _map_address(request: Request, table: Table) -> str:
    """Return the address of a map of the pages that the column url names: of the crawl asked about, or the newest."""
    if not any(_urls(table)):
        return ""
    asked = [pair for pair in request.query_params.multi_items() if pair[0] not in _OF_THE_PAGE and pair[1]]
    if "statement" in request.query_params:
        _, parameters = _statement(request.query_params)
    else:
        query, given = _asked_for(request)
        parameters = query.bind(given)
    run = str(parameters.get("crawl") or here.remembered(request, "newest crawl", _newest_crawl))
    known = run in here.space(request).run_names()
    return f"/web/{quote(run, safe='')}?{urlencode({'rows': urlencode(asked)})}" if known else ""


def _newest_crawl(graph: GraphStore) -> str:
    rows = graph.read("MATCH (c:Crawl) RETURN c.id AS id ORDER BY c.started DESC, id DESC LIMIT 1")
    return str(rows[0]["id"]) if rows else ""


def _urls(table: Table) -> list[str]:
    """Return the values of the column url; that of a statement may be called p.url."""
    at = next((at for at, name in enumerate(table.columns) if name == "url" or name.endswith(".url")), None)
    return [] if at is None else [row[at] for row in table.rows if isinstance(row[at], str)]


def pages_of(request: Request, asked: str) -> Sequence[str]:
    """Return the URLs of the rows that an address of Ask asks for, each once.

    Args:
        request: the request for a map.
        asked: the query of the address of Ask.

    Raises:
        HTTPException: a statement of the asker's own, which needs a session.
    """
    pairs = parse_qsl(asked)
    name = "cypher" if "statement" in dict(pairs) else "query"
    access: Access = request.app.state.access
    if name == "cypher" and not access.may_read(request.headers, request.scope["root_path"], statement=True):
        raise HTTPException(401, Message("explorer.token_read"))
    inner = Request({**request.scope, "query_string": urlencode(pairs).encode()})
    return list(dict.fromkeys(_urls(tables.all_fitting(inner, SOURCES[name])[0])))


SOURCES = {
    "query": Source(_named, links={"url": _page_address}, charts=True, map=_map_address),
    "cypher": Source(_stated, charts=True, map=_map_address),
}
_OF_THE_PAGE = frozenset({"lang", "_format", "_size", "_skip", "_column", "_chart", "_x", "_y"})
"""Parameters of an address of Ask that do not say which rows there are."""


def cypher(request: Request) -> Response:
    """Run the Cypher statement ``statement``, which may only read; ``parameters`` is a JSON object.

    A statement that the engine refuses, or whose answer has no form in JSON, is an error of the user's.
    """
    statement, parameters = _statement(request.query_params)
    try:
        with here.graph(request) as graph:
            answer = graph_store.cypher(graph, statement, parameters)
    except StatementError as error:
        return rendering.error(request, str(error), 400)
    return JSONResponse(within(answer.as_json(), LARGEST_ANSWER))


def as_cypher(request: Request) -> Response:
    """Return the query that an address names as a statement with ``parameters``, and the address of its rows."""
    query, given = _asked_for(request)
    query.bind(given)  # before an engine is started
    with here.graph(request) as graph:
        statement, parameters = query_parameters.as_cypher(graph, query, given)
    asked = {"statement": statement, "parameters": parameters}
    return JSONResponse({**asked, "address": _address(asked)})


def values(request: Request) -> Response:
    """Return values for a parameter of a ``kind``, those that have a ``text`` in them, with what they mean."""
    given, chosen = request.query_params, rendering.language_of(request)
    with here.graph(request) as graph:
        found = query_parameters.values_of(graph, given.get("kind", ""), given.get("text", ""), chosen)
    return JSONResponse({"values": [{"value": value, "label": label} for value, label in found]})


@cache
def _examples() -> Sequence[Mapping[str, Any]]:
    file = resources.files("ontocrawl.explorer") / "catalogue" / "examples.toml"
    return tuple(tomllib.loads(file.read_text("utf-8"))["example"])


def examples(request: Request) -> Response:
    """Return examples of Cypher for what is in the graph, each with values of its parameters and an address."""
    chosen = rendering.language_of(request)
    with here.graph(request) as graph:
        known = {"crawl": _newest_crawl(graph)}
        for kind in ("concept", "host"):
            found = query_parameters.values_of(graph, kind, "", chosen)
            known[kind] = found[0][0] if found else ""
    shown = []
    for example in _examples():
        parameters = {name: known[name] for name in parameters_of(example["statement"])}
        if all(parameters.values()):
            asked = {"statement": example["statement"].strip(), "parameters": parameters}
            address = "&".join(filter(None, (_address(asked), urlencode(example.get("view", {}), doseq=True))))
            shown.append({"title": example[chosen], **asked, "address": address})
    return JSONResponse({"examples": shown})


# ---- the user's own queries, and what was asked last


async def save(request: Request) -> Response:
    """Keep the statement of an address as a query of the user's: ``{"name": .., "asked": "statement=..&$NAME=.."}``.

    One of the same name is only replaced with ``"replace": true``; without it the status is 409.
    """
    sent, space = await here.sent(request, "name", "asked", "replace"), here.space(request)
    name, replaces = here.text(sent, "name"), here.flag(sent, "replace")
    statement, parameters = _statement(_asked(sent))

    def work() -> Response:
        try:
            query = kept_queries.save(space, name, statement, parameters, replaces=replaces)
        except kept_queries.NameTakenError as error:
            return rendering.error(request, str(error), 409)
        return JSONResponse({"name": query.name})

    return await here.in_thread(request, work)


async def change(request: Request) -> Response:
    """Rename a query of the user's, ``{"rename": NAME}``, or delete it, ``{"delete": true}``."""
    sent, space, name = await here.sent(request, "rename", "delete"), here.space(request), request.path_params["name"]
    if here.flag(sent, "delete") == ("rename" in sent):
        raise UsageError("explorer.own_change")

    def work() -> Response:
        if "rename" in sent:
            return JSONResponse({"name": kept_queries.rename(space, name, here.text(sent, "rename")).name})
        kept_queries.delete(space, name)
        return JSONResponse({"name": None})

    return await here.in_thread(request, work)


def history(request: Request) -> Response:
    """Return what was asked last, the newest first, each with its address; only with a session or the token."""
    found = kept_queries.asked(here.space(request))
    return JSONResponse({"asked": [{**one, "address": _address(one)} for one in found]})


def _address(asked: Mapping[str, Any]) -> str:
    """Return the query of the address of Ask that asks something again."""
    if "query" in asked:
        return urlencode({"query": asked["query"], **asked["parameters"]})
    parameters = {f"${name}": graph_store.text_of(value) for name, value in asked["parameters"].items()}
    return urlencode({"statement": asked["statement"], **parameters})


async def note(request: Request) -> Response:
    """Note what an address asked, ``{"asked": "query=NAME&.."}``, or forget all, ``{"forget": true}``."""
    sent, space = await here.sent(request, "asked", "forget"), here.space(request)
    if here.flag(sent, "forget"):
        return await here.in_thread(request, partial(_after, kept_queries.forget, space))
    asked = {name: value for name, value in _asked(sent).items() if not name.startswith("_") and name != "lang"}
    query = asked.pop("query", "")
    statement, parameters = ("", asked) if query else _statement(asked)
    if not query and not statement:
        raise UsageError("explorer.asked")
    what = (space, workspace.now(), query, statement, parameters)
    return await here.in_thread(request, partial(_after, kept_queries.note, *what))


def _after(change: Callable[P, None], *arguments: P.args, **named: P.kwargs) -> Response:
    change(*arguments, **named)
    return JSONResponse({})


def _asked(sent: Mapping[str, Any]) -> dict[str, str]:
    return dict(parse_qsl(here.text(sent, "asked"), keep_blank_values=True))


def ask_page(request: Request) -> Response:
    """Show the queries as forms, and a field for Cypher."""
    library = [
        (name, list(group)) for name, group in groupby(queries.all_queries(), lambda q: q.name.partition("/")[0])
    ]
    own, _ = kept_queries.own(here.space(request))
    return rendering.page(request, "ask", {"library": library, "own": own})


ROUTES = (
    Route("/ask", ask_page),
    Route("/api/queries", library),
    Route("/api/queries/{name:path}", run_named),
    Route("/api/statement", as_cypher),
    Route("/api/values", values),
    Route("/api/examples", examples),
    Route("/api/own", save, methods=["POST"]),
    Route("/api/own/{name}", change, methods=["POST"]),
    Route("/api/history", history),
    Route("/api/history", note, methods=["POST"]),
    Route("/api/cypher", cypher),
)
