"""Reviews to look at: one with everything in it that a review can have, made by hand, so that no search has to run."""

from __future__ import annotations

import math
from dataclasses import replace

from dragonhall.bots.mcts.budget import Budget
from dragonhall.review import Manner, Option, Player, Review, Verdict
from dragonhall.v1 import record_pb2

NASTY = "</td><script>alert('\"&')</script>\u202e\x1b[31m"
"""A name that wants to be more than a name."""


def option(words: str, visits: int, rank: float, is_played: bool = False) -> Option:
    """One action that was considered."""
    error = 0.05 if visits > 1 else math.nan
    return Option(words, visits, 0.5, rank, error, math.nan if math.isnan(rank) else 0.4, is_played)


def verdict(decision_id: int, seat: int, loss: float | None = None, error: float = 0.02) -> Verdict:
    """One decision; without a ``loss`` the search agrees."""
    agrees = loss is None
    played = "draw" if agrees else "claim pile 1"
    return Verdict(
        decision_id=decision_id,
        seat=seat,
        asked="turn",
        legal=4,
        played=played,
        by=record_pb2.ANSWERED_BY_SEAT,
        best="draw",
        agrees=agrees,
        expected_rank=1.6,
        win=decision_id / 100,
        loss=loss or 0.0,
        error=0.0 if agrees else error,
        options=(option("draw", 90, 1.6, agrees), option("claim pile 1", 10, 2.1, not agrees)),
        simulations=100,
    )


def made_up(seats: int = 3, names: tuple[str, ...] = ()) -> Review:
    """Ten decisions in turn: losses beyond the noise and within it, default actions, one taken back before."""
    losses = {3: 0.3, 5: 0.7, 6: 0.04, 8: -0.2}
    verdicts = [verdict(number, number % seats, losses.get(number)) for number in range(1, 11)]
    verdicts[4] = replace(verdicts[4], by=record_pb2.ANSWERED_BY_TIME)
    verdicts[6] = replace(verdicts[6], taken_back=("claim pile 2",))
    verdicts[8] = replace(verdicts[8], options=(*verdicts[8].options, option("claim pile 3", 0, math.nan)))
    players = tuple(
        Player(seat, names[seat] if seat < len(names) else f"player {seat}", seat + 1, 50 - seat, seat == 2)
        for seat in range(seats)
    )
    return Review("game-1", "dragons", "A game of the tests", players, Manner(Budget(100)), tuple(verdicts), 7)
