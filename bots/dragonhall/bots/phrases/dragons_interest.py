"""Dragon's Interest in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from dragonhall.bots.phrases.scene import Scene, counted
from dragonhall.rules.dragons_interest import moves
from dragonhall.rules.dragons_interest.facts import INVASION_KNIGHTS, BuildingType, Token


def _offer_asked(decision: moves.OfferDecision, scene: Scene) -> str:
    return f"{_named(decision.activated)}: how {_much(decision.token)} to whom, for what?"


def _chest(decision: moves.AnswerDecision, scene: Scene) -> str:
    chest = decision.chest
    return f"seat {chest.seat} offers {_tokens(chest.amount, chest.token)} for {_a(chest.building)}: accept or match?"


def _commitment(decision: moves.CommitDecision, scene: Scene) -> str:
    contest = decision.contest
    return f"how {_much(contest.commitment_token)} for the stake of {_tokens(contest.stake, contest.stake_token)}?"


def _stake(decision: moves.AwardDecision, scene: Scene) -> str:
    return f"who gets the {_tokens(decision.contest.stake, decision.contest.stake_token)}?"


def _invasion(decision: moves.InvasionDecision, scene: Scene) -> str:
    return f"invasion from the {_named(decision.stack)} stack: knights or a building?"


def _take(action: moves.Take, scene: Scene) -> str:
    tiles = [stack.face_up for stack in scene.view.stacks if stack.building == action.building]
    return f"take {_a(action.building)} and " + (f"{tiles[0].gold} gold" if tiles and tiles[0] else "its gold")


def _offer(action: moves.Offer, scene: Scene) -> str:
    return f"offer {_tokens(action.amount, scene.decision.token)} to seat {action.target} for {_a(action.building)}"


def _accept(action: moves.Accept, scene: Scene) -> str:
    chest = scene.decision.chest
    return f"accept {_tokens(chest.amount, chest.token)} for {_a(chest.building)}"


def _match(action: moves.Match, scene: Scene) -> str:
    chest = scene.decision.chest
    return f"match {_tokens(chest.amount, chest.token)} for {_a(action.building)} of seat {chest.seat}"


def _commit(action: moves.Commit, scene: Scene) -> str:
    return f"commit {_tokens(action.amount, scene.decision.contest.commitment_token)}"


def _award(action: moves.Award, scene: Scene) -> str:
    contest = scene.decision.contest
    return f"give seat {action.seat} the {_tokens(contest.stake, contest.stake_token)}"


def _named(building: BuildingType) -> str:
    return building.replace("_", " ")


def _a(building: BuildingType) -> str:
    name = _named(building)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def _tokens(amount: int | None, token: Token) -> str:
    """``None``: not known."""
    if amount is None:
        return f"some {token}"
    return counted(amount, "knight") if token == "knights" else f"{amount} gold"


def _much(token: Token) -> str:
    return "many knights" if token == "knights" else "much gold"


QUESTIONS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.BidDecision: lambda decision, scene: "which contract to bid?",
    moves.TakeDecision: lambda decision, scene: "which tile to take?",
    moves.ActivationDecision: lambda decision, scene: "which building to activate?",
    moves.OfferDecision: _offer_asked,
    moves.AnswerDecision: _chest,
    moves.CommitDecision: _commitment,
    moves.AwardDecision: _stake,
    moves.InvasionDecision: _invasion,
}
ANSWERS: Final[dict[type, Callable[[Any, Scene], str]]] = {
    moves.Bid: lambda action, scene: f"bid {action.contract}",
    moves.Take: _take,
    moves.Pass: lambda action, scene: "activate nothing",
    moves.Activate: lambda action, scene: f"activate the {_named(action.building)}",
    moves.Offer: _offer,
    moves.Accept: _accept,
    moves.Match: _match,
    moves.Commit: _commit,
    moves.Award: _award,
    moves.DiscardKnights: lambda action, scene: f"discard {counted(INVASION_KNIGHTS, 'knight')}",
    moves.DiscardBuilding: lambda action, scene: f"discard {_a(action.building)}",
}
