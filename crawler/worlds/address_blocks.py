"""Address blocks that a crawl must not connect to, each with its purpose.

The blocks of IANA's registries of special-purpose addresses for IPv4 and IPv6, blocks that were reserved before, and
addresses at which clouds serve their machines. They are written down here because ``is_global`` of the standard library
follows the registries at another pace in each patch release of Python, and counts some of these addresses as global.
"""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

_PRIVATE = "a private address"
_LINK_LOCAL = "a link-local address"
_DOCUMENTATION = "an address for documentation"
_AS112 = "an address of AS112, which answers for private networks"
_TRANSLATED = "an address of an IPv4 network behind a translator (NAT64)"

V4_BLOCKS: tuple[tuple[IPv4Network, str], ...] = tuple(
    (IPv4Network(block), purpose)
    for block, purpose in (
        ("0.0.0.0/8", "an address of this network (0.0.0.0/8)"),
        ("10.0.0.0/8", _PRIVATE),
        ("100.100.100.200/32", "the metadata service of a cloud (Alibaba)"),
        ("100.64.0.0/10", "an address shared behind a provider's NAT"),
        ("127.0.0.0/8", "a loopback address"),
        ("168.63.129.16/32", "the platform service of a cloud (Azure)"),
        ("169.254.169.254/32", "the metadata service of a cloud"),
        ("169.254.0.0/16", _LINK_LOCAL),
        ("172.16.0.0/12", _PRIVATE),
        ("192.0.0.192/32", "the metadata service of a cloud (Oracle)"),
        ("192.0.0.0/24", "an address for IETF protocols"),
        ("192.0.2.0/24", _DOCUMENTATION),
        ("192.31.196.0/24", _AS112),
        ("192.52.193.0/24", "an address of a multicast tunnel (AMT)"),
        ("192.88.99.0/24", "an address of a 6to4 relay"),
        ("192.168.0.0/16", _PRIVATE),
        ("192.175.48.0/24", _AS112),
        ("198.18.0.0/15", "an address for benchmarks of networks, which some proxies give to all hosts"),
        ("198.51.100.0/24", _DOCUMENTATION),
        ("203.0.113.0/24", _DOCUMENTATION),
        ("224.0.0.0/4", "a multicast address"),
        ("255.255.255.255/32", "a broadcast address"),
        ("240.0.0.0/4", "a reserved address"),
    )
)
"""(block, purpose) for IPv4. The first block with an address in it counts."""

V6_BLOCKS: tuple[tuple[IPv6Network, str], ...] = tuple(
    (IPv6Network(block), purpose)
    for block, purpose in (
        ("::/128", "the unspecified address"),
        ("::1/128", "a loopback address"),
        ("::/96", "an IPv4-compatible address, which is obsolete"),
        ("::ffff:0:0:0/96", "an IPv4-translated address"),
        ("64:ff9b:1::/48", _TRANSLATED),
        ("100::/64", "an address whose packets are discarded"),
        ("100:0:0:1::/64", "a dummy address"),
        ("2001::/32", "an address of a Teredo tunnel"),
        ("2001::/23", "an address for IETF protocols"),
        ("2001:db8::/32", _DOCUMENTATION),
        ("2620:4f:8000::/48", _AS112),
        ("3fff::/20", _DOCUMENTATION),
        ("5f00::/16", "an identifier of segment routing"),
        ("fd00:ec2::254/128", "the metadata service of a cloud (Amazon)"),
        ("fd20:ce::254/128", "the metadata service of a cloud (Google)"),
        ("fc00::/7", "a private address (unique local)"),
        ("fe80::/10", _LINK_LOCAL),
        ("fec0::/10", "a private address (site-local)"),
        ("ff00::/8", "a multicast address"),
    )
)
"""(block, purpose) for IPv6, in the same way."""

V6_GLOBAL = IPv6Network("2000::/3")
"""The global unicast addresses of IPv6; IANA has given out no others."""
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_SIX_TO_FOUR = IPv6Network("2002::/16")
_THIS_NETWORK = IPv4Network("0.0.0.0/8")
_LENGTHS = (32, 40, 48, 56, 64, 96)
"""Lengths of the prefix of an IPv6 address that a translator makes of an IPv4 address (RFC 6052, 2.2)."""


def purpose(ip: IPv4Address | IPv6Address) -> str | None:
    """Return what an address is for that is no public address of a host; None for a public one.

    IPv4 addresses within IPv6 ones (mapped, NAT64 with its own or another prefix, 6to4) count as IPv4.

    >>> purpose(IPv4Address("192.168.0.1")), purpose(IPv6Address("64:ff9b::c0a8:1"))
    ('a private address', 'a private address (192.168.0.1) within IPv6')
    >>> purpose(IPv4Address("8.8.8.8"))
    """
    if isinstance(ip, IPv4Address):
        return next((purpose for block, purpose in V4_BLOCKS if ip in block), None)
    bits = int(ip)
    if ip in _MAPPED or ip in _NAT64:
        return _within(IPv4Address(bits & 0xFFFFFFFF))
    if ip in _SIX_TO_FOUR:
        return _within(IPv4Address(bits >> 80 & 0xFFFFFFFF))
    special = next((purpose for block, purpose in V6_BLOCKS if ip in block), None)
    if special is not None or ip not in V6_GLOBAL:
        return special or "a reserved address"
    return next((found for v4 in _translated(bits) if (found := _within(v4)) is not None), None)


def _within(ip: IPv4Address) -> str | None:
    found = purpose(ip)
    return None if found is None else f"{found} ({ip}) within IPv6"


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
