"""Beliefs: full states of DragonIsles that fit all that one seat knows.

What lies on the table is in the view; what was discarded, drawn from the Tavern or played before is in the events. The
rest may lie in any order: the three decks, the treasures on offer, and in other hands the cards that were drawn from
the adventurer deck, each of which came from the deck as it was then (`whereabouts`). What the choices of other seats
may tell about their hands is left to whoever uses the samples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.events import (
    DeckShuffled,
    Event,
    QuestBoardCleared,
    TreasureKept,
    TreasuresOffered,
)
from dragonhall.rules.dragonisles.facts import (
    APPROACHES,
    CARD_OF,
    CHARACTERS,
    ENCOUNTER_TYPES,
    POTIONS,
    Adventurer,
    check_options,
)
from dragonhall.rules.dragonisles.player import Player, one
from dragonhall.rules.dragonisles.preparing import ones_treasures
from dragonhall.rules.dragonisles.resuming import resume
from dragonhall.rules.dragonisles.setting import NONE, Setting, setting_of
from dragonhall.rules.dragonisles.state import State, empty_table
from dragonhall.rules.dragonisles.view import STAGE_NAMES, ChallengeView, PotionCounts, SeatView, SymbolCounts, View
from dragonhall.rules.dragonisles.whereabouts import Whereabouts, follow
from dragonhall.rules.dragonisles.worlds import TO_OFFER, Unknown, offer
from dragonhall.rules.errors import InconsistentKnowledge
from dragonhall.rules.game import Knowledge

STAGES_BY_NAME: Final = {name: number for number, name in STAGE_NAMES.items()}


class Belief:
    """What one seat (or spectator) can tell about a game: made once, sampled as often as wanted."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Raises `InconsistentKnowledge` if the events do not lead to the view."""
        view: View = knowledge.view
        check_options(knowledge.options, len(view.seats))
        setting = setting_of(knowledge.components, len(view.seats))
        try:
            self._believe(setting, view, knowledge.events)
            shown = self._table_with(self.cases[0], Random(0)).view(knowledge.viewer)
        except (AssertionError, LookupError, ValueError) as error:
            raise InconsistentKnowledge(f"the events do not lead to the view: {error}") from None
        if shown != view:
            raise InconsistentKnowledge("the events do not lead to the view: give all of them, and the newest view")

    def _believe(self, setting: Setting, view: View, told: Sequence[Event]) -> None:
        hypotheses = follow(len(view.seats), told)
        encounters, treasures = _EncounterCards(told), _TreasureCards(setting.treasure_deck(), told)
        self._table = _laid_out(setting, view)
        _lay_discards(self._table, hypotheses[0], encounters, treasures)
        _lay_known_cards(self._table, hypotheses[0], view, treasures)
        if self._table.active != NONE:
            resume(self._table, told, view.seats[self._table.active].hand_size)
        rest = encounters.deck(self._table)
        self.cases = [_unknown(hypothesis, rest, treasures, view) for hypothesis in hypotheses]
        """What is unknown, by hypothesis: one, unless a wild card may have come from several decks."""
        self._chances = list(accumulate(_shares([hypothesis.ways() for hypothesis in hypotheses])))

    def sample(self, rng: Random) -> State:
        """A full state that fits, each that fits as likely.

        A wild card played from a hand may leave it open from which of several decks that was. Each such case counts by
        the number of its states; a state that fits several of them is as much more likely.
        """
        return self._table_with(self.cases[self._case(rng)], rng)

    def _case(self, rng: Random) -> int:
        if len(self._chances) == 1:
            return 0
        drawn = rng.random()
        return next(at for at, chance in enumerate(self._chances) if drawn < chance or at == len(self._chances) - 1)

    def _table_with(self, unknown: Unknown, rng: Random) -> State:
        return unknown.dealt(self._table, rng)


def _shares(ways: list[int]) -> list[float]:
    return [each / sum(ways) for each in ways]


class _EncounterCards:
    """Encounters discarded since the last shuffle."""

    def __init__(self, told: Iterable[Event]) -> None:
        self.discards: list[int] = []
        for event in told:
            match event:
                case QuestBoardCleared():
                    self.discards += event.encounters
                case DeckShuffled("encounters"):
                    self.discards = []

    def deck(self, table: State) -> list[int]:
        """The encounters in the deck: all that lie nowhere else."""
        rest = list(table.setting.encounter_deck())
        won = [kind for seat in range(table.seats) for kind in table.players[seat].encounters]
        return _without(rest, [*self.discards, *won, *(kind for kind in table.quest_board if kind != NONE)])


class _TreasureCards:
    """Treasures discarded since the last shuffle, those in the deck, and what is known of an offer under way."""

    def __init__(self, all_cards: Iterable[int], told: Iterable[Event]) -> None:
        self.discards: list[int] = []
        self.hidden = list(all_cards)
        """In the deck, or on offer and not in `in_flight`."""
        self.offered = 0
        """Cards on offer."""
        self.in_flight: list[int] = []
        """Cards on offer that everyone can tell: the last of a deck that ran out."""
        for event in told:
            self._follow(event)

    def _follow(self, event: Event) -> None:
        match event:
            case DeckShuffled("treasures"):
                self.in_flight = self.hidden
                self.hidden, self.discards = self.discards, []
            case TreasuresOffered():
                self.offered = event.count
            case TreasureKept():
                seen = [event.treasure, *event.discarded]
                self.hidden = _without([*self.hidden, *self.in_flight], seen)
                self.discards += event.discarded
                self.offered, self.in_flight = 0, []


