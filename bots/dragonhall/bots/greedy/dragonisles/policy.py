"""The greedy policy for DragonIsles: of what it may do now, it does what promises most victory points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from dragonhall.bots.greedy.dragonisles.appraisal import Appraisal
from dragonhall.bots.greedy.dragonisles.dice import DiceInPlay
from dragonhall.bots.greedy.dragonisles.hand import cards_of, singles
from dragonhall.bots.greedy.dragonisles.outlook import Outlook
from dragonhall.bots.greedy.dragonisles.table import Table
from dragonhall.bots.greedy.dragonisles.temper import Temper
from dragonhall.bots.greedy.dragonisles.turn import Turn
from dragonhall.bots.policy import Chair
from dragonhall.rules.actions import ActionList
from dragonhall.rules.dragonisles import moves
from dragonhall.rules.dragonisles.facts import CARD_OF, Character
from dragonhall.rules.dragonisles.view import View

FAVOURITES: Final[tuple[Character, ...]] = ("warrior", "trader", "monk", "pirate", "sorcerer")
"""Characters, the one first that won most when an earlier version of this policy played itself."""


def _turn(outlook: Outlook, decision: moves.TurnDecision, actions: ActionList) -> moves.Action:
    return Turn(outlook).best(actions)


def _draw(outlook: Outlook, decision: moves.DrawDecision, actions: ActionList) -> moves.Action:
    return Turn(outlook).best_draw(actions, decision.draws_left)


def _discard(outlook: Outlook, decision: moves.DiscardDecision, actions: ActionList) -> moves.Action:
    """One card after another, that which is missed least."""
    left = outlook.hand
    for _ in range(decision.count):
        left -= min(singles(left), key=lambda card: outlook.planner.loss(left, card))
    return moves.Discard(tuple(cards_of(outlook.hand - left)))


def _dice(outlook: Outlook) -> DiceInPlay:
    challenge = outlook.appraisal.table.view.challenge
    assert challenge is not None, "dice are decided on in a challenge"
    return DiceInPlay(outlook, challenge)


def _ones(outlook: Outlook, decision: moves.OnesDecision, actions: ActionList) -> moves.Action:
    return _dice(outlook).best_use(decision)


def _reroll(outlook: Outlook, decision: moves.RerollDecision, actions: ActionList) -> moves.Action:
    return _dice(outlook).best_reroll(decision)


def _boost(outlook: Outlook, decision: moves.BoostDecision, actions: ActionList) -> moves.Action:
    return _dice(outlook).best_boost(decision)


def _keep_treasure(outlook: Outlook, decision: moves.TreasureDecision, actions: ActionList) -> moves.Action:
    assert decision.offer is not None, "the seat that is asked knows what it may keep"
    return moves.KeepTreasure(max(decision.offer, key=outlook.appraisal.growth.treasure_worth))


def _keep_adventurer(outlook: Outlook, decision: moves.AdventurerDecision, actions: ActionList) -> moves.Action:
    offer = outlook.appraisal.table.view.adventurer_offer
    assert offer is not None, "the seat that is asked knows what it may keep"
    return moves.KeepAdventurer(max(offer, key=lambda card: outlook.planner.worth(outlook.hand + (1 << CARD_OF[card]))))


def _advance(outlook: Outlook, decision: moves.AdvanceDecision, actions: ActionList) -> moves.Action:
    appraisal = outlook.appraisal
    worths = appraisal.growth.advances
    return moves.Advance(appraisal.table.board.tracks[worths.index(max(worths))].name)


def _take_potion(outlook: Outlook, decision: moves.TakePotionDecision, actions: ActionList) -> moves.Action:
    """The potion that is worth most, from the seat that has most points."""
    worths, table = outlook.stock.potions, outlook.appraisal.table
    takes: list[moves.TakePotion] = list(actions)
    return max(takes, key=lambda take: (worths[take.potion], table.score(take.seat)))


def _take_coin(outlook: Outlook, decision: moves.TakeCoinDecision, actions: ActionList) -> moves.Action:
    """From the seat that has most points; it misses more of them if it is the Pirate."""
    table = outlook.appraisal.table
    takes: list[moves.TakeCoin] = list(actions)
    return max(takes, key=lambda take: (table.score(take.seat), table.coin_worth(take.seat)))


_CHOICES: Final[dict[type[Any], Callable[[Outlook, Any, ActionList], moves.Action]]] = {
    moves.TurnDecision: _turn,
    moves.DrawDecision: _draw,
    moves.DiscardDecision: _discard,
    moves.OnesDecision: _ones,
    moves.RerollDecision: _reroll,
    moves.BoostDecision: _boost,
    moves.TreasureDecision: _keep_treasure,
    moves.AdventurerDecision: _keep_adventurer,
    moves.AdvanceDecision: _advance,
    moves.TakePotionDecision: _take_potion,
    moves.TakeCoinDecision: _take_coin,
}


class GreedyDragonIsles:
    """Plays DragonIsles by expected victory points. Fulfils `Policy`."""

    def __init__(self, chair: Chair, rng: Random, temper: Temper | None = None) -> None:
        self._chair = chair
        self._temper = temper or Temper()

    def choose(self, view: View, seen: Sequence[Any], decision: moves.Decision, actions: ActionList) -> int:
        """The action that promises most."""
        if len(actions) == 1:
            return 0
        return actions.index(self._best(view, seen, decision, actions))

    def _best(self, view: View, seen: Sequence[Any], decision: moves.Decision, actions: ActionList) -> moves.Action:
        if isinstance(decision, moves.CharacterDecision):
            return moves.ChooseCharacter(min(decision.characters, key=FAVOURITES.index))
        table = Table(self._chair, view, seen, self._temper)
        outlook = Outlook(Appraisal(table, self._temper))
        return _CHOICES[type(decision)](outlook, decision, actions)
