"""Who is told what in Dragon's Interest: every event's audience is in this module.

The functions are called in the middle of a round's stages, while a `state` still, or already, is as the event says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragonhall.rules.dragons_interest.codes import chest_of, seats_of, take_order
from dragonhall.rules.dragons_interest.events import (
    BidsRevealed,
    BuildingActivated,
    CommitmentsRevealed,
    ContractReturned,
    DragonMoved,
    GameEnded,
    GoldCollectedAgain,
    Holding,
    IncomeTaken,
    InterestPaid,
    InterestPayment,
    InterestWaived,
    InvasionLoss,
    InvasionSuffered,
    OfferAccepted,
    OfferMade,
    OfferMatched,
    Passed,
    RevealedBid,
    RoundStarted,
    StakeKept,
    StakePlaced,
    StakeReturned,
    StakeWon,
    TilesDiscarded,
    TilesTurnedUp,
    TileTaken,
)
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    CONTESTS,
    INCOME_TOKEN,
    SPENT_TOKEN,
    STACK_SIZE,
    TYPES,
    Tile,
    tile_of,
)
from dragonhall.rules.dragons_interest.moves import ACCEPT, DISCARD_KNIGHTS, FIRST_TYPE
from dragonhall.rules.journal import Journal

if TYPE_CHECKING:
    from dragonhall.rules.dragons_interest.state import State


def turned_up(state: State, journal: Journal) -> None:
    """Everyone sees the new tiles."""
    journal.tell(TilesTurnedUp(_tiles(state), state.stack_size()))


def _tiles(state: State) -> tuple[Tile, ...]:
    """The tiles that lie face up, clockwise."""
    lying = (place for place in state.deal.ring if state.untaken >> place & 1)
    return tuple(tile_of(place, state.face_up(place)) for place in lying)


def round_started(state: State, journal: Journal) -> None:
    """Everyone sees the start player's marker."""
    journal.tell(RoundStarted(state.round, state.start_player))


def bids(state: State, journal: Journal) -> None:
    """Everyone sees all bids at once, then which Jesters return."""
    bids = tuple(_revealed_bid(state, seat) for seat in range(state.seats))
    journal.tell(BidsRevealed(bids, take_order(state)))
    for bid in bids:
        if bid.value == 0:
            journal.tell(ContractReturned(bid.seat, bid.contract))


def _revealed_bid(state: State, seat: int) -> RevealedBid:
    place = state.answers[seat]
    taking = state.takers >> seat & 1
    return RevealedBid(seat, state.deal.contracts[place], state.deal.values[place] if taking else 0)


def returned(state: State, seat: int, journal: Journal) -> None:
    """Everyone sees a contract return to hand."""
    journal.tell(ContractReturned(seat, state.deal.contracts[state.answers[seat]]))


def taken(state: State, seat: int, building: int, face: int, journal: Journal) -> None:
    """Everyone sees the tile and the contract that is tucked."""
    place = state.answers[seat]
    tile = tile_of(building, face)
    journal.tell(TileTaken(seat, tile, state.deal.contracts[place], state.deal.values[place]))


def collected_again(state: State, journal: Journal) -> None:
    """Everyone sees what the Generous Dragon gives."""
    journal.tell(GoldCollectedAgain(tuple(state.collected)))


def passed(state: State, journal: Journal) -> None:
    """Everyone sees a seat pass."""
    journal.tell(Passed(state.active))


def activated(state: State, journal: Journal) -> None:
    """Everyone sees what is activated, and the income of all who have some."""
    activated = state.activated
    journal.tell(BuildingActivated(state.active, BUILDING_TYPES[activated]))
    earning = range(state.seats) if CONTESTS >> activated & 1 else (state.active,)
    amounts = tuple(state.buildings[seat * TYPES + activated] if seat in earning else 0 for seat in range(state.seats))
    journal.tell(IncomeTaken(INCOME_TOKEN[activated], amounts))


