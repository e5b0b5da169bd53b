"""Tables of shapes: what they say of a mistake in a table, and of one in a message."""

from __future__ import annotations

import doctest
from dataclasses import dataclass

import pytest

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.dragons import events, moves, outcome, view
from dragonhall.rules.dragons.facts import Card, CardCount
from dragonhall.wire import InvalidMessage, shapes
from dragonhall.wire.fields import EnumNames, within
from dragonhall.wire.shapes import (
    OPTIONAL,
    EnumValue,
    EnumValueOr,
    Inner,
    Many,
    ManyEnumValues,
    OneOf,
    OptionalEnumValue,
    OptionalInner,
    Shape,
    SharedShape,
)


@dataclass(frozen=True)
class Placed:
    """A card as the rules of this test have it."""

    kind: str | None
    coins: int


KINDS = EnumNames(pb.CardKind, ("cow", "sheep"))
BREAKDOWN = Shape(
    pb.Breakdown,
    outcome.Breakdown,
    famines=ManyEnumValues(EnumNames(pb.Famine, ("animals", "cows", "sheep")), most=2),
)


def test_the_example_shows_what_happens() -> None:
    assert doctest.testmod(shapes).failed == 0


def test_a_shape_of_other_fields_is_a_mistake() -> None:
    with pytest.raises(TypeError, match=r"dragonhall\.dragons\.v1\.PileClaimed and CardDrawn"):
        Shape(pb.PileClaimed, events.CardDrawn)
    with pytest.raises(TypeError, match="PileClaimed"):
        Shape(pb.PileClaimed, events.PileClaimed, piles=OPTIONAL)


def test_a_choice_with_a_field_too_few_is_a_mistake() -> None:
    with pytest.raises(TypeError, match=r"dragonhall\.dragons\.v1\.Event"):
        OneOf(pb.Event, "event", pile_claimed=Shape(pb.PileClaimed, events.PileClaimed))


def test_an_absent_value_stays_absent() -> None:
    seat = Shape(pb.SeatView, view.SeatView, claimed_pile=OPTIONAL)
    for claimed in (None, 0, 3):
        assert seat.read(seat.write(view.SeatView(claimed, True, ()))).claimed_pile == claimed


def test_unspecified_is_none_where_it_may_be_and_else_a_mistake() -> None:
    card, optional = (Shape(pb.Card, Placed, kind=kind(KINDS)) for kind in (EnumValue, OptionalEnumValue))
    assert optional.read(pb.Card()) == Placed(None, 0)
    assert optional.write(Placed(None, 0)) == pb.Card()
    with pytest.raises(InvalidMessage) as refused:
        card.read(pb.Card())
    assert (refused.value.field, refused.value.message) == ("kind", "must be one of: CARD_KIND_COW, CARD_KIND_SHEEP")


@pytest.mark.parametrize(("famines", "field"), [([1, 9], "famines[1]"), ([1, 2, 3], "famines")])
def test_a_list_says_what_is_wrong_with_it(famines: list[int], field: str) -> None:
    with pytest.raises(InvalidMessage) as refused:
        BREAKDOWN.read(pb.Breakdown(famines=famines))  # type: ignore[arg-type]
    assert refused.value.field == field


def test_a_message_within_that_may_not_be_absent_is_a_mistake_by_its_path() -> None:
    card = Shape(pb.Card, Placed, kind=OptionalEnumValue(KINDS))
    count = Shape(pb.CardCount, CardCount, card=Inner(card))
    with pytest.raises(InvalidMessage) as refused:
        count.read(pb.CardCount(count=1))
    assert (refused.value.field, refused.value.message) == ("card", "is missing")
    assert count.read(pb.CardCount(card=pb.Card())) == CardCount(Placed(None, 0), 0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("famines", "valid"), [(1, False), (2, True), (3, False)])
def test_too_few_or_too_many_values_are_a_mistake(famines: int, valid: bool) -> None:
    exactly = Many(2, least=2)
    message = pb.Breakdown(famines=[pb.FAMINE_COWS] * famines)
    if valid:
        assert exactly.read(message, "famines") == (pb.FAMINE_COWS,) * 2
        return
    with pytest.raises(InvalidMessage) as refused:
        exactly.read(message, "famines")
    assert refused.value.field == "famines"


def test_unspecified_is_the_default_where_there_is_one() -> None:
    card = Shape(pb.Card, Placed, kind=EnumValueOr(KINDS, "sheep"))
    assert card.read(pb.Card()) == Placed("sheep", 0)
    assert card.read(card.write(Placed("cow", 0))) == Placed("cow", 0)
    assert card.write(Placed("sheep", 0)).kind == pb.CARD_KIND_SHEEP, "what is meant is written out"
    with pytest.raises(InvalidMessage):
        card.read(pb.Card(kind=pb.CARD_KIND_CROWN))


def test_one_of_several_within_a_message_is_named_by_its_whole_path() -> None:
    turn = Shape(pb.TurnDecision, moves.TurnDecision)
    card = Shape(pb.Card, Placed, kind=EnumValue(KINDS))
    asked = Shape(pb.PlacementDecision, moves.PlacementDecision, drawn=OptionalInner(card))
    one_of = OneOf(pb.Decision, "decision", turn=turn, placement=asked)
    assert one_of.read(pb.Decision(turn=pb.TurnDecision())) == moves.TurnDecision()
    for message, field in (
        (pb.Decision(), "decision"),
        (pb.Decision(placement=pb.PlacementDecision(drawn=pb.Card())), "placement.drawn.kind"),
    ):
        with pytest.raises(InvalidMessage) as refused:
            within("history[2]", one_of.read, message)
        assert refused.value.field == f"history[2].{field}"


def test_a_message_that_is_shared_is_made_once_and_copied_where_it_is_put() -> None:
    shared = SharedShape(pb.Card, Card, kind=EnumValue(KINDS))
    cow = shared.write(Card("cow"))
    assert shared.write(Card("cow")) is cow
    count = Shape(pb.CardCount, CardCount, card=Inner(shared)).write(CardCount(Card("cow"), 2))
    count.card.coins = 3
    assert shared.read(cow) == Card("cow")
