"""DragonIsles over the wire: whole games, challenges spelled out, and those that are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.v1 import games_pb2
from dragonhall.v1.play_service_pb2 import Decision
from tests.records.games import dragonisles_set
from tests.service.harness import Choose, Running, Seated, dragonisles, refused, running
from tests.service.promises import Recorded
from tests.service.whole_games import (
    check_finished_alike,
    check_played_over_one_stream,
    check_resumed_anywhere,
    check_told_what_is_recorded,
)

SEATS = (2, 3, 4, 5)
CHARACTERS = [pb.CHARACTER_MONK, pb.CHARACTER_TRADER, pb.CHARACTER_SORCERER, pb.CHARACTER_WARRIOR, pb.CHARACTER_PIRATE]
SEED = bytes(range(32))

# ---- Whole games


def eager(rng: Random) -> Choose:
    """Challenges with many cards, so that games come to an end, and prepares for want of them; the rest at random."""

    def choose(prompt: Decision) -> int:
        if prompt.decision.dragonisles.WhichOneof("decision") != "turn":
            return rng.randrange(len(prompt.legal_actions))
        some = rng.sample(prompt.legal_actions, min(8, len(prompt.legal_actions)))
        best = max(some, key=lambda legal: len(legal.action.dragonisles.challenge.cards))
        return best.index if len(best.action.dragonisles.challenge.cards) > 2 else 0

    return choose


async def played(server: Running, seats: int, **options: Any) -> list[Recorded]:
    """A game played to its end by `eager` players and watched by everyone: all streams, the spectator's first."""
    game = await server.seated(seats, options=dragonisles(**options))
    spectator = asyncio.create_task(server.watch_to_end(game.game_id))
    await asyncio.sleep(0)
    rng = Random(seats)
    await asyncio.gather(*(server.play_seat(game, seat, eager(rng)) for seat in range(seats)))
    await spectator
    return sorted(server.streams, key=lambda stream: -1 if stream.seat is None else stream.seat)


def events(stream: Recorded) -> list[pb.Event]:
    """What a reader was told of the game after the start."""
    return [event.game.dragonisles for message in stream.updates for event in message.update.events if is_game(event)]


def is_game(event: Any) -> bool:
    return bool(event.HasField("game"))


def of_kind(told: Sequence[pb.Event], kind: str) -> list[Any]:
    return [getattr(event, kind) for event in told if event.WhichOneof("event") == kind]


@pytest.mark.parametrize("seats", SEATS)
async def test_a_game_with_a_draft_is_played_to_its_end(server: Running, seats: int) -> None:
    streams = await played(server, seats, draft=True, first_seat=1)
    check_finished_alike(streams)
    assert len(streams[0].messages[-1].update.events[-1].game_finished.outcome.results) == seats
    await check_told_what_is_recorded(server, streams[0].game_id, streams)
    chosen = of_kind(events(streams[0]), "character_chosen")
    assert [choice.seat for choice in chosen] == [(1 - n) % seats for n in range(1, seats + 1)], "the first one last"
    assert len({choice.character for choice in chosen}) == seats


@pytest.mark.parametrize("seats", SEATS)
async def test_a_game_with_given_characters_is_played_to_its_end(server: Running, seats: int) -> None:
    streams = await played(server, seats, characters=CHARACTERS[:seats], first_seat=0)
    await check_told_what_is_recorded(server, streams[0].game_id, streams)
    for stream in streams:
        shown = stream.messages[0].snapshot.view.dragonisles
        assert [seat.character for seat in shown.seats] == CHARACTERS[:seats]
        assert shown.HasField("hand") == (stream.seat is not None)


async def test_what_is_drawn_or_offered_is_told_to_its_seat_alone(server: Running) -> None:
    streams = await played(server, 3, characters=CHARACTERS[:3])
    hidden = {"card_drawn": "card", "treasures_offered": "treasures", "adventurers_offered": "cards"}
    hidden["adventurer_kept"] = "card"
    for kind, field in hidden.items():
        told = {stream.seat: of_kind(events(stream), kind) for stream in streams}
        assert told[None], f"{kind} did not happen in this game"
        for seat, messages in told.items():
            assert [bool(getattr(message, field)) for message in messages] == [m.seat == seat for m in messages]


