"""The way to the server: not there yet, cut, and gone with the server itself."""

from __future__ import annotations

from typing import Any, Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.interference import Interference
from dragonhall.cli.certify.table import Table
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.cli.certify.verdicts import Broken


class Holding(Interference):
    """Keeps the bot's answers on their way."""

    def answered(self, game_id: str, command: Any) -> bool:
        return False


class LosingResult(Interference):
    """The server takes one answer in a game, and the bot is not told."""

    def __init__(self, table: Table) -> None:
        self._game_id = table.game_id
        self.lost: int | None = None
        """The decision that was answered."""

    def acknowledged(self, game_id: str, decision_id: int) -> bool:
        if game_id != self._game_id or self.lost is not None:
            return True
        self.lost = decision_id
        return False


async def hold_answer(bench: Bench, table: Table, *, play: bool = True) -> None:
    """Returns when an answer of the bot is on its way, and is held there. Raises `Broken` if none comes.

    ``play``: whether the partners answer meanwhile.
    """
    bench.witness.interference = Holding()

    def is_held() -> bool:
        return bool(bench.witness.held) and any(not answer.outcome for answer in table.bot.answers)

    await table.until(is_held, "it did not answer what it was asked", contract.TICKET, play=play)


async def let_go(bench: Bench) -> None:
    """What was held goes on, and nothing more is held."""
    bench.witness.interference = Interference()
    bench.witness.release()


async def _slow_start(bench: Bench) -> None:
    """The bot was started a second before the server, when the bench was opened."""
    assert bench.subject is not None
    died = bench.subject.returncode is not None
    absence = bench.subject.death() if died else await bench.ready()
    if absence:
        raise Broken(f"it was started before the server, and {absence}", contract.WATCH)
    await bench.plays_on("the server came after the bot", contract.WATCH)


async def _reconnect(bench: Bench) -> None:
    """The connection breaks while the bot's answer is on its way, and again while it has nothing to do."""
    async with bench.seated() as table:
        await hold_answer(bench, table)
        await bench.line.cut()
        await let_go(bench)
        failing = "the connection broke while its answer was on the way, and it did not answer again"
        await table.until_answered(1, failing, contract.REPEAT, play=False)
        await table.until_answered(1, "it did not play on after that", contract.RESUME)
        await bench.line.cut()
        failing = "the connection broke between two decisions, and it did not come back"
        await table.until_answered(1, failing, contract.RESUME)


async def _lost_result(bench: Bench) -> None:
    """The connection breaks after the server has taken an answer, before the bot is told."""
    async with bench.seated() as table:
        losing = bench.witness.interference = LosingResult(table)
        await table.until(lambda: losing.lost is not None, "it did not answer what it was asked", contract.TICKET)
        await bench.line.cut()
        bench.witness.interference = Interference()
        failing = "its answer was taken, the connection broke before it was told, and it did not play on"
        await table.until_answered(1, failing, contract.REPEAT)


async def _restart(bench: Bench) -> None:
    """kill -9 of the server in mid-game, while an answer is on its way."""
    async with bench.seated() as table:
        await table.until_answered(1, "it did not answer what it was asked", contract.TICKET)
        await hold_answer(bench, table)
        await bench.power_cut()
        bench.witness.release()
        failing = "the server was killed and is there again, and it did not play on"
        await table.until_answered(2, failing, contract.RESUMABLE)


FIRST: Final = (
    Trial("slow-start", "the bot is started before the server", contract.WATCH, _slow_start, needs_command=True),
)
TRIALS: Final = (
    Trial("reconnect", "the connection breaks in mid-game", contract.RESUME, _reconnect),
    Trial("lost-result", "an answer is taken, and its result is lost", contract.REPEAT, _lost_result),
    Trial("restart", "the server is killed in mid-game, and comes back", contract.RESUMABLE, _restart),
)
