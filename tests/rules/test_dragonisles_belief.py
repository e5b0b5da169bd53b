"""Sampled worlds fit all that a seat knows, and each world that fits can be sampled."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from librt.random import Random as SamplingRandom
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import RandomChance
from dragonhall.rules.dragonisles import DRAGONISLES, cards, events, stage
from dragonhall.rules.dragonisles.belief import Belief
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import WILD, Adventurer, Options
from dragonhall.rules.dragonisles.moves import Draw, Prepare
from dragonhall.rules.dragonisles.player import one
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.dragonisles.worlds import TO_DECK, TO_OFFER, Unknown
from dragonhall.rules.errors import InconsistentKnowledge
from dragonhall.rules.game import Knowledge
from dragonhall.rules.journal import EVERYONE, Entry
from tests.rules.dragonisles_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    Driver,
    check_conservation,
    give_treasures,
    varied_choice,
)
from tests.rules.driver import seeded


def course(state: State) -> tuple[object, ...]:
    """What is still to come: all of a state that neither its view nor hidden cards tell, as far as it matters now."""
    in_challenge = state.challenged != NONE
    to_look_at = state.asked in (stage.KEEP_TREASURE, stage.KEEP_ADVENTURER, stage.ADVANCE, stage.TAKE_COIN)
    return (
        state.agenda,
        (state.approach, state.played) if in_challenge or to_look_at else None,
        (state.unused, state.reroll_decided, state.benefits, state.asked == stage.ONES) if in_challenge else None,
        state.next_effect if state.asked == stage.TAKE_COIN and not in_challenge else None,
    )


def check_samples(driver: Driver, viewer: int | None, luck: SamplingRandom) -> Belief:
    """A sampled world is to the viewer what the true one is, and the true one could be sampled."""
    belief = Belief(driver.knowledge(viewer))
    world = belief.sample(luck)
    assert world.view(viewer) == driver.state.view(viewer)
    assert course(world) == course(driver.state)
    check_conservation(world)
    assert world.pending() == driver.state.pending()
    if viewer is not None and viewer in world.pending():
        assert world.legal_actions(viewer) == driver.state.legal_actions(viewer)
        assert world.decision(viewer) == driver.state.decision(viewer)
    assert any(could_be(driver.state, case) for case in belief.cases)
    return belief


def could_be(truth: State, case: Unknown) -> bool:
    """Whether the true cards can be dealt by a case: each pool has as many of them in each place as it has there."""
    begin, expected = 0, Counter[tuple[int, int]]()
    pool_of: dict[int, list[int]] = {}
    for pool, end in enumerate(case.pool_ends):
        expected.update((pool, place) for place in list(case.places)[begin:end])
        for card in list(case.adventurers)[begin:end]:
            pool_of.setdefault(card, []).append(pool)
        begin = end
    hidden = {seat: unknown_hand(truth, case, seat) for seat in range(truth.seats)}
    hidden[TO_DECK] = truth.adventurers.cards_left()
    if TO_OFFER in list(case.places):
        hidden[TO_OFFER] = cards.card_list(truth.adventurer_offer)
    found = Counter[tuple[int, int]]()
    wild = Counter[int]()
    for place, there in hidden.items():
        for card in there:
            if card == WILD:
                wild[place] += 1
            elif card not in pool_of:
                return False
            else:
                found[pool_of[card][0], place] += 1
    missing = expected - found
    return not found - expected and Counter(place for _, place in missing.elements()) == wild


def unknown_hand(truth: State, case: Unknown, seat: int) -> list[int]:
    """A seat's true cards that the viewer does not know; of wild cards, as many as fit."""
    spots = Counter(list(case.places))[seat]
    true = cards.card_list(truth.players[seat].hand) if spots else []
    coloured = [card for card in true if card != WILD and card in set(case.adventurers)]
    return coloured + [WILD] * min(spots - len(coloured), true.count(WILD))


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("seats", SEATS)
def test_a_sampled_world_fits_all_that_a_reader_knows(seats: int, options: Options) -> None:
    driver = Driver(seats, options, seeded(seats, b"b" * 32))
    rng, luck = Random(23), SamplingRandom(23)
    for _ in driver.moments(rng):
        if rng.random() < 0.3:
            check_samples(driver, rng.choice([*range(seats), None]), luck)
    for viewer in (0, None):
        assert DRAGONISLES.sample(driver.knowledge(viewer), luck).outcome() == driver.state.outcome()


def with_few_tokens(driver: Driver, treasures: list[str]) -> None:
    """Nearly all coins and potions, and some treasures, are before seats 0 and 1."""
    state = driver.state
    state.players[0].coins, state.coins_left = state.coins_left - 1, 1
    state.players[1].potions, state.potion_pile = state.potion_pile - one(2), one(2)
    kept = []
    for seat in (0, 1):
        give_treasures(state, seat, treasures)
        kept += [Entry(events.TreasureKept(seat, kind, ()), EVERYONE) for kind in state.players[seat].treasures]
    rest = list(state.setting.treasure_deck())
    for entry in kept:
        rest.remove(entry.event.treasure)  # type: ignore[attr-defined]
    state.treasures = Deck(vec[i64](rest), vec[i64]())
    driver.steps[0] = replace(driver.steps[0], entries=(*driver.steps[0].entries, *kept))


@pytest.mark.parametrize("seed", range(4))
def test_a_turn_is_resumed_where_a_coin_or_potion_is_taken_from_another_seat(seed: int) -> None:
    driver = Driver(3, Options(), seeded(3, bytes([seed]) * 32))
    with_few_tokens(driver, ["Dotakubell", "Omamori"])
    rng, luck = Random(seed), SamplingRandom(seed)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in driver.moments(rng):
        if driver.state.asked in (stage.TAKE_COIN, stage.TAKE_POTION, stage.ONES):
            view = driver.state.view(None)
            seen[view.stage, view.challenge is not None] += 1
            check_samples(driver, rng.choice([0, 1, 2, None]), luck)
    assert seen["take_coin", False]


