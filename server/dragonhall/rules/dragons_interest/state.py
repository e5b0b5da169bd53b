"""A full state of Dragon's Interest: what is behind all screens.

What seats may answer is in `legal`, what follows from it in `rounds`, how a game begins in `setup`.

Hot: one source that CPython runs and mypyc compiles. Nothing here is random: the order of the stacks, settled at the
start, settles every later tile.
"""

from __future__ import annotations

from typing import final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.rules.actions import Run, codes_of
from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons_interest import legal, rounds
from dragonhall.rules.dragons_interest.codes import action_of, decision_of
from dragonhall.rules.dragons_interest.facts import (
    BUILDINGS_TO_END,
    CONTRACTS,
    INVASION_KNIGHTS,
    KNIGHTS_COME,
    KNIGHTS_GO,
    NO_TILE,
    NOBODY,
    STACK_SIZE,
    TYPES,
    Contract,
)
from dragonhall.rules.dragons_interest.moves import ANSWER, AWARD, COMMIT, OVER, Decision
from dragonhall.rules.dragons_interest.outcome import outcome
from dragonhall.rules.dragons_interest.refusals import check_asked, refusal
from dragonhall.rules.dragons_interest.scoring import scores
from dragonhall.rules.dragons_interest.view import View, view_of
from dragonhall.rules.game import TO_THE_END, Outcome
from dragonhall.rules.journal import Journal
from dragonhall.rules.masks import lowest


@final
class Deal:
    """What is settled before the first bid; all copies of a state share it, and nothing writes to it."""

    def __init__(
        self,
        seats: i64,
        rotates: bool,
        ring: vec[i64],
        stacks: vec[i64],
        values: vec[i64],
        jester_needs: i64,
        contracts: tuple[Contract, ...],
    ) -> None:
        self.seats: i64 = seats
        self.rotates: bool = rotates
        """Whether the start player's marker moves on (RI-3)."""
        self.ring: vec[i64] = ring
        """The types whose stacks are in the game, clockwise from the one that the dragon passes first (RI-1)."""
        self.stacks: vec[i64] = stacks
        """Face of the tile of type *t* that is turned up in round *r*: at ``t * STACK_SIZE + r - 1``."""
        self.values: vec[i64] = values
        """By a contract's place: what it is worth, the Jester its full value."""
        self.jester_needs: i64 = jester_needs
        """Bit mask of the contracts of which one at least must be revealed for the Jester to be worth anything."""
        self.contracts: tuple[Contract, ...] = contracts

    def with_stacks(self, stacks: vec[i64]) -> Deal:
        """The same with the tiles in another order."""
        return Deal(self.seats, self.rotates, self.ring, stacks, self.values, self.jester_needs, self.contracts)


