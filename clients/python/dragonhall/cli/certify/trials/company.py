"""What it owes to others at the table: a word when they ask to take back, and room when they come back."""

from __future__ import annotations

import contextlib
from typing import Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.table import BOT, Partner, Table
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.cli.certify.verdicts import NotApplicable
from dragonhall.client import DragonhallError
from dragonhall.v1 import game_pb2


async def _undo(bench: Bench) -> None:
    """A partner asks to take back an answer that the bot was told of; the bot's own decisions are not due meanwhile."""
    async with bench.seated(settings=game_pb2.GameSettings(allow_undo=True)) as table:
        await _asked_to_agree(table)
        failing = "it was asked to agree that an answer is taken back, and neither agreed nor refused"
        await table.until(lambda: bool(table.bot.undo_answers), failing, contract.AGREE, play=False)
        agreed = "agreed to" if table.bot.undo_answers[0] else "refused"
        await table.until_answered(1, f"it {agreed} taking back an answer, and did not play on", contract.AGREE)


async def _asked_to_agree(table: Table) -> None:
    """Plays on until a partner's answer can be taken back and the bot has a say. Raises `NotApplicable` if none can."""
    while True:
        await table.until(lambda: _asked(table) is not None or table.is_over, _SILENT, contract.TICKET, play=False)
        partner = _asked(table)
        if partner is None:
            raise NotApplicable("no answer in this game could be taken back with the bot's consent")
        assert partner.decision is not None
        decision_id = partner.decision.decision_id
        if await _can_be_taken_back(table, partner) and await _ask(table, partner, decision_id):
            return


async def _can_be_taken_back(table: Table, partner: Partner) -> bool:
    """Has a partner answer; returns whether nothing is asked of the bot then."""
    stored = await partner.answer()
    if stored is None:
        return False
    await table.until(
        lambda: partner.revision >= stored.revision or table.is_over, _SILENT, contract.TICKET, play=False
    )
    return bool(partner.waiting) and BOT not in partner.waiting


async def _ask(table: Table, asking: Partner, decision_id: int) -> bool:
    """Whether the bot was asked to agree, all others having agreed."""
    try:
        if (await asking.seat.ask_undo(decision_id)).undone:
            return False
    except DragonhallError:  # chance, or something that was shown, stands against it
        return False
    told = asking
    await table.until(
        lambda: told.undo is not None and told.undo.decision_id == decision_id, _SILENT, contract.AGREE, play=False
    )
    assert told.undo is not None
    missing = set(told.undo.missing)
    for partner in table.partners:
        if partner.seat.number in missing:
            with contextlib.suppress(DragonhallError):  # the bot was faster, and has refused
                await partner.seat.answer_undo(decision_id, agree=BOT in missing)
    return BOT in missing


def _asked(table: Table) -> Partner | None:
    return next((partner for partner in table.partners if partner.decision is not None), None)


_SILENT: Final = "it did not answer what it was asked"


async def _substitute(bench: Bench) -> None:
    """A player leaves, the bot plays in its place, and the player comes back."""
    absence, name = game_pb2.ABSENCE_POLICY_SUBSTITUTE, bench.plan.name
    settings = game_pb2.GameSettings(absence=absence, substitute_bot=name)
    async with await bench.table(settings=settings, with_bot=False) as table:
        player = table.partners[BOT]
        player.plays = False
        await player.seat.leave()
        failing = "a player left, whose substitute it is, and it did not take the seat"
        await table.until(lambda: bool(table.bot.seats), failing, contract.SUBSTITUTE)
        await table.until_answered(1, "it took a vacant seat, and did not play", contract.SUBSTITUTE)
        await player.seat.take_back()
        player.plays = True
        await bench.stays_calm(table, "it goes on with a seat whose player is back", contract.TAKEN_BACK)
        await bench.plays_on("the player that it stood in for is back", contract.TAKEN_BACK)


TRIALS: Final = (
    Trial("undo", "somebody asks to take an answer back", contract.AGREE, _undo),
    Trial("substitute", "it stands in for a player, who comes back", contract.SUBSTITUTE, _substitute),
)
