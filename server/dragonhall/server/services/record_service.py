"""RecordService: what was played."""

from __future__ import annotations

import asyncio
from typing import Final

import grpc

from dragonhall.server.hub import Hub
from dragonhall.server.log import Answered, Created, LogEntry, Started
from dragonhall.server.playthrough import Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services.rpc import Methods
from dragonhall.server.services.telling import seat_to_proto
from dragonhall.v1 import game_pb2, record_service_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.records import Answer, RecordInputs, build_record

SERVICE: Final = "dragonhall.v1.RecordService"


class RecordService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        return grpc.method_handlers_generic_handler(
            SERVICE, {"GetRecord": methods.unary(record_service_pb2.GetRecordRequest, self.get_record)}
        )

    async def get_record(self, request: record_service_pb2.GetRecordRequest) -> record_service_pb2.GetRecordResponse:
        """The record of a finished game, made of its log."""
        game = await self._hub.game(request.game_id)
        if game.head.status is not Status.FINISHED:
            status = game.head.status.name
            raise Refusal(
                Reason.RECORD_NOT_READY,
                f"the game is {status.lower()}: only a finished game has a record",
                status=status,
            )
        inputs = record_inputs(game.game_id, game.playthrough, game.log())
        record = await asyncio.to_thread(build_record, inputs)
        return record_service_pb2.GetRecordResponse(record=record)


def record_inputs(game_id: str, game: Playthrough, log: list[LogEntry]) -> RecordInputs:
    """What a finished game's record is made of."""
    created: Created = game.created
    codec = CODECS[created.game]
    start = next(i for i, entry in enumerate(log) if isinstance(entry.cause, Started))
    return RecordInputs(
        game_id=game_id,
        options=codec.options_to_proto(created.options),
        component_set=codec.components_to_proto(created.components, with_contents=True),
        rules_version=created.rules_version,
        seats=[seat_to_proto(seat) for seat in game.seats],
        seed=created.seed,
        seed_source=game_pb2.SeedSource.ValueType(created.seed_source),
        title=created.title,
        create_time_us=log[0].time_us,
        start_revision=start + 1,
        start_time_us=log[start].time_us,
        answers=[
            Answer(i + 1, entry.time_us, entry.cause.seat, entry.cause.decision_id, entry.cause.code)
            for i, entry in enumerate(log)
            if isinstance(entry.cause, Answered)
        ],
    )
