"""The greedy bot is better than chance, by far, in every kind of game."""

from __future__ import annotations

import pytest

from dragonhall.bots import BOT_KINDS
from dragonhall.rules.dragons.facts import Options
from tests.bots.playing import play
from tests.rules.dragons_tables import SEATS, VARIANTS, variant_name

KINDS = BOT_KINDS["dragons"]
DEALS = 3


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("options", VARIANTS, ids=variant_name)
def test_one_greedy_among_random_bots_wins(seats: int, options: Options) -> None:
    """The same deals from every seat. By chance it would win one game in ``seats``."""
    won = 0.0
    for seat in range(seats):
        policies = [KINDS["greedy"] if place == seat else KINDS["random"] for place in range(seats)]
        for deal in range(DEALS):
            winners = play(policies, options, deal).winners()
            won += (seat in winners) / len(winners)
    assert won > 0.8 * seats * DEALS
