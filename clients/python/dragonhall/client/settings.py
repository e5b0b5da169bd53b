"""Time controls for `GameSettings`, from plain durations.

>>> from datetime import timedelta
>>> from dragonhall.v1.game_pb2 import GameSettings
>>> blitz = GameSettings(time_control=bank(timedelta(minutes=3), increment=timedelta(seconds=2)))
>>> blitz.time_control.bank.initial.ToTimedelta()
datetime.timedelta(seconds=180)
>>> per_decision(timedelta(seconds=30)).per_decision.limit.ToTimedelta()
datetime.timedelta(seconds=30)
"""

from __future__ import annotations

from datetime import timedelta

from google.protobuf import duration_pb2

from dragonhall.v1 import game_pb2


def per_decision(limit: timedelta) -> game_pb2.TimeControl:
    """Every decision has the same limit: 100 milliseconds to 366 days."""
    return game_pb2.TimeControl(per_decision=game_pb2.TimePerDecision(limit=duration(limit)))


def bank(initial: timedelta, increment: timedelta = timedelta()) -> game_pb2.TimeControl:
    """Every seat has ``initial`` (100 milliseconds to 366 days) for the whole game, and gets ``increment`` (0 to 366
    days) for each of its answers."""
    return game_pb2.TimeControl(bank=game_pb2.TimeBank(initial=duration(initial), increment=duration(increment)))


def duration(span: timedelta) -> duration_pb2.Duration:
    """The same on the wire."""
    message = duration_pb2.Duration()
    message.FromTimedelta(span)
    return message
