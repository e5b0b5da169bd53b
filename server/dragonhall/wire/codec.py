"""Between the rules' values and protobuf messages: what all games share. One `Codec` per game does the rest."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Protocol

from dragonhall.rules.chance import ChanceOutcome
from dragonhall.rules.game import Components, Outcome, SeatResult
from dragonhall.v1 import games_pb2 as games
from dragonhall.wire.errors import InvalidMessage


class Codec(Protocol):
    """One game's messages, both ways. ``…_from_proto`` raises `InvalidMessage` for what it cannot understand.

    An action's code says nothing outside its decision, so messages spell actions out.
    """

    def __hash__(self) -> int: ...
    def options_to_proto(self, options: Any) -> games.GameOptions: ...
    def options_from_proto(self, message: games.GameOptions) -> Any: ...
    def action_to_proto(self, action: Any) -> games.GameAction: ...
    def action_from_proto(self, message: games.GameAction) -> Any: ...
    def decision_to_proto(self, decision: Any) -> games.GameDecision: ...
    def decision_from_proto(self, message: games.GameDecision) -> Any: ...
    def event_to_proto(self, event: Any) -> games.GameEvent: ...
    def event_from_proto(self, message: games.GameEvent) -> Any: ...
    def view_to_proto(self, view: Any) -> games.GameView: ...
    def view_from_proto(self, message: games.GameView) -> Any: ...
    def breakdown_to_proto(self, breakdown: Any) -> games.GameBreakdown: ...
    def breakdown_from_proto(self, message: games.GameBreakdown) -> Any: ...
    def components_to_proto(self, components: Any, with_contents: bool) -> games.ComponentSet: ...
    def components_from_proto(self, message: games.ComponentSet) -> Any:
        """Needs the contents, and checks that they are what the digest says."""
        ...

    def chance_to_proto(self, outcome: ChanceOutcome) -> games.ChanceOutcome: ...
    def chance_from_proto(self, message: games.ChanceOutcome) -> ChanceOutcome: ...


def component_digest(components: Components) -> bytes:
    """SHA-256 of the set's canonical JSON: keys sorted, no white space, UTF-8; 32 bytes."""
    data = json.dumps(components.to_data(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(data.encode()).digest()


def outcome_to_proto(outcome: Outcome, codec: Codec) -> games.Outcome:
    """The result of a game."""
    return games.Outcome(
        results=[
            games.SeatResult(
                seat=result.seat,
                score=result.score,
                rank=result.rank,
                eliminated=result.eliminated,
                breakdown=codec.breakdown_to_proto(result.breakdown),
                forfeited=result.forfeited,
            )
            for result in outcome.results
        ]
    )


def outcome_from_proto(message: games.Outcome, codec: Codec) -> Outcome:
    """The result of a game. Raises `InvalidMessage`."""
    results = []
    for place, result in enumerate(message.results):
        if result.seat != place:
            raise InvalidMessage(f"results[{place}].seat", f"is {result.seat}: results come in seat order, from 0")
        if not 1 <= result.rank <= len(message.results):
            raise InvalidMessage(f"results[{place}].rank", f"must be from 1 to {len(message.results)}")
        breakdown = codec.breakdown_from_proto(result.breakdown)
        results.append(
            SeatResult(result.seat, result.score, result.rank, result.eliminated, breakdown, result.forfeited)
        )
    return Outcome(tuple(results))
