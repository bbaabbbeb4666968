"""Review: the proposals of a topic, and verdicts about them, by the functions of `enrich decide`."""

from __future__ import annotations

from typing import get_args

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl import clock, deciding, topics
from ontocrawl.enrichment import proposals, reviewing
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.explorer.routes import here
from ontocrawl.reviewed import STATUSES
from ontology.enrichment.proposal import Kind

_VERDICT = ("action", "rename", "parent", "merge", "why")
"""Texts that a verdict may have."""


def found(request: Request) -> Response:
    """Return the proposals of a topic, by default the open ones; without a topic those of all topics."""
    space, given = here.space(request), request.query_params
    status, kind = given.get("status", "proposed"), given.get("kind", "")
    if status not in (*STATUSES, "all") or kind not in ("", *get_args(Kind)):
        raise UsageError(f"status: one of {', '.join(STATUSES)}, all; kind: one of {', '.join(get_args(Kind))}")
    names = [topics.named(given["topic"], space).name] if given.get("topic") else list(topics.available(space))
    wanted = "" if status == "all" else status
    with here.graph(request) as graph:
        rows = [p for name in names for p in proposals.find(space, graph, name, status=wanted, kind=kind)]
    return JSONResponse({"proposals": [proposals.as_json(row) for row in rows]})


async def decide(request: Request) -> Response:
    """Decide about a proposal: ``{"action": "accept", "rename": .., "parent": .., "merge": .., "why": ..}``.

    ``{"undo": true}`` withdraws the verdict.
    """
    sent = await here.sent(request)
    unknown = sorted(sent.keys() - {*_VERDICT, "undo"})
    if unknown or not all(isinstance(sent.get(name, ""), str) for name in _VERDICT):
        raise UsageError(
            f"a verdict has the texts {', '.join(_VERDICT)} and the flag undo; found {unknown or 'no text'}"
        )
    texts = {name: sent.get(name, "") for name in _VERDICT}
    why = texts.pop("why")
    verdict = reviewing.verdict_of(texts.pop("action"), **texts, undo=bool(sent.get("undo")))
    space, proposal = here.space(request), request.path_params["id"]

    def run() -> Response:
        with here.graph(request) as graph:
            outcome = reviewing.decide_by_id(
                space, graph, proposal, verdict, who=deciding.person(""), when=clock.now(), why=why
            )
        return JSONResponse(outcome.as_json())

    return await here.in_thread(run)


def review_page(request: Request) -> Response:
    """Show the queue of proposals, which the browser reads from the interface."""
    return rendering.page(request, "review", {"topics": topics.available(here.space(request))})


ROUTES = (
    Route("/review", review_page),
    Route("/api/proposals", found),
    Route("/api/proposals/{id:path}", decide, methods=["POST"]),
)
