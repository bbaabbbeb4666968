"""The overview: what the workspace has, and where each view begins; and whether the server is well."""

from __future__ import annotations

import os

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.topics import topics


def overview(request: Request) -> Response:
    """Show topics and runs of the workspace."""
    space = here.space(request)
    values = {
        "topics": topics.places(space),
        "shown": topics.with_ontologies(space),
        "runs": space.run_names(),
    }
    return rendering.page(request, "overview", values)


def health(request: Request) -> Response:
    """Answer a health check: 200, or 503 where the folder of the workspace cannot be used. It needs no token."""
    if os.access(here.space(request).root, os.R_OK | os.W_OK | os.X_OK):
        return JSONResponse({"status": "ok"})
    return rendering.error(request, "the folder of the workspace cannot be read and written", 503)


ROUTES = (Route("/", overview), Route("/health", health))
