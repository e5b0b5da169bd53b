"""What a worker was asked and has not thought about yet: the most urgent first, and nothing that nobody waits for."""

from __future__ import annotations

import os
import pickle
import threading
import time
from typing import BinaryIO, Final

from dragonhall.bots.thinking.messages import LENGTH, Ask, Drop, Leave, Place

_FOR_EVER: Final = float("inf")


def read(pipe: BinaryIO) -> object | None:
    """The next message of a pipe, once it is there; ``None`` at its end."""
    head = pipe.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
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
        self._left: list[Place] = []
        self._current = 0
        self._current_dropped = False

    def fill_from(self, pipe: BinaryIO) -> None:
        """Reads the pipe in a thread of its own, from now on."""
        threading.Thread(target=self._read_all, args=(pipe,), name="inbox", daemon=True).start()

    def _read_all(self, pipe: BinaryIO) -> None:
        try:
            while (message := read(pipe)) is not None:
                self.put(message)
        finally:
            os._exit(0)

    def put(self, message: object) -> None:
        """Takes one message in."""
        with self._changed:
            if isinstance(message, Ask):
                self._asked[message.number] = message
            elif isinstance(message, Leave):
                self._left.append(message.place)
            elif isinstance(message, Drop):
                self._asked.pop(message.number, None)
                self._current_dropped |= message.number == self._current
            self._changed.notify()

    def take(self) -> tuple[Ask, float | None, list[Place]]:
        """Waits for a question. Returns the most urgent one, the seconds that it may take, and the seats that nothing
        more is asked in."""
        with self._changed:
            while not self._asked:
                self._changed.wait()
            ask = min(self._asked.values(), key=_due)
            seconds = share_of_time([_due(other) for other in self._asked.values()], time.monotonic())
            del self._asked[ask.number]
            left, self._left = self._left, []
            self._current, self._current_dropped = ask.number, False
        return ask, seconds, left

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
