"""Start a crawl: the form, the check of what it says and would cost, and the start itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from crawler import strategies
from ontocrawl.base.config import LIMITS, CrawlSettings
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.runs import crawl_request
from ontocrawl.runs.crawl_request import FieldError
from ontocrawl.topics import topics

WORLDS = ("live", "synthetic", "corpus", "archive")
"""Kinds of worlds that the form offers."""
SCOPE = ("max_depth", "max_offtopic_depth", "max_per_host", "max_per_directory", "max_per_pattern")


def all_strategies(request: Request) -> Response:
    """Return the strategies as `crawl strategies --json` does, titles and meanings in the request's language."""
    chosen = rendering.language_of(request)
    found = strategies.describe()
    for one in found:
        one["title"] = rendering.catalogued(one["title"], chosen)
        for about in one["about"].values():
            about["meaning"] = rendering.catalogued(about["meaning"], chosen)
    return JSONResponse({"strategies": found})


async def check(request: Request) -> Response:
    """Return what a crawl would be and cost, or why it would be refused. Nothing is changed."""
    sent, space = await here.sent(request), here.space(request)
    return await here.in_thread(
        request, _answered, request, lambda: crawl_request.check(space, crawl_request.of_json(sent)).as_json()
    )


async def start(request: Request) -> Response:
    """Start a crawl as a process of its own."""
    sent, crawls = await here.sent(request), here.crawls(request)
    return await here.in_thread(request, _answered, request, lambda: {"run": crawls.start(crawl_request.of_json(sent))})


def _answered(request: Request, answer: Callable[[], Mapping[str, Any]]) -> Response:
    """Return an answer as JSON; for a field that is wrong, its name and the reason."""
    try:
        return JSONResponse(answer())
    except FieldError as error:
        return rendering.error(request, str(error), 400, field=error.field)


def start_page(request: Request) -> Response:
    """Show the form. Parameters of the address fill it in, so that a form can be passed on."""
    space = here.space(request)
    defaults = space.settings.crawl
    given = {name: request.query_params.get(name, "") for name in crawl_request.FIELDS}
    kind, _, place = (given["world"] or "live").partition(":")
    values = {
        "given": given | {"topic": given["topic"] or defaults.topic},
        "defaults": defaults,
        "world_kind": kind if kind in WORLDS else "live",
        "world_place": place,
        "worlds": WORLDS,
        "limits": LIMITS,
        "scope": SCOPE,
        "stays": get_args(CrawlSettings.model_fields["stay"].annotation),
        "topics": _seeds_by_topic(space),
        "strategies": strategies.STRATEGIES.values(),
    }
    return rendering.page(request, "crawl_new", values)


def _seeds_by_topic(space: Workspace) -> dict[str, int]:
    """Return topic -> number of its seeds; topics whose files cannot be read are left out."""
    found = {}
    for name, source in topics.loadable(space).items():
        try:
            found[name] = len(topics.load(source, space).file.seeds)
        except UsageError:  # the list of ontologies says why
            continue
    return found


ROUTES = (
    Route("/crawls/_new", start_page),
    Route("/api/strategies", all_strategies),
    Route("/api/crawls/check", check, methods=["POST"]),
    Route("/api/crawls", start, methods=["POST"]),
)
