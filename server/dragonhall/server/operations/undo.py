"""Taking back the newest answer, by consent: see "Taking back" in ``play_service.proto``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dragonhall.server.clocks import IN_CHARGE
from dragonhall.server.game import Plan, Write
from dragonhall.server.log import AnswerUndone, Cause, UndoAgreed, UndoAsked, UndoEnded
from dragonhall.server.operations.players import check_plays
from dragonhall.server.playthrough import Playthrough, Status
from dragonhall.server.refusal import Reason, Refusal
from dragonhall.server.settings import AnsweredBy, SeatState
from dragonhall.server.undoing import Given, Undoing, UndoRequest


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of a request, or of a seat's say in it."""

    revision: int
    """The one that this made."""
    undone: bool
    """The answer is taken back."""


def ask(seat: int, decision_id: int, is_substitute: bool = False) -> Plan[Asked]:
    """``seat`` asks to take back its answer to a decision. Done at once if nobody else has to agree."""

    def plan(game: Playthrough) -> Write[Asked] | Asked:
        undoing = _undoing(game, decision_id)
        taken_back = undoing.taken_back.get(decision_id)
        if taken_back is not None and taken_back.given.seat == seat:
            return Asked(taken_back.revision, undone=True)
        check_plays(game.seats[seat], is_substitute)
        given = _to_take_back(game, undoing, seat, decision_id, is_substitute)
        if undoing.request is not None:
            return Asked(undoing.request.revision, undone=False)
        if not missing(game, undoing):
            return _written(game, AnswerUndone(given.revision))
        return _written(game, UndoAsked(seat, decision_id))

    return plan


def agree(seat: int, decision_id: int, is_substitute: bool = False) -> Plan[Asked]:
    """``seat`` agrees that another takes back its answer to a decision: done when all have agreed."""

    def plan(game: Playthrough) -> Write[Asked] | Asked:
        undoing = _undoing(game, decision_id)
        taken_back = undoing.taken_back.get(decision_id)
        if taken_back is not None and taken_back.given.seat != seat:
            return Asked(taken_back.revision, undone=True)
        check_plays(game.seats[seat], is_substitute)
        request = _requested(undoing, seat, decision_id)
        agreed_at = request.agreed_at(seat)
        if agreed_at is not None:
            return Asked(agreed_at, undone=False)
        if all(other == seat for other in missing(game, undoing)):
            return _written(game, UndoAgreed(seat), AnswerUndone(request.given.revision))
        return _written(game, UndoAgreed(seat))

    return plan


def refuse(seat: int, decision_id: int, is_substitute: bool = False) -> Plan[Asked]:
    """``seat`` does not agree: the request is at an end."""

    def plan(game: Playthrough) -> Write[Asked] | Asked:
        undoing = _undoing(game, decision_id)
        check_plays(game.seats[seat], is_substitute)
        _requested(undoing, seat, decision_id)
        return _written(game, UndoEnded(seat))

    return plan


def ending(game: Playthrough, seat: int) -> tuple[Cause, ...]:
    """What stands in the log before an answer that ``seat`` gives, or that is given for it: the end of a request."""
    return (UndoEnded(seat),) if game.undoing is not None and game.undoing.request is not None else ()


def consequence(game: Playthrough) -> Cause | None:
    """What becomes of a request when somebody leaves: without its asker it ends; who else is gone need not agree."""
    undoing = game.undoing
    if undoing is None or undoing.request is None:
        return None
    given = undoing.request.given
    if game.seats[given.seat].state is not SeatState.PLAYING:
        return UndoEnded(given.seat)
    return None if missing(game, undoing) else AnswerUndone(given.revision)


def missing(game: Playthrough, undoing: Undoing) -> tuple[int, ...]:
    """The seats that have to agree before the newest answer is taken back: of those that nobody plays none is asked."""
    return undoing.missing(seat.seat for seat in game.seats if seat.state in IN_CHARGE)


def _undoing(game: Playthrough, decision_id: int) -> Undoing:
    if game.undoing is None:
        raise _impossible("NOT_ALLOWED", decision_id, "this game was created without allow_undo: answers stand")
    if game.status is not Status.RUNNING:
        status = game.status.name
        raise Refusal(
            Reason.GAME_NOT_RUNNING, f"the game is {status.lower()}: nothing can be taken back", status=status
        )
    return game.undoing


def _to_take_back(game: Playthrough, undoing: Undoing, seat: int, decision_id: int, is_substitute: bool) -> Given:
    """The answer to ``decision_id``, if ``seat`` may ask for it back. Raises `Refusal`."""
    given, answer = undoing.newest, game.answers.get(decision_id)
    if answer is None:
        message = f"no answer to a decision {decision_id} stands; give the decision_id of the answer to be taken back"
        raise Refusal(Reason.DECISION_UNKNOWN, message, decision_id=str(decision_id))
    if answer.seat != seat or is_substitute:
        raise _impossible("NOT_YOURS", decision_id, "only a seat's own player takes back, and only its own answers")
    if given is None or given.decision_id != decision_id:
        raise _impossible("NOT_NEWEST", decision_id, "it is not the game's newest answer any more")
    for forbids, why, message in OBSTACLES:
        if forbids(given):
            raise _impossible(why, decision_id, message)
    return given


OBSTACLES: Final[tuple[tuple[Callable[[Given], bool], str, str], ...]] = (
    (lambda given: given.by is not AnsweredBy.SEAT, "NOT_YOURS", "the seat's own player did not give this answer"),
    (lambda given: given.drew_chance, "CHANCE", "chance had a part in what followed"),
    (lambda given: given.revealed, "REVEAL", "something hidden was shown because of it"),
)
"""What forbids to take an answer back, the ``why`` of the refusal, and its message."""


def _requested(undoing: Undoing, seat: int, decision_id: int) -> UndoRequest:
    """The request that ``seat`` has a say in. Raises `Refusal`."""
    request = undoing.request
    if request is None or request.given.decision_id != decision_id or seat not in request.given.concerns:
        raise _impossible("NOT_ASKED", decision_id, f"nobody asks seat {seat} to take back an answer to this decision")
    return request


def _impossible(why: str, decision_id: int, message: str) -> Refusal:
    return Refusal(Reason.UNDO_NOT_POSSIBLE, f"{message}; play on", decision_id=str(decision_id), why=why)


def _written(game: Playthrough, *causes: Cause) -> Write[Asked]:
    asked = Asked(game.revision + len(causes), undone=isinstance(causes[-1], AnswerUndone))
    return Write(causes, lambda _: asked)
