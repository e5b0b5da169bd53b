"""Answering a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dragonhall.rules.actions import code_at, index_of
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.table import Table
from dragonhall.server.game import Plan, Write
from dragonhall.server.log import Answered
from dragonhall.server.operations.absence import expired
from dragonhall.server.operations.players import check_plays
from dragonhall.server.operations.undo import ending
from dragonhall.server.playthrough import Answer, Frame, Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import AnsweredBy


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to a decision: the index of a legal action, or the action spelled out."""

    index: int | None = None
    action: Any = None

    def is_the_same_as(self, answer: Answer) -> bool:
        """Whether this was answered before."""
        return self.index == answer.index if self.index is not None else bool(self.action == answer.action)


@dataclass(frozen=True, slots=True)
class Accepted:
    """The answer that stands."""

    revision: int
    action: Any
    repeated: bool


def answer(
    seat: int,
    decision_id: int,
    choice: Choice,
    *,
    arrived_us: int = 0,
    thought_us: int | None = None,
    is_substitute: bool = False,
    validate_only: bool = False,
) -> Plan[Accepted]:
    """``seat`` answers a decision; with ``validate_only`` it is only told what would come of that.

    ``arrived_us``: when the answer reached the server (Unix time; 0: now). ``thought_us``: how long the client says it
    thought; ``None``: it does not say. ``is_substitute``: the substitute answers, not whoever took the seat first.
    """

    def plan(game: Playthrough) -> Write[Accepted] | Accepted:
        given = game.answers.get(decision_id)
        if given is not None and given.seat == seat:
            return _repeated(given, decision_id, choice)
        table = _running_table(game)
        check_plays(game.seats[seat], is_substitute)
        _check_asked(game, seat, decision_id)
        if arrived_us > (game.clocks.deadline_us(seat) or arrived_us):
            return Write(expired(game, arrived_us), _accepted, refusal=_out_of_time(decision_id))
        code, index = _chosen(table, seat, decision_id, choice)
        by = AnsweredBy.SUBSTITUTE if is_substitute else AnsweredBy.SEAT
        answered = Answered(seat, decision_id, code, index, by, arrived_us, thought_us)
        return Write((*ending(game, seat), answered), _accepted)

    return _validated(plan) if validate_only else plan


def _check_asked(game: Playthrough, seat: int, decision_id: int) -> None:
    ticket = game.running_table().tickets.get(seat)
    if ticket is not None and ticket.decision_id == decision_id:
        return
    message = f"seat {seat} is not asked decision {decision_id}"
    if game.undoing is not None and decision_id in game.undoing.taken_back:
        message += ": its answer was taken back, and it is asked anew under another decision_id"
    raise Refusal(Reason.DECISION_UNKNOWN, f"{message}; answer the newest prompt", decision_id=str(decision_id))


def _out_of_time(decision_id: int) -> Refusal:
    message = f"the answer to decision {decision_id} came too late; what stands instead comes on the stream"
    return Refusal(Reason.TIME_RAN_OUT, message, decision_id=str(decision_id))


def _validated(plan: Plan[Accepted]) -> Plan[Accepted]:
    """The same checks and refusals as ``plan``'s, and nothing is written."""

    def validate(game: Playthrough) -> Accepted:
        planned = plan(game)
        if not isinstance(planned, Write):
            return planned
        if planned.refusal is not None:
            raise planned.refusal
        answered = next(cause for cause in planned.causes if isinstance(cause, Answered))
        table = game.running_table()
        return Accepted(0, table.game.action(table.state, answered.seat, answered.code), repeated=False)

    return validate


def _accepted(frames: list[Frame]) -> Accepted:
    frame = next(frame for frame in frames if frame.spent is not None)
    assert frame.step is not None
    return Accepted(frame.revision, frame.step.action, repeated=False)


def _repeated(given: Answer, decision_id: int, choice: Choice) -> Accepted:
    if given.by is AnsweredBy.TIME:
        raise _out_of_time(decision_id)
    if not choice.is_the_same_as(given):
        raise Refusal(
            Reason.DECISION_ANSWERED,
            f"decision {decision_id} was answered otherwise at revision {given.revision} "
            f"(with action_index {given.index}); that answer stands",
            decision_id=str(decision_id),
            revision=str(given.revision),
            action_index=str(given.index),
        )
    return Accepted(given.revision, given.action, repeated=True)


def _running_table(game: Playthrough) -> Table:
    if game.status is not Status.RUNNING or game.table is None:
        status = game.status.name
        what = "waits for its seats to be taken" if game.status is Status.WAITING else f"is {status.lower()}"
        raise Refusal(Reason.GAME_NOT_RUNNING, f"the game {what}: there is nothing to answer", status=status)
    return game.table


def _chosen(table: Table, seat: int, decision_id: int, choice: Choice) -> tuple[int, int]:
    """The code and the index of a choice. Raises `Refusal`."""
    if choice.index is None:
        code = _checked(table, seat, decision_id, choice.action)
        return code, index_of(table.state.legal_runs(seat), code)
    runs = table.state.legal_runs(seat)
    try:
        return code_at(runs, choice.index), choice.index
    except IndexError:
        count = sum(run.size for run in runs)
        raise Refusal(
            Reason.ILLEGAL_ACTION,
            f"the prompt has {count} legal actions, counted from 0; action_index {choice.index} is none of them",
            decision_id=str(decision_id),
        ) from None


def _checked(table: Table, seat: int, decision_id: int, action: Any) -> int:
    """The code of an action that is spelled out. Raises `Refusal`."""
    try:
        return table.check(seat, decision_id, action)
    except IllegalAction as error:
        raise Refusal(Reason.ILLEGAL_ACTION, error.message, rule=error.rule, decision_id=str(decision_id)) from error
