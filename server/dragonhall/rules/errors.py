"""What the rules raise. Every refusal says what is wrong and which rule says so."""

from __future__ import annotations

import re
from typing import Final

_RULING: Final = re.compile(r"R[A-Z]*-\d+")
"""The id of a ruling, as ``RD-4``; the name of a section of a rulebook is none."""


class RulesError(Exception):
    """Base class of everything that the rules raise on purpose."""


class IllegalAction(RulesError):
    """An action that the rules forbid here. The state is unchanged.

    ``message`` tells what to do instead and mentions nothing that the acting seat may not know;
    ``rule`` is the ruling's id (``RD-4``) or the rulebook's section that forbids the action.
    """

    def __init__(self, message: str, rule: str) -> None:
        source = f"ruling {rule}" if _RULING.fullmatch(rule) else f"rulebook: {rule}"
        super().__init__(f"{message} ({source})")
        self.message = message
        self.rule = rule


class InvalidOptions(RulesError):
    """Options that no game can be played with. ``field`` names the offending option."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class InvalidComponents(RulesError):
    """A component set that does not fit the game. ``key`` is the file's key, as ``cards.cow``."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(f"{key}: {message}")
        self.key = key
        self.message = message


class ChanceMismatch(RulesError):
    """Recorded chance outcomes that the game being replayed does not ask for."""


class InconsistentKnowledge(RulesError):
    """A view and events that no game can have shown to one seat together."""
