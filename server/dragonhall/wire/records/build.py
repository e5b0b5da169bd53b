"""From the log's facts to a record: the game is replayed, and all that happened is written out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import merge
from typing import Final

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from dragonhall.rules import GAMES
from dragonhall.rules.chance import SeededChance, commitment, game_key
from dragonhall.rules.table import Table
from dragonhall.v1 import game_pb2, games_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.codec import outcome_to_proto
from dragonhall.wire.records.errors import UnsupportedRecord
from dragonhall.wire.records.incidents import forfeits_of
from dragonhall.wire.records.steps import GivenAnswer, StepWriter

FORMAT_VERSION: Final = 1
"""Of `GameRecord`. Raised when a reader of the version before would misunderstand the new one."""

_NOT_HASHED: Final = frozenset(
    {"game_id", "create_time", "start_time", "end_time", "steps", "outcome", "rematch_of", "facts_digest"}
)
"""Of a record, by its facts digest."""


@dataclass(frozen=True)
class Answer:
    """One answer that stands, as the log has it."""

    revision: int
    time_us: int
    """When it was accepted, Unix time in microseconds."""
    seat: int
    code: int
    """The action's code in the game's rules."""
    by: record_pb2.AnsweredBy.ValueType = record_pb2.ANSWERED_BY_UNSPECIFIED
    time: record_pb2.TimeSpent | None = None
    """The clock's ledger of it, in a game with a time control."""


@dataclass(frozen=True)
class RecordInputs:
    """Everything about a finished game that cannot be derived: its record is a function of this."""

    game_id: str
    options: games_pb2.GameOptions
    component_set: games_pb2.ComponentSet
    """With contents and digest."""
    rules_version: int
    seats: Sequence[game_pb2.Seat]
    """In seat order, with player names and nonces, without state and substitute."""
    seed: bytes
    seed_source: game_pb2.SeedSource.ValueType
    title: str
    create_time_us: int
    start_revision: int
    start_time_us: int
    answers: Sequence[Answer]
    """Those that stand, in log order."""
    incidents: Sequence[record_pb2.RecordIncident] = ()
    """In log order."""
    settings: game_pb2.GameSettings | None = None
    rematch_of: str = ""


def build_record(inputs: RecordInputs) -> record_pb2.GameRecord:
    """The record of a finished game.

    Raises `UnsupportedRecord` for a game of another version of the rules, and if the answers do not play a game to its
    end, `RulesError` for one that does not fit and ValueError if the game is not over.
    """
    table = _table(inputs)
    codec = CODECS[table.game.name]
    record = _facts(inputs)
    record.steps.extend(_steps(inputs, table, StepWriter(codec, len(inputs.seats))))
    if not table.is_over():
        raise ValueError(f"game {inputs.game_id} is not over: there is no record of it yet")
    record.end_time.CopyFrom(record.steps[-1].time)
    record.outcome.CopyFrom(outcome_to_proto(table.outcome(), codec))
    return record


def _steps(inputs: RecordInputs, table: Table, writer: StepWriter) -> Iterator[record_pb2.RecordStep]:
    yield writer.start(inputs.start_revision, _timestamp(inputs.start_time_us), table.start())
    answers: list[Answer] = []
    incidents: list[record_pb2.RecordIncident] = []
    forfeits = dict(forfeits_of(inputs.incidents))
    logged: Iterator[Answer | record_pb2.RecordIncident] = merge(
        inputs.answers, inputs.incidents, key=lambda one: one.revision
    )
    for happened in logged:
        if isinstance(happened, Answer):
            answers.append(happened)
            if len(answers) == len(table.tickets):
                yield _answered(table, writer, answers, incidents)
                answers, incidents = [], []
        else:
            incidents.append(happened)
            together = forfeits.get(happened.revision)
            if together is not None and together[-1] == happened.seat.seat:
                table.forfeit(*together)
                if table.is_over():
                    yield writer.answers(happened.revision, happened.time, (), incidents)


def _answered(
    table: Table, writer: StepWriter, answers: list[Answer], incidents: list[record_pb2.RecordIncident]
) -> record_pb2.RecordStep:
    """All that was asked is answered."""
    last = answers[-1]
    answered = [_carried_out(table, answer) for answer in sorted(answers, key=lambda answer: answer.seat)]
    return writer.answers(last.revision, _timestamp(last.time_us), answered, incidents)


def _carried_out(table: Table, answer: Answer) -> GivenAnswer:
    ticket = table.tickets.get(answer.seat)
    step = table.answer(answer.seat, ticket.decision_id if ticket else 0, answer.code)
    assert ticket is not None  # else the table has refused
    return GivenAnswer(ticket, step, answer.by, answer.time)


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
        settings=inputs.settings,
        rematch_of=inputs.rematch_of,
    )
    record.facts_digest = facts_digest(record)
    return record


def _timestamp(time_us: int) -> Timestamp:
    stamp = Timestamp()
    stamp.FromMicroseconds(time_us)
    return stamp
