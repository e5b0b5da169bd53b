"""The leak proof of Dragon's Interest: games that differ only in what a reader does not know send it the same bytes.

Planted leaks at the end show that the proof finds them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest

from dragonhall.rules.dragons_interest import events, moves, refusals, tell, view
from dragonhall.rules.dragons_interest.codes import chest_of
from dragonhall.rules.dragons_interest.facts import NO_TILE, STACK_SIZE, Contract, Options, tile_of
from dragonhall.rules.dragons_interest.moves import (
    AnswerDecision,
    BidDecision,
    CommitDecision,
    Decision,
    InvasionDecision,
    Offer,
)
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import Journal
from dragonhall.rules.table import Step, Table
from tests.leaks.dragons_interest_worlds import (
    ATTEMPTS,
    exchanges_between_others,
    forced_in_one_world_only,
    random_game,
    secret_choices,
    with_another_amount,
    with_another_order_of_arrival,
    with_other_secrets,
    with_unseen_tiles_moved,
)
from tests.leaks.messages import shown
from tests.leaks.plants import (
    plant_a_seats_knowledge_in_what_others_wait_for,
    plant_forced_answers_at_once,
    plant_secret_answers_told_at_once,
)
from tests.leaks.worlds import Proof, Twin, Viewer, viewers
from tests.rules.dragons_interest_tables import SEATS, VARIANTS, variant_name

EVERY_DECISION = set(get_args(Decision))
SECRET_DECISIONS = {BidDecision, CommitDecision, InvasionDecision}
MOST_GAMES = 5
"""Of each number of seats and each variant."""

Twins = Callable[[Proof, Viewer, Random], list[Twin]]


def unseen_tiles(proof: Proof, viewer: Viewer, rng: Random) -> list[Twin]:
    return [with_unseen_tiles_moved(proof, rng.randrange(len(proof.states)), rng)]


def other_secrets(proof: Proof, viewer: Viewer, rng: Random) -> list[Twin]:
    return [with_other_secrets(proof, choice, viewer, rng) for choice in _some(secret_choices(proof), rng)]


def another_order_of_arrival(proof: Proof, viewer: Viewer, rng: Random) -> list[Twin]:
    return [with_another_order_of_arrival(proof, choice, rng) for choice in _some(secret_choices(proof), rng)]


def other_amounts(proof: Proof, viewer: Viewer, rng: Random) -> list[Twin]:
    return [with_another_amount(proof, moment, rng) for moment in _some(exchanges_between_others(proof, viewer), rng)]


def _some(choices: list[Any], rng: Random) -> list[Any]:
    return rng.sample(choices, min(5, len(choices)))


def find_leak(proof: Proof, twins: Twins, rng: Random) -> str | None:
    """Compares a game with its twins, for every reader."""
    for viewer in viewers(proof.world.seats):
        difference = proof.first_difference(viewer, twins(proof, viewer, rng))
        if difference:
            return difference
    return None


def full_proof(seats: int, options: Options, rng: Random) -> Proof:
    """Of a random game in which everything is asked."""
    while True:
        proof = Proof(random_game(seats, options, rng), ATTEMPTS)
        if proof.ever_asked() == EVERY_DECISION:
            return proof


def prove(seats: int, options: Options, twins: Twins, expected: set[type[Any]]) -> None:
    """Compares random games with their twins until all the decisions expected were open when it did."""
    rng = Random(f"{twins.__name__} {seats} {options}")
    compared: set[type[Any]] = set()
    for _ in range(MOST_GAMES):
        proof = full_proof(seats, options, rng)
        assert find_leak(proof, twins, rng) is None
        compared.update(proof.compared)
        if compared == expected:
            return
    assert compared == expected


each_game = pytest.mark.parametrize("seats", SEATS)
each_variant = pytest.mark.parametrize("options", VARIANTS, ids=variant_name)


@each_variant
@each_game
def test_tiles_that_are_face_down_change_nothing_that_is_sent(seats: int, options: Options) -> None:
    prove(seats, options, unseen_tiles, EVERY_DECISION)


@each_variant
@each_game
def test_what_others_chose_in_secret_changes_nothing_before_all_have_chosen(seats: int, options: Options) -> None:
    prove(seats, options, other_secrets, SECRET_DECISIONS)


@each_variant
@each_game
def test_who_chose_first_changes_nothing_once_all_have_chosen(seats: int, options: Options) -> None:
    prove(seats, options, another_order_of_arrival, EVERY_DECISION - {AnswerDecision})


@each_variant
@each_game
def test_what_was_in_the_chest_between_others_changes_nothing_that_is_sent(seats: int, options: Options) -> None:
    prove(seats, options, other_amounts, EVERY_DECISION)


@each_game
def test_seats_that_have_one_answer_only_are_asked_like_others_rulings_RI_7_and_RI_9(seats: int) -> None:
    """What was compared did matter: another seat could match, or pay 2 knights, in one of the two worlds only."""
    rng = Random(f"forced {seats}")
    forced: set[type[object]] = set()
    while not forced >= {AnswerDecision, InvasionDecision, CommitDecision}:
        proof = Proof(random_game(seats, Options(), rng), [])
        viewer = rng.choice(viewers(seats))
        for twin in other_amounts(proof, viewer, rng):
            differs = forced_in_one_world_only(proof, twin, viewer)
            if differs - forced:
                assert proof.difference(viewer, twin) is None
                forced |= differs


@each_game
def test_a_reader_cannot_tell_a_sampled_world_from_the_real_one(seats: int) -> None:
    rng = Random(f"sampled {seats}")
    for playing in random_game(seats, Options(), rng).played():
        viewer = rng.choice(viewers(seats))
        sampled = playing.sampled(viewer, rng)
        assert shown(sampled, viewer, ATTEMPTS) == shown(playing.table, viewer, ATTEMPTS)


# ---- Who does see it


@pytest.fixture
def proof() -> Proof:
    return full_proof(5, Options(), Random("found"))


def test_another_amount_is_seen_by_the_two_seats_and_by_nobody_else(proof: Proof) -> None:
    for moment in exchanges_between_others(proof, None):
        seat, offer = proof.world.answers[moment]
        twin = with_another_amount(proof, moment, Random(1))
        if twin.world != proof.world:
            assert proof.who_can_tell(twin.world, moment + 1) == sorted((seat, offer.target))


def test_an_answer_in_secret_is_seen_by_its_seat_and_by_nobody_else(proof: Proof) -> None:
    for choice in secret_choices(proof):
        twin = with_other_secrets(proof, choice[:2], None, Random(1))
        if twin.world != proof.world:
            assert proof.who_can_tell(twin.world, choice.start + 1) == [proof.world.answers[choice.start].seat]


def test_the_next_tiles_are_seen_by_everyone_when_they_are_turned_up(proof: Proof) -> None:
    twin = with_unseen_tiles_moved(proof, 0, Random(1))
    turned = next(moment for moment, state in enumerate(proof.states) if state.turned_up == 2)
    assert proof.who_can_tell(twin.world, turned - 1) == []
    assert proof.who_can_tell(twin.world, turned) == viewers(5)


# ---- Planted leaks


def plant_in_seats(monkeypatch: pytest.MonkeyPatch, leak: Callable[[State, int], dict[str, Any]]) -> None:
    """Every seat's piece of the view has other fields, for whoever looks."""
    honest = view._seat

    def leaking(state: State, seat: int, viewer: Viewer) -> view.SeatView:
        return replace(honest(state, seat, viewer), **leak(state, seat))

    monkeypatch.setattr(view, "_seat", leaking)


