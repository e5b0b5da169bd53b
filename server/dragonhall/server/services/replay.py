"""A finished game once more, as Observe would have shown it, at a pace."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Final

from dragonhall.server.game import LiveGame
from dragonhall.server.hub import Hub
from dragonhall.server.log import LogEntry
from dragonhall.server.refusal import invalid_field, revision_in_future
from dragonhall.server.services import checks
from dragonhall.server.services.perspective import checked_seat
from dragonhall.server.services.reader import Reader, Viewer, Wish, checked_delivery
from dragonhall.server.services.render import Renderer
from dragonhall.server.services.waking import Waker
from dragonhall.v1 import record_service_pb2
from dragonhall.wire.serialized import message_field

LONGEST_PAUSE: Final = 10.0
"""Seconds, at a multiple of the speed at which it was played."""

LONGEST_INTERVAL_US: Final = 60_000_000

Pause = Callable[[LogEntry, LogEntry], float]
"""Seconds between two revisions."""


async def replay(
    hub: Hub, game: LiveGame, request: record_service_pb2.ReplayGameRequest
) -> AsyncGenerator[bytes, None]:
    """Serialised ``ReplayGameResponse``s. ``game``: is finished. Raises `Refusal`.

    One revision is read from the log at a time, when the one before was taken; none waits here for a slow client.
    """
    seat, pause, log = checked_seat(game, request), _pause(request), game.log()
    first = request.from_revision
    if first > len(log) + 1:
        raise revision_in_future("from_revision", len(log), most=len(log) + 1)
    trail = game.trail()
    async with hub.turns.turn():
        trail.read(log[: max(1, first)])
    wish = Wish("", first, checked_delivery(request.view_delivery))
    renderer = Renderer(game.playthrough.created.game, now_us=lambda: trail.log[-1].time_us)
    reader = Reader(trail, renderer, Viewer(seat), wish, max_lag=sys.maxsize)
    waker = Waker()
    forget = hub.when_closing(waker.wake)
    try:
        while True:
            for message in reader.take():
                yield message_field(1, message)
            if reader.ended:
                return
            read = trail.revision
            await _wait(waker, pause(log[read - 1], log[read]))
            if hub.closing:
                raise hub.closing_refusal()
            async with hub.turns.turn():
                trail.read(log[read : read + 1])
    finally:
        forget()


async def _wait(waker: Waker, seconds: float) -> None:
    """For so long, or until woken."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await waker.wait()


def _pause(request: record_service_pb2.ReplayGameRequest) -> Pause:
    """The pace that a request asks for. Raises `Refusal`."""
    pace = request.WhichOneof("pace")
    if pace == "speed":
        return _at_speed(request.speed)
    if pace == "interval":
        seconds = checks.duration_us("interval", request.interval, 0, LONGEST_INTERVAL_US) / 1e6
        return lambda _, __: seconds
    return lambda _, __: 0.0


def _at_speed(speed: float) -> Pause:
    if not (speed > 0 and math.isfinite(speed)):
        raise invalid_field("speed", f"takes a number above 0: so many times as fast as it was played; got {speed}")
    return lambda before, after: min(LONGEST_PAUSE, (after.time_us - before.time_us) / 1e6 / speed)