@pytest.fixture
async def short(tmp_path: Path) -> AsyncIterator[Running]:
    """A server with a component set of which games end soon."""
    path = tmp_path / "mine.toml"
    path.write_text(dragonisles_set())
    async with running(tmp_path / "games.db", component_files=(("dragonisles", path),)) as server:
        yield server


async def test_a_game_is_played_over_one_stream_by_all_seats(short: Running) -> None:
    game = await short.seated(5, options=dragonisles(draft=True), component_set_id="mine")
    await check_played_over_one_stream(short, game)


async def test_resuming_from_any_revision_continues_the_stream(short: Running) -> None:
    game = await short.seated(2, options=dragonisles(characters=CHARACTERS[:2]), component_set_id="mine")
    await short.play_out(game)
    await check_resumed_anywhere(short, game, seats=[1])


# ---- A first turn that is known: seat 0's, with the hand that the seed deals


@dataclass
class FirstTurn:
    """A game of two at its first decision."""

    game: Seated
    decision: Decision
    hand: list[Any]
    """Seat 0's cards."""


async def first_turn(server: Running) -> FirstTurn:
    options = dragonisles(first_seat=0, characters=[pb.CHARACTER_WARRIOR, pb.CHARACTER_MONK])
    game = await server.seated(2, options=options, seed=SEED)
    snapshot = (await server.watch_first(game.game_id, game.tokens[0], 0)).snapshot
    return FirstTurn(game, snapshot.decision, list(snapshot.view.dragonisles.hand.cards))


def spelled_out(**kind: Any) -> games_pb2.GameAction:
    return games_pb2.GameAction(dragonisles=pb.Action(**kind))


def challenge(place: int, approach: Any, cards: Sequence[Any]) -> games_pb2.GameAction:
    return spelled_out(challenge=pb.Challenge(place=place, approach=approach, cards=cards))


async def test_a_challenge_is_spelled_out_with_its_cards_in_any_order(server: Running) -> None:
    turn = await first_turn(server)
    legal = max(turn.decision.legal_actions, key=lambda legal: len(legal.action.dragonisles.challenge.cards))
    wanted = legal.action.dragonisles.challenge
    assert len(wanted.cards) > 1
    reverse = challenge(wanted.place, wanted.approach, wanted.cards[::-1])
    first = await server.submit(turn.game, 0, turn.decision.decision_id, action=reverse)
    assert first.action == legal.action, "the answer that stands is written in canonical order"
    for again in ({"action": reverse}, {"action": legal.action}, {"index": legal.index}):
        repeated = await server.submit(turn.game, 0, turn.decision.decision_id, **again)
        assert (repeated.revision, repeated.repeated) == (first.revision, True)


