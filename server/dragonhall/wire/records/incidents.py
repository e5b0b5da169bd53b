"""Checks of who played a seat when, as a record's incidents tell it, and of who is said to have answered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from dragonhall.v1 import game_pb2, record_pb2
from dragonhall.wire.records.findings import Finding, written_against
from dragonhall.wire.records.wording import enum_words

PLAYING: Final = game_pb2.SEAT_STATE_PLAYING
AWAY: Final = game_pb2.SEAT_STATE_AWAY
VACANT: Final = game_pb2.SEAT_STATE_VACANT
SUBSTITUTED: Final = game_pb2.SEAT_STATE_SUBSTITUTED
FORFEITED: Final = game_pb2.SEAT_STATE_FORFEITED

States = set[game_pb2.SeatState.ValueType]

_ABSENT: Final[dict[int, game_pb2.SeatState.ValueType]] = {
    game_pb2.ABSENCE_POLICY_DEFAULT_ACTION: AWAY,
    game_pb2.ABSENCE_POLICY_SUBSTITUTE: VACANT,
    game_pb2.ABSENCE_POLICY_FORFEIT: FORFEITED,
}
"""What becomes of a seat whose player leaves, by the game's policy."""
_AFTER: Final[dict[int, States]] = {
    PLAYING: {AWAY, VACANT, FORFEITED},
    AWAY: {PLAYING},
    VACANT: {PLAYING, SUBSTITUTED},
    SUBSTITUTED: {PLAYING, VACANT},
    FORFEITED: set(),
}
"""What can become of a seat in a state."""
_ANSWERING: Final[dict[int, States]] = {
    record_pb2.ANSWERED_BY_SEAT: {PLAYING},
    record_pb2.ANSWERED_BY_SUBSTITUTE: {SUBSTITUTED},
    record_pb2.ANSWERED_BY_TIME: {PLAYING, SUBSTITUTED},
    record_pb2.ANSWERED_BY_ABSENCE: {AWAY, VACANT},
    record_pb2.ANSWERED_BY_FORFEIT: {FORFEITED},
}
"""The states in which a seat is answered for by whom."""
DEFAULTS: Final = (
    record_pb2.ANSWERED_BY_TIME,
    record_pb2.ANSWERED_BY_ABSENCE,
    record_pb2.ANSWERED_BY_FORFEIT,
)
"""Who answers with the default action."""


def forfeits_of(incidents: Iterable[record_pb2.RecordIncident]) -> Iterator[tuple[int, list[int]]]:
    """The revisions at which seats forfeited, and which did: several that were late at one deadline did at once."""
    forfeits = (incident for incident in incidents if incident.seat.state == FORFEITED)
    for revision, together in groupby(forfeits, key=lambda incident: incident.revision):
        yield revision, [incident.seat.seat for incident in together]


