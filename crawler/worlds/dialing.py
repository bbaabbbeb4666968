"""Connections of the live world: name resolution and checks of addresses, each before the deadline of a request."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any, TypeAlias

from crawler.worlds.addresses import refusal, split_address

_TRIED = 8
"""Maximum number of addresses of a name that are tried."""


class NetworkError(Exception):
    """Error with a reason code and a sentence."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


def seconds_left(deadline: float) -> float:
    """Return the seconds until ``deadline``, a time of ``time.monotonic``. Raises NetworkError after it."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise NetworkError("timeout", "no complete answer within the time limit")
    return seconds


Address: TypeAlias = tuple[int, Any]
"""(family, address) as sockets take them."""


class Dialer:
    """Opener of connections: resolves names by the resolve table, then by the DNS, and checks every address.

    A name is resolved once for a connection, and the connection goes to an address of that answer which was checked:
    another answer of the DNS in between changes nothing.
    """

    def __init__(
        self,
        table: Mapping[str, str],
        allow_loopback: bool,
        *,
        look_up: Callable[[str, int, float], list[Address]] | None = None,
        connect: Callable[[int, Any, float], socket.socket] | None = None,
    ) -> None:
        """Create a dialer.

        Args:
            table: HOST:PORT -> ADDR:PORT; these addresses are not checked.
            allow_loopback: whether names may have loopback addresses.
            look_up: returns the addresses of a name and port before a deadline; None for the system's resolver.
            connect: connects to a family and address before a deadline; None for a TCP connection.
        """
        self._table = table
        self._allow_loopback = allow_loopback
        self._look_up = look_up or _look_up
        self._connect = connect or _connected

    def dial(self, host: str, port: int, deadline: float) -> socket.socket:
        """Open a connection.

        Each address has an equal share of the time that is left, so that one that does not respond leaves some to the
        others.

        Args:
            host: name or address of a host.
            port: number of a port.
            deadline: time of ``time.monotonic`` by which the connection must be open.

        Returns:
            A connected socket.

        Raises:
            NetworkError: no address, no allowed address, or no connection before the deadline.
        """
        problem = NetworkError("dns", f"{host} has no address")
        addresses = _alternating(self._addresses(host, port, deadline))[:_TRIED]
        for position, (family, address) in enumerate(addresses):
            share = seconds_left(deadline) / (len(addresses) - position)
            try:
                return self._connect(family, address, time.monotonic() + share)
            except NetworkError as error:
                problem = error
        raise problem

    def _addresses(self, host: str, port: int, deadline: float) -> list[Address]:
        named = self._table.get(f"{host.lower()}:{port}")
        if named is not None:
            pair = split_address(named)
            assert pair is not None  # noqa: S101 - the table was checked when the world was opened
            return [(family, at) for family, _, _, _, at in socket.getaddrinfo(*pair, type=socket.SOCK_STREAM)]
        addresses = self._look_up(host, port, deadline)
        refused = {str(at[0]): refusal(str(at[0]), allow_loopback=self._allow_loopback) for _, at in addresses}
        allowed = [(family, at) for family, at in addresses if refused[str(at[0])] is None]
        if addresses and not allowed:
            address, why = next(iter(refused.items()))
            raise NetworkError(
                "blocked_address", f"{host} is {address}, {why}; name it in the resolve table to allow it"
            )
        return allowed


def _alternating(addresses: list[Address]) -> list[Address]:
    """Return addresses with their families in turn (RFC 8305, 4), so that one family cannot use up all tries."""
    first = [address for address in addresses if address[0] == addresses[0][0]]
    others = [address for address in addresses if address[0] != addresses[0][0]]
    return [address for pair in zip_longest(first, others) for address in pair if address is not None]


def _look_up(host: str, port: int, deadline: float) -> list[Address]:
    """Resolve a name. A look-up cannot be cancelled, so it runs in a thread that is abandoned at the deadline."""
    answer: queue.SimpleQueue[list[Address] | OSError | UnicodeError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
            answer.put([(family, at) for family, _, _, _, at in rows])
        except (OSError, UnicodeError) as error:  # UnicodeError: a label that is empty or too long
            answer.put(error)

    threading.Thread(target=ask, daemon=True, name=f"look-up of {host}").start()
    try:
        result = answer.get(timeout=seconds_left(deadline))
    except queue.Empty:
        raise NetworkError("timeout", f"no answer from the DNS for {host} within the time limit") from None
    if isinstance(result, Exception):
        raise NetworkError("dns", f"{host}: {result}")
    return result


def _connected(family: int, address: Any, deadline: float) -> socket.socket:
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(seconds_left(deadline))
        sock.connect(address)
    except TimeoutError:
        sock.close()
        raise NetworkError("timeout", f"no connection to {address[0]} within the time limit") from None
    except ConnectionRefusedError:
        sock.close()
        raise NetworkError("refused", f"{address[0]} port {address[1]} refuses connections") from None
    except OSError as error:
        sock.close()
        raise NetworkError("unreachable", f"{address[0]}: {error.strerror or error}") from None
    except NetworkError:
        sock.close()
        raise
    return sock
