"""Decisions that have to be answered in time, and games that are over before they are."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.trials.lines import hold_answer, let_go
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.cli.certify.verdicts import Broken
from dragonhall.client import per_decision
from dragonhall.v1 import game_pb2

_DECISIONS: Final = 3
"""That are tried before a bot is said to answer none in time."""


async def _deadline(bench: Bench) -> None:
    limit = bench.plan.limit
    settings = game_pb2.GameSettings(time_control=per_decision(timedelta(seconds=limit)))
    async with bench.seated(settings=settings) as table:
        bot = table.bot
        failing = f"it answered none of its first {_DECISIONS} decisions within {limit:g} s"
        await table.until(lambda: bool(bot.stored) or len(bot.prompts) > _DECISIONS, failing, contract.DEADLINE)
        if not bot.stored:
            raise Broken(failing, contract.DEADLINE)
        await hold_answer(bench, table)
        late, partner = bot.answers[-1], table.partners[0]
        waited = "the default action did not come"
        await table.until(lambda: late.decision_id in partner.timed_out, waited, contract.DEADLINE)
        await let_go(bench)
        failing = "an answer of its came too late, the default action stands, and it did not play on"
        await table.until_answered(1, failing, contract.LATE)
        await bench.stays_calm(table, "it sends one request after another since an answer was late", contract.LATE)


async def _aborted(bench: Bench) -> None:
    """The host ends the game while the bot's answer is on its way."""
    async with bench.seated() as table:
        await hold_answer(bench, table)
        await table.abort()
        await let_go(bench)
        await bench.stays_calm(table, "it goes on with a game that was aborted", contract.ENDS)
        await bench.plays_on("its game was aborted", contract.ENDS)


async def _game_over(bench: Bench) -> None:
    """All others leave, who then have forfeited, while the bot's answer is on its way: the game is finished."""
    settings = game_pb2.GameSettings(absence=game_pb2.ABSENCE_POLICY_FORFEIT)
    async with bench.seated(settings=settings) as table:
        await hold_answer(bench, table)
        for partner in table.partners:
            await partner.seat.leave()
        await table.until(lambda: table.is_over, "the game did not end", contract.ENDS, play=False)
        await let_go(bench)
        await bench.stays_calm(table, "it goes on with a game that is finished", contract.ENDS)
        await bench.plays_on("its game was over while it thought", contract.OVER)


TRIALS: Final = (
    Trial("deadline", "decisions have a deadline, and one is missed", contract.DEADLINE, _deadline),
    Trial("aborted", "the game is aborted while it thinks", contract.ENDS, _aborted),
    Trial("game-over", "the game is finished while it thinks", contract.OVER, _game_over),
)
