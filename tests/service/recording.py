"""Every stream that a test opens is recorded by the connection that it is opened over, and checked at the test's end.

Alone against what it shows by itself; and, while its server still runs, against the record of its game if that is
finished, and against a stream that is resumed in the middle of it.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any, Final, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from dragonhall.v1 import play_service_pb2, record_service_pb2
from dragonhall.v1.play_service_pb2 import (
    AttachSeat,
    ObserveRequest,
    ObserveResponse,
    PlayCommand,
    PlayMessage,
    PlayRequest,
)
from dragonhall.v1.record_pb2 import GameRecord
from dragonhall.v1.record_service_pb2 import ReplayGameRequest
from tests.service.promises import Recorded, check, check_atomic, check_resumed

MOST_RESUMED: Final = 4
"""Streams of a test that are compared with a resumed one: more would take longer than the tests."""

SECONDS: Final = 10
"""Until a stream that is resumed has to have brought what the other one brought."""

M = TypeVar("M", bound=Message)

_seats: dict[str, int | None] = {}
"""What the tokens prove that clients were given, hosts' too. Tokens are as good as unique."""

_channels: defaultdict[int, list[RecordingChannel]] = defaultdict(list)
"""By the server's port: what was opened in the test that runs."""

_checked: list[RecordingChannel] = []
"""What was opened in the test that runs, and checked with its server, which does not run any more."""


def note_token(token: str, seat: int | None) -> None:
    """Says what a token proves that no client was given over a connection of these."""
    _seats.setdefault(token, seat)


