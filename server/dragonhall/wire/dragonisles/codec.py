"""The codec of DragonIsles: shapes, component sets, and the orders of its decks."""

from __future__ import annotations

from typing import Final

from dragonhall.dragonisles.v1 import dragonisles_pb2 as pb
from dragonhall.rules.dragonisles import adventurers, earning, facts, quest_board, setup
from dragonhall.rules.dragonisles.component_set import ENCOUNTERS, ITEMS, SCROLLS
from dragonhall.rules.errors import InvalidOptions
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.dragonisles.components import components_from_message_data, contents_from, contents_to
from dragonhall.wire.dragonisles.events import EVENT
from dragonhall.wire.dragonisles.moves import ACTION, DECISION
from dragonhall.wire.dragonisles.parts import ALL_CHARACTERS, CARDS, CHARACTERS_OR_NONE, QUESTS, TREASURES
from dragonhall.wire.dragonisles.views import BREAKDOWN, VIEW
from dragonhall.wire.errors import InvalidMessage
from dragonhall.wire.orders import OrderOf
from dragonhall.wire.shaped import Contents, ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, Shape

_OPTIONS: Final = Shape(pb.Options, facts.Options, characters=CHARACTERS_OR_NONE, first_seat=OPTIONAL)


class DragonIslesCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            "dragonisles",
            options=_OPTIONS,
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=BREAKDOWN,
            contents=Contents(contents_to, contents_from, components_from_message_data),
            orders=_ORDERS,
        )

    def options_from_proto(self, message: games.GameOptions) -> facts.Options:
        """Options, which have to fit together. Whether they fit the number of seats is for the rules to say."""
        options: facts.Options = super().options_from_proto(message)
        try:
            return facts.make_options(vars(options))
        except InvalidOptions as error:
            raise InvalidMessage(error.field, error.message) from None

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest, which is not made from all that they say."""
        found: facts.Components = super().components_from_proto(message)
        if contents_to(found) != message.dragonisles:
            raise InvalidMessage(
                "dragonisles.treasures", "must be items, and then one scroll of each type, named by it"
            )
        return found


_ORDERS: Final = {
    adventurers.STREAM: OrderOf("dragonisles_adventurers", pb.AdventurerOrder, CARDS, facts.CARDS),
    quest_board.STREAM: OrderOf("dragonisles_encounters", pb.EncounterOrder, QUESTS, range(ENCOUNTERS)),
    earning.TREASURE_STREAM: OrderOf("dragonisles_treasures", pb.TreasureOrder, TREASURES, range(ITEMS + SCROLLS)),
    setup.CHARACTER_STREAM: OrderOf("dragonisles_characters", pb.CharacterOrder, ALL_CHARACTERS, facts.CHARACTERS),
}
"""By the name of the shuffle. No set has more kinds of encounters or treasures than cards."""
