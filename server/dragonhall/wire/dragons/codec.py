"""The codec of Dragons: shapes, component sets, and the order of the treasure cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import facts
from dragonhall.wire.dragons.events import EVENT
from dragonhall.wire.dragons.moves import ACTION, DECISION
from dragonhall.wire.dragons.parts import CARD_COUNTS, CARDS_IN_ORDER
from dragonhall.wire.dragons.views import BREAKDOWN, VIEW
from dragonhall.wire.orders import OrderOf
from dragonhall.wire.shaped import Contents, ShapedCodec
from dragonhall.wire.shapes import OPTIONAL, Shape


class DragonsCodec(ShapedCodec):
    """A `dragonhall.wire.codec.Codec`."""

    def __init__(self) -> None:
        super().__init__(
            "dragons",
            options=Shape(pb.Options, facts.Options, first_seat=OPTIONAL),
            actions=ACTION,
            decisions=DECISION,
            events=EVENT,
            view=VIEW,
            breakdown=BREAKDOWN,
            contents=Contents(_contents_to, _contents_from, facts.components_from_data),
            orders={
                facts.TREASURE_STREAM: OrderOf("dragons_cards", pb.CardOrder, CARDS_IN_ORDER, facts.CARDS),
            },
        )


def _contents_to(components: facts.Components) -> pb.Components:
    return pb.Components(cards=CARD_COUNTS.write(facts.card_counts(list(components.counts))))


def _contents_from(message: pb.Components) -> Mapping[str, Any]:
    counts: tuple[facts.CardCount, ...] = CARD_COUNTS.read(message, "cards")
    return {
        "cards": dict.fromkeys(facts.KINDS, 0) | {c.card.kind: c.count for c in counts if not c.card.coins},
        "coin_cards": {str(c.card.coins): c.count for c in counts if c.card.coins},
    }
