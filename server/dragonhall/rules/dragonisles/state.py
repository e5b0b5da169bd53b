"""A game of DragonIsles in progress: everything on the table and in hands, and what is to come in the turn.

Hot: one source that CPython runs and mypyc compiles. What happens in a turn is told by `stage` (which stages follow one
another) and by the modules that `stages` lists.
"""

from __future__ import annotations

from typing import Final, final

from librt.random import Random
from librt.vecs import append, vec
from mypy_extensions import i64

from dragonhall.rules.actions import Run
from dragonhall.rules.chance import Chance, RandomChance
from dragonhall.rules.dragonisles import cards, choices, questions
from dragonhall.rules.dragonisles.decks import Deck
from dragonhall.rules.dragonisles.facts import QUEST_PLACES, TAVERN_PLACES, TRACKS, WILD, WILDS
from dragonhall.rules.dragonisles.moves import Decision
from dragonhall.rules.dragonisles.outcome import outcome
from dragonhall.rules.dragonisles.player import Player, count_in
from dragonhall.rules.dragonisles.scoring import points
from dragonhall.rules.dragonisles.setting import (
    HAND_LIMIT_TRACK,
    NONE,
    SEA,
    SEA_TRACK,
    SPACES,
    TRACK_KINDS,
    TYPES,
    Setting,
)
from dragonhall.rules.dragonisles.stage import OVER, STAGE_BITS, STAGE_MASK, Sequence
from dragonhall.rules.dragonisles.stages import STAGES
from dragonhall.rules.dragonisles.view import View, view_of
from dragonhall.rules.game import TO_THE_END, Outcome
from dragonhall.rules.journal import Journal

BOOST_VALUE: Final = 2
"""What a boost adds to the total (Potions)."""


