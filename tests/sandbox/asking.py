"""Asking a server's sandbox, as a client without any rules of its own does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dragonhall.v1 import play_service_pb2
from dragonhall.v1.sandbox_service_pb2 import (
    ExploreRequest,
    Knowledge,
    Line,
    Move,
    Position,
    RollOutRequest,
    RollOutTotals,
    WorldRange,
)
from tests.service.harness import Client, Seated


def knowledge_of(snapshot: play_service_pb2.Snapshot) -> Knowledge:
    """What whoever got a snapshot with history knows."""
    return Knowledge(
        options=snapshot.game.options,
        component_set=snapshot.game.component_set,
        rules_version=snapshot.game.rules_version,
        seat=snapshot.seat if snapshot.HasField("seat") else None,
        view=snapshot.view,
        history=snapshot.history,
    )


async def known(client: Client, game: Seated, seat: int | None = None) -> Knowledge:
    """What a seat, or a spectator, knows now."""
    token = "" if seat is None else game.tokens[seat]
    first = await client.watch_first(game.game_id, token, seat, include_history=True)
    return knowledge_of(first.snapshot)


async def asked_of_one(client: Client, game: Seated) -> tuple[int, play_service_pb2.Decision, Knowledge]:
    """A seat that is asked, its prompt, and what it knows."""
    seat, prompt = await client.prompt(game)
    return seat, prompt, await known(client, game, seat)


async def play_some(client: Client, game: Seated, answers: int) -> None:
    """So many answers, each the first legal action."""
    for _ in range(answers):
        seat, prompt = await client.prompt(game)
        await client.submit(game, seat, prompt.decision_id, 0)


def line(*moves: tuple[int, int], first: int = 0, count: int = 1) -> Line:
    """A line of moves, each a seat and an index, in some worlds."""
    answers = [Move(seat=seat, action_index=index) for seat, index in moves]
    return Line(worlds=WorldRange(first=first, count=count), moves=answers)


def line_for_each(seat: int, prompt: play_service_pb2.Decision, first: int = 0, count: int = 1) -> list[Line]:
    """A line for each entry of a prompt's legal actions."""
    return [line((seat, entry.index), first=first, count=count) for entry in prompt.legal_actions]


async def explore(client: Client, knowledge: Knowledge, lines: Iterable[Line], **fields: Any) -> list[Position]:
    """All positions."""
    call = client.sandbox.Explore(ExploreRequest(knowledge=knowledge, lines=lines, **fields))
    return [position async for response in call for position in response.positions]


async def roll_out(client: Client, knowledge: Knowledge, lines: Iterable[Line], **fields: Any) -> list[RollOutTotals]:
    """All totals."""
    call = client.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=lines, **fields))
    return [totals async for response in call for totals in response.totals]


async def responses(client: Client, knowledge: Knowledge, lines: Iterable[Line], **fields: Any) -> list[bytes]:
    """What a RollOut answers, message by message."""
    call = client.sandbox.RollOut(RollOutRequest(knowledge=knowledge, lines=lines, **fields))
    return [response.SerializeToString() async for response in call]
