"""RecordService: what was played."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

import grpc

from dragonhall.server.game import LiveGame
from dragonhall.server.hub import Hub
from dragonhall.server.operations.roles import check_may_watch
from dragonhall.server.playthrough import Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services.importing import Importer
from dragonhall.server.services.perspective import perspective
from dragonhall.server.services.recording import record_of
from dragonhall.server.services.render import game_message
from dragonhall.server.services.replay import replay
from dragonhall.server.services.rpc import Methods
from dragonhall.v1 import record_service_pb2

SERVICE: Final = "dragonhall.v1.RecordService"


class RecordService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._importer = Importer(hub)

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        messages = record_service_pb2
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "GetRecord": methods.unary(messages.GetRecordRequest, self.get_record),
                "GetPerspective": methods.unary(messages.GetPerspectiveRequest, self.get_perspective),
                "ImportRecord": methods.unary(messages.ImportRecordRequest, self.import_record),
                "ReplayGame": methods.server_stream(messages.ReplayGameRequest, self.replay_game),
            },
        )

    async def get_record(self, request: record_service_pb2.GetRecordRequest) -> record_service_pb2.GetRecordResponse:
        """The record of a finished game, made of its log."""
        game = await self._finished(request.game_id, request.token)
        record = await asyncio.to_thread(record_of, game.game_id, game.log())
        return record_service_pb2.GetRecordResponse(record=record)

    async def get_perspective(
        self, request: record_service_pb2.GetPerspectiveRequest
    ) -> record_service_pb2.GetPerspectiveResponse:
        """What a seat, or a spectator, knew at a revision."""
        return await perspective(await self._hub.game(request.game_id), request)

    async def import_record(
        self, request: record_service_pb2.ImportRecordRequest
    ) -> record_service_pb2.ImportRecordResponse:
        """Brings in a game that was played elsewhere."""
        game = await self._importer.bring_in(request.record)
        message = game_message(game.head.summary, game.head.revision)
        return record_service_pb2.ImportRecordResponse(game=message)

    async def replay_game(self, request: record_service_pb2.ReplayGameRequest) -> AsyncGenerator[bytes, None]:
        """A finished game once more."""
        game = await self._finished(request.game_id, request.token)
        async with aclosing(replay(self._hub, game, request)) as messages:
            async for message in messages:
                yield message

    async def _finished(self, game_id: str, token: str) -> LiveGame:
        """A finished game that whoever shows ``token`` may know of. Raises `Refusal`."""
        game = await self._hub.game(game_id)
        check_may_watch(game.playthrough, token)
        if game.head.status is not Status.FINISHED:
            status = game.head.status.name
            raise Refusal(
                Reason.RECORD_NOT_READY,
                f"the game is {status.lower()}: only a finished game has a record",
                status=status,
            )
        return game
