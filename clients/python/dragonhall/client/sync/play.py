"""A blocking Play connection, and seats on it."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Concatenate, ParamSpec, Self

from dragonhall.client.attached import AttachedSeat
from dragonhall.client.play import PlayConnection
from dragonhall.client.seat import Seat
from dragonhall.client.sync.background import BackgroundLoop
from dragonhall.client.sync.blocking import Blocking, SyncStream, blocking, plain
from dragonhall.client.sync.seat import SyncSeat
from dragonhall.client.sync.telling import told_blocking
from dragonhall.v1 import play_service_pb2

_Parameters = ParamSpec("_Parameters")


class SyncAttachedSeat(SyncStream[play_service_pb2.ObserveResponse], Blocking[AttachedSeat]):
    """`dragonhall.client.AttachedSeat`: a blocking iterator over what the seat is told, and its way to answer."""

    def __init__(self, loop: BackgroundLoop, original: AttachedSeat) -> None:
        Blocking.__init__(self, loop, original)
        SyncStream.__init__(self, loop, original)
        self.seat = SyncSeat(loop, original.seat)
        self.channel = original.channel
        """Its number on the stream."""

    submit = blocking(AttachedSeat.submit)
    validate = blocking(AttachedSeat.validate)
    detach = plain(AttachedSeat.detach)


def _attaching(
    method: Callable[Concatenate[PlayConnection, Seat, _Parameters], AttachedSeat],
) -> Callable[Concatenate[SyncPlayConnection, SyncSeat, _Parameters], SyncAttachedSeat]:
    attach = plain(method, SyncAttachedSeat)

    @told_blocking(method)
    def wrapper(
        self: SyncPlayConnection, seat: SyncSeat, /, *args: _Parameters.args, **kwargs: _Parameters.kwargs
    ) -> SyncAttachedSeat:
        return attach(self, seat.original, *args, **kwargs)

    return wrapper


class SyncPlayConnection(Blocking[PlayConnection]):
    """`dragonhall.client.PlayConnection`, blocking. Made by `SyncClient.play`; ``with client.play() as connection``."""

    _open = blocking(PlayConnection.__aenter__)

    def __enter__(self) -> Self:
        self._open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    attach = _attaching(PlayConnection.attach)
    wait_ended = blocking(PlayConnection.wait_ended)
    close = blocking(PlayConnection.close)
