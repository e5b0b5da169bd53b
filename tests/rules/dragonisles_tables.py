"""Tables of DragonIsles for the tests: arranged with known cards and dice, or dealt, and driven by actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final, get_args

from librt.random import Random as PlayoutRandom
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.chance import Chance, RandomChance
from dragonhall.rules.dragonisles import DRAGONISLES, cards, choices, moves, preparing, stage
from dragonhall.rules.dragonisles.combinations import combination_at
from dragonhall.rules.dragonisles.component_set import default_components
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import (
    CARD_OF,
    CHARACTERS,
    POTIONS,
    WILD,
    WILDS,
    Adventurer,
    Approach,
    Character,
    Components,
    Options,
)
from dragonhall.rules.dragonisles.moves import Action, Challenge
from dragonhall.rules.dragonisles.player import Player, count_in, one
from dragonhall.rules.dragonisles.setting import NONE, TYPES, setting_of
from dragonhall.rules.dragonisles.state import State, empty_table
from dragonhall.rules.journal import Entry, Journal
from tests.rules.driver import Driver as AnyDriver
from tests.rules.driver import PlayedGame

COMPONENTS: Components = default_components()
SEATS = (2, 3, 4, 5)

VARIANTS: dict[str, Options] = {
    "drawn": Options(),
    "draft": Options(draft=True),
    "first_seat": Options(first_seat=1),
}
"""Options that any number of seats can play with."""


def card(text: str) -> Adventurer:
    """A card from its name: ``red 6``, ``wild``."""
    if text == "wild":
        return Adventurer(None, 0)
    colour, number = text.split()
    return Adventurer(COMPONENTS.colours.index(colour), int(number))


def hand(text: str) -> tuple[Adventurer, ...]:
    """Cards from their names: ``red 6, blue 6, wild``."""
    return tuple(card(name.strip()) for name in text.split(",") if name.strip())


def card_set(text: str) -> int:
    """The same as a card set of the rules."""
    return sum(1 << CARD_OF[each] for each in hand(text))


def names(found: Iterable[Adventurer]) -> list[str]:
    """Names of cards."""
    return [COMPONENTS.card_name(each) for each in found]


def encounter(name: str, category: str = "") -> int:
    """The first kind of encounter of this name, and of this category if it is given."""
    for kind, each in enumerate(COMPONENTS.encounters):
        if each.name == name and category in ("", each.category):
            return kind
    raise LookupError(name)


def treasure(name: str) -> int:
    """The kind of a treasure."""
    return next(kind for kind, each in enumerate(COMPONENTS.treasures) if each.name == name)


def packed(counts: Mapping[str, int], kinds: Sequence[str]) -> int:
    """Counts by name as the rules keep them (`player.count_in`)."""
    return sum(count * one(kinds.index(name)) for name, count in counts.items())


class Script(Chance):
    """Chance that is written down: what dice show, which potions are drawn. Shuffles leave cards as they are."""

    def __init__(self, dice: Iterable[int] = (), potions: Iterable[int] = ()) -> None:
        self._numbers = {
            "dragonisles/dice": [COMPONENTS.dice_faces.index(face) for face in dice],
            "dragonisles/potions": list(potions),
        }

    def shuffle(self, name: str, items: list[int]) -> list[int]:
        return list(items)

    def number_below(self, name: str, below: int) -> int:
        number = self._numbers[name].pop(0)
        assert number < below
        return number

    def is_used_up(self) -> bool:
        """Whether all that is written was asked for."""
        return not any(self._numbers.values())


LAND_AND_SEA = ("Kasha", "Tanuki", "Luck Dragon", "Sea Dragon")


def arranged(
    characters: Sequence[Character] = ("sorcerer", "warrior"),
    hands: Sequence[str] = ("",),
    board: Sequence[str | int | None] = LAND_AND_SEA,
    tavern: str = "blue 11, blue 12",
    deck: str | None = None,
    discards: str = "",
    next_treasures: Sequence[str] = (),
    potions: Sequence[Mapping[str, int]] = (),
    treasures: Sequence[Sequence[str]] = (),
    cubes: Sequence[Sequence[int]] = (),
) -> State:
    """A table at the first decision of seat 0's turn.

    ``hands``, ``potions``, ``treasures`` and ``cubes`` are by seat, absent for nothing. ``deck``: the adventurer deck,
    first card first; unless it is given, all cards that are nowhere else, in canonical order.
    """
    state = empty_table(setting_of(COMPONENTS, len(characters)))
    for seat, character in enumerate(characters):
        state.players[seat].character = CHARACTERS.index(character)
    for seat, text in enumerate(hands):
        state.players[seat].hand = card_set(text)
    for seat, counts in enumerate(potions):
        state.players[seat].potions = packed(counts, POTIONS)
        state.potion_pile -= state.players[seat].potions
    for seat, owned in enumerate(treasures):
        give_treasures(state, seat, owned)
    for seat, positions in enumerate(cubes):
        state.players[seat].cubes = sum(position * one(place) for place, position in enumerate(positions))
    _lay_cards(state, hands, tavern, deck, discards)
    _lay_quest_board(state, board)
    _stack_treasures(state, next_treasures)
    state.turn, state.active, state.asked = 1, 0, stage.TURN
    return state


def give_treasures(state: State, seat: int, owned: Sequence[str]) -> None:
    """Treasures before a seat, in the order in which it earned them."""
    kinds = [treasure(name) for name in owned]
    state.players[seat].treasures = vec[i64]([*state.players[seat].treasures, *kinds])


def _lay_cards(state: State, hands: Sequence[str], tavern: str, deck: str | None, discards: str) -> None:
    rest = [*range(WILD), *[WILD] * WILDS]
    for text in (*hands, tavern, discards):
        for each in hand(text):
            rest.remove(CARD_OF[each])
    order = rest if deck is None else [CARD_OF[each] for each in hand(deck)]
    state.adventurers = Deck(vec[i64](order), vec[i64]([CARD_OF[each] for each in hand(discards)]))
    places = [CARD_OF[each] for each in hand(tavern)]
    state.tavern = vec[i64]([*places, *[NONE] * (2 - len(places))])


def _lay_quest_board(state: State, board: Sequence[str | int | None]) -> None:
    kinds = [NONE if each is None else encounter(each) if isinstance(each, str) else each for each in board]
    rest = list(state.setting.encounter_deck())
    for kind in kinds:
        if kind != NONE:
            rest.remove(kind)
    state.quest_board = vec[i64](kinds)
    state.encounters = Deck(vec[i64](rest), vec[i64]())


def _stack_treasures(state: State, first: Sequence[str]) -> None:
    rest = list(state.setting.treasure_deck())
    kinds = [treasure(name) for name in first]
    for kind in [*kinds, *(kind for seat in range(state.seats) for kind in state.players[seat].treasures)]:
        rest.remove(kind)
    state.treasures = Deck(vec[i64]([*kinds, *rest]), vec[i64]())


class Arranged:
    """An arranged table with everything that it tells."""

    def __init__(self, state: State, chance: Chance | None = None) -> None:
        self.state = state
        self.chance = chance or Script()
        self.entries: list[Entry] = []

    @property
    def asked(self) -> str:
        """What is asked now (`view.Stage`)."""
        return self.state.view(None).stage

    def act(self, action: Action) -> list[Any]:
        """The seat that is asked takes ``action``; returns what happens, as a spectator is told it."""
        return self.seen_by(None, action)

    def seen_by(self, viewer: int | None, action: Action) -> list[Any]:
        """The same as seat ``viewer`` is told it."""
        seat = self.state.active
        journal = Journal()
        self.state.apply(seat, DRAGONISLES.code(self.state, seat, action), self.chance, journal)
        self.entries += journal.entries
        return [entry.event for entry in journal.entries if entry.is_for(viewer)]

    def play(self, *actions: Action) -> Arranged:
        """Takes one action after another."""
        for action in actions:
            self.act(action)
        return self

    def told(self, kind: type, viewer: int | None = None) -> list[Any]:
        """Every event of a kind that a viewer was told."""
        return [entry.event for entry in self.entries if isinstance(entry.event, kind) and entry.is_for(viewer)]

    def legal(self) -> list[Action]:
        """All legal actions, in canonical order."""
        seat = self.state.active
        return [DRAGONISLES.action(self.state, seat, code) for code in self.state.legal_actions(seat)]

    def challenges(self, place: int, approach: Approach) -> list[list[str]]:
        """The cards of all legal challenges of an encounter by an approach."""
        return [
            names(action.cards)
            for action in self.legal()
            if isinstance(action, Challenge) and (action.place, action.approach) == (place, approach)
        ]


def challenge(approach: Approach, text: str, place: int = 0) -> Challenge:
    """A challenge with cards by name."""
    return Challenge(place, approach, hand(text))


def varied_choice(state: State, seat: int, rng: Random) -> int:
    """A random legal code; of challenges, one with many cards rather than one with few; PREPARE now and then.

    Chosen evenly among all codes, nearly every turn would be a challenge with too few cards.
    """
    legal = state.legal_actions(seat)
    if state.asked != stage.TURN:
        return rng.choice(legal)
    if cards.size(state.players[seat].hand) < 4 or rng.random() < 0.3:
        return legal[0] if rng.random() < 0.8 else rng.choice(legal[:3])
    return max(rng.choices(legal, k=12), key=lambda code: cards_played(state, code))


def cards_played(state: State, code: int) -> int:
    """How many cards a code of the turn plays; 0 if it is no challenge."""
    if code < preparing.FIRST_CHALLENGE:
        return 0
    approach, _, rank = preparing.challenge_of(state, code - preparing.FIRST_CHALLENGE)
    return cards.size(combination_at(approach, state.player().hand, rank))


def everything(state: State) -> tuple[object, ...]:
    """All of a state as plain values, for comparing."""
    return (
        [_belongings(state.players[seat]) for seat in range(state.seats)],
        [_deck(deck) for deck in (state.encounters, state.adventurers, state.treasures)],
        list(state.quest_board),
        list(state.tavern),
        list(state.trophies),
        (state.potion_pile, state.coins_left),
        (state.first_seat, state.turn, state.active, state.asked, state.agenda, state.draws_left),
        (state.challenged, state.approach, state.played, state.dice, state.fresh_ones, state.unused, state.benefits),
        (state.reroll_decided, state.boosts, state.next_effect),
        (state.treasure_offer, state.second_treasure, state.adventurer_offer),
    )


def _belongings(player: Player) -> tuple[object, ...]:
    return (
        (player.character, player.hand, player.cubes, player.potions, player.coins, player.symbols),
        player.variety_trophy,
        list(player.treasures),
        list(player.encounters),
    )


def _deck(deck: Deck) -> tuple[object, ...]:
    return deck.cards_left(), list(deck.discards)


def check_conservation(state: State) -> None:
    """Every card and token is somewhere, once."""
    players = [state.players[seat] for seat in range(state.seats)]
    played = 0 if state.challenged == NONE else state.played
    sets = [*(player.hand for player in players), played, state.adventurer_offer]
    adventurers = [each for cards_there in sets for each in cards.card_list(cards_there)]
    adventurers += [*_all_of(state.adventurers), *(each for each in state.tavern if each != NONE)]
    assert sorted(adventurers) == [*range(WILD), *[WILD] * WILDS]
    encounters = [*_all_of(state.encounters), *(each for each in state.quest_board if each != NONE)]
    encounters += [each for player in players for each in player.encounters]
    assert sorted(encounters) == list(state.setting.encounter_deck())
    offered = [each for each in (state.treasure_offer, state.second_treasure) if each != NONE]
    treasures = [*_all_of(state.treasures), *offered, *(each for player in players for each in player.treasures)]
    assert sorted(treasures) == list(state.setting.treasure_deck())
    for kind, count in enumerate(COMPONENTS.potions):
        held = sum(count_in(player.potions, kind) for player in players)
        assert held + count_in(state.potion_pile, kind) == count
    assert state.coins_left + sum(player.coins for player in players) == COMPONENTS.coin_supply
    check_symbols(state)


def check_symbols(state: State) -> None:
    """Symbols are those of encounters and scrolls; nobody holds a trophy with fewer symbols than another seat."""
    for seat in range(state.seats):
        player = state.players[seat]
        expected = [0] * TYPES
        for kind in player.encounters:
            expected[state.setting.type[kind]] += state.setting.symbols[kind]
        for kind in player.treasures:
            if state.setting.scroll[kind] != NONE:
                expected[state.setting.scroll[kind]] += 1
        assert [count_in(player.symbols, kind) for kind in range(TYPES)] == expected
    for kind, holder in enumerate(state.trophies):
        if holder != NONE:
            most = max(count_in(state.players[seat].symbols, kind) for seat in range(state.seats))
            assert count_in(state.players[holder].symbols, kind) == most > 0


def _all_of(deck: Deck) -> list[int]:
    return [*deck.cards_left(), *deck.discards]


def shown(dice: int) -> list[int]:
    """What dice show, ascending."""
    return choices.face_list(dice)


PLAYED: Final = PlayedGame(
    game=DRAGONISLES,
    components=COMPONENTS,
    decisions=get_args(moves.Decision),
    actions=get_args(moves.Action),
    variants=VARIANTS,
    choose=varied_choice,
    everything=everything,
    standing=lambda result: (result.score, result.breakdown.coin_value),
    later_chance=lambda: RandomChance(PlayoutRandom(0)),
    rare=frozenset({moves.TakeCoinDecision, moves.TakeCoin}),  # all coins would have to be taken
)


class Driver(AnyDriver[State]):
    """A dealt table."""

    def __init__(self, seats: int, options: Options | None = None, chance: Chance | None = None) -> None:
        super().__init__(PLAYED, seats, options, chance)
