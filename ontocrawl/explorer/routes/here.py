"""What a request is about: the workspace and its graph, parameters of its address, the JSON that it sends."""

from __future__ import annotations

import json
from asyncio import get_running_loop
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response

from kg.interruption import interruptible
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.explorer import rendering
from ontocrawl.graph.graph_store import SharedGraph
from ontocrawl.runs import run_status
from ontocrawl.runs.crawl_process import CrawlProcesses
from ontocrawl.topics import topics
from ontology.errors import Message

P = ParamSpec("P")
T = TypeVar("T")
GONE = "ontocrawl.gone"
"""Key of the scope of a request that changes nothing: an event that is set when nobody waits for the answer."""


def space(request: Request) -> Workspace:
    """Return the workspace that the server shows."""
    return cast(Workspace, request.app.state.space)


@contextmanager
def graph(request: Request) -> Iterator[GraphStore]:
    """Give the open graph of the workspace. What is read ends when nobody waits for it or its time is over."""
    with _limited(request), request.app.state.graph.open() as graph:
        yield graph


def once(request: Request, name: str, read: Callable[[], T]) -> T:
    """Return what is read, once for all that one request asks by the same name."""
    if not hasattr(request.state, name):
        setattr(request.state, name, read())
    return cast(T, getattr(request.state, name))


def runs_of(request: Request, *, hidden: bool = False, tag: str = "") -> list[Mapping[str, Any]]:
    """Return the measures and marks of the runs of the workspace (`run_status.listed`)."""
    key = f"runs {hidden} {tag}"
    return once(request, key, lambda: run_status.listed(space(request), hidden=hidden, tag=tag))


def with_ontologies(request: Request) -> list[str]:
    """Return the names of the topics that have ontologies (`topics.with_ontologies`)."""
    return once(request, "with_ontologies", lambda: topics.with_ontologies(space(request)))


def remembered(request: Request, key: Hashable, read: Callable[[GraphStore], T]) -> T:
    """Return what is read from the graph, or was read before by the same key from the same graph."""
    with _limited(request):
        return cast(SharedGraph, request.app.state.graph).remembered(key, read)


def _limited(request: Request) -> AbstractContextManager[None]:
    gone = request.scope.get(GONE)
    return nullcontext() if gone is None else interruptible(request.app.state.timeout, gone)


def crawls(request: Request) -> CrawlProcesses:
    """Return the crawls that the server has started."""
    return cast(CrawlProcesses, request.app.state.crawls)


def number(request: Request, name: str, default: int, most: int) -> int:
    """Return a parameter that is a number from 0 to ``most``. Raises UsageError for another value."""
    return rendering.number(request.query_params, name, default, most)


def texts(value: object, name: str) -> list[str]:
    """Return a list of texts that a request sends under a name. Raises UsageError for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError("explorer.list_of_texts", name=name)
    return value


def text(sent: Mapping[str, Any], name: str) -> str:
    """Return a text that a request sends under a name. Raises UsageError for anything else."""
    value = sent.get(name)
    if not isinstance(value, str):
        raise UsageError("explorer.text", name=name)
    return value


async def in_thread(
    request: Request, function: Callable[P, Response], *arguments: P.args, **named: P.kwargs
) -> Response:
    """Run a change in a thread of its own, so that other requests go on. The server waits for it at its end."""
    work = partial(copy_context().run, partial(function, *arguments, **named))
    return await get_running_loop().run_in_executor(request.app.state.changes, work)


def flag(sent: Mapping[str, Any], name: str, default: bool = False) -> bool:
    """Return a value that is true or false. Raises UsageError for any other value."""
    value = sent.get(name, default)
    if not isinstance(value, bool):
        raise UsageError("explorer.flag", name=name)
    return value


async def sent(request: Request, *known: str) -> Mapping[str, Any]:
    """Return the JSON object that a request sends.

    Args:
        request: the request.
        *known: the names that the object may have; any where none is given.

    Raises:
        UsageError: it sends anything else, or another name.
    """
    found = json_object((await request.body()).decode("utf-8", "replace") or "{}", Message("explorer.json_body"))
    if known and (unknown := sorted(found.keys() - set(known))):
        raise UsageError("explorer.unknown_names", known=", ".join(known), unknown=", ".join(unknown))
    return found


def json_object(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object that a request has; ``what`` names it in the message of the UsageError for anything else."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # halves of surrogate pairs are no text
    except (ValueError, RecursionError) as error:
        raise UsageError("files.not_json", what=what, error=error) from error
    if not isinstance(value, dict):
        raise UsageError("explorer.json_object", what=what)
    return value
