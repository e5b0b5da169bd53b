"""A bot on nothing but stubs, as somebody in another language would write it from the protos: it keeps to the contract.

``python -m tests.certify.plain HOST:PORT NAME``. The bots in ``broken_*.py`` are this one with one fault each.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from dragonhall.v1 import (
    game_pb2,
    game_service_pb2,
    game_service_pb2_grpc,
    play_service_pb2,
    play_service_pb2_grpc,
)

_OPTIONS = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500)]
_PAUSE = 0.1
"""Seconds between attempts."""


class PlainBot:
    """Watches the lobby, takes its seats, and plays them all, each in a task of its own."""

    def __init__(self, target: str, name: str) -> None:
        self.name = name
        channel: Any = grpc.aio.insecure_channel(target, _OPTIONS)
        self.games = game_service_pb2_grpc.GameServiceStub(channel)
        self.stubs = play_service_pb2_grpc.PlayServiceStub(channel)
        self.playing: set[tuple[str, int]] = set()
        self.tasks: asyncio.TaskGroup

    async def run(self) -> None:
        async with asyncio.TaskGroup() as self.tasks:
            while True:
                try:
                    await self.watch_lobby()
                except grpc.aio.AioRpcError as error:
                    await self.lost(error)

    async def lost(self, error: grpc.aio.AioRpcError) -> None:
        """The connection broke."""
        await asyncio.sleep(_PAUSE)

    async def watch_lobby(self) -> None:
        filter = game_service_pb2.GameFilter(reserved_for=self.name)
        async for message in self.games.WatchGames(game_service_pb2.WatchGamesRequest(filter=filter)):
            if message.HasField("game") and not message.left_filter and self.knows(message.game):
                for seat in message.game.seats:
                    if self.is_mine(seat) and (message.game.game_id, seat.seat) not in self.playing:
                        await self.sit_down(message.game.game_id, seat.seat)

    def knows(self, game: game_pb2.Game) -> bool:
        return game.options.WhichOneof("game") is not None

    def is_mine(self, seat: game_pb2.Seat) -> bool:
        reserved = seat.kind == game_pb2.SEAT_KIND_RESERVED and seat.bot_name == self.name and not seat.taken
        return reserved or (seat.state == game_pb2.SEAT_STATE_VACANT and seat.substitute == self.name)

    async def sit_down(self, game_id: str, number: int) -> None:
        request = game_service_pb2.TakeSeatRequest(
            request_id=f"{random.getrandbits(128):032x}",
            game_id=game_id,
            seat=number,
            player_name=self.name,
            bot_name=self.name,
        )
        try:
            taken = await self.insist(self.games.TakeSeat, request)
        except grpc.aio.AioRpcError:
            return  # somebody was faster, or the game is gone
        self.playing.add((game_id, number))
        self.tasks.create_task(self.play(Chair(game_id, number, taken.seat_token)))

    async def play(self, chair: Chair) -> None:
        try:
            while not chair.is_over:
                try:
                    await self.observe(chair)
                except grpc.aio.AioRpcError as error:
                    if reason_of(error):
                        return  # the seat is another's, or the game is gone
                    await self.lost(error)
        finally:
            self.playing.discard((chair.game_id, chair.number))

    async def observe(self, chair: Chair) -> None:
        request = play_service_pb2.ObserveRequest(
            game_id=chair.game_id, seat_token=chair.token, from_revision=chair.revision + 1 if chair.revision else 0
        )
        async for message in self.stubs.Observe(request):
            chair.revision = max(chair.revision, message.revision)
            await self.observed(chair, message)
        chair.is_over = True

    async def observed(self, chair: Chair, message: play_service_pb2.ObserveResponse) -> None:
        for event in message.update.events:
            await self.happened(chair, event)
        told: Any = getattr(message, message.WhichOneof("message") or "update")
        if told.HasField("decision") and self.is_due(chair, told):
            await self.answer(chair, told.decision)

    async def happened(self, chair: Chair, event: play_service_pb2.Event) -> None:
        if event.HasField("undo_asked") and chair.number in event.undo_asked.missing:
            await self.answer_undo(chair, event.undo_asked.decision_id)

    async def answer_undo(self, chair: Chair, decision_id: int) -> None:
        refusal = play_service_pb2.AnswerUndoRequest(
            game_id=chair.game_id, seat_token=chair.token, decision_id=decision_id, agree=False
        )
        with contextlib.suppress(grpc.aio.AioRpcError):  # the request has come to its end
            await self.insist(self.stubs.AnswerUndo, refusal)

    def is_due(self, chair: Chair, told: Any) -> bool:
        return told.decision.decision_id not in chair.answered

    async def answer(self, chair: Chair, decision: play_service_pb2.Decision) -> None:
        request = play_service_pb2.SubmitRequest(
            game_id=chair.game_id,
            seat_token=chair.token,
            decision_id=decision.decision_id,
            action_index=random.choice(decision.legal_actions).index,
        )
        try:
            await self.insist(self.stubs.Submit, request)
        except grpc.aio.AioRpcError as error:
            await self.refused(chair, request, error)
        chair.answered.add(decision.decision_id)

    async def refused(self, chair: Chair, request: Any, error: grpc.aio.AioRpcError) -> None:
        """What stands instead comes on the stream."""

    async def insist(self, call: Callable[[Any], Awaitable[Any]], request: Any) -> Any:
        """The same request, until the server has said something."""
        while True:
            try:
                return await call(request)
            except grpc.aio.AioRpcError as error:
                if reason_of(error):
                    raise
                await self.lost(error)


class Chair:
    """One seat of one game, and how far it has been played."""

    def __init__(self, game_id: str, number: int, token: str) -> None:
        self.game_id, self.number, self.token = game_id, number, token
        self.revision = 0
        self.answered: set[int] = set()
        self.is_over = False


def reason_of(error: grpc.aio.AioRpcError) -> str:
    """Why the server refused; empty if it was the connection that broke."""
    trailers = dict(iter(error.trailing_metadata() or ()))
    info = error_details_pb2.ErrorInfo()
    for detail in status_pb2.Status.FromString(trailers.get("grpc-status-details-bin", b"")).details:
        detail.Unpack(info)
    return str(info.reason)


def serve(bot: type[PlainBot]) -> None:
    """Runs it as a program."""

    async def run() -> None:
        await bot(sys.argv[1], sys.argv[2]).run()

    asyncio.run(run())


if __name__ == "__main__":
    serve(PlainBot)
