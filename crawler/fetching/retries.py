"""Which failures are tried again, how often and when; and what a server asks by Retry-After."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from types import MappingProxyType

from crawler.model import Failure, Response

NO_RESPONSE = frozenset({"timeout", "refused", "dns", "unreachable", "connection_reset", "tls"})
"""Failure reasons that do not concern the page itself: nothing came from its host."""
_INCOMPLETE = "incomplete_body"
"""Reason of a page that is cut off: it is tried again, and what came of it is kept where that does not help."""
HOST_DOWN, HOST_PAUSED = "host_down", "host_paused"
LEFT_ALONE = frozenset({HOST_DOWN, HOST_PAUSED})
"""Failure reasons of links to a host that is left alone, without a request."""
BUSY = frozenset({429, 503})
"""Status codes by which a host asks for fewer requests."""


@dataclass(frozen=True, slots=True)
class Retry:
    """How a failure is tried again."""

    times: int
    """Tries after the first one."""
    delay: float
    """Seconds before the first of them; the double before each next one."""


_SOON, _LATER = Retry(2, 2.0), Retry(2, 10.0)
RETRIES: Mapping[str, Retry] = MappingProxyType(
    {
        "timeout": _SOON,
        "refused": _SOON,
        "unreachable": _SOON,
        "connection_reset": _SOON,
        _INCOMPLETE: _SOON,
        "dns": Retry(1, 2.0),
        "tls": Retry(1, 2.0),
        "http_408": _SOON,
        "http_500": Retry(1, 10.0),
        "http_502": _SOON,
        "http_504": _SOON,
        "http_429": _LATER,
        "http_503": _LATER,
    }
)
"""Reason code -> its retries. Every other failure is final at once: the page would fail again in the same way."""
RETRIES_AT_ONCE: Mapping[str, Retry] = MappingProxyType({reason: Retry(r.times, 0.0) for reason, r in RETRIES.items()})
"""For archives, which hold what came of each try."""
NO_RETRIES: Mapping[str, Retry] = MappingProxyType({})
"""For worlds in memory, whose replies never change."""


def reason_of(reply: Response | Failure) -> str:
    """Return the reason code of a reply; ``http_STATUS`` for a response, incomplete_body for a page that is cut off.

    >>> reason_of(Failure("http://a.cn/", "timeout")), reason_of(Response("http://a.cn/", 503, {}, b""))
    ('timeout', 'http_503')
    """
    if isinstance(reply, Failure):
        return reply.reason
    return _INCOMPLETE if reply.partial.startswith(_INCOMPLETE) else f"http_{reply.status}"


def retry_after(response: Response, now: float) -> float | None:
    """Return the seconds that a response asks to wait (RFC 9110, 10.2.3).

    Args:
        response: a response.
        now: the current time as a POSIX timestamp, used where the header is a date and the response has none.

    Returns:
        Seconds, 0 or more; None without a valid header.

    >>> retry_after(Response("http://a.cn/", 429, {"retry-after": "120"}, b""), now=0.0)
    120.0
    """
    value = response.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    then = _timestamp(value)
    sent = _timestamp(response.headers.get("date", ""))
    return None if then is None else max(0.0, then - (now if sent is None else sent))


def _timestamp(date: str) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
