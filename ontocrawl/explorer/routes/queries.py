"""Ask: the query library, its queries by name, and Cypher that reads."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

import queries
from kg.store import StatementError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.graph import graph_store, query_parameters
from ontocrawl.graph.tables import within

LARGEST_ANSWER = 4_000_000
"""Characters of an answer as JSON that a browser shows in a table without stopping."""


def library(request: Request) -> Response:
    """Return all queries of the library with their parameters, columns and questions, in the request's language."""
    chosen = rendering.language_of(request)
    found = [asdict(query) for query in queries.all_queries()]
    for query in found:
        query |= {name: rendering.catalogued(query[name], chosen) for name in ("title", "answers")}
        for parameter in query["parameters"]:
            parameter["meaning"] = rendering.catalogued(parameter["meaning"], chosen)
    return JSONResponse({"queries": found})


def run_named(request: Request) -> Response:
    """Run a query of the library with the parameters of the address."""
    name, given = request.path_params["name"], dict(request.query_params)
    given.pop("lang", None)
    queries.for_users(name).bind(given)  # before an engine is started
    with here.graph(request) as graph:
        result, unknown = query_parameters.ask(here.space(request), graph, name, given)
    chosen = rendering.language_of(request)
    told = {"notes": [rendering.said(str(error), chosen) for error in unknown if result.rows]}
    if result.reasons:
        told["reasons"] = [rendering.said(reason, chosen) for reason in result.reasons]
    return JSONResponse(within({**result.as_json(), **told}, LARGEST_ANSWER))


def cypher(request: Request) -> Response:
    """Run the Cypher statement ``statement``, which may only read; ``parameters`` is a JSON object.

    A statement that the engine refuses, or whose answer has no form in JSON, is an error of the user's.
    """
    parameters = here.json_object(request.query_params.get("parameters", "{}"), "the value of `parameters`")
    try:
        with here.graph(request) as graph:
            answer = graph_store.cypher(graph, request.query_params.get("statement", ""), parameters)
    except StatementError as error:
        return rendering.error(request, str(error), 400)
    return JSONResponse(within(answer.as_json(), LARGEST_ANSWER))


def ask_page(request: Request) -> Response:
    """Show the query library as forms, and a field for Cypher."""
    library = [
        (name, list(group)) for name, group in groupby(queries.all_queries(), lambda q: q.name.partition("/")[0])
    ]
    return rendering.page(request, "ask", {"library": library})


ROUTES = (
    Route("/ask", ask_page),
    Route("/api/queries", library),
    Route("/api/queries/{name:path}", run_named),
    Route("/api/cypher", cypher),
)