def plant_holdings_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_seats(monkeypatch, lambda state, seat: {"knights": state.knights[seat]})


def plant_poverty_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one bit alone: who can no longer pay is shown as ruined already."""
    plant_in_seats(monkeypatch, lambda state, seat: {"ruined": state.gold[seat] < state.owed(seat)})


def plant_amounts_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "chest_of", lambda state, viewer: chest_of(state, state.target))


def plant_amounts_in_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        tell, "offer", lambda state, journal: journal.tell(events.OfferMade(chest_of(state, state.active)))
    )


def plant_amounts_in_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tell, "_exchanging", lambda state: -1)


def plant_an_event_more_for_great_amounts(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number alone: an offer of 3 or more is told twice."""
    honest = tell.offer

    def leaking(state: State, journal: Journal) -> None:
        for _ in range(1 + (state.amount >= 3)):
            honest(state, journal)

    monkeypatch.setattr(tell, "offer", leaking)


def plant_amounts_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = refusals.check_asked

    def leaking(state: State, seat: int) -> None:
        try:
            honest(state, seat)
        except IllegalAction as refused:
            raise IllegalAction(f"{refused.message}, for {state.amount} tokens", refused.rule) from None

    monkeypatch.setattr("dragonhall.rules.dragons_interest.codes.check_asked", leaking)


