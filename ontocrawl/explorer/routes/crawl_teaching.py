"""What persons say of the pages of a crawl, by the functions of `crawl teach`."""

from __future__ import annotations

from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.explorer.routes import here
from ontocrawl.runs import teaching

_LISTS = ("like", "unlike", "forget")


def taught(request: Request) -> Response:
    """Return what a run was taught, as `crawl teach RUN --json`, and whether its strategy learns from pages."""
    space, run = here.space(request), request.path_params["run"]
    return JSONResponse({**asdict(teaching.taught(space, run)), **asdict(teaching.teachable(space, run))})


async def teach(request: Request) -> Response:
    """Teach a run: ``{"like": [URL, ..], "unlike": [..], "forget": [..]}``."""
    sent, space, run = await here.sent(request, *_LISTS), here.space(request), request.path_params["run"]
    lists = {name: here.texts(sent.get(name, []), name) for name in _LISTS}
    return await here.in_thread(request, lambda: JSONResponse(asdict(teaching.teach(space, run, **lists))))


ROUTES = (
    Route("/api/crawls/{run}/taught", taught),
    Route("/api/crawls/{run}/taught", teach, methods=["POST"]),
)
