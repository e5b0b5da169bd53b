"""Games for the client's tests, and what every one of them does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable
from random import Random
from typing import Protocol

from dragonhall.client import Client, PlayConnection, Seat, asked, open_seat
from dragonhall.dragons.v1 import dragons_pb2
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2

DRAGONS = games_pb2.GameOptions(dragons=dragons_pb2.Options())

Told = play_service_pb2.Snapshot | play_service_pb2.Update


class Submits(Protocol):
    async def submit(self, decision_id: int, *, action_index: int | None = None) -> play_service_pb2.SubmitResponse: ...


async def seated_game(client: Client, seats: int = 3, settings: game_pb2.GameSettings | None = None) -> list[Seat]:
    """A running game of Dragons, all seats taken here."""
    game_id = (await client.create_game(DRAGONS, [open_seat()] * seats, settings=settings)).game.game_id
    return [await client.take_seat(game_id, f"player {number}") for number in range(seats)]


def told(observation: play_service_pb2.ObserveResponse) -> Told:
    """What an observation holds: its snapshot, or its update."""
    return observation.snapshot if observation.HasField("snapshot") else observation.update


async def play_patiently(
    observations: AsyncIterable[play_service_pb2.ObserveResponse], seat: Submits, rng: Random, think: float = 0.0
) -> list[play_service_pb2.ObserveResponse]:
    """Plays a seat to the game's end, drawing as long as it can; returns all observations.

    ``think``: seconds before each answer.
    """
    seen = []
    async for observation in observations:
        seen.append(observation)
        asked = told(observation).decision
        if asked.decision_id:
            await asyncio.sleep(think)
            drawing = asked.legal_actions[0].action.dragons.HasField("draw")
            choice = 0 if drawing else rng.randrange(len(asked.legal_actions))
            await seat.submit(asked.decision_id, action_index=choice)
    return seen


def check_promises(seen: list[play_service_pb2.ObserveResponse]) -> None:
    """One snapshot first, then every revision once, in order, and the end at the end."""
    revisions = [observation.revision for observation in seen]
    assert seen[0].HasField("snapshot")
    assert not any(observation.HasField("snapshot") for observation in seen[1:])
    assert revisions == list(range(revisions[0], revisions[0] + len(revisions)))
    assert seen[-1].update.events[-1].HasField("game_finished")


async def first_decision(client: Client, game_id: str) -> play_service_pb2.Waiting:
    """What the running game asks now."""
    async for observation in client.observe(game_id):
        (waiting,) = observation.snapshot.waiting
        return waiting
    raise AssertionError("a running game is observed")


async def play_quickly(client: Client, seats: list[Seat]) -> game_pb2.Game:
    """Plays a game to its end, each seat with the first thing that comes to its mind."""

    async def play(seat: Seat) -> None:
        async for observation in seat.observe():
            decision = asked(observation)
            if decision is not None:  # of Dragons only one seat is asked at a time: it does not come again
                await seat.submit(decision.decision_id, action_index=0)

    await asyncio.gather(*map(play, seats))
    return await client.get_game(seats[0].game_id, seats[0].token)


async def play_all(connection: PlayConnection, seats: list[Seat], think: float = 0.0) -> None:
    """Plays all seats to the end of their games, and checks what each was told."""

    async def play(seat: Seat) -> None:
        attached = connection.attach(seat)
        check_promises(await play_patiently(attached, attached, Random(seat.number), think))

    await asyncio.gather(*map(play, seats))


async def many_seats(client: Client, games: int) -> list[Seat]:
    """The seats of so many running games."""
    return [seat for _ in range(games) for seat in await seated_game(client)]
