"""A worker process: ``python -m dragonhall.bots.thinking.worker``. It thinks about one question after another.

It reads what it is asked from its standard input and ends when that is closed, however the bot's process ended. What
policies print goes to standard error, where the bot's log goes.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import traceback
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import BinaryIO, Final

from dragonhall.bots.mcts.searching import Effort
from dragonhall.bots.thinking.inbox import Inbox, read
from dragonhall.bots.thinking.messages import (
    Answer,
    Ask,
    Begun,
    Choice,
    Fault,
    Hello,
    Leave,
    News,
    Place,
    Ponder,
    Ready,
    written,
)
from dragonhall.bots.thinking.recipes import unpacked
from dragonhall.bots.thinking.seated import Seated
from dragonhall.bots.thinking.turns import Turns

_MOST_REMEMBERING: Final = 4
"""Seats that may keep what they found for their next decision, 50 MB each: those that were asked last."""


class Worker:
    """Holds the policies of its seats, and asks them."""

    def __init__(self, inbox: Inbox, tell: Callable[[object], None]) -> None:
        self._inbox = inbox
        self._tell = tell
        self._seated: OrderedDict[Place, Seated] = OrderedDict()
        """The one that was asked last is the last."""
        self._turns = Turns()
        self._pondering: deque[Place] = deque()
        """Seats in which there is something to think about that nobody has asked, in turn."""

    def run(self) -> None:
        """Answers for ever, and ponders in between: the process ends with its inbox."""
        while True:
            ask, time_left, news = self._inbox.take(wait=not self._pondering)
            for message in news:
                self._note(message)
            if ask is not None:
                self._answer(ask, time_left)
            elif self._pondering:
                self._ponder()

    def _answer(self, ask: Ask, time_left: float | None) -> None:
        self._tell(Begun(ask.number))
        try:
            choice = self._choose(ask, Effort(time_left, ask.parts, self._inbox.goes_on))
        except Exception:
            self._seated.pop(ask.place, None)
            self._tell(Fault(ask.number, traceback.format_exc()))
        else:
            self._tell(Answer(ask.number, choice))

    def _choose(self, ask: Ask, effort: Effort) -> Choice:
        self._rest(ask.place)
        if ask.seating is not None:
            self._seated[ask.place] = Seated(unpacked(ask.seating.policy), ask.seating.chair)
        self._seated.move_to_end(ask.place)
        if len(self._seated) > _MOST_REMEMBERING:
            place = list(self._seated)[-_MOST_REMEMBERING - 1]
            self._rest(place)
            self._seated[place].forget()
        return self._turns.choose(ask.place, self._seated[ask.place], ask.question, effort)

    # -- while nobody asks --------------------------------------------------------------------------------------------

    def _note(self, message: News) -> None:
        place = message.place
        self._rest(place)
        if isinstance(message, Leave):
            self._seated.pop(place, None)
        elif isinstance(message, Ponder) and place in self._seated:
            self._seated[place].learn(message.situation)
            if place in list(self._seated)[-_MOST_REMEMBERING:]:
                self._pondering.append(place)

    def _ponder(self) -> None:
        """A moment, in the seat whose turn it is."""
        place = self._pondering.popleft()
        try:
            goes_on = self._seated[place].ponder()
        except Exception:  # no reason to give the seat up: nobody has asked
            traceback.print_exc()
        else:
            if goes_on:
                self._pondering.append(place)

    def _rest(self, place: Place) -> None:
        if place in self._pondering:
            self._pondering.remove(place)
            self._seated[place].rest()


def main() -> None:
    """The process."""
    faulthandler.enable()
    for number in (signal.SIGINT, signal.SIGTERM):  # Ctrl-C reaches the whole group: the bot ends its workers in order
        signal.signal(number, signal.SIG_IGN)
    asked, told = _pipes()
    hello = read(asked)
    if not isinstance(hello, Hello):
        return
    sys.path[:] = hello.path

    def tell(message: object) -> None:
        told.write(written(message))
        told.flush()

    inbox = Inbox()
    inbox.fill_from(asked)
    try:
        tell(Ready())
        Worker(inbox, tell).run()
    except BrokenPipeError:  # nobody is left to be told
        os._exit(0)


def _pipes() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output, kept from whatever policies read and print."""
    asked, told = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return os.fdopen(asked, "rb"), os.fdopen(told, "wb")


if __name__ == "__main__":
    main()
