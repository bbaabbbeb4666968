"""Addresses that a crawl may connect to. Resolver and connector are fakes: no packet leaves this machine."""

from __future__ import annotations

import ipaddress
import socket
import time
from typing import Any

import pytest

from crawler.fetching.fetch import Fetched, Fetcher
from crawler.model import Failure, Response
from crawler.url import canonical
from crawler.worlds.addresses import V4_BLOCKS, V6_BLOCKS, refusal
from crawler.worlds.connection import Address, Dialer, NetworkError
from crawler.worlds.live import LiveWorld
from tests.crawler.nasty_server import NastyServer

PUBLIC = """
    93.184.215.14 8.8.8.8 1.0.0.1 100.63.255.255 100.128.0.1 172.15.255.255 172.32.0.1 191.255.255.255 192.0.1.1
    198.17.255.255 198.20.0.1 223.255.255.255 168.63.129.15 2606:4700::1111 2606:4700::6810:84e5
    2a00:1450:4001:80b::200e 2001:200::1 2620:4f:8001::1 2a03:2880:f12f:83:face:b00c:0:25de 64:ff9b::5db8:d70e
    ::ffff:93.184.215.14 2002:5db8:d70e::1 2a01:4f8:c2c:123f:64:5:5db8:d70e
"""
SPELLINGS = """
    127.1 0x7f.1 0x7F000001 2130706433 017700000001 0177.0.0.01 127.0.0.1. 127.000.000.001 １２７.0.0.1 127。0。0。1
    [::1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1]
"""
REFUSED = {
    "0.0.0.0": "this network",
    "0.1.2.3": "this network",
    "10.255.255.255": "private",
    "100.64.0.1": "provider's NAT",
    "100.100.100.200": "metadata",
    "127.0.0.1": "loopback",
    "127.255.255.254": "loopback",
    "168.63.129.16": "platform service",
    "169.254.169.254": "metadata",
    "169.254.170.2": "link-local",
    "172.16.4.4": "private",
    "172.31.255.255": "private",
    "192.0.0.1": "IETF protocols",
    "192.0.0.9": "IETF protocols",  # is_global says True in some releases of Python
    "192.0.0.192": "metadata",
    "192.0.2.1": "documentation",
    "192.31.196.1": "AS112",
    "192.52.193.1": "AMT",
    "192.88.99.1": "6to4 relay",
    "192.168.0.1": "private",
    "192.175.48.1": "AS112",
    "198.18.0.1": "benchmarks",
    "198.19.255.255": "benchmarks",
    "198.51.100.1": "documentation",
    "203.0.113.1": "documentation",
    "224.0.0.1": "multicast",
    "239.255.255.250": "multicast",
    "240.0.0.1": "reserved",
    "255.255.255.255": "broadcast",
    "::": "unspecified",
    "::1": "loopback",
    "::127.0.0.1": "IPv4-compatible",
    "::93.184.215.14": "IPv4-compatible",
    "::ffff:127.0.0.1": "loopback address (127.0.0.1)",
    "::ffff:a00:1": "private address (10.0.0.1)",
    "::ffff:0:127.0.0.1": "IPv4-translated",
    "64:ff9b::7f00:1": "loopback address (127.0.0.1)",
    "64:ff9b::169.254.169.254": "metadata",
    "64:ff9b:1::1": "NAT64",
    "64:ff9b:1:7f00:0:100::": "NAT64",
    "100::1": "discarded",
    "100:0:0:1::1": "dummy",
    "2001::1": "Teredo",
    "2001:0:5db8:d70e:0:0:f5ff:fffe": "Teredo",  # 10.0.0.1 within
    "2001:2::1": "IETF protocols",
    "2001:20::1": "IETF protocols",
    "2001:db8::1": "documentation",
    "2002:7f00:1::": "loopback address (127.0.0.1)",
    "2002:c0a8:101::1": "private address (192.168.1.1)",
    "2620:4f:8000::1": "AS112",
    "3fff:fff::1": "documentation",
    "4000::1": "reserved",
    "5f00::1": "segment routing",
    "fc00::1": "unique local",
    "fd00:ec2::254": "metadata",
    "fd20:ce::254": "metadata",
    "fdff::1": "unique local",
    "fe80::1": "link-local",
    "fe80::1%eth0": "link-local",
    "fe80::a9fe:a9fe%2": "link-local",
    "::1%lo": "loopback",
    "fec0::1": "site-local",
    "ff02::1": "multicast",
    "e000::1": "reserved",
    # 10.1.2.3 behind a translator with a prefix of 96, 64, 56, 48, 40 and 32 bits (RFC 6052, 2.2)
    "2a00:1098:2c:1::a01:203": "private address (10.1.2.3)",
    "2a00:1098:2c:1:a:102:300:0": "private address (10.1.2.3)",
    "2a00:1098:2c:a:1:203::": "private address (10.1.2.3)",
    "2a00:1098:2c:a01:2:300::": "private address (10.1.2.3)",
    "2a00:1098:a:102:3::": "private address (10.1.2.3)",
    "2a00:1098:a01:203::": "private address (10.1.2.3)",
    "2a00:1098:2c:1::7f00:1": "loopback address (127.0.0.1)",
    "2a00:1098:2c:1::c0a8:1": "private address (192.168.0.1)",
}


