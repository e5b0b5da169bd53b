"""Dragon's Interest for the search.

In reading order: `judgement` (what buildings and tokens are worth), `estimates` (what seats take each other to hold),
`guide` (a quick policy for every seat), `candidates` (what is worth a look), `worth` (how likely each seat is to win),
`worlds` (what may be hidden), `problem`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from dragonhall.bots.greedy.dragons_interest.ledger import Ledger
from dragonhall.bots.mcts.dragons_interest.estimates import Estimates
from dragonhall.bots.mcts.dragons_interest.guide import Guide
from dragonhall.bots.mcts.dragons_interest.problem import InterestProblem
from dragonhall.bots.mcts.dragons_interest.worlds import Worlds
from dragonhall.bots.mcts.dragons_interest.worth import Worth
from dragonhall.bots.mcts.weights import network_of
from dragonhall.rules.dragons_interest.belief import Belief
from dragonhall.rules.dragons_interest.events import OfferAccepted, OfferMade, OfferMatched
from dragonhall.rules.dragons_interest.facts import KNIGHTS_GO
from dragonhall.rules.dragons_interest.moves import ANSWER
from dragonhall.rules.dragons_interest.state import State
from dragonhall.rules.game import Knowledge


def problem(knowledge: Knowledge, without: Collection[str] = ()) -> InterestProblem:
    """The problem of the decision that seat ``knowledge.viewer`` is asked. Raises `InconsistentKnowledge`.

    ``without``, for ablations: ``weights`` (all worlds are as plausible), ``priors``, ``abstraction`` (all amounts are
    looked at), ``guide`` (worlds are played on at random), ``evaluation`` (they are played to the end), ``decoupling``
    (who chooses after others in the search knows what they chose), ``secrets`` (who has chosen in secret already has
    done so at random).
    """
    assert knowledge.viewer is not None, "only a seat is asked to decide"
    belief = Belief(knowledge)
    state = belief.state
    guide = Guide(state.deal, _estimates(knowledge, state, knowledge.viewer))
    return InterestProblem(
        state,
        sum(1 << seat for seat in belief.secretive),
        Worlds(state, belief.gold, belief.knights, "weights" not in without),
        guide,
        Worth(state.seats, guide.judge, network_of(__package__)),
        frozenset(without),
    )


def _estimates(knowledge: Knowledge, state: State, me: int) -> Estimates:
    """What the deciding seat takes all seats to hold, and what everybody does."""
    ledgers = (Ledger(state.seats), Ledger(state.seats))
    for event in knowledge.events:
        ledgers[0].read(event)
        ledgers[1].read(_untold(event))
    ledgers[0].purses["gold"].hold(me, state.gold[me])
    ledgers[0].purses["knights"].hold(me, state.knights[me])
    likely, most = [], []
    for ledger in ledgers:
        purses = (ledger.purses["gold"], ledger.purses["knights"])
        for purse in purses:
            purse.settle()
        likely.append([round(tokens) for purse in purses for tokens in purse.likely])
        most.append([tokens for purse in purses for tokens in purse.high])
    if state.stage == ANSWER:  # what is in the chest is no longer behind a screen
        place = state.active + (state.seats if KNIGHTS_GO >> state.activated & 1 else 0)
        for row in likely:
            row[place] -= state.amount
    return Estimates(state.seats, me, likely, most)


def _untold(event: Any) -> Any:
    """An event as those hear of it who are not part of it."""
    if isinstance(event, OfferMade | OfferAccepted | OfferMatched):
        return replace(event, chest=replace(event.chest, amount=None))
    return event
