"""Who is told what happens: every audience is in this module.

Each function is called when what it tells has just happened, by the seat whose turn it is unless it says otherwise.
What is seen by one seat alone goes out twice: whole to that seat, and with ``None`` in its place to everyone else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragonhall.rules.dragonisles import cards, choices
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.events import (
    AdventurerKept,
    AdventurersOffered,
    CardDrawn,
    CardsDiscarded,
    ChallengeEnded,
    ChallengeStarted,
    CharacterChosen,
    ChoiceDeclined,
    ClearCause,
    CoinEarned,
    CoinTaken,
    DeckName,
    DeckShuffled,
    Declined,
    DiceRolled,
    DiscardCause,
    Earning,
    EncounterRevealed,
    EncounterTrophyTaken,
    EncounterWon,
    GameStarted,
    HandDealt,
    NothingLeft,
    PotionEarned,
    PotionTaken,
    PotionUsed,
    PreparationStarted,
    QuestBoardCleared,
    RollCause,
    TavernCardTaken,
    TavernRefilled,
    TrackAdvanced,
    TreasureKept,
    TreasuresOffered,
    TreasuresUsed,
    TurnStarted,
    VarietyTrophyTaken,
)
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARDS,
    CHARACTERS,
    ENCOUNTER_TYPES,
    POTIONS,
    Adventurer,
    adventurers,
)
from dragonhall.rules.dragonisles.player import count_in
from dragonhall.rules.dragonisles.setting import NONE
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragonisles.state import State


def cards_in(card_set: int) -> tuple[Adventurer, ...]:
    """The cards of a card set, in canonical order."""
    return adventurers(cards.card_list(card_set))


def treasures_named(state: State, sequence: int) -> tuple[int, ...]:
    """The kinds of treasure in a sequence (`choices`), in its order."""
    return tuple(state.setting.ones_treasures[step] for step in choices.step_list(sequence))


def treasures_counted(state: State, copies: int) -> tuple[int, ...]:
    """The kinds of treasure of which four bits each count the copies (`choices`), ascending, a kind once for each."""
    return tuple(state.setting.ones_treasures[place] for place in choices.face_list(copies))


# ---- Setting up


def game_started(state: State, journal: Journal) -> None:
    """Everyone sees who begins, and who plays whom."""
    characters = [player.character for player in state.players]
    known = None if NONE in characters else tuple(CHARACTERS[character] for character in characters)
    journal.tell(GameStarted(state.first_seat, known))


def character_chosen(state: State, journal: Journal) -> None:
    """Everyone sees the choice."""
    journal.tell(CharacterChosen(state.active, CHARACTERS[state.player().character]))


def hand_dealt(state: State, seat: int, journal: Journal) -> None:
    """Only the seat sees its cards."""
    dealt = cards_in(state.players[seat].hand)
    journal.tell_apart(1 << seat, HandDealt(seat, dealt, len(dealt)), HandDealt(seat, None, len(dealt)))


# ---- Quest Board, Tavern and decks


def encounter_revealed(state: State, place: int, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(EncounterRevealed(place, state.quest_board[place], state.encounters.size()))


def quest_board_cleared(state: State, cause: ClearCause, journal: Journal) -> None:
    """Everyone sees it. Told while the encounters still lie there."""
    journal.tell(QuestBoardCleared(cause, tuple(encounter for encounter in state.quest_board if encounter != NONE)))


def tavern_refilled(state: State, place: int, journal: Journal) -> None:
    """Everyone sees the card."""
    journal.tell(TavernRefilled(place, CARDS[state.tavern[place]], state.adventurers.size()))


def deck_shuffled(name: DeckName, deck: Deck, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(DeckShuffled(name, deck.size()))


# ---- A turn


def turn_started(state: State, journal: Journal) -> None:
    """Everyone sees whose turn it is."""
    journal.tell(TurnStarted(state.active, state.turn))


def preparation_started(state: State, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(PreparationStarted(state.active, state.draws_left))


def tavern_card_taken(state: State, place: int, card: int, journal: Journal) -> None:
    """Everyone sees the card."""
    journal.tell(TavernCardTaken(state.active, place, CARDS[card]))


def card_drawn(state: State, card: int, journal: Journal) -> None:
    """Only the seat sees the card."""
    seat, deck_size = state.active, state.adventurers.size()
    journal.tell_apart(1 << seat, CardDrawn(seat, CARDS[card], deck_size), CardDrawn(seat, None, deck_size))


def cards_discarded(state: State, discarded: int, cause: DiscardCause, journal: Journal) -> None:
    """Everyone sees the cards."""
    journal.tell(CardsDiscarded(state.active, cards_in(discarded), cause))


def potion_used(state: State, potion: int, draw: bool, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(PotionUsed(state.active, POTIONS[potion], draw))


def challenge_started(state: State, journal: Journal) -> None:
    """Everyone sees the cards played."""
    approach = APPROACHES[state.approach]
    journal.tell(ChallengeStarted(state.active, state.challenged, state.encounter(), approach, cards_in(state.played)))


def dice_rolled(state: State, cause: RollCause, rolled: int, journal: Journal) -> None:
    """Everyone sees the dice. ``rolled`` holds four bits a die just rolled, the first in the lowest."""
    faces = choices.step_list(rolled, offset=0)
    journal.tell(DiceRolled(state.active, cause, tuple(faces), tuple(choices.face_list(state.dice))))


def treasures_used(state: State, journal: Journal) -> None:
    """Everyone sees which, and their order."""
    journal.tell(TreasuresUsed(state.active, treasures_named(state, state.benefits)))


def choice_declined(state: State, choice: Declined, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(ChoiceDeclined(state.active, choice))


def challenge_ended(state: State, succeeded: bool, journal: Journal) -> None:
    """Everyone sees it. Told while the challenge is still under way."""
    journal.tell(ChallengeEnded(state.active, state.total(), state.target(), succeeded))


# ---- What a success, or a failure, earns


def encounter_won(state: State, journal: Journal) -> None:
    """Everyone sees it. Told while the encounter still lies there."""
    journal.tell(EncounterWon(state.active, state.challenged, state.encounter()))


def encounter_trophy_taken(state: State, kind: int, holder: int, journal: Journal) -> None:
    """Everyone sees it. ``holder`` had the trophy before, or is `NONE`."""
    journal.tell(EncounterTrophyTaken(state.active, ENCOUNTER_TYPES[kind], None if holder == NONE else holder))


def variety_trophy_taken(state: State, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(VarietyTrophyTaken(state.active))


def track_advanced(state: State, place: int, journal: Journal) -> None:
    """Everyone sees it."""
    player = state.player()
    track = state.setting.components.characters[player.character].tracks[place]
    journal.tell(TrackAdvanced(state.active, track.name, count_in(player.cubes, place)))


def potion_earned(state: State, potion: int, journal: Journal) -> None:
    """Everyone sees which one."""
    journal.tell(PotionEarned(state.active, POTIONS[potion]))


def potion_taken(state: State, from_seat: int, potion: int, journal: Journal) -> None:
    """Everyone sees which one."""
    journal.tell(PotionTaken(state.active, from_seat, POTIONS[potion]))


def coin_earned(state: State, treasure: int, journal: Journal) -> None:
    """Everyone sees it, and which treasure earned it, if one did."""
    journal.tell(CoinEarned(state.active, None if treasure == NONE else treasure))


def coin_taken(state: State, from_seat: int, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(CoinTaken(state.active, from_seat))


def treasures_offered(state: State, journal: Journal) -> None:
    """Only the seat sees the cards."""
    seat, deck_size = state.active, state.treasures.size()
    offer = offered_treasures(state)
    journal.tell_apart(
        1 << seat,
        TreasuresOffered(seat, offer, len(offer), deck_size),
        TreasuresOffered(seat, None, len(offer), deck_size),
    )


def offered_treasures(state: State) -> tuple[int, ...]:
    """The kinds of the treasures on offer, ascending."""
    return tuple(treasure for treasure in (state.treasure_offer, state.second_treasure) if treasure != NONE)


def treasure_kept(state: State, treasure: int, other: int, journal: Journal) -> None:
    """Everyone sees both cards: one lies before the seat, the other (if not `NONE`) on top of the discards."""
    journal.tell(TreasureKept(state.active, treasure, () if other == NONE else (other,)))


def adventurers_offered(state: State, journal: Journal) -> None:
    """Only the seat sees the cards."""
    seat, deck_size = state.active, state.adventurers.size()
    offer = cards_in(state.adventurer_offer)
    journal.tell_apart(
        1 << seat,
        AdventurersOffered(seat, offer, len(offer), deck_size),
        AdventurersOffered(seat, None, len(offer), deck_size),
    )


def adventurer_kept(state: State, card: int, journal: Journal) -> None:
    """Only the seat sees the card kept."""
    seat = state.active
    journal.tell_apart(1 << seat, AdventurerKept(seat, CARDS[card]), AdventurerKept(seat, None))


def nothing_left(state: State, earning: Earning, journal: Journal) -> None:
    """Everyone sees it."""
    journal.tell(NothingLeft(state.active, earning))