class Net:
    """A resolver that gives its answers in order, and a connector that takes notes."""

    def __init__(self, *answers: tuple[str, ...], refusing: tuple[str, ...] = ()) -> None:
        self.answers = list(answers)
        self.refusing = refusing
        self.connected: list[str] = []
        self.deadlines: list[float] = []

    def look_up(self, host: str, port: int, deadline: float) -> list[Address]:
        answer = self.answers.pop(0)
        families = [socket.AF_INET6 if ":" in address else socket.AF_INET for address in answer]
        return [(family, (address, port)) for family, address in zip(families, answer, strict=True)]

    def connect(self, family: int, address: tuple[str, int], deadline: float) -> socket.socket:
        self.connected.append(address[0])
        self.deadlines.append(deadline)
        if address[0] in self.refusing:
            raise NetworkError("timeout", f"no connection to {address[0]}")
        return socket.socket(family)

    def dialer(self, *, allow_loopback: bool = False) -> Dialer:
        return Dialer({}, allow_loopback, look_up=self.look_up, connect=self.connect)


def test_tests_cannot_ask_the_dns_or_connect_elsewhere() -> None:
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("example.org", 80)
    with socket.socket() as sock, pytest.raises(AssertionError, match="a test connects to"):
        sock.connect(("192.0.2.1", 80))


@pytest.mark.parametrize("address", PUBLIC.split())
def test_public_addresses_may_be_connected_to(address: str) -> None:
    assert refusal(address, allow_loopback=False) is None


@pytest.mark.parametrize(("address", "why"), REFUSED.items())
def test_all_others_are_refused_with_what_they_are_for(address: str, why: str) -> None:
    told = refusal(address, allow_loopback=False)
    assert told is not None and why in told


