"""The greedy policy for Dragon's Interest: it values what each of its actions leads to, and takes the best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from dragonhall.bots.greedy.dragons_interest.bidding import Bidding
from dragonhall.bots.greedy.dragons_interest.contest import Contestant
from dragonhall.bots.greedy.dragons_interest.exchange import Exchange
from dragonhall.bots.greedy.dragons_interest.ledger import careless, ledger_of
from dragonhall.bots.greedy.dragons_interest.road import road_of
from dragonhall.bots.greedy.dragons_interest.table import TYPE_PLACE, Table, table_of
from dragonhall.bots.greedy.dragons_interest.temper import Temper
from dragonhall.bots.greedy.dragons_interest.value import Valuation
from dragonhall.bots.policy import Chair
from dragonhall.rules.actions import ActionList
from dragonhall.rules.dragons_interest.facts import (
    BUILDING_TYPES,
    INCOME_TOKEN,
    INVASION_KNIGHTS,
    SPENT_TOKEN,
    STAKES,
)
from dragonhall.rules.dragons_interest.moves import (
    Action,
    Activate,
    ActivationDecision,
    AnswerDecision,
    Award,
    AwardDecision,
    Bid,
    BidDecision,
    Commit,
    CommitDecision,
    Contest,
    Decision,
    DiscardBuilding,
    InvasionDecision,
    Match,
    OfferDecision,
    Take,
    TakeDecision,
)
from dragonhall.rules.dragons_interest.view import View


class GreedyDragonsInterest:
    """Plays Dragon's Interest by a one-ply forecast. Fulfils `Policy`; there is no luck in it."""

    def __init__(self, chair: Chair, rng: Random, temper: Temper | None = None) -> None:
        self._chair = chair
        self._temper = temper or Temper()

    def choose(self, view: View, seen: Sequence[Any], decision: Decision, actions: ActionList) -> int:
        """The action that leaves the best chance to win."""
        if len(actions) == 1:
            return 0
        return _CHOICES[type(decision)](Turn(self._chair, self._temper, view, seen), decision, actions)


class Turn:
    """One decision of one seat, and what it thinks about it."""

    def __init__(self, chair: Chair, temper: Temper, view: View, seen: Sequence[Any]) -> None:
        me = view.seats[chair.seat]
        assert me.gold is not None, "a seat sees what it holds"
        assert me.knights is not None, "a seat sees what it holds"
        self._chair, self._temper, self._view = chair, temper, view
        self._seat = chair.seat
        ledger = ledger_of(chair, seen, me.gold, me.knights)
        self._ledger = ledger if temper.counts_tokens else careless(ledger, chair.seat)
        self._table = table_of(view, self._seat, self._ledger)
        road = road_of(chair, view, seen, temper.foresight, temper.income)
        left = view.stacks[0].size - (view.stage != "invasion")
        self._valuation = Valuation(self._table, self._ledger, road, view.round, left, temper)

    def bid(self, decision: BidDecision, actions: Sequence[Bid]) -> int:
        bidding = Bidding(self._chair, self._view, self._table, self._valuation)
        return _best([bidding.contract(action.contract) for action in actions])

    def take(self, decision: TakeDecision, actions: Sequence[Take]) -> int:
        bidding = Bidding(self._chair, self._view, self._table, self._valuation)
        contract = self._view.seats[self._seat].revealed
        tiles = {stack.building: stack.face_up for stack in self._view.stacks if stack.face_up is not None}
        assert contract is not None, "who takes a tile has bid a contract"
        return _best([bidding.tile(tiles[action.building], contract) for action in actions])

    def activate(self, decision: ActivationDecision, actions: Sequence[Action]) -> int:
        if not self._temper.exchanges:
            return 0
        return _best(
            [
                self._activation(TYPE_PLACE[action.building]) if isinstance(action, Activate) else self._now()
                for action in actions
            ]
        )

    def _activation(self, building: int) -> float:
        name = BUILDING_TYPES[building]
        if name in STAKES:
            return self._staking(building)
        income = self._table.buildings[building][self._seat]
        table = self._table.paid(self._seat, INCOME_TOKEN[building], -income)
        best = self._exchange(SPENT_TOKEN[building], table).best_offer(self._held(table, building))
        assert best is not None, "an exchange needs a building that can be asked for"
        return best[0]

    def _staking(self, building: int) -> float:
        name, token = BUILDING_TYPES[building], INCOME_TOKEN[building]
        contest = Contest(self._seat, name, token, STAKES[name], SPENT_TOKEN[building], ())
        table = self._table
        for seat, count in enumerate(table.buildings[building]):
            table = table.paid(seat, token, -count)
        table = table.paid(self._seat, token, contest.stake)
        return self._contestant(contest, table).best(self._held(table, building))[0]

    def offer(self, decision: OfferDecision, actions: ActionList) -> int:
        building = TYPE_PLACE[decision.activated]
        best = self._exchange(decision.token, self._table).best_offer(self._held(self._table, building))
        assert best is not None, "an exchange needs a building that can be asked for"
        return actions.index(best[1])

    def answer(self, decision: AnswerDecision, actions: Sequence[Action]) -> int:
        chest = decision.chest
        assert chest.amount is not None, "the target looks into the chest"
        amount = chest.amount
        exchange = self._exchange(chest.token, self._table, chest.seat)
        building = TYPE_PLACE[chest.building]
        tables = [
            exchange.matched(self._seat, TYPE_PLACE[action.building], amount)
            if isinstance(action, Match)
            else exchange.accepted(self._seat, building, amount)
            for action in actions
        ]
        return _best([self._valuation.chance(self._seat, table) for table in tables])

    def commit(self, decision: CommitDecision, actions: ActionList) -> int:
        contestant = self._contestant(decision.contest, self._table)
        _, amount = contestant.best(len(actions) - 1)
        return actions.index(Commit(amount))

    def award(self, decision: AwardDecision, actions: Sequence[Award]) -> int:
        contestant = self._contestant(decision.contest, self._table)
        commitment = max(decision.contest.commitments)
        return _best([contestant.award(action.seat, commitment) for action in actions])

    def invasion(self, decision: InvasionDecision, actions: Sequence[Action]) -> int:
        tables = [
            self._table.built(self._seat, TYPE_PLACE[action.building], -1)
            if isinstance(action, DiscardBuilding)
            else self._table.paid(self._seat, "knights", INVASION_KNIGHTS)
            for action in actions
        ]
        return _best([self._valuation.chance(self._seat, table) for table in tables])

    def _now(self) -> float:
        return self._valuation.chance(self._seat, self._table)

    def _held(self, table: Table, building: int) -> int:
        return int((table.gold if SPENT_TOKEN[building] == "gold" else table.knights)[self._seat])

    def _exchange(self, token: Any, table: Table, seat: int | None = None) -> Exchange:
        active = self._seat if seat is None else seat
        return Exchange(active, token, table, self._ledger, self._valuation, self._temper)

    def _contestant(self, contest: Contest, table: Table) -> Contestant:
        return Contestant(self._seat, contest, table, self._ledger, self._valuation, self._temper)


def _best(values: list[float]) -> int:
    return values.index(max(values))


_CHOICES: Final[dict[type[Any], Callable[[Turn, Any, Any], int]]] = {
    BidDecision: Turn.bid,
    TakeDecision: Turn.take,
    ActivationDecision: Turn.activate,
    OfferDecision: Turn.offer,
    AnswerDecision: Turn.answer,
    CommitDecision: Turn.commit,
    AwardDecision: Turn.award,
    InvasionDecision: Turn.invasion,
}
