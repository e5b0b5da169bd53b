"""Takes reserved seats only."""

from __future__ import annotations

from dragonhall.v1 import game_pb2
from tests.certify.plain import PlainBot, serve


class Broken(PlainBot):
    def is_mine(self, seat: game_pb2.Seat) -> bool:
        return super().is_mine(seat) and seat.state != game_pb2.SEAT_STATE_VACANT


if __name__ == "__main__":
    serve(Broken)
