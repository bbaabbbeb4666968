"""Whether a crawl can fetch a page, and where it cannot, whether other programs can.

A crawl connects directly, to public addresses, and trusts the bundled certificates or those of one file. requests does
what most programs do: it uses the proxies, certificates and passwords that the environment names. A page that only
requests can fetch shows what the crawl lacks; a page that neither can fetch shows that the cause is elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlsplit

import requests

from crawler.model import Failure, Response
from crawler.url import canonical
from crawler.worlds import LiveWorld
from ontocrawl.config import CrawlSettings
from ontocrawl.errors import UsageError

_ADVICE = {
    "blocked_address": "its address is not public: add --allow-loopback to `crawl run`, or name the host in --resolve",
    "tls": "name the file of certificates that they trust (REQUESTS_CA_BUNDLE) as `ca_file` in the settings, section "
    "[crawl]; without it a crawl trusts the bundled ones",
    "timeout": "raise `timeout` in the settings, section [crawl]",
    "too_large": "raise `max_bytes` in the settings, section [crawl]",
}


class Reached(NamedTuple):
    """Whether a crawl can fetch a page, what it found, and what to do if it cannot."""

    ok: bool
    found: str
    advice: str = ""


def reach(url: str, settings: CrawlSettings, *, allow_loopback: bool = False) -> Reached:
    """Fetch a page as a crawl does; where that fails, fetch it by requests and compare.

    Args:
        url: the page. A response of any status counts, a redirect too.
        settings: timeout, size limit and user agent of the crawl.
        allow_loopback: whether the page may be on this machine.

    Returns:
        The result, with advice for a failure.

    Raises:
        UsageError: the URL is not an absolute http or https URL.
    """
    target = canonical(url)
    if target is None:
        raise UsageError(f"--reach {url}: expected a URL that begins with http:// or https://")
    world = LiveWorld(
        timeout=settings.timeout,
        max_bytes=settings.max_bytes,
        user_agent=settings.user_agent,
        allow_loopback=allow_loopback,
        ca_file=settings.ca_file,
    )
    answer = world.fetch(target)
    world.close()
    if isinstance(answer, Response):
        return Reached(True, f"{target} answers with status {answer.status}")
    return Reached(False, f"{answer.reason}: {answer.detail}", _advice(answer, settings))


def _advice(failure: Failure, settings: CrawlSettings) -> str:
    """Return what to do about a page that the crawl's client could not fetch."""
    proxy = requests.utils.select_proxy(failure.url, requests.utils.get_environ_proxies(failure.url))
    headers = {"User-Agent": settings.user_agent}
    try:
        with requests.get(
            failure.url, headers=headers, timeout=settings.timeout, allow_redirects=False, stream=True
        ) as reply:
            status = reply.status_code
    except requests.RequestException as error:
        return f"other programs on this machine do not reach it either: {error}"
    if proxy:
        host = urlsplit(proxy).hostname or "of the environment"  # without its user name and password
        return f"only the proxy {host} reaches it (status {status}), and a crawl uses none: crawl from another network"
    known = _ADVICE.get(failure.reason, "the server treats the crawl's client in another way")
    return f"other programs reach it (status {status}); {known}"
