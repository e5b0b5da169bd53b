"""Bounds of component sets: every prompt can be listed, and every encounter can be won.

A prompt lists all its answers, and the numbers of ways to discard from a hand or to use treasures in an order grow
beyond all measure. With these bounds they stay below what one message holds, however a set's cards come to lie.
"""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragonisles import choices
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    COLOURS,
    MOST_DICE,
    POTIONS,
    Approach,
    Components,
    Encounter,
    Treasure,
)
from dragonhall.rules.dragonisles.state import BOOST_VALUE
from dragonhall.rules.errors import InvalidComponents

MOST_ROLLED_ONE: Final = 9
"""Copies of treasures for a rolled 1, which are counted by `choices`."""
MOST_ORDERS: Final = 10_000
"""In how many ways all of them can be used; three kinds of three copies: 5,248."""
MOST_DRAWS: Final = 9
"""Copies of treasures that draw a card in one challenge: what a hand grows by before it is discarded from."""


def check_bounds(components: Components) -> None:
    """Raises `InvalidComponents` for a set that games cannot be played with to their end."""
    _check_orders(components)
    _check_draws(components)
    for at, encounter in enumerate(components.encounters):
        _check_target(components, encounter, f"encounters[{at}]")


def _check_orders(components: Components) -> None:
    copies = [treasure.copies for treasure in components.treasures if treasure.trigger == "rolled_one"]
    if sum(copies) > MOST_ROLLED_ONE:
        raise InvalidComponents(
            "treasures",
            f"{sum(copies)} copies have the trigger rolled_one; at most {MOST_ROLLED_ONE} can be played with",
        )
    orders = choices.count_sequences(sum(count << 4 * kind for kind, count in enumerate(copies)))
    if orders > MOST_ORDERS:
        raise InvalidComponents(
            "treasures",
            f"those with the trigger rolled_one can be used in {orders} orders; at most {MOST_ORDERS} can be played"
            " with: write fewer kinds, or fewer copies",
        )


def _check_draws(components: Components) -> None:
    limit = lowest_hand_limit(components)
    for approach in APPROACHES:
        draws = sum(item.copies for item in components.treasures if _draws(item, approach, limit))
        if draws > MOST_DRAWS:
            raise InvalidComponents(
                "treasures",
                f"{draws} copies with the benefit draw_1 can help in one challenge, a {approach.upper()};"
                f" at most {MOST_DRAWS} can be played with, or there would be too many ways to discard",
            )


def _draws(item: Treasure, approach: Approach, limit: int) -> bool:
    """Whether a copy may add a card to a hand that is full in a challenge by an approach.

    One that helps only below the hand limit does not.
    """
    if item.benefit != "draw_1" or item.when is None:
        return item.benefit == "draw_1"
    if item.when.approach is not None:
        return item.when.approach == approach
    if item.when.hand_below is not None:
        return item.when.hand_below > limit
    colours = 1 if approach == "strike" else COLOURS
    return item.when.colours_at_least is not None and item.when.colours_at_least <= colours


def _check_target(components: Components, encounter: Encounter, path: str) -> None:
    """Four encounters that nobody can win could fill the Quest Board for good, and the game would never end."""
    boosts = BOOST_VALUE * components.potions[POTIONS.index("boost")]
    cards = min(MOST_DICE, lowest_hand_limit(components))
    most = components.dice_faces[-1] * cards + boosts
    most_steal = components.dice_faces[-1] * min(COLOURS, cards) + boosts
    printed = ((encounter.sneak, most), (encounter.steal, most_steal), (encounter.strike, most))
    if not any(target is not None and target.target <= reached for target, reached in printed):
        raise InvalidComponents(
            path,
            f"not every character can win it: by dice and boosts alone a STEAL reaches {most_steal} at most, a SNEAK or"
            f" STRIKE {most}; write a lower target for one approach",
        )


def lowest_hand_limit(components: Components) -> int:
    """The hand limit that the character with the lowest one begins with."""
    tracks = [track for board in components.characters for track in board.tracks]
    return min(track.start for track in tracks if track.name == "hand_limit")
