"""Dragon's Interest over the wire: secret answers, hidden amounts, and prompts with ranges."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons_interest import moves
from dragonhall.rules.dragons_interest.facts import Contract
from dragonhall.server.log import Created
from dragonhall.v1 import game_pb2, games_pb2, play_service_pb2, record_pb2
from dragonhall.wire import CODECS
from dragonhall.wire.prompts import actions_from_proto
from tests.rules.dragons_interest_tables import SEATS, chance_of
from tests.service.harness import (
    ALWAYS,
    Refused,
    Running,
    Seated,
    dragons_interest,
    number_of_actions,
    refused,
    running,
)
from tests.service.promises import check_resumed
from tests.service.whole_games import (
    check_finished_alike,
    check_played_over_one_stream,
    check_resumed_anywhere,
    check_told_what_is_recorded,
)

CODEC = CODECS["dragons_interest"]


# ---- Whole games


@pytest.mark.parametrize("seats", SEATS)
async def test_a_game_is_played_to_its_end_and_everyone_is_told_what_the_record_says(
    server: Running, seats: int
) -> None:
    fixed = pb.START_PLAYER_FIXED if seats == 4 else pb.START_PLAYER_UNSPECIFIED
    created = await server.create(seats, options=dragons_interest(start_player=fixed))
    live = asyncio.create_task(server.watch_to_end(created.game.game_id, from_revision=1, view_delivery=ALWAYS))
    game = await server.fill(created)
    await server.play_out(game, choices=seats)
    spectator = await live
    assert len(server.streams) == seats + 1
    check_finished_alike(server.streams)
    await check_told_what_is_recorded(server, game.game_id, server.streams)
    check_resumed(spectator, await server.watch_to_end(game.game_id, from_revision=1, view_delivery=ALWAYS))


async def test_a_game_is_played_over_one_stream_by_all_seats(server: Running) -> None:
    game = await server.seated(5, options=dragons_interest())
    await check_played_over_one_stream(server, game)


async def test_resuming_from_any_revision_continues_the_stream(server: Running) -> None:
    game = await server.seated(3, options=dragons_interest())
    await server.play_out(game)
    await check_resumed_anywhere(server, game, seats=[1])


# ---- A game that a test knows


@dataclass
class Known:
    """A game of three seats whose tiles are known: seat 0 is start player of round 1."""

    server: Running
    game: Seated

    async def asked(self) -> list[int]:
        """The seats that are asked now."""
        snapshot = (await self.server.watch_first(self.game.game_id)).snapshot
        return [waiting.seat for waiting in snapshot.waiting]

    async def snapshot(self, seat: int | None) -> play_service_pb2.Snapshot:
        """What a seat, or a spectator, sees now."""
        token = "" if seat is None else self.game.tokens[seat]
        return (await self.server.watch_first(self.game.game_id, token, seat)).snapshot

    async def prompt(self, seat: int) -> play_service_pb2.Decision:
        """What a seat is asked now."""
        return (await self.snapshot(seat)).decision

    async def act(self, seat: int, action: moves.Action) -> play_service_pb2.SubmitResponse:
        """A seat answers with an action that it spells out."""
        decision_id = (await self.prompt(seat)).decision_id
        return await self.server.submit(self.game, seat, decision_id, action=CODEC.action_to_proto(action))

    async def refused(self, seat: int, action: moves.Action) -> Refused:
        """How the server refuses a seat's action; nothing has changed."""
        before, revision = await self.snapshot(seat), (await self.server.game(self.game.game_id)).revision
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await self.act(seat, action)
        assert await self.snapshot(seat) == before
        assert (await self.server.game(self.game.game_id)).revision == revision
        return refused(caught.value)

    async def borrow(self, contract: int, *choices: tuple[int, str]) -> None:
        """All seats bid the same contract; then these seats take these tiles."""
        for seat in range(3):
            await self.act(seat, moves.Bid(Contract(contract)))
        for seat, building in choices:
            await self.act(seat, moves.Take(building))  # type: ignore[arg-type]

    async def phase_2(self) -> None:
        """To the first activation of the game, in round 2, which is seat 1's.

        Seat 0 has a castle and a temple, seat 1 a harbor and a castle, seat 2 a temple and an arena. All have 6
        knights, and gold 26, 24 and 30.
        """
        await self.borrow(4, (0, "castle"), (1, "harbor"), (2, "temple"))
        await self.borrow(5, (1, "castle"), (2, "arena"), (0, "temple"))


