"""The games of the golden playthroughs: every game, number of seats and option."""

from __future__ import annotations

from typing import Final

from dragonhall.rules.dragons.facts import CARDS
from tests.rules.golden import Script
from tests.rules.tables import DRAGONS, SEATS, VARIANTS, long_game_choice, variant_name

SCRIPTS: Final = [
    Script(
        game=DRAGONS,
        variants={variant_name(options): dict.fromkeys(SEATS, vars(options)) for options in VARIANTS},
        choose=lambda state, seat, rng: long_game_choice(state, rng),
        item=lambda name, face: str(CARDS[face]),
    ),
]
