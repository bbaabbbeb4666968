"""The overview: what the workspace has, and where each view begins."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ontocrawl import workspace_topics
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here


def overview(request: Request) -> Response:
    """Show topics and runs of the workspace."""
    space = here.space(request)
    values = {
        "topics": workspace_topics.places(space),
        "shown": workspace_topics.with_ontologies(space),
        "runs": space.run_names(),
    }
    return rendering.page(request, "overview", values)


ROUTES = (Route("/", overview),)
