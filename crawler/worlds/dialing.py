"""Connections of the live world: names looked up, addresses checked, and sockets that know their request's deadline."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from typing import Any

from crawler.worlds.addresses import refusal, split_address


class NetworkError(Exception):
    """A reason code and a sentence. Not an OSError, so that urllib3 passes it on as it is."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail


class Attempt(threading.local):
    """What the request that this thread makes may do, and whether it had to open a connection."""

    deadline = 0.0
    opened = False

    def begin(self, deadline: float) -> None:
        self.deadline = deadline
        self.opened = False

    def left(self) -> float:
        """Seconds until the deadline. Raises NetworkError once it has passed."""
        seconds = self.deadline - time.monotonic()
        if seconds <= 0:
            raise NetworkError("timeout", "no complete answer within the time limit")
        return seconds


ATTEMPT = Attempt()
"""The current request of each thread."""


class PlainSocket(socket.socket):
    """A socket whose reads end at the deadline of the request that reads."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(ATTEMPT.left())
        try:
            return super().recv_into(*args, **kwargs)
        except TimeoutError:
            raise NetworkError("timeout", "no complete answer within the time limit") from None


class TlsSocket(ssl.SSLSocket):
    """The same over TLS."""

    def recv_into(self, *args: Any, **kwargs: Any) -> int:
        self.settimeout(ATTEMPT.left())
        try:
            return super().recv_into(*args, **kwargs)
        except TimeoutError:
            raise NetworkError("timeout", "no complete answer within the time limit") from None


class Dialer:
    """Opens connections: looks names up in the resolve table, then in the DNS, and checks every address."""

    def __init__(self, table: Mapping[str, str], allow_loopback: bool) -> None:
        self._table = table
        self._allow_loopback = allow_loopback

    def dial(self, host: str, port: int) -> socket.socket:
        """A connected socket. Raises NetworkError."""
        ATTEMPT.opened = True
        problem = NetworkError("dns", f"{host} has no address")
        for family, address in self._addresses(host, port):
            try:
                return _connected(family, address)
            except NetworkError as error:
                problem = error
        raise problem

    def _addresses(self, host: str, port: int) -> list[tuple[int, Any]]:
        named = self._table.get(f"{host.lower()}:{port}")
        if named is not None:
            pair = split_address(named)
            assert pair is not None  # noqa: S101 - the table was checked when the world was opened
            return [(family, at) for family, _, _, _, at in socket.getaddrinfo(*pair, type=socket.SOCK_STREAM)]
        found = _look_up(host, port)
        refused = {str(at[0]): refusal(str(at[0]), allow_loopback=self._allow_loopback) for _, at in found}
        allowed = [(family, at) for family, at in found if refused[str(at[0])] is None]
        if found and not allowed:
            address, why = next(iter(refused.items()))
            raise NetworkError(
                "blocked_address", f"{host} is {address}, {why}; name it in the resolve table to allow it"
            )
        return allowed


def _look_up(host: str, port: int) -> list[tuple[int, Any]]:
    """Addresses of a name. A look-up cannot be stopped, so it runs beside and is left behind at the deadline."""
    answer: queue.SimpleQueue[list[tuple[int, Any]] | OSError | UnicodeError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
            answer.put([(family, at) for family, _, _, _, at in rows])
        except (OSError, UnicodeError) as error:  # UnicodeError: a label that is empty or too long
            answer.put(error)

    threading.Thread(target=ask, daemon=True, name=f"look-up of {host}").start()
    try:
        found = answer.get(timeout=ATTEMPT.left())
    except queue.Empty:
        raise NetworkError("timeout", f"no answer from the DNS for {host} within the time limit") from None
    if isinstance(found, Exception):
        raise NetworkError("dns", f"{host}: {found}")
    return found


def _connected(family: int, address: Any) -> socket.socket:
    sock = PlainSocket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.settimeout(ATTEMPT.left())
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
