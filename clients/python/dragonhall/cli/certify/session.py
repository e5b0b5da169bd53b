"""Going through the trials, one after another."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from dragonhall.cli.certify.bench import Bench, Plan, open_bench
from dragonhall.cli.certify.house import House
from dragonhall.cli.certify.interference import Interference
from dragonhall.cli.certify.trials import Trial
from dragonhall.cli.certify.verdicts import Broken, NotApplicable, Result, Verdict


async def certify(
    plan: Plan,
    trials: Sequence[Trial],
    folder: Path,
    log: Path,
    say: Callable[[str], None],
    ended: Callable[[Verdict], None],
) -> None:
    """Tries a bot. ``folder``: of the server's files. ``ended`` is told of each trial. See `open_bench` for the others
    and for what is raised."""
    bot_waits = any(trial.needs_command for trial in trials)
    async with House(folder) as house, open_bench(plan, house, log, say, bot_waits=bot_waits) as bench:
        for trial in trials:
            ended(await try_one(bench, trial))


async def try_one(bench: Bench, trial: Trial) -> Verdict:
    """One trial, after which the bench is as it was before; a bot that failed is started anew."""
    obstacle = _obstacle(bench.plan, trial)
    if obstacle:
        return Verdict(trial, Result.NOT_APPLICABLE, obstacle)
    absence = "" if trial.needs_command else await bench.ready()
    if absence:
        return Verdict(trial, Result.NOT_TRIED, absence)
    began = time.monotonic()
    verdict = await _tried(bench, trial)
    bench.witness.interference = Interference()
    bench.witness.release()
    if verdict.result is Result.FAILED:
        await bench.restart_bot()
    return Verdict(trial, verdict.result, verdict.reason, verdict.clause, time.monotonic() - began)


async def _tried(bench: Bench, trial: Trial) -> Verdict:
    try:
        await trial.run(bench)
    except NotApplicable as error:
        return Verdict(trial, Result.NOT_APPLICABLE, str(error))
    except Broken as error:
        return Verdict(trial, Result.FAILED, error.reason, error.clause)
    return Verdict(trial, Result.PASSED)


def _obstacle(plan: Plan, trial: Trial) -> str:
    """Why a trial cannot be had; empty if it can."""
    if trial.game is not None and trial.game not in plan.games:
        return f"it does not play {trial.game} (--games)"
    if trial.needs_command and plan.command is None:
        return "the bot is not started here (--command)"
    return ""
