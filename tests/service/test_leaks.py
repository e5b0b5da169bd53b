"""The leak proof over the wire: games that differ only in what a reader does not know send it the same bytes.

The worlds are those of the rules' own leak proof. Here a real server plays them, and what is compared is what the
socket brings: updates with views, snapshots with history, results and refusals.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from dragonhall.rules.chance import Chance, ChanceOutcome, RecordedChance
from dragonhall.rules.dragons.facts import Options
from dragonhall.server.log import Created
from dragonhall.v1.play_service_pb2 import ObserveRequest, ObserveResponse, SubmitRequest
from dragonhall.wire import CODECS
from tests.leaks.dragons_worlds import (
    ATTEMPTS,
    World,
    plays_with_two_cards,
    random_world,
    with_the_other_card_played,
    with_unknown_cards_moved,
)
from tests.rules.tables import variant_name
from tests.service.harness import ALWAYS, Running, Seated, running

CODEC = CODECS["dragons"]
OPTIONS = [Options(), Options(hidden_card=True), Options(hidden_card=True, open_piles=True)]
SEATS = 4
NEVER_ASKED = 1_000_000
Viewer = int | None


@dataclass
class Sent:
    """Everything that one reader was sent in one world, message by message."""

    updates: dict[int, bytes] = field(default_factory=dict)
    """By revision."""
    at_the_end: list[bytes] = field(default_factory=list)
    """A snapshot with history, a resumed stream's greeting, and the answers to everything that the seat may try."""


class Worlds:
    """A server that deals given worlds."""

    def __init__(self) -> None:
        self._worlds: dict[str, World] = {}
        self.server: Running

    def chance_of(self, created: Created, nonces: Sequence[bytes]) -> Chance:
        world = self._worlds[created.title]
        return RecordedChance(
            [
                ChanceOutcome("dragons/treasure", order=world.order),
                ChanceOutcome("dragons/first_seat", number=world.first_seat),
            ]
        )

    async def sent_in(self, world: World, viewers: Sequence[Viewer], answers: int) -> dict[Viewer, Sent]:
        """Plays ``world`` for so many answers: what each viewer is sent, its own tries at the end included."""
        title = f"world {len(self._worlds)}"
        self._worlds[title] = world
        options = CODEC.options_to_proto(world.options)
        game = await self.server.seated(world.seats, options=options, title=title, seed=bytes(32))
        last = world.seats + 2 + answers
        streams = [asyncio.create_task(self._updates(game, viewer, last)) for viewer in viewers]
        driver = world.start()
        for code in world.codes[:answers]:
            seat, ticket = driver.asked, driver.table.tickets[driver.asked]
            await self.server.submit(game, seat, ticket.decision_id, driver.state.legal_actions(seat).index(code))
            driver.act_code(code)
        sent = {viewer: Sent(await stream) for viewer, stream in zip(viewers, streams, strict=True)}
        for viewer in viewers:
            sent[viewer].at_the_end = [
                await self._snapshot(game, viewer),
                await self._greeting(game, viewer, last + 1),
                *await self._tries(game, viewer),
            ]
        return sent

    def _raw_stream(self, request: ObserveRequest) -> Any:
        observe: Any = self.server.channel.unary_stream("/dragonhall.v1.PlayService/Observe")
        return observe(request.SerializeToString())

    async def _updates(self, game: Seated, viewer: Viewer, last: int) -> dict[int, bytes]:
        token = "" if viewer is None else game.tokens[viewer]
        first = len(game.tokens) + 2  # the start
        call = self._raw_stream(
            ObserveRequest(game_id=game.game_id, seat_token=token, from_revision=first, view_delivery=ALWAYS)
        )
        updates: dict[int, bytes] = {}
        while len(updates) <= last - first:
            updates[first + len(updates)] = await call.read()
        call.cancel()
        return updates

    async def _snapshot(self, game: Seated, viewer: Viewer) -> bytes:
        token = "" if viewer is None else game.tokens[viewer]
        call = self._raw_stream(ObserveRequest(game_id=game.game_id, seat_token=token, include_history=True))
        message = ObserveResponse.FromString(await call.read())
        call.cancel()
        for differs_anyway in ("game_id", "title", "create_time", "start_time", "end_time"):
            message.snapshot.game.ClearField(differs_anyway)
        return message.SerializeToString(deterministic=True)

    async def _greeting(self, game: Seated, viewer: Viewer, first: int) -> bytes:
        """The heartbeat of a stream that resumes; nothing after the game's end."""
        token = "" if viewer is None else game.tokens[viewer]
        call = self._raw_stream(ObserveRequest(game_id=game.game_id, seat_token=token, from_revision=first))
        message = await call.read()
        call.cancel()
        return b"" if message is grpc.aio.EOF else bytes(message)

    async def _tries(self, game: Seated, viewer: Viewer) -> list[bytes]:
        """What the seat is answered to all actions, in turn or out of turn, by their whole statuses."""
        if viewer is None:
            return []
        snapshot = (await self.server.watch_first(game.game_id, game.tokens[viewer], viewer)).snapshot
        answers = []
        for action in ATTEMPTS:
            if any(legal.action == CODEC.action_to_proto(action) for legal in snapshot.decision.legal_actions):
                continue  # that would go on with the game
            request = SubmitRequest(
                game_id=game.game_id,
                seat_token=game.tokens[viewer],
                decision_id=snapshot.waiting[0].decision_id if snapshot.waiting else NEVER_ASKED,
                action=CODEC.action_to_proto(action),
            )
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await self.server.play.Submit(request)
            trailers = dict(iter(caught.value.trailing_metadata() or ()))
            status = bytes(trailers["grpc-status-details-bin"])
            answers.append(status.replace(game.game_id.encode(), b"the game"))
        return answers


