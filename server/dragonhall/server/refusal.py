"""Refusals: every "no" of the server, with a stable reason. The services turn them into gRPC statuses."""

from __future__ import annotations

import math
from datetime import timedelta
from enum import Enum


class Reason(Enum):
    """Why a request is refused: the names and meanings are those of ``dragonhall/v1/errors.proto``."""

    INVALID_FIELD = "INVALID_FIELD"
    GAME_NOT_FOUND = "GAME_NOT_FOUND"
    RECORD_NOT_READY = "RECORD_NOT_READY"
    TOKEN_INVALID = "TOKEN_INVALID"
    NOT_YOUR_ROLE = "NOT_YOUR_ROLE"
    SEAT_UNAVAILABLE = "SEAT_UNAVAILABLE"
    INVITATION_INVALID = "INVITATION_INVALID"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    GAME_NOT_RUNNING = "GAME_NOT_RUNNING"
    GAME_RUNNING = "GAME_RUNNING"
    DECISION_UNKNOWN = "DECISION_UNKNOWN"
    DECISION_ANSWERED = "DECISION_ANSWERED"
    ILLEGAL_ACTION = "ILLEGAL_ACTION"
    REVISION_IN_FUTURE = "REVISION_IN_FUTURE"
    STORE_UNAVAILABLE = "STORE_UNAVAILABLE"
    SHUTTING_DOWN = "SHUTTING_DOWN"
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    SEED_NOT_ALLOWED = "SEED_NOT_ALLOWED"
    INTERNAL = "INTERNAL"
    CREDENTIALS_INVALID = "CREDENTIALS_INVALID"
    NOT_ALLOWED = "NOT_ALLOWED"
    QUOTA_EXCEEDED = "QUOTA_EXCEEDED"
    TIME_RAN_OUT = "TIME_RAN_OUT"
    SEAT_AWAY = "SEAT_AWAY"
    SEATS_FREE = "SEATS_FREE"
    UNDO_NOT_POSSIBLE = "UNDO_NOT_POSSIBLE"
    GAME_EXISTS = "GAME_EXISTS"
    RECORD_INVALID = "RECORD_INVALID"
    KNOWLEDGE_INCONSISTENT = "KNOWLEDGE_INCONSISTENT"


class Refusal(Exception):
    """A request that is refused and has changed nothing.

    ``message`` tells a developer what is wrong and what to do, and holds nothing that the caller may not know.
    ``retry_after``: when the same request may be granted; ``None``: waiting does not help, or nobody knows how long.
    ``details`` are the metadata that the error's table promises for the reason; the services add the ``game_id``.
    """

    def __init__(self, reason: Reason, message: str, retry_after: timedelta | None = None, /, **details: str) -> None:
        super().__init__(f"{reason.value}: {message}")
        self.reason = reason
        self.message = message
        self.retry_after = retry_after
        self.details = details
        if retry_after is not None:
            details["retry_after_ms"] = str(math.ceil(retry_after / timedelta(milliseconds=1)))


def invalid_field(field: str, message: str) -> Refusal:
    """A request field that cannot be: ``field`` is its path in the request message, as ``seats[2].bot_name``."""
    return Refusal(Reason.INVALID_FIELD, f"{field}: {message}", field=field)


def game_not_found(game_id: str = "") -> Refusal:
    """There is no such game, or none that the caller may know of: it does not tell which. The services add the id."""
    return Refusal(Reason.GAME_NOT_FOUND, "there is no such game here", game_id=game_id)


def revision_in_future(field: str, newest: int, most: int) -> Refusal:
    """``field`` takes revisions to ``most``. ``newest``: the game's, as far as the caller may see it."""
    message = f"the game is at revision {newest}: {field} can be 0 to {most}"
    return Refusal(Reason.REVISION_IN_FUTURE, message, revision=str(newest))


def shutting_down(come_back_after: timedelta) -> Refusal:
    """The server is about to end; another, or this one again, will be there after ``come_back_after``."""
    message = "the server is shutting down; reconnect after the given delay, then with back-off"
    return Refusal(Reason.SHUTTING_DOWN, message, come_back_after)
