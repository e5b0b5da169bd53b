"""One seat of a game as its player knows it: what was told, what was answered, and what became of it."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Final

from dragonhall.v1.play_service_pb2 import Decision, Event, ObserveResponse, SubmitResponse
from tests.service.harness import number_of_actions
from tests.service.promises import OVER, Recorded, prompt_in

OVERTAKEN: Final = frozenset(
    {"TIME_RAN_OUT", "DECISION_ANSWERED", "DECISION_UNKNOWN", "SEAT_AWAY", "SEAT_UNAVAILABLE", "GAME_NOT_RUNNING"}
)
"""How an answer may be refused although it was right when it was thought out: its time was up, its seat away or
forfeited, its game over, or what it was for was taken back."""

SHORT_SECONDS: Final = 3.0
"""Limits up to this are waited for by players who dawdle."""


@dataclass(frozen=True)
class Habits:
    """How often a player does what it should not, as parts of 1."""

    disconnect: float = 0.02
    """After a message."""
    stall: float = 0.02
    """Does not read for a while, after a message."""
    repeat: float = 0.08
    """Gives an answer twice at once; and one of long ago again."""
    contradict: float = 0.04
    """Answers once more, otherwise."""
    mistake: float = 0.02
    """Answers what was never asked."""
    dawdle: float = 0.02
    """Answers only when the time is up."""
    undo: float = 0.05
    """Asks to take an answer back."""
    refuse: float = 0.3
    """Does not agree when another asks for that."""
    leave: float = 0.01
    """Leaves the running game, and comes back a little later."""


TAME: Final = Habits(disconnect=0, stall=0, dawdle=0)


@dataclass(frozen=True)
class Accepted:
    """An answer that the server said it has taken."""

    decision_id: int
    index: int
    revision: int
    action: bytes


@dataclass(frozen=True)
class Asked:
    """A decision that the seat has to make."""

    decision_id: int
    actions: int
    index: int
    """What is going to be answered, however often it is sent."""
    seconds: float | None
    """Until it is due."""

    @property
    def other_index(self) -> int:
        """Another answer, legal if there is one."""
        return (self.index + 1) % self.actions


@dataclass
class Seat:
    """A seat, and what its player knows."""

    game_id: str
    seat: int | None
    """``None``: only watches."""
    token: str
    rng: Random
    habits: Habits = field(default_factory=Habits)
    is_substitute: bool = False
    accepted: dict[int, Accepted] = field(default_factory=dict)
    """By decision id."""
    settled: set[int] = field(default_factory=set)
    """Decisions of which nothing more is to be done."""
    counts: Counter[str] = field(default_factory=Counter)
    """What was done, and how answers were refused."""
    is_over: bool = False
    """Nothing more comes to this seat."""
    consent_asked: int = 0
    """The decision of another seat that wants its answer back, and waits for this one's consent."""
    seen: Recorded = field(init=False)
    """The stream as the player saw it, over all its connections."""

    def __post_init__(self) -> None:
        self.seen = Recorded(self.game_id, self.seat, from_revision=1, token=self.token)

    @property
    def next_revision(self) -> int:
        """From where the stream is to be resumed."""
        return self.seen.messages[-1].revision + 1 if self.seen.messages else 1

    def does(self, habit: str) -> bool:
        """Whether the player gives in to a habit now."""
        gives_in = bool(self.rng.random() < getattr(self.habits, habit))
        self.counts[habit] += gives_in
        return gives_in

    def hear(self, message: ObserveResponse) -> Asked | None:
        """Takes a message in. What is to be answered now, if anything."""
        self.seen.messages.append(message)
        for event in message.update.events:
            self._notice(event)
        self.is_over = self.is_over or message.snapshot.game.status in OVER
        decision = prompt_in(message)
        if not decision.decision_id or decision.decision_id in self.settled:
            return None
        return self._asked(decision)

    def _notice(self, event: Event) -> None:
        kind = event.WhichOneof("event")
        if kind in ("game_finished", "game_aborted"):
            self.is_over = True
        elif kind == "seat_changed" and self.is_substitute and event.seat_changed.seat.seat == self.seat:
            self.is_over = self.is_over or not event.seat_changed.seat.substitute
        elif kind == "undo_asked":
            self.consent_asked = event.undo_asked.decision_id if self.seat in event.undo_asked.missing else 0
        elif kind in ("undo_ended", "undone"):
            self.consent_asked = 0

    def _asked(self, decision: Decision) -> Asked:
        rng = Random(f"{self.game_id} {self.seat} {decision.decision_id}")  # the same however often it comes
        actions = number_of_actions(decision)
        seconds = decision.deadline.ToNanoseconds() / 1e9 - time.time() if decision.HasField("deadline") else None
        return Asked(decision.decision_id, actions, rng.randrange(actions), seconds)

    def seconds_to_think(self, asked: Asked) -> float:
        """How long the player waits before it answers."""
        if asked.seconds is not None and 0 < asked.seconds < SHORT_SECONDS and self.does("dawdle"):
            return asked.seconds + 0.1
        return 0.0

    def take(self, asked: Asked, index: int, result: SubmitResponse) -> None:
        """The server has taken an answer: the first time, or as it did the first time."""
        answer = Accepted(asked.decision_id, index, result.revision, result.action.SerializeToString())
        before = self.accepted.setdefault(asked.decision_id, answer)
        assert before == answer, f"{before} was told first, then {answer}"
        self.settled.add(asked.decision_id)
        self.counts["repeated" if result.repeated else "taken"] += 1

    def refuse(self, asked: Asked, index: int, reason: str, metadata: dict[str, str]) -> None:
        """The server has refused an answer."""
        self.counts[reason] += 1
        assert reason in OVERTAKEN, f"{reason} for seat {self.seat} of {self.game_id}: {metadata}"
        before = self.accepted.get(asked.decision_id)
        if before is not None and reason == "DECISION_ANSWERED":
            assert index != before.index, f"{before} was told first, then {reason}"
            assert (metadata["revision"], metadata["action_index"]) == (str(before.revision), str(before.index))
        if reason != "SEAT_AWAY":
            self.settled.add(asked.decision_id)
