"""Answers that are only validated are told what would come of them, refusals too, and nothing is written.

And what an answer says of the time that it took.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from dragonhall.server.log import Answered
from dragonhall.server.wall_clock import now_us
from dragonhall.v1 import errors_pb2, game_pb2
from dragonhall.v1.play_service_pb2 import (
    AttachSeat,
    Decision,
    PlayAnswer,
    PlayCommand,
    PlayRequest,
    SubmitRequest,
    SubmitResponse,
)
from tests.service.harness import Running, Seated, number_of_actions, refused, running
from tests.service.lobbying import leave, settings


class Told(NamedTuple):
    """A result; or why it was refused."""

    result: SubmitResponse
    reason: str = ""
    metadata: Mapping[str, str] = MappingProxyType({})


async def by_submit(server: Running, game: Seated, seat: int, **fields: Any) -> Told:
    try:
        request = SubmitRequest(game_id=game.game_id, seat_token=game.tokens[seat], **fields)
        return Told(await server.play.Submit(request))
    except grpc.aio.AioRpcError as error:
        refusal = refused(error)
        return Told(SubmitResponse(), refusal.reason, refusal.metadata)


async def by_play(server: Running, game: Seated, seat: int, **fields: Any) -> Told:
    call = server.play.Play()
    attach = AttachSeat(game_id=game.game_id, seat_token=game.tokens[seat])
    commands = [
        PlayCommand(channel=1, command_id=1, attach=attach),
        PlayCommand(channel=1, command_id=2, answer=PlayAnswer(**fields)),
    ]
    await call.write(PlayRequest(commands=commands))
    await call.done_writing()
    told = [message async for response in call for message in response.messages if message.command_id == 2]
    (message,) = told
    if message.HasField("result"):
        return Told(message.result)
    reason = errors_pb2.ErrorReason.Name(message.error.reason).removeprefix("ERROR_REASON_")
    return Told(SubmitResponse(), reason, dict(message.error.metadata))


Way = Callable[..., Awaitable[Told]]
ways = pytest.mark.parametrize("by", [by_submit, by_play])


async def log_length(server: Running, game: Seated) -> int:
    return len(await server.server.store.load(game.game_id))


async def newest_answer(server: Running, game: Seated) -> Answered:
    log = (await server.server.hub.game(game.game_id)).log()
    return next(entry.cause for entry in reversed(log) if isinstance(entry.cause, Answered))


@ways
async def test_a_validated_answer_is_told_as_it_would_be_taken_and_is_not_given(server: Running, by: Way) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    before = await log_length(server, game)
    asked = {"decision_id": prompt.decision_id, "action_index": 1}
    for _ in range(2):
        validated = await by(server, game, seat, validate_only=True, **asked)
        assert validated.result == SubmitResponse(revision=0, action=prompt.legal_actions[1].action)
    assert await log_length(server, game) == before
    spelled_out = await by(
        server, game, seat, decision_id=prompt.decision_id, action=validated.result.action, validate_only=True
    )
    assert spelled_out == validated
    taken = await by(server, game, seat, **asked)
    assert taken.result == SubmitResponse(revision=before + 1, action=validated.result.action)


@ways
async def test_a_validated_answer_to_an_answered_decision_is_told_what_stands(server: Running, by: Way) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    first = await server.submit(game, seat, prompt.decision_id, 0)
    before = await log_length(server, game)
    repeated = await by(server, game, seat, decision_id=prompt.decision_id, action_index=0, validate_only=True)
    assert repeated.result == SubmitResponse(revision=first.revision, action=first.action, repeated=True)
    other = {"decision_id": prompt.decision_id, "action_index": 1}
    refusal = await by(server, game, seat, validate_only=True, **other)
    assert refusal == await by(server, game, seat, **other)
    assert refusal.reason == "DECISION_ANSWERED"
    assert await log_length(server, game) == before


BAD: dict[str, Callable[[Decision], dict[str, Any]]] = {
    "INVALID_FIELD": lambda prompt: {"decision_id": prompt.decision_id},
    "DECISION_UNKNOWN": lambda prompt: {"decision_id": prompt.decision_id + 1, "action_index": 0},
    "ILLEGAL_ACTION": lambda prompt: {"decision_id": prompt.decision_id, "action_index": number_of_actions(prompt)},
}


@ways
@pytest.mark.parametrize("reason", BAD)
async def test_a_validated_answer_is_refused_as_if_it_were_given(server: Running, by: Way, reason: str) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    before = await log_length(server, game)
    bad = BAD[reason](prompt)
    refusal = await by(server, game, seat, validate_only=True, **bad)
    assert refusal.reason == reason
    assert refusal == await by(server, game, seat, **bad)
    assert await log_length(server, game) == before


@ways
async def test_a_late_answer_that_is_only_validated_lets_nothing_expire(tmp_path: Path, by: Way) -> None:
    late_us = 0
    limit = game_pb2.TimePerDecision(limit=Duration(seconds=366 * 24 * 3600))
    timed = settings(time_control=game_pb2.TimeControl(per_decision=limit))
    async with running(tmp_path / "games.db", now_us=lambda: now_us() + late_us) as server:
        game = await server.seated(settings=timed)
        seat, prompt = await server.prompt(game)
        before = await log_length(server, game)
        late_us = 367 * 24 * 3600 * 1_000_000
        asked = {"decision_id": prompt.decision_id, "action_index": 0}
        refusal = await by(server, game, seat, validate_only=True, **asked)
        assert refusal.reason == "TIME_RAN_OUT"
        assert await log_length(server, game) == before
        assert await by(server, game, seat, **asked) == refusal
        assert await log_length(server, game) > before
        assert await by(server, game, seat, validate_only=True, **asked) == refusal


@ways
async def test_a_seat_that_is_away_validates_nothing(server: Running, by: Way) -> None:
    held = settings(absence=game_pb2.ABSENCE_POLICY_SUBSTITUTE, substitute_bot="greedy")
    game = await server.seated(settings=held)
    seat, prompt = await server.prompt(game)
    await leave(server, game.game_id, game.tokens[seat])
    before = await log_length(server, game)
    asked = {"decision_id": prompt.decision_id, "action_index": 0}
    refusal = await by(server, game, seat, validate_only=True, **asked)
    assert refusal.reason == "SEAT_AWAY"
    assert refusal == await by(server, game, seat, **asked)
    assert await log_length(server, game) == before


@ways
async def test_when_an_answer_arrived_and_how_long_it_took_is_in_the_log(server: Running, by: Way) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    before_us = now_us()
    asked = {"decision_id": prompt.decision_id, "action_index": 0, "thought": Duration(seconds=3, nanos=5_000)}
    await by(server, game, seat, **asked)
    answered = await newest_answer(server, game)
    assert answered.thought_us == 3_000_005
    assert before_us <= answered.arrived_us <= now_us()
    seat, prompt = await server.prompt(game)
    await by(server, game, seat, decision_id=prompt.decision_id, action_index=0)
    assert (await newest_answer(server, game)).thought_us is None


@ways
@pytest.mark.parametrize(
    "thought",
    [
        Duration(seconds=-1),
        Duration(nanos=-1),
        Duration(seconds=366 * 24 * 3600, nanos=1000),
        Duration(seconds=2**63 - 1),
        Duration(seconds=1, nanos=1_000_000_000),
    ],
    ids=lambda thought: f"{thought.seconds} s {thought.nanos} ns",
)
async def test_an_absurd_thought_is_refused(server: Running, by: Way, thought: Duration) -> None:
    game = await server.seated()
    seat, prompt = await server.prompt(game)
    before = await log_length(server, game)
    asked = {"decision_id": prompt.decision_id, "action_index": 0, "thought": thought}
    refusal = await by(server, game, seat, **asked)
    assert (refusal.reason, refusal.metadata) == ("INVALID_FIELD", {"game_id": game.game_id, "field": "thought"})
    assert await log_length(server, game) == before
