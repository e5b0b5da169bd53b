"""One Play stream: many seats of many games.

Two loops: one reads commands and starts them in their order, the other writes whatever is ready: results of commands,
and what the readers of woken channels have. Nothing of what games publish is queued here. A client that sends and does
not read is no longer read from when `MAX_UNWRITTEN` results wait for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

import grpc

from dragonhall.server.hub import Hub
from dragonhall.server.operations import Accepted, answer
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services.errors import as_refusal, to_error
from dragonhall.server.services.framing import play_message, play_response
from dragonhall.server.services.messages import choice_of, submit_response
from dragonhall.server.services.reader import Reader, Wish
from dragonhall.server.services.rpc import Context, parse
from dragonhall.server.services.waking import Beat, Waker
from dragonhall.v1 import play_service_pb2

OBSERVATION: Final = 3
RESULT: Final = 4
ERROR: Final = 5
CLOSED: Final = 6
"""Fields of ``PlayMessage.message``."""

MAX_UNWRITTEN: Final = 10_000
"""Commands begun and not yet answered, at most."""

MOST_AT_A_TIME: Final = 256
"""Commands begun before others have their turn."""

MAX_WRITE_BYTES: Final = 1 << 18
"""A response is closed when it is this large."""


@dataclass(frozen=True, slots=True)
class Channel:
    """One attached seat."""

    number: int
    reader: Reader
    game_name: str
    unsubscribe: Callable[[], object]


class PlayStream:
    """Serves one stream from its opening to its end."""

    def __init__(self, hub: Hub, context: Context, heartbeat: timedelta, max_lag: int, max_channels: int) -> None:
        self._hub = hub
        self._context = context
        self._heartbeat = heartbeat
        self._max_lag = max_lag
        self._max_channels = max_channels
        self._channels: dict[int, Channel] = {}
        self._woken: dict[int, None] = {}
        """Channels whose readers may have something."""
        self._answers: list[bytes] = []
        """Answers to commands, not yet written."""
        self._unwritten = 0
        self._waker = Waker()
        self._room = asyncio.Event()
        self._is_read_to_end = False

    async def serve(self) -> None:
        """Until the client has ended its side and everything is answered. Raises `Refusal` when the server closes."""
        beat = Beat(self._heartbeat, self._waker)
        forget = self._hub.when_closing(self._waker.wake)
        reading = asyncio.create_task(self._read())
        try:
            await self._write(beat)
            await reading
        finally:
            beat.stop()
            forget()
            reading.cancel()
            for channel in list(self._channels.values()):
                self._drop(channel)

    # Commands

    async def _read(self) -> None:
        try:
            while not self._hub.closing and (data := await self._context.read()) is not grpc.aio.EOF:
                for i, command in enumerate(parse(play_service_pb2.PlayRequest, data).commands):
                    await self._wait_for_room()
                    await self._begin(command)
                    if i % MOST_AT_A_TIME == MOST_AT_A_TIME - 1:
                        await asyncio.sleep(0)
        finally:
            self._is_read_to_end = True
            self._waker.wake()

    async def _wait_for_room(self) -> None:
        while self._unwritten >= MAX_UNWRITTEN:
            self._room.clear()
            await self._room.wait()

    async def _begin(self, command: play_service_pb2.PlayCommand) -> None:
        self._unwritten += 1
        try:
            kind = command.WhichOneof("command")
            if kind == "answer":
                self._answer(command)
            elif kind == "attach":
                await self._attach(command)
            elif kind == "detach":
                self._drop(self._channel(command.channel))
                self._reply(command, CLOSED, b"")
            else:
                raise invalid_field("command", "give attach, answer or detach")
        except Exception as error:
            self._reply_error(command, error)

    def _answer(self, command: play_service_pb2.PlayCommand) -> None:
        channel = self._channel(command.channel)
        seat = channel.reader.viewer
        if seat is None:
            raise Refusal(Reason.NOT_YOUR_ROLE, "this channel watches as a spectator: attach a seat with its token")
        choice = choice_of(command.answer, channel.game_name)
        done = channel.reader.game.carry_out(answer(seat, command.answer.decision_id, choice))
        done.add_done_callback(partial(self._answered, command, channel.game_name))

    def _answered(self, command: play_service_pb2.PlayCommand, game_name: str, done: asyncio.Future[Accepted]) -> None:
        error = done.exception()
        if isinstance(error, Exception):
            self._reply_error(command, error)
        else:
            self._reply(command, RESULT, submit_response(done.result(), game_name).SerializeToString())

    async def _attach(self, command: play_service_pb2.PlayCommand) -> None:
        number = command.channel
        if number in self._channels:
            raise invalid_field("channel", f"channel {number} is open; detach it first or choose another number")
        if len(self._channels) >= self._max_channels:
            raise Refusal(
                Reason.LIMIT_EXCEEDED, f"a stream has at most {self._max_channels} channels; open another stream"
            )
        game = await self._hub.game(command.attach.game_id)
        reader = Reader(game, Wish.of(command.attach), self._max_lag)
        wake = partial(self._wake, number)
        self._channels[number] = Channel(number, reader, game.playthrough.created.game, game.subscribe(wake))
        self._unwritten -= 1  # what it will be answered with is an observation, and those are not kept
        wake()

    def _channel(self, number: int) -> Channel:
        channel = self._channels.get(number)
        if channel is None:
            raise invalid_field("channel", f"channel {number} is not open; attach a seat first")
        return channel

    def _drop(self, channel: Channel) -> None:
        channel.unsubscribe()
        self._channels.pop(channel.number, None)
        self._woken.pop(channel.number, None)

    def _wake(self, number: int) -> None:
        self._woken[number] = None
        self._waker.wake()

    def _reply(self, command: play_service_pb2.PlayCommand, field: int, message: bytes) -> None:
        self._answers.append(play_message(command.channel, command.command_id, field, message))
        self._waker.wake()

    def _reply_error(self, command: play_service_pb2.PlayCommand, error: Exception) -> None:
        self._reply(command, ERROR, to_error(as_refusal(error)).SerializeToString())

    # Writing

    async def _write(self, beat: Beat) -> None:
        while True:
            await self._waker.wait()
            await asyncio.sleep(0)  # whatever else has just become ready goes out in the same message
            if beat.is_struck():
                await self._write_all(self._heartbeats())
            while self._answers or self._woken:
                await self._write_all(self._ready())
            if self._hub.closing and not self._unwritten:
                raise Refusal(Reason.SHUTTING_DOWN, "the server is shutting down; reconnect with back-off")
            if self._is_read_to_end and not self._unwritten:
                return

    async def _write_all(self, messages: list[bytes]) -> None:
        if messages:
            await self._context.write(play_response(messages))

    def _ready(self) -> list[bytes]:
        """Everything that is ready now, up to the size of one response."""
        messages, self._answers = self._answers, []
        self._unwritten -= len(messages)
        self._room.set()
        size = sum(map(len, messages))
        while self._woken and size < MAX_WRITE_BYTES:
            number = next(iter(self._woken))
            del self._woken[number]
            taken = self._take(self._channels[number])
            size += sum(map(len, taken))
            messages.extend(taken)
        return messages

    def _take(self, channel: Channel) -> list[bytes]:
        reader, number = channel.reader, channel.number
        messages = [play_message(number, 0, OBSERVATION, message) for message in reader.take()]
        if reader.ended:
            self._drop(channel)
            messages.append(play_message(number, 0, CLOSED, b""))
        elif reader.is_behind:
            self._woken[number] = None
        return messages

    def _heartbeats(self) -> list[bytes]:
        return [
            play_message(channel.number, 0, OBSERVATION, message)
            for channel in self._channels.values()
            for message in channel.reader.take_heartbeat()
        ]
