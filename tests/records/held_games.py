"""Records of games in which everything happens that is no answer: of a real hub and store, without network."""

from __future__ import annotations

from pathlib import Path
from random import Random

from dragonhall.server.operations import undo
from dragonhall.server.playthrough import Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.services.recording import record_of
from dragonhall.server.settings import AbsencePolicy, Bank, PerDecision, SeatState, Settings
from dragonhall.v1 import record_pb2
from tests.service.held import SECOND, Held, held

BOT = "careful"
TIMES = {"no limit": None, "per decision": PerDecision(10 * SECOND), "bank": Bank(60 * SECOND, 1 * SECOND)}
SETTINGS = {
    f"{policy.name.lower()}, {name}": Settings(
        control, policy, BOT if policy is AbsencePolicy.SUBSTITUTE else "", allow_undo=True
    )
    for policy in AbsencePolicy
    for name, control in TIMES.items()
}
"""All ways to count time, with all that can become of who is late or leaves."""


async def busy_record(folder: Path, settings: Settings, game: str = "dragons", luck: int = 0) -> record_pb2.GameRecord:
    """The record of a game in which players think, leave, come back, are late and change their minds."""
    async with held(folder, settings, seats=3, game=game) as the:
        await _play(the, Random(f"{settings} {game} {luck}"))
        return record_of(the.game.game_id, the.game.log())


async def record_cut_short(folder: Path, game: str, answers: int, **options: object) -> record_pb2.GameRecord:
    """The record of a game in which, after so many answers by chance, all but the second seat forfeit."""
    async with held(folder, Settings(absence=AbsencePolicy.FORFEIT), 3, game, **options) as the:
        rng = Random(answers)
        for _ in range(answers):
            if the.asked:
                await _answer(the, rng)
        for seat in (2, 0) if the.asked else ():
            await the.leave(seat)
        return record_of(the.game.game_id, the.game.log())


async def _play(the: Held, rng: Random) -> None:
    the.passes(1)
    while the.head.status is Status.RUNNING:
        happens = rng.choices(
            (_answer, _leave, _come_back, _be_late, _be_down, _undo), weights=(40, 1, 3, 1, 1, 6), k=1
        )
        await happens[0](the, rng)


async def _answer(the: Held, rng: Random) -> None:
    attended = [seat for seat in the.asked if the.states[seat] in (SeatState.PLAYING, SeatState.SUBSTITUTED)]
    if not attended:
        return await _be_late(the, rng)
    seat, thought = rng.choice(attended), rng.uniform(0, 2)
    the.passes(thought)
    ticket = the.head.ticket_of(seat)
    assert ticket is not None
    assert the.head.state is not None
    legal = len(the.head.state.legal_actions(seat))
    arrived_us = the.now_us
    the.passes(rng.choice((0, 0.001)))
    try:
        await the.answer(
            seat,
            index=rng.choice((0, rng.randrange(legal))) if legal < 10 else 0,
            arrived_us=arrived_us,
            thought_us=rng.choice((None, round(thought * SECOND))),
            is_substitute=the.states[seat] is SeatState.SUBSTITUTED,
        )
    except Refusal as refusal:
        if refusal.reason is not Reason.TIME_RAN_OUT:
            raise
    return None


async def _leave(the: Held, rng: Random) -> None:
    forfeits = the.game.playthrough.created.settings.absence is AbsencePolicy.FORFEIT
    if not forfeits or rng.random() < 0.1:
        seat = rng.randrange(3)
        await the.leave(seat, is_substitute=the.states[seat] is SeatState.SUBSTITUTED)


async def _come_back(the: Held, rng: Random) -> None:
    seat = rng.randrange(3)
    if the.states[seat] is SeatState.VACANT and rng.random() < 0.7:
        await the.substitute(seat)
    elif the.states[seat] is not SeatState.FORFEITED:
        await the.take_back(seat)


async def _be_late(the: Held, rng: Random) -> None:
    if the.left:
        the.passes(max(0.0, *the.left.values(), 0.0) + 0.05)
        await the.expire()
    elif all(the.states[seat] is SeatState.AWAY for seat in the.asked):
        await the.take_back(the.asked[0])


async def _be_down(the: Held, rng: Random) -> None:
    before = the.now_us
    the.passes(rng.uniform(1, 100))
    the.game.owe(before + SECOND // 2, the.now_us)
    await the.game.settle()


async def _undo(the: Held, rng: Random) -> None:
    undoing = the.game.playthrough.undoing
    given = undoing.newest if undoing is not None else None
    if given is None:
        return
    try:
        asked = await the.game.carry_out(undo.ask(given.seat, given.decision_id))
        for seat in range(3):
            if not asked.undone and seat != given.seat and the.head.undo is not None:
                asked = await the.game.carry_out(undo.agree(seat, given.decision_id))
    except Refusal:
        return  # chance or a reveal, or nobody is there
