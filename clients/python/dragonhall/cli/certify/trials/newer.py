"""A server that is newer than the bot: it says more than the bot knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from dragonhall.cli.certify import contract
from dragonhall.cli.certify.bench import Bench
from dragonhall.cli.certify.interference import Interference, add_unknown_fields, unknown_event
from dragonhall.cli.certify.trials.trial import Trial
from dragonhall.v1.play_service_pb2 import ObserveResponse


class _UnknownFields(Interference):
    def told(self, message: Any) -> None:
        add_unknown_fields(message)


class _UnknownEvents(Interference):
    """Before and after all that has happened."""

    def observed(self, game_id: str, observation: ObserveResponse) -> Sequence[ObserveResponse]:
        if observation.HasField("update"):
            events = [unknown_event(), *observation.update.events, unknown_event()]
            del observation.update.events[:]
            observation.update.events.extend(events)
        return [observation]


async def _unknown_field(bench: Bench) -> None:
    bench.witness.interference = _UnknownFields()
    async with bench.seated() as table:
        await table.until_answered(3, "all messages had a field that it does not know, and it did not play", _NEWER)


async def _unknown_event(bench: Bench) -> None:
    bench.witness.interference = _UnknownEvents()
    async with bench.seated() as table:
        await table.until_answered(3, "updates had an event that it does not know, and it did not play", _NEWER)


_NEWER: Final = contract.NEWER

TRIALS: Final = (
    Trial("unknown-field", "messages have fields that it does not know", _NEWER, _unknown_field),
    Trial("unknown-event", "something happens that it does not know", _NEWER, _unknown_event),
)
