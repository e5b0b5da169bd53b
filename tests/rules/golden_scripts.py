"""The games of the golden playthroughs: every game, number of seats and option."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from dragonhall.rules.dragonisles import DRAGONISLES
from dragonhall.rules.dragonisles.moves import Challenge
from dragonhall.rules.dragons import DRAGONS
from dragonhall.rules.dragons.facts import CARDS
from dragonhall.rules.dragons_interest import DRAGONS_INTEREST
from dragonhall.rules.dragons_interest.facts import STACK_STREAMS, tile_of
from tests.rules.dragons_tables import SEATS, VARIANTS, long_game_choice, variant_name
from tests.rules.golden import Script


def any_answer(state: Any, seat: int, rng: Random) -> int:
    """Any legal code."""
    code: int = rng.choice(state.legal_actions(seat))
    return code


def cautious_answer(state: Any, seat: int, rng: Random) -> int:
    """Any legal code, of amounts a small one, and low contracts, so that nobody is ruined at once."""
    run = rng.choice(state.legal_runs(seat)[:6])
    amount: int = min(rng.randrange(run.size), 4) if rng.random() < 0.4 else 0
    return int(run.first) + amount


def bold_answer(state: Any, seat: int, rng: Random) -> int:
    """Any legal code, but three cards or more in most challenges, so that games come to their end."""
    code = any_answer(state, seat, rng)
    for _ in range(6):
        action = DRAGONISLES.action(state, seat, code)
        if not isinstance(action, Challenge) or len(action.cards) >= 3:
            break
        code = any_answer(state, seat, rng)
    return code


CHARACTERS: Final = ("warrior", "monk", "pirate", "trader", "sorcerer")

SCRIPTS: Final = [
    Script(
        game=DRAGONS,
        variants={variant_name(options): dict.fromkeys(SEATS, vars(options)) for options in VARIANTS},
        choose=long_game_choice,
        item=lambda name, face: str(CARDS[face]),
    ),
    Script(
        game=DRAGONS_INTEREST,
        variants={
            "rotates": {seats: {} for seats in (3, 4, 5)},
            "fixed": {seats: {"start_player": "fixed"} for seats in (3, 4, 5)},
            "first_seat": {seats: {"first_seat": 2} for seats in (3, 4, 5)},
        },
        choose=lambda state, seat, rng: (cautious_answer if state.round < 7 else any_answer)(state, seat, rng),
        item=lambda name, face: str(tile_of(STACK_STREAMS.index(name), face)),
    ),
    Script(
        game=DRAGONISLES,
        variants={
            "drawn": {seats: {} for seats in (2, 3, 4, 5)},
            "draft": {seats: {"draft": True} for seats in (2, 3, 4, 5)},
            "chosen": {seats: {"characters": CHARACTERS[-seats:], "first_seat": 1} for seats in (2, 3, 5)},
        },
        choose=bold_answer,
    ),
]
