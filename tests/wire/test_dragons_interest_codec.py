"""Messages of Dragon's Interest: nothing is lost on the way, and nothing that makes no sense comes through."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragonhall.dragons_interest.v1 import dragons_interest_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST, events, facts, moves
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    EVENTS,
    JESTER,
    MAX_VALUE,
    Contract,
    Options,
    Tile,
    components_from_data,
)
from dragonhall.v1 import games_pb2 as games
from dragonhall.v1 import play_service_pb2 as play
from dragonhall.wire import component_digest
from dragonhall.wire.dragons_interest import DragonsInterestCodec
from dragonhall.wire.prompts import actions_from_proto, prompt_to_bytes
from tests.rules.dragons_interest_tables import (
    COMPONENTS,
    Driver,
    activating,
)
from tests.wire.messages import arrived, check_refused, names_of, sent

CODEC = DragonsInterestCodec()
CASTLE, HARBOR, ARENA = pb.BUILDING_TYPE_CASTLE, pb.BUILDING_TYPE_HARBOR, pb.BUILDING_TYPE_ARENA


# ---- Prompts


def prompt(driver: Driver, seat: int) -> play.Decision:
    """What a seat is asked, as it arrives."""
    ticket = driver.table.tickets[seat]
    return play.Decision.FromString(prompt_to_bytes(DRAGONS_INTEREST, driver.state, ticket, CODEC))


def test_amounts_come_as_ranges_and_their_indices_go_on() -> None:
    driver = activating().give(0, knights=3, castle=2).give(1, harbor=1, arena=1).give(2, temple=1)
    driver.act(moves.Activate("castle"))
    written = prompt(driver, 0).legal_actions
    assert [(legal.index, legal.amounts.min, legal.amounts.max) for legal in written] == [
        (0, 0, 5),
        (6, 0, 5),
        (12, 0, 5),
    ]
    offers = [(1, "harbor"), (1, "arena"), (2, "temple")]
    actions = actions_from_proto(written, CODEC)
    assert list(actions) == [moves.Offer(target, kind, n) for target, kind in offers for n in range(6)]  # type: ignore[arg-type]
    assert actions[10] == moves.Offer(1, "arena", 4)
    assert actions.index(moves.Offer(2, "temple", 0)) == 12


def test_a_single_amount_is_no_range() -> None:
    driver = activating().give(0, gold=6, arena=1).give(1, knights=0).give(2, knights=2)
    driver.act(moves.Activate("arena"))
    (nothing,) = prompt(driver, 1).legal_actions
    assert not nothing.HasField("amounts")
    (up_to_two,) = prompt(driver, 2).legal_actions
    assert (up_to_two.amounts.min, up_to_two.amounts.max) == (0, 2)
    assert list(actions_from_proto([up_to_two], CODEC)) == [moves.Commit(0), moves.Commit(1), moves.Commit(2)]


def test_an_offer_phase_of_thousands_of_actions_is_a_small_prompt() -> None:
    driver = activating(5).give(0, gold=500, harbor=1)
    for seat in (1, 2, 3, 4):
        driver.give(seat, **dict.fromkeys(BUILDING_TYPES, 1))
    driver.act(moves.Activate("harbor"))
    message = prompt(driver, 0)
    assert len(actions_from_proto(message.legal_actions, CODEC)) == 4 * 6 * 502
    assert message.ByteSize() < 1024


def test_the_chest_is_opened_for_the_two_seats_alone() -> None:
    driver = (
        activating()
        .give(0, knights=3, castle=1)
        .give(1, harbor=1)
        .play(moves.Activate("castle"), moves.Offer(1, "harbor", 0))
    )
    asked = CODEC.decision_to_proto(driver.table.tickets[1].decision).dragons_interest
    public = CODEC.decision_to_proto(driver.table.tickets[1].public_decision).dragons_interest
    assert asked.answer.chest.HasField("amount"), "0 is an amount"
    assert not public.answer.chest.HasField("amount")
    for viewer, knows in ((0, True), (1, True), (2, False), (None, False)):
        seen = CODEC.view_to_proto(driver.state.view(viewer)).dragons_interest
        assert seen.chest.HasField("amount") == knows


# ---- Values


@given(
    st.builds(
        Options,
        start_player=st.sampled_from(get_args(facts.StartPlayer)),
        first_seat=st.none() | st.integers(0, 2**32 - 1),
    )
)
def test_options_arrive_as_they_were_sent(options: Options) -> None:
    assert arrived(CODEC, "options", options) == options


TILES = st.builds(Tile, st.sampled_from(BUILDING_TYPES), st.integers(1, MAX_VALUE)) | st.builds(
    Tile, st.sampled_from(BUILDING_TYPES), st.just(0), st.sampled_from(EVENTS)
)
CONTRACTS = st.builds(Contract, st.integers(0, MAX_VALUE))
AMOUNTS = st.integers(0, 2**32 - 1)


@given(TILES, CONTRACTS, AMOUNTS)
def test_every_tile_and_contract_arrives_as_it_was_sent(tile: Tile, contract: Contract, value: int) -> None:
    event = events.TileTaken(4, tile, contract, value)
    assert arrived(CODEC, "event", event) == event


@given(st.sampled_from([moves.Offer, moves.Commit, moves.Award]), st.sampled_from(BUILDING_TYPES), AMOUNTS)
def test_every_amount_arrives_as_it_was_sent(kind: Any, building: facts.BuildingType, amount: int) -> None:
    action = moves.Offer(3, building, amount) if kind is moves.Offer else kind(amount)
    assert arrived(CODEC, "action", action) == action


@given(st.none() | AMOUNTS)
def test_an_amount_that_is_hidden_is_not_an_amount_of_nothing(amount: int | None) -> None:
    event = events.OfferMade(moves.Chest(0, 2, "guild", "gold", amount))
    message = sent(CODEC.event_to_proto(event))
    assert message.dragons_interest.offer_made.chest.HasField("amount") == (amount is not None)
    assert CODEC.event_from_proto(message) == event


def test_the_jester_is_a_contract_that_is_set_and_empty() -> None:
    message = sent(CODEC.action_to_proto(moves.Bid(JESTER)))
    assert message.dragons_interest.bid.HasField("contract")
    assert message.dragons_interest.bid.contract == pb.Contract()
    assert CODEC.action_from_proto(message) == moves.Bid(JESTER)


@pytest.mark.parametrize(
    ("enum", "names"),
    [
        (pb.BuildingType, BUILDING_TYPES),
        (pb.TileEvent, EVENTS),
        (pb.Token, get_args(facts.Token)),
        (pb.StartPlayer, get_args(facts.StartPlayer)),
        (pb.Stage, moves.STAGES),
    ],
    ids=lambda value: value.DESCRIPTOR.name if hasattr(value, "DESCRIPTOR") else "",
)
def test_enums_have_the_names_of_the_rules_in_their_order(enum: Any, names: tuple[str, ...]) -> None:
    assert names_of(enum) == names


# ---- Component sets


def other_components() -> facts.Components:
    """A set that differs in every table."""
    data = COMPONENTS.to_data()
    data["id"], data["version"] = "mine", 7
    data["contracts"] = {"numbers": [*range(1, 11), 99], "jester": {"value": 1, "needs_any_of": [99]}}
    data["mountain"] = {"ring": ["castle", "guild", "harbor", "city_hall", "temple", "arena"]}
    data["tiles"]["castle"] = {"start": "generous_dragon", "gold": [], "events": ["invasion"] * 9}
    data["tiles"]["city_hall"] = {"start": 99, "gold": [1] * 9, "events": []}
    return components_from_data(data)


@pytest.mark.parametrize("components", [COMPONENTS, other_components()], ids=lambda components: components.id)
def test_component_sets_arrive_as_they_were_sent(components: facts.Components) -> None:
    message = sent(CODEC.components_to_proto(components, with_contents=True))
    assert CODEC.components_from_proto(message) == components


def test_the_digest_is_the_sha256_of_canonical_json() -> None:
    text = (
        '{"contracts":{"jester":{"needs_any_of":[13,14],"value":17},"numbers":[4,5,6,7,8,9,10,11,12,13,14]},'
        '"id":"dragons-interest-default",'
        '"mountain":{"ring":["castle","harbor","temple","city_hall","guild","arena"]},'
        '"tiles":{"arena":{"events":["generous_dragon","calendar"],"gold":[7,8,9,10,11,12,13,15]},'
        '"castle":{"events":["calendar","invasion"],"gold":[6,7,8,9,11,12,14],"start":10},'
        '"city_hall":{"events":["calendar"],"gold":[6,7,8,9,10,11,12,14],"start":"generous_dragon"},'
        '"guild":{"events":["calendar","invasion"],"gold":[7,8,9,10,11,12,13,15]},'
        '"harbor":{"events":["calendar","invasion"],"gold":[6,7,8,10,11,12,14],"start":9},'
        '"temple":{"events":["calendar","invasion"],"gold":[6,7,8,9,10,12,14],"start":11}},'
        '"version":1}'
    )
    assert json.loads(text) == COMPONENTS.to_data()
    assert component_digest(COMPONENTS) == hashlib.sha256(text.encode()).digest()


def changed_components(change: Callable[[games.ComponentSet], object]) -> games.ComponentSet:
    message = CODEC.components_to_proto(COMPONENTS, with_contents=True)
    change(message)
    return message


def start(building: int, gold: int = 0, event: int = 0) -> pb.Tile:
    return pb.Tile(building=building, gold=gold, event=event)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda m: setattr(m.dragons_interest.contracts.jester, "value", 18), "digest"),
        (
            lambda m: setattr(m.dragons_interest.contracts.jester, "value", 100),
            "dragons_interest.contracts.jester.value",
        ),
        (
            lambda m: m.dragons_interest.contracts.jester.ClearField("needs_any_of"),
            "dragons_interest.contracts.jester.needs_any_of",
        ),
        (lambda m: m.dragons_interest.contracts.numbers.append(3), "dragons_interest.contracts.numbers"),
        (lambda m: m.dragons_interest.mountain.ring.append(0), "dragons_interest.mountain.ring[6]"),
        (lambda m: m.dragons_interest.mountain.ring.reverse(), "dragons_interest.mountain.ring"),
        (lambda m: m.dragons_interest.tiles.harbor.gold.append(2**32 - 1), "dragons_interest.tiles.harbor.gold"),
        (lambda m: m.dragons_interest.tiles.guild.gold.append(5), "dragons_interest.tiles.guild"),
        (lambda m: m.dragons_interest.tiles.arena.events.append(4), "dragons_interest.tiles.arena.events[2]"),
        (lambda m: m.dragons_interest.tiles.temple.ClearField("start"), "dragons_interest.tiles.temple.start"),
        (
            lambda m: m.dragons_interest.tiles.temple.start.CopyFrom(start(CASTLE, 11)),
            "dragons_interest.tiles.temple.start.building",
        ),
        (
            lambda m: m.dragons_interest.tiles.castle.start.CopyFrom(start(CASTLE, event=pb.TILE_EVENT_CALENDAR)),
            "dragons_interest.tiles.castle.start",
        ),
        (
            lambda m: m.dragons_interest.tiles.castle.start.CopyFrom(start(CASTLE)),
            "dragons_interest.tiles.castle.start.gold",
        ),
        (
            lambda m: m.dragons_interest.tiles.arena.start.CopyFrom(start(ARENA, 9)),
            "dragons_interest.tiles.arena.start",
        ),
        (lambda m: m.dragons_interest.ClearField("tiles"), "dragons_interest.tiles.castle.start"),
    ],
)
def test_a_wrong_component_set_is_refused(change: Callable[[games.ComponentSet], object], field: str) -> None:
    check_refused(CODEC, changed_components(change), field)


# ---- Messages that make no sense


def event(**kind: Any) -> games.GameEvent:
    return games.GameEvent(dragons_interest=pb.Event(**kind))


def action(**kind: Any) -> games.GameAction:
    return games.GameAction(dragons_interest=pb.Action(**kind))


def decision(**kind: Any) -> games.GameDecision:
    return games.GameDecision(dragons_interest=pb.Decision(**kind))


def seen(**fields: Any) -> games.GameView:
    """A view of which only the given fields are wrong."""
    message = CODEC.view_to_proto(Driver().state.view(0))
    for name in fields:
        message.dragons_interest.ClearField(name)  # type: ignore[arg-type]
    message.dragons_interest.MergeFrom(pb.View(**fields))
    return message


def tile_order(name: str, *tiles: pb.Tile) -> games.ChanceOutcome:
    return games.ChanceOutcome(name=name, dragons_interest_tiles=pb.TileOrder(tiles=tiles))


SEAT = CODEC.view_to_proto(Driver().state.view(0)).dragons_interest.seats[0]
NINE = pb.Tile(building=CASTLE, gold=9)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (games.GameOptions(dragons_interest=pb.Options(start_player=3)), "start_player"),  # type: ignore[arg-type]
        (action(bid=pb.Bid()), "bid.contract"),
        (action(bid=pb.Bid(contract=pb.Contract(number=100))), "bid.contract.number"),
        (action(take=pb.Take()), "take.building"),
        (action(activate=pb.Activate(building=7)), "activate.building"),  # type: ignore[arg-type]
        (action(offer=pb.Offer(target=1, amount=2)), "offer.building"),
        (action(match=pb.Match()), "match.building"),
        (action(discard_building=pb.DiscardBuilding()), "discard_building.building"),
        (decision(offer=pb.OfferDecision(activated=CASTLE)), "offer.token"),
        (decision(answer=pb.AnswerDecision()), "answer.chest"),
        (decision(answer=pb.AnswerDecision(chest=pb.Chest(building=CASTLE))), "answer.chest.token"),
        (decision(commit=pb.CommitDecision(contest=pb.Contest())), "commit.contest.building"),
        (decision(invasion=pb.InvasionDecision()), "invasion.stack"),
        (event(tiles_turned_up=pb.TilesTurnedUp(tiles=[NINE, pb.Tile(gold=9)])), "tiles_turned_up.tiles[1].building"),
        (event(tiles_turned_up=pb.TilesTurnedUp(tiles=[NINE] * 7)), "tiles_turned_up.tiles"),
        (event(tile_taken=pb.TileTaken(contract=pb.Contract())), "tile_taken.tile"),
        (event(tile_taken=pb.TileTaken(tile=NINE)), "tile_taken.contract"),
        (event(tile_taken=pb.TileTaken(tile=pb.Tile(building=CASTLE))), "tile_taken.tile.gold"),
        (event(tile_taken=pb.TileTaken(tile=pb.Tile(building=CASTLE, gold=100))), "tile_taken.tile.gold"),
        (
            event(tile_taken=pb.TileTaken(tile=pb.Tile(building=CASTLE, gold=1, event=pb.TILE_EVENT_CALENDAR))),
            "tile_taken.tile.gold",
        ),
        (event(bids_revealed=pb.BidsRevealed(bids=[pb.RevealedBid()])), "bids_revealed.bids"),
        (event(bids_revealed=pb.BidsRevealed(bids=[pb.RevealedBid()] * 3)), "bids_revealed.bids[0].contract"),
        (event(contract_returned=pb.ContractReturned(seat=1)), "contract_returned.contract"),
        (event(gold_collected_again=pb.GoldCollectedAgain(amounts=[1, 2])), "gold_collected_again.amounts"),
        (event(income_taken=pb.IncomeTaken(token=pb.TOKEN_GOLD, amounts=[0] * 6)), "income_taken.amounts"),
        (event(offer_made=pb.OfferMade()), "offer_made.chest"),
        (
            event(offer_matched=pb.OfferMatched(chest=pb.Chest(building=CASTLE, token=pb.TOKEN_GOLD))),
            "offer_matched.building",
        ),
        (event(dragon_moved=pb.DragonMoved()), "dragon_moved.passed"),
        (event(dragon_moved=pb.DragonMoved(passed=[CASTLE, 0])), "dragon_moved.passed[1]"),  # type: ignore[list-item]
        (
            event(invasion_suffered=pb.InvasionSuffered(stack=CASTLE, losses=[pb.InvasionLoss(building=8)] * 3)),  # type: ignore[arg-type]
            "invasion_suffered.losses[0].building",
        ),
        (event(game_ended=pb.GameEnded(ruined=range(6))), "game_ended.ruined"),
        (event(game_ended=pb.GameEnded()), "game_ended.holdings"),
        (games.GameView(dragons_interest=pb.View()), "stage"),
        (seen(stage=10), "stage"),
        (seen(seats=[SEAT]), "seats"),
        (seen(seats=[SEAT, SEAT, pb.SeatView(buildings=[1] * 5)]), "seats[2].buildings"),
        (
            seen(seats=[SEAT, SEAT, pb.SeatView(buildings=[1] * 6, tucked=[pb.TuckedContract(building=CASTLE)])]),
            "seats[2].tucked[0].contract",
        ),
        (seen(stacks=[pb.StackView(building=CASTLE, face_up=pb.Tile())]), "stacks[0].face_up.building"),
        (seen(dragon_passes_next=0), "dragon_passes_next"),
        (seen(invasions=[0]), "invasions[0]"),
        (seen(own_answer=pb.Action()), "own_answer.action"),
        (seen(own_answer=pb.Action(bid=pb.Bid())), "own_answer.bid.contract"),
        (games.GameBreakdown(dragons_interest=pb.Breakdown()), "buildings"),
        (
            games.GameBreakdown(dragons_interest=pb.Breakdown(buildings=[0] * 6, types=[CASTLE, 9])),  # type: ignore[list-item]
            "types[1]",
        ),
        (tile_order("dragons_interest/shrine", NINE), "name"),
        (tile_order("dragons_interest/harbor", NINE), "dragons_interest_tiles.tiles[0].building"),
        (tile_order("dragons_interest/castle", NINE, start(CASTLE)), "dragons_interest_tiles.tiles[1].gold"),
        (tile_order("dragons_interest/castle", *[NINE] * 11), "dragons_interest_tiles.tiles"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_a_message_that_makes_no_sense_is_refused_by_field(message: Any, field: str) -> None:
    check_refused(CODEC, message, field)


@pytest.mark.parametrize(
    "chance",
    [
        ChanceOutcome("dragons_interest/first_seat", number=0),
        ChanceOutcome("dragons_interest/arena", order=(facts.CALENDAR, 7, 15, facts.GENEROUS_DRAGON)),
        ChanceOutcome("dragons_interest/castle", order=()),
    ],
    ids=lambda chance: chance.name,
)
def test_a_number_and_an_order_are_told_apart(chance: ChanceOutcome) -> None:
    assert arrived(CODEC, "chance", chance) == chance
