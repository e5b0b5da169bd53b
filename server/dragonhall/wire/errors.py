"""What reading a message may raise."""

from __future__ import annotations


class InvalidMessage(Exception):
    """A message that says nothing the rules could understand.

    ``field`` is the path of the offending field, from the message that was read; empty if it is all of that.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message

    def within(self, path: str) -> InvalidMessage:
        """The same as whoever read the message around it says it: ``path`` is that of the message that was read."""
        return InvalidMessage(f"{path}.{self.field}" if self.field else path, self.message)


class UnknownGame(InvalidMessage):
    """A message of no game, or of one that this version does not play."""