def known_tiles(created: Created, nonces: Sequence[bytes]) -> Chance:
    """Gold lies on top of every stack, the least first."""
    return chance_of(3)


@pytest.fixture
async def known(tmp_path: Path) -> AsyncIterator[Known]:
    """A game that has just begun."""
    async with running(tmp_path / "games.db", known_tiles) as server:
        yield Known(server, await server.seated(3, options=dragons_interest()))


# ---- Amounts


async def test_an_amount_can_be_chosen_by_its_index_in_the_prompt(known: Known) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("castle"))  # and take 1 knight
    prompt = await known.prompt(1)
    ranges = [(legal.index, legal.amounts.min, legal.amounts.max) for legal in prompt.legal_actions]
    assert ranges == [(0, 0, 7), (8, 0, 7), (16, 0, 7), (24, 0, 7)]
    actions = actions_from_proto(prompt.legal_actions, CODEC)
    index = actions.index(moves.Offer(2, "temple", 5))
    assert index == 16 + 5
    response = await known.server.submit(known.game, 1, prompt.decision_id, index)
    assert CODEC.action_from_proto(response.action) == moves.Offer(2, "temple", 5)
    assert (await known.prompt(2)).decision.dragons_interest.answer.chest.amount == 5


async def test_an_amount_can_be_spelled_out_and_is_the_same_answer_as_its_index(known: Known) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("castle"))
    decision_id = (await known.prompt(1)).decision_id
    offer = CODEC.action_to_proto(moves.Offer(0, "temple", 7))
    first = await known.server.submit(known.game, 1, decision_id, action=offer)
    again = await known.server.submit(known.game, 1, decision_id, 8 + 7)
    assert (again.revision, again.repeated, again.action) == (first.revision, True, offer)


async def test_an_index_past_the_last_amount_is_refused(known: Known) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("castle"))
    prompt = await known.prompt(1)
    assert number_of_actions(prompt) == 32
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await known.server.submit(known.game, 1, prompt.decision_id, 32)
    assert refused(caught.value).reason == "ILLEGAL_ACTION"


@pytest.mark.parametrize(
    ("offer", "rule", "says"),
    [
        (moves.Offer(0, "temple", 8), "RI-5", "offer 0 to 7 knights"),
        (moves.Offer(0, "temple", 2**32 - 1), "RI-5", "offer 0 to 7 knights"),
        (moves.Offer(0, "harbor", 0), "Castle", "seat 0 has no harbor"),
        (moves.Offer(1, "castle", 0), "Castle", "the chest goes to another seat"),
        (moves.Offer(9, "castle", 0), "Castle", "the chest goes to another seat"),
        (moves.Commit(1), "Phase 2: Activating Buildings", "asked: an offer"),
    ],
)
async def test_an_illegal_offer_is_refused_with_the_rule(
    known: Known, offer: moves.Action, rule: str, says: str
) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("castle"))
    refusal = await known.refused(1, offer)
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "ILLEGAL_ACTION")
    assert refusal.metadata["rule"] == rule
    assert says in refusal.message


async def test_a_match_that_cannot_be_paid_and_a_commitment_beyond_all_that_is_held_are_refused(known: Known) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("castle"))
    await known.act(1, moves.Offer(0, "temple", 7))
    refusal = await known.refused(0, moves.Match("harbor"))
    assert (refusal.reason, refusal.metadata["rule"]) == ("ILLEGAL_ACTION", "RI-7")
    await known.act(0, moves.Accept())
    await known.act(2, moves.Activate("arena"))
    refusal = await known.refused(0, moves.Commit(14))
    assert (refusal.reason, refusal.metadata["rule"]) == ("ILLEGAL_ACTION", "Arena")
    assert "0 to 13 knights" in refusal.message
    await known.act(0, moves.Commit(13))


