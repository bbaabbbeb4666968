"""What the process of a crawl does, and how it is paused and goes on."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.runs import crawl_process
from ontocrawl.runs.crawl_request import FieldError


def process(request: Request) -> Response:
    """Return whether the process of a run starts, crawls, ends or has ended, and what it wrote to stderr."""
    return JSONResponse(here.crawls(request).state(request.path_params["run"]).as_json())


def pause(request: Request) -> Response:
    """End the crawl of a run in order; it can go on later."""
    space, name = here.space(request), request.path_params["run"]
    crawl_process.pause(space, name)
    return JSONResponse({"run": name, "paused": True})


async def resume(request: Request) -> Response:
    """Let a run go on, with the limits that are sent: ``{"limit_pages": 600}``."""
    limits, crawls, name = await here.sent(request), here.crawls(request), request.path_params["run"]

    def run() -> Response:
        try:
            crawls.resume(name, limits, rendering.language_of(request))
        except FieldError as error:
            return rendering.error(request, str(error), 400, field=error.field)
        return JSONResponse({"run": name})

    return await here.in_thread(request, run)


ROUTES = (
    Route("/api/crawls/{run}/process", process),
    Route("/api/crawls/{run}/pause", pause, methods=["POST"]),
    Route("/api/crawls/{run}/resume", resume, methods=["POST"]),
)
