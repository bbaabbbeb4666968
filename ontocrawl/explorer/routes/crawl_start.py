"""Start a crawl: the form, the check of what it says and would cost, and the start itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from crawler import strategies
from ontocrawl.base.options import PANELS, CrawlSettings, Declared, declared
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.runs import crawl_request, run_status, runs
from ontocrawl.runs.crawl_request import CrawlRequest, FieldError
from ontocrawl.topics import topics
from ontology.errors import OntocrawlError, catalogued

WORLDS = ("live", "synthetic", "corpus", "archive")
"""Kinds of worlds that the form offers."""
_NEWEST, _SEEDS = 20, 100
"""Newest runs that are looked at for seeds, and seeds of one that are shown, at most."""


class Seeds(NamedTuple):
    """The seeds of a topic: the number of its own; without any, the run that crawled the live web for it, with its."""

    number: int
    before: tuple[str, ...] = ()
    run: str = ""


def all_strategies(request: Request) -> Response:
    """Return the strategies as `crawl strategies --json` does, titles and meanings in the request's language."""
    chosen = rendering.language_of(request)
    found = strategies.describe()
    for one in found:
        one["title"] = catalogued(one["title"], chosen)
        for about in one["about"].values():
            about["meaning"] = catalogued(about["meaning"], chosen)
    return JSONResponse({"strategies": found})


async def check(request: Request) -> Response:
    """Return what a crawl would be and cost, or why it would be refused. No run is made."""
    sent, space = await here.sent(request), here.space(request)

    def checked() -> dict[str, Any]:
        asked = crawl_request.of_json(sent)
        found, notes = crawl_request.check(space, asked).as_json(), list[str]()
        shown = _classes(request, asked, notes.append)
        return {**found, "notes": _said(request, [*found["notes"], *notes]), "classes": shown}

    return await here.in_thread(request, _answered, request, checked)


async def classes(request: Request) -> Response:
    """Return the classes that a crawl would be for, with their papers and first words."""
    sent = await here.sent(request, "topic", "classes", "cover", "words")

    def found() -> dict[str, Any]:
        notes = list[str]()
        shown = _classes(request, crawl_request.of_json(sent), notes.append)
        return {"classes": shown, "notes": _said(request, notes)}

    return await here.in_thread(request, _answered, request, found)


async def start(request: Request) -> Response:
    """Start a crawl as a process of its own."""
    sent, crawls = await here.sent(request), here.crawls(request)

    def started() -> dict[str, Any]:
        asked = crawl_request.of_json(sent)
        _classes(request, asked, list[str]().append)  # refused at its field, and not by a process that cannot begin
        return {"run": crawls.start(asked, rendering.language_of(request))}

    return await here.in_thread(request, _answered, request, started)


def _classes(request: Request, asked: CrawlRequest, on_stage: Callable[[str], None]) -> list[dict[str, Any]]:
    """Return the classes of a request as JSON, with remarks in the language of who asks."""
    if not (asked.options.classes or asked.options.cover):
        return []
    with here.graph(request) as graph:
        found = crawl_request.classes(here.space(request), asked, graph, on_stage)
    remarks = _said(request, [one.remark for one in found])
    return [{**one.as_json(), "remark": remark} for one, remark in zip(found, remarks, strict=True)]


def _said(request: Request, lines: list[str]) -> list[str]:
    """Return messages in the language of who asks."""
    return [rendering.said(line, rendering.language_of(request)) for line in lines]


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
    given = {name: "\n".join(request.query_params.getlist(name)) for name in crawl_request.FIELDS}
    kind, _, place = (given["world"] or "live").partition(":")
    values = {
        "given": given | {"topic": given["topic"] or defaults.topic},
        "defaults": defaults,
        "world_kind": kind if kind in WORLDS else "live",
        "world_place": place,
        "worlds": WORLDS,
        "panels": PANELS,
        "options": _options(),
        "topics": _seeds_by_topic(space),
        "strategies": strategies.STRATEGIES.values(),
    }
    return rendering.page(request, "crawl_new", values)


def _options() -> dict[str, list[Declared]]:
    """Return panel -> the options of the form in it."""
    options = [one for name, one in declared(CrawlSettings).items() if name in crawl_request.SETTINGS]
    return {panel: [one for one in options if one.panel == panel] for panel in PANELS}


def _seeds_by_topic(space: Workspace) -> dict[str, Seeds]:
    """Return topic -> its seeds, or those of its newest run; topics whose files cannot be read are left out."""
    begun, newest = dict[str, str](), dict[str, Seeds]()
    for run in space.run_names():
        with suppress(OntocrawlError, OSError):  # the list of crawls says why
            begun[run] = run_status.begun(space, run)[0]
    for run in sorted(begun, key=lambda name: begun[name], reverse=True)[:_NEWEST]:
        with suppress(OntocrawlError, OSError):
            config = runs.config_of(space, run)
            if config.world == "live":
                newest.setdefault(config.topic, Seeds(0, config.seeds[:_SEEDS], run))
    found = dict[str, Seeds]()
    for name, source in topics.loadable(space).items():
        with suppress(UsageError):  # the list of ontologies says why
            own = len(topics.load(source, space).file.seeds)
            found[name] = Seeds(own) if own else newest.get(name, Seeds(0))
    return found


ROUTES = (
    Route("/crawls/_new", start_page),
    Route("/api/strategies", all_strategies),
    Route("/api/crawls/check", check, methods=["POST"]),
    Route("/api/crawls/classes", classes, methods=["POST"]),
    Route("/api/crawls", start, methods=["POST"]),
)
