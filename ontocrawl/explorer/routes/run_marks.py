"""Runs that are chosen in a table: marked, moved into the bin, brought back, deleted for good; and the bin itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ontocrawl.errors import UsageError
from ontocrawl.explorer.routes import here
from ontocrawl.explorer.tables import Source
from ontocrawl.graph.tables import Table
from ontocrawl.runs import removed_runs, run_files
from ontocrawl.runs.removed_runs import RemovedRun

_COLUMNS = {
    "run": "id", "removed": "removed", "topic": "topic", "strategy": "strategy", "disk": "disk", "tags": "tags",
    "note": "note",
}  # fmt: skip
"""Columns of the table of the bin -> attributes of its runs."""


async def mark(request: Request) -> Response:
    """Mark runs: ``{"runs": [..], "note": .., "tag": [..], "untag": [..], "hidden": true}``; what is absent stays."""
    sent = await here.sent(request, "runs", "note", "tag", "untag", "hidden")
    note, hidden = sent.get("note"), here.flag(sent, "hidden") if "hidden" in sent else None
    if note is not None and not isinstance(note, str):
        raise UsageError("explorer.text", name="note")
    tag, untag = (here.texts(sent.get(name, []), name) for name in ("tag", "untag"))

    def run() -> Response:
        marks = run_files.mark(here.space(request), _named(sent), note=note, tag=tag, untag=untag, hidden=hidden)
        return JSONResponse({"runs": [{"run": name, **one.as_json()} for name, one in marks.items()]})

    return await here.in_thread(request, run)


def _named(sent: Mapping[str, Any]) -> list[str]:
    """Return the runs that a request names. Raises UsageError for none."""
    names = list(dict.fromkeys(here.texts(sent.get("runs"), "runs")))
    if not names:
        raise UsageError("explorer.no_runs")
    return names


def in_bin(request: Request) -> Response:
    """Return the runs in the bin."""
    return JSONResponse({"bin": [asdict(one) for one in removed_runs.listed(here.space(request))]})


async def _changed(request: Request, what: str, change: Callable[..., list[RemovedRun]]) -> Response:
    """Answer a change of the bin by the runs that it is about."""
    names, graph = _named(await here.sent(request, "runs")), request.app.state.graph
    run = partial(change, here.space(request), names, graph.open)
    return await here.in_thread(request, lambda: JSONResponse({what: [asdict(one) for one in run()]}))


async def remove(request: Request) -> Response:
    """Move runs into the bin: ``{"runs": [NAME, ..]}``."""
    return await _changed(request, "moved", removed_runs.remove)


async def restore(request: Request) -> Response:
    """Bring runs back from the bin: ``{"runs": [ID, ..]}``."""
    return await _changed(request, "restored", removed_runs.restore)


async def delete(request: Request) -> Response:
    """Delete runs of the bin for good: ``{"runs": [ID, ..]}``."""
    return await _changed(request, "deleted", lambda space, names, _: removed_runs.empty(space, names))


def _bin(request: Request) -> Table:
    rows = []
    for one in removed_runs.listed(here.space(request)):
        of = {**asdict(one), "removed": one.removed[:16].replace("T", " ")}
        rows.append(tuple(of[name] for name in _COLUMNS.values()))
    return Table(tuple(_COLUMNS), tuple(rows))


SOURCES = {"bin": Source(_bin, choice="run", sort="-removed")}
ROUTES = (
    Route("/api/crawls/_mark", mark, methods=["POST"]),
    Route("/api/crawls/_bin", in_bin),
    Route("/api/crawls/_bin", remove, methods=["POST"]),
    Route("/api/crawls/_restore", restore, methods=["POST"]),
    Route("/api/crawls/_delete", delete, methods=["POST"]),
)
