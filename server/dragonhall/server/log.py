"""A game's log: the causes that made its revisions, and how the store keeps each as bytes.

The log is the truth: everything else about a game is a function of it (`dragonhall.server.playthrough`).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from dragonhall.rules.game import Components
from dragonhall.storage.v1 import log_pb2
from dragonhall.v1 import game_pb2
from dragonhall.wire import CODECS


class SeatKind(IntEnum):
    """Who may take a seat; the numbers are those of ``dragonhall.v1.SeatKind``."""

    OPEN = 1
    INVITED = 2
    RESERVED = 3


class SeedSource(IntEnum):
    """Where a seed came from; the numbers are those of ``dragonhall.v1.SeedSource``."""

    SERVER = 1
    HOST = 2


@dataclass(frozen=True, slots=True)
class CreatedSeat:
    """A seat as created."""

    kind: SeatKind
    bot_name: str = ""
    """`SeatKind.RESERVED`: for whom."""
    invitation_hash: bytes = b""
    """`SeatKind.INVITED`: SHA-256 of the code."""


@dataclass(frozen=True, slots=True)
class Created:
    """Revision 1 of every game: all that its play depends on but the nonces and the answers."""

    game: str
    """The rules' name, as ``dragons``."""
    options: Any
    components: Components
    rules_version: int
    seats: tuple[CreatedSeat, ...]
    title: str
    seed: bytes
    seed_source: SeedSource
    host_token_hash: bytes


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Someone sat down."""

    seat: int
    player_name: str
    nonce: bytes
    token_hash: bytes


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat was given back before the start."""

    seat: int


@dataclass(frozen=True, slots=True)
class Started:
    """All seats are taken and the table is set up."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A ticket was answered, with an action's code and its index among the legal actions."""

    seat: int
    decision_id: int
    code: int
    index: int | None
    """``None`` in logs of servers that did not keep it."""


@dataclass(frozen=True, slots=True)
class Aborted:
    """The host ended the game."""


Cause = Created | SeatTaken | SeatLeft | Started | Answered | Aborted


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One revision: what caused it, and when it was accepted (Unix time in microseconds)."""

    time_us: int
    cause: Cause


class UnreadableLog(Exception):
    """A stored entry that this server cannot read: of a newer server, or damaged."""


def encode(entry: LogEntry) -> bytes:
    """The entry as the store keeps it: a ``dragonhall.storage.v1.LogEntry``."""
    message = log_pb2.LogEntry(time_us=entry.time_us)
    match entry.cause:
        case Created() as created:
            message.created.CopyFrom(_created_to_proto(created))
        case SeatTaken(seat, player_name, nonce, token_hash):
            message.seat_taken.CopyFrom(
                log_pb2.SeatTaken(seat=seat, player_name=player_name, nonce=nonce, token_hash=token_hash)
            )
        case SeatLeft(seat):
            message.seat_left.CopyFrom(log_pb2.SeatLeft(seat=seat))
        case Started():
            message.started.SetInParent()
        case Answered(seat, decision_id, code, index):
            message.answered.CopyFrom(log_pb2.Answered(seat=seat, decision_id=decision_id, code=code, index=index))
        case Aborted():
            message.aborted.SetInParent()
    return message.SerializeToString(deterministic=True)


def decode(data: bytes) -> LogEntry:
    """The entry that `encode` wrote. Raises `UnreadableLog`."""
    try:
        message = log_pb2.LogEntry.FromString(data)
        return LogEntry(message.time_us, _cause_from_proto(message))
    except UnreadableLog:
        raise
    except Exception as error:
        raise UnreadableLog(f"a log entry of {len(data)} bytes cannot be read: {error}") from error


def _cause_from_proto(message: log_pb2.LogEntry) -> Cause:
    kind = message.WhichOneof("cause")
    if kind == "answered":
        answered = message.answered
        index = answered.index if answered.HasField("index") else None
        return Answered(answered.seat, answered.decision_id, answered.code, index)
    if kind == "seat_taken":
        taken = message.seat_taken
        return SeatTaken(taken.seat, taken.player_name, taken.nonce, taken.token_hash)
    if kind == "seat_left":
        return SeatLeft(message.seat_left.seat)
    if kind == "created":
        return _created_from_proto(message.created)
    if kind == "started":
        return Started()
    if kind == "aborted":
        return Aborted()
    raise UnreadableLog("a log entry has no cause that this server knows: a newer server wrote it")


def _created_to_proto(created: Created) -> log_pb2.GameCreated:
    codec = CODECS[created.game]
    return log_pb2.GameCreated(
        options=codec.options_to_proto(created.options),
        component_set=codec.components_to_proto(created.components, with_contents=True),
        rules_version=created.rules_version,
        seats=map(_created_seat_to_proto, created.seats),
        title=created.title,
        seed=created.seed,
        seed_source=game_pb2.SeedSource.ValueType(created.seed_source),
        host_token_hash=created.host_token_hash,
    )


def _created_seat_to_proto(seat: CreatedSeat) -> log_pb2.CreatedSeat:
    kind = game_pb2.SeatKind.ValueType(seat.kind)
    return log_pb2.CreatedSeat(kind=kind, bot_name=seat.bot_name, invitation_hash=seat.invitation_hash)


def _created_from_proto(message: log_pb2.GameCreated) -> Created:
    game = message.options.WhichOneof("game") or ""
    if game not in CODECS:
        raise UnreadableLog(f"the log is of a game that this server does not play: {game or 'unknown'}")
    codec = CODECS[game]
    return Created(
        game=game,
        options=codec.options_from_proto(message.options),
        components=codec.components_from_proto(message.component_set),
        rules_version=message.rules_version,
        seats=tuple(CreatedSeat(SeatKind(s.kind), s.bot_name, s.invitation_hash) for s in message.seats),
        title=message.title,
        seed=message.seed,
        seed_source=SeedSource(message.seed_source),
        host_token_hash=message.host_token_hash,
    )
