"""Games of Dragon's Interest that differ only in what one reader does not know (`worlds` says how they are compared).

Hidden are the tiles that are face down, what seats have chosen together before the last of them has, and what is in the
chest between two other seats. Holdings are secret for that reason alone: all else that is paid, is paid in public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from dragonhall.rules.actions import codes_of
from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    INVASION,
    INVASION_KNIGHTS,
    JESTER,
    SPENT_TOKEN,
    STACK_STREAMS,
    TYPES_WITH_START,
    Options,
    Token,
)
from dragonhall.rules.dragons_interest.moves import (
    ACTIVATE,
    BID,
    COMMIT,
    INVADED,
    Accept,
    Action,
    Activate,
    Award,
    Bid,
    Commit,
    DiscardBuilding,
    DiscardKnights,
    Match,
    Offer,
    Pass,
    Take,
)
from dragonhall.rules.dragons_interest.state import State
from tests.leaks.worlds import Proof, Twin, Viewer, World, random_world
from tests.rules.dragons_interest_tables import COMPONENTS, contract

AMOUNTS = (0, 4, 1000)
ATTEMPTS: list[Action] = [
    *(Bid(contract(number)) for number in (4, 13, 15)),
    Bid(JESTER),
    Pass(),
    Accept(),
    DiscardKnights(),
    *(action(name) for action in (Take, Activate, Match, DiscardBuilding) for name in ("castle", "guild", "arena")),
    *(Commit(amount) for amount in AMOUNTS),
    *(Award(seat) for seat in (0, 3, 5)),
    *(Offer(seat, "castle", amount) for seat in range(4) for amount in AMOUNTS),
    *(Offer(seat, "harbor", 0) for seat in range(6)),
]
"""What every seat tries at every moment; most of it is refused."""

TOGETHER = (BID, COMMIT, INVADED)
"""The stages in which seats choose together and in secret."""


def random_game(seats: int, options: Options, rng: Random) -> World:
    """A whole random game, in which a lot is activated and most seats live within their means."""
    return random_world(World(DRAGONS_INTEREST, COMPONENTS, options, seats), _choose, rng)


def _choose(state: State, seat: int, rng: Random) -> int:
    legal = codes_of(state.legal_runs(seat))
    if state.stage == BID:
        return legal[min(int(rng.expovariate(0.5)), len(legal) - 1)]
    if state.stage == COMMIT:
        return legal[min(rng.randrange(3), len(legal) - 1)]
    if state.stage == ACTIVATE and rng.random() < 0.85:
        return rng.choice(legal[1:] or legal)
    return rng.choice(legal)


# ---- Tiles that are face down


def with_unseen_tiles_moved(proof: Proof, moment: int, rng: Random) -> Twin:
    """The tiles that nobody has seen at ``moment`` come in another order: nobody can tell up to then."""
    turned_up = proof.states[moment].turned_up
    chance = tuple(_with_rest_shuffled(outcome, turned_up, rng) for outcome in proof.world.chance)
    return Twin(replace(proof.world, chance=chance), range(moment + 1))


def _with_rest_shuffled(outcome: ChanceOutcome, turned_up: int, rng: Random) -> ChanceOutcome:
    if outcome.order is None:
        return outcome
    has_start = BUILDING_TYPES[STACK_STREAMS.index(outcome.name)] in TYPES_WITH_START
    seen, unseen = outcome.order[: turned_up - has_start], list(outcome.order[turned_up - has_start :])
    rng.shuffle(unseen)
    return ChanceOutcome(outcome.name, order=(*seen, *unseen))


# ---- What is chosen together


def secret_choices(proof: Proof) -> list[range]:
    """The moments of each simultaneous decision: from its first answer to its last one."""
    states, answers = proof.states, proof.world.answers
    found = []
    for moment in range(len(answers)):
        state = states[moment]
        begun = moment == 0 or states[moment - 1].waiting ^ 1 << answers[moment - 1].seat != state.waiting
        if state.stage in TOGETHER and begun:
            found.append(range(moment, moment + len(state.pending())))
    return found


def with_other_secrets(proof: Proof, choice: range, viewer: Viewer, rng: Random) -> Twin:
    """All seats but ``viewer`` choose something else: it cannot tell before the last of them has chosen."""
    changed = {}
    for moment in choice[:-1]:
        seat, action = proof.world.answers[moment]
        others = [other for other in _legal(proof.states[moment], seat) if other != action]
        if seat != viewer and others:
            changed[moment] = rng.choice(others)
    return Twin(proof.world.with_answers(changed), range(choice.start + 1, choice.stop))


def _legal(state: State, seat: int) -> list[Action]:
    return [DRAGONS_INTEREST.action(state, seat, code) for code in codes_of(state.legal_runs(seat))]


def with_another_order_of_arrival(proof: Proof, choice: range, rng: Random) -> Twin:
    """The same is chosen, but sooner or later: nobody can tell once all have chosen."""
    answers = list(proof.world.answers)
    arriving = rng.sample(answers[choice.start : choice.stop], len(choice))
    world = replace(proof.world, answers=(*answers[: choice.start], *arriving, *answers[choice.stop :]))
    return Twin(world, range(choice.stop, min(choice.stop + 2, len(proof.states))))


# ---- What is in the chest


def exchanges_between_others(proof: Proof, viewer: Viewer) -> list[int]:
    """The moments at which a seat fills the chest for another one, and neither is ``viewer``."""
    return [
        moment
        for moment, (seat, action) in enumerate(proof.world.answers)
        if isinstance(action, Offer) and viewer not in (seat, action.target)
    ]


def with_another_amount(proof: Proof, moment: int, rng: Random) -> Twin:
    """Another amount is in the chest: none but the two seats can tell before one of them has to show what it holds."""
    seat, offer = proof.world.answers[moment]
    held = proof.states[moment].spendable(seat)
    others = [amount for amount in range(held + 1) if amount != offer.amount] or [offer.amount]
    other = replace(offer, amount=rng.choice(others))
    exchange = _Exchange(proof, moment, other.amount - offer.amount)
    return Twin(proof.world.with_answers({moment: other}), range(moment + 1, exchange.last_secret_moment() + 1))


@dataclass(frozen=True)
class _Exchange:
    """An exchange with another amount in the chest, and what follows for what is held behind screens."""

    proof: Proof
    moment: int
    """When the chest is filled."""
    more: int
    """By so much more, or less if it is negative."""

    def last_secret_moment(self) -> int:
        """The last moment at which all that was answered and paid since is still as it was."""
        moment = self.moment
        while moment + 1 < len(self.proof.states) and self._is_secret_after(moment):
            moment += 1
        return moment

    @property
    def token(self) -> Token:
        """What is in the chest."""
        state: State = self.proof.states[self.moment]
        return SPENT_TOKEN[state.activated]

    def surplus(self, moment: int) -> Mapping[int, int]:
        """By seat: how much more of the token it holds at ``moment``."""
        seat, offer = self.proof.world.answers[self.moment]
        if moment <= self.moment:
            return {}
        if moment == self.moment + 1:
            return {seat: -self.more}
        matched = isinstance(self.proof.world.answers[self.moment + 1].action, Match)
        gained = self.more if matched else -self.more
        return {seat: gained, offer.target: -gained}

    def _is_secret_after(self, moment: int) -> bool:
        """Whether the answer at ``moment`` can be given and shows nothing, although two seats hold other amounts."""
        state, then = self.proof.states[moment], self.proof.states[moment + 1]
        if then.is_over():
            return False  # screens are lifted
        paid = all(self._held(then, seat) + more >= 0 for seat, more in self.surplus(moment + 1).items())
        seat, action = self.proof.world.answers[moment]
        shown = self._shown(state, action) <= self._held(state, seat) + self.surplus(moment).get(seat, 0)
        return paid and shown and not self._is_invaded_without_a_building(moment)

    def _held(self, state: State, seat: int) -> int:
        held: int = getattr(state, self.token)[seat]
        return held

    def _shown(self, state: State, action: Action) -> int:
        """Of the token: how much a seat must hold that answers so, whether or not it pays it in the end."""
        match action:
            case Commit(amount) if SPENT_TOKEN[state.activated] == self.token:
                return amount
            case DiscardKnights() if self.token == "knights":
                return INVASION_KNIGHTS
        return 0

    def _is_invaded_without_a_building(self, moment: int) -> bool:
        """A seat that has no building loses what knights it has, at most 2: that may be other ones now."""
        state, then = self.proof.states[moment], self.proof.states[moment + 1]
        comes = state.stage == INVADED or then.turned_up > state.turned_up
        shows = any(then.face_up(building) == INVASION for building in then.deal.ring)
        bare = any(0 in (state.types[seat], then.types[seat]) for seat in self.surplus(moment))
        return comes and shows and bare and self.token == "knights"


# ---- What others may do


def forced_in_one_world_only(proof: Proof, twin: Twin, viewer: Viewer) -> set[type[object]]:
    """The decisions, at the moments compared, in which another seat has a choice in one of the two worlds only."""
    found: set[type[object]] = set()
    for moment, playing in zip(range(twin.moments.stop), twin.world.played(), strict=False):
        state, other = proof.states[moment], playing.table.state
        if moment in twin.moments:
            found.update(
                type(state.public_decision(seat))
                for seat in state.pending()
                if seat != viewer and _is_forced(state, seat) != _is_forced(other, seat)
            )
    return found


def _is_forced(state: Any, seat: int) -> bool:
    return len(codes_of(state.legal_runs(seat))) == 1
