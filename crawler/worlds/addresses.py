"""Network addresses that a crawl may connect to, and the table of addresses for hosts (as curl's --resolve)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from ada_url import URL

from crawler.worlds.errors import WorldError
from ontology.errors import Message


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
            raise WorldError("worlds.addresses_line", number=number, text=text)
        if table.setdefault(key, value) != value:
            raise WorldError("worlds.addresses_twice", number=number, written=written)
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


def refusal(address: str, *, allow_loopback: bool) -> Message | None:
    """Return why a resolved address must not be connected to; None where it may.

    Only public addresses may: a page on the web must not make the crawler connect to its own machine, its network or a
    cloud's metadata service. `crawler.worlds.addresses` lists the others.

    Args:
        address: a numeric address; an IPv6 one may have a zone.
        allow_loopback: whether loopback addresses may be connected to.

    >>> refusal("10.0.0.1", allow_loopback=False), refusal("8.8.8.8", allow_loopback=False)
    ('a private address', None)
    """
    ip = ip_address(address.partition("%")[0])
    if allow_loopback and ((isinstance(ip, IPv6Address) and ip.ipv4_mapped) or ip).is_loopback:
        return None
    return _purpose(ip)


def host_refusal(host: str, *, allow_loopback: bool) -> Message | None:
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


# ---- address blocks that a crawl must not connect to, each with its purpose
#
# The blocks of IANA's registries of special-purpose addresses for IPv4 and IPv6, blocks that were reserved before,
# and addresses at which clouds serve their machines. They are written down here because ``is_global`` of the standard
# library follows the registries at another pace in each patch release of Python, and counts some of these addresses
# as global.


LOOPBACK = "worlds.address_loopback"
"""Code of the message about an address of this machine."""
_PRIVATE = "private"
_LINK_LOCAL = "link_local"
_DOCUMENTATION = "documentation"
_AS112 = "as112"
_TRANSLATED = "translated"

V4_BLOCKS: tuple[tuple[IPv4Network, str], ...] = tuple(
    (IPv4Network(block), purpose)
    for block, purpose in (
        ("0.0.0.0/8", "this_network"),
        ("10.0.0.0/8", _PRIVATE),
        ("100.100.100.200/32", "metadata_alibaba"),
        ("100.64.0.0/10", "shared"),
        ("127.0.0.0/8", "loopback"),
        ("168.63.129.16/32", "platform"),
        ("169.254.169.254/32", "metadata"),
        ("169.254.0.0/16", _LINK_LOCAL),
        ("172.16.0.0/12", _PRIVATE),
        ("192.0.0.192/32", "metadata_oracle"),
        ("192.0.0.0/24", "ietf"),
        ("192.0.2.0/24", _DOCUMENTATION),
        ("192.31.196.0/24", _AS112),
        ("192.52.193.0/24", "tunnel"),
        ("192.88.99.0/24", "6to4"),
        ("192.168.0.0/16", _PRIVATE),
        ("192.175.48.0/24", _AS112),
        ("198.18.0.0/15", "benchmarks"),
        ("198.51.100.0/24", _DOCUMENTATION),
        ("203.0.113.0/24", _DOCUMENTATION),
        ("224.0.0.0/4", "multicast"),
        ("255.255.255.255/32", "broadcast"),
        ("240.0.0.0/4", "reserved"),
    )
)
"""(block, purpose) for IPv4. The first block with an address in it counts; messages name purposes as ``address_..``."""

V6_BLOCKS: tuple[tuple[IPv6Network, str], ...] = tuple(
    (IPv6Network(block), purpose)
    for block, purpose in (
        ("::/128", "unspecified"),
        ("::1/128", "loopback"),
        ("::/96", "compatible"),
        ("::ffff:0:0:0/96", "ipv4_translated"),
        ("64:ff9b:1::/48", _TRANSLATED),
        ("100::/64", "discarded"),
        ("100:0:0:1::/64", "dummy"),
        ("2001::/32", "teredo"),
        ("2001::/23", "ietf"),
        ("2001:db8::/32", _DOCUMENTATION),
        ("2620:4f:8000::/48", _AS112),
        ("3fff::/20", _DOCUMENTATION),
        ("5f00::/16", "segment"),
        ("fd00:ec2::254/128", "metadata_amazon"),
        ("fd20:ce::254/128", "metadata_google"),
        ("fc00::/7", "unique_local"),
        ("fe80::/10", _LINK_LOCAL),
        ("fec0::/10", "site_local"),
        ("ff00::/8", "multicast"),
    )
)
"""(block, purpose) for IPv6, in the same way."""

_V6_GLOBAL = IPv6Network("2000::/3")
"""The global unicast addresses of IPv6; IANA has given out no others."""
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_LENGTHS = (32, 40, 48, 56, 64, 96)
"""Lengths of the prefix of an IPv6 address that a translator makes of an IPv4 address (RFC 6052, 2.2)."""


def _purpose(ip: IPv4Address | IPv6Address) -> Message | None:
    """Return what an address is for that is no public address of a host; None for a public one.

    IPv4 addresses within IPv6 ones (mapped, NAT64 with its own or another prefix, 6to4) count as IPv4.

    >>> _purpose(IPv4Address("192.168.0.1")), _purpose(IPv6Address("64:ff9b::c0a8:1"))
    ('a private address', 'a private address (192.168.0.1) within IPv6')
    >>> _purpose(IPv4Address("8.8.8.8"))
    """
    if isinstance(ip, IPv4Address):
        return next((_named(purpose) for block, purpose in V4_BLOCKS if ip in block), None)
    bits = int(ip)
    if ip in _MAPPED or ip in _NAT64:
        return _within(IPv4Address(bits & 0xFFFFFFFF))
    if ip in _SIX_TO_FOUR:
        return _within(IPv4Address(bits >> 80 & 0xFFFFFFFF))
    special = next((purpose for block, purpose in V6_BLOCKS if ip in block), None)
    if special is not None or ip not in _V6_GLOBAL:
        return _named(special or "reserved")
    return next((found for v4 in _translated(bits) if (found := _within(v4)) is not None), None)


def _named(purpose: str) -> Message:
    return Message(f"worlds.address_{purpose}")


def _within(ip: IPv4Address) -> Message | None:
    found = _purpose(ip)
    return None if found is None else Message("worlds.address_within", found=found, ip=ip)


def _translated(bits: int) -> Iterator[IPv4Address]:
    """Yield the IPv4 addresses that a global address may stand for, where a network has its own prefix for NAT64.

    Bits 64 to 71 and those after the IPv4 address are 0 in such an address. The prefix cannot be known, so these are
    guesses; 0.0.0.0/8, which many servers' addresses would be by them (2001:db8::1), is no host and left out.
    """
    if bits >> 56 & 0xFF:
        return
    for length in _LENGTHS:
        # Without the bits 64 to 71 the IPv4 address is in one piece.
        joined = bits if length == 96 else (bits >> 64 << 56) | (bits & (1 << 56) - 1)
        width = 128 if length == 96 else 120
        v4, rest = divmod(joined, 1 << (width - length - 32))
        ip = IPv4Address(v4 & 0xFFFFFFFF)
        if not rest and ip not in _THIS_NETWORK:
            yield ip
