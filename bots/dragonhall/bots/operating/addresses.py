"""Where a bot may show itself."""

from __future__ import annotations

import re
from typing import Final

from dragonhall.client.access import is_loopback

_ADDRESS: Final = re.compile(r"(?:(?P<host>[^:]+|\[[0-9a-fA-F:.]+\]):)?(?P<port>\d{1,5})")
_MOST_PORT: Final = 65_535


class CannotListen(Exception):
    """An address at which a bot cannot, or must not, be seen. The message says why."""


def host_and_port(address: str) -> tuple[str, int]:
    """Of ``HOST:PORT``, or of ``PORT`` on this machine. Raises `CannotListen`.

    >>> host_and_port("9464"), host_and_port("[::1]:0")
    (('127.0.0.1', 9464), ('::1', 0))
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or int(found["port"]) > _MOST_PORT:
        raise CannotListen(f"{address!r} is neither HOST:PORT, as 127.0.0.1:9464, nor PORT")
    return (found["host"] or "127.0.0.1").strip("[]"), int(found["port"])


def private_address(address: str) -> str:
    """``address`` as gRPC takes it, if only this machine can reach it: a Unix socket, or a port of the loopback device.

    Raises `CannotListen`.

    >>> private_address("7351"), private_address("unix:/run/deep.sock")
    ('127.0.0.1:7351', 'unix:/run/deep.sock')
    """
    if address.startswith("unix:"):
        return address
    host, port = host_and_port(address)
    target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    if not is_loopback(target):
        raise CannotListen(
            f"an operator's service at {address} could be reached from other machines, and what a bot thinks gives away"
            " what its seats hold: choose 127.0.0.1:PORT, [::1]:PORT or unix:PATH, and reach it from elsewhere through"
            " a tunnel (ssh -L)"
        )
    return target
