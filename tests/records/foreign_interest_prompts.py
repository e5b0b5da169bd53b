"""The legal actions of every prompt of Dragon's Interest, written from the comments of the .proto files alone.

They are those of a table of `foreign_dragons_interest`, in their canonical order, which dragons_interest.proto says at
Decision; runs of amounts are as play_service.proto says at LegalActions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tests.records.foreign_dragons_interest import (
    GAME,
    INCOME,
    INVASION_COST,
    KNIGHTS,
    STAKES,
    TYPES,
    InterestTable,
    by_number,
)
from tests.records.foreign_parts import JSON, message

SINGLE: Final = 0
Entry = tuple[JSON, int]
"""An action, and the largest amount of its run; `SINGLE` for no run."""


def legal_actions(table: InterestTable, seat: int) -> list[JSON]:
    """The prompt's ``legalActions``."""
    [(kind, fields)] = table.question[seat].items()
    listed: list[JSON] = []
    index = 0
    for action, most in _LEGAL[kind](table, seat, fields):
        amounts = message(max=most) or None
        listed.append(message(index=index, action={GAME: action}, amounts=amounts))
        index += 1 + most
    return listed


def _bids(table: InterestTable, seat: int, _: JSON) -> Iterator[Entry]:
    for contract in sorted(table.hands[seat], key=by_number):
        yield {"bid": {"contract": contract}}, SINGLE


def _takes(table: InterestTable, _seat: int, _: JSON) -> Iterator[Entry]:
    for building in TYPES:
        if "gold" in table.face_up.get(building, {}):
            yield {"take": {"building": building}}, SINGLE


def _activations(table: InterestTable, seat: int, _: JSON) -> Iterator[Entry]:
    yield {"passTurn": {}}, SINGLE
    for building in _types(table, seat):
        if _can_activate(table, seat, building):
            yield {"activate": {"building": building}}, SINGLE


def _can_activate(table: InterestTable, seat: int, building: str) -> bool:
    if building not in STAKES:
        return any(other != seat for other in table.with_buildings())
    stake = STAKES[building]
    assert stake["stakeToken"] == INCOME[building]
    return bool(table.held[seat][stake["stakeToken"]] + table.buildings[seat][building] >= stake["stake"])


def _offers(table: InterestTable, seat: int, asked: JSON) -> Iterator[Entry]:
    held = table.held[seat][asked["token"]]
    for target in range(table.seats):
        if target != seat:
            for building in _types(table, target):
                yield {"offer": message(target=target, building=building)}, held


def _answers(table: InterestTable, seat: int, asked: JSON) -> Iterator[Entry]:
    chest = asked["chest"]
    yield {"accept": {}}, SINGLE
    if table.held[seat][chest["token"]] >= chest["amount"]:
        for building in _types(table, chest.get("seat", 0)):
            yield {"match": {"building": building}}, SINGLE


def _commitments(table: InterestTable, seat: int, asked: JSON) -> Iterator[Entry]:
    yield {"commit": {}}, table.held[seat][asked["contest"]["commitmentToken"]]


def _awards(_table: InterestTable, _seat: int, asked: JSON) -> Iterator[Entry]:
    for winner in asked["tied"]:
        yield {"award": message(seat=winner)}, SINGLE


def _losses(table: InterestTable, seat: int, _: JSON) -> Iterator[Entry]:
    if table.held[seat][KNIGHTS] >= INVASION_COST:
        yield {"discardKnights": {}}, SINGLE
    for building in _types(table, seat):
        yield {"discardBuilding": {"building": building}}, SINGLE


def _types(table: InterestTable, seat: int) -> list[str]:
    return [building for building in TYPES if table.buildings[seat][building]]


_LEGAL: Final[dict[str, Any]] = {
    "bid": _bids,
    "take": _takes,
    "activation": _activations,
    "offer": _offers,
    "answer": _answers,
    "commit": _commitments,
    "award": _awards,
    "invasion": _losses,
}
