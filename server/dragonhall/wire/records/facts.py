"""Checks of what a record says before any play: seats, seed and commitment, component set, times, revisions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import accumulate
from statistics import mode
from typing import Final

from dragonhall.rules.chance import MAX_NONCE_BYTES, SEED_BYTES
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import Game
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.records.build import facts_of
from dragonhall.wire.records.findings import Finding, written_against
from dragonhall.wire.records.wording import differences

MAX_GAME_ID_LENGTH: Final = 64
MAX_SPECTATOR_DELAY: Final = 1000
_SETTINGS: Final = {
    "absence": game_pb2.AbsencePolicy,
    "start": game_pb2.StartPolicy,
    "visibility": game_pb2.Visibility,
}
MAX_FACTS_BYTES: Final = 32 << 10
"""Of all facts together. A server takes no title, names, nonces and component set that have as much in any game."""


def check_sizes(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    """Facts that are too many or too long to be any game's. Only without findings is anything else worth a look."""
    if not game.min_seats <= len(record.seats) <= game.max_seats:
        text = f"{len(record.seats)} in the record; {game.name} has {game.min_seats} to {game.max_seats}"
        yield Finding("facts", "seats", text, blocks=True)
    size = facts_of(record).ByteSize()
    if size > MAX_FACTS_BYTES:
        text = f"title, seats, options and component set have {size} bytes together; at most {MAX_FACTS_BYTES} are read"
        yield Finding("facts", "facts", text, blocks=True)


