"""What holds for every game, whatever its rules are, in random games: ``--games`` for each game and number of seats."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from librt.random import Random as PlayoutRandom

from dragonhall.rules import GAMES
from dragonhall.rules.actions import code_at, codes_of
from dragonhall.rules.chance import RandomChance, RecordedChance
from dragonhall.rules.errors import IllegalAction, InconsistentKnowledge, InvalidOptions
from dragonhall.rules.game import Knowledge, legal_actions
from dragonhall.rules.journal import Journal
from tests.rules.driver import Driver, PlayedGame, seeded
from tests.rules.every_game import CASES, PLAYED, Case, looked_at
from tests.rules.refused import NO_CHANCE, check_not_asked

each_case = pytest.mark.parametrize("case", CASES, ids=str)
SEATS = {"dragons": (3, 6), "dragons_interest": (3, 5), "dragonisles": (2, 5)}
"""As the rulebooks say."""
EDGES = (-1, 31, 32, 63, 64, 2**31, 2**32, 2**63, 2**64, 2**200, -(2**63), -(2**64) - 1)
"""Where the numbers of a machine end, and beyond."""


@pytest.fixture
def games(request: pytest.FixtureRequest) -> int:
    """Random games for each game and number of seats."""
    number: int = request.config.getoption("--games")
    return number


def test_every_game_is_tried() -> None:
    assert PLAYED.keys() == GAMES.keys()


@pytest.mark.parametrize("game", PLAYED)
def test_random_games_come_to_every_decision_and_every_action(game: str) -> None:
    """Else much of what is tried below would be tried of a few questions only."""
    asked: set[type] = set()
    taken: set[type] = set()
    for case in CASES:
        if case.played.game.name == game:
            for number in range(3):
                for step in case.driver(number).finish(case.rng(number)).steps:
                    asked.update(type(ticket.decision) for ticket in step.opened)
                    taken.add(type(step.action))
    assert asked >= set(PLAYED[game].decisions) - PLAYED[game].rare
    assert taken >= set(PLAYED[game].actions) - PLAYED[game].rare


# ---- Setting up


@each_case
def test_options_are_made_from_their_names(case: Case) -> None:
    options = case.played.variants[case.variant]
    assert case.played.game.make_options(vars(options)) == options


@pytest.mark.parametrize("game", PLAYED)
def test_a_game_is_for_its_numbers_of_seats(game: str) -> None:
    played, (least, most) = PLAYED[game], SEATS[game]
    assert list(played.seats) == list(range(least, most + 1))
    for seats in (-1, 0, least - 1, most + 1, 2**64):
        check_no_game(played, {}, seats, "seats")


@pytest.mark.parametrize("game", PLAYED)
def test_the_first_seat_is_one_of_the_games_seats(game: str) -> None:
    played = PLAYED[game]
    for seats in played.seats:
        Driver[Any](played, seats, played.game.make_options({"first_seat": seats - 1}))
        for beyond in (seats, -1, 2**64):
            check_no_game(played, {"first_seat": beyond}, seats, "first_seat")


def check_no_game(played: PlayedGame, options: dict[str, object], seats: int, field: str) -> None:
    with pytest.raises(InvalidOptions) as refused:
        Driver[Any](played, seats, played.game.make_options(options), seeded(0, bytes(32)))
    assert refused.value.field == field


# ---- States


@each_case
def test_a_copy_and_its_original_do_not_touch_each_other(case: Case, games: int) -> None:
    everything = case.played.everything
    for number in case.numbers(games):
        kept = []
        for driver in looked_at(case.driver(number), case.rng(number)):
            original = everything(driver.state)
            twin = driver.state.copy()
            assert everything(twin) == original
            twin.play_out(PlayoutRandom(number))
            assert twin.is_over()
            assert everything(driver.state) == original
            kept.append((driver.state.copy(), original))
        assert all(everything(copy) == original for copy, original in kept)


@each_case
def test_the_same_answers_lead_through_the_same_states(case: Case, games: int) -> None:
    """With the same seed, and with nothing but the chance that was recorded. So a game is undone: by a replay."""
    everything = case.played.everything
    for number in case.numbers(games):
        first = case.driver(number)
        states = [everything(moment.state) for moment in first.moments(case.rng(number))]
        states.append(everything(first.state))
        chance = RecordedChance([outcome for step in first.steps for outcome in step.chance])
        for again in (case.driver(number), Driver[Any](case.played, case.seats, first.options, chance)):
            assert everything(again.state) == states[0]
            for step, state in zip(first.steps[1:], states[1:], strict=True):
                again.act(step.action, step.seat)
                assert everything(again.state) == state
            assert again.steps == first.steps


@each_case
def test_what_seats_choose_together_comes_to_the_same_in_any_order(case: Case, games: int) -> None:
    """Nobody is told or asked anything new before the last of them has answered."""
    for number in case.numbers(games):
        driver = case.driver(number).finish(case.rng(number))
        again = case.driver(number)
        answers: dict[int, Any] = {}
        for step in driver.steps[1:]:
            assert step.seat is not None
            answers[step.seat] = step.action
            if sorted(answers) == again.waiting:
                answer_in_seat_order(again, answers)
                answers.clear()
        assert case.played.everything(again.state) == case.played.everything(driver.state)
        assert all(again.told(viewer) == driver.told(viewer) for viewer in (*range(case.seats), None))


def answer_in_seat_order(driver: Driver[Any], answers: dict[int, Any]) -> None:
    asked = [asked_of(driver, seat) for seat in answers]
    for seat, waiting in zip(sorted(answers), range(len(answers), 0, -1), strict=True):
        assert [asked_of(driver, other) for other in answers if other in driver.waiting] == [
            question for question in asked if question[0] in driver.waiting
        ]
        events = driver.act(answers[seat], seat)
        assert waiting == 1 or not events


def asked_of(driver: Driver[Any], seat: int) -> tuple[object, ...]:
    state = driver.state
    return seat, state.legal_runs(seat), state.decision(seat), state.public_decision(seat)


@each_case
@pytest.mark.parametrize("answers", [0, 20])
def test_a_playout_takes_legal_actions_only(case: Case, answers: int, games: int) -> None:
    """Played beside it with the checks of `apply`, from the same random numbers; from the start, and from later on."""
    for number in case.numbers(games):
        driver, rng = case.driver(number), case.rng(number)
        for _ in range(answers):
            if driver.waiting:
                driver.step(rng)
        unchecked, checked = driver.state, driver.state.copy()
        actions = unchecked.play_out(PlayoutRandom(number))
        luck = PlayoutRandom(number)
        for _ in range(actions):
            seat = checked.pending()[0]
            runs = checked.legal_runs(seat)
            code = code_at(runs, luck.randrange(sum(run.size for run in runs)))
            checked.apply(seat, code, RandomChance(luck), None)
        assert checked.is_over()
        assert case.played.everything(checked) == case.played.everything(unchecked)


@each_case
def test_a_playout_in_pieces_is_the_same_playout(case: Case, games: int) -> None:
    for number in case.numbers(games):
        whole = case.driver(number).state
        pieces = whole.copy()
        actions = whole.play_out(PlayoutRandom(number))
        luck, played = PlayoutRandom(number), []
        while not pieces.is_over():
            played.append(pieces.play_out(luck, 7))
        assert sum(played) == actions
        assert set(played[:-1]) <= {7}
        assert case.played.everything(pieces) == case.played.everything(whole)


# ---- Codes


@each_case
def test_legal_codes_are_applied_and_all_others_are_refused_without_a_trace(case: Case, games: int) -> None:
    for number in case.numbers(games):
        rng = case.rng(number)
        for driver in looked_at(case.driver(number), rng):
            seat = rng.choice(driver.waiting)
            legal = driver.state.legal_actions(seat)
            assert legal == sorted(set(legal)) == codes_of(driver.state.legal_runs(seat))
            assert 0 <= legal[0] <= legal[-1] < 2**64
            untouched = case.played.everything(driver.state)
            chosen = set(rng.sample(legal, min(6, len(legal))))
            near = {code + step for code in (*legal[:8], *legal[-8:], *chosen) for step in (-1, 0, 1)}
            for code in {*near, *range(-2, 12), *EDGES}.difference(legal):
                check_refused(case, driver, seat, code)
            for code in sorted({legal[0], legal[-1], *chosen}):
                check_applied(case, driver, seat, code)
            assert case.played.everything(driver.state) == untouched


def check_refused(case: Case, driver: Driver[Any], seat: int, code: int) -> None:
    state, journal = driver.state.copy(), Journal()
    assert not state.is_legal(seat, code)
    with pytest.raises(IllegalAction):
        state.apply(seat, code, NO_CHANCE, journal)
    with pytest.raises(IllegalAction):
        case.played.game.action(state, seat, code)
    assert case.played.everything(state) == case.played.everything(driver.state)
    assert not journal.entries


def check_applied(case: Case, driver: Driver[Any], seat: int, code: int) -> None:
    state, journal = driver.state.copy(), Journal()
    assert state.is_legal(seat, code)
    state.apply(seat, code, case.played.later_chance(), journal)
    assert case.played.everything(state) != case.played.everything(driver.state)
    assert bool(journal.entries) == (len(driver.waiting) == 1)


@each_case
def test_codes_and_actions_are_each_others_inverse(case: Case, games: int) -> None:
    game = case.played.game
    for number in case.numbers(games):
        rng = case.rng(number)
        for driver in looked_at(case.driver(number), rng):
            for seat in driver.waiting:
                actions, runs = legal_actions(game, driver.state, seat), driver.state.legal_runs(seat)
                for index in {0, len(actions) - 1, *(rng.randrange(len(actions)) for _ in range(8))}:
                    code = code_at(runs, index)
                    assert game.action(driver.state, seat, code) == actions[index]
                    assert game.code(driver.state, seat, actions[index]) == code


# ---- Who is asked, and who looks


@each_case
def test_only_seats_that_are_asked_may_act(case: Case, games: int) -> None:
    for number in case.numbers(games):
        for driver in looked_at(case.driver(number), case.rng(number)):
            asked = driver.waiting[0]
            code = driver.state.legal_actions(asked)[0]
            action = case.played.game.action(driver.state, asked, code)
            for seat in {*range(case.seats), -1, case.seats, 2**64}.difference(driver.waiting):
                check_not_asked(case.played, driver.state, seat, action, code)


@each_case
def test_when_the_game_is_over_nobody_may_act(case: Case) -> None:
    driver = case.driver()
    action = driver.finish(case.rng()).steps[-1].action
    assert driver.state.is_over()
    assert driver.state.pending() == driver.waiting == []
    for seat in range(case.seats):
        refusals = check_not_asked(case.played, driver.state, seat, action)
        assert all(refusal.message == "the game is over" for refusal in refusals)


@each_case
def test_there_is_no_view_from_a_seat_that_does_not_exist(case: Case) -> None:
    for viewer in (-1, case.seats, 2**64):
        with pytest.raises(ValueError, match=f"no seat {viewer}"):
            case.driver().state.view(viewer)


@each_case
def test_a_look_changes_nothing(case: Case, games: int) -> None:
    for number in case.numbers(games):
        for driver in looked_at(case.driver(number), case.rng(number)):
            untouched = case.played.everything(driver.state)
            for viewer in (*range(case.seats), None):
                assert driver.state.view(viewer) == driver.state.view(viewer)
            driver.state.evaluate()
            assert case.played.everything(driver.state) == untouched


# ---- The end


@each_case
def test_ranks_and_scores_follow_from_the_breakdown(case: Case, games: int) -> None:
    for number in case.numbers(games):
        driver = case.driver(number)
        with pytest.raises(ValueError, match="not over"):
            driver.state.outcome()
        state = driver.finish(case.rng(number)).state
        outcome = state.outcome()
        assert [result.seat for result in outcome.results] == list(range(case.seats))
        standings = [case.played.standing(result) for result in outcome.results]
        for result, own in zip(outcome.results, standings, strict=True):
            assert result.score == result.breakdown.score
            assert result.rank == 1 + sum(other > own for other in standings)
        assert outcome.winners()


# ---- Beliefs


@each_case
def test_a_sampled_world_is_the_table_as_far_as_its_reader_knows(case: Case, games: int) -> None:
    for number in case.numbers(games // 4):
        rng = case.rng(number)
        for driver in looked_at(case.driver(number), rng):
            viewer = rng.choice([*range(case.seats), None])
            belief, luck = case.played.game.belief(driver.knowledge(viewer)), rng.randrange(2**32)
            world = belief.sample(PlayoutRandom(luck))
            check_world(world, driver.state, viewer)
            sampled = case.played.everything(world)
            world.play_out(PlayoutRandom(luck))
            assert world.is_over()
            assert case.played.everything(belief.sample(PlayoutRandom(luck))) == sampled
        for viewer in (0, None):
            world = case.played.game.sample(driver.knowledge(viewer), PlayoutRandom(number))
            assert world.outcome() == driver.state.outcome()


def check_world(world: Any, state: Any, viewer: int | None) -> None:
    assert world.view(viewer) == state.view(viewer)
    assert world.pending() == state.pending()
    for seat in state.pending():
        assert world.public_decision(seat) == state.public_decision(seat)
    if viewer in state.pending():
        assert world.decision(viewer) == state.decision(viewer)
        assert world.legal_runs(viewer) == state.legal_runs(viewer)


@each_case
def test_knowledge_that_does_not_fit_together_is_noticed(case: Case, games: int) -> None:
    """A view that is older than the events, events of another game, no events at all, no seats at all."""
    for number in case.numbers(games):
        driver, other, rng = case.driver(number), case.driver(number + 1), case.rng(number)
        old = driver.state.view(0)
        for _ in range(20):
            driver.step(rng)
            other.step(rng)
        knowledge = driver.knowledge(0)
        case.played.game.belief(knowledge)
        check_inconsistent(case, replace(knowledge, view=old))
        check_inconsistent(case, replace(knowledge, view=replace(knowledge.view, seats=())))
        check_inconsistent(case, replace(knowledge, events=[]))
        check_inconsistent(case, replace(knowledge, events=other.told(0)))


def check_inconsistent(case: Case, knowledge: Knowledge) -> None:
    with pytest.raises((InconsistentKnowledge, InvalidOptions)):
        case.played.game.belief(knowledge)
