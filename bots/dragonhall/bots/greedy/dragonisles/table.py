"""The table of DragonIsles as one seat knows it, and how long the game may go on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from typing import Any, Final

from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.bots.policy import Chair
from dragonhall.rules.dragonisles.events import CardsDiscarded, DeckName, DeckShuffled, QuestBoardCleared, TreasureKept
from dragonhall.rules.dragonisles.facts import (
    CARD_OF,
    ENCOUNTER_TYPES,
    LAST_ENCOUNTER,
    WILD,
    WILDS,
    Adventurer,
    Approach,
    Benefit,
    CharacterBoard,
    Components,
    Encounter,
    Potion,
    TrackName,
)
from dragonhall.rules.dragonisles.view import SeatView, View

EXPERIENCE: Final = 3.0
"""The pace of a seat is taken from what it did, as if it had won so many encounters before at the usual pace."""


class Table:
    """What one seat sees, in the numbers that it reckons with."""

    def __init__(self, chair: Chair, view: View, seen: Sequence[Any], temper: Temper) -> None:
        self.components: Components = chair.components
        self.view = view
        self.seen = seen
        self.me = chair.seat
        self.seats = chair.seats
        self.own: SeatView = view.seats[chair.seat]
        self.to_win = LAST_ENCOUNTER - len(self.own.encounters)
        """Encounters that the own seat needs to end the game."""
        self._temper = temper
        paces = [self._pace(seat) for seat in view.seats]
        others_end = min(
            pace * (LAST_ENCOUNTER - len(shown.encounters))
            for seat, (pace, shown) in enumerate(zip(paces, view.seats, strict=True))
            if seat != self.me
        )
        self.going_on = exp(-1 / others_end) if others_end else 0.0
        """How likely the own seat has another turn, if it does not end the game itself."""
        self.turns_left = min(others_end, paces[self.me] * self.to_win)
        """Own turns after this one, about, until somebody ends the game."""
        self.successes_left = min(self.to_win, 1 + self.turns_left / paces[self.me])
        """Encounters that the seat may still win, about, one now included."""
        self.later_successes = max(0.0, self.successes_left - 1)
        """The same, one now left out."""

    def _pace(self, seat: SeatView) -> float:
        turns = self.view.turn / self.seats
        return (turns + EXPERIENCE * self._temper.pace) / (len(seat.encounters) + EXPERIENCE)

    @property
    def board(self) -> CharacterBoard:
        """The own character board."""
        return self.board_of(self.me)

    def board_of(self, seat: int) -> CharacterBoard:
        """The character board of any seat."""
        character = self.view.seats[seat].character
        assert character is not None, "only the choice of characters comes before a seat has one"
        return self.components.board(character)

    def track(self, name: TrackName, seat: int | None = None) -> int:
        """The value of a track, the own seat's if no other is named; 0 if its board has no such track."""
        seat = self.me if seat is None else seat
        places = zip(self.board_of(seat).tracks, self.view.seats[seat].positions, strict=True)
        return next((track.value(position) for track, position in places if track.name == name), 0)

    def bonus(self, encounter: Encounter, approach: Approach) -> int:
        """What the own tracks add to the dice."""
        return self.track(approach) + (self.track("sea") if encounter.category == "sea" else 0)

    def charms(self) -> list[Benefit]:
        """What the own treasures for a rolled 1 do, those used in the challenge under way left out."""
        kinds = list(self.own.treasures)
        if self.view.challenge is not None:
            for used in self.view.challenge.used_treasures:
                kinds.remove(used)
        treasures = [self.components.treasures[kind] for kind in kinds]
        return [item.benefit for item in treasures if item.trigger == "rolled_one" and item.benefit is not None]

    def potions(self, potion: Potion) -> int:
        """How many the own seat has."""
        return int(getattr(self.own.potions, potion))

    def symbols(self, seat: int) -> list[int]:
        """By type."""
        return [int(getattr(self.view.seats[seat].symbols, name)) for name in ENCOUNTER_TYPES]

    def coin_worth(self, seat: int) -> int:
        """Victory points of a coin."""
        return 2 if self.view.seats[seat].character == "pirate" else 1

    def score(self, seat: int) -> int:
        """Victory points if the game ended now."""
        shown = self.view.seats[seat]
        trophies = len(shown.encounter_trophies) + shown.variety_trophy
        return (
            sum(self.components.encounters[kind].victory_points for kind in shown.encounters)
            + sum(self.components.treasures[kind].scroll is not None for kind in shown.treasures)
            + 3 * len(shown.encounter_trophies)
            + 5 * shown.variety_trophy
            + self.track("trophies", seat) * trophies
            + self.coin_worth(seat) * shown.coins
        )

    # ---- What is not seen

    def unseen_adventurers(self) -> list[int]:
        """By card (its number inside the rules): how many may be drawn, or are in other hands."""
        counts = [1] * WILD + [WILDS]
        shown: list[Adventurer] = [card for card in self.view.tavern if card is not None]
        shown += self.view.hand or ()
        shown += self.view.adventurer_offer or ()
        shown += () if self.view.challenge is None else self.view.challenge.cards
        for event in self._since_shuffle("adventurers"):
            shown += event.cards if isinstance(event, CardsDiscarded) else ()
        for card in shown:
            counts[CARD_OF[card]] -= 1
        return counts

    def unseen_encounters(self) -> list[int]:
        """By kind of encounter: how many may come to the Quest Board before the discards do."""
        counts = [encounter.copies for encounter in self.components.encounters]
        shown = [kind for kind in self.view.quest_board if kind is not None]
        shown += [kind for seat in self.view.seats for kind in seat.encounters]
        for event in self._since_shuffle("encounters"):
            shown += event.encounters if isinstance(event, QuestBoardCleared) else ()
        return _less(counts, shown)

    def unseen_treasures(self) -> list[int]:
        """By kind of treasure: how many may be drawn before the discards are."""
        counts = [treasure.copies for treasure in self.components.treasures]
        shown = [kind for seat in self.view.seats for kind in seat.treasures]
        for event in self._since_shuffle("treasures"):
            shown += event.discarded if isinstance(event, TreasureKept) else ()
        return _less(counts, shown)

    def _since_shuffle(self, deck: DeckName) -> Iterator[Any]:
        for event in reversed(self.seen):
            if isinstance(event, DeckShuffled) and event.deck == deck:
                return
            yield event


def _less(counts: list[int], shown: Sequence[int]) -> list[int]:
    """Without what is shown; of nothing are there fewer than none, whatever was put back."""
    for kind in shown:
        counts[kind] = max(0, counts[kind] - 1)
    return counts
