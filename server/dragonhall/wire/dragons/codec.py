"""The messages of Dragons (``dragonhall/dragons/v1/dragons.proto``), both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons import events, facts, moves, outcome, view
from dragonhall.rules.dragons.facts import CARDS, FACE_OF
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import component_set, read_chance, read_component_set
from dragonhall.wire.dragons.events import event_from, event_to
from dragonhall.wire.dragons.parts import (
    FAMINES,
    HAND_CARDS,
    card_to,
    cards_from,
    count_to,
    counts_from,
    optional_card_from,
    optional_card_to,
)
from dragonhall.wire.dragons.views import view_from, view_to
from dragonhall.wire.fields import choice, of_game, optional

GAME: Final = "dragons"
"""The field of this game in the oneofs of games.proto."""


class DragonsCodec:
    """A `dragonhall.wire.codec.Codec`."""

    def options_to_proto(self, options: facts.Options) -> games.GameOptions:
        """Options."""
        message = pb.Options(
            extra_year=options.extra_year,
            open_piles=options.open_piles,
            hidden_card=options.hidden_card,
            first_seat=options.first_seat,
        )
        return games.GameOptions(dragons=message)

    def options_from_proto(self, message: games.GameOptions) -> facts.Options:
        """Options. Whether ``first_seat`` is one of the game's seats is for the rules to say."""
        options = of_game(message, GAME)
        return facts.Options(
            extra_year=options.extra_year,
            open_piles=options.open_piles,
            hidden_card=options.hidden_card,
            first_seat=optional(options, "first_seat"),
        )

    def action_to_proto(self, action: moves.Action) -> games.GameAction:
        """An action."""
        return games.GameAction(dragons=_ACTIONS_TO[type(action)](action))

    def action_from_proto(self, message: games.GameAction) -> moves.Action:
        """An action."""
        kind, content = choice(of_game(message, GAME), "action")
        match kind:
            case "draw":
                return moves.Draw()
            case "place":
                return moves.Place(content.pile)
            case "claim":
                return moves.Claim(content.pile)
        return moves.Play(HAND_CARDS.name(content.card, "play.card"), content.pile)

    def decision_to_proto(self, decision: moves.Decision) -> games.GameDecision:
        """A decision."""
        if isinstance(decision, moves.TurnDecision):
            return games.GameDecision(dragons=pb.Decision(turn=pb.TurnDecision()))
        placement = pb.PlacementDecision(drawn=optional_card_to(decision.drawn))
        return games.GameDecision(dragons=pb.Decision(placement=placement))

    def decision_from_proto(self, message: games.GameDecision) -> moves.Decision:
        """A decision."""
        kind, content = choice(of_game(message, GAME), "decision")
        if kind == "turn":
            return moves.TurnDecision()
        return moves.PlacementDecision(optional_card_from(content, "drawn", "placement.drawn"))

    def event_to_proto(self, event: events.Event) -> games.GameEvent:
        """An event."""
        return games.GameEvent(dragons=event_to(event))

    def event_from_proto(self, message: games.GameEvent) -> events.Event:
        """An event."""
        return event_from(of_game(message, GAME))

    def view_to_proto(self, view: view.View) -> games.GameView:
        """A view."""
        return games.GameView(dragons=view_to(view))

    def view_from_proto(self, message: games.GameView) -> view.View:
        """A view."""
        return view_from(of_game(message, GAME))

    def breakdown_to_proto(self, breakdown: outcome.Breakdown) -> games.GameBreakdown:
        """A scoring breakdown."""
        message = pb.Breakdown(
            cows=breakdown.cows,
            sheep=breakdown.sheep,
            famines=FAMINES.numbers(breakdown.famines),
            coins=breakdown.coins,
            one_ring=breakdown.one_ring,
            armour=breakdown.armour,
            jewels=breakdown.jewels,
            pink_gems=breakdown.pink_gems,
            blue_gems=breakdown.blue_gems,
            polish=breakdown.polish,
        )
        return games.GameBreakdown(dragons=message)

    def breakdown_from_proto(self, message: games.GameBreakdown) -> outcome.Breakdown:
        """A scoring breakdown."""
        content = of_game(message, GAME)
        return outcome.Breakdown(
            cows=content.cows,
            sheep=content.sheep,
            famines=FAMINES.names(content.famines, "famines"),
            coins=content.coins,
            one_ring=content.one_ring,
            armour=content.armour,
            jewels=content.jewels,
            pink_gems=content.pink_gems,
            blue_gems=content.blue_gems,
            polish=content.polish,
        )

    def components_to_proto(self, components: facts.Components, with_contents: bool) -> games.ComponentSet:
        """A component set."""
        message = component_set(components)
        if with_contents:
            counts = facts.card_counts(list(components.counts))
            message.dragons.CopyFrom(pb.Components(cards=[count_to(count) for count in counts]))
        return message

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest."""
        return read_component_set(message, GAME, _contents, facts.components_from_data)

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or an order of cards."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        cards = pb.CardOrder(cards=[card_to(CARDS[face]) for face in outcome.order or ()])
        return games.ChanceOutcome(name=outcome.name, dragons_cards=cards)

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        return read_chance(message, {"dragons_cards": _order})


def _contents(message: pb.Components) -> Mapping[str, Any]:
    """What a set's TOML file says besides its id and version."""
    counts = counts_from(message.cards, "dragons.cards")
    return {
        "cards": dict.fromkeys(facts.KINDS, 0) | {c.card.kind: c.count for c in counts if not c.card.coins},
        "coin_cards": {str(c.card.coins): c.count for c in counts if c.card.coins},
    }


def _order(message: games.ChanceOutcome) -> tuple[int, ...]:
    cards = cards_from(message.dragons_cards.cards, "dragons_cards.cards")
    return tuple(FACE_OF[card] for card in cards)


_ACTIONS_TO: Final[dict[type, Any]] = {
    moves.Draw: lambda action: pb.Action(draw=pb.Draw()),
    moves.Place: lambda action: pb.Action(place=pb.Place(pile=action.pile)),
    moves.Play: lambda action: pb.Action(play=pb.Play(card=HAND_CARDS.number(action.card), pile=action.pile)),
    moves.Claim: lambda action: pb.Action(claim=pb.Claim(pile=action.pile)),
}