class RecordingChannel:
    """A connection that records the streams of observations that are opened over it."""

    def __init__(self, channel: grpc.aio.Channel, port: int) -> None:
        self.plain = channel
        """The connection itself, over which nothing is recorded."""
        self.streams: list[Recorded] = []
        _channels[port].append(self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    def unary_unary(self, method: str, *arguments: Any, **named: Any) -> Any:
        """A method whose answers may bring tokens."""
        call = self.plain.unary_unary(method, *arguments, **named)
        return lambda *args, **kwargs: _NotingTokens(call(*args, **kwargs))

    def unary_stream(self, method: str, *arguments: Any, **named: Any) -> Any:
        """A method with a stream of responses."""
        call: Any = self.plain.unary_stream(method, *arguments, **named)
        wish_of = _WISHES.get(method.rpartition("/")[2])
        if wish_of is None:
            return call

        def record(request: Any, **kwargs: Any) -> Any:
            try:
                wish = wish_of(request)
            except DecodeError:
                return call(request, **kwargs)  # nonsense, sent on purpose
            return _RecordedStream(call(request, **kwargs), self._record(wish))

        return record

    def stream_stream(self, method: str, *arguments: Any, **named: Any) -> Any:
        """``Play``."""
        call: Any = self.plain.stream_stream(method, *arguments, **named)
        if not method.endswith("/Play"):
            return call
        return lambda *args, **kwargs: RecordedPlay(call(*args, **kwargs), self._record)

    def _record(self, stream: Recorded) -> Recorded:
        self.streams.append(stream)
        return stream


class _NotingTokens:
    """A unary call."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)

    def __await__(self) -> Any:
        response = yield from self._call.__await__()
        seat = response.seat if "seat_token" in _fields(response) and response.seat_token else None
        for name in ("seat_token", "host_token", "spectator_token"):
            if name in _fields(response):
                _seats[getattr(response, name)] = seat if name == "seat_token" else None
        return response


def _fields(message: Any) -> Iterable[str]:
    return message.DESCRIPTOR.fields_by_name if isinstance(message, Message) else ()


class _Iterated:
    """A call whose messages are noted however they are read."""

    def __init__(self, call: Any) -> None:
        self._call = call

    def __getattr__(self, name: str) -> Any:
        return getattr(self._call, name)

    def __aiter__(self) -> _Iterated:
        self._iterator = self._call.__aiter__()
        return self

    async def __anext__(self) -> Any:
        try:
            message = await self._iterator.__anext__()
        except StopAsyncIteration:
            self.note(grpc.aio.EOF)
            raise
        self.note(message)
        return message

    async def read(self) -> Any:
        """The next message, or `grpc.aio.EOF`."""
        message = await self._call.read()
        self.note(message)
        return message

    def note(self, message: Any) -> None:
        """Called with every message, and with `grpc.aio.EOF` at an end with OK."""
        raise NotImplementedError


class _RecordedStream(_Iterated):
    """``Observe``, or ``ReplayGame``."""

    def __init__(self, call: Any, recorded: Recorded) -> None:
        super().__init__(call)
        self._recorded = recorded

    def note(self, message: Any) -> None:
        if message is grpc.aio.EOF:
            self._recorded.has_ended = True
        elif self._recorded.is_replay:
            response = _parsed(record_service_pb2.ReplayGameResponse, message)
            self._recorded.messages.append(response.observation)
        else:
            self._recorded.messages.append(_parsed(ObserveResponse, message))


class RecordedPlay(_Iterated):
    """``Play``: each channel from its attach to its end is a stream of its own."""

    def __init__(self, call: Any, record: Callable[[Recorded], Recorded]) -> None:
        super().__init__(call)
        self._record = record
        self.channels: dict[int, Recorded] = {}
        """The newest of each number."""
        self._attaching: defaultdict[int, deque[tuple[int, AttachSeat]]] = defaultdict(deque)
        self._open: set[int] = set()
        self._detached: set[int] = set()

    async def write(self, request: Any) -> None:
        """Sends commands."""
        for command in _commands(request):
            if command.HasField("attach"):
                self._attaching[command.channel].append((command.command_id, command.attach))
            elif command.HasField("detach"):
                self._detached.add(command.channel)
        await self._call.write(request)

    def note(self, message: Any) -> None:
        if message is not grpc.aio.EOF:
            for part in _parsed(play_service_pb2.PlayResponse, message).messages:
                self._note(part)

    def _note(self, message: PlayMessage) -> None:
        number, attaching = message.channel, self._attaching[message.channel]
        kind = message.WhichOneof("message")
        answers_attach = bool(attaching) and attaching[0][0] == message.command_id
        if number not in self._open and answers_attach and kind in ("observation", "closed"):
            self._open.add(number)
            _, attach = attaching.popleft()
            self.channels[number] = self._record(_wish_of_attach(attach))
        if kind == "observation":
            self.channels[number].messages.append(message.observation)
        elif kind == "closed" and number in self._open:
            self._open.remove(number)
            self.channels[number].has_ended = number not in self._detached
        elif kind == "error" and answers_attach:
            attaching.popleft()


def _commands(request: Any) -> Iterable[PlayCommand]:
    try:
        return _parsed(PlayRequest, request).commands
    except DecodeError:
        return ()  # nonsense, sent on purpose


def _parsed(message_type: type[M], message: Any) -> M:
    return message if isinstance(message, message_type) else message_type.FromString(message)


def _wish_of_observe(request: Any) -> Recorded:
    return _wish_of_attach(_parsed(ObserveRequest, request))


def _wish_of_attach(wish: ObserveRequest | AttachSeat) -> Recorded:
    return Recorded(
        wish.game_id,
        _seats.get(wish.seat_token),
        wish.from_revision,
        token=wish.seat_token,
        content=wish.content,
        view_delivery=wish.view_delivery,
        include_history=wish.include_history,
    )


def _wish_of_replay(request: Any) -> Recorded:
    wish = _parsed(ReplayGameRequest, request)
    seat = wish.seat if wish.HasField("seat") else None
    return Recorded(
        wish.game_id,
        seat,
        wish.from_revision,
        token=wish.token,
        view_delivery=wish.view_delivery,
        is_replay=True,
    )


_WISHES: Final[dict[str, Callable[[Any], Recorded]]] = {"Observe": _wish_of_observe, "ReplayGame": _wish_of_replay}
"""By method: what a request asks for."""


def check_all() -> None:
    """At a test's end: checks every stream of it alone, and forgets them. Raises `BrokenPromise`."""
    channels = [*_checked, *(channel for of_port in _channels.values() for channel in of_port)]
    _checked.clear()
    _channels.clear()
    for channel in channels:
        for stream in channel.streams:
            check(stream)


async def check_with_server(channel: RecordingChannel, port: int, with_records: bool) -> None:
    """Checks the streams of the server at ``port``, which still runs, with what it says over ``channel``.

    ``with_records``: its games' chance is that of their seeds, as records have it. Raises `BrokenPromise`.
    """
    channels = _channels.pop(port, [])
    _checked.extend(channels)
    streams = [stream for channel in channels for stream in channel.streams if stream.messages]
    questions = _Questions(channel)
    for game_id in {stream.game_id for stream in streams if with_records}:
        await _check_with_record(questions, [stream for stream in streams if stream.game_id == game_id])
    with_updates = [stream for stream in streams if stream.updates]
    for stream in Random().sample(with_updates, min(MOST_RESUMED, len(with_updates))):
        await _check_resumed(questions, stream)


async def _check_with_record(questions: _Questions, streams: Sequence[Recorded]) -> None:
    """``streams``: of one game."""
    if not any(stream.updates for stream in streams):
        return
    token = next((stream.token for stream in streams if stream.token), "")
    record = await questions.record(streams[0].game_id, token)
    if record is None:
        return
    undone: set[int] = set()
    if record.settings.allow_undo:
        whole = await questions.resumed(Recorded(record.game_id, None, token=token), 1, None)
        undone = whole.undone if whole else undone
    for stream in streams:
        check_atomic(stream, record, undone)


async def _check_resumed(questions: _Questions, stream: Recorded) -> None:
    first = Random().choice(stream.updates).revision
    resumed = await questions.resumed(stream, first, stream.messages[-1].revision)
    if resumed is not None:
        check(resumed)
        check_resumed(stream, resumed)


class _Questions:
    """Asks a server, over a connection of a test's."""

    def __init__(self, channel: RecordingChannel) -> None:
        plain: Any = channel.plain
        service = "/dragonhall.v1.RecordService"
        self._get_record = plain.unary_unary(f"{service}/GetRecord")
        self._methods = {
            False: plain.unary_stream("/dragonhall.v1.PlayService/Observe"),
            True: plain.unary_stream(f"{service}/ReplayGame"),
        }

    async def record(self, game_id: str, token: str) -> GameRecord | None:
        """The game's record; ``None`` if it has none, or the server cannot be asked."""
        request = record_service_pb2.GetRecordRequest(game_id=game_id, token=token)
        try:
            answer = await self._get_record(request.SerializeToString(), timeout=SECONDS)
        except grpc.aio.AioRpcError as error:
            _check_impossible(error)
            return None
        return record_service_pb2.GetRecordResponse.FromString(answer).record

    async def resumed(self, stream: Recorded, first: int, last: int | None) -> Recorded | None:
        """``stream`` once more from a revision, to ``last`` or the end.

        ``None`` if the token is worth nothing any more, or the server cannot be asked.
        """
        resumed = Recorded(
            stream.game_id,
            stream.seat,
            first,
            token=stream.token,
            content=stream.content,
            view_delivery=stream.view_delivery,
            is_replay=stream.is_replay,
        )
        call = self._methods[stream.is_replay](_request(resumed).SerializeToString(), timeout=SECONDS)
        reading = _RecordedStream(call, resumed)
        try:
            while await reading.read() is not grpc.aio.EOF:
                if resumed.messages[-1].revision == last:
                    break
        except grpc.aio.AioRpcError as error:
            _check_impossible(error)
            return None
        finally:
            call.cancel()
        return resumed


def _request(stream: Recorded) -> Message:
    if stream.is_replay:
        return ReplayGameRequest(
            game_id=stream.game_id,
            seat=stream.seat,
            token=stream.token,
            from_revision=stream.from_revision,
            view_delivery=play_service_pb2.ViewDelivery.ValueType(stream.view_delivery),
        )
    return ObserveRequest(
        game_id=stream.game_id,
        seat_token=stream.token,
        from_revision=stream.from_revision,
        view_delivery=play_service_pb2.ViewDelivery.ValueType(stream.view_delivery),
        content=play_service_pb2.StreamContent.ValueType(stream.content),
    )


IMPOSSIBLE: Final = (
    grpc.StatusCode.FAILED_PRECONDITION,  # no record: the game is not finished, or the server cannot read it
    grpc.StatusCode.NOT_FOUND,  # the game was removed
    grpc.StatusCode.UNAUTHENTICATED,  # the seat was given back
    grpc.StatusCode.UNAVAILABLE,  # the test has stopped the server, or broken its store
)


def _check_impossible(error: grpc.aio.AioRpcError) -> None:
    if error.code() not in IMPOSSIBLE:
        raise error
