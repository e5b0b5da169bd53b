"""Sits there and says nothing."""

from __future__ import annotations

from dragonhall.v1 import play_service_pb2
from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def answer(self, chair: Chair, decision: play_service_pb2.Decision) -> None:
        pass


if __name__ == "__main__":
    serve(Broken)
