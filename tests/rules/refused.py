"""What is refused to a seat that is not asked, whatever the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dragonhall.rules.chance import Chance
from dragonhall.rules.errors import IllegalAction
from dragonhall.rules.journal import Journal
from tests.rules.driver import PlayedGame

NO_CHANCE = Chance()
"""For what is refused before any chance is asked for."""


def check_not_asked(played: PlayedGame, state: Any, seat: int, action: Any, code: int = 0) -> list[IllegalAction]:
    """Whatever ``seat`` tries is refused without a trace; returns how."""
    untouched, journal = played.everything(state), Journal()
    calls: list[Callable[[], object]] = [
        lambda: state.apply(seat, code, NO_CHANCE, journal),
        lambda: state.legal_runs(seat),
        lambda: state.legal_actions(seat),
        lambda: state.decision(seat),
        lambda: state.public_decision(seat),
        lambda: played.game.action(state, seat, code),
        lambda: played.game.code(state, seat, action),
        lambda: played.game.default_action(state, seat),
    ]
    refusals = []
    for call in calls:
        with pytest.raises(IllegalAction) as refused:
            call()
        refusals.append(refused.value)
    assert played.everything(state) == untouched
    assert not journal.entries
    return refusals
