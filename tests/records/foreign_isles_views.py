"""What every reader sees of a table of DragonIsles, written from the comments of the .proto files alone.

A view is put together from the table of `foreign_dragonisles`, which knows everything.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from tests.records.foreign_dragonisles import Isles
from tests.records.foreign_isles_parts import POTION_FIELDS, TYPES, Challenge, Deck, canonical
from tests.records.foreign_parts import JSON, message

STAGES: Final = {
    "character": "STAGE_CHOOSE_CHARACTER",
    "turn": "STAGE_TURN",
    "draw": "STAGE_DRAW",
    "discard": "STAGE_DISCARD",
    "ones": "STAGE_ONES",
    "reroll": "STAGE_REROLL",
    "boost": "STAGE_BOOST",
    "treasure": "STAGE_KEEP_TREASURE",
    "adventurer": "STAGE_KEEP_ADVENTURER",
    "advance": "STAGE_ADVANCE",
    "takePotion": "STAGE_TAKE_POTION",
    "takeCoin": "STAGE_TAKE_COIN",
}
"""By the name of the decision that is asked."""
OVER: Final = "STAGE_OVER"
TRACKS: Final = 4
NO_CARD: Final = "ADVENTURER_UNSPECIFIED"


def view(table: Isles, viewer: int | None) -> JSON:
    """The View of a seat, or of spectators."""
    asked = table.question.get(table.active, {})
    own = asked if viewer == table.active else {}
    shown = message(
        stage=STAGES[next(iter(asked))] if asked else OVER,
        turn=table.turn,
        firstSeat=table.first_seat,
        drawsLeft=table.draws_left,
        questBoard=[_present(encounter=encounter) for encounter in table.quest_board],
        tavern=[card or NO_CARD for card in table.tavern],
        adventurerDeck=message(**_sizes(table.adventurers), top=_top(table.adventurers)),
        encounterDeck=message(**_sizes(table.encounters)) | _present(top=_top(table.encounters)),
        treasureDeck=message(**_sizes(table.treasures)) | _present(top=_top(table.treasures)),
        potionPile=_potions(table.pile),
        coinsLeft=table.coins_left,
        seats=[_seat(table, seat) for seat in range(table.seats)],
        challenge=_challenge(table.challenged) if table.challenged else None,
        hand=None if viewer is None else message(cards=canonical(table.players[viewer].hand)),
        treasureOffer=own.get("treasure", {}).get("offer"),
        adventurerOffer=own.get("adventurer", {}).get("offer"),
    )
    return shown | ({"activeSeat": table.active} if asked else {})


def _present(**fields: Any) -> JSON:
    """Fields that are absent or written, also if they are 0."""
    return {name: value for name, value in fields.items() if value is not None}


def _sizes(deck: Deck) -> JSON:
    return {"size": len(deck.cards), "discards": len(deck.discards)}


def _top(deck: Deck) -> Any:
    return deck.discards[-1] if deck.discards else None


def _potions(counts: Counter[str]) -> JSON:
    return message(**{field: counts[potion] for potion, field in POTION_FIELDS.items()})


def _seat(table: Isles, seat: int) -> JSON:
    player = table.players[seat]
    return message(
        character=player.character,
        handSize=len(player.hand),
        handLimit=player.track("HAND_LIMIT"),
        positions=[player.positions[track["name"]] for track in player.tracks] or [0] * TRACKS,
        potions=_potions(player.potions),
        coins=player.coins,
        treasures=player.treasures,
        encounters=player.encounters,
        symbols=message(**{kind.removeprefix("ENCOUNTER_TYPE_").lower(): player.symbols[kind] for kind in TYPES}),
        encounterTrophies=[kind for kind in TYPES if table.trophies.get(kind) == seat],
        varietyTrophy=seat in table.variety,
    )


def _challenge(challenge: Challenge) -> JSON:
    return message(
        place=challenge.place,
        encounter=challenge.encounter,
        approach=challenge.approach,
        cards=challenge.cards,
        dice=challenge.dice,
        usedTreasures=sorted(challenge.used.elements()),
        rerollDecided=challenge.reroll_decided,
        boosts=challenge.boosts,
        bonus=challenge.bonus,
        total=challenge.total,
        target=challenge.target["target"],
    )
