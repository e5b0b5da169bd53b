"""Sampled worlds fit all that a seat knows, reach every world that does, and all of them alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from librt.random import Random as SamplingRandom

from dragonhall.rules.chance import SeededChance, game_key
from dragonhall.rules.dragons import DRAGONS, events
from dragonhall.rules.dragons.belief import Belief
from dragonhall.rules.dragons.facts import CARDS, Card, Options
from dragonhall.rules.dragons.moves import Claim, Draw, Play
from dragonhall.rules.dragons.state import State
from dragonhall.rules.errors import InconsistentKnowledge
from dragonhall.rules.game import Knowledge
from tests.rules.dragons_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    Driver,
    all_cards,
    chance_of,
    long_game_choice,
)
from tests.rules.dragons_tables import variant_name as name

HIDDEN = Options(hidden_card=True)


def structure(state: State) -> tuple[object, ...]:
    """All of a state but the faces of its cards, and but which of two hidden cards another seat played."""
    return (
        state.year,
        state.next_card,
        state.deck_end,
        state.active,
        state.waiting_seats,
        state.free_piles,
        state.drawn,
        list(state.pile_owner),
        [len(state.pile_faces(pile)) for pile in range(state.seats)],
        list(state.treasure),
    )


@pytest.mark.parametrize("options", VARIANTS, ids=name)
@pytest.mark.parametrize("seats", SEATS)
def test_a_sampled_world_fits_the_view_and_everything_settled(seats: int, options: Options) -> None:
    driver = Driver(seats, options, SeededChance(game_key(b"b" * 32, [])))
    rng, luck = Random(23), SamplingRandom(23)
    for _ in driver.moments(rng):
        viewer = rng.choice([*range(seats), None])
        world = DRAGONS.sample(driver.knowledge(viewer), luck)
        assert isinstance(world, State)
        assert world.view(viewer) == driver.state.view(viewer)
        assert structure(world) == structure(driver.state)
        assert all_cards(world) == COMPONENTS.cards()
        assert world.pending() == driver.state.pending()
        assert world.legal_actions(driver.asked) == driver.state.legal_actions(driver.asked)
    for viewer in (0, None):
        assert DRAGONS.sample(driver.knowledge(viewer), luck).outcome() == driver.state.outcome()


@pytest.mark.parametrize("options", VARIANTS, ids=name)
def test_a_sampled_world_plays_on_to_its_end(options: Options) -> None:
    driver = Driver(4, options)
    rng = Random(29)
    for _ in range(15):
        driver.step(rng)
    world = DRAGONS.sample(driver.knowledge(1), SamplingRandom(29))
    assert isinstance(world, State)
    while not world.is_over():
        world.apply(world.active, long_game_choice(world, world.active, rng), SeededChance(bytes(32)), None)
        assert all_cards(world) == COMPONENTS.cards()


def test_the_same_luck_samples_the_same_world() -> None:
    knowledge = Driver(4, HIDDEN).play(Draw(), Play("held", 1)).knowledge(2)
    worlds = [DRAGONS.sample(knowledge, SamplingRandom(seed)) for seed in (1, 1, 2)]
    orders = [list(world.deal.order) for world in worlds]
    assert orders[0] == orders[1] != orders[2]


def test_public_cards_and_own_cards_stay_all_others_move() -> None:
    first = ["cow", "cow", "cow", "crown", "scepter", "bracelet", "polish"]
    driver = Driver(3, HIDDEN, chance_of(first)).play(Draw(), Play("held", 0))
    for viewer, known in ((0, {0, 1, 2, 3, 6}), (1, {0, 1, 2, 4, 6}), (2, {0, 1, 2, 5, 6}), (None, {0, 1, 2, 6})):
        belief = Belief(driver.knowledge(viewer))
        rng = SamplingRandom(31)
        faces: list[set[int]] = [set() for _ in range(104)]
        for _ in range(400):
            for position, face in enumerate(belief.sample(rng).deal.order):
                faces[position].add(face)
        assert {position for position, seen in enumerate(faces) if len(seen) == 1} == known


def test_unseen_cards_are_equally_likely_in_every_hidden_place() -> None:
    """2000 worlds; the crown's share among 97 unseen cards in a place is 5/97: 103 times, give or take 5 deviations."""
    first = ["cow", "cow", "cow", "crown", "scepter", "bracelet", "polish"]
    driver = Driver(3, HIDDEN, chance_of(first)).play(Draw())
    belief, rng = Belief(driver.knowledge(0)), SamplingRandom(37)
    crowns: Counter[int] = Counter()
    crown = CARDS.index(Card("crown"))
    for _ in range(2000):
        world = belief.sample(rng)
        crowns.update(position for position, face in enumerate(world.deal.order) if face == crown)
    hidden = [position for position in range(104) if position not in (0, 1, 2, 3, 6)]
    expected = 2000 * 5 / len(hidden)
    assert set(crowns) == {3, *hidden}
    assert all(abs(crowns[position] - expected) < 5 * expected**0.5 for position in hidden)


