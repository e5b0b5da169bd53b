"""Nonsense on the wire: whatever a client sends, it is answered or refused with a reason, and nobody else is harmed.

That the server has had no fault is checked, as for every test, when it stops.
"""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dragonhall.v1 import game_service_pb2, play_service_pb2, record_service_pb2
from tests.service.harness import Running, refused

UNARY: dict[str, type[Message]] = {
    "GameService/CreateGame": game_service_pb2.CreateGameRequest,
    "GameService/GetGame": game_service_pb2.GetGameRequest,
    "GameService/ListGames": game_service_pb2.ListGamesRequest,
    "GameService/ListRules": game_service_pb2.ListRulesRequest,
    "GameService/TakeSeat": game_service_pb2.TakeSeatRequest,
    "GameService/LeaveSeat": game_service_pb2.LeaveSeatRequest,
    "GameService/AbortGame": game_service_pb2.AbortGameRequest,
    "PlayService/Submit": play_service_pb2.SubmitRequest,
    "RecordService/GetRecord": record_service_pb2.GetRecordRequest,
}
STREAMS: dict[str, type[Message]] = {
    "GameService/WatchGames": game_service_pb2.WatchGamesRequest,
    "PlayService/Observe": play_service_pb2.ObserveRequest,
}

TYPES = FieldDescriptor
NUMBERS = (0, 1, 2, 3, 7, 100, 2**31 - 1, 2**32 - 1)
TEXTS = ("", "a", "dragons", "x" * 70, "x" * 5000, "\x00", "\n", "é", "a b", "../../etc", "'; --", "%s%n", "🐉" * 40)


class Nonsense:
    """Messages of the right type with anything in them, now and then something that exists."""

    def __init__(self, seed: int, game_id: str, tokens: list[str]) -> None:
        self._rng = Random(seed)
        self._known = {"game_id": [game_id], "seat_token": tokens, "host_token": tokens}

    def data(self, message_type: type[Message]) -> bytes:
        """Sometimes bytes that are no message at all."""
        if self._rng.random() < 0.2:
            return self._rng.randbytes(self._rng.randrange(1, 60))
        message = message_type()
        self.fill(message, depth=0)
        data = bytearray(message.SerializeToString())
        if data and self._rng.random() < 0.2:
            data[self._rng.randrange(len(data))] ^= 1 << self._rng.randrange(8)
        return bytes(data)

    def fill(self, message: Message, depth: int) -> None:
        for descriptor in message.DESCRIPTOR.fields:
            if self._rng.random() < 0.35 or depth > 5:
                continue
            if descriptor.message_type is not None and not descriptor.is_repeated:
                getattr(message, descriptor.name).SetInParent()
                self.fill(getattr(message, descriptor.name), depth + 1)
            elif descriptor.message_type is not None:
                for _ in range(self._rng.choice((0, 1, 3, 4, 9))):
                    self.fill(getattr(message, descriptor.name).add(), depth + 1)
            elif descriptor.is_repeated:
                getattr(message, descriptor.name).extend(self.value(descriptor) for _ in range(3))
            else:
                setattr(message, descriptor.name, self.value(descriptor))

    def value(self, descriptor: Any) -> Any:
        if descriptor.name in self._known and self._rng.random() < 0.7:
            return self._rng.choice(self._known[descriptor.name])
        if descriptor.type == TYPES.TYPE_STRING:
            return self._rng.choice(TEXTS)
        if descriptor.type == TYPES.TYPE_BYTES:
            return self._rng.randbytes(self._rng.choice((0, 1, 32, 64, 65, 3000)))
        if descriptor.type == TYPES.TYPE_BOOL:
            return self._rng.random() < 0.5
        if descriptor.type == TYPES.TYPE_UINT64:
            return self._rng.choice((*NUMBERS, 2**63, 2**64 - 1))
        if descriptor.type in (TYPES.TYPE_ENUM, TYPES.TYPE_INT32):
            return self._rng.choice((0, 1, 2, 3, 4, 99, -1, 2**31 - 1))
        return self._rng.choice(NUMBERS)


@pytest.mark.parametrize("seed", range(3))
async def test_nonsense_is_answered_or_refused_with_a_reason(server: Running, seed: int) -> None:
    game = await server.seated(3)
    nonsense = Nonsense(seed, game.game_id, game.tokens)
    for _ in range(60):
        for name, message_type in UNARY.items():
            call: Any = server.channel.unary_unary(f"/dragonhall.v1.{name}")
            await answered_or_refused(call(nonsense.data(message_type)))
        for name, message_type in STREAMS.items():
            observe: Any = server.channel.unary_stream(f"/dragonhall.v1.{name}")
            stream = observe(nonsense.data(message_type))
            await answered_or_refused(stream.read())
            stream.cancel()
    await server.play_out(game)  # it has not been touched


async def answered_or_refused(attempt: Any) -> None:
    try:
        await asyncio.wait_for(attempt, 5)
    except grpc.aio.AioRpcError as error:
        refused(error)  # fails if the refusal has no typed details


@pytest.mark.parametrize("seed", range(3))
async def test_nonsense_on_a_play_stream_is_answered_command_by_command(server: Running, seed: int) -> None:
    game = await server.seated(3)
    nonsense = Nonsense(seed, game.game_id, game.tokens)
    call: Any = server.play.Play()
    sent = 0
    for _ in range(40):
        request = play_service_pb2.PlayRequest()
        nonsense.fill(request, depth=0)
        for command in request.commands:
            sent += 1
            command.command_id = sent
            command.channel %= 20
        await call.write(request)
    await call.done_writing()
    settled: set[int] = set()
    while (response := await asyncio.wait_for(call.read(), 5)) is not grpc.aio.EOF:
        for message in response.messages:
            assert message.WhichOneof("message")
            settled.add(message.command_id)
    assert len(settled - {0}) > sent / 2  # the rest were attached, and observations answered them


async def test_bytes_that_are_not_even_grpc_do_no_harm(server: Running) -> None:
    rng = Random(1)
    for start in (b"", b"GET / HTTP/1.1\r\n\r\n", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"):
        for _ in range(5):
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(start + rng.randbytes(500))
            writer.write_eof()
            await asyncio.wait_for(reader.read(), 10)
            writer.close()
    await server.play_out(await server.seated(3))
