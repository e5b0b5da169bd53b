"""A finished game once more, at a pace of the client's choice."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta

from dragonhall.client.connection import Connection
from dragonhall.client.observing import observe
from dragonhall.client.settings import duration
from dragonhall.v1 import play_service_pb2, record_service_pb2


def replay(
    connection: Connection,
    request: record_service_pb2.ReplayGameRequest,
    speed: float | None,
    interval: timedelta | None,
) -> AsyncGenerator[play_service_pb2.ObserveResponse, None]:
    """As `Client.replay`."""
    if speed is not None and interval is not None:
        raise ValueError("give speed or interval, not both")
    if speed is not None:
        request.speed = speed
    if interval is not None:
        request.interval.CopyFrom(duration(interval))
    return observe(connection, connection.records.ReplayGame, request, _observation_of)


def _observation_of(message: object) -> play_service_pb2.ObserveResponse | None:
    return message.observation if isinstance(message, record_service_pb2.ReplayGameResponse) else None