def test_another_seats_drawn_card_may_be_any_unseen_card() -> None:
    first = ["cow", "cow", "cow", "crown", "scepter", "bracelet", "polish"]
    belief, rng = Belief(Driver(3, HIDDEN, chance_of(first)).play(Draw()).knowledge(1)), SamplingRandom(41)
    drawn = {belief.sample(rng).view(0).drawn for _ in range(600)}
    assert drawn == {card for card in CARDS if card.coins <= 5}


def knowledge_of_a_year() -> Knowledge:
    return (
        Driver(3, Options(hidden_card=True, first_seat=0))
        .play(Draw(), Play("held", 1), Claim(0), Claim(1))
        .knowledge(2)
    )


def without(knowledge: Knowledge, kind: type) -> list[Any]:
    return [event for event in knowledge.events if not isinstance(event, kind)]


@pytest.mark.parametrize(
    "kind",
    [
        events.YearStarted,
        events.HiddenCardDealt,
        events.CardDrawn,
        events.CardPlaced,
        events.PileClaimed,
        events.LastPileTaken,
        events.YearEnded,
    ],
)
def test_events_that_are_missing_are_noticed(kind: type) -> None:
    knowledge = knowledge_of_a_year()
    Belief(knowledge)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=without(knowledge, kind)))


def test_another_seats_view_is_noticed() -> None:
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge_of_a_year(), viewer=1))


def test_events_of_another_game_are_noticed() -> None:
    knowledge = knowledge_of_a_year()
    other = Driver(3, Options(hidden_card=True, first_seat=0), SeededChance(b"o" * 32))
    told = other.play(Draw(), Play("held", 1), Claim(0), Claim(1)).told(2)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=told))


@pytest.mark.parametrize(
    "event",
    [
        events.CardPlaced(0, 0, Card("cow"), None),
        events.CardDrawn(1, Card("cow"), 3),
        events.PileClaimed(0, 9),
        events.HiddenCardDealt(5, Card("cow")),
        events.HiddenCardDealt(0, Card("dog")),
        events.YearStarted(1, 0, (Card("cow"),), 3),
        events.YearEnded(1, ()),
        events.LastPileTaken(0, 0, ()),
    ],
)
def test_events_that_cannot_have_happened_are_noticed(event: object) -> None:
    knowledge = Driver(3, Options(first_seat=0)).knowledge(0)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=[*knowledge.events, event]))


def test_more_cards_than_there_are_is_noticed() -> None:
    knowledge = Driver(3, Options(first_seat=0)).knowledge(0)
    nine_of_them = replace(COMPONENTS, counts=(0, 114 - 20, *COMPONENTS.counts[2:]))
    started = replace(knowledge.events[0], first_cards=(Card("cow"),) * 3)
    with pytest.raises(InconsistentKnowledge, match="more cards of a kind"):
        Belief(replace(knowledge, components=nine_of_them, events=[started]))
