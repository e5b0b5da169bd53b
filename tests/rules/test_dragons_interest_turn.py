"""The course of a round; and what a seat may not do is refused, with the rule that forbids it, and changes nothing."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from dragonhall.rules.actions import Run
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.events import (
    BidsRevealed,
    BuildingActivated,
    CommitmentsRevealed,
    ContractReturned,
    DragonMoved,
    GameEnded,
    IncomeTaken,
    InterestPaid,
    InterestPayment,
    OfferAccepted,
    OfferMade,
    OfferMatched,
    Passed,
    RevealedBid,
    RoundStarted,
    StakeKept,
    StakePlaced,
    StakeReturned,
    StakeWon,
    TilesDiscarded,
    TilesTurnedUp,
    TileTaken,
)
from dragonhall.rules.dragons_interest.facts import JESTER, Contract, Tile
from dragonhall.rules.dragons_interest.moves import (
    Accept,
    Action,
    Activate,
    ActivationDecision,
    AnswerDecision,
    Award,
    AwardDecision,
    Bid,
    BidDecision,
    Chest,
    Commit,
    CommitDecision,
    Contest,
    DiscardBuilding,
    DiscardKnights,
    Match,
    Offer,
    OfferDecision,
    Pass,
    Take,
    TakeDecision,
)
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.game import legal_actions
from tests.rules.dragons_interest_tables import (
    PLAYED,
    SEATS,
    Driver,
    Face,
    activating,
    chance_of,
    everything,
)
from tests.rules.refused import check_not_asked

NO_CHANCE = chance_of()


@pytest.mark.parametrize("seats", SEATS)
def test_a_game_begins_with_starting_tiles_supplies_and_all_contracts(seats: int) -> None:
    driver = Driver(seats, chance=chance_of(seats, 1, arena=[15], guild=["calendar"] if seats > 3 else []))
    guild = () if seats == 3 else (Tile("guild", event="calendar"),)
    start = (Tile("castle", 10), Tile("harbor", 9), Tile("temple", 11), Tile("city_hall", event="generous_dragon"))
    assert driver.told(None) == [TilesTurnedUp((*start, *guild, Tile("arena", 15)), 9), RoundStarted(1, 1)]
    assert driver.waiting == list(range(seats))
    for seat in range(seats):
        own = driver.state.view(seat).seats[seat]
        assert (own.gold, own.knights) == {3: (0, 6), 4: (0, 3), 5: (6, 3)}[seats]
        assert own.hand == (*(Contract(number) for number in range(4, 15)), JESTER)
        assert driver.state.decision(seat) == BidDecision()


def test_bids_are_told_when_the_last_one_is_in() -> None:
    driver = Driver(3)
    assert driver.act(Bid(Contract(14)), 1) == []
    assert driver.waiting == [0, 2]
    assert driver.act(Bid(Contract(5)), 2) == []
    assert driver.act(Bid(Contract(9)), 0) == [
        BidsRevealed(
            (RevealedBid(0, Contract(9), 9), RevealedBid(1, Contract(14), 14), RevealedBid(2, Contract(5), 5)),
            take_order=(1, 0, 2),
        )
    ]
    assert driver.waiting == [1]
    assert driver.state.decision(1) == driver.state.public_decision(1) == TakeDecision()


def test_who_takes_a_tile_collects_its_gold_builds_it_and_tucks_the_contract() -> None:
    driver = Driver(3)
    driver.bid(9, 14, 5)
    assert driver.act(Take("temple")) == [TileTaken(1, Tile("temple", 11), Contract(14), 14)]
    view = driver.state.view(1)
    assert (view.seats[1].gold, view.seats[1].buildings) == (11, (0, 0, 1, 0, 0, 0))
    assert [(tucked.building, tucked.contract, tucked.value) for tucked in view.seats[1].tucked] == [
        ("temple", Contract(14), 14)
    ]
    assert Contract(14) not in view.seats[1].hand
    assert driver.waiting == [0]
    assert legal_actions(DRAGONS_INTEREST, driver.state, 0).entries == (
        (Take("castle"), 1),
        (Take("harbor"), 1),
        (Take("arena"), 1),
    )


@pytest.mark.parametrize("bid", [13, 14])
def test_a_jester_beside_a_13_or_14_is_worth_17(bid: int) -> None:
    driver = Driver(3)
    (revealed,) = (event for event in driver.bid(bid, 17, 12) if isinstance(event, BidsRevealed))
    assert [seen.value for seen in revealed.bids] == [bid, 17, 12]
    assert revealed.take_order == (1, 0, 2)


def test_a_jester_alone_is_worth_nothing_and_returns() -> None:
    driver = Driver(3)
    events = driver.bid(12, 17, 4)
    assert events[0].take_order == (0, 2)
    assert events[1:] == [ContractReturned(1, JESTER)]
    assert JESTER in driver.state.view(None).seats[1].hand
    driver.play(Take("castle"), Take("harbor"))
    assert driver.state.view(1).seats[1].gold == 0
    assert driver.state.view(1).round == 2


def test_when_all_bid_worthless_jesters_nobody_takes_a_tile() -> None:
    driver = Driver(3)
    events = driver.bid(17, 17, 17)
    assert [event for event in events if isinstance(event, ContractReturned)] == [
        ContractReturned(seat, JESTER) for seat in range(3)
    ]
    assert driver.state.view(None).round == 2


def test_when_no_tile_with_gold_is_left_the_other_contracts_return() -> None:
    events_up: dict[str, list[Face]] = {name: ["calendar"] for name in ("castle", "harbor", "city_hall", "arena")}
    driver = Driver(5, chance=chance_of(5, guild=[7, "calendar"], temple=[6], **events_up))
    driver.borrow()
    assert [stack.face_up.gold for stack in driver.state.view(None).stacks if stack.face_up] == [0, 0, 6, 0, 0, 7]
    hands = [seat.hand for seat in driver.state.view(None).seats]
    driver.bid(10, 11, 11, 10, 13)
    assert driver.state.view(None).take_order == (4, 1, 2, 3, 0)
    driver.act(Take("temple"))
    events = driver.act(Take("arena"))
    assert [event for event in events if isinstance(event, ContractReturned)] == [
        ContractReturned(2, Contract(11)),
        ContractReturned(3, Contract(10)),
        ContractReturned(0, Contract(10)),
    ]
    assert [driver.state.view(None).seats[seat].hand for seat in (2, 0, 3)] == [hands[seat] for seat in (2, 0, 3)]
    assert driver.state.view(None).stage == "activate"


def test_in_the_first_round_all_collect_twice_and_neither_activate_nor_pay() -> None:
    driver = Driver(3, chance=chance_of(3, castle=[6]))
    driver.bid(4, 6, 5)
    driver.play(Take("castle"), Take("harbor"))
    events = driver.act(Take("temple"))
    kinds = [type(event).__name__ for event in events]
    assert kinds == [
        "TileTaken",
        "GoldCollectedAgain",
        "TilesDiscarded",
        "TilesTurnedUp",
        "InterestWaived",
        "RoundStarted",
    ]
    assert events[2] == TilesDiscarded((Tile("city_hall", event="generous_dragon"), Tile("arena", 7)), True)
    assert events[3].tiles[0] == Tile("castle", 6)
    assert events[3].stack_size == 8
    assert [driver.state.view(seat).seats[seat].gold for seat in range(3)] == [2 * 11, 2 * 10, 2 * 9]


def test_every_seat_has_one_turn_clockwise_from_the_start_player_even_without_a_building() -> None:
    driver = activating(4, 2)
    asked: list[int] = []
    while driver.state.view(None).stage == "activate":
        asked += driver.waiting
        assert driver.state.decision(driver.waiting[0]) == ActivationDecision()
        assert driver.act(Pass())[0] == Passed(asked[-1])
    assert asked == [2, 3, 0, 1]


EXCHANGES = [
    ("castle", "knights", "knights"),
    ("harbor", "gold", "gold"),
    ("temple", "gold", "knights"),
    ("city_hall", "knights", "gold"),
]


@pytest.mark.parametrize(("activated", "income", "offered"), EXCHANGES)
def test_an_accepted_offer_is_kept_and_the_building_given(activated: Any, income: Any, offered: Any) -> None:
    driver = activating(3).give(0, gold=10, knights=10, **{activated: 2}).give(2, gold=1, knights=2, guild=0, arena=3)
    events = driver.act(Activate(activated))
    assert events == [BuildingActivated(0, activated), IncomeTaken(income, (2, 0, 0))]
    assert driver.state.decision(0) == driver.state.public_decision(0) == OfferDecision(activated, offered)
    known = Chest(0, 2, "arena", offered, 7)
    hidden = Chest(0, 2, "arena", offered, None)
    assert driver.act(Offer(2, "arena", 7)) == [OfferMade(known), OfferMade(hidden)]
    assert driver.state.decision(2) == AnswerDecision(known)
    assert driver.state.public_decision(2) == AnswerDecision(hidden)
    assert driver.act(Accept()) == [OfferAccepted(known), OfferAccepted(hidden)]
    after = {seat: driver.state.view(seat).seats[seat] for seat in (0, 2)}
    held = {"gold": 10, "knights": 10}
    held[income] += 2
    held[offered] -= 7
    assert (after[0].gold, after[0].knights) == (held["gold"], held["knights"])
    theirs = {"gold": 1, "knights": 2}
    theirs[offered] += 7
    assert (after[2].gold, after[2].knights) == (theirs["gold"], theirs["knights"])
    assert after[0].buildings[5] == 1
    assert after[2].buildings[5] == 2
    assert driver.waiting == [1]


@pytest.mark.parametrize(("activated", "income", "offered"), EXCHANGES)
def test_a_matched_offer_is_doubled_and_a_building_of_the_targets_choice_taken(
    activated: Any, income: Any, offered: Any
) -> None:
    driver = (
        activating(3).give(0, gold=10, knights=10, **{activated: 1, "arena": 1}).give(1, gold=7, knights=7, arena=2)
    )
    driver.play(Activate(activated), Offer(1, "arena", 7))
    assert legal_actions(DRAGONS_INTEREST, driver.state, 1)[:] == [Accept(), Match(activated), Match("arena")]
    known = Chest(0, 1, "arena", offered, 7)
    hidden = Chest(0, 1, "arena", offered, None)
    assert driver.act(Match(activated)) == [OfferMatched(known, activated), OfferMatched(hidden, activated)]
    active, target = (driver.state.view(seat).seats[seat] for seat in (0, 1))
    held = {"gold": 10, "knights": 10}
    held[income] += 1
    held[offered] += 7
    assert (active.gold, active.knights) == (held["gold"], held["knights"])
    assert (target.gold, target.knights) == tuple(0 if token == offered else 7 for token in ("gold", "knights"))
    assert sum(active.buildings) == 1
    assert sum(target.buildings) == 3


def test_only_the_two_seats_are_told_what_is_in_the_chest() -> None:
    driver = activating(4).give(0, knights=6, castle=1).give(1, knights=6, arena=1)
    driver.play(Activate("castle"), Offer(1, "arena", 5), Match("castle"))
    amounts = {
        viewer: [e.chest.amount for e in driver.told(viewer) if isinstance(e, OfferMade | OfferMatched)]
        for viewer in (0, 1, 2, 3, None)
    }
    assert amounts == {0: [5, 5], 1: [5, 5], 2: [None, None], 3: [None, None], None: [None, None]}


def arena_fight(*knights: int, gold: int = 6) -> Driver:
    """Seat 0 has activated its only arena; every seat holds so many knights."""
    driver = activating(len(knights))
    for seat, count in enumerate(knights):
        driver.give(seat, knights=count, gold=0)
    return driver.give(0, gold=gold, arena=1).give(1, arena=2)


def test_an_arena_brings_gold_to_all_and_stakes_6() -> None:
    driver = arena_fight(1, 2, 3, gold=5)
    assert driver.act(Activate("arena")) == [
        BuildingActivated(0, "arena"),
        IncomeTaken("gold", (1, 2, 0)),
        StakePlaced(0, "gold", 6),
    ]
    contest = Contest(0, "arena", "gold", 6, "knights", ())
    assert driver.waiting == [0, 1, 2]
    for seat in range(3):
        assert driver.state.decision(seat) == driver.state.public_decision(seat) == CommitDecision(contest)
        assert driver.state.legal_runs(seat) == [Run(0, seat + 2)]
    assert driver.state.view(0).seats[0].gold == 0


def test_a_guild_brings_knights_to_all_and_stakes_3() -> None:
    driver = activating(4).give(0, knights=1, gold=4, guild=2).give(2, guild=1, knights=0)
    assert driver.act(Activate("guild")) == [
        BuildingActivated(0, "guild"),
        IncomeTaken("knights", (2, 0, 1, 0)),
        StakePlaced(0, "knights", 3),
    ]
    assert driver.state.decision(3) == CommitDecision(Contest(0, "guild", "knights", 3, "gold", ()))
    assert driver.state.legal_runs(0) == [Run(0, 4 + 1)]


def test_the_highest_commitment_takes_the_stake_and_goes_to_the_active_seat() -> None:
    driver = arena_fight(4, 5, 6)
    driver.act(Activate("arena"))
    assert driver.together(Commit(1), Commit(2), Commit(5)) == [
        CommitmentsRevealed("knights", (1, 2, 5)),
        StakeWon(2, 0, "gold", 6, "knights", 5),
    ]
    assert holdings(driver) == [(1, 4 + 5), (2, 5), (6, 6 - 5)]
    assert driver.waiting == [1]


def holdings(driver: Driver) -> list[tuple[int | None, int | None]]:
    seats = [driver.state.view(seat).seats[seat] for seat in range(driver.seats)]
    return [(seat.gold, seat.knights) for seat in seats]


def test_an_active_seat_that_wins_discards_its_commitment_and_gains_as_much_as_it_staked() -> None:
    driver = arena_fight(4, 5, 6)
    driver.act(Activate("arena"))
    assert driver.together(Commit(4), Commit(2), Commit(3))[1:] == [StakeKept(0, "gold", 6, "knights", 4)]
    assert holdings(driver) == [(1 + 12, 0), (2, 5), (0, 6)]


def test_a_guild_that_is_won_by_its_active_seat_gains_3_knights() -> None:
    driver = activating(4).give(0, knights=2, gold=4, guild=1)
    for seat in (1, 2, 3):
        driver.give(seat, gold=0)
    driver.act(Activate("guild"))
    assert driver.together(Commit(4), Commit(0), Commit(0), Commit(0))[1:] == [StakeKept(0, "knights", 3, "gold", 4)]
    assert holdings(driver)[0] == (0, 6)


def test_without_any_commitment_the_stake_returns_and_nothing_else_happens() -> None:
    driver = arena_fight(4, 5, 6)
    driver.act(Activate("arena"))
    assert driver.together(Commit(0), Commit(0), Commit(0)) == [
        CommitmentsRevealed("knights", (0, 0, 0)),
        StakeReturned(0, "gold", 6),
    ]
    assert holdings(driver) == [(7, 4), (2, 5), (0, 6)]


@pytest.mark.parametrize("winner", [0, 2])
def test_of_several_highest_the_active_seat_chooses_itself_included(winner: int) -> None:
    driver = arena_fight(4, 5, 6)
    driver.act(Activate("arena"))
    assert driver.together(Commit(3), Commit(2), Commit(3)) == [CommitmentsRevealed("knights", (3, 2, 3))]
    contest = Contest(0, "arena", "gold", 6, "knights", (3, 2, 3))
    assert driver.waiting == [0]
    assert driver.state.decision(0) == driver.state.public_decision(0) == AwardDecision(contest, (0, 2))
    assert legal_actions(DRAGONS_INTEREST, driver.state, 0)[:] == [Award(0), Award(2)]
    events = driver.act(Award(winner))
    if winner == 0:
        assert events == [StakeKept(0, "gold", 6, "knights", 3)]
        assert holdings(driver) == [(13, 1), (2, 5), (0, 6)]
    else:
        assert events == [StakeWon(2, 0, "gold", 6, "knights", 3)]
        assert holdings(driver) == [(1, 7), (2, 5), (6, 3)]


def test_the_rulebooks_example_of_interest() -> None:
    """Contracts 10 at the castle and 7 at the harbor, one Calendar, both passed: 17 gold."""
    driver = Driver(3, chance=chance_of(3, castle=[6, 7, "calendar"], harbor=[6], city_hall=[6])).borrow()
    driver.bid_and_take((10, "castle"), (9, "temple"), (8, "harbor")).rest()
    driver.bid_and_take((14, "temple"), (7, "castle"), (11, "city_hall"))
    assert driver.state.owed(0) == 0  # castle was passed in the round before, now it is the harbor's turn
    fresh = Driver(3, chance=chance_of(3, castle=[6, "calendar"], harbor=[7]))
    fresh.bid_and_take((10, "castle"), (5, "arena"), (6, "temple"))
    fresh.bid_and_take((7, "harbor"), (8, "temple"), (9, "city_hall"))
    gold = fresh.state.view(0).seats[0].gold
    assert gold == 10 + 10 + 7
    events = fresh.rest().told(None)
    moved = next(event for event in events if isinstance(event, DragonMoved))
    paid = next(event for event in events if isinstance(event, InterestPaid))
    assert moved.passed == ("castle", "harbor")
    assert paid.payments[0] == InterestPayment(0, owed=17, paid=17)
    assert fresh.state.view(0).seats[0].gold == gold - 17


def test_interest_is_owed_for_a_contract_whose_building_is_lost() -> None:
    driver = Driver(3).bid_and_take((4, "castle"), (5, "harbor"), (6, "temple")).borrow("harbor")
    driver.give(0, castle=0, gold=10).rest()
    paid = next(event for event in driver.told(None) if isinstance(event, InterestPaid))
    assert paid.payments[0] == InterestPayment(0, owed=4, paid=4)


def test_a_stack_that_is_passed_twice_is_owed_twice() -> None:
    up: dict[str, list[Face]] = {name: [6, "calendar"] for name in ("castle", "harbor", "temple", "city_hall")}
    driver = Driver(3, chance=chance_of(3, arena=[7, 7 + 1, "calendar"], **up))
    driver.bid_and_take((4, "castle"), (5, "harbor"), (6, "temple"))
    assert driver.state.view(None).dragon_passes_next == "castle"
    driver.bid_and_take((7, "castle"), (8, "harbor"), (9, "temple"))
    for seat in range(3):
        driver.give(seat, gold=90)
    driver.rest()
    moved = next(event for event in driver.told(None) if isinstance(event, DragonMoved))
    paid = next(event for event in driver.told(None) if isinstance(event, InterestPaid))
    assert moved.passed == ("castle", "harbor", "temple", "city_hall", "arena", "castle")
    assert [payment.owed for payment in paid.payments] == [2 * (4 + 7), 5 + 8, 6 + 9]
    assert driver.state.view(None).dragon_passes_next == "harbor"


def test_ten_buildings_end_the_game_at_the_rounds_end() -> None:
    driver = activating(3).give(1, castle=4, harbor=6).give(0, gold=50).give(1, gold=50).give(2, gold=50)
    driver.rest()
    ended = next(event for event in driver.told(None) if isinstance(event, GameEnded))
    assert (ended.ruined, ended.completed, ended.stacks_empty) == ((), (1,), False)


def test_nine_rounds_empty_the_stacks_and_end_the_game() -> None:
    driver = Driver(4)
    while not driver.state.is_over():
        for seat in range(4):
            driver.give(seat, gold=99, knights=9)
        driver.raze().borrow().rest()
        while driver.state.view(None).stage == "invasion":
            driver.together(*[DiscardKnights()] * len(driver.waiting))
    ended = next(event for event in driver.told(None) if isinstance(event, GameEnded))
    assert (ended.ruined, ended.completed, ended.stacks_empty) == ((), (), True)
    assert driver.state.view(None).round == 9
    assert [stack.size for stack in driver.state.view(None).stacks] == [0] * 6


def refusals() -> list[tuple[str, Driver, Action, str]]:
    first = Driver(3)
    bid = Driver(3)
    bid.bid(9, 14, 5)
    active = activating(3).give(0, gold=4, knights=3, castle=2, arena=1).give(1, temple=1, knights=9)
    guild = activating(4).give(0, knights=1, guild=1).give(1, temple=1)
    offering = activating(3).give(0, knights=3, castle=2).give(1, temple=1, knights=9)
    offering.act(Activate("castle"))
    asked = activating(3).give(0, knights=3, castle=2).give(1, temple=1, knights=9)
    asked.play(Activate("castle"), Offer(1, "temple", 2))
    commit = arena_fight(4, 5, 6)
    commit.act(Activate("arena"))
    award = arena_fight(4, 5, 6)
    award.act(Activate("arena"))
    award.together(Commit(3), Commit(2), Commit(3))
    borrowing, activation = "Phase 1: Borrowing Gold", "Phase 2: Activating Buildings"
    return [
        ("a contract that is tucked", bid_again(), Bid(Contract(9)), borrowing),
        ("a contract that there is not", first, Bid(Contract(3)), borrowing),
        ("no bid", first, Pass(), borrowing),
        ("no action at all", first, "draw", borrowing),  # type: ignore[list-item]  # what is tested
        ("an event tile", bid, Take("city_hall"), borrowing),
        ("a stack that is not in the game", bid, Take("guild"), borrowing),
        ("a type that there is not", bid, Take("keep"), borrowing),  # type: ignore[arg-type]  # what is tested
        ("no tile", bid, Bid(Contract(4)), borrowing),
        ("a building that it has not", active, Activate("temple"), activation),
        ("a stake that it cannot pay", active, Activate("arena"), "Arena"),
        ("a stake of knights that it cannot pay", guild, Activate("guild"), "Adventurer's Guild"),
        ("no activation", active, Accept(), activation),
        ("an offer to itself", offering, Offer(0, "castle", 0), "Castle"),
        ("an offer to nobody", offering, Offer(3, "temple", 0), "Castle"),
        ("an offer to a seat below", offering, Offer(-1, "temple", 0), "Castle"),
        ("an offer to a seat far above", offering, Offer(2**70, "temple", 0), "Castle"),
        ("an offer for what the target has not", offering, Offer(1, "arena", 0), "Castle"),
        ("an offer to a seat without buildings", offering, Offer(2, "temple", 0), "Castle"),
        ("an offer of too much", offering, Offer(1, "temple", 6), "RI-5"),
        ("no offer", offering, Pass(), activation),
        ("a building that the active seat has not", asked, Match("temple"), "Castle"),
        ("no answer", asked, Commit(0), activation),
        ("a commitment of too much", commit, Commit(5), "Arena"),
        ("a commitment of less than nothing", commit, Commit(-1), "Arena"),
        ("a commitment out of all measure", commit, Commit(2**70), "Arena"),
        ("an award to who committed less", award, Award(1), "Arena"),
        ("an award to nobody", award, Award(2**70), "Arena"),
        (
            "a building to discard that it has not",
            invasion(),
            DiscardBuilding("arena"),
            "Phase 3: Refreshing Available Buildings",
        ),
    ]


def bid_again() -> Driver:
    return Driver(3).bid_and_take((9, "castle"), (5, "harbor"), (6, "temple"))


def invasion() -> Driver:
    driver = Driver(3, chance=chance_of(3, harbor=[6, "invasion"])).borrow().borrow().raze()
    return driver.give(0, castle=1).rest()


REFUSALS = refusals()


@pytest.mark.parametrize(
    ("driver", "action", "rule"), [case[1:] for case in REFUSALS], ids=[case[0] for case in REFUSALS]
)
def test_an_illegal_action_is_refused_with_its_rule_and_without_a_trace(
    driver: Driver, action: Action, rule: str
) -> None:
    untouched = everything(driver.state)
    with pytest.raises(IllegalAction) as refused:
        driver.act(action, driver.waiting[0])
    assert refused.value.rule == rule
    assert everything(driver.state) == untouched


def test_only_a_seat_that_is_asked_may_act() -> None:
    for refusal in check_not_asked(PLAYED, activating(3).state, 1, Pass()):
        assert "asked: 0" in refusal.message
        assert refusal.rule == "Phase 2: Activating Buildings"


def test_a_seat_answers_once() -> None:
    driver = Driver(3)
    driver.act(Bid(Contract(4)), 1)
    with pytest.raises(IllegalAction, match="seat 1 is not asked anything now; asked: 0, 2"):
        driver.state.apply(1, 1, NO_CHANCE, None)


def test_what_seats_choose_together_comes_to_the_same_in_any_order() -> None:
    reached = set()
    for seats in permutations(range(3)):
        driver = arena_fight(4, 5, 6)
        driver.act(Activate("arena"))
        for seat in seats:
            driver.act(Commit(seat + 1), seat)
        reached.add((everything(driver.state), tuple(driver.told(None)), tuple(driver.told(0))))
    assert len(reached) == 1


def test_what_a_seat_may_choose_does_not_change_when_others_choose() -> None:
    driver = arena_fight(4, 5, 6)
    driver.act(Activate("arena"))
    before = driver.state.legal_runs(2), driver.state.decision(2)
    driver.act(Commit(4), 0)
    assert (driver.state.legal_runs(2), driver.state.decision(2)) == before
