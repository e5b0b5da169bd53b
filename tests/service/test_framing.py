"""What is put together by hand is what protobuf would have written."""

from __future__ import annotations

import pytest

from dragonhall.server.services import framing
from dragonhall.v1.play_service_pb2 import (
    ChannelClosed,
    Heartbeat,
    ObserveResponse,
    PlayMessage,
    PlayResponse,
    SubmitResponse,
    Update,
    Waiting,
)
from dragonhall.wire.serialized import number_field

NUMBERS = [0, 1, 127, 128, 300, 2**14 - 1, 2**14, 2**32 - 1, 2**63, 2**64 - 1]


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers(number: int) -> None:
    assert number_field(1, number) == ObserveResponse(revision=number).SerializeToString()


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_messages_inside_messages(size: int) -> None:
    update = Update(waiting=[Waiting(seat=1, decision_id=9)] * size)
    whole = ObserveResponse(revision=5, update=update)
    assert framing.observe_response(5, 3, update.SerializeToString()) == whole.SerializeToString()


@pytest.mark.parametrize("number", [0, 1, 200, 2**32 - 1])
def test_a_play_response_of_parts(number: int) -> None:
    observation = ObserveResponse(revision=7, heartbeat=Heartbeat())
    result = SubmitResponse(revision=8, repeated=True)
    whole = PlayResponse(
        messages=[
            PlayMessage(channel=number, observation=observation),
            PlayMessage(channel=number, command_id=number, result=result),
            PlayMessage(channel=1, closed=ChannelClosed()),
        ]
    )
    parts = [
        framing.play_message(number, 0, 3, observation.SerializeToString()),
        framing.play_message(number, number, 4, result.SerializeToString()),
        framing.play_message(1, 0, 6, b""),
    ]
    assert list(framing.play_responses(parts, 1000)) == [whole.SerializeToString()]


@pytest.mark.parametrize(
    ("sizes", "responses"),
    [
        ([], []),
        ([4, 6], [10]),
        ([4, 7], [4, 7]),
        ([11], [11]),
        ([3, 3, 11, 3, 3, 4, 1], [6, 11, 10, 1]),
    ],
)
def test_a_play_response_has_a_largest_size_unless_one_message_is_larger(
    sizes: list[int], responses: list[int]
) -> None:
    parts = [bytes([i]) * size for i, size in enumerate(sizes)]
    made = list(framing.play_responses(parts, 10))
    assert list(map(len, made)) == responses
    assert b"".join(made) == b"".join(parts)
