"""Exactly once, whatever happens: two clients with one token answer decisions several times, alike and otherwise, over
Submit and Play, while the server is killed again and again; and once more when the game is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any, Final

import grpc
import pytest

from dragonhall.v1 import errors_pb2, game_pb2, games_pb2, play_service_pb2, record_pb2
from dragonhall.wire.records import verify_record
from tests.faults.stubborn import AGAIN, StubbornPlayer, until_answered
from tests.processes import ServerProcess
from tests.service.harness import (
    Client,
    Refused,
    Seated,
    connected,
    dragonisles,
    dragons,
    dragons_interest,
    number_of_actions,
    prompt_of,
    refused,
)

GAMES: Final = {
    "dragons": dragons(hidden_card=True),
    "dragons_interest": dragons_interest(),
    "dragonisles": dragonisles(),
}
SEATS: Final = 3
MOST_KILLS: Final = 3
HOW_MANY: Final = (1, 1, 1, 1, 2, 5)
"""How often a decision is answered: often enough."""
LATE: Final = 25
"""Answers of each game that are given once more when it is over."""


@dataclass(frozen=True)
class Outcome:
    """What an attempt came to: the answer that stands, as the server says."""

    was_taken: bool
    revision: int
    index: int


@dataclass
class Attempts:
    """All that was tried to answer one decision."""

    decision_id: int
    actions: int
    outcomes: list[tuple[int, Outcome]] = field(default_factory=list)
    """The index that was sent, and what it came to."""

    def check(self) -> Outcome:
        """One answer stands, the same for everyone, and whoever gave another was told so. Returns it."""
        (stands,) = {(outcome.revision, outcome.index) for _, outcome in self.outcomes}
        for index, outcome in self.outcomes:
            assert outcome.was_taken == (index == stands[1])
        return Outcome(True, *stands)


@dataclass
class DoubledPlayer(StubbornPlayer):
    """Plays one seat by two connections at once, which do not agree."""

    twin: Client = field(kw_only=True)
    attempts: list[Attempts] = field(default_factory=list)

    async def _answer(self, message: play_service_pb2.ObserveResponse) -> None:
        prompt = prompt_of(message)
        if prompt is None or (self.attempts and prompt.decision_id <= self.attempts[-1].decision_id):
            return
        attempts = Attempts(prompt.decision_id, number_of_actions(prompt))
        self.attempts.append(attempts)
        await self.try_all(attempts, self.rng.randrange(attempts.actions), how_many=self.rng.choice(HOW_MANY))

    async def try_all(self, attempts: Attempts, index: int, how_many: int) -> None:
        """Several attempts at once, by either connection and in both ways; some of them choose something else."""
        tries: list[tuple[int, Callable[[], Awaitable[Outcome]]]] = []
        for i in range(how_many):
            chosen = index if i % 3 != 1 else (index + 1) % attempts.actions
            by = self.rng.choice([submit, play])
            client = self.rng.choice([self.client, self.twin])
            attempt = partial(by, client, self.game, self.seat, attempts.decision_id, chosen)
            tries.append((chosen, attempt))
        outcomes = await asyncio.gather(*(until_answered(attempt) for _, attempt in tries))
        attempts.outcomes += zip((chosen for chosen, _ in tries), outcomes, strict=True)


async def submit(client: Client, game: Seated, seat: int, decision_id: int, index: int) -> Outcome:
    """One answer by a call of its own."""
    try:
        result = await client.submit(game, seat, decision_id, index)
    except grpc.aio.AioRpcError as error:
        if error.code() in AGAIN:
            raise
        return _stands(refused(error))
    return Outcome(True, result.revision, index)


async def play(client: Client, game: Seated, seat: int, decision_id: int, index: int) -> Outcome:
    """One answer on a stream that is opened for it."""
    attach = play_service_pb2.AttachSeat(game_id=game.game_id, seat_token=game.tokens[seat])
    answer = play_service_pb2.PlayAnswer(decision_id=decision_id, action_index=index)
    commands = [
        play_service_pb2.PlayCommand(channel=1, command_id=1, attach=attach),
        play_service_pb2.PlayCommand(channel=1, command_id=2, answer=answer),
    ]
    call: Any = client.play.Play()
    try:
        await call.write(play_service_pb2.PlayRequest(commands=commands))
        while (response := await call.read()) is not grpc.aio.EOF:
            for message in response.messages:
                if message.command_id == 2:
                    return _outcome(message, index)
        raise await call  # the stream has ended: it says why
    finally:
        call.cancel()


def _outcome(message: play_service_pb2.PlayMessage, index: int) -> Outcome:
    if message.HasField("result"):
        return Outcome(True, message.result.revision, index)
    reason = errors_pb2.ErrorReason.Name(message.error.reason).removeprefix("ERROR_REASON_")
    return _stands(Refused(grpc.StatusCode.OK, reason, "", dict(message.error.metadata), []))


def _stands(refusal: Refused) -> Outcome:
    assert refusal.reason == "DECISION_ANSWERED"
    return Outcome(False, int(refusal.metadata["revision"]), int(refusal.metadata["action_index"]))


async def kill_now_and_then(process: ServerProcess, playing: asyncio.Future[Any], rng: Random) -> int:
    kills = 0
    while not playing.done() and kills < MOST_KILLS:
        await asyncio.sleep(rng.uniform(0.02, 0.2))
        await process.restart()
        kills += 1
    return kills


@pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)
async def test_a_decision_is_answered_once_whatever_happens(
    process: ServerProcess, options: games_pb2.GameOptions
) -> None:
    rng = Random(str(options))
    async with connected(process.port) as one, connected(process.port) as other:
        client, twin = Client(one), Client(other)
        game = await client.seated(SEATS, options=options)
        players = [DoubledPlayer(client, game, seat, Random(seat), twin=twin) for seat in range(SEATS)]
        playing = asyncio.gather(*(player.play() for player in players))
        kills = await kill_now_and_then(process, playing, rng)
        await asyncio.wait_for(playing, 90)
        assert kills
        assert (await client.game(game.game_id)).status == game_pb2.GAME_STATUS_FINISHED
        await process.restart()
        for player in players:
            for attempts in rng.sample(player.attempts, min(LATE, len(player.attempts))):
                stands = attempts.check()
                await player.try_all(attempts, stands.index, how_many=2)
        record = await client.record(game.game_id)
        assert verify_record(record).findings == ()
        for player in players:
            check_recorded(player, record)
    assert await process.stop() == 0


def check_recorded(player: DoubledPlayer, record: record_pb2.GameRecord) -> None:
    """Each decision of the seat is in the record once, answered as everyone was told."""
    recorded = [
        (step, decision) for step in record.steps for decision in step.decisions if decision.seat == player.seat
    ]
    for attempts, (step, decision) in zip(player.attempts, recorded, strict=True):
        stands = attempts.check()
        assert decision.decision_id == attempts.decision_id
        assert step.revision - len(step.decisions) < stands.revision <= step.revision