def plant_what_a_target_holds_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """An offer that is too high is refused with what the target could match."""
    honest = refusals._REASONS[Offer]

    def leaking(state: State, seat: int, action: Offer) -> IllegalAction:
        refused = honest(state, seat, action)
        held = state.spendable(action.target) if action.target < state.seats else 0
        return IllegalAction(f"{refused.message}; seat {action.target} holds {held}", refused.rule)

    monkeypatch.setitem(refusals._REASONS, Offer, leaking)


AMOUNTS_TOLD = [
    plant_holdings_in_views,
    plant_poverty_in_views,
    plant_amounts_in_views,
    plant_amounts_in_offers,
    plant_amounts_in_answers,
    plant_an_event_more_for_great_amounts,
    plant_amounts_in_refusals,
    plant_what_a_target_holds_in_refusals,
    plant_a_seats_knowledge_in_what_others_wait_for,
    plant_forced_answers_at_once,
]


def plant_answers_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = view._own_answer
    monkeypatch.setattr(view, "_own_answer", lambda state, viewer: honest(state, 0))


def plant_bids_that_leave_the_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no longer in hand was bid."""

    def hand(state: State, seat: int) -> dict[str, Any]:
        contracts = state.deal.contracts
        bid = 1 << state.answers[seat] if state.stage == moves.BID and not state.is_asked(seat) else 0
        in_hand = (contract for place, contract in enumerate(contracts) if state.hands[seat] & ~bid >> place & 1)
        return {"hand": tuple(in_hand)}

    plant_in_seats(monkeypatch, hand)


def plant_answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(seat: int, action: Any) -> object:
        bid = action.contract if isinstance(action, moves.Bid) else Contract(1)
        return events.ContractReturned(seat, bid)

    plant_secret_answers_told_at_once(monkeypatch, told)


def plant_answers_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has answered and answers once more is told what others chose."""
    honest = refusals.check_asked

    def leaking(state: State, seat: int) -> None:
        try:
            honest(state, seat)
        except IllegalAction as refused:
            raise IllegalAction(f"{refused.message} {list(state.answers)}", refused.rule) from None

    monkeypatch.setattr("dragonhall.rules.dragons_interest.codes.check_asked", leaking)


SECRETS_TOLD = [
    plant_answers_in_views,
    plant_bids_that_leave_the_hand,
    plant_answers_at_once,
    plant_answers_in_refusals,
]


def plant_bids_in_the_order_of_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    arrived: list[int] = []
    honest_step, honest_bids = Table._step, tell.bids

    def noting(self: Table, seat: int | None, decision_id: int, action: Any, journal: Journal) -> Step:
        if isinstance(action, moves.Bid) and seat is not None:
            arrived.append(seat)
        return honest_step(self, seat, decision_id, action, journal)

    def leaking(state: State, journal: Journal) -> None:
        honest_bids(state, journal)
        entry = journal.entries[0]
        assert isinstance(entry.event, events.BidsRevealed)
        bids = sorted(entry.event.bids, key=lambda bid: arrived.index(bid.seat) if bid.seat in arrived else 9)
        journal.entries[0] = replace(entry, event=replace(entry.event, bids=tuple(bids)))
        arrived.clear()

    monkeypatch.setattr(Table, "_step", noting)
    monkeypatch.setattr(tell, "bids", leaking)


def plant_the_next_tiles_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = view._stack

    def leaking(state: State, building: int) -> view.StackView:
        seen = honest(state, building)
        if state.stack_size() == 0 or state.face_up(building) != NO_TILE:
            return seen
        return replace(seen, face_up=tile_of(building, state.deal.stacks[building * STACK_SIZE + state.turned_up]))

    monkeypatch.setattr(view, "_stack", leaking)


@pytest.mark.parametrize(
    ("plant", "twins"),
    [
        *((plant, other_amounts) for plant in AMOUNTS_TOLD),
        *((plant, other_secrets) for plant in SECRETS_TOLD),
        (plant_bids_in_the_order_of_arrival, another_order_of_arrival),
        (plant_the_next_tiles_in_views, unseen_tiles),
    ],
)
def test_a_planted_leak_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], twins: Twins, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    rng = Random(6)
    assert any(find_leak(full_proof(4, Options(), rng), twins, rng) for _ in range(2))