def check_incidents(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """Incidents that cannot be, or not there; answers by someone who did not play the seat."""
    yield from _check_places(record)
    checks = _Seats(record)
    for number, step in enumerate(record.steps):
        for place, incident in enumerate(step.incidents, start=1):
            yield from checks.incident(f"step {number}, incident {place}", incident)
        for decision in step.decisions:
            yield from checks.answer(decision, is_last=len(step.decisions) == 1)
        checks.next_step()


def _check_places(record: record_pb2.GameRecord) -> Iterator[Finding]:
    """After the step before, in order, and before the step's last answer."""
    revision, time = 0, (0, 0)
    for number, step in enumerate(record.steps):
        before = None
        for place, incident in enumerate(step.incidents, start=1):
            where, now = f"step {number}, incident {place}", (incident.time.seconds, incident.time.nanos)
            least = revision if before is not None and _is_one_deadline(before, incident) else revision + 1
            if number == 0:
                yield Finding("incident", where, "came before the game's start")
            if not least <= incident.revision <= step.revision - (1 if step.decisions else 0):
                yield Finding("incident", f"{where}, revision", f"{incident.revision} is not between its neighbours'")
            if not time <= now <= (step.time.seconds, step.time.nanos):
                yield Finding("incident", f"{where}, time", "is not between its neighbours'")
            revision, time, before = incident.revision, now, incident
        revision, time = step.revision, (step.time.seconds, step.time.nanos)


def _is_one_deadline(one: record_pb2.RecordIncident, other: record_pb2.RecordIncident) -> bool:
    """Whether two seats can have forfeited at once, which makes one revision."""
    out_of_time = (FORFEITED, game_pb2.ABSENCE_CAUSE_TIME)
    both = all((incident.seat.state, incident.seat.cause) == out_of_time for incident in (one, other))
    return both and one.time == other.time


class _Seats:
    """Who plays each seat, and who has played it during a step."""

    def __init__(self, record: record_pb2.GameRecord) -> None:
        self._settings = record.settings
        self._has_settings = record.HasField("settings")
        self._is_timed = record.settings.HasField("time_control")
        self._game = record.options.WhichOneof("game")
        self._states: list[game_pb2.SeatState.ValueType] = [PLAYING] * len(record.seats)
        self._during: list[States] = [{PLAYING} for _ in record.seats]

    def next_step(self) -> None:
        """The step is over."""
        self._during = [{state} for state in self._states]

    def incident(self, where: str, incident: record_pb2.RecordIncident) -> Iterator[Finding]:
        kind = incident.WhichOneof("incident")
        if kind == "seat":
            yield from self._change(where, incident.seat)
        elif kind == "undone":
            yield from self._undone(where, incident.undone)
        elif kind is None:
            yield Finding("incident", where, "says nothing of what happened")
        elif incident.server_was_down.seconds < 0 or incident.server_was_down.nanos < 0:
            yield Finding("incident", where, "the server was down for less than no time")

    def _change(self, where: str, change: record_pb2.SeatIncident) -> Iterator[Finding]:
        if change.seat >= len(self._states):
            yield Finding("incident", where, f"there is no seat {change.seat}")
            return
        before, now = self._states[change.seat], change.state
        absent = _ABSENT.get(self._settings.absence, AWAY)
        if now not in _AFTER[before] or (now in _ABSENT.values() and now != absent):
            text = f"seat {change.seat} cannot be {_words(now)} after it was {_words(before)}"
            yield Finding("incident", where, f"{text}, by the game's settings")
        if not self._fits(change):
            yield Finding("incident", f"{where}, cause", f"is none for a seat that is {_words(now)} in this game")
        if bool(change.substitute) != (now == SUBSTITUTED):
            yield Finding("incident", f"{where}, substitute", "has to be there if a substitute plays, and only then")
        if now in _AFTER:
            self._states[change.seat] = now
            self._during[change.seat].add(now)

    def _fits(self, change: record_pb2.SeatIncident) -> bool:
        """Whether the cause can be one."""
        if change.state not in _ABSENT.values():
            return change.cause == game_pb2.ABSENCE_CAUSE_UNSPECIFIED
        by_time = self._is_timed and change.state != AWAY
        return change.cause == game_pb2.ABSENCE_CAUSE_LEFT or (by_time and change.cause == game_pb2.ABSENCE_CAUSE_TIME)

    def _undone(self, where: str, undone: record_pb2.UndoneAnswer) -> Iterator[Finding]:
        if not self._settings.allow_undo:
            yield Finding("incident", where, "an answer was taken back, which the game's settings do not allow")
        if undone.seat >= len(self._states):
            yield Finding("incident", where, f"there is no seat {undone.seat}")
        if undone.action.WhichOneof("game") != self._game:
            yield Finding("incident", f"{where}, action", "is none of this game")

    def answer(self, decision: record_pb2.RecordDecision, is_last: bool) -> Iterator[Finding]:
        """Who answered: if it is the step's last answer, after all its incidents; else somewhere among them.

        In older records, which have no settings, it is not said.
        """
        where = f"decision {decision.decision_id} of seat {decision.seat}, by"
        if not self._has_settings:
            if decision.by != record_pb2.ANSWERED_BY_UNSPECIFIED:
                yield Finding("decision", where, "is said in a record without settings")
            return
        if decision.seat >= len(self._during):
            return  # the replay says so
        states = {self._states[decision.seat]} if is_last else self._during[decision.seat]
        if not states & _ANSWERING.get(decision.by, set()):
            by = enum_words(record_pb2.AnsweredBy.DESCRIPTOR, decision.by)
            played = " and ".join(sorted(_words(state) for state in states))
            yield Finding("decision", where, written_against(by, f"the seat is {played}", "the incidents"))
        elif decision.by == record_pb2.ANSWERED_BY_TIME and not self._can_run_out():
            yield Finding("decision", where, "time cannot run out so, by the game's settings")

    def _can_run_out(self) -> bool:
        return self._is_timed and _ABSENT.get(self._settings.absence, AWAY) == AWAY


def _words(state: int) -> str:
    return enum_words(game_pb2.SeatState.DESCRIPTOR, state)
