"""Prompts that come again, at the same time as others', or when the answer is refused."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.contract import Clause
from dragonhall.cli.certify.interference import Interference
from dragonhall.cli.certify.table import Table
from dragonhall.cli.certify.trials.lines import Holding, hold_answer, let_go
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.cli.certify.verdicts import Broken
from dragonhall.client import asked
from dragonhall.v1.play_service_pb2 import Heartbeat, ObserveResponse

_COPIES: Final = 3
_A_MOMENT: Final = 0.3
"""Seconds in which a second answer would come."""
_NO_SUCH_ACTION: Final = 4_000_000_000


class _Insisting(Interference):
    """After each prompt heartbeats that ask the same: as when others think for long."""

    def observed(self, game_id: str, observation: ObserveResponse) -> Sequence[ObserveResponse]:
        decision = asked(observation)
        if decision is None:
            return [observation]
        heartbeat = ObserveResponse(revision=observation.revision, heartbeat=Heartbeat(decision=decision))
        return [observation, *[heartbeat] * _COPIES]


async def _duplicate_prompt(bench: Bench) -> None:
    bench.witness.interference = _Insisting()
    async with bench.seated() as table:
        await table.until_answered(3, "it did not answer what it was asked several times", contract.ONCE)
        await asyncio.sleep(_A_MOMENT)
        _check_answered_once(table, contract.ONCE)


def _check_answered_once(table: Table, clause: Clause) -> None:
    for decision_id, times in Counter(answer.decision_id for answer in table.bot.answers).items():
        if times > 1:
            raise Broken(f"it answered decision {decision_id} {times} times, which came more than once", clause)


async def _simultaneous(bench: Bench) -> None:
    """All bid at once: first nobody else does, then everybody does before the bot's bid arrives."""
    async with bench.seated("dragons_interest") as table:
        failing = "it did not answer before the others had, who are asked at the same time"
        await table.until_answered(1, failing, contract.OWN_TICKET, play=False)
    bench.witness.interference = Holding()  # the bot may bid as soon as it has sat down
    async with bench.seated("dragons_interest") as table:
        await hold_answer(bench, table, play=False)
        failing = "its prompt did not come again as others answered"
        await table.until(lambda: all(partner.decision is None for partner in table.partners), failing, contract.ONCE)
        await asyncio.sleep(_A_MOMENT)
        await let_go(bench)
        await table.until_answered(1, "it did not play on after all had answered", contract.OWN_TICKET)
        await asyncio.sleep(_A_MOMENT)
        _check_answered_once(table, contract.OWN_TICKET)


class _Spoiling(Interference):
    """Makes every answer in one game one that is not legal."""

    def __init__(self, table: Table) -> None:
        self._game_id = table.game_id

    def answered(self, game_id: str, command: Any) -> bool:
        if game_id == self._game_id:
            command.ClearField("action")
            command.action_index = _NO_SUCH_ACTION
        return True


async def _illegal_answer(bench: Bench) -> None:
    """The server refuses every answer in one game, as if the bot had a fault."""
    async with bench.seated() as table:
        bench.witness.interference = _Spoiling(table)
        failing = "it did not answer what it was asked"
        refused = "ILLEGAL_ACTION"  # what it answered before is not of interest
        await table.until(lambda: refused in table.bot.outcomes, failing, contract.TICKET)
        await bench.stays_calm(table, "it sends one answer after another that is refused as illegal", contract.MEND)
        bench.witness.interference = Interference()
        await bench.plays_on("its answer was refused in one game", contract.ILLEGAL)


TRIALS: Final = (
    Trial("duplicate-prompt", "a prompt comes several times", contract.ONCE, _duplicate_prompt),
    Trial("simultaneous", "all seats are asked at once", contract.OWN_TICKET, _simultaneous, "dragons_interest"),
    Trial("illegal-answer", "an answer is refused as illegal", contract.MEND, _illegal_answer),
)
