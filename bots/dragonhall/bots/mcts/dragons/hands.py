"""Which card another seat may hold, with ``hidden_card``: of two cards, it has kept one each time that it played.

Hot: one source that CPython runs and mypyc compiles.
"""

from __future__ import annotations

from math import exp
from typing import Final, final

from librt.random import Random
from librt.vecs import vec
from mypy_extensions import i64

from dragonhall.bots.mcts.dragons.worth import Appraisal
from dragonhall.rules.dragons.facts import FACES

_FONDNESS: Final = 0.1
"""A card that is worth a point more to a seat is e to this power times as likely the one it kept. Measured in games of
greedy bots, where it makes the held cards more likely (2.53 instead of 2.57 nats a card) for any number of plays."""


@final
class Hands:
    """Plausibility of held cards."""

    def __init__(self, appraisal: Appraisal, choosers: i64) -> None:
        """``choosers``: bit mask of the seats that have played a card this year, and so chose what they hold."""
        seats = appraisal.seats
        self._plausible: vec[float] = vec[float]([1.0] * (seats * FACES))
        """By seat and face: 0 to 1, the seat's most plausible face has 1."""
        for seat in range(seats):
            if choosers >> seat & 1:
                self._consider(appraisal, seat)

    def _consider(self, appraisal: Appraisal, seat: i64) -> None:
        highest = 0.0
        for face in range(i64(FACES)):
            weight = exp(_FONDNESS * appraisal.card_value(seat, face))
            self._plausible[seat * FACES + face] = weight
            highest = max(highest, weight)
        for face in range(i64(FACES)):
            self._plausible[seat * FACES + face] /= highest

    def pick(self, seat: i64, faces: vec[i64], first: i64, rng: Random) -> i64:
        """The place of a card that ``seat`` may hold: one of ``faces`` from the place ``first`` on."""
        left: i64 = len(faces) - first
        while True:
            place = first + rng.randrange(left)
            plausible = self._plausible[seat * FACES + faces[place]]
            if plausible >= 1.0 or rng.random() < plausible:
                return place
