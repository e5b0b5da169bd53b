"""Chance as an independent reader derives it, from seed and nonces, is what records of Dragon's Interest say."""

from __future__ import annotations

import json

import pytest

from dragonhall.wire.records import to_json
from tests.records.foreign_interest_facts import chance
from tests.records.games import Played, record_of


@pytest.mark.parametrize("first_seat", [None, 2])
@pytest.mark.parametrize("seats", range(3, 6))
def test_the_stacks_and_the_first_start_player_follow_from_seed_and_nonces(seats: int, first_seat: int | None) -> None:
    played = Played(seats, {"first_seat": first_seat}, bytes([seats] * 32), game="dragons_interest")
    record = json.loads(to_json(record_of(played)))
    assert chance(record) == record["steps"][0]["chance"]
    assert len(record["steps"][0]["chance"]) == (5 if seats == 3 else 6) + (first_seat is None)