def _without(cards: list[int], gone: Iterable[int]) -> list[int]:
    """The cards but for those that are gone. Raises ValueError if one of these is not there."""
    rest = list(cards)
    for card in gone:
        rest.remove(card)
    return rest


# ---- The table, as the view shows it


def _laid_out(setting: Setting, view: View) -> State:
    """All that the view shows of board, tokens, seats and challenge."""
    table = empty_table(setting)
    table.first_seat, table.turn, table.draws_left = view.first_seat, view.turn, view.draws_left
    table.active = NONE if view.active_seat is None else view.active_seat
    table.asked = STAGES_BY_NAME[view.stage]
    table.quest_board = vec[i64]([NONE if kind is None else kind for kind in view.quest_board])
    table.tavern = vec[i64]([NONE if card is None else CARD_OF[card] for card in view.tavern])
    table.potion_pile = _packed(view.potion_pile, POTIONS)
    table.coins_left = view.coins_left
    for seat, shown in enumerate(view.seats):
        _lay_belongings(table.players[seat], shown)
        for kind in shown.encounter_trophies:
            table.trophies[ENCOUNTER_TYPES.index(kind)] = seat
    if view.challenge is not None:
        _lay_challenge(table, view.challenge)
    return table


def _packed(counts: PotionCounts | SymbolCounts, kinds: Sequence[str]) -> int:
    return sum(getattr(counts, kind) * one(place) for place, kind in enumerate(kinds))


def _lay_belongings(player: Player, shown: SeatView) -> None:
    player.character = NONE if shown.character is None else CHARACTERS.index(shown.character)
    player.cubes = sum(position * one(place) for place, position in enumerate(shown.positions))
    player.potions = _packed(shown.potions, POTIONS)
    player.coins = shown.coins
    player.symbols = _packed(shown.symbols, ENCOUNTER_TYPES)
    player.variety_trophy = shown.variety_trophy
    player.treasures = vec[i64](shown.treasures)
    player.encounters = vec[i64](shown.encounters)


def _lay_challenge(table: State, shown: ChallengeView) -> None:
    table.challenged = shown.place
    table.approach = APPROACHES.index(shown.approach)
    table.played = _card_set(shown.cards)
    table.dice = sum(1 << (4 * face) for face in shown.dice)
    used = shown.used_treasures
    helpers = list(table.setting.ones_treasures)
    table.unused = ones_treasures(table) - sum(1 << (4 * helpers.index(treasure)) for treasure in used)
    table.reroll_decided = shown.reroll_decided
    table.boosts = shown.boosts


def _card_set(cards: Iterable[Adventurer]) -> int:
    return sum(1 << CARD_OF[card] for card in cards)


def _lay_discards(
    table: State, adventurers: Whereabouts, encounters: _EncounterCards, treasures: _TreasureCards
) -> None:
    table.adventurers = Deck(vec[i64](), vec[i64](adventurers.discards))
    table.encounters = Deck(vec[i64](), vec[i64](encounters.discards))
    table.treasures = Deck(vec[i64](), vec[i64](treasures.discards))


def _lay_known_cards(table: State, adventurers: Whereabouts, view: View, treasures: _TreasureCards) -> None:
    """Cards that the reader knows to be in a hand or on offer."""
    for seat in range(table.seats):
        table.players[seat].hand = sum(1 << card for card in adventurers.known[seat])
    table.adventurer_offer = sum(1 << card for card in adventurers.known[TO_OFFER])
    for treasure in treasures.in_flight if view.treasure_offer is None else view.treasure_offer:
        offer(table, treasure)


# ---- What is left


def _unknown(adventurers: Whereabouts, encounters: list[int], treasures: _TreasureCards, view: View) -> Unknown:
    pools = [pool for pool in adventurers.pools if pool.cards]
    places = [[place for place, count in pool.slots.items() for _ in range(count)] for pool in pools]
    if any(len(pool.cards) != len(there) for pool, there in zip(pools, places, strict=True)):
        raise ValueError("there are not as many cards as places for them")
    if view.treasure_offer is None:
        hidden, offered = treasures.hidden, treasures.offered - len(treasures.in_flight)
    else:
        hidden, offered = _without([*treasures.hidden, *treasures.in_flight], view.treasure_offer), 0
    return Unknown(
        adventurers=vec[i64]([card for pool in pools for card in pool.cards]),
        places=vec[i64]([place for there in places for place in there]),
        pool_ends=vec[i64](list(accumulate(len(pool.cards) for pool in pools))),
        encounters=vec[i64](encounters),
        treasures=vec[i64](hidden),
        offered_treasures=offered,
    )
