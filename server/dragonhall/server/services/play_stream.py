"""One Play stream: many seats of many games.

Two loops: one reads commands and starts them in their order, the other writes whatever is ready: replies to commands,
and what the readers of woken channels have. Nothing of what games publish is queued here. A client that sends and does
not read is no longer read from when `MAX_UNWRITTEN` replies wait for it.

The order of a channel's messages is kept by the writer: replies go first, a reply is preceded by the channel's opening
observation if that has not been sent, and a channel is closed when its answers have their replies.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from datetime import timedelta
from functools import partial
from typing import Final, NamedTuple

import grpc

from dragonhall.server.hub import Hub
from dragonhall.server.operations.answers import Accepted
from dragonhall.server.operations.roles import role_of
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services.channel import CLOSED, ERROR, RESULT, Channel
from dragonhall.server.services.errors import as_refusal, to_error
from dragonhall.server.services.framing import play_message, play_responses
from dragonhall.server.services.messages import answer_in, submit_response
from dragonhall.server.services.reader import reader_of
from dragonhall.server.services.rpc import Context, parse, spend_submit
from dragonhall.server.services.waking import Beat, Waker
from dragonhall.v1 import play_service_pb2

MAX_UNWRITTEN: Final = 10_000
"""Commands begun and not yet answered, at most."""

MOST_AT_A_TIME: Final = 256
"""Commands begun before others have their turn."""

ENOUGH_BYTES: Final = 1 << 18
"""So much is put together before it is written,"""

ENOUGH_SECONDS: Final = 0.02
"""and so long, because nobody else is served meanwhile."""

MAX_RESPONSE_BYTES: Final = 1 << 20
"""No response is larger, as ``play_service.proto`` promises, unless it holds a single message that is."""


class Reply(NamedTuple):
    """The answer to a command, not yet written."""

    channel: Channel | None
    """``None``: the command's channel was not open."""
    field: int
    message: bytes
    """A ``PlayMessage``, as `play_message` made it."""


