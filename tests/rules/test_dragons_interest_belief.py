"""Sampled worlds fit all that a seat knows, and reach every world that does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from librt.random import Random as SamplingRandom

from dragonhall.rules.dragons_interest import DRAGONS_INTEREST, events
from dragonhall.rules.dragons_interest.amounts import Amounts, Bounds, Change, Timeline, Transfer
from dragonhall.rules.dragons_interest.belief import Belief
from dragonhall.rules.dragons_interest.facts import STACK_SIZE, TYPES, Contract, Tile, Token
from dragonhall.rules.dragons_interest.moves import Accept, Activate, Bid, Commit, Match, Pass
from dragonhall.rules.dragons_interest.reckoning import Reckoning
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.errors import InconsistentKnowledge
from dragonhall.rules.game import Knowledge
from tests.rules.dragons_interest_tables import (
    COMPONENTS,
    SEATS,
    VARIANTS,
    VECTORS,
    Driver,
    exchange,
    variant_name,
)
from tests.rules.dragons_interest_tables import NUMBERS as PLAIN_NUMBERS
from tests.rules.driver import seeded

HIDDEN = ("gold", "knights", "answers")
TOKENS: tuple[Token, ...] = ("gold", "knights")


def settled(state: State) -> tuple[object, ...]:
    """All of a state that everyone knows."""
    shown = tuple(
        tuple(state.deal.stacks[place * STACK_SIZE : place * STACK_SIZE + state.turned_up]) for place in range(TYPES)
    )
    return (
        *(getattr(state, name) for name in PLAIN_NUMBERS if name != "amount"),
        *(tuple(getattr(state, name)) for name in VECTORS if name not in HIDDEN),
        shown,
    )


def stacks_of(state: State) -> list[list[int]]:
    stacks = list(state.deal.stacks)
    return [sorted(stacks[place * STACK_SIZE : (place + 1) * STACK_SIZE]) for place in range(TYPES)]


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seats", SEATS)
def test_a_sampled_world_fits_the_view_and_everything_settled(seats: int, options: Any) -> None:
    for game in range(3):
        driver, rng, luck = Driver(seats, options, seeded(seats, bytes([game] * 32))), Random(game), SamplingRandom(23)
        for _ in driver.moments(rng):
            viewer = rng.choice([*range(seats), None])
            world = DRAGONS_INTEREST.sample(driver.knowledge(viewer), luck)
            check_world(world, driver, viewer)
        for viewer in (0, None):
            world = DRAGONS_INTEREST.sample(driver.knowledge(viewer), luck)
            assert world.outcome() == driver.state.outcome()


def check_world(world: State, driver: Driver, viewer: int | None) -> None:
    assert world.view(viewer) == driver.state.view(viewer)
    assert settled(world) == settled(driver.state)
    assert stacks_of(world) == stacks_of(driver.state)
    assert world.pending() == driver.state.pending()
    for token in TOKENS:
        assert min(getattr(world, token)) >= 0
        assert sum(getattr(world, token)) + in_chest(world, token) == (
            sum(getattr(driver.state, token)) + in_chest(driver.state, token)
        )
    if viewer in world.pending():
        assert world.legal_runs(viewer) == driver.state.legal_runs(viewer)


def in_chest(state: State, token: str) -> int:
    chest = state.view(None).chest
    return state.amount if chest and chest.token == token else 0


def test_the_amount_in_the_chest_may_be_anything_that_its_seat_held() -> None:
    driver = exchange()
    for viewer, known in ((0, True), (1, True), (2, False), (None, False)):
        belief, luck = Belief(driver.knowledge(viewer)), SamplingRandom(31)
        worlds = [belief.sample(luck) for _ in range(400)]
        assert {(world.amount, world.knights[0]) for world in worlds} == (
            {(3, 2)} if known else {(amount, 5 - amount) for amount in range(6)}
        )


def test_every_amount_that_fits_the_first_exchange_is_as_likely() -> None:
    """6 amounts, 3000 worlds: 500 each, give or take 5 deviations."""
    belief, luck = Belief(exchange().knowledge(2)), SamplingRandom(37)
    found = Counter(belief.sample(luck).amount for _ in range(3000))
    assert set(found) == set(range(6))
    assert all(abs(count - 500) < 5 * (3000 * 1 / 6 * 5 / 6) ** 0.5 for count in found.values())


def test_a_match_shows_that_the_target_held_as_much() -> None:
    driver = exchange().play(Match("castle"))
    belief, luck = Belief(driver.knowledge(2)), SamplingRandom(41)
    found = {(world.knights[0], world.knights[1]) for world in (belief.sample(luck) for _ in range(400))}
    assert found == {(5 + amount, 3 - amount) for amount in range(4)}


def test_a_later_commitment_bounds_what_was_offered_before() -> None:
    """Seat 0 held 5 knights and gave some of them away; later it still has 4 to commit."""
    driver = exchange(amount=1).play(Accept(), Pass(), Pass(), Activate("arena"))
    driver.together(Commit(4), Commit(0), Commit(0), Commit(0))
    belief, luck = Belief(driver.knowledge(2)), SamplingRandom(43)
    worlds = [belief.sample(luck) for _ in range(200)]
    assert {world.knights[1] for world in worlds} == {3, 4}


def test_the_chest_shows_nothing_of_other_tokens() -> None:
    driver = exchange()
    belief, luck = Belief(driver.knowledge(None)), SamplingRandom(47)
    assert {tuple(belief.sample(luck).gold) for _ in range(100)} == {tuple(driver.state.gold)}


@pytest.mark.parametrize("seats", SEATS)
def test_the_true_amounts_always_fit(seats: int) -> None:
    """So that the true world is among those that are drawn: `fitting` amounts all are (see below)."""
    untold = 0
    for game in range(10):
        driver = Driver(seats, chance=seeded(seats, bytes([game] * 32))).finish(Random(game))
        told = driver.told(None)
        made = [event.chest for event in known_events(driver) if isinstance(event, events.OfferMade)]
        for viewer in (0, None):
            reckoning = Reckoning(seats, driver.told(viewer))
            for token in TOKENS:
                hidden = [chest for chest in made if chest.token == token and viewer not in (chest.seat, chest.target)]
                amounts = iter([chest.amount for chest in hidden if chest.amount is not None])
                held = follow(reckoning.start[token], reckoning.timelines[token], amounts)
                assert held == [getattr(holding, token) for holding in told[-1].holdings]
                assert next(amounts, None) is None
                untold += len(hidden)
    assert untold > 50


def known_events(driver: Driver) -> list[object]:
    """Every event of an exchange as its two seats know it."""
    return [entry.event for step in driver.steps for entry in step.entries if not entry.is_for(None)]


def follow(start: list[int], timeline: Timeline, amounts: Iterator[int]) -> list[int]:
    """What seats hold at the end of a timeline, with these amounts; all bounds are obeyed."""
    held = list(start)
    for step in timeline:
        match step:
            case Change(seat, number):
                held[seat] += number
            case Bounds(seat, least, most):
                assert least <= held[seat] <= (held[seat] if most is None else most)
            case Transfer(payer, taker, had_it):
                amount = next(amounts)
                assert 0 <= amount <= held[taker if had_it else payer]
                held[payer] -= amount
                held[taker] += amount
    return held


def test_what_others_have_chosen_in_secret_may_be_any_of_their_choices() -> None:
    driver = Driver(3)
    driver.act(Bid(Contract(9)), 0)
    driver.act(Bid(Contract(12)), 2)
    for viewer, own, other in ((0, 0, 2), (2, 2, 0)):
        belief, luck = Belief(driver.knowledge(viewer)), SamplingRandom(53)
        worlds = [belief.sample(luck) for _ in range(400)]
        assert {world.answers[own] for world in worlds} == {driver.state.answers[own]}
        assert {world.answers[other] for world in worlds} == set(range(12))
        assert all(world.pending() == [1] for world in worlds)


def test_a_secret_commitment_is_no_more_than_is_held_in_that_world() -> None:
    driver = exchange().play(Accept(), Pass(), Pass(), Activate("arena"))
    driver.act(Commit(1), 0)
    driver.act(Commit(5), 1)
    belief, luck = Belief(driver.knowledge(2)), SamplingRandom(59)
    worlds = [belief.sample(luck) for _ in range(600)]
    assert all(world.answers[seat] <= world.knights[seat] for world in worlds for seat in (0, 1))
    assert {world.answers[1] for world in worlds} == set(range(3 + 5 + 1))


def test_tiles_face_down_lie_in_any_order() -> None:
    driver = Driver(3)
    belief, luck = Belief(driver.knowledge(0)), SamplingRandom(61)
    worlds = [belief.sample(luck) for _ in range(500)]
    for building in (0, 5):
        hidden = list(driver.state.deal.stacks[building * STACK_SIZE + 1 : (building + 1) * STACK_SIZE])
        for place in range(1, STACK_SIZE):
            assert {world.deal.stacks[building * STACK_SIZE + place] for world in worlds} == set(hidden)


def test_the_same_luck_samples_the_same_world() -> None:
    knowledge = exchange().play(Accept()).knowledge(2)
    worlds = [DRAGONS_INTEREST.sample(knowledge, SamplingRandom(seed)) for seed in (1, 1, 2)]
    seen = [(list(world.knights), list(world.deal.stacks)) for world in worlds]
    assert seen[0] == seen[1] != seen[2]


def timelines(rng: Random, seats: int) -> tuple[list[int], Timeline]:
    """What might be known of a token: a random game of a few transfers, of which the true amounts are forgotten."""
    start = [rng.randrange(5) for _ in range(seats)]
    held, timeline = list(start), Timeline()
    for _ in range(rng.randrange(2, 9)):
        seat, other = rng.sample(range(seats), 2)
        kind = rng.randrange(5)
        if kind < 2 and (kind == 0 or held[other] > 0):
            had_it = kind == 1
            amount = rng.randrange(min(held[seat], held[other]) + 1 if had_it else held[seat] + 1)
            held[seat] -= amount
            held[other] += amount
            timeline.append(Transfer(seat, other, had_it))
        elif kind == 2:
            timeline.append(Bounds(seat, rng.randrange(held[seat] + 1)))
        elif kind == 3:
            timeline.append(Bounds(seat, held[seat], held[seat]))
        else:
            paid = rng.randrange(-2, held[seat] + 1)
            held[seat] -= paid
            timeline += [Bounds(seat, max(paid, 0)), Change(seat, -paid)]
    return start, timeline


def fitting(held: list[int], timeline: Timeline) -> set[tuple[int, ...]]:
    """All amounts that obey a timeline, by trying each."""
    for place, step in enumerate(timeline):
        match step:
            case Change(seat, number):
                held = [count + number if at == seat else count for at, count in enumerate(held)]
            case Bounds(seat, least, most):
                if held[seat] < least or (most is not None and held[seat] > most):
                    return set()
            case Transfer(payer, taker, had_it):
                found = set()
                for amount in range(min(held[payer], held[taker]) + 1 if had_it else held[payer] + 1):
                    after = list(held)
                    after[payer] -= amount
                    after[taker] += amount
                    found |= {(amount, *rest) for rest in fitting(after, timeline[place + 1 :])}
                return found
    return {()}


@pytest.mark.parametrize("luck", range(60))
def test_amounts_are_drawn_from_all_those_that_fit_and_no_others(luck: int) -> None:
    rng = Random(luck)
    start, timeline = timelines(rng, rng.choice((3, 4)))
    possible, drawing, sampling = fitting(start, timeline), Amounts(start, timeline), SamplingRandom(luck)
    drawn = set()
    for _ in range(40 * len(possible)):
        drawing.draw(sampling)
        drawn.add(tuple(list(drawing.amounts)[:-1]))
        if drawn == possible:
            break
    assert drawn == possible


@pytest.mark.parametrize("luck", range(40))
def test_needs_are_exact_so_that_a_draw_succeeds_at_once(luck: int) -> None:
    """But where an active seat must have had what was matched, which the needs leave out."""
    rng = Random(luck)
    start, timeline = timelines(rng, 4)
    loose = [step._replace(taker_had_it=False) if isinstance(step, Transfer) else step for step in timeline]
    drawing, sampling = Amounts(start, loose), SamplingRandom(luck)
    assert all(drawing._drawn(sampling) for _ in range(50))


def test_a_timeline_that_nothing_fits_is_noticed() -> None:
    with pytest.raises(InconsistentKnowledge, match="no amounts"):
        Amounts([3, 0, 0], [Transfer(0, 1, False), Bounds(2, 1)])
    with pytest.raises(InconsistentKnowledge, match="no amounts"):
        Amounts([3, 0, 0], [Transfer(0, 1, False), Bounds(0, 2), Bounds(1, 2)])
    with pytest.raises(InconsistentKnowledge, match="no amounts"):
        Amounts([3, 0, 0], [Transfer(0, 1, True), Bounds(1, 1)]).draw(SamplingRandom(1))


def knowledge_of_a_round() -> Knowledge:
    return exchange().play(Accept(), Pass(), Pass(), Pass()).knowledge(2)


def without(knowledge: Knowledge, kind: type) -> list[Any]:
    return [event for event in knowledge.events if not isinstance(event, kind)]


@pytest.mark.parametrize(
    "kind", dict.fromkeys(map(type, knowledge_of_a_round().events)), ids=lambda kind: kind.__name__
)
def test_events_that_are_missing_are_noticed(kind: type) -> None:
    knowledge = knowledge_of_a_round()
    Belief(knowledge)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=without(knowledge, kind)))


def test_another_seats_view_is_noticed() -> None:
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge_of_a_round(), viewer=1))


@pytest.mark.parametrize(
    "event",
    [
        events.TileTaken(0, Tile("castle", 10), Contract(4), 4),
        events.TilesTurnedUp((Tile("castle", 99),), 8),
        events.Passed(0),
        events.Passed(9),
        events.BuildingActivated(0, "guild"),
        events.CommitmentsRevealed("gold", (1, 1, 1)),
        events.CommitmentsRevealed("gold", (999, 1, 1)),
        events.IncomeTaken("gold", (1, 1, 1, 1, 1, 1)),
        events.StakeWon(1, 0, "gold", 6, "knights", 1),
        events.InterestPaid((events.InterestPayment(0, 9, 9),)),
        events.RoundStarted(2, 1),
        events.GameEnded((), (), False, ()),
    ],
)
def test_events_that_cannot_have_happened_are_noticed(event: object) -> None:
    knowledge = Driver(3).knowledge(0)
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, events=[*knowledge.events, event]))


def test_tiles_that_the_set_does_not_have_are_noticed() -> None:
    knowledge = Driver(3).play().knowledge(0)
    harbor = replace(COMPONENTS.tiles[1], start=8)
    other = replace(COMPONENTS, tiles=(COMPONENTS.tiles[0], harbor, *COMPONENTS.tiles[2:]))
    with pytest.raises(InconsistentKnowledge):
        Belief(replace(knowledge, components=other))
