"""Thinking with a server's rules: the sandbox."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import TypeVar

from grpc import aio

from dragonhall.client.connection import Connection
from dragonhall.client.observing import raise_if_closed_here
from dragonhall.client.retry import Backoff, cancellations, raise_if_cancelled_since, setback_of
from dragonhall.v1 import play_service_pb2, sandbox_service_pb2

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


def knowledge_of(snapshot: play_service_pb2.Snapshot) -> sandbox_service_pb2.Knowledge:
    """What whoever got a snapshot knows. It has to be one with history, as `Seat.perspective` brings it."""
    return sandbox_service_pb2.Knowledge(
        options=snapshot.game.options,
        component_set=snapshot.game.component_set,
        rules_version=snapshot.game.rules_version,
        seat=snapshot.seat if snapshot.HasField("seat") else None,
        view=snapshot.view,
        history=snapshot.history,
    )


async def answers(
    connection: Connection, method: aio.UnaryStreamMultiCallable[_Request, _Response], request: _Request
) -> AsyncGenerator[_Response, None]:
    """All that a request is answered with, over as many streams as it takes.

    The same request has the same answer, message by message: after a break it is asked again, and what came before is
    left out. Raises as `Client` says.
    """
    backoff = Backoff(connection.target, connection.patience)
    told = 0
    while True:
        cancelled = cancellations()
        call = await connection.open_stream(method, request)
        try:
            place = 0
            async for response in call:
                backoff.reset()
                place += 1
                if place > told:
                    told = place
                    yield response
            return
        except aio.AioRpcError as failure:
            raise_if_cancelled_since(cancelled)
            setback = setback_of(failure)
        except asyncio.CancelledError:
            raise_if_closed_here(call)
            raise
        finally:
            connection.end_stream(call)
        await backoff.wait(setback)