def check_facts(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    """Everything about the facts that is wrong in itself. Without findings a replay can be tried."""
    yield from _check_seed(record)
    yield from _check_seats(record)
    yield from _check_options(record, game)
    yield from _check_components(record, game)
    yield from _check_settings(record)


def _check_seed(record: record_pb2.GameRecord) -> Iterator[Finding]:
    if len(record.seed) != SEED_BYTES:
        yield Finding("seed", "seed", f"has {len(record.seed)} bytes, a seed has {SEED_BYTES}", blocks=True)
    if record.seed_source not in (game_pb2.SEED_SOURCE_SERVER, game_pb2.SEED_SOURCE_HOST):
        yield Finding("seed", "seed source", "is neither server nor host")


def _check_seats(record: record_pb2.GameRecord) -> Iterator[Finding]:
    kinds = (game_pb2.SEAT_KIND_OPEN, game_pb2.SEAT_KIND_INVITED, game_pb2.SEAT_KIND_RESERVED)
    for i, seat in enumerate(record.seats):
        where = f"seat {i}"
        if seat.seat != i:
            yield Finding("facts", where, f"is numbered {seat.seat} in the record", blocks=True)
        if not seat.taken:
            yield Finding("facts", where, "was not taken, so the game cannot have started")
        if seat.kind not in kinds:
            yield Finding("facts", where, "is neither open nor invited nor reserved")
        if bool(seat.bot_name) != (seat.kind == game_pb2.SEAT_KIND_RESERVED):
            yield Finding("facts", where, "has to have a bot name if it is reserved, and only then")
        if seat.state or seat.substitute:
            yield Finding("facts", where, "its state stands in the steps' incidents, not here")
        if len(seat.nonce) > MAX_NONCE_BYTES:
            yield Finding("facts", where, f"its nonce has {len(seat.nonce)} bytes, {MAX_NONCE_BYTES} are allowed", True)


def _check_options(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    try:
        CODECS[game.name].options_from_proto(record.options)
    except (InvalidMessage, RulesError) as error:
        yield Finding("facts", "options", str(error), blocks=True)


def _check_components(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    codec = CODECS[game.name]
    try:
        codec.components_from_proto(record.component_set)
    except (InvalidMessage, RulesError) as error:
        yield Finding("facts", "component set", str(error), blocks=True)
        default = codec.components_to_proto(game.default_components(), with_contents=True)
        if default.digest != record.component_set.digest or record.component_set.WhichOneof("contents") is None:
            return
        for difference in differences(record.component_set, default):
            text = written_against(difference.written, difference.expected, f"the set {default.id} with this digest")
            yield Finding("facts", f"component set, {difference.where(leave_out=game.name)}", text, blocks=True)


def _check_settings(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """Settings that no server takes; an older record has none, and with them nothing that depends on them."""
    if len(record.rematch_of) > MAX_GAME_ID_LENGTH:
        yield Finding("facts", "rematch of", f"has more than {MAX_GAME_ID_LENGTH} characters: it is no game's id")
    if not record.HasField("settings"):
        return
    settings = record.settings
    for field, kind in _SETTINGS.items():
        if getattr(settings, field) not in (number for number in kind.values() if number):
            yield Finding("facts", f"settings, {field}", f"{getattr(settings, field)} is none of its values")
    if bool(settings.substitute_bot) != (settings.absence == game_pb2.ABSENCE_POLICY_SUBSTITUTE):
        yield Finding("facts", "settings, substitute bot", "has to be there if it is waited for, and only then")
    if settings.spectator_delay > MAX_SPECTATOR_DELAY:
        yield Finding("facts", "settings, spectator delay", f"is more than {MAX_SPECTATOR_DELAY} answers")
    if settings.HasField("time_control"):
        yield from _check_time_control(settings.time_control)


def _check_time_control(control: game_pb2.TimeControl) -> Iterator[Finding]:
    where, bank = "settings, time control", control.bank
    if control.WhichOneof("control") is None:
        yield Finding("facts", where, "is neither a limit nor a bank")
        return
    first = control.per_decision.limit if control.HasField("per_decision") else bank.initial
    if first.ToNanoseconds() <= 0 or bank.increment.ToNanoseconds() < 0:
        yield Finding("facts", where, "gives no time, or takes some away")


def check_times(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """Times are there and never go back; the game's start and end are those of its first and last step."""
    yield from _check_order_of_times(record)
    for field, number in (("start_time", 0), ("end_time", -1)):
        step, where = record.steps[number], field.replace("_", " ")
        if not record.HasField(field):  # type: ignore[arg-type]  # a name that mypy does not follow
            yield Finding("facts", where, "is missing")
        elif getattr(record, field) != step.time:
            yield Finding("facts", where, f"is not the {'last' if number else 'first'} step's time")


def _check_order_of_times(record: record_pb2.GameRecord) -> Iterator[Finding]:
    times = [("the creation", record.create_time if record.HasField("create_time") else None)]
    times += [(f"step {i}", step.time if step.HasField("time") else None) for i, step in enumerate(record.steps)]
    before, latest = "", (-math.inf, 0.0)
    for what, time in times:
        if time is None:
            yield Finding("facts", f"time of {what}", "is missing")
            continue
        now = (time.seconds, time.nanos)
        if now < latest:
            yield Finding("facts", f"time of {what}", f"is before that of {before}")
        before, latest = what, now


def check_revisions(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """One revision a decision and incident; before the first one the game was created and each seat taken.

    Seats that forfeit at one deadline have one together.

    Without gaps, unless answers may be taken back: who asks for that makes revisions that no record has.
    """
    if record.settings.allow_undo:
        yield from _check_revisions_with_gaps(record)
    else:
        yield from _check_revisions_without_gaps(record)
    if record.steps[0].revision < len(record.seats) + 2:
        text = f"{record.steps[0].revision} is too small to create the game and take its seats"
        yield Finding("facts", "step 0, revision", text)


def _check_revisions_with_gaps(record: record_pb2.GameRecord) -> Iterator[Finding]:
    before = record.steps[0].revision
    for number, step in enumerate(record.steps[1:], start=1):
        # what is taken back was given before
        least = len(step.decisions) + _revisions(step) + sum(one.HasField("undone") for one in step.incidents)
        if step.revision < before + least:
            text = f"{step.revision} follows {before}: too few for what happened between"
            yield Finding("facts", f"step {number}, revision", text)
        before = step.revision


def _check_revisions_without_gaps(record: record_pb2.GameRecord) -> Iterator[Finding]:
    steps = record.steps[:-1] if _ends_by_forfeit(record) else record.steps[:]
    revisions = [step.revision for step in steps]
    places = list(accumulate(len(step.decisions) + _revisions(step) for step in steps))
    first = mode(revision - place for place, revision in zip(places, revisions, strict=True))
    strays = [i for i, revision in enumerate(revisions) if revision != first + places[i]]
    if len(strays) == 1:
        i = strays[0]
        text = written_against(f"{revisions[i]}", f"{first + places[i]}", "its place among the others")
        yield Finding("facts", f"step {i}, revision", text)
    elif strays:
        i = next(i for i in range(1, len(revisions)) if revisions[i] - revisions[i - 1] != places[i] - places[i - 1])
        yield Finding(
            "facts", f"step {i}, revision", f"{revisions[i]} follows {revisions[i - 1]}: steps are missing or too many"
        )
    if len(steps) < len(record.steps):
        yield from _check_last_revision(revisions[-1], record.steps[-1])


def _check_last_revision(before: int, last: record_pb2.RecordStep) -> Iterator[Finding]:
    """Of a game that ended by forfeit: answers to what not all had answered made revisions, and came to nothing."""
    if not before + _revisions(last) <= last.revision == last.incidents[-1].revision:
        yield Finding("facts", "the last step, revision", f"{last.revision} is not that of the forfeit, or too small")


def _revisions(step: record_pb2.RecordStep) -> int:
    """How many its incidents made."""
    return len({incident.revision for incident in step.incidents})


def _ends_by_forfeit(record: record_pb2.GameRecord) -> bool:
    last = record.steps[-1]
    return len(record.steps) > 1 and not last.decisions and bool(last.incidents)
