"""Every ruling of Dragon's Interest by its id: what the printed rules leave open, decided once."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from dragonhall.rules.actions import Run
from dragonhall.rules.dragons_interest.events import (
    BidsRevealed,
    DragonMoved,
    GameEnded,
    GoldCollectedAgain,
    InterestPaid,
    InterestPayment,
    InterestWaived,
    InvasionLoss,
    InvasionSuffered,
    OfferAccepted,
    RoundStarted,
    TileTaken,
)
from dragonhall.rules.dragons_interest.facts import JESTER, Contract, Options
from dragonhall.rules.dragons_interest.moves import (
    Accept,
    Activate,
    AnswerDecision,
    Commit,
    DiscardBuilding,
    DiscardKnights,
    InvasionDecision,
    Match,
    Offer,
    Pass,
    Take,
)
from dragonhall.rules.dragons_interest.outcome import outcome
from dragonhall.rules.errors import IllegalAction
from tests.rules.dragons_interest_tables import (
    SEATS,
    VARIANTS,
    Driver,
    Face,
    activating,
    chance_of,
    everything,
    variant_name,
)
from tests.rules.driver import seeded
from tests.rules.test_dragons_interest_scoring import kingdoms, tokens


@pytest.mark.parametrize("seats", SEATS)
def test_ri1_the_dragon_passes_the_castle_first(seats: int) -> None:
    """RI-1: it starts between arena and castle; the ring of 3 seats has no guild."""
    driver = Driver(seats, chance=chance_of(seats, castle=[6, 7, 8]))
    stacks = [stack.building for stack in driver.state.view(None).stacks]
    assert (stacks[0], stacks[-1]) == ("castle", "arena")
    assert ("guild" in stacks) == (seats > 3)
    assert driver.state.view(None).dragon_passes_next == "castle"
    driver.borrow()  # the Generous Dragon: no interest in the first round
    driver.borrow().rest()
    assert [event.passed for event in driver.told(None) if isinstance(event, DragonMoved)] == [("castle",)]
    assert driver.state.view(None).dragon_passes_next == "harbor"


def test_ri1_after_the_arena_the_dragon_passes_the_castle_again() -> None:
    """RI-1."""
    driver = activating(3)
    driver.state.dragon = 4
    driver.give(0, gold=99).give(1, gold=99).give(2, gold=99)
    driver.rest()
    assert [event.passed for event in driver.told(None) if isinstance(event, DragonMoved)] == [("arena",)]
    assert driver.state.view(None).dragon_passes_next == "castle"


@pytest.mark.parametrize("seats", SEATS)
def test_ri2_the_first_start_player_is_drawn_from_the_seed(seats: int) -> None:
    """RI-2."""

    def first(seed: int) -> int:
        return Driver(seats, chance=seeded(seats, seed.to_bytes(32, "big"))).state.view(None).start_player

    assert {first(seed) for seed in range(60)} == set(range(seats))
    assert [first(seed) for seed in range(20)] == [first(seed) for seed in range(20)]


@pytest.mark.parametrize("first_seat", range(4))
def test_ri2_unless_it_is_given_at_creation(first_seat: int) -> None:
    """RI-2."""
    driver = Driver(4, Options(first_seat=first_seat))
    assert driver.state.view(None).start_player == first_seat
    names = [outcome.name for outcome in driver.steps[0].chance]
    assert names == [
        f"dragons_interest/{name}" for name in ("castle", "harbor", "temple", "city_hall", "guild", "arena")
    ]


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_ri3_the_marker_rotates_clockwise_after_every_round_or_is_fixed(seats: int, options: Options) -> None:
    """RI-3."""
    driver = Driver(seats, options, chance_of(seats, 1))
    while not driver.state.is_over():
        for seat in range(seats):
            driver.give(seat, gold=99, knights=9)
        driver.borrow().rest()
        while driver.state.view(None).stage == "invasion":
            driver.together(*[DiscardKnights()] * len(driver.waiting))
    rounds = [event for event in driver.told(None) if isinstance(event, RoundStarted)]
    assert len(rounds) > seats
    step = 1 if options.start_player == "rotates" else 0
    assert [event.round for event in rounds] == list(range(1, len(rounds) + 1))
    assert [event.start_player for event in rounds] == [(1 + step * i) % seats for i in range(len(rounds))]


def test_ri4_a_tucked_jester_costs_17_as_interest() -> None:
    """RI-4: also after a round in which it would be worth nothing."""
    driver = Driver(3, chance=chance_of(3, castle=[6]))
    driver.bid(17, 13, 4)
    taken = [event for event in driver.act(Take("castle")) if isinstance(event, TileTaken)]
    assert [(event.seat, event.contract, event.value) for event in taken] == [(0, JESTER, 17)]
    driver.play(Take("harbor"), Take("temple"))
    driver.borrow("temple").rest()
    (paid,) = [event for event in driver.told(None) if isinstance(event, InterestPaid)]
    assert paid.payments[0] == InterestPayment(0, owed=17, paid=17)


@pytest.mark.parametrize(("activated", "held"), [("castle", 3 + 2), ("temple", 3), ("harbor", 4 + 2), ("city_hall", 4)])
def test_ri5_an_offer_is_of_0_to_all_that_is_held_after_the_income(activated: str, held: int) -> None:
    """RI-5: castle and harbor bring in 2 of what is offered, temple and city hall something else."""
    driver = activating(3).give(0, gold=4, knights=3, **{activated: 2}).give(1, arena=1).give(2, harbor=1, arena=2)
    driver.act(Activate(activated))  # type: ignore[arg-type]  # a type's name
    runs = driver.state.legal_runs(0)
    assert [run.size for run in runs] == [held + 1] * 3
    legal = [driver.table.game.action(driver.state, 0, code) for code in driver.state.legal_actions(0)]
    assert legal == [
        *(Offer(1, "arena", amount) for amount in range(held + 1)),
        *(Offer(2, "harbor", amount) for amount in range(held + 1)),
        *(Offer(2, "arena", amount) for amount in range(held + 1)),
    ]
    untouched = everything(driver.state)
    for amount in (-1, held + 1, 2**20, 2**70):
        with pytest.raises(IllegalAction, match=f"offer 0 to {held} ") as refused:
            driver.act(Offer(1, "arena", amount))
        assert refused.value.rule == "RI-5"
    assert everything(driver.state) == untouched


@pytest.mark.parametrize("activated", ["castle", "harbor", "temple", "city_hall"])
def test_ri6_without_a_building_of_another_seat_an_exchange_cannot_be_chosen(activated: str) -> None:
    """RI-6."""
    driver = activating(3).give(0, gold=6, arena=1, **{activated: 3})
    legal = [driver.table.game.action(driver.state, 0, code) for code in driver.state.legal_actions(0)]
    assert legal == [Pass(), Activate("arena")]
    with pytest.raises(IllegalAction) as refused:
        driver.act(Activate(activated))  # type: ignore[arg-type]  # a type's name
    assert refused.value.rule == "RI-6"
    driver.give(2, temple=1)
    driver.act(Activate(activated))  # type: ignore[arg-type]  # a type's name
    assert [action.target for action in driver_actions(driver)] == [2] * len(driver_actions(driver))


def driver_actions(driver: Driver) -> list[Offer]:
    actions = [driver.table.game.action(driver.state, 0, code) for code in driver.state.legal_actions(0)]
    assert actions
    return actions


def test_ri7_a_target_that_cannot_match_is_asked_and_may_only_accept() -> None:
    """RI-7."""
    driver = activating(3).give(0, knights=6, castle=1, temple=1).give(1, knights=4, arena=1)
    driver.play(Activate("castle"), Offer(1, "arena", 5))
    decision = driver.state.decision(1)
    assert isinstance(decision, AnswerDecision)
    assert driver.waiting == [1]
    assert driver.state.legal_runs(1) == [Run(0)]
    with pytest.raises(IllegalAction) as refused:
        driver.act(Match("temple"))
    assert refused.value.rule == "RI-7"
    assert [type(event) for event in driver.act(Accept())] == [OfferAccepted, OfferAccepted]


def test_ri7_others_cannot_tell_whether_it_could_have_matched() -> None:
    """RI-7: what a spectator is told and shown is the same for a poor and a rich target."""

    def seen(knights: int) -> tuple[object, ...]:
        driver = activating(3).give(0, knights=6, castle=1, temple=1).give(1, knights=knights, arena=1)
        driver.play(Activate("castle"), Offer(1, "arena", 5))
        before = driver.state.view(2), driver.state.view(None), driver.state.public_decision(1)
        driver.act(Accept())
        return *before, driver.told(2), driver.told(None), driver.state.view(2), driver.state.view(None)

    assert seen(0) == seen(9)


def test_ri8_the_stake_cannot_be_committed() -> None:
    """RI-8: what was staked is no longer held; it lies before the screen."""
    driver = activating(4).give(0, gold=10, knights=5, guild=1, arena=1)
    driver.act(Activate("guild"))
    view = driver.state.view(0)
    assert (view.seats[0].gold, view.seats[0].knights) == (10, 5 + 1 - 3)
    assert driver.state.legal_runs(0) == [Run(0, 10 + 1)]
    driver.together(Commit(0), Commit(0), Commit(0), Commit(0))
    assert driver.state.view(0).seats[0].knights == 5 + 1


def invaded(**first: Sequence[Face]) -> Driver:
    """A table in the last turn before tiles are turned up, of which one is an Invasion of the harbor's stack."""
    driver = Driver(3, chance=chance_of(3, 2, harbor=[6, "invasion"], **first)).borrow().borrow().raze()
    return driver.play(Pass(), Pass())


