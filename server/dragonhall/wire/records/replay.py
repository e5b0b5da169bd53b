"""Replaying a record from what is written in it, without the random stream: as a reader in another language does."""

from __future__ import annotations

from collections.abc import Iterator

from dragonhall.rules import GAMES
from dragonhall.rules.chance import Chance, RecordedChance
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import Game
from dragonhall.rules.table import Step, Table
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.codec import Codec
from dragonhall.wire.records.build import FORMAT_VERSION
from dragonhall.wire.records.errors import BadRecord, UnsupportedRecord


def game_of(record: record_pb2.GameRecord) -> Game:
    """The rules that the record was played by. Raises `UnsupportedRecord` if this installation has not got them."""
    if record.format_version != FORMAT_VERSION:
        raise UnsupportedRecord(
            f"the record has format version {record.format_version}; this version of Dragonhall reads {FORMAT_VERSION}"
        )
    name = record.options.WhichOneof("game")
    if name is None:
        raise UnsupportedRecord(f"the record's options name no game that is known here; known: {', '.join(GAMES)}")
    game = GAMES[name]
    if record.rules_version != game.rules_version:
        raise UnsupportedRecord(
            f"the record was played by version {record.rules_version} of the rules of {name};"
            f" this version of Dragonhall plays version {game.rules_version}"
        )
    return game


def seat_table(record: record_pb2.GameRecord, chance: Chance) -> Table:
    """A table set as the record says, not started. Raises `UnsupportedRecord` and `BadRecord`."""
    game = game_of(record)
    codec = CODECS[game.name]
    try:
        components = codec.components_from_proto(record.component_set)
        options = codec.options_from_proto(record.options)
    except (InvalidMessage, RulesError) as error:
        raise BadRecord(str(error)) from error
    return Table(game, components, options, len(record.seats), chance)


def replay(record: record_pb2.GameRecord) -> Iterator[Step]:
    """The game's steps, from the written decisions and chance outcomes alone; the start comes first.

    Seed, commitment, written events and scores are not looked at. Raises `UnsupportedRecord` and, where a
    decision or a chance outcome does not fit, `BadRecord`.
    """
    codec = CODECS[game_of(record).name]
    try:
        outcomes = [codec.chance_from_proto(outcome) for step in record.steps for outcome in step.chance]
        table = seat_table(record, RecordedChance(outcomes))
        yield table.start()
        for written in record.steps[1:]:
            for decision in written.decisions:
                yield _answer(table, codec, decision)
    except (InvalidMessage, RulesError) as error:
        raise BadRecord(str(error)) from error


def _answer(table: Table, codec: Codec, decision: record_pb2.RecordDecision) -> Step:
    action = codec.action_from_proto(decision.action)
    code = table.check(decision.seat, decision.decision_id, action)
    return table.answer(decision.seat, decision.decision_id, code)
