"""The legal actions of every prompt of DragonIsles, written from the comments of the .proto files alone.

They are those of a table of `foreign_dragonisles`, in their canonical order, which dragonisles.proto says at Decision.
Nothing is clever here: of all sets of cards in a hand those are kept that fit an approach, and then they are sorted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from typing import Any, Final

from tests.records.foreign_dragonisles import Isles
from tests.records.foreign_isles_parts import (
    APPROACHES,
    BOOST,
    CLEAR,
    COLOURS,
    DRAW_TWO,
    GAME,
    NUMBERS,
    POTIONS,
    SNEAK,
    STEAL,
    STRIKE,
    WILD,
    canonical,
    colour_of,
    number_of,
)
from tests.records.foreign_parts import JSON, message

Cards = tuple[str, ...]
"""Played together, in canonical order: wild cards stand last."""


def legal_actions(table: Isles) -> list[JSON]:
    """The prompt's ``legalActions``."""
    [(kind, fields)] = table.question[table.active].items()
    return [message(index=index, action={GAME: action}) for index, action in enumerate(_LEGAL[kind](table, fields))]


# -- cards that fit an approach ---------------------------------------------------------------------------------------


@cache
def fitting(approach: str, hand: Cards) -> list[Cards]:
    """All that may be played together of a hand, in the order of a prompt."""
    naturals, wilds = [card for card in hand if card != WILD], hand.count(WILD)
    sets = [
        (*chosen, *[WILD] * wild)
        for size in range(len(naturals) + 1)
        for chosen in combinations(naturals, size)
        for wild in range(wilds + 1)
    ]
    fits = [cards for cards in sets if cards and _fits(approach, cards)]
    return sorted(fits, key=lambda cards: _key(approach, cards))


def _split(cards: Cards) -> tuple[list[str], int]:
    return [card for card in cards if card != WILD], cards.count(WILD)


def _fits(approach: str, cards: Cards) -> bool:
    naturals, wilds = _split(cards)
    numbers, colours = [number_of(card) for card in naturals], {colour_of(card) for card in naturals}
    if approach == STRIKE:
        return len(colours) <= 1
    if approach == STEAL:
        return len(set(numbers)) <= 1 and len(cards) <= COLOURS
    return len(set(numbers)) == len(numbers) and _gaps(numbers) <= wilds and len(cards) <= NUMBERS


def _gaps(numbers: list[int]) -> int:
    return max(numbers) - min(numbers) + 1 - len(numbers) if numbers else 0


def _key(approach: str, cards: Cards) -> tuple[Any, ...]:
    naturals, wilds = _split(cards)
    return (0, _KEYS[approach](naturals), wilds) if naturals else (1, wilds)


def _sneak_key(naturals: list[str]) -> tuple[Any, ...]:
    falling = sorted(naturals, key=number_of, reverse=True)
    numbers = [number_of(card) for card in falling]
    compared: list[int] = []
    for card, lower in zip(falling, [*numbers[1:], None], strict=True):
        compared += [colour_of(card), 0] if lower is None else [colour_of(card), 1, -lower]
    return numbers[0], _gaps(numbers), compared


def _steal_key(naturals: list[str]) -> tuple[Any, ...]:
    return number_of(naturals[0]), sum(2 ** colour_of(card) for card in naturals)


def _strike_key(naturals: list[str]) -> tuple[Any, ...]:
    return colour_of(naturals[0]), sum(2 ** number_of(card) for card in naturals)


_KEYS: Final = {SNEAK: _sneak_key, STEAL: _steal_key, STRIKE: _strike_key}


# -- decisions --------------------------------------------------------------------------------------------------------

Actions = Iterator[JSON]


def _characters(_: Isles, asked: JSON) -> Actions:
    for character in asked["characters"]:
        yield {"chooseCharacter": {"character": character}}


def _turns(table: Isles, _: JSON) -> Actions:
    yield {"prepare": {}}
    yield from _potions(table, DRAW_TWO, CLEAR)
    hand = tuple(canonical(table.player.hand))
    for approach, (place, encounter) in product(APPROACHES, enumerate(table.quest_board)):
        if encounter is not None and approach.removeprefix("APPROACH_").lower() in table.kinds[encounter]:
            for cards in fitting(approach, hand):
                yield {"challenge": message(place=place, approach=approach, cards=list(cards))}


def _potions(table: Isles, *potions: str) -> Actions:
    for potion in potions:
        if table.player.potions[potion]:
            yield {"usePotion": {"potion": potion}}
            if table.player.plays("MONK"):
                yield {"usePotion": {"potion": potion, "draw": True}}


def _draws(table: Isles, _: JSON) -> Actions:
    for place, card in enumerate(table.tavern):
        if card:
            yield {"draw": {"tavern": place}}
    if table.adventurers.left:
        yield {"draw": {}}
    yield from _potions(table, DRAW_TWO, CLEAR)


def _discards(table: Isles, asked: JSON) -> Actions:
    for cards in dict.fromkeys(combinations(canonical(table.player.hand), asked["count"])):
        yield {"discard": {"cards": list(cards)}}


def _ones(_: Isles, asked: JSON) -> Actions:
    yield {"decline": {}}
    for treasures in _sequences(Counter(asked["treasures"])):
        yield {"useTreasures": {"treasures": treasures}}


def _sequences(left: Counter[int]) -> Iterator[list[int]]:
    """What can be named one after another, as words stand in a dictionary."""
    for treasure in sorted(+left):
        yield [treasure]
        yield from ([treasure, *more] for more in _sequences(left - Counter([treasure])))


def _rerolls(table: Isles, asked: JSON) -> Actions:
    yield {"decline": {}}
    assert table.challenged
    dice, falling = table.challenged.dice, sorted(table.components["diceFaces"], reverse=True)
    chosen = {faces for size in range(1, asked["most"] + 1) for faces in combinations(dice, size)}
    for faces in sorted(chosen, key=lambda faces: [faces.count(face) for face in falling]):
        yield {"reroll": {"faces": list(faces)}}


def _boosts(table: Isles, _: JSON) -> Actions:
    yield {"decline": {}}
    yield from _potions(table, BOOST)


def _treasures(_: Isles, asked: JSON) -> Actions:
    for treasure in dict.fromkeys(asked["offer"]):
        yield {"keepTreasure": message(treasure=treasure)}


def _adventurers(_: Isles, asked: JSON) -> Actions:
    for card in dict.fromkeys(asked["offer"]):
        yield {"keepAdventurer": {"card": card}}


def _advances(_: Isles, asked: JSON) -> Actions:
    for track in asked["tracks"]:
        yield {"advance": {"track": track}}


def _potions_to_take(table: Isles, _: JSON) -> Actions:
    for seat, potion in product(table.others, POTIONS):
        if table.players[seat].potions[potion]:
            yield {"takePotion": message(seat=seat, potion=potion)}


def _coins_to_take(table: Isles, _: JSON) -> Actions:
    for seat in table.others:
        if table.players[seat].coins:
            yield {"takeCoin": message(seat=seat)}


_LEGAL: Final[dict[str, Any]] = {
    "character": _characters,
    "turn": _turns,
    "draw": _draws,
    "discard": _discards,
    "ones": _ones,
    "reroll": _rerolls,
    "boost": _boosts,
    "treasure": _treasures,
    "adventurer": _adventurers,
    "advance": _advances,
    "takePotion": _potions_to_take,
    "takeCoin": _coins_to_take,
}
