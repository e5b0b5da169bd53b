"""Bots choose by what their seat may know, whatever is hidden behind it, and whatever they thought about before."""

from __future__ import annotations

from random import Random

import librt.random
import pytest

from dragonhall.bots import BOT_KINDS
from dragonhall.rules import GAMES
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import Options
from tests.bots.playing import Question, play
from tests.rules.dragons_tables import SEATS, VARIANTS, variant_name

KINDS = BOT_KINDS["dragons"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_another_hidden_world_changes_no_choice(kind: str, seats: int, options: Options) -> None:
    rng = Random(f"{kind}/{seats}/{options}")
    differed = 0

    def check(question: Question, code: int) -> None:
        nonlocal differed
        if rng.random() > 0.15:
            return
        world = DRAGONS.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
        differed += list(world.deal.order) != list(question.state.deal.order)
        seed = rng.getrandbits(32)
        assert question.ask(KINDS[kind], seed, world) == question.ask(KINDS[kind], seed)

    play([KINDS["greedy"]] * (seats - 1) + [KINDS[kind]], options, seats, check)
    assert differed > 5


OTHERS = [
    *(("dragons_interest", seats, {}) for seats in (3, 4, 5)),
    *(("dragonisles", seats, {"draft": seats > 2}) for seats in (2, 3, 4, 5)),
]


@pytest.mark.parametrize(("name", "seats", "values"), OTHERS)
def test_hands_and_purses_of_others_change_no_choice(name: str, seats: int, values: dict[str, bool]) -> None:
    game, greedy = GAMES[name], BOT_KINDS[name]["greedy"]
    rng = Random(f"{name}/{seats}")
    differed = 0

    def check(question: Question, code: int) -> None:
        nonlocal differed
        if rng.random() > 0.5:
            return
        world = game.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
        differed += any(world.view(seat) != question.state.view(seat) for seat in range(seats))
        seed = rng.getrandbits(32)
        assert question.ask(greedy, seed, world) == question.ask(greedy, seed)

    play([greedy] * seats, game.make_options(values), seats, check, game)
    assert differed > 5


@pytest.mark.parametrize("name", ["dragons_interest", "dragonisles"])
def test_who_comes_back_to_any_game_plays_as_if_it_had_been_there(name: str) -> None:
    greedy = BOT_KINDS[name]["greedy"]

    def check(question: Question, code: int) -> None:
        assert question.ask(greedy, 0) == code

    play([greedy] * 3, GAMES[name].make_options({}), 1, check, GAMES[name])


@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_who_sits_down_in_mid_game_plays_as_if_it_had_been_there(options: Options) -> None:
    """With luck left out (the policy's random numbers are only for bluffs), memory makes no difference."""

    def check(question: Question, code: int) -> None:
        if not options.hidden_card or not question.state.is_placing():
            assert question.ask(KINDS["greedy"], 0) == code

    play([KINDS["greedy"]] * 3, options, 1, check)


def test_same_random_numbers_same_choices() -> None:
    options = Options(hidden_card=True)

    def choices() -> list[int]:
        made: list[int] = []
        play([KINDS["greedy"], KINDS["random"], KINDS["greedy"]], options, 7, lambda _, code: made.append(code))
        return made

    assert choices() == choices()
