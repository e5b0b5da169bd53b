"""Every method of every service, called alike."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import grpc
from google.protobuf import message_factory
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from dragonhall.v1 import errors_pb2, game_service_pb2, play_service_pb2, record_service_pb2, sandbox_service_pb2
from tests.service.harness import Refused, refused

METHODS: Final[dict[str, MethodDescriptor]] = {
    f"{service.full_name}/{method.name}": method
    for file in (game_service_pb2, play_service_pb2, record_service_pb2, sandbox_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
"""By the path that calls it."""

ANSWER_SECONDS: Final = 10
"""For an answer that has to come."""

OTHERWISE: Final = {"player_name": "Someone", "page_size": 1, "action_index": 0}
"""What is right in every request that takes it."""


def takes(path: str, field: str) -> bool:
    """Whether a request of the method has a field; of a Play stream, whether an attach has."""
    return field in _asks(path).DESCRIPTOR.fields_by_name


def _asks(path: str) -> Message:
    method = METHODS[path]
    asks: Message = message_factory.GetMessageClass(method.input_type)()
    return play_service_pb2.AttachSeat() if method.client_streaming else asks


def request(path: str, **values: Any) -> bytes:
    """A request with those of the values that it takes; on a Play stream they attach a channel."""
    message = _asks(path)
    for field, value in {**OTHERWISE, **values}.items():
        if field in message.DESCRIPTOR.fields_by_name:
            setattr(message, field, value)
    if isinstance(message, play_service_pb2.AttachSeat):
        attach = play_service_pb2.PlayCommand(channel=1, command_id=1, attach=message)
        return play_service_pb2.PlayRequest(commands=[attach]).SerializeToString()
    return message.SerializeToString()


async def refusal(channel: Any, path: str, data: bytes, patience: float = ANSWER_SECONDS) -> Refused | None:
    """How a call with these bytes is refused, if it is. Of a Play stream: how its first command is, or the stream.

    ``patience``: seconds for the first message of a stream, which may have none yet.
    """
    method = METHODS[path]
    try:
        if method.client_streaming:
            return await asyncio.wait_for(
                _refusal_of_command(channel.stream_stream(f"/{path}")(), data), ANSWER_SECONDS
            )
        if method.server_streaming:
            await _first_message(channel.unary_stream(f"/{path}")(data), patience)
        else:
            await asyncio.wait_for(channel.unary_unary(f"/{path}")(data), ANSWER_SECONDS)
    except grpc.aio.AioRpcError as error:
        return refused(error)
    return None


async def _first_message(call: Any, patience: float) -> None:
    try:
        await asyncio.wait_for(call.read(), patience)
    except TimeoutError:
        pass  # there was nothing to be told
    finally:
        call.cancel()


async def _refusal_of_command(call: Any, data: bytes) -> Refused | None:
    """Sends one request, ends its side, and reads to the end."""
    await call.write(data)
    await call.done_writing()
    first = None
    while (response := await call.read()) is not grpc.aio.EOF:
        for message in play_service_pb2.PlayResponse.FromString(response).messages:
            if message.HasField("error") and first is None:
                first = _refused(message.error)
    return first


def _refused(error: errors_pb2.Error) -> Refused:
    code = next(code for code in grpc.StatusCode if code.value[0] == error.code)
    reason = errors_pb2.ErrorReason.Name(error.reason).removeprefix("ERROR_REASON_")
    metadata = dict(error.metadata)
    return Refused(code, reason, error.message, metadata, [metadata["field"]] if "field" in metadata else [], 0.0)
