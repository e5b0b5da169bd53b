"""Worker processes: they think as policies here do, outlive what policies do to them, and leave nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from dragonhall.bots.kinds import policies_of
from dragonhall.bots.mcts.policy import MctsPolicy
from dragonhall.bots.mcts.searching import Effort
from dragonhall.bots.policy import Chair, PolicyFactory
from dragonhall.bots.thinking.here import Here
from dragonhall.bots.thinking.inbox import Inbox
from dragonhall.bots.thinking.messages import Ask, Choice, Question, Seating
from dragonhall.bots.thinking.pool import Pool
from dragonhall.bots.thinking.pooled_seat import PooledSeat
from dragonhall.bots.thinking.process import PolicyFailed, WorkerProcess
from dragonhall.bots.thinking.recipes import NotPortable, packed
from dragonhall.bots.thinking.worker import Worker
from dragonhall.rules.actions import ActionList
from dragonhall.rules.dragons.facts import Options, default_components
from dragonhall.rules.game import legal_actions
from tests.bots import playing
from tests.bots.slow_policies import Clocked, Deadly, Endless, OutOfRange, Printing, Raising, Remembering, Slow
from tests.bots.workers import until_thinking, worker_processes
from tests.cli.commands import LIMIT, wait_until_ended

ASKED: dict[int, list[Question]] = defaultdict(list)
"""By seat: what it was asked in a game, in order."""


def _note(question: playing.Question, _: int) -> None:
    seat = question.chair.seat
    ASKED[seat].append(
        Question(
            decision_id=len(ASKED[seat]) + 1,
            seed=len(ASKED[seat]),
            view=question.state.view(seat),
            seen=list(question.seen),
            decision=question.decision,
            actions=legal_actions(question.game, question.state, seat),
        )
    )


playing.play([Remembering] * 3, Options(), 1, _note)

FREE = next(question for question in ASKED[0] if len(question.actions) > 2)
"""A question with a choice."""


def _seat(pool: Pool, seat: int = 0, game_id: str = "g") -> PooledSeat:
    return pool.seat((game_id, seat), "dragons", _chair(seat))


def _chair(seat: int) -> Chair:
    return Chair(Options(), default_components(), 3, seat)


async def _until_dead(pid: int) -> None:
    await asyncio.to_thread(wait_until_ended, [pid])


@pytest.mark.parametrize("size", [1, 2])
async def test_workers_choose_as_policies_here_do(size: int) -> None:
    here = Here({"dragons": Remembering})
    async with Pool(Remembering, size) as pool, asyncio.timeout(LIMIT):
        for seat in range(3):
            remote, local = _seat(pool, seat), here.seat(("g", seat), "dragons", _chair(seat))
            for question in ASKED[seat]:
                assert (await remote.choose(question)).position == (await local.choose(question)).position
            remote.sit_again()  # as after an answer was taken back
            local.sit_again()
            question = ASKED[seat][2]
            assert (await remote.choose(question)).position == (await local.choose(question)).position
            remote.leave()


async def test_a_question_brings_only_what_is_new(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Any] = []
    ask = WorkerProcess.ask

    async def noting(worker: WorkerProcess, asked: Ask) -> Choice:
        told.extend(asked.question.seen)
        return await ask(worker, asked)

    monkeypatch.setattr(WorkerProcess, "ask", noting)
    async with Pool(Remembering, 1) as pool, asyncio.timeout(LIMIT):
        thinker = _seat(pool)
        for question in ASKED[0]:
            await thinker.choose(question)
    assert told == ASKED[0][-1].seen


async def test_seats_are_shared_out_among_the_workers() -> None:
    async with Pool(Slow, 2) as pool, asyncio.timeout(LIMIT):
        seats = [_seat(pool, 0, f"g{number}") for number in range(4)]
        await asyncio.gather(*(seat.choose(FREE) for seat in seats))
        assert len(worker_processes()) == 2


@pytest.mark.parametrize("thinking", [False, True])
async def test_a_worker_that_dies_is_started_again_and_told_everything(thinking: bool) -> None:
    async with Pool(Slow, 1) as pool, asyncio.timeout(LIMIT):
        thinker = _seat(pool)
        await thinker.choose(ASKED[0][0])
        (first,) = worker_processes()
        asked = asyncio.create_task(thinker.choose(FREE))
        if thinking:
            await until_thinking(pool)
        os.kill(first, signal.SIGKILL)
        assert (await asked).position in range(len(FREE.actions))
        (second,) = worker_processes()
        assert second != first


@pytest.mark.parametrize(
    ("policy", "says"),
    [(Raising, "ValueError: a question too many"), (OutOfRange, "BadChoice: the policy chose")],
)
async def test_a_policy_that_fails_says_where_and_others_think_on(policy: PolicyFactory, says: str) -> None:
    async with Pool(policy, 1) as pool, asyncio.timeout(LIMIT):
        (worker,) = worker_processes()
        with pytest.raises(PolicyFailed, match=says) as failed:
            await _seat(pool).choose(FREE)
        assert "slow_policies.py" in str(failed.value) or policy is OutOfRange
        assert worker_processes() == [worker]


async def test_a_question_that_kills_workers_gives_up_its_own_seat_alone() -> None:
    async with Pool(Deadly, 1) as pool, asyncio.timeout(LIMIT):
        others = [_seat(pool, 0, f"g{number}") for number in range(3)]
        waiting = [asyncio.create_task(other.choose(FREE)) for other in others]
        with pytest.raises(PolicyFailed, match=r"2 times a policy has ended its process: .* exit code 7"):
            await _seat(pool, 1).choose(ASKED[1][0])
        assert [choice.position for choice in await asyncio.gather(*waiting)] == [0] * 3


async def test_a_policy_may_print_and_read(capfd: pytest.CaptureFixture[str]) -> None:
    async with Pool(Printing, 1) as pool, asyncio.timeout(LIMIT):
        assert (await _seat(pool).choose(FREE)).position == 0
    assert "thinking about" in capfd.readouterr().err


async def test_a_policy_is_told_its_time() -> None:
    async with Pool(Clocked, 1) as pool, asyncio.timeout(LIMIT):
        thinker = _seat(pool)
        assert (await thinker.choose(FREE)).position == 0
        assert (await thinker.choose(replace(FREE, due=time.monotonic() + 119))).position == 1
        assert (await thinker.choose(replace(FREE, due=time.monotonic() - 5))).position == 0


async def test_a_question_that_nobody_needs_is_not_thought_about() -> None:
    async with Pool(Slow, 1) as pool, asyncio.timeout(LIMIT):
        seats = [_seat(pool, 0, f"g{number}") for number in range(200)]
        asked = [asyncio.create_task(seat.choose(FREE)) for seat in seats]
        await asyncio.sleep(0.01)
        for task in asked[:-1]:
            task.cancel()
        begin = time.monotonic()
        await asked[-1]
        assert time.monotonic() - begin < 200 * 0.05 / 2
        await seats[0].choose(FREE)


async def test_a_policy_that_thinks_on_for_nobody_does_not_keep_others_waiting(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("dragonhall.bots.thinking.process._DROP_LIMIT", 0.2)
    async with Pool(Endless, 1) as pool, asyncio.timeout(LIMIT):
        stubborn = asyncio.create_task(_seat(pool, 0).choose(FREE))
        await until_thinking(pool)
        other = asyncio.create_task(_seat(pool, 1).choose(ASKED[1][0]))
        await asyncio.sleep(0.1)
        assert not other.done()
        stubborn.cancel()
        assert (await other).position == 0
    assert "thinks on about a question that was dropped; it is ended" in caplog.text


async def test_a_pool_ends_its_workers_whatever_they_think_about(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragonhall.bots.thinking.process._GRACE", LIMIT)
    thinking = []
    async with asyncio.timeout(LIMIT):
        async with Pool(Endless, 2) as pool:
            for number in range(2):
                seat = _seat(pool, 0, f"g{number}")
                thinking.append(asyncio.create_task(seat.choose(FREE)))
            await until_thinking(pool, 2)
            begin = time.monotonic()
        assert time.monotonic() - begin < LIMIT / 2, "none had to be killed"
    assert worker_processes() == []
    for task in thinking:
        with pytest.raises(PolicyFailed, match="the worker processes have been ended"):
            await task


async def test_several_workers_find_together_what_each_finds_alone() -> None:
    alone = [_mcts(part).search(*_about(FREE), Effort(parts=2)) for part in range(2)]
    assert alone[0] is not None
    assert alone[1] is not None
    together = alone[0].together_with([alone[1]])
    async with Pool("mcts@60", 2, parts=2) as pool, asyncio.timeout(LIMIT):
        for _ in range(2):
            choice = await _seat(pool).choose(FREE)
            assert choice.findings is not None
            assert choice.findings.thoughts.lines == together.thoughts.lines
            assert choice.position == together.position
    assert together.thoughts.simulations > alone[0].thoughts.simulations


def _mcts(part: int) -> MctsPolicy:
    policy = policies_of("mcts@60")["dragons"](_chair(0), Random(FREE.seed + part))
    assert isinstance(policy, MctsPolicy)
    return policy


def _about(question: Question) -> tuple[Any, Sequence[Any], Any, ActionList]:
    return question.view, question.seen, question.decision, question.actions


def test_of_many_seats_the_ones_asked_last_keep_what_they_found() -> None:
    worker = Worker(Inbox(), lambda message: None)
    seating = Seating(packed("mcts@0.02s", "dragons"), _chair(0))
    for number in range(7):
        worker._answer(Ask(number, (f"g{number}", 0), FREE, seating=seating), None)
    minds = [seated._policy._mind for seated in worker._seated.values()]  # type: ignore[attr-defined]
    assert [number for number, mind in enumerate(minds) if len(mind._tree.keys)] == [3, 4, 5, 6]


async def test_a_search_ends_when_nobody_needs_it_and_in_time() -> None:
    async with Pool("mcts@600s", 1) as pool, asyncio.timeout(LIMIT):
        for_ever = asyncio.create_task(_seat(pool, game_id="for ever").choose(FREE))
        await until_thinking(pool)
        await asyncio.sleep(0.1)
        assert not for_ever.done()
        for_ever.cancel()
        choice = await _seat(pool, game_id="in time").choose(replace(FREE, due=time.monotonic() + 1.0))
        assert choice.seconds < 5.0


async def test_what_is_not_at_a_modules_top_level_is_refused() -> None:
    class Local(Raising):
        pass

    with pytest.raises(NotPortable, match="write it at the top level of a module"):
        packed(Local, "dragons")


async def test_workers_that_cannot_start_are_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(PolicyFailed, match="no worker process could be started, 3 times"):
        async with Pool(Slow, 1):
            pass
