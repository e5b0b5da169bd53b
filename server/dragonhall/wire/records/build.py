"""From the log's facts to a record: the game is replayed, and all that happened is written out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, commitment, game_key
from dragonhall.rules.table import Step, Table, Ticket
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.records.errors import UnsupportedRecord
from dragonhall.wire.records.steps import StepWriter

FORMAT_VERSION: Final = 1
"""Of `GameRecord`. Raised when a reader of the version before would misunderstand the new one."""

_NOT_HASHED: Final = frozenset({"game_id", "create_time", "start_time", "end_time", "steps", "outcome", "facts_digest"})
"""Of a record, by its facts digest."""


@dataclass(frozen=True)
class Answer:
    """One answered decision, as the log has it."""

    revision: int
    time_us: int
    """When it was accepted, Unix time in microseconds."""
    seat: int
    decision_id: int
    code: int
    """The action's code in the game's rules."""


@dataclass(frozen=True)
class RecordInputs:
    """Everything about a finished game that cannot be derived: its record is a function of this."""

    game_id: str
    options: games_pb2.GameOptions
    component_set: games_pb2.ComponentSet
    """With contents and digest."""
    rules_version: int
    seats: Sequence[game_pb2.Seat]
    """In seat order, with player names and nonces."""
    seed: bytes
    seed_source: game_pb2.SeedSource.ValueType
    title: str
    create_time_us: int
    start_revision: int
    start_time_us: int
    answers: Sequence[Answer]
    """In log order."""


def build_record(inputs: RecordInputs) -> record_pb2.GameRecord:
    """The record of a finished game.

    Raises `UnsupportedRecord` for a game of another version of the rules, and if the answers do not play a game to its
    end, `RulesError` for one that does not fit and ValueError if the game is not over.
    """
    table = _table(inputs)
    writer = StepWriter(CODECS[table.game.name], len(inputs.seats))
    record = _facts(inputs)
    record.steps.append(writer.start(inputs.start_revision, _timestamp(inputs.start_time_us), table.start()))
    answers = iter(inputs.answers)
    while table.tickets:
        together = list(islice(answers, len(table.tickets)))
        if len(together) < len(table.tickets):
            raise ValueError(f"game {inputs.game_id} is not over: there is no record of it yet")
        last = together[-1]
        answered = [_carried_out(table, answer) for answer in sorted(together, key=lambda answer: answer.seat)]
        record.steps.append(writer.answers(last.revision, _timestamp(last.time_us), answered))
    record.end_time.CopyFrom(record.steps[-1].time)
    record.outcome.CopyFrom(outcome_to_proto(table.state.outcome(), CODECS[table.game.name]))
    return record


def _carried_out(table: Table, answer: Answer) -> tuple[Ticket, Step]:
    ticket = table.tickets.get(answer.seat)
    step = table.answer(answer.seat, answer.decision_id, answer.code)
    assert ticket is not None  # else the table has refused
    return ticket, step


def facts_of(record: record_pb2.GameRecord) -> record_pb2.GameRecord:
    """A record with nothing but the facts that `facts_digest` hashes."""
    kept = {field.name: value for field, value in record.ListFields() if field.name not in _NOT_HASHED}
    return record_pb2.GameRecord(**kept)


def facts_digest(record: record_pb2.GameRecord) -> bytes:
    """What `GameRecord.facts_digest` has to be: SHA-256 (32 bytes) of the facts that a replay does not prove."""
    data = json_format.MessageToDict(facts_of(record))
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).digest()


def _table(inputs: RecordInputs) -> Table:
    name = inputs.options.WhichOneof("game")
    if name is None:
        raise ValueError("the options name no game")
    if inputs.rules_version != GAMES[name].rules_version:
        raise UnsupportedRecord(
            f"game {inputs.game_id} was played by version {inputs.rules_version} of the rules of {name};"
            f" this version of Dragonhall plays version {GAMES[name].rules_version}"
        )
    codec = CODECS[name]
    components = codec.components_from_proto(inputs.component_set)
    options = codec.options_from_proto(inputs.options)
    key = game_key(inputs.seed, [seat.nonce for seat in inputs.seats])
    return Table(GAMES[name], components, options, len(inputs.seats), SeededChance(key))


def _facts(inputs: RecordInputs) -> record_pb2.GameRecord:
    record = record_pb2.GameRecord(
        format_version=FORMAT_VERSION,
        game_id=inputs.game_id,
        rules_version=inputs.rules_version,
        options=inputs.options,
        component_set=inputs.component_set,
        seats=inputs.seats,
        seed=inputs.seed,
        seed_commitment=commitment(inputs.seed),
        seed_source=inputs.seed_source,
        title=inputs.title,
        create_time=_timestamp(inputs.create_time_us),
        start_time=_timestamp(inputs.start_time_us),
    )
    record.facts_digest = facts_digest(record)
    return record


def _timestamp(time_us: int) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMicroseconds(time_us)
    return stamp
