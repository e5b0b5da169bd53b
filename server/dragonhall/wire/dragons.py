"""The messages of Dragons (``dragonhall/dragons/v1/dragons.proto``), both ways."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from dragonhall.dragons.v1 import dragons_pb2 as pb
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons import events, facts, moves, outcome, view
from dragonhall.rules.dragons.facts import CARDS, FACE_OF, Card, CardCount
from dragonhall.rules.errors import InvalidComponents
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.codec import component_digest
from dragonhall.wire.errors import InvalidMessage, UnknownGame

GAME: Final = "dragons"
"""The field of this game in the oneofs of games.proto."""

MAX_CARDS: Final = facts.TOTAL_CARDS


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
        options = _of_dragons(message)
        return facts.Options(
            extra_year=options.extra_year,
            open_piles=options.open_piles,
            hidden_card=options.hidden_card,
            first_seat=_optional(options, "first_seat"),
        )

    def action_to_proto(self, action: moves.Action) -> games.GameAction:
        """An action."""
        return games.GameAction(dragons=_ACTIONS_TO[type(action)](action))

    def action_from_proto(self, message: games.GameAction) -> moves.Action:
        """An action."""
        kind, content = _choice(_of_dragons(message), "action")
        match kind:
            case "draw":
                return moves.Draw()
            case "place":
                return moves.Place(content.pile)
            case "claim":
                return moves.Claim(content.pile)
        return moves.Play(_hand_card_from(content.card, "play.card"), content.pile)

    def decision_to_proto(self, decision: moves.Decision) -> games.GameDecision:
        """A decision."""
        if isinstance(decision, moves.TurnDecision):
            return games.GameDecision(dragons=pb.Decision(turn=pb.TurnDecision()))
        placement = pb.PlacementDecision(drawn=_optional_card_to(decision.drawn))
        return games.GameDecision(dragons=pb.Decision(placement=placement))

    def decision_from_proto(self, message: games.GameDecision) -> moves.Decision:
        """A decision."""
        kind, content = _choice(_of_dragons(message), "decision")
        if kind == "turn":
            return moves.TurnDecision()
        return moves.PlacementDecision(_optional_card_from(content, "drawn", "placement.drawn"))

    def event_to_proto(self, event: events.Event) -> games.GameEvent:
        """An event."""
        return games.GameEvent(dragons=_EVENTS_TO[type(event)](event))

    def event_from_proto(self, message: games.GameEvent) -> events.Event:
        """An event."""
        kind, content = _choice(_of_dragons(message), "event")
        event: events.Event = _EVENTS_FROM[kind](content)
        return event

    def view_to_proto(self, view: view.View) -> games.GameView:
        """A view."""
        message = pb.View(
            year=view.year,
            years=view.years,
            deck_size=view.deck_size,
            piles=[_pile_to(pile) for pile in view.piles],
            seats=[_seat_to(seat) for seat in view.seats],
            active_seat=view.active_seat,
            drawn=_optional_card_to(view.drawn),
            held=_optional_card_to(view.held),
        )
        return games.GameView(dragons=message)

    def view_from_proto(self, message: games.GameView) -> view.View:
        """A view."""
        content = _of_dragons(message)
        return view.View(
            year=content.year,
            years=content.years,
            deck_size=content.deck_size,
            piles=tuple(_pile_from(pile, f"piles[{at}]") for at, pile in enumerate(content.piles)),
            seats=tuple(_seat_from(seat, f"seats[{at}]") for at, seat in enumerate(content.seats)),
            active_seat=_optional(content, "active_seat"),
            drawn=_optional_card_from(content, "drawn", "drawn"),
            held=_optional_card_from(content, "held", "held"),
        )

    def breakdown_to_proto(self, breakdown: outcome.Breakdown) -> games.GameBreakdown:
        """A scoring breakdown."""
        message = pb.Breakdown(
            cows=breakdown.cows,
            sheep=breakdown.sheep,
            famines=[_FAMINES_TO[famine] for famine in breakdown.famines],
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
        content = _of_dragons(message)
        return outcome.Breakdown(
            cows=content.cows,
            sheep=content.sheep,
            famines=tuple(_famine_from(famine, f"famines[{at}]") for at, famine in enumerate(content.famines)),
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
        message = games.ComponentSet(id=components.id, version=components.version, digest=component_digest(components))
        if with_contents:
            counts = facts.card_counts(list(components.counts))
            message.dragons.CopyFrom(pb.Components(cards=[_count_to(count) for count in counts]))
        return message

    def components_from_proto(self, message: games.ComponentSet) -> facts.Components:
        """A component set with its contents; they must fit the digest."""
        if message.WhichOneof("contents") != GAME:
            raise InvalidMessage("dragons", "the contents of the component set are needed")
        try:
            components = facts.components_from_data(_component_data(message))
        except InvalidComponents as error:
            field = error.key if error.key in ("id", "version") else f"dragons.{error.key}"
            raise InvalidMessage(field, error.message) from None
        if component_digest(components) != message.digest:
            raise InvalidMessage("digest", "is not the digest of this id, version and cards")
        return components

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome:
        """An outcome of chance: a number, or an order of cards."""
        if outcome.number is not None:
            return games.ChanceOutcome(name=outcome.name, number=outcome.number)
        cards = pb.CardOrder(cards=[_card_to(CARDS[face]) for face in outcome.order or ()])
        return games.ChanceOutcome(name=outcome.name, dragons_cards=cards)

    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome:
        """An outcome of chance."""
        kind, content = _choice(message, "outcome")
        if kind == "number":
            return ChanceOutcome(message.name, number=content)
        if kind != "dragons_cards":
            raise InvalidMessage("outcome", f"{kind} is not chance of Dragons")
        cards = _cards_from(content.cards, "dragons_cards.cards")
        return ChanceOutcome(message.name, order=tuple(FACE_OF[card] for card in cards))


def _of_dragons(message: Any) -> Any:
    """The content of a message of games.proto, if it is one of Dragons."""
    if message.WhichOneof("game") != GAME:
        raise UnknownGame("game", "must be dragons")
    return message.dragons


def _choice(message: Any, oneof: str) -> tuple[str, Any]:
    kind = message.WhichOneof(oneof)
    if kind is None:
        raise InvalidMessage(oneof, "none of its fields is set (or one that this version does not know)")
    return kind, getattr(message, kind)


def _optional(message: Any, field: str) -> int | None:
    return getattr(message, field) if message.HasField(field) else None


# ---- Cards. The enum's names are the rules' kinds in capitals, so that no table can go wrong.

_KIND_PREFIX = "CARD_KIND_"
_CARD_TO: Final = {
    card: pb.Card(kind=pb.CardKind.Value(_KIND_PREFIX + card.kind.upper()), coins=card.coins) for card in CARDS
}
_CARD_FROM: Final = {(message.kind, message.coins): card for card, message in _CARD_TO.items()}


def _card_to(card: Card) -> pb.Card:
    return _CARD_TO[card]


def _card_from(message: pb.Card, field: str) -> Card:
    card = _CARD_FROM.get((message.kind, message.coins))
    if card is None:
        raise InvalidMessage(field, f"no card has kind {message.kind} and shows {message.coins} coins")
    return card


def _optional_card_to(card: Card | None) -> pb.Card | None:
    return None if card is None else _card_to(card)


def _optional_card_from(message: Any, name: str, field: str) -> Card | None:
    return _card_from(getattr(message, name), field) if message.HasField(name) else None


def _cards_to(cards: Iterable[Card]) -> list[pb.Card]:
    return [_card_to(card) for card in cards]


def _cards_from(cards: Any, field: str) -> tuple[Card, ...]:
    if len(cards) > MAX_CARDS:
        raise InvalidMessage(field, f"has {len(cards)} cards; there are {MAX_CARDS}")
    return tuple(_card_from(card, f"{field}[{at}]") for at, card in enumerate(cards))


def _count_to(count: CardCount) -> pb.CardCount:
    return pb.CardCount(card=_card_to(count.card), count=count.count)


def _counts_from(counts: Iterable[pb.CardCount], field: str) -> tuple[CardCount, ...]:
    found: dict[Card, int] = {}
    for at, count in enumerate(counts):
        card = _card_from(count.card, f"{field}[{at}].card")
        if card in found:
            raise InvalidMessage(f"{field}[{at}].card", "is listed twice")
        if not 1 <= count.count <= MAX_CARDS:
            raise InvalidMessage(f"{field}[{at}].count", f"must be from 1 to {MAX_CARDS}")
        found[card] = count.count
    return tuple(CardCount(card, count) for card, count in found.items())


def _component_data(message: games.ComponentSet) -> Mapping[str, Any]:
    """The set in the shape of its TOML file."""
    counts = _counts_from(message.dragons.cards, "dragons.cards")
    return {
        "id": message.id,
        "version": message.version,
        "cards": dict.fromkeys(facts.KINDS, 0) | {c.card.kind: c.count for c in counts if not c.card.coins},
        "coin_cards": {str(c.card.coins): c.count for c in counts if c.card.coins},
    }


# ---- Small enums.

_HAND_CARDS_TO: Final[dict[moves.HandCard, pb.HandCard.ValueType]] = {
    "drawn": pb.HAND_CARD_DRAWN,
    "held": pb.HAND_CARD_HELD,
}
_HAND_CARDS_FROM: Final[dict[int, moves.HandCard]] = {number: card for card, number in _HAND_CARDS_TO.items()}
_FAMINES_TO: Final[dict[outcome.Famine, pb.Famine.ValueType]] = {
    "animals": pb.FAMINE_ANIMALS,
    "cows": pb.FAMINE_COWS,
    "sheep": pb.FAMINE_SHEEP,
}
_FAMINES_FROM: Final[dict[int, outcome.Famine]] = {number: famine for famine, number in _FAMINES_TO.items()}


def _hand_card_from(number: int, field: str) -> moves.HandCard:
    if number not in _HAND_CARDS_FROM:
        raise InvalidMessage(field, "must be HAND_CARD_DRAWN or HAND_CARD_HELD")
    return _HAND_CARDS_FROM[number]


def _famine_from(number: int, field: str) -> outcome.Famine:
    if number not in _FAMINES_FROM:
        raise InvalidMessage(field, "must be FAMINE_ANIMALS, FAMINE_COWS or FAMINE_SHEEP")
    return _FAMINES_FROM[number]


# ---- Actions.

_ACTIONS_TO: Final[dict[type, Any]] = {
    moves.Draw: lambda action: pb.Action(draw=pb.Draw()),
    moves.Place: lambda action: pb.Action(place=pb.Place(pile=action.pile)),
    moves.Play: lambda action: pb.Action(play=pb.Play(card=_HAND_CARDS_TO[action.card], pile=action.pile)),
    moves.Claim: lambda action: pb.Action(claim=pb.Claim(pile=action.pile)),
}


# ---- Events.


def _year_started_to(event: events.YearStarted) -> pb.Event:
    message = pb.YearStarted(
        year=event.year,
        first_seat=event.first_seat,
        first_cards=_cards_to(event.first_cards),
        deck_size=event.deck_size,
    )
    return pb.Event(year_started=message)


def _year_started_from(message: pb.YearStarted) -> events.YearStarted:
    first_cards = _cards_from(message.first_cards, "year_started.first_cards")
    return events.YearStarted(message.year, message.first_seat, first_cards, message.deck_size)


def _hidden_card_dealt_to(event: events.HiddenCardDealt) -> pb.Event:
    return pb.Event(hidden_card_dealt=pb.HiddenCardDealt(seat=event.seat, card=_optional_card_to(event.card)))


def _hidden_card_dealt_from(message: pb.HiddenCardDealt) -> events.HiddenCardDealt:
    return events.HiddenCardDealt(message.seat, _optional_card_from(message, "card", "hidden_card_dealt.card"))


def _card_drawn_to(event: events.CardDrawn) -> pb.Event:
    card = _optional_card_to(event.card)
    return pb.Event(card_drawn=pb.CardDrawn(seat=event.seat, card=card, deck_size=event.deck_size))


def _card_drawn_from(message: pb.CardDrawn) -> events.CardDrawn:
    card = _optional_card_from(message, "card", "card_drawn.card")
    return events.CardDrawn(message.seat, card, message.deck_size)


def _card_placed_to(event: events.CardPlaced) -> pb.Event:
    played = pb.HAND_CARD_UNSPECIFIED if event.played is None else _HAND_CARDS_TO[event.played]
    message = pb.CardPlaced(seat=event.seat, pile=event.pile, card=_card_to(event.card), played=played)
    return pb.Event(card_placed=message)


def _card_placed_from(message: pb.CardPlaced) -> events.CardPlaced:
    played = None
    if message.played != pb.HAND_CARD_UNSPECIFIED:
        played = _hand_card_from(message.played, "card_placed.played")
    return events.CardPlaced(message.seat, message.pile, _card_from(message.card, "card_placed.card"), played)


def _pile_claimed_to(event: events.PileClaimed) -> pb.Event:
    return pb.Event(pile_claimed=pb.PileClaimed(seat=event.seat, pile=event.pile))


def _pile_claimed_from(message: pb.PileClaimed) -> events.PileClaimed:
    return events.PileClaimed(message.seat, message.pile)


def _last_pile_taken_to(event: events.LastPileTaken) -> pb.Event:
    rest = _cards_to(event.rest_of_deck)
    return pb.Event(last_pile_taken=pb.LastPileTaken(seat=event.seat, pile=event.pile, rest_of_deck=rest))


def _last_pile_taken_from(message: pb.LastPileTaken) -> events.LastPileTaken:
    rest = _cards_from(message.rest_of_deck, "last_pile_taken.rest_of_deck")
    return events.LastPileTaken(message.seat, message.pile, rest)


def _year_ended_to(event: events.YearEnded) -> pb.Event:
    return pb.Event(year_ended=pb.YearEnded(year=event.year, hauls=[_haul_to(haul) for haul in event.hauls]))


def _year_ended_from(message: pb.YearEnded) -> events.YearEnded:
    hauls = tuple(_haul_from(haul, f"year_ended.hauls[{at}]") for at, haul in enumerate(message.hauls))
    return events.YearEnded(message.year, hauls)


def _haul_to(haul: events.Haul) -> pb.Haul:
    return pb.Haul(
        seat=haul.seat,
        pile=haul.pile,
        cards=_cards_to(haul.cards),
        rest_of_deck=_cards_to(haul.rest_of_deck),
        hidden_card=_optional_card_to(haul.hidden_card),
    )


def _haul_from(message: pb.Haul, field: str) -> events.Haul:
    return events.Haul(
        seat=message.seat,
        pile=message.pile,
        cards=_cards_from(message.cards, f"{field}.cards"),
        rest_of_deck=_cards_from(message.rest_of_deck, f"{field}.rest_of_deck"),
        hidden_card=_optional_card_from(message, "hidden_card", f"{field}.hidden_card"),
    )


_EVENTS_TO: Final[dict[type, Any]] = {
    events.YearStarted: _year_started_to,
    events.HiddenCardDealt: _hidden_card_dealt_to,
    events.CardDrawn: _card_drawn_to,
    events.CardPlaced: _card_placed_to,
    events.PileClaimed: _pile_claimed_to,
    events.LastPileTaken: _last_pile_taken_to,
    events.YearEnded: _year_ended_to,
}
_EVENTS_FROM: Final[dict[str, Any]] = {
    "year_started": _year_started_from,
    "hidden_card_dealt": _hidden_card_dealt_from,
    "card_drawn": _card_drawn_from,
    "card_placed": _card_placed_from,
    "pile_claimed": _pile_claimed_from,
    "last_pile_taken": _last_pile_taken_from,
    "year_ended": _year_ended_from,
}


# ---- View.


def _pile_to(pile: view.Pile) -> pb.Pile:
    return pb.Pile(size=pile.size, top=_card_to(pile.top), cards=_cards_to(pile.cards), claimed_by=pile.claimed_by)


def _pile_from(message: pb.Pile, field: str) -> view.Pile:
    return view.Pile(
        size=message.size,
        top=_card_from(message.top, f"{field}.top"),
        cards=_cards_from(message.cards, f"{field}.cards"),
        claimed_by=_optional(message, "claimed_by"),
    )


def _seat_to(seat: view.SeatView) -> pb.SeatView:
    return pb.SeatView(
        claimed_pile=seat.claimed_pile,
        holds_card=seat.holds_card,
        treasure=[_count_to(count) for count in seat.treasure],
    )


def _seat_from(message: pb.SeatView, field: str) -> view.SeatView:
    return view.SeatView(
        claimed_pile=_optional(message, "claimed_pile"),
        holds_card=message.holds_card,
        treasure=_counts_from(message.treasure, f"{field}.treasure"),
    )
