"""A channel of a Play stream: one attached seat, and what of its commands is still to be answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from dragonhall.server.game import LiveGame
from dragonhall.server.operations.answers import Accepted
from dragonhall.server.services.framing import play_message
from dragonhall.server.services.reader import Reader

OBSERVATION: Final = 3
RESULT: Final = 4
ERROR: Final = 5
CLOSED: Final = 6
"""Fields of ``PlayMessage.message``."""


class Channel:
    """One attached seat. Its first message answers its attach, its last one says that it is closed."""

    unsubscribe: Callable[[], object]
    """From the game's news."""

    def __init__(self, number: int, attach_id: int, game: LiveGame, reader: Reader, is_substitute: bool) -> None:
        self.number = number
        self.game = game
        self.reader = reader
        self.is_substitute = is_substitute
        """It was attached with the token of the seat's substitute."""
        self.game_name = game.playthrough.created.game
        self.is_new = True
        """Commands of the message that attached it are still to be begun."""
        self.answers: set[asyncio.Future[Accepted]] = set()
        """Begun, and without a result."""
        self._attach_id: int | None = attach_id
        """``None``: the attach is answered."""

    @property
    def is_attach_answered(self) -> bool:
        """Whether the channel has had its first message."""
        return self._attach_id is None

    @property
    def is_over(self) -> bool:
        """Whether only ``closed`` is left to be sent."""
        return self.reader.ended and not self.answers and not self.is_new

    def take(self) -> list[bytes]:
        """The observations that are ready, as ``PlayMessage``s."""
        return [self._message(OBSERVATION, observation) for observation in self.reader.take()]

    def take_heartbeat(self) -> list[bytes]:
        """A heartbeat if it is due, see `Reader.take_heartbeat`."""
        return [self._message(OBSERVATION, observation) for observation in self.reader.take_heartbeat()]

    def closed(self) -> bytes:
        """Says that the channel has closed by itself; or that an attach was overtaken, and answers that."""
        return self._message(CLOSED, b"")

    def _message(self, field: int, message: bytes) -> bytes:
        command_id, self._attach_id = self._attach_id or 0, None
        return play_message(self.number, command_id, field, message)
