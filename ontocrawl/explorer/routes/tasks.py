"""Long tasks: how far one is. Each is started by the route of what it does."""

from __future__ import annotations

from typing import cast

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.explorer import rendering
from ontocrawl.explorer.jobs import Job, Jobs, Work


def started(request: Request, what: str, work: Work, *, only_reads: bool = False) -> Response:
    """Start a task for a request, and return it with status 202."""
    return _told(request, _jobs(request).start(what, work, only_reads=only_reads), 202)


def one(request: Request) -> Response:
    """Return a task: its stages so far, and its result or error when it is done."""
    return _told(request, _jobs(request).get(request.path_params["id"]))


def _told(request: Request, job: Job, status: int = 200) -> Response:
    """Return a task with what it says in the language of who asks."""
    return JSONResponse(rendering.spoken(job.as_json(), rendering.language_of(request)), status)


def _jobs(request: Request) -> Jobs:
    return cast(Jobs, request.app.state.jobs)


ROUTES = (Route("/api/tasks/{id}", one),)
