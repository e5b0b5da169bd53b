"""Every bot with a fault fails at the trial that is about it, is told the sentence that it broke, and passes others."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Plan, open_bench
from dragonhall.cli.certify.contract import Clause
from dragonhall.cli.certify.house import House
from dragonhall.cli.certify.session import try_one
from dragonhall.cli.certify.trials import TRIALS
from dragonhall.cli.certify.verdicts import Result
from dragonhall.rules import GAMES
from tests.processes import REPOSITORY

TRIAL = {trial.key: trial for trial in TRIALS}
PATIENCE = 3.0
"""Seconds for what a broken bot is to do and does not."""
LIMIT = 30.0
"""The same for what it does."""
WATCHED = 3.0
"""Seconds in which a bot that sends one request after another shows it, also where it gets little of the processor."""


@dataclass(frozen=True)
class Case:
    bot: str
    trial: str
    says: str
    clause: Clause
    passes: str = "game-dragons"
    """A trial that has nothing to do with its fault; empty if they all have."""

    @property
    def command(self) -> str:
        return f"{sys.executable} -m tests.certify.broken_{self.bot} {{target}} {{name}}"


CASES = [
    Case("answers_twice", "duplicate-prompt", "times, which came more than once", contract.ONCE),
    Case("answers_twice", "simultaneous", "times, which came more than once", contract.OWN_TICKET),
    Case("dies_when_cut", "reconnect", "the bot ended with exit code 1", contract.REPEAT),
    Case("dies_when_cut", "restart", "the bot ended with exit code 1", contract.RESUMABLE),
    Case("forgets_its_answers", "lost-result", "before it was told, and it did not play on", contract.REPEAT),
    Case("never_answers", "deadline", "it answered none of its first 3 decisions", contract.DEADLINE, ""),
    Case("plays_one_game", "many-games", "6 games wait for it at the same time, and it sat down in 1", contract.MANY),
    Case("knows_all_events", "unknown-event", "the bot ended with exit code 1", contract.NEWER),
    Case("knows_all_fields", "unknown-field", "the bot ended with exit code 1", contract.NEWER),
    Case("spins_on_refusal", "illegal-answer", "answer after another that is refused as illegal: ", contract.MEND),
    Case("dies_when_refused", "deadline", "the bot ended with exit code 1", contract.LATE),
    Case("dies_when_refused", "game-over", "the bot ended with exit code 1", contract.ENDS),
    Case("ignores_the_end", "aborted", "it goes on with a game that was aborted: ", contract.ENDS),
    Case("loses_patience", "slow-start", "the bot ended with exit code 1", contract.WATCH),
    Case("ignores_requests", "undo", "neither agreed nor refused", contract.AGREE),
    Case("never_stands_in", "substitute", "it did not take the seat", contract.SUBSTITUTE),
    Case("never_leaves", "substitute", "it goes on with a seat whose player is back: ", contract.TAKEN_BACK),
    Case("knows_all_games", "unknown-game", "a seat in a game that it cannot know", contract.UNKNOWN_GAME),
    Case("waits_for_others", "simultaneous", "it did not answer before the others had", contract.OWN_TICKET),
    Case("cheats", "game-dragons", "was refused: ILLEGAL_ACTION", contract.LEGAL, "aborted"),
]


def test_every_trial_and_every_broken_bot_is_tried() -> None:
    bots = {path.stem.removeprefix("broken_") for path in Path(__file__).parent.glob("broken_*.py")}
    assert bots == {case.bot for case in CASES}
    whole_games = {f"game-{game}" for game in GAMES}
    assert set(TRIAL) - whole_games == {case.trial for case in CASES} - whole_games


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    async with House(tmp_path_factory.mktemp("house")) as shared:
        await shared.start()
        yield shared


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.bot}-{case.trial}")
async def test_a_broken_bot_fails_where_it_is_broken(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: Case
) -> None:
    monkeypatch.chdir(REPOSITORY)
    monkeypatch.setattr("dragonhall.cli.certify.bench._WATCHED", WATCHED)
    plan = Plan("rex", case.command, tuple(GAMES), PATIENCE, 0.4)
    trial, log = TRIAL[case.trial], tmp_path / "bot.log"
    async with open_bench(plan, house, log, print, bot_waits=trial.needs_command) as bench:
        verdict = await try_one(bench, trial)
        assert verdict.result is Result.FAILED
        assert case.says in verdict.reason
        assert verdict.clause == case.clause
        if case.passes:
            bench.plan = replace(plan, timeout=LIMIT)
            other = await try_one(bench, TRIAL[case.passes])
            assert (other.result, other.reason) == (Result.PASSED, "")
