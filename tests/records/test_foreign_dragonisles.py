"""The foreign reader of DragonIsles in depth: what is rare, sets with which things run out, chance, views, prompts."""

from __future__ import annotations

import base64
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import pytest

from tests.records.foreign_dragonisles import Isles, rebuild
from tests.records.foreign_isles_facts import CHARACTERS
from tests.records.foreign_isles_parts import GAME
from tests.records.foreign_isles_prompts import legal_actions
from tests.records.foreign_isles_views import view
from tests.records.games import Played, dragonisles_set, json_of, moments_of, prompts_of, view_of, written
from tests.rules.derivation import game_key, number_below, shuffled, words

SEATS = range(2, 6)
Edit = tuple[str, str]


def _edited(*edits: Edit) -> str:
    """A component set, from patterns and what takes their place."""
    text = dragonisles_set()
    for pattern, new in edits:
        text, found = re.subn(pattern, new, text)
        assert found, pattern
    return text


def _dice(*faces: int) -> Edit:
    return r"faces = \[.*\]", f"faces = {list(faces)}"


def _potions(**counts: int) -> list[Edit]:
    return [(rf"\n{potion} = \d+", f"\n{potion} = {count}") for potion, count in counts.items()]


EVERYTHING_EARNS_TREASURES: list[Edit] = [
    (r"target = (\d+)[^}]*", r'target = \1, bonus = "treasure" '),
    (r'"(potion|coin|)"(?=[,\]])', '"treasure"'),
]
COIN_RAIN = _edited(
    *(*EVERYTHING_EARNS_TREASURES, _dice(1, 1, 8, 8, 9, 9), (r"value = (5|10)", "value = 1")),
    *((r'benefit = "draw_1"', 'benefit = "coin"'), (r"\nwhen = .*", "")),
)
"""Soon all coins and all treasures are in play."""
FULL_HANDS = _edited(
    *(*EVERYTHING_EARNS_TREASURES, _dice(1, 1, 1, 1, 9, 9)),
    *((r'benefit = ".*"', 'benefit = "coin"'), (r'(rolled_one"\nbenefit =) "coin"', r'\1 "draw_1"')),
    (r'("hand_limit", start =) \d+, values = \[[^]]*\], rewards = \[[^]]*\]', r'\1 12, values = [12], rewards = [""]'),
)
"""Five hands take up nearly all adventurer cards, and in challenges the rest is drawn."""
FEW_POTIONS = _edited(_dice(1, 1, 1, 3, 3, 9), *_potions(boost=0, draw_two=0, draw_one_and_clear=20))
"""Challenges fail, and hardly ever is the one kind of potion used."""
ONE_SEA = _edited((r'(name = "(?!Dragon King).*\n.*\n.*\n)category = "sea"', r'\1category = "land"'))
NO_SEA = _edited((r'category = "sea"', 'category = "land"'))
EASY = dragonisles_set()


@dataclass(frozen=True)
class Case:
    components: str
    happens: set[str]
    """What must be seen in its games."""
    seats: range = SEATS
    choices: range = range(3)
    never: set[str] = field(default_factory=set)
    draws: tuple[float, ...] = ()
    """As in Played; none: as choices say."""
    options: dict[str, Any] = field(default_factory=dict)

    def games(self) -> Iterator[Played]:
        for seats, choices in product(self.seats, self.choices):
            yield _played(seats, choices, self.components, self.draws, **self.options)


def _played(seats: int, choices: int, components: str, draws: tuple[float, ...] = (), **options: Any) -> Played:
    """Of seats that mostly challenge, or mostly prepare."""
    often = draws or (0.0, 0.3, 0.6)[choices % 3]
    return Played(seats, options, bytes([choices] * 32), True, choices, often, GAME, components)


