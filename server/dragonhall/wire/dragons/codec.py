"""The codec of Dragons: shapes, component sets, and the order of the treasure cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons import facts
from dragonhall.rules.dragons.facts import CARDS, FACE_OF
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import component_set, read_chance, read_component_set
from dragonhall.wire.dragons.events import EVENT
from dragonhall.wire.dragons.moves import ACTION, DECISION
from dragonhall.wire.dragons.parts import CARD_COUNTS, CARDS_IN_ORDER, GAME
from dragonhall.wire.dragons.views import BREAKDOWN, VIEW
from dragonhall.wire.shaped import ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, Shape

_OPTIONS: Final = Shape(pb.Options, facts.Options, first_seat=OPTIONAL)


class DragonsCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            GAME,
            options=_OPTIONS,
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=BREAKDOWN,
        )

    def components_to_proto(self, components: facts.Components, with_contents: bool) -> games.ComponentSet:
        """A component set."""
        message = component_set(components)
        if with_contents:
            counts = facts.card_counts(list(components.counts))
            message.dragons.CopyFrom(pb.Components(cards=CARD_COUNTS.write(counts)))
        return message

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest."""
        return read_component_set(message, GAME, _contents, facts.components_from_data)

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or an order of cards."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        cards = CARDS_IN_ORDER.write([CARDS[face] for face in outcome.order or ()])
        return games.ChanceOutcome(name=outcome.name, dragons_cards=pb.CardOrder(cards=cards))

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        return read_chance(message, {"dragons_cards": _order})


def _contents(message: pb.Components) -> Mapping[str, Any]:
    """What a set's TOML file says besides its id and version."""
    counts: tuple[facts.CardCount, ...] = CARD_COUNTS.read(message, "cards", GAME)
    return {
        "cards": dict.fromkeys(facts.KINDS, 0) | {c.card.kind: c.count for c in counts if not c.card.coins},
        "coin_cards": {str(c.card.coins): c.count for c in counts if c.card.coins},
    }


def _order(message: games.ChanceOutcome) -> tuple[int, ...]:
    cards = CARDS_IN_ORDER.read(message.dragons_cards, "cards", "dragons_cards")
    return tuple(FACE_OF[card] for card in cards)
