"""What every reader sees of a table of Dragon's Interest, written from the comments of the .proto files alone.

A view is put together from the table of `foreign_dragons_interest`, which knows everything.
"""

from __future__ import annotations

from typing import Final

from tests.records.foreign_dragons_interest import GOLD, KNIGHTS, TYPES, InterestTable, by_number
from tests.records.foreign_parts import JSON, message

STAGES: Final = {
    "bid": "STAGE_BID",
    "take": "STAGE_TAKE",
    "activation": "STAGE_ACTIVATE",
    "offer": "STAGE_OFFER",
    "answer": "STAGE_ANSWER",
    "commit": "STAGE_COMMIT",
    "award": "STAGE_AWARD",
    "invasion": "STAGE_INVASION",
}
"""By the name of the decision that is asked."""
OVER: Final = "STAGE_OVER"


def view(table: InterestTable, viewer: int | None, answered: dict[int, JSON]) -> JSON:
    """The View of a seat, or of spectators, while these seats have answered what is asked now."""
    stage = stage_of(table)
    return message(
        round=table.round,
        stage=stage,
        startPlayer=table.start_player,
        deciding=[seat for seat in table.question if seat not in answered],
        seats=[_seat(table, seat, viewer, stage) for seat in range(table.seats)],
        stacks=[
            message(building=building, size=len(table.stacks[building]), faceUp=table.face_up.get(building))
            for building in table.ring
        ],
        dragonPassesNext=table.ring[table.dragon % len(table.ring)],
        ownAnswer=answered.get(viewer) if viewer is not None else None,
    ) | _of_stage(table, viewer, stage)


def stage_of(table: InterestTable) -> str:
    decisions = {STAGES[name] for decision in table.question.values() for name in decision}
    return decisions.pop() if decisions else OVER


def _of_stage(table: InterestTable, viewer: int | None, stage: str) -> JSON:
    """The fields of View that only some stages have."""
    if stage == "STAGE_TAKE":
        return {"activeSeat": table.takers[0], "takeOrder": table.takers}
    if stage == "STAGE_INVASION":
        return message(invasions=table.invasions, interestWaived=table.waived)
    if stage in ("STAGE_BID", OVER):
        return {}
    phase_2: JSON = {"activeSeat": table.active}
    if stage == "STAGE_ANSWER":
        phase_2["chest"] = table.chest if viewer in table.parties else table.closed_chest()
    elif stage in ("STAGE_COMMIT", "STAGE_AWARD"):
        phase_2["contest"] = table.contest
    return phase_2


def _seat(table: InterestTable, seat: int, viewer: int | None, stage: str) -> JSON:
    taking = stage == "STAGE_TAKE"
    shown = message(
        buildings=[table.buildings[seat][building] for building in TYPES],
        tucked=sorted(
            table.tucked[seat], key=lambda debt: (TYPES.index(debt["building"]), by_number(debt["contract"]))
        ),
        hand=sorted(table.hands[seat], key=by_number),
        revealed=table.bids[seat] if taking and seat in table.takers else None,
        collected=table.collected[seat] if taking else 0,
        ruined=seat in table.ruined,
    )
    if viewer == seat or stage == OVER:
        shown |= {"gold": table.held[seat][GOLD], "knights": table.held[seat][KNIGHTS]}
    return shown
