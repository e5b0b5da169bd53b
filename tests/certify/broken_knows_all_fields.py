"""Ends at a field that it does not know."""

from __future__ import annotations

from google.protobuf.unknown_fields import UnknownFieldSet

from dragonhall.v1 import play_service_pb2
from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def observed(self, chair: Chair, message: play_service_pb2.ObserveResponse) -> None:
        if len(UnknownFieldSet(message)):
            raise ValueError("what is this?")
        await super().observed(chair, message)


if __name__ == "__main__":
    serve(Broken)