CASES = {
    "default set": Case(
        components="",
        choices=range(1, 3),
        options={"draft": True},
        happens={
            *("gameStarted", "characterChosen", "handDealt", "encounterRevealed", "tavernRefilled", "turnStarted"),
            *("preparationStarted", "tavernCardTaken", "cardDrawn", "cardsDiscarded HAND_LIMIT", "potionUsed"),
            *("cardsDiscarded PLAYED", "cardsDiscarded TRADER", "challengeStarted", "treasuresUsed", "challengeEnded"),
            *("diceRolled CHALLENGE", "diceRolled ONES", "diceRolled REROLLS"),
            *("choiceDeclined ONES", "choiceDeclined REROLL", "choiceDeclined BOOST", "encounterWon"),
            *("encounterTrophyTaken", "encounterTrophyTaken from a seat", "varietyTrophyTaken", "trackAdvanced"),
            *("potionEarned", "coinEarned", "coinEarned by a treasure", "treasuresOffered 2", "treasureKept"),
            *("adventurersOffered 3", "adventurerKept", "questBoardCleared FOUR_ALIKE", "questBoardCleared POTION"),
            *("deckShuffled ADVENTURERS", "deckShuffled ENCOUNTERS", "a card with a potion"),
        },
    ),
    "easy": Case(EASY, {"tie for score"}, choices=range(6)),
    "coin rain": Case(
        COIN_RAIN,
        {"coinTaken", "deckShuffled TREASURES", "treasuresOffered 1", "nothingLeft TREASURE", "diceRolled EXTRA_DIE"},
    ),
    "coins of one seat": Case(COIN_RAIN, {"nothingLeft COIN"}, range(2, 3), range(6), draws=(0, 1)),
    "full hands": Case(
        FULL_HANDS,
        {"nothingLeft ADVENTURER", "adventurersOffered 1", "adventurersOffered 2", "a Tavern card is not replaced"},
        seats=range(5, 6),
        choices=range(8),
        draws=(0.3, 1, 1, 1, 1),
        options={"characters": ("trader", "monk", "sorcerer", "warrior", "pirate")},
    ),
    "few potions": Case(FEW_POTIONS, {"potionTaken", "questBoardCleared POTION"}),
    "potions of one seat": Case(FEW_POTIONS, {"nothingLeft POTION"}, range(2, 3), draws=(0, 1)),
    "one sea": Case(ONE_SEA, {"questBoardCleared FOUR_ALIKE", "deckShuffled ENCOUNTERS"}),
    "no sea": Case(NO_SEA, {"questBoardCleared POTION"}, never={"questBoardCleared FOUR_ALIKE"}),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_the_foreign_reader_agrees_on_whatever_may_happen(case: Case) -> None:
    seen: Counter[str] = Counter()
    for played in case.games():
        record = json_of(played)
        assert rebuild(record) == written(record)
        seen.update(_what_happened(record))
    assert case.happens <= set(seen)
    assert not case.never & set(seen)


def _what_happened(record: dict[str, Any]) -> Iterator[str]:
    for step in record["steps"]:
        told = [item for event in step["events"] for item in event["event"][GAME].items()]
        kinds = [kind for kind, _ in told]
        yield from ["a Tavern card is not replaced"] * ("tavernCardTaken" in kinds and "tavernRefilled" not in kinds)
        for kind, fields in told:
            yield kind
            yield from _what_is_special(kind, fields)
    for standing in ("rank", "score"):
        places = [result.get(standing, 0) for result in record["outcome"]["results"]]
        yield from [f"tie for {standing}"] * (len(set(places)) < len(places))


def _what_is_special(kind: str, fields: dict[str, Any]) -> Iterator[str]:
    """Enum values by their last words, and optional fields."""
    for name in ("cause", "choice", "earning", "deck", "count"):
        if name in fields:
            yield f"{kind} {re.sub('^.*(CAUSE|DECLINED|EARNING|DECK)_', '', str(fields[name]))}"
    yield from [f"{kind} from a seat"] * ("fromSeat" in fields)
    yield from [f"{kind} by a treasure"] * ("treasure" in fields)
    yield from ["a card with a potion"] * ("draw" in fields)


@pytest.mark.parametrize("seats", SEATS)
def test_characters_that_were_chosen_play(seats: int) -> None:
    for first in range(len(CHARACTERS)):
        names = [CHARACTERS[(first + seat) % len(CHARACTERS)] for seat in range(seats)]
        chosen = tuple(name.lower() for name in names)
        record = json_of(_played(seats, first, EASY, characters=chosen, first_seat=first % seats))
        assert rebuild(record) == written(record)
        assert record["steps"][0]["events"][0]["event"][GAME]["gameStarted"]["characters"] == [
            f"CHARACTER_{n}" for n in names
        ]


@pytest.mark.parametrize("components", [COIN_RAIN, ONE_SEA], ids=["coin rain", "one sea"])
def test_all_chance_follows_from_seed_and_nonces(components: str) -> None:
    """Later shuffles, too: what was discarded stood in the order in which it was."""
    shuffles: Counter[str] = Counter()
    for seats, choices in product(SEATS, range(2)):
        record = json_of(_played(seats, choices, components, draft=choices == 1))
        nonces = [base64.b64decode(seat["nonce"]) for seat in record["seats"]]
        key = game_key(base64.b64decode(record["seed"]), nonces)
        lots = _over(record).lots
        streams = {name: words(key, name) for name, _, _ in lots}
        for name, before, outcome in lots:
            draw = shuffled if isinstance(before, list) else number_below
            assert outcome == draw(streams[name], before)
            shuffles[name] += isinstance(before, list)
    assert shuffles["dragonisles/adventurers"] > len(SEATS) * 2


def _over(record: dict[str, Any]) -> Isles:
    table = Isles(record)
    for step in record["steps"][1:]:
        table.follow(step)
    return table


@pytest.mark.parametrize(
    ("components", "choices"),
    [("", range(1)), (EASY, range(1, 3)), (COIN_RAIN, range(1)), (FEW_POTIONS, range(1))],
    ids=["default set", "easy", "coin rain", "few potions"],
)
@pytest.mark.parametrize("seats", SEATS)
def test_the_foreign_reader_finds_every_view_and_every_prompts_legal_actions(
    seats: int, components: str, choices: range
) -> None:
    for choice in choices:
        played = _played(seats, choice, components, draft=choice == 1)
        record = json_of(played)
        table = Isles(record)
        for step, served in zip([*record["steps"][1:], None], moments_of(played), strict=True):
            for viewer in (*range(seats), None):
                assert {GAME: view(table, viewer)} == view_of(served, viewer)
            if step:
                prompts = prompts_of(served)
                assert {table.active: legal_actions(table)} == {s: p["legalActions"] for s, p in prompts.items()}
                table.follow(step)
