"""What a seat is asked, with everything that it may answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final

from dragonhall.rules.actions import ActionList, Run
from dragonhall.rules.game import Game, State
from dragonhall.rules.table import Ticket
from dragonhall.v1 import games_pb2 as games
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire.codec import Codec
from dragonhall.wire.serialized import message_field, number_field

MAX_AMOUNTS: Final = 2**20
"""The most amounts that `actions_from_proto` takes from one entry."""


def prompt_to_bytes(game: Game, state: State, ticket: Ticket, codec: Codec) -> bytes:
    """A serialised ``dragonhall.v1.Decision``: an open ticket, and the legal actions of its seat.

    A prompt may list a thousand actions, most of which were sent before: their bytes are kept and put together.
    """
    parts = [number_field(1, ticket.decision_id)]
    parts.append(message_field(2, codec.decision_to_proto(ticket.decision).SerializeToString()))
    parts.extend(message_field(3, entry) for entry in _entries(game, state, ticket.seat, codec))
    return b"".join(parts)


def asked_to_bytes(game: Game, state: State, seat: int, codec: Codec, with_actions: bool) -> bytes:
    """A serialised ``dragonhall.v1.Asked``: what a seat is asked in a position, and what it may answer."""
    parts = [number_field(1, seat)]
    parts.append(message_field(2, codec.decision_to_proto(state.decision(seat)).SerializeToString()))
    if with_actions:
        parts.extend(message_field(3, entry) for entry in _entries(game, state, seat, codec))
    return b"".join(parts)


def _entries(game: Game, state: State, seat: int, codec: Codec) -> Iterator[bytes]:
    """Serialised ``LegalActions``, in canonical order."""
    index = 0
    for run in state.legal_runs(seat):
        action = game.action(state, seat, run.first)
        yield number_field(1, index) + message_field(2, _action_bytes(codec, action)) + _amounts(action, run)
        index += run.size


def _amounts(action: Any, run: Run) -> bytes:
    if run.size == 1:
        return b""
    least = action.amount
    return message_field(3, number_field(1, least) + number_field(2, least + run.size - 1))


@lru_cache(maxsize=16384)
def _action_bytes(codec: Codec, action: Any) -> bytes:
    return codec.action_to_proto(action).SerializeToString()


def actions_from_proto(entries: Iterable[play.LegalActions], codec: Codec) -> ActionList:
    """The typed legal actions of a prompt: an action's place in the list is its ``action_index``.

    Raises `InvalidMessage`; one with an absurd range has as many amounts as `MAX_AMOUNTS`.
    """
    return ActionList((_action_of(codec, entry.action.SerializeToString()), _count(entry)) for entry in entries)


@lru_cache(maxsize=16384)
def _action_of(codec: Codec, written: bytes) -> Any:
    """The action of a ``GameAction``: of a long prompt most were read before, and a value is cheaper to find."""
    return codec.action_from_proto(games.GameAction.FromString(written))


def _count(entry: play.LegalActions) -> int:
    if not entry.HasField("amounts"):
        return 1
    return max(1, min(MAX_AMOUNTS, entry.amounts.max - entry.amounts.min + 1))
