"""Takes every seat that has its name, whatever is played."""

from __future__ import annotations

from dragonhall.v1 import game_pb2
from tests.certify.plain import PlainBot, serve


class Broken(PlainBot):
    def knows(self, game: game_pb2.Game) -> bool:
        return True


if __name__ == "__main__":
    serve(Broken)
