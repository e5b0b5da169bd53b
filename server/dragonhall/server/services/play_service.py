"""PlayService: watching and answering."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Final

import grpc

from dragonhall.server.hub import Hub
from dragonhall.server.operations.answers import answer
from dragonhall.server.operations.roles import seat_of
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services.messages import choice_of, submit_response
from dragonhall.server.services.play_stream import PlayStream
from dragonhall.server.services.reader import Reader, Wish
from dragonhall.server.services.rpc import Context, Methods
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
            },
        )

    async def observe(self, request: play_service_pb2.ObserveRequest) -> AsyncGenerator[bytes, None]:
        """Messages of one game for one reader until the game is over."""
        game = await self._hub.game(request.game_id)
        reader = Reader(game, Wish.of(request), self._max_lag)
        waker = Waker()
        unsubscribe, forget = game.subscribe(waker.wake), self._hub.when_closing(waker.wake)
        beat = Beat(self._heartbeat, waker)
        try:
            while True:
                for message in reader.take():
                    yield message
                if reader.ended:
                    return
                if reader.is_behind:
                    continue
                if self._hub.closing:
                    raise Refusal(Reason.SHUTTING_DOWN, "the server is shutting down; reconnect with back-off")
                if beat.is_struck():
                    for message in reader.take_heartbeat():
                        yield message
                await waker.wait()
        finally:
            beat.stop()
            unsubscribe()
            forget()

    async def submit(self, request: play_service_pb2.SubmitRequest) -> play_service_pb2.SubmitResponse:
        """One answer to one decision."""
        game = await self._hub.game(request.game_id)
        seat = seat_of(game.playthrough, request.seat_token)
        plan = answer(seat, request.decision_id, choice_of(request, game.playthrough.created.game))
        return submit_response(await game.carry_out(plan), game.playthrough.created.game)

    async def play(self, context: Context) -> None:
        """Many seats of many games on one stream."""
        await PlayStream(self._hub, context, self._heartbeat, self._max_lag, self._max_channels).serve()
