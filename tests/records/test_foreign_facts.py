"""Chance as independent readers derive it, from seed and nonces, is what records say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.records import foreign_interest_facts, foreign_isles_facts
from tests.records.games import Played, json_of


@pytest.mark.parametrize("first_seat", [None, 2])
@pytest.mark.parametrize("seats", range(3, 6))
def test_the_stacks_and_the_first_start_player_follow_from_seed_and_nonces(seats: int, first_seat: int | None) -> None:
    played = Played(seats, {"first_seat": first_seat}, bytes([seats] * 32), game="dragons_interest")
    record = json_of(played)
    assert foreign_interest_facts.chance(record) == record["steps"][0]["chance"]
    assert len(record["steps"][0]["chance"]) == (5 if seats == 3 else 6) + (first_seat is None)


@pytest.mark.parametrize("options", [{}, {"first_seat": 1}, {"characters": ("trader", "monk")}], ids=str)
def test_all_decks_and_characters_of_dragonisles_follow_from_seed_and_nonces(options: Mapping[str, Any]) -> None:
    record = json_of(Played(2, options, b"%32d" % len(options), draws=0, game="dragonisles"))
    assert foreign_isles_facts.chance(record) == record["steps"][0]["chance"]
    assert len(record["steps"][0]["chance"]) == 5 - len(options)
