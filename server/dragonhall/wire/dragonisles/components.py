"""The component sets of DragonIsles as messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, get_args

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import facts
from dragonhall.rules.dragonisles.component_set import (
    COIN_TOKENS,
    ENCOUNTERS,
    FACES,
    ITEMS,
    MOST_SPACES,
    SCROLLS,
    components_from_data,
)
from dragonhall.rules.errors import InvalidComponents
from dragonhall.wire.dragonisles.parts import APPROACHES, CHARACTER, ENCOUNTER_TYPES, TRACK
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.fields import EnumNames
from dragonhall.wire.shapes import (
    OPTIONAL,
    EnumValue,
    Inner,
    Kind,
    Many,
    ManyInner,
    ManyOptionalEnumValues,
    OptionalEnumValue,
    OptionalInner,
    Shape,
)


class _PotionCounts:
    """How many there are of each potion, in the order of `facts.POTIONS`."""

    def write(self, value: Any) -> Any:
        return pb.PotionCounts(**dict(zip(facts.POTIONS, value, strict=True)))

    def read(self, message: Any, name: str) -> Any:
        return tuple(getattr(getattr(message, name), potion) for potion in facts.POTIONS)


class _ConditionShape(Shape):
    """One of a condition's fields is set."""

    def read(self, message: Any) -> facts.Condition:
        condition: facts.Condition = super().read(message)
        if condition == facts.Condition():
            raise InvalidMessage("", "none of its fields is set (or one that this version does not know)")
        return condition


_TOKENS: Final = Inner(Shape(pb.CoinTokens, facts.CoinTokens))
_CONDITION: Final = _ConditionShape(
    pb.Condition,
    facts.Condition,
    approach=OptionalEnumValue(APPROACHES),
    hand_below=OPTIONAL,
    colours_at_least=OPTIONAL,
)
_TREASURE: Final = Shape(
    pb.Treasure,
    facts.Treasure,
    scroll=OptionalEnumValue(ENCOUNTER_TYPES),
    trigger=OptionalEnumValue(EnumNames(pb.Trigger, get_args(facts.Trigger))),
    benefit=OptionalEnumValue(EnumNames(pb.Benefit, get_args(facts.Benefit))),
    when=OptionalInner(_CONDITION),
)
_TRACK: Final = Shape(
    pb.Track,
    facts.Track,
    name=TRACK,
    values=Many(most=MOST_SPACES),
    rewards=ManyOptionalEnumValues(EnumNames(pb.Reward, get_args(facts.Reward)), most=MOST_SPACES),
)
_BOARD: Final = Shape(
    pb.CharacterBoard, facts.CharacterBoard, character=CHARACTER, tracks=ManyInner(_TRACK, most=facts.TRACKS)
)
_TARGET: Final = OptionalInner(
    Shape(pb.Target, facts.Target, bonus=OptionalEnumValue(EnumNames(pb.Bonus, get_args(facts.Bonus))))
)
_ENCOUNTER: Final = Shape(
    pb.Encounter,
    facts.Encounter,
    type=EnumValue(ENCOUNTER_TYPES),
    category=EnumValue(EnumNames(pb.Category, facts.CATEGORIES)),
    sneak=_TARGET,
    steal=_TARGET,
    strike=_TARGET,
)
_PARTS: Final[dict[str, Kind]] = {
    "dice_faces": Many(most=FACES),
    "colours": Many(most=facts.COLOURS),
    **dict.fromkeys(COIN_TOKENS, _TOKENS),
    "potions": _PotionCounts(),
    "treasures": ManyInner(_TREASURE, least=1, most=ITEMS + SCROLLS),
    "characters": ManyInner(_BOARD, most=len(facts.CHARACTERS)),
    "encounters": ManyInner(_ENCOUNTER, most=ENCOUNTERS),
}
"""The fields of a set, but for id and version."""


def contents_to(components: facts.Components) -> pb.Components:
    """What a set has besides id and version."""
    return pb.Components(**{name: kind.write(getattr(components, name)) for name, kind in _PARTS.items()})


def contents_from(message: pb.Components) -> Mapping[str, Any]:
    """What a set's TOML file says besides its id and version. Raises `InvalidMessage`."""
    parts = {name: kind.read(message, name) for name, kind in _PARTS.items()}
    if tuple(board.character for board in parts["characters"]) != facts.CHARACTERS:
        raise InvalidMessage("characters", "must be all five, in the order of their enum")
    data = facts.Components(id="", version=0, **parts).to_data()
    return {key: value for key, value in data.items() if key not in ("id", "version")}


def components_from_message_data(data: Mapping[str, Any]) -> facts.Components:
    """The rules' own reader, with paths in the message instead of those in a TOML file. Raises `InvalidComponents`."""
    try:
        return components_from_data(data)
    except InvalidComponents as error:
        key = error.key
        for pattern, path in _PATHS.items():
            key = re.sub(pattern, path, key)
        raise InvalidComponents(key, error.message) from None


_PATHS: Final = {
    r"^dice\.faces": "dice_faces",
    r"^(adventurers|coins)\.": "",
    r"^scrolls\..*": "treasures",
    **{rf"^characters\.{character}\b": f"characters[{at}]" for at, character in enumerate(facts.CHARACTERS)},
}
"""Where the keys of a TOML file are in the message, if not at the same path."""