async def test_an_action_that_says_nothing_is_an_invalid_field(known: Known) -> None:
    decision_id = (await known.prompt(0)).decision_id
    empty = games_pb2.GameAction(dragons_interest=pb.Action(bid=pb.Bid()))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await known.server.submit(known.game, 0, decision_id, action=empty)
    refusal = refused(caught.value)
    assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.fields == ["action.dragons_interest.bid.contract"]


# ---- What is secret


async def test_of_an_answer_to_a_simultaneous_decision_nothing_is_seen_but_that_it_is_in(known: Known) -> None:
    streams = [asyncio.create_task(updates(known, seat, 2)) for seat in (0, 1, None)]
    await known.act(2, moves.Bid(Contract(14)))
    await known.act(0, moves.Bid(Contract(4)))
    for messages in [await stream for stream in streams]:
        for message, answered in zip(messages, (2, 0), strict=True):
            (event,) = message.update.events
            assert event.seat_answered.seat == answered
        assert [waiting.seat for waiting in messages[-1].update.waiting] == [1]
    assert (await known.snapshot(1)).view.dragons_interest.own_answer == pb.Action()
    assert (await known.snapshot(2)).view.dragons_interest.own_answer.bid.contract.number == 14


async def updates(known: Known, seat: int | None, count: int) -> list[play_service_pb2.ObserveResponse]:
    """The next updates of a stream that starts with the first answer."""
    token = "" if seat is None else known.game.tokens[seat]
    found: list[play_service_pb2.ObserveResponse] = []
    async for message in known.server.observe(known.game.game_id, token, seat, from_revision=6):
        if message.HasField("update"):
            found.append(message)
        if len(found) == count:
            return found
    raise AssertionError("the stream ended")


async def test_the_chest_is_opened_for_the_two_seats_alone(known: Known) -> None:
    await known.phase_2()
    await known.act(1, moves.Activate("harbor"))
    await known.act(1, moves.Offer(0, "castle", 3))
    for seat, knows in ((0, True), (1, True), (2, False), (None, False)):
        snapshot = await known.snapshot(seat)
        assert snapshot.view.dragons_interest.chest.HasField("amount") == knows
        assert not snapshot.waiting[0].decision.dragons_interest.answer.chest.HasField("amount"), "public"
    revision = (await known.act(0, moves.Match("harbor"))).revision
    for seat, knows in ((0, True), (1, True), (2, False), (None, False)):
        token = "" if seat is None else known.game.tokens[seat]
        message = await known.server.watch_first(known.game.game_id, token, seat, from_revision=revision)
        (event,) = message.update.events
        assert event.game.dragons_interest.offer_matched.chest.HasField("amount") == knows


# ---- The order of answers


async def test_the_order_in_which_seats_answer_together_changes_nothing(tmp_path: Path) -> None:
    """The same seed and the same choices, answered from the first seat on and from the last."""
    records = []
    async with running(tmp_path / "games.db") as server:
        for first in (min, max):
            game = await server.seated(4, options=dragons_interest(), seed=bytes(range(32)))
            await play_in_order(Known(server, game), first)
            records.append(await server.record(game.game_id))
    ascending, descending = ([_without_times(step) for step in record.steps] for record in records)
    assert ascending == descending
    assert any(len(step.decisions) == 4 for step in ascending)
    assert records[0].outcome == records[1].outcome


async def play_in_order(known: Known, first: Callable[[list[int]], int]) -> None:
    """Plays to the end. Of the seats that are asked ``first`` says which answers next; its ticket, what it answers."""
    while (await known.server.game(known.game.game_id)).status == game_pb2.GAME_STATUS_RUNNING:
        seat = first(await known.asked())
        prompt = await known.prompt(seat)
        index = prompt.decision_id * 7919 % number_of_actions(prompt)
        await known.server.submit(known.game, seat, prompt.decision_id, index)


def _without_times(step: record_pb2.RecordStep) -> record_pb2.RecordStep:
    copy = record_pb2.RecordStep()
    copy.CopyFrom(step)
    copy.ClearField("time")
    return copy
