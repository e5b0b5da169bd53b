"""What other seats chose lately, and the table as all saw it then: for `plausibility`.

From the newest view events are undone one by one: some turns of each seat, none from before the newest adventurer deck.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from librt.vecs import vec

from dragonhall.bots.mcts.dragonisles import plausibility
from dragonhall.bots.mcts.dragonisles.plausibility import Step
from dragonhall.rules.dragonisles import cards
from dragonhall.rules.dragonisles.events import (
    AdventurerKept,
    CardDrawn,
    CardsDiscarded,
    ChallengeEnded,
    ChallengeStarted,
    CoinEarned,
    CoinTaken,
    DeckShuffled,
    EncounterRevealed,
    EncounterTrophyTaken,
    EncounterWon,
    Event,
    PotionEarned,
    PotionTaken,
    PotionUsed,
    PreparationStarted,
    QuestBoardCleared,
    TavernCardTaken,
    TavernRefilled,
    TrackAdvanced,
    TreasureKept,
    TurnStarted,
    VarietyTrophyTaken,
)
from dragonhall.rules.dragonisles.facts import APPROACHES, CARD_OF, ENCOUNTER_TYPES, POTIONS, WILD, Adventurer
from dragonhall.rules.dragonisles.player import one
from dragonhall.rules.dragonisles.preparing import FROM_DECK
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.dragonisles.state import State

MEMORY: Final = 1
"""Turns of each seat that are looked at."""


def steps_back(table: State, viewer: int | None, told: Sequence[Event]) -> vec[Step]:
    """What happened to the hands of others, seat after seat, the newest first.

    ``table``: as the newest view shows it; hands do not matter.
    """
    past = _Past(table.copy(), viewer, told)
    past.go_back()
    return vec[Step]([step for seat in range(table.seats) for step in past.steps[seat]])


class _Past:
    """The table at some time in the past, and what happened since."""

    def __init__(self, table: State, viewer: int | None, told: Sequence[Event]) -> None:
        self._table = table
        self._viewer = viewer
        self._told = told
        self._at = len(told)
        self._known = _Known(table.seats, told)
        self._played: int = 0
        self.steps: list[list[Step]] = [[] for _ in range(table.seats)]

    def go_back(self) -> None:
        turns = MEMORY * self._table.seats
        while turns > 0 and self._at > 0:
            self._at -= 1
            event = self._told[self._at]
            if isinstance(event, DeckShuffled) and event.deck == "adventurers":
                return
            undo = _UNDO.get(type(event))
            if undo is not None:
                undo(self, event)
            turns -= isinstance(event, TurnStarted)

    def _note(self, kind: int, seat: int, card_set: int = 0, place: int = NONE, approach: int = 0) -> None:
        if seat == self._viewer:
            return
        is_choice = kind >= plausibility.PREPARED
        step = Step(kind, seat, card_set, self._table.copy() if is_choice else self._table, place)
        step.approach = approach
        self.steps[seat].append(step)

    # ---- Cards

    def _card_drawn(self, event: CardDrawn) -> None:
        self._note(plausibility.DREW, event.seat, self._known.before[self._at])
        if self._is_chosen():
            self._note(plausibility.TOOK, event.seat, place=FROM_DECK)

    def _is_chosen(self) -> bool:
        """Whether this draw is one of a PREPARE, and not an effect."""
        before = self._at - 1
        while isinstance(self._told[before], CardDrawn):
            before -= 1
        return isinstance(self._told[before], PreparationStarted | TavernRefilled)

    def _tavern_card_taken(self, event: TavernCardTaken) -> None:
        self._note(plausibility.CAME, event.seat, 1 << CARD_OF[event.card])
        self._table.tavern[event.place] = CARD_OF[event.card]
        self._note(plausibility.TOOK, event.seat, place=event.place)

    def _tavern_refilled(self, event: TavernRefilled) -> None:
        self._table.tavern[event.place] = NONE

    def _adventurer_kept(self, event: AdventurerKept) -> None:
        self._note(plausibility.DREW, event.seat, self._known.before[self._at])

    def _cards_discarded(self, event: CardsDiscarded) -> None:
        if event.cause == "hand_limit":
            self._note(plausibility.LEFT, event.seat, _set_of(event.cards))
            self._note(plausibility.DISCARDED, event.seat, _set_of(event.cards))

    def _preparation_started(self, event: PreparationStarted) -> None:
        self._note(plausibility.PREPARED, event.seat)

    def _challenge_ended(self, event: ChallengeEnded) -> None:
        if not event.succeeded:
            started = next(e for e in reversed(self._told[: self._at]) if isinstance(e, ChallengeStarted))
            self._note(plausibility.CAME, event.seat, _set_of(started.cards))

    def _challenge_started(self, event: ChallengeStarted) -> None:
        played = _set_of(event.cards)
        self._note(plausibility.LEFT, event.seat, played)
        self._note(plausibility.CHALLENGED, event.seat, played, event.place, APPROACHES.index(event.approach))

    # ---- The table

    def _turn_started(self, event: TurnStarted) -> None:
        self._table.turn -= 1

    def _encounter_revealed(self, event: EncounterRevealed) -> None:
        self._table.quest_board[event.place] = NONE

    def _quest_board_cleared(self, event: QuestBoardCleared) -> None:
        for place, encounter in enumerate(event.encounters):
            self._table.quest_board[place] = encounter

    def _encounter_won(self, event: EncounterWon) -> None:
        setting, player = self._table.setting, self._table.players[event.seat]
        self._table.quest_board[event.place] = event.encounter
        player.encounters = player.encounters[:-1]
        player.symbols -= setting.symbols[event.encounter] * one(setting.type[event.encounter])

    def _encounter_trophy_taken(self, event: EncounterTrophyTaken) -> None:
        before = NONE if event.from_seat is None else event.from_seat
        self._table.trophies[ENCOUNTER_TYPES.index(event.type)] = before

    def _variety_trophy_taken(self, event: VarietyTrophyTaken) -> None:
        self._table.players[event.seat].variety_trophy = False

    def _track_advanced(self, event: TrackAdvanced) -> None:
        player = self._table.players[event.seat]
        tracks = self._table.setting.components.characters[player.character].tracks
        player.cubes -= one(next(place for place, track in enumerate(tracks) if track.name == event.track))

    def _potion_used(self, event: PotionUsed) -> None:
        self._table.players[event.seat].potions += one(POTIONS.index(event.potion))

    def _potion_earned(self, event: PotionEarned) -> None:
        self._table.players[event.seat].potions -= one(POTIONS.index(event.potion))

    def _potion_taken(self, event: PotionTaken) -> None:
        self._table.players[event.seat].potions -= one(POTIONS.index(event.potion))
        self._table.players[event.from_seat].potions += one(POTIONS.index(event.potion))

    def _coin_earned(self, event: CoinEarned) -> None:
        self._table.players[event.seat].coins -= 1

    def _coin_taken(self, event: CoinTaken) -> None:
        self._table.players[event.seat].coins -= 1
        self._table.players[event.from_seat].coins += 1

    def _treasure_kept(self, event: TreasureKept) -> None:
        player, scroll = self._table.players[event.seat], self._table.setting.scroll[event.treasure]
        player.treasures = player.treasures[:-1]
        if scroll != NONE:
            player.symbols -= one(scroll)


_UNDO: Final[dict[type, Callable[[_Past, Any], None]]] = {
    CardDrawn: _Past._card_drawn,
    TavernCardTaken: _Past._tavern_card_taken,
    TavernRefilled: _Past._tavern_refilled,
    AdventurerKept: _Past._adventurer_kept,
    CardsDiscarded: _Past._cards_discarded,
    PreparationStarted: _Past._preparation_started,
    ChallengeEnded: _Past._challenge_ended,
    ChallengeStarted: _Past._challenge_started,
    TurnStarted: _Past._turn_started,
    EncounterRevealed: _Past._encounter_revealed,
    QuestBoardCleared: _Past._quest_board_cleared,
    EncounterWon: _Past._encounter_won,
    EncounterTrophyTaken: _Past._encounter_trophy_taken,
    VarietyTrophyTaken: _Past._variety_trophy_taken,
    TrackAdvanced: _Past._track_advanced,
    PotionUsed: _Past._potion_used,
    PotionEarned: _Past._potion_earned,
    PotionTaken: _Past._potion_taken,
    CoinEarned: _Past._coin_earned,
    CoinTaken: _Past._coin_taken,
    TreasureKept: _Past._treasure_kept,
}
"""How an event is undone."""


class _Known:
    """Cards in hands that everyone can tell, event by event."""

    def __init__(self, seats: int, told: Sequence[Event]) -> None:
        self.before: dict[int, int] = {}
        """By the place of a `CardDrawn` or `AdventurerKept`: the cards in that hand which it cannot have been: those
        that are known, and those that are not from the newest deck."""
        self._hands = [0] * seats
        self._played = 0
        self._discards = 0
        self._older = 0
        for at, event in enumerate(told):
            self._follow(at, event)

    def _follow(self, at: int, event: Event) -> None:
        match event:
            case TavernCardTaken():
                self._hands[event.seat] += 1 << CARD_OF[event.card]
            case ChallengeStarted():
                self._played = _set_of(event.cards)
                self._leave(event.seat, self._played)
            case ChallengeEnded() if not event.succeeded:
                self._hands[event.seat] += self._played
            case CardsDiscarded():
                self._discards |= _set_of(event.cards) & cards.COLOURED
                if event.cause == "hand_limit":
                    self._leave(event.seat, _set_of(event.cards))
            case DeckShuffled("adventurers"):
                self._older, self._discards = cards.COLOURED & ~self._discards, 0
            case CardDrawn() | AdventurerKept():
                known = self._hands[event.seat]
                self.before[at] = (known | self._older) & cards.COLOURED | cards.wilds(known) << WILD

    def _leave(self, seat: int, gone: int) -> None:
        """Of these cards, those that were known are so no more."""
        known = self._hands[seat]
        wilds = max(0, cards.wilds(known) - cards.wilds(gone))
        self._hands[seat] = known & ~gone & cards.COLOURED | wilds << WILD


def _set_of(adventurers: Sequence[Adventurer]) -> int:
    return sum(1 << CARD_OF[card] for card in adventurers)
