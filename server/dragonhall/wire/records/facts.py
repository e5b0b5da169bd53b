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
    """One revision a decision, without gaps; before the first one the game was created and each seat taken."""
    revisions = [step.revision for step in record.steps]
    places = list(accumulate(len(step.decisions) for step in record.steps))
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
    if revisions[0] < len(record.seats) + 2:
        yield Finding("facts", "step 0, revision", f"{revisions[0]} is too small to create the game and take its seats")
