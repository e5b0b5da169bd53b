"""Records of games that were played elsewhere: verified, rebuilt as a log, and kept like the games played here."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import Final

from dragonhall.server.game import LiveGame
from dragonhall.server.hub import MAX_GAME_ID_LENGTH, Hub
from dragonhall.server.log import LogEntry
from dragonhall.server.playthrough import Status
from dragonhall.server.rebuilding import CannotBeRebuilt, log_of
from dragonhall.server.refusal import Reason, Refusal, invalid_field
from dragonhall.server.services import checks
from dragonhall.server.services.recording import record_of
from dragonhall.server.services.rpc import caller
from dragonhall.server.services.settings import settings_from_proto, settings_to_proto
from dragonhall.server.settings import STANDARD
from dragonhall.server.store.base import Fenced
from dragonhall.v1 import record_pb2
from dragonhall.wire.records import RecordError, check_message, facts_digest, verify_record
from dragonhall.wire.records.wording import differences

GAME_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")

LONGEST: Final = 500
"""Of a finding, in characters, in a refusal's message."""


class Importer:
    """Brings records into one hub, one after another: checking one keeps a processor busy for a while."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._turn = asyncio.Lock()

    async def bring_in(self, record: record_pb2.GameRecord) -> LiveGame:
        """The game of a record, which is here from now on. For callers who may. Raises `Refusal` and `StoreError`."""
        try:
            caller().check_may("import")
            return await self._brought_in(record)
        except Refusal as refusal:
            refusal.details["game_id"] = record.game_id[:MAX_GAME_ID_LENGTH]
            raise

    async def _brought_in(self, record: record_pb2.GameRecord) -> LiveGame:
        self._hub.check_new_games()
        await self._turn.acquire()
        # A thread cannot be stopped: the turn ends when the work does, whether or not anybody still waits for it.
        work = asyncio.create_task(self._in_turn(record))
        work.add_done_callback(self._end_turn)
        return await asyncio.shield(work)

    def _end_turn(self, work: asyncio.Task[LiveGame]) -> None:
        self._turn.release()
        if not work.cancelled():
            work.exception()  # has been looked at: whoever asked may be gone

    async def _in_turn(self, record: record_pb2.GameRecord) -> LiveGame:
        record = await asyncio.to_thread(_checked, record)
        existing = await self._find(record.game_id)
        if existing is None:
            log = await asyncio.to_thread(_rebuilt, record)
            try:
                return await self._hub.bring_in(record.game_id, log)
            except Fenced:  # somebody asked for it at this moment, or a lost write was done after all
                existing = await self._hub.game(record.game_id)
        return await self._the_same(existing, record)

    async def _find(self, game_id: str) -> LiveGame | None:
        try:
            return await self._hub.game(game_id)
        except Refusal as refusal:
            if refusal.reason is Reason.GAME_NOT_FOUND:
                return None
            raise _exists() from refusal

    async def _the_same(self, game: LiveGame, record: record_pb2.GameRecord) -> LiveGame:
        """The game here, if its record is the same. Raises `Refusal`."""
        if game.head.status is not Status.FINISHED:
            raise _exists()
        own = await asyncio.to_thread(record_of, game.game_id, game.log())
        if _without_revisions(own) != _without_revisions(record):
            raise _exists()
        return game


def _exists() -> Refusal:
    return Refusal(Reason.GAME_EXISTS, "there is another game of this id here, or another record of it")


def _checked(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    """A good record, in the newest form. Raises `Refusal`."""
    if not GAME_ID.fullmatch(record.game_id):
        raise invalid_field("record.game_id", 'takes 1 to 64 characters of A-Z, a-z, 0-9, "-", "_" and "."')
    try:
        check_message(record)
        report = verify_record(record)
    except RecordError as error:
        raise _invalid("record", str(error)) from error
    if report.findings:
        first, more = report.findings[0], len(report.findings) - 1
        raise _invalid(first.where, first.message + (f" (and {more} more)" if more else ""))
    _check_texts(record)
    if record.HasField("settings"):
        settings_from_proto(record.settings, "record.settings")
        return record
    return _with_settings(record)


def _check_texts(record: record_pb2.GameRecord) -> None:
    """What people are shown is such as could have been given here. Raises `Refusal`."""
    checks.text("record.title", record.title, checks.MAX_TITLE)
    for place, seat in enumerate(record.seats):
        checks.text(f"record.seats[{place}].player_name", seat.player_name, checks.MAX_PLAYER_NAME, shortest=1)
        if seat.bot_name:
            checks.bot_name(f"record.seats[{place}].bot_name", seat.bot_name)
    for number, step in enumerate(record.steps):
        for place, incident in enumerate(step.incidents):
            if incident.seat.substitute:
                field = f"record.steps[{number}].incidents[{place}].seat.substitute"
                checks.text(field, incident.seat.substitute, checks.MAX_PLAYER_NAME)


def _with_settings(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    """An older record as it would be written today: with the settings of a game whose creator had no wishes."""
    newer = record_pb2.GameRecord()
    newer.CopyFrom(record)
    newer.settings.CopyFrom(settings_to_proto(STANDARD))
    for step in newer.steps:
        for decision in step.decisions:
            decision.by = record_pb2.ANSWERED_BY_SEAT
    newer.facts_digest = facts_digest(newer)
    return newer


def _rebuilt(record: record_pb2.GameRecord) -> Sequence[LogEntry]:
    """A log of which the record is the same but for revisions. Raises `Refusal`."""
    try:
        log = log_of(record)
    except CannotBeRebuilt as error:
        raise _invalid(error.where, error.message) from error
    again = _without_revisions(record_of(record.game_id, log))
    for difference in differences(_without_revisions(record), again):
        text = f"cannot be kept here as it is: {difference.written} would become {difference.expected}"
        raise _invalid(difference.where(), text)
    return log


def _without_revisions(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    copy = record_pb2.GameRecord()
    copy.CopyFrom(record)
    for step in copy.steps:
        step.revision = 0
        for incident in step.incidents:
            incident.revision = 0
    return copy


def _invalid(where: str, message: str) -> Refusal:
    where, message = where[:LONGEST], message[:LONGEST]
    return Refusal(Reason.RECORD_INVALID, f"the record does not verify: {where}: {message}", where=where)
