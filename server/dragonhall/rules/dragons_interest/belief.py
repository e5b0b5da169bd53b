"""Beliefs: full states of Dragon's Interest that fit all that one reader knows.

What is public, and what the reader itself holds, is settled by its events. Unknown are

* what was in the chest between other seats, and with it what they hold. Every payment since bounds it: who staked,
  committed, matched or paid interest held as much, and who could not spare 2 knights to an Invasion held fewer;
* the order of the tiles that are still face down; which they are is known;
* what others have already chosen in secret: any of their legal answers, each as likely.

What the choices of other seats may tell about their tokens is left to whoever uses the samples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from librt.random import Random

from dragonhall.rules.chance import Chance
from dragonhall.rules.dragons_interest import legal, rounds
from dragonhall.rules.dragons_interest.amounts import Amounts
from dragonhall.rules.dragons_interest.codes import code_of
from dragonhall.rules.dragons_interest.events import (
    BidsRevealed,
    BuildingActivated,
    CommitmentsRevealed,
    InvasionSuffered,
    OfferAccepted,
    OfferMade,
    OfferMatched,
    Passed,
    RoundStarted,
    StakeKept,
    StakeWon,
    TilesTurnedUp,
    TileTaken,
)
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    Components,
    Token,
    check_options,
    face_of,
)
from dragonhall.rules.dragons_interest.moves import (
    AWARD,
    BID,
    COMMIT,
    INVADED,
    Accept,
    Action,
    Activate,
    Award,
    Bid,
    Chest,
    Commit,
    DiscardBuilding,
    DiscardKnights,
    Match,
    Offer,
    Pass,
    Take,
)
from dragonhall.rules.dragons_interest.reckoning import Reckoning
from dragonhall.rules.dragons_interest.setup import deal_tiles, seated
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.dragons_interest.view import View
from dragonhall.rules.errors import IllegalAction, InconsistentKnowledge
from dragonhall.rules.game import Knowledge
from dragonhall.rules.journal import Journal

_NO_CHANCE: Final = Chance()


class Belief:
    """What one seat (or spectator) can tell about a game: made once, sampled as often as wanted."""

    def __init__(self, knowledge: Knowledge) -> None:
        """Raises `InconsistentKnowledge` if the events do not lead to the view."""
        view: View = knowledge.view
        check_options(knowledge.options, len(view.seats))
        try:
            reckoning = Reckoning(len(view.seats), knowledge.events)
            self.gold, self.knights = reckoning.amounts("gold"), reckoning.amounts("knights")
            """Draw what seats hold."""
            self._offered = self._amounts_of(reckoning.chest)
            self.state = _retold(knowledge, self._drawn(reckoning.untold))
            """A state that fits."""
            self.secretive = _answer_in_secret(self.state, view, knowledge.viewer)
            """Seats that have chosen in secret, and of whom the reader does not know what."""
        except (IllegalAction, LookupError, ValueError) as error:
            raise InconsistentKnowledge(f"the events do not follow from one another: {error}") from None
        if self.state.view(knowledge.viewer) != view:
            raise InconsistentKnowledge("the events do not lead to the view: give all of them, and the newest view")

    def _amounts_of(self, chest: Chest | None) -> Amounts | None:
        """Of which amounts the one in the chest is the last; ``None`` if nothing is offered, or is known."""
        if chest is None or chest.amount is not None:
            return None
        return self.gold if chest.token == "gold" else self.knights

    def _drawn(self, untold: list[Token]) -> Iterator[int]:
        """Amounts that fit, in the order of the exchanges."""
        amounts = {}
        for token, drawing in (("gold", self.gold), ("knights", self.knights)):
            drawing.draw(Random(0))
            amounts[token] = iter(list(drawing.amounts))
        return iter([next(amounts[token]) for token in untold])

    def sample(self, rng: Random) -> State:
        """A full state that fits. Every one that does can be drawn; each amount in the chest evenly among those that
        fit the ones before it, and all that is known of later."""
        self.gold.draw(rng)
        self.knights.draw(rng)
        world = self.state.with_stacks_shuffled(rng)
        world.gold = self.gold.holdings[:]
        world.knights = self.knights.holdings[:]
        if self._offered is not None:
            world.amount = self._offered.in_chest()
        for seat in self.secretive:
            world.answers[seat] = legal.random_code(world, seat, rng)
        return world


def _retold(knowledge: Knowledge, untold: Iterator[int]) -> State:
    """The state that the events lead to, with these amounts for those that they do not tell, one after another."""
    journal = Journal()
    state = _begun(knowledge, journal)
    for event in knowledge.events:
        answers = _ANSWERS.get(type(event))
        if answers is not None:
            for seat, action in answers(state, event, untold):
                state.apply(seat, code_of(state, seat, action), _NO_CHANCE, journal)
    if [entry.event for entry in journal.entries if entry.is_for(knowledge.viewer)] != list(knowledge.events):
        raise ValueError("give all that the reader was told since the start")
    return state


def _begun(knowledge: Knowledge, journal: Journal) -> State:
    """The first round, with every tile that the events show in its place."""
    seats = len(knowledge.view.seats)
    first_round = next((event for event in knowledge.events if isinstance(event, RoundStarted)), None)
    if first_round is None or not 0 <= first_round.start_player < seats:
        raise ValueError("give all that the reader was told since the start")
    state = seated(deal_tiles(knowledge.components, knowledge.options, seats, _stacks(knowledge)))
    rounds.turn_up_tiles(state, journal)
    rounds.begin_round(state, first_round.start_player, journal)
    return state


def _stacks(knowledge: Knowledge) -> list[int]:
    """The faces of all stacks: first those that were turned up, in order, then the others."""
    components: Components = knowledge.components
    shown: list[list[int]] = [[] for _ in BUILDING_TYPES]
    for event in knowledge.events:
        if isinstance(event, TilesTurnedUp):
            for tile in event.tiles:
                shown[BUILDING_TYPES.index(tile.building)].append(face_of(tile))
    stacks: list[int] = []
    for tiles, faces in zip(components.tiles, shown, strict=True):
        hidden = [*([] if tiles.start is None else [tiles.start]), *tiles.shuffled_faces()]
        for face in faces:
            hidden.remove(face)
        stacks += faces + hidden
    return stacks


def _answer_in_secret(state: State, view: View, viewer: int | None) -> list[int]:
    """Lets all answer who already have, as the view shows; returns those of whom the reader does not know what."""
    answered = set(state.pending()) - set(view.deciding)
    if not answered or not view.deciding or state.stage not in (BID, COMMIT, INVADED):
        return []
    for seat in sorted(answered):
        code = state.legal_runs(seat)[0].first
        if seat == viewer and view.own_answer is not None:
            code = code_of(state, seat, view.own_answer)
        state.apply(seat, code, _NO_CHANCE, None)
    return sorted(answered - {viewer})


Answers = Sequence[tuple[int, Action]]


def _offer(state: State, event: OfferMade, untold: Iterator[int]) -> Answers:
    chest = event.chest
    amount = next(untold) if chest.amount is None else chest.amount
    return [(chest.seat, Offer(chest.target, chest.building, amount))]


def _award(state: State, active: int, winner: int) -> Answers:
    """The active seat was asked only if several had committed the most."""
    return [(active, Award(winner))] if state.stage == AWARD else []


def _losses(state: State, event: InvasionSuffered, untold: Iterator[int]) -> Answers:
    """Those of seats that were asked; if nobody was, the Invasion is over already."""
    if state.stage != INVADED or BUILDING_TYPES[state.invaded()] != event.stack:
        return []
    return [
        (loss.seat, DiscardKnights() if loss.building is None else DiscardBuilding(loss.building))
        for loss in event.losses
        if state.is_asked(loss.seat)
    ]


_ANSWERS: Final[dict[type[Any], Callable[[State, Any, Iterator[int]], Answers]]] = {
    BidsRevealed: lambda state, event, untold: [(bid.seat, Bid(bid.contract)) for bid in event.bids],
    TileTaken: lambda state, event, untold: [(event.seat, Take(event.tile.building))],
    Passed: lambda state, event, untold: [(event.seat, Pass())],
    BuildingActivated: lambda state, event, untold: [(event.seat, Activate(event.building))],
    OfferMade: _offer,
    OfferAccepted: lambda state, event, untold: [(event.chest.target, Accept())],
    OfferMatched: lambda state, event, untold: [(event.chest.target, Match(event.building))],
    CommitmentsRevealed: lambda state, event, untold: [(seat, Commit(n)) for seat, n in enumerate(event.amounts)],
    StakeWon: lambda state, event, untold: _award(state, event.seat, event.winner),
    StakeKept: lambda state, event, untold: _award(state, event.seat, event.seat),
    InvasionSuffered: _losses,
}
"""By event that follows from answers: what was answered, and by whom. All other events follow by themselves."""
