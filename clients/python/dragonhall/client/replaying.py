"""A finished game once more, at a pace of the client's choice."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Final

from dragonhall.client.connection import Connection
from dragonhall.client.observing import observe
from dragonhall.client.settings import duration
from dragonhall.v1 import play_service_pb2, record_service_pb2

_LONGEST_PAUSE: Final = timedelta(seconds=10)
"""Between two revisions, of a replay at a multiple of the game's speed."""


def replay(
    connection: Connection,
    request: record_service_pb2.ReplayGameRequest,
    speed: float | None,
    interval: timedelta | None,
) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
    """As `Client.replay`. A replay that resumes may begin with a pause of the game's."""
    if speed is not None and interval is not None:
        raise ValueError("give speed or interval, not both")
    pause = interval or (_LONGEST_PAUSE if speed is not None else timedelta())
    if speed is not None:
        request.speed = speed
    if interval is not None:
        request.interval.CopyFrom(duration(interval))
    method = connection.records.ReplayGame
    return observe(connection, method, request, _observation_of, pause.total_seconds())


def _observation_of(message: object) -> play_service_pb2.ObserveResponse | None:
    return message.observation if isinstance(message, record_service_pb2.ReplayGameResponse) else None
