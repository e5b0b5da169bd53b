"""Players that go on whatever happens to the server: they reconnect, resume, and repeat what was not answered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

import grpc

from dragonhall.v1 import play_service_pb2
from tests.service.harness import Client, Seated, prompt_of
from tests.service.promises import Recorded

T = TypeVar("T")

AGAIN = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN)


async def until_answered(attempt: Callable[[], Awaitable[T]]) -> T:
    """Tries again while the server cannot be reached."""
    while True:
        try:
            return await attempt()
        except grpc.aio.AioRpcError as error:
            if error.code() not in AGAIN:
                raise
            await asyncio.sleep(0.02)


@dataclass
class Accepted:
    """An answer that the server said it has taken."""

    seat: int
    decision_id: int
    index: int
    revision: int
    action: bytes


@dataclass
class StubbornPlayer:
    """Plays one seat to the game's end."""

    client: Client
    game: Seated
    seat: int
    rng: Random
    accepted: list[Accepted] = field(default_factory=list)
    reconnects: int = 0
    seen: Recorded = field(init=False)
    """The stream as the player saw it, over all its connections."""

    def __post_init__(self) -> None:
        self.seen = Recorded(self.game.game_id, self.seat, from_revision=1)

    async def play(self) -> None:
        """To the end."""
        while not await self._play_one_stream():
            self.reconnects += 1
            await asyncio.sleep(0.02)

    async def _play_one_stream(self) -> bool:
        """Whether the game has ended."""
        first = self.seen.messages[-1].revision + 1 if self.seen.messages else 1
        request = play_service_pb2.ObserveRequest(
            game_id=self.game.game_id, seat_token=self.game.tokens[self.seat], from_revision=first
        )
        call: Any = self.client.play.Observe(request)
        try:
            async for message in call:
                if not message.HasField("heartbeat"):
                    self.seen.messages.append(message)
                    await self._answer(message)
        except grpc.aio.AioRpcError as error:
            if error.code() not in AGAIN:
                raise
            return False
        return True

    async def _answer(self, message: play_service_pb2.ObserveResponse) -> None:
        prompt = prompt_of(message)
        if prompt is None:
            return
        index = self.rng.randrange(len(prompt.legal_actions))
        decision_id = prompt.decision_id
        result = await until_answered(lambda: self.client.submit(self.game, self.seat, decision_id, index))
        action = result.action.SerializeToString()
        self.accepted.append(Accepted(self.seat, decision_id, index, result.revision, action))
