"""Answers what is not legal before it answers what is."""

from __future__ import annotations

from dragonhall.v1 import play_service_pb2
from tests.certify.plain import Chair, PlainBot, serve


class Broken(PlainBot):
    async def answer(self, chair: Chair, decision: play_service_pb2.Decision) -> None:
        legal = play_service_pb2.LegalActions(index=99)
        await super().answer(chair, play_service_pb2.Decision(decision_id=decision.decision_id, legal_actions=[legal]))
        await super().answer(chair, decision)


if __name__ == "__main__":
    serve(Broken)
