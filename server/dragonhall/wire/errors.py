"""What reading a message may raise."""

from __future__ import annotations


class InvalidMessage(Exception):
    """A message that says nothing the rules could understand. ``field`` is the path of the offending field."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class UnknownGame(InvalidMessage):
    """A message of no game, or of one that this version does not play."""
