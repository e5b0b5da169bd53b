"""Asking a bot, on the same machine, what it thought."""

from __future__ import annotations

from datetime import timedelta

import grpc

from dragonhall.bots.operating.addresses import private_address
from dragonhall.operator.v1 import operator_service_pb2 as messages
from dragonhall.operator.v1 import operator_service_pb2_grpc as services


class NoBotThere(Exception):
    """No bot serves its operator at an address."""


class NothingKnown(Exception):
    """The bot does not know the seat that it was asked about."""


async def ask_bot(
    address: str, request: messages.ListThoughtsRequest, timeout: timedelta
) -> tuple[messages.GetBotResponse, messages.ListThoughtsResponse]:
    """What the bot at ``address`` is, and what it thought.

    Raises `CannotListen` for an address at which no bot would show itself, `NoBotThere` and `NothingKnown`.
    """
    async with grpc.aio.insecure_channel(private_address(address)) as channel:
        stub = services.OperatorServiceStub(channel)
        try:
            bot = await stub.GetBot(messages.GetBotRequest(), timeout=timeout.total_seconds())
            return bot, await stub.ListThoughts(request, timeout=timeout.total_seconds())
        except grpc.aio.AioRpcError as error:
            if error.code() == grpc.StatusCode.NOT_FOUND:
                raise NothingKnown(error.details()) from error
            raise NoBotThere(f"no bot serves its operator at {address}: {error.details()}") from error