def offer(state: State, journal: Journal) -> None:
    """Everyone sees the chest go to a seat and what is asked for; the two seats know what is in it."""
    known, hidden = OfferMade(chest_of(state, state.active)), OfferMade(chest_of(state, None))
    journal.tell_apart(_exchanging(state), known, hidden)


def exchange(state: State, code: int, journal: Journal) -> None:
    """Everyone sees which buildings change hands; the two seats know for how much."""
    known, hidden = chest_of(state, state.active), chest_of(state, None)
    if code == ACCEPT:
        journal.tell_apart(_exchanging(state), OfferAccepted(known), OfferAccepted(hidden))
    else:
        taken = BUILDING_TYPES[code - FIRST_TYPE]
        journal.tell_apart(_exchanging(state), OfferMatched(known, taken), OfferMatched(hidden, taken))


def _exchanging(state: State) -> int:
    return 1 << state.active | 1 << state.target


def stake(state: State, journal: Journal) -> None:
    """Everyone sees the stake."""
    journal.tell(StakePlaced(state.active, INCOME_TOKEN[state.activated], state.amount))


def commitments(state: State, journal: Journal) -> None:
    """Everyone sees all commitments at once."""
    journal.tell(CommitmentsRevealed(SPENT_TOKEN[state.activated], tuple(state.answers)))


def stake_returned(state: State, journal: Journal) -> None:
    """Everyone sees the stake go back."""
    journal.tell(StakeReturned(state.active, INCOME_TOKEN[state.activated], state.amount))


def awarded(state: State, winner: int, journal: Journal) -> None:
    """Everyone sees who gets the stake, and who gets the commitment."""
    stake = (INCOME_TOKEN[state.activated], state.amount)
    commitment = (SPENT_TOKEN[state.activated], state.answers[winner])
    if winner == state.active:
        journal.tell(StakeKept(winner, *stake, *commitment))
    else:
        journal.tell(StakeWon(winner, state.active, *stake, *commitment))


def discarded(state: State, journal: Journal) -> None:
    """Everyone sees what goes back into the box. Told while it still lies there."""
    journal.tell(TilesDiscarded(_tiles(state), state.interest_waived))


def invasion(state: State, journal: Journal) -> None:
    """Everyone sees all losses at once. Told before they are suffered."""
    losses = tuple(_loss(state, seat) for seat in range(state.seats))
    journal.tell(InvasionSuffered(BUILDING_TYPES[state.invaded()], losses))


def _loss(state: State, seat: int) -> InvasionLoss:
    code = state.answers[seat]
    if state.types[seat] == 0 or code == DISCARD_KNIGHTS:
        return InvasionLoss(seat, state.invasion_knights(seat), None)
    return InvasionLoss(seat, 0, BUILDING_TYPES[code - FIRST_TYPE])


def interest_waived(journal: Journal) -> None:
    """Everyone sees that the dragon stays."""
    journal.tell(InterestWaived())


def interest(state: State, journal: Journal) -> None:
    """Everyone sees the dragon move, and what all pay. Told before they do."""
    passed = (state.deal.ring[state.place_after(step)] for step in range(state.calendars + 1))
    journal.tell(DragonMoved(tuple(BUILDING_TYPES[place] for place in passed)))
    journal.tell(InterestPaid(tuple(_payment(state, seat) for seat in range(state.seats))))


def _payment(state: State, seat: int) -> InterestPayment:
    owed = state.owed(seat)
    return InterestPayment(seat, owed, min(owed, state.gold[seat]))


def ended(state: State, journal: Journal) -> None:
    """Everyone sees why the game ends, and what all held."""
    holdings = tuple(Holding(state.gold[seat], state.knights[seat]) for seat in range(state.seats))
    ruined, completed = seats_of(state.ruined), seats_of(state.completed())
    journal.tell(GameEnded(ruined, completed, state.turned_up == STACK_SIZE, holdings))
