"""What the greedy policy does in plain situations of DragonIsles, where a player knows what is right; and its odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import librt.random
import pytest
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.greedy.dragonisles import GreedyDragonIsles
from dragonhall.bots.greedy.dragonisles.odds import success_chances
from dragonhall.bots.policy import Chair
from dragonhall.bots.random_policy import RandomPolicy
from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragonisles.events import ChallengeEnded
from dragonhall.rules.dragonisles.facts import CHARACTERS, POTIONS, Character, Options
from dragonhall.rules.dragonisles.moves import (
    Action,
    Advance,
    Challenge,
    Decline,
    Discard,
    Draw,
    KeepAdventurer,
    KeepTreasure,
    Prepare,
    Reroll,
    UsePotion,
    UseTreasures,
)
from dragonhall.rules.dragonisles.player import one
from dragonhall.rules.dragonisles.state import State
from dragonhall.rules.game import legal_actions
from tests.bots.playing import Question, play
from tests.rules.dragonisles_tables import (
    COMPONENTS,
    SEATS,
    Arranged,
    Script,
    arranged,
    card,
    challenge,
    encounter,
    hand,
    treasure,
)

FACES = COMPONENTS.dice_faces


def chosen(state: State, seen: Sequence[Any] = ()) -> Action:
    """What the policy does, just having sat down in the seat that is asked."""
    seat = state.active
    options = Options(characters=("sorcerer", "warrior"))
    policy = GreedyDragonIsles(Chair(options, COMPONENTS, state.seats, seat), Random(0))
    actions = legal_actions(DRAGONISLES, state, seat)
    action: Action = actions[policy.choose(state.view(seat), list(seen), state.decision(seat), actions)]
    return action


def with_encounters(state: State, seat: int, names: Sequence[str]) -> State:
    """The same with encounters won by a seat before."""
    player = state.players[seat]
    player.encounters = vec[i64]([encounter(name) for name in names])
    for kind in player.encounters:
        player.symbols += state.setting.symbols[kind] * one(state.setting.type[kind])
    return state


# ---- Odds: against every outcome of every die, with every choice of dice and treasures


def by_brute_force(faces: tuple[int, ...], dice: int, needed: int, rerolls: int, charms: tuple[str, ...]) -> float:
    """The chance to reach a total if every choice there is is tried."""

    def rolled(throw: tuple[int, ...], again: Sequence[int], left: tuple[str, ...], may_reroll: bool) -> float:
        return settled(tuple(sorted(throw)), 1 in again, left, may_reroll)

    @cache
    def settled(throw: tuple[int, ...], fresh_one: bool, left: tuple[str, ...], may_reroll: bool) -> float:
        best = float(sum(throw) >= needed)
        if may_reroll:
            for count in range(1, min(rerolls, len(throw)) + 1):
                best = max(best, *(rerolled(throw, which, left) for which in combinations(range(len(throw)), count)))
        if fresh_one:
            for count in range(1, len(left) + 1):
                choices = set(combinations(left, count))
                best = max(best, *(used(throw, choice, left, may_reroll) for choice in choices))
        return best

    def rerolled(throw: tuple[int, ...], which: tuple[int, ...], left: tuple[str, ...]) -> float:
        kept = tuple(die for place, die in enumerate(throw) if place not in which)
        throws = list(product(faces, repeat=len(which)))
        return sum(rolled(kept + again, again, left, False) for again in throws) / len(throws)

    def used(throw: tuple[int, ...], choice: tuple[str, ...], left: tuple[str, ...], may_reroll: bool) -> float:
        rest = tuple((Counter(left) - Counter(choice)).elements())
        extra = list(product(faces, repeat=min(choice.count("extra_die"), 6 - len(throw))))
        return sum(ones_again(throw + more, rest, may_reroll) for more in extra) / len(extra)

    def ones_again(throw: tuple[int, ...], left: tuple[str, ...], may_reroll: bool) -> float:
        kept = tuple(die for die in throw if die != 1)
        throws = list(product(faces, repeat=throw.count(1)))
        return sum(rolled(kept + again, again, left, may_reroll) for again in throws) / len(throws)

    first = list(product(faces, repeat=dice))
    return sum(rolled(throw, throw, charms, True) for throw in first) / len(first)


@pytest.mark.parametrize("dice", range(1, 7))
def test_without_rerolls_the_odds_are_those_of_every_throw(dice: int) -> None:
    throws = [sum(throw) for throw in product(FACES, repeat=dice)]
    chances = success_chances(FACES, dice, 0)
    assert len(chances) == 4 * dice + 2
    for needed, chance in enumerate(chances):
        assert chance == pytest.approx(sum(total >= needed for total in throws) / len(throws))


@pytest.mark.parametrize("charms", [(), ("coin",), ("extra_die",), ("coin", "coin"), ("coin", "extra_die")])
@pytest.mark.parametrize("rerolls", range(3))
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_odds_are_those_of_the_best_choices(dice: int, rerolls: int, charms: tuple[str, ...]) -> None:
    """Rerolls of any dice, and treasures for a rolled 1 used at once or one after another, before and after them."""
    chances = success_chances(FACES, dice, rerolls, charms.count("coin"), charms.count("extra_die"))
    for needed in range(dice, len(chances)):
        assert chances[needed] == pytest.approx(by_brute_force(FACES, dice, needed, rerolls, charms), abs=1e-12)


def test_odds_are_those_of_the_set_s_own_dice() -> None:
    assert success_chances((0, 0, 0, 0, 0, 6), 1, 0)[1] == pytest.approx(1 / 6)
    assert success_chances((1, 6, 6, 6, 6, 6), 2, 0, ones=1)[12] == pytest.approx(1225 / 1296)


# ---- A turn


def test_challenges_what_it_can_hardly_fail() -> None:
    state = arranged(hands=["red 1, red 3, red 5, red 8"], board=["Kasha", "Luck Dragon", "Sea Dragon", None])
    action = chosen(state)
    assert isinstance(action, Challenge)
    assert (action.place, action.approach) == (0, "strike")


def test_prepares_when_a_challenge_has_no_chance() -> None:
    assert chosen(arranged(hands=["red 1"], board=["Luck Dragon", "Sea Dragon", None, None])) == Prepare()


def test_plays_no_wild_card_where_another_will_do() -> None:
    state = arranged(hands=["blue 2, blue 5, blue 8, wild"], board=["Kasha", "Rain Dragon", None, None])
    action = chosen(state)
    assert isinstance(action, Challenge)
    assert card("wild") not in action.cards


def test_chooses_the_encounter_that_brings_more_with_the_same_odds() -> None:
    """Both targets of the STRIKE are 12; the Sea Dragon is worth 4 points, the Hannya 3."""
    hand_ = "red 1, red 3, red 5, red 8, red 10, red 12"
    board: list[str | int | None] = [encounter("Hannya", "sea"), "Sea Dragon", None, None]
    state = with_encounters(arranged(hands=[hand_], board=board), 0, ["Kasha", "Luck Dragon"])
    action = chosen(state)
    assert isinstance(action, Challenge)
    assert (action.place, action.approach) == (1, "strike")


def seven_won(others: Sequence[str]) -> State:
    won = ["Tanuki", "Kamaitachi", "Jatai", "Seto Taisho", "Kasa Obake", "Morinji no Kama", "Shogoro"]
    state = arranged(hands=["red 1, red 3, red 5, red 8"], board=["Kasha", "Luck Dragon", None, None])
    state.turn = 31
    return with_encounters(with_encounters(state, 0, won), 1, others)


def test_ends_the_game_as_its_winner() -> None:
    assert isinstance(chosen(seven_won(["Kitsune"])), Challenge)


def test_does_not_end_a_game_that_it_would_lose() -> None:
    """It may fail on purpose, for a potion."""
    action = chosen(seven_won(["Dragon King", "Eight-Headed Dragon", "Rain Dragon", "Sea Dragon"]))
    if isinstance(action, Challenge):
        targets = COMPONENTS.encounters[encounter(["Kasha", "Luck Dragon"][action.place])]
        target = targets.target(action.approach)
        assert target is not None
        assert max(FACES) * len(action.cards) < target.target


def last_with_a_potion(character: Character) -> State:
    """One encounter to go, one card in hand, and a potion for two."""
    state = seven_won(["Kitsune"])
    state.players[0].character = CHARACTERS.index(character)
    state.players[0].hand = 1
    state.players[0].potions = one(POTIONS.index("draw_two"))
    state.potion_pile -= state.players[0].potions
    return state


def test_uses_draw_potions_when_cards_decide_the_game() -> None:
    assert chosen(last_with_a_potion("warrior")) == UsePotion("draw_two")


def test_the_monk_takes_its_card_with_a_potion() -> None:
    assert chosen(last_with_a_potion("monk")) == UsePotion("draw_two", draw=True)


# ---- Cards


def test_takes_from_the_tavern_what_it_collects() -> None:
    table = Arranged(
        arranged(hands=["blue 2, blue 5, blue 8, blue 10"], tavern="red 12, blue 11", board=["Sea Dragon"])
    )
    table.act(Prepare())
    assert chosen(table.state) == Draw(1)


def test_discards_what_belongs_to_no_plan() -> None:
    table = Arranged(
        arranged(
            ("warrior", "monk"),
            hands=["blue 2, blue 5, blue 8, blue 10, blue 12, red 7"],
            tavern="blue 1, blue 3",
            board=["Rain Dragon", "Sea Dragon", None, None],
        )
    )
    table.play(Prepare(), Draw(0), Draw(1))
    assert chosen(table.state) == Discard(hand("red 7"))


def test_the_trader_keeps_the_card_that_fits() -> None:
    table = Arranged(
        arranged(
            ("trader", "monk"),
            hands=["red 2, red 6, blue 3, blue 5, blue 8, blue 10"],
            deck="yellow 12, blue 11, green 12",
            board=["Kasha", "Rain Dragon", None, None],
            next_treasures=["Mirror", "Jewel"],
        ),
        Script(dice=[3, 3]),
    )
    table.play(challenge("strike", "red 2, red 6"), Advance("strike"), KeepTreasure(treasure("Mirror")))
    assert chosen(table.state) == KeepAdventurer(card("blue 11"))


# ---- Dice


def rolled(dice: Sequence[int], **more: Any) -> Arranged:
    """STRIKE with three cards; the Hannya's target is 12, the Kasha's 4."""
    board = [encounter("Hannya", "sea"), encounter("Kasha", "land"), None, None]
    return Arranged(arranged(hands=["red 1, red 3, red 5"], board=board, **more), Script(dice=dice))


def test_uses_boosts_when_they_are_enough() -> None:
    table = rolled([4, 3, 2], characters=("warrior", "monk"), potions=[{"boost": 2}])
    table.act(challenge("strike", "red 1, red 3, red 5"))
    assert chosen(table.state) == UsePotion("boost")
    table.act(UsePotion("boost"))
    assert chosen(table.state) == UsePotion("boost")


def test_keeps_boosts_that_are_not_enough() -> None:
    table = rolled([3, 2, 2], characters=("warrior", "monk"), potions=[{"boost": 2}])
    table.act(challenge("strike", "red 1, red 3, red 5"))
    assert chosen(table.state) == Decline()


def test_keeps_boosts_after_a_success() -> None:
    table = rolled([3, 2, 2], characters=("warrior", "monk"), potions=[{"boost": 2}])
    table.act(challenge("strike", "red 1, red 3, red 5", place=1))
    assert chosen(table.state) == Decline()


def test_rerolls_the_lowest_dice_of_a_failure() -> None:
    table = rolled([4, 1, 4], cubes=[[0, 0, 2, 0]])
    table.act(challenge("strike", "red 1, red 3, red 5"))
    assert chosen(table.state) == Reroll((1,))


def test_rerolls_no_dice_of_a_success() -> None:
    table = rolled([1, 2, 1], cubes=[[0, 0, 2, 0]])
    table.act(challenge("strike", "red 1, red 3, red 5", place=1))
    assert chosen(table.state) == Decline()


def test_takes_a_coin_for_a_rolled_one() -> None:
    table = rolled([4, 1, 4], treasures=[["Omamori"]])
    table.act(challenge("strike", "red 1, red 3, red 5"))
    assert chosen(table.state) == UseTreasures((treasure("Omamori"),))


def test_risks_no_success_for_an_extra_die() -> None:
    """With a set whose dice may show 0 a reroll of a 1 could cost the success; with these it cannot."""
    table = rolled([4, 1, 4], treasures=[["Lucky Mallet"]])
    table.act(challenge("strike", "red 1, red 3, red 5"))
    assert chosen(table.state) == UseTreasures((treasure("Lucky Mallet"),))


# ---- What a success earns


def after_success(
    *, next_treasures: Sequence[str], won: Sequence[str] = (), cubes: Sequence[int] = (0, 0, 0, 0)
) -> Arranged:
    """The Warrior has won a Kasha and is to advance."""
    state = arranged(
        ("warrior", "monk"),
        hands=["red 1, red 3, red 5, blue 2"],
        board=["Kasha", "Luck Dragon", "Sea Dragon", None],
        next_treasures=next_treasures,
        cubes=[cubes],
    )
    table = Arranged(with_encounters(state, 0, won), Script(dice=[3, 3]))
    return table.play(challenge("strike", "red 1, red 3"))


def test_keeps_the_scroll_that_earns_the_variety_trophy() -> None:
    table = after_success(
        next_treasures=["Tsukumogami Scroll", "Inuharaku"],
        won=["Luck Dragon", "Tanuki", "Thorned Pass"],
        cubes=(1, 0, 0, 0),
    )
    table.act(Advance("strike"))
    assert chosen(table.state) == KeepTreasure(treasure("Tsukumogami Scroll"))


def test_advances_where_it_gets_most() -> None:
    """With the last encounter only what counts at once is worth something: here, one more point for each trophy."""
    won = ["Luck Dragon", "Tanuki", "Thorned Pass", "Jatai", "Kamaitachi", "Kitsune", "Oni"]
    table = after_success(next_treasures=[], won=won, cubes=(0, 0, 1, 0))
    assert chosen(table.state) == Advance("trophies")


# ---- Whole games


@pytest.mark.parametrize("seats", SEATS)
def test_one_greedy_among_random_bots_wins(seats: int) -> None:
    """The same deals from every seat. By chance it would win one game in ``seats``."""
    for seat in range(seats):
        policies: list[Any] = [GreedyDragonIsles if place == seat else RandomPolicy for place in range(seats)]
        assert play(policies, Options(), 0, game=DRAGONISLES).winners() == (seat,)


@pytest.mark.parametrize("options", [Options(), Options(draft=True)], ids=["drawn", "draft"])
def test_most_challenges_among_its_like_succeed(options: Options) -> None:
    ended: list[bool] = []

    def note(question: Question, code: int) -> None:
        last[:] = question.seen

    last: list[Any] = []
    play([GreedyDragonIsles] * 4, options, 1, note, DRAGONISLES)
    ended += [event.succeeded for event in last if isinstance(event, ChallengeEnded)]
    assert len(ended) > 20
    assert sum(ended) > 0.5 * len(ended)


@pytest.mark.parametrize("seats", SEATS)
def test_another_hidden_world_changes_no_choice(seats: int) -> None:
    rng = Random(seats)
    asked = 0

    def check(question: Question, code: int) -> None:
        nonlocal asked
        assert question.ask(GreedyDragonIsles, 0) == code, "who has just sat down does the same"
        if rng.random() < 0.3:
            world = DRAGONISLES.sample(question.knowledge, librt.random.Random(rng.getrandbits(32)))
            assert question.ask(GreedyDragonIsles, 0, world) == code
            asked += 1

    play([GreedyDragonIsles] * seats, Options(draft=True), seats, check, DRAGONISLES)
    assert asked > 10
