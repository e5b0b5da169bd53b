"""The leak proof of DragonIsles: games that differ only in what a reader does not know send it the same bytes.

Planted leaks at the end show that the proof finds them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any, get_args

import pytest

from dragonhall.rules.dragonisles import questions, telling, view
from dragonhall.rules.dragonisles.cards import wilds
from dragonhall.rules.dragonisles.facts import CARDS, Options
from dragonhall.rules.dragonisles.moves import (
    AdventurerDecision,
    CharacterDecision,
    Decision,
    Draw,
    TakeCoinDecision,
    TakePotionDecision,
    TreasureDecision,
)
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import EVERYONE, Journal
from tests.leaks.dragonisles_worlds import (
    ADVENTURERS,
    ATTEMPTS,
    ENCOUNTERS,
    TREASURES,
    Reader,
    random_game,
    with_few_supplies,
    with_the_last_card_instead,
)
from tests.leaks.messages import shown
from tests.leaks.plants import plant_a_seats_knowledge_in_what_others_wait_for, plant_forced_answers_at_once
from tests.leaks.worlds import Proof, Viewer, World, viewers

SEATS = (2, 3, 4, 5)
VARIANTS = [Options(), Options(draft=True)]
EVERY_DECISION = set(get_args(Decision))
SECRET_OFFERS = {TreasureDecision, AdventurerDecision}
FOR_LACK_OF_SUPPLIES = {TakePotionDecision, TakeCoinDecision}
MOST_GAMES = 30
"""Random games looked at for the decisions that are still to be compared."""
READERS_OF_A_WINDOW = 2


def variant_name(options: Options) -> str:
    return "draft" if options.draft else "plain"


def windows(proof: Proof) -> Iterator[range]:
    """All moments of a game, some at a time: what is unseen at the last ones is compared. Many end with an offer."""
    start = 0
    for moment in range(len(proof.states)):
        size = moment + 1 - start
        if size == 40 or moment + 1 == len(proof.states) or (size >= 15 and proof.asked(moment) & SECRET_OFFERS):
            yield range(start, moment + 1)
            start = moment + 1


def find_leak(proof: Proof, rng: Random, missing: set[type[Any]] = EVERY_DECISION) -> str | None:
    """Moves the cards that a reader has not seen at some moment, and looks for a difference shortly before it.

    Looks only where a decision is open that is ``missing``.
    """
    everyone = viewers(proof.world.seats)
    readers = {viewer: Reader(proof, viewer) for viewer in everyone}
    for window in windows(proof):
        if missing & set().union(*map(proof.asked, window)):
            for viewer in rng.sample(everyone, READERS_OF_A_WINDOW):
                difference = proof.difference(viewer, readers[viewer].with_unseen_cards_moved(window, rng))
                if difference:
                    return difference
    return None


def prove(games: Iterator[World], rng: Random, expected: set[type[Any]]) -> None:
    """Compares random games with twins, until all the decisions expected were open when it did."""
    missing = expected
    for _ in range(MOST_GAMES):
        proof = Proof(next(games), ATTEMPTS)
        assert find_leak(proof, rng, missing) is None
        missing = missing - set(proof.compared)
        if not missing:
            return
    assert not missing


def random_games(
    seats: int, options: Options, rng: Random, prepare: Callable[[Any], None] | None = None
) -> Iterator[World]:
    while True:
        yield random_game(seats, options, rng, prepare)


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_cards_that_a_reader_has_not_seen_change_nothing_that_is_sent(seats: int, options: Options) -> None:
    rng = Random(f"1 {seats} {options}")
    expected = EVERY_DECISION - FOR_LACK_OF_SUPPLIES - (set() if options.draft else {CharacterDecision})
    prove(random_games(seats, options, rng), rng, expected)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_where_potions_and_coins_are_taken_from_others_ruling_RL_10(seats: int) -> None:
    rng = Random(f"2 {seats}")
    prove(random_games(seats, Options(), rng, with_few_supplies), rng, FOR_LACK_OF_SUPPLIES)


@pytest.mark.parametrize("seats", SEATS)
def test_a_reader_cannot_tell_a_sampled_world_from_the_real_one(seats: int) -> None:
    rng = Random(f"3 {seats}")
    for playing in random_game(seats, Options(), rng).played():
        viewer = rng.choice(viewers(seats))
        sampled = playing.sampled(viewer, rng)
        assert shown(sampled, viewer, ATTEMPTS) == shown(playing.table, viewer, ATTEMPTS)


# ---- What is compared does differ, and who sees it


@pytest.fixture(scope="module")
def proof() -> Proof:
    """A random game of 4 seats in which treasures and adventurers are offered."""
    rng = Random(4)
    while True:
        proof = Proof(random_game(4, Options(), rng), ATTEMPTS)
        if proof.ever_asked() >= SECRET_OFFERS:
            return proof


def test_other_seats_do_hold_other_cards_in_the_worlds_compared(proof: Proof) -> None:
    """In hand and on offer; else the proof would prove nothing."""
    rng = Random(5)
    for viewer in viewers(4):
        reader = Reader(proof, viewer)
        others = {seat for seat in range(4) if seat != viewer}
        differing: set[int] = set()
        for window in list(windows(proof))[::3]:
            last = window[-1]
            twin = reader.with_unseen_cards_moved(window, rng)
            state, other = proof.states[last], twin.world.state_at(last)
            differing |= {seat for seat in others if state.players[seat].hand != other.players[seat].hand}
            assert viewer is None or state.players[viewer].hand == other.players[viewer].hand
        assert differing == others


def test_a_card_drawn_from_the_deck_is_seen_by_its_seat_and_by_nobody_else(proof: Proof) -> None:
    drawn = [
        moment + 1
        for moment, (_, action) in enumerate(proof.world.answers)
        if action == Draw(None) and not proof.steps[moment + 1].chance
    ]
    for moment in drawn[:10]:
        world = with_the_last_card_instead(proof, ADVENTURERS, moment, back=0)
        assert proof.who_can_tell(world, moment) == [proof.world.answers[moment - 1].seat]


def test_treasures_on_offer_are_seen_by_their_seat_and_by_nobody_else(proof: Proof) -> None:
    for moment in proof.moments_asking(TreasureDecision)[:5]:
        for back in (0, 1):
            world = with_the_last_card_instead(proof, TREASURES, moment, back)
            assert proof.who_can_tell(world, moment) == [proof.states[moment].active]


def test_adventurers_on_offer_are_seen_by_their_seat_and_by_nobody_else(proof: Proof) -> None:
    for moment in proof.moments_asking(AdventurerDecision)[:5]:
        if not any(outcome.name == ADVENTURERS for outcome in proof.steps[moment].chance):
            for back in (0, 1, 2):
                world = with_the_last_card_instead(proof, ADVENTURERS, moment, back)
                assert proof.who_can_tell(world, moment) == [proof.states[moment].active]


def test_the_next_encounter_is_seen_by_everyone_when_it_is_turned_up(proof: Proof) -> None:
    turned_up = next(
        moment for moment, state in enumerate(proof.states) if state.encounters.drawn > proof.states[0].encounters.drawn
    )
    world = with_the_last_card_instead(proof, ENCOUNTERS, turned_up, back=0)
    assert proof.who_can_tell(world, turned_up - 1) == []
    assert proof.who_can_tell(world, turned_up) == viewers(4)


# ---- Planted leaks


def plant_a_hand_in_the_spectators_view(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = view.view_of

    def leaking(state: State, viewer: Viewer) -> view.View:
        return replace(honest(state, viewer), hand=telling.cards_in(state.players[viewer or 0].hand))

    monkeypatch.setattr("dragonhall.rules.dragonisles.state.view_of", leaking)


def plant_wild_cards_in_hand_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one bit alone: a wild card counts as two."""
    honest = view._seat

    def leaking(state: State, seat: int) -> view.SeatView:
        seen = honest(state, seat)
        return replace(seen, hand_size=seen.hand_size + wilds(state.players[seat].hand))

    monkeypatch.setattr(view, "_seat", leaking)


