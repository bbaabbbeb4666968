"""What a request is about: the workspace and its graph, parameters of its address, the JSON that it sends."""

from __future__ import annotations

import json
from asyncio import get_running_loop
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from functools import partial
from typing import Any, ParamSpec, cast

from starlette.requests import Request
from starlette.responses import Response

from kg.interruption import interruptible
from kg.store import GraphStore
from ontocrawl.base.workspace import Workspace
from ontocrawl.errors import UsageError
from ontocrawl.runs.crawl_process import CrawlProcesses

P = ParamSpec("P")
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


def remembered(request: Request, key: Hashable, read: Callable[[GraphStore], bytes]) -> bytes:
    """Return what is read from the graph, or was read before by the same key from the same graph."""
    with _limited(request):
        return cast(bytes, request.app.state.graph.remembered(key, read))


def _limited(request: Request) -> AbstractContextManager[None]:
    gone = request.scope.get(GONE)
    return nullcontext() if gone is None else interruptible(request.app.state.timeout, gone)


def crawls(request: Request) -> CrawlProcesses:
    """Return the crawls that the server has started."""
    return cast(CrawlProcesses, request.app.state.crawls)


def number(request: Request, name: str, default: int, most: int) -> int:
    """Return a parameter that is a number from 0 to ``most``. Raises UsageError for another value."""
    text = request.query_params.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
        raise UsageError(f"{name}: expected a number from 0 to {most}, found {text[:40]!r}")
    return int(text)


def texts(value: object, name: str) -> list[str]:
    """Return a list of texts that a request sends under a name. Raises UsageError for anything else."""
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise UsageError(f"{name}: expected a list of texts")
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
        raise UsageError(f"{name}: expected true or false")
    return value


async def sent(request: Request, *known: str) -> Mapping[str, Any]:
    """Return the JSON object that a request sends.

    Args:
        request: the request.
        *known: the names that the object may have; any where none is given.

    Raises:
        UsageError: it sends anything else, or another name.
    """
    found = json_object((await request.body()).decode("utf-8", "replace") or "{}", "the body of the request")
    if known and (unknown := sorted(found.keys() - set(known))):
        raise UsageError(f"expected {', '.join(known)}; found {', '.join(unknown)}")
    return found


def json_object(text: str, what: str) -> dict[str, Any]:
    """Parse a JSON object that a request has; ``what`` names it in the message of the UsageError for anything else."""
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()  # halves of surrogate pairs are no text
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{what} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{what} must be a JSON object")
    return value