@asynccontextmanager
async def worlds(store: Path) -> AsyncIterator[Worlds]:
    dealt = Worlds()
    async with running(store, dealt.chance_of) as dealt.server:
        yield dealt


@pytest.mark.parametrize("options", OPTIONS, ids=variant_name)
async def test_cards_that_a_reader_has_not_seen_change_nothing_that_it_is_sent(
    tmp_path: Path, options: Options
) -> None:
    rng = Random(f"unseen {options}")
    world = random_world(SEATS, options, rng)
    states = world.states()
    everyone: list[Viewer] = [*range(SEATS), None]
    async with worlds(tmp_path / "games.db") as dealt:
        for answers in rng.sample(range(len(world.codes)), 2):
            sent = await dealt.sent_in(world, everyone, answers)
            for viewer in everyone:
                other = with_unknown_cards_moved(world, states[answers], viewer, rng)
                assert other.order != world.order
                others = (await dealt.sent_in(other, [viewer], answers))[viewer]
                assert others == sent[viewer]
                assert len(others.updates) == answers + 1


async def test_which_card_another_seat_played_changes_nothing_that_a_reader_is_sent(tmp_path: Path) -> None:
    rng = Random("played")
    world = random_world(SEATS, Options(hidden_card=True), rng)
    states = world.states()
    everyone: list[Viewer] = [*range(SEATS), None]
    async with worlds(tmp_path / "games.db") as dealt:
        sent = await dealt.sent_in(world, everyone, len(world.codes))
        for viewer in everyone:
            for answer in rng.sample(plays_with_two_cards(world, states, viewer), 2):
                other = with_the_other_card_played(world, states, answer)
                others = (await dealt.sent_in(other, [viewer], len(world.codes)))[viewer]
                assert others == sent[viewer]


async def test_a_card_in_hand_is_told_to_its_seat_and_to_nobody_else(tmp_path: Path) -> None:
    """The proof finds what a reader does see; else it would prove nothing."""
    world = random_world(SEATS, Options(hidden_card=True), Random("seen"))
    everyone: list[Viewer] = [*range(SEATS), None]
    async with worlds(tmp_path / "games.db") as dealt:
        sent = await dealt.sent_in(world, everyone, 0)
        for holder in range(SEATS):
            others = await dealt.sent_in(with_another_card_held(world, holder), everyone, 0)
            assert [viewer for viewer in everyone if others[viewer] != sent[viewer]] == [holder]


def with_another_card_held(world: World, seat: int) -> World:
    """The same game, but for the card that ``seat`` is dealt first and one far down in the deck."""
    order = list(world.order)
    held = world.states()[0].held[seat]
    other = max(position for position, face in enumerate(order) if face != order[held])
    order[held], order[other] = order[other], order[held]
    return replace(world, order=tuple(order))
