"""The links of a saved result page of a search engine, without those of the engine itself.

Engines lead through addresses of their own. Such a link is taken where the target stands in it (Google, Bing, Yahoo,
DuckDuckGo and many others); an opaque one (Baidu, Sogou) is left, because only the engine knows its target.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator
from urllib.parse import parse_qsl, unquote, urlsplit

from crawler.model import Failure, OutLink, Response
from crawler.pages.parse import parse
from crawler.scope.hosts import domain
from crawler.seeds.decoding import DamageError
from crawler.url import canonical, hostname

NO_ADDRESS = "http://saved-page.invalid/"
"""The base of a page that does not say where it is from; links that are joined to it are relative ones."""
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)", re.IGNORECASE)
_STATED = re.compile(
    rb"<(?:link\s[^>]*rel=[\"']?canonical|meta\s[^>]*property=[\"']?og:url)[^>]*?(?:href|content)=[\"']?([^\"'>\s]+)",
    re.IGNORECASE,
)
_TARGETS = ("url", "q", "u", "uddg", "target", "to", "dest", "redirect")
"""Parameters in which redirect addresses have their target."""
_IN_PATH = re.compile(r"/RU=([^/]+)/")
_OPAQUE = re.compile(r"/(?:link|url|ck/a|l/?|redirect|r/|jump|goto)(?:$|[/?])")


def links_of(body: bytes, name: str) -> Iterator[tuple[str, str]]:
    """Yield (canonical URL, reason code why it is left, or an empty text) of each link of a saved page.

    The reasons are engine_host (a link to the engine's own pages), opaque_redirect and relative_url.

    Args:
        body: bytes of the file.
        name: its name, for messages.

    Raises:
        DamageError: the file is no HTML page.
    """
    page_url = _address(body)
    page = parse(Response(page_url or NO_ADDRESS, 200, {"content-type": "text/html"}, body))
    if isinstance(page, Failure):
        raise DamageError(f"{name}: {page.detail}")
    engine = domain(hostname(page_url)) if page_url else _commonest(page.links)
    for link in page.links:
        if link.url.startswith(NO_ADDRESS):
            yield link.url, "relative_url"
            continue
        of_engine = domain(hostname(link.url)) == engine
        target = target_of(link.url) if of_engine else link.url
        if target is None:
            yield link.url, "opaque_redirect" if _OPAQUE.match(urlsplit(link.url).path) else "engine_host"
        else:
            yield target, "engine_host" if domain(hostname(target)) == engine else ""


def target_of(url: str) -> str | None:
    """Return the target of a redirect address, where the address contains it; else None.

    >>> target_of("https://www.google.com/url?sa=t&url=http%3A%2F%2Fnews.cn%2F1.html&usg=x")
    'http://news.cn/1.html'
    >>> target_of("https://www.bing.com/ck/a?!&&p=9&u=a1aHR0cDovL25ld3MuY24vMS5odG1s&ntb=1")
    'http://news.cn/1.html'
    >>> target_of("http://www.baidu.com/link?url=2rX7Opaque") is None
    True
    """
    parts = urlsplit(url)
    given = dict(reversed(parse_qsl(parts.query)))
    values = [given[name] for name in _TARGETS if name in given]
    in_path = _IN_PATH.search(parts.path)
    if in_path:
        values.append(unquote(in_path[1]))
    for value in values:
        written = _decoded(value) if value.startswith("a1") else value
        if written.startswith(("http://", "https://")):
            return canonical(written)
    return None


def _decoded(value: str) -> str:
    """Return the target in Bing's parameter ``u``: "a1" and base64."""
    code = value[2:]
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return value


def _address(body: bytes) -> str | None:
    """Return the URL that a page was saved from: the mark of browsers, or what the page states."""
    stated = _SAVED_FROM.search(body[:4096]) or _STATED.search(body)
    return canonical(stated[1].decode("utf-8", "replace")) if stated else None


def _commonest(links: tuple[OutLink, ...]) -> str:
    """Return the domain of the most links, which is the engine's on a page of results."""
    count = Counter(domain(hostname(link.url)) for link in links if not link.url.startswith(NO_ADDRESS))
    return count.most_common(1)[0][0] if count else ""
