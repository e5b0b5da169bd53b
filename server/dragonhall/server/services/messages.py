"""Between the API's messages and the server's own values, where it takes more than a field."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from dragonhall.server.game import Plan
from dragonhall.server.operations.answers import Accepted, Choice, answer
from dragonhall.server.refusal import invalid_field
from dragonhall.server.services import checks
from dragonhall.v1 import play_service_pb2
from dragonhall.wire import CODECS, InvalidMessage, codec_of

MAX_THOUGHT_US: Final = 366 * 24 * 3600 * 1_000_000
"""No decision's time is longer."""

M = TypeVar("M")
T = TypeVar("T")


def answer_in(
    message: play_service_pb2.SubmitRequest | play_service_pb2.PlayAnswer,
    seat: int,
    is_substitute: bool,
    game: str,
    arrived_us: int,
) -> Plan[Accepted]:
    """The answer in a message from a seat (or its substitute) of a game of ``game``. Raises `Refusal`."""
    return answer(
        seat,
        message.decision_id,
        choice_of(message, game),
        arrived_us=arrived_us,
        thought_us=checks.duration_us("thought", message.thought, 0, MAX_THOUGHT_US)
        if message.HasField("thought")
        else None,
        is_substitute=is_substitute,
        validate_only=message.validate_only,
    )


def choice_of(message: play_service_pb2.SubmitRequest | play_service_pb2.PlayAnswer, game: str) -> Choice:
    """The answer in a message to a seat of ``game``. Raises `Refusal`."""
    given = message.WhichOneof("answer")
    if given == "action_index":
        return Choice(index=message.action_index)
    if given is None:
        raise invalid_field("answer", "give an action_index or an action")
    if message.action.WhichOneof("game") != game:
        raise invalid_field("action", f"this is a game of {game}: give an action of {game}")
    return Choice(action=read(f"action.{game}", codec_of(message.action).action_from_proto, message.action))


def read(path: str, convert: Callable[[M], T], message: M) -> T:
    """What ``convert`` makes of the message at ``path`` of a request. Raises `Refusal` with the field's whole path."""
    try:
        return convert(message)
    except InvalidMessage as error:
        raise invalid_field(f"{path}.{error.field}", error.message) from error


def submit_response(accepted: Accepted, game: str) -> play_service_pb2.SubmitResponse:
    """What is told of an accepted answer."""
    return play_service_pb2.SubmitResponse(
        revision=accepted.revision, action=CODECS[game].action_to_proto(accepted.action), repeated=accepted.repeated
    )