@final
class State:
    """A full state, hidden cards included. Made by `setup.new_game`, `copy` and beliefs."""

    def __init__(
        self,
        setting: Setting,
        players: vec[Player],
        encounters: Deck,
        adventurers: Deck,
        treasures: Deck,
        quest_board: vec[i64],
        tavern: vec[i64],
        trophies: vec[i64],
    ) -> None:
        self.setting: Setting = setting
        self.seats: i64 = setting.seats
        self.players: vec[Player] = players
        """By seat."""
        self.encounters: Deck = encounters
        self.adventurers: Deck = adventurers
        self.treasures: Deck = treasures
        self.quest_board: vec[i64] = quest_board
        """By place: the kind of encounter, or `NONE`."""
        self.tavern: vec[i64] = tavern
        """By place: the adventurer card, or `NONE`."""
        self.trophies: vec[i64] = trophies
        """Encounter trophies, by type: the seat that holds it, or `NONE`."""
        self.potion_pile: i64 = 0
        """By kind (`player.count_in`)."""
        self.coins_left: i64 = setting.coin_supply
        """Value of the coins that no seat has."""

        self.first_seat: i64 = 0
        self.turn: i64 = 0
        """From 1; 0 before the first."""
        self.active: i64 = NONE
        """The seat whose turn it is, or that chooses its character; `NONE` when the game is over."""
        self.asked: i64 = OVER
        """The stage whose question is open."""
        self.agenda: i64 = 0
        """The stages to come, five bits each, the next one in the lowest."""

        self.draws_left: i64 = 0
        """Cards still to be drawn in a PREPARE."""
        self.challenged: i64 = NONE
        """Place on the Quest Board; `NONE` without a challenge under way. The fields below are of this challenge."""
        self.approach: i64 = 0
        self.played: i64 = 0
        """A card set."""
        self.dice: i64 = 0
        """By face (`choices`)."""
        self.fresh_ones: bool = False
        """Dice rolled last show a 1, and it is not yet decided what is made of it."""
        self.unused: i64 = 0
        """Copies of treasures for a rolled 1 that may still be used, four bits each (`choices`)."""
        self.benefits: i64 = 0
        """Treasures whose benefits are still to be taken, a sequence (`choices`)."""
        self.reroll_decided: bool = False
        self.boosts: i64 = 0
        self.next_effect: i64 = 0
        """Place of the next treasure to be looked at after a success (RL-20)."""

        self.treasure_offer: i64 = NONE
        """The lower of the two treasures on offer, or the only one; `NONE` without an offer."""
        self.second_treasure: i64 = NONE
        self.adventurer_offer: i64 = 0
        """The Trader's cards on offer: a card set."""

    def copy(self) -> State:
        """An independent copy."""
        twin = State(
            self.setting,
            self._copied_players(),
            self.encounters.copy(),
            self.adventurers.copy(),
            self.treasures.copy(),
            self.quest_board[:],
            self.tavern[:],
            self.trophies[:],
        )
        twin.potion_pile = self.potion_pile
        twin.coins_left = self.coins_left
        twin.first_seat = self.first_seat
        twin.turn = self.turn
        twin.active = self.active
        twin.asked = self.asked
        twin.agenda = self.agenda
        twin.draws_left = self.draws_left
        self._copy_challenge(twin)
        twin.treasure_offer = self.treasure_offer
        twin.second_treasure = self.second_treasure
        twin.adventurer_offer = self.adventurer_offer
        return twin

    def _copied_players(self) -> vec[Player]:
        players = vec[Player](capacity=self.seats)
        for seat in range(self.seats):
            players = append(players, self.players[seat].copy())
        return players

    def _copy_challenge(self, twin: State) -> None:
        twin.challenged = self.challenged
        twin.approach = self.approach
        twin.played = self.played
        twin.dice = self.dice
        twin.fresh_ones = self.fresh_ones
        twin.unused = self.unused
        twin.benefits = self.benefits
        twin.reroll_decided = self.reroll_decided
        twin.boosts = self.boosts
        twin.next_effect = self.next_effect

    # ---- Questions and answers

    def is_over(self) -> bool:
        """Whether a seat has won its last encounter, and all that follows is done."""
        return self.asked == OVER

    def pending(self) -> list[int]:
        """The seat whose turn it is, alone; nobody when the game is over."""
        return [] if self.asked == OVER else [self.active]

    def decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as it sees it. Raises `IllegalAction` if it is not its turn."""
        questions.check_asked(self, seat)
        return questions.decision(self, seat)

    def public_decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as everyone may know it. Raises `IllegalAction` if it is not its turn."""
        questions.check_asked(self, seat)
        return questions.decision(self, None)

    def legal_runs(self, seat: int) -> list[Run]:
        """The legal codes, each a run of its own, ascending. Raises `IllegalAction` if it is not ``seat``'s turn."""
        return [Run(code) for code in self.legal_actions(seat)]

    def legal_actions(self, seat: int) -> list[int]:
        """The legal codes, ascending. Raises `IllegalAction` if it is not ``seat``'s turn."""
        questions.check_asked(self, seat)
        return STAGES[self.asked].codes(self)

    def is_legal(self, seat: int, code: int) -> bool:
        """Whether ``code``, which may be any number, is legal for ``seat``, whose turn it is."""
        most: int = (1 << 62) - 1  # beyond it, not every number fits an `i64`
        return 0 <= code <= most and STAGES[self.asked].is_legal(self, code)

    def apply(self, seat: int, action: int, chance: Chance, journal: Journal | None) -> None:
        """Carries out a legal action's code and tells ``journal``. Raises `IllegalAction`, then nothing has changed.

        ``chance`` is asked for dice (``dragonisles/dice``), potions (``dragonisles/potions``), and for shuffles when a
        deck runs out (``dragonisles/adventurers``, ``…/encounters``, ``…/treasures``).
        """
        questions.check_asked(self, seat)
        if not self.is_legal(seat, action):
            raise questions.refusal_of_code(self)
        self.carry_out(action, chance, journal)

    def carry_out(self, code: i64, chance: Chance, journal: Journal | None) -> None:
        """`apply` without its checks: ``code`` must be legal for the seat whose turn it is. For searches."""
        STAGES[self.asked].answer(self, code, chance, journal)
        self.go_on(chance, journal)

    def go_on(self, chance: Chance, journal: Journal | None) -> None:
        """Runs the stages of the agenda, until one asks or none is left."""
        while self.agenda:
            stage = self.agenda & STAGE_MASK
            self.agenda >>= STAGE_BITS
            if STAGES[stage].begin(self, chance, journal):
                self.asked = stage
                return
        self.asked = OVER

    def push(self, stage: i64) -> None:
        """Puts a stage on top of the agenda."""
        self.agenda = self.agenda << STAGE_BITS | stage

    def push_all(self, sequence: Sequence) -> None:
        """Puts a sequence of stages on top of the agenda."""
        self.agenda = self.agenda << sequence.bits | sequence.packed

    # ---- What several stages ask the table

    def player(self) -> Player:
        """The belongings of the seat whose turn it is."""
        return self.players[self.active]

    def plays(self, character: i64) -> bool:
        """Whether the seat whose turn it is plays this character."""
        return self.player().character == character

    def track(self, seat: i64, kind: i64) -> i64:
        """The value of one of a seat's tracks; 0 if its board has none of this kind.

        Asked for all the time. Compiled, an index in a variable of its own spares the list's reference count.
        """
        player = self.players[seat]
        if player.character == NONE:
            return 0
        kept_at = player.character * TRACK_KINDS + kind
        place = self.setting.track_place[kept_at]
        if place == NONE:
            return 0
        at = (player.character * TRACKS + place) * SPACES + count_in(player.cubes, place)
        return self.setting.track_values[at]

    def excess(self) -> i64:
        """By how many cards the hand of the seat whose turn it is exceeds its limit; 0 or less if it does not."""
        return cards.size(self.player().hand) - self.track(self.active, HAND_LIMIT_TRACK)

    def encounter(self) -> i64:
        """The kind of the encounter challenged."""
        return self.quest_board[self.challenged]

    def target(self) -> i64:
        """The total that succeeds in the challenge under way."""
        return self.setting.target[3 * self.encounter() + self.approach]

    def bonus(self) -> i64:
        """What the tracks add to the dice of the challenge under way."""
        bonus = self.track(self.active, self.approach)
        if self.setting.category[self.encounter()] == SEA:
            bonus += self.track(self.active, SEA_TRACK)
        return bonus

    def total(self) -> i64:
        """Of the challenge under way: dice, bonus and boosts."""
        return choices.total_of(self.dice) + self.bonus() + BOOST_VALUE * self.boosts

    # ---- Results

    def view(self, viewer: int | None) -> View:
        """What seat ``viewer`` (``None``: a spectator) sees now. Raises `ValueError` if there is no such seat."""
        return view_of(self, viewer)

    def outcome(self) -> Outcome:
        """The result of a game that is over. Raises `ValueError` before."""
        if not self.is_over():
            raise ValueError("the game is not over: it has no outcome yet")
        return outcome(self)

    def standing(self) -> Outcome:
        """The result if the game ended now; a challenge under way counts for nothing."""
        return outcome(self)

    def evaluate(self) -> list[int]:
        """Every seat's victory points if the game ended now: a one-ply evaluation."""
        return self.points()

    def points(self) -> list[int]:
        """Every seat's victory points for what it has."""
        return [points(self, seat) for seat in range(self.seats)]

    def play_out(self, rng: Random, most: int = TO_THE_END) -> int:
        """Plays to the end, or for ``most`` actions, every seat choosing evenly among its legal actions.

        Returns the number of actions.
        """
        chance = RandomChance(rng)
        limit: i64 = most
        actions: i64 = 0
        while actions < limit and self.asked != OVER:
            stage = STAGES[self.asked]
            code = stage.code_at(self, rng.randrange(stage.count(self)))
            stage.answer(self, code, chance, None)
            self.go_on(chance, None)
            actions += 1
        return actions


def empty_table(setting: Setting) -> State:
    """A table before anything is dealt; the decks are not shuffled yet."""
    adventurers = [*range(WILD), *[WILD] * WILDS]
    state = State(
        setting,
        vec[Player]([Player(vec[i64](), vec[i64]()) for _ in range(setting.seats)]),
        encounters=Deck(setting.encounter_deck(), vec[i64]()),
        adventurers=Deck(vec[i64](adventurers), vec[i64]()),
        treasures=Deck(setting.treasure_deck(), vec[i64]()),
        quest_board=vec[i64]([NONE] * QUEST_PLACES),
        tavern=vec[i64]([NONE] * TAVERN_PLACES),
        trophies=vec[i64]([NONE] * TYPES),
    )
    for kind, count in enumerate(setting.components.potions):
        state.potion_pile += count << (8 * kind)
    return state
