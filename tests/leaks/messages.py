"""All that one reader of a table is sent, as bytes: equal bytes tell nothing apart, neither by content nor by size."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dragonhall.rules.errors import RulesError
from dragonhall.rules.table import Step, Table
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import prompt_to_bytes


def sent_at(step: Step, table: Table, viewer: int | None, attempts: Iterable[Any]) -> list[bytes]:
    """What a step has told and how the table stands after it."""
    return told_by(step, table, viewer) + shown(table, viewer, attempts)


def told_by(step: Step, table: Table, viewer: int | None) -> list[bytes]:
    """The events of a step, in order."""
    codec = CODECS[table.game.name]
    return [sent(codec.event_to_proto(entry.event)) for entry in step.entries if entry.is_for(viewer)]


def shown(table: Table, viewer: int | None, attempts: Iterable[Any]) -> list[bytes]:
    """The table as it stands: the view, who is asked what, the reader's own prompt and what is answered for it when its
    time runs out, and refusals of ``attempts``.

    ``attempts`` are actions that a seat tries, whether it is asked or not.
    """
    codec = CODECS[table.game.name]
    messages = [sent(codec.view_to_proto(table.state.view(viewer)))]
    messages += [sent(waiting) for waiting in _waiting(table)]
    if viewer is not None:
        messages += _prompt(table, viewer)
        messages += [refusal(table, viewer, action) for action in attempts]
    if not table.tickets:
        messages += [sent(codec.breakdown_to_proto(result.breakdown)) for result in table.state.outcome().results]
    return messages


def _waiting(table: Table) -> Iterator[play.Waiting]:
    codec = CODECS[table.game.name]
    for ticket in table.tickets.values():
        decision = codec.decision_to_proto(ticket.public_decision)
        yield play.Waiting(seat=ticket.seat, decision_id=ticket.decision_id, decision=decision)


def _prompt(table: Table, seat: int) -> list[bytes]:
    if seat not in table.tickets:
        return []
    codec = CODECS[table.game.name]
    default = table.game.action(table.state, seat, table.default_code(seat))
    return [
        prompt_to_bytes(table.game, table.state, table.tickets[seat], codec),
        sent(codec.action_to_proto(default)),
    ]


def refusal(table: Table, seat: int, action: Any) -> bytes:
    """What a seat is answered to an action that it tries: an error's whole text, or nothing if it may."""
    ticket = table.tickets.get(seat)
    try:
        if ticket is None:
            table.game.code(table.state, seat, action)
        else:
            table.check(seat, ticket.decision_id, action)
    except RulesError as refused:
        return f"{type(refused).__name__}: {refused} {vars(refused)}".encode()
    return b""


def sent(message: Any) -> bytes:
    """The message as its bytes on the wire."""
    data: bytes = message.SerializeToString(deterministic=True)
    return data
