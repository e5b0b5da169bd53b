"""The examples that the rulebook prints, played."""

from __future__ import annotations

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragonisles import events
from dragonhall.rules.dragonisles.moves import Advance
from dragonhall.rules.dragonisles.outcome import Breakdown, breakdown
from dragonhall.rules.dragonisles.player import count_in, one
from tests.rules.dragonisles_tables import Arranged, Script, arranged, challenge, encounter, treasure

OTHERS = ("Tanuki", "Luck Dragon", "Sea Dragon")


def test_a_roll_of_1_3_2_2_beats_the_onis_strike_of_7() -> None:
    """Challenge, 2."""
    state = arranged(
        characters=["warrior", "monk"],
        hands=["yellow 1, yellow 4, yellow 6, yellow 9, red 1"],
        board=(encounter("Oni", "land"), *OTHERS),
    )
    table = Arranged(state, Script(dice=[1, 3, 2, 2]))
    table.act(challenge("strike", "yellow 1, yellow 4, yellow 6, yellow 9"))
    assert table.told(events.ChallengeEnded) == [events.ChallengeEnded(0, total=8, target=7, succeeded=True)]
    assert state.view(None).seats[0].encounters == (encounter("Oni", "land"),)


def test_a_roll_of_2_4_1_and_1_from_the_track_beats_the_kitsunes_sneak_of_7() -> None:
    """Experience Track."""
    state = arranged(
        characters=["monk", "warrior"],
        hands=["red 6, green 7, blue 8"],
        board=(encounter("Kitsune", "land"), *OTHERS),
        cubes=[[1, 0, 0, 0]],
    )
    table = Arranged(state, Script(dice=[2, 4, 1]))
    table.act(challenge("sneak", "red 6, green 7, blue 8"))
    assert table.told(events.ChallengeEnded) == [events.ChallengeEnded(0, total=8, target=7, succeeded=True)]


def test_the_action_keys_examples_are_challenges() -> None:
    """Action Key: 6, 7, 8; three 8s; three yellow cards."""
    table = Arranged(arranged(hands=["red 6, blue 7, red 8, green 8, blue 8, yellow 1, yellow 2, yellow 11"]))
    assert ["red 6", "red 8", "blue 7"] in table.challenges(0, "sneak")
    assert ["red 8", "green 8", "blue 8"] in table.challenges(0, "steal")
    assert ["yellow 1", "yellow 2", "yellow 11"] in table.challenges(0, "strike")


def test_the_warriors_three_trophies_are_worth_6_with_the_track_on_2() -> None:
    """Trophies (Experience Track): Oni, Dragon and Variety."""
    state = arranged(characters=["warrior", "monk"], cubes=[[0, 0, 2, 0]])
    state.trophies[0] = state.trophies[1] = 0
    state.players[0].variety_trophy = True
    assert breakdown(state, 0).trophy_track == 6


def test_crashing_waves_cave_counts_as_two_location_symbols() -> None:
    """Challenge Succeeds, Note."""
    run = "red 1, red 2, red 3, red 4, red 5, red 6"
    state = arranged(hands=[run], board=("Crashing Waves Cave", *OTHERS))
    table = Arranged(state, Script(dice=[4, 4, 4, 4, 4, 4]))
    table.act(challenge("sneak", run))
    assert count_in(state.players[0].symbols, 4) == 2
    assert state.view(None).seats[0].symbols.location == 2


def test_advances_are_as_many_as_challenges_completed() -> None:
    """Experience Track, Tip."""
    state = arranged(hands=["red 1, red 2, red 3"])
    table = Arranged(state, Script(dice=[4, 4, 4]))
    table.play(challenge("strike", "red 1, red 2, red 3"), Advance("rerolls"))
    seat = state.view(None).seats[0]
    assert sum(seat.positions) == len(seat.encounters) == 1


def test_the_monks_35_points() -> None:
    """Count Up Your Victory Points, Example."""
    state = arranged(characters=["monk", "trader"], cubes=[[0, 0, 2, 0]])
    monk = state.players[0]
    points = [("Sea Dragon", 4), ("Oni", 2), ("Kasha", 1), ("Jatai", 1), ("Rain Dragon", 5), ("Crashing Waves Cave", 4)]
    kinds = [encounter(name) for name, _ in points] + [encounter("Thorned Pass")]
    monk.encounters = vec[i64](kinds)
    monk.treasures = vec[i64]([treasure("Bakemono Scroll"), treasure("Omamori")])
    monk.symbols = sum(one(kind) for kind in range(5))
    state.trophies[2] = 0
    monk.variety_trophy = True
    monk.coins = 3
    assert breakdown(state, 0) == Breakdown(
        encounters=19,
        scrolls=1,
        encounter_trophies=3,
        variety_trophy=5,
        trophy_track=4,
        coins=3,
        coin_value=3,
    )
    assert breakdown(state, 0).score == state.points()[0] == 35


def test_coins_of_the_pirate_count_twice() -> None:
    """Count Up Your Victory Points, 5."""
    state = arranged(characters=["pirate", "monk"])
    state.players[0].coins = state.players[1].coins = 4
    assert [breakdown(state, seat).coins for seat in (0, 1)] == [8, 4]
    assert state.evaluate() == [8, 4]
