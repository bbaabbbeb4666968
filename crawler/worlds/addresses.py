"""Network addresses that a crawl may connect to, and the table of addresses for hosts (as curl's --resolve)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address

from ada_url import URL

from crawler.worlds.address_blocks import purpose
from crawler.worlds.errors import WorldError


def parse_resolve(lines: Iterable[str]) -> dict[str, str]:
    """Parse a resolve table of lines ``HOST:PORT=ADDR:PORT``, with IPv6 addresses in brackets.

    Blank lines and lines that begin with # are skipped.

    Returns:
        HOST:PORT -> ADDR:PORT, hosts as in URLs: in lower case, names in other scripts as punycode.

    Raises:
        WorldError: a line of another form, an address that is a name, two addresses for a host.

    >>> parse_resolve(["# local", "News.cn:80=127.0.0.1:8000"])
    {'news.cn:80': '127.0.0.1:8000'}
    >>> parse_resolve(["中文.test:80=127.0.0.1:8000"])
    {'xn--fiq228c.test:80': '127.0.0.1:8000'}
    """
    table: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        written, _, value = text.partition("=")
        key = _as_in_urls(written)
        if key is None or split_address(value) is None:
            raise WorldError(
                f"resolve table, line {number}: expected HOST:PORT=ADDR:PORT with a numeric address, found {text!r}"
            )
        if table.setdefault(key, value) != value:
            raise WorldError(f"resolve table, line {number}: {written} has two addresses; keep one of them")
    return table


def split_address(value: str) -> tuple[str, int] | None:
    """Split ``ADDR:PORT`` with a numeric address; None for any other string.

    >>> split_address("[::1]:8000"), split_address("localhost:8000")
    (('::1', 8000), None)
    """
    pair = _split(value)
    if pair is None:
        return None
    try:
        return str(ip_address(pair[0].removeprefix("[").removesuffix("]"))), pair[1]
    except ValueError:
        return None


def refusal(address: str, *, allow_loopback: bool) -> str | None:
    """Return why a resolved address must not be connected to; None where it may.

    Only public addresses may: a page on the web must not make the crawler connect to its own machine, its network or a
    cloud's metadata service. `crawler.worlds.address_blocks` lists the others.

    Args:
        address: a numeric address; an IPv6 one may have a zone.
        allow_loopback: whether loopback addresses may be connected to.

    >>> refusal("10.0.0.1", allow_loopback=False), refusal("8.8.8.8", allow_loopback=False)
    ('a private address', None)
    """
    ip = ip_address(address.partition("%")[0])
    if allow_loopback and ((isinstance(ip, IPv6Address) and ip.ipv4_mapped) or ip).is_loopback:
        return None
    return purpose(ip)


def host_refusal(host: str, *, allow_loopback: bool) -> str | None:
    """Return why a host must not be connected to, as far as its name shows it; None where it may or the DNS says more.

    Args:
        host: the host of a canonical URL: a name, or a numeric address, an IPv6 one in brackets.
        allow_loopback: as for `refusal`.

    >>> host_refusal("192.168.0.1", allow_loopback=False), host_refusal("news.cn", allow_loopback=False)
    ('a private address', None)
    >>> host_refusal("localhost", allow_loopback=False)  # RFC 6761, 6.3
    'a loopback address'
    """
    name = host.lower().rstrip(".")
    is_local = name == "localhost" or name.endswith(".localhost")
    try:
        return refusal("127.0.0.1" if is_local else name.strip("[]"), allow_loopback=allow_loopback)
    except ValueError:
        return None


def _as_in_urls(text: str) -> str | None:
    """Return ``HOST:PORT`` with the host as a URL has it; None where it is none."""
    pair = _split(text)
    if pair is None or any(sign in pair[0] for sign in "/\\?#@"):
        return None
    try:
        return f"{URL(f'http://{pair[0]}/').hostname}:{pair[1]}"
    except ValueError:
        return None


def _split(text: str) -> tuple[str, int] | None:
    host, colon, port = text.rpartition(":")
    if not host or not colon or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        return None
    return host, int(port)
