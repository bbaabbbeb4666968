"""Tables: a page for each source of rows, and the rows that an address asks for, as JSON, CSV or a part of a page."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from kg.store import StatementError
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering, tables
from ontocrawl.explorer.routes import crawl_tables, crawls, ontologies, proposals, queries, run_marks
from ontocrawl.explorer.tables import Source

SOURCES = {
    **crawls.SOURCES, **run_marks.SOURCES, **crawl_tables.SOURCES, **ontologies.SOURCES, **proposals.SOURCES,
    **queries.SOURCES,
}  # fmt: skip
"""Name in the address -> where the rows come from."""
_FORMATS = ("html", "json", "csv")


def _source(request: Request) -> tuple[str, Source]:
    name = request.path_params["source"]
    if name not in SOURCES:
        raise HTTPException(404)
    return name, SOURCES[name]


def rows(request: Request) -> Response:
    """Return the rows that the address asks for, with ``_format`` json, csv, or html for the part of a page."""
    name, source = _source(request)
    form = request.query_params.get("_format", "json")
    if form not in _FORMATS:
        raise UsageError("explorer.table_no_format", formats=", ".join(_FORMATS))
    try:
        if form == "html":
            return rendering.page(request, "table", {"table": tables.shown(request, source, name)})
        table = tables.seen(request, source)
    except StatementError as error:
        return rendering.error(request, str(error), 400)
    if form == "json":
        return JSONResponse(table.as_json())
    file = {"Content-Disposition": f'attachment; filename="{name}.csv"'}
    return Response(table.as_csv(), headers=file, media_type="text/csv")


def table_page(request: Request) -> Response:
    """Show the page of a table, whose rows the browser then asks for."""
    name, _ = _source(request)
    return rendering.page(request, "tables", {"source": name, "about": request.query_params})


ROUTES = (Route("/tables/{source}", table_page), Route("/api/tables/{source}", rows))