async def refusal_of(attempt: Awaitable[Any]) -> tuple[str, str, str]:
    """Reason, rule or field, and message."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await attempt
    refusal = refused(caught.value)
    return refusal.reason, refusal.metadata.get("rule", refusal.metadata.get("field", "")), refusal.message


async def test_an_action_that_nearly_fits_is_refused_with_its_ruling(server: Running) -> None:
    turn = await first_turn(server)
    place, hand = nearly(turn)
    shown = {card: divmod(card - 1, 12) for card in hand if card != pb.ADVENTURER_WILD}  # colour, and number - 1
    one, other = next((a, b) for a in shown for b in shown if shown[a][0] != shown[b][0] and shown[a][1] != shown[b][1])
    far, near = next((a, b) for a in shown for b in shown if shown[a][1] > shown[b][1] + 1)
    missing = next(card for card in range(1, 61) if card not in hand)
    near_misses: list[tuple[games_pb2.GameAction, str]] = [
        (challenge(place, pb.APPROACH_SNEAK, [far, near]), "RL-7"),
        (challenge(place, pb.APPROACH_STEAL, [one, other]), "Action Key"),
        (challenge(place, pb.APPROACH_STRIKE, [one, other]), "Action Key"),
        (challenge(place, pb.APPROACH_STRIKE, []), "Action Key"),
        (challenge(place, pb.APPROACH_STRIKE, [one, one]), "Challenge"),
        (challenge(place, pb.APPROACH_STRIKE, [missing]), "Challenge"),
        (challenge(4, pb.APPROACH_STRIKE, [one]), "Challenge, Notes"),
        (challenge(2**32 - 1, pb.APPROACH_STRIKE, [one]), "Challenge, Notes"),
        (spelled_out(use_potion=pb.UsePotion(potion=pb.POTION_DRAW_TWO)), "Potions"),
        (spelled_out(use_potion=pb.UsePotion(potion=pb.POTION_BOOST)), "RL-3"),
        (spelled_out(use_potion=pb.UsePotion(potion=pb.POTION_DRAW_TWO, draw=True)), "RL-18"),
        (spelled_out(draw=pb.Draw()), "How to Play"),
        (spelled_out(discard=pb.Discard(cards=[one])), "How to Play"),
        (spelled_out(decline=pb.Decline()), "How to Play"),
    ]
    for action, rule in near_misses:
        attempt = server.submit(turn.game, 0, turn.decision.decision_id, action=action)
        reason, named, message = await refusal_of(attempt)
        assert (reason, named) == ("ILLEGAL_ACTION", rule), message
    assert (await server.game(turn.game.game_id)).revision == 4, "nothing has changed"


def nearly(turn: FirstTurn) -> tuple[int, list[Any]]:
    """A place that can be challenged by every approach, and the hand."""
    challenges = [legal.action.dragonisles.challenge for legal in turn.decision.legal_actions]
    for place in range(4):
        if {c.approach for c in challenges if c.cards and c.place == place} == {1, 2, 3}:
            return place, turn.hand
    raise AssertionError("the seed deals no encounter with three targets")


async def test_an_approach_without_a_target_is_refused(server: Running) -> None:
    turn = await first_turn(server)
    challenges = [legal.action.dragonisles.challenge for legal in turn.decision.legal_actions]
    offered = {(c.place, c.approach) for c in challenges if c.cards}
    place, approach = next((p, a) for p in range(4) for a in (1, 2, 3) if (p, a) not in offered)
    attempt = server.submit(turn.game, 0, turn.decision.decision_id, action=challenge(place, approach, [turn.hand[0]]))
    assert (await refusal_of(attempt))[:2] == ("ILLEGAL_ACTION", "Challenge, Notes")


async def test_an_action_that_makes_no_sense_names_its_field(server: Running) -> None:
    turn = await first_turn(server)
    for action, field in (
        (challenge(0, 0, [turn.hand[0]]), "challenge.approach"),
        (challenge(0, pb.APPROACH_STRIKE, [0]), "challenge.cards[0]"),
        (spelled_out(advance=pb.Advance()), "advance.track"),
    ):
        attempt = server.submit(turn.game, 0, turn.decision.decision_id, action=action)
        assert (await refusal_of(attempt))[:2] == ("INVALID_FIELD", f"action.dragonisles.{field}")


@pytest.mark.parametrize(
    ("seats", "options", "field"),
    [
        (6, {}, "seats"),
        (1, {}, "seats"),
        (3, {"characters": CHARACTERS[:2]}, "options.dragonisles.characters"),
        (2, {"characters": [pb.CHARACTER_MONK, pb.CHARACTER_MONK]}, "options.dragonisles.characters"),
        (2, {"characters": [pb.CHARACTER_MONK, 0]}, "options.dragonisles.characters[1]"),
        (2, {"characters": CHARACTERS[:2], "draft": True}, "options.dragonisles.draft"),
        (2, {"first_seat": 2}, "options.dragonisles.first_seat"),
    ],
)
async def test_a_bad_creation_names_its_field(server: Running, seats: int, options: dict[str, Any], field: str) -> None:
    attempt = server.create(seats, options=dragonisles(**options))
    assert (await refusal_of(attempt))[:2] == ("INVALID_FIELD", field)
