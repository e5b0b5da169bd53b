"""A clock for a server's games that stands still until it is told to go on."""

from __future__ import annotations

from typing import Final

from google.protobuf.duration_pb2 import Duration

from dragonhall.v1 import game_pb2

START_US: Final = 1_700_000_000_000_000


class Clock:
    """Give it to a server as ``now_us``."""

    def __init__(self) -> None:
        self.time_us = START_US

    def __call__(self) -> int:
        return self.time_us

    def tick(self, seconds: float = 1.0) -> None:
        """Some time passes."""
        self.time_us += round(seconds * 1e6)


def bank(initial: int, increment: int) -> game_pb2.TimeControl:
    """A time control, in seconds."""
    seconds = Duration(seconds=initial), Duration(seconds=increment)
    return game_pb2.TimeControl(bank=game_pb2.TimeBank(initial=seconds[0], increment=seconds[1]))