def test_a_wild_card_may_have_come_from_several_decks() -> None:
    cases = 0
    for seed in range(12):
        driver = Driver(5, Options(), seeded(5, bytes([seed]) * 32))
        rng, luck = Random(seed), SamplingRandom(seed)
        for _ in driver.moments(rng):
            step = driver.steps[-1]
            told = [entry.event for entry in step.entries]
            played = [event for event in told if isinstance(event, events.ChallengeStarted | events.CardsDiscarded)]
            if any(card.colour is None for event in played for card in event.cards):
                cases = max(cases, len(check_samples(driver, None, luck).cases))
        if cases > 1:
            return
    pytest.fail("no wild card could have come from several decks")


def test_a_sampled_world_plays_on_to_its_end() -> None:
    driver, rng = Driver(4), Random(29)
    for _ in range(60):
        driver.step(rng)
    luck = SamplingRandom(29)
    world = DRAGONISLES.sample(driver.knowledge(1), luck)
    chance = RandomChance(luck)
    while not world.is_over():
        world.apply(world.active, varied_choice(world, world.active, rng), chance, None)
        check_conservation(world)


def test_the_same_luck_samples_the_same_world() -> None:
    knowledge = Driver(4).knowledge(2)
    orders = [list(DRAGONISLES.sample(knowledge, SamplingRandom(seed)).adventurers.order) for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]


def test_unseen_cards_are_equally_likely_in_every_hidden_place() -> None:
    """1500 worlds; seat 0 sees 7 cards: each of the 57 others is in seat 1's hand 1500 × 5/57 times, ± 5 deviations."""
    driver = Driver(2, Options(first_seat=0))
    belief, luck = Belief(driver.knowledge(0)), SamplingRandom(37)
    found: Counter[int] = Counter()
    for _ in range(1500):
        found.update(cards.card_list(belief.sample(luck).players[1].hand))
    wild_cards = found.pop(WILD, 0)
    seen = {*cards.card_list(driver.state.players[0].hand), *driver.state.tavern}
    expected = 1500 * 5 / 57
    assert set(found) == set(range(WILD)) - seen
    assert all(abs(times - expected) < 5 * expected**0.5 for times in found.values())
    unseen_wilds = 57 - len(found)
    assert abs(wild_cards - unseen_wilds * expected) < 5 * (unseen_wilds * expected) ** 0.5 + 1


def test_cards_taken_from_the_tavern_and_cards_back_in_hand_are_known() -> None:
    driver = Driver(3, Options(first_seat=1))
    taken = driver.state.tavern[0]
    driver.act(Prepare())
    driver.act(Draw(0))
    belief, luck = Belief(driver.knowledge(0)), SamplingRandom(1)
    assert all(cards.holds(belief.sample(luck).players[1].hand, 1 << taken) for _ in range(50))


def test_the_treasures_on_offer_to_another_seat_may_be_any_unseen_ones() -> None:
    driver, rng = Driver(3, Options(characters=("warrior", "trader", "monk"))), Random(4)
    while driver.state.asked != stage.KEEP_TREASURE:
        driver.step(rng)
    other = (driver.asked + 1) % 3
    belief, luck = Belief(driver.knowledge(other)), SamplingRandom(2)
    offered = {belief.sample(luck).treasure_offer for _ in range(600)}
    unseen = {*driver.state.treasures.cards_left(), driver.state.treasure_offer, driver.state.second_treasure}
    assert offered <= unseen
    assert len(offered) > 10
    own = Belief(driver.knowledge(driver.asked)).sample(luck)
    assert own.treasure_offer == driver.state.treasure_offer
    assert own.second_treasure == driver.state.second_treasure


# ---- Knowledge that cannot be


def played_knowledge(viewer: int | None = 1, seed: int = 5) -> Knowledge:
    driver, rng = Driver(3, Options(first_seat=0), seeded(3, bytes([seed]) * 32)), Random(seed)
    for _ in range(120):
        driver.step(rng)
    return driver.knowledge(viewer)


SHOWN: list[type] = [
    events.HandDealt,
    events.TavernRefilled,
    events.TavernCardTaken,
    events.CardDrawn,
    events.ChallengeStarted,
    events.CardsDiscarded,
    events.QuestBoardCleared,
    events.TreasureKept,
]


@pytest.mark.parametrize("kind", SHOWN, ids=lambda kind: kind.__name__)
def test_events_that_are_missing_are_noticed(kind: type) -> None:
    knowledge = played_knowledge()
    told: list[Any] = [event for event in knowledge.events if not isinstance(event, kind)]
    assert len(told) < len(knowledge.events)
    Belief(knowledge)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=told))


def test_another_seats_view_is_noticed() -> None:
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(played_knowledge(), viewer=2))


@pytest.mark.parametrize(
    "event",
    [
        events.CardDrawn(0, None, 0),
        events.HandDealt(0, None, 60),
        events.DeckShuffled("adventurers", 3),
        events.CardsDiscarded(0, (Adventurer(None, 0),) * 5, "hand_limit"),
        events.TreasureKept(0, 0, (0, 0, 0, 0)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_events_that_cannot_have_happened_are_noticed(event: object) -> None:
    knowledge = Driver(3, Options(first_seat=0)).knowledge(0)
    assert knowledge.components is COMPONENTS
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=[*knowledge.events, event]))
