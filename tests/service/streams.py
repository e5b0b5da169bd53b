"""A Play stream as a client sees it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

import grpc

from dragonhall.v1 import errors_pb2
from dragonhall.v1.play_service_pb2 import AttachSeat, PlayAnswer, PlayCommand, PlayMessage, PlayRequest
from tests.service.harness import Running, Seated, number_of_actions, prompt_of
from tests.service.promises import Recorded


class Stream:
    """A Play stream."""

    def __init__(self, call: Any) -> None:
        self.call = call
        self.writes = 0
        self.last_size = 0
        """Bytes of the last response."""
        self.log: list[PlayMessage] = []
        self._attached: set[int] = set()

    @property
    def channels(self) -> dict[int, Recorded]:
        """What came over each of the channels that were opened."""
        channels: dict[int, Recorded] = self.call.channels
        return channels

    async def send(self, *commands: PlayCommand) -> None:
        """Several commands in one message."""
        await self.call.write(PlayRequest(commands=commands))

    async def receive(self) -> list[PlayMessage]:
        """The next response's messages; none at the end."""
        response = await asyncio.wait_for(self.call.read(), 10)
        if response is grpc.aio.EOF:
            return []
        self.writes += 1
        self.last_size = response.ByteSize()
        self.log.extend(response.messages)
        return list(response.messages)

    async def receive_to_end(self) -> list[PlayMessage]:
        """Ends this side, and returns everything that still comes."""
        await self.call.done_writing()
        messages: list[PlayMessage] = []
        while received := await self.receive():
            messages += received
        return messages

    async def receive_until(self, kind: str) -> PlayMessage:
        """The next message of a kind."""
        while messages := await self.receive():
            for message in messages:
                if message.WhichOneof("message") == kind:
                    return message
        raise AssertionError(f"the stream ended without a message of kind {kind}")

    def attach(self, game: Seated, seat: int | None, channel: int, **fields: Any) -> PlayCommand:
        """The command that attaches a seat."""
        self._attached.add(channel)
        token = "" if seat is None else game.tokens[seat]
        attach = AttachSeat(game_id=game.game_id, seat_token=token, **fields)
        return PlayCommand(channel=channel, command_id=1000 + channel, attach=attach)

    async def play_all(self, choices: int) -> None:
        """Answers every prompt at random until every channel is closed."""
        rng = Random(choices)
        open_channels = set(self._attached)
        answered = dict.fromkeys(self._attached, 0)
        results: Counter[bool] = Counter()
        while open_channels:
            answers = []
            for message in await self.receive():
                kind = message.WhichOneof("message")
                assert kind != "error", message
                if kind == "closed":
                    open_channels.remove(message.channel)
                if kind == "result":
                    results[message.result.repeated] += 1
                prompt = prompt_of(message.observation) if kind == "observation" else None
                if prompt is not None and prompt.decision_id > answered[message.channel]:
                    answered[message.channel] = prompt.decision_id
                    answer = PlayAnswer(
                        decision_id=prompt.decision_id, action_index=rng.randrange(number_of_actions(prompt))
                    )
                    answers.append(PlayCommand(channel=message.channel, command_id=1, answer=answer))
            if answers:
                await self.send(*answers)
        assert results[False] > 0 == results[True]


@asynccontextmanager
async def stream_of(server: Running) -> AsyncIterator[Stream]:
    """A stream. Its channels are recorded for the checks at the test's end, like every other stream."""
    stream = Stream(server.play.Play())
    yield stream
    stream.call.cancel()


def errors(messages: Iterable[PlayMessage]) -> list[tuple[int, str]]:
    """The errors among messages: whose command's, and why."""
    return [
        (message.command_id, errors_pb2.ErrorReason.Name(message.error.reason).removeprefix("ERROR_REASON_"))
        for message in messages
        if message.HasField("error")
    ]
