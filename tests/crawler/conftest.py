"""No packet of these tests leaves the machine: names are unknown, and connections go to loopback only."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import pytest


def _is_numeric(host: str) -> bool:
    try:
        ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


@pytest.fixture(autouse=True, scope="session")
def _no_packet_leaves() -> Iterator[None]:
    look_up, connect = socket.getaddrinfo, socket.socket.connect

    def local(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in (None, "", "localhost") and not _is_numeric(str(host)):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return look_up(host, *args, **kwargs)

    def checked(sock: socket.socket, address: Any) -> None:
        inside = sock.family not in (socket.AF_INET, socket.AF_INET6) or ip_address(address[0]).is_loopback
        assert inside, f"a test connects to {address}"
        connect(sock, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket, "getaddrinfo", local)
        patch.setattr(socket.socket, "connect", checked)
        yield
