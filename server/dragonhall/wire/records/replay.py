"""Replaying a record from what is written in it, without the random stream: as a reader in another language does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dragonhall.rules import GAMES
from dragonhall.rules.chance import Chance, RecordedChance
from dragonhall.rules.errors import RulesError
from dragonhall.rules.game import Game
from dragonhall.rules.table import Step, Table
from dragonhall.v1 import record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.records.build import FORMAT_VERSION
from dragonhall.wire.records.errors import BadRecord, UnsupportedRecord
from dragonhall.wire.records.incidents import forfeits_of


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
    with _as_bad_record():
        components = codec.components_from_proto(record.component_set)
        options = codec.options_from_proto(record.options)
    return Table(game, components, options, len(record.seats), chance)


class Replay:
    """A record that is replayed from its written decisions and chance outcomes alone, with its table at hand.

    Seed, commitment, written events and scores are not looked at. The methods raise `BadRecord` where a decision or a
    chance outcome does not fit.
    """

    def __init__(self, record: record_pb2.GameRecord) -> None:
        """Raises `UnsupportedRecord` and `BadRecord`."""
        self._codec = CODECS[game_of(record).name]
        with _as_bad_record():
            outcomes = [self._codec.chance_from_proto(outcome) for step in record.steps for outcome in step.chance]
        self.table = seat_table(record, RecordedChance(outcomes))

    def start(self) -> Step:
        """Sets the game up. Called once, before anything else."""
        with _as_bad_record():
            return self.table.start()

    def forfeits(self, written: record_pb2.RecordStep) -> None:
        """Takes seats out of the running that had forfeited before the step's answers."""
        with _as_bad_record():
            for _, seats in forfeits_of(written.incidents):
                self.table.forfeit(*seats)

    def code(self, decision: record_pb2.RecordDecision) -> int:
        """The code of a written answer, which may be given now; changes nothing."""
        with _as_bad_record():
            action = self._codec.action_from_proto(decision.action)
            return self.table.check(decision.seat, decision.decision_id, action)

    def answer(self, decision: record_pb2.RecordDecision) -> Step:
        """Gives a written answer."""
        code = self.code(decision)
        with _as_bad_record():
            return self.table.answer(decision.seat, decision.decision_id, code)


def replay(record: record_pb2.GameRecord) -> Iterator[Step]:
    """The game's steps as `Replay` finds them; the start comes first. Raises `UnsupportedRecord` and `BadRecord`."""
    replayed = Replay(record)
    yield replayed.start()
    for written in record.steps[1:]:
        for decision in written.decisions:
            yield replayed.answer(decision)


@contextmanager
def _as_bad_record() -> Iterator[None]:
    """What the rules refuse in here is the record's fault."""
    try:
        yield
    except (InvalidMessage, RulesError) as error:
        raise BadRecord(str(error)) from error
