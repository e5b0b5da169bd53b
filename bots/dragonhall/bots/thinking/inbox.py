"""What a worker was asked and has not thought about yet: the most urgent first, and nothing that nobody waits for."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Callable
from typing import BinaryIO, Final

from dragonhall.bots.thinking.messages import LENGTH, Ask, Drop, Leave, News, Ponder, Rest

_BREATH: Final = 0.0002
"""Seconds in which the thread that reads the pipe comes to its turn."""
_FOR_EVER: Final = float("inf")


def read(pipe: BinaryIO, begun: Callable[[], None] = lambda: None) -> object | None:
    """The next message of a pipe, once it is there; ``None`` at its end. ``begun``: called when its first bytes are."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    begun()
    (length,) = LENGTH.unpack(head)
    data = pipe.read(length)
    return pickle.loads(data) if len(data) == length else None


class Inbox:
    """Filled by a thread that reads the pipe, emptied by the one that thinks.

    The process ends with the pipe, whatever it is thinking about: nobody is left to be told.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._asked: dict[int, Ask] = {}
        self._news: list[News] = []
        self._arrives = False
        """Whether a message is being read."""
        self._current = 0
        self._current_dropped = False

    def fill_from(self, pipe: BinaryIO) -> None:
        """Reads the pipe in a thread of its own, from now on."""
        threading.Thread(target=self._read_all, args=(pipe,), name="inbox", daemon=True).start()

    def _read_all(self, pipe: BinaryIO) -> None:
        try:
            while (message := read(pipe, self._begin)) is not None:
                self.put(message)
        finally:
            os._exit(0)

    def _begin(self) -> None:
        self._arrives = True

    def put(self, message: object) -> None:
        """Takes one message in."""
        with self._changed:
            self._arrives = False
            if isinstance(message, Ask):
                self._asked[message.number] = message
            elif isinstance(message, Ponder | Rest | Leave):
                self._news.append(message)
            elif isinstance(message, Drop):
                self._asked.pop(message.number, None)
                self._current_dropped |= message.number == self._current
            self._changed.notify()

    def take(self, wait: bool) -> tuple[Ask | None, float | None, list[News]]:
        """The most urgent question, if there is one, the seconds that it may take, and all that is new beside it.

        ``wait``: until there is any of this; else only for a moment, in which the pipe is read.
        """
        with self._changed:
            if not wait and not self._asked and not self._news:
                self._changed.wait(_BREATH)
            while not self._asked and not self._news and (wait or self._arrives):
                self._changed.wait()
            news, self._news = self._news, []
            if not self._asked:
                return None, None, news
            ask = min(self._asked.values(), key=_due)
            seconds = share_of_time([_due(other) for other in self._asked.values()], time.monotonic())
            del self._asked[ask.number]
            self._current, self._current_dropped = ask.number, False
        return ask, seconds, news

    def goes_on(self) -> bool:
        """Whether somebody still waits for the answer to the question that was taken last."""
        return not self._current_dropped


def share_of_time(dues: list[float], now: float) -> float | None:
    """The seconds for the most urgent of some questions, so that time is left for all others; ``None``: no limit.

    >>> share_of_time([10.0], 4.0), share_of_time([10.0, 10.0, 11.0, float("inf")], 4.0)
    (6.0, 2.3333333333333335)
    """
    shares = [(due - now) / place for place, due in enumerate(sorted(dues), start=1)]
    least = min(shares)
    return None if least == _FOR_EVER else max(0.0, least)


def _due(ask: Ask) -> float:
    return _FOR_EVER if ask.question.due is None else ask.question.due