def test_each_block_is_refused_from_its_first_to_its_last_address() -> None:
    for block, purpose in (*V4_BLOCKS, *V6_BLOCKS):
        for address in (block[0], block[-1]):
            told = refusal(str(address), allow_loopback=False)
            assert told is not None, (block, purpose)
    for block, purpose in (*V4_BLOCKS, *V6_BLOCKS):  # none hides behind a wider one that comes before it
        within = block[block.num_addresses // 2]
        found = refusal(str(within), allow_loopback=False)
        assert found is not None and found.code == f"worlds.address_{purpose}", block


def test_whatever_python_calls_special_is_refused_too() -> None:
    known: list[Any] = []
    for constants in (ipaddress._IPv4Constants, ipaddress._IPv6Constants):  # type: ignore[attr-defined]
        known += constants._private_networks
    assert len(known) > 20
    for block in known:
        assert refusal(str(block[0]), allow_loopback=False) is not None, block


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"])
def test_loopback_can_be_allowed(address: str) -> None:
    assert refusal(address, allow_loopback=True) is None


@pytest.mark.parametrize(
    "address", ["10.0.0.1", "0.0.0.0", "169.254.169.254", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1"]
)
def test_nothing_else_is_allowed_with_it(address: str) -> None:
    assert refusal(address, allow_loopback=True) is not None


@pytest.mark.parametrize("host", SPELLINGS.split())
def test_every_spelling_of_an_address_is_that_address(host: str) -> None:
    world = LiveWorld(timeout=2.0)
    for url in (f"http://{host}/", f"http://{host.upper()}:8080/x"):
        answer = world.fetch(url)
        assert isinstance(answer, Failure)
        assert answer.reason == "blocked_address" and "loopback" in answer.detail
        found = canonical(url)
        assert found is not None and found.split("/")[2].startswith(("127.0.0.1", "[::1]", "[::ffff:7f00:1]"))
    world.close()


@pytest.mark.parametrize("host", ["[fe80::1%25eth0]", "[fe80::1%eth0]", "0x7g.1", "256.1.1.1", "1.2.3.4.5", "[::1"])
def test_what_looks_like_an_address_and_is_none_is_no_url(host: str) -> None:
    world = LiveWorld(timeout=2.0)
    answer = world.fetch(f"http://{host}/")
    assert isinstance(answer, Failure) and answer.reason == "bad_url"
    assert canonical(f"http://{host}/") is None
    world.close()


def test_a_name_with_a_private_address_is_refused_before_a_connection() -> None:
    net = Net(("10.0.0.8",))
    with pytest.raises(NetworkError, match=r"a.example is 10\.0\.0\.8, a private address; a line of --resolve allows"):
        net.dialer().dial("a.example", 80, time.monotonic() + 5)
    with pytest.raises(NetworkError, match=r"127\.0\.0\.1 is a loopback address; --allow-loopback allows it"):
        Net(("127.0.0.1",)).dialer().dial("127.0.0.1", 80, time.monotonic() + 5)
    assert net.connected == []


def test_of_several_addresses_only_public_ones_are_connected_to() -> None:
    net = Net(("10.0.0.8", "93.184.215.14", "::1"))
    net.dialer().dial("a.example", 80, time.monotonic() + 5).close()
    assert net.connected == ["93.184.215.14"]


def test_the_connection_goes_to_the_address_that_was_checked() -> None:
    """A DNS that gives a public address to the check and a private one to a second question (rebinding)."""
    net = Net(("93.184.215.14",), ("127.0.0.1",), ("169.254.169.254",))
    dialer = net.dialer()
    dialer.dial("a.example", 80, time.monotonic() + 5).close()
    assert (net.connected, len(net.answers)) == (["93.184.215.14"], 2)  # one question for one connection
    for _ in range(2):  # the next connections are checked anew
        with pytest.raises(NetworkError) as refused:
            dialer.dial("a.example", 80, time.monotonic() + 5)
        assert refused.value.reason == "blocked_address"
    assert net.connected == ["93.184.215.14"]


def test_an_address_that_does_not_respond_leaves_time_to_the_others() -> None:
    net = Net(("2606:4700::1", "2606:4700::2", "93.184.215.14"), refusing=("2606:4700::1", "93.184.215.14"))
    begun = time.monotonic()
    net.dialer().dial("a.example", 80, begun + 30).close()
    assert net.connected == ["2606:4700::1", "93.184.215.14", "2606:4700::2"]  # families in turn
    shares = [round(deadline - begun) for deadline in net.deadlines]
    assert shares == [10, 15, 30]  # the fake takes no time: each has an equal share of what is left


def test_no_more_than_eight_addresses_are_tried_and_the_last_error_is_told() -> None:
    many = tuple(f"93.184.215.{n}" for n in range(20))
    net = Net(many, refusing=many)
    with pytest.raises(NetworkError, match=r"93\.184\.215\.7"):
        net.dialer().dial("a.example", 80, time.monotonic() + 5)
    assert len(net.connected) == 8


def test_a_redirect_to_a_private_address_is_refused() -> None:
    server = NastyServer()
    world = LiveWorld(timeout=2.0, resolve=server.table)
    for target in ("http://10.0.0.8/", "http://2130706433/", "http://[::ffff:a9fe:a9fe]/latest/meta-data/"):
        server.raw = f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
        answer = Fetcher(Open(world), user_agent="tester").get("http://nasty.example/raw")
        assert isinstance(answer, Failure), answer
        assert (answer.url, answer.reason) == (canonical(target), "blocked_address")
    world.close()
    server.close()


class Open:
    """A world whose hosts have no robots.txt."""

    name = "open"

    def __init__(self, world: LiveWorld) -> None:
        self._world = world

    def fetch(self, url: str) -> Response | Failure:
        return Response(url, 404, {}, b"") if url.endswith("/robots.txt") else self._world.fetch(url)

    def close(self) -> None:
        """The world is closed by its owner."""


def test_a_robots_file_that_redirects_to_a_private_address_closes_its_host() -> None:
    server = NastyServer()
    world = LiveWorld(timeout=2.0, resolve=server.table)
    server.raw = b"HTTP/1.1 302 Found\r\nLocation: http://192.168.1.1/robots.txt\r\nContent-Length: 0\r\n\r\n"

    class Redirecting(Open):
        def fetch(self, url: str) -> Response | Failure:
            return world.fetch("http://nasty.example/raw" if url == "http://nasty.example/robots.txt" else url)

    answer = Fetcher(Redirecting(world), user_agent="tester").get("http://nasty.example/ok")
    assert isinstance(answer, Failure) and answer.reason == "blocked_address"
    assert not isinstance(answer, Fetched) and not any(b"GET /ok" in request for request in server.requests)
    world.close()
    server.close()
