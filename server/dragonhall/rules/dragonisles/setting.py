"""What stays the same in a whole game, laid out for the rules to look up fast.

Hot: one source that CPython runs and mypyc compiles. All copies of a state share one setting, and nothing writes to it.
"""

from __future__ import annotations

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CATEGORIES,
    ENCOUNTER_TYPES,
    TRACK_NAMES,
    Components,
    Condition,
    Encounter,
    Target,
    Track,
    Treasure,
)

NONE: Final = -1
"""No seat, no card, nothing."""

SNEAK: Final = 0
STEAL: Final = 1
STRIKE: Final = 2
"""Approaches: places in `facts.APPROACHES`."""

MONK: Final = 0
SORCERER: Final = 1
PIRATE: Final = 2
TRADER: Final = 3
WARRIOR: Final = 4
"""Characters: places in `facts.CHARACTERS`."""

DRAW_TWO: Final = 0
DRAW_ONE_AND_CLEAR: Final = 1
BOOST: Final = 2
"""Potions: places in `facts.POTIONS`."""
POTION_KINDS: Final = 3

SEA_TRACK: Final = 3
REROLLS_TRACK: Final = 4
TROPHIES_TRACK: Final = 5
HAND_LIMIT_TRACK: Final = 6
"""Tracks: places in `facts.TRACK_NAMES`. The first three are the approaches'."""
TRACK_KINDS: Final = 7

SEA: Final = 1
"""Category: place in `facts.CATEGORIES`."""
TYPES: Final = 5
"""Encounter types."""

NOTHING: Final = 0
POTION: Final = 1
COIN: Final = 2
TREASURE: Final = 3
"""What a bonus or a track's space earns."""

DRAW_ONE: Final = 4
EXTRA_DIE: Final = 5
"""Benefits of treasures beside `COIN`."""

ON_ROLLED_ONE: Final = 1
ON_SUCCESS: Final = 2
"""Triggers of treasures; 0: a scroll."""

ALWAYS: Final = 0
OF_APPROACH: Final = 1
HAND_BELOW: Final = 2
COLOURS_AT_LEAST: Final = 3
"""Conditions of treasures."""

SPACES: Final = 13
"""Positions of a cube for which a track's values are laid out, the bottom included."""

_EARNINGS: Final[dict[str | None, int]] = {None: NOTHING, "potion": POTION, "coin": COIN, "treasure": TREASURE}
_BENEFITS: Final[dict[str | None, int]] = {None: NOTHING, "coin": COIN, "draw_1": DRAW_ONE, "extra_die": EXTRA_DIE}
_TRIGGERS: Final[dict[str | None, int]] = {None: 0, "rolled_one": ON_ROLLED_ONE, "success": ON_SUCCESS}


