"""What a seat is asked, and for how long its player has been thinking."""

from __future__ import annotations

import time
from datetime import timedelta

from dragonhall.v1 import play_service_pb2


def asked(observation: play_service_pb2.ObserveResponse) -> play_service_pb2.Decision | None:
    """What an observation asks its reader's own seat; ``None``: nothing.

    An open decision comes again with every update, while other seats think: answer each decision_id once.
    """
    kind = observation.WhichOneof("message")
    told = getattr(observation, kind) if kind is not None else None
    return told.decision if told is not None and told.HasField("decision") else None


class Prompts:
    """When a seat was asked what it is asked now, by this machine's clock."""

    def __init__(self) -> None:
        self._newest = 0
        self._arrived = 0.0

    def note(self, observation: play_service_pb2.ObserveResponse) -> None:
        """An observation has arrived. A decision that comes again was asked when it came first."""
        decision = asked(observation)
        if decision is not None and decision.decision_id > self._newest:
            self._newest = decision.decision_id
            self._arrived = time.monotonic()

    def thought(self, decision_id: int) -> timedelta | None:
        """How long ago the prompt arrived; ``None`` if it did not come here, or another has come since."""
        if decision_id != self._newest:
            return None
        return timedelta(seconds=time.monotonic() - self._arrived)
