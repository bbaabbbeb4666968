"""An exchange with the web, without input and output: a generator that yields requests and receives their replies.

So the rules of fetching (robots.txt at each hop, redirects, scope) are written once, in order, and whoever drives the
exchange decides when each request is made, in which thread, and how often it is tried.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from crawler.model import Failure, Response
from crawler.url import canonical

REDIRECTS = frozenset({301, 302, 303, 307, 308})
Result = TypeVar("Result")


def redirect_target(reply: Response | Failure) -> str | None:
    r"""Return the canonical URL that a reply redirects to; None where it does not, or names none or different ones.

    >>> redirect_target(Response("http://a.cn/x", 302, {"location": "y"}, b""))
    'http://a.cn/y'
    >>> redirect_target(Response("http://a.cn/x", 302, {"location": "/y\n/z"}, b""))
    """
    if isinstance(reply, Failure) or reply.status not in REDIRECTS:
        return None
    location = reply.headers.get("location", "")
    return canonical(location, reply.url) if location and "\n" not in location else None


@dataclass(frozen=True, slots=True)
class Request:
    """One hop to make."""

    url: str
    page: bool = True
    """Whether a response with status 200 is the page; False for a robots.txt file."""
    hops: tuple[str, ...] = ()
    """The URLs that redirected here, in order."""
    crawl_delay: float = 0.0
    """Seconds between two requests that the robots.txt of the host asks for."""
    fetch: Callable[[str], Response | Failure] | None = None
    """Makes the hop in place of the world: of what a page in a browser loads."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """No request: another exchange reads the robots.txt of this origin. Any value may be sent once it has ended."""

    site: str


Exchange: TypeAlias = Generator[Request | Waiting, Response | Failure, Result]
"""A generator that yields requests, receives their replies, and returns a result."""


def drive(exchange: Exchange[Result], fetch: Callable[[str], Response | Failure]) -> Result:
    """Make the requests of a single exchange one after the other, without delays.

    Args:
        exchange: a new exchange.
        fetch: makes one hop, as ``World.fetch``.

    Returns:
        The result of the exchange.

    Raises:
        RuntimeError: the exchange waits for another one.
    """
    try:
        request = next(exchange)
        while True:
            if isinstance(request, Waiting):
                raise RuntimeError(  # noqa: TRY004 - the state is wrong, not a type
                    f"another exchange reads {request.site}/robots.txt, and this one is driven alone"
                )
            request = exchange.send(fetch(request.url))
    except StopIteration as end:
        result: Result = end.value
        return result