@final
class Setting:
    """A game's components and number of seats. A treasure or encounter is the number of its kind."""

    def __init__(self, components: Components, seats: i64) -> None:
        self.components: Components = components
        self.seats: i64 = seats
        self.faces: vec[i64] = vec[i64](components.dice_faces)
        self.coin_supply: i64 = components.coin_supply

        encounters = components.encounters
        printed = [encounter.target(approach) for encounter in encounters for approach in APPROACHES]
        self.target: vec[i64] = vec[i64]([_target_of(target) for target in printed])
        """At ``3 * encounter + approach``; 0: it cannot be challenged so."""
        self.bonus: vec[i64] = vec[i64]([_bonus_of(target) for target in printed])
        """What a success earns, at ``3 * encounter + approach``."""
        self.open_approaches: vec[i64] = vec[i64]([_open_approaches(encounter) for encounter in encounters])
        """The approaches by which it can be challenged: four bits apart (`preparing.open_places`)."""
        self.type: vec[i64] = vec[i64]([ENCOUNTER_TYPES.index(encounter.type) for encounter in encounters])
        self.category: vec[i64] = vec[i64]([CATEGORIES.index(encounter.category) for encounter in encounters])
        self.symbols: vec[i64] = vec[i64]([encounter.symbols for encounter in encounters])
        self.victory_points: vec[i64] = vec[i64]([encounter.victory_points for encounter in encounters])

        treasures = components.treasures
        self.scroll: vec[i64] = vec[i64]([_scroll_of(treasure) for treasure in treasures])
        """By treasure: the type of a scroll, or `NONE`."""
        self.trigger: vec[i64] = vec[i64]([_TRIGGERS[treasure.trigger] for treasure in treasures])
        self.benefit: vec[i64] = vec[i64]([_BENEFITS[treasure.benefit] for treasure in treasures])
        conditions = [_condition_of(treasure.when) for treasure in treasures]
        self.condition: vec[i64] = vec[i64]([kind for kind, _ in conditions])
        self.condition_value: vec[i64] = vec[i64]([value for _, value in conditions])
        """The approach, or the number of cards or colours."""
        helpers = [kind for kind, treasure in enumerate(treasures) if treasure.trigger == "rolled_one"]
        self.ones_treasures: vec[i64] = vec[i64](helpers)
        """The treasures that help when a 1 is rolled, ascending."""
        self.helper: vec[i64] = vec[i64](
            [helpers.index(kind) if kind in helpers else NONE for kind in range(len(treasures))]
        )
        """By treasure: its place among these, or `NONE`."""

        boards = components.characters
        places = [_places(board.tracks) for board in boards]
        self.track_place: vec[i64] = vec[i64]([place for of_board in places for place in of_board])
        """Where on its board a character has a track, at ``7 * character + track``, or `NONE`."""
        tracks = [track for board in boards for track in board.tracks]
        self.track_spaces: vec[i64] = vec[i64]([len(track.values) for track in tracks])
        """The highest position of a cube, at ``4 * character + place``."""
        self.track_values: vec[i64] = vec[i64]([value for track in tracks for value in _values(track)])
        """At ``(4 * character + place) * SPACES + position``."""
        self.track_rewards: vec[i64] = vec[i64]([reward for track in tracks for reward in _rewards(track)])
        """What moving there earns, at the same places."""

    def encounter_deck(self) -> vec[i64]:
        """Every encounter card, by kind: what is shuffled."""
        return vec[i64](
            [kind for kind, encounter in enumerate(self.components.encounters) for _ in range(encounter.copies)]
        )

    def treasure_deck(self) -> vec[i64]:
        """Every treasure card, by kind: what is shuffled."""
        return vec[i64](
            [kind for kind, treasure in enumerate(self.components.treasures) for _ in range(treasure.copies)]
        )


_MOST_KEPT: Final = 16
_KEPT: Final[dict[tuple[int, int], Setting]] = {}


def setting_of(components: Components, seats: int) -> Setting:
    """The setting of a component set and a number of seats: kept, since games of one set are made by the thousand."""
    place = (id(components), seats)
    setting = _KEPT.get(place)
    if setting is None:
        if len(_KEPT) == _MOST_KEPT:
            _KEPT.clear()
        setting = _KEPT[place] = Setting(components, seats)  # keeps the set alive, and with it the meaning of its id
    return setting


def _target_of(target: Target | None) -> int:
    return 0 if target is None else target.target


def _open_approaches(encounter: Encounter) -> int:
    return sum(1 << (4 * at) for at, approach in enumerate(APPROACHES) if encounter.target(approach) is not None)


def _bonus_of(target: Target | None) -> int:
    return NOTHING if target is None else _EARNINGS[target.bonus]


def _scroll_of(treasure: Treasure) -> int:
    return NONE if treasure.scroll is None else ENCOUNTER_TYPES.index(treasure.scroll)


def _condition_of(when: Condition | None) -> tuple[int, int]:
    if when is None:
        return (ALWAYS, 0)
    if when.approach is not None:
        return (OF_APPROACH, APPROACHES.index(when.approach))
    if when.hand_below is not None:
        return (HAND_BELOW, when.hand_below)
    return (COLOURS_AT_LEAST, when.colours_at_least or 0)


def _places(tracks: tuple[Track, ...]) -> list[int]:
    names = [track.name for track in tracks]
    return [names.index(name) if name in names else NONE for name in TRACK_NAMES]


def _values(track: Track) -> list[int]:
    """Its value at every position; the highest one beyond its top, where no cube comes."""
    return [track.value(min(position, len(track.values))) for position in range(SPACES)]


def _rewards(track: Track) -> list[int]:
    earned = [NOTHING, *(_EARNINGS[reward] for reward in track.rewards)]
    return earned + [NOTHING] * (SPACES - len(earned))