@final
class State:
    """A full state. Made by `setup.new_game`, `copy` and beliefs."""

    def __init__(
        self,
        deal: Deal,
        gold: vec[i64],
        knights: vec[i64],
        buildings: vec[i64],
        types: vec[i64],
        tucked: vec[i64],
        hands: vec[i64],
        answers: vec[i64],
        collected: vec[i64],
    ) -> None:
        self.deal: Deal = deal
        self.seats: i64 = deal.seats
        self.round: i64 = 0
        """From 1; 0 before the first."""
        self.stage: i64 = OVER
        """What is asked: a place in `STAGES`."""
        self.waiting: i64 = 0
        """Bit mask: seats that are asked and have not answered."""
        self.start_player: i64 = NOBODY
        self.active: i64 = NOBODY
        """Whose turn it is, to take a tile or in phase 2; `NOBODY` when seats choose together outside of phase 2."""
        self.turned_up: i64 = 0
        """Tiles of each stack that have been turned up."""
        self.untaken: i64 = 0
        """Bit mask: types whose face-up tile still lies there."""
        self.takeable: i64 = 0
        """Bit mask: types whose face-up tile still lies there and shows gold."""
        self.generous: bool = False
        """A Generous Dragon lies face up."""
        self.calendars: i64 = 0
        """Calendars that lie face up."""
        self.invasions: i64 = 0
        """Bit mask of places in the ring: Invasions turned up and not yet suffered."""
        self.takers: i64 = 0
        """Bit mask: seats that may still take a tile; what they bid lies in ``answers``."""
        self.activated: i64 = 0
        """The type whose action is performed."""
        self.target: i64 = NOBODY
        """The seat that the chest is given to."""
        self.wanted: i64 = 0
        """The type of building that is asked for."""
        self.amount: i64 = 0
        """Tokens in the chest, or before the active seat's screen."""
        self.tied: i64 = 0
        """Bit mask: seats that committed the most."""
        self.interest_waived: bool = False
        """A Generous Dragon was discarded this round."""
        self.dragon: i64 = 0
        """Place in the ring of the stack that the dragon passes next."""
        self.ruined: i64 = 0
        """Bit mask: seats that could not pay their interest."""
        self.gold: vec[i64] = gold
        """By seat, without what is in the chest or at stake."""
        self.knights: vec[i64] = knights
        """By seat, without what is in the chest or at stake."""
        self.buildings: vec[i64] = buildings
        """Buildings of type *t* that seat *s* has: at ``s * TYPES + t``."""
        self.types: vec[i64] = types
        """By seat, a bit mask: the types of which it has a building."""
        self.tucked: vec[i64] = tucked
        """Bit mask of the contracts that seat *s* has tucked at type *t*: at ``s * TYPES + t``."""
        self.hands: vec[i64] = hands
        """By seat, a bit mask: the contracts in hand."""
        self.answers: vec[i64] = answers
        """By seat: the code of what it chose when seats last chose together."""
        self.collected: vec[i64] = collected
        """By seat: gold of the tile that it took in this round's phase 1."""

    def copy(self) -> State:
        """An independent copy."""
        twin = State(
            self.deal,
            self.gold[:],
            self.knights[:],
            self.buildings[:],
            self.types[:],
            self.tucked[:],
            self.hands[:],
            self.answers[:],
            self.collected[:],
        )
        twin.round = self.round
        twin.stage = self.stage
        twin.waiting = self.waiting
        twin.start_player = self.start_player
        twin.active = self.active
        twin.turned_up = self.turned_up
        twin.untaken = self.untaken
        twin.takeable = self.takeable
        twin.generous = self.generous
        twin.calendars = self.calendars
        twin.invasions = self.invasions
        twin.takers = self.takers
        twin.activated = self.activated
        twin.target = self.target
        twin.wanted = self.wanted
        twin.amount = self.amount
        twin.tied = self.tied
        twin.interest_waived = self.interest_waived
        twin.dragon = self.dragon
        twin.ruined = self.ruined
        return twin

    def with_stacks_shuffled(self, rng: Random) -> State:
        """A copy whose face-down tiles lie in another order, each as likely. For beliefs."""
        stacks = self.deal.stacks[:]
        for building in self.deal.ring:
            first = building * STACK_SIZE + self.turned_up
            place = building * STACK_SIZE + STACK_SIZE - 1
            while place > first:
                chosen = first + rng.randrange(place - first + 1)
                face = stacks[place]
                stacks[place] = stacks[chosen]
                stacks[chosen] = face
                place -= 1
        twin = self.copy()
        twin.deal = self.deal.with_stacks(stacks)
        return twin

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.stage == OVER

    def is_asked(self, seat: int) -> bool:
        """Whether ``seat``, any number, is asked something that it has not answered."""
        seats: int = self.seats  # no `i64`, which not every number fits
        return 0 <= seat < seats and self.waiting >> seat & 1 != 0

    def pending(self) -> list[int]:
        """The seats that are asked and have not answered, ascending."""
        return [seat for seat in range(self.seats) if self.waiting >> seat & 1]

    def decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as it sees it. Raises `IllegalAction` if it is not asked."""
        return decision_of(self, seat, seat)

    def public_decision(self, seat: int) -> Decision:
        """What ``seat`` is asked, as everyone may know it. Raises `IllegalAction` if it is not asked."""
        return decision_of(self, seat, None)

    def legal_runs(self, seat: int) -> list[Run]:
        """The legal codes, ascending; amounts in runs. Raises `IllegalAction` if ``seat`` is not asked."""
        check_asked(self, seat)
        return legal.runs(self, seat)

    def legal_actions(self, seat: int) -> list[int]:
        """The legal codes one by one. Raises `IllegalAction` if ``seat`` is not asked."""
        return codes_of(self.legal_runs(seat))

    def is_legal(self, seat: int, code: int) -> bool:
        """Whether ``seat`` is asked, and may answer with ``code``, which may be any number."""
        return self.is_asked(seat) and legal.is_legal(self, seat, code)

    def apply(self, seat: int, action: int, chance: Chance, journal: Journal | None) -> None:
        """Carries out a legal action's code and tells ``journal``. Raises `IllegalAction`, then nothing has changed.

        ``chance`` is not asked: the shuffles at the start settled all tiles.
        """
        check_asked(self, seat)
        if not self.is_legal(seat, action):
            raise refusal(self, seat, action_of(self, action))
        rounds.carry_out(self, seat, action, journal)

    def view(self, viewer: int | None) -> View:
        """What seat ``viewer`` (``None``: a spectator) sees now. Raises `ValueError` if there is no such seat."""
        return view_of(self, viewer)

    def outcome(self) -> Outcome:
        """The result of a game that is over. Raises `ValueError` before."""
        if not self.is_over():
            raise ValueError("the game is not over: it has no outcome yet")
        return outcome(self.buildings, self.gold, self.knights, self.ruined)

    def standing(self) -> Outcome:
        """The result if the game ended now: what lies in the chest or is staked goes back to the active seat first.

        Interest that is still to be paid counts for nothing.
        """
        reckoned = self.copy()
        if self.stage == ANSWER:
            reckoned.add_spendable(self.active, self.amount)
        elif self.stage in (COMMIT, AWARD):
            reckoned.add_income(self.active, self.amount)
        return outcome(reckoned.buildings, reckoned.gold, reckoned.knights, reckoned.ruined)

    def evaluate(self) -> list[int]:
        """Every seat's points if the game ended now with the buildings that all seats have; the interest that is still
        to be paid counts for nothing. A ruined seat's points are 0."""
        return self.points()

    def points(self) -> list[int]:
        """Every seat's points, as scored at the end."""
        return list(scores(self.buildings, self.seats))

    def play_out(self, rng: Random, most: int = TO_THE_END) -> int:
        """Plays to the end, or for ``most`` actions, every seat choosing evenly among its legal actions.

        Returns the number of actions.
        """
        limit: i64 = most
        actions: i64 = 0
        while actions < limit and self.stage != OVER:
            seat = lowest(self.waiting)
            rounds.carry_out(self, seat, legal.random_code(self, seat, rng), None)
            actions += 1
        return actions

    def spendable(self, seat: i64) -> i64:
        """What ``seat`` holds of the tokens that the activated type lets it offer, match or commit.

        A stake lies before the screen and is not counted (RI-8).
        """
        return self.knights[seat] if KNIGHTS_GO >> self.activated & 1 else self.gold[seat]

    def first_of(self, takers: i64) -> i64:
        """Of the seats of a bit mask, whose bid is worth the most; of equals the first from the start player on."""
        values = self.deal.values
        seat = self.start_player
        best: i64 = NOBODY
        most: i64 = 0
        for _ in range(self.seats):
            if takers >> seat & 1 and values[self.answers[seat]] > most:
                most = values[self.answers[seat]]
                best = seat
            seat = self.left_of(seat)
        return best

    def face_up(self, building: i64) -> i64:
        """Face of the tile of a type that is turned up; `NO_TILE` once it is taken."""
        if not self.untaken >> building & 1:
            return NO_TILE
        return self.deal.stacks[building * STACK_SIZE + self.turned_up - 1]

    def stack_size(self) -> int:
        """Tiles left face down in each stack."""
        return STACK_SIZE - self.turned_up

    def invaded(self) -> i64:
        """The type whose stack turned up the Invasion that is suffered now."""
        return self.deal.ring[lowest(self.invasions)]

    def invasion_knights(self, seat: i64) -> i64:
        """Knights that an Invasion costs a seat that discards no building: 2, or all of fewer."""
        return i64(INVASION_KNIGHTS) if self.knights[seat] >= INVASION_KNIGHTS else self.knights[seat]

    def owed(self, seat: i64) -> i64:
        """Interest of ``seat`` when the dragon moves now: one stack, and one more for each Calendar."""
        total: i64 = 0
        for passed in range(self.calendars + 1):
            contracts = self.tucked[seat * TYPES + self.deal.ring[self.place_after(passed)]]
            if contracts:
                total += self._value(contracts)
        return total

    def _value(self, contracts: i64) -> i64:
        """Sum of the values of the contracts of a bit mask."""
        total: i64 = 0
        for place in range(i64(CONTRACTS)):
            if contracts >> place & 1:
                total += self.deal.values[place]
        return total

    def place_after(self, passed: i64) -> i64:
        """Place in the ring of the stack that comes ``passed`` stacks after the one that the dragon passes next."""
        return (self.dragon + passed) % i64(len(self.deal.ring))

    def completed(self) -> i64:
        """Bit mask: seats with 10 or more buildings."""
        found: i64 = 0
        for seat in range(self.seats):
            count: i64 = 0
            for place in range(seat * TYPES, seat * TYPES + TYPES):
                count += self.buildings[place]
            if count >= BUILDINGS_TO_END:
                found |= 1 << seat
        return found

    def left_of(self, seat: i64) -> i64:
        """The next seat clockwise."""
        return seat + 1 if seat + 1 < self.seats else i64(0)

    def add_income(self, seat: i64, amount: i64) -> None:
        """Tokens, or fewer of them, of the kind that the activated type brings in; stakes are of that kind, too."""
        if KNIGHTS_COME >> self.activated & 1:
            self.knights[seat] += amount
        else:
            self.gold[seat] += amount

    def add_spendable(self, seat: i64, amount: i64) -> None:
        """Tokens, or fewer of them, of the kind that the activated type lets seats offer, match or commit."""
        if KNIGHTS_GO >> self.activated & 1:
            self.knights[seat] += amount
        else:
            self.gold[seat] += amount

    def add_building(self, seat: i64, building: i64) -> None:
        self.buildings[seat * TYPES + building] += 1
        self.types[seat] |= 1 << building

    def remove_building(self, seat: i64, building: i64) -> None:
        self.buildings[seat * TYPES + building] -= 1
        if self.buildings[seat * TYPES + building] == 0:
            self.types[seat] ^= 1 << building

    def ask(self, stage: i64, seat: i64) -> None:
        self.stage = stage
        self.waiting = 1 << seat

    def ask_all(self, stage: i64) -> None:
        self.stage = stage
        self.waiting = (1 << self.seats) - 1