class PlayStream:
    """Serves one stream from its opening to its end."""

    def __init__(self, hub: Hub, context: Context, heartbeat: timedelta, max_lag: int, max_channels: int) -> None:
        self._hub = hub
        self._context = context
        self._heartbeat = heartbeat
        self._max_lag = max_lag
        self._max_channels = max_channels
        self._channels: dict[int, Channel] = {}
        self._new: list[Channel] = []
        """Channels that were attached by the message that is being read."""
        self._arrived_us = 0
        """When that message was there."""
        self._woken: dict[Channel, None] = {}
        """Channels whose readers may have something."""
        self._replies: deque[Reply] = deque()
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
                self._arrived_us = self._hub.now_us()
                await self._begin_all(parse(play_service_pb2.PlayRequest, data).commands)
        finally:
            self._is_read_to_end = True
            self._waker.wake()

    async def _begin_all(self, commands: Iterable[play_service_pb2.PlayCommand]) -> None:
        """The commands of one message."""
        for i, command in enumerate(commands):
            await self._wait_for_room()
            await self._begin(command)
            if i % MOST_AT_A_TIME == MOST_AT_A_TIME - 1:
                await asyncio.sleep(0)
        for channel in self._new:
            channel.is_new = False
            self._wake_if_over(channel)
        self._new.clear()

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
                await self._detach(command)
            else:
                raise invalid_field("command", "give attach, answer or detach")
        except Exception as error:
            self._reply_error(command, self._channels.get(command.channel), error)

    def _answer(self, command: play_service_pb2.PlayCommand) -> None:
        spend_submit()
        channel = self._channel(command.channel)
        seat = channel.reader.viewer
        if seat is None:
            raise Refusal(Reason.NOT_YOUR_ROLE, "this channel watches as a spectator: attach a seat with its token")
        plan = answer_in(command.answer, seat, channel.is_substitute, channel.game_name, self._arrived_us)
        done = channel.game.carry_out(plan)
        channel.answers.add(done)
        done.add_done_callback(partial(self._answered, command, channel))

    def _answered(
        self, command: play_service_pb2.PlayCommand, channel: Channel, done: asyncio.Future[Accepted]
    ) -> None:
        channel.answers.discard(done)
        error = done.exception()
        if isinstance(error, Exception):
            self._reply_error(command, channel, error)
        else:
            self._reply(command, channel, RESULT, submit_response(done.result(), channel.game_name).SerializeToString())
        self._wake_if_over(channel)

    async def _attach(self, command: play_service_pb2.PlayCommand) -> None:
        number = command.channel
        if number in self._channels:
            raise invalid_field("channel", f"channel {number} is open; detach it first or choose another number")
        if len(self._channels) >= self._max_channels:
            raise Refusal(
                Reason.LIMIT_EXCEEDED, f"a stream has at most {self._max_channels} channels; open another stream"
            )
        game = await self._hub.game(command.attach.game_id)
        reader = reader_of(game, command.attach, self._max_lag)
        token = command.attach.seat_token
        is_substitute = bool(token) and role_of(game.playthrough, token).is_substitute
        channel = Channel(number, command.command_id, game, reader, is_substitute)
        channel.unsubscribe = game.subscribe(partial(self._wake, channel))
        self._channels[number] = channel
        self._new.append(channel)
        self._unwritten -= 1  # what it will be answered with is an observation, and those are not kept
        self._wake(channel)

    async def _detach(self, command: play_service_pb2.PlayCommand) -> None:
        channel = self._channel(command.channel)
        self._drop(channel)
        if channel.answers:
            await asyncio.wait(channel.answers)
        self._reply(command, channel, CLOSED, b"")

    def _channel(self, number: int) -> Channel:
        channel = self._channels.get(number)
        if channel is None:
            raise invalid_field("channel", f"channel {number} is not open; attach a seat first")
        return channel

    def _drop(self, channel: Channel) -> None:
        channel.unsubscribe()
        del self._channels[channel.number]
        self._woken.pop(channel, None)

    def _wake(self, channel: Channel) -> None:
        self._woken[channel] = None
        self._waker.wake()

    def _wake_if_over(self, channel: Channel) -> None:
        if channel.is_over and self._channels.get(channel.number) is channel:
            self._wake(channel)

    def _reply(
        self, command: play_service_pb2.PlayCommand, channel: Channel | None, field: int, message: bytes
    ) -> None:
        self._replies.append(Reply(channel, field, play_message(command.channel, command.command_id, field, message)))
        self._waker.wake()

    def _reply_error(self, command: play_service_pb2.PlayCommand, channel: Channel | None, error: Exception) -> None:
        game_id = command.attach.game_id or (channel.game.game_id if channel else "")
        refusal = as_refusal(error, game_id, command.attach.seat_token)
        self._reply(command, channel, ERROR, to_error(refusal).SerializeToString())

    # Writing

    async def _write(self, beat: Beat) -> None:
        while True:
            await self._waker.wait()
            await asyncio.sleep(0)  # whatever else has just become ready goes out in the same message
            if beat.is_struck():
                await self._write_all(self._heartbeats())
            while self._replies or self._woken:
                await self._write_all(await self._take_ready())
            if self._hub.closing and not self._unwritten:
                raise self._hub.closing_refusal()
            if self._is_read_to_end and not self._unwritten:
                return

    async def _write_all(self, messages: list[bytes]) -> None:
        for response in play_responses(messages, MAX_RESPONSE_BYTES):
            await self._context.write(response)

    async def _take_ready(self) -> list[bytes]:
        if not self._looks_back():
            return self._ready()
        async with self._hub.turns.turn():
            return self._ready(in_turn=True)

    def _looks_back(self) -> bool:
        """Whether the log has to be replayed for what is next."""
        if not self._replies:
            return bool(self._woken) and next(iter(self._woken)).reader.looks_back
        channel = self._replies[0].channel
        return channel is not None and not channel.is_attach_answered and channel.reader.looks_back

    def _ready(self, in_turn: bool = False) -> list[bytes]:
        """What is ready now: replies, then observations, until it is enough to be written.

        Without a turn nothing for which the log has to be replayed.
        """
        messages: list[bytes] = []
        size = 0
        time = asyncio.get_running_loop().time
        enough = time() + ENOUGH_SECONDS
        while (self._replies or self._woken) and (not messages or (size < ENOUGH_BYTES and time() < enough)):
            taken = self._take_reply() if self._replies else self._take(next(iter(self._woken)))
            size += sum(map(len, taken))
            messages.extend(taken)
            if not in_turn and self._looks_back():
                break
        self._room.set()
        return messages

    def _take_reply(self) -> list[bytes]:
        reply = self._replies.popleft()
        self._unwritten -= 1
        return [*self._opening(reply), reply.message]

    def _opening(self, reply: Reply) -> list[bytes]:
        """What answers the attach of a reply's channel, if nothing has yet."""
        channel = reply.channel
        if channel is None or channel.is_attach_answered:
            return []
        return [channel.closed()] if reply.field == CLOSED else channel.take()

    def _take(self, channel: Channel) -> list[bytes]:
        del self._woken[channel]
        messages = channel.take()
        if channel.is_over:
            self._drop(channel)
            messages.append(channel.closed())
        elif channel.reader.is_behind:
            self._woken[channel] = None
        return messages

    def _heartbeats(self) -> list[bytes]:
        return [message for channel in self._channels.values() for message in channel.take_heartbeat()]
