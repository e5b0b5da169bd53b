"""What a bot says while its server cannot be reached: now and then, ever more seldom."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Final

_log: Final = logging.getLogger("dragonhall.bots")

_FIRST_WORD: Final = timedelta(seconds=10)
"""Without the server, until it is said; then after twice as long, and so on."""


class Outage:
    """Follows the failures of all that one client asks for at a time, which run side by side."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._next_word = _FIRST_WORD

    def failed(self, tried_for: timedelta, cause: str) -> None:
        """Something failed, the last time after having failed for that long."""
        if tried_for >= self._next_word:
            _log.warning("no server at %s for %.0f s, still trying: %s", self._target, tried_for.total_seconds(), cause)
            while tried_for >= self._next_word:
                self._next_word *= 2

    def ended(self) -> None:
        """The server is there."""
        if self._next_word > _FIRST_WORD:
            _log.info("the server at %s is there", self._target)
        self._next_word = _FIRST_WORD
