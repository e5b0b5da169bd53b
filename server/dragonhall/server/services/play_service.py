"""PlayService: watching and answering."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Final

import grpc

from dragonhall.server.hub import Hub
from dragonhall.server.operations import undo
from dragonhall.server.operations.roles import seat_role_of
from dragonhall.server.services.messages import answer_in, submit_response
from dragonhall.server.services.play_stream import PlayStream
from dragonhall.server.services.reader import Reader, reader_of
from dragonhall.server.services.rpc import Context, Methods, spend_submit
from dragonhall.server.services.waking import Beat, Waker
from dragonhall.v1 import play_service_pb2

SERVICE: Final = "dragonhall.v1.PlayService"


class PlayService:
    """The service, over the games of one hub."""

    def __init__(self, hub: Hub, heartbeat: timedelta, max_lag: int, max_channels: int) -> None:
        self._hub = hub
        self._heartbeat = heartbeat
        self._max_lag = max_lag
        self._max_channels = max_channels

    def handlers(self, methods: Methods) -> grpc.GenericRpcHandler:
        """The methods, for `grpc.aio.Server.add_generic_rpc_handlers`."""
        return grpc.method_handlers_generic_handler(
            SERVICE,
            {
                "Observe": methods.server_stream(play_service_pb2.ObserveRequest, self.observe),
                "Submit": methods.unary(play_service_pb2.SubmitRequest, self.submit),
                "Play": methods.bidirectional(self.play),
                "AskUndo": methods.unary(play_service_pb2.AskUndoRequest, self.ask_undo),
                "AnswerUndo": methods.unary(play_service_pb2.AnswerUndoRequest, self.answer_undo),
            },
        )

    async def observe(self, request: play_service_pb2.ObserveRequest) -> AsyncGenerator[bytes, None]:
        """Messages of one game for one reader until the game is over."""
        game = await self._hub.game(request.game_id)
        reader = reader_of(game, request, self._max_lag)
        waker = Waker()
        unsubscribe, forget = game.subscribe(waker.wake), self._hub.when_closing(waker.wake)
        beat = Beat(self._heartbeat, waker)
        try:
            while True:
                for message in await self._taken(reader):
                    yield message
                if reader.ended:
                    return
                if reader.is_behind:
                    continue
                if self._hub.closing:
                    raise self._hub.closing_refusal()
                if beat.is_struck():
                    for message in reader.take_heartbeat():
                        yield message
                await waker.wait()
        finally:
            beat.stop()
            unsubscribe()
            forget()

    async def _taken(self, reader: Reader) -> list[bytes]:
        if not reader.looks_back:
            return reader.take()
        async with self._hub.turns.turn():
            return reader.take()

    async def submit(self, request: play_service_pb2.SubmitRequest) -> play_service_pb2.SubmitResponse:
        """One answer to one decision."""
        arrived_us = self._hub.now_us()
        spend_submit()
        game = await self._hub.game(request.game_id)
        seat, is_substitute = seat_role_of(game.playthrough, request.seat_token)
        name = game.playthrough.created.game
        plan = answer_in(request, seat, is_substitute, name, arrived_us)
        return submit_response(await game.carry_out(plan), name)

    async def play(self, context: Context) -> None:
        """Many seats of many games on one stream."""
        await PlayStream(self._hub, context, self._heartbeat, self._max_lag, self._max_channels).serve()

    async def ask_undo(self, request: play_service_pb2.AskUndoRequest) -> play_service_pb2.AskUndoResponse:
        """A seat asks to take back its answer."""
        game = await self._hub.game(request.game_id)
        seat, is_substitute = seat_role_of(game.playthrough, request.seat_token)
        asked = await game.carry_out(undo.ask(seat, request.decision_id, is_substitute))
        return play_service_pb2.AskUndoResponse(revision=asked.revision, undone=asked.undone)

    async def answer_undo(self, request: play_service_pb2.AnswerUndoRequest) -> play_service_pb2.AnswerUndoResponse:
        """Another seat agrees, or refuses."""
        game = await self._hub.game(request.game_id)
        seat, is_substitute = seat_role_of(game.playthrough, request.seat_token)
        say = undo.agree if request.agree else undo.refuse
        asked = await game.carry_out(say(seat, request.decision_id, is_substitute))
        return play_service_pb2.AnswerUndoResponse(revision=asked.revision, undone=asked.undone)
