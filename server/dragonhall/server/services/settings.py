"""A game's settings as a request gives them, and as everyone is told them."""

from __future__ import annotations

from enum import IntEnum
from typing import Final, TypeVar

from dragonhall.server.encoding import settings_of, settings_to_proto
from dragonhall.server.refusal import invalid_field
from dragonhall.server.services import checks
from dragonhall.server.settings import AbsencePolicy, Settings, StartPolicy, Visibility
from dragonhall.v1 import game_pb2

__all__ = ["settings_from_proto", "settings_to_proto"]

LEAST_TIME_US: Final = 100_000
"""100 milliseconds: less than that is a network's delay, not a time to think."""
MOST_TIME_US: Final = 366 * 24 * 3600 * 1_000_000
MAX_SPECTATOR_DELAY: Final = 1000

E = TypeVar("E", bound=IntEnum)


def settings_from_proto(message: game_pb2.GameSettings, field: str = "settings") -> Settings:
    """The settings in a request's ``field``; what is absent has its default. Raises `Refusal` with the path."""
    if message.HasField("time_control"):
        _check_time_control(message.time_control, f"{field}.time_control")
    _check_number(AbsencePolicy, message.absence, f"{field}.absence")
    _check_number(StartPolicy, message.start, f"{field}.start")
    _check_number(Visibility, message.visibility, f"{field}.visibility")
    _check_substitute(message, f"{field}.substitute_bot")
    if message.spectator_delay > MAX_SPECTATOR_DELAY:
        raise invalid_field(f"{field}.spectator_delay", f"takes 0 to {MAX_SPECTATOR_DELAY} answers")
    return settings_of(message)


def _check_time_control(message: game_pb2.TimeControl, field: str) -> None:
    control = message.WhichOneof("control")
    if control == "per_decision":
        path = f"{field}.per_decision.limit"
        checks.duration_us(path, message.per_decision.limit, LEAST_TIME_US, MOST_TIME_US)
    elif control == "bank":
        checks.duration_us(f"{field}.bank.initial", message.bank.initial, LEAST_TIME_US, MOST_TIME_US)
        checks.duration_us(f"{field}.bank.increment", message.bank.increment, 0, MOST_TIME_US)
    else:
        raise invalid_field(field, "give per_decision or bank, or leave it out for a game without limits")


def _check_number(kind: type[E], number: int, field: str) -> None:
    if number and number not in (value.value for value in kind):
        raise invalid_field(field, f"{number} is no {kind.__name__}")


def _check_substitute(message: game_pb2.GameSettings, field: str) -> None:
    if message.absence == game_pb2.ABSENCE_POLICY_SUBSTITUTE:
        checks.bot_name(field, message.substitute_bot)
    elif message.substitute_bot:
        raise invalid_field(field, "is only for ABSENCE_POLICY_SUBSTITUTE")
