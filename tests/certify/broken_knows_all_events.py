"""Ends at an event that it does not know."""

from __future__ import annotations

from dragonhall.v1 import play_service_pb2
from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def happened(self, chair: Chair, event: play_service_pb2.Event) -> None:
        kind = event.WhichOneof("event")
        if kind is None:
            raise ValueError("what is this?")
        await super().happened(chair, event)


if __name__ == "__main__":
    serve(Broken)