def plant_treasures_on_offer_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_treasure_offer", lambda state, viewer: telling.offered_treasures(state))


def plant_adventurers_on_offer_in_views(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(view, "_adventurer_offer", lambda state, viewer: telling.cards_in(state.adventurer_offer))


def plant_the_next_card_on_top_of_the_discards(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = view._adventurer_deck

    def leaking(deck: Any) -> view.AdventurerDeck:
        seen, left = honest(deck), deck.cards_left()
        return replace(seen, top=CARDS[left[0]]) if left else seen

    monkeypatch.setattr(view, "_adventurer_deck", leaking)


def plant_the_next_encounter_beside_the_discards(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the next treasure: both decks have the same piece of the view."""
    honest = view._card_deck

    def leaking(deck: Any) -> view.CardDeck:
        seen, left = honest(deck), deck.cards_left()
        return replace(seen, top=left[0]) if left else seen

    monkeypatch.setattr(view, "_card_deck", leaking)


def plant_in_events(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """What is told to one seat alone is told to everyone instead."""
    honest: Callable[..., None] = getattr(telling, name)

    def leaking(*told: Any) -> None:
        *others, journal = told
        apart = Journal()
        honest(*others, apart)
        known = max(apart.entries, key=lambda entry: entry.audience)
        journal.entries.append(replace(known, audience=EVERYONE))

    monkeypatch.setattr(telling, name, leaking)


def plant_first_hands_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_events(monkeypatch, "hand_dealt")


def plant_drawn_cards_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_events(monkeypatch, "card_drawn")


def plant_treasures_on_offer_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_events(monkeypatch, "treasures_offered")


def plant_adventurers_on_offer_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_events(monkeypatch, "adventurers_offered")


def plant_the_adventurer_kept_in_events(monkeypatch: pytest.MonkeyPatch) -> None:
    plant_in_events(monkeypatch, "adventurer_kept")


def plant_an_event_more_for_wild_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """By number alone: whoever draws a wild card is said to have drawn twice."""
    honest = telling.card_drawn

    def leaking(state: State, card: int, journal: Journal) -> None:
        for _ in range(1 + (CARDS[card].colour is None)):
            honest(state, card, journal)

    monkeypatch.setattr(telling, "card_drawn", leaking)


def plant_hands_in_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who acts out of turn is told what the seat could do whose turn it is."""
    honest = questions.check_asked

    def leaking(state: State, seat: int) -> None:
        try:
            honest(state, seat)
        except IllegalAction as refused:
            hands = [player.hand for player in state.players]
            raise IllegalAction(f"{refused.message} {hands}", refused.rule) from None

    monkeypatch.setattr(questions, "check_asked", leaking)


@pytest.mark.parametrize(
    "plant",
    [
        plant_a_hand_in_the_spectators_view,
        plant_wild_cards_in_hand_sizes,
        plant_treasures_on_offer_in_views,
        plant_adventurers_on_offer_in_views,
        plant_the_next_card_on_top_of_the_discards,
        plant_the_next_encounter_beside_the_discards,
        plant_first_hands_in_events,
        plant_drawn_cards_in_events,
        plant_treasures_on_offer_in_events,
        plant_adventurers_on_offer_in_events,
        plant_the_adventurer_kept_in_events,
        plant_an_event_more_for_wild_cards,
        plant_hands_in_refusals,
        plant_a_seats_knowledge_in_what_others_wait_for,
        plant_forced_answers_at_once,
    ],
)
def test_a_planted_leak_is_found(plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    rng = Random(6)
    options = Options(characters=("trader", "warrior", "monk"))
    assert any(find_leak(Proof(random_game(3, options, rng), ATTEMPTS), rng) for _ in range(3))
