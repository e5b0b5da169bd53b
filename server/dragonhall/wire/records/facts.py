"""Checks of what a record says before any play: seats, seed and commitment, component set, times, revisions."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from statistics import mode
from typing import Final

from dragonhall.rules.chance import MAX_NONCE_BYTES, SEED_BYTES
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import Game
from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.records.build import facts_digest
from dragonhall.wire.records.findings import Finding, written_against
from dragonhall.wire.records.wording import differences

UNPROVEN: Final = "an option, a seat's kind, bot name, player name or nonce, the title, the seed's source or the digest"
"""What only `GameRecord.facts_digest` guards."""


def check_facts(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    """Everything about the facts that is wrong in itself. Without findings a replay can be tried."""
    yield from _check_seed(record)
    yield from _check_seats(record)
    yield from _check_options(record, game)
    yield from _check_components(record, game)


def check_digest(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """Whether the facts are those that the record was written with."""
    if record.facts_digest != facts_digest(record):
        yield Finding("facts", "facts digest", f"does not fit the facts: {UNPROVEN} was changed")


def _check_seed(record: record_pb2.GameRecord) -> Iterator[Finding]:
    if len(record.seed) != SEED_BYTES:
        yield Finding("seed", "seed", f"has {len(record.seed)} bytes, a seed has {SEED_BYTES}", blocks=True)
    elif hashlib.sha256(record.seed).digest() != record.seed_commitment:
        yield Finding("seed", "seed", "its SHA-256 is not the seed commitment: this is not the seed that was promised")
    if record.seed_source not in (game_pb2.SEED_SOURCE_SERVER, game_pb2.SEED_SOURCE_HOST):
        yield Finding("seed", "seed source", "is neither server nor host")


def _check_seats(record: record_pb2.GameRecord) -> Iterator[Finding]:
    kinds = (game_pb2.SEAT_KIND_OPEN, game_pb2.SEAT_KIND_INVITED, game_pb2.SEAT_KIND_RESERVED)
    for i, seat in enumerate(record.seats):
        where = f"seat {i}"
        if seat.seat != i:
            yield Finding("facts", where, f"is numbered {seat.seat} in the record")
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
    if not game.min_seats <= len(record.seats) <= game.max_seats:
        text = f"{len(record.seats)} in the record; {game.name} has {game.min_seats} to {game.max_seats}"
        yield Finding("facts", "seats", text, blocks=True)


def _check_components(record: record_pb2.GameRecord, game: Game) -> Iterator[Finding]:
    codec = CODECS[game.name]
    try:
        codec.components_from_proto(record.component_set)
    except (InvalidMessage, RulesError) as error:
        default = codec.components_to_proto(game.default_components(), with_contents=True)
        if default.digest != record.component_set.digest:
            yield Finding("facts", "component set", str(error), blocks=True)
        for difference in differences(record.component_set, default):
            text = written_against(difference.written, difference.expected, f"the set {default.id} with this digest")
            yield Finding("facts", f"component set, {difference.where(leave_out=game.name)}", text, blocks=True)


def check_times(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """The game's start and end against its first and last step."""
    if record.start_time != record.steps[0].time:
        yield Finding("facts", "start time", "is not the first step's time")
    if record.end_time != record.steps[-1].time:
        yield Finding("facts", "end time", "is not the last step's time")


def check_revisions(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """One revision a step, without gaps; before the first one the game was created and each seat taken."""
    first = mode(step.revision - i for i, step in enumerate(record.steps))
    for i, step in enumerate(record.steps):
        if step.revision != first + i:
            text = written_against(f"{step.revision}", f"{first + i}", "its place")
            yield Finding("facts", f"step {i}, revision", text)
    if first < len(record.seats) + 2:
        yield Finding("facts", "step 0", f"its revision is {first}: too small to create the game and take its seats")
