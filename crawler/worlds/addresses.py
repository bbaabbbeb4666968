"""Which network addresses a crawl may connect to, and the table that names addresses for hosts (curl's --resolve)."""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from crawler.worlds.errors import WorldError

_NAT64 = ip_network("64:ff9b::/96")


def parse_resolve(lines: Iterable[str]) -> dict[str, str]:
    """A resolve table from lines ``HOST:PORT=ADDR:PORT``; blank lines and lines that begin with # are passed over.

    IPv6 addresses stand in brackets. Answers HOST:PORT (lower case) -> ADDR:PORT.

    Raises:
        WorldError: a line of another form, an address that is a name, a host that is given twice differently.
    """
    table: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        key, equals, value = text.partition("=")
        if not equals or _split(key) is None or split_address(value) is None:
            raise WorldError(
                f"resolve table, line {number}: expected HOST:PORT=ADDR:PORT with a numeric address, found {text!r}"
            )
        if table.setdefault(key.lower(), value) != value:
            raise WorldError(f"resolve table, line {number}: {key} was given another address before; keep one of them")
    return table


def split_address(value: str) -> tuple[str, int] | None:
    """(address, port) of ``ADDR:PORT`` with a numeric address, else None."""
    pair = _split(value)
    if pair is None:
        return None
    try:
        return str(ip_address(pair[0].removeprefix("[").removesuffix("]"))), pair[1]
    except ValueError:
        return None


def refusal(address: str, *, allow_loopback: bool) -> str | None:
    """Why a resolved address may not be connected to; None where it may.

    Only global unicast addresses may: a page on the web must not make the crawler talk to its own machine, its
    network or a cloud's metadata service. IPv4 addresses inside IPv6 ones (mapped, 6to4, NAT64) count as themselves.
    """
    ip = _embedded(ip_address(address.partition("%")[0]))
    if ip.is_loopback:
        return None if allow_loopback else "a loopback address"
    if ip.is_multicast:
        return "a multicast address"
    if ip.is_link_local:
        return "a link-local address"
    return None if ip.is_global else "a private or reserved address"


def _embedded(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip


def _split(text: str) -> tuple[str, int] | None:
    host, colon, port = text.rpartition(":")
    if not host or not colon or not (port.isascii() and port.isdigit()) or not 0 < int(port) < 65536:
        return None
    return host, int(port)
