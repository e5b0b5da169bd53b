"""A finished game, decision by decision: what each seat knew when it was asked, and what was answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dragonhall.bots import phrases
from dragonhall.bots.policy import Chair
from dragonhall.rules.actions import ActionList, Run, code_at, index_of
from dragonhall.rules.game import Game, Knowledge, legal_actions
from dragonhall.rules.journal import Entry
from dragonhall.v1 import games_pb2, record_pb2
from dragonhall.wire import CODECS, InvalidMessage
from dragonhall.wire.records import BadRecord, Replay, describe_game
from dragonhall.wire.records.wording import shortened


@dataclass(frozen=True)
class Moment:
    """One decision as its seat knew it: nothing in here says more, but for `played`."""

    decision_id: int
    """From 1 over the whole game."""
    game: Game
    chair: Chair
    knowledge: Knowledge
    """The seat's view as it was asked, and all events that it had been told until then."""
    decision: Any
    """What it was asked: the game's own dataclass."""
    runs: tuple[Run, ...]
    """The codes of all that was legal."""
    actions: ActionList
    """The same, typed."""
    played: int
    """The code of the answer that stands."""
    by: record_pb2.AnsweredBy.ValueType
    """Who gave it."""
    undone: tuple[games_pb2.GameAction, ...]
    """The seat's answers that had been taken back since the decision before."""

    @property
    def seat(self) -> int:
        """Who was asked."""
        return self.chair.seat

    @property
    def is_choice(self) -> bool:
        """Whether there was more than one answer."""
        return len(self.actions) > 1

    @property
    def asked(self) -> str:
        """What it was asked, in words."""
        return phrases.question(self._scene)

    def words(self, code: int) -> str:
        """One of the legal actions, in words."""
        return phrases.answer(self._scene, self.actions[index_of(self.runs, code)])

    @property
    def taken_back(self) -> tuple[str, ...]:
        """What had been taken back, in words."""
        return tuple(self._taken_back(message) for message in self.undone)

    def _taken_back(self, message: games_pb2.GameAction) -> str:
        """Whoever takes several answers back may be asked something else now; then the message itself is described."""
        try:
            return self.words(code_at(self.runs, self.actions.index(CODECS[self.game.name].action_from_proto(message))))
        except (InvalidMessage, ValueError):
            return shortened(describe_game(message, in_full=True))

    @property
    def _scene(self) -> phrases.Scene:
        return phrases.Scene(self.game.name, self.chair.components, self.knowledge.view, self.decision)


def moments(record: record_pb2.GameRecord) -> Iterator[Moment]:
    """Every decision in the record's order. Raises `UnsupportedRecord` and `BadRecord`.

    A record that ends before its game does is a bad one: there is nothing to look back on yet.
    """
    replay, past = Replay(record), _Past(len(record.seats))
    past.hear(replay.start().entries)
    for written in record.steps[1:]:
        replay.forfeits(written)
        past.undo(written)
        yield from [_moment(record, replay, past, decision) for decision in written.decisions]
        for decision in written.decisions:
            past.hear(replay.answer(decision).entries)
    if not replay.table.is_over():
        raise BadRecord("the record ends before its game does: only a finished game can be reviewed")


class _Past:
    """What each seat was told, and what it has taken back since it was asked last."""

    def __init__(self, seats: int) -> None:
        self.told: list[list[Any]] = [[] for _ in range(seats)]
        self._taken_back: list[list[games_pb2.GameAction]] = [[] for _ in range(seats)]

    def hear(self, entries: Sequence[Entry]) -> None:
        """Each seat is told what is for it."""
        for entry in entries:
            for seat, told in enumerate(self.told):
                if entry.is_for(seat):
                    told.append(entry.event)

    def undo(self, written: record_pb2.RecordStep) -> None:
        """Notes what was taken back before a step."""
        for incident in written.incidents:
            undone = incident.undone
            if incident.HasField("undone") and undone.seat < len(self._taken_back):
                self._taken_back[undone.seat].append(undone.action)

    def taken_back(self, seat: int) -> tuple[games_pb2.GameAction, ...]:
        """By a seat since it was asked last; told once."""
        taken, self._taken_back[seat] = self._taken_back[seat], []
        return tuple(taken)


def _moment(record: record_pb2.GameRecord, replay: Replay, past: _Past, decision: record_pb2.RecordDecision) -> Moment:
    """Of several seats that are asked at once, none knows an answer of another's: all are as before the first one."""
    played = replay.code(decision)
    table, seat = replay.table, decision.seat
    return Moment(
        decision_id=decision.decision_id,
        game=table.game,
        chair=Chair(table.options, table.components, len(record.seats), seat),
        knowledge=Knowledge(table.components, table.options, seat, table.state.view(seat), tuple(past.told[seat])),
        decision=table.tickets[seat].decision,
        runs=tuple(table.state.legal_runs(seat)),
        actions=legal_actions(table.game, table.state, seat),
        played=played,
        by=decision.by,
        undone=past.taken_back(seat),
    )