def test_ri9_a_seat_with_a_building_and_fewer_than_2_knights_is_asked_and_must_discard_a_building() -> None:
    """RI-9."""
    driver = invaded().give(0, knights=1, castle=1, arena=2).give(1, knights=2, castle=1).give(2, knights=9, gold=9)
    driver.act(Pass())
    assert driver.waiting == [0, 1]
    assert driver.state.decision(0) == driver.state.public_decision(0) == InvasionDecision("harbor")
    codes = {seat: driver.state.legal_actions(seat) for seat in driver.waiting}
    actions = {seat: [driver.table.game.action(driver.state, seat, code) for code in codes[seat]] for seat in codes}
    assert actions == {
        0: [DiscardBuilding("castle"), DiscardBuilding("arena")],
        1: [DiscardKnights(), DiscardBuilding("castle")],
    }
    with pytest.raises(IllegalAction) as refused:
        driver.act(DiscardKnights(), 0)
    assert refused.value.rule == "RI-9"


@pytest.mark.parametrize(("knights", "left"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_ri9_a_seat_without_a_building_discards_at_most_2_knights_and_is_not_asked(knights: int, left: int) -> None:
    """RI-9."""
    driver = invaded().give(0, knights=1, castle=1).give(1, knights=5, temple=3).give(2, knights=knights)
    driver.act(Pass())
    assert driver.waiting == [0, 1]
    events = driver.together(DiscardBuilding("castle"), DiscardKnights())
    assert events[0] == InvasionSuffered(
        "harbor",
        (InvasionLoss(0, 0, "castle"), InvasionLoss(1, 2, None), InvasionLoss(2, knights - left, None)),
    )
    assert [driver.state.view(seat).seats[seat].knights for seat in range(3)] == [1, 3, left]
    assert driver.state.view(None).seats[0].buildings == (0, 0, 0, 0, 0, 0)


def test_ri9_nobody_is_asked_when_nobody_has_a_building() -> None:
    """RI-9."""
    driver = invaded().give(0, knights=3).give(1, knights=1).give(2, knights=0)
    events = driver.act(Pass())
    assert [event.losses for event in events if isinstance(event, InvasionSuffered)] == [
        (InvasionLoss(0, 2, None), InvasionLoss(1, 1, None), InvasionLoss(2, 0, None))
    ]


def test_ri10_a_ruined_seat_hands_over_all_its_gold() -> None:
    """RI-10."""
    driver = Driver(3).bid_and_take((4, "castle"), (5, "harbor"), (6, "temple")).borrow("harbor")
    driver.give(0, gold=3, knights=2).give(1, gold=5).give(2, gold=9)
    driver.rest()
    (paid,) = [event for event in driver.told(None) if isinstance(event, InterestPaid)]
    assert paid.payments[0] == InterestPayment(0, owed=4, paid=3)
    (ended,) = [event for event in driver.told(None) if isinstance(event, GameEnded)]
    assert (ended.ruined, ended.holdings[0].gold, ended.holdings[0].knights) == ((0,), 0, 2)
    result = driver.state.outcome().results[0]
    assert (result.score, result.eliminated, result.breakdown.gold) == (0, True, 0)


def test_ri10_a_seat_that_holds_just_what_it_owes_is_not_ruined() -> None:
    """RI-10."""
    driver = Driver(3).bid_and_take((4, "castle"), (5, "harbor"), (6, "temple")).borrow("harbor")
    driver.give(0, gold=4).rest()
    (paid,) = [event for event in driver.told(None) if isinstance(event, InterestPaid)]
    assert paid.payments[0] == InterestPayment(0, owed=4, paid=4)
    assert not driver.state.is_over()


def test_ri11_the_end_is_checked_also_in_a_round_without_interest() -> None:
    """RI-11: 10 buildings end the first round, in which a Generous Dragon is always discarded."""
    driver = Driver(3).give(1, castle=9)
    driver.bid(4, 6, 5)
    events = [driver.act(Take("castle")), driver.act(Take("harbor")), driver.act(Take("temple"))][-1]
    assert any(isinstance(event, InterestWaived) for event in events)
    assert not any(isinstance(event, InterestPaid) for event in events)
    assert [event.completed for event in events if isinstance(event, GameEnded)] == [(1,)]
    assert driver.state.is_over()


def test_ri12_a_ruined_seat_ranks_behind_every_seat_that_is_not() -> None:
    """RI-12: also behind one without points, knights or gold."""
    result = outcome(kingdoms({}, {}, {"castle": 1}), tokens(0, 0, 0), tokens(9, 0, 0), 0b001)
    assert [(seat.score, seat.rank, seat.eliminated) for seat in result.results] == [
        (0, 3, True),
        (0, 2, False),
        (2, 1, False),
    ]


def test_ri12_ruined_seats_rank_by_knights_and_then_share() -> None:
    """RI-12."""
    result = outcome(kingdoms({}, {}, {}, {}), tokens(0, 0, 0, 0), tokens(2, 5, 2, 0), 0b0111)
    assert [seat.rank for seat in result.results] == [3, 2, 3, 1]


def test_ri12_all_screens_are_lifted_in_the_outcome() -> None:
    """RI-12."""
    driver = Driver(4, chance=seeded(4, b"o" * 32)).finish(Random(8))
    holdings = next(event for event in driver.told(None) if isinstance(event, GameEnded)).holdings
    for seat, result in enumerate(driver.state.outcome().results):
        shown = driver.state.view(None).seats[seat]
        assert (result.breakdown.gold, result.breakdown.knights) == (shown.gold, shown.knights)
        assert (holdings[seat].gold, holdings[seat].knights) == (shown.gold, shown.knights)


def test_ri13_several_invasions_are_suffered_one_after_another_clockwise() -> None:
    """RI-13: with one's last building gone, one is not asked again."""
    driver = invaded(temple=[6, "invasion"], castle=[6, "invasion"])
    driver.give(0, knights=3, arena=1).give(1, knights=0, arena=3).give(2, knights=1)
    driver.act(Pass())
    assert driver.state.view(None).invasions == ("castle", "harbor", "temple")
    assert driver.state.decision(0) == InvasionDecision("castle")
    first = driver.together(DiscardBuilding("arena"), DiscardBuilding("arena"))
    assert driver.waiting == [1]
    assert driver.state.view(None).invasions == ("harbor", "temple")
    second = driver.together(DiscardBuilding("arena"))
    third = driver.together(DiscardBuilding("arena"))
    suffered = [event for event in first + second + third if isinstance(event, InvasionSuffered)]
    assert [event.stack for event in suffered] == ["castle", "harbor", "temple"]
    assert [[loss.knights for loss in event.losses] for event in suffered] == [[0, 0, 1], [2, 0, 0], [1, 0, 0]]


def test_ri14_gold_is_collected_again_once_however_many_generous_dragons_show() -> None:
    """RI-14."""
    driver = Driver(3, chance=chance_of(3, arena=["generous_dragon"]))
    assert sum(str(stack.face_up).endswith("generous dragon") for stack in driver.state.view(None).stacks) == 2
    driver.bid(4, 6, 5)
    driver.play(Take("castle"), Take("harbor"))
    events = driver.act(Take("temple"))
    assert [event for event in events if isinstance(event, GoldCollectedAgain)] == [GoldCollectedAgain((11, 10, 9))]
    assert [driver.state.view(seat).seats[seat].gold for seat in range(3)] == [22, 20, 18]


def test_bids_of_equal_value_go_by_the_seats_from_the_start_player_clockwise() -> None:
    driver = Driver(5, chance=chance_of(5, 3))
    (revealed,) = [event for event in driver.bid(9, 12, 9, 9, 17) if isinstance(event, BidsRevealed)]
    assert revealed.take_order == (1, 3, 0, 2)
    assert revealed.bids[4].value == 0
    assert Contract(9) not in driver.state.view(None).seats[0].hand
    assert JESTER in driver.state.view(None).seats[4].hand
