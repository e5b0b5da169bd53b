"""A review for machines: plain JSON data, names as protobuf's JSON has them."""

from __future__ import annotations

import math
from typing import Any, Final

from dragonhall.review.judge import Option, Verdict
from dragonhall.review.reviewing import Player, Review
from dragonhall.v1 import record_pb2

_DIGITS: Final = 6


def review_data(review: Review) -> dict[str, Any]:
    """The whole review. Of a review with a budget of simulations it is the same each time."""
    budget = review.manner.budget
    return {
        "gameId": review.game_id,
        "game": review.game,
        "title": review.title,
        "budget": {"simulations": budget.simulations, "seconds": budget.seconds},
        "seed": review.manner.seed,
        "seats": [_player(player, review) for player in review.players],
        "forcedDecisions": review.forced,
        "decisions": [_verdict(verdict) for verdict in review.verdicts],
    }


def _player(player: Player, review: Review) -> dict[str, Any]:
    tally = review.tally(player.seat)
    return {
        "seat": player.seat,
        "name": player.name,
        "rank": player.rank,
        "score": player.score,
        "forfeited": player.forfeited,
        "decisions": tally.decisions,
        "agreed": tally.agreed,
        "losses": tally.losses,
        "lostRanks": _number(tally.lost),
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {
        "decisionId": verdict.decision_id,
        "seat": verdict.seat,
        "asked": verdict.asked,
        "legalActions": verdict.legal,
        "played": verdict.played,
        "by": _enum_name(verdict.by),
        "takenBack": list(verdict.taken_back),
        "best": verdict.best,
        "agrees": verdict.agrees,
        "expectedRank": _number(verdict.expected_rank),
        "winExpectation": _number(verdict.win),
        "loss": _number(verdict.loss),
        "lossError": _number(verdict.error),
        "isLoss": verdict.is_loss,
        "simulations": verdict.simulations,
        "options": [_option(option) for option in verdict.options],
    }


def _option(option: Option) -> dict[str, Any]:
    return {
        "action": option.words,
        "visits": option.visits,
        "prior": _number(option.prior),
        "expectedRank": _number(option.expected_rank),
        "rankError": _number(option.rank_error),
        "winExpectation": _number(option.win),
        "isPlayed": option.is_played,
    }


def _enum_name(by: record_pb2.AnsweredBy.ValueType) -> str:
    """A value that this version does not know is its number."""
    known = record_pb2.AnsweredBy.DESCRIPTOR.values_by_number.get(by)
    return str(known.name) if known else str(by)


def _number(number: float) -> float | None:
    """JSON has no number that is none."""
    return None if math.isnan(number) else round(number, _DIGITS)
